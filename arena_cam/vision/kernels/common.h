/* What the eye's compiled loops share: small linear algebra, cameras, poses and pictures.
 *
 * Each function has a twin in numpy, named beside it, which says what is computed and why; the tests hold both against
 * each other. Constants come from the twins. No Python.h: the library is loaded with ctypes, so one build serves every
 * version of Python and numpy. All arrays are contiguous; a row of the twin's array is a row here.
 */
#ifndef ARENA_COMMON_H
#define ARENA_COMMON_H

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
#define HAS_FAST (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt"))
#define HAS_WIDE (HAS_FAST && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
#define FAST_AND_PLAIN(result, name, parameters, arguments)                                                           \
    static __attribute__((target("avx2,fma,popcnt"))) result name##_fast parameters { return name##_body arguments; } \
    static result name##_plain parameters { return name##_body arguments; }
#define ON_EVERY_CPU(result, name, parameters, arguments)                                                             \
    FAST_AND_PLAIN(result, name, parameters, arguments)                                                               \
    API result name parameters { return HAS_FAST ? name##_fast arguments : name##_plain arguments; }
/* The same of what counts bytes: it is there once more for processors with AVX-512, which take 64 at a time. Of whole
 * numbers these make the same, and so they do of the numbers that no sum is made of. */
#define ON_EVERY_CPU_AND_WIDE(result, name, parameters, arguments)                                                    \
    static __attribute__((target("avx512f,avx512bw,avx512vl,avx2,fma,popcnt,prefer-vector-width=512")))               \
    result name##_wide parameters { return name##_body arguments; }                                                   \
    FAST_AND_PLAIN(result, name, parameters, arguments)                                                               \
    API result name parameters {                                                                                      \
        return HAS_WIDE ? name##_wide arguments : HAS_FAST ? name##_fast arguments : name##_plain arguments;          \
    }
#else
#define ON_EVERY_CPU(result, name, parameters, arguments)                                                             \
    API result name parameters { return name##_body arguments; }
#define ON_EVERY_CPU_AND_WIDE ON_EVERY_CPU
#endif

/* The greater and the lesser of two numbers, each one instruction where fmax and fmin are calls. Of a first one that is no
 * number the second is given, as by these. */
INLINE double greater_of(double a, double b) { return a > b ? a : b; }
INLINE double lesser_of(double a, double b) { return a < b ? a : b; }

#define BLOCK 64 /* points whose rows are multiplied while they are in the cache */

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
 * its time. Sorted like whole numbers of their bits, they are counted into buckets of a sixteenth of an octave. `next_below`,
 * where somebody asks for it, is the one before, and k at least 1. */
INLINE double kth_of_many(double *v, long n, long k, double *next_below) {
    long below = 0, here = 0, kept = n;
    double before = 0.0;
    if (n >= FEW) {
        double greatest = 0.0;
#pragma omp simd reduction(max : greatest)
        for (long i = 0; i < n; i++) greatest = v[i] > greatest ? v[i] : greatest;
        uint64_t bits;
        memcpy(&bits, &greatest, sizeof bits);
        int64_t base = (int64_t)(bits >> 48) - (BUCKETS - 1);
        int32_t counts[2][BUCKETS] = {{0}}; /* by turns: neighbours are alike, and would wait for each other's count */
        for (long i = 0; i < n; i++) {
            memcpy(&bits, &v[i], sizeof bits);
            int64_t bucket = (int64_t)(bits >> 48) - base;
            counts[i & 1][bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1]++;
        }
        while (below + counts[0][here] + counts[1][here] <= k) below += counts[0][here] + counts[1][here], here++;
        kept = 0;
        for (long i = 0; i < n; i++) {
            memcpy(&bits, &v[i], sizeof bits);
            int64_t bucket = (int64_t)(bits >> 48) - base;
            bucket = bucket < 0 ? 0 : bucket < BUCKETS ? bucket : BUCKETS - 1;
            double value = v[i];
            if (next_below) before = bucket < here && value > before ? value : before;
            v[kept] = value;
            kept += bucket == here;
        }
    }
    double found = kth_smallest(v, kept, k - below);
    for (long i = 0; next_below && i < k - below; i++) before = greater_of(v[i], before);
    if (next_below) *next_below = before;
    return found;
}

/* gram (rows, rows) += weighted d (rows, stride) of n points; d and w d are given as rows. Only i <= j is filled. Four
 * sums of a row at once, each as it is by itself: one alone waits for its own last addition. */
INLINE void add_gram(double *gram, const double *d, const double *wd, int rows, long stride, long n) {
    for (int i = 0; i < rows; i++) {
        const double *a = wd + i * stride;
        int j = i;
        for (; j + 3 < rows; j += 4) {
            const double *b = d + j * stride, *c = b + stride, *e = c + stride, *f = e + stride;
            double s = 0.0, t = 0.0, u = 0.0, v = 0.0;
#pragma omp simd reduction(+ : s, t, u, v)
            for (long p = 0; p < n; p++) s += a[p] * b[p], t += a[p] * c[p], u += a[p] * e[p], v += a[p] * f[p];
            gram[i * rows + j] += s, gram[i * rows + j + 1] += t, gram[i * rows + j + 2] += u, gram[i * rows + j + 3] += v;
        }
        for (; j < rows; j++) {
            const double *b = d + j * stride;
            double s = 0.0;
#pragma omp simd reduction(+ : s)
            for (long p = 0; p < n; p++) s += a[p] * b[p];
            gram[i * rows + j] += s;
        }
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

/* Camera.project_plane of n points, no more than a BLOCK: as project has it, four at once. */
INLINE void project_block(const Camera *camera, const double *M, const double *x, const double *y, long n, double *u,
                          double *v) {
#pragma omp simd
    for (long i = 0; i < n; i++) project(camera, M, x[i], y[i], &u[i], &v[i]);
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

/* sample of n pixels of the frame, no more than a BLOCK: seen (n), and good (n), 1 inside the picture and 0 outside it. Of
 * a block that lies inside, as nearly all do, the four pixels about each are gathered first and mixed four at once. */
INLINE void sample_block(const Picture *picture, const double *u, const double *v, long n, double *seen, double *good) {
    float a[BLOCK], b[BLOCK], corner[4][BLOCK];
    int32_t column[BLOCK], row[BLOCK];
    const float last_x = (float)(picture->width - 1), last_y = (float)(picture->height - 1);
    int outside = 0;
#pragma omp simd reduction(| : outside)
    for (long i = 0; i < n; i++) {
        float x = (float)(u[i] * picture->scale), y = (float)(v[i] * picture->scale);
        outside |= !(x >= 0.0f) | !(y >= 0.0f) | !(x < last_x) | !(y < last_y);
        column[i] = (int32_t)x, row[i] = (int32_t)y;
        a[i] = x - (float)column[i], b[i] = y - (float)row[i];
    }
    if (outside) {
        for (long i = 0; i < n; i++) good[i] = sample(picture, u[i], v[i], &seen[i]);
        return;
    }
    for (long i = 0; i < n; i++) {
        const float *at = picture->data + (long)row[i] * picture->width + column[i], *below = at + picture->width;
        corner[0][i] = at[0], corner[1][i] = at[1], corner[2][i] = below[0], corner[3][i] = below[1];
    }
#pragma omp simd
    for (long i = 0; i < n; i++) {
        float upper = corner[0][i] + a[i] * (corner[1][i] - corner[0][i]);
        float lower = corner[2][i] + a[i] * (corner[3][i] - corner[2][i]);
        seen[i] = (double)(upper + b[i] * (lower - upper));
        good[i] = 1.0;
    }
}

/* Whether a pixel of the frame is claimed, as Claims.at. */
INLINE int is_claimed(const uint8_t *mask, long height, long width, double step, double u, double v) {
    double x = u * (1.0 / step) + 0.5, y = v * (1.0 / step) + 0.5;
    x = greater_of(lesser_of(x, (double)(width - 1)), 0.0);
    y = greater_of(lesser_of(y, (double)(height - 1)), 0.0);
    return mask[(long)y * width + (long)x] != 0;
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

/* The median of values (n) that are not negative, which are reordered. */
INLINE double median(double *values, long n) {
    double upper = kth_smallest(values, n, n / 2), lower = 0.0;
    for (long i = 0; i < n / 2; i++) lower = greater_of(values[i], lower);
    return n % 2 ? upper : 0.5 * (upper + lower);
}

/* The median of values (n) that are not negative, which are overwritten. */
INLINE double median_of_many(double *values, long n) {
    double lower = 0.0, upper = kth_of_many(values, n, n / 2, n % 2 ? NULL : &lower);
    return n % 2 ? upper : 0.5 * (upper + lower);
}

/* The normal equations, normal (6, 6) and right (6), of a light: a gain and a haze, each with slopes along x and y, by
 * which value (n) is seen as target (n), weighted by agree (n). */
INLINE void light_equations(const double *value, const double *target, const double *agree, const double *x,
                            const double *y, long n, double *normal, double *right) {
    /* Of w, w v and w v v the sums times 1, x, y, xx, xy, yy; of w t and w v t those times 1, x, y. */
    double p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, q0 = 0, q1 = 0, q2 = 0, q3 = 0, q4 = 0, q5 = 0;
    double r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0, t2 = 0;
    /* Nine sums at once stay in registers; all of them would go to memory and back at every sample. */
#pragma omp simd reduction(+ : p0, p1, p2, p3, p4, p5, s0, s1, s2)
    for (long i = 0; i < n; i++) {
        double w = agree[i], a = x[i], b = y[i], t = w * target[i];
        p0 += w, p1 += w * a, p2 += w * b, p3 += w * a * a, p4 += w * a * b, p5 += w * b * b;
        s0 += t, s1 += t * a, s2 += t * b;
    }
#pragma omp simd reduction(+ : q0, q1, q2, q3, q4, q5, t0, t1, t2)
    for (long i = 0; i < n; i++) {
        double a = x[i], b = y[i], v = agree[i] * value[i], z = v * target[i];
        q0 += v, q1 += v * a, q2 += v * b, q3 += v * a * a, q4 += v * a * b, q5 += v * b * b;
        t0 += z, t1 += z * a, t2 += z * b;
    }
#pragma omp simd reduction(+ : r0, r1, r2, r3, r4, r5)
    for (long i = 0; i < n; i++) {
        double a = x[i], b = y[i], v = agree[i] * value[i], u = v * value[i];
        r0 += u, r1 += u * a, r2 += u * b, r3 += u * a * a, r4 += u * a * b, r5 += u * b * b;
    }
    const double products[36] = {r0, r1, r2, q0, q1, q2, r1, r3, r4, q1, q3, q4, r2, r4, r5, q2, q4, q5,
                                 q0, q1, q2, p0, p1, p2, q1, q3, q4, p1, p3, p4, q2, q4, q5, p2, p4, p5};
    const double sums[6] = {t0, t1, t2, s0, s1, s2};
    memcpy(normal, products, sizeof products), memcpy(right, sums, sizeof sums);
}

#endif
