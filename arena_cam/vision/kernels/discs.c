/* Round prints on a picture from above: sampled, compared with discs in all turns, the likeliest of some places. */
#include "above.h"

/* ---- round prints sampled: tokens/discs/disc_prints.py, `lit_samples` ---- */

/* Whether all that discs about `middles` (n, 2) reach, with samples at `offsets` (m, 2), is in the photograph: then no sample
 * needs to be asked. */
INLINE int wholly_inside(const FromAbove *view, const double *middles, long n, const double *offsets, long m) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, reach = 1.0;
    for (long i = 0; i < 2 * n; i++) {
        low[i & 1] = lesser_of(middles[i], low[i & 1]), high[i & 1] = greater_of(middles[i], high[i & 1]);
    }
    for (long j = 0; j < 2 * m; j++) reach = greater_of(fabs(offsets[j]) + 1.0, reach);
    for (int k = 0; k < 2; k++) low[k] = floor(low[k] - reach), high[k] = ceil(high[k] + reach);
    if (!(low[0] >= 0.0 && low[1] >= 0.0)) return 0;
    if (!(high[0] < (double)view->width && high[1] < (double)view->height)) return 0;
    size_t wide = (size_t)(high[0] - low[0]) + 1;
    for (long r = (long)low[1]; r <= (long)high[1]; r++)
        if (memchr(view->inside + r * view->width + (long)low[0], 0, wide)) return 0;
    return 1;
}

/* Which samples (m) at `offsets` (m, 2) from `middle`, column and row of a view, the photograph has, outside all `others`
 * (count, 3): column, row and radius of circles, in pixels. `whole` where it is known that it has all of them. How many
 * there are is told. */
INLINE long free_of(const FromAbove *view, int whole, const double *middle, const double *offsets, long m,
                    const double *others, long count, uint8_t *free_) {
    long all = 0;
    if (whole) memset(free_, 1, (size_t)m);
    for (long j = 0; !whole && j < m; j++) {
        float x = (float)(middle[0] + offsets[2 * j]), y = (float)(middle[1] + offsets[2 * j + 1]);
        long column = (long)rintf(x), row = (long)rintf(y);
        int there = x >= 0.0f && y >= 0.0f && x <= (float)(view->width - 1) && y <= (float)(view->height - 1);
        free_[j] = (uint8_t)(there && view->inside[row * view->width + column]);
    }
    for (long k = 0; k < count; k++) {
        const double x = others[3 * k], y = others[3 * k + 1], square = others[3 * k + 2] * others[3 * k + 2];
        for (long j = 0; j < m; j++) {
            double a = middle[0] + offsets[2 * j] - x, b = middle[1] + offsets[2 * j + 1] - y;
            free_[j] &= (uint8_t)(a * a + b * b > square);
        }
    }
    for (long j = 0; j < m; j++) all += free_[j];
    return all;
}

/* Samples (m, 3) of a disc about `middle`, column and row of a view: `offsets` (m, 2) from there, in pixels; their colours
 * without the offset (light + 3) of a light, divided by its gain (light). Where `only` (m) is given and 0 they are 0. */
INLINE void sample_disc(const FromAbove *view, const double *middle, const double *offsets, long m, const double *light,
                        const uint8_t *only, float *seen) {
    float by[3], less[3];
    for (int c = 0; c < 3; c++) by[c] = (float)(1.0 / light[c]), less[c] = (float)light[3 + c];
    for (long first = 0; first < m; first += BLOCK) {
        const long count = m - first < BLOCK ? m - first : BLOCK;
        const double *off = offsets + 2 * first;
        float *at = seen + 3 * first;
        double u[BLOCK], v[BLOCK];
        if (only && !memchr(only + first, 1, (size_t)count)) { /* all of them lie beneath others */
            memset(at, 0, sizeof(float) * 3 * (size_t)count);
            continue;
        }
#pragma omp simd
        for (long j = 0; j < count; j++) u[j] = middle[0] + off[2 * j], v[j] = middle[1] + off[2 * j + 1];
        colours_at(view, u, v, count, at);
        for (long j = 0; j < count; j++)
            for (int c = 0; c < 3; c++) at[3 * j + c] = (at[3 * j + c] - less[c]) * by[c];
        for (long j = 0; only && j < count; j++)
            if (!only[first + j]) memset(at + 3 * j, 0, sizeof(float) * 3);
    }
}

