/* Photometric alignment of a face, and the evidence of its tiles. */
#include "common.h"

/* ---- photometric alignment: faces/alignment.py, `align` ---- */

typedef struct {
    double light_ridge[6], tukey, on_its_way_px, astray, slowest, fastest, along_one_line, in_view, half_card;
} AlignRules;

typedef struct {
    long n;
    const double *x, *y, *value, *slope_x, *slope_y, *doubt, *weight;
} Points;

/* What one look at the picture gives: normal (12, 12) and right (12), six of the pose in world axes, six of the light. */
typedef struct {
    double normal[144], right[12], rms, scale;
} System;

INLINE void basis_of(const Points *points, long i, double half, double *basis) {
    double x = points->x[i] / half, y = points->y[i] / half;
    basis[0] = points->value[i];
    basis[1] = points->value[i] * x;
    basis[2] = points->value[i] * y;
    basis[3] = 1.0;
    basis[4] = x;
    basis[5] = y;
}

/* `_plain_light`: the light (6) that brings the face to the picture, nothing taken for an outlier. */
INLINE int plain_light(const Points *points, const double *seen, const double *base, const AlignRules *rules,
                       double *light) {
    double gram[49] = {0}, d[7 * BLOCK], wd[7 * BLOCK];
    for (long first = 0; first < points->n; first += BLOCK) {
        long count = points->n - first < BLOCK ? points->n - first : BLOCK;
        for (long p = 0; p < count; p++) {
            double b[6];
            basis_of(points, first + p, rules->half_card, b);
            for (int r = 0; r < 6; r++) d[r * BLOCK + p] = b[r];
            d[6 * BLOCK + p] = seen[first + p];
            for (int r = 0; r < 7; r++) wd[r * BLOCK + p] = d[r * BLOCK + p] * base[first + p];
        }
        add_gram(gram, d, wd, 7, BLOCK, count);
    }
    double normal[36], mean = 0.0;
    for (int i = 0; i < 6; i++) mean += gram[i * 7 + i] / 6.0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) normal[i * 6 + j] = i <= j ? gram[i * 7 + j] : gram[j * 7 + i];
        normal[i * 6 + i] += mean * 1e-6 + rules->light_ridge[i] * gram[i * 7 + i] + 1e-9;
        light[i] = gram[i * 7 + 6];
    }
    return solve(normal, light, 6, 1);
}

