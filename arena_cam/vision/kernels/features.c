/* The nearest binary descriptors, and those of print most alike. */
#include "common.h"

/* ---- the nearest binary descriptors: reading/guesses/features.py, `_matches` ---- */

/* For each of words (n, 32) its k nearest among known (m, 32) by differing bits: distance and number (n, k), as
 * cv2.batchDistance orders them; k is 4 at most, and no more than m. */
INLINE int arena_nearest_body(const uint8_t *words, long n, const uint8_t *known, long m, long k, int32_t *distance,
                                 int32_t *number) {
    for (long i = 0; i < n; i++) {
        uint64_t word[4], other[4];
        int32_t d[4], w[4];
        memcpy(word, words + 32 * i, 32);
        for (long r = 0; r < k; r++) d[r] = INT32_MAX, w[r] = -1;
        for (long j = 0; j < m; j++) {
            memcpy(other, known + 32 * j, 32);
            int32_t bits = 0;
            for (int p = 0; p < 4; p++) bits += __builtin_popcountll(word[p] ^ other[p]);
            if (bits >= d[k - 1]) continue;
            long r = k - 2;
            for (; r >= 0 && d[r] > bits; r--) d[r + 1] = d[r], w[r + 1] = w[r];
            d[r + 1] = bits;
            w[r + 1] = (int32_t)j;
        }
        memcpy(distance + k * i, d, sizeof(int32_t) * (size_t)k);
        memcpy(number + k * i, w, sizeof(int32_t) * (size_t)k);
    }
    return 1;
}

ON_EVERY_CPU(int, arena_nearest,
             (const uint8_t *words, long n, const uint8_t *known, long m, long k, int32_t *distance, int32_t *number),
             (words, n, known, m, k, distance, number))

/* ---- the descriptors most alike: printed/keypoints.py, `_alike` ---- */

#define MOST_OF_ROW 16
#define LANES 32

/* The cosine of two unit descriptors of `long_` numbers, a multiple of LANES. */
INLINE float cosine_of(const float *a, const float *b, long long_) {
    float sums[LANES] = {0}, sum = 0.0f;
    for (long k = 0; k < long_; k += LANES)
        for (int l = 0; l < LANES; l++) sums[l] += a[k + l] * b[k + l];
#pragma omp simd reduction(+ : sum)
    for (int l = 0; l < LANES; l++) sum += sums[l];
    return sum;
}

/* Of a descriptor and `m` known ones (m, long_), of which none is more like it than its bound (m) says: what is surely less
 * than the `most`-th highest cosine, told by the best bounded one of some parts of the row; `least` where there are few. */
INLINE float surely_less(const float *bounds, const float *seen, const float *known, long m, long long_, float least,
                         long most) {
    float kept[2 * MOST_OF_ROW];
    long parts = 2 * most, each = m / parts;
    if (each < 1) return least;
    for (long p = 0; p < parts; p++) {
        const float *row = bounds + p * each;
        float highest = row[0];
        long at = 0;
        for (long first = 0; first < each; first += BLOCK) {
            long count = each - first < BLOCK ? each - first : BLOCK;
            float here = row[first];
#pragma omp simd reduction(max : here)
            for (long j = 0; j < count; j++) here = row[first + j] > here ? row[first + j] : here;
            if (here > highest) highest = here, at = first;
        }
        while (row[at] < highest) at++;
        float value = cosine_of(seen, known + (p * each + at) * long_, long_);
        long r = p;
        for (; r > 0 && kept[r - 1] < value; r--) kept[r] = kept[r - 1];
        kept[r] = value;
    }
    return kept[most - 1] > least ? kept[most - 1] : least;
}

/* Of each of descriptors (n, long_) the `most` of known ones (m, long_) whose cosine with it is highest, above `least`, of
 * equal ones the first: their columns and values (n, most), and how many (n). No cosine is higher than `bounds` (n, m) say,
 * but for `rounding`. 0 if there are too many. */
INLINE int arena_most_alike_body(const float *bounds, const float *seen, const float *known, long n, long m, long long_,
                                 float least, float rounding, long most, int64_t *columns, float *highest,
                                 int64_t *counts) {
    if (most < 1 || most > MOST_OF_ROW || long_ % LANES) return 0;
    for (long i = 0; i < n; i++) {
        const float *row = bounds + i * m, *one = seen + i * long_;
        float kept[MOST_OF_ROW], bar = surely_less(row, one, known, m, long_, least, most) - rounding;
        int64_t at[MOST_OF_ROW];
        long found = 0;
        for (long first = 0; first < m; first += BLOCK) {
            long count = m - first < BLOCK ? m - first : BLOCK;
            int any = 0;
            for (long j = 0; j < count; j++) any |= row[first + j] > bar;
            if (!any) continue;
            for (long j = first; j < first + count; j++) {
                if (!(row[j] > bar)) continue;
                float value = cosine_of(one, known + j * long_, long_);
                if (!(value > least) || (found == most && !(value > kept[most - 1]))) continue;
                long r = found < most ? found++ : most - 1;
                for (; r > 0 && kept[r - 1] < value; r--) kept[r] = kept[r - 1], at[r] = at[r - 1];
                kept[r] = value, at[r] = j;
                if (found == most && kept[most - 1] - rounding > bar) bar = kept[most - 1] - rounding;
            }
        }
        counts[i] = found;
        for (long r = 0; r < found; r++) columns[i * most + r] = at[r], highest[i * most + r] = kept[r];
    }
    return 1;
}

ON_EVERY_CPU(int, arena_most_alike,
             (const float *bounds, const float *seen, const float *known, long n, long m, long long_, float least, float
              rounding, long most, int64_t *columns, float *highest, int64_t *counts),
             (bounds, seen, known, n, m, long_, least, rounding, most, columns, highest, counts))
