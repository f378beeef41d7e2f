/* What the eye computes most, in C: photometric alignment, the evidence of a face's tiles, the robust residuals of the
 * likeliest faces, where faces differ and what small print says for a name, outlines of cards, marks of ink, the
 * nearest binary descriptors, and what differs from the empty floor.
 *
 * Each function has a twin in numpy, named beside it, which says what is computed and why; the tests hold both against
 * each other. Constants come from the twins. No Python.h: the library is loaded with ctypes, so one build serves every
 * version of Python and numpy. All arrays are contiguous; a row of the twin's array is a row here.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif
#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API
#endif

/* Built once, run on whatever processor is there: on x86 each function is there twice, once for processors with AVX2 and
 * fused multiplication. (ARM's 64-bit processors have that in their baseline.) Fused, bilinear samples round as
 * cv2.remap's do. A function's body is inlined into both. */
#if defined(__x86_64__) && defined(__GNUC__)
#define ON_EVERY_CPU(result, name, parameters, arguments)                                                             \
    static __attribute__((target("avx2,fma,popcnt"))) result name##_fast parameters { return name##_body arguments; } \
    static result name##_plain parameters { return name##_body arguments; }                                           \
    API result name parameters {                                                                                      \
        int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt"); \
        return fast ? name##_fast arguments : name##_plain arguments;                                                 \
    }
#else
#define ON_EVERY_CPU(result, name, parameters, arguments)                                                             \
    API result name parameters { return name##_body arguments; }
#endif

#define BLOCK 64 /* points whose rows are multiplied while they are in the cache */

/* The fingerprint of this file as it was when it was compiled; the loader compares. */
#ifndef SOURCE_FINGERPRINT
#define SOURCE_FINGERPRINT "unknown"
#endif
API const char *arena_fingerprint(void) { return SOURCE_FINGERPRINT; }

/* ---- small linear algebra ---- */

/* Solves a (n, n) x = b (n, m) in place by elimination with partial pivoting, as LAPACK's gesv does; 0 if singular. */
INLINE int solve(double *a, double *b, int n, int m) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[best * n + c])) best = r;
        if (a[best * n + c] == 0.0) return 0;
        if (best != c) {
            for (int j = 0; j < n; j++) { double t = a[c * n + j]; a[c * n + j] = a[best * n + j]; a[best * n + j] = t; }
            for (int j = 0; j < m; j++) { double t = b[c * m + j]; b[c * m + j] = b[best * m + j]; b[best * m + j] = t; }
        }
        for (int r = c + 1; r < n; r++) {
            double f = a[r * n + c] / a[c * n + c];
            if (f == 0.0) continue;
            for (int j = c + 1; j < n; j++) a[r * n + j] -= f * a[c * n + j];
            for (int j = 0; j < m; j++) b[r * m + j] -= f * b[c * m + j];
        }
    }
    for (int r = n - 1; r >= 0; r--)
        for (int j = 0; j < m; j++) {
            double s = b[r * m + j];
            for (int c = r + 1; c < n; c++) s -= a[r * n + c] * b[c * m + j];
            b[r * m + j] = s / a[r * n + r];
        }
    return 1;
}

/* The k-th smallest (from 0) of values (n), which are reordered (Hoare's selection). */
INLINE double kth_smallest(double *v, long n, long k) {
    long low = 0, high = n - 1;
    while (low < high) {
        double pivot = v[low + (high - low) / 2];
        long i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i <= j) { double t = v[i]; v[i] = v[j]; v[j] = t; i++; j--; }
        }
        if (k <= j) high = j;
        else if (k >= i) low = i;
        else break;
    }
    return v[k];
}

#define BUCKETS 1024
#define FEW 128 /* fewer values are not worth counting into buckets */

/* The k-th smallest (from 0) of values (n) that are not negative, which are overwritten: as kth_smallest, in a fifth of
 * its time. Sorted like whole numbers of their bits, they are counted into buckets of a sixteenth of an octave. */
INLINE double kth_of_many(double *v, long n, long k) {
    if (n < FEW) return kth_smallest(v, n, k);
    double greatest = 0.0;
    for (long i = 0; i < n; i++) greatest = v[i] > greatest ? v[i] : greatest;
    uint64_t bits;
    memcpy(&bits, &greatest, sizeof bits);
    int64_t base = (int64_t)(bits >> 48) - (BUCKETS - 1);
    int32_t counts[BUCKETS] = {0};
    for (long i = 0; i < n; i++) {
        memcpy(&bits, &v[i], sizeof bits);
        int64_t bucket = (int64_t)(bits >> 48) - base;
        counts[bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1]++;
    }
    long below = 0, here = 0, kept = 0;
    while (below + counts[here] <= k) below += counts[here++];
    for (long i = 0; i < n; i++) {
        memcpy(&bits, &v[i], sizeof bits);
        int64_t bucket = (int64_t)(bits >> 48) - base;
        bucket = bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1;
        double value = v[i];
        v[kept] = value;
        kept += bucket == here;
    }
    return kth_smallest(v, kept, k - below);
}

/* gram (rows, rows) += weighted d (rows, stride) of n points; d and w d are given as rows. Only i <= j is filled. */
INLINE void add_gram(double *gram, const double *d, const double *wd, int rows, long stride, long n) {
    for (int i = 0; i < rows; i++)
        for (int j = i; j < rows; j++) {
            const double *a = wd + i * stride, *b = d + j * stride;
            double s = 0.0;
#pragma omp simd reduction(+ : s)
            for (long p = 0; p < n; p++) s += a[p] * b[p];
            gram[i * rows + j] += s;
        }
}

/* ---- cameras, poses, pictures ---- */

/* A camera as Camera.flat gives it. */
typedef struct {
    double R[9], t[3], pixel[12], k1, k2, k3, focal, centre[3];
} Camera;

/* A float picture and how many of its pixels one pixel of the frame is. */
typedef struct {
    const float *data;
    long height, width;
    double scale;
} Picture;

/* From (x, y, 1) on the card's plane to the camera frame: (3, 3). pose is R (9) and the middle (3). */
INLINE void plane_in_camera(const Camera *camera, const double *pose, double *M) {
    for (int r = 0; r < 3; r++) {
        const double *row = camera->R + 3 * r;
        for (int c = 0; c < 2; c++) M[3 * r + c] = row[0] * pose[c] + row[1] * pose[3 + c] + row[2] * pose[6 + c];
        M[3 * r + 2] = row[0] * pose[9] + row[1] * pose[10] + row[2] * pose[11] + camera->t[r];
    }
}

/* Camera.project_plane of one point. */
INLINE void project(const Camera *camera, const double *M, double X, double Y, double *u, double *v) {
    double z = M[6] * X + M[7] * Y + M[8];
    double x = (M[0] * X + M[1] * Y + M[2]) / z, y = (M[3] * X + M[4] * Y + M[5]) / z;
    double xy = x * y, xx = x * x, yy = y * y, r2 = xx + yy;
    double radial = ((r2 * camera->k3 + camera->k2) * r2 + camera->k1) * r2 + 1.0;
    const double *p = camera->pixel;
    *u = p[0] * (x * radial) + p[1] * (y * radial) + p[2] * xy + p[3] * xx + p[4] * yy + p[5];
    *v = p[6] * (x * radial) + p[7] * (y * radial) + p[8] * xy + p[9] * xx + p[10] * yy + p[11];
}

/* The picture at a pixel of the frame, bilinear, as Pyramid.sample_at; 0 outside it, where nothing is seen. */
INLINE int sample(const Picture *picture, double u, double v, double *seen) {
    float x = (float)(u * picture->scale), y = (float)(v * picture->scale);
    *seen = 0.0;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)(picture->width - 1) && y < (float)(picture->height - 1))) return 0;
    long column = (long)x, row = (long)y;
    float a = x - (float)column, b = y - (float)row;
    const float *at = picture->data + row * picture->width + column;
    float upper = at[0] + a * (at[1] - at[0]);
    float lower = at[picture->width] + a * (at[picture->width + 1] - at[picture->width]);
    *seen = (double)(upper + b * (lower - upper));
    return 1;
}

/* Whether a pixel of the frame is claimed, as Claims.at. */
INLINE int is_claimed(const uint8_t *mask, long height, long width, double step, double u, double v) {
    double x = u * (1.0 / step) + 0.5, y = v * (1.0 / step) + 0.5;
    x = fmax(fmin(x, (double)(width - 1)), 0.0);
    y = fmax(fmin(y, (double)(height - 1)), 0.0);
    return mask[(long)y * width + (long)x] != 0;
}

/* ---- photometric alignment: faces/alignment.py, `align` ---- */

typedef struct {
    double light_ridge[6], tukey, on_its_way_px, astray, slowest, fastest, along_one_line, in_view, half_card;
} AlignRules;

typedef struct {
    long n;
    const double *x, *y, *value, *slope_x, *slope_y, *doubt, *weight;
} Points;

/* What one look at the picture gives: normal (12, 12) and right (12), six of the pose in world axes, six of the light. */
typedef struct {
    double normal[144], right[12], rms, scale;
} System;

INLINE void basis_of(const Points *points, long i, double half, double *basis) {
    double x = points->x[i] / half, y = points->y[i] / half;
    basis[0] = points->value[i];
    basis[1] = points->value[i] * x;
    basis[2] = points->value[i] * y;
    basis[3] = 1.0;
    basis[4] = x;
    basis[5] = y;
}

/* `_plain_light`: the light (6) that brings the face to the picture, nothing taken for an outlier. */
INLINE int plain_light(const Points *points, const double *seen, const double *base, const AlignRules *rules,
                       double *light) {
    double gram[49] = {0}, d[7 * BLOCK], wd[7 * BLOCK];
    for (long first = 0; first < points->n; first += BLOCK) {
        long count = points->n - first < BLOCK ? points->n - first : BLOCK;
        for (long p = 0; p < count; p++) {
            double b[6];
            basis_of(points, first + p, rules->half_card, b);
            for (int r = 0; r < 6; r++) d[r * BLOCK + p] = b[r];
            d[6 * BLOCK + p] = seen[first + p];
            for (int r = 0; r < 7; r++) wd[r * BLOCK + p] = d[r * BLOCK + p] * base[first + p];
        }
        add_gram(gram, d, wd, 7, BLOCK, count);
    }
    double normal[36], mean = 0.0;
    for (int i = 0; i < 6; i++) mean += gram[i * 7 + i] / 6.0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) normal[i * 6 + j] = i <= j ? gram[i * 7 + j] : gram[j * 7 + i];
        normal[i * 6 + i] += mean * 1e-6 + rules->light_ridge[i] * gram[i * 7 + i] + 1e-9;
        light[i] = gram[i * 7 + 6];
    }
    return solve(normal, light, 6, 1);
}

