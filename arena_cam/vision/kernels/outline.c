/* A card's outline, followed in the picture. */
#include "common.h"

/* ---- a card's outline followed in the picture: reading/finding/outline_fit.py, `fit_outline` ---- */

/* As row `rules`. */
typedef struct {
    double gap, step, faint, sd, tukey, inside, outside, beside, edge_nats, no_edge_nats, bare_nats, lost, along, apart;
} OutlineRules;

/* A mask of the floor seen from above, as TableChange.within reads it; no data: nothing is set. */
typedef struct {
    const uint8_t *data;
    long height, width;
    double half_x, half_y, px_per_mm;
} FloorMask;

/* A picture in colour, what is claimed of its frame, and the points of an outline (n, 2) with their normals (n, 2). */
typedef struct {
    const uint8_t *bgr;
    long height, width;
    double scale;
    const Camera *camera;
    const uint8_t *claims;
    long claims_height, claims_width;
    double claims_step, frame_height, frame_width;
    FloorMask bare;
    long n;
    const double *places, *normals;
    const OutlineRules *rules;
} Outlined;

/* Adds the colours (3) at a pixel of the frame, in whole levels as cv2.remap gives them; 0 outside the picture, 1
 * inside. */
INLINE int add_bgr(const Outlined *seen, double u, double v, int *bgr) {
    float x = (float)(u * seen->scale), y = (float)(v * seen->scale);
    if (!(x >= 0.0f && y >= 0.0f && x <= (float)(seen->width - 1) && y <= (float)(seen->height - 1))) return 0;
    long column = (long)x, row = (long)y;
    float a = x - (float)column, b = y - (float)row;
    const uint8_t *at = seen->bgr + 3 * (row * seen->width + column);
    long right = column + 1 < seen->width ? 3 : 0, down = row + 1 < seen->height ? 3 * seen->width : 0;
    for (int c = 0; c < 3; c++) {
        float first = at[c], second = at[right + c], third = at[down + c], fourth = at[down + right + c];
        float upper = first + a * (second - first), lower = third + a * (fourth - third);
        bgr[c] += (int)rintf(upper + b * (lower - upper));
    }
    return 1;
}

/* Whether bare floor is seen behind a place (x, y) of the plane of a card's pose. */
INLINE int is_bare(const Outlined *seen, const double *pose, double x, double y) {
    const FloorMask *mask = &seen->bare;
    if (!mask->data) return 0;
    double world[3], floor_[2];
    for (int i = 0; i < 3; i++) world[i] = pose[3 * i] * x + pose[3 * i + 1] * y + pose[9 + i];
    double depth = world[2] / (world[2] - seen->camera->centre[2]);
    for (int i = 0; i < 2; i++) floor_[i] = world[i] - (world[i] - seen->camera->centre[i]) * depth;
    double column = rint((floor_[0] + mask->half_x) * mask->px_per_mm);
    double row = rint((mask->half_y - floor_[1]) * mask->px_per_mm);
    if (!(column >= 0.0 && row >= 0.0 && column < (double)mask->width && row < (double)mask->height)) return 0;
    return mask->data[(long)row * mask->width + (long)column] > 0;
}

/* For each point how far outwards (off) the colour changes most, how much (strength), and whether it is hidden: of
 * `_followed`. steps (count) are where it is looked for, bell (count - gap) how likely each place is. */
