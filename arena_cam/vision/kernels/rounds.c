/* Rims of round things in the table from above: where edges say that they lie, and how plainly one goes on beneath another. */
#include "above.h"

/* ---- middles that edges vote for: tokens/discs/rims.py, `Edges` ---- */

/* The greatest of a pixel's nine neighbours, itself among them, of `size` (height, width). */
INLINE float steepest_about(const float *size, long height, long width, long r, long c) {
    long top = r ? r - 1 : 0, low = r < height - 1 ? r + 1 : r, left = c ? c - 1 : 0, right = c < width - 1 ? c + 1 : c;
    float most = size[r * width + c];
    for (long y = top; y <= low; y++)
        for (long x = left; x <= right; x++) most = size[y * width + x] > most ? size[y * width + x] : most;
    return most;
}

/* The edges of slopes along x and down y, `dx`, `dy` and their `size` (height, width), where the picture is `inside`: those
 * steeper than `least`, and than `of_steepest` times the steepest beside them. Of each its column and row (2), its unit slope
 * (2), and its weight, that of a slope of `full` being 1. How many there are; room is for height times width. */
INLINE long arena_edges_body(const float *dx, const float *dy, const float *size, const uint8_t *inside, long height,
                             long width, float least, float full, float of_steepest, float *edges) {
    long count = 0;
    for (long r = 0; r < height; r++)
        for (long c = 0; c < width; c++) {
            long i = r * width + c;
            if (!(size[i] > least) || !inside[i]) continue;
            if (!(size[i] > of_steepest * steepest_about(size, height, width, r, c))) continue;
            float *edge = edges + 5 * count++, weight = size[i] / full;
            edge[0] = (float)c, edge[1] = (float)r, edge[2] = dx[i] / size[i], edge[3] = dy[i] / size[i];
            edge[4] = weight < 1.0f ? weight : 1.0f;
        }
    return count;
}

ON_EVERY_CPU(long, arena_edges,
             (const float *dx, const float *dy, const float *size, const uint8_t *inside, long height, long width,
              float least, float full, float of_steepest, float *edges),
             (dx, dy, size, inside, height, width, least, full, of_steepest, edges))

/* The votes of n edges (n, 5) for the middles of circles of that radius (px), on both sides of each, in cells (rows, columns)
 * of two pixels: one `side` after the other (2, rows, columns), which are 0 before. */