/* `_normal_equations` at a pose; light is that to linearise at, or found if not `lit`. `work` holds 4 n doubles. */
INLINE int look(const Picture *picture, const Camera *camera, const Points *points, const double *pose, int lit,
                double *light, double scale_floor, int doubted, const AlignRules *rules, System *system, double *work) {
    long n = points->n, asked = 0;
    double *seen = work, *base = work + n, *residual = work + 2 * n, *off = work + 3 * n, M[9];
    plane_in_camera(camera, pose, M);
    for (long i = 0; i < n; i++) {
        double u, v;
        project(camera, M, points->x[i], points->y[i], &u, &v);
        base[i] = sample(picture, u, v, &seen[i]) ? (points->weight ? points->weight[i] : 1.0) : 0.0;
    }
    if (!lit && !plain_light(points, seen, base, rules, light)) return 0;
    double half = rules->half_card;
    for (long i = 0; i < n; i++) {
        double x = points->x[i] / half, y = points->y[i] / half, value = points->value[i];
        residual[i] = seen[i] - (light[0] * value + light[1] * (value * x) + light[2] * (value * y) + light[3] +
                                 light[4] * x + light[5] * y);
        if (base[i] > 0.0) off[asked++] = fabs(residual[i]);
    }
    double scale = scale_floor;
    if (asked) scale = fmax(scale_floor, 1.4826 * kth_of_many(off, asked, asked / 2));
    /* where the camera stands in the card's frame, and the derivatives by a step in that frame: `mixture` */
    double stand[3], out[3];
    for (int i = 0; i < 3; i++)
        stand[i] = pose[i] * (camera->centre[0] - pose[9]) + pose[3 + i] * (camera->centre[1] - pose[10]) +
                   pose[6 + i] * (camera->centre[2] - pose[11]);
    out[0] = -stand[0] / stand[2];
    out[1] = -stand[1] / stand[2];
    out[2] = 1.0 / stand[2];
    double gram[169] = {0}, d[13 * BLOCK], wd[13 * BLOCK], robust_sum = 0.0, squares = 0.0;
    for (long first = 0; first < n; first += BLOCK) {
        long count = n - first < BLOCK ? n - first : BLOCK;
#pragma omp simd reduction(+ : robust_sum, squares)
        for (long p = 0; p < count; p++) {
            long i = first + p;
            double x = points->x[i], y = points->y[i], value = points->value[i];
            double tx = points->slope_x[i], ty = points->slope_y[i], spread = x * tx + y * ty;
            double away = out[0] * tx + out[1] * ty + out[2] * spread;
            double gain = light[0] + (x * light[1] + y * light[2]) / half;
            double u = doubted ? residual[i] / sqrt(scale * scale + light[0] * light[0] * points->doubt[i])
                               : residual[i] / scale;
            u *= 1.0 / rules->tukey;
            u = 1.0 - u * u;
            u = u > 0.0 ? u : 0.0;
            double robust = u * u * base[i];
            d[0 * BLOCK + p] = tx * gain;
            d[1 * BLOCK + p] = ty * gain;
            d[2 * BLOCK + p] = away * gain;
            d[3 * BLOCK + p] = y * away * gain;
            d[4 * BLOCK + p] = -x * away * gain;
            d[5 * BLOCK + p] = (x * ty - y * tx) * gain;
            d[6 * BLOCK + p] = -value;
            d[7 * BLOCK + p] = -value * (x / half);
            d[8 * BLOCK + p] = -value * (y / half);
            d[9 * BLOCK + p] = -1.0;
            d[10 * BLOCK + p] = -x / half;
            d[11 * BLOCK + p] = -y / half;
            d[12 * BLOCK + p] = seen[i];
            for (int r = 0; r < 13; r++) wd[r * BLOCK + p] = d[r * BLOCK + p] * robust;
            robust_sum += robust;
            squares += robust * residual[i] * residual[i];
        }
        add_gram(gram, d, wd, 13, BLOCK, count);
    }
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < i; j++) gram[i * 13 + j] = gram[j * 13 + i];
    /* steps in the card's frame become steps along the world's axes */
    for (int i = 0; i < 13; i++)
        for (int part = 0; part < 6; part += 3) {
            double row[3];
            for (int j = 0; j < 3; j++)
                row[j] = pose[3 * j] * gram[i * 13 + part] + pose[3 * j + 1] * gram[i * 13 + part + 1] +
                         pose[3 * j + 2] * gram[i * 13 + part + 2];
            for (int j = 0; j < 3; j++) gram[i * 13 + part + j] = row[j];
        }
    for (int j = 0; j < 13; j++)
        for (int part = 0; part < 6; part += 3) {
            double column[3];
            for (int i = 0; i < 3; i++)
                column[i] = pose[3 * i] * gram[part * 13 + j] + pose[3 * i + 1] * gram[(part + 1) * 13 + j] +
                            pose[3 * i + 2] * gram[(part + 2) * 13 + j];
            for (int i = 0; i < 3; i++) gram[(part + i) * 13 + j] = column[i];
        }
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) system->normal[i * 12 + j] = gram[i * 13 + j];
        system->right[i] = -gram[i * 13 + 12];
    }
    system->rms = sqrt(squares / fmax(robust_sum, 1.0));
    system->scale = scale;
    return 1;
}

/* `_relaxation`: what to multiply the next step by. */
INLINE double relaxed(double relaxation, const double *before, const double *wished, const AlignRules *rules) {
    double along = 0.0, first2 = 0.0, second2 = 0.0, down = 0.0, change2 = 0.0;
    int any = 0;
    for (int i = 0; i < 6; i++) {
        double length = i < 3 ? 1.0 : rules->half_card, first = before[i] * length, second = wished[i] * length;
        along += first * second;
        first2 += first * first;
        second2 += second * second;
        down += first * (second - first);
        change2 += (second - first) * (second - first);
        any |= first != 0.0;
    }
    if (along * along < rules->along_one_line * rules->along_one_line * first2 * second2 || !any) return 1.0;
    return fmin(fmax(-relaxation * down / (change2 + 1e-30), rules->slowest), rules->fastest);
}

/* CardPose.moved: cv2.Rodrigues of the turn, times R; the middle shifted. */
INLINE void move(double *pose, const double *step) {
    double theta = sqrt(step[3] * step[3] + step[4] * step[4] + step[5] * step[5]);
    for (int i = 0; i < 3; i++) pose[9 + i] += step[i];
    if (theta < 2.220446049250313e-16) return;
    double c = cos(theta), s = sin(theta), x = step[3] / theta, y = step[4] / theta, z = step[5] / theta, c1 = 1.0 - c;
    double turn[9] = {c + c1 * x * x,     c1 * x * y - s * z, c1 * x * z + s * y, c1 * x * y + s * z, c + c1 * y * y,
                      c1 * y * z - s * x, c1 * x * z - s * y, c1 * y * z + s * x, c + c1 * z * z};
    double turned[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[3 * i + j] = turn[3 * i] * pose[j] + turn[3 * i + 1] * pose[3 + j] + turn[3 * i + 2] * pose[6 + j];
    memcpy(pose, turned, sizeof turned);
}

/* One step (6, in world axes) and the light that goes with it; 0 where the equations lead nowhere. */
INLINE int next_step(const System *system, const double *steps, int k, const double *prior, const double *total,
                     double astray, double *wished, double *light) {
    int size = k + 6;
    double normal[144], right[12], across[12 * 12];
    for (int i = 0; i < k; i++) /* motion^T normal: (k, 12) */
        for (int j = 0; j < 12; j++) {
            across[i * 12 + j] = 0.0;
            for (int a = 0; a < 6; a++) across[i * 12 + j] += steps[a * k + i] * system->normal[a * 12 + j];
        }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            normal[i * size + j] = 0.0;
            for (int a = 0; a < 6; a++) normal[i * size + j] += across[i * 12 + a] * steps[a * k + j];
        }
        for (int j = 0; j < 6; j++) normal[i * size + k + j] = normal[(k + j) * size + i] = across[i * 12 + 6 + j];
        right[i] = 0.0;
        for (int a = 0; a < 6; a++) right[i] += steps[a * k + i] * system->right[a];
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) normal[(k + i) * size + k + j] = system->normal[(6 + i) * 12 + 6 + j];
        right[k + i] = system->right[6 + i];
    }
    if (prior) { /* information (6, 6) about all steps together */
        double scale2 = system->scale * system->scale;
        for (int i = 0; i < k; i++)
            for (int a = 0; a < 6; a++) {
                double held = 0.0;
                for (int b = 0; b < 6; b++) held += steps[b * k + i] * prior[b * 6 + a];
                for (int j = 0; j < k; j++) normal[i * size + j] += scale2 * held * steps[a * k + j];
                right[i] += scale2 * held * -total[a];
            }
    }
    double trace = 0.0;
    for (int i = 0; i < size; i++) trace += normal[i * size + i];
    for (int i = 0; i < size; i++) normal[i * size + i] += 1e-9 * trace / size + 1e-12;
    if (!solve(normal, right, size, 1)) return 0;
    for (int i = 0; i < k; i++)
        if (!(fabs(right[i]) < astray)) return 0;
    for (int a = 0; a < 6; a++) {
        wished[a] = 0.0;
        for (int i = 0; i < k; i++) wished[a] += steps[a * k + i] * right[i];
        light[a] = right[k + a];
    }
    return 1;
}

/* `_of_pose_alone`, less what the last step has moved already: information (6, 6), rms, pull (6). */
INLINE int pose_alone(const System *system, const double *step, double *found) {
    double corner[36], through[42], trace = 0.0;
    for (int i = 6; i < 12; i++) trace += system->normal[i * 12 + i];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            corner[i * 6 + j] = system->normal[(6 + i) * 12 + 6 + j];
            through[i * 7 + j] = system->normal[(6 + i) * 12 + j];
        }
        corner[i * 6 + i] += 1e-6 * trace / 6.0 + 1e-9;
        through[i * 7 + 6] = system->right[6 + i];
    }
    if (!solve(corner, through, 6, 7)) return 0;
    double variance = fmax(system->rms, 0.5) * fmax(system->rms, 0.5);
    for (int i = 0; i < 6; i++) {
        double pull = system->right[i];
        for (int j = 0; j < 6; j++) {
            double of_light = 0.0;
            for (int a = 0; a < 6; a++) of_light += system->normal[i * 12 + 6 + a] * through[a * 7 + j];
            found[i * 6 + j] = (system->normal[i * 12 + j] - of_light) / variance;
            pull -= system->normal[i * 12 + 6 + j] * through[j * 7 + 6];
        }
        found[37 + i] = pull / variance;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) found[37 + i] -= found[i * 6 + j] * step[j];
    found[36] = system->rms;
    return 1;
}

/* Aligns a face to a picture (height, width) from pose (12), which becomes where it ends; found (43): information
 * (6, 6), rms, pull (6). places (3, n), light (6, n) and motion (10, n) as FacePoints has them; weights (n) or NULL;
 * steps (6, k); prior (36) or NULL; plan: iterations, at most, converged_px, scale_floor, tolerant. 1 if all went well. */
INLINE int arena_align_body(const float *data, long height, long width, double shrunk, const double *camera_,
                              long n, const double *places, const double *light_, const double *motion,
                              const double *doubt, const double *weights, const double *steps, long k,
                              const double *prior, const double *plan, const double *rules_, double *pose,
                              double *found) {
    Picture picture = {data, height, width, shrunk};
    Camera camera;
    AlignRules rules;
    memcpy(&camera, camera_, sizeof camera);
    memcpy(&rules, rules_, sizeof rules);
    double size = 0.0, in_view = 0.0;
    for (long i = 0; i < 2 * n; i++) size = fmax(size, fabs(places[i]));
    double *work = malloc(sizeof(double) * 11 * (size_t)(n ? n : 1));
    if (!work) return 0;
    Points points = {n, places, places + n, light_, motion, motion + n, doubt, NULL};
    if (weights) {
        double *kept[7];
        long count = 0;
        for (int r = 0; r < 7; r++) kept[r] = work + (4 + r) * n;
        for (long i = 0; i < n; i++) {
            in_view += weights[i] / n;
            if (!(weights[i] > 0.0)) continue;
            kept[0][count] = places[i];
            kept[1][count] = places[n + i];
            kept[2][count] = light_[i];
            kept[3][count] = motion[i];
            kept[4][count] = motion[n + i];
            kept[5][count] = doubt[i];
            kept[6][count++] = weights[i];
        }
        points = (Points){count, kept[0], kept[1], kept[2], kept[3], kept[4], kept[5], kept[6]};
    }
    int iterations = (int)plan[0], at_most = (int)plan[1], doubted = plan[4] != 0.0 && (!weights || in_view >= rules.in_view);
    double total[6] = {0}, step[6] = {0}, wished[6] = {0}, before[6], light[6], relaxation = 1.0, step_px = 0.0;
    System system;
    int fine = 1;
    for (int iteration = 0; fine && iteration <= at_most; iteration++) {
        fine = look(&picture, &camera, &points, pose, iteration > 0, light, plan[3], doubted, &rules, &system, work);
        if (!fine) break;
        memcpy(before, wished, sizeof before);
        int stop = iteration == at_most || (iteration >= iterations && step_px < rules.on_its_way_px);
        if (stop || !next_step(&system, steps, (int)k, prior, total, rules.astray, wished, light)) {
            memset(step, 0, sizeof step);
            break;
        }
        relaxation = relaxed(relaxation, before, wished, &rules);
        for (int i = 0; i < 6; i++) {
            step[i] = relaxation * wished[i];
            total[i] += step[i];
        }
        move(pose, step);
        double depth = camera.R[6] * pose[9] + camera.R[7] * pose[10] + camera.R[8] * pose[11] + camera.t[2];
        double turn = fmax(fabs(step[3]), fmax(fabs(step[4]), fabs(step[5])));
        step_px = camera.focal / depth * (hypot(step[0], step[1]) + fabs(step[2]) * 0.2 + turn * size);
        if (step_px < plan[2]) break;
    }
    if (fine) fine = pose_alone(&system, step, found);
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_align,
             (const float *data, long height, long width, double shrunk, const double *camera_, long n, const double
              *places, const double *light_, const double *motion, const double *doubt, const double *weights, const
              double *steps, long k, const double *prior, const double *plan, const double *rules_, double *pose,
              double *found),
             (data, height, width, shrunk, camera_, n, places, light_, motion, doubt, weights, steps, k, prior, plan,
              rules_, pose, found))

