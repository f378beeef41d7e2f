/* A token in a stack compared with its absence: tokens/stack_picture.py, `StackPicture.nats`. Products are rounded before they
 * are added, as numpy does it. */
#include "common.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#elif defined(__clang__)
#pragma clang fp contract(off)
#endif

/* Which samples (n, m) at `offsets` (m, 2) from `middles` (n, 2) lie outside the circles from `first` (n + 1) on of `circles`
 * (count, 3), middle and radius of each, `reach` times as large: `open` (n, m). */
INLINE int arena_outside_body(const double *middles, long n, const double *offsets, long m, const int64_t *first,
                              const double *circles, double reach, uint8_t *open) {
    memset(open, 1, (size_t)(n * m));
    for (long i = 0; i < n; i++, open += m)
        for (long k = (long)first[i]; k < (long)first[i + 1]; k++) {
            const double radius = reach * circles[3 * k + 2], square = radius * radius;
            const double away_x = middles[2 * i] - circles[3 * k], away_y = middles[2 * i + 1] - circles[3 * k + 1];
            for (long j = 0; j < m; j++) {
                double x = offsets[2 * j] + away_x, y = offsets[2 * j + 1] + away_y;
                open[j] &= (uint8_t)(x * x + y * y > square);
            }
        }
    return 1;
}

ON_EVERY_CPU(int, arena_outside,
             (const double *middles, long n, const double *offsets, long m, const int64_t *first, const double *circles,
              double reach, uint8_t *open),
             (middles, n, offsets, m, first, circles, reach, open))

/* Of n faces sampled at rings times angles places each: `seen` (n, rings, angles, 3), which the samples in the print's light
 * become in their own, `white` (n, 6), gain and offset; their prints (kinds, rings, angles, 3), those of `which` (n) turned by
 * `turn` (n) samples, in their lights (n, 6): `printed` (n, rings, angles, 3). And how much each sample that is `open` (n,
 * rings, angles) says of the shade, and that times the shade, between darkest and brightest: `told` (2, n, rings, angles). */
INLINE int arena_shades_told_body(const float *samples, const uint8_t *open, long n, const int64_t *shape, const float *polar,
                                  const int64_t *which, const int64_t *turn, const float *lights, const float *white,
                                  float darkest, float brightest, float *seen, float *printed, float *told) {
    const long rings = (long)shape[0], angles = (long)shape[1], m = rings * angles;
    for (long i = 0; i < n; i++) {
        const float *light = lights + 6 * i, *paper = white + 6 * i, *print = polar + 3 * m * (long)which[i];
        for (long r = 0; r < rings; r++)
            for (long a = 0; a < angles; a++) {
                const long at = i * m + r * angles + a, from = a - (long)turn[i];
                const float *p = print + 3 * (r * angles + (from < 0 ? from + angles : from)), *s = samples + 3 * at;
                float *shown = printed + 3 * at, *there = seen + 3 * at;
                for (int c = 0; c < 3; c++) {
                    there[c] = s[c] * paper[c] + paper[3 + c];
                    shown[c] = p[c] * light[c] + light[3 + c];
                }
                float bright = shown[0] * shown[0] + shown[1] * shown[1] + shown[2] * shown[2];
                float both = there[0] * shown[0] + there[1] * shown[1] + there[2] * shown[2];
                bright = bright > 1.0f ? bright : 1.0f;
                float shade = both / bright, weight = open[at] ? bright : 0.0f;
                shade = shade < darkest ? darkest : shade > brightest ? brightest : shade;
                told[at] = weight, told[n * m + at] = weight * shade;
            }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_shades_told,
             (const float *samples, const uint8_t *open, long n, const int64_t *shape, const float *polar, const int64_t *which,
              const int64_t *turn, const float *lights, const float *white, float darkest, float brightest, float *seen,
              float *printed, float *told),
             (samples, open, n, shape, polar, which, turn, lights, white, darkest, brightest, seen, printed, told))

/* Of the same faces, m samples each at `offsets` (m, 2) from `middles` (n, 2): how much of each is known, and the means over
 * that, by the samples' `area` (m), of what is left now and with the faces, (n, 3). `left` (height, width), not a number where
 * nothing is known, has its first cell at `origin` (2) and one a mm; of `smooth` (2, n, m) the second is the shade times the
 * first. A sample is off by `most` grey levels at most. */
INLINE int arena_stack_left_body(const float *seen, const float *printed, const float *smooth, const uint8_t *open, long n,
                                 long m, const double *middles, const double *offsets, const double *area, const float *left,
                                 long height, long width, const double *origin, float most, double *found) {
    for (long i = 0; i < n; i++) {
        double faces = 0.0, before = 0.0, after = 0.0;
        for (long j = 0; j < m; j++) {
            const double x = rint(middles[2 * i] + offsets[2 * j] - origin[0]);
            const double y = rint(middles[2 * i + 1] + offsets[2 * j + 1] - origin[1]);
            if (!(x >= 0.0 && y >= 0.0 && x < (double)width && y < (double)height)) continue;
            const float was = left[(long)y * width + (long)x];
            if (!(was < INFINITY)) continue;
            const long at = i * m + j;
            float is = was;
            if (open[at]) {
                const float *s = seen + 3 * at, *p = printed + 3 * at, bright = smooth[at];
                const float shade = smooth[n * m + at] / (bright > 1e-6f ? bright : 1e-6f);
                const float a = fabsf(s[0] - shade * p[0]), b = fabsf(s[1] - shade * p[1]), c = fabsf(s[2] - shade * p[2]);
                is = a > b ? a : b, is = is > c ? is : c, is = is < most ? is : most;
            }
            faces += area[j], before += area[j] * (double)was, after += area[j] * (double)is;
        }
        const double whole = faces > 1e-9 ? faces : 1e-9;
        found[3 * i] = whole, found[3 * i + 1] = before / whole, found[3 * i + 2] = after / whole;
    }
    return 1;
}

ON_EVERY_CPU(int, arena_stack_left,
             (const float *seen, const float *printed, const float *smooth, const uint8_t *open, long n, long m,
              const double *middles, const double *offsets, const double *area, const float *left, long height, long width,
              const double *origin, float most, double *found),
             (seen, printed, smooth, open, n, m, middles, offsets, area, left, height, width, origin, most, found))
