/* Which of two faces the picture shows where they overlap: reading/cards/stacking.py, `_ratio`
 * and `_ratio_relit`. */
#include "common.h"

/* Constants of the twin, in its order: the card's half sides and the radius of its corners (mm), pixels of a face for one
 * mm each way, what lights count in half cards by (mm), pixels a mm that a slope is of, and the rules. */
typedef struct {
    double half[2], radius, px_per_mm[2], half_card, slope_px_per_mm;
    double edge, line, darkest, placed, most, beside;
} Rules;

/* A face laid in the picture: its pixels and how steep it is there (height, width, 3), the homography from pixels of the
 * frame to mm on the card (3, 3), light (3, 6) and scale (3). */
typedef struct {
    const float *value, *slope;
    long height, width;
    const double *homography, *light, *scale;
} Laid;

typedef struct {
    double colour[3], variance[3], cover;
    int by_edge;
} Lit;

/* Bilinear samples of three channels, as cv2.remap takes them; 0 where a neighbour would lie outside. */
INLINE int sample_colour(const float *picture, long height, long width, double u, double v, double *seen) {
    const float x = (float)u, y = (float)v;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)(width - 1) && y < (float)(height - 1))) return 0;
    const long column = (long)x, row = (long)y;
    const float a = x - (float)column, b = y - (float)row;
    const float *at = picture + 3 * (row * width + column), *below = at + 3 * width;
    for (int c = 0; c < 3; c++) {
        const float upper = at[c] + a * (at[c + 3] - at[c]), lower = below[c] + a * (below[c + 3] - below[c]);
        seen[c] = (double)(upper + b * (lower - upper));
    }
    return 1;
}

/* `_faces_at` at one pixel; 0 where the face has no colour there. */
INLINE int lit_at(const Laid *laid, const Rules *rules, double u, double v, Lit *lit) {
    const double *h = laid->homography, *half = rules->half;
    const double w = h[6] * u + h[7] * v + h[8], by = w != 0.0 ? 1.0 / w : 0.0;
    const double x = (h[0] * u + h[1] * v + h[2]) * by, y = (h[3] * u + h[4] * v + h[5]) * by;
    const double past_x = fabs(x) - (half[0] - rules->radius), past_y = fabs(y) - (half[1] - rules->radius);
    const double most = greater_of(past_x, past_y), beyond = lesser_of(past_x, past_y) > 0.0 ? hypot(past_x, past_y) : greater_of(most, 0.0);
    const double out = beyond + lesser_of(most, 0.0) - rules->radius;
    const double column = lesser_of(greater_of((x + half[0]) * rules->px_per_mm[0] - 0.5, 0.0), (double)(laid->width - 1));
    const double row = lesser_of(greater_of((half[1] - y) * rules->px_per_mm[1] - 0.5, 0.0), (double)(laid->height - 1));
    double value[3], slope[3];
    if (!sample_colour(laid->value, laid->height, laid->width, column, row, value)) return 0;
    if (!sample_colour(laid->slope, laid->height, laid->width, column, row, slope)) return 0;
    const double across = x / rules->half_card, along = y / rules->half_card;
    for (int c = 0; c < 3; c++) {
        const double *light = laid->light + 6 * c;
        const double gain = light[0] + light[1] * across + light[2] * along;
        lit->colour[c] = value[c] * gain + (light[3] + light[4] * across + light[5] * along);
        const double off = rules->placed * slope[c] * rules->slope_px_per_mm * greater_of(light[0], 0.0);
        lit->variance[c] = laid->scale[c] * laid->scale[c] + off * off;
    }
    lit->cover = lesser_of(greater_of(0.5 - out / (2.0 * rules->edge), 0.0), 1.0);
    lit->by_edge = fabs(out) < rules->line;
    return 1;
}

