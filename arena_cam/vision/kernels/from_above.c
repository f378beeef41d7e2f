/* A picture from above: where a card lies on it, which pixels have a token's colour, its slopes. */
#include "above.h"

/* ---- a card laid on its picture from above: tokens/cards/face_alignment.py, `aligned` ---- */

/* From row `numbers`: begin x, y, px/mm of the view; begin x, y of the map; rows, columns, px/mm, wide, high. */
INLINE FromAbove from_above(const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map,
                            long map_height, long map_width, const uint8_t *mask, const double *numbers) {
    FromAbove view = {colours, inside, height, width, {numbers[0], numbers[1]}, numbers[2], map, map_height, map_width,
                      {numbers[3], numbers[4]}, mask, (long)numbers[5], (long)numbers[6], numbers[7], numbers[8],
                      numbers[9]};
    return view;
}

/* Where a column, or a row, of the card's pixels lies in mm from its middle as the map is asked: a pixel of 1 px/mm, the
 * nearest one, as cv2.warpAffine and cv2.resize do. */
INLINE double map_mm(long at, long count, double size_mm) {
    return floor((double)at * (rint(size_mm) / (double)count)) + 0.5 - size_mm / 2;
}

/* Whether n pixels of the card at `motion` (2, 3), no more than a BLOCK, lie beyond the view or are hidden: where (n) it is
 * asked for each of them in the view, at u, v, and in the map, at x, y mm on the card. `mask` (n), if there is one, hides
 * instead. Positions are told four at once; whole numbers of 32 bits that are too small for one lie beyond, too. */
INLINE void shown_block(const FromAbove *view, const double *motion, const double *u, const double *v, const double *x,
                        const double *y, const uint8_t *mask, long n, uint8_t *shown) {
    int32_t column[BLOCK], row[BLOCK], over[BLOCK], down[BLOCK];
    const double *m = motion, begin_x = view->map_begin[0], begin_y = view->map_begin[1];
    const uint8_t *inside = view->inside, *map = mask ? NULL : view->map;
#pragma omp simd
    for (long i = 0; i < n; i++) column[i] = (int32_t)floor(u[i] + 0.5), row[i] = (int32_t)floor(v[i] + 0.5);
    for (long i = 0; i < n; i++) {
        int within = column[i] >= 0 && row[i] >= 0 && column[i] < view->width && row[i] < view->height;
        shown[i] = (uint8_t)(within && inside[row[i] * view->width + column[i]]);
    }
    for (long i = 0; mask && i < n; i++) shown[i] &= mask[i] == 0;
    if (!map) return;
#pragma omp simd
    for (long i = 0; i < n; i++) {
        over[i] = (int32_t)floor(m[0] * x[i] + m[1] * y[i] + m[2] - begin_x - 0.5 + 0.5);
        down[i] = (int32_t)floor(m[3] * x[i] + m[4] * y[i] + m[5] - begin_y - 0.5 + 0.5);
    }
    for (long i = 0; i < n; i++) {
        int within = over[i] >= 0 && down[i] >= 0 && over[i] < view->map_width && down[i] < view->map_height;
        shown[i] &= (uint8_t)!(within && map[down[i] * view->map_width + over[i]]);
    }
}

/* Where the view shows the pixels of the card at `motion`: (2, 3) from column and row of the card to those of the view. */
INLINE void to_view(const FromAbove *view, const double *motion, double *affine) {
    double step = 1.0 / view->grid_px_per_mm, x = 0.5 * step - view->wide / 2, y = 0.5 * step - view->high / 2;
    for (int k = 0; k < 2; k++) {
        const double *m = motion + 3 * k;
        affine[3 * k] = m[0] * step * view->px_per_mm, affine[3 * k + 1] = m[1] * step * view->px_per_mm;
        affine[3 * k + 2] = (m[0] * x + m[1] * y + m[2] - view->begin[k]) * view->px_per_mm - 0.5;
    }
}

/* Some pixels of a card: their columns and rows, where the map is asked about them in mm (n each), and those of its mask
 * that hide them, if it has one (n). */
typedef struct {
    double *column, *row, *x, *y;
    uint8_t *hidden;
    long n;
} SomePixels;

