/* What is seen of a card a little beside its place, as softly as faces are compared. */
#include "common.h"

/* ---- some rows and columns of a card's grid in each view: reading/finding/told_names.py, `_Beside.cut` ---- */

/* A picture (height, width, 3). */
typedef struct {
    const uint8_t *data;
    long height, width;
} Colours;

/* The picture at one of its pixels, bilinear, rounded to whole levels, as cv2.remap gives it; black outside. */
INLINE void colour_at(const Colours *picture, float x, float y, uint8_t *found) {
    found[0] = found[1] = found[2] = 0;
    if (!(x > -1.0f && y > -1.0f && x < (float)picture->width && y < (float)picture->height)) return;
    long column = (long)(x + 1.0f) - 1, row = (long)(y + 1.0f) - 1; /* rounded down, at -1 and above */
    float a = x - (float)column, b = y - (float)row;
    for (int c = 0; c < 3; c++) {
        float level[4];
        for (int i = 0; i < 4; i++) {
            long v = row + i / 2, u = column + i % 2;
            int inside = v >= 0 && v < picture->height && u >= 0 && u < picture->width;
            level[i] = inside ? (float)picture->data[3 * (v * picture->width + u) + c] : 0.0f;
        }
        float upper = level[0] + a * (level[1] - level[0]), lower = level[2] + a * (level[3] - level[2]);
        found[c] = (uint8_t)(upper + b * (lower - upper) + 0.5f);
    }
}

#if defined(__GNUC__) && !defined(__clang__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* A pixel's three channels and the next byte, which is not kept: one instruction where each by itself takes several. */
typedef float Four __attribute__((vector_size(16)));
typedef int32_t Whole __attribute__((vector_size(16)));
typedef uint8_t Bytes __attribute__((vector_size(16)));

INLINE Four levels_at(const uint8_t *at) {
    int32_t four;
    memcpy(&four, at, sizeof four);
    const Whole by = {0, 8, 16, 24}, same = {four, four, four, four};
    return __builtin_convertvector((same >> by) & 255, Four);
}

/* As colour_at of a row of pixels x, y (n), all of them off the rim: found (n, 3). */
INLINE void colours_inside(const Colours *picture, const float *x, const float *y, long n, uint8_t *found) {
    for (long i = 0; i < n; i++) {
        const int32_t column = (int32_t)x[i], row = (int32_t)y[i];
        const uint8_t *at = picture->data + 3 * ((long)row * picture->width + column), *below = at + 3 * picture->width;
        const float a = x[i] - (float)column, b = y[i] - (float)row;
        const Four left = levels_at(at), lower_left = levels_at(below);
        const Four upper = left + a * (levels_at(at + 3) - left);
        const Four lower = lower_left + a * (levels_at(below + 3) - lower_left);
        const Four mixed = upper + b * (lower - upper) + 0.5f;
        const Bytes wide = (Bytes)__builtin_convertvector(mixed, Whole), lowest = {0, 4, 8, 12};
        const Whole rounded = (Whole)__builtin_shuffle(wide, lowest);
        const int32_t four = rounded[0];
        memcpy(found + 3 * i, &four, i < n - 1 ? 4 : 3); /* the fourth is the next one's */
    }
}
#else
INLINE void colours_inside(const Colours *picture, const float *x, const float *y, long n, uint8_t *found) {
    for (long i = 0; i < n; i++) colour_at(picture, x[i], y[i], found + 3 * i);
}
#endif

/* ---- a card laid a little beside its place: reading/telling/looks.py, `_laid_beside` ---- */

/* From pixels (2, height, width) of a card's points, at least two each way, `apart` (2) mm from each other down and
 * across: these pixels, at, and how far a millimetre right and one up moves each (2, height, width each), as
 * numpy.gradient has it; and inside (height, width), whether each lies in a picture (its last column and row) in all of
 * some steps (many, 2), a pixel of the frame being `zoom` of its own. */
