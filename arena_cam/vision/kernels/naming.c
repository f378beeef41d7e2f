/* Names: what even the best of the likely faces misses, where faces differ, what small print says, and the light on it. */
#include "common.h"

/* ---- what even the best of the likely faces misses: reading/cards/face_comparison.py, `_robust_residual` ---- */

#define PART 256 /* points of which nine rows and their products stay in the cache */

/* The weighted products of face, light and seen, as add_gram has them, that no channel's face and picture share with
 * another's; rows of `stride` numbers, n points. */
INLINE void add_gram_of_names(double *gram, const double *rows, const double *by, long stride, long n) {
    const double *p = rows + 3 * stride, *q = p + stride, *r = q + stride;
    double pp = 0, pq = 0, pr = 0, qq = 0, qr = 0, rr = 0;
#pragma omp simd reduction(+ : pp, pq, pr, qq, qr, rr)
    for (long i = 0; i < n; i++) {
        double wp = by[i] * p[i], wq = by[i] * q[i];
        pp += wp * p[i];
        pq += wp * q[i];
        pr += wp * r[i];
        qq += wq * q[i];
        qr += wq * r[i];
        rr += by[i] * r[i] * r[i];
    }
    double light[6] = {pp, pq, pr, qq, qr, rr};
    for (int a = 3, k = 0; a < 6; a++)
        for (int b = a; b < 6; b++) gram[a * 9 + b] += light[k++];
    for (int c = 0; c < 3; c++) {
        const double *f = rows + c * stride, *s = rows + (6 + c) * stride;
        double ff = 0, fp = 0, fq = 0, fr = 0, fs = 0, ps = 0, qs = 0, rs = 0;
#pragma omp simd reduction(+ : ff, fp, fq, fr, fs, ps, qs, rs)
        for (long i = 0; i < n; i++) {
            double wf = by[i] * f[i], ws = by[i] * s[i];
            ff += wf * f[i];
            fp += wf * p[i];
            fq += wf * q[i];
            fr += wf * r[i];
            fs += wf * s[i];
            ps += ws * p[i];
            qs += ws * q[i];
            rs += ws * r[i];
        }
        double sums[8] = {ff, fp, fq, fr, fs, ps, qs, rs};
        int at[8] = {c * 10, c * 9 + 3, c * 9 + 4, c * 9 + 5, c * 9 + 6 + c, 33 + c, 42 + c, 51 + c};
        for (int k = 0; k < 8; k++) gram[at[k]] += sums[k];
    }
}

/* The residual (3, n) of one face (3, n), its outliers reweighted away. all holds (9, n): face, light, seen. */
INLINE int robust_residual(const double *all, long n, const double *weight, const double *white, double gain_ridge,
                           double *residual, double *agree, double *off) {
    memcpy(agree, weight, sizeof(double) * (size_t)n);
    for (int round = 0; round < 3; round++) {
        double gram[81] = {0}, total = 0.0, energy[3], free_[3], above = 0.0, below = 0.0, mix[3][6] = {{0}};
        for (long first = 0; first < n; first += PART)
            add_gram_of_names(gram, all + first, agree + first, n, n - first < PART ? n - first : PART);
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < i; j++) gram[i * 9 + j] = gram[j * 9 + i];
        for (long i = 0; i < n; i++) total += agree[i];
        double normals[3][16];
        for (int c = 0; c < 3; c++) {
            int model[4] = {c, 3, 4, 5};
            double *normal = normals[c], a[16], b[8];
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 4; j++) normal[i * 4 + j] = gram[model[i] * 9 + model[j]];
                normal[i * 4 + i] += 1e-6 * normal[i * 4 + i] + 1e-9;
                b[2 * i] = i == 0;
                b[2 * i + 1] = gram[model[i] * 9 + 6 + c];
            }
            memcpy(a, normal, sizeof a);
            if (!solve(a, b, 4, 2)) return 0;
            energy[c] = 1.0 / b[0];
            free_[c] = b[1];
        }
        for (int c = 0; c < 3; c++) {
            above += energy[c] * free_[c] * white[c];
            below += energy[c] * white[c] * white[c];
        }
        double common = fmax(0.0, above / fmax(below, 1e-9)), ridge = gain_ridge * total;
        for (int c = 0; c < 3; c++) {
            int model[4] = {c, 3, 4, 5};
            double right[4];
            normals[c][0] += ridge;
            for (int i = 0; i < 4; i++) right[i] = gram[model[i] * 9 + 6 + c];
            right[0] += ridge * common * white[c];
            if (!solve(normals[c], right, 4, 1)) return 0;
            right[0] = fmax(right[0], 0.0);
            for (int i = 0; i < 4; i++) mix[c][model[i]] = right[i];
        }
        for (int c = 0; c < 3; c++)
            for (long i = 0; i < n; i++)
                residual[c * n + i] = all[(6 + c) * n + i] - mix[c][c] * all[c * n + i] - mix[c][3] * all[3 * n + i] -
                                      mix[c][4] * all[4 * n + i] - mix[c][5] * all[5 * n + i];
        long asked = 0;
        for (long i = 0; i < n; i++) {
            double o = (residual[i] * residual[i] + residual[n + i] * residual[n + i] +
                        residual[2 * n + i] * residual[2 * n + i]) / 3.0;
            agree[i] = o;
            if (weight[i] > 0.0) off[asked++] = o;
        }
        if (!asked) return 0;
        double scale = fmax(25.0, 1.4826 * 1.4826 * kth_of_many(off, asked, asked / 2));
        for (long i = 0; i < n; i++) {
            double o = agree[i] / (4.0 * scale);
            agree[i] = weight[i] / (1.0 + o * o);
        }
    }
    return 1;
}

