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

/* ---- all places of cards that matches on a table tell: tokens/cards/print_votes.py, `places_on_table` ---- */

#define SEEDS 8 /* cells of which one match each is tried */
#define STEPS 8 /* in a list of matches, from one to another that are tried as a pair */
#define FACES 3 /* of a place, that are told */

/* Matches (n): their places mm (n, 2) on their cards, where they lie `at` (n, 2), their turn (n), where each has its card's
 * middle (n, 2); where middles lie from left to right, `across` (n), and whose, `order` (n); the photograph's keypoint
 * `seen` (n, below `keypoints`), the `face` (n, below `faces`), the `cell` (n, below `cells`) that the middle lies in, and
 * how alike (n) both are.
 *
 * Rules: how far middles of one card are apart, and turns, how far off a match may be, and how much more for each mm away;
 * of pairs: how far apart at least, by how much both lengths may differ, how near other matches lie, how many pairs are
 * tried; then how near matches lie to the card that they are on, how near to one whose face they tell, and how many
 * keypoints speak for no other card. */
typedef struct {
    const double *mm, *at, *turn, *middle, *across, *rules;
    const int64_t *order, *seen, *face, *cell;
    const float *alike;
    long n, keypoints, faces, cells;
} Laid;

/* What is known while places are looked for: which matches are `left` (n), the members (n) of the newest crowd, and which
 * keypoints were `met`. The rest is room, for matches, keypoints, pairs, cells and faces; `mark` (keypoints) holds the
 * numbers of counts, `marked` the last of them. */
typedef struct {
    uint8_t *left, *met, *inside;
    int64_t *members, *near, *next, *seeds, *first, *second, *mark, *head, *count;
    double *mm, *at;
    int64_t *seen, marked;
} Search;

