/* A table as it is seen from straight above: what is sampled there. */
#ifndef ARENA_ABOVE_H
#define ARENA_ABOVE_H

#include "common.h"

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

INLINE long held(long at, long last) { return at < 0 ? 0 : at > last ? last : at; }

#if defined(__GNUC__)
/* A pixel's three channels and one number more: one instruction where each by itself takes several. */
typedef float Four __attribute__((vector_size(16)));
INLINE Four four(const float *at) { Four v; memcpy(&v, at, sizeof v); return v; }
#endif

/* What is seen at place u, v of the view, bilinear; beyond its border as at it. */
INLINE void colour_at(const FromAbove *view, float u, float v, float *seen) {
    float left = floorf(u), upper = floorf(v), a = u - left, b = v - upper;
    long x = (long)left, y = (long)upper;
#if defined(__GNUC__)
    if (x >= 0 && y >= 0 && x + 2 < view->width && y + 1 < view->height) { /* also the number after a pixel is its row's */
        const float *at = view->colours + 3 * (y * view->width + x), *below = at + 3 * view->width;
        Four high = four(at) + a * (four(at + 3) - four(at)), low = four(below) + a * (four(below + 3) - four(below));
        Four both = high + b * (low - high);
        memcpy(seen, &both, 3 * sizeof(float));
        return;
    }
#endif
    long x0 = held(x, view->width - 1), x1 = held(x + 1, view->width - 1);
    long y0 = held(y, view->height - 1), y1 = held(y + 1, view->height - 1);
    const float *p = view->colours + 3 * (y0 * view->width + x0), *q = view->colours + 3 * (y0 * view->width + x1);
    const float *r = view->colours + 3 * (y1 * view->width + x0), *s = view->colours + 3 * (y1 * view->width + x1);
    for (int c = 0; c < 3; c++) {
        float high = p[c] + a * (q[c] - p[c]), low = r[c] + a * (s[c] - r[c]);
        seen[c] = high + b * (low - high);
    }
}

/* colour_at of n places, no more than a BLOCK: seen (n, 3). Where each lies between its four pixels is told eight at once,
 * and none of a block that lies within the view, as nearly all do, is asked whether it does. */
INLINE void colours_at(const FromAbove *view, const double *u, const double *v, long n, float *seen) {
#if defined(__GNUC__)
    float a[BLOCK], b[BLOCK];
    int32_t x[BLOCK], y[BLOCK];
    const int32_t last_x = (int32_t)view->width - 2, last_y = (int32_t)view->height - 1;
    int beyond = 0;
#pragma omp simd reduction(| : beyond)
    for (long i = 0; i < n; i++) {
        float p = (float)u[i], q = (float)v[i], left = floorf(p), upper = floorf(q);
        a[i] = p - left, b[i] = q - upper, x[i] = (int32_t)left, y[i] = (int32_t)upper;
        beyond |= (x[i] < 0) | (y[i] < 0) | (x[i] >= last_x) | (y[i] >= last_y);
    }
    if (!beyond) {
        for (long i = 0; i < n; i++) {
            const float *at = view->colours + 3 * (y[i] * view->width + x[i]), *below = at + 3 * view->width;
            Four high = four(at) + a[i] * (four(at + 3) - four(at));
            Four low = four(below) + a[i] * (four(below + 3) - four(below));
            Four both = high + b[i] * (low - high);
            memcpy(seen + 3 * i, &both, (i + 1 < n ? 4 : 3) * sizeof(float)); /* the fourth is written over by the next */
        }
        return;
    }
#endif
    for (long i = 0; i < n; i++) colour_at(view, (float)u[i], (float)v[i], seen + 3 * i);
}

#endif
