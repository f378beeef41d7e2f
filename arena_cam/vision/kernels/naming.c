/* Names: what even the best of the likely faces misses, where faces differ, what small print says, and the light on it. */
#include "common.h"

/* ---- what even the best of the likely faces misses: reading/cards/face_comparison.py, `_robust_residual` ---- */

#define ROUNDS 3 /* of reweighting */
#define PART 256 /* points of which nine rows and their products stay in the cache */

/* The weighted products of light and seen, as add_gram has them, that no channel shares with another: the same for all
 * faces while all points count alike. Rows of `stride` numbers, n points. */
INLINE void add_gram_of_light(double *gram, const double *rows, const double *by, long stride, long n) {
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
        const double *s = rows + (6 + c) * stride;
        double ps = 0, qs = 0, rs = 0;
#pragma omp simd reduction(+ : ps, qs, rs)
        for (long i = 0; i < n; i++) {
            double ws = by[i] * s[i];
            ps += ws * p[i];
            qs += ws * q[i];
            rs += ws * r[i];
        }
        gram[33 + c] += ps, gram[42 + c] += qs, gram[51 + c] += rs;
    }
}

/* The same of face with itself, light and seen. */
INLINE void add_gram_of_face(double *gram, const double *rows, const double *by, long stride, long n) {
    const double *p = rows + 3 * stride, *q = p + stride, *r = q + stride;
    for (int c = 0; c < 3; c++) {
        const double *f = rows + c * stride, *s = rows + (6 + c) * stride;
        double ff = 0, fp = 0, fq = 0, fr = 0, fs = 0;
#pragma omp simd reduction(+ : ff, fp, fq, fr, fs)
        for (long i = 0; i < n; i++) {
            double wf = by[i] * f[i];
            ff += wf * f[i];
            fp += wf * p[i];
            fq += wf * q[i];
            fr += wf * r[i];
            fs += wf * s[i];
        }
        double sums[5] = {ff, fp, fq, fr, fs};
        int at[5] = {c * 10, c * 9 + 3, c * 9 + 4, c * 9 + 5, c * 9 + 6 + c};
        for (int k = 0; k < 5; k++) gram[at[k]] += sums[k];
    }
}

/* What is left of a point in one channel, once a mix (6) of face and light is taken out. */
INLINE double left_of(const double *all, long n, long i, int c, const double *mix) {
    return all[(6 + c) * n + i] - mix[c] * all[c * n + i] - mix[3] * all[3 * n + i] - mix[4] * all[4 * n + i] -
           mix[5] * all[5 * n + i];
}

/* By how much (n) one face (3, n) misses what is seen, in the worst channel, its outliers reweighted away. all holds
 * (9, n): face, light, seen; weight (n) is nowhere 0, and of_light (81) are the products of light and seen by it. */
INLINE int robust_residual(const double *all, long n, const double *weight, const double *of_light, const double *white,
                           double gain_ridge, double *most, double *agree, double *off) {
    if (!n) return 0;
    memcpy(agree, weight, sizeof(double) * (size_t)n);
    for (int round = 0; round < ROUNDS; round++) {
        double gram[81] = {0}, total = 0.0, energy[3], free_[3], above = 0.0, below = 0.0, mix[3][6] = {{0}};
        if (!round) memcpy(gram, of_light, sizeof gram);
        for (long first = 0; first < n; first += PART) {
            const long count = n - first < PART ? n - first : PART;
            if (round) add_gram_of_light(gram, all + first, agree + first, n, count);
            add_gram_of_face(gram, all + first, agree + first, n, count);
        }
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
        double common = greater_of(above / greater_of(below, 1e-9), 0.0), ridge = gain_ridge * total;
        for (int c = 0; c < 3; c++) {
            int model[4] = {c, 3, 4, 5};
            double right[4];
            normals[c][0] += ridge;
            for (int i = 0; i < 4; i++) right[i] = gram[model[i] * 9 + 6 + c];
            right[0] += ridge * common * white[c];
            if (!solve(normals[c], right, 4, 1)) return 0;
            right[0] = greater_of(right[0], 0.0);
            for (int i = 0; i < 4; i++) mix[c][model[i]] = right[i];
        }
        if (round == ROUNDS - 1) { /* who agrees with the last is not asked */
#pragma omp simd
            for (long i = 0; i < n; i++) {
                const double a = fabs(left_of(all, n, i, 0, mix[0])), b = fabs(left_of(all, n, i, 1, mix[1]));
                most[i] = greater_of(a, greater_of(b, fabs(left_of(all, n, i, 2, mix[2]))));
            }
            break;
        }
#pragma omp simd
        for (long i = 0; i < n; i++) {
            const double a = left_of(all, n, i, 0, mix[0]), b = left_of(all, n, i, 1, mix[1]);
            const double c = left_of(all, n, i, 2, mix[2]);
            agree[i] = off[i] = (a * a + b * b + c * c) / 3.0;
        }
        double scale = greater_of(1.4826 * 1.4826 * kth_of_many(off, n, n / 2, NULL), 25.0);
#pragma omp simd
        for (long i = 0; i < n; i++) {
            double o = agree[i] / (4.0 * scale);
            agree[i] = weight[i] / (1.0 + o * o);
        }
    }
    return 1;
}

/* By how much (n) even the best of the faces with the numbers these (count) among faces (.., 3, n) misses what is seen
 * (n, 3), in the worst channel; light (n, 3), white (3). Infinity where weight (n) is 0. From one point to the next are so
 * many numbers of what is seen and of the weights, `apart` (2). 1 if all went well. */
INLINE int arena_best_off_body(const float *faces, const int64_t *these, long count, long n, const double *seen,
                               const double *weight, const int64_t *apart, const double *light, const double *white,
                               double gain_ridge, double *best) {
    const long by_seen = (long)apart[0], by_weight = (long)apart[1];
    double *work = malloc(sizeof(double) * 14 * (size_t)(n ? n : 1)), of_light[81] = {0};
    long *numbers = malloc(sizeof(long) * (size_t)(n ? n : 1));
    long asked = 0; /* points that do not count are left out: what is said of them is not used */
    int fine = work && numbers;
    for (long i = 0; fine && i < n; i++) {
        best[i] = INFINITY;
        if (weight[by_weight * i] > 0.0) numbers[asked++] = i;
    }
    double *all = work, *most = work + 9 * n, *agree = most + n, *off = agree + n, *by = off + n, *least = by + n;
    for (long k = 0; fine && k < asked; k++) {
        long i = numbers[k];
        by[k] = weight[by_weight * i];
        least[k] = INFINITY;
        for (int c = 0; c < 3; c++) {
            all[(3 + c) * asked + k] = light[3 * i + c];
            all[(6 + c) * asked + k] = seen[by_seen * i + c];
        }
    }
    for (long first = 0; fine && first < asked; first += PART)
        add_gram_of_light(of_light, all + first, by + first, asked, asked - first < PART ? asked - first : PART);
    for (long f = 0; fine && f < count; f++) {
        for (int c = 0; c < 3; c++) {
            const float *channel = faces + (3 * (long)these[f] + c) * n;
            double *row = all + c * asked;
#pragma omp simd
            for (long k = 0; k < asked; k++) row[k] = channel[numbers[k]];
        }
        fine = robust_residual(all, asked, by, of_light, white, gain_ridge, most, agree, off);
        if (!fine) break;
#pragma omp simd
        for (long k = 0; k < asked; k++) least[k] = lesser_of(most[k], least[k]);
    }
    for (long k = 0; fine && k < asked; k++) best[numbers[k]] = least[k];
    free(work);
    free(numbers);
    return fine;
}