INLINE void follow(const Outlined *seen, const double *pose, const double *steps, const double *bell, long count,
                   double *off, double *strength, uint8_t *hidden, int *colours, double *change) {
    const OutlineRules *rules = seen->rules;
    long gap = (long)rules->gap, most = count - gap, along = (long)rules->along;
    double M[9], u, v, each = 1.0 / (double)(2 * along + 1);
    plane_in_camera(seen->camera, pose, M);
    for (long i = 0; i < seen->n; i++) {
        double x = seen->places[2 * i], y = seen->places[2 * i + 1], nx = seen->normals[2 * i], ny = seen->normals[2 * i + 1];
        project(seen->camera, M, x - rules->inside * nx, y - rules->inside * ny, &u, &v);
        int out = u < 0.0 || v < 0.0 || u > seen->frame_width - 1.0 || v > seen->frame_height - 1.0;
        hidden[i] = out || is_claimed(seen->claims, seen->claims_height, seen->claims_width, seen->claims_step, u, v);
        off[i] = strength[i] = 0.0;
        memset(colours, 0, sizeof(int) * 3 * (size_t)count);
        for (long k = -along; k <= along && !hidden[i]; k++) {
            double px = x - (double)k * rules->apart * ny, py = y + (double)k * rules->apart * nx;
            for (long first = 0; first < count && !hidden[i]; first += BLOCK) {
                long some = count - first < BLOCK ? count - first : BLOCK;
                double xs[BLOCK], ys[BLOCK], us[BLOCK], vs[BLOCK];
                for (long s = 0; s < some; s++) xs[s] = px + steps[first + s] * nx, ys[s] = py + steps[first + s] * ny;
                project_block(seen->camera, M, xs, ys, some, us, vs);
                for (long s = 0; s < some && !hidden[i]; s++)
                    hidden[i] = !add_bgr(seen, us[s], vs[s], colours + 3 * (first + s)); /* the picture's border is no side */
            }
        }
        if (hidden[i]) continue;
        long best = 0;
        double likeliest = -1.0;
        for (long s = 0; s < most; s++) {
            const int *one = colours + 3 * s, *other = one + 3 * gap;
            change[s] = each * (abs(other[0] - one[0]) + abs(other[1] - one[1]) + abs(other[2] - one[2]));
            double likely = change[s] * bell[s];
            if (likely > likeliest) likeliest = likely, best = s;
        }
        double peak = 0.0;
        if (best > 0 && best < most - 1) {
            double before = change[best - 1], after = change[best + 1];
            double bend = lesser_of(before - 2.0 * change[best] + after, -1e-6);
            peak = lesser_of(greater_of(0.5 * (before - after) / bend, -0.5), 0.5);
        }
        off[i] = steps[gap / 2 + best] + rules->step * peak;
        strength[i] = change[best];
    }
}

/* How far a step (6) of the pose moves a point outwards, as the camera sees it: a row of `_moves`. */
INLINE void moves(const Outlined *seen, const double *pose, long i, double *row) {
    double arm[3], outward[3], ray[3], across = 0.0, along = 0.0;
    for (int k = 0; k < 3; k++) {
        arm[k] = seen->places[2 * i] * pose[3 * k] + seen->places[2 * i + 1] * pose[3 * k + 1];
        outward[k] = seen->normals[2 * i] * pose[3 * k] + seen->normals[2 * i + 1] * pose[3 * k + 1];
        ray[k] = pose[9 + k] + arm[k] - seen->camera->centre[k];
        across += ray[k] * outward[k];
        along += ray[k] * pose[3 * k + 2];
    }
    for (int k = 0; k < 3; k++) row[k] = outward[k] - across / along * pose[3 * k + 2];
    row[3] = arm[1] * row[2] - arm[2] * row[1];
    row[4] = arm[2] * row[0] - arm[0] * row[2];
    row[5] = arm[0] * row[1] - arm[1] * row[0];
}

/* One step of the pose towards the sides seen: 0 where it leads nowhere. information (36) is what the sides say. */
INLINE int step_to_sides(const Outlined *seen, const double *prior, const double *off, const double *strength,
                         double *pose, double *total, double *information, double *scratch) {
    const OutlineRules *rules = seen->rules;
    long shown = 0;
    for (long i = 0; i < seen->n; i++)
        if (strength[i] > rules->faint) scratch[shown++] = fabs(off[i]);
    double scale = shown ? greater_of(1.4826 * median(scratch, shown), rules->sd) : rules->sd;
    double normal[36], right[6] = {0}, row[6];
    memset(information, 0, sizeof(double) * 36);
    for (long i = 0; i < seen->n; i++) {
        double u = lesser_of(fabs(off[i]) / (rules->tukey * scale), 1.0), w = 1.0 - u * u;
        w = strength[i] / (strength[i] + rules->faint) * w * w / (rules->sd * rules->sd);
        if (w == 0.0) continue;
        moves(seen, pose, i, row);
        for (int a = 0; a < 6; a++) {
            right[a] += row[a] * w * off[i];
            for (int b = 0; b < 6; b++) information[a * 6 + b] += row[a] * w * row[b];
        }
    }
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            normal[a * 6 + b] = information[a * 6 + b] + prior[a * 6 + b];
            right[a] -= prior[a * 6 + b] * total[b];
        }
    if (!solve(normal, right, 6, 1)) return 0;
    for (int a = 0; a < 6; a++)
        if (!(fabs(right[a]) < rules->lost)) return 0;
    for (int a = 0; a < 6; a++) total[a] += right[a];
    move(pose, right);
    return 1;
}

