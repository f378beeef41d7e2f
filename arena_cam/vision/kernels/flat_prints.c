/* Where cards lie that are seen flat on a table: tokens/view/table_view.py, `places_of`. A fit that begins there may end in
 * one of two views as near as can be, and which one a last digit decides: here products are rounded before they are added,
 * and sums are taken in the order in which numpy takes them, so that the digits are its own. */
#include "common.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#elif defined(__clang__)
#pragma clang fp contract(off)
#endif

/* The sum of values (n): numpy's of halves, and of eight values by turns in each. */
static double sum_in_halves(const double *v, long n) {
    if (n > 128) {
        long half = n / 2 - n / 2 % 8;
        return sum_in_halves(v, half) + sum_in_halves(v + half, n - half);
    }
    double sum = 0.0;
    long i = 0;
    if (n >= 8) {
        double r[8];
        memcpy(r, v, sizeof r);
        for (i = 8; i < n - n % 8; i += 8)
            for (int k = 0; k < 8; k++) r[k] += v[i + k];
        sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    }
    for (; i < n; i++) sum += v[i];
    return sum;
}

/* The point of the table (2) that is seen at a pixel (2): TableView.to_mm. */
INLINE void seen_on_table(const double *camera, const double *origin, const double *px, double *mm) {
    const double *R = camera + 4, u = (px[0] - camera[1]) / camera[0], v = (px[1] - camera[2]) / camera[0];
    double x = u, y = v, back[3];
    for (int k = 0; k < 4; k++) {
        double by = 1.0 + camera[3] * (x * x + y * y);
        x = u / by, y = v / by;
    }
    for (int k = 0; k < 3; k++) back[k] = fma(y, R[3 + k], x * R[k]) + R[6 + k];
    double by = origin[2] / back[2];
    mm[0] = back[0] * by - origin[0], mm[1] = back[1] * by - origin[1];
}

/* The place x, y, turn (3) nearest to taking n points mm (n, 2) to `at` (n, 2): `rigid`. Room is for 2 n. */
INLINE void nearest_place(const double *mm, const double *at, long n, double *room, double *place) {
    double x = mm[0], y = mm[1], u = at[0], v = at[1];
    for (long i = 1; i < n; i++) x += mm[2 * i], y += mm[2 * i + 1], u += at[2 * i], v += at[2 * i + 1];
    x /= (double)n, y /= (double)n, u /= (double)n, v /= (double)n;
    for (long i = 0; i < n; i++)
        room[i] = (mm[2 * i] - x) * (at[2 * i + 1] - v) - (mm[2 * i + 1] - y) * (at[2 * i] - u);
    double across = sum_in_halves(room, n);
    for (long i = 0; i < n; i++)
        room[2 * i] = (mm[2 * i] - x) * (at[2 * i] - u), room[2 * i + 1] = (mm[2 * i + 1] - y) * (at[2 * i + 1] - v);
    double turn = atan2(across, sum_in_halves(room, 2 * n)), c = cos(turn), s = sin(turn);
    place[0] = u - fma(c, x, -s * y), place[1] = v - fma(s, x, c * y), place[2] = turn;
}

/* The places (groups, 3) of cards whose keypoints, mm (n, 2) on the card and seen at px (n, 2), end at `ends` (groups).
 * camera: focal length, middle (2), radial term, rotation (9) and place (3) of the table; `origin` (3) is the place in the
 * table's own frame. 0 where there is no memory. */
API int arena_places_of(const double *camera, const double *origin, const double *mm, const double *px, const int64_t *ends,
                        long groups, double *places) {
    const long all = (long)ends[groups - 1];
    double *at = malloc(sizeof(double) * 4 * (size_t)(all ? all : 1)), *room = at + 2 * all;
    if (!at) return 0;
    for (long i = 0; i < all; i++) seen_on_table(camera, origin, px + 2 * i, at + 2 * i);
    for (long g = 0, begin = 0; g < groups; begin = (long)ends[g++])
        nearest_place(mm + 2 * begin, at + 2 * begin, (long)ends[g] - begin, room, places + 3 * g);
    free(at);
    return 1;
}