/* `_misfit` of one face over another at one pixel. */
INLINE double misfit(const Lit *upper, const Lit *lower, const Rules *rules, const double *seen) {
    const double own = upper->cover / greater_of(upper->cover + (1.0 - upper->cover) * lower->cover, 1e-6);
    const double blurred = rules->placed / (2.0 * rules->edge), edge = own > 0.0 && own < 1.0 ? blurred * blurred : 0.0;
    double shown[3], of_seen = 0.0, of_shown = 0.0, sum = 0.0;
    for (int c = 0; c < 3; c++) {
        shown[c] = own * upper->colour[c] + (1.0 - own) * lower->colour[c];
        of_seen += seen[c] * shown[c];
        of_shown += shown[c] * shown[c];
    }
    const double shade = upper->by_edge ? lesser_of(greater_of(of_seen / greater_of(of_shown, 1.0), rules->darkest), 1.0) : 1.0;
    for (int c = 0; c < 3; c++) {
        const double off = seen[c] - shade * shown[c], apart = upper->colour[c] - lower->colour[c];
        const double variance = own * upper->variance[c] + (1.0 - own) * lower->variance[c] + edge * apart * apart;
        sum += lesser_of(off * off / variance, 3.0 * rules->most);
    }
    return lesser_of(sum / 3.0, rules->most);
}

/* How the light on a face may be off, as row `rules` of `_relit`: by which share at most, the standard deviation of what
 * no light explains, by how many points' worth it is held to what is known, and rounds of reweighting. */
typedef struct {
    double most, sd, held, rounds;
} LightRules;

/* `_relit`: how bright a face is at each point, relit (n), as a share of the light it is known in; across (n, 2) is how
 * far off their middle the points lie. factor and sorted (n) are written over. 0 if nothing tells the light. */
INLINE int relit_by(const Lit *face, const double *across, const double *seen, long n, const LightRules *rules,
                    double *factor, double *sorted, double *relit) {
    const double least = 1.0 - rules->most, most = 1.0 + rules->most;
    long many = 0;
    for (long i = 0; i < n; i++) {
        double against = 0.0, of_seen = 0.0;
        for (int c = 0; c < 3; c++) {
            against += face[i].colour[c] * face[i].colour[c];
            of_seen += face[i].colour[c] * seen[3 * i + c];
        }
        factor[i] = against > 0.0 ? of_seen / against : NAN; /* beyond a face's rim nothing is drawn */
        if (against > 0.0) sorted[many++] = factor[i];
        relit[i] = 1.0;
    }
    if (!many) return 1;
    double light[3] = {lesser_of(greater_of(median(sorted, many), least), most), 0.0, 0.0};
    for (int round = 0; round < (int)rules->rounds; round++) {
        double w0 = 0.0, wx = 0.0, wy = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, r0 = 0.0, rx = 0.0, ry = 0.0;
        for (long i = 0; i < n; i++) {
            if (isnan(factor[i])) continue;
            const double x = across[2 * i], y = across[2 * i + 1], off = factor[i] - (light[0] + light[1] * x + light[2] * y);
            const double t = off / rules->sd, u = 1.0 / (1.0 + t * t), w = u * u;
            w0 += w, wx += w * x, wy += w * y, xx += w * x * x, xy += w * x * y, yy += w * y * y;
            r0 += w * off, rx += w * x * off, ry += w * y * off;
        }
        double normal[9] = {w0 + rules->held, wx, wy, wx, xx + rules->held, xy, wy, xy, yy + rules->held};
        double step[3] = {r0 - rules->held * (light[0] - 1.0), rx - rules->held * light[1], ry - rules->held * light[2]};
        if (!solve(normal, step, 3, 1)) return 0;
        for (int k = 0; k < 3; k++) light[k] += step[k];
    }
    for (long i = 0; i < n; i++)
        relit[i] = lesser_of(greater_of(light[0] + light[1] * across[2 * i] + light[2] * across[2 * i + 1], least), most);
    return 1;
}

/* The ratio (n) at pixels (n, 2) of the frame where the picture shows `seen` (n, 3), either face in the light that suits
 * it best: `_ratio_relit`. across (n, 2): see relit_by; light: LightRules. Where nothing can be said it is NaN. */
