/* What of a face laid in the picture shows it, and what something else: reading/cards/placed_face.py. */
#include "common.h"

/* As row `rules`. */
typedef struct {
    double half_card_mm, least_scale, mad_to_sd, foreign_scales, foreign_levels, deepest_shade, brightest;
    double enough, another_ink, hardly_any, most_ink, tone;
} PlacedRules;

/* The median of values (n), of either sign, which are reordered; 0 of none. */
INLINE double median_of_any(double *values, long n) {
    if (!n) return 0.0;
    double upper = kth_smallest(values, n, n / 2), lower = n % 2 ? upper : values[0];
    for (long i = 0; i < n / 2 && n % 2 == 0; i++) lower = greater_of(values[i], lower);
    return (lower + upper) / 2.0;
}

/* lit (3, n): a face (3, n) in its light (3, 6), at x and y (n) in mm. */
INLINE void lay_light(const float *face, const double *x, const double *y, const double *light, long n, double half,
                      double *lit) {
    for (int c = 0; c < 3; c++) {
        const double *of = light + 6 * c;
        const float *drawn = face + c * n;
        double *to = lit + c * n;
#pragma omp simd
        for (long i = 0; i < n; i++) {
            const double a = x[i] / half, b = y[i] / half;
            to[i] = drawn[i] * (of[0] + of[1] * a + of[2] * b) + (of[3] + of[4] * a + of[5] * b);
        }
    }
}

/* By how much (tiles) the mean colour of each tile is off that of its face, their white (3) taken out: sums (tiles, 6)
 * of what is seen and of what is lit, count (tiles) points of each. */
INLINE void off_in_colour(const double *sums, const double *count, long tiles, const double *white,
                          const PlacedRules *rules, double *off) {
    for (long k = 0; k < tiles; k++) {
        double means[6], along[2] = {0.0, 0.0}, both = 0.0, ink2 = 0.0, left = 0.0;
        for (int j = 0; j < 6; j++) {
            means[j] = sums[6 * k + j] / greater_of(count[k], 1.0);
            along[j / 3] += means[j] * white[j % 3];
        }
        for (int j = 0; j < 6; j++) means[j] -= along[j / 3] * white[j % 3];
        for (int c = 0; c < 3; c++) both += means[c] * means[3 + c], ink2 += means[3 + c] * means[3 + c];
        const double share = lesser_of(greater_of(both / greater_of(ink2, rules->hardly_any), 0.0), rules->most_ink);
        for (int c = 0; c < 3; c++) {
            const double rest = means[c] - share * means[3 + c];
            left += rest * rest;
        }
        off[k] = sqrt(left);
    }
}

/* `_compared` of a face (3, n) in its light (3, 6) at x and y (n), with what is seen (n, 3) where it is asked (n): the
 * scale (3) of what the light leaves, foreign (n), and of each tile, which tile (n) numbers, its points that are asked,
 * count (tiles), and foreign, odd (tiles), and whether its colour is another ink's, in_ink (tiles). white (3) is that of
 * levels, of length 1. 1 if all went well. */
INLINE int arena_placed_body(const float *face, const double *x, const double *y, const double *light, const double *seen,
                             const uint8_t *asked, long n, const int64_t *tile, long tiles, const double *white,
                             const double *rules_, double *scale, uint8_t *foreign, double *count, double *odd,
                             uint8_t *in_ink) {
    PlacedRules rules;
    memcpy(&rules, rules_, sizeof rules);
    double *work = malloc(sizeof(double) * (4 * (size_t)n + 8 * (size_t)tiles + 1));
    if (!work) return 0;
    double *lit = work, *few = work + 3 * n, *sums = work + 4 * n, *off = sums + 6 * tiles, *told = off + tiles;
    double middle[3];
    lay_light(face, x, y, light, n, rules.half_card_mm, lit);
    for (int c = 0; c < 3; c++) {
        long many = 0;
        for (long i = 0; i < n; i++) {
            few[many] = fabs(seen[3 * i + c] - lit[c * n + i]);
            many += asked[i] != 0;
        }
        scale[c] = many ? greater_of(rules.mad_to_sd * median_of_many(few, many), rules.least_scale) : rules.least_scale;
        middle[c] = 0.0;
        if (rules.tone == 0.0) continue;
        memcpy(few, lit + c * n, sizeof(double) * (size_t)n);
        middle[c] = median_of_any(few, n);
    }
    double usual = greater_of(lesser_of(scale[0], scale[1]), lesser_of(greater_of(scale[0], scale[1]), scale[2]));
    const double least = greater_of(rules.foreign_scales * usual, rules.foreign_levels);
    memset(sums, 0, sizeof(double) * 6 * (size_t)tiles);
    memset(count, 0, sizeof(double) * (size_t)tiles), memset(odd, 0, sizeof(double) * (size_t)tiles);
    for (long i = 0; i < n; i++) {
        const double *s = seen + 3 * i, l[3] = {lit[i], lit[n + i], lit[2 * n + i]};
        double both = 0.0, power = 0.0, most = 0.0, contrast = 0.0, *of_tile = sums + 6 * tile[i];
        foreign[i] = 0;
        if (!asked[i]) continue;
        for (int c = 0; c < 3; c++) both += s[c] * l[c], power += l[c] * l[c];
        const double shade = both / greater_of(power, 1.0);
        const double by = lesser_of(greater_of(shade, rules.deepest_shade), rules.brightest);
        for (int c = 0; c < 3; c++) {
            most = greater_of(fabs(s[c] - by * l[c]), most);
            contrast = greater_of(fabs(l[c] - middle[c]), contrast);
            of_tile[c] += s[c], of_tile[3 + c] += l[c];
        }
        foreign[i] = most > least + rules.tone * contrast;
        count[tile[i]] += 1.0, odd[tile[i]] += foreign[i];
    }
    off_in_colour(sums, count, tiles, white, &rules, off);
    long many = 0;
    for (long k = 0; k < tiles; k++)
        if (count[k] > rules.enough) told[many++] = off[k];
    const double usually = rules.foreign_scales * median_of_any(told, many);
    for (long k = 0; k < tiles; k++) in_ink[k] = count[k] > rules.enough && off[k] > greater_of(usually, rules.another_ink);
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_placed,
             (const float *face, const double *x, const double *y, const double *light, const double *seen,
              const uint8_t *asked, long n, const int64_t *tile, long tiles, const double *white, const double *rules_,
              double *scale, uint8_t *foreign, double *count, double *odd, uint8_t *in_ink),
             (face, x, y, light, seen, asked, n, tile, tiles, white, rules_, scale, foreign, count, odd, in_ink))