ON_EVERY_CPU(int, arena_best_off,
             (const float *faces, const int64_t *these, long count, long n, const double *seen, const double *weight,
              const int64_t *apart, const double *light, const double *white, double gain_ridge, double *best),
             (faces, these, count, n, seen, weight, apart, light, white, gain_ridge, best))

/* ---- what the points at which faces differ say for each: faces/telling.py, `_said_beside` ---- */

/* As row `rules`. */
typedef struct {
    double independent, luma[3], strength[2], strength_sd[2], least[2], most[2];
    double tail, scale_steps, least_scale, noise, tone, off_px;
} TellRules;

#define CHUNK 128 /* numbers of single precision that are summed before double precision takes their sum */

/* A face's ink at n points: its light, its colour in three channels, each also times the weight of the point. */
typedef struct {
    float *light, *colour[3], *by_light, *by_colour[3];
} Ink;

/* The share (0..1) of light and of colour in which ink suits what is shown (3, n) best: `_off`. */
INLINE int strengths(const Ink *ink, const float *shown, long n, const double *normal, const TellRules *rules,
                     double *found) {
    double a[4], with_light = 0.0, with_colour = 0.0;
    for (long first = 0; first < n; first += CHUNK) {
        long length = n - first < CHUNK ? n - first : CHUNK;
        const float *x = shown + first, *y = x + n, *z = y + n, *light = ink->by_light + first;
        const float *cx = ink->by_colour[0] + first, *cy = ink->by_colour[1] + first, *cz = ink->by_colour[2] + first;
        float bright = 0.0f, coloured = 0.0f;
#pragma omp simd reduction(+ : bright, coloured)
        for (long i = 0; i < length; i++) {
            bright += light[i] * (x[i] + y[i] + z[i]);
            coloured += cx[i] * x[i] + cy[i] * y[i] + cz[i] * z[i];
        }
        with_light += bright;
        with_colour += coloured;
    }
    memcpy(a, normal, sizeof a);
    found[0] = with_light + rules->strength[0] / (rules->strength_sd[0] * rules->strength_sd[0]);
    found[1] = with_colour + rules->strength[1] / (rules->strength_sd[1] * rules->strength_sd[1]);
    if (!solve(a, found, 2, 1)) return 0;
    for (int k = 0; k < 2; k++) found[k] = lesser_of(greater_of(found[k], rules->least[k]), rules->most[k]);
    return 1;
}

/* What squared residuals (n), in units of their assumed variance, say a point: `_said`. */
INLINE double said_a_point(const float *off2, long n, const TellRules *rules) {
    double scale = 1.0, tail = rules->tail;
    for (int step = 0; step < (int)rules->scale_steps; step++) {
        double sum = 0.0;
        float of_scale = (float)(tail * scale);
        for (long first = 0; first < n; first += CHUNK) {
            long length = n - first < CHUNK ? n - first : CHUNK;
            const float *of = off2 + first;
            float part = 0.0f;
#pragma omp simd reduction(+ : part)
            for (long i = 0; i < length; i++) part += of[i] / (of_scale + of[i]);
            sum += part;
        }
        scale = greater_of((tail + 1.0) * scale * sum / n, rules->least_scale);
    }
    double logs = 0.0, by = 1.0 / (tail * scale);
    long first = 0;
    for (; first + 32 <= n; first += 32) { /* one logarithm of 32 factors, none above 1e9; four products at once */
        double product[4] = {1.0, 1.0, 1.0, 1.0};
        for (const float *of = off2 + first; of < off2 + first + 32; of += 4)
            for (int lane = 0; lane < 4; lane++) {
                double x = of[lane] * by;
                product[lane] *= 1.0 + (x < 1e9 ? x : 1e9);
            }
        logs += log(product[0] * product[1] * product[2] * product[3]);
    }
    for (; first < n; first++) logs += log(1.0 + lesser_of(off2[first] * by, 1e9));
    return -0.5 * (tail + 1.0) * logs / n - 0.5 * log(scale);
}

/* The ink of a face (3, n), and the normal equations (2, 2) of its strengths. */
INLINE void inked(const double *of, const double *variance, long n, const TellRules *rules, Ink *ink, double *normal) {
    double both = 0.0, bright = 0.0, coloured = 0.0;
    const double *x = of, *y = of + n, *z = of + 2 * n;
#pragma omp simd reduction(+ : both, bright, coloured)
    for (long i = 0; i < n; i++) {
        double w = rules->independent / variance[i];
        double l = x[i] * rules->luma[0] + y[i] * rules->luma[1] + z[i] * rules->luma[2];
        double cx = x[i] - l, cy = y[i] - l, cz = z[i] - l;
        ink->light[i] = (float)l;
        ink->colour[0][i] = (float)cx;
        ink->colour[1][i] = (float)cy;
        ink->colour[2][i] = (float)cz;
        ink->by_light[i] = (float)(w * l);
        ink->by_colour[0][i] = (float)(w * cx);
        ink->by_colour[1][i] = (float)(w * cy);
        ink->by_colour[2][i] = (float)(w * cz);
        bright += w * 3.0 * l * l;
        both += w * l * (cx + cy + cz);
        coloured += w * (cx * cx + cy * cy + cz * cz);
    }
    normal[0] = bright + 1.0 / (rules->strength_sd[0] * rules->strength_sd[0]);
    normal[1] = normal[2] = both;
    normal[3] = coloured + 1.0 / (rules->strength_sd[1] * rules->strength_sd[1]);
}

/* What the variance (n) of what is seen is made of, where faces are told apart: how much paler than it is drawn what they
 * differ by is seen, paler (n), and the variance where none is steep, alike2 (n): `_doubt2`. As arena_told has the rest. */
