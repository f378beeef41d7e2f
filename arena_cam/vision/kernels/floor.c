/* What differs from an earlier picture of the floor, medians round about each pixel, and cells of a small picture. */
#include "common.h"

/* ---- the median round about each pixel: reading/floor/floor_texture.py, `_detail` ---- */

/* A block of pixels that is done at once, and a row of it with the widest window's margin. */
#define MEDIAN_ROWS 16
#define MEDIAN_COLUMNS 48
#define MEDIAN_LANE 64
#define MEDIAN_WIDEST 15 /* a window's pixels are counted in a byte */
#define MEDIAN_SIZE (MEDIAN_ROWS * MEDIAN_LANE)

/* Of a block with its margin (MEDIAN_ROWS + size - 1, MEDIAN_LANE) which medians are above the level: 1 or 0
 * (MEDIAN_ROWS, MEDIAN_LANE; the last columns of a row mean nothing). Returns whether any of the first `columns` is (1),
 * and whether all are (2). */
INLINE int medians_above(const uint8_t *block, long columns, long size, uint8_t level, uint8_t *above) {
    /* how many of a column of the window are above, then of 2, 4 and 8 columns from there on */
    uint8_t sums[4][MEDIAN_SIZE + 2 * MEDIAN_LANE], in_row[MEDIAN_LANE] = {0}, all_in_row[MEDIAN_LANE];
    const uint8_t most = (uint8_t)(size * size / 2);
    uint8_t any = 0, all = 1;
    for (int bit = 0; bit < 4; bit++) memset(sums[bit] + MEDIAN_SIZE, 0, 2 * MEDIAN_LANE);
    memset(sums[0], 0, MEDIAN_LANE);
    for (long r = 0; r < size; r++)
        for (long c = 0; c < MEDIAN_LANE; c++) sums[0][c] += block[r * MEDIAN_LANE + c] > level;
    const uint8_t *out = block, *in = block + size * MEDIAN_LANE;
    for (long i = 0; i < MEDIAN_SIZE - MEDIAN_LANE; i++)
        sums[0][i + MEDIAN_LANE] = (uint8_t)(sums[0][i] + (in[i] > level) - (out[i] > level));
    for (int bit = 0; bit < 3; bit++)
        for (long i = 0; i < MEDIAN_SIZE; i++)
            sums[bit + 1][i] = (uint8_t)(sums[bit][i] + sums[bit][i + (1L << bit)]);
    /* a window is as many columns as the bits of its size say: 8, then 4, 2 and 1 from where the ones before end */
    const long has8 = size >> 3 & 1, has4 = size >> 2 & 1, has2 = size >> 1 & 1;
    const uint8_t *eight = sums[3], *four = sums[2] + 8 * has8, *two = sums[1] + 8 * has8 + 4 * has4;
    const uint8_t *one = sums[0] + size - 1;
    memset(all_in_row, 1, sizeof all_in_row);
    for (long r = 0; r < MEDIAN_ROWS; r++)
        for (long c = 0; c < MEDIAN_LANE; c++) {
            const long i = r * MEDIAN_LANE + c;
            const uint8_t in_window =
                (uint8_t)((has8 ? eight[i] : 0) + (has4 ? four[i] : 0) + (has2 ? two[i] : 0) + one[i]);
            above[i] = in_window > most;
            in_row[c] |= above[i];
            all_in_row[c] &= above[i];
        }
    for (long c = 0; c < columns; c++) any |= in_row[c], all &= all_in_row[c];
    return any | all << 1;
}

/* A block with its margin from `top` and `left` on; the border's values go on beyond it. */
INLINE void median_block(const uint8_t *values, long height, long width, long top, long left, long size, uint8_t *block) {
    for (long r = 0; r < MEDIAN_ROWS + size - 1; r++) {
        const long y = top + r - size / 2;
        const uint8_t *row = values + (y < 0 ? 0 : y >= height ? height - 1 : y) * width;
        for (long c = 0; c < MEDIAN_COLUMNS + size - 1; c++) {
            const long x = left + c - size / 2;
            block[r * MEDIAN_LANE + c] = row[x < 0 ? 0 : x >= width ? width - 1 : x];
        }
    }
}

/* Whether any of rows and columns of a mask, its rows so wide, is set. */
INLINE int any_asked(const uint8_t *asked, long rows, long columns, long width) {
    uint8_t any = 0;
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < columns; c++) any |= asked[r * width + c];
    return any;
}