/* ---- the evidence of a face's tiles: faces/face_tiles.py, `shown_tiles`, and what it asks of faces/light.py ---- */

typedef struct {
    double light_ridge[6], rounds, clear, far_off, fewest;
    double samples, floor, worst, shade, deepest_shade, shade_nats;
} TileRules;

/* `_fitted`: weighted least squares of the light (6); basis (6, n) with rows `stride` apart. */
INLINE int fitted(const double *basis, long stride, long every, long n, const double *seen, const double *weight,
                  const double *ridge, double *light) {
    double gram[49] = {0}, d[7 * BLOCK], wd[7 * BLOCK];
    for (long first = 0; first < n; first += BLOCK) {
        long count = n - first < BLOCK ? n - first : BLOCK;
        for (int r = 0; r < 7; r++)
            for (long p = 0; p < count; p++) {
                long i = first + p;
                double value = r < 6 ? basis[r * stride + i * every] : seen[i];
                d[r * BLOCK + p] = value;
                wd[r * BLOCK + p] = value * weight[i];
            }
        add_gram(gram, d, wd, 7, BLOCK, count);
    }
    double normal[36];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) normal[i * 6 + j] = i <= j ? gram[i * 7 + j] : gram[j * 7 + i];
        normal[i * 6 + i] += 1e-3 + gram[i * 7 + i] * ridge[i];
        light[i] = gram[i * 7 + 6];
    }
    return solve(normal, light, 6, 1);
}

INLINE double lit_at(const double *basis, long stride, long i, const double *light) {
    double lit = 0.0;
    for (int r = 0; r < 6; r++) lit += light[r] * basis[r * stride + i];
    return lit;
}

/* `_agreeing`: how much each point agrees with a light; 0 everywhere where none is asked. */
INLINE void agreeing(const double *basis, long stride, long every, long n, const double *seen, const double *weight,
                     const double *light, double *agree, double *off) {
    long asked = 0;
    for (long i = 0; i < n; i++) {
        agree[i] = seen[i] - lit_at(basis, stride, i * every, light);
        if (weight[i] > 0.0) off[asked++] = fabs(agree[i]);
    }
    if (!asked) {
        memset(agree, 0, sizeof(double) * (size_t)n);
        return;
    }
    double scale = fmax(4.0, 1.4826 * kth_of_many(off, asked, asked / 2)), by = 1.0 / (1.5 * scale);
    for (long i = 0; i < n; i++) {
        double r = agree[i] * by;
        r = r * r + 1.0;
        agree[i] = weight[i] / (r * r);
    }
}

/* `robust_light`, from a start (6) or NULL. `work` holds 2 n doubles. */
INLINE int robust_light(const double *basis, long stride, long every, long n, const double *seen, const double *weight,
                        const double *start, const TileRules *rules, double *light, double *work) {
    double *agree = work, *off = work + n;
    if (start) {
        memcpy(light, start, 6 * sizeof(double));
        agreeing(basis, stride, every, n, seen, weight, start, agree, off);
    } else {
        memset(light, 0, 6 * sizeof(double));
        memcpy(agree, weight, sizeof(double) * (size_t)n);
    }
    for (int round = 0; round < (int)rules->rounds; round++) {
        int any = 0;
        for (long i = 0; i < n && !any; i++) any = agree[i] != 0.0;
        if (!any) break;
        if (!fitted(basis, stride, every, n, seen, agree, rules->light_ridge, light)) return 0;
        if (round < (int)rules->rounds - 1) agreeing(basis, stride, every, n, seen, weight, light, agree, off);
    }
    return 1;
}

/* `_light_of_a_part`: 1 with a light (6) in found, 0 if no half of the card has a better one, -1 if singular. */
INLINE int light_of_a_part(const double *basis, long stride, long every, long n, const double *seen,
                           const double *weight, const double *than, const TileRules *rules, double *found,
                           double *work) {
    double best = 0.0;
    int better = 0;
    for (long i = 0; i < n; i++) {
        double off = seen[i] - lit_at(basis, stride, i * every, than);
        best += fmin(off * off, rules->far_off);
    }
    best /= n;
    for (int axis = 1; axis <= 2; axis++)
        for (int side = 0; side < 2; side++) {
            long count = 0;
            for (long i = 0; i < n; i++) {
                double place = basis[(3 + axis) * stride + i * every];
                work[i] = (side ? place > 0.0 : place < 0.0) && weight[i] > 0.0 ? 1.0 : 0.0;
                count += work[i] != 0.0;
            }
            if (count < (long)rules->fewest) continue;
            double light[6], mean = 0.0;
            if (!fitted(basis, stride, every, n, seen, work, rules->light_ridge, light)) return -1;
            for (long i = 0; i < n; i++) {
                double off = seen[i] - lit_at(basis, stride, i * every, light);
                mean += fmin(off * off, rules->far_off) * weight[i];
            }
            mean /= n;
            if (mean < best) {
                best = mean;
                better = 1;
                memcpy(found, light, sizeof light);
            }
        }
    return better;
}

typedef struct {
    long n, tiles;
    const double *basis;
    const int64_t *tile;
    const uint8_t *even;
    double least;
    const double *full;
} Tiles;

/* By how much what is seen is off the lit face, in whatever shade. */
INLINE double off_in_shade(double seen, double lit, double deepest) {
    double off = seen - lit;
    return off < 0.0 ? fmin(seen - deepest * lit, 0.0) : off;
}

/* `_judged`: tile by tile, in one light; work holds n + 8 tiles doubles. */
INLINE void judged(const Tiles *t, const double *seen, const double *weight, const double *n, const double *light,
                   const TileRules *rules, double *nats, uint8_t *shown, uint8_t *enough, double *work) {
    double *lit = work, *sums = work + t->n;
    double *s1 = sums, *s2 = sums + t->tiles, *off = sums + 2 * t->tiles, *ls = sums + 3 * t->tiles;
    double *ll = sums + 4 * t->tiles, *shade = sums + 5 * t->tiles, *dark = sums + 6 * t->tiles;
    double *at_a_rim = sums + 7 * t->tiles;
    memset(sums, 0, sizeof(double) * 8 * (size_t)t->tiles);
    for (long i = 0; i < t->n; i++) lit[i] = lit_at(t->basis, t->n, i, light);
    for (long i = 0; i < t->n; i++) {
        int64_t k = t->tile[i];
        double w = weight[i], s = seen[i], d = s - lit[i], e = off_in_shade(s, lit[i], rules->deepest_shade);
        at_a_rim[k] += fmin(e * e, rules->worst) * w;
        s1[k] += s * w;
        s2[k] += s * s * w;
        off[k] += fmin(d * d, rules->worst) * w;
        ls[k] += lit[i] * s * w;
        ll[k] += lit[i] * lit[i] * w;
    }
    int any = 0;
    for (long k = 0; k < t->tiles; k++) {
        double count = fmax(n[k], 1.0);
        s1[k] /= count;
        s2[k] = s2[k] / count - s1[k] * s1[k];
        off[k] /= count;
        shade[k] = fmin(fmax(ls[k] / count / fmax(ll[k] / count, 1.0), rules->deepest_shade), 1.0);
        any |= shade[k] < rules->shade && !t->even[k];
    }
    for (long i = 0; any && i < t->n; i++) {
        double d = seen[i] - shade[t->tile[i]] * lit[i];
        dark[t->tile[i]] += fmin(d * d, rules->worst) * weight[i];
    }
    for (long k = 0; k < t->tiles; k++) {
        double in_shade = dark[k] / fmax(n[k], 1.0);
        int shaded = shade[k] < rules->shade && !t->even[k] && in_shade < 0.5 * off[k];
        if (shaded) off[k] = in_shade;
        double gain = 0.5 * rules->samples * log((fmax(s2[k], 0.0) + rules->floor) / (off[k] + rules->floor));
        if (shaded) gain -= rules->shade_nats;
        enough[k] = n[k] > t->least;
        /* bare paper at the rim of what covers it may lie in that one's shade: this speaks neither way */
        if (t->even[k] && n[k] < t->full[k]) off[k] = at_a_rim[k] / fmax(n[k], 1.0);
        shown[k] = enough[k] && (off[k] < 0.4 * s2[k] + rules->floor || off[k] < 1.5 * rules->floor);
        nats[k] = enough[k] ? fmin(fmax(gain, -2.0), 8.0) : 0.0;
        if (t->even[k] && nats[k] > 0.0) nats[k] = 0.0;
    }
}

/* The evidence for a face at a pose (12), tile by tile: nats, shown, enough (tiles). places (3, n), basis (6, n), tile
 * (n), full and even (tiles) as FaceTiles has them; claims (claims_height, claims_width) or NULL: what other cards
 * claim, a pixel in `step` of the frame's. 1 if all went well. */
INLINE int arena_tiles_body(const float *data, long height, long width, double shrunk, const double *camera_,
                              const double *pose, const uint8_t *claims, long claims_height, long claims_width,
                              double step, long n, const double *places, const double *basis, const int64_t *tile,
                              long tiles, const double *full, double least, const uint8_t *even, const double *rules_,
                              double *nats, uint8_t *shown, uint8_t *enough) {
    Picture picture = {data, height, width, shrunk};
    Camera camera;
    TileRules rules;
    memcpy(&camera, camera_, sizeof camera);
    memcpy(&rules, rules_, sizeof rules);
    Tiles t = {n, tiles, basis, tile, even, least, full};
    long few = (n + 2) / 3;
    double *work = malloc(sizeof(double) * (size_t)(3 * n + 10 * tiles + 4 * few));
    uint8_t *marks = malloc(2 * (size_t)tiles);
    if (!work || !marks) {
        free(work);
        free(marks);
        return 0;
    }
    double *seen = work, *weight = seen + n, *scratch = weight + n, *in_view = scratch + n + 8 * tiles;
    double *other_nats = in_view + tiles, *few_seen = other_nats + tiles, *few_weight = few_seen + few;
    double *few_work = few_weight + few, M[9];
    plane_in_camera(&camera, pose, M);
    int all = 1;
    memset(in_view, 0, sizeof(double) * (size_t)tiles);
    for (long i = 0; i < n; i++) {
        double u, v;
        project(&camera, M, places[i], places[n + i], &u, &v);
        int good = sample(&picture, u, v, &seen[i]);
        if (good && claims && is_claimed(claims, claims_height, claims_width, step, u, v)) good = 0;
        if (!good) seen[i] = 0.0;
        weight[i] = good;
        in_view[tile[i]] += good;
        all &= good;
    }
    if (all) memcpy(in_view, full, sizeof(double) * (size_t)tiles);
    for (long i = 0; i < few; i++) {
        few_seen[i] = seen[3 * i];
        few_weight[i] = weight[3 * i];
    }
    double light[6], part[6], best = 0.0, again = 0.0;
    int fine = robust_light(basis, n, 3, few, few_seen, few_weight, NULL, &rules, light, few_work);
    if (fine) {
        judged(&t, seen, weight, in_view, light, &rules, nats, shown, enough, scratch);
        long shows = 0, could = 0;
        for (long k = 0; k < tiles; k++) {
            shows += shown[k];
            could += enough[k];
            best += nats[k];
        }
        int better = 0;
        if (shows < rules.clear * could)
            better = light_of_a_part(basis, n, 3, few, few_seen, few_weight, light, &rules, part, few_work);
        fine = better >= 0;
        if (better > 0) {
            fine = robust_light(basis, n, 3, few, few_seen, few_weight, part, &rules, light, few_work);
            judged(&t, seen, weight, in_view, light, &rules, other_nats, marks, marks + tiles, scratch);
            for (long k = 0; k < tiles; k++) again += other_nats[k];
            if (again > best) {
                memcpy(nats, other_nats, sizeof(double) * (size_t)tiles);
                memcpy(shown, marks, (size_t)tiles);
                memcpy(enough, marks + tiles, (size_t)tiles);
            }
        }
    }
    free(work);
    free(marks);
    return fine;
}