INLINE int arena_beside_body(const double *pixels, long height, long width, const double *apart, const float *steps,
                             long many, double zoom, double last_column, double last_row, float *at, float *right,
                             float *up, uint8_t *inside) {
    const long all = height * width;
    const float last[2] = {(float)last_column, (float)last_row}, by = (float)zoom;
    if (height < 2 || width < 2) return 0;
    memset(inside, 1, (size_t)all);
    for (int way = 0; way < 2; way++)
        for (long r = 0; r < height; r++) {
            const long above = r ? r - 1 : 0, below = r < height - 1 ? r + 1 : r, first = (way * height + r) * width;
            const double *here = pixels + first, *upper = here + (above - r) * width, *lower = here + (below - r) * width;
            const double down_mm = (double)(below - above) * apart[0], across_mm = 2.0 * apart[1];
            float *to_at = at + first, *to_right = right + first, *to_up = up + first;
            uint8_t *of_row = inside + r * width;
#pragma omp simd
            for (long c = 0; c < width; c++) to_at[c] = (float)here[c], to_up[c] = (float)((upper[c] - lower[c]) / down_mm);
#pragma omp simd
            for (long c = 1; c < width - 1; c++) to_right[c] = (float)((here[c + 1] - here[c - 1]) / across_mm);
            to_right[0] = (float)((here[1] - here[0]) / apart[1]);
            to_right[width - 1] = (float)((here[width - 1] - here[width - 2]) / apart[1]);
            for (long k = 0; k < many; k++) {
                const float over = steps[2 * k], along = steps[2 * k + 1];
#pragma omp simd
                for (long c = 0; c < width; c++) {
                    const float there = (over * to_right[c] + to_at[c] + along * to_up[c]) * by;
                    of_row[c] &= (there >= 0.0f) & (there <= last[way]);
                }
            }
        }
    return 1;
}

ON_EVERY_CPU(int, arena_beside,
             (const double *pixels, long height, long width, const double *apart, const float *steps, long many, double zoom,
              double last_column, double last_row, float *at, float *right, float *up, uint8_t *inside),
             (pixels, height, width, apart, steps, many, zoom, last_column, last_row, at, right, up, inside))

/* Numbers of a row (row, columns) of a grid that are next to each other, from the first one on. */
typedef struct {
    long row, first, count;
} Stretch;

/* The stretches in which numbers of a mask (rows, columns) are set, row by row: how many. found has room for half of
 * rows * (columns + 1). */
INLINE long stretches_of(const uint8_t *mask, long rows, long columns, Stretch *found) {
    long count = 0;
    for (long r = 0; r < rows; r++) {
        const uint8_t *row = mask + r * columns;
        for (long c = 0; c < columns; c++) {
            if (!row[c]) continue;
            const long first = c;
            while (c < columns && row[c]) c++;
            found[count++] = (Stretch){r, first, c - first};
        }
    }
    return count;
}

INLINE size_t most_stretches(long rows, long columns) { return (size_t)(rows * (columns / 2 + 1)) + 1; }

/* What a picture shows (views, rows, columns, 3) of the points in some rows and columns of a grid (height, width), where
 * they are asked for (rows, columns); elsewhere nothing is written. at, right and up (2, height, width): the pixels of its
 * points, and how far a millimetre rightwards and upwards moves them; steps (views, 2): by how many it is laid so. */
INLINE int arena_views_body(const uint8_t *picture, long picture_height, long picture_width, double scale,
                            const float *at, const float *right, const float *up, long height, long width,
                            const int64_t *rows, long row_count, const int64_t *columns, long column_count,
                            const uint8_t *asked, const float *steps, long views, uint8_t *shown) {
    Colours colours = {picture, picture_height, picture_width};
    long all = height * width, n = column_count;
    float *floats = malloc(sizeof(float) * 8 * (size_t)(n ? n : 1)), zoom = (float)scale;
    Stretch *stretches = malloc(sizeof(Stretch) * most_stretches(row_count, n));
    int fine = floats != NULL && stretches != NULL;
    long many = fine ? stretches_of(asked, row_count, n, stretches) : 0;
    float *of[6], *x = floats + 6 * n, *y = x + n;
    float last_x = (float)(picture_width - 2), last_y = (float)(picture_height - 1);
    for (int k = 0; k < 6; k++) of[k] = floats + k * n;
    for (long s = 0; s < many; s++) {
        const long r = stretches[s].row, first = stretches[s].first, count = stretches[s].count;
        for (long c = 0; c < count; c++) {
            long point = (long)rows[r] * width + (long)columns[first + c];
            of[0][c] = at[point], of[1][c] = at[all + point];
            of[2][c] = right[point], of[3][c] = right[all + point];
            of[4][c] = up[point], of[5][c] = up[all + point];
        }
        for (long v = 0; v < views; v++) {
            float over = steps[2 * v], along = steps[2 * v + 1];
            uint8_t *found = shown + 3 * ((v * row_count + r) * n + first);
            int outside = 0;
#pragma omp simd reduction(| : outside)
            for (long c = 0; c < count; c++) {
                x[c] = (over * of[2][c] + of[0][c] + along * of[4][c]) * zoom;
                y[c] = (over * of[3][c] + of[1][c] + along * of[5][c]) * zoom;
                outside |= !(x[c] >= 0.0f) | !(y[c] >= 0.0f) | !(x[c] < last_x) | !(y[c] < last_y);
            }
            if (!outside) colours_inside(&colours, x, y, count, found);
            for (long c = 0; outside && c < count; c++) colour_at(&colours, x[c], y[c], found + 3 * c);
        }
    }
    free(floats);
    free(stretches);
    return fine;
}