/* The samples (n, m, 3) of discs at `middles` (n, 2), each in its own light (n, 6), and which are free (n, m). */
INLINE int arena_disc_samples_body(const float *colours, const uint8_t *inside, long height, long width,
                                   const double *middles, long n, const double *offsets, long m, const double *light,
                                   const double *others, long count, float *seen, uint8_t *free_) {
    FromAbove view = {.colours = colours, .inside = inside, .height = height, .width = width};
    int whole = wholly_inside(&view, middles, n, offsets, m);
    for (long i = 0; i < n; i++) {
        free_of(&view, whole, middles + 2 * i, offsets, m, others, count, free_ + i * m);
        sample_disc(&view, middles + 2 * i, offsets, m, light + 6 * i, NULL, seen + 3 * i * m);
    }
    return 1;
}

ON_EVERY_CPU(int, arena_disc_samples,
             (const float *colours, const uint8_t *inside, long height, long width, const double *middles, long n, const
              double *offsets, long m, const double *light, const double *others, long count, float *seen, uint8_t
              *free_),
             (colours, inside, height, width, middles, n, offsets, m, light, others, count, seen, free_))

/* ---- round prints compared in all turns: tokens/discs/disc_prints.py, `likeness` ---- */

/* Turning a print shifts it along its rings, so its correlations in all turns are one product in the Fourier domain
 * (Padfield, "Masked object registration in the Fourier domain", IEEE TIP 2012). */
#define LANES 32 /* rings times channels, and more that are 0 */
#define HALF 33 /* frequencies of a ring of 64 samples */
#define KINDS 8 /* prints that are compared at once */

#if defined(__GNUC__)
typedef float Eight __attribute__((vector_size(32)));
INLINE Eight eight(const float *at) { Eight v; memcpy(&v, at, sizeof v); return v; }
INLINE void put(float *at, Eight v) { memcpy(at, &v, sizeof v); }
#else /* a compiler without vectors: numpy does it */
typedef float Eight;
INLINE Eight eight(const float *at) { return *at; }
INLINE void put(float *at, Eight v) { *at = v; }
#endif

/* Prints of discs: `rings` of `angles` samples, whose `area` (rings) is a share of the disc; `kinds` of them. `cosines` and
 * `sines` (half, half): of the angle of frequency times sample, half = angles / 2 + 1. `prints` (groups of 8 kinds, half,
 * rings * 3, 2, 8): the spectra of each ring and channel, real and imaginary, scaled for the way back; `sums` and `squares`
 * (groups, half, rings, 2, 8): those of the channels' sum and of their squares' sum. `whole` (2, groups * 8): both, summed
 * over the disc by its area. */
typedef struct {
    long rings, angles, kinds;
    const float *area, *cosines, *sines, *prints, *sums, *squares, *whole;
} Discs;

/* Rows (2 quarter + 1, lanes) taken together on both sides of their middle one: `alike` their sums, and the middle one,
 * `opposite` their differences, (quarter + 1, lanes) each. */
INLINE void about_middle(const float *rows, long quarter, int lanes, float *alike, float *opposite) {
    for (long a = 0; a < quarter; a++)
        for (int l = 0; l < lanes; l++) {
            float p = rows[a * lanes + l], q = rows[(2 * quarter - a) * lanes + l];
            alike[a * lanes + l] = p + q, opposite[a * lanes + l] = p - q;
        }
    memcpy(alike + quarter * lanes, rows + quarter * lanes, sizeof(float) * (size_t)lanes);
    memset(opposite + quarter * lanes, 0, sizeof(float) * (size_t)lanes);
}

/* The spectrum (half, lanes) of rows (angles, lanes), real and imaginary; lanes is 16 or 32. On both sides of a quarter turn
 * cosines of even frequencies are alike, and sines of odd ones, the others opposite: half of the products are enough. */
