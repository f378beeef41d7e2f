/* Straight sides of cards, looked for on the floor seen from above. */
#include "common.h"

/* A view of the floor (height, width): column and row of a place (x, y) in mm. */
typedef struct {
    double left, top, px_per_mm;
    long height, width;
} SeenFromAbove;

/* The number of the pixel that shows a place, the nearest one of the view: `_pixels`. */
INLINE long pixel_of(const SeenFromAbove *view, double x, double y) {
    double column = rint((x - view->left) * view->px_per_mm), row = rint((view->top - y) * view->px_per_mm);
    column = greater_of(lesser_of(column, (double)(view->width - 1)), 0.0);
    row = greater_of(lesser_of(row, (double)(view->height - 1)), 0.0);
    return (long)row * view->width + (long)column;
}

/* ---- what the sides of cards say: reading/guesses/rectangles.py, `_support` ---- */

/* As row `rules`. */
typedef struct {
    double outside, inside, edge_nats, no_edge_nats, bare_nats, unlike, surely;
} SideRules;

/* The evidence (places), in nats, of the sides of cards at places (places, 4): x, y, and cosine and sine of their
 * direction. samples (count, 2) are along a card's sides, normals (count, 2) lead outwards there, offs (wide) are where
 * a side is looked for across it; right and down (height, width) are how steep the view is, faint what noise does;
 * claimed and bare (height, width). */
INLINE int arena_sides_body(const float *right, const float *down, const uint8_t *claimed, const uint8_t *bare,
                            long height, long width, const double *view_, const double *places, long many,
                            const double *samples, const double *normals, long count, const double *offs, long wide,
                            double faint, const double *rules_, double *nats) {
    SeenFromAbove view = {view_[0], view_[1], view_[2], height, width};
    SideRules rules;
    memcpy(&rules, rules_, sizeof rules);
    for (long k = 0; k < many; k++) {
        const double *place = places + 4 * k;
        double c = place[2], s = place[3], said = 0.0;
        for (long i = 0; i < count; i++) {
            double u = samples[2 * i], v = samples[2 * i + 1], p = normals[2 * i], q = normals[2 * i + 1];
            double x = c * u - s * v + place[0], y = s * u + c * v + place[1], out_x = c * p - s * q, out_y = s * p + c * q;
            if (claimed[pixel_of(&view, x - rules.inside * out_x, y - rules.inside * out_y)]) continue;
            double steepest = 0.0;
            for (long o = 0; o < wide; o++) {
                long at = pixel_of(&view, x + offs[o] * out_x, y + offs[o] * out_y);
                steepest = greater_of(fabs(right[at] * out_x - down[at] * out_y), steepest);
            }
            double edge = (steepest / (steepest + faint) - rules.unlike) / (rules.surely - rules.unlike);
            edge = lesser_of(greater_of(edge, 0.0), 1.0);
            int is_bare = bare[pixel_of(&view, x + rules.outside * out_x, y + rules.outside * out_y)] > 0;
            said += edge * rules.edge_nats + (1.0 - edge) * (is_bare ? rules.bare_nats : rules.no_edge_nats);
        }
        nats[k] = said;
    }
    return 1;
}

ON_EVERY_CPU(int, arena_sides,
             (const float *right, const float *down, const uint8_t *claimed, const uint8_t *bare, long height,
              long width, const double *view_, const double *places, long many, const double *samples,
              const double *normals, long count, const double *offs, long wide, double faint, const double *rules_,
              double *nats),
             (right, down, claimed, bare, height, width, view_, places, many, samples, normals, count, offs, wide, faint,
              rules_, nats))

/* ---- whether floor is bare where cards might lie: reading/guesses/rectangles.py, `_is_no_floor` ---- */

/* Of the points (count, 2) of cards at places (many, 4), as above, how many (many) are seen: known and not claimed; and
 * how many of these (many) show bare floor. */
INLINE int arena_bare_under_body(const uint8_t *known, const uint8_t *claimed, const uint8_t *bare, long height,
                                 long width, const double *view_, const double *places, long many,
                                 const double *points, long count, int64_t *seen, int64_t *bare_) {
    SeenFromAbove view = {view_[0], view_[1], view_[2], height, width};
    for (long k = 0; k < many; k++) {
        const double *place = places + 4 * k;
        double c = place[2], s = place[3];
        int64_t in_view = 0, is_bare = 0;
        for (long i = 0; i < count; i++) {
            double u = points[2 * i], v = points[2 * i + 1];
            long at = pixel_of(&view, c * u - s * v + place[0], s * u + c * v + place[1]);
            in_view += known[at] && !claimed[at];
            is_bare += bare[at] && !claimed[at];
        }
        seen[k] = in_view;
        bare_[k] = is_bare;
    }
    return 1;
}

ON_EVERY_CPU(int, arena_bare_under,
             (const uint8_t *known, const uint8_t *claimed, const uint8_t *bare, long height, long width,
              const double *view_, const double *places, long many, const double *points, long count, int64_t *seen,
              int64_t *bare_),
             (known, claimed, bare, height, width, view_, places, many, points, count, seen, bare_))