INLINE int arena_round_votes_body(const float *edges, long n, double radius, long rows, long columns, double *votes) {
    for (int side = 0; side < 2; side++, votes += rows * columns) {
        float reach = (float)(side ? -radius : radius);
        for (long i = 0; i < n; i++) {
            const float *edge = edges + 5 * i;
            float aside = reach * edge[2], below = reach * edge[3];
            double x = rint(((double)edge[0] + (double)aside) / 2.0), y = rint(((double)edge[1] + (double)below) / 2.0);
            if (x < 0.0 || y < 0.0 || x >= (double)columns || y >= (double)rows) continue;
            votes[(long)y * columns + (long)x] += (double)edge[4];
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_round_votes,
             (const float *edges, long n, double radius, long rows, long columns, double *votes),
             (edges, n, radius, rows, columns, votes))

/* ---- rims that go on beneath others: tokens/discs/covered_rims.py, `_strengths` ---- */

/* The pixels (count) of points `aside` beyond the rim about a `place` (mm), on the unit `ways` (2, count), in a view that
 * begins at numbers[0], numbers[1] mm with numbers[2] px/mm, held within it; the circle's radius is numbers[3]. */
INLINE void pixels_at(const double *numbers, long height, long width, const double *place, const double *ways, long count,
                      double aside, int32_t *pixels) {
    const double last_column = (double)(width - 1), last_row = (double)(height - 1);
#pragma omp simd
    for (long k = 0; k < count; k++) {
        double u = ways[k], v = ways[count + k];
        double x = place[0] + numbers[3] * u + aside * u, y = place[1] + numbers[3] * v + aside * v;
        double column = rint((x - numbers[0]) * numbers[2] - 0.5), row = rint((y - numbers[1]) * numbers[2] - 0.5);
        column = column < 0.0 ? 0.0 : column, row = row < 0.0 ? 0.0 : row;
        column = column > last_column ? last_column : column, row = row > last_row ? last_row : row;
        pixels[k] = (int32_t)row * (int32_t)width + (int32_t)column;
    }
}

/* How many of m sorted numbers are not above a value. */
INLINE long not_above(const double *sorted, long m, double value) {
    long first = 0;
    while (m > 0) {
        long half = m / 2;
        int is_lower = sorted[first + half] <= value;
        first = is_lower ? first + half + 1 : first, m = is_lower ? m - half - 1 : half;
    }
    return first;
}

#define MOST_POINTS 256 /* of a circle */
#define PARTS 8.0f /* of a grey level: among the changes of one the place of another is soon found */
#define LEVELS (8 * 64)

/* By how many spreads circles about the n places (n, 2) change more across their rims than `usual` (m), sorted: of each point
 * of the circle, on the unit `ways` (count, 2), what its change says is `said` (m + 1), by how many usual ones are not above
 * it. The view's pixels (height, width, 3), and where they are `free`. numbers: as for pixel_at, then the radius and how far
 * aside of the rim both sides are (mm), the share of a circle that must be free, and the points that speak as one. 0 where
 * too little is free. */
INLINE int arena_rim_strengths_body(const float *pixels, const uint8_t *free_, long height, long width, const double *numbers,
                                    long n, const double *places, long count, const double *ways, long m,
                                    const double *usual, const double *said, double *strengths) {
    int32_t rim[MOST_POINTS], inner[MOST_POINTS], outer[MOST_POINTS];
    uint8_t is_open[MOST_POINTS];
    double way[2 * MOST_POINTS]; /* one axis after the other */
    long begins[LEVELS + 1]; /* how many of the usual changes are not above each part of a grey level */
    if (count > MOST_POINTS || height * width > INT32_MAX) return 0;
    for (long k = 0; k < count; k++) way[k] = ways[2 * k], way[count + k] = ways[2 * k + 1];
    for (long b = 0; b <= LEVELS; b++) begins[b] = not_above(usual, m, (double)b / PARTS);
    for (long i = 0; i < n; i++) {
        const double *place = places + 2 * i;
        double sum = 0.0;
        long open = 0;
        pixels_at(numbers, height, width, place, way, count, 0.0, rim);
        for (long k = 0; k < count; k++) is_open[k] = free_[rim[k]] != 0, open += is_open[k];
        strengths[i] = 0.0;
        if (!((double)open / (double)count > numbers[5])) continue;
        pixels_at(numbers, height, width, place, way, count, -numbers[4], inner);
        pixels_at(numbers, height, width, place, way, count, numbers[4], outer);
        for (long k = 0; k < count; k++) {
            if (!is_open[k]) continue;
            const float *in = pixels + 3 * (long)inner[k], *out = pixels + 3 * (long)outer[k];
            float most = 0.0f;
            for (int c = 0; c < 3; c++) {
                float change = fabsf(out[c] - in[c]);
                most = change > most ? change : most;
            }
            long part = most < (float)LEVELS / PARTS ? (long)(most * PARTS) : LEVELS - 1, from = begins[part];
            long many = most < (float)LEVELS / PARTS ? begins[part + 1] - from : m - from;
            sum += said[from + not_above(usual + from, many, (double)most)];
        }
        strengths[i] = (sum / (double)open - 1.0) * sqrt((double)open / numbers[6]);
    }
    return 1;
}

ON_EVERY_CPU(int, arena_rim_strengths,
             (const float *pixels, const uint8_t *free_, long height, long width, const double *numbers, long n,
              const double *places, long count, const double *ways, long m, const double *usual, const double *said,
              double *strengths),
             (pixels, free_, height, width, numbers, n, places, count, ways, m, usual, said, strengths))