INLINE void spectrum(const Discs *discs, const float *rows, int lanes, float *real, float *imaginary) {
    long last = discs->angles / 2, half = last + 1, quarter = last / 2;
    float even[HALF * LANES], odd[HALF * LANES], parts[2][2][(HALF / 2 + 1) * LANES];
    memcpy(even, rows, sizeof(float) * (size_t)lanes), memset(odd, 0, sizeof(float) * (size_t)lanes);
    for (long a = 1; a < last; a++)
        for (int l = 0; l < lanes; l++) {
            float p = rows[a * lanes + l], q = rows[(discs->angles - a) * lanes + l];
            even[a * lanes + l] = p + q, odd[a * lanes + l] = p - q;
        }
    memcpy(even + last * lanes, rows + last * lanes, sizeof(float) * (size_t)lanes);
    memset(odd + last * lanes, 0, sizeof(float) * (size_t)lanes);
    about_middle(even, quarter, lanes, parts[0][0], parts[1][0]);
    about_middle(odd, quarter, lanes, parts[1][1], parts[0][1]);
    for (long f = 0; f < half; f++)
        for (int first = 0; first < lanes; first += 16) {
            Eight p = {0}, q = {0}, r = {0}, t = {0};
            const float *c = discs->cosines + f * half, *s = discs->sines + f * half;
            const float *by_cosine = parts[f % 2][0] + first, *by_sine = parts[f % 2][1] + first;
            for (long a = 0; a <= quarter; a++) {
                const float *e = by_cosine + a * lanes, *o = by_sine + a * lanes;
                p += c[a] * eight(e), q -= s[a] * eight(o), r += c[a] * eight(e + 8), t -= s[a] * eight(o + 8);
            }
            put(real + f * lanes + first, p), put(real + f * lanes + first + 8, r);
            put(imaginary + f * lanes + first, q), put(imaginary + f * lanes + first + 8, t);
        }
}

/* The correlations (angles, 8) in all turns of a spectrum (half, lanes), of which `rows` lanes count, with 8 prints of
 * spectra `prints` (half, rows, 2, 8). */
INLINE void turned(const Discs *discs, const float *real, const float *imaginary, int lanes, long rows,
                   const float *prints, float *found) {
    long last = discs->angles / 2, half = last + 1, quarter = last / 2;
    float re[HALF * KINDS], im[HALF * KINDS], parts[2][2][(HALF / 2 + 1) * KINDS];
    for (long f = 0; f < half; f++) {
        Eight p = {0}, q = {0}, r = {0}, s = {0};
        for (long l = 0; l < rows; l++) {
            const float *print = prints + 2 * KINDS * (f * rows + l);
            float x = real[f * lanes + l], y = imaginary[f * lanes + l];
            Eight a = eight(print), b = eight(print + KINDS);
            p += x * a, q += y * b, r += y * a, s += x * b;
        }
        put(re + f * KINDS, p + q), put(im + f * KINDS, r - s);
    }
    about_middle(re, quarter, KINDS, parts[0][0], parts[1][0]);
    about_middle(im, quarter, KINDS, parts[1][1], parts[0][1]);
    for (long t = 0; t < half; t++) {
        Eight p = {0}, q = {0};
        const float *c = discs->cosines + t * half, *s = discs->sines + t * half;
        const float *by_cosine = parts[t % 2][0], *by_sine = parts[t % 2][1];
        for (long f = 0; f <= quarter; f++)
            p += c[f] * eight(by_cosine + f * KINDS), q += s[f] * eight(by_sine + f * KINDS);
        put(found + t * KINDS, p - q);
        if (t > 0 && t < last) put(found + (discs->angles - t) * KINDS, p + q);
    }
}

/* The share of a disc that is visible, of samples (rings, angles) that are `free`. */
INLINE double visible_of(const Discs *discs, const uint8_t *free_) {
    float visible = 0.0f;
    for (long r = 0; r < discs->rings; r++) {
        long open = 0;
        for (long a = 0; a < discs->angles; a++) open += free_[r * discs->angles + a];
        visible += discs->area[r] * (float)open;
    }
    return (double)visible;
}

/* Of one disc's samples (rings, angles, 3) that are `free` (rings, angles), `is_whole` if all are: the best correlation
 * with each kind, its turn (kinds each), and the share of the disc that is visible. */
