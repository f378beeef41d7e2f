/* Sides and indices of cards on one plane, as cameras and places explain them, and planes as corners speak for them. */
#include "common.h"

/* The rotation (3, 3) of a rotation vector (Rodrigues). */
INLINE void rotation_of(const double *r, double *R) {
    const double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    const double s = sin(angle), c = cos(angle), d = 1.0 - c;
    const double x = angle > 0.0 ? r[0] / angle : 0.0, y = angle > 0.0 ? r[1] / angle : 0.0;
    const double z = angle > 0.0 ? r[2] / angle : 0.0;
    const double rows[9] = {c + d * x * x,     d * x * y - s * z, d * x * z + s * y, d * x * y + s * z, c + d * y * y,
                            d * y * z - s * x, d * x * z - s * y, d * y * z + s * x, c + d * z * z};
    memcpy(R, rows, sizeof rows);
}

/* ---- planes/bundle_adjustment.py, `_Residuals._of_observations` ---- */

/* Of each of count rows of parameters (count, width) what it leaves of the observations (count, sides + 2 indices).
 *
 * Parameters: log focal (1), the camera's rotation vector (3) and place (3), inset (2), then three of each card. local
 * (sides, 2), card (sides + indices), seen (sides + indices, 2), across (sides, 2) and corner (indices, 2) as in the
 * twin. Held: a camera that is kept, R, t and K (9 each but t), or null. Rules: the usual focal length (px), the
 * picture's middle (2), half of a card (2), standard deviations of sides and indices (px), and where they are bounded. */
