/* Marks of ink, from which indices are read. */
#include "common.h"

/* ---- marks of ink: indices/ink.py, `measure` ---- */

/* How far each of n pixels of a row is from the nearest of the piece, at most `far` + 1. */
INLINE void arena_row_distances(const int32_t *row, long n, int32_t piece, int far, uint8_t *distance) {
    int d = far + 1;
    for (long i = 0; i < n; i++) {
        d = row && row[i] == piece ? 0 : d <= far ? d + 1 : far + 1;
        distance[i] = (uint8_t)d;
    }
    d = far + 1;
    for (long i = n - 1; i >= 0; i--) {
        d = distance[i] == 0 ? 0 : d <= far ? d + 1 : far + 1;
        if (d < distance[i]) distance[i] = (uint8_t)d;
    }
}

/* Of each of count pieces of labels (height, width) five numbers: its first column and row, width, height and area, as
 * cv2.connectedComponentsWithStats gives them; of what has the number 0 nothing. */
INLINE int arena_boxes_body(const int32_t *labels, long height, long width, long count, int32_t *found) {
    memset(found, 0, sizeof(int32_t) * 5 * (size_t)count);
    for (long r = 0; r < height; r++, labels += width)
        for (long c = 0; c < width;) {
            const int32_t piece = labels[c];
            if (piece == 0) {
                c++;
                continue;
            }
            const int32_t first = (int32_t)c;
            while (c < width && labels[c] == piece) c++;
            int32_t *box = found + 5 * piece;
            if (box[4] == 0) box[0] = first, box[1] = (int32_t)r, box[2] = (int32_t)c;
            if (first < box[0]) box[0] = first;
            if ((int32_t)c > box[2]) box[2] = (int32_t)c;
            box[3] = (int32_t)r + 1;
            box[4] += (int32_t)c - first;
        }
    for (long n = 1; n < count; n++) found[5 * n + 2] -= found[5 * n], found[5 * n + 3] -= found[5 * n + 1];
    return 1;
}

ON_EVERY_CPU(int, arena_boxes, (const int32_t *labels, long height, long width, long count, int32_t *found),
             (labels, height, width, count, found))

/* For each of count pieces (number, first column and row, width and height, in boxes) of labels (height, width) five
 * numbers: its mean contrast, which share of the pixels just around it is paper, its mean colour. Rules: from
 * beyond how many pixels to how many they are just around it, the darkness below which they are paper, and the contrast
 * without which they are not looked at. */
INLINE int arena_marks_body(const int32_t *labels, long height, long width, const int32_t *boxes, long count,
                            const float *darkness, const uint8_t *contrast, const uint8_t *colour, const double *rules,
                            double *found) {
    const int near = (int)rules[0], far = (int)rules[1];
    const float paper = (float)rules[2];
    uint8_t *distance = malloc((size_t)(2 * far + 1) * (size_t)(width + 1));
    if (!distance) return 0;
    for (long m = 0; m < count; m++, boxes += 5, found += 5) {
        const int32_t piece = boxes[0];
        const long x = boxes[1], y = boxes[2], right = x + boxes[3], bottom = y + boxes[4];
        double inside = 0, sums[4] = {0, 0, 0, 0}, ring = 0, light = 0;
        for (long r = y; r < bottom; r++)
            for (long c = x; c < right; c++) {
                long at = r * width + c;
                if (labels[at] != piece) continue;
                inside++, sums[0] += contrast[at];
                for (int k = 0; k < 3; k++) sums[k + 1] += colour[3 * at + k];
            }
        found[0] = sums[0] / inside, found[1] = 0.0;
        for (int k = 1; k < 4; k++) found[k + 1] = sums[k] / inside;
        if (found[0] < rules[3]) continue;
        const long left = x > far ? x - far : 0, end = right + far < width ? right + far : width, n = end - left;
        /* The distances along the rows from r - far to r + far, row by row in turn, are kept while r goes down. */
        for (long row = y - 2 * far; row < bottom + 2 * far; row++) {
            long slot = (row + 4 * far + 2) % (2 * far + 1), r = row - far;
            const int32_t *seen = row >= y && row < bottom ? labels + row * width + left : NULL;
            arena_row_distances(seen, n, piece, far, distance + slot * n);
            if (r < 0 || r >= height || r < y - far || r >= bottom + far) continue;
            for (long c = 0; c < n; c++) {
                int is_near = 0, is_far = 0;
                for (int d = -far; d <= far; d++) {
                    uint8_t off = distance[((r + d + 4 * far + 2) % (2 * far + 1)) * n + c];
                    is_far |= off <= far;
                    is_near |= d >= -near && d <= near && off <= near;
                }
                if (!is_far || is_near) continue;
                ring++, light += darkness[r * width + left + c] < paper;
            }
        }
        found[1] = ring > 0 ? light / ring : 0.0;
    }
    free(distance);
    return 1;
}

ON_EVERY_CPU(int, arena_marks,
             (const int32_t *labels, long height, long width, const int32_t *boxes, long count, const float *darkness,
              const uint8_t *contrast, const uint8_t *colour, const double *rules, double *found),
             (labels, height, width, boxes, count, darkness, contrast, colour, rules, found))