INLINE double likeness_of(const Discs *discs, const float *seen, const uint8_t *free_, int is_whole, float least,
                          double *alike, int64_t *turn) {
    long rings = discs->rings, angles = discs->angles;
    float mean = 0.0f, power = 0.0f, visible = 0.0f;
    float rows[2 * (HALF - 1) * LANES] = {0}, weights[2 * (HALF - 1) * 16] = {0};
    for (long r = 0; r < rings; r++) {
        const float *ring = seen + 3 * r * angles;
        float sum = 0.0f;
        long open = 0;
        for (long a = 0; a < angles; a++) {
            float w = free_[r * angles + a] ? 1.0f : 0.0f;
            weights[a * 16 + r] = w * discs->area[r];
            open += free_[r * angles + a] != 0;
            sum += w * (ring[3 * a] + ring[3 * a + 1] + ring[3 * a + 2]);
        }
        visible += discs->area[r] * (float)open, mean += discs->area[r] * sum;
    }
    float n = 3.0f * (visible > 1e-9f ? visible : 1e-9f);
    mean /= n;
    for (long r = 0; r < rings; r++) {
        const float *ring = seen + 3 * r * angles;
        float p = 0.0f, q = 0.0f, s = 0.0f;
        for (long a = 0; a < angles; a++) {
            float w = weights[a * 16 + r], *row = rows + a * LANES + 3 * r;
            float x = ring[3 * a] - mean, y = ring[3 * a + 1] - mean, z = ring[3 * a + 2] - mean;
            row[0] = w * x, row[1] = w * y, row[2] = w * z;
            p += row[0] * x, q += row[1] * y, s += row[2] * z;
        }
        power += p + q + s;
    }
    float real[HALF * LANES], imaginary[HALF * LANES], open[HALF * 16], open_i[HALF * 16];
    spectrum(discs, rows, LANES, real, imaginary);
    if (!is_whole) spectrum(discs, weights, 16, open, open_i);
    power = power > 1.0f ? power : 1.0f;
    long half = angles / 2 + 1, groups = (discs->kinds + KINDS - 1) / KINDS;
    float found[2 * (HALF - 1) * KINDS], totals[2 * (HALF - 1) * KINDS], squares[2 * (HALF - 1) * KINDS];
    for (long g = 0; g < groups; g++) {
        turned(discs, real, imaginary, LANES, 3 * rings, discs->prints + g * half * 3 * rings * 2 * KINDS, found);
        if (!is_whole) {
            turned(discs, open, open_i, 16, rings, discs->sums + g * half * rings * 2 * KINDS, totals);
            turned(discs, open, open_i, 16, rings, discs->squares + g * half * rings * 2 * KINDS, squares);
        }
        float best[KINDS];
        int32_t at[KINDS] = {0};
        for (long t = 0; t < angles; t++)
            for (int k = 0; k < KINDS; k++) {
                float total = is_whole ? discs->whole[g * KINDS + k] : totals[t * KINDS + k];
                float square = is_whole ? discs->whole[(groups + g) * KINDS + k] : squares[t * KINDS + k];
                float variance = square - total * total / n;
                variance = variance > least ? variance : least;
                float value = found[t * KINDS + k] / sqrtf(variance * power);
                if (t == 0 || value > best[k]) best[k] = value, at[k] = (int32_t)t;
            }
        for (int k = 0; k < KINDS && g * KINDS + k < discs->kinds; k++)
            alike[g * KINDS + k] = (double)best[k], turn[g * KINDS + k] = at[k];
    }
    return (double)visible;
}

/* From the arrays that the twin holds. Rings are at most 10, of 64 samples at most, a multiple of four. */
INLINE int discs_of(const int64_t *shape, const float *area, const float *tables, const float *spectra, Discs *discs) {
    long rings = (long)shape[0], angles = (long)shape[1], kinds = (long)shape[2], half = angles / 2 + 1;
    long groups = (kinds + KINDS - 1) / KINDS, size = groups * half * rings * 2 * KINDS;
    Discs of = {rings, angles, kinds, area, tables, tables + half * half, spectra, spectra + 3 * size,
                spectra + 4 * size, spectra + 5 * size};
    *discs = of;
    return sizeof(Eight) == 8 * sizeof(float) && 3 * rings <= LANES && angles % 4 == 0 && half <= HALF;
}