ON_EVERY_CPU(int, arena_tiles,
             (const float *data, long height, long width, double shrunk, const double *camera_, const double *pose,
              const uint8_t *claims, long claims_height, long claims_width, double step, long n, const double *places,
              const double *basis, const int64_t *tile, long tiles, const double *full, double least, const uint8_t
              *even, const double *rules_, double *nats, uint8_t *shown, uint8_t *enough),
             (data, height, width, shrunk, camera_, pose, claims, claims_height, claims_width, step, n, places, basis,
              tile, tiles, full, least, even, rules_, nats, shown, enough))

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

/* ---- a card's outline followed in the picture: reading/finding/outline_fit.py, `fit_outline` ---- */

/* As row `rules`. */
typedef struct {
    double gap, step, faint, sd, tukey, inside, outside, beside, edge_nats, no_edge_nats, bare_nats, lost;
} OutlineRules;

/* A mask of the floor seen from above, as TableChange.within reads it; no data: nothing is set. */
typedef struct {
    const uint8_t *data;
    long height, width;
    double half_x, half_y, px_per_mm;
} FloorMask;

/* A picture in colour, what is claimed of its frame, and the points of an outline (n, 2) with their normals (n, 2). */
typedef struct {
    const uint8_t *bgr;
    long height, width;
    double scale;
    const Camera *camera;
    const uint8_t *claims;
    long claims_height, claims_width;
    double claims_step, frame_height, frame_width;
    FloorMask bare;
    long n;
    const double *places, *normals;
    const OutlineRules *rules;
} Outlined;

/* The colours (3) at a pixel of the frame, in whole levels as cv2.remap gives them; 0 outside the picture, 1 inside. */
INLINE int sample_bgr(const Outlined *seen, double u, double v, int *bgr) {
    float x = (float)(u * seen->scale), y = (float)(v * seen->scale);
    if (!(x >= 0.0f && y >= 0.0f && x <= (float)(seen->width - 1) && y <= (float)(seen->height - 1))) return 0;
    long column = (long)x, row = (long)y;
    float a = x - (float)column, b = y - (float)row;
    const uint8_t *at = seen->bgr + 3 * (row * seen->width + column);
    long right = column + 1 < seen->width ? 3 : 0, down = row + 1 < seen->height ? 3 * seen->width : 0;
    for (int c = 0; c < 3; c++) {
        float first = at[c], second = at[right + c], third = at[down + c], fourth = at[down + right + c];
        float upper = first + a * (second - first), lower = third + a * (fourth - third);
        bgr[c] = (int)rintf(upper + b * (lower - upper));
    }
    return 1;
}

/* Whether bare floor is seen behind a place (x, y) of the plane of a card's pose. */
INLINE int is_bare(const Outlined *seen, const double *pose, double x, double y) {
    const FloorMask *mask = &seen->bare;
    if (!mask->data) return 0;
    double world[3], floor_[2];
    for (int i = 0; i < 3; i++) world[i] = pose[3 * i] * x + pose[3 * i + 1] * y + pose[9 + i];
    double depth = world[2] / (world[2] - seen->camera->centre[2]);
    for (int i = 0; i < 2; i++) floor_[i] = world[i] - (world[i] - seen->camera->centre[i]) * depth;
    double column = rint((floor_[0] + mask->half_x) * mask->px_per_mm);
    double row = rint((mask->half_y - floor_[1]) * mask->px_per_mm);
    if (!(column >= 0.0 && row >= 0.0 && column < (double)mask->width && row < (double)mask->height)) return 0;
    return mask->data[(long)row * mask->width + (long)column] > 0;
}

/* For each point how far outwards (off) the colour changes most, how much (strength), and whether it is hidden: of
 * `_followed`. steps (count) are where it is looked for, bell (count - gap) how likely each place is. */
INLINE void follow(const Outlined *seen, const double *pose, const double *steps, const double *bell, long count,
                   double *off, double *strength, uint8_t *hidden, int *colours, double *change) {
    const OutlineRules *rules = seen->rules;
    long gap = (long)rules->gap, most = count - gap;
    double M[9], u, v;
    plane_in_camera(seen->camera, pose, M);
    for (long i = 0; i < seen->n; i++) {
        double x = seen->places[2 * i], y = seen->places[2 * i + 1], nx = seen->normals[2 * i], ny = seen->normals[2 * i + 1];
        project(seen->camera, M, x - rules->inside * nx, y - rules->inside * ny, &u, &v);
        int out = u < 0.0 || v < 0.0 || u > seen->frame_width - 1.0 || v > seen->frame_height - 1.0;
        hidden[i] = out || is_claimed(seen->claims, seen->claims_height, seen->claims_width, seen->claims_step, u, v);
        off[i] = strength[i] = 0.0;
        for (long s = 0; s < count && !hidden[i]; s++) {
            project(seen->camera, M, x + steps[s] * nx, y + steps[s] * ny, &u, &v);
            hidden[i] = !sample_bgr(seen, u, v, colours + 3 * s); /* the picture's border is no side */
        }
        if (hidden[i]) continue;
        long best = 0;
        double likeliest = -1.0;
        for (long s = 0; s < most; s++) {
            const int *one = colours + 3 * s, *other = one + 3 * gap;
            change[s] = abs(other[0] - one[0]) + abs(other[1] - one[1]) + abs(other[2] - one[2]);
            double likely = change[s] * bell[s];
            if (likely > likeliest) likeliest = likely, best = s;
        }
        double peak = 0.0;
        if (best > 0 && best < most - 1) {
            double before = change[best - 1], after = change[best + 1];
            double bend = fmin(before - 2.0 * change[best] + after, -1e-6);
            peak = fmin(fmax(0.5 * (before - after) / bend, -0.5), 0.5);
        }
        off[i] = steps[gap / 2 + best] + rules->step * peak;
        strength[i] = change[best];
    }
}

/* How far a step (6) of the pose moves a point outwards, as the camera sees it: a row of `_moves`. */
INLINE void moves(const Outlined *seen, const double *pose, long i, double *row) {
    double arm[3], outward[3], ray[3], across = 0.0, along = 0.0;
    for (int k = 0; k < 3; k++) {
        arm[k] = seen->places[2 * i] * pose[3 * k] + seen->places[2 * i + 1] * pose[3 * k + 1];
        outward[k] = seen->normals[2 * i] * pose[3 * k] + seen->normals[2 * i + 1] * pose[3 * k + 1];
        ray[k] = pose[9 + k] + arm[k] - seen->camera->centre[k];
        across += ray[k] * outward[k];
        along += ray[k] * pose[3 * k + 2];
    }
    for (int k = 0; k < 3; k++) row[k] = outward[k] - across / along * pose[3 * k + 2];
    row[3] = arm[1] * row[2] - arm[2] * row[1];
    row[4] = arm[2] * row[0] - arm[0] * row[2];
    row[5] = arm[0] * row[1] - arm[1] * row[0];
}

/* The median of values (n) that are not negative, which are reordered. */
INLINE double median(double *values, long n) {
    double upper = kth_smallest(values, n, n / 2), lower = 0.0;
    for (long i = 0; i < n / 2; i++) lower = fmax(lower, values[i]);
    return n % 2 ? upper : 0.5 * (upper + lower);
}

/* One step of the pose towards the sides seen: 0 where it leads nowhere. information (36) is what the sides say. */
INLINE int step_to_sides(const Outlined *seen, const double *prior, const double *off, const double *strength,
                         double *pose, double *total, double *information, double *scratch) {
    const OutlineRules *rules = seen->rules;
    long shown = 0;
    for (long i = 0; i < seen->n; i++)
        if (strength[i] > rules->faint) scratch[shown++] = fabs(off[i]);
    double scale = shown ? fmax(rules->sd, 1.4826 * median(scratch, shown)) : rules->sd;
    double normal[36], right[6] = {0}, row[6];
    memset(information, 0, sizeof(double) * 36);
    for (long i = 0; i < seen->n; i++) {
        double u = fmin(fabs(off[i]) / (rules->tukey * scale), 1.0), w = 1.0 - u * u;
        w = strength[i] / (strength[i] + rules->faint) * w * w / (rules->sd * rules->sd);
        if (w == 0.0) continue;
        moves(seen, pose, i, row);
        for (int a = 0; a < 6; a++) {
            right[a] += row[a] * w * off[i];
            for (int b = 0; b < 6; b++) information[a * 6 + b] += row[a] * w * row[b];
        }
    }
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            normal[a * 6 + b] = information[a * 6 + b] + prior[a * 6 + b];
            right[a] -= prior[a * 6 + b] * total[b];
        }
    if (!solve(normal, right, 6, 1)) return 0;
    for (int a = 0; a < 6; a++)
        if (!(fabs(right[a]) < rules->lost)) return 0;
    for (int a = 0; a < 6; a++) total[a] += right[a];
    move(pose, right);
    return 1;
}

/* Fits an outline from pose (12), which becomes where it ends; found (38): information (6, 6), nats, the share of the
 * sides shown. counts (looks) says how many of steps and of bell belong to each look; the last look is that which
 * judges. prior (36); the rest as above. 1 if all went well. */