/* For each of the values (height, width) the median of the size * size round about it, as cv2.medianBlur gives it; the
 * value itself in a block of which nothing is `asked` (height, width; NULL asks all). In a
 * block, level by level, from that of its middle up until no median is above, and down until all are: most differ by
 * little, whatever the values do. */
INLINE int medians_of_size(const uint8_t *values, long height, long width, long size, const uint8_t *asked,
                           uint8_t *median) {
    uint8_t block[MEDIAN_SIZE + MEDIAN_WIDEST * MEDIAN_LANE] = {0}, above[MEDIAN_SIZE], found[MEDIAN_SIZE];
    if (size > MEDIAN_WIDEST || size % 2 == 0) return 0;
    for (long top = 0; top < height; top += MEDIAN_ROWS)
        for (long left = 0; left < width; left += MEDIAN_COLUMNS) {
            const long rows = height - top < MEDIAN_ROWS ? height - top : MEDIAN_ROWS;
            const long columns = width - left < MEDIAN_COLUMNS ? width - left : MEDIAN_COLUMNS;
            if (asked && !any_asked(asked + top * width + left, rows, columns, width)) {
                for (long r = 0; r < rows; r++)
                    memcpy(median + (top + r) * width + left, values + (top + r) * width + left, (size_t)columns);
                continue;
            }
            median_block(values, height, width, top, left, size, block);
            const int start = block[(MEDIAN_ROWS / 2 + size / 2) * MEDIAN_LANE + MEDIAN_COLUMNS / 2 + size / 2];
            memset(found, start, sizeof found);
            for (int level = start; level < 255; level++) {
                if (!(medians_above(block, columns, size, (uint8_t)level, above) & 1)) break;
                for (long i = 0; i < MEDIAN_SIZE; i++) found[i] += above[i];
            }
            for (int level = start - 1; level >= 0; level--) {
                if (medians_above(block, columns, size, (uint8_t)level, above) & 2) break;
                for (long i = 0; i < MEDIAN_SIZE; i++) found[i] = (uint8_t)(found[i] - 1 + above[i]);
            }
            for (long r = 0; r < rows; r++)
                memcpy(median + (top + r) * width + left, found + r * MEDIAN_LANE, (size_t)columns);
        }
    return 1;
}

#define GRAIN_SIZE 11 /* at one pixel a millimetre: which columns a window has is known where it is compiled then */

INLINE int medians_round_about(const uint8_t *values, long height, long width, long size, const uint8_t *asked,
                               uint8_t *median) {
    return size == GRAIN_SIZE ? medians_of_size(values, height, width, GRAIN_SIZE, asked, median)
                              : medians_of_size(values, height, width, size, asked, median);
}

/* By how many `steps` of 1 values (height, width) differ from the median of those round about, 255 at most; what is
 * below -128 steps or above 127 counts as that. Where nothing near is `asked`, 0. */
INLINE int arena_detail_body(const float *values, long height, long width, long size, float steps, const uint8_t *asked,
                             uint8_t *detail) {
    const long area = height * width;
    uint8_t *few = malloc((size_t)area);
    if (!few) return 0;
    for (long i = 0; i < area; i++) {
        const float value = values[i] * steps + 128.5f;
        few[i] = (uint8_t)(value < 0.0f ? 0.0f : value > 255.0f ? 255.0f : value);
    }
    const int done = medians_round_about(few, height, width, size, asked, detail);
    for (long i = 0; i < area; i++) detail[i] = (uint8_t)(few[i] > detail[i] ? few[i] - detail[i] : detail[i] - few[i]);
    free(few);
    return done;
}

ON_EVERY_CPU_AND_WIDE(int, arena_detail,
                      (const float *values, long height, long width, long size, float steps, const uint8_t *asked,
                       uint8_t *detail),
                      (values, height, width, size, steps, asked, detail))

/* ---- what differs from an earlier picture of the floor: reading/floor/floor_comparison.py, `compared` ---- */

/* Where `at` lies between the first and the last of count values that stand for `step` pixels each, as cv2.resize has it:
 * the number of the value before, and how far beyond that (0 to 1). */
INLINE float between(long at, long step, long count, long *before) {
    const float place = ((float)at + 0.5f) / (float)step - 0.5f;
    if (place <= 0.0f || count == 1) return *before = 0, 0.0f;
    const long low = (long)place;
    if (low >= count - 1) return *before = count - 2, 1.0f;
    *before = low;
    return place - (float)low;
}