ON_EVERY_CPU(int, arena_views,
             (const uint8_t *picture, long picture_height, long picture_width, double scale, const float *at,
              const float *right, const float *up, long height, long width, const int64_t *rows, long row_count,
              const int64_t *columns, long column_count, const uint8_t *asked, const float *steps, long views,
              uint8_t *shown),
             (picture, picture_height, picture_width, scale, at, right, up, height, width, rows, row_count, columns,
              column_count, asked, steps, views, shown))

/* ---- pictures seen softly at some points: faces/softness.py, `_Softness.at` ---- */

#define TAPS 3 /* of a Gaussian, each way, that are added while a sum is at hand */

/* The sums of a Gaussian's weights (2 reach + 1) with numbers (n) and those that lie `apart` from each other on either
 * side: to (n). */
INLINE void mixed(const float *middle, long apart, const float *weights, long reach, long n, float *to) {
    long k = 1;
    for (long i = 0; i < n; i++) to[i] = weights[reach] * middle[i];
    for (; k + TAPS - 1 <= reach; k += TAPS) {
        const float *before = middle - k * apart, *after = middle + k * apart, *of = weights + reach - k;
        const float first = of[0], second = of[-1], third = of[-2];
#pragma omp simd
        for (long i = 0; i < n; i++) {
            float sum = to[i] + first * (before[i] + after[i]);
            sum += second * (before[i - apart] + after[i + apart]);
            to[i] = sum + third * (before[i - 2 * apart] + after[i + 2 * apart]);
        }
    }
    for (; k <= reach; k++) {
        const float *before = middle - k * apart, *after = middle + k * apart, weight = weights[reach - k];
#pragma omp simd
        for (long i = 0; i < n; i++) to[i] += weight * (before[i] + after[i]);
    }
}

/* Where a picture (rows, columns) is asked for, so that it is known softly at some points: at these, the numbers `soft` in
 * a row, once; where it is mixed along rows, `once`; and `sharp`, where it is looked at. Each has so many stretches. */
typedef struct {
    Stretch *soft, *once, *sharp;
    long softs, onces, sharps;
} Softening;

/* The stretches for a Gaussian that reaches so far, at points (n) with these numbers, in order. marked has room for
 * (rows, columns), and each of the stretches for most_stretches. */
INLINE void softening_of(const int64_t *points, long n, long rows, long columns, long reach, uint8_t *marked,
                         Softening *found) {
    const size_t area = (size_t)(rows * columns);
    memset(marked, 0, area);
    for (long k = 0; k < n; k++) marked[points[k]] = 1;
    found->softs = stretches_of(marked, rows, columns, found->soft);
    for (long k = 0; k < n; k++)
        for (long off = -reach; off <= reach; off++) marked[points[k] + off * columns] = 1;
    found->onces = stretches_of(marked, rows, columns, found->once);
    for (long k = 0; k < found->onces; k++) {
        const Stretch *of = found->once + k;
        memset(marked + of->row * columns + of->first - reach, 1, (size_t)(of->count + 2 * reach));
    }
    found->sharps = stretches_of(marked, rows, columns, found->sharp);
}