/* The card's pixels `which` (n) as the view shows them: grey, and 1 where they are seen, 0 where not. */
INLINE void sample_card(const FromAbove *view, const double *motion, const SomePixels *some, const double *luma,
                        double *seen, double *there) {
    double affine[6];
    to_view(view, motion, affine);
    const float blue = (float)luma[0], green = (float)luma[1], red = (float)luma[2];
    for (long first = 0; first < some->n; first += BLOCK) {
        long n = some->n - first < BLOCK ? some->n - first : BLOCK;
        const double *column = some->column + first, *row = some->row + first;
        double u[BLOCK], v[BLOCK];
        float colours[3 * BLOCK];
        uint8_t shown[BLOCK];
#pragma omp simd
        for (long i = 0; i < n; i++) {
            u[i] = affine[0] * column[i] + affine[1] * row[i] + affine[2];
            v[i] = affine[3] * column[i] + affine[4] * row[i] + affine[5];
        }
        shown_block(view, motion, u, v, some->x + first, some->y + first, view->mask ? some->hidden + first : NULL, n, shown);
        colours_at(view, u, v, n, colours);
        for (long i = 0; i < n; i++) {
            const float *colour = colours + 3 * i;
            there[first + i] = shown[i] ? 1.0 : 0.0;
            seen[first + i] = (double)(colour[0] * blue + colour[1] * green + colour[2] * red);
        }
    }
}

/* A card's picture at `motion` (2, 3), `patch` (rows, columns, 3), and which of its pixels are `open` (rows, columns): of
 * the card's own, `on_card` (rows, columns), in the photograph, and not hidden. */
INLINE int arena_card_patch_body(const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map,
                                 long map_height, long map_width, const uint8_t *mask, const double *numbers,
                                 const uint8_t *on_card, const double *motion, float *patch, uint8_t *open) {
    FromAbove view = from_above(colours, inside, height, width, map, map_height, map_width, mask, numbers);
    double affine[6], x[BLOCK], y[BLOCK], u[BLOCK], v[BLOCK];
    uint8_t shown[BLOCK];
    to_view(&view, motion, affine);
    for (long first = 0; first < view.columns; first += BLOCK) {
        long n = view.columns - first < BLOCK ? view.columns - first : BLOCK;
        for (long k = 0; k < n; k++) x[k] = map_mm(first + k, view.columns, view.wide);
        for (long row = 0; row < view.rows; row++) {
            const double at_row = (double)row, row_mm = map_mm(row, view.rows, view.high);
            const long begin = row * view.columns + first;
#pragma omp simd
            for (long k = 0; k < n; k++) {
                u[k] = affine[0] * (double)(first + k) + affine[1] * at_row + affine[2];
                v[k] = affine[3] * (double)(first + k) + affine[4] * at_row + affine[5];
                y[k] = row_mm;
            }
            shown_block(&view, motion, u, v, x, y, mask ? mask + begin : NULL, n, shown);
            colours_at(&view, u, v, n, patch + 3 * begin);
            for (long k = 0; k < n; k++) open[begin + k] = (uint8_t)(on_card[begin + k] && shown[k]);
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_card_patch,
             (const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map, long map_height,
              long map_width, const uint8_t *mask, const double *numbers, const uint8_t *on_card, const double *motion,
              float *patch, uint8_t *open),
             (colours, inside, height, width, map, map_height, map_width, mask, numbers, on_card, motion, patch, open))

/* Gain and offset by which most of the print `grey` (n) is `seen` (n) where it is there (n). rules: the usual gain, how
 * much it weighs, its limits, what the median of what is left is multiplied by for its scale, the scale's least. */
INLINE void grey_light(const double *grey, const double *seen, const double *there, long n, const double *rules,
                       double *weight, double *size, double *gain_, double *offset_) {
    double gain = 0.0, offset = 0.0;
    memcpy(weight, there, sizeof(double) * (size_t)n);
    for (int round = 0; round < 4; round++) {
        double sum = 0.0, g = 0.0, s = 0.0, spread = 0.0, cross = 0.0;
#pragma omp simd reduction(+ : sum, g, s)
        for (long i = 0; i < n; i++) sum += weight[i], g += weight[i] * grey[i], s += weight[i] * seen[i];
        sum = greater_of(sum, 1e-6), g /= sum, s /= sum;
#pragma omp simd reduction(+ : spread, cross)
        for (long i = 0; i < n; i++) {
            double away = grey[i] - g;
            spread += weight[i] * away * away, cross += weight[i] * away * (seen[i] - s);
        }
        gain = lesser_of(greater_of((cross + rules[0] * rules[1]) / (spread + rules[1]), rules[2]), rules[3]);
        offset = s - gain * g;
        if (round == 3) break;
#pragma omp simd
        for (long i = 0; i < n; i++) size[i] = fabs(seen[i] - gain * grey[i] - offset);
        double scale = greater_of(rules[4] * kth_of_many(size, n, n / 2, NULL), rules[5]);
#pragma omp simd
        for (long i = 0; i < n; i++) {
            double u = (seen[i] - gain * grey[i] - offset) / scale;
            u = 1.0 + u * u;
            weight[i] = there[i] / (u * u);
        }
    }
    *gain_ = gain, *offset_ = offset;
}

/* Motion (freedom), log gain and offset: least squares of what is left over `jacobian` (freedom, n), with weights that
 * leave out strangers farther off than `width`. 1 if all went well. */
INLINE int card_step(const double *jacobian, const double *grey, const double *residual, const double *there, long n,
                     int freedom, double gain, double width, const double *pull, double *solved) {
    int k = freedom + 2;
    double columns[8 * BLOCK], weighted[8 * BLOCK];
    for (int i = 0; i < k; i++) solved[i] = 0.0;
    for (int round = 0; round < 2; round++) {
        double normal[64] = {0}, right[8] = {0};
        for (long first = 0; first < n; first += BLOCK) {
            long count = n - first < BLOCK ? n - first : BLOCK;
            double w[BLOCK], off[BLOCK];
            for (int i = 0; i < freedom; i++)
                for (long p = 0; p < count; p++) columns[i * BLOCK + p] = gain * jacobian[i * n + first + p];
            for (long p = 0; p < count; p++) {
                columns[freedom * BLOCK + p] = grey[first + p], columns[(freedom + 1) * BLOCK + p] = 1.0;
                off[p] = residual[first + p];
            }
            for (int i = 0; i < k; i++)
                for (long p = 0; p < count; p++) off[p] -= solved[i] * columns[i * BLOCK + p];
            for (long p = 0; p < count; p++) {
                double u = 1.0 + off[p] / width * (off[p] / width);
                w[p] = there[first + p] / (u * u);
            }
            for (int i = 0; i < k; i++) {
                double sum = 0.0;
#pragma omp simd reduction(+ : sum)
                for (long p = 0; p < count; p++) {
                    weighted[i * BLOCK + p] = w[p] * columns[i * BLOCK + p];
                    sum += weighted[i * BLOCK + p] * residual[first + p];
                }
                right[i] += sum;
            }
            add_gram(normal, columns, weighted, k, BLOCK, count);
        }
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < i; j++) normal[i * k + j] = normal[j * k + i];
            normal[i * k + i] += pull[i] + 1e-6;
        }
        if (!solve(normal, right, k, 1)) return 0;
        memcpy(solved, right, sizeof(double) * (size_t)k);
    }
    return 1;
}

