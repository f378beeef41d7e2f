/* The likeliest pose of a card under each hypothesis of what holds it up: reading/resting/contacts.py, `_constrained`. */
#include "common.h"

#define CONTACTS 3 /* of each hypothesis */
#define MOST_RESIDUALS (CONTACTS + 1)
#define MOST_STEPS 6

/* The tray, the card and the constants of the twin, in its order. */
typedef struct {
    double inner[2], wall_height, wall_thickness, table_z, width, height;
    double contact_sd, along_wall, against_face, boundary_sd, floor_gap, wall_gap, steps[6], settled, tail;
} Rules;

/* A hypothesis: level at a `height` with standard deviations of it and of the tilt; or leaning on the wall across an
 * `axis` towards a `sign`. `limited`: it does not reach into a wall. */
typedef struct {
    double leans, height, height_sd, tilt_sd, axis, sign, limited;
} Physics;

typedef struct {
    const Rules *rules;
    const double *outline_x, *outline_y;
    long outline;
} Tray;

/* The place (3) of a card's point x, y. */
INLINE void at_card(const double *pose, double x, double y, double *place) {
    for (int r = 0; r < 3; r++) place[r] = x * pose[3 * r] + y * pose[3 * r + 1] + pose[9 + r];
}

/* overhang_mm of the twin's room. */
INLINE double overhang(const Tray *tray, const double *pose) {
    double most = -INFINITY;
    for (int axis = 0; axis < 2; axis++)
        for (long i = 0; i < tray->outline; i++) {
            const double place = tray->outline_x[i] * pose[3 * axis] + tray->outline_y[i] * pose[3 * axis + 1] + pose[9 + axis];
            const double over = fabs(place) - tray->rules->inner[axis] / 2.0;
            most = over > most ? over : most;
        }
    return most;
}

INLINE double into_wall(const Tray *tray, const double *pose) {
    const double over = overhang(tray, pose);
    return (over > 0.0 ? over : 0.0) / tray->rules->boundary_sd;
}

/* `_Leaning.contacts` at a pose: (CONTACTS). */
INLINE void leaning_contacts(const Tray *tray, const Physics *physics, const double *pose, double *found) {
    const Rules *rules = tray->rules;
    const int axis = (int)physics->axis, along = 1 - axis;
    const double x = rules->width / 2.0, y = rules->height / 2.0, sign = physics->sign, wall = rules->inner[axis] / 2.0;
    const double xs[4] = {-x, x, x, -x}, ys[4] = {y, y, -y, -y};
    double corners[4][3];
    int outer = 0, low = 0;
    for (int c = 0; c < 4; c++) {
        at_card(pose, xs[c], ys[c], corners[c]);
        if (sign * corners[c][axis] > sign * corners[outer][axis]) outer = c;
        if (corners[c][2] < corners[low][2]) low = c;
    }
    const int beyond = sign * corners[low][axis] > wall;
    const double reach = sign * corners[outer][axis] - wall;
    found[0] = (corners[low][2] - (beyond ? rules->table_z : 0.0) - rules->floor_gap) / rules->contact_sd;
    if (reach < 0.0) {
        found[1] = reach / rules->contact_sd;
        found[2] = pose[3 * along + 2] / rules->against_face;
        return;
    }
    double at[2] = {corners[outer][0], corners[outer][1]};
    at[axis] = sign * (wall + (beyond ? rules->wall_thickness : 0.0));
    const double upright = fabs(pose[8]) > 1e-6 ? pose[8] : 1e-6;
    const double height = pose[11] - (pose[2] * (at[0] - pose[9]) + pose[5] * (at[1] - pose[10])) / upright;
    found[1] = (height - rules->wall_height - rules->wall_gap) / rules->contact_sd;
    found[2] = pose[3 * along + 2] / rules->along_wall;
}

INLINE void moved_by(const double *pose, const double *step, double *moved) {
    memcpy(moved, pose, 12 * sizeof *pose);
    move(moved, step);
}

/* `_all_residuals`: those of contacts and limit at a pose, and their derivatives (6 each) if `slopes` are asked for. */
INLINE int residuals(const Tray *tray, const Physics *physics, const double *pose, int slopes, double *here, double *slope) {
    const int count = CONTACTS + (physics->limited != 0.0);
    double aside[12];
    memset(slope, 0, sizeof *slope * 6 * MOST_RESIDUALS);
    if (physics->leans != 0.0) leaning_contacts(tray, physics, pose, here);
    else {
        const double nx = pose[2], ny = pose[5], nz = pose[8], sd = physics->tilt_sd;
        here[0] = (pose[11] - physics->height) / physics->height_sd;
        here[1] = nx / sd, here[2] = ny / sd;
        slope[2] = 1.0 / physics->height_sd;
        slope[6 + 4] = nz / sd, slope[6 + 5] = -ny / sd;
        slope[12 + 3] = -nz / sd, slope[12 + 5] = nx / sd;
    }
    if (physics->limited != 0.0) here[CONTACTS] = into_wall(tray, pose);
    for (int i = 0; slopes && i < 6; i++) {
        double step[6] = {0.0}, there[CONTACTS];
        step[i] = tray->rules->steps[i];
        moved_by(pose, step, aside);
        if (physics->leans != 0.0) {
            leaning_contacts(tray, physics, aside, there);
            for (int k = 0; k < CONTACTS; k++) slope[6 * k + i] = (there[k] - here[k]) / step[i];
        }
        if (physics->limited != 0.0 && here[CONTACTS] > 0.0)
            slope[6 * CONTACTS + i] = (into_wall(tray, aside) - here[CONTACTS]) / step[i];
    }
    return count;
}