INLINE void doubted(const double *lit, long count, long n, const double *doubt2, const float *spread, const int64_t *at,
                    const TellRules *rules, double *paler, double *alike2) {
    for (long i = 0; i < n; i++) {
        double widest = 0.0; /* by how much the faces differ in their light, in the channel in which they differ most */
        for (int c = 0; c < 3; c++) {
            double least = lit[3 * i + c], most = least;
            for (long f = 1; f < count; f++) {
                double level = lit[3 * (f * n + i) + c];
                least = level < least ? level : least;
                most = level > most ? level : most;
            }
            widest = most - least > widest ? most - least : widest;
        }
        paler[i] = widest / (double)spread[at[i]];
        alike2[i] = rules->noise * rules->noise + doubt2[i] + rules->tone * widest * (rules->tone * widest);
    }
}

/* What the points (n, with the numbers at and, among the `many` of shown and slopes, among) say (count, views) a point
 * for each face of the numbers these (count), as `_said_beside`: lit (count, n, 3), about (n, 3) and doubt2 (n) as
 * arena_lit has them, spread (all points), slopes (all faces, many), shown (views, 3, many). Levels are known to less than
 * a hundredth: single precision does, twice as many at once. 1 if all went well. */
INLINE int arena_told_body(const int64_t *these, long count, const int64_t *at, long n, const double *lit,
                           const double *about, const double *doubt2, const float *spread, const double *slopes,
                           const double *shown_, long views, long many, const int64_t *among, const double *rules_,
                           double *said) {
    TellRules rules;
    memcpy(&rules, rules_, sizeof rules);
    size_t room = (size_t)(n ? n : 1);
    float *work = malloc(sizeof(float) * (10 + 3 * (size_t)views) * room);
    double *wide = malloc(sizeof(double) * 7 * room);
    int fine = work && wide && n > 0;
    float *off2 = work, *by = work + n, *ink_at = work + 2 * n, *shown = work + 10 * n;
    double *of = wide, *variance = wide + 3 * n, *paler = wide + 4 * n, *alike2 = wide + 5 * n, *logs = wide + 6 * n;
    Ink ink = {ink_at, {ink_at + n, ink_at + 2 * n, ink_at + 3 * n},
               ink_at + 4 * n, {ink_at + 5 * n, ink_at + 6 * n, ink_at + 7 * n}};
    for (long p = 0; fine && p < views; p++)
        for (int c = 0; c < 3; c++)
            for (long i = 0; i < n; i++)
                shown[(3 * p + c) * n + i] = (float)(shown_[(3 * p + c) * many + among[i]] - about[3 * i + c]);
    if (fine) doubted(lit, count, n, doubt2, spread, at, &rules, paler, alike2);
    for (long f = 0; fine && f < count; f++) {
        const double *steep = slopes + many * these[f], *level = lit + 3 * n * f;
        double normal[4], sum = 0.0;
        for (long i = 0; i < n; i++) {
            double off = rules.off_px * paler[i] * steep[among[i]];
            variance[i] = alike2[i] + off * off;
            for (int c = 0; c < 3; c++) of[c * n + i] = level[3 * i + c] - about[3 * i + c];
            by[i] = (float)(1.0 / (3.0 * variance[i]));
            logs[i] = variance[i];
        }
        for (long i = 0; i < n; i += 8) { /* variances lie between 1e1 and 1e6: eight of them are no infinity */
            double product = 1.0;
            for (long k = i; k < i + 8 && k < n; k++) product *= logs[k];
            sum += log(product);
        }
        inked(of, variance, n, &rules, &ink, normal);
        for (long p = 0; fine && p < views; p++) {
            const float *x = shown + 3 * n * p, *y = x + n, *z = y + n;
            const float *light = ink.light, *cx = ink.colour[0], *cy = ink.colour[1], *cz = ink.colour[2];
            double found[2];
            fine = strengths(&ink, x, n, normal, &rules, found);
            float of_light = (float)found[0], of_colour = (float)found[1];
#pragma omp simd
            for (long i = 0; i < n; i++) {
                float bright = of_light * light[i], dx = x[i] - bright - of_colour * cx[i];
                float dy = y[i] - bright - of_colour * cy[i], dz = z[i] - bright - of_colour * cz[i];
                off2[i] = (dx * dx + dy * dy + dz * dz) * by[i];
            }
            if (fine) said[f * views + p] = said_a_point(off2, n, &rules) - 0.5 * sum / (double)n;
        }
    }
    free(work);
    free(wide);
    return fine;
}

ON_EVERY_CPU(int, arena_told,
             (const int64_t *these, long count, const int64_t *at, long n, const double *lit, const double *about,
              const double *doubt2, const float *spread, const double *slopes, const double *shown, long views, long
              many, const int64_t *among, const double *rules, double *said),
             (these, count, at, n, lit, about, doubt2, spread, slopes, shown, views, many, among, rules, said))

/* ---- what they say of a face that lies between the places looked at: faces/telling.py, `_told_between` ---- */

/* What is left (3, n) of a contrast (3, n) laid by some steps along its slopes (2, 3, n), once that of the ink is taken
 * out, which is its light (n) and its colour (3, n) each weighed by the variance (n): `_off`. off2 (n): the mean of its
 * squares by the variance. 0 if nothing tells the strengths. */
INLINE int left_between(const double *contrast, const double *slopes, const double *laid, const double *variance,
                        const double *light, const double *colour, const double *normal, long n, const TellRules *rules,
                        double *left, double *off2) {
    double with_light = 0.0, with_colour = 0.0, a[4], found[2];
    const double right = laid[0], up = laid[1];
#pragma omp simd reduction(+ : with_light, with_colour)
    for (long i = 0; i < n; i++) {
        double x = contrast[i] + right * slopes[i] + up * slopes[3 * n + i];
        double y = contrast[n + i] + right * slopes[n + i] + up * slopes[4 * n + i];
        double z = contrast[2 * n + i] + right * slopes[2 * n + i] + up * slopes[5 * n + i];
        double w = rules->independent / variance[i];
        with_light += w * light[i] * (x + y + z);
        with_colour += w * (colour[i] * x + colour[n + i] * y + colour[2 * n + i] * z);
        left[i] = x, left[n + i] = y, left[2 * n + i] = z;
    }
    memcpy(a, normal, sizeof a);
    found[0] = with_light + rules->strength[0] / (rules->strength_sd[0] * rules->strength_sd[0]);
    found[1] = with_colour + rules->strength[1] / (rules->strength_sd[1] * rules->strength_sd[1]);
    if (!solve(a, found, 2, 1)) return 0;
    for (int k = 0; k < 2; k++) found[k] = lesser_of(greater_of(found[k], rules->least[k]), rules->most[k]);
#pragma omp simd
    for (long i = 0; i < n; i++) {
        double bright = found[0] * light[i], x = left[i] - bright - found[1] * colour[i];
        double y = left[n + i] - bright - found[1] * colour[n + i], z = left[2 * n + i] - bright - found[1] * colour[2 * n + i];
        left[i] = x, left[n + i] = y, left[2 * n + i] = z;
        off2[i] = (x * x + y * y + z * z) / (3.0 * variance[i]);
    }
    return 1;
}