/* `_normal_equations` at a pose; light is that to linearise at, or found if not `lit`. `work` holds 4 n doubles. */
INLINE int look(const Picture *picture, const Camera *camera, const Points *points, const double *pose, int lit,
                double *light, double scale_floor, int doubted, const AlignRules *rules, System *system, double *work) {
    long n = points->n, asked = 0;
    double *seen = work, *base = work + n, *residual = work + 2 * n, *off = work + 3 * n, M[9];
    plane_in_camera(camera, pose, M);
    for (long first = 0; first < n; first += BLOCK) {
        long count = n - first < BLOCK ? n - first : BLOCK;
        double u[BLOCK], v[BLOCK];
        project_block(camera, M, points->x + first, points->y + first, count, u, v);
        sample_block(picture, u, v, count, seen + first, base + first);
    }
    for (long i = 0; points->weight && i < n; i++) base[i] *= points->weight[i];
    if (!lit && !plain_light(points, seen, base, rules, light)) return 0;
    double half = rules->half_card;
#pragma omp simd
    for (long i = 0; i < n; i++) {
        double x = points->x[i] / half, y = points->y[i] / half, value = points->value[i];
        residual[i] = seen[i] - (light[0] * value + light[1] * (value * x) + light[2] * (value * y) + light[3] +
                                 light[4] * x + light[5] * y);
    }
    for (long i = 0; i < n; i++) {
        off[asked] = fabs(residual[i]);
        asked += base[i] > 0.0;
    }
    double scale = scale_floor;
    if (asked) scale = greater_of(1.4826 * kth_of_many(off, asked, asked / 2, NULL), scale_floor);
    /* where the camera stands in the card's frame, and the derivatives by a step in that frame: `mixture` */
    double stand[3], out[3];
    for (int i = 0; i < 3; i++)
        stand[i] = pose[i] * (camera->centre[0] - pose[9]) + pose[3 + i] * (camera->centre[1] - pose[10]) +
                   pose[6 + i] * (camera->centre[2] - pose[11]);
    out[0] = -stand[0] / stand[2];
    out[1] = -stand[1] / stand[2];
    out[2] = 1.0 / stand[2];
    double gram[169] = {0}, d[13 * BLOCK], wd[13 * BLOCK], robust_sum = 0.0, squares = 0.0;
    for (long first = 0; first < n; first += BLOCK) {
        long count = n - first < BLOCK ? n - first : BLOCK;
#pragma omp simd reduction(+ : robust_sum, squares)
        for (long p = 0; p < count; p++) {
            long i = first + p;
            double x = points->x[i], y = points->y[i], value = points->value[i];
            double tx = points->slope_x[i], ty = points->slope_y[i], spread = x * tx + y * ty;
            double away = out[0] * tx + out[1] * ty + out[2] * spread;
            double gain = light[0] + (x * light[1] + y * light[2]) / half;
            double u = doubted ? residual[i] / sqrt(scale * scale + light[0] * light[0] * points->doubt[i])
                               : residual[i] / scale;
            u *= 1.0 / rules->tukey;
            u = 1.0 - u * u;
            u = u > 0.0 ? u : 0.0;
            double robust = u * u * base[i];
            d[0 * BLOCK + p] = tx * gain;
            d[1 * BLOCK + p] = ty * gain;
            d[2 * BLOCK + p] = away * gain;
            d[3 * BLOCK + p] = y * away * gain;
            d[4 * BLOCK + p] = -x * away * gain;
            d[5 * BLOCK + p] = (x * ty - y * tx) * gain;
            d[6 * BLOCK + p] = -value;
            d[7 * BLOCK + p] = -value * (x / half);
            d[8 * BLOCK + p] = -value * (y / half);
            d[9 * BLOCK + p] = -1.0;
            d[10 * BLOCK + p] = -x / half;
            d[11 * BLOCK + p] = -y / half;
            d[12 * BLOCK + p] = seen[i];
            for (int r = 0; r < 13; r++) wd[r * BLOCK + p] = d[r * BLOCK + p] * robust;
            robust_sum += robust;
            squares += robust * residual[i] * residual[i];
        }
        add_gram(gram, d, wd, 13, BLOCK, count);
    }
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < i; j++) gram[i * 13 + j] = gram[j * 13 + i];
    /* steps in the card's frame become steps along the world's axes */
    for (int i = 0; i < 13; i++)
        for (int part = 0; part < 6; part += 3) {
            double row[3];
            for (int j = 0; j < 3; j++)
                row[j] = pose[3 * j] * gram[i * 13 + part] + pose[3 * j + 1] * gram[i * 13 + part + 1] +
                         pose[3 * j + 2] * gram[i * 13 + part + 2];
            for (int j = 0; j < 3; j++) gram[i * 13 + part + j] = row[j];
        }
    for (int j = 0; j < 13; j++)
        for (int part = 0; part < 6; part += 3) {
            double column[3];
            for (int i = 0; i < 3; i++)
                column[i] = pose[3 * i] * gram[part * 13 + j] + pose[3 * i + 1] * gram[(part + 1) * 13 + j] +
                            pose[3 * i + 2] * gram[(part + 2) * 13 + j];
            for (int i = 0; i < 3; i++) gram[(part + i) * 13 + j] = column[i];
        }
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) system->normal[i * 12 + j] = gram[i * 13 + j];
        system->right[i] = -gram[i * 13 + 12];
    }
    system->rms = sqrt(squares / greater_of(robust_sum, 1.0));
    system->scale = scale;
    return 1;
}

/* `_relaxation`: what to multiply the next step by. */
INLINE double relaxed(double relaxation, const double *before, const double *wished, const AlignRules *rules) {
    double along = 0.0, first2 = 0.0, second2 = 0.0, down = 0.0, change2 = 0.0;
    int any = 0;
    for (int i = 0; i < 6; i++) {
        double length = i < 3 ? 1.0 : rules->half_card, first = before[i] * length, second = wished[i] * length;
        along += first * second;
        first2 += first * first;
        second2 += second * second;
        down += first * (second - first);
        change2 += (second - first) * (second - first);
        any |= first != 0.0;
    }
    if (along * along < rules->along_one_line * rules->along_one_line * first2 * second2 || !any) return 1.0;
    return lesser_of(greater_of(-relaxation * down / (change2 + 1e-30), rules->slowest), rules->fastest);
}

