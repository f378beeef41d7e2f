/* The light on print that lies on a table, what a face leaves unexplained in it, and the highest values of rows. */
#include "common.h"

/* ---- the light on print: printed/print_light.py, `fitted` ---- */

/* The light (channels, 6) of each channel: the gain and its slopes along x and y (n), the offset and its slopes; and
 * how much the print's spread says of the gain (channels), unless nobody asks: NULL. print and seen (n, channels). usual (channels, 2) is a likely
 * gain and offset, held to by pulls (2) at least; prior (6) times n holds each back. rules: the residual beyond which a
 * pixel weighs less, the rounds, and by how little a fit must move to be the last. 1 if all went well. */
INLINE int arena_print_light_body(const float *print, const float *seen, const double *x, const double *y,
                                  long channels, long n, const double *usual, const double *pulls, const double *prior,
                                  const double *rules, double *light, double *informed) {
    double *work = malloc(sizeof(double) * 3 * (size_t)(n ? n : 1));
    if (!work) return 0;
    double *value = work, *target = work + n, *agree = work + 2 * n;
    int fine = n > 0;
    for (long c = 0; fine && c < channels; c++) {
        double *found = light + 6 * c, held[6], begin[6] = {0, 0, 0, 0, 0, 0};
        for (int k = 0; k < 6; k++) held[k] = prior[k] * (double)n, found[k] = 0.0;
        held[0] = greater_of(pulls[0], held[0]), held[3] = greater_of(pulls[1], held[3]);
        begin[0] = held[0] * usual[2 * c], begin[3] = held[3] * usual[2 * c + 1];
        for (long i = 0; i < n; i++) {
            value[i] = print[channels * i + c], target[i] = seen[channels * i + c];
            agree[i] = 1.0;
        }
        for (long round = 0; fine && round < (long)rules[1]; round++) {
            double normal[36], right[6];
            light_equations(value, target, agree, x, y, n, normal, right);
            for (int k = 0; k < 6; k++) normal[7 * k] += held[k], right[k] += begin[k];
            fine = solve(normal, right, 6, 1);
            double moved = 0.0;
            for (int k = 0; k < 6; k++) moved = greater_of(fabs(right[k] - found[k]), moved);
            memcpy(found, right, sizeof right);
            if (!fine || moved < rules[2]) break;
#pragma omp simd
            for (long i = 0; i < n; i++) {
                double gain = found[0] + found[1] * x[i] + found[2] * y[i];
                double off = fabs(target[i] - gain * value[i] - found[3] - found[4] * x[i] - found[5] * y[i]);
                double u = rules[0] / (off > 1e-6 ? off : 1e-6);
                u = u < 1.0 ? u : 1.0;
                agree[i] = u * u;
            }
        }
        double weight = 0, sum = 0, spread = 0;
        if (!informed) continue;
        for (long i = 0; i < n; i++) weight += agree[i], sum += agree[i] * value[i];
        sum /= greater_of(weight, 1e-6);
        for (long i = 0; i < n; i++) spread += agree[i] * (value[i] - sum) * (value[i] - sum);
        informed[c] = spread;
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_print_light,
             (const float *print, const float *seen, const double *x, const double *y, long channels, long n,
              const double *usual, const double *pulls, const double *prior, const double *rules, double *light,
              double *informed),
             (print, seen, x, y, channels, n, usual, pulls, prior, rules, light, informed))

/* ---- a face in its light: tokens/cards/lit_faces.py, `face_light`, `_costs`, `explained_pixels` ---- */

/* The light on print in single precision: gain and offset of each channel, constant, per mm of x, per mm of y. */
typedef struct {
    float gain[9], offset[9];
} Lit;

INLINE Lit lit_of(const double *light) { /* (3, 6): gain, offset, each constant and per mm of x and y */
    Lit lit;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            lit.gain[3 * c + k] = (float)light[6 * c + k], lit.offset[3 * c + k] = (float)light[6 * c + 3 + k];
    return lit;
}

INLINE float lit_gain(const Lit *lit, int c, float x, float y) {
    float gain = x * lit->gain[3 * c + 1] + lit->gain[3 * c] + y * lit->gain[3 * c + 2];
    return gain < 0.05f ? 0.05f : gain > 3.0f ? 3.0f : gain;
}

INLINE float lit_offset(const Lit *lit, int c, float x, float y) {
    return x * lit->offset[3 * c + 1] + lit->offset[3 * c] + y * lit->offset[3 * c + 2];
}

/* By how much the print (3) in a light differs from what is seen (3), in the worst channel. */
INLINE float lit_off(const Lit *lit, const float *print, const float *seen, float x, float y) {
    float most = 0.0f;
    for (int c = 0; c < 3; c++) {
        float off = fabsf(print[c] * lit_gain(lit, c, x, y) + lit_offset(lit, c, x, y) - seen[c]);
        most = off > most ? off : most;
    }
    return most;
}

/* A card's pixels: rows, columns, pixels a mm, half of its size in mm. */
typedef struct {
    long rows, columns;
    double px_per_mm, half_wide, half_high;
} CardShape;

INLINE float shape_x(const CardShape *card, long column) {
    return (float)(((double)column + 0.5) / card->px_per_mm - card->half_wide);
}

INLINE float shape_y(const CardShape *card, long row) {
    return (float)(((double)row + 0.5) / card->px_per_mm - card->half_high);
}

#define AT_ONCE 4 /* faces */

/* What each of the faces `which` (count) of `faces` (F, rows, columns, 3) in a light (3, 6) leaves unexplained of what is
 * `seen` (rows, columns, 3) at pixels `at` (n): squares of what it is off as a share of `within`, each 1 at most. */
INLINE int arena_face_costs_body(const float *faces, const int64_t *which, long count, const double *shape,
                                 const float *seen, const int64_t *at, long n, const double *light, double within,
                                 double *costs) {
    CardShape card = {(long)shape[0], (long)shape[1], shape[2], shape[3] / 2, shape[4] / 2};
    Lit lit = lit_of(light);
    long size = 3 * card.rows * card.columns;
    float by = (float)(1.0 / within);
    for (long f = 0; f < count; f++) costs[f] = 0.0;
    for (long first = 0; first < n; first += BLOCK) {
        long some = n - first < BLOCK ? n - first : BLOCK;
        float gain[3][BLOCK], left[3][BLOCK];
        for (long p = 0; p < some; p++) {
            uint32_t i = (uint32_t)at[first + p], of = (uint32_t)card.columns; /* in half the time of longer numbers */
            float x = shape_x(&card, (long)(i % of)), y = shape_y(&card, (long)(i / of));
            for (int c = 0; c < 3; c++) {
                gain[c][p] = lit_gain(&lit, c, x, y);
                left[c][p] = seen[3 * at[first + p] + c] - lit_offset(&lit, c, x, y);
            }
        }
        for (long f = 0; f < count; f += AT_ONCE) { /* each as by itself: one alone waits for its own last addition */
            const long these = count - f < AT_ONCE ? count - f : AT_ONCE;
            float cost[AT_ONCE][BLOCK] = {{0.0f}}, sum[AT_ONCE] = {0.0f};
            for (long k = 0; k < these; k++) {
                const float *face = faces + which[f + k] * size;
                float print[3][BLOCK];
                for (long p = 0; p < some; p++)
                    for (int c = 0; c < 3; c++) print[c][p] = face[3 * at[first + p] + c];
#pragma omp simd
                for (long p = 0; p < some; p++) {
                    float a = fabsf(print[0][p] * gain[0][p] - left[0][p]), b = fabsf(print[1][p] * gain[1][p] - left[1][p]);
                    float d = fabsf(print[2][p] * gain[2][p] - left[2][p]);
                    float off = ((a > b ? a : b) > d ? (a > b ? a : b) : d) * by;
                    cost[k][p] = off * off < 1.0f ? off * off : 1.0f;
                }
            }
            for (long p = 0; p < some; p++)
                for (long k = 0; k < AT_ONCE; k++) sum[k] += cost[k][p];
            for (long k = 0; k < these; k++) costs[f + k] += (double)sum[k];
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_face_costs,
             (const float *faces, const int64_t *which, long count, const double *shape, const float *seen, const
              int64_t *at, long n, const double *light, double within, double *costs),
             (faces, which, count, shape, seen, at, n, light, within, costs))

/* Where (rows, columns) a face (rows, columns, 3) in a light (3, 6) is `seen` (rows, columns, 3) as it is, within so many
 * grey levels, of what is `open` (rows, columns); `counts`: of such pixels, those with ink; of open pixels, those with
 * ink. */
INLINE int arena_explained_body(const float *face, const uint8_t *ink, const float *seen, const uint8_t *open,
                                const double *shape, const double *light, double within, uint8_t *explained,
                                int64_t *counts) {
    CardShape card = {(long)shape[0], (long)shape[1], shape[2], shape[3] / 2, shape[4] / 2};
    Lit lit = lit_of(light);
    memset(counts, 0, sizeof(int64_t) * 4);
    for (long first = 0; first < card.columns; first += BLOCK) {
        const long some = card.columns - first < BLOCK ? card.columns - first : BLOCK;
        float x[BLOCK], off[BLOCK];
        for (long k = 0; k < some; k++) x[k] = shape_x(&card, first + k);
        for (long row = 0; row < card.rows; row++) {
            const long at = row * card.columns + first;
            const float y = shape_y(&card, row), *print = face + 3 * at, *there = seen + 3 * at;
            int all = 0, with_ink = 0, is_open = 0, open_ink = 0;
#pragma omp simd
            for (long k = 0; k < some; k++) off[k] = lit_off(&lit, print + 3 * k, there + 3 * k, x[k], y);
            for (long k = 0; k < some; k++) {
                const int open_here = open[at + k] != 0, so = open_here & ((double)off[k] < within), inked = ink[at + k] != 0;
                explained[at + k] = (uint8_t)so;
                all += so, with_ink += so & inked, is_open += open_here, open_ink += open_here & inked;
            }
            counts[0] += all, counts[1] += with_ink, counts[2] += is_open, counts[3] += open_ink;
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_explained,
             (const float *face, const uint8_t *ink, const float *seen, const uint8_t *open, const double *shape,
              const double *light, double within, uint8_t *explained, int64_t *counts),
             (face, ink, seen, open, shape, light, within, explained, counts))

/* How well each of `count` faces correlates with what is `seen` (pixels, 3) of a card, of its pixels `which` (n) those that
 * are `open` (pixels): `normal` (count, n, 3) are the faces without each channel's mean, of length 1. The mean of each
 * channel is taken from what is seen, too; `alike` (count) is 0 where nothing is open. */
INLINE int arena_faces_alike_body(const float *seen, const uint8_t *open, const int64_t *which, long n, const float *normal,
                                  long count, float *alike) {
    float *apart = malloc(sizeof(float) * 3 * (size_t)(n ? n : 1));
    if (!apart) return 0;
    double mean[3] = {0.0, 0.0, 0.0}, power = 0.0;
    long all = 0;
    for (long i = 0; i < n; i++) {
        if (!open[which[i]]) continue;
        for (int c = 0; c < 3; c++) mean[c] += (double)seen[3 * which[i] + c];
        all++;
    }
    for (int c = 0; c < 3; c++) mean[c] /= (double)(all ? all : 1);
    for (long i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            float value = open[which[i]] ? seen[3 * which[i] + c] - (float)mean[c] : 0.0f;
            apart[3 * i + c] = value, power += (double)(value * value);
        }
    float by = (float)(1.0 / greater_of(sqrt(power), 1e-6));
    long f = 0;
    for (; f + 3 < count; f += 4) { /* four at once, each as by itself: one alone waits for its own last addition */
        const float *a = normal + 3 * f * n, *b = a + 3 * n, *c = b + 3 * n, *d = c + 3 * n;
        float s = 0.0f, t = 0.0f, u = 0.0f, v = 0.0f;
#pragma omp simd reduction(+ : s, t, u, v)
        for (long i = 0; i < 3 * n; i++) s += a[i] * apart[i], t += b[i] * apart[i], u += c[i] * apart[i], v += d[i] * apart[i];
        alike[f] = s * by, alike[f + 1] = t * by, alike[f + 2] = u * by, alike[f + 3] = v * by;
    }
    for (; f < count; f++) {
        const float *face = normal + 3 * f * n;
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (long i = 0; i < 3 * n; i++) sum += face[i] * apart[i];
        alike[f] = sum * by;
    }
    free(apart);
    return 1;
}

ON_EVERY_CPU(int, arena_faces_alike,
             (const float *seen, const uint8_t *open, const int64_t *which, long n, const float *normal, long count, float
              *alike),
             (seen, open, which, n, normal, count, alike))

/* The median of channel c of those of `values` (n, 3) that are no ink (n); room (n). */
INLINE double paper_level(const float *values, const uint8_t *ink, long n, int c, double *room) {
    long count = 0;
    for (long i = 0; i < n; i++)
        if (!ink[i]) room[count++] = (double)values[3 * i + c];
    return count ? median(room, count) : 0.0;
}

/* Gain and offset (3, 2) as most pixels of ink tell them against paper; 0 if they tell of no veil. rules: the least
 * contrast that tells, how many pixels must, by what factor gains differ at most, the least gain, the least offset. */
INLINE int veil_of(const float *print, const float *seen, const uint8_t *ink, long n, const double *rules, double *room,
                   double *usual) {
    double most = 0.0, least = INFINITY, least_offset = INFINITY;
    if (!memchr(ink, 0, (size_t)n)) return 0;
    for (int c = 0; c < 3; c++) {
        double paper = paper_level(print, ink, n, c, room), seen_paper = paper_level(seen, ink, n, c, room);
        long told = 0;
        for (long i = 0; i < n; i++) {
            float step = (float)paper - print[3 * i + c], seen_step = (float)seen_paper - seen[3 * i + c];
            if (ink[i] && fabsf(step) > (float)rules[0]) room[told++] = (double)(seen_step / step);
        }
        if (told < (long)rules[1]) return 0;
        double gain = median(room, told);
        usual[2 * c] = gain, usual[2 * c + 1] = seen_paper - gain * paper;
        most = greater_of(gain, most), least = lesser_of(gain, least), least_offset = lesser_of(usual[2 * c + 1], least_offset);
    }
    return most < rules[2] * least && least > rules[3] && least_offset > rules[4];
}

/* What a light leaves unexplained (0..1) of n pixels, print and seen (n, 3), at places x, y in mm: its mean over all, and
 * over those with ink. */
INLINE void mean_unexplained(const double *fits, const float *print, const float *seen, const uint8_t *ink,
                             const double *x, const double *y, long n, double unexplained, double *of_all,
                             double *of_ink) {
    double light[18], all = 0.0, inked = 0.0;
    long count = 0;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 6; k++) light[6 * c + k] = fits[6 * c + k] * (k % 3 ? 0.01 : 1.0);
    Lit lit = lit_of(light);
    for (long first = 0; first < n; first += BLOCK) {
        const long some = n - first < BLOCK ? n - first : BLOCK;
        const float *p = print + 3 * first, *s = seen + 3 * first, unit = (float)unexplained;
        const double *across = x + first, *down = y + first;
        float left[BLOCK];
#pragma omp simd
        for (long i = 0; i < some; i++) {
            float off = lit_off(&lit, p + 3 * i, s + 3 * i, (float)(100.0 * across[i]), (float)(100.0 * down[i])) / unit;
            left[i] = off * off < 1.0f ? off * off : 1.0f;
        }
        for (long i = 0; i < some; i++) {
            all += (double)left[i];
            if (ink[first + i]) inked += (double)left[i], count++;
        }
    }
    *of_all = all / (double)n, *of_ink = count ? inked / (double)count : 0.0;
}

/* The light (3, 6) on a card of a face (rows, columns, 3) with ink (rows, columns), from one in `thinned` of its pixels
 * that are `open` (rows, columns): gain and offset of each channel, each constant and per dm of x and y. `fit`: usual
 * gain and offset, then the pulls (2) to what channels have in common, the prior (6), and the rules (3) of a fit.
 * `veil`: of ink, how much the light leaves unexplained before a veil is thought of, grey levels of what counts as that,
 * how much less a veil must leave, then the rules (5) of a veil. 1 if all went well, 2 where too few pixels (`least`)
 * are open. */
INLINE int arena_card_light_body(const float *face, const uint8_t *ink, const float *seen, const uint8_t *open,
                                 const double *shape, long thinned, long least, const double *fit, const double *veil,
                                 double *light) {
    CardShape card = {(long)shape[0], (long)shape[1], shape[2], shape[3] / 2, shape[4] / 2};
    long all = card.rows * card.columns, n = 0, passed = 0; /* of the open ones since the last that was taken */
    for (long i = 0; i < all; i++) n += open[i] != 0;
    n = (n + thinned - 1) / thinned;
    if (n < least) return 2;
    double *work = malloc(sizeof(double) * 3 * (size_t)n + sizeof(float) * 6 * (size_t)n + (size_t)n);
    if (!work) return 0;
    double *x = work, *y = work + n, *room = work + 2 * n;
    float *print = (float *)(work + 3 * n), *target = print + 3 * n;
    uint8_t *inked = (uint8_t *)(target + 3 * n);
    long count = 0;
    for (long row = 0; row < card.rows; row++)
        for (long column = 0; column < card.columns; column++) {
            long i = row * card.columns + column;
            if (!open[i] || passed-- > 0) continue;
            passed = thinned - 1;
            x[count] = (((double)column + 0.5) / card.px_per_mm - card.half_wide) / 100.0;
            y[count] = (((double)row + 0.5) / card.px_per_mm - card.half_high) / 100.0;
            memcpy(print + 3 * count, face + 3 * i, 3 * sizeof(float));
            memcpy(target + 3 * count, seen + 3 * i, 3 * sizeof(float));
            inked[count++] = ink[i] != 0;
        }
    const double none[2] = {0.0, 0.0};
    double usual[6] = {fit[0], fit[1], fit[0], fit[1], fit[0], fit[1]}, informed[3], of_all, of_ink;
    int fine = arena_print_light_body(print, target, x, y, 3, n, usual, none, fit + 4, fit + 10, light, informed);
    double told = 0.0, gain = 0.0, offset = 0.0;
    for (int c = 0; c < 3; c++) {
        double say = informed[c] + 1.0; /* print of one colour tells nothing: then all alike */
        told += say, gain += say * light[6 * c], offset += say * light[6 * c + 3];
    }
    for (int c = 0; c < 3; c++) usual[2 * c] = gain / told, usual[2 * c + 1] = offset / told;
    fine = fine && arena_print_light_body(print, target, x, y, 3, n, usual, fit + 2, fit + 4, fit + 10, light, NULL);
    if (fine) {
        mean_unexplained(light, print, target, inked, x, y, n, veil[1], &of_all, &of_ink);
        if (of_ink > veil[0] && veil_of(print, target, inked, n, veil + 3, room, usual)) {
            double veiled[18], left, unused;
            fine = arena_print_light_body(print, target, x, y, 3, n, usual, fit + 2, fit + 4, fit + 10, veiled, NULL);
            if (fine) mean_unexplained(veiled, print, target, inked, x, y, n, veil[1], &left, &unused);
            if (fine && left < veil[2] * of_all) memcpy(light, veiled, sizeof veiled);
        }
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_card_light,
             (const float *face, const uint8_t *ink, const float *seen, const uint8_t *open, const double *shape,
              long thinned, long least, const double *fit, const double *veil, double *light),
             (face, ink, seen, open, shape, thinned, least, fit, veil, light))

/* ---- the highest of each row: printed/keypoints.py, `highest_of_rows` ---- */

#define MOST_OF_ROW 8

/* Of each row of values (n, m) the `most` highest above `least`, of equal ones the first: their columns and values
 * (n, most), and how many there are (n). */
INLINE int arena_highest_body(const float *values, long n, long m, float least, long most, int64_t *columns,
                              float *highest, int64_t *counts) {
    if (most < 1 || most > MOST_OF_ROW) return 0;
    for (long i = 0; i < n; i++) {
        const float *row = values + i * m;
        float kept[MOST_OF_ROW];
        int64_t at[MOST_OF_ROW];
        long found = 0;
        for (long first = 0; first < m; first += BLOCK) {
            long count = m - first < BLOCK ? m - first : BLOCK;
            float bar = found < most ? least : kept[most - 1];
            int any = 0;
            for (long j = 0; j < count; j++) any |= row[first + j] > bar;
            if (!any) continue;
            for (long j = first; j < first + count; j++) {
                float value = row[j];
                if (!(value > least) || (found == most && !(value > kept[most - 1]))) continue;
                long r = found < most ? found++ : most - 1;
                for (; r > 0 && kept[r - 1] < value; r--) kept[r] = kept[r - 1], at[r] = at[r - 1];
                kept[r] = value, at[r] = j;
            }
        }
        counts[i] = found;
        for (long r = 0; r < found; r++) columns[i * most + r] = at[r], highest[i * most + r] = kept[r];
    }
    return 1;
}

ON_EVERY_CPU(int, arena_highest,
             (const float *values, long n, long m, float least, long most, int64_t *columns, float *highest, int64_t
              *counts),
             (values, n, m, least, most, columns, highest, counts))

/* ---- what of a card is seen as printed: tokens/left_over.py, `Leftovers._print` ---- */

/* A card lies over rows and columns of a picture whose rows are `wide` pixels long: its print `lit` (rows, columns, 3), and
 * where it lies, `there` (rows, columns). Where it is the nearest so far to what `seen` shows, `least` (grey levels) and
 * `differs` (3 of each pixel) tell by how much that differs. Of its pixels: which are as printed, within rules[0] grey levels,
 * or within rules[1] in a shade between rules[2] and rules[3], `is_print` (rows, columns). */
INLINE int arena_as_printed_body(const float *seen, long wide, const float *lit, const uint8_t *there, long rows,
                                 long columns, const double *rules, float *least, float *differs, uint8_t *is_print) {
    const float within = (float)rules[0], off_shaded = (float)rules[1], dark = (float)rules[2], bright = (float)rules[3];
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < columns; c++) {
            const long i = r * columns + c, j = r * wide + c;
            const float *p = lit + 3 * i, *s = seen + 3 * j;
            is_print[i] = 0;
            if (!there[i]) continue;
            float off = 0.0f, shadow = 0.0f, d[3];
            for (int k = 0; k < 3; k++) d[k] = s[k] - p[k], off = fabsf(d[k]) > off ? fabsf(d[k]) : off;
            if (off < least[j]) least[j] = off, memcpy(differs + 3 * j, d, sizeof d);
            float power = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
            float shade = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / (power > 1.0f ? power : 1.0f);
            for (int k = 0; k < 3; k++) {
                float by = fabsf(s[k] - shade * p[k]);
                shadow = by > shadow ? by : shadow;
            }
            is_print[i] = off < within || (shadow < off_shaded && shade > dark && shade < bright);
        }
    return 1;
}

ON_EVERY_CPU(int, arena_as_printed,
             (const float *seen, long wide, const float *lit, const uint8_t *there, long rows, long columns, const double
              *rules, float *least, float *differs, uint8_t *is_print),
             (seen, wide, lit, there, rows, columns, rules, least, differs, is_print))