INLINE int arena_overlap_relit_body(const double *pixels, const double *seen, const double *across, long n, long height,
                                    long width, const float *value_a, const float *slope_a, const double *numbers_a,
                                    const float *value_b, const float *slope_b, const double *numbers_b,
                                    const double *rules, const double *light, double *ratio) {
    const Rules *given = (const Rules *)rules;
    const Laid laid[2] = {{value_a, slope_a, height, width, numbers_a, numbers_a + 9, numbers_a + 27},
                          {value_b, slope_b, height, width, numbers_b, numbers_b + 9, numbers_b + 27}};
    const size_t room = (size_t)(n ? n : 1);
    Lit *lit = malloc(sizeof(Lit) * 2 * room);
    double *work = malloc(sizeof(double) * 3 * room);
    int fine = lit && work;
    for (int face = 0; fine && face < 2; face++) {
        Lit *of = lit + face * n;
        for (long i = 0; fine && i < n; i++) fine = lit_at(laid + face, given, pixels[2 * i], pixels[2 * i + 1], of + i);
        if (fine) fine = relit_by(of, across, seen, n, (const LightRules *)light, work, work + n, work + 2 * n);
        for (long i = 0; fine && i < n; i++)
            for (int c = 0; c < 3; c++) of[i].colour[c] *= work[2 * n + i];
    }
    for (long i = 0; fine && i < n; i++)
        ratio[i] = misfit(lit + n + i, lit + i, given, seen + 3 * i) - misfit(lit + i, lit + n + i, given, seen + 3 * i);
    free(lit);
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_overlap_relit,
             (const double *pixels, const double *seen, const double *across, long n, long height, long width,
              const float *value_a, const float *slope_a, const double *numbers_a, const float *value_b,
              const float *slope_b, const double *numbers_b, const double *rules, const double *light, double *ratio),
             (pixels, seen, across, n, height, width, value_a, slope_a, numbers_a, value_b, slope_b, numbers_b, rules,
              light, ratio))

/* The ratio (n) at pixels (n, 2) of the frame where the picture shows `seen` (n, 3): NaN where nothing can be said. Both
 * faces are (height, width, 3). shaded: whether a line of shadow may darken either everywhere, as it may along its edge. */
INLINE int arena_overlap_body(const double *pixels, const double *seen, long n, long height, long width,
                              const float *value_a, const float *slope_a, const double *numbers_a, const float *value_b,
                              const float *slope_b, const double *numbers_b, const double *rules, long shaded,
                              double *ratio) {
    const Rules *given = (const Rules *)rules;
    const Laid a = {value_a, slope_a, height, width, numbers_a, numbers_a + 9, numbers_a + 27};
    const Laid b = {value_b, slope_b, height, width, numbers_b, numbers_b + 9, numbers_b + 27};
    for (long i = 0; i < n; i++) {
        const double u = pixels[2 * i], v = pixels[2 * i + 1], *here = seen + 3 * i;
        Lit first, second;
        ratio[i] = NAN;
        if (!(isfinite(here[0]) && isfinite(here[1]) && isfinite(here[2]))) continue;
        if (!lit_at(&a, given, u, v, &first) || !lit_at(&b, given, u, v, &second)) continue;
        if ((1.0 - first.cover) * (1.0 - second.cover) > given->beside) continue;
        if (shaded) first.by_edge = second.by_edge = 1;
        ratio[i] = misfit(&second, &first, given, here) - misfit(&first, &second, given, here);
    }
    return 1;
}

ON_EVERY_CPU(int, arena_overlap,
             (const double *pixels, const double *seen, long n, long height, long width, const float *value_a,
              const float *slope_a, const double *numbers_a, const float *value_b, const float *slope_b,
              const double *numbers_b, const double *rules, long shaded, double *ratio),
             (pixels, seen, n, height, width, value_a, slope_a, numbers_a, value_b, slope_b, numbers_b, rules, shaded,
              ratio))

/* ---- the light on a face that lies in the picture: faces/light.py, `robust_lights` ---- */

/* As row `rules`. */
typedef struct {
    double ridge[6], flat, least_scale, of_median, held;
} FaceLightRules;