/* One step (6, in world axes) and the light that goes with it; 0 where the equations lead nowhere. */
INLINE int next_step(const System *system, const double *steps, int k, const double *prior, const double *total,
                     double astray, double *wished, double *light) {
    int size = k + 6;
    double normal[144], right[12], across[12 * 12];
    for (int i = 0; i < k; i++) /* motion^T normal: (k, 12) */
        for (int j = 0; j < 12; j++) {
            across[i * 12 + j] = 0.0;
            for (int a = 0; a < 6; a++) across[i * 12 + j] += steps[a * k + i] * system->normal[a * 12 + j];
        }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            normal[i * size + j] = 0.0;
            for (int a = 0; a < 6; a++) normal[i * size + j] += across[i * 12 + a] * steps[a * k + j];
        }
        for (int j = 0; j < 6; j++) normal[i * size + k + j] = normal[(k + j) * size + i] = across[i * 12 + 6 + j];
        right[i] = 0.0;
        for (int a = 0; a < 6; a++) right[i] += steps[a * k + i] * system->right[a];
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) normal[(k + i) * size + k + j] = system->normal[(6 + i) * 12 + 6 + j];
        right[k + i] = system->right[6 + i];
    }
    if (prior) { /* information (6, 6) about all steps together */
        double scale2 = system->scale * system->scale;
        for (int i = 0; i < k; i++)
            for (int a = 0; a < 6; a++) {
                double held = 0.0;
                for (int b = 0; b < 6; b++) held += steps[b * k + i] * prior[b * 6 + a];
                for (int j = 0; j < k; j++) normal[i * size + j] += scale2 * held * steps[a * k + j];
                right[i] += scale2 * held * -total[a];
            }
    }
    double trace = 0.0;
    for (int i = 0; i < size; i++) trace += normal[i * size + i];
    for (int i = 0; i < size; i++) normal[i * size + i] += 1e-9 * trace / size + 1e-12;
    if (!solve(normal, right, size, 1)) return 0;
    for (int i = 0; i < k; i++)
        if (!(fabs(right[i]) < astray)) return 0;
    for (int a = 0; a < 6; a++) {
        wished[a] = 0.0;
        for (int i = 0; i < k; i++) wished[a] += steps[a * k + i] * right[i];
        light[a] = right[k + a];
    }
    return 1;
}

/* `_of_pose_alone`, less what the last step has moved already: information (6, 6), rms, pull (6). */
INLINE int pose_alone(const System *system, const double *step, double *found) {
    double corner[36], through[42], trace = 0.0;
    for (int i = 6; i < 12; i++) trace += system->normal[i * 12 + i];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            corner[i * 6 + j] = system->normal[(6 + i) * 12 + 6 + j];
            through[i * 7 + j] = system->normal[(6 + i) * 12 + j];
        }
        corner[i * 6 + i] += 1e-6 * trace / 6.0 + 1e-9;
        through[i * 7 + 6] = system->right[6 + i];
    }
    if (!solve(corner, through, 6, 7)) return 0;
    double variance = greater_of(system->rms, 0.5) * greater_of(system->rms, 0.5);
    for (int i = 0; i < 6; i++) {
        double pull = system->right[i];
        for (int j = 0; j < 6; j++) {
            double of_light = 0.0;
            for (int a = 0; a < 6; a++) of_light += system->normal[i * 12 + 6 + a] * through[a * 7 + j];
            found[i * 6 + j] = (system->normal[i * 12 + j] - of_light) / variance;
            pull -= system->normal[i * 12 + 6 + j] * through[j * 7 + 6];
        }
        found[37 + i] = pull / variance;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) found[37 + i] -= found[i * 6 + j] * step[j];
    found[36] = system->rms;
    return 1;
}

/* Aligns a face to a picture (height, width) from pose (12), which becomes where it ends; found (43): information
 * (6, 6), rms, pull (6). places (3, n), light (6, n) and motion (10, n) as FacePoints has them; weights (n) or NULL;
 * steps (6, k); prior (36) or NULL; plan: iterations, at most, converged_px, scale_floor, tolerant. 1 if all went well. */