/* A picture (rows, columns), so many channels a point, mixed by a Gaussian's weights (size), as `of` says where: once along
 * rows, and then along columns, soft. */
INLINE void softened(const float *sharp, long columns, long channels, const float *weights, long size,
                     const Softening *of, float *once, float *soft) {
    const long reach = size / 2, stride = columns * channels;
    for (long k = 0; k < of->onces; k++) {
        const long first = of->once[k].row * stride + of->once[k].first * channels;
        mixed(sharp + first, channels, weights, reach, of->once[k].count * channels, once + first);
    }
    for (long k = 0; k < of->softs; k++) {
        const long first = of->soft[k].row * stride + of->soft[k].first * channels;
        mixed(once + first, stride, weights, reach, of->soft[k].count * channels, soft + first);
    }
}

/* What views (views, rows, columns, 3) show where `shown` (rows, columns) is 1, seen softly at points (n) with these
 * numbers, in order, all of which lie at least as far off the rim as a Gaussian reaches. weights (size) is the Gaussian,
 * share (n) what is mixed in a point of is to be multiplied by; light_weights (light_size, less than size) and light_share
 * (n) those of the light by itself, of which each channel sends luma (3); none if light_size is 0. It is written to found
 * (views, 3, n). */
INLINE int arena_softly_body(const uint8_t *views, long count, long rows, long columns, const uint8_t *shown,
                             const int64_t *points, long n, const float *weights, long size, const float *share,
                             const float *light_weights, long light_size, const float *light_share, const float *luma,
                             double *found) {
    const long area = rows * columns, reach = size / 2;
    const size_t most = most_stretches(rows, columns);
    float *work = malloc(sizeof(float) * (size_t)(14 * area + 1));
    Stretch *stretches = malloc(sizeof(Stretch) * 3 * most);
    uint8_t *marked = malloc((size_t)(area + 1));
    const int fine = work && stretches && marked && light_size <= size;
    Softening of = {stretches, stretches + most, stretches + 2 * most, 0, 0, 0};
    float *sharp = work, *once = sharp + 3 * area, *soft = once + 3 * area, *bright = soft + 3 * area;
    float *light = bright + area, *seen = light + area; /* (area, 3) */
    if (fine) softening_of(points, n, rows, columns, reach, marked, &of);
    for (long i = 0; fine && i < 3 * area; i++) seen[i] = shown[i / 3] ? 1.0f : 0.0f;
    for (long v = 0; fine && v < count; v++) {
        const uint8_t *view = views + 3 * area * v;
        for (long s = 0; s < of.sharps; s++) {
            const long first = of.sharp[s].row * columns + of.sharp[s].first, last = first + of.sharp[s].count;
#pragma omp simd
            for (long i = 3 * first; i < 3 * last; i++) sharp[i] = seen[i] * (float)view[i];
            for (long i = first; light_size && i < last; i++)
                bright[i] = luma[0] * sharp[3 * i] + luma[1] * sharp[3 * i + 1] + luma[2] * sharp[3 * i + 2];
        }
        softened(sharp, columns, 3, weights, size, &of, once, soft);
        if (light_size) softened(bright, columns, 1, light_weights, light_size, &of, once, light);
        for (long k = 0; k < n; k++) {
            const long at = (long)points[k];
            float of_point[3], lift = 0.0f;
            for (int c = 0; c < 3; c++) of_point[c] = soft[3 * at + c] * share[k];
            if (light_size)
                lift = light[at] * light_share[k] -
                       (luma[0] * of_point[0] + luma[1] * of_point[1] + luma[2] * of_point[2]);
            for (int c = 0; c < 3; c++) found[(3 * v + c) * n + k] = (double)(of_point[c] + lift);
        }
    }
    free(work);
    free(stretches);
    free(marked);
    return fine;
}

ON_EVERY_CPU(int, arena_softly,
             (const uint8_t *views, long count, long rows, long columns, const uint8_t *shown, const int64_t *points, long n,
              const float *weights, long size, const float *share, const float *light_weights, long light_size,
              const float *light_share, const float *luma, double *found),
             (views, count, rows, columns, shown, points, n, weights, size, share, light_weights, light_size, light_share,
              luma, found))