/* By how much (n) even the best of the faces (count, 3, n) misses what is seen (n, 3), in the worst channel; light
 * (n, 3), white (3). 1 if all went well. */
INLINE int arena_best_off_body(const float *faces, long count, long n, const double *seen, const double *weight,
                                 const double *light, const double *white, double gain_ridge, double *best) {
    double *work = malloc(sizeof(double) * 14 * (size_t)(n ? n : 1));
    if (!work) return 0;
    double *all = work, *residual = work + 9 * n, *agree = work + 12 * n, *off = work + 13 * n;
    int fine = 1;
    for (long i = 0; i < n; i++) {
        best[i] = INFINITY;
        for (int c = 0; c < 3; c++) {
            all[(3 + c) * n + i] = light[3 * i + c];
            all[(6 + c) * n + i] = seen[3 * i + c];
        }
    }
    for (long f = 0; fine && f < count; f++) {
        for (long i = 0; i < 3 * n; i++) all[i] = faces[3 * n * f + i];
        fine = robust_residual(all, n, weight, white, gain_ridge, residual, agree, off);
        for (long i = 0; fine && i < n; i++) {
            double most = fmax(fabs(residual[i]), fmax(fabs(residual[n + i]), fabs(residual[2 * n + i])));
            if (most < best[i]) best[i] = most;
        }
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_best_off,
             (const float *faces, long count, long n, const double *seen, const double *weight, const double *light,
              const double *white, double gain_ridge, double *best),
             (faces, count, n, seen, weight, light, white, gain_ridge, best))

/* ---- what the points at which faces differ say for each: faces/telling.py, `_said_beside` ---- */

/* As row `rules`. */
typedef struct {
    double independent, luma[3], strength[2], strength_sd[2], least[2], most[2];
    double tail, scale_steps, least_scale;
} TellRules;

/* A face's ink at n points: its light, its colour in three channels, the weight of each point. */
typedef struct {
    double *light, *colour[3], *weight;
} Ink;

/* The share (0..1) of light and of colour in which ink suits what is shown (3, n) best: `_off`. */
INLINE int strengths(const Ink *ink, const double *shown, long n, const double *normal, const TellRules *rules,
                     double *found) {
    double a[4], with_light = 0.0, with_colour = 0.0;
    const double *x = shown, *y = shown + n, *z = shown + 2 * n, *light = ink->light, *weight = ink->weight;
    const double *cx = ink->colour[0], *cy = ink->colour[1], *cz = ink->colour[2];
#pragma omp simd reduction(+ : with_light, with_colour)
    for (long i = 0; i < n; i++) {
        with_light += weight[i] * light[i] * (x[i] + y[i] + z[i]);
        with_colour += weight[i] * (cx[i] * x[i] + cy[i] * y[i] + cz[i] * z[i]);
    }
    memcpy(a, normal, sizeof a);
    found[0] = with_light + rules->strength[0] / (rules->strength_sd[0] * rules->strength_sd[0]);
    found[1] = with_colour + rules->strength[1] / (rules->strength_sd[1] * rules->strength_sd[1]);
    if (!solve(a, found, 2, 1)) return 0;
    for (int k = 0; k < 2; k++) found[k] = fmin(fmax(found[k], rules->least[k]), rules->most[k]);
    return 1;
}

/* What squared residuals (n), in units of their assumed variance, say a point: `_said`. */
INLINE double said_a_point(const double *off2, long n, const TellRules *rules) {
    double scale = 1.0, tail = rules->tail;
    for (int step = 0; step < (int)rules->scale_steps; step++) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (long i = 0; i < n; i++) sum += off2[i] / (tail * scale + off2[i]);
        scale = fmax((tail + 1.0) * scale * sum / n, rules->least_scale);
    }
    double logs = 0.0, by = 1.0 / (tail * scale);
    long first = 0;
    for (; first + 32 <= n; first += 32) { /* one logarithm of eight factors, none above 1e30; four products at once */
        double product[4] = {1.0, 1.0, 1.0, 1.0};
        for (const double *of = off2 + first; of < off2 + first + 32; of += 4)
            for (int lane = 0; lane < 4; lane++) {
                double x = of[lane] * by;
                product[lane] *= 1.0 + (x < 1e30 ? x : 1e30);
            }
        logs += log(product[0]) + log(product[1]) + log(product[2]) + log(product[3]);
    }
    for (; first < n; first++) logs += log(1.0 + fmin(off2[first] * by, 1e30));
    return -0.5 * (tail + 1.0) * logs / n - 0.5 * log(scale);
}

