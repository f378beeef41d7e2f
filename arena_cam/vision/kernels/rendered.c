/* Faces rendered into a picture's own pixels, each where and as softly as it suits them best: faces/rendered.py,
 * `_Seen.left_by`. */
#include "common.h"

/* As row `rules`. */
typedef struct {
    double steps, rounds, oversampled, margin, usual, sharpest, softest, farthest, step, reach, little, along_edge;
    double held, least, most; /* of the gain's slopes, for each squared share of the usual gain; of that the gains */
} RenderRules;

#define LIT 4 /* what a picture is made of: a constant, the face, and the face in a light that grows across and down */
#define ALL 7 /* and what a step to the right, one downwards and more blur make of the face */

/* One way across a face: of each pixel the first of the points (M) that it is made of, how many, and their weights: those
 * of a Gaussian round about its middle, and of its first and second derivatives by the place (each most a pixel). */
typedef struct {
    long *first, *count, most;
    float *weight[3];
} Band;

INLINE void gaussian(Band *band, long pixels, long points, double offset, double variance, const RenderRules *rules) {
    const double reach = rules->reach * sqrt(variance), by = 1.0 / variance;
    for (long p = 0; p < pixels; p++) {
        const double middle = (double)p - offset + rules->margin;
        long first = (long)ceil((middle - reach) * rules->oversampled);
        long last = (long)floor((middle + reach) * rules->oversampled);
        first = first < 0 ? 0 : first;
        last = last > points - 1 ? points - 1 : last;
        if (last - first >= band->most) last = first + band->most - 1;
        double sum = 0.0;
        float *w = band->weight[0] + p * band->most, *v = band->weight[1] + p * band->most,
              *u = band->weight[2] + p * band->most;
        for (long i = first; i <= last; i++) {
            const double off = (double)i / rules->oversampled - middle;
            const double weight = exp(-0.5 * off * off * by);
            w[i - first] = (float)weight;
            sum += weight;
        }
        for (long i = first; i <= last; i++) {
            const double off = (double)i / rules->oversampled - middle, weight = (double)w[i - first] / sum;
            w[i - first] = (float)weight;
            v[i - first] = (float)(weight * off * by);
            u[i - first] = (float)(weight * (off * off * by * by - by));
        }
        band->first[p] = first;
        band->count[p] = last - first + 1;
    }
}

/* What is drawn at the pixels in view, a basis (7, n), by_light (n) times each: `_basis`. A face (M, L) is summed down
 * first, all its points at once, into a row (3, L) for each row of pixels. slope (2, n): how far across each pixel lies. */
INLINE void based(const float *face, long points, const uint8_t *in_view, long height, long width, const double *by_light,
                  const double *slope, const Band *down, const Band *across, float *rows, double *basis, long n) {
    float *row[3] = {rows, rows + points, rows + 2 * points};
    long pixel = 0;
    for (long y = 0; y < height; y++) {
        memset(rows, 0, sizeof(float) * 3 * (size_t)points);
        for (long k = 0; k < down->count[y]; k++) {
            const float *from = face + (down->first[y] + k) * points;
            const float a = down->weight[0][y * down->most + k], b = down->weight[1][y * down->most + k],
                        c = down->weight[2][y * down->most + k];
#pragma omp simd
            for (long i = 0; i < points; i++) {
                row[0][i] += a * from[i];
                row[1][i] += b * from[i];
                row[2][i] += c * from[i];
            }
        }
        for (long x = 0; x < width; x++) {
            if (!in_view[y * width + x]) continue;
            const long first = across->first[x];
            const float *w = across->weight[0] + x * across->most, *v = across->weight[1] + x * across->most,
                        *u = across->weight[2] + x * across->most;
            const float *f = row[0] + first, *g = row[1] + first, *h = row[2] + first;
            float here = 0.0f, right = 0.0f, below = 0.0f, soft = 0.0f;
#pragma omp simd reduction(+ : here, right, below, soft)
            for (long i = 0; i < across->count[x]; i++) {
                here += w[i] * f[i];
                right += v[i] * f[i];
                below += w[i] * g[i];
                soft += u[i] * f[i] + w[i] * h[i];
            }
            const double by = by_light[pixel];
            basis[pixel] = by;
            basis[n + pixel] = by * here;
            basis[2 * n + pixel] = by * here * slope[pixel];
            basis[3 * n + pixel] = by * here * slope[n + pixel];
            basis[4 * n + pixel] = by * right;
            basis[5 * n + pixel] = by * below;
            basis[6 * n + pixel] = by * soft;
            pixel++;
        }
    }
}