/* ---- faces seen softly where a part of the card is hidden: faces/softness.py, `SoftView.as_open` ---- */

/* The sums of a Gaussian's weights (size) with numbers (n) and those that follow each, `apart` from each other, from the
 * first to the last: to (n). So OpenCV adds along rows. */
INLINE void mixed_in_turn(const float *first, long apart, const float *weights, long size, long n, float *to) {
    for (long i = 0; i < n; i++) to[i] = weights[0] * first[i];
    for (long k = 1; k < size; k++) {
        const float *from = first + k * apart, weight = weights[k];
#pragma omp simd
        for (long i = 0; i < n; i++) to[i] += weight * from[i];
    }
}

/* Faces (count; the places of their first numbers, `apart` numbers from row to row and from column to column, the three
 * channels one after the other), where `shown` (height, width) is 1, as softly as weights (size) make them, times share
 * (height, width): written to soft (count, height, width, 3) at the points (n) with these numbers, in order, and nowhere
 * else. Beyond the rim what is seen is mirrored at the outermost point. 1 if all went well. */
INLINE int arena_soft_faces_body(const int64_t *faces, const int64_t *apart, long count, long height, long width,
                                 const uint8_t *shown, const int64_t *points, long n, const float *weights, long size,
                                 const float *share, float *soft) {
    const long reach = size / 2, rows = height + 2 * reach, columns = width + 2 * reach, area = rows * columns;
    const size_t most = most_stretches(rows, columns);
    float *sharp = malloc(sizeof(float) * 9 * (size_t)area), *once = sharp + 3 * area, *mean = once + 3 * area;
    Stretch *stretches = malloc(sizeof(Stretch) * 3 * most);
    int64_t *inner = malloc(sizeof(int64_t) * (size_t)(n + 1));
    uint8_t *marked = malloc((size_t)area);
    const int fine = sharp && stretches && inner && marked && height > reach && width > reach;
    Softening of = {stretches, stretches + most, stretches + 2 * most, 0, 0, 0};
    for (long k = 0; fine && k < n; k++) inner[k] = (points[k] / width + reach) * columns + points[k] % width + reach;
    if (fine) softening_of(inner, n, rows, columns, reach, marked, &of);
    for (long f = 0; fine && f < count; f++) {
        const float *face = (const float *)(intptr_t)faces[f];
        for (long s = 0; s < of.sharps; s++) {
            long row = of.sharp[s].row - reach;
            row = row < 0 ? -row : row < height ? row : 2 * (height - 1) - row;
            for (long c = of.sharp[s].first; c < of.sharp[s].first + of.sharp[s].count; c++) {
                long column = c - reach;
                column = column < 0 ? -column : column < width ? column : 2 * (width - 1) - column;
                const float *from = face + apart[2 * f] * row + apart[2 * f + 1] * column;
                float *to = sharp + 3 * (of.sharp[s].row * columns + c);
                const float seen = shown[row * width + column] ? 1.0f : 0.0f;
                for (int k = 0; k < 3; k++) to[k] = from[k] * seen;
            }
        }
        for (long k = 0; k < of.onces; k++) {
            const long at = 3 * (of.once[k].row * columns + of.once[k].first);
            mixed_in_turn(sharp + at - 3 * reach, 3, weights, size, 3 * of.once[k].count, once + at);
        }
        for (long k = 0; k < of.softs; k++) {
            const long at = 3 * (of.soft[k].row * columns + of.soft[k].first);
            mixed(once + at, 3 * columns, weights, reach, 3 * of.soft[k].count, mean + at);
        }
        for (long k = 0; k < n; k++)
            for (int c = 0; c < 3; c++)
                soft[3 * (f * height * width + points[k]) + c] = mean[3 * inner[k] + c] * share[points[k]];
    }
    free(sharp);
    free(stretches);
    free(inner);
    free(marked);
    return fine;
}

ON_EVERY_CPU(int, arena_soft_faces,
             (const int64_t *faces, const int64_t *apart, long count, long height, long width, const uint8_t *shown,
              const int64_t *points, long n, const float *weights, long size, const float *share, float *soft),
             (faces, apart, count, height, width, shown, points, n, weights, size, share, soft))