/* The normal equations (2, 2) of an ink's strengths: its light (n) and its colour (3, n), by the variance (n). */
INLINE void normal_of(const double *light, const double *colour, const double *variance, long n, const TellRules *rules,
                      double *normal) {
    double bright = 0.0, both = 0.0, coloured = 0.0;
#pragma omp simd reduction(+ : bright, both, coloured)
    for (long i = 0; i < n; i++) {
        double w = rules->independent / variance[i], l = light[i], x = colour[i], y = colour[n + i], z = colour[2 * n + i];
        bright += w * 3.0 * l * l;
        both += w * l * (x + y + z);
        coloured += w * (x * x + y * y + z * z);
    }
    normal[0] = bright + 1.0 / (rules->strength_sd[0] * rules->strength_sd[0]);
    normal[1] = normal[2] = both;
    normal[3] = coloured + 1.0 / (rules->strength_sd[1] * rules->strength_sd[1]);
}

/* One step of Gauss-Newton on `laid` (2), no farther than `farthest`: points that disagree count less, by Student's t.
 * left (3, n), off2 (n): see left_between; sorted (n) is written over. 0 if nothing tells the step. */
INLINE int step_between(const double *slopes, const double *left, const double *off2, const double *variance, long n,
                        const TellRules *rules, double little, double farthest, double *sorted, double *laid) {
    double xx = 0.0, xy = 0.0, yy = 0.0, x_off = 0.0, y_off = 0.0;
    memcpy(sorted, off2, sizeof(double) * (size_t)n);
    const double scale = greater_of(median_of_many(sorted, n), rules->least_scale);
#pragma omp simd reduction(+ : xx, xy, yy, x_off, y_off)
    for (long i = 0; i < n; i++) {
        double w = (rules->tail + 1.0) / (rules->tail + off2[i] / scale) / variance[i];
        double a = slopes[i], b = slopes[n + i], c = slopes[2 * n + i];
        double d = slopes[3 * n + i], e = slopes[4 * n + i], f = slopes[5 * n + i];
        xx += w * (a * a + b * b + c * c);
        xy += w * (a * d + b * e + c * f);
        yy += w * (d * d + e * e + f * f);
        x_off += w * (a * left[i] + b * left[n + i] + c * left[2 * n + i]);
        y_off += w * (d * left[i] + e * left[n + i] + f * left[2 * n + i]);
    }
    double normal[4] = {xx + little, xy, xy, yy + little}, step[2] = {x_off, y_off};
    if (!solve(normal, step, 2, 1)) return 0;
    for (int k = 0; k < 2; k++) laid[k] = lesser_of(greater_of(laid[k] - step[k], -farthest), farthest);
    return 1;
}

/* What the points say a point for face number `face` of those with the numbers these (count), laid between the view
 * places[0] and those beside it, right, left, up and down (5 in all): said (3), that and how far it is laid, in steps.
 * numbers: steps of Gauss-Newton; the rest as arena_told has it. 1 if all went well. */
INLINE int arena_between_body(const int64_t *these, long count, long face, const int64_t *at, long n, const double *lit,
                              const double *about, const double *doubt2, const float *spread, const double *slopes,
                              const double *shown, const int64_t *places, long many, const int64_t *among,
                              const double *rules_, long steps, double little, double farthest, double *said) {
    TellRules rules;
    memcpy(&rules, rules_, sizeof rules);
    double *work = malloc(sizeof(double) * 20 * (size_t)(n ? n : 1)), normal[4], logs = 0.0;
    int fine = work && n > 0;
    double *contrast = work, *beside = work + 3 * n, *left = work + 9 * n, *variance = work + 12 * n, *light = work + 13 * n;
    double *colour = work + 14 * n, *off2 = work + 17 * n, *paler = work + 18 * n, *sorted = work + 19 * n;
    if (fine) doubted(lit, count, n, doubt2, spread, at, &rules, paler, variance);
    for (long i = 0; fine && i < n; i++) {
        const double *level = lit + 3 * (n * face + i), *paper = about + 3 * i;
        const double off = rules.off_px * paler[i] * slopes[many * these[face] + among[i]];
        variance[i] += off * off;
        light[i] = 0.0;
        for (int c = 0; c < 3; c++) {
            const double *of = shown + c * many + among[i];
            contrast[c * n + i] = of[3 * many * places[0]] - paper[c];
            for (int way = 0; way < 2; way++)
                beside[(3 * way + c) * n + i] = 0.5 * (of[3 * many * places[1 + 2 * way]] - of[3 * many * places[2 + 2 * way]]);
            light[i] += rules.luma[c] * (level[c] - paper[c]);
        }
        for (int c = 0; c < 3; c++) colour[c * n + i] = level[c] - paper[c] - light[i];
        logs += log(variance[i]);
    }
    said[0] = said[1] = said[2] = 0.0;
    if (fine) normal_of(light, colour, variance, n, &rules, normal);
    for (long step = 0; fine && step <= steps; step++) {
        fine = left_between(contrast, beside, said + 1, variance, light, colour, normal, n, &rules, left, off2);
        if (fine && step < steps)
            fine = step_between(beside, left, off2, variance, n, &rules, little, farthest, sorted, said + 1);
    }
    float *narrow = (float *)sorted;
    for (long i = 0; fine && i < n; i++) narrow[i] = (float)off2[i];
    if (fine) said[0] = said_a_point(narrow, n, &rules) - 0.5 * logs / (double)n;
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_between,
             (const int64_t *these, long count, long face, const int64_t *at, long n, const double *lit,
              const double *about, const double *doubt2, const float *spread, const double *slopes, const double *shown,
              const int64_t *places, long many, const int64_t *among, const double *rules, long steps, double little,
              double farthest, double *said),
             (these, count, face, at, n, lit, about, doubt2, spread, slopes, shown, places, many, among, rules, steps,
              little, farthest, said))

/* Of the contrast that each view shows, the share that a face's ink explains: shares (views, 2), in its light and colour,
 * and in its light alone under whatever haze: `agreement`. ink (n, 3): the face as it is lit; the rest as arena_told has
 * it. Of the residuals only their sum of squares is asked: it follows from seven sums over the points. */