INLINE int arena_align_body(const float *data, long height, long width, double shrunk, const double *camera_,
                              long n, const double *places, const double *light_, const double *motion,
                              const double *doubt, const double *weights, const double *steps, long k,
                              const double *prior, const double *plan, const double *rules_, double *pose,
                              double *found) {
    Picture picture = {data, height, width, shrunk};
    Camera camera;
    AlignRules rules;
    memcpy(&camera, camera_, sizeof camera);
    memcpy(&rules, rules_, sizeof rules);
    double size = 0.0, in_view = 0.0;
#pragma omp simd reduction(max : size)
    for (long i = 0; i < 2 * n; i++) size = greater_of(fabs(places[i]), size);
    double *work = malloc(sizeof(double) * 11 * (size_t)(n ? n : 1));
    if (!work) return 0;
    Points points = {n, places, places + n, light_, motion, motion + n, doubt, NULL};
    if (weights) {
        double *kept[7];
        long count = 0;
        for (int r = 0; r < 7; r++) kept[r] = work + (4 + r) * n;
        for (long i = 0; i < n; i++) {
            in_view += weights[i] / n;
            if (!(weights[i] > 0.0)) continue;
            kept[0][count] = places[i];
            kept[1][count] = places[n + i];
            kept[2][count] = light_[i];
            kept[3][count] = motion[i];
            kept[4][count] = motion[n + i];
            kept[5][count] = doubt[i];
            kept[6][count++] = weights[i];
        }
        points = (Points){count, kept[0], kept[1], kept[2], kept[3], kept[4], kept[5], kept[6]};
    }
    int iterations = (int)plan[0], at_most = (int)plan[1], doubted = plan[4] != 0.0 && (!weights || in_view >= rules.in_view);
    double total[6] = {0}, step[6] = {0}, wished[6] = {0}, before[6], light[6], relaxation = 1.0, step_px = 0.0;
    System system;
    int fine = 1;
    for (int iteration = 0; fine && iteration <= at_most; iteration++) {
        fine = look(&picture, &camera, &points, pose, iteration > 0, light, plan[3], doubted, &rules, &system, work);
        if (!fine) break;
        memcpy(before, wished, sizeof before);
        int stop = iteration == at_most || (iteration >= iterations && step_px < rules.on_its_way_px);
        if (stop || !next_step(&system, steps, (int)k, prior, total, rules.astray, wished, light)) {
            memset(step, 0, sizeof step);
            break;
        }
        relaxation = relaxed(relaxation, before, wished, &rules);
        for (int i = 0; i < 6; i++) {
            step[i] = relaxation * wished[i];
            total[i] += step[i];
        }
        move(pose, step);
        double depth = camera.R[6] * pose[9] + camera.R[7] * pose[10] + camera.R[8] * pose[11] + camera.t[2];
        double turn = greater_of(fabs(step[3]), greater_of(fabs(step[4]), fabs(step[5])));
        step_px = camera.focal / depth * (hypot(step[0], step[1]) + fabs(step[2]) * 0.2 + turn * size);
        if (step_px < plan[2]) break;
    }
    if (fine) fine = pose_alone(&system, step, found);
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_align,
             (const float *data, long height, long width, double shrunk, const double *camera_, long n, const double
              *places, const double *light_, const double *motion, const double *doubt, const double *weights, const
              double *steps, long k, const double *prior, const double *plan, const double *rules_, double *pose,
              double *found),
             (data, height, width, shrunk, camera_, n, places, light_, motion, doubt, weights, steps, k, prior, plan,
              rules_, pose, found))

/* ---- the evidence of a face's tiles: faces/face_tiles.py, `shown_tiles`, and what it asks of faces/light.py ---- */

typedef struct {
    double light_ridge[6], rounds, clear, far_off, fewest;
    double samples, floor, worst, shade, deepest_shade, shade_nats;
    double curved_of, curved_nats, curved_ridge, least_curved, hardly_shown;
} TileRules;