/* The ink of a face (3, n), and the normal equations (2, 2) of its strengths. */
INLINE void inked(const double *of, const double *variance, long n, const TellRules *rules, Ink *ink, double *normal) {
    double both = 0.0, bright = 0.0, coloured = 0.0;
    const double *x = of, *y = of + n, *z = of + 2 * n;
    double *cx = ink->colour[0], *cy = ink->colour[1], *cz = ink->colour[2];
#pragma omp simd reduction(+ : both, bright, coloured)
    for (long i = 0; i < n; i++) {
        double w = rules->independent / variance[i];
        double l = x[i] * rules->luma[0] + y[i] * rules->luma[1] + z[i] * rules->luma[2];
        cx[i] = x[i] - l;
        cy[i] = y[i] - l;
        cz[i] = z[i] - l;
        ink->light[i] = l;
        ink->weight[i] = w;
        bright += w * 3.0 * l * l;
        both += w * l * (cx[i] + cy[i] + cz[i]);
        coloured += w * (cx[i] * cx[i] + cy[i] * cy[i] + cz[i] * cz[i]);
    }
    normal[0] = bright + 1.0 / (rules->strength_sd[0] * rules->strength_sd[0]);
    normal[1] = normal[2] = both;
    normal[3] = coloured + 1.0 / (rules->strength_sd[1] * rules->strength_sd[1]);
}

/* What the points say (faces, places) a point for each face: shown (places, 3, n), ink (faces, 3, n), sd2 (faces, n).
 * 1 if all went well. */
