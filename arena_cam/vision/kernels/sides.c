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

/* ---- outlines of upright cards: reading/guesses/outlines.py, `_outlined` ---- */

/* The number (0 to n - 1) of what is seen at i where the picture ends: mirrored at the outermost pixel. */
INLINE long mirrored(long i, long n) {
    if (n == 1) return 0;
    while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
    return i;
}

INLINE long within(long i, long n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* By how much slopes (height, width), eight times as steep, exceed their mean over a square round about (size), `most`
 * at most: ratio (height, width). sums (width) and padded (width + size) are for work. Whole numbers are summed. */
INLINE void exceeding(const uint16_t *slopes, long height, long width, long size, float faint, float most,
                      int32_t *sums, int32_t *padded, float *ratio) {
    long before = size / 2, after = size - 1 - before;
    double share = 1.0 / (double)(size * size);
    memset(sums, 0, sizeof(int32_t) * (size_t)width);
    for (long r = -before; r < after; r++) {
        const uint16_t *row = slopes + width * mirrored(r, height);
        for (long c = 0; c < width; c++) sums[c] += row[c];
    }
    for (long r = 0; r < height; r++) {
        const uint16_t *in = slopes + width * mirrored(r + after, height), *here = slopes + width * r;
        const uint16_t *out = slopes + width * mirrored(r - before, height);
        for (long c = 0; c < width; c++) sums[c] += in[c];
        for (long c = -before; c < 0; c++) padded[c + before] = sums[mirrored(c, width)];
        memcpy(padded + before, sums, sizeof(int32_t) * (size_t)width);
        for (long c = width; c < width + after; c++) padded[c + before] = sums[mirrored(c, width)];
        int32_t sum = 0;
        for (long k = 0; k < size - 1; k++) sum += padded[k];
        float *found = ratio + width * r;
        for (long c = 0; c < width; c++) {
            sum += padded[c + size - 1];
            found[c] = (float)((double)sum * 0.125 * share);
            sum -= padded[c];
        }
        for (long c = 0; c < width; c++) {
            float steep = (float)here[c] * 0.125f / (found[c] + faint);
            found[c] = steep < most ? steep : most;
        }
        for (long c = 0; c < width; c++) sums[c] -= out[c];
    }
}

/* Means (height, width) of values (height, width) over `high` rows and `wide` columns round about each; beyond the rim
 * all is as at it. sums (width + wide) and row (width + wide) are for work. */
INLINE void averaged(const float *values, long height, long width, long wide, long high, double *sums, double *row,
                     float *means) {
    long up = high / 2, down = high - 1 - up, left = wide / 2, right = wide - 1 - left;
    double share = 1.0 / (double)(wide * high);
    memset(sums, 0, sizeof(double) * (size_t)width);
    for (long r = -up; r < down; r++) {
        const float *of = values + width * within(r, height);
        for (long c = 0; c < width; c++) sums[c] += (double)of[c];
    }
    for (long r = 0; r < height; r++) {
        const float *in = values + width * within(r + down, height), *out = values + width * within(r - up, height);
        float *found = means + width * r;
        for (long c = 0; c < width; c++) sums[c] += (double)in[c];
        for (long c = -left; c < 0; c++) row[c + left] = sums[0];
        memcpy(row + left, sums, sizeof(double) * (size_t)width);
        for (long c = width; c < width + right; c++) row[c + left] = sums[width - 1];
        if (wide == 3) {
            for (long c = 0; c < width; c++) found[c] = (float)((row[c] + row[c + 1] + row[c + 2]) * share);
        } else {
            double sum = 0.0;
            for (long k = 0; k < wide - 1; k++) sum += row[k];
            for (long c = 0; c < width; c++) {
                sum += row[c + wide - 1];
                found[c] = (float)(sum * share);
                sum -= row[c];
            }
        }
        for (long c = 0; c < width; c++) sums[c] -= (double)out[c];
    }
}

/* For each place (height, width) that is `inside`, or for all (no mask): by how much the slopes along the outline, `wide`
 * by `high` pixels, of an upright card there exceed those round about, in a picture (height, width); elsewhere 0. A slope
 * is held against its mean over a square (size), and counts `most` at most. 0 where there is no memory. */
INLINE int arena_rectangles_body(const uint8_t *grey, const uint8_t *inside, long height, long width, long wide,
                                 long high, long size, double faint, double most, float *score) {
    size_t n = (size_t)height * (size_t)width, row = (size_t)(width + wide + size);
    uint16_t *slopes = malloc(sizeof(uint16_t) * n);
    float *ratio = malloc(sizeof(float) * 3 * n);
    double *work = malloc(sizeof(double) * 2 * row);
    int fine = slopes && ratio && work;
    float *upright = ratio + n, *across = ratio + 2 * n;
    for (int way = 0; fine && way < 2; way++) {
        for (long r = 0; r < height; r++) {
            const uint8_t *u = grey + width * mirrored(r - 1, height), *m = grey + width * r;
            const uint8_t *d = grey + width * mirrored(r + 1, height);
            uint16_t *found = slopes + width * r;
            for (long c = 1; c < width - 1; c++) {
                int slope = way ? d[c - 1] + 2 * d[c] + d[c + 1] - u[c - 1] - 2 * u[c] - u[c + 1]
                                : u[c + 1] + 2 * m[c + 1] + d[c + 1] - u[c - 1] - 2 * m[c - 1] - d[c - 1];
                found[c] = (uint16_t)abs(slope);
            }
            for (long k = 0; k < 2; k++) { /* at the rims nothing slopes across */
                long c = k ? width - 1 : 0, beside = mirrored(k ? width : -1, width);
                found[c] = way ? (uint16_t)abs(2 * d[beside] + 2 * d[c] - 2 * u[beside] - 2 * u[c]) : 0;
            }
        }
        exceeding(slopes, height, width, size, (float)faint, (float)most, (int32_t *)work, (int32_t *)(work + row), ratio);
        averaged(ratio, height, width, way ? wide : 3, way ? 3 : high, work, work + row, way ? across : upright);
    }
    long x = wide / 2, y = high / 2;
    float all_round = 2.0f * (float)(wide + high);
    for (long r = 0; fine && r < height; r++)
        for (long c = 0; c < width; c++) {
            long at = r * width + c;
            if (inside && !inside[at]) {
                score[at] = 0.0f;
                continue;
            }
            float sides = (c >= x ? upright[at - x] : 0.0f) + (c + x < width ? upright[at + x] : 0.0f);
            float ends = (r >= y ? across[at - y * width] : 0.0f) + (r + y < height ? across[at + y * width] : 0.0f);
            score[at] = ((float)high * sides + (float)wide * ends) / all_round;
        }
    free(slopes);
    free(ratio);
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_rectangles,
             (const uint8_t *grey, const uint8_t *inside, long height, long width, long wide, long high, long size,
              double faint, double most, float *score),
             (grey, inside, height, width, wide, high, size, faint, most, score))
