/* The nearest binary descriptors. */
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