/* Fits an outline from pose (12), which becomes where it ends; found (38): information (6, 6), nats, the share of the
 * sides shown. counts (looks) says how many of steps and of bell belong to each look; the last look is that which
 * judges. prior (36); the rest as above. 1 if all went well. */
INLINE int arena_outline_body(const uint8_t *bgr, long height, long width, double scale, const double *camera_,
                              const uint8_t *claims, long claims_height, long claims_width, const double *frame,
                              const uint8_t *bare, long bare_height, long bare_width, long n, const double *places,
                              const double *normals, const double *prior, const double *steps, const double *bell,
                              const int64_t *counts, long looks, const double *rules_, double *pose, double *found) {
    Camera camera;
    OutlineRules rules;
    memcpy(&camera, camera_, sizeof camera);
    memcpy(&rules, rules_, sizeof rules);
    FloorMask floor_mask = {bare, bare_height, bare_width, frame[3], frame[4], frame[5]};
    Outlined seen = {bgr, height, width, scale, &camera, claims, claims_height, claims_width, frame[0], frame[1],
                     frame[2], floor_mask, n, places, normals, &rules};
    long most = 0;
    for (long k = 0; k < looks; k++) most = counts[k] > most ? counts[k] : most;
    double *work = malloc(sizeof(double) * (size_t)(3 * n + most) + sizeof(int) * 3 * (size_t)most + (size_t)n);
    if (!work) return 0;
    double *off = work, *strength = work + n, *scratch = work + 2 * n, *change = work + 3 * n, total[6] = {0};
    int *colours = (int *)(change + most);
    uint8_t *hidden = (uint8_t *)(colours + 3 * most);
    memcpy(found, prior, sizeof(double) * 36);
    int on_its_way = 1;
    for (long k = 0; k < looks; k++) {
        int last = k == looks - 1;
        if (on_its_way || last) follow(&seen, pose, steps, bell, counts[k], off, strength, hidden, colours, change);
        if (on_its_way && !last)
            on_its_way = step_to_sides(&seen, prior, off, strength, pose, total, found, scratch);
        steps += counts[k];
        bell += counts[k];
    }
    double nats = 0.0, shown = 0.0;
    long free_ = 0;
    for (long i = 0; i < n; i++) {
        if (hidden[i]) continue;
        double edge = lesser_of(greater_of((strength[i] / (strength[i] + rules.faint) - 0.4) / 0.3, 0.0), 1.0);
        edge *= exp(-0.5 * (off[i] / rules.beside) * (off[i] / rules.beside));
        double x = places[2 * i] + rules.outside * normals[2 * i], y = places[2 * i + 1] + rules.outside * normals[2 * i + 1];
        double none = is_bare(&seen, pose, x, y) ? rules.bare_nats : rules.no_edge_nats;
        nats += edge > 0.0 ? edge * rules.edge_nats + (1.0 - edge) * none : none;
        shown += edge;
        free_++;
    }
    found[36] = nats;
    found[37] = free_ ? shown / free_ : 0.0;
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_outline,
             (const uint8_t *bgr, long height, long width, double scale, const double *camera_, const uint8_t *claims,
              long claims_height, long claims_width, const double *frame, const uint8_t *bare, long bare_height,
              long bare_width, long n, const double *places, const double *normals, const double *prior, const double
              *steps, const double *bell, const int64_t *counts, long looks, const double *rules_, double *pose,
              double *found),
             (bgr, height, width, scale, camera_, claims, claims_height, claims_width, frame, bare, bare_height,
              bare_width, n, places, normals, prior, steps, bell, counts, looks, rules_, pose, found))