/* ---- segments that do not lie on longer ones: reading/guesses/line_segments.py, `_once` ---- */

/* Of segments (many, 4), both ends, the longest first, of lengths (many): the numbers (most) of those that lie on none
 * taken before, within `near` across it and a `beyond` of its ends. Returns how many; -1 where there is no memory. */
INLINE long arena_once_body(const double *ends, const double *lengths, long many, long most, double near_,
                            double beyond, int64_t *kept) {
    double *taken = malloc(sizeof(double) * 5 * (size_t)(most ? most : 1)); /* begin, direction, length */
    long count = 0;
    if (!taken) return -1;
    for (long k = 0; k < many && count < most; k++) {
        const double *end = ends + 4 * k;
        int is_new = 1;
        for (long j = 0; is_new && j < count; j++) {
            const double *other = taken + 5 * j;
            int on = 1;
            for (int e = 0; on && e < 2; e++) {
                double x = end[2 * e] - other[0], y = end[2 * e + 1] - other[1];
                double along = x * other[2] + y * other[3], across = y * other[2] - x * other[3];
                on = along > -beyond && along < other[4] + beyond && fabs(across) < near_;
            }
            is_new = !on;
        }
        if (!is_new) continue;
        double *mine = taken + 5 * count;
        mine[0] = end[0], mine[1] = end[1], mine[4] = lengths[k];
        mine[2] = (end[2] - end[0]) / lengths[k], mine[3] = (end[3] - end[1]) / lengths[k];
        kept[count++] = k;
    }
    free(taken);
    return count;
}

ON_EVERY_CPU(long, arena_once,
             (const double *ends, const double *lengths, long many, long most, double near_, double beyond,
              int64_t *kept),
             (ends, lengths, many, most, near_, beyond, kept))

/* ---- how steep a view is: reading/guesses/rectangles.py, `_Slopes` ---- */

/* Of three channels (height, width) at least three pixels wide and high: how steep the one is that is steepest (of equal
 * ones the first), right and down (height, width), in levels a pixel, in the rows and columns within (first row, behind
 * the last one, first column, behind the last one) and nowhere else; and of every so many rows and columns of all how
 * steep it is altogether, some: Sobel's, beyond the rim mirrored at the outermost pixel. Slopes are whole eighths of a
 * level, their squares exact in single precision. 0 where there is no memory. */
INLINE int arena_sloping_body(const uint8_t *first, const uint8_t *second, const uint8_t *third, long height, long width,
                              long every, const int64_t *within, float *right, float *down, float *some) {
    const uint8_t *channels[3] = {first, second, third};
    int32_t *most = malloc(sizeof(int32_t) * 3 * (size_t)width), *dx = most + width, *dy = dx + width;
    if (!most) return 0;
    for (long r = 0; r < height; r++) {
        const long above = width * (r ? r - 1 : 1), below = width * (r < height - 1 ? r + 1 : r - 1);
        const int is_within = r >= within[0] && r < within[1], is_some = r % every == 0;
        const long begin = is_some ? 0 : within[2], end = is_some ? width : within[3];
        if (!is_within && !is_some) continue;
        for (long i = begin; i < end; i++) most[i] = -1;
        for (int c = 0; c < 3; c++) {
            const uint8_t *u = channels[c] + above, *m = channels[c] + width * r, *d = channels[c] + below;
            const long inner = begin > 1 ? begin : 1, outer = end < width - 1 ? end : width - 1;
#pragma omp simd
            for (long i = inner; i < outer; i++) {
                int32_t x = (u[i + 1] - u[i - 1]) + 2 * (m[i + 1] - m[i - 1]) + (d[i + 1] - d[i - 1]);
                int32_t y = (d[i - 1] - u[i - 1]) + 2 * (d[i] - u[i]) + (d[i + 1] - u[i + 1]), steep = x * x + y * y;
                int more = steep > most[i];
                dx[i] = more ? x : dx[i], dy[i] = more ? y : dy[i], most[i] = more ? steep : most[i];
            }
            for (int rim = 0; rim < 2; rim++) {
                long i = rim ? width - 1 : 0, beside = rim ? width - 2 : 1;
                int32_t y = 2 * (d[beside] - u[beside]) + 2 * (d[i] - u[i]), steep = y * y;
                if (i >= begin && i < end && steep > most[i]) dx[i] = 0, dy[i] = y, most[i] = steep;
            }
        }
        if (is_within) {
#pragma omp simd
            for (long i = within[2]; i < within[3]; i++) {
                right[r * width + i] = 0.125f * (float)dx[i];
                down[r * width + i] = 0.125f * (float)dy[i];
            }
        }
        if (is_some)
            for (long i = 0; i < width; i += every) *some++ = 0.125f * sqrtf((float)most[i]);
    }
    free(most);
    return 1;
}

ON_EVERY_CPU_AND_WIDE(int, arena_sloping,
             (const uint8_t *first, const uint8_t *second, const uint8_t *third, long height, long width, long every,
              const int64_t *within, float *right, float *down, float *some),
             (first, second, third, height, width, every, within, right, down, some))