INLINE int arena_shares_body(const double *ink, const double *about, long n, const double *shown, long views, long many,
                             const int64_t *among, const double *rules_, double least, double most, double *shares) {
    TellRules rules;
    memcpy(&rules, rules_, sizeof rules);
    double *light = malloc(sizeof(double) * 4 * (size_t)(n ? n : 1)), ll = 0.0, lc = 0.0, cc = 0.0, s2[2];
    if (!light) return 0;
    double *colour[3] = {light + n, light + 2 * n, light + 3 * n}, w = rules.independent / (rules.noise * rules.noise);
    for (int k = 0; k < 2; k++) s2[k] = 1.0 / (rules.strength_sd[k] * rules.strength_sd[k]);
    for (long i = 0; i < n; i++) {
        double of[3], l = 0.0;
        for (int c = 0; c < 3; c++) {
            of[c] = ink[3 * i + c] - about[3 * i + c];
            l += rules.luma[c] * of[c];
        }
        light[i] = l;
        ll += l * l;
        for (int c = 0; c < 3; c++) {
            colour[c][i] = of[c] - l;
            lc += l * colour[c][i];
            cc += colour[c][i] * colour[c][i];
        }
    }
    int fine = 1;
    for (long p = 0; fine && p < views; p++) {
        const double *x = shown + 3 * p * many, *y = x + many, *z = y + many;
        double xx = 0.0, xl = 0.0, xc = 0.0, bright2 = 0.0, bright_l = 0.0;
        for (long i = 0; i < n; i++) {
            double a = x[among[i]] - about[3 * i], b = y[among[i]] - about[3 * i + 1], c = z[among[i]] - about[3 * i + 2];
            double bright = rules.luma[0] * a + rules.luma[1] * b + rules.luma[2] * c;
            xx += a * a + b * b + c * c;
            xl += light[i] * (a + b + c);
            xc += colour[0][i] * a + colour[1][i] * b + colour[2][i] * c;
            bright2 += bright * bright;
            bright_l += bright * light[i];
        }
        double normal[4] = {3.0 * w * ll + s2[0], w * lc, w * lc, w * cc + s2[1]};
        double found[2] = {w * xl + rules.strength[0] * s2[0], w * xc + rules.strength[1] * s2[1]};
        fine = solve(normal, found, 2, 1);
        double f = lesser_of(greater_of(found[0], rules.least[0]), rules.most[0]), g = lesser_of(greater_of(found[1], rules.least[1]), rules.most[1]);
        double left = xx - 2.0 * (f * xl + g * xc) + 3.0 * f * f * ll + 2.0 * f * g * lc + g * g * cc;
        double k = lesser_of(greater_of(bright_l / greater_of(ll, 1e-9), least), most);
        shares[2 * p] = 1.0 - left / greater_of(xx, 1.0);
        shares[2 * p + 1] = 1.0 - (bright2 - 2.0 * k * bright_l + k * k * ll) / greater_of(bright2, 1.0);
    }
    free(light);
    return fine;
}

ON_EVERY_CPU(int, arena_shares,
             (const double *ink, const double *about, long n, const double *shown, long views, long many,
              const int64_t *among, const double *rules_, double least, double most, double *shares),
             (ink, about, n, shown, views, many, among, rules_, least, most, shares))

/* ---- where faces differ and where they are alike: faces/softness.py ---- */

#define SPREAD_BLOCK 192 /* values of each face that are compared while they are in the cache: 64 points */

/* Of the faces with the numbers `these` (count) among (faces, n, 3): by how much they differ at each point (n), in the
 * channel in which they differ most, and their mean (n, 3): `apart_and_common`. */
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

/* ---- the light in which a face looks as it is seen: faces/telling.py, `_light` ---- */

/* The light (channels, 6) of each channel: the gain, its slopes along x and y (n), and the haze and its slopes. shown
 * and seen (channels, n), as light; held (channels, 6) times the squared scale of the residuals, first_scale grey levels
 * at first, holds each back, the gain to the usual one (channels). Noise is of grey levels: of less than least_light
 * none is known better. Points that disagree are left out. 1 if all went well. */
