/* Names: how likely each face is over the whole card, in one pass over all faces. */
#include "common.h"

/* ---- how likely each face is in the light that suits it best: reading/cards/face_comparison.py, `likelihoods_of` ---- */

#define NAMED_BLOCK 512 /* points whose seven rows stay in the cache while all faces pass by */

/* As row `rules`. */
typedef struct {
    double independent, gain_ridge, unmodelled2, tone_sd, tone_share, sheen_sd, most_unlike, blue_red_sd, green_sd;
    double most_off_light, no_length, little;
} NameRules;

/* An orthonormal basis of three rows (3, n) in their place, by Gram and Schmidt, twice: `_orthonormal`. */
INLINE void orthonormal(double *rows, long n, double no_length) {
    for (int k = 0; k < 3; k++) {
        double *row = rows + k * n, length2 = 0.0;
        for (int again = 0; again < (k ? 2 : 0); again++) {
            double along[2] = {0.0, 0.0};
            for (int j = 0; j < k; j++) {
                const double *other = rows + j * n;
                double s = 0.0;
#pragma omp simd reduction(+ : s)
                for (long i = 0; i < n; i++) s += other[i] * row[i];
                along[j] = s;
            }
            for (int j = 0; j < k; j++)
                for (long i = 0; i < n; i++) row[i] -= along[j] * rows[j * n + i];
        }
#pragma omp simd reduction(+ : length2)
        for (long i = 0; i < n; i++) length2 += row[i] * row[i];
        double by = greater_of(sqrt(length2), no_length);
        for (long i = 0; i < n; i++) row[i] /= by;
    }
}

/* sums (rows, 7) of the products of the three rows of each face with a number in these (rows / 3) among faces (.., 3, n)
 * with by (6, n), and of their squares with share (n). */
INLINE void add_products(const float *faces, const int64_t *these, long rows, long n, const float *by, const float *share,
                         double *sums) {
    memset(sums, 0, sizeof(double) * 7 * (size_t)rows);
    for (long first = 0; first < n; first += NAMED_BLOCK) {
        long length = n - first < NAMED_BLOCK ? n - first : NAMED_BLOCK;
        const float *a = by + first, *b = a + n, *c = b + n, *d = c + n, *e = d + n, *f = e + n, *g = share + first;
        for (long r = 0; r < rows; r++) {
            const float *face = faces + (3 * (long)these[r / 3] + r % 3) * n + first;
            float sa = 0, sb = 0, sc = 0, sd = 0, se = 0, sf = 0, sg = 0;
#pragma omp simd reduction(+ : sa, sb, sc, sd, se, sf, sg)
            for (long i = 0; i < length; i++) {
                float v = face[i];
                sa += v * a[i];
                sb += v * b[i];
                sc += v * c[i];
                sd += v * d[i];
                se += v * e[i];
                sf += v * f[i];
                sg += v * v * g[i];
            }
            double *sum = sums + 7 * r;
            sum[0] += sa, sum[1] += sb, sum[2] += sc, sum[3] += sd, sum[4] += se, sum[5] += sf, sum[6] += sg;
        }
    }
}

/* What all faces are compared with: white (3), the mean colour seen (3), its squares over the plane (3), the weight of the middle, how
 * many points speak for themselves, and for how many they stand. */
typedef struct {
    double white[3], seen[3], left2[3], middle, own, points;
} NamedSeen;

/* The gain that all channels share: `_common_gain`. */
INLINE double common_gain(const double *covariance, const double *energy, const double *mean, const NamedSeen *of,
                          const NameRules *rules) {
    double tone = 1.0 / (rules->tone_sd * rules->tone_sd), sheen = 1.0 / (rules->sheen_sd * rules->sheen_sd);
    double white2 = 0, lit_white = 0, seen_white = 0, lit2 = 0, lit_seen = 0, varies = 0, power = 0;
    for (int c = 0; c < 3; c++) {
        double lit = mean[c] * of->white[c];
        white2 += of->white[c] * of->white[c];
        lit_white += lit * of->white[c];
        seen_white += of->seen[c] * of->white[c];
        lit2 += lit * lit;
        lit_seen += lit * of->seen[c];
        varies += covariance[c] * of->white[c];
        power += energy[c] * of->white[c] * of->white[c];
    }
    double root = sqrt(sheen + tone * white2), along = tone * lit_white / root, seen_along = tone * seen_white / root;
    double by_print = of->own / rules->unmodelled2, by_mean = tone * lit2 - along * along;
    double wanted = by_print * varies + tone * lit_seen - along * seen_along;
    return wanted / greater_of(by_print * power + by_mean, rules->little);
}

/* `_ratio_misfit` of one face. */
INLINE double ratio_misfit(const double *gain, const NamedSeen *of, const NameRules *rules) {
    double ratio[3];
    for (int c = 0; c < 3; c++) ratio[c] = log(greater_of(gain[c], 1e-3) / of->white[c]);
    double blue_red = (ratio[0] - ratio[2]) / rules->blue_red_sd;
    double green = (ratio[1] - (ratio[0] + ratio[2]) / 2) / rules->green_sd;
    return lesser_of(blue_red * blue_red + green * green, rules->most_off_light);
}