INLINE int arena_outline_body(const uint8_t *bgr, long height, long width, double scale, const double *camera_,
                              const uint8_t *claims, long claims_height, long claims_width, const double *frame,
                              const uint8_t *bare, long bare_height, long bare_width, long n, const double *places,
                              const double *normals, const double *prior, const double *steps, const double *bell,
                              const int64_t *counts, long looks, const double *rules_, double *pose, double *found) {
    Camera camera;
    OutlineRules rules;
    memcpy(&camera, camera_, sizeof camera);
    memcpy(&rules, rules_, sizeof rules);
    FloorMask floor_mask = {bare, bare_height, bare_width, frame[3], frame[4], frame[5]};
    Outlined seen = {bgr, height, width, scale, &camera, claims, claims_height, claims_width, frame[0], frame[1],
                     frame[2], floor_mask, n, places, normals, &rules};
    long most = 0;
    for (long k = 0; k < looks; k++) most = counts[k] > most ? counts[k] : most;
    double *work = malloc(sizeof(double) * (size_t)(3 * n + most) + sizeof(int) * 3 * (size_t)most + (size_t)n);
    if (!work) return 0;
    double *off = work, *strength = work + n, *scratch = work + 2 * n, *change = work + 3 * n, total[6] = {0};
    int *colours = (int *)(change + most);
    uint8_t *hidden = (uint8_t *)(colours + 3 * most);
    memcpy(found, prior, sizeof(double) * 36);
    int on_its_way = 1;
    for (long k = 0; k < looks; k++) {
        int last = k == looks - 1;
        if (on_its_way || last) follow(&seen, pose, steps, bell, counts[k], off, strength, hidden, colours, change);
        if (on_its_way && !last)
            on_its_way = step_to_sides(&seen, prior, off, strength, pose, total, found, scratch);
        steps += counts[k];
        bell += counts[k];
    }
    double nats = 0.0, shown = 0.0;
    long free_ = 0;
    for (long i = 0; i < n; i++) {
        if (hidden[i]) continue;
        double edge = fmin(fmax((strength[i] / (strength[i] + rules.faint) - 0.4) / 0.3, 0.0), 1.0);
        edge *= exp(-0.5 * (off[i] / rules.beside) * (off[i] / rules.beside));
        double x = places[2 * i] + rules.outside * normals[2 * i], y = places[2 * i + 1] + rules.outside * normals[2 * i + 1];
        double none = is_bare(&seen, pose, x, y) ? rules.bare_nats : rules.no_edge_nats;
        nats += edge > 0.0 ? edge * rules.edge_nats + (1.0 - edge) * none : none;
        shown += edge;
        free_++;
    }
    found[36] = nats;
    found[37] = free_ ? shown / free_ : 0.0;
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_outline,
             (const uint8_t *bgr, long height, long width, double scale, const double *camera_, const uint8_t *claims,
              long claims_height, long claims_width, const double *frame, const uint8_t *bare, long bare_height,
              long bare_width, long n, const double *places, const double *normals, const double *prior, const double
              *steps, const double *bell, const int64_t *counts, long looks, const double *rules_, double *pose,
              double *found),
             (bgr, height, width, scale, camera_, claims, claims_height, claims_width, frame, bare, bare_height,
              bare_width, n, places, normals, prior, steps, bell, counts, looks, rules_, pose, found))

/* ---- the light in which a face looks as it is seen: faces/telling.py, `_light` ---- */

/* The normal equations, normal (6, 6) and right (6), of a light: a gain and a haze, each with slopes along x and y, by
 * which value (n) is seen as target (n), weighted by agree (n). */
INLINE void light_equations(const double *value, const double *target, const double *agree, const double *x,
                            const double *y, long n, double *normal, double *right) {
    /* Of w, w v and w v v the sums times 1, x, y, xx, xy, yy; of w t and w v t those times 1, x, y. */
    double p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, q0 = 0, q1 = 0, q2 = 0, q3 = 0, q4 = 0, q5 = 0;
    double r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0, t2 = 0;
#pragma omp simd reduction(+ : p0, p1, p2, p3, p4, p5, q0, q1, q2, q3, q4, q5, r0, r1, r2, r3, r4, r5, s0, s1, s2, \
                               t0, t1, t2)
    for (long i = 0; i < n; i++) {
        double w = agree[i], a = x[i], b = y[i], v = w * value[i], u = v * value[i], t = w * target[i];
        double z = v * target[i];
        p0 += w, p1 += w * a, p2 += w * b, p3 += w * a * a, p4 += w * a * b, p5 += w * b * b;
        q0 += v, q1 += v * a, q2 += v * b, q3 += v * a * a, q4 += v * a * b, q5 += v * b * b;
        r0 += u, r1 += u * a, r2 += u * b, r3 += u * a * a, r4 += u * a * b, r5 += u * b * b;
        s0 += t, s1 += t * a, s2 += t * b, t0 += z, t1 += z * a, t2 += z * b;
    }
    const double products[36] = {r0, r1, r2, q0, q1, q2, r1, r3, r4, q1, q3, q4, r2, r4, r5, q2, q4, q5,
                                 q0, q1, q2, p0, p1, p2, q1, q3, q4, p1, p3, p4, q2, q4, q5, p2, p4, p5};
    const double sums[6] = {t0, t1, t2, s0, s1, s2};
    memcpy(normal, products, sizeof products), memcpy(right, sums, sizeof sums);
}

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

/* ---- the light on print: printed/print_light.py, `fitted` ---- */

/* The light (channels, 6) of each channel: the gain and its slopes along x and y (n), the offset and its slopes; and
 * how much the print's spread says of the gain (channels). print and seen (n, channels). usual (channels, 2) is a likely
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
        held[0] = fmax(held[0], pulls[0]), held[3] = fmax(held[3], pulls[1]);
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
            for (int k = 0; k < 6; k++) moved = fmax(moved, fabs(right[k] - found[k]));
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
        for (long i = 0; i < n; i++) weight += agree[i], sum += agree[i] * value[i];
        sum /= fmax(weight, 1e-6);
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

/* ---- marks of ink: indices/ink.py, `measure` ---- */

/* How far each of n pixels of a row is from the nearest of the piece, at most `far` + 1. */
INLINE void arena_row_distances(const int32_t *row, long n, int32_t piece, int far, uint8_t *distance) {
    int d = far + 1;
    for (long i = 0; i < n; i++) {
        d = row && row[i] == piece ? 0 : d <= far ? d + 1 : far + 1;
        distance[i] = (uint8_t)d;
    }
    d = far + 1;
    for (long i = n - 1; i >= 0; i--) {
        d = distance[i] == 0 ? 0 : d <= far ? d + 1 : far + 1;
        if (d < distance[i]) distance[i] = (uint8_t)d;
    }
}

/* Of each of count pieces of labels (height, width) five numbers: its first column and row, width, height and area, as
 * cv2.connectedComponentsWithStats gives them; of what has the number 0 nothing. */
INLINE int arena_boxes_body(const int32_t *labels, long height, long width, long count, int32_t *found) {
    memset(found, 0, sizeof(int32_t) * 5 * (size_t)count);
    for (long r = 0; r < height; r++, labels += width)
        for (long c = 0; c < width;) {
            const int32_t piece = labels[c];
            if (piece == 0) {
                c++;
                continue;
            }
            const int32_t first = (int32_t)c;
            while (c < width && labels[c] == piece) c++;
            int32_t *box = found + 5 * piece;
            if (box[4] == 0) box[0] = first, box[1] = (int32_t)r, box[2] = (int32_t)c;
            if (first < box[0]) box[0] = first;
            if ((int32_t)c > box[2]) box[2] = (int32_t)c;
            box[3] = (int32_t)r + 1;
            box[4] += (int32_t)c - first;
        }
    for (long n = 1; n < count; n++) found[5 * n + 2] -= found[5 * n], found[5 * n + 3] -= found[5 * n + 1];
    return 1;
}

ON_EVERY_CPU(int, arena_boxes, (const int32_t *labels, long height, long width, long count, int32_t *found),
             (labels, height, width, count, found))

/* For each of count pieces (number, first column and row, width and height, in boxes) of labels (height, width) five
 * numbers: its mean contrast, which share of the pixels just around it is paper, its mean colour. Rules: from
 * beyond how many pixels to how many they are just around it, the darkness below which they are paper, and the contrast
 * without which they are not looked at. */
INLINE int arena_marks_body(const int32_t *labels, long height, long width, const int32_t *boxes, long count,
                            const float *darkness, const uint8_t *contrast, const uint8_t *colour, const double *rules,
                            double *found) {
    const int near = (int)rules[0], far = (int)rules[1];
    const float paper = (float)rules[2];
    uint8_t *distance = malloc((size_t)(2 * far + 1) * (size_t)(width + 1));
    if (!distance) return 0;
    for (long m = 0; m < count; m++, boxes += 5, found += 5) {
        const int32_t piece = boxes[0];
        const long x = boxes[1], y = boxes[2], right = x + boxes[3], bottom = y + boxes[4];
        double inside = 0, sums[4] = {0, 0, 0, 0}, ring = 0, light = 0;
        for (long r = y; r < bottom; r++)
            for (long c = x; c < right; c++) {
                long at = r * width + c;
                if (labels[at] != piece) continue;
                inside++, sums[0] += contrast[at];
                for (int k = 0; k < 3; k++) sums[k + 1] += colour[3 * at + k];
            }
        found[0] = sums[0] / inside, found[1] = 0.0;
        for (int k = 1; k < 4; k++) found[k + 1] = sums[k] / inside;
        if (found[0] < rules[3]) continue;
        const long left = x > far ? x - far : 0, end = right + far < width ? right + far : width, n = end - left;
        /* The distances along the rows from r - far to r + far, row by row in turn, are kept while r goes down. */
        for (long row = y - 2 * far; row < bottom + 2 * far; row++) {
            long slot = (row + 4 * far + 2) % (2 * far + 1), r = row - far;
            const int32_t *seen = row >= y && row < bottom ? labels + row * width + left : NULL;
            arena_row_distances(seen, n, piece, far, distance + slot * n);
            if (r < 0 || r >= height || r < y - far || r >= bottom + far) continue;
            for (long c = 0; c < n; c++) {
                int is_near = 0, is_far = 0;
                for (int d = -far; d <= far; d++) {
                    uint8_t off = distance[((r + d + 4 * far + 2) % (2 * far + 1)) * n + c];
                    is_far |= off <= far;
                    is_near |= d >= -near && d <= near && off <= near;
                }
                if (!is_far || is_near) continue;
                ring++, light += darkness[r * width + left + c] < paper;
            }
        }
        found[1] = ring > 0 ? light / ring : 0.0;
    }
    free(distance);
    return 1;
}

ON_EVERY_CPU(int, arena_marks,
             (const int32_t *labels, long height, long width, const int32_t *boxes, long count, const float *darkness,
              const uint8_t *contrast, const uint8_t *colour, const double *rules, double *found),
             (labels, height, width, boxes, count, darkness, contrast, colour, rules, found))

/* ---- the nearest binary descriptors: reading/guesses/features.py, `_matches` ---- */

/* For each of words (n, 32) its k nearest among known (m, 32) by differing bits: distance and number (n, k), as
 * cv2.batchDistance orders them; k is 4 at most, and no more than m. */
INLINE int arena_nearest_body(const uint8_t *words, long n, const uint8_t *known, long m, long k, int32_t *distance,
                                 int32_t *number) {
    for (long i = 0; i < n; i++) {
        uint64_t word[4], other[4];
        int32_t d[4], w[4];
        memcpy(word, words + 32 * i, 32);
        for (long r = 0; r < k; r++) d[r] = INT32_MAX, w[r] = -1;
        for (long j = 0; j < m; j++) {
            memcpy(other, known + 32 * j, 32);
            int32_t bits = 0;
            for (int p = 0; p < 4; p++) bits += __builtin_popcountll(word[p] ^ other[p]);
            if (bits >= d[k - 1]) continue;
            long r = k - 2;
            for (; r >= 0 && d[r] > bits; r--) d[r + 1] = d[r], w[r + 1] = w[r];
            d[r + 1] = bits;
            w[r + 1] = (int32_t)j;
        }
        memcpy(distance + k * i, d, sizeof(int32_t) * (size_t)k);
        memcpy(number + k * i, w, sizeof(int32_t) * (size_t)k);
    }
    return 1;
}

ON_EVERY_CPU(int, arena_nearest,
             (const uint8_t *words, long n, const uint8_t *known, long m, long k, int32_t *distance, int32_t *number),
             (words, n, known, m, k, distance, number))

/* ---- a card laid on its picture from above: tokens/cards/face_alignment.py, `aligned` ---- */

/* The table from above: colours (height, width, 3), where the photograph reaches (height, width), where it begins in mm,
 * pixels a mm. What other cards cover: either a map of the table (map_height, map_width) at 1 px/mm that begins at
 * `map_begin` mm, or a mask (rows, columns) of the card's own pixels; neither where its pointer is null. The card's
 * pixels: (rows, columns) a grid of `grid_px_per_mm`, `wide` and `high` mm in size. */