/* `_fitted`: weighted least squares of the light (6); basis (6, n). */
INLINE int fitted(const double *basis, long n, const double *seen, const double *weight, const double *ridge,
                  double *light) {
    double gram[49] = {0}, d[7 * BLOCK], wd[7 * BLOCK];
    for (long first = 0; first < n; first += BLOCK) {
        long count = n - first < BLOCK ? n - first : BLOCK;
        for (int r = 0; r < 7; r++)
            for (long p = 0; p < count; p++) {
                long i = first + p;
                double value = r < 6 ? basis[r * n + i] : seen[i];
                d[r * BLOCK + p] = value;
                wd[r * BLOCK + p] = value * weight[i];
            }
        add_gram(gram, d, wd, 7, BLOCK, count);
    }
    double normal[36];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) normal[i * 6 + j] = i <= j ? gram[i * 7 + j] : gram[j * 7 + i];
        normal[i * 6 + i] += 1e-3 + gram[i * 7 + i] * ridge[i];
        light[i] = gram[i * 7 + 6];
    }
    return solve(normal, light, 6, 1);
}

INLINE double lit_at(const double *basis, long n, long i, const double *light) {
    double lit = 0.0;
    for (int r = 0; r < 6; r++) lit += light[r] * basis[r * n + i];
    return lit;
}

/* `_agreeing`: how much each point agrees with a light; 0 everywhere where none is asked. */
INLINE void agreeing(const double *basis, long n, const double *seen, const double *weight, const double *light,
                     double *agree, double *off) {
    long asked = 0;
#pragma omp simd
    for (long i = 0; i < n; i++) agree[i] = seen[i] - lit_at(basis, n, i, light);
    for (long i = 0; i < n; i++) {
        off[asked] = fabs(agree[i]);
        asked += weight[i] > 0.0;
    }
    if (!asked) {
        memset(agree, 0, sizeof(double) * (size_t)n);
        return;
    }
    double scale = greater_of(1.4826 * kth_of_many(off, asked, asked / 2, NULL), 4.0), by = 1.0 / (1.5 * scale);
#pragma omp simd
    for (long i = 0; i < n; i++) {
        double r = agree[i] * by;
        r = r * r + 1.0;
        agree[i] = weight[i] / (r * r);
    }
}

/* `robust_light`, from a start (6) or NULL. `work` holds 2 n doubles. */
INLINE int robust_light(const double *basis, long n, const double *seen, const double *weight, const double *start,
                        const TileRules *rules, double *light, double *work) {
    double *agree = work, *off = work + n;
    if (start) {
        memcpy(light, start, 6 * sizeof(double));
        agreeing(basis, n, seen, weight, start, agree, off);
    } else {
        memset(light, 0, 6 * sizeof(double));
        memcpy(agree, weight, sizeof(double) * (size_t)n);
    }
    for (int round = 0; round < (int)rules->rounds; round++) {
        int any = 0;
        for (long i = 0; i < n && !any; i++) any = agree[i] != 0.0;
        if (!any) break;
        if (!fitted(basis, n, seen, agree, rules->light_ridge, light)) return 0;
        if (round < (int)rules->rounds - 1) agreeing(basis, n, seen, weight, light, agree, off);
    }
    return 1;
}

/* `_light_of_a_part`: 1 with a light (6) in found, 0 if no half of the card has a better one, -1 if singular. */
INLINE int light_of_a_part(const double *basis, long n, const double *seen, const double *weight, const double *than,
                           const TileRules *rules, double *found, double *work) {
    double best = 0.0;
    int better = 0;
    for (long i = 0; i < n; i++) {
        double off = seen[i] - lit_at(basis, n, i, than);
        best += lesser_of(off * off, rules->far_off);
    }
    best /= n;
    for (int axis = 1; axis <= 2; axis++)
        for (int side = 0; side < 2; side++) {
            long count = 0;
            for (long i = 0; i < n; i++) {
                double place = basis[(3 + axis) * n + i];
                work[i] = (side ? place > 0.0 : place < 0.0) && weight[i] > 0.0 ? 1.0 : 0.0;
                count += work[i] != 0.0;
            }
            if (count < (long)rules->fewest) continue;
            double light[6], mean = 0.0;
            if (!fitted(basis, n, seen, work, rules->light_ridge, light)) return -1;
            for (long i = 0; i < n; i++) {
                double off = seen[i] - lit_at(basis, n, i, light);
                mean += lesser_of(off * off, rules->far_off) * weight[i];
            }
            mean /= n;
            if (mean < best) {
                best = mean;
                better = 1;
                memcpy(found, light, sizeof light);
            }
        }
    return better;
}

typedef struct {
    long n, tiles;
    const double *basis;
    const int64_t *tile;
    const uint8_t *even;
    double least;
    const double *full;
} Tiles;