/* `_haze_misfit` of one face. */
INLINE double haze_misfit(const double *variance, const double *gain, const double *energy, const double *mean,
                          const NamedSeen *of, const NameRules *rules) {
    double haze[3], sd2[3], above = 0.0, below = 1.0 / (rules->sheen_sd * rules->sheen_sd), misfit = 0.0;
    for (int c = 0; c < 3; c++) {
        double unknown = (variance[c] + rules->unmodelled2) / (greater_of(of->points, 1.0) * (energy[c] + rules->gain_ridge)) *
                         mean[c] * mean[c];
        double tone = rules->tone_share * gain[c] * mean[c];
        haze[c] = of->seen[c] - gain[c] * mean[c];
        sd2[c] = rules->tone_sd * rules->tone_sd + tone * tone + unknown;
        above += haze[c] * of->white[c] / sd2[c];
        below += of->white[c] * of->white[c] / sd2[c];
    }
    double sheen = greater_of(above / below, 0.0);
    for (int c = 0; c < 3; c++) {
        double off = haze[c] - sheen * of->white[c];
        misfit += off * off / sd2[c];
    }
    sheen /= rules->sheen_sd;
    return lesser_of(misfit + sheen * sheen, rules->most_unlike);
}

/* The log-likelihood of one face from its sums (3, 7). */
INLINE double named(const double *sums, const NamedSeen *of, const NameRules *rules) {
    double covariance[3], energy[3], mean[3], gain[3], variance[3], logs = 0.0;
    for (int c = 0; c < 3; c++) {
        const double *sum = sums + 7 * c;
        energy[c] = greater_of(sum[6] - (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]), 0.0);
        covariance[c] = sum[3 + c];
        mean[c] = sum[0] / of->middle;
    }
    double common = greater_of(common_gain(covariance, energy, mean, of, rules), 0.0);
    for (int c = 0; c < 3; c++) {
        double ridge = rules->gain_ridge;
        gain[c] = greater_of((covariance[c] + ridge * common * of->white[c]) / (energy[c] + ridge), 0.0);
        variance[c] = greater_of(of->left2[c] - gain[c] * (2.0 * covariance[c] - gain[c] * energy[c]), 0.0);
        logs += log(variance[c] + rules->unmodelled2);
    }
    double off = ratio_misfit(gain, of, rules) + haze_misfit(variance, gain, energy, mean, of, rules);
    return -of->points * logs / 3.0 - 0.5 * off;
}

/* The log-likelihoods (count) of the faces with the numbers these (count) among faces (.., 3, n) by what is seen (n, 3),
 * as weight (n) has it, beside a plane of light (n, 3), in the light of white (3). `stands_for` is how many points each
 * stands for. From one point to the next are so many numbers of what is seen and of the weights, `apart` (2). 1 if all
 * went well. */
INLINE int arena_named_body(const float *faces, const int64_t *these, long count, long n, const double *seen,
                            const double *weight, const int64_t *apart, const double *light, const double *white,
                            double stands_for, const double *rules_, double *found) {
    NameRules rules;
    memcpy(&rules, rules_, sizeof rules);
    double *work = malloc(sizeof(double) * (5 * (size_t)n + 21 * (size_t)count + 1));
    float *by = malloc(sizeof(float) * (7 * (size_t)n + 1));
    double total = 0.0;
    const long by_seen = (long)apart[0], by_weight = (long)apart[1];
    for (long i = 0; i < n; i++) total += weight[by_weight * i];
    int fine = work && by && total > 0.0;
    if (fine) {
        double *plane = work, *target = work + 3 * n, *roots = work + 4 * n, *sums = work + 5 * n;
        float *share = by + 6 * n;
        NamedSeen of = {{white[0], white[1], white[2]}, {0}, {0}, 0.0, total * rules.independent,
                        stands_for * total * rules.independent};
        for (long i = 0; i < n; i++) {
            double part = weight[by_weight * i] / total, root = sqrt(part);
            share[i] = (float)part;
            roots[i] = root;
            for (int c = 0; c < 3; c++) {
                plane[c * n + i] = light[3 * i + c] * root;
                of.seen[c] += part * seen[by_seen * i + c];
            }
        }
        orthonormal(plane, n, rules.no_length);
        for (int c = 0; c < 3; c++) {
            double along[3] = {0.0, 0.0, 0.0}, square = 0.0;
            for (long i = 0; i < n; i++) target[i] = seen[by_seen * i + c] * roots[i];
            for (int k = 0; k < 3; k++) {
                double s = 0.0;
#pragma omp simd reduction(+ : s)
                for (long i = 0; i < n; i++) s += plane[k * n + i] * target[i];
                along[k] = s;
            }
#pragma omp simd reduction(+ : square)
            for (long i = 0; i < n; i++) {
                double rest = target[i] - (along[0] * plane[i] + along[1] * plane[n + i] + along[2] * plane[2 * n + i]);
                square += rest * rest;
                by[(3 + c) * n + i] = (float)(rest * roots[i]);
            }
            of.left2[c] = square;
        }
        for (long i = 0; i < n; i++) {
            double root = roots[i];
            of.middle += plane[i] * root;
            for (int c = 0; c < 3; c++) by[c * n + i] = (float)(plane[c * n + i] * root);
        }
        add_products(faces, these, 3 * count, n, by, share, sums);
        for (long f = 0; f < count; f++) found[f] = named(sums + 21 * f, &of, &rules);
    }
    free(work);
    free(by);
    return fine;
}

ON_EVERY_CPU(int, arena_named,
             (const float *faces, const int64_t *these, long count, long n, const double *seen, const double *weight,
              const int64_t *apart, const double *light, const double *white, double stands_for, const double *rules_,
              double *found),
             (faces, these, count, n, seen, weight, apart, light, white, stands_for, rules_, found))