/* A row of light (columns, 3) as `width` pixels of three channels see it, each column standing for `step` of them. */
INLINE void spread_row(const float *light, long columns, long step, long width, float *spread) {
    for (long c = 0; c < width; c++) {
        long before;
        const float beyond = between(c, step, columns, &before);
        const float *low = light + 3 * before, *high = columns == 1 ? low : low + 3;
        for (int k = 0; k < 3; k++) spread[3 * c + k] = low[k] * (1.0f - beyond) + high[k] * beyond;
    }
}

/* Of the levels `now` (height, width, 3) of a picture, whose logarithms are `logs` (256), and of the logarithms of the
 * `floor` (height, width, 3) the mean log ratio (height, width) with the change of `light` taken out, and five masks (height, width) each: what is in both pictures, odd, pale, strange, bare. light
 * (rows, columns, 3): each stands for `step` pixels each way, and it is even in between. Limits are in the order of the
 * twin's. */
INLINE int arena_floor_body(const uint8_t *now, const float *logs, const float *floor, const float *light, long rows,
                            long columns, long step, const uint8_t *valid, long height, long width, const float *limits, float *mean,
                            uint8_t *masks) {
    const float outside = limits[0], dark = limits[1], black = limits[2], *odd = limits + 3, *plain = limits + 5;
    const float *same = limits + 7;
    const long area = height * width;
    int least = 0; /* level whose logarithm is beyond the limit */
    while (least < 256 && !(logs[least] > outside)) least++;
    float *work = malloc((13 * sizeof(float) + sizeof(int32_t) + 4) * (size_t)width);
    if (!work) return 0;
    float *blue = work, *green = blue + width, *red = green + width, *colour = red + width, *ratio = colour + width;
    float *above = ratio + 3 * width, *below = above + 3 * width;
    int32_t *wide_is = (int32_t *)(below + 3 * width);
    long spread = -1; /* the row that `above` is of; `below` is of the next */
    uint8_t *is = (uint8_t *)(wide_is + width), *in_both = is + width;
    for (long at = 0; at < area; at += width, now += 3 * width, floor += 3 * width) {
        float *middle = mean + at;
        long row;
        const float beyond = between(at / width, step, rows, &row), within = 1.0f - beyond;
        if (row != spread) {
            spread_row(light + 3 * row * columns, columns, step, width, above);
            spread_row(light + 3 * (rows == 1 ? row : row + 1) * columns, columns, step, width, below);
            spread = row;
        }
        for (long i = 0; i < 3 * width; i++) ratio[i] = logs[now[i]];
        for (long i = 0; i < 3 * width; i++) ratio[i] = ratio[i] - floor[i] - (above[i] * within + below[i] * beyond);
        for (long i = 0; i < 3 * width; i++) in_both[i] = (now[i] >= least) & (floor[i] > outside);
        for (long c = 0; c < width; c++) masks[at + c] = in_both[3 * c + 1];
        /* from here on channel by channel, apart from what is told of bytes: numbers of one width are told many at once */
        for (long c = 0; c < width; c++) blue[c] = ratio[3 * c], green[c] = ratio[3 * c + 1], red[c] = ratio[3 * c + 2];
        for (long c = 0; c < width; c++) middle[c] = (blue[c] + green[c] + red[c]) * (float)(1.0 / 3.0);
        for (long c = 0; c < width; c++) { /* apart from the mean's product: fused with it they would round otherwise */
            const float off_blue = fabsf(blue[c] - middle[c]), off_green = fabsf(green[c] - middle[c]);
            const float off_red = fabsf(red[c] - middle[c]), of_two = off_blue > off_green ? off_blue : off_green;
            colour[c] = of_two > off_red ? of_two : off_red;
        }
        for (long c = 0; c < width; c++) { /* a bit each for odd, pale, strange, bare: numbers of one width at a time */
            const int32_t is_black = middle[c] < black, seen = (colour[c] > odd[0]) | (middle[c] > odd[1]);
            const int32_t is_dark = middle[c] < dark, strange = (colour[c] > plain[0]) | (middle[c] > plain[1]) | is_black;
            const int32_t bare = (fabsf(middle[c]) < same[1]) & (colour[c] < same[0]);
            wide_is[c] = (seen | is_dark) | (seen | is_black) << 1 | strange << 2 | bare << 3;
        }
        for (long c = 0; c < width; c++) is[c] = valid[at + c] ? (uint8_t)wide_is[c] : 0;
        for (int k = 0; k < 4; k++) {
            uint8_t *mask = masks + at + (k + 1) * area;
            for (long c = 0; c < width; c++) mask[c] = is[c] >> k & 1;
        }
    }
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_floor,
             (const uint8_t *now, const float *logs, const float *floor, const float *light, long rows, long columns,
              long step, const uint8_t *valid, long height, long width, const float *limits, float *mean, uint8_t *masks),
             (now, logs, floor, light, rows, columns, step, valid, height, width, limits, mean, masks))