INLINE int arena_light_body(const double *shown, const double *seen, const double *x, const double *y, long channels,
                            long n, const double *usual, const double *held, double least_light, double first_scale,
                            double least_scale, double by_median, long rounds, double *light) {
    double *work = malloc(sizeof(double) * 4 * (size_t)(n ? n : 1));
    if (!work) return 0;
    double *agree = work, *off = work + n, *sorted = work + 2 * n, *sharp2 = work + 3 * n;
    int fine = n > 0;
    for (long c = 0; fine && c < channels; c++) {
        const double *value = shown + c * n, *target = seen + c * n, *back = held + 6 * c;
        double *found = light + 6 * c, scale = first_scale;
#pragma omp simd
        for (long i = 0; i < n; i++) {
            sharp2[i] = 0.25 * 255.0 / (target[i] > least_light ? target[i] : least_light);
            agree[i] = sharp2[i];
        }
        for (long round = 0; fine && round < rounds; round++) {
            double normal[36], right[6];
            light_equations(value, target, agree, x, y, n, normal, right);
            for (int k = 0; k < 6; k++) normal[7 * k] += 1e-6 + back[k] * scale * scale;
            right[0] += (1e-6 + back[0] * scale * scale) * usual[c];
            fine = solve(normal, right, 6, 1);
            memcpy(found, right, sizeof right);
            if (!fine || round == rounds - 1) break;
#pragma omp simd
            for (long i = 0; i < n; i++) {
                double gain = found[0] + found[1] * x[i] + found[2] * y[i];
                double haze = found[3] + found[4] * x[i] + found[5] * y[i];
                off[i] = fabs(target[i] - gain * value[i] - haze) * sqrt(sharp2[i]);
                sorted[i] = off[i];
            }
            scale = greater_of(by_median * median_of_many(sorted, n), least_scale);
            for (long i = 0; i < n; i++) {
                double u = off[i] / scale;
                u = 1.0 + u * u;
                agree[i] = sharp2[i] / (u * u);
            }
        }
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_light,
             (const double *shown, const double *seen, const double *x, const double *y, long channels, long n,
              const double *usual, const double *held, double least_light, double first_scale, double least_scale,
              double by_median, long rounds, double *light),
             (shown, seen, x, y, channels, n, usual, held, least_light, first_scale, least_scale, by_median, rounds,
              light))

/* ---- faces in the light that a picture shows: faces/telling.py, `_lit` ---- */

#define LANES 8 /* of a point: the share that looks alike, what the light leaves of what is seen (3), what is drawn (3) */

/* As row `rules`. */
typedef struct {
    double against_paper, little, least_gain, held[6], least_light, first_scale, least_scale, by_median, hardly;
} LitRules;

/* Where faces look alike. drawn: their common print, seen, and alike of all points; x and y are where these lie. */
typedef struct {
    const float *drawn;
    const double *seen, *x, *y;
    const uint8_t *alike;
    long height, width;
} AlikeHere;

/* Rows and columns, the last ones included. */
typedef struct {
    long top, bottom, left, right;
} LitBox;

/* A row or column beyond the rim, mirrored at the outermost, as OpenCV's BORDER_REFLECT_101. */
INLINE long mirrored(long i, long size) {
    while (size > 1 && (i < 0 || i >= size)) i = i < 0 ? -i : 2 * (size - 1) - i;
    return size > 1 ? i : 0;
}

INLINE double as_light_seen(double level) { return level * (level * (1.0 / 255.0)); }

INLINE double as_light_drawn(float level) { return (double)(level * (level * (float)(1.0 / 255.0))); }

/* The light (3, 6) over the card: `_light` of enough of the points that look alike. */
INLINE int light_over(const AlikeHere *here, const double *white, const LitRules *rules, long rounds, long enough,
                      double *light) {
    long all = here->height * here->width, count = 0, taken = 0;
    for (long i = 0; i < all; i++) count += here->alike[i] != 0;
    long step = count / enough > 1 ? count / enough : 1, many = (count + step - 1) / step, next = 0;
    double *work = malloc(sizeof(double) * 8 * (size_t)(many ? many : 1));
    if (!work) return 0;
    double *drawn = work, *seen = work + 3 * many, *x = work + 6 * many, *y = work + 7 * many, usual[3], held[18];
    for (long i = 0, number = 0; i < all && taken < many; i++) {
        if (!here->alike[i] || number++ != next) continue;
        next += step;
        for (int c = 0; c < 3; c++) {
            drawn[c * many + taken] = as_light_drawn(here->drawn[3 * i + c]);
            seen[c * many + taken] = as_light_seen(here->seen[3 * i + c]);
        }
        x[taken] = here->x[i];
        y[taken++] = here->y[i];
    }
    for (int c = 0; c < 3; c++) {
        double bright = 0.0, ink = 0.0;
        for (long i = 0; i < many; i++) {
            bright += seen[c * many + i];
            ink += drawn[c * many + i];
        }
        usual[c] = lesser_of(bright / many / greater_of(ink / many, rules->little), rules->against_paper * white[c]);
        double gain = greater_of(usual[c], rules->least_gain);
        for (int k = 0; k < 6; k++) held[6 * c + k] = k < 3 ? rules->held[k] / (gain * gain) : rules->held[k];
    }
    int fine = many > 0 && arena_light_body(drawn, seen, x, y, 3, many, usual, held, rules->least_light, rules->first_scale,
                                            rules->least_scale, rules->by_median, rounds, light);
    free(work);
    return fine;
}

#if defined(__GNUC__)
typedef float Four __attribute__((vector_size(16))); /* half of LANES; or three channels, and one number more that is 0 */
typedef double Sums __attribute__((vector_size(32)));
#define SUMS(four) __builtin_convertvector((four), Sums)
#define MEANS(sums) __builtin_convertvector((sums), Four)
#define FOUR(blue, green, red) ((Four){(float)(blue), (float)(green), (float)(red), 0.0f})
#else /* a compiler without vectors: numpy does it */
typedef float Four;
typedef double Sums;
#define SUMS(four) ((double)(four))
#define MEANS(sums) ((float)(sums))
#define FOUR(blue, green, red) ((float)(blue))
#endif

/* The sum of three channels. */
INLINE double in_all(Four of) {
    float each[4] = {0.0f};
    memcpy(each, &of, sizeof of);
    return (double)each[0] + (double)each[1] + (double)each[2];
}

/* parted (height, width, LANES): where faces look alike 1, what is left of what is seen, and the common print in the
 * light; 0 elsewhere. Gives the mean square of what is left: `_parted`. */
INLINE double parted_in(const AlikeHere *here, const double *light, float *parted) {
    long all = here->height * here->width, count = 0;
    const float full = (float)(1.0 / 255.0);
    double sum = 0.0;
    Four terms[6], squares = FOUR(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 6; k++) terms[k] = FOUR(light[k], light[6 + k], light[12 + k]);
    memset(parted, 0, sizeof(float) * LANES * (size_t)all);
    for (long i = 0; i < all; i++) {
        if (!here->alike[i]) continue;
        float *of_point = parted + LANES * i;
        const float x = (float)here->x[i], y = (float)here->y[i], *print = here->drawn + 3 * i;
        const double *level = here->seen + 3 * i;
        const Four drawn = FOUR(print[0], print[1], print[2]), seen = FOUR(level[0], level[1], level[2]);
        const Four gain = terms[0] + x * terms[1] + y * terms[2], haze = terms[3] + x * terms[4] + y * terms[5];
        const Four bright = drawn * (drawn * full) * gain + haze, left = seen * (seen * full) - bright;
        of_point[0] = 1.0f;
        memcpy(of_point + 1, &left, sizeof left); /* the fourth is overwritten */
        memcpy(of_point + 4, &bright, sizeof bright);
        squares += left * left;
        if (++count % PART == 0) sum += in_all(squares), squares = FOUR(0.0f, 0.0f, 0.0f);
    }
    sum += in_all(squares);
    return count ? sum / (3.0 * (double)count) : 0.0;
}

/* Running means of `size` points each way, of the points in a box: mean (height, width, LANES) there. As cv2.blur. */
INLINE int running_mean(const float *values, long height, long width, long size, const LitBox *box, float *mean) {
    long reach = size / 2, first = box->left - reach, columns = box->right - box->left + 2 * reach + 1;
    double *sums = calloc(2 * LANES * (size_t)columns, sizeof(double)), *rows = sums + LANES * columns;
    const double scale = 1.0 / (double)(size * size);
    long *at = malloc(sizeof(long) * (size_t)columns);
    int fine = sums && at;
    for (long i = 0; fine && i < columns; i++) {
        at[i] = LANES * mirrored(first + i, width);
        for (long k = -reach; k < reach; k++) {
            const float *of_row = values + LANES * mirrored(box->top + k, height) * width + at[i];
            for (int l = 0; l < LANES; l++) sums[LANES * i + l] += of_row[l];
        }
    }
    for (long row = box->top; fine && row <= box->bottom; row++) {
        const float *below = values + LANES * width * mirrored(row + reach, height);
        const float *above = values + LANES * width * mirrored(row - reach, height);
        float *to = mean + LANES * (row * width + box->left);
        for (int half = 0; half < LANES; half += 4) {
            Sums across = {0.0}, sum, gone;
            for (long i = 0; i < columns; i++) {
                double *of_column = sums + LANES * i + half;
                Four value, leaves, found;
                memcpy(&sum, of_column, sizeof sum);
                memcpy(&value, below + at[i] + half, sizeof value);
                memcpy(&leaves, above + at[i] + half, sizeof leaves);
                sum += SUMS(value);
                across += sum;
                if (i >= size - 1) {
                    found = MEANS(across * scale);
                    memcpy(to + LANES * (i - size + 1) + half, &found, sizeof found);
                    memcpy(&gone, rows + LANES * (i - size + 1) + half, sizeof gone);
                    across -= gone;
                }
                memcpy(rows + LANES * i + half, &sum, sizeof sum);
                sum -= SUMS(leaves);
                memcpy(of_column, &sum, sizeof sum);
            }
        }
    }
    free(sums);
    free(at);
    return fine;
}

/* The box round the points (n) with the numbers at, and so many more points each way, as far as there are any. */
INLINE LitBox box_of(const int64_t *at, long n, const AlikeHere *here, long more) {
    LitBox box = {here->height - 1, 0, here->width - 1, 0};
    for (long i = 0; i < n; i++) {
        long row = (long)at[i] / here->width, column = (long)at[i] % here->width;
        box.top = row < box.top ? row : box.top, box.bottom = row > box.bottom ? row : box.bottom;
        box.left = column < box.left ? column : box.left, box.right = column > box.right ? column : box.right;
    }
    box.top = box.top > more ? box.top - more : 0, box.left = box.left > more ? box.left - more : 0;
    box.bottom = box.bottom + more < here->height ? box.bottom + more : here->height - 1;
    box.right = box.right + more < here->width ? box.right + more : here->width - 1;
    return box;
}

/* The faces with the numbers these (count) among (faces, all, 3) at the points (n) with the numbers at: lit (count, n, 3),
 * by what lies near each point, near (all, LANES); what is printed round about each, about (n, 3); and the variance (n)
 * of the light, by the mean square of all that it leaves. */
INLINE void lit_at(const float *faces, const int64_t *these, long count, const int64_t *at, long n, const AlikeHere *here,
                   const double *light, const float *near_, double uneven2, const LitRules *rules, double *work,
                   double *lit, double *about, double *doubt2) {
    const float full = 255.0f;
    double *gain = work, *base = work + 3 * n;
    for (long i = 0; i < n; i++) {
        const float *of_point = near_ + LANES * at[i];
        double a = here->x[at[i]], b = here->y[at[i]], bright = 0.0;
        for (int c = 0; c < 3; c++) {
            const double *of = light + 6 * c;
            float rest = of_point[1 + c] / (of_point[0] + (float)rules->hardly);
            float print = of_point[4 + c] / (of_point[0] + (float)rules->little) + rest;
            float level = sqrtf(fminf(fmaxf(print, 0.0f), full) * full);
            about[3 * i + c] = (double)level;
            bright += as_light_seen((double)level) / 3.0;
            gain[3 * i + c] = of[0] + of[1] * a + of[2] * b;
            base[3 * i + c] = of[3] + of[4] * a + of[5] * b + (double)rest;
        }
        doubt2[i] = uneven2 * 255.0 / (4.0 * greater_of(bright, rules->least_light)) * (1.0 - (double)of_point[0]);
    }
    for (long f = 0; f < count; f++) {
        const float *face = faces + 3 * here->height * here->width * these[f];
        double *found = lit + 3 * n * f;
        for (long i = 0; i < n; i++)
            for (int c = 0; c < 3; c++) found[3 * i + c] = as_light_drawn(face[3 * at[i] + c]);
#pragma omp simd
        for (long i = 0; i < 3 * n; i++) {
            double bright = found[i] * gain[i] + base[i];
            bright = bright > 0.0 ? bright : 0.0;
            found[i] = sqrt((bright < 255.0 ? bright : 255.0) * 255.0);
        }
    }
}

/* As `_lit`, of the faces with the numbers these (count) among (faces, height, width, 3), at the points (n) with the
 * numbers at: see `lit_at` for what is found. drawn, seen (height, width, 3) and alike (height, width): see AlikeHere.
 * x, y (height, width): where the points lie. numbers: rounds of reweighting, how many points tell the light, and over
 * how many it is even. 1 if all went well. */
INLINE int arena_lit_body(const float *faces, const int64_t *these, long count, const int64_t *at, long n, long height,
                          long width, const float *drawn, const double *seen, const uint8_t *alike, const double *x,
                          const double *y, const double *white, const double *rules_, const int64_t *numbers,
                          double *lit, double *about, double *doubt2) {
    LitRules rules;
    memcpy(&rules, rules_, sizeof rules);
    AlikeHere here = {drawn, seen, x, y, alike, height, width};
    double light[18];
    size_t all = (size_t)(height * width);
    float *near_ = malloc(sizeof(float) * 2 * LANES * (all ? all : 1)), *once = near_ + LANES * all;
    double *work = malloc(sizeof(double) * 6 * (size_t)(n ? n : 1));
    int fine = sizeof(Four) == sizeof(float) * LANES / 2 && near_ && work && n > 0 && light_over(&here, white, &rules, (long)numbers[0], (long)numbers[1], light);
    if (fine) {
        long size = (long)numbers[2];
        LitBox box = box_of(at, n, &here, 0), wider = box_of(at, n, &here, size / 2);
        double uneven2 = parted_in(&here, light, near_);
        fine = running_mean(near_, height, width, size, &wider, once) && running_mean(once, height, width, size, &box, near_);
        if (fine) lit_at(faces, these, count, at, n, &here, light, near_, uneven2, &rules, work, lit, about, doubt2);
    }
    free(near_);
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_lit,
             (const float *faces, const int64_t *these, long count, const int64_t *at, long n, long height, long width,
              const float *drawn, const double *seen, const uint8_t *alike, const double *x, const double *y,
              const double *white, const double *rules_, const int64_t *numbers, double *lit, double *about,
              double *doubt2),
             (faces, these, count, at, n, height, width, drawn, seen, alike, x, y, white, rules_, numbers, lit, about,
              doubt2))

/* ---- how steep faces are: faces/softness.py, `slope_at` ---- */

/* How steep (count, places) each of the faces (count, height, width, 3) is at the points with these numbers (places), in
 * the channel in which it is steepest: Sobel's 3x3, beyond the rim mirrored at the outermost point. */
INLINE int arena_slopes_body(const float *faces, long count, long height, long width, const int64_t *points,
                             long places, double *slopes) {
    for (long f = 0; f < count; f++)
        for (long p = 0; p < places; p++) {
            long row = (long)points[p] / width, column = (long)points[p] % width;
            long above = row ? row - 1 : height > 1, below = row < height - 1 ? row + 1 : height > 1 ? height - 2 : 0;
            long before = column ? column - 1 : width > 1, after = column < width - 1 ? column + 1 : width > 1 ? width - 2 : 0;
            const float *face = faces + 3 * height * width * f;
            const float *upper = face + 3 * above * width, *here = face + 3 * row * width, *lower = face + 3 * below * width;
            float most = 0.0f;
            for (int c = 0; c < 3; c++) {
                float a = upper[3 * before + c], b = upper[3 * column + c], d = upper[3 * after + c];
                float e = here[3 * before + c], g = here[3 * after + c];
                float h = lower[3 * before + c], i = lower[3 * column + c], j = lower[3 * after + c];
                float right = ((d - a) + 2.0f * (g - e) + (j - h)) * 0.125f;
                float down = ((h - a) + 2.0f * (i - b) + (j - d)) * 0.125f;
                float steep = right * right + down * down;
                most = steep > most ? steep : most;
            }
            slopes[f * places + p] = sqrt((double)most);
        }
    return 1;
}

ON_EVERY_CPU(int, arena_slopes,
             (const float *faces, long count, long height, long width, const int64_t *points, long places,
              double *slopes),
             (faces, count, height, width, points, places, slopes))

/* ---- where faces are told apart: faces/telling.py, `_where_apart` ---- */

/* Whether a displacement of no more than off_px makes all of the difference of the faces with the numbers these (count)
 * among (faces, height, width, 3) at a point, so that what is left of it is no more than `different`: `_is_displaced`.
 * common (height, width, 3) is their mean. */
INLINE int is_displaced(const float *faces, const int64_t *these, long count, long height, long width,
                        const float *common, long point, float different, float off_px) {
    const long row = point / width, column = point % width, above = mirrored(row - 1, height), below = mirrored(row + 1, height);
    const long before = mirrored(column - 1, width), after = mirrored(column + 1, width);
    const float *upper = common + 3 * above * width, *here = common + 3 * row * width, *lower = common + 3 * below * width;
    float right[3], down[3], rr = 0.0f, rd = 0.0f, dd = 0.0f, least[3], most[3];
    for (int c = 0; c < 3; c++) {
        const float a = upper[3 * before + c], b = upper[3 * column + c], d = upper[3 * after + c];
        const float e = here[3 * before + c], g = here[3 * after + c];
        const float h = lower[3 * before + c], i = lower[3 * column + c], j = lower[3 * after + c];
        right[c] = ((d - a) + 2.0f * (g - e) + (j - h)) * 0.125f;
        down[c] = ((h - a) + 2.0f * (i - b) + (j - d)) * 0.125f;
        rr += right[c] * right[c], rd += right[c] * down[c], dd += down[c] * down[c];
        least[c] = INFINITY, most[c] = -INFINITY;
    }
    const float ridge = 1e-3f * (rr + dd) + 1e-6f, of_both = (rr + ridge) * (dd + ridge) - rd * rd;
    for (long f = 0; f < count; f++) {
        const float *ink = faces + 3 * (height * width * (long)these[f] + point);
        float off[3], r = 0.0f, d = 0.0f;
        for (int c = 0; c < 3; c++) off[c] = ink[c] - here[3 * column + c], r += off[c] * right[c], d += off[c] * down[c];
        float by_right = ((dd + ridge) * r - rd * d) / of_both, by_down = ((rr + ridge) * d - rd * r) / of_both;
        const float length = sqrtf(by_right * by_right + by_down * by_down);
        const float shorter = length > off_px ? off_px / length : 1.0f;
        for (int c = 0; c < 3; c++) {
            const float left = off[c] - shorter * by_right * right[c] - shorter * by_down * down[c];
            least[c] = left < least[c] ? left : least[c], most[c] = left > most[c] ? left : most[c];
        }
    }
    return most[0] - least[0] <= different && most[1] - least[1] <= different && most[2] - least[2] <= different;
}

/* At which of the points (many) with the numbers `points` the faces with the numbers these (count) among (faces, height,
 * width, 3) are told apart: told (many), 1 there. spread and common (height, width, 3): by how much they differ, and their
 * mean. slopes (faces, many): how steep all faces are there. */
INLINE int arena_apart_body(const float *faces, const int64_t *these, long count, long height, long width,
                            const float *spread, const float *common, const int64_t *points, long many,
                            const double *slopes, double different, double off_px, uint8_t *told) {
    for (long p = 0; p < many; p++) {
        const long point = (long)points[p];
        double steepest = 0.0;
        told[p] = spread[point] > (float)different;
        if (!told[p]) continue;
        for (long f = 0; f < count; f++) steepest = greater_of(slopes[many * these[f] + p], steepest);
        if ((double)spread[point] < off_px * steepest)
            told[p] = !is_displaced(faces, these, count, height, width, common, point, (float)different, (float)off_px);
    }
    return 1;
}

ON_EVERY_CPU(int, arena_apart,
             (const float *faces, const int64_t *these, long count, long height, long width, const float *spread,
              const float *common, const int64_t *points, long many, const double *slopes, double different,
              double off_px, uint8_t *told),
             (faces, these, count, height, width, spread, common, points, many, slopes, different, off_px, told))

/* ---- faces that look alike over most of a card: reading/finding/told_names.py, `alike_groups` ---- */

/* To which group (from 0) each of faces (count, n, 3) belongs: groups (count). In their order (count) each joins the first
 * group whose first face differs from it by less than `levels` at more than a share `mostly` of the points (many) with the
 * numbers at; or it begins another. 0 where there is no memory. */
INLINE int arena_grouped_body(const float *faces, long n, const int64_t *order, long count, const int64_t *at, long many,
                              double levels, double mostly, int64_t *groups) {
    float *few = malloc(sizeof(float) * 3 * (size_t)(many ? many : 1) * (size_t)(count + 1)), within_ = (float)levels;
    int64_t *first = malloc(sizeof(int64_t) * (size_t)count), begun = 0;
    int fine = few && first;
    for (long f = 0; fine && f < count; f++)
        for (int c = 0; c < 3; c++) {
            float *row = few + (3 * f + c) * many;
            const float *face = faces + 3 * n * f + c;
            for (long i = 0; i < many; i++) row[i] = face[3 * at[i]];
        }
    for (long k = 0; fine && k < count; k++) {
        const float *a = few + 3 * many * order[k];
        int64_t group = 0;
        for (; group < begun; group++) {
            const float *b = few + 3 * many * first[group];
            long alike = 0;
#pragma omp simd reduction(+ : alike)
            for (long i = 0; i < many; i++) {
                float x = fabsf(a[i] - b[i]), y = fabsf(a[many + i] - b[many + i]);
                float z = fabsf(a[2 * many + i] - b[2 * many + i]);
                alike += (x < within_) & (y < within_) & (z < within_);
            }
            if (!many || (double)alike / (double)many > mostly) break;
        }
        if (group == begun) first[begun++] = order[k];
        groups[order[k]] = group;
    }
    free(few);
    free(first);
    return fine;
}

ON_EVERY_CPU(int, arena_grouped,
             (const float *faces, long n, const int64_t *order, long count, const int64_t *at, long many, double levels,
              double mostly, int64_t *groups),
             (faces, n, order, count, at, many, levels, mostly, groups))