/* The light (channels, 6) in which values (channels, n) of a face at x and y (n), in half cards, are `seen` (channels, n),
 * where weight (n) is not 0: fitted to the part that agrees with what was found before, so many rounds, with a gain held
 * to what is usual (channels). 0 where there is no memory. */
INLINE int arena_lights_body(const float *values, const double *x, const double *y, const double *seen,
                             const double *weight, const double *usual, long channels, long n, const double *rules_,
                             long rounds, double *light) {
    FaceLightRules rules;
    memcpy(&rules, rules_, sizeof rules);
    double *work = malloc(sizeof(double) * 4 * (size_t)(n ? n : 1));
    double *value = work, *agree = work + n, *off = work + 2 * n, *asked = work + 3 * n;
    if (!work) return 0;
    long many = 0;
    for (long i = 0; i < n; i++) many += weight[i] > 0.0;
    for (long c = 0; c < channels; c++) {
        const double *target = seen + c * n;
        double *found = light + 6 * c, normal[36];
        for (long i = 0; i < n; i++) value[i] = (double)values[c * n + i], agree[i] = weight[i];
        for (long round = 0; round < rounds; round++) {
            light_equations(value, target, agree, x, y, n, normal, found);
            for (int k = 0; k < 6; k++) normal[7 * k] += rules.flat + normal[7 * k] * rules.ridge[k];
            normal[0] += rules.held, found[0] += rules.held * usual[c];
            if (!solve(normal, found, 6, 1)) {
                free(work);
                return 0;
            }
            if (round == rounds - 1 || !many) break;
#pragma omp simd
            for (long i = 0; i < n; i++) {
                double gain = found[0] + found[1] * x[i] + found[2] * y[i];
                double haze = found[3] + found[4] * x[i] + found[5] * y[i];
                off[i] = target[i] - (value[i] * gain + haze);
            }
            long count = 0;
            for (long i = 0; i < n; i++) {
                asked[count] = fabs(off[i]);
                count += weight[i] > 0.0;
            }
            double scale = rules.of_median * kth_of_many(asked, many, many / 2, NULL);
            scale = 1.0 / (1.5 * greater_of(scale, rules.least_scale));
#pragma omp simd
            for (long i = 0; i < n; i++) {
                double scaled = off[i] * scale, much = 1.0 + scaled * scaled;
                agree[i] = weight[i] / (much * much);
            }
        }
    }
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_lights,
             (const float *values, const double *x, const double *y, const double *seen, const double *weight,
              const double *usual, long channels, long n, const double *rules_, long rounds, double *light),
             (values, x, y, seen, weight, usual, channels, n, rules_, rounds, light))

/* ---- what lies in a convex polygon: reading/cards/stacking.py, `_inside` ---- */

/* Whether points at the columns x (n) of each row y (m) lie in a convex polygon (corners, 2), whichever way round it is
 * given: inside (m, n). With the columns of one row alone each point has its own y, and m is 1. For every processor, without
 * fused products: a point on a side counts as the twin rounds it. */
API int arena_inside(const double *polygon, long corners, const double *x, long n, const double *y, long m, long each,
                     uint8_t *inside) {
    for (long row = 0; row < m; row++) {
        uint8_t *found = inside + row * n;
        for (long first = 0; first < n; first += BLOCK) {
            const long count = n - first < BLOCK ? n - first : BLOCK;
            int64_t left[BLOCK], right[BLOCK];
            for (long i = 0; i < count; i++) left[i] = right[i] = 1;
            for (long k = 0; k < corners; k++) {
                const double *p = polygon + 2 * k, *q = polygon + 2 * ((k + 1) % corners);
                const double across = q[0] - p[0], down = q[1] - p[1];
                for (long i = 0; i < count; i++) {
                    const double here = each ? y[first + i] : y[row];
                    const double side = across * (here - p[1]) - down * (x[first + i] - p[0]);
                    left[i] &= side >= 0.0;
                    right[i] &= side <= 0.0;
                }
            }
            for (long i = 0; i < count; i++) found[first + i] = (uint8_t)(left[i] | right[i]);
        }
    }
    return 1;
}