/* The products of the first `size` rows of a basis (7, n) with each other, normal (size, size), and with the levels (n),
 * right (size), at the pixels that are told (n; 1 or 0). */
INLINE void products(const double *basis, int size, long n, const double *levels, const uint8_t *told, double *normal,
                     double *right) {
    for (int a = 0; a < size; a++) {
        const double *p = basis + a * n;
        double seen = 0.0;
#pragma omp simd reduction(+ : seen)
        for (long i = 0; i < n; i++) seen += told[i] ? p[i] * levels[i] : 0.0;
        right[a] = seen;
        for (int b = a; b < size; b++) {
            const double *q = basis + b * n;
            double sum = 0.0;
#pragma omp simd reduction(+ : sum)
            for (long i = 0; i < n; i++) sum += told[i] ? p[i] * q[i] : 0.0;
            normal[a * size + b] = normal[b * size + a] = sum;
        }
    }
}

INLINE double within(double value, double least, double most) { return lesser_of(greater_of(value, least), most); }

/* The light (4) that suits a face best, by the first rows of its basis: the gain in bounds, the others as suits that.
 * `_fitted`. */
INLINE int lit(const double *normal, const double *right, double usual, const RenderRules *rules, double *light) {
    double a[LIT * LIT], gain;
    memcpy(a, normal, sizeof a);
    memcpy(light, right, sizeof(double) * LIT);
    if (!solve(a, light, LIT, 1)) return 0;
    gain = within(light[1], rules->least * usual, rules->most * usual);
    if (gain == light[1]) return 1;
    const int others[3] = {0, 2, 3};
    double b[9], left[3];
    for (int i = 0; i < 3; i++) {
        left[i] = right[others[i]] - normal[others[i] * LIT + 1] * gain;
        for (int j = 0; j < 3; j++) b[3 * i + j] = normal[others[i] * LIT + others[j]];
    }
    if (!solve(b, left, 3, 1)) return 0;
    light[0] = left[0], light[1] = gain, light[2] = left[1], light[3] = left[2];
    return 1;
}

/* The gain that suits a face best, which pixels tell it (n; 1 or 0), and the summed squares of all: `_fitted_to_full`. off
 * (n) is room for what is left. */
INLINE int fitted(const double *basis, long n, const double *levels, const uint8_t *full, double usual,
                  const RenderRules *rules, uint8_t *told, double *off, double *gain, double *squares) {
    memset(told, 1, (size_t)n);
    for (int round = 0; round < (int)rules->rounds; round++) {
        double normal[LIT * LIT], right[LIT], light[LIT], sum = 0.0;
        products(basis, LIT, n, levels, told, normal, right);
        normal[0] += rules->little, normal[LIT + 1] += rules->little;
        for (int k = 2; k < LIT; k++) normal[k * LIT + k] += rules->held / (usual * usual);
        if (!lit(normal, right, usual, rules, light)) return 0;
        int same = 1;
        for (long i = 0; i < n; i++) {
            off[i] = levels[i];
            for (int k = 0; k < LIT; k++) off[i] -= light[k] * basis[k * n + i];
            const uint8_t tells = !(full[i] && off[i] < 0.0);
            sum += tells ? off[i] * off[i] : 0.0;
            same &= tells == told[i];
        }
        *gain = light[1], *squares = sum;
        if (same) break;
        for (long i = 0; i < n; i++) told[i] = !(full[i] && off[i] < 0.0);
    }
    return 1;
}