/* By how much what is seen is off the lit face, in whatever shade. */
INLINE double off_in_shade(double seen, double lit, double deepest) {
    double off = seen - lit;
    return off < 0.0 ? lesser_of(seen - deepest * lit, 0.0) : off;
}

/* `_judged`: tile by tile, of a face as it is lit (n); sums holds 8 tiles doubles. */
INLINE void judged(const Tiles *t, const double *seen, const double *weight, const double *n, const double *lit,
                   const TileRules *rules, double *nats, uint8_t *shown, uint8_t *enough, double *sums) {
    double *s1 = sums, *s2 = sums + t->tiles, *off = sums + 2 * t->tiles, *ls = sums + 3 * t->tiles;
    double *ll = sums + 4 * t->tiles, *shade = sums + 5 * t->tiles, *dark = sums + 6 * t->tiles;
    double *at_a_rim = sums + 7 * t->tiles;
    memset(sums, 0, sizeof(double) * 8 * (size_t)t->tiles);
    for (long i = 0; i < t->n;) { /* points of a row lie on one tile after another: so many sums stay in registers */
        const int64_t k = t->tile[i];
        double rim = at_a_rim[k], a = s1[k], b = s2[k], c = off[k], f = ls[k], g = ll[k];
        for (; i < t->n && t->tile[i] == k; i++) {
            double w = weight[i], s = seen[i], d = s - lit[i], e = off_in_shade(s, lit[i], rules->deepest_shade);
            rim += lesser_of(e * e, rules->worst) * w;
            a += s * w;
            b += s * s * w;
            c += lesser_of(d * d, rules->worst) * w;
            f += lit[i] * s * w;
            g += lit[i] * lit[i] * w;
        }
        at_a_rim[k] = rim, s1[k] = a, s2[k] = b, off[k] = c, ls[k] = f, ll[k] = g;
    }
    int any = 0;
    for (long k = 0; k < t->tiles; k++) {
        double count = greater_of(n[k], 1.0);
        s1[k] /= count;
        s2[k] = s2[k] / count - s1[k] * s1[k];
        off[k] /= count;
        shade[k] = lesser_of(greater_of(ls[k] / count / greater_of(ll[k] / count, 1.0), rules->deepest_shade), 1.0);
        any |= shade[k] < rules->shade && !t->even[k];
    }
    for (long i = 0; any && i < t->n; i++) {
        double d = seen[i] - shade[t->tile[i]] * lit[i];
        dark[t->tile[i]] += lesser_of(d * d, rules->worst) * weight[i];
    }
    for (long k = 0; k < t->tiles; k++) {
        double in_shade = dark[k] / greater_of(n[k], 1.0);
        int shaded = shade[k] < rules->shade && !t->even[k] && in_shade < 0.5 * off[k];
        if (shaded) off[k] = in_shade;
        double gain = 0.5 * rules->samples * log((greater_of(s2[k], 0.0) + rules->floor) / (off[k] + rules->floor));
        if (shaded) gain -= rules->shade_nats;
        enough[k] = n[k] > t->least;
        /* bare paper at the rim of what covers it may lie in that one's shade: this speaks neither way */
        if (t->even[k] && n[k] < t->full[k]) off[k] = at_a_rim[k] / greater_of(n[k], 1.0);
        shown[k] = enough[k] && (off[k] < 0.4 * s2[k] + rules->floor || off[k] < 1.5 * rules->floor);
        nats[k] = enough[k] ? lesser_of(greater_of(gain, -2.0), 8.0) : 0.0;
        if (t->even[k] && nats[k] > 0.0) nats[k] = 0.0;
    }
}

INLINE void curve_terms(const double *basis, long n, long i, double *terms) {
    double x = basis[4 * n + i], y = basis[5 * n + i];
    terms[0] = 1.0;
    terms[1] = x;
    terms[2] = y;
    terms[3] = x * x;
    terms[4] = x * y;
    terms[5] = y * y;
}

/* `_in_curved_light`: puts the face in a haze that is curved over the card into lit (n); 0 if too little of it is in
 * view to tell. work holds 11 tiles doubles. */