/* The logarithm of the determinant's size of a (n, n), which is overwritten. */
INLINE double log_determinant(double *a, int n) {
    double sum = 0.0;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[best * n + c])) best = r;
        for (int j = 0; best != c && j < n; j++) { double t = a[c * n + j]; a[c * n + j] = a[best * n + j]; a[best * n + j] = t; }
        sum += log(fabs(a[c * n + c]));
        if (a[c * n + c] == 0.0) return sum;
        for (int r = c + 1; r < n; r++) {
            const double f = a[r * n + c] / a[c * n + c];
            for (int j = c; j < n; j++) a[r * n + j] -= f * a[c * n + j];
        }
    }
    return sum;
}

/* One hypothesis: its pose (12), the misfit, the likelihood but for its prior, and the covariance (6, 6). */
INLINE int constrained(const Tray *tray, const Physics *physics, const double *pose, const double *known,
                       const double *wanted, double *found) {
    double step[6] = {0.0}, here[MOST_RESIDUALS], slope[6 * MOST_RESIDUALS], unused[6 * MOST_RESIDUALS], normal[36], work[36];
    double *at = found, right[6];
    int count = 0;
    for (int turn = 0; turn < MOST_STEPS; turn++) {
        moved_by(pose, step, at);
        count = residuals(tray, physics, at, 1, here, slope);
        for (int i = 0; i < 6; i++) {
            right[i] = 0.0;
            for (int j = 0; j < 6; j++) {
                double sum = known[6 * i + j];
                for (int k = 0; k < count; k++) sum += slope[6 * k + i] * slope[6 * k + j];
                normal[6 * i + j] = sum;
                right[i] -= known[6 * i + j] * (step[j] - wanted[j]);
            }
            for (int k = 0; k < count; k++) right[i] -= slope[6 * k + i] * here[k];
        }
        memcpy(work, normal, sizeof work);
        if (!solve(work, right, 6, 1)) return 0;
        int is_settled = 1;
        for (int i = 0; i < 6; i++) {
            step[i] += right[i];
            is_settled &= fabs(right[i]) < tray->rules->settled * tray->rules->steps[i];
        }
        if (is_settled) break;
    }
    moved_by(pose, step, at);
    residuals(tray, physics, at, 0, here, unused);
    double misfit = 0.0, held[CONTACTS * CONTACTS];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) misfit += (step[i] - wanted[i]) * known[6 * i + j] * (step[j] - wanted[j]);
    for (int k = 0; k < count; k++) misfit += here[k] * here[k];
    for (int a = 0; a < CONTACTS; a++)
        for (int b = 0; b < CONTACTS; b++) {
            held[CONTACTS * a + b] = a == b ? 1e-12 : 0.0;
            for (int i = 0; i < 6; i++) held[CONTACTS * a + b] += slope[6 * a + i] * slope[6 * b + i];
        }
    memcpy(work, known, sizeof work);
    double room = 0.5 * log_determinant(work, 6);
    memcpy(work, normal, sizeof work);
    room -= 0.5 * log_determinant(work, 6);
    const double width = 0.5 * log_determinant(held, CONTACTS), tail = tray->rules->tail;
    found[12] = misfit;
    found[13] = -0.5 * tail * log1p(misfit / tail) + room + width;
    double *doubt = found + 14;
    for (int i = 0; i < 36; i++) doubt[i] = i % 7 == 0;
    return solve(normal, doubt, 6, 6);
}

/* For each of `count` hypotheses (7 numbers each) 50 numbers: see `constrained`. pose (12), known (6, 6), wanted (6) are
 * what the pixels say, the outline (outline) is `round_outline`'s. Returns 0 where one of them has no solution. */
INLINE int arena_resting_body(const double *pose, const double *known, const double *wanted, const double *hypotheses,
                              long count, const double *rules, const double *outline_x, const double *outline_y,
                              long outline, double *found) {
    const Tray tray = {(const Rules *)rules, outline_x, outline_y, outline};
    for (long h = 0; h < count; h++)
        if (!constrained(&tray, (const Physics *)(hypotheses + 7 * h), pose, known, wanted, found + 50 * h)) return 0;
    return 1;
}

ON_EVERY_CPU(int, arena_resting,
             (const double *pose, const double *known, const double *wanted, const double *hypotheses, long count,
              const double *rules, const double *outline_x, const double *outline_y, long outline, double *found),
             (pose, known, wanted, hypotheses, count, rules, outline_x, outline_y, outline, found))
