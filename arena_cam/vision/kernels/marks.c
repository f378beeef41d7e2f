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
 * cv2.connectedComponentsWithStats gives them; and the sums (count, 2) of its columns and its rows, whole numbers. Of
 * what has the number 0 nothing. */
INLINE int arena_boxes_body(const int32_t *labels, long height, long width, long count, int32_t *found, double *sums) {
    memset(found, 0, sizeof(int32_t) * 5 * (size_t)count);
    memset(sums, 0, sizeof(double) * 2 * (size_t)count);
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
            const int32_t wide = (int32_t)c - first;
            box[4] += wide;
            sums[2 * piece] += 0.5 * (double)wide * (double)(first + c - 1);
            sums[2 * piece + 1] += (double)wide * (double)r;
        }
    for (long n = 1; n < count; n++) found[5 * n + 2] -= found[5 * n], found[5 * n + 3] -= found[5 * n + 1];
    return 1;
}

ON_EVERY_CPU(int, arena_boxes,
             (const int32_t *labels, long height, long width, long count, int32_t *found, double *sums),
             (labels, height, width, count, found, sums))

/* For each of count pieces (number, first column and row, width and height, in boxes) of labels (height, width) five
 * numbers: its mean contrast, which share of the pixels just around it is paper, its mean colour. Rules: from
 * beyond how many pixels to how many they are just around it, the darkness below which they are paper, and the contrast
 * without which they are not looked at. */
INLINE int arena_marks_body(const int32_t *labels, long height, long width, const int32_t *boxes, long count,
                            const float *darkness, const uint8_t *contrast, const uint8_t *colour, const double *rules,
                            double *found) {
    const int near = (int)rules[0], far = (int)rules[1];
    const float paper = (float)rules[2];
    uint8_t *distance = malloc((size_t)(2 * far + 3) * (size_t)(width + 1));
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
        uint8_t *from_far = distance + (2 * far + 1) * n, *from_near = from_far + n;
        for (long row = y - 2 * far; row < bottom + 2 * far; row++) {
            long slot = (row + 4 * far + 2) % (2 * far + 1), r = row - far;
            const int32_t *seen = row >= y && row < bottom ? labels + row * width + left : NULL;
            arena_row_distances(seen, n, piece, far, distance + slot * n);
            if (r < 0 || r >= height || r < y - far || r >= bottom + far) continue;
            memset(from_far, far + 1, (size_t)(2 * n));
            for (int d = -far; d <= far; d++) {
                const uint8_t *off = distance + ((r + d + 4 * far + 2) % (2 * far + 1)) * n;
                for (long c = 0; c < n; c++) from_far[c] = off[c] < from_far[c] ? off[c] : from_far[c];
                if (d < -near || d > near) continue;
                for (long c = 0; c < n; c++) from_near[c] = off[c] < from_near[c] ? off[c] : from_near[c];
            }
            const float *dark = darkness + r * width + left;
            long around = 0, lit = 0;
            for (long c = 0; c < n; c++) {
                const int beside = (from_far[c] <= far) & (from_near[c] > near);
                around += beside, lit += beside & (dark[c] < paper);
            }
            ring += (double)around, light += (double)lit;
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

/* ---- the classifier of indices: indices/classifier.py, `PicturePart.of` ---- */

#define MOST_CHANNELS 16

/* Nine numbers of a picture of this width under weights, channel d of `channels`. */
INLINE float arena_window(const float *x, long width, const float *weights, long channels) {
    float sum = 0.0f;
    for (int k = 0; k < 9; k++) sum += x[(k / 3) * width + k % 3] * weights[k * channels];
    return sum;
}

/* What two convolutions, three by three, with rectifiers and a pooling of two by two between them, see in pictures of
 * one channel (count, height, width), one every `stride` numbers: (count, rows, columns, second). Weights (9, first) and
 * (9 first, second), channels before places. */
INLINE int arena_convolved_body(const float *pictures, long count, long stride, long height, long width,
                                const float *weights, const float *bias, long first, const float *weights2,
                                const float *bias2, long second, float *found) {
    const long rows = (height - 2) / 2, columns = (width - 2) / 2;
    if (first > MOST_CHANNELS || second > MOST_CHANNELS || rows < 3 || columns < 3) return 0;
    float *pooled = malloc(sizeof(float) * (size_t)(first * rows * columns + 2 * width));
    if (!pooled) return 0;
    float *line = pooled + first * rows * columns;
    for (long n = 0; n < count; n++, pictures += stride) {
        for (long d = 0; d < first; d++)
            for (long y = 0; y < rows; y++) {
                const float *x = pictures + 2 * y * width;
                for (int h = 0; h < 2; h++)
                    for (long c = 0; c < 2 * columns; c++)
                        line[h * width + c] = arena_window(x + h * width + c, width, weights + d, first) + bias[d];
                float *out = pooled + (d * rows + y) * columns;
                for (long c = 0; c < columns; c++) {
                    const float above = fmaxf(line[2 * c], line[2 * c + 1]);
                    out[c] = fmaxf(fmaxf(above, fmaxf(line[width + 2 * c], line[width + 2 * c + 1])), 0.0f);
                }
            }
        for (long y = 0; y < rows - 2; y++)
            for (long x = 0; x < columns - 2; x++, found += second) {
                float sums[MOST_CHANNELS] = {0};
                for (long d = 0; d < first; d++)
                    for (int k = 0; k < 9; k++) {
                        const float here = pooled[(d * rows + y + k / 3) * columns + x + k % 3];
                        const float *of = weights2 + (9 * d + k) * second;
                        for (long e = 0; e < second; e++) sums[e] += here * of[e];
                    }
                for (long e = 0; e < second; e++) found[e] = fmaxf(sums[e] + bias2[e], 0.0f);
            }
    }
    free(pooled);
    return 1;
}

ON_EVERY_CPU(int, arena_convolved,
             (const float *pictures, long count, long stride, long height, long width, const float *weights,
              const float *bias, long first, const float *weights2, const float *bias2, long second, float *found),
             (pictures, count, stride, height, width, weights, bias, first, weights2, bias2, second, found))

/* ---- plates beneath indices: indices/ink.py, `with_tints_bleached` ---- */

/* The light of count pixels of three channels with that of plates divided out where they are pale, and no more than
 * paper has. Rules: the share of paper's light that each channel of a pale plate has more of, and that of paper itself
 * which is left of a plate. */
INLINE int arena_bleached_body(const uint8_t *seen, const uint8_t *plate, const uint8_t *level, long count,
                               const float *rules, uint8_t *found) {
    const float least = rules[0], as_paper = rules[1];
    for (long n = 0; n < 3 * count; n += 3) {
        float share[3];
        int pale = 1;
        for (int c = 0; c < 3; c++) {
            share[c] = (float)plate[n + c] / (float)level[n + c];
            pale &= share[c] > least;
        }
        for (int c = 0; c < 3; c++) {
            const float of = as_paper * (pale && share[c] < 1.0f ? share[c] : 1.0f);
            const float light = (float)seen[n + c] / of, most = (float)level[n + c];
            found[n + c] = (uint8_t)(light < most ? light : most);
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_bleached, (const uint8_t *seen, const uint8_t *plate, const uint8_t *level, long count,
                                   const float *rules, uint8_t *found),
             (seen, plate, level, count, rules, found))