/* Of samples (n, rings, angles, 3) that are `free` (n, rings, angles) the best correlations over the turns and their turns
 * (n, kinds). `shape`: rings, angles, kinds; `tables` (2, half, half): cosines and sines; `spectra`: those of the prints, of
 * their sums, of their squares, and the sums of whole discs. */
INLINE int arena_disc_likeness_body(const float *seen, const uint8_t *free_, long n, const int64_t *shape, const float *area,
                                    const float *tables, const float *spectra, float least, double *alike,
                                    int64_t *turn) {
    Discs discs;
    if (!discs_of(shape, area, tables, spectra, &discs)) return 0;
    long m = discs.rings * discs.angles;
    for (long i = 0; i < n; i++) {
        long all = 0;
        for (long j = 0; j < m; j++) all += free_[i * m + j] != 0;
        likeness_of(&discs, seen + 3 * i * m, free_ + i * m, all == m, least, alike + i * discs.kinds,
                    turn + i * discs.kinds);
    }
    return 1;
}

ON_EVERY_CPU(int, arena_disc_likeness,
             (const float *seen, const uint8_t *free_, long n, const int64_t *shape, const float *area, const float *tables,
              const float *spectra, float least, double *alike, int64_t *turn),
             (seen, free_, n, shape, area, tables, spectra, least, alike, turn))

/* ---- the likeliest disc of some places: tokens/discs/token_search.py, `_best_of` ---- */

/* The share of free samples that are as a print (rings, angles, 3) turned by `turn`, but for a common gain and offset.
 * rules: grey levels within which a sample is as printed, least and greatest gain. */
INLINE double explained_of(const Discs *discs, const float *print, const float *seen, const uint8_t *free_, long turn,
                           const double *rules) {
    long angles = discs->angles, m = discs->rings * angles;
    double n = 0.0, mp = 0.0, ms = 0.0, cross = 0.0, power = 0.0, within = 0.0;
    for (long i = 0; i < m; i++) {
        if (!free_[i]) continue;
        long ring = i / angles, a = i - ring * angles - turn;
        const float *p = print + 3 * (ring * angles + (a < 0 ? a + angles : a)), *s = seen + 3 * i;
        double w = (double)discs->area[ring];
        n += w, mp += w * (double)(p[0] + p[1] + p[2]), ms += w * (double)(s[0] + s[1] + s[2]);
    }
    double whole = n > 1e-9 ? n : 1e-9, three = 3.0 * n > 1e-9 ? 3.0 * n : 1e-9;
    mp /= three, ms /= three;
    for (int pass = 0; pass < 2; pass++) {
        double gain = lesser_of(greater_of(cross / greater_of(power, 1e-6), rules[1]), rules[2]);
        for (long i = 0; i < m; i++) {
            if (!free_[i]) continue;
            long ring = i / angles, a = i - ring * angles - turn;
            const float *p = print + 3 * (ring * angles + (a < 0 ? a + angles : a)), *s = seen + 3 * i;
            double w = (double)discs->area[ring], off = 0.0;
            for (int c = 0; c < 3; c++) {
                double x = (double)p[c] - mp, y = (double)s[c] - ms;
                if (pass == 0) cross += w * x * y, power += w * x * x;
                else off = greater_of(fabs(y - gain * x), off);
            }
            if (pass == 1 && off < rules[0] * gain) within += w;
        }
    }
    return within / whole;
}

/* Room for the samples of one disc and of the likeliest so far, and for what they are compared with. */
typedef struct {
    float *seen, *kept;
    double *alike;
    int64_t *turn;
    uint8_t *free_, *kept_free;
} DiscRoom;

/* The likeliest disc about `middles` (n, 2), columns and rows of a view: its place, kind and turn, its correlation, the
 * share explained, the visible share, and by how much the next kind correlates less, in `best` (7); its visible share is 0
 * if too little is visible of all. Of `polar` (kinds, rings, angles, 3) prints; the rest as above. rules: as
 * explained_of's, then the least visible share, how many of the places are tried first, and how far (px) along each way
 * from the best of these the others may lie that are tried. */
