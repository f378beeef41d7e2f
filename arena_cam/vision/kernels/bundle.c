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
            const double cosine = (d[0] * e[0] + d[1] * e[1] + d[2] * e[2]) / fmax(d_mm * e_mm, 1e-9);
            const double off = degrees * asin(fmax(-1.0, fmin(1.0, cosine))) / rules[3];
            total += exp(-0.5 * off * off);
        }
        for (long n = 0; n < wholes; n++) {
            double one[3], other[3];
            meets(whole + 6 * n, planes, scale, one);
            meets(whole + 6 * n + 3, planes, scale, other);
            for (int k = 0; k < 3; k++) other[k] -= one[k];
            const double mm = length3(other);
            const double misfit = fmin(fabs(mm / rules[0] - 1.0), fabs(mm / rules[1] - 1.0)) / rules[4];
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