typedef struct {
    const float *colours;
    const uint8_t *inside;
    long height, width;
    double begin[2], px_per_mm;
    const uint8_t *map;
    long map_height, map_width;
    double map_begin[2];
    const uint8_t *mask;
    long rows, columns;
    double grid_px_per_mm, wide, high;
} FromAbove;

/* From row `numbers`: begin x, y, px/mm of the view; begin x, y of the map; rows, columns, px/mm, wide, high. */
INLINE FromAbove from_above(const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map,
                            long map_height, long map_width, const uint8_t *mask, const double *numbers) {
    FromAbove view = {colours, inside, height, width, {numbers[0], numbers[1]}, numbers[2], map, map_height, map_width,
                      {numbers[3], numbers[4]}, mask, (long)numbers[5], (long)numbers[6], numbers[7], numbers[8],
                      numbers[9]};
    return view;
}

/* Whether a pixel (column, row) of the card at `motion` (2, 3) is hidden: the map is asked where a pixel of 1 px/mm of
 * the card lies, the nearest one, as cv2.warpAffine and cv2.resize do. */
INLINE int is_hidden(const FromAbove *view, const double *motion, long column, long row) {
    if (view->mask) return view->mask[row * view->columns + column] != 0;
    if (!view->map) return 0;
    double columns = rint(view->wide), rows = rint(view->high);
    double x = floor((double)column * (columns / (double)view->columns)) + 0.5 - view->wide / 2;
    double y = floor((double)row * (rows / (double)view->rows)) + 0.5 - view->high / 2;
    double u = motion[0] * x + motion[1] * y + motion[2] - view->map_begin[0] - 0.5;
    double v = motion[3] * x + motion[4] * y + motion[5] - view->map_begin[1] - 0.5;
    long at = (long)floor(u + 0.5), over = (long)floor(v + 0.5);
    if (at < 0 || over < 0 || at >= view->map_width || over >= view->map_height) return 0;
    return view->map[over * view->map_width + at] != 0;
}

INLINE long held(long at, long last) { return at < 0 ? 0 : at > last ? last : at; }

/* What is seen at place u, v of the view, bilinear; beyond its border as at it. */
INLINE void colour_at(const FromAbove *view, float u, float v, float *seen) {
    float left = floorf(u), upper = floorf(v), a = u - left, b = v - upper;
    long x = (long)left, y = (long)upper;
    long x0 = held(x, view->width - 1), x1 = held(x + 1, view->width - 1);
    long y0 = held(y, view->height - 1), y1 = held(y + 1, view->height - 1);
    const float *p = view->colours + 3 * (y0 * view->width + x0), *q = view->colours + 3 * (y0 * view->width + x1);
    const float *r = view->colours + 3 * (y1 * view->width + x0), *s = view->colours + 3 * (y1 * view->width + x1);
    for (int c = 0; c < 3; c++) {
        float high = p[c] + a * (q[c] - p[c]), low = r[c] + a * (s[c] - r[c]);
        seen[c] = high + b * (low - high);
    }
}

/* Where the view shows the pixels of the card at `motion`: (2, 3) from column and row of the card to those of the view. */
INLINE void to_view(const FromAbove *view, const double *motion, double *affine) {
    double step = 1.0 / view->grid_px_per_mm, x = 0.5 * step - view->wide / 2, y = 0.5 * step - view->high / 2;
    for (int k = 0; k < 2; k++) {
        const double *m = motion + 3 * k;
        affine[3 * k] = m[0] * step * view->px_per_mm, affine[3 * k + 1] = m[1] * step * view->px_per_mm;
        affine[3 * k + 2] = (m[0] * x + m[1] * y + m[2] - view->begin[k]) * view->px_per_mm - 0.5;
    }
}

/* The card's pixels `which` (n) as the view shows them: grey, and 1 where they are seen, 0 where not. */
INLINE void sample_card(const FromAbove *view, const double *motion, const int64_t *which, long n, const double *luma,
                        double *seen, double *there) {
    double affine[6];
    to_view(view, motion, affine);
    for (long i = 0; i < n; i++) {
        long row = (long)which[i] / view->columns, column = (long)which[i] - row * view->columns;
        double u = affine[0] * (double)column + affine[1] * (double)row + affine[2];
        double v = affine[3] * (double)column + affine[4] * (double)row + affine[5];
        long x = (long)floor(u + 0.5), y = (long)floor(v + 0.5);
        int shown = x >= 0 && y >= 0 && x < view->width && y < view->height && view->inside[y * view->width + x];
        there[i] = shown && !is_hidden(view, motion, column, row) ? 1.0 : 0.0;
        float colour[3];
        colour_at(view, (float)u, (float)v, colour);
        seen[i] = (double)(colour[0] * (float)luma[0] + colour[1] * (float)luma[1] + colour[2] * (float)luma[2]);
    }
}

/* Gain and offset by which most of the print `grey` (n) is `seen` (n) where it is there (n). rules: the usual gain, how
 * much it weighs, its limits, what the median of what is left is multiplied by for its scale, the scale's least. */
INLINE void grey_light(const double *grey, const double *seen, const double *there, long n, const double *rules,
                       double *weight, double *size, double *gain_, double *offset_) {
    double gain = 0.0, offset = 0.0;
    memcpy(weight, there, sizeof(double) * (size_t)n);
    for (int round = 0; round < 4; round++) {
        double sum = 0.0, g = 0.0, s = 0.0, spread = 0.0, cross = 0.0;
#pragma omp simd reduction(+ : sum, g, s)
        for (long i = 0; i < n; i++) sum += weight[i], g += weight[i] * grey[i], s += weight[i] * seen[i];
        sum = fmax(sum, 1e-6), g /= sum, s /= sum;
#pragma omp simd reduction(+ : spread, cross)
        for (long i = 0; i < n; i++) {
            double away = grey[i] - g;
            spread += weight[i] * away * away, cross += weight[i] * away * (seen[i] - s);
        }
        gain = fmin(fmax((cross + rules[0] * rules[1]) / (spread + rules[1]), rules[2]), rules[3]);
        offset = s - gain * g;
        if (round == 3) break;
#pragma omp simd
        for (long i = 0; i < n; i++) size[i] = fabs(seen[i] - gain * grey[i] - offset);
        double scale = fmax(rules[4] * kth_of_many(size, n, n / 2), rules[5]);
#pragma omp simd
        for (long i = 0; i < n; i++) {
            double u = (seen[i] - gain * grey[i] - offset) / scale;
            u = 1.0 + u * u;
            weight[i] = there[i] / (u * u);
        }
    }
    *gain_ = gain, *offset_ = offset;
}

/* Motion (freedom), log gain and offset: least squares of what is left over `jacobian` (freedom, n), with weights that
 * leave out strangers farther off than `width`. 1 if all went well. */
INLINE int card_step(const double *jacobian, const double *grey, const double *residual, const double *there, long n,
                     int freedom, double gain, double width, const double *pull, double *solved) {
    int k = freedom + 2;
    double columns[8 * BLOCK], weighted[8 * BLOCK];
    for (int i = 0; i < k; i++) solved[i] = 0.0;
    for (int round = 0; round < 2; round++) {
        double normal[64] = {0}, right[8] = {0};
        for (long first = 0; first < n; first += BLOCK) {
            long count = n - first < BLOCK ? n - first : BLOCK;
            double w[BLOCK], off[BLOCK];
            for (int i = 0; i < freedom; i++)
                for (long p = 0; p < count; p++) columns[i * BLOCK + p] = gain * jacobian[i * n + first + p];
            for (long p = 0; p < count; p++) {
                columns[freedom * BLOCK + p] = grey[first + p], columns[(freedom + 1) * BLOCK + p] = 1.0;
                off[p] = residual[first + p];
            }
            for (int i = 0; i < k; i++)
                for (long p = 0; p < count; p++) off[p] -= solved[i] * columns[i * BLOCK + p];
            for (long p = 0; p < count; p++) {
                double u = 1.0 + off[p] / width * (off[p] / width);
                w[p] = there[first + p] / (u * u);
            }
            for (int i = 0; i < k; i++) {
                double sum = 0.0;
#pragma omp simd reduction(+ : sum)
                for (long p = 0; p < count; p++) {
                    weighted[i * BLOCK + p] = w[p] * columns[i * BLOCK + p];
                    sum += weighted[i * BLOCK + p] * residual[first + p];
                }
                right[i] += sum;
            }
            add_gram(normal, columns, weighted, k, BLOCK, count);
        }
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < i; j++) normal[i * k + j] = normal[j * k + i];
            normal[i * k + i] += pull[i] + 1e-6;
        }
        if (!solve(normal, right, k, 1)) return 0;
        memcpy(solved, right, sizeof(double) * (size_t)k);
    }
    return 1;
}

/* `motion` (2, 3) after a small motion `change` (freedom) of the card in its own frame, as the picture asks for. */
INLINE void composed(double *motion, const double *change, int freedom) {
    double turn = change[2], a = 1.0, b = -turn, c = turn, d = 1.0;
    if (freedom == 6) a += change[3] + change[4], b += change[5], c += change[5], d += change[3] - change[4];
    else { /* the nearest turn */
        double size = sqrt(1.0 + turn * turn);
        a /= size, b /= size, c /= size, d /= size;
    }
    double by = 1.0 / (a * d - b * c), p = d * by, q = -b * by, r = -c * by, s = a * by;
    double x = -(p * change[0] + q * change[1]), y = -(r * change[0] + s * change[1]);
    for (int k = 0; k < 2; k++) {
        double *m = motion + 3 * k, first = m[0], second = m[1];
        m[2] += first * x + second * y;
        m[0] = first * p + second * r, m[1] = first * q + second * s;
    }
}

/* Lays a card on its picture: `motion` (2, 3) is improved in place. Of the pixels `which` (n) of the card: `grey` (n),
 * `jacobian` (freedom, n); `pull` (freedom + 2). `plan`: freedom, steps, wide steps at first, grey levels beyond which a
 * pixel is a stranger, how much more in wide steps, the least motion to go on; `luma` (3) of the colours; `rules` (6) of
 * the light. 1 if all went well. */
INLINE int arena_lay_card_body(const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map,
                               long map_height, long map_width, const uint8_t *mask, const double *numbers, long n,
                               const int64_t *which, const double *grey, const double *jacobian, const double *pull,
                               const double *plan, const double *luma, const double *rules, double *motion) {
    FromAbove view = from_above(colours, inside, height, width, map, map_height, map_width, mask, numbers);
    int freedom = (int)plan[0], fine = 1;
    double *work = malloc(sizeof(double) * 4 * (size_t)(n ? n : 1));
    if (!work) return 0;
    double *seen = work, *there = work + n, *weight = work + 2 * n, *size = work + 3 * n;
    for (long step = 0; fine && step < (long)plan[1]; step++) {
        double gain, offset, change[8];
        sample_card(&view, motion, which, n, luma, seen, there);
        grey_light(grey, seen, there, n, rules, weight, size, &gain, &offset);
        for (long i = 0; i < n; i++) seen[i] -= gain * grey[i] + offset;
        double beyond = plan[3] * (step < (long)plan[2] ? plan[4] : 1.0);
        fine = card_step(jacobian, grey, seen, there, n, freedom, gain, beyond, pull, change);
        if (fine) composed(motion, change, freedom);
        if (fmax(fabs(change[0]), fabs(change[1])) < plan[5]) break;
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_lay_card,
             (const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map, long map_height,
              long map_width, const uint8_t *mask, const double *numbers, long n, const int64_t *which, const double
              *grey, const double *jacobian, const double *pull, const double *plan, const double *luma, const double
              *rules, double *motion),
             (colours, inside, height, width, map, map_height, map_width, mask, numbers, n, which, grey, jacobian, pull,
              plan, luma, rules, motion))

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
            long row = (long)at[first + p] / card.columns, column = (long)at[first + p] - row * card.columns;
            float x = shape_x(&card, column), y = shape_y(&card, row);
            for (int c = 0; c < 3; c++) {
                gain[c][p] = lit_gain(&lit, c, x, y);
                left[c][p] = seen[3 * at[first + p] + c] - lit_offset(&lit, c, x, y);
            }
        }
        for (long f = 0; f < count; f++) {
            const float *face = faces + which[f] * size;
            float sum = 0.0f;
            for (long p = 0; p < some; p++) {
                const float *print = face + 3 * at[first + p];
                float a = fabsf(print[0] * gain[0][p] - left[0][p]), b = fabsf(print[1] * gain[1][p] - left[1][p]);
                float d = fabsf(print[2] * gain[2][p] - left[2][p]);
                float off = (a > b ? a : b) > d ? (a > b ? a : b) : d;
                off *= by;
                sum += off * off < 1.0f ? off * off : 1.0f;
            }
            costs[f] += (double)sum;
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
    for (long row = 0; row < card.rows; row++)
        for (long column = 0; column < card.columns; column++) {
            long i = row * card.columns + column;
            explained[i] = 0;
            if (!open[i]) continue;
            float off = lit_off(&lit, face + 3 * i, seen + 3 * i, shape_x(&card, column), shape_y(&card, row));
            explained[i] = (double)off < within;
            counts[0] += explained[i], counts[1] += explained[i] && ink[i], counts[2]++, counts[3] += ink[i] != 0;
        }
    return 1;
}

