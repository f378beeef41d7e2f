/* Matches of keypoints that agree about a card. */
#include "common.h"

/* ---- matches of keypoints that agree about a card: tokens/cards/print_votes.py ---- */

/* The keypoints `seen` (n) of which some were met, each counted once: mark[k] is the number of the last count. */
INLINE long newly_met(const int64_t *seen, long i, int64_t *mark, int64_t count) {
    if (mark[seen[i]] == count) return 0;
    mark[seen[i]] = count;
    return 1;
}

/* Whether two turns, in radians, are less than `within` apart. */
INLINE int is_turned_alike(double turn, double other, double within) {
    const double whole = 6.283185307179586;
    double apart = fabs(turn - other);
    return lesser_of(apart, whole - apart) < within;
}

/* Whether a match (u, v) off is about where it should be, (x, y) from the seed: so far off it may be, and so much
 * more for each mm away. */
INLINE int is_about_there(double u, double v, double x, double y, const double *rules) {
    return sqrt(u * u + v * v) < rules[0] + rules[1] * sqrt(x * x + y * y);
}

static int in_order(const void *one, const void *other) {
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* How many of `values` (n), in rising order, are less than one. */
INLINE long count_below(const double *values, long n, double value) {
    long low = 0, high = n;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (values[middle] < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The most matches that agree with one of `seeds` (count) about the card: those that are `left` (n), whose card's middle
 * (n, 2) lies near (they are looked for in a strip: `across` (n) is where middles lie from left to right, `order` (n) whose), which are turned (n) nearly as much, and which lie `at` (n, 2) about where their places `mm` (n, 2)
 * say. Each of the photograph's keypoints `seen` (n, below `keypoints`) counts once, and how alike (n) the seed is.
 * rules: how far middles are apart, and turns, how far off a match may be, how much more for each mm away. Their numbers
 * in `members` (n); how many is told, or -1 where there is no memory. */
INLINE long arena_crowd_body(const double *mm, const double *at, const double *turn, const double *middle,
                             const double *across, const int64_t *order, const int64_t *seen, const float *alike,
                             const uint8_t *left, long n, long keypoints, const int64_t *seeds, long count,
                             const double *rules, int64_t *members) {
    int64_t *mark = calloc((size_t)(keypoints ? keypoints : 1) + (size_t)(n ? n : 1), sizeof(int64_t));
    if (!mark) return -1;
    int64_t *near = mark + keypoints;
    double best = 0.0;
    long found = 0;
    for (long s = 0; s < count; s++) {
        long i = (long)seeds[s], some = 0, votes = 0;
        double c = cos(turn[i]), d = sin(turn[i]);
        for (long k = count_below(across, n, middle[2 * i] - rules[0]); k < n; k++) {
            if (across[k] > middle[2 * i] + rules[0]) break;
            long j = (long)order[k];
            if (!left[j] || fabs(middle[2 * j] - middle[2 * i]) > rules[0]) continue;
            if (!(fabs(middle[2 * j + 1] - middle[2 * i + 1]) < rules[0])) continue;
            if (!is_turned_alike(turn[j], turn[i], rules[1])) continue;
            double x = mm[2 * j] - mm[2 * i], y = mm[2 * j + 1] - mm[2 * i + 1];
            double u = at[2 * j] - at[2 * i] - (c * x - d * y), v = at[2 * j + 1] - at[2 * i + 1] - (d * x + c * y);
            if (!is_about_there(u, v, x, y, rules + 2)) continue;
            near[some++] = j;
            votes += newly_met(seen, j, mark, s + 1);
        }
        double weight = (double)votes + (double)alike[i];
        if (weight > best) {
            best = weight, found = some;
            memcpy(members, near, sizeof(int64_t) * (size_t)some);
        }
    }
    free(mark);
    qsort(members, (size_t)found, sizeof(int64_t), in_order);
    return found;
}

ON_EVERY_CPU(long, arena_crowd,
             (const double *mm, const double *at, const double *turn, const double *middle, const double *across, const
              int64_t *order, const int64_t *seen, const float *alike, const uint8_t *left, long n, long keypoints, const
              int64_t *seeds, long count, const double *rules, int64_t *members),
             (mm, at, turn, middle, across, order, seen, alike, left, n, keypoints, seeds, count, rules, members))

/* The matches (n) that lie `at` (n, 2) nearer than `within` to where a card at `place` (x, y, turn) has their places `mm`
 * (n, 2); their numbers in `members` (n). How many is told. */
INLINE long arena_fitting_body(const double *mm, const double *at, long n, const double *place, double within,
                               int64_t *members) {
    double c = cos(place[2]), s = sin(place[2]);
    long found = 0;
    for (long i = 0; i < n; i++) {
        double u = place[0] + c * mm[2 * i] - s * mm[2 * i + 1] - at[2 * i];
        double v = place[1] + s * mm[2 * i] + c * mm[2 * i + 1] - at[2 * i + 1];
        members[found] = i;
        found += u * u + v * v < within * within;
    }
    return found;
}

ON_EVERY_CPU(long, arena_fitting,
             (const double *mm, const double *at, long n, const double *place, double within, int64_t *members),
             (mm, at, n, place, within, members))

/* Of `members` (count) those of the face that most of their keypoints belong to, in place; `head` (keypoints) and `next`
 * (count) are room for a list of each keypoint's members, `of_face` (faces) for a count. How many stay is told; `votes`:
 * how many keypoints they are. */
INLINE long of_leading_face(const int64_t *seen, const int64_t *face, int64_t *members, long count, long faces,
                            int64_t *head, int64_t *next, int64_t *of_face, long *votes) {
    memset(of_face, 0, sizeof(int64_t) * (size_t)faces);
    for (long k = 0; k < count; k++) head[seen[members[k]]] = -1;
    for (long k = 0; k < count; k++) {
        int64_t i = members[k], other = head[seen[i]];
        while (other >= 0 && face[members[other]] != face[i]) other = next[other];
        of_face[face[i]] += other < 0;
        next[k] = head[seen[i]], head[seen[i]] = k;
    }
    long leading = 0, kept = 0;
    for (long f = 1; f < faces; f++)
        if (of_face[f] > of_face[leading]) leading = f;
    for (long k = 0; k < count; k++)
        if (face[members[k]] == leading) members[kept++] = members[k];
    *votes = (long)of_face[leading];
    return kept;
}

/* The most matches that an affinity through one of `seeds` (count) explains, of those `left` (n): turned (n) and scaled
 * (n, logarithms) alike, and seen at px (n, 2) where their places mm (n, 2) say; `affine` (n, 2, 2) is each seed's map.
 * Of one face alone if `one_face`. Each keypoint `seen` (n, below `keypoints`) counts once. rules: how far turns and
 * scales are apart, how many mm a match may be off, how much more for each mm away, and how many must agree. Their
 * numbers in `members` (n); how many is told, 0 where too few agree, -1 where there is no memory. */
INLINE long arena_agreeing_body(const double *mm, const double *px, const double *affine, const double *turn,
                                const double *log_scale, const int64_t *seen, const int64_t *face, const uint8_t *left,
                                long n, long keypoints, long faces, const int64_t *seeds, long count, long one_face,
                                const double *rules, int64_t *members) {
    int64_t *room = calloc((size_t)(2 * keypoints + 2 * n + faces + 1), sizeof(int64_t));
    if (!room) return -1;
    int64_t *mark = room, *head = mark + keypoints, *near = head + keypoints, *next = near + n, *of_face = next + n;
    long most = (long)rules[4] - 1, found = 0;
    for (long s = 0; s < count; s++) {
        long i = (long)seeds[s], some = 0, votes = 0;
        const double *a = affine + 4 * i;
        double by = 1.0 / (a[0] * a[3] - a[1] * a[2]);
        for (long j = 0; j < n; j++) {
            if (!left[j] || !(fabs(log_scale[j] - log_scale[i]) < rules[1])) continue;
            if (!is_turned_alike(turn[j], turn[i], rules[0])) continue;
            double x = mm[2 * j] - mm[2 * i], y = mm[2 * j + 1] - mm[2 * i + 1];
            double p = px[2 * j] - px[2 * i], q = px[2 * j + 1] - px[2 * i + 1];
            double u = by * (a[3] * p - a[1] * q) - x, v = by * (a[0] * q - a[2] * p) - y;
            if (!is_about_there(u, v, x, y, rules + 2)) continue;
            near[some++] = j;
            if (!one_face) votes += newly_met(seen, j, mark, s + 1);
        }
        if (one_face) some = of_leading_face(seen, face, near, some, faces, head, next, of_face, &votes);
        if (votes > most) {
            most = votes, found = some;
            memcpy(members, near, sizeof(int64_t) * (size_t)some);
        }
    }
    free(room);
    return found;
}

ON_EVERY_CPU(long, arena_agreeing,
             (const double *mm, const double *px, const double *affine, const double *turn, const double *log_scale,
              const int64_t *seen, const int64_t *face, const uint8_t *left, long n, long keypoints, long faces, const
              int64_t *seeds, long count, long one_face, const double *rules, int64_t *members),
             (mm, px, affine, turn, log_scale, seen, face, left, n, keypoints, faces, seeds, count, one_face, rules,
              members))

/* ---- the place that most matches of one crowd agree about: tokens/cards/print_votes.py, `_agreed` ---- */

/* Of the pairs `first`, `second` (pairs) of matches (n) that lie far enough apart, and as far on the table as on the card,
 * at most so many are tried: mm, at (n, 2), each with the keypoint `seen` (n, below `keypoints`). rules: how far apart at
 * least, by how much both lengths may differ, how near matches lie to where the card has them, how many pairs are tried.
 * The place (3) with which most keypoints agree, and which matches do, `inside` (n). How many keypoints; -1 where there is
 * no memory. */
INLINE long arena_agreed_body(const double *mm, const double *at, const int64_t *seen, long n, long keypoints,
                              const int64_t *first, const int64_t *second, long pairs, const double *rules, double *place,
                              uint8_t *inside) {
    int64_t *mark = calloc((size_t)(keypoints ? keypoints : 1), sizeof(int64_t));
    if (!mark) return -1;
    long most = 0, tried = 0;
    double best[3] = {0.0, 0.0, 0.0};
    for (long k = 0; k < pairs && tried < (long)rules[3]; k++) {
        const double *m = mm + 2 * first[k], *o = mm + 2 * second[k], *a = at + 2 * first[k], *b = at + 2 * second[k];
        double x = o[0] - m[0], y = o[1] - m[1], u = b[0] - a[0], v = b[1] - a[1];
        double length = sqrt(x * x + y * y);
        if (!(length > rules[0]) || !(fabs(sqrt(u * u + v * v) - length) < rules[1])) continue;
        tried++;
        double turn = atan2(x * v - y * u, x * u + y * v), c = cos(turn), s = sin(turn);
        double left = a[0] - (c * m[0] - s * m[1]), up = a[1] - (s * m[0] + c * m[1]);
        long votes = 0;
        for (long i = 0; i < n; i++) {
            double p = left + c * mm[2 * i] - s * mm[2 * i + 1] - at[2 * i];
            double q = up + s * mm[2 * i] + c * mm[2 * i + 1] - at[2 * i + 1];
            if (sqrt(p * p + q * q) < rules[2]) votes += newly_met(seen, i, mark, tried);
        }
        if (votes > most) most = votes, best[0] = left, best[1] = up, best[2] = turn;
    }
    free(mark);
    double c = cos(best[2]), s = sin(best[2]);
    for (long i = 0; i < n; i++) {
        double p = best[0] + c * mm[2 * i] - s * mm[2 * i + 1] - at[2 * i];
        double q = best[1] + s * mm[2 * i] + c * mm[2 * i + 1] - at[2 * i + 1];
        inside[i] = most && sqrt(p * p + q * q) < rules[2];
    }
    memcpy(place, best, sizeof best);
    return most;
}

ON_EVERY_CPU(long, arena_agreed,
             (const double *mm, const double *at, const int64_t *seen, long n, long keypoints, const int64_t *first, const
              int64_t *second, long pairs, const double *rules, double *place, uint8_t *inside),
             (mm, at, seen, n, keypoints, first, second, pairs, rules, place, inside))