/* `motion` (2, 3) after a small motion `change` (freedom) of the card in its own frame, as the picture asks for. */
INLINE void composed(double *motion, const double *change, int freedom) {
    double turn = change[2], a = 1.0, b = -turn, c = turn, d = 1.0;
    if (freedom == 6) a += change[3] + change[4], b += change[5], c += change[5], d += change[3] - change[4];
    else { /* the nearest turn */
        double size = sqrt(1.0 + turn * turn);
        a /= size, b /= size, c /= size, d /= size;
    }
    double by = 1.0 / (a * d - b * c), p = d * by, q = -b * by, r = -c * by, s = a * by;
    double x = -(p * change[0] + q * change[1]), y = -(r * change[0] + s * change[1]);
    for (int k = 0; k < 2; k++) {
        double *m = motion + 3 * k, first = m[0], second = m[1];
        m[2] += first * x + second * y;
        m[0] = first * p + second * r, m[1] = first * q + second * s;
    }
}

/* Lays a card on its picture: `motion` (2, 3) is improved in place. Of the pixels `which` (n) of the card: `grey` (n),
 * `jacobian` (freedom, n); `pull` (freedom + 2). `plan`: freedom, steps, wide steps at first, grey levels beyond which a
 * pixel is a stranger, how much more in wide steps, the least motion to go on; `luma` (3) of the colours; `rules` (6) of
 * the light. 1 if all went well. */