ON_EVERY_CPU(int, arena_explained,
             (const float *face, const uint8_t *ink, const float *seen, const uint8_t *open, const double *shape,
              const double *light, double within, uint8_t *explained, int64_t *counts),
             (face, ink, seen, open, shape, light, within, explained, counts))

/* The median of values (n), which are reordered: of an even number the mean of the two in the middle. */
INLINE double median_of(double *v, long n) {
    double upper = kth_smallest(v, n, n / 2);
    return n % 2 ? upper : 0.5 * (upper + kth_smallest(v, n, n / 2 - 1));
}

/* The median of channel c of those of `values` (n, 3) that are no ink (n); room (n). */
INLINE double paper_level(const float *values, const uint8_t *ink, long n, int c, double *room) {
    long count = 0;
    for (long i = 0; i < n; i++)
        if (!ink[i]) room[count++] = (double)values[3 * i + c];
    return count ? median_of(room, count) : 0.0;
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
        double gain = median_of(room, told);
        usual[2 * c] = gain, usual[2 * c + 1] = seen_paper - gain * paper;
        most = fmax(most, gain), least = fmin(least, gain), least_offset = fmin(least_offset, usual[2 * c + 1]);
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
    for (long i = 0; i < n; i++) {
        float off = lit_off(&lit, print + 3 * i, seen + 3 * i, (float)(100.0 * x[i]), (float)(100.0 * y[i]));
        off /= (float)unexplained;
        off = off * off < 1.0f ? off * off : 1.0f;
        all += (double)off;
        if (ink[i]) inked += (double)off, count++;
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
    long all = card.rows * card.columns, n = 0, nth = 0;
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
            if (!open[i] || nth++ % thinned) continue;
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
    fine = fine && arena_print_light_body(print, target, x, y, 3, n, usual, fit + 2, fit + 4, fit + 10, light, informed);
    if (fine) {
        mean_unexplained(light, print, target, inked, x, y, n, veil[1], &of_all, &of_ink);
        if (of_ink > veil[0] && veil_of(print, target, inked, n, veil + 3, room, usual)) {
            double veiled[18], left, unused;
            fine = arena_print_light_body(print, target, x, y, 3, n, usual, fit + 2, fit + 4, fit + 10, veiled, informed);
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

/* ---- matches of keypoints that agree about a card: tokens/cards/print_votes.py ---- */

/* The keypoints `seen` (n) of which some were met, each counted once: mark[k] is the number of the last count. */
INLINE long newly_met(const int64_t *seen, long i, int64_t *mark, int64_t count) {
    if (mark[seen[i]] == count) return 0;
    mark[seen[i]] = count;
    return 1;
}

/* The most matches that agree with one of `seeds` (count) about the card: those that are `left` (n), whose card's middle
 * (n, 2) lies near, which are turned (n) nearly as much, and which lie `at` (n, 2) about where their places `mm` (n, 2)
 * say. Each of the photograph's keypoints `seen` (n, below `keypoints`) counts once, and how alike (n) the seed is.
 * rules: how far middles are apart, and turns, how far off a match may be, how much more for each mm away. Their numbers
 * in `members` (n); how many is told, or -1 where there is no memory. */
INLINE long arena_crowd_body(const double *mm, const double *at, const double *turn, const double *middle,
                             const int64_t *seen, const float *alike, const uint8_t *left, long n, long keypoints,
                             const int64_t *seeds, long count, const double *rules, int64_t *members) {
    int64_t *mark = calloc((size_t)(keypoints ? keypoints : 1) + (size_t)(n ? n : 1), sizeof(int64_t));
    if (!mark) return -1;
    int64_t *near = mark + keypoints;
    const double whole = 6.283185307179586;
    double best = 0.0;
    long found = 0;
    for (long s = 0; s < count; s++) {
        long i = (long)seeds[s], some = 0, votes = 0;
        double c = cos(turn[i]), d = sin(turn[i]);
        for (long j = 0; j < n; j++) {
            if (!left[j] || fabs(middle[2 * j] - middle[2 * i]) > rules[0]) continue;
            if (!(fabs(middle[2 * j + 1] - middle[2 * i + 1]) < rules[0])) continue;
            double apart = fabs(turn[j] - turn[i]);
            if (!(fmin(apart, whole - apart) < rules[1])) continue;
            double x = mm[2 * j] - mm[2 * i], y = mm[2 * j + 1] - mm[2 * i + 1];
            double u = at[2 * j] - at[2 * i] - (c * x - d * y), v = at[2 * j + 1] - at[2 * i + 1] - (d * x + c * y);
            if (!(sqrt(u * u + v * v) < rules[2] + rules[3] * sqrt(x * x + y * y))) continue;
            near[some++] = j;
            votes += newly_met(seen, j, mark, s + 1);
        }
        double weight = (double)votes + (double)alike[i];
        if (weight > best) {
            best = weight, found = some;
            memcpy(members, near, sizeof(int64_t) * (size_t)some);
        }
    }
    free(mark);
    return found;
}

ON_EVERY_CPU(long, arena_crowd,
             (const double *mm, const double *at, const double *turn, const double *middle, const int64_t *seen, const
              float *alike, const uint8_t *left, long n, long keypoints, const int64_t *seeds, long count, const double
              *rules, int64_t *members),
             (mm, at, turn, middle, seen, alike, left, n, keypoints, seeds, count, rules, members))

/* The matches (n) that lie `at` (n, 2) nearer than `within` to where a card at `place` (x, y, turn) has their places `mm`
 * (n, 2); their numbers in `members` (n). How many is told. */
INLINE long arena_fitting_body(const double *mm, const double *at, long n, const double *place, double within,
                               int64_t *members) {
    double c = cos(place[2]), s = sin(place[2]);
    long found = 0;
    for (long i = 0; i < n; i++) {
        double u = place[0] + c * mm[2 * i] - s * mm[2 * i + 1] - at[2 * i];
        double v = place[1] + s * mm[2 * i] + c * mm[2 * i + 1] - at[2 * i + 1];
        members[found] = i;
        found += u * u + v * v < within * within;
    }
    return found;
}

ON_EVERY_CPU(long, arena_fitting,
             (const double *mm, const double *at, long n, const double *place, double within, int64_t *members),
             (mm, at, n, place, within, members))

/* Of `members` (count) those of the face that most of their keypoints belong to, in place; `head` (keypoints) and `next`
 * (count) are room for a list of each keypoint's members, `of_face` (faces) for a count. How many stay is told; `votes`:
 * how many keypoints they are. */
INLINE long of_leading_face(const int64_t *seen, const int64_t *face, int64_t *members, long count, long faces,
                            int64_t *head, int64_t *next, int64_t *of_face, long *votes) {
    memset(of_face, 0, sizeof(int64_t) * (size_t)faces);
    for (long k = 0; k < count; k++) head[seen[members[k]]] = -1;
    for (long k = 0; k < count; k++) {
        int64_t i = members[k], other = head[seen[i]];
        while (other >= 0 && face[members[other]] != face[i]) other = next[other];
        of_face[face[i]] += other < 0;
        next[k] = head[seen[i]], head[seen[i]] = k;
    }
    long leading = 0, kept = 0;
    for (long f = 1; f < faces; f++)
        if (of_face[f] > of_face[leading]) leading = f;
    for (long k = 0; k < count; k++)
        if (face[members[k]] == leading) members[kept++] = members[k];
    *votes = (long)of_face[leading];
    return kept;
}

/* The most matches that an affinity through one of `seeds` (count) explains, of those `left` (n): turned (n) and scaled
 * (n, logarithms) alike, and seen at px (n, 2) where their places mm (n, 2) say; `affine` (n, 2, 2) is each seed's map.
 * Of one face alone if `one_face`. Each keypoint `seen` (n, below `keypoints`) counts once. rules: how far turns and
 * scales are apart, how many mm a match may be off, how much more for each mm away, and how many must agree. Their
 * numbers in `members` (n); how many is told, 0 where too few agree, -1 where there is no memory. */
INLINE long arena_agreeing_body(const double *mm, const double *px, const double *affine, const double *turn,
                                const double *log_scale, const int64_t *seen, const int64_t *face, const uint8_t *left,
                                long n, long keypoints, long faces, const int64_t *seeds, long count, long one_face,
                                const double *rules, int64_t *members) {
    int64_t *room = calloc((size_t)(2 * keypoints + 2 * n + faces + 1), sizeof(int64_t));
    if (!room) return -1;
    int64_t *mark = room, *head = mark + keypoints, *near = head + keypoints, *next = near + n, *of_face = next + n;
    const double whole = 6.283185307179586;
    long most = (long)rules[4] - 1, found = 0;
    for (long s = 0; s < count; s++) {
        long i = (long)seeds[s], some = 0, votes = 0;
        const double *a = affine + 4 * i;
        double by = 1.0 / (a[0] * a[3] - a[1] * a[2]);
        for (long j = 0; j < n; j++) {
            if (!left[j] || !(fabs(log_scale[j] - log_scale[i]) < rules[1])) continue;
            double apart = fabs(turn[j] - turn[i]);
            if (!(fmin(apart, whole - apart) < rules[0])) continue;
            double x = mm[2 * j] - mm[2 * i], y = mm[2 * j + 1] - mm[2 * i + 1];
            double p = px[2 * j] - px[2 * i], q = px[2 * j + 1] - px[2 * i + 1];
            double u = by * (a[3] * p - a[1] * q) - x, v = by * (a[0] * q - a[2] * p) - y;
            if (!(sqrt(u * u + v * v) < rules[2] + rules[3] * sqrt(x * x + y * y))) continue;
            near[some++] = j;
            if (!one_face) votes += newly_met(seen, j, mark, s + 1);
        }
        if (one_face) some = of_leading_face(seen, face, near, some, faces, head, next, of_face, &votes);
        if (votes > most) {
            most = votes, found = some;
            memcpy(members, near, sizeof(int64_t) * (size_t)some);
        }
    }
    free(room);
    return found;
}

ON_EVERY_CPU(long, arena_agreeing,
             (const double *mm, const double *px, const double *affine, const double *turn, const double *log_scale,
              const int64_t *seen, const int64_t *face, const uint8_t *left, long n, long keypoints, long faces, const
              int64_t *seeds, long count, long one_face, const double *rules, int64_t *members),
             (mm, px, affine, turn, log_scale, seen, face, left, n, keypoints, faces, seeds, count, one_face, rules,
              members))

/* ---- the median round about each pixel: reading/floor/floor_texture.py, `_detail` ---- */

/* A block of pixels that is done at once, and a row of it with the widest window's margin. */
#define MEDIAN_ROWS 16
#define MEDIAN_COLUMNS 48
#define MEDIAN_LANE 64
#define MEDIAN_WIDEST 15 /* a window's pixels are counted in a byte */
#define MEDIAN_SIZE (MEDIAN_ROWS * MEDIAN_LANE)

/* Of a block with its margin (MEDIAN_ROWS + size - 1, MEDIAN_LANE) which medians are above the level: 1 or 0
 * (MEDIAN_ROWS, MEDIAN_LANE; the last columns of a row mean nothing). Returns whether any of the first `columns` is (1),
 * and whether all are (2). */
INLINE int medians_above(const uint8_t *block, long columns, long size, uint8_t level, uint8_t *above) {
    /* how many of a column of the window are above, then of 2, 4 and 8 columns from there on */
    uint8_t sums[4][MEDIAN_SIZE + 2 * MEDIAN_LANE], in_row[MEDIAN_COLUMNS] = {0}, all_in_row[MEDIAN_COLUMNS];
    const uint8_t most = (uint8_t)(size * size / 2);
    uint8_t any = 0, all = 1;
    for (int bit = 0; bit < 4; bit++) memset(sums[bit] + MEDIAN_SIZE, 0, 2 * MEDIAN_LANE);
    memset(sums[0], 0, MEDIAN_LANE);
    for (long r = 0; r < size; r++)
        for (long c = 0; c < MEDIAN_LANE; c++) sums[0][c] += block[r * MEDIAN_LANE + c] > level;
    const uint8_t *out = block, *in = block + size * MEDIAN_LANE;
    for (long i = 0; i < MEDIAN_SIZE - MEDIAN_LANE; i++)
        sums[0][i + MEDIAN_LANE] = (uint8_t)(sums[0][i] + (in[i] > level) - (out[i] > level));
    for (int bit = 0; bit < 3; bit++)
        for (long i = 0; i < MEDIAN_SIZE; i++)
            sums[bit + 1][i] = (uint8_t)(sums[bit][i] + sums[bit][i + (1L << bit)]);
    memset(above, 0, MEDIAN_SIZE);
    long at = 0;
    for (int bit = 3; bit >= 0; bit--) {
        if (!(size >> bit & 1)) continue;
        for (long i = 0; i < MEDIAN_SIZE; i++) above[i] += sums[bit][i + at];
        at += 1L << bit;
    }
    for (long i = 0; i < MEDIAN_SIZE; i++) above[i] = above[i] > most;
    memset(all_in_row, 1, sizeof all_in_row);
    for (long r = 0; r < MEDIAN_ROWS; r++)
        for (long c = 0; c < MEDIAN_COLUMNS; c++) {
            in_row[c] |= above[r * MEDIAN_LANE + c];
            all_in_row[c] &= above[r * MEDIAN_LANE + c];
        }
    for (long c = 0; c < columns; c++) any |= in_row[c], all &= all_in_row[c];
    return any | all << 1;
}

/* A block with its margin from `top` and `left` on; the border's values go on beyond it. */
INLINE void median_block(const uint8_t *values, long height, long width, long top, long left, long size, uint8_t *block) {
    for (long r = 0; r < MEDIAN_ROWS + size - 1; r++) {
        const long y = top + r - size / 2;
        const uint8_t *row = values + (y < 0 ? 0 : y >= height ? height - 1 : y) * width;
        for (long c = 0; c < MEDIAN_COLUMNS + size - 1; c++) {
            const long x = left + c - size / 2;
            block[r * MEDIAN_LANE + c] = row[x < 0 ? 0 : x >= width ? width - 1 : x];
        }
    }
}

/* For each of the values (height, width) the median of the size * size round about it, as cv2.medianBlur gives it. In a
 * block, level by level, from that of its middle up until no median is above, and down until all are: most differ by
 * little, whatever the values do. */
INLINE int arena_median_body(const uint8_t *values, long height, long width, long size, uint8_t *median) {
    uint8_t block[MEDIAN_SIZE + MEDIAN_WIDEST * MEDIAN_LANE] = {0}, above[MEDIAN_SIZE], found[MEDIAN_SIZE];
    if (size > MEDIAN_WIDEST || size % 2 == 0) return 0;
    for (long top = 0; top < height; top += MEDIAN_ROWS)
        for (long left = 0; left < width; left += MEDIAN_COLUMNS) {
            const long rows = height - top < MEDIAN_ROWS ? height - top : MEDIAN_ROWS;
            const long columns = width - left < MEDIAN_COLUMNS ? width - left : MEDIAN_COLUMNS;
            median_block(values, height, width, top, left, size, block);
            const int start = block[(MEDIAN_ROWS / 2 + size / 2) * MEDIAN_LANE + MEDIAN_COLUMNS / 2 + size / 2];
            memset(found, start, sizeof found);
            for (int level = start; level < 255; level++) {
                if (!(medians_above(block, columns, size, (uint8_t)level, above) & 1)) break;
                for (long i = 0; i < MEDIAN_SIZE; i++) found[i] += above[i];
            }
            for (int level = start - 1; level >= 0; level--) {
                if (medians_above(block, columns, size, (uint8_t)level, above) & 2) break;
                for (long i = 0; i < MEDIAN_SIZE; i++) found[i] = (uint8_t)(found[i] - 1 + above[i]);
            }
            for (long r = 0; r < rows; r++)
                memcpy(median + (top + r) * width + left, found + r * MEDIAN_LANE, (size_t)columns);
        }
    return 1;
}

ON_EVERY_CPU(int, arena_median, (const uint8_t *values, long height, long width, long size, uint8_t *median),
             (values, height, width, size, median))

/* ---- what differs from an earlier picture of the floor: reading/floor/floor_comparison.py, `compared` ---- */

/* Of logarithms of a picture `now`, of the `floor` (height, width, 3) and of the change of `light` (height, wide, 3) the mean log ratio
 * (height, width) with the light taken out, and five masks (height, width) each: what is in both pictures, odd, pale,
 * strange, bare. Limits are in the order of the twin's. */
INLINE int arena_floor_body(const float *now, const float *floor, const float *light, long wide, const uint8_t *valid,
                            long height, long width, const float *limits, float *mean, uint8_t *masks) {
    const float outside = limits[0], dark = limits[1], black = limits[2], *odd = limits + 3, *plain = limits + 5;
    const float *same = limits + 7;
    const long area = height * width;
    float *work = malloc(sizeof(float) * 3 * (size_t)width);
    if (!work) return 0;
    float *blue = work, *green = blue + width, *red = green + width;
    for (long at = 0; at < area; at += width, now += 3 * width, floor += 3 * width, light += 3 * wide) {
        float *middle = mean + at;
        for (long c = 0; c < width; c++) {
            blue[c] = now[3 * c] - floor[3 * c] - light[3 * c];
            green[c] = now[3 * c + 1] - floor[3 * c + 1] - light[3 * c + 1];
            red[c] = now[3 * c + 2] - floor[3 * c + 2] - light[3 * c + 2];
            middle[c] = (blue[c] + green[c] + red[c]) * (float)(1.0 / 3.0);
            const float least = now[3 * c + 1] < floor[3 * c + 1] ? now[3 * c + 1] : floor[3 * c + 1];
            masks[at + c] = least > outside;
        }
        for (long c = 0; c < width; c++) { /* apart from the mean's product: fused with it they would round otherwise */
            const float off_blue = fabsf(blue[c] - middle[c]), off_green = fabsf(green[c] - middle[c]);
            const float off_red = fabsf(red[c] - middle[c]), of_two = off_blue > off_green ? off_blue : off_green;
            const float colour = of_two > off_red ? of_two : off_red;
            const uint8_t asked = valid[at + c] > 0, is_black = middle[c] < black;
            const uint8_t seen = (colour > odd[0]) | (middle[c] > odd[1]);
            masks[at + c + area] = asked & (seen | (middle[c] < dark));
            masks[at + c + 2 * area] = asked & (seen | is_black);
            masks[at + c + 3 * area] = asked & ((colour > plain[0]) | (middle[c] > plain[1]) | is_black);
            masks[at + c + 4 * area] = asked & (fabsf(middle[c]) < same[1]) & (colour < same[0]);
        }
    }
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_floor,
             (const float *now, const float *floor, const float *light, long wide, const uint8_t *valid, long height,
              long width, const float *limits, float *mean, uint8_t *masks),
             (now, floor, light, wide, valid, height, width, limits, mean, masks))

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

/* ---- round prints sampled: tokens/discs/disc_prints.py, `lit_samples` ---- */

/* Samples of discs at `middles` (n, 2), columns and rows of a view's colours (height, width, 3): `offsets` (m, 2) from
 * each middle, in pixels. `seen` (n, m, 3): their colours without the offset (n, 3) of a light, divided by its gain
 * (n, 3). `free` (n, m): whether the photograph has them (`inside`, height, width), and they lie outside all `others`
 * (count, 3): column, row and radius of circles, in pixels. */
INLINE int arena_disc_samples_body(const float *colours, const uint8_t *inside, long height, long width,
                                   const double *middles, long n, const double *offsets, long m, const double *light,
                                   const double *others, long count, float *seen, uint8_t *free_) {
    FromAbove view = {.colours = colours, .inside = inside, .height = height, .width = width};
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            double u = middles[2 * i] + offsets[2 * j], v = middles[2 * i + 1] + offsets[2 * j + 1];
            float x = (float)u, y = (float)v, colour[3];
            long column = (long)rintf(x), row = (long)rintf(y);
            int there = x >= 0.0f && y >= 0.0f && x <= (float)(width - 1) && y <= (float)(height - 1);
            there = there && inside[row * width + column];
            for (long k = 0; there && k < count; k++) {
                double a = u - others[3 * k], b = v - others[3 * k + 1];
                there = a * a + b * b > others[3 * k + 2] * others[3 * k + 2];
            }
            free_[i * m + j] = (uint8_t)there;
            colour_at(&view, x, y, colour);
            for (int c = 0; c < 3; c++)
                seen[3 * (i * m + j) + c] = (float)((colour[c] - light[6 * i + 3 + c]) / light[6 * i + c]);
        }
    return 1;
}

ON_EVERY_CPU(int, arena_disc_samples,
             (const float *colours, const uint8_t *inside, long height, long width, const double *middles, long n, const
              double *offsets, long m, const double *light, const double *others, long count, float *seen, uint8_t
              *free_),
             (colours, inside, height, width, middles, n, offsets, m, light, others, count, seen, free_))

/* ---- pixels in a token's colour: tokens/left_over.py, `_alike` ---- */

/* Which of pixels (n, 3) have one of `colours` (count, 3), as bright as it between `darkest` and `brightest` times, within
 * so many grey levels in each channel. */
INLINE int arena_coloured_body(const float *pixels, long n, const float *colours, long count, float darkest,
                               float brightest, float within, uint8_t *found) {
    memset(found, 0, (size_t)n);
    for (long k = 0; k < count; k++) {
        const float a = colours[3 * k], b = colours[3 * k + 1], c = colours[3 * k + 2];
        const float size = a * a + b * b + c * c;
        for (long i = 0; i < n; i++) {
            float x = pixels[3 * i], y = pixels[3 * i + 1], z = pixels[3 * i + 2];
            float bright = (x * a + y * b + z * c) / size;
            bright = bright < darkest ? darkest : bright > brightest ? brightest : bright;
            int alike = (fabsf(x - bright * a) < within) & (fabsf(y - bright * b) < within) & (fabsf(z - bright * c) < within);
            found[i] |= (uint8_t)alike;
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_coloured,
             (const float *pixels, long n, const float *colours, long count, float darkest, float brightest, float
              within, uint8_t *found),
             (pixels, n, colours, count, darkest, brightest, within, found))