/* Of the cells with most matches left the first match each, the fullest first; how many: print_votes.py, `_crowded`. */
INLINE long crowded_of(const Laid *m, Search *s) {
    int64_t fullest[SEEDS];
    long found = 0;
    memset(s->count, 0, sizeof(int64_t) * (size_t)m->cells);
    for (long i = 0; i < m->n; i++) s->count[m->cell[i]] += s->left[i];
    for (long c = 0; c < m->cells; c++) {
        if (!s->count[c] || (found == SEEDS && s->count[c] <= s->count[fullest[SEEDS - 1]])) continue;
        long k = found < SEEDS ? found++ : SEEDS - 1;
        for (; k > 0 && s->count[fullest[k - 1]] < s->count[c]; k--) fullest[k] = fullest[k - 1];
        fullest[k] = c;
    }
    for (long k = 0; k < found; k++) {
        long i = 0;
        while (!s->left[i] || m->cell[i] != fullest[k]) i++;
        s->seeds[k] = i;
    }
    return found;
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

/* The most matches left that agree with one seed (count) about the card: `_OnTable.crowd`. Those whose card's middle lies
 * near are looked for in a strip. Each keypoint counts once, and how alike the seed is. How many. */
INLINE long crowd_of(const Laid *m, Search *s, long count) {
    double best = 0.0;
    long found = 0;
    for (long k = 0; k < count; k++) {
        long i = (long)s->seeds[k], some = 0, votes = 0;
        double c = cos(m->turn[i]), d = sin(m->turn[i]), reach = m->rules[0];
        const double *middle = m->middle + 2 * i, *mm = m->mm + 2 * i, *at = m->at + 2 * i;
        s->marked++;
        for (long strip = count_below(m->across, m->n, middle[0] - reach); strip < m->n; strip++) {
            if (m->across[strip] > middle[0] + reach) break;
            long j = (long)m->order[strip];
            if (!s->left[j] || fabs(m->middle[2 * j] - middle[0]) > reach) continue;
            if (!(fabs(m->middle[2 * j + 1] - middle[1]) < reach)) continue;
            if (!is_turned_alike(m->turn[j], m->turn[i], m->rules[1])) continue;
            double x = m->mm[2 * j] - mm[0], y = m->mm[2 * j + 1] - mm[1];
            double u = m->at[2 * j] - at[0] - (c * x - d * y), v = m->at[2 * j + 1] - at[1] - (d * x + c * y);
            if (!is_about_there(u, v, x, y, m->rules + 2)) continue;
            s->near[some++] = j;
            votes += newly_met(m->seen, j, s->mark, s->marked);
        }
        double weight = (double)votes + (double)m->alike[i];
        if (weight > best) {
            best = weight, found = some;
            memcpy(s->members, s->near, sizeof(int64_t) * (size_t)some);
        }
    }
    qsort(s->members, (size_t)found, sizeof(int64_t), in_order);
    return found;
}

/* The numbers of the matches, left or not, that lie nearer than `within` to where a card at `place` (x, y, turn) has them:
 * `_OnTable.fitting`. How many. */
INLINE long fitting_of(const Laid *m, const double *place, double within, int64_t *members) {
    double c = cos(place[2]), s = sin(place[2]);
    long found = 0;
    for (long i = 0; i < m->n; i++) {
        double u = place[0] + c * m->mm[2 * i] - s * m->mm[2 * i + 1] - m->at[2 * i];
        double v = place[1] + s * m->mm[2 * i] + c * m->mm[2 * i + 1] - m->at[2 * i + 1];
        members[found] = i;
        found += u * u + v * v < within * within;
    }
    return found;
}

/* The same of those that are left, in `near`. */
INLINE long left_near(const Laid *m, Search *s, const double *place, double within) {
    long found = 0, all = fitting_of(m, place, within, s->near);
    for (long k = 0; k < all; k++)
        if (s->left[s->near[k]]) s->near[found++] = s->near[k];
    return found;
}

/* How many different keypoints so many matches have. */
INLINE long different_of(const Laid *m, Search *s, const int64_t *members, long count) {
    long found = 0;
    s->marked++;
    for (long k = 0; k < count; k++) found += newly_met(m->seen, (long)members[k], s->mark, s->marked);
    return found;
}

/* How far the places of so many matches on their card lie from their middle, at most: `_spread`. */
INLINE double spread_of(const Laid *m, const int64_t *members, long count) {
    double x = 0.0, y = 0.0, most = 0.0;
    for (long k = 0; k < count; k++) x += m->mm[2 * members[k]], y += m->mm[2 * members[k] + 1];
    x /= (double)count, y /= (double)count;
    for (long k = 0; k < count; k++) {
        double u = m->mm[2 * members[k]] - x, v = m->mm[2 * members[k] + 1] - y;
        most = greater_of(sqrt(u * u + v * v), most);
    }
    return most;
}

/* The rigid motion, `place` (3), nearest to taking so many matches from their card to where they lie: view/table_view.py,
 * `rigid`. */
INLINE void rigidly_of(const Laid *m, const int64_t *members, long count, double *place) {
    double x = 0.0, y = 0.0, u = 0.0, v = 0.0, across = 0.0, along = 0.0;
    for (long k = 0; k < count; k++) {
        const double *a = m->mm + 2 * members[k], *b = m->at + 2 * members[k];
        x += a[0], y += a[1], u += b[0], v += b[1];
    }
    x /= (double)count, y /= (double)count, u /= (double)count, v /= (double)count;
    for (long k = 0; k < count; k++) {
        const double *a = m->mm + 2 * members[k], *b = m->at + 2 * members[k];
        across += (a[0] - x) * (b[1] - v) - (a[1] - y) * (b[0] - u);
        along += (a[0] - x) * (b[0] - u) + (a[1] - y) * (b[1] - v);
    }
    double turn = atan2(across, along), c = cos(turn), s = sin(turn);
    place[0] = u - (c * x - s * y), place[1] = v - (s * x + c * y), place[2] = turn;
}

/* Pairs of numbers below `count`, those half a list apart first: `_pairs`. How many. */
INLINE long pairs_of(long count, int64_t *first, int64_t *second) {
    long found = 0, steps = 0, half = count / 2;
    for (long k = 0; k < 2 * count && steps < STEPS; k++) {
        long step = k % 2 ? half - (k + 1) / 2 : half + k / 2;
        if (step < 1 || step >= count) continue;
        steps++;
        for (long i = 0; i < count - step; i++) first[found] = i, second[found++] = i + step;
    }
    return found;
}

/* The place (3) of that pair of the matches mm, at, seen (n) with which most different keypoints agree, and which matches
 * do, `inside` (n): `_told_by_pairs`. How many keypoints. */
INLINE long told_by_pairs(const Laid *m, Search *s, long n, double *place) {
    const double *rules = m->rules + 4;
    long most = 0, tried = 0, pairs = pairs_of(n, s->first, s->second);
    double best[3] = {0.0, 0.0, 0.0};
    for (long k = 0; k < pairs && tried < (long)rules[3]; k++) {
        const double *a = s->mm + 2 * s->first[k], *b = s->mm + 2 * s->second[k];
        const double *d = s->at + 2 * s->first[k], *e = s->at + 2 * s->second[k];
        double x = b[0] - a[0], y = b[1] - a[1], u = e[0] - d[0], v = e[1] - d[1];
        double length = sqrt(x * x + y * y);
        if (!(length > rules[0]) || !(fabs(sqrt(u * u + v * v) - length) < rules[1])) continue;
        tried++, s->marked++;
        double turn = atan2(x * v - y * u, x * u + y * v), c = cos(turn), z = sin(turn);
        double left = d[0] - (c * a[0] - z * a[1]), up = d[1] - (z * a[0] + c * a[1]);
        long votes = 0;
        for (long i = 0; i < n; i++) {
            double p = left + c * s->mm[2 * i] - z * s->mm[2 * i + 1] - s->at[2 * i];
            double q = up + z * s->mm[2 * i] + c * s->mm[2 * i + 1] - s->at[2 * i + 1];
            if (sqrt(p * p + q * q) < rules[2]) votes += newly_met(s->seen, i, s->mark, s->marked);
        }
        if (votes > most) most = votes, best[0] = left, best[1] = up, best[2] = turn;
    }
    double c = cos(best[2]), z = sin(best[2]);
    for (long i = 0; i < n; i++) {
        double p = best[0] + c * s->mm[2 * i] - z * s->mm[2 * i + 1] - s->at[2 * i];
        double q = best[1] + z * s->mm[2 * i] + c * s->mm[2 * i + 1] - s->at[2 * i + 1];
        s->inside[i] = most && sqrt(p * p + q * q) < rules[2];
    }
    memcpy(place, best, sizeof best);
    return most;
}

/* The place (3) that most members (count) agree about, and which do, in their place: `_agreed`. How many. */
INLINE long agreed_of(const Laid *m, Search *s, long count, double *place) {
    int64_t *members = s->members;
    const double *mm = m->mm + 2 * members[0], *at = m->at + 2 * members[0], turn = m->turn[members[0]];
    place[0] = at[0] - (cos(turn) * mm[0] - sin(turn) * mm[1]);
    place[1] = at[1] - (sin(turn) * mm[0] + cos(turn) * mm[1]), place[2] = turn;
    for (long k = 0; k < count; k++) {
        memcpy(s->mm + 2 * k, m->mm + 2 * members[k], 2 * sizeof(double));
        memcpy(s->at + 2 * k, m->at + 2 * members[k], 2 * sizeof(double));
        s->seen[k] = m->seen[members[k]];
    }
    double told[3];
    long kept = 1;
    if (told_by_pairs(m, s, count, told) > 1) {
        memcpy(place, told, sizeof told), kept = 0;
        for (long k = 0; k < count; k++)
            if (s->inside[k]) members[kept++] = members[k];
    }
    if (kept >= 3 && spread_of(m, members, kept) > m->rules[4]) rigidly_of(m, members, kept, place);
    return kept;
}

/* The faces (FACES) to which most keypoints of so many matches belong, -1 where there are fewer: `_faces`. Faces up to the
 * last that is met count, though none of the keypoints is theirs. */
INLINE void faces_of(const Laid *m, Search *s, const int64_t *members, long count, int64_t *faces) {
    long last = 0, found = 0;
    memset(s->count, 0, sizeof(int64_t) * (size_t)m->faces);
    for (long k = 0; k < count; k++) s->head[m->seen[members[k]]] = -1;
    for (long k = 0; k < count; k++) {
        int64_t i = members[k], other = s->head[m->seen[i]];
        while (other >= 0 && m->face[members[other]] != m->face[i]) other = s->next[other];
        s->count[m->face[i]] += other < 0;
        s->next[k] = s->head[m->seen[i]], s->head[m->seen[i]] = k;
        if (m->face[i] > last) last = (long)m->face[i];
    }
    for (long k = 0; k < FACES; k++) faces[k] = -1;
    for (long f = 0; f <= last; f++) {
        if (found == FACES && s->count[f] <= s->count[faces[FACES - 1]]) continue;
        long k = found < FACES ? found++ : FACES - 1;
        for (; k > 0 && s->count[faces[k - 1]] < s->count[f]; k--) faces[k] = faces[k - 1];
        faces[k] = f;
    }
}

/* Where the card of the members (count) lies, `place` (3), with the members on it in their place, and its faces (FACES):
 * `_OnTable.place`. How many members. */
INLINE long place_of(const Laid *m, Search *s, long count, double *place, int64_t *faces) {
    count = agreed_of(m, s, count, place);
    for (int again = 0; again < 2; again++) {
        long near = left_near(m, s, place, m->rules[8]);
        if (different_of(m, s, s->near, near) < 3 || spread_of(m, s->near, near) < m->rules[4]) break;
        memcpy(s->members, s->near, sizeof(int64_t) * (size_t)near);
        rigidly_of(m, s->members, count = near, place);
    }
    long near = left_near(m, s, place, m->rules[9]);
    faces_of(m, s, near ? s->near : s->members, near ? near : count, faces);
    return count;
}

/* What no longer counts once a card lies at `place` (3) with these members (count) and votes. Of a keypoint of many that
 * speak for a card no other match counts. How many are left; `gone` (n) tells after which place a match went. */
INLINE long all_but(const Laid *m, Search *s, const double *place, long count, int64_t votes, long when, int64_t *gone) {
    long left = 0, near = fitting_of(m, place, m->rules[8], s->near);
    for (long k = 0; k < near; k++) s->left[s->near[k]] = 0;
    for (long k = 0; k < count; k++) s->left[s->members[k]] = 0;
    if ((double)votes >= m->rules[10])
        for (long k = 0; k < count; k++) s->met[m->seen[s->members[k]]] = 1;
    for (long i = 0; i < m->n; i++) {
        s->left[i] = s->left[i] && !s->met[m->seen[i]];
        left += s->left[i];
        if (!s->left[i] && gone[i] < 0) gone[i] = when;
    }
    return left;
}

/* Room for all that a search needs, in one piece of memory; 0 where there is none. */
INLINE int has_room(const Laid *m, Search *s) {
    const long n = m->n, keys = m->keypoints, counts = m->cells > m->faces ? m->cells : m->faces;
    const long numbers = SEEDS + 4 * n + 2 * STEPS * n + 2 * keys + counts;
    int64_t *room = calloc(1, sizeof(int64_t) * (size_t)numbers + sizeof(double) * (size_t)(4 * n) + (size_t)(2 * n + keys));
    if (!room) return 0;
    s->seeds = room, s->members = s->seeds + SEEDS, s->near = s->members + n, s->next = s->near + n;
    s->seen = s->next + n, s->first = s->seen + n, s->second = s->first + STEPS * n, s->mark = s->second + STEPS * n;
    s->head = s->mark + keys, s->count = s->head + keys;
    s->mm = (double *)(s->count + counts), s->at = s->mm + 2 * n;
    s->left = (uint8_t *)(s->at + 2 * n), s->inside = s->left + n, s->met = s->inside + n;
    memset(s->left, 1, (size_t)n);
    return 1;
}

/* Where cards may lie, as they are found: `places` (most, 3), and `told` (most, 2 + FACES), how many keypoints speak for
 * each, how many members it has, and its faces; all members, one place after the other (n); and after which place a match
 * was `gone` (n), most if it never was. No more are looked for once the largest crowd has `least` keypoints no more. How
 * many places; -1 where there is no memory. */
INLINE long arena_places_body(const double *mm, const double *at, const double *turn, const double *middle,
                              const double *across, const int64_t *order, const int64_t *seen, const int64_t *face,
                              const int64_t *cell, const float *alike, const int64_t *shape, const double *rules,
                              long most, long least, double *places, int64_t *told, int64_t *members, int64_t *gone) {
    const Laid m = {mm, at, turn, middle, across, rules, order, seen, face, cell, alike,
                    (long)shape[0], (long)shape[1], (long)shape[2], (long)shape[3]};
    Search s = {0};
    long found = 0, left = m.n;
    if (!has_room(&m, &s)) return -1;
    for (long i = 0; i < m.n; i++) gone[i] = -1;
    for (; left && found < most; found++) {
        long count = crowd_of(&m, &s, crowded_of(&m, &s));
        if (!count || (least > 1 && different_of(&m, &s, s.members, count) < least)) break;
        int64_t *of = told + found * (2 + FACES);
        count = place_of(&m, &s, count, places + 3 * found, of + 2);
        of[0] = different_of(&m, &s, s.members, count), of[1] = count;
        memcpy(members, s.members, sizeof(int64_t) * (size_t)count), members += count;
        left = all_but(&m, &s, places + 3 * found, count, of[0], found, gone);
    }
    for (long i = 0; i < m.n; i++)
        if (gone[i] < 0) gone[i] = most;
    free(s.seeds);
    return found;
}

ON_EVERY_CPU(long, arena_places,
             (const double *mm, const double *at, const double *turn, const double *middle, const double *across, const
              int64_t *order, const int64_t *seen, const int64_t *face, const int64_t *cell, const float *alike, const
              int64_t *shape, const double *rules, long most, long least, double *places, int64_t *told, int64_t *members,
              int64_t *gone),
             (mm, at, turn, middle, across, order, seen, face, cell, alike, shape, rules, most, least, places, told,
              members, gone))
