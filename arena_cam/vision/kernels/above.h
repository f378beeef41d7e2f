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

#endif
