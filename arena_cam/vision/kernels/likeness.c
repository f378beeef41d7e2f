/* How well a face explains what is seen from afar where it is guessed: reading/cards/measuring.py, `likeness`. */
#include "common.h"

/* As row `rules`. */
typedef struct {
    double most_in_view, ridge[6], of_mean, flat;
} LikenessRules;

/* `plain_light` of the basis' rows from `first` on: light (6 - first) by their products with each other and, last, with
 * what is seen, gram (7, 7), of which i <= j is filled. */
INLINE int plainly_lit(const double *gram, int first, const LikenessRules *rules, double *light) {
    const int size = 6 - first;
    double normal[36], mean = 0.0;
    for (int i = 0; i < size; i++) mean += gram[8 * (first + i)] / size;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            const int low = first + (i < j ? i : j), high = first + (i < j ? j : i);
            normal[i * size + j] = gram[7 * low + high];
        }
        normal[i * size + i] += mean * rules->of_mean + rules->ridge[first + i] * gram[8 * (first + i)] + rules->flat;
        light[i] = gram[7 * (first + i) + 6];
    }
    return solve(normal, light, size, 1);
}

/* What the face's light, with basis (6, n) at places (3, n), and an even grey's leave of the picture, mean squares (2).
 * claims (claims_height, claims_width) or NULL: what other cards claim, a pixel in `step` of the frame's. 2 if too
 * little is in view, 0 where there is no memory. */
INLINE int arena_likeness_body(const float *data, long height, long width, double shrunk, const double *camera_,
                               const double *pose, const uint8_t *claims, long claims_height, long claims_width,
                               double step, long n, const double *places, const double *basis, const double *rules_,
                               double *left) {
    Picture picture = {data, height, width, shrunk};
    Camera camera;
    LikenessRules rules;
    memcpy(&camera, camera_, sizeof camera);
    memcpy(&rules, rules_, sizeof rules);
    double *rows = malloc(sizeof(double) * 15 * (size_t)n), *weighted = rows + 7 * n, *weight = rows + 14 * n;
    if (!rows) return 0;
    double M[9], in_view = 0.0, gram[49] = {0}, drawn[6], even[3], sums[2] = {0.0, 0.0}, *seen = rows + 6 * n;
    plane_in_camera(&camera, pose, M);
    for (long i = 0; i < n; i++) {
        double u, v;
        project(&camera, M, places[i], places[n + i], &u, &v);
        int good = sample(&picture, u, v, &seen[i]);
        if (good && claims && is_claimed(claims, claims_height, claims_width, step, u, v)) good = 0;
        weight[i] = good;
        in_view += good;
    }
    if (in_view < rules.most_in_view * (double)n) {
        free(rows);
        return 2;
    }
    memcpy(rows, basis, sizeof(double) * 6 * (size_t)n);
    for (int r = 0; r < 7; r++)
        for (long i = 0; i < n; i++) weighted[r * n + i] = rows[r * n + i] * weight[i];
    add_gram(gram, rows, weighted, 7, n, n);
    const int solved = plainly_lit(gram, 0, &rules, drawn) && plainly_lit(gram, 3, &rules, even);
    for (long i = 0; solved && i < n; i++) {
        double off[2] = {seen[i], seen[i]};
        for (int r = 0; r < 6; r++) off[0] -= drawn[r] * rows[r * n + i];
        for (int r = 0; r < 3; r++) off[1] -= even[r] * rows[(3 + r) * n + i];
        for (int k = 0; k < 2; k++) sums[k] += weight[i] * off[k] * off[k];
    }
    for (int k = 0; k < 2; k++) left[k] = sums[k] / greater_of(in_view, 1.0);
    free(rows);
    return solved;
}

ON_EVERY_CPU(int, arena_likeness,
             (const float *data, long height, long width, double shrunk, const double *camera_, const double *pose,
              const uint8_t *claims, long claims_height, long claims_width, double step, long n, const double *places,
              const double *basis, const double *rules_, double *left),
             (data, height, width, shrunk, camera_, pose, claims, claims_height, claims_width, step, n, places, basis,
              rules_, left))
