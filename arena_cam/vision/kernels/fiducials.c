/* The fiducials' print held against the picture: table/pose.py, `_FiducialPrint`. */
#include "common.h"

#define ROWS 8 /* of a point: its six derivatives by the camera's pose, the print's value, the residual */

/* One fiducial's points from `first` to `end`; `seen` and `good` are what the picture shows of them. Adds its normal
 * equations (6, 6) and (6). `work` holds n doubles. Returns 0 where its print tells nothing. */
INLINE int add_print(const double *x, const double *y, const double *value, const double *tx, const double *ty,
                     const double *seen, const uint8_t *good, long n, const double *out, double least_scale,
                     double *work, double *normal, double *right) {
    double asked = 0.0, middle = 0.0, level = 0.0, energy = 0.0, common = 0.0;
    for (long i = 0; i < n; i++)
        if (good[i]) asked += 1.0, middle += value[i], level += seen[i];
    if (asked == 0.0) return 0;
    middle /= asked, level /= asked;
    for (long i = 0; i < n; i++)
        if (good[i]) energy += (value[i] - middle) * value[i], common += (value[i] - middle) * seen[i];
    const double gain = common / asked / greater_of(energy / asked, 1e-9), offset = level - gain * middle;
    for (long i = 0; i < n; i++) work[i] = good[i] ? fabs(seen[i] - gain * value[i] - offset) : 0.0;
    const double scale = greater_of(1.4826 * median(work, n), least_scale);
    double sums[ROWS] = {0.0}, gram[ROWS * ROWS] = {0.0}, total = 0.0;
    for (long i = 0; i < n; i++) {
        if (!good[i]) continue;
        const double spread = x[i] * tx[i] + y[i] * ty[i], away = out[0] * tx[i] + out[1] * ty[i] + out[2] * spread;
        const double residual = seen[i] - gain * value[i] - offset, off = residual / (2.0 * scale);
        const double weight = 1.0 / (1.0 + off * off);
        const double row[ROWS] = {gain * tx[i],
                                  gain * ty[i],
                                  gain * away,
                                  gain * y[i] * away,
                                  -gain * x[i] * away,
                                  gain * (x[i] * ty[i] - y[i] * tx[i]),
                                  value[i] - middle,
                                  residual};
        total += weight;
        for (int a = 0; a < ROWS; a++) {
            sums[a] += weight * row[a];
            for (int b = a; b < ROWS; b++) gram[a * ROWS + b] += weight * row[a] * row[b];
        }
    }
    /* what gain and offset could explain of the design is taken out of it, not of the residual */
    double centred[ROWS * ROWS];
    for (int a = 0; a < ROWS; a++)
        for (int b = a; b < ROWS; b++) centred[a * ROWS + b] = centred[b * ROWS + a] = gram[a * ROWS + b] - sums[a] * sums[b] / total;
    const double *by_value = centred + 6 * ROWS;
    if (by_value[6] <= 0.0) return 0;
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++)
            normal[6 * a + b] += (centred[a * ROWS + b] - by_value[a] * by_value[b] / by_value[6]) / (scale * scale);
        right[a] -= (centred[a * ROWS + 7] - by_value[a] * by_value[7] / by_value[6]) / (scale * scale);
    }
    return 1;
}

/* The normal equations, normal (6, 6) and right (6), of the camera's pose at a look at a picture: `prints` fiducials,
 * whose points from bounds[k] to bounds[k + 1] are places (3, n), value (n) and slopes (2, n) on a sheet at the height
 * `sheet` (mm). Of a fiducial less than `least_seen` of which lies in the picture nothing is asked. */
INLINE int arena_fiducials_body(const float *data, long height, long width, double shrunk, const double *camera_,
                                double sheet, long prints, const int64_t *bounds, const double *places,
                                const double *value, const double *slopes, double least_seen, double least_scale,
                                double *normal, double *right) {
    const Picture picture = {data, height, width, shrunk};
    const Camera *camera = (const Camera *)camera_;
    const double pose[12] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, sheet};
    const long n = bounds[prints];
    double M[9], *work = malloc(sizeof(double) * 2 * (size_t)n + (size_t)n), *seen = work + n;
    if (!work) return 0;
    uint8_t *good = (uint8_t *)(seen + n);
    const double above = camera->centre[2] - sheet;
    const double out[3] = {-camera->centre[0] / above, -camera->centre[1] / above, 1.0 / above};
    plane_in_camera(camera, pose, M);
    memset(normal, 0, 36 * sizeof *normal);
    memset(right, 0, 6 * sizeof *right);
    for (long k = 0; k < prints; k++) {
        const long first = (long)bounds[k], count = (long)bounds[k + 1] - first;
        long in_view = 0;
        for (long i = 0; i < count; i++) {
            double u, v;
            project(camera, M, places[first + i], places[n + first + i], &u, &v);
            in_view += good[i] = (uint8_t)sample(&picture, u, v, &seen[i]);
        }
        if ((double)in_view < least_seen * (double)count) continue;
        add_print(places + first, places + n + first, value + first, slopes + first, slopes + n + first, seen, good,
                  count, out, least_scale, work, normal, right);
    }
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_fiducials,
             (const float *data, long height, long width, double shrunk, const double *camera, double sheet, long prints,
              const int64_t *bounds, const double *places, const double *value, const double *slopes, double least_seen,
              double least_scale, double *normal, double *right),
             (data, height, width, shrunk, camera, sheet, prints, bounds, places, value, slopes, least_seen, least_scale,
              normal, right))