INLINE int in_curved_light(const Tiles *t, const double *seen, const double *weight, const double *n, double *lit,
                           const TileRules *rules, double *work) {
    double *basis = work, *left = work + 6 * t->tiles, *agree = left + t->tiles, *rest = agree + t->tiles;
    double *asked = rest + t->tiles, most = sqrt(rules->worst), haze[6], terms[6];
    long enough = 0;
    for (long k = 0; k < t->tiles; k++) {
        agree[k] = n[k] > t->least;
        enough += n[k] > t->least;
    }
    if (enough < rules->curved_of * t->tiles) return 0;
    memset(work, 0, sizeof(double) * 7 * (size_t)t->tiles);
    for (long i = 0; i < t->n; i++) {
        if (weight[i] == 0.0) continue;
        int64_t k = t->tile[i];
        curve_terms(t->basis, t->n, i, terms);
        for (int r = 0; r < 6; r++) basis[r * t->tiles + k] += terms[r] * weight[i];
        left[k] += lesser_of(greater_of(seen[i] - lit[i], -most), most) * weight[i];
    }
    for (long k = 0; k < t->tiles; k++) {
        double count = greater_of(n[k], 1.0);
        for (int r = 0; r < 6; r++) basis[r * t->tiles + k] /= count;
        left[k] /= count;
    }
    for (int round = 0; round < (int)rules->rounds; round++) {
        double normal[36] = {0};
        memset(haze, 0, sizeof haze);
        for (long k = 0; k < t->tiles; k++)
            for (int r = 0; r < 6; r++) {
                double value = basis[r * t->tiles + k] * agree[k];
                haze[r] += value * left[k];
                for (int c = 0; c < 6; c++) normal[r * 6 + c] += value * basis[c * t->tiles + k];
            }
        for (int r = 0; r < 6; r++) normal[r * 7] += 1e-3 + normal[r * 7] * rules->curved_ridge;
        if (!solve(normal, haze, 6, 1)) return 0;
        long count = 0;
        for (long k = 0; k < t->tiles; k++) {
            rest[k] = left[k];
            for (int r = 0; r < 6; r++) rest[k] -= haze[r] * basis[r * t->tiles + k];
            if (n[k] > t->least) asked[count++] = fabs(rest[k]);
        }
        double scale = 1.5 * greater_of(1.4826 * kth_of_many(asked, count, count / 2, NULL), rules->least_curved);
        for (long k = 0; k < t->tiles; k++) {
            double r = rest[k] / scale;
            r = 1.0 + r * r;
            agree[k] = n[k] > t->least ? 1.0 / (r * r) : 0.0;
        }
    }
    for (long i = 0; i < t->n; i++) {
        curve_terms(t->basis, t->n, i, terms);
        for (int r = 0; r < 6; r++) lit[i] += haze[r] * terms[r];
    }
    return 1;
}

INLINE void light_whole(const double *basis, long n, const double *light, double *lit) {
#pragma omp simd
    for (long i = 0; i < n; i++) lit[i] = lit_at(basis, n, i, light);
}

/* What is found of tiles; nats, shown, enough (tiles). */
typedef struct {
    double *nats;
    uint8_t *shown, *enough;
} Found;

/* Puts what is found `again` in the place of what was found first, if it has so many nats more. */
INLINE int taken_if_better(Found *first, const Found *again, double by, long tiles) {
    double before = by, now = 0.0;
    for (long k = 0; k < tiles; k++) {
        before += first->nats[k];
        now += again->nats[k];
    }
    if (now <= before) return 0;
    memcpy(first->nats, again->nats, sizeof(double) * (size_t)tiles);
    memcpy(first->shown, again->shown, (size_t)tiles);
    memcpy(first->enough, again->enough, (size_t)tiles);
    return 1;
}

/* The evidence for a face at a pose (12), tile by tile: nats, shown, enough (tiles). places (3, n), basis (6, n), tile
 * (n), full and even (tiles) as FaceTiles has them; claims (claims_height, claims_width) or NULL: what other cards
 * claim, a pixel in `step` of the frame's. 1 if all went well. */