#define AT_ONCE 4096 /* points of a view */

/* ---- what is more than the floor's own detail: reading/floor/floor_texture.py, `plain` ---- */

/* What the detail (area) of a picture counts where it is more than the floor's own, `least` (area), by the log ratio
 * (area) to the floor's log brightness, `level` (area), and by whether it is the arena's, `inside` (area): found (area).
 * rules: the noise in the arena and beyond it, its least for what is beyond doubt and for what may be, how many steps of it
 * each must be, how many steps what is beyond doubt must be at least, what each counts. */
INLINE int arena_plain_body(const uint8_t *detail, const uint8_t *least, const float *ratio, const float *level,
                            const uint8_t *inside, long area, const float *rules, uint8_t *found) {
    /* the log brightness from which on so many steps are as many standard deviations of the noise, which is of grey levels:
     * beyond doubt (0) and perhaps (1), beyond the arena (0) and in it (1) */
    float from[2][2][256];
    const uint8_t counts[2] = {(uint8_t)rules[7], (uint8_t)rules[8]};
    for (int within = 0; within < 2; within++)
        for (int steps = 0; steps < 256; steps++)
            for (int may_be = 0; may_be < 2; may_be++) {
                const float noise = rules[1 - within] > rules[2 + may_be] ? rules[1 - within] : rules[2 + may_be];
                const int enough = steps > 0 && (may_be || (float)steps > rules[6]);
                from[may_be][within][steps] = enough ? logf(noise * rules[4 + may_be] / (float)steps) : HUGE_VALF;
            }
    memset(found, 0, (size_t)area);
    for (long first = 0; first < area; first += AT_ONCE) {
        const long end = area - first < AT_ONCE ? area : first + AT_ONCE;
        int32_t more[AT_ONCE];
        long count = 0;
        for (long i = first; i < end; i++) { /* one in seven is more, and no processor guesses which */
            more[count] = (int32_t)(i - first);
            count += detail[i] > least[i];
        }
        for (long k = 0; k < count; k++) {
            const long i = first + more[k], within = inside[i] != 0, steps = detail[i];
            const float bright = level[i] + ratio[i];
            const int surely = bright > from[0][within][steps], perhaps = bright > from[1][within][steps];
            found[i] = surely ? counts[0] : perhaps ? counts[1] : 0;
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_plain,
             (const uint8_t *detail, const uint8_t *least, const float *ratio, const float *level, const uint8_t *inside,
              long area, const float *rules, uint8_t *found),
             (detail, least, ratio, level, inside, area, rules, found))

/* ---- the even change of light over a view: reading/floor/table_change.py, `_even_light` ---- */

#define TERMS 6 /* of a polynomial of the second degree: 1, x, y, xx, xy, yy */

/* A polynomial of the second degree for each channel, light (TERMS, 3), fitted with Tukey's weights to few (height, width,
 * 3) where it is bare (height, width), from -1 to 1 across and down. fitted (3): the channels' medians there. rules: what
 * the median of what is off is multiplied by for its scale, the scale's least, how much each term is held back, the rounds
 * of reweighting. */
INLINE int arena_even_light_body(const float *few, const uint8_t *bare, long height, long width, const double *fitted,
                                 const double *rules, double *light) {
    const long area = height * width;
    double *work = malloc(sizeof(double) * 7 * (size_t)(area ? area : 1));
    if (!work) return 0;
    double *x = work, *y = x + area, *blue = y + area, *green = blue + area, *red = green + area;
    double *off = red + area, *weight = off + area;
    long n = 0;
    for (long i = 0; i < area; i++) {
        if (!bare[i]) continue;
        x[n] = width > 1 ? 2.0 * (double)(i % width) / (double)(width - 1) - 1.0 : -1.0;
        y[n] = height > 1 ? 2.0 * (double)(i / width) / (double)(height - 1) - 1.0 : -1.0;
        blue[n] = few[3 * i], green[n] = few[3 * i + 1], red[n] = few[3 * i + 2];
        n++;
    }
    memset(light, 0, sizeof(double) * TERMS * 3);
    for (int c = 0; c < 3; c++) light[c] = fitted[c];
    int fine = n > 0;
    for (int round = 0; fine && round < (int)rules[3]; round++) {
        const double *l = light;
#pragma omp simd
        for (long i = 0; i < n; i++) {
            double a = x[i], b = y[i], aa = a * a, ab = a * b, bb = b * b;
            double u = fabs(blue[i] - (l[0] + l[3] * a + l[6] * b + l[9] * aa + l[12] * ab + l[15] * bb));
            double v = fabs(green[i] - (l[1] + l[4] * a + l[7] * b + l[10] * aa + l[13] * ab + l[16] * bb));
            double w = fabs(red[i] - (l[2] + l[5] * a + l[8] * b + l[11] * aa + l[14] * ab + l[17] * bb));
            double of_two = greater_of(u, v);
            off[i] = weight[i] = greater_of(of_two, w);
        }
        const double scale = greater_of(rules[1], rules[0] * median_of_many(weight, n));
        /* the sums of the weights times the terms' products: 1, x, y, xx, ..., yyyy; and times the terms and a channel */
        double m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0, m8 = 0, m9 = 0, m10 = 0, m11 = 0;
        double m12 = 0, m13 = 0, m14 = 0;
#pragma omp simd reduction(+ : m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14)
        for (long i = 0; i < n; i++) {
            double u = lesser_of(off[i] / scale, 1.0), w = (1.0 - u * u) * (1.0 - u * u), a = x[i], b = y[i];
            double aa = w * a * a, ab = w * a * b, bb = w * b * b;
            weight[i] = w;
            m0 += w, m1 += w * a, m2 += w * b, m3 += aa, m4 += ab, m5 += bb;
            m6 += aa * a, m7 += aa * b, m8 += ab * b, m9 += bb * b;
            m10 += aa * a * a, m11 += aa * a * b, m12 += aa * b * b, m13 += ab * b * b, m14 += bb * b * b;
        }
        double normal[TERMS * TERMS] = {m0, m1, m2, m3, m4, m5, m1, m3, m4, m6, m7, m8,   m2, m4, m5, m7,  m8,  m9,
                                        m3, m6, m7, m10, m11, m12, m4, m7, m8, m11, m12, m13, m5, m8, m9, m12, m13, m14};
        for (int k = 0; k < TERMS; k++) normal[k * TERMS + k] += rules[2];
        const double *channels[3] = {blue, green, red};
        for (int c = 0; c < 3; c++) {
            const double *value = channels[c];
            double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3, s4, s5)
            for (long i = 0; i < n; i++) {
                double t = weight[i] * value[i], a = x[i], b = y[i];
                s0 += t, s1 += t * a, s2 += t * b, s3 += t * a * a, s4 += t * a * b, s5 += t * b * b;
            }
            const double sums[TERMS] = {s0, s1, s2, s3, s4, s5};
            for (int k = 0; k < TERMS; k++) light[3 * k + c] = sums[k];
        }
        fine = solve(normal, light, TERMS, 3);
    }
    free(work);
    return fine;
}

ON_EVERY_CPU(int, arena_even_light,
             (const float *few, const uint8_t *bare, long height, long width, const double *fitted, const double *rules,
              double *light),
             (few, bare, height, width, fitted, rules, light))

/* ---- the cells of a small picture: watching/stillness.py ---- */

#define CELL 8 /* pixels a side, as the twin's */

/* Of each cell of pixels (height, width), which are whole cells, cells (3, height / 8, width / 8): the means of the pixels,
 * of their squares, and of the squared steps from each to its neighbours. */
INLINE int arena_cells_body(const float *pixels, long height, long width, float *cells) {
    const long columns = width / CELL, count = height / CELL * columns;
    float *work = calloc(5 * (size_t)width, sizeof *work);
    if (!work) return 0;
    float *sums[3] = {work, work + width, work + 2 * width}, *step = work + 3 * width, *above = work + 4 * width;
    for (long r = 0; r < height; r++, pixels += width) {
        for (long c = 0; c < width; c++) {
            sums[0][c] += pixels[c];
            sums[1][c] += pixels[c] * pixels[c];
            sums[2][c] += above[c];
        }
        for (long c = 0; c + 1 < width; c++) step[c] = (pixels[c + 1] - pixels[c]) * (pixels[c + 1] - pixels[c]);
        for (long c = 0; c + 1 < width; c++) sums[2][c] += step[c];
        for (long c = 0; c + 1 < width; c++) sums[2][c + 1] += step[c];
        if (r + 1 < height)
            for (long c = 0; c < width; c++) {
                above[c] = (pixels[c + width] - pixels[c]) * (pixels[c + width] - pixels[c]);
                sums[2][c] += above[c];
            }
        if (r % CELL != CELL - 1) continue;
        for (int kind = 0; kind < 3; kind++)
            for (long c = 0; c < columns; c++) {
                float sum = 0.0f;
                for (long k = 0; k < CELL; k++) sum += sums[kind][c * CELL + k];
                cells[kind * count + r / CELL * columns + c] = sum * (1.0f / (CELL * CELL));
            }
        memset(work, 0, 3 * (size_t)width * sizeof *work);
    }
    free(work);
    return 1;
}

ON_EVERY_CPU(int, arena_cells, (const float *pixels, long height, long width, float *cells),
             (pixels, height, width, cells))

/* ---- how much of a card is in view: reading/cards/measuring.py, `in_view` ---- */

/* Of places (2, n) on a card, x and y in mm, as counts (3): how many lie in the frame (frame: height, width) where no claim
 * (claims_height, claims_width; in 1/step of the frame) covers them, how many of these lie where the view from above is
 * valid (height, width), and how many of those where it is odd (height, width). half: half the width and height of the
 * view in mm. A point outside the view is not valid. Without a view the first count alone is made. */
INLINE int arena_in_view_body(const double *camera_, const double *pose, const double *places, long n,
                              const double *frame, const uint8_t *claims, long claims_height, long claims_width,
                              double step, const uint8_t *valid, const uint8_t *odd, long height, long width,
                              const double *half, double px_per_mm, int64_t *counts) {
    Camera camera;
    memcpy(&camera, camera_, sizeof camera);
    double M[9];
    plane_in_camera(&camera, pose, M);
    counts[0] = counts[1] = counts[2] = 0;
    for (long i = 0; i < n; i++) {
        double X = places[i], Y = places[n + i], u, v;
        project(&camera, M, X, Y, &u, &v);
        if (!(u >= 0.0 && v >= 0.0 && u < frame[1] && v < frame[0])) continue;
        if (is_claimed(claims, claims_height, claims_width, step, u, v)) continue;
        counts[0]++;
        if (!valid) continue;
        double column = rint((pose[0] * X + pose[1] * Y + pose[9] + half[0]) * px_per_mm);
        double row = rint((half[1] - (pose[3] * X + pose[4] * Y + pose[10])) * px_per_mm);
        if (!(column >= 0.0 && row >= 0.0 && column < (double)width && row < (double)height)) continue;
        long at = (long)row * width + (long)column;
        counts[1] += valid[at] != 0;
        counts[2] += valid[at] != 0 && odd[at] != 0;
    }
    return 1;
}

ON_EVERY_CPU(int, arena_in_view,
             (const double *camera_, const double *pose, const double *places, long n, const double *frame,
              const uint8_t *claims, long claims_height, long claims_width, double step, const uint8_t *valid,
              const uint8_t *odd, long height, long width, const double *half, double px_per_mm, int64_t *counts),
             (camera_, pose, places, n, frame, claims, claims_height, claims_width, step, valid, odd, height, width, half,
              px_per_mm, counts))

/* ---- where places on a card are seen: reading/cards/known.py, `seen_at` ---- */

/* The pixels (2, n) of places (2, n) on a card, x and y in mm, and free (n): 0 where a claim covers them, as above, else 1;
 * 1 everywhere without claims. */
INLINE int arena_seen_at_body(const double *camera_, const double *pose, const double *places, long n,
                              const uint8_t *claims, long height, long width, double step, double *pixels, double *free_) {
    Camera camera;
    memcpy(&camera, camera_, sizeof camera);
    double M[9], *across = pixels, *down = pixels + n;
    plane_in_camera(&camera, pose, M);
#pragma omp simd
    for (long i = 0; i < n; i++) {
        double u, v;
        project(&camera, M, places[i], places[n + i], &u, &v);
        across[i] = u;
        down[i] = v;
    }
    for (long i = 0; i < n; i++)
        free_[i] = claims && is_claimed(claims, height, width, step, across[i], down[i]) ? 0.0 : 1.0;
    return 1;
}

ON_EVERY_CPU(int, arena_seen_at,
             (const double *camera_, const double *pose, const double *places, long n, const uint8_t *claims, long height,
              long width, double step, double *pixels, double *free_),
             (camera_, pose, places, n, claims, height, width, step, pixels, free_))