/* The steps (3) to the right, downwards, and by half of the variance: `_moves`. 0 where nothing tells them. */
INLINE int moved(const double *basis, long n, const double *levels, const uint8_t *told, double gain,
                 const RenderRules *rules, double *steps) {
    double normal[ALL * ALL], right[ALL];
    products(basis, ALL, n, levels, told, normal, right);
    for (int a = 0; a < ALL; a++) normal[a * ALL + a] = normal[a * ALL + a] * (1.0 + rules->along_edge) + rules->little;
    if (!solve(normal, right, ALL, 1)) return 0;
    steps[0] = -right[4] / gain, steps[1] = -right[5] / gain, steps[2] = right[6] / gain;
    return 1;
}

/* The summed squares (count) that each of the faces (count, down, across), drawn finely, leaves of the levels (n) of the
 * pixels in view (height, width), of which some are full (n), where it suits them best; by_light (n), how far across they
 * lie, slope (2, n), and the usual gain as `_Seen` has them. 1 if all went well. */
INLINE int arena_rendered_body(const float *faces, long count, long down, long across, const uint8_t *in_view, long height,
                               long width, const double *levels, const double *by_light, const uint8_t *full,
                               const double *slope, long n, double usual, const double *rules_, double *left) {
    RenderRules rules;
    memcpy(&rules, rules_, sizeof rules);
    const long most = (long)(2.0 * rules.reach * sqrt(rules.softest) * rules.oversampled) + 2;
    const size_t taps = (size_t)most * (size_t)(height + width);
    long *numbers = malloc(sizeof(long) * 2 * (size_t)(height + width));
    float *work = malloc(sizeof(float) * (3 * taps + 3 * (size_t)across));
    double *basis = malloc(sizeof(double) * (ALL + 1) * (size_t)(n ? n : 1));
    uint8_t *told = malloc((size_t)(n ? n : 1));
    int fine = numbers && work && basis && told && n > 0;
    Band rows = {numbers, numbers + height, most, {work, work + taps, work + 2 * taps}};
    Band columns = {numbers + 2 * height, numbers + 2 * height + width, most,
                    {work + most * height, work + taps + most * height, work + 2 * taps + most * height}};
    for (long f = 0; fine && f < count; f++) {
        double offset[2] = {0.0, 0.0}, variance = rules.usual, moves[3] = {0.0, 0.0, 0.0};
        left[f] = INFINITY;
        for (int step = 0; fine; step++) {
            double squares = 0.0, gain = 0.0;
            gaussian(&rows, height, down, offset[1], variance, &rules);
            gaussian(&columns, width, across, offset[0], variance, &rules);
            based(faces + f * down * across, across, in_view, height, width, by_light, slope, &rows, &columns,
                  work + 3 * taps, basis, n);
            fine = fitted(basis, n, levels, full, usual, &rules, told, basis + ALL * n, &gain, &squares);
            if (!fine) break;
            left[f] = lesser_of(squares, left[f]);
            if (step == (int)rules.steps) break;
            fine = moved(basis, n, levels, told, gain, &rules, moves);
            for (int k = 0; k < 2; k++)
                offset[k] = within(offset[k] + within(moves[k], -rules.step, rules.step), -rules.farthest, rules.farthest);
            variance = within(variance + 2.0 * moves[2], rules.sharpest, rules.softest);
        }
    }
    free(numbers);
    free(work);
    free(basis);
    free(told);
    return fine;
}

ON_EVERY_CPU(int, arena_rendered,
             (const float *faces, long count, long down, long across, const uint8_t *in_view, long height, long width,
              const double *levels, const double *by_light, const uint8_t *full, const double *slope, long n,
              double usual, const double *rules_, double *left),
             (faces, count, down, across, in_view, height, width, levels, by_light, full, slope, n, usual, rules_, left))