INLINE int arena_tiles_body(const float *data, long height, long width, double shrunk, const double *camera_,
                              const double *pose, const uint8_t *claims, long claims_height, long claims_width,
                              double step, long n, const double *places, const double *basis, const int64_t *tile,
                              long tiles, const double *full, double least, const uint8_t *even, const double *rules_,
                              double *nats, uint8_t *shown, uint8_t *enough) {
    Picture picture = {data, height, width, shrunk};
    Camera camera;
    TileRules rules;
    memcpy(&camera, camera_, sizeof camera);
    memcpy(&rules, rules_, sizeof rules);
    Tiles t = {n, tiles, basis, tile, even, least, full};
    long few = (n + 2) / 3;
    double *work = malloc(sizeof(double) * (size_t)(3 * n + 13 * tiles + 10 * few));
    uint8_t *marks = malloc(2 * (size_t)tiles);
    if (!work || !marks) {
        free(work);
        free(marks);
        return 0;
    }
    double *seen = work, *weight = seen + n, *lit = weight + n, *sums = lit + n, *in_view = sums + 11 * tiles;
    double *other_nats = in_view + tiles, *few_seen = other_nats + tiles, *few_weight = few_seen + few;
    double *few_work = few_weight + few, *few_basis = few_work + 2 * few, M[9]; /* next to each other: asked ten times */
    plane_in_camera(&camera, pose, M);
    int all = 1;
    memset(in_view, 0, sizeof(double) * (size_t)tiles);
    for (long first = 0; first < n; first += BLOCK) {
        long count = n - first < BLOCK ? n - first : BLOCK;
        double u[BLOCK], v[BLOCK];
        project_block(&camera, M, places + first, places + n + first, count, u, v);
        sample_block(&picture, u, v, count, seen + first, weight + first);
        for (long p = 0, i = first; p < count; p++, i++) {
            if (claims && is_claimed(claims, claims_height, claims_width, step, u[p], v[p])) weight[i] = 0.0;
            if (weight[i] == 0.0) seen[i] = 0.0;
            in_view[tile[i]] += weight[i];
            all &= weight[i] != 0.0;
        }
    }
    if (all) memcpy(in_view, full, sizeof(double) * (size_t)tiles);
    for (long i = 0; i < few; i++) {
        few_seen[i] = seen[3 * i];
        few_weight[i] = weight[3 * i];
    }
    for (int r = 0; r < 6; r++)
        for (long i = 0; i < few; i++) few_basis[r * few + i] = basis[r * n + 3 * i];
    double light[6], part[6];
    int fine = robust_light(few_basis, few, few_seen, few_weight, NULL, &rules, light, few_work);
    if (fine) {
        light_whole(basis, n, light, lit);
        judged(&t, seen, weight, in_view, lit, &rules, nats, shown, enough, sums);
        long shows = 0, could = 0;
        for (long k = 0; k < tiles; k++) {
            shows += shown[k];
            could += enough[k];
        }
        Found first = {nats, shown, enough}, again = {other_nats, marks, marks + tiles};
        int other = 0;
        if (shows < rules.clear * could)
            other = light_of_a_part(few_basis, few, few_seen, few_weight, light, &rules, part, few_work);
        fine = other >= 0;
        if (other > 0) {
            double of_part[6];
            fine = robust_light(few_basis, few, few_seen, few_weight, part, &rules, of_part, few_work);
            light_whole(basis, n, of_part, lit);
            judged(&t, seen, weight, in_view, lit, &rules, again.nats, again.shown, again.enough, sums);
            if (taken_if_better(&first, &again, 0.0, tiles)) memcpy(light, of_part, sizeof light);
            shows = 0;
            for (long k = 0; k < tiles; k++) shows += shown[k];
        }
        int tried = rules.hardly_shown * could <= shows && shows < could;
        if (tried) light_whole(basis, n, light, lit);
        if (tried && in_curved_light(&t, seen, weight, in_view, lit, &rules, sums)) {
            judged(&t, seen, weight, in_view, lit, &rules, again.nats, again.shown, again.enough, sums);
            taken_if_better(&first, &again, rules.curved_nats, tiles);
        }
    }
    free(work);
    free(marks);
    return fine;
}

ON_EVERY_CPU(int, arena_tiles,
             (const float *data, long height, long width, double shrunk, const double *camera_, const double *pose,
              const uint8_t *claims, long claims_height, long claims_width, double step, long n, const double *places,
              const double *basis, const int64_t *tile, long tiles, const double *full, double least, const uint8_t
              *even, const double *rules_, double *nats, uint8_t *shown, uint8_t *enough),
             (data, height, width, shrunk, camera_, pose, claims, claims_height, claims_width, step, n, places, basis,
              tile, tiles, full, least, even, rules_, nats, shown, enough))