INLINE int arena_told_body(const double *shown, long places, const double *ink_, const double *sd2, long faces, long n,
                           const double *rules_, double *said) {
    TellRules rules;
    memcpy(&rules, rules_, sizeof rules);
    double *work = malloc(sizeof(double) * 7 * (size_t)(n ? n : 1));
    if (!work) return 0;
    Ink ink = {work, {work + n, work + 2 * n, work + 3 * n}, work + 4 * n};
    double *off2 = work + 5 * n, *by = work + 6 * n;
    int fine = n > 0;
    for (long f = 0; fine && f < faces; f++) {
        const double *variance = sd2 + n * f;
        double normal[4];
        inked(ink_ + 3 * n * f, variance, n, &rules, &ink, normal);
        for (long i = 0; i < n; i++) by[i] = 1.0 / (3.0 * variance[i]);
        for (long p = 0; fine && p < places; p++) {
            const double *x = shown + 3 * n * p, *y = x + n, *z = y + n;
            const double *light = ink.light, *cx = ink.colour[0], *cy = ink.colour[1], *cz = ink.colour[2];
            double found[2];
            fine = strengths(&ink, x, n, normal, &rules, found);
#pragma omp simd
            for (long i = 0; i < n; i++) {
                double bright = found[0] * light[i], dx = x[i] - bright - found[1] * cx[i];
                double dy = y[i] - bright - found[1] * cy[i], dz = z[i] - bright - found[1] * cz[i];
                off2[i] = (dx * dx + dy * dy + dz * dz) * by[i];
            }
            if (fine) said[f * places + p] = said_a_point(off2, n, &rules);
        }
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_told,
             (const double *shown, long places, const double *ink, const double *sd2, long faces, long n,
              const double *rules_, double *said),
             (shown, places, ink, sd2, faces, n, rules_, said))

/* ---- where faces differ and where they are alike: faces/telling.py ---- */

#define SPREAD_BLOCK 192 /* values of each face that are compared while they are in the cache: 64 points */

/* Of the faces with the numbers `these` (count) among (faces, n, 3): by how much they differ at each point (n), in the
 * channel in which they differ most, and their mean (n, 3): `_spread_and_mean`. */
INLINE int arena_spread_body(const float *faces, const int64_t *these, long count, long n, float *spread, float *mean) {
    float least[SPREAD_BLOCK], most[SPREAD_BLOCK];
    for (long first = 0; first < 3 * n; first += SPREAD_BLOCK) {
        long length = 3 * n - first < SPREAD_BLOCK ? 3 * n - first : SPREAD_BLOCK;
        const float *face = faces + 3 * n * these[0] + first;
        float *sum = mean + first;
        memcpy(least, face, sizeof(float) * (size_t)length);
        memcpy(most, face, sizeof(float) * (size_t)length);
        memcpy(sum, face, sizeof(float) * (size_t)length);
        for (long k = 1; k < count; k++) {
            face = faces + 3 * n * these[k] + first;
#pragma omp simd
            for (long i = 0; i < length; i++) {
                least[i] = face[i] < least[i] ? face[i] : least[i];
                most[i] = face[i] > most[i] ? face[i] : most[i];
                sum[i] += face[i];
            }
        }
        for (long i = 0; i < length; i++) {
            sum[i] /= (float)count;
            most[i] -= least[i];
        }
        for (long i = 0; i < length; i += 3) {
            float two = most[i] > most[i + 1] ? most[i] : most[i + 1];
            spread[(first + i) / 3] = two > most[i + 2] ? two : most[i + 2];
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_spread,
             (const float *faces, const int64_t *these, long count, long n, float *spread, float *mean),
             (faces, these, count, n, spread, mean))

/* What is drawn (n, 3) in a light (3, 6), and what is left then of what is seen (n, 3), where faces are alike (n), and
 * the mean square of what is left: `_parted`. */
INLINE int arena_in_light_body(const float *drawn, const double *seen, const uint8_t *alike, const double *x,
                               const double *y, long n, const double *light, float *even, float *left,
                               double *uneven2) {
    double sum = 0.0;
    long count = 0;
    for (long i = 0; i < n; i++) {
        count += alike[i];
        for (int c = 0; c < 3; c++) {
            const double *of = light + 6 * c;
            double gain = of[0] + of[1] * x[i] + of[2] * y[i], haze = of[3] + of[4] * x[i] + of[5] * y[i];
            double bright = alike[i] ? drawn[3 * i + c] * gain + haze : 0.0;
            double rest = alike[i] ? seen[3 * i + c] - bright : 0.0;
            even[3 * i + c] = (float)bright;
            left[3 * i + c] = (float)rest;
            sum += rest * rest;
        }
    }
    *uneven2 = count ? sum / (3.0 * (double)count) : 0.0;
    return 1;
}

ON_EVERY_CPU(int, arena_in_light,
             (const float *drawn, const double *seen, const uint8_t *alike, const double *x, const double *y, long n,
              const double *light, float *even, float *left, double *uneven2),
             (drawn, seen, alike, x, y, n, light, even, left, uneven2))

/* ---- the light in which a face looks as it is seen: faces/telling.py, `_light` ---- */

/* The light (channels, 6) of each channel: the gain, its slopes along x and y (n), and the haze and its slopes. shown
 * and seen (channels, n); held (6) times the squared scale of the residuals, first_scale at first, holds each back.
 * Points that disagree are left out. 1 if all went well. */
INLINE int arena_light_body(const double *shown, const double *seen, const double *x, const double *y, long channels,
                            long n, const double *held, double first_scale, double least_scale, double by_median,
                            long rounds, double *light) {
    double *work = malloc(sizeof(double) * 3 * (size_t)(n ? n : 1));
    if (!work) return 0;
    double *agree = work, *off = work + n, *sorted = work + 2 * n;
    int fine = n > 0;
    for (long c = 0; fine && c < channels; c++) {
        const double *value = shown + c * n, *target = seen + c * n;
        double *found = light + 6 * c, scale = first_scale;
        for (long i = 0; i < n; i++) agree[i] = 1.0;
        for (long round = 0; fine && round < rounds; round++) {
            double normal[36], right[6];
            light_equations(value, target, agree, x, y, n, normal, right);
            for (int k = 0; k < 6; k++) normal[7 * k] += 1e-6 + held[k] * scale * scale;
            fine = solve(normal, right, 6, 1);
            memcpy(found, right, sizeof right);
            if (!fine || round == rounds - 1) break;
#pragma omp simd
            for (long i = 0; i < n; i++) {
                double gain = found[0] + found[1] * x[i] + found[2] * y[i];
                double haze = found[3] + found[4] * x[i] + found[5] * y[i];
                off[i] = fabs(target[i] - gain * value[i] - haze);
                sorted[i] = off[i];
            }
            scale = fmax(least_scale, by_median * median(sorted, n));
            for (long i = 0; i < n; i++) {
                double u = off[i] / scale;
                u = 1.0 + u * u;
                agree[i] = 1.0 / (u * u);
            }
        }
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_light,
             (const double *shown, const double *seen, const double *x, const double *y, long channels, long n,
              const double *held, double first_scale, double least_scale, double by_median, long rounds, double
              *light),
             (shown, seen, x, y, channels, n, held, first_scale, least_scale, by_median, rounds, light))