INLINE void best_disc(const FromAbove *view, const Discs *discs, const double *middles, long n, const double *offsets,
                      const double *light, const double *others, long count, const float *polar, float least,
                      const double *rules, const DiscRoom *room, double *best) {
    long m = discs->rings * discs->angles, kinds = discs->kinds;
    int whole = wholly_inside(view, middles, n, offsets, m);
    double most = 0.0;
    int is_first = 1;
    long early = (long)rules[4], centre = 0;
    for (long i = 0; i < n; i++) {
        if (i == early) centre = (long)best[0];
        if (i >= early && !(fabs(middles[2 * i] - middles[2 * centre]) <= rules[5] &&
                            fabs(middles[2 * i + 1] - middles[2 * centre + 1]) <= rules[5]))
            continue;
        long all = free_of(view, whole, middles + 2 * i, offsets, m, others, count, room->free_);
        double shows = visible_of(discs, room->free_);
        most = shows > most ? shows : most;
        if (!is_first && !(shows > rules[3])) continue; /* too little to be any disc */
        sample_disc(view, middles + 2 * i, offsets, m, light + 6 * i, room->free_, room->seen);
        double visible = likeness_of(discs, room->seen, room->free_, all == m, least, room->alike, room->turn);
        for (long k = 0; k < kinds; k++) {
            double score = visible > rules[3] ? room->alike[k] : 0.0, next = 0.0;
            if (!is_first && !(score > best[3])) continue;
            int is_next = 0;
            for (long j = 0; j < kinds; j++)
                if (j != k && (!is_next || room->alike[j] > next)) next = room->alike[j], is_next = 1;
            best[0] = (double)i, best[1] = (double)k, best[2] = (double)room->turn[k], best[3] = score;
            best[5] = visible, best[6] = score - next;
            is_first = 0;
            memcpy(room->kept, room->seen, sizeof(float) * 3 * (size_t)m), memcpy(room->kept_free, room->free_, (size_t)m);
        }
    }
    if (is_first || !(most >= rules[3])) best[5] = 0.0;
    else best[4] = explained_of(discs, polar + 3 * m * (long)best[1], room->kept, room->kept_free, (long)best[2], rules);
}

/* The same for each of some `groups` of places (groups, n, 2) in their lights (groups, n, 6), in `best` (groups, 7): on each
 * lie the circles from `first` (groups + 1) on of `others` (count, 3). */
INLINE int arena_best_discs_body(const float *colours, const uint8_t *inside, long height, long width, long groups,
                                 const double *middles, long n, const double *offsets, const double *light,
                                 const int64_t *first, const double *others, const int64_t *shape, const float *area,
                                 const float *tables, const float *spectra, const float *polar, float least,
                                 const double *rules, double *best) {
    FromAbove view = {.colours = colours, .inside = inside, .height = height, .width = width};
    Discs discs;
    if (!discs_of(shape, area, tables, spectra, &discs)) return 0;
    long m = discs.rings * discs.angles;
    float *seen = malloc((sizeof(float) * 3 + 1) * 2 * (size_t)m + (sizeof(double) + sizeof(int64_t)) * (size_t)discs.kinds);
    if (!seen) return 0;
    DiscRoom room = {.seen = seen, .kept = seen + 3 * m, .alike = (double *)(seen + 6 * m)};
    room.turn = (int64_t *)(room.alike + discs.kinds), room.free_ = (uint8_t *)(room.turn + discs.kinds);
    room.kept_free = room.free_ + m;
    for (long g = 0; g < groups; g++) {
        memset(best + 7 * g, 0, sizeof(double) * 7);
        best_disc(&view, &discs, middles + 2 * n * g, n, offsets, light + 6 * n * g, others + 3 * first[g],
                  (long)(first[g + 1] - first[g]), polar, least, rules, &room, best + 7 * g);
    }
    free(seen);
    return 1;
}

ON_EVERY_CPU(int, arena_best_discs,
             (const float *colours, const uint8_t *inside, long height, long width, long groups, const double *middles, long
              n, const double *offsets, const double *light, const int64_t *first, const double *others, const int64_t
              *shape, const float *area, const float *tables, const float *spectra, const float *polar, float least, const
              double *rules, double *best),
             (colours, inside, height, width, groups, middles, n, offsets, light, first, others, shape, area, tables,
              spectra, polar, least, rules, best))