INLINE int arena_lay_card_body(const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map,
                               long map_height, long map_width, const uint8_t *mask, const double *numbers, long n,
                               const int64_t *which, const double *grey, const double *jacobian, const double *pull,
                               const double *plan, const double *luma, const double *rules, double *motion) {
    FromAbove view = from_above(colours, inside, height, width, map, map_height, map_width, mask, numbers);
    int freedom = (int)plan[0], fine = 1;
    double *work = malloc((sizeof(double) * 8 + 1) * (size_t)(n ? n : 1));
    if (!work) return 0;
    double *seen = work, *there = work + n, *weight = work + 2 * n, *size = work + 3 * n;
    SomePixels some = {work + 4 * n, work + 5 * n, work + 6 * n, work + 7 * n, (uint8_t *)(work + 8 * n), n};
    for (long i = 0; i < n; i++) {
        uint32_t at = (uint32_t)which[i], of = (uint32_t)view.columns; /* in half the time of longer numbers */
        some.column[i] = (double)(at % of), some.row[i] = (double)(at / of);
        some.x[i] = map_mm((long)(at % of), view.columns, view.wide), some.y[i] = map_mm((long)(at / of), view.rows, view.high);
        some.hidden[i] = mask ? mask[which[i]] : 0;
    }
    for (long step = 0; fine && step < (long)plan[1]; step++) {
        double gain, offset, change[8];
        sample_card(&view, motion, &some, luma, seen, there);
        grey_light(grey, seen, there, n, rules, weight, size, &gain, &offset);
        for (long i = 0; i < n; i++) seen[i] -= gain * grey[i] + offset;
        double beyond = plan[3] * (step < (long)plan[2] ? plan[4] : 1.0);
        fine = card_step(jacobian, grey, seen, there, n, freedom, gain, beyond, pull, change);
        if (fine) composed(motion, change, freedom);
        if (greater_of(fabs(change[0]), fabs(change[1])) < plan[5]) break;
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_lay_card,
             (const float *colours, const uint8_t *inside, long height, long width, const uint8_t *map, long map_height,
              long map_width, const uint8_t *mask, const double *numbers, long n, const int64_t *which, const double
              *grey, const double *jacobian, const double *pull, const double *plan, const double *luma, const double
              *rules, double *motion),
             (colours, inside, height, width, map, map_height, map_width, mask, numbers, n, which, grey, jacobian, pull,
              plan, luma, rules, motion))

/* ---- pixels in a token's colour: tokens/left_over.py, `_alike` ---- */

/* Which of pixels (n, 3) have one of `colours` (count, 3), as bright as it between `darkest` and `brightest` times, within
 * so many grey levels in each channel. */
INLINE int arena_coloured_body(const float *pixels, long n, const float *colours, long count, float darkest,
                               float brightest, float within, uint8_t *found) {
    memset(found, 0, (size_t)n);
    for (long k = 0; k < count; k++) {
        const float a = colours[3 * k], b = colours[3 * k + 1], c = colours[3 * k + 2];
        const float size = a * a + b * b + c * c;
        for (long i = 0; i < n; i++) {
            float x = pixels[3 * i], y = pixels[3 * i + 1], z = pixels[3 * i + 2];
            float bright = (x * a + y * b + z * c) / size;
            bright = bright < darkest ? darkest : bright > brightest ? brightest : bright;
            int alike = (fabsf(x - bright * a) < within) & (fabsf(y - bright * b) < within) & (fabsf(z - bright * c) < within);
            found[i] |= (uint8_t)alike;
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_coloured,
             (const float *pixels, long n, const float *colours, long count, float darkest, float brightest, float
              within, uint8_t *found),
             (pixels, n, colours, count, darkest, brightest, within, found))

/* ---- slopes of the steepest channel: tokens/view/top_view.py, `steepest` ---- */

/* Of a picture (height, width, 3) at least three pixels wide and high: its slopes (height, width) along x and down y, of
 * the channel that is steepest there (of equal ones the first), and how steep (height, width) that is; Sobel's, times a
 * quarter. 0 where there is no memory. */
INLINE int arena_steepest_body(const float *picture, long height, long width, float *along, float *down, float *steep) {
    long n = 3 * width;
    float *room = malloc(sizeof(float) * 3 * (size_t)n);
    if (!room) return 0;
    float *dx = room, *dy = room + n, *size = room + 2 * n;
    for (long r = 0; r < height; r++) {
        const float *u = picture + n * (r ? r - 1 : 1), *m = picture + n * r;
        const float *d = picture + n * (r < height - 1 ? r + 1 : r - 1);
        for (long i = 3; i < n - 3; i++) {
            dx[i] = ((u[i + 3] - u[i - 3]) + 2.0f * (m[i + 3] - m[i - 3]) + (d[i + 3] - d[i - 3])) * 0.25f;
            dy[i] = ((d[i - 3] - u[i - 3]) + 2.0f * (d[i] - u[i]) + (d[i + 3] - u[i + 3])) * 0.25f;
            size[i] = dx[i] * dx[i] + dy[i] * dy[i];
        }
        for (long k = 0; k < 6; k++) { /* at the borders what is beyond is as on this side */
            long i = k < 3 ? k : n - 9 + k + 3, beside = k < 3 ? i + 3 : i - 3;
            dx[i] = 0.0f, dy[i] = (2.0f * (d[beside] - u[beside]) + 2.0f * (d[i] - u[i])) * 0.25f, size[i] = dy[i] * dy[i];
        }
        float *to_along = along + r * width, *to_down = down + r * width, *to_steep = steep + r * width;
#pragma omp simd
        for (long c = 0; c < width; c++) {
            const float *s = size + 3 * c;
            float a = s[0], b = s[1], e = s[2], x = dx[3 * c + 1], y = dy[3 * c + 1], most = b;
            const float x_first = dx[3 * c], x_third = dx[3 * c + 2], y_first = dy[3 * c], y_third = dy[3 * c + 2];
            int is_third = e > b;
            x = is_third ? x_third : x, y = is_third ? y_third : y, most = is_third ? e : most;
            int is_first = a >= most;
            x = is_first ? x_first : x, y = is_first ? y_first : y, most = is_first ? a : most;
            to_along[c] = x, to_down[c] = y, to_steep[c] = sqrtf(most);
        }
    }
    free(room);
    return 1;
}

ON_EVERY_CPU(int, arena_steepest, (const float *picture, long height, long width, float *along, float *down, float *steep),
             (picture, height, width, along, down, steep))

/* ---- the table from straight above: tokens/view/top_view.py, `from_above` ---- */

#define MAP_STEP 16 /* as the twin's */
#define WHOLE 12582912.0f /* 1.5 times 2 to the 23 */

/* The photograph (height, width, 3) at n places x, y, no more than a BLOCK, bilinear and in whole grey levels, as cv2.remap
 * has it: seen (n, 3). Beyond its border it is as at it. */
INLINE void photograph_at(const uint8_t *image, long height, long width, const float *x, const float *y, long n,
                          float *seen) {
    float a[BLOCK], b[BLOCK];
    int32_t column[BLOCK], row[BLOCK];
    int beyond = 0;
#pragma omp simd reduction(| : beyond)
    for (long i = 0; i < n; i++) {
        float left = floorf(x[i]), upper = floorf(y[i]);
        a[i] = x[i] - left, b[i] = y[i] - upper, column[i] = (int32_t)left, row[i] = (int32_t)upper;
        beyond |= (column[i] < 0) | (row[i] < 0) | (column[i] >= (int32_t)width - 2) | (row[i] >= (int32_t)height - 1);
    }
#if defined(__GNUC__)
    if (!beyond) { /* eight numbers from each row: two pixels, and a part of the next */
        uint8_t bytes[2][8 * BLOCK];
        float upper[8 * BLOCK], lower[8 * BLOCK];
        for (long i = 0; i < n; i++) {
            const uint8_t *at = image + 3 * (row[i] * width + column[i]);
            memcpy(bytes[0] + 8 * i, at, 8), memcpy(bytes[1] + 8 * i, at + 3 * width, 8);
        }
#pragma omp simd
        for (long i = 0; i < 8 * n; i++) upper[i] = (float)bytes[0][i], lower[i] = (float)bytes[1][i];
        for (long i = 0; i < n; i++) {
            Four p = four(upper + 8 * i), q = four(upper + 8 * i + 3), r = four(lower + 8 * i), s = four(lower + 8 * i + 3);
            Four high = p + a[i] * (q - p), low = r + a[i] * (s - r), both = high + b[i] * (low - high);
            both = (both + WHOLE) - WHOLE; /* beside that number single precision has whole ones alone, the nearest */
            memcpy(seen + 3 * i, &both, (i + 1 < n ? 4 : 3) * sizeof(float)); /* the fourth is written over by the next */
        }
    } else
#endif
        for (long i = 0; i < n; i++) {
            long x0 = held(column[i], width - 1), x1 = held((long)column[i] + 1, width - 1);
            long y0 = held(row[i], height - 1), y1 = held((long)row[i] + 1, height - 1);
            const uint8_t *p = image + 3 * (y0 * width + x0), *q = image + 3 * (y0 * width + x1);
            const uint8_t *r = image + 3 * (y1 * width + x0), *s = image + 3 * (y1 * width + x1);
            for (int c = 0; c < 3; c++) {
                float high = (float)p[c] + a[i] * (float)(q[c] - p[c]), low = (float)r[c] + a[i] * (float)(s[c] - r[c]);
                seen[3 * i + c] = rintf(high + b[i] * (low - high));
            }
        }
}

/* A view (rows, columns, 3) of a photograph (height, width, 3), in `levels` or, where that is null, in `bytes`; and where
 * the photograph reaches, `inside` (rows, columns). Of every MAP_STEP-th of its pixels `nodes` (node_rows, node_columns, 2)
 * say where it lies in the photograph: between these it is as cv2.warpAffine has it, each product in single precision. 0
 * where there is no memory. */
INLINE int arena_from_above_body(const uint8_t *image, long height, long width, const float *nodes, long node_columns,
                                 long rows, long columns, uint8_t *bytes, float *levels, uint8_t *inside) {
    const long cells = node_columns - 1, many = cells * MAP_STEP; /* no less than the view's columns */
    const float last_x = (float)(width - 1), last_y = (float)(height - 1);
    float *place[2] = {malloc(sizeof(float) * 2 * (size_t)many), NULL}, row_of[3 * BLOCK];
    if (!place[0]) return 0;
    place[1] = place[0] + many;
    for (long r = 0; r < rows; r++) {
        const double down = (double)(r % MAP_STEP) / MAP_STEP;
        double weight[4][MAP_STEP];
        for (int k = 0; k < MAP_STEP; k++) {
            const double right = (double)k / MAP_STEP;
            weight[0][k] = (1.0 - right) * (1.0 - down), weight[1][k] = right * (1.0 - down);
            weight[2][k] = (1.0 - right) * down, weight[3][k] = right * down;
        }
        const float *above = nodes + 2 * node_columns * (r / MAP_STEP), *below = above + 2 * node_columns;
        for (int axis = 0; axis < 2; axis++)
            for (long c = 0; c < cells; c++) {
                const double p = (double)above[2 * c + axis], q = (double)above[2 * c + 2 + axis];
                const double s = (double)below[2 * c + axis], t = (double)below[2 * c + 2 + axis];
                float *to = place[axis] + c * MAP_STEP;
#pragma omp simd
                for (int k = 0; k < MAP_STEP; k++)
                    to[k] = (float)(p * weight[0][k]) + (float)(q * weight[1][k]) + (float)(s * weight[2][k]) +
                            (float)(t * weight[3][k]);
            }
        uint8_t *is_inside = inside + r * columns;
        const float *x = place[0], *y = place[1];
#pragma omp simd
        for (long c = 0; c < columns; c++)
            is_inside[c] = (uint8_t)((x[c] >= 0.0f) & (y[c] >= 0.0f) & (x[c] <= last_x) & (y[c] <= last_y));
        for (long first = 0; first < columns; first += BLOCK) {
            const long n = columns - first < BLOCK ? columns - first : BLOCK, at = 3 * (r * columns + first);
            photograph_at(image, height, width, x + first, y + first, n, levels ? levels + at : row_of);
            for (long i = 0; !levels && i < 3 * n; i++) bytes[at + i] = (uint8_t)row_of[i];
        }
    }
    free(place[0]);
    return 1;
}

ON_EVERY_CPU(int, arena_from_above,
             (const uint8_t *image, long height, long width, const float *nodes, long node_columns, long rows, long columns,
              uint8_t *bytes, float *levels, uint8_t *inside),
             (image, height, width, nodes, node_columns, rows, columns, bytes, levels, inside))

/* ---- how much of an outline is an edge, wherever it is tried: tokens/cards/card_rims.py, `tried_outlines` ---- */

/* An outline's points (n, 2) with the ways out (n, 2) there, moved by each of the shifts (count, 2), in mm. `along`, `down`
 * (height, width) are the picture's slopes and `inside` (height, width), if there is one, where it reaches; `free`
 * (free_height, free_width): where nothing is known to lie. Pixel 0 of the slopes lies at numbers[0], numbers[1] mm, with
 * numbers[2] px/mm; that of `free` at numbers[3], numbers[4], with 1 px/mm; numbers[5]: the slope that is a full step. Of
 * each shift (count): the mean step of the open points, each counted up to 1, the mean of what each makes of one that
 * nears 1 ever more slowly, and how many are open. */
INLINE int arena_outlines_body(const float *along, const float *down, const uint8_t *inside, long height, long width,
                               const uint8_t *free, long free_height, long free_width, const double *numbers, long n,
                               const double *points, const double *ways, long count, const double *shifts, double *clear,
                               double *steep, int64_t *open) {
    for (long s = 0; s < count; s++) {
        double sum = 0.0, soft = 0.0;
        long seen = 0;
        for (long i = 0; i < n; i++) {
            double x = points[2 * i] + shifts[2 * s], y = points[2 * i + 1] + shifts[2 * s + 1];
            long column = (long)rint(x - numbers[3] - 0.5), row = (long)rint(y - numbers[4] - 0.5);
            if (column < 0 || row < 0 || column >= free_width || row >= free_height) continue;
            if (!free[row * free_width + column]) continue;
            long u = (long)rint((x - numbers[0]) * numbers[2] - 0.5), v = (long)rint((y - numbers[1]) * numbers[2] - 0.5);
            if (inside && (u < 0 || v < 0 || u >= width || v >= height || !inside[v * width + u])) continue;
            long at = held(v, height - 1) * width + held(u, width - 1);
            double step = fabs((double)along[at] * ways[2 * i] + (double)down[at] * ways[2 * i + 1]) / numbers[5];
            sum += step < 1.0 ? step : 1.0, soft += step / (1.0 + step), seen++;
        }
        clear[s] = sum / (double)(seen ? seen : 1), steep[s] = soft / (double)(seen ? seen : 1), open[s] = seen;
    }
    return 1;
}

ON_EVERY_CPU(int, arena_outlines,
             (const float *along, const float *down, const uint8_t *inside, long height, long width, const uint8_t *free,
              long free_height, long free_width, const double *numbers, long n, const double *points, const double *ways,
              long count, const double *shifts, double *clear, double *steep, int64_t *open),
             (along, down, inside, height, width, free, free_height, free_width, numbers, n, points, ways, count, shifts,
              clear, steep, open))

/* ---- sums along the sides of upright outlines: tokens/cards/outline_search.py, `along_sides` ---- */

/* Of a turned picture's slopes (height, width, 2) in the table's directions: the steps across x and down y (height, width
 * each), in the picture's own ones by `linear` (2, 2), each in steps of `full` and at most 1, where a slope is as steep in that
 * direction as the root of `along` says. Times `free` (height, width), if it is given; without slopes both are `free`. */
INLINE void steps_of_sides(const float *slopes, const float *free_, long n, const double *linear, float full, float along,
                           float *across, float *down) {
    float c = (float)linear[0], s = (float)linear[2];
    for (long i = 0; i < n; i++) {
        float x = slopes[2 * i], y = slopes[2 * i + 1], u = c * x + s * y, v = c * y - s * x;
        float p = u * u, q = v * v, steep = along * (p + q), a = fabsf(u) / full, b = fabsf(v) / full;
        a = a < 1.0f ? a : 1.0f, b = b < 1.0f ? b : 1.0f;
        across[i] = p > steep ? a : 0.0f, down[i] = q > steep ? b : 0.0f;
    }
    for (long i = 0; free_ && i < n; i++) across[i] *= free_[i], down[i] *= free_[i];
}

/* Sums (kept, kept) of those steps along the sides of upright outlines, `wide` and `high` px, about each middle, of which the
 * first is that whose sides lie one pixel within the picture (height, width): across x of the left and right sides, down y of
 * the upper and lower ones. */
INLINE int arena_along_sides_body(const float *slopes, const float *free_, long height, long width, const double *linear,
                                  float full, float along, long wide, long high, long kept, float *sums) {
    long n = height * width, row = high / 2 + 1, column = wide / 2 + 1;
    float *steps = malloc(sizeof(float) * 2 * (size_t)n + sizeof(double) * (size_t)kept);
    if (!steps) return 0;
    double *sum = (double *)(steps + 2 * n);
    const float *across = steps, *down = steps + n;
    if (slopes) steps_of_sides(slopes, free_, n, linear, full, along, steps, steps + n);
    else across = free_, down = free_;
    memset(sum, 0, sizeof(double) * (size_t)kept);
    const float *left = across + column - wide / 2, *right = left + wide; /* of the first row */
    for (long r = 1; r < high; r++)
        for (long k = 0; k < kept; k++) sum[k] += (double)(left[r * width + k] + right[r * width + k]);
    for (long r = 0; r < kept; r++) {
        const float *next_left = left + (r + high) * width, *next_right = right + (r + high) * width;
        const float *last_left = left + (r + 1) * width, *last_right = right + (r + 1) * width;
        for (long k = 0; k < kept; k++) {
            double all = sum[k] + (double)(next_left[k] + next_right[k]);
            sums[r * kept + k] = (float)all, sum[k] = all - (double)(last_left[k] + last_right[k]);
        }
        const float *upper = down + (row - high / 2 + r) * width, *lower = upper + high * width;
        double level = 0.0;
        for (long k = 1; k < wide; k++) level += (double)(upper[k] + lower[k]);
        for (long k = 0; k < kept; k++) {
            level += (double)(upper[k + wide] + lower[k + wide]);
            sums[r * kept + k] += (float)level, level -= (double)(upper[k + 1] + lower[k + 1]);
        }
    }
    free(steps);
    return 1;
}

ON_EVERY_CPU(int, arena_along_sides,
             (const float *slopes, const float *free_, long height, long width, const double *linear, float full, float along,
              long wide, long high, long kept, float *sums),
             (slopes, free_, height, width, linear, full, along, wide, high, kept, sums))

/* ---- whether a card ends where it is said to: tokens/cards/card_rims.py, `rim_share` ---- */

/* Of points (n, 2) with the ways out (n, 2) of a card at `motion` (2, 3): how many are usable, in the picture and free on
 * both sides, and at how many of them the picture's greatest channel changes by more than numbers[6]. `pixels` (height,
 * width, 3) and `inside` (height, width) begin at numbers[0], numbers[1] mm with numbers[2] px/mm; `free` (free_height,
 * free_width) at numbers[3], numbers[4] with 1 px/mm, held at its border; numbers[5]: how far aside both sides are. */
INLINE int arena_rim_body(const float *pixels, const uint8_t *inside, long height, long width, const uint8_t *free,
                          long free_height, long free_width, const double *numbers, long n, const double *points,
                          const double *ways, const double *motion, int64_t *found) {
    long usable = 0, changed = 0;
    for (long i = 0; i < n; i++) {
        const float *side[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            double aside = k ? numbers[5] : -numbers[5];
            double u = points[2 * i] + aside * ways[2 * i], v = points[2 * i + 1] + aside * ways[2 * i + 1];
            double x = u * motion[0] + v * motion[1] + motion[2], y = u * motion[3] + v * motion[4] + motion[5];
            long column = (long)rint((x - numbers[0]) * numbers[2] - 0.5), row = (long)rint((y - numbers[1]) * numbers[2] - 0.5);
            if (column < 0 || row < 0 || column >= width || row >= height || !inside[row * width + column]) break;
            long across = held((long)rint(x - numbers[3] - 0.5), free_width - 1);
            long down = held((long)rint(y - numbers[4] - 0.5), free_height - 1);
            if (!free[down * free_width + across]) break;
            side[k] = pixels + 3 * (row * width + column);
        }
        if (!side[0] || !side[1]) continue;
        usable++;
        int is_other = 0;
        for (int c = 0; c < 3; c++) is_other |= fabsf(side[0][c] - side[1][c]) > (float)numbers[6];
        changed += is_other;
    }
    found[0] = usable, found[1] = changed;
    return 1;
}

ON_EVERY_CPU(int, arena_rim,
             (const float *pixels, const uint8_t *inside, long height, long width, const uint8_t *free, long free_height,
              long free_width, const double *numbers, long n, const double *points, const double *ways,
              const double *motion, int64_t *found),
             (pixels, inside, height, width, free, free_height, free_width, numbers, n, points, ways, motion, found))

/* ---- where a view from above lies in the picture: reading/floor/view.py, `fixed_view_map` ---- */

#define VIEW_STEP 8 /* as the twin's */

/* The places of a view (height, width) in the picture, times `scale`, between those of every VIEW_STEP-th of its pixels,
 * coarse (rows, columns, 2): whole pixels (height, width, 2), and `parts` (height, width), 32nds of them, as cv2.remap
 * takes them. Without `parts` the nearest whole pixels. */
INLINE int arena_view_map_body(const float *coarse, long columns, long height, long width, float scale, int16_t *whole,
                               uint16_t *parts) {
    const int bits = parts ? 5 : 0;
    const float fine = (float)(1 << bits), most = 32767.0f * fine;
    const long many = columns * VIEW_STEP; /* wider than the view */
    float *along = malloc(sizeof(float) * (size_t)(2 * columns + 2 * many));
    if (!along) return 0;
    float *places[2] = {along + 2 * columns, along + 2 * columns + many};
    for (long r = 0; r < height; r++, whole += 2 * width) {
        const float down = (float)(r % VIEW_STEP) / VIEW_STEP;
        const float *above = coarse + 2 * columns * (r / VIEW_STEP), *below = above + 2 * columns;
        for (long c = 0; c < 2 * columns; c++) along[c] = (above[c] * (1.0f - down) + below[c] * down) * scale * fine;
        for (int axis = 0; axis < 2; axis++) {
            float *place = places[axis];
            for (long c = 0; c + 1 < columns; c++)
                for (long k = 0; k < VIEW_STEP; k++) {
                    const float right = (float)k / VIEW_STEP;
                    place[c * VIEW_STEP + k] = along[2 * c + axis] * (1.0f - right) + along[2 * c + 2 + axis] * right;
                }
            for (long c = 0; c < width; c++) {
                const float held = place[c] < -most ? -most : place[c] > most ? most : place[c];
                place[c] = rintf(held);
            }
        }
        for (long c = 0; c < width; c++) {
            whole[2 * c] = (int16_t)((int)places[0][c] >> bits);
            whole[2 * c + 1] = (int16_t)((int)places[1][c] >> bits);
        }
        if (parts)
            for (long c = 0; c < width; c++)
                parts[r * width + c] = (uint16_t)(((int)places[1][c] & 31) << 5 | ((int)places[0][c] & 31));
    }
    free(along);
    return 1;
}

ON_EVERY_CPU(int, arena_view_map,
             (const float *coarse, long columns, long height, long width, float scale, int16_t *whole, uint16_t *parts),
             (coarse, columns, height, width, scale, whole, parts))