INLINE int arena_bundle_body(const double *parameters, long count, long width, const double *local, long sides,
                             const int64_t *card, const double *seen, const double *across, const double *corner,
                             long indices, const double *held, const double *rules, double *found) {
    const long all = sides + indices;
    const double bound = rules[7];
    for (long row = 0; row < count; row++, parameters += width, found += sides + 2 * indices) {
        const double *p = parameters, f = held ? 0.0 : rules[0] * exp(p[0]);
        const double inset[2] = {rules[3] - p[7], rules[4] - p[8]};
        double R[9], K[6] = {f, 0.0, rules[1], 0.0, f, rules[2]};
        const double *t = held ? held + 9 : p + 4;
        if (held) memcpy(R, held, sizeof R), memcpy(K, held + 12, sizeof K);
        else rotation_of(p + 1, R);
        long last = -1;
        double c = 0.0, s = 0.0;
        for (long n = 0; n < all; n++) {
            const double *place = p + 9 + 3 * card[n];
            if (card[n] != last) c = cos(place[2]), s = sin(place[2]), last = (long)card[n];
            const double *at = n < sides ? local + 2 * n : corner + 2 * (n - sides);
            const double u = n < sides ? at[0] : at[0] * inset[0], v = n < sides ? at[1] : at[1] * inset[1];
            const double X = place[0] + c * u - s * v, Y = place[1] + s * u + c * v;
            const double z = R[6] * X + R[7] * Y + t[2];
            const double x = (R[0] * X + R[1] * Y + t[0]) / z, y = (R[3] * X + R[4] * Y + t[1]) / z;
            const double dx = K[0] * x + K[1] * y + K[2] - seen[2 * n], dy = K[4] * y + K[5] - seen[2 * n + 1];
            if (n < sides) {
                const double off = (dx * across[2 * n] + dy * across[2 * n + 1]) / rules[5], share = off / bound;
                found[n] = off / sqrt(1.0 + share * share);
            } else {
                const double off[2] = {dx / rules[6], dy / rules[6]};
                for (int k = 0; k < 2; k++) {
                    const double share = off[k] / bound;
                    found[sides + 2 * (n - sides) + k] = off[k] / sqrt(1.0 + share * share);
                }
            }
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_bundle,
             (const double *parameters, long count, long width, const double *local, long sides, const int64_t *card,
              const double *seen, const double *across, const double *corner, long indices, const double *held,
              const double *rules, double *found),
             (parameters, count, width, local, sides, card, seen, across, corner, indices, held, rules, found))

/* ---- tokens/view/table_view.py, `_Fit.climb` ---- */

/* Keypoints of cards on a table: places mm (n, 2) on their cards, pixels px (n, 2) and the card's number which (n). Rules:
 * the usual focal length (px), the picture's middle (2), standard deviations of the focal length's logarithm, of the
 * radial term and of a pixel, where residuals are bounded, and steps. */
typedef struct {
    long n;
    const double *mm, *px;
    const int64_t *which;
    const double *rules;
} TablePrints;

/* What one row of parameters leaves of the keypoints: (2 n + 2). Parameters: rotation vector (3), place (3), logarithm of
 * the focal length, radial term, then three of each card but the first. */
INLINE void table_residuals(const TablePrints *seen, const double *p, double *found) {
    double R[9], c = 1.0, s = 0.0, x0 = 0.0, y0 = 0.0;
    const double *rules = seen->rules, focal = rules[0] * exp(p[6]);
    rotation_of(p, R);
    int64_t last = 0;
    for (long i = 0; i < seen->n; i++) {
        if (seen->which[i] != last) {
            last = seen->which[i];
            const double *place = p + 8 + 3 * (last - 1);
            if (last) c = cos(place[2]), s = sin(place[2]), x0 = place[0], y0 = place[1];
            else c = 1.0, s = 0.0, x0 = 0.0, y0 = 0.0;
        }
        const double u = seen->mm[2 * i], v = seen->mm[2 * i + 1];
        const double x = x0 + c * u - s * v, y = y0 + s * u + c * v, z = R[6] * x + R[7] * y + p[5];
        const double a = (R[0] * x + R[1] * y + p[3]) / z, b = (R[3] * x + R[4] * y + p[4]) / z;
        const double bent = (1.0 + p[7] * (a * a + b * b)) * focal;
        found[2 * i] = (a * bent + rules[1] - seen->px[2 * i]) / rules[5];
        found[2 * i + 1] = (b * bent + rules[2] - seen->px[2 * i + 1]) / rules[5];
    }
    found[2 * seen->n] = p[6] / rules[3], found[2 * seen->n + 1] = p[7] / rules[4];
}

/* The last two say how usual the lens is: no outlier makes a lens unusual, and what they cost has no bound. */
INLINE double bounded_cost(const double *residual, long count, double bound) {
    double sum = 0.0;
    for (long i = 0; i < count; i++) {
        const double size = fabs(residual[i]);
        sum += size < bound || i >= count - 2 ? 0.5 * size * size : bound * (size - 0.5 * bound);
    }
    return sum;
}

/* The parameters (size) of a table and its cards are improved in place, by Levenberg and Marquardt. `change` (moves, rows)
 * takes the differences, eleven whatever the number of cards, for a card's place moves its own keypoints alone. 1 if all
 * went well. */
INLINE int table_climbed(const TablePrints *seen, long size, double *p, double *change, double *here, double *there,
                         double *moved, double *normal, double *damped, double *slope) {
    const long rows = 2 * seen->n + 2, moves = size > 8 ? 11 : 8;
    const double *rules = seen->rules, bound = rules[6];
    static const double by[11] = {1e-5, 1e-5, 1e-5, 1e-2, 1e-2, 1e-2, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3};
    double damping = 1e-3;
    table_residuals(seen, p, here);
    double cost = bounded_cost(here, rows, bound);
    for (long step = 0; step < (long)rules[7]; step++) {
        for (long k = 0; k < moves; k++) {
            memcpy(moved, p, sizeof(double) * (size_t)size);
            if (k < 8) moved[k] += by[k];
            else
                for (long i = k; i < size; i += 3) moved[i] += by[k];
            table_residuals(seen, moved, change + k * rows);
            for (long i = 0; i < rows; i++) change[k * rows + i] = (change[k * rows + i] - here[i]) / by[k];
        }
        memset(normal, 0, sizeof(double) * (size_t)(size * size));
        memset(slope, 0, sizeof(double) * (size_t)size);
        for (long i = 0; i < rows; i++) {
            const int64_t card = i < rows - 2 ? seen->which[i / 2] : 0;
            const double off = fabs(here[i]), weight = off > bound && i < rows - 2 ? bound / off : 1.0;
            const long count = card ? 11 : 8;
            for (long a = 0; a < count; a++) {
                const long row = a < 8 ? a : (long)(8 + 3 * (card - 1)) + a - 8;
                const double weighed = weight * change[a * rows + i];
                slope[row] += weighed * here[i];
                for (long b = 0; b < count; b++) {
                    const long column = b < 8 ? b : (long)(8 + 3 * (card - 1)) + b - 8;
                    normal[row * size + column] += weighed * change[b * rows + i];
                }
            }
        }
        double after = cost;
        for (int round = 0; round < 4; round++) {
            memcpy(damped, normal, sizeof(double) * (size_t)(size * size));
            for (long k = 0; k < size; k++) damped[k * size + k] += (normal[k * size + k] + 1e-9) * damping, moved[k] = slope[k];
            if (!solve(damped, moved, (int)size, 1)) return 0;
            for (long k = 0; k < size; k++) moved[k] = p[k] - moved[k];
            table_residuals(seen, moved, there);
            after = bounded_cost(there, rows, bound);
            if (after < cost) break;
            damping *= 8.0;
        }
        const double gain = cost - after;
        if (!(gain > 0.0)) break;
        memcpy(p, moved, sizeof(double) * (size_t)size), memcpy(here, there, sizeof(double) * (size_t)rows);
        cost -= gain, damping *= 0.2;
        if (gain < 1e-4 * cost) break;
    }
    return 1;
}

INLINE int arena_table_fit_body(long n, const double *mm, const double *px, const int64_t *which, const double *rules,
                                long size, double *p) {
    const TablePrints seen = {n, mm, px, which, rules};
    const size_t rows = 2 * (size_t)n + 2, square = (size_t)size * (size_t)size;
    double *room = malloc(sizeof(double) * (13 * rows + 2 * square + 2 * (size_t)size));
    if (!room) return 0;
    double *here = room + 11 * rows, *there = here + rows, *normal = there + rows, *damped = normal + square;
    double *slope = damped + square, *moved = slope + size;
    int fine = table_climbed(&seen, size, p, room, here, there, moved, normal, damped, slope);
    free(room);
    return fine;
}

ON_EVERY_CPU(int, arena_table_fit,
             (long n, const double *mm, const double *px, const int64_t *which, const double *rules, long size, double *p),
             (n, mm, px, which, rules, size, p))

/* ---- planes/card_plane.py, `_Evidence.fitting` ---- */

/* Where a ray meets a plane. */
INLINE void meets(const double *ray, const double *plane, double scale, double *at) {
    const double far = 1.0 / ((plane[0] * ray[0] + plane[1] * ray[1] + ray[2]) * scale);
    for (int k = 0; k < 3; k++) at[k] = ray[k] * far;
}

INLINE double length3(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* How much of the corners, rays (corners, 3) to each and to points on its sides, and of whole sides (wholes, 2, 3) fits
 * each of count planes (count, 3). Rules: a card's width and height, the longest that a side may be, standard deviations
 * of angles (deg) and of lengths (share), and what a whole side is worth. */
INLINE int arena_plane_support_body(const double *planes, long count, const double *at, const double *before,
                                    const double *after, long corners, const double *whole, long wholes,
                                    const double *rules, double *found) {
    const double degrees = 180.0 / 3.14159265358979323846;
    for (long m = 0; m < count; m++, planes += 3) {
        const double scale = exp(planes[2]);
        double total = 0.0, of_sides = 0.0;
        for (long n = 0; n < corners; n++) {
            double here[3], d[3], e[3];
            meets(at + 3 * n, planes, scale, here);
            meets(before + 3 * n, planes, scale, d);
            meets(after + 3 * n, planes, scale, e);
            for (int k = 0; k < 3; k++) d[k] -= here[k], e[k] -= here[k];
            const double d_mm = length3(d), e_mm = length3(e);
            if (!(d_mm < rules[2] && e_mm < rules[2])) continue;
            const double cosine = (d[0] * e[0] + d[1] * e[1] + d[2] * e[2]) / greater_of(d_mm * e_mm, 1e-9);
            const double off = degrees * asin(greater_of(lesser_of(cosine, 1.0), -1.0)) / rules[3];
            total += exp(-0.5 * off * off);
        }
        for (long n = 0; n < wholes; n++) {
            double one[3], other[3];
            meets(whole + 6 * n, planes, scale, one);
            meets(whole + 6 * n + 3, planes, scale, other);
            for (int k = 0; k < 3; k++) other[k] -= one[k];
            const double mm = length3(other);
            const double misfit = lesser_of(fabs(mm / rules[0] - 1.0), fabs(mm / rules[1] - 1.0)) / rules[4];
            of_sides += exp(-0.5 * misfit * misfit);
        }
        found[m] = total + rules[5] * of_sides;
    }
    return 1;
}

ON_EVERY_CPU(int, arena_plane_support,
             (const double *planes, long count, const double *at, const double *before, const double *after,
              long corners, const double *whole, long wholes, const double *rules, double *found),
             (planes, count, at, before, after, corners, whole, wholes, rules, found))

/* ---- how far cards' keypoints are seen from where a view has them: tokens/view/table_view.py, `offs_px` ---- */

/* The point of the table (2) that is seen at a pixel (2). camera: focal length, middle (2), radial term, rotation (9) and
 * place (3) of the table; `origin` (3) is the place in the table's frame. */
INLINE void on_table_at(const double *camera, const double *origin, const double *px, double *mm) {
    const double *R = camera + 4, u = (px[0] - camera[1]) / camera[0], v = (px[1] - camera[2]) / camera[0];
    double x = u, y = v;
    for (int k = 0; k < 4; k++) {
        double by = 1.0 + camera[3] * (x * x + y * y);
        x = u / by, y = v / by;
    }
    double by = origin[2] / (x * R[2] + y * R[5] + R[8]);
    mm[0] = (x * R[0] + y * R[3] + R[6]) * by - origin[0], mm[1] = (x * R[1] + y * R[4] + R[7]) * by - origin[1];
}

/* The median distance (px), `found` (groups), between keypoints px (n, 2) of each card and where it would show its places
 * mm (n, 2) if it lay flat, as they tell best: the keypoints of a card end at `ends` (groups). */
INLINE int arena_offs_px_body(const double *camera, const double *mm, const double *px, const int64_t *ends, long groups,
                              double *found) {
    const double *R = camera + 4, *t = camera + 13;
    const double origin[3] = {R[0] * t[0] + R[3] * t[1] + R[6] * t[2], R[1] * t[0] + R[4] * t[1] + R[7] * t[2],
                              R[2] * t[0] + R[5] * t[1] + R[8] * t[2]};
    double *at = malloc(sizeof(double) * 3 * (size_t)(ends[groups - 1] + 1));
    if (!at) return 0;
    double *off = at + 2 * ends[groups - 1];
    for (long g = 0, begin = 0; g < groups; begin = (long)ends[g++]) {
        const long n = (long)ends[g] - begin;
        double x = 0.0, y = 0.0, u = 0.0, v = 0.0, across = 0.0, along = 0.0;
        for (long i = begin; i < ends[g]; i++) {
            double *there = at + 2 * i;
            on_table_at(camera, origin, px + 2 * i, there);
            x += mm[2 * i], y += mm[2 * i + 1], u += there[0], v += there[1];
        }
        x /= (double)n, y /= (double)n, u /= (double)n, v /= (double)n;
        for (long i = begin; i < ends[g]; i++) {
            across += (mm[2 * i] - x) * (at[2 * i + 1] - v) - (mm[2 * i + 1] - y) * (at[2 * i] - u);
            along += (mm[2 * i] - x) * (at[2 * i] - u) + (mm[2 * i + 1] - y) * (at[2 * i + 1] - v);
        }
        const double turn = atan2(across, along), c = cos(turn), s = sin(turn);
        for (long i = begin; i < ends[g]; i++) {
            const double p = mm[2 * i] - x, q = mm[2 * i + 1] - y, X = u + c * p - s * q, Y = v + s * p + c * q;
            const double z = R[6] * X + R[7] * Y + t[2];
            const double a = (R[0] * X + R[1] * Y + t[0]) / z, b = (R[3] * X + R[4] * Y + t[1]) / z;
            const double bent = (1.0 + camera[3] * (a * a + b * b)) * camera[0];
            const double dx = a * bent + camera[1] - px[2 * i], dy = b * bent + camera[2] - px[2 * i + 1];
            off[i - begin] = sqrt(dx * dx + dy * dy);
        }
        found[g] = median(off, n);
    }
    free(at);
    return 1;
}

ON_EVERY_CPU(int, arena_offs_px,
             (const double *camera, const double *mm, const double *px, const int64_t *ends, long groups, double *found),
             (camera, mm, px, ends, groups, found))
