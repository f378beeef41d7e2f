/* The colours of round prints: in the light that fits each best, and in any shade. */
#include "common.h"

/* ---- powers ---- */

/* x to a power, where x is not negative; to 2e-7 of it. 2 to the y times the binary logarithm: both by series, on numbers
 * between 1 / sqrt 2 and sqrt 2 and between -1/2 and 1/2, so that a compiler makes vectors of a loop. */
INLINE float power(float x, float y) {
    uint32_t bits;
    float held = x > 1e-30f ? x : 1e-30f;
    memcpy(&bits, &held, sizeof bits);
    int32_t exponent = (int32_t)((bits + 0x004afb0du) >> 23) - 127;
    bits -= (uint32_t)exponent << 23;
    float m;
    memcpy(&m, &bits, sizeof m);
    /* ln m = 2 artanh t */
    float t = (m - 1.0f) / (m + 1.0f), tt = t * t;
    float series = 2.885390082f + tt * (0.961796694f + tt * (0.577078016f + tt * (0.412198583f + tt * 0.320598898f)));
    float log2x = y * ((float)exponent + t * series);
    float whole = rintf(log2x), rest = (log2x - whole) * 0.69314718056f;
    float e = 1.0f + rest * (1.0f + rest * (0.5f + rest * (0.1666666667f + rest * (0.0416666667f + rest *
              (0.0083333333f + rest * 0.0013888889f)))));
    whole = whole < -126.0f ? -126.0f : whole;
    uint32_t scale = (uint32_t)((int32_t)whole + 127) << 23;
    float two;
    memcpy(&two, &scale, sizeof two);
    return x > 0.0f ? e * two : 0.0f;
}

/* ---- prints in the light that fits each best: tokens/discs/lit_discs.py, `_fit` ---- */

/* What one place shows: m samples as rows of a channel each, (3, m), as grey levels and as light, and one over the square
 * of the light that a grey level's spread is; weights (m) of sum 1; what white paper sends back. */
typedef struct {
    long m;
    const float *seen, *target, *certain, *weight;
    double paper[3];
} Shown;

/* rules: the curve's power; darkest, brightest, least and most gloss; the spreads of the brightness's logarithm and of the
 * gloss; grey levels within which a sample is as printed; spread of the colours, greatest cost of a sample; spread of the
 * grain, how many samples speak for themselves, greatest cost of one; how often it is fitted; spread of what all samples
 * are off in common. */
enum { CURVE, DARKEST, BRIGHTEST, LEAST_GLOSS, MOST_GLOSS, BRIGHT_SD, GLOSS_SD, WITHIN, OFF_SD, MISTAKE, GRAIN_SD, SAMPLES,
       FLAW, FITS, COMMON_SD };

INLINE float least_of(float a, float b) { return a < b ? a : b; }

/* How far the i-th of m samples is off in the channel in which it is most. */
INLINE float greatest_of(const float *off, long m, long i) {
    float x = fabsf(off[i]), y = fabsf(off[m + i]), z = fabsf(off[2 * m + i]);
    x = x > y ? x : y;
    return x > z ? x : z;
}

/* Share explained, cost, details and gloss, in `found` (4), of a print whose light is (3, m). `off` (3, m) and `odd` (m)
 * are room to reckon in. */
INLINE void fit_of(const Shown *shown, const float *print, const double *rules, float *off, float *odd, double *found) {
    long m = shown->m;
    double bright = 1.0, gloss = 0.0, explained = 0.0;
    float root = (float)(1.0 / rules[CURVE]), within = (float)(1.0 / rules[WITHIN]);
    for (long i = 0; i < m; i++) odd[i] = 1.0f;
    for (int fit = 0; fit < (int)rules[FITS]; fit++) {
        double a = 0.0, b = 0.0, c = 0.0, p = 0.0, q = 0.0;
        for (int channel = 0; channel < 3; channel++) {
            const float *certain = shown->certain + channel * m, *target = shown->target + channel * m;
            const float *light = print + channel * m;
            float ll = 0.0f, l1 = 0.0f, w1 = 0.0f, lt = 0.0f, wt = 0.0f;
#pragma omp simd reduction(+ : ll, l1, w1, lt, wt)
            for (long i = 0; i < m; i++) {
                float w = shown->weight[i] * odd[i] * certain[i], v = w * light[i];
                ll += v * light[i], l1 += v, w1 += w, lt += v * target[i], wt += w * target[i];
            }
            double paper = shown->paper[channel], square = paper * paper;
            a += square * (double)ll, b += square * (double)l1, c += square * (double)w1;
            p += paper * (double)lt, q += paper * (double)wt;
        }
        double pull = 1.0 / (rules[BRIGHT_SD] * rules[BRIGHT_SD]);
        a += pull, p += pull, c += 1.0 / (rules[GLOSS_SD] * rules[GLOSS_SD]);
        double all = a * c - b * b;
        bright = lesser_of(greater_of((c * p - b * q) / all, rules[DARKEST]), rules[BRIGHTEST]);
        gloss = lesser_of(greater_of((a * q - b * p) / all, rules[LEAST_GLOSS]), rules[MOST_GLOSS]);
        for (int channel = 0; channel < 3; channel++) {
            float by = (float)(bright * shown->paper[channel]), more = (float)(gloss * shown->paper[channel]);
            const float *light = print + channel * m, *seen = shown->seen + channel * m;
            float *to = off + channel * m;
#pragma omp simd
            for (long i = 0; i < m; i++) to[i] = seen[i] - 255.0f * power(by * light[i] + more, root);
        }
#pragma omp simd
        for (long i = 0; i < m; i++) {
            float most = greatest_of(off, m, i) * within;
            float trust = 1.0f / (1.0f + most * most);
            odd[i] = trust * trust;
        }
    }
    double whole = 0.0, trusted = 0.0, common[3] = {0.0, 0.0, 0.0}, detail = 0.0, apart = 0.0;
    float per = (float)(1.0 / rules[OFF_SD]), grain = (float)(1.0 / rules[GRAIN_SD]);
    for (long i = 0; i < m; i++) {
        float x = off[i] * per, y = off[m + i] * per, z = off[2 * m + i] * per, w = shown->weight[i];
        float most = greatest_of(off, m, i);
        explained += most < (float)rules[WITHIN] ? (double)w : 0.0;
        whole += (double)(w * least_of(0.5f * (x * x + y * y + z * z), (float)rules[MISTAKE]));
        float trust = w * odd[i];
        trusted += (double)trust;
        for (int channel = 0; channel < 3; channel++) common[channel] += (double)(trust * off[channel * m + i]);
    }
    trusted = trusted > 1e-9 ? trusted : 1e-9;
    for (int channel = 0; channel < 3; channel++) {
        common[channel] /= trusted;
        apart += common[channel] * common[channel];
    }
    for (long i = 0; i < m; i++) {
        float x = (off[i] - (float)common[0]) * grain, y = (off[m + i] - (float)common[1]) * grain;
        float z = (off[2 * m + i] - (float)common[2]) * grain;
        detail += (double)(shown->weight[i] * least_of(0.5f * (x * x + y * y + z * z), (float)rules[FLAW]));
    }
    double dark = log(bright) / rules[BRIGHT_SD], pale = gloss / rules[GLOSS_SD];
    double prior = 0.5 * dark * dark + 0.5 * pale * pale;
    found[0] = explained, found[1] = whole + prior, found[3] = gloss;
    found[2] = 0.5 * apart / (rules[COMMON_SD] * rules[COMMON_SD]) + rules[SAMPLES] * detail + prior;
}

/* Of n places, `seen` (n, rings, angles, 3) with weights (n, rings, angles), how each of the prints, whose light is
 * (kinds, rings, angles, 3), is explained when it is turned by `turn` (n, kinds) samples: `found` (n, kinds, 4). `white` (3):
 * what white paper sends back, a share of a full grey level. */
INLINE int arena_lit_discs_body(const float *seen, const double *weight, long n, const int64_t *shape, const float *prints,
                                const int64_t *turn, const double *white, const double *rules, double *found) {
    long rings = (long)shape[0], angles = (long)shape[1], kinds = (long)shape[2], m = rings * angles;
    float *room = malloc(sizeof(float) * (size_t)(17 * m));
    if (!room) return 0;
    float *grey = room, *target = room + 3 * m, *certain = room + 6 * m, *light = room + 9 * m, *off = room + 12 * m;
    float *odd = room + 15 * m, *share = room + 16 * m;
    Shown shown = {m, grey, target, certain, share, {0.0, 0.0, 0.0}};
    float curve = (float)rules[CURVE];
    for (int c = 0; c < 3; c++) shown.paper[c] = pow(white[c], rules[CURVE]);
    for (long i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++)
            for (long j = 0; j < m; j++) grey[c * m + j] = seen[3 * (i * m + j) + c];
        for (long j = 0; j < m; j++) share[j] = (float)weight[i * m + j];
        float spread = (float)(rules[CURVE] / 255.0 * rules[OFF_SD]);
#pragma omp simd
        for (long j = 0; j < 3 * m; j++) {
            float level = grey[j] * (1.0f / 255.0f);
            target[j] = power(level, curve);
            float slope = power(level > 0.1f ? level : 0.1f, curve - 1.0f) * spread;
            certain[j] = 1.0f / (slope * slope);
        }
        for (long k = 0; k < kinds; k++) {
            long by = (long)turn[i * kinds + k];
            for (long r = 0; r < rings; r++)
                for (long a = 0; a < angles; a++) {
                    const float *from = prints + 3 * ((k * rings + r) * angles + (a - by < 0 ? a - by + angles : a - by));
                    for (int c = 0; c < 3; c++) light[c * m + r * angles + a] = from[c];
                }
            fit_of(&shown, light, rules, off, odd, found + 4 * (i * kinds + k));
        }
    }
    free(room);
    return 1;
}

ON_EVERY_CPU(int, arena_lit_discs,
             (const float *seen, const double *weight, long n, const int64_t *shape, const float *prints, const int64_t
              *turn, const double *white, const double *rules, double *found),
             (seen, weight, n, shape, prints, turn, white, rules, found))

/* ---- colours in any shade: tokens/discs/shades.py, `off_shaded` ---- */

/* By how many grey levels colours (n, 3) differ from print (n, 3) in the best of the shades (count), at most so many: the
 * greatest of the channels, in `found` (n). */
INLINE int arena_off_shaded_body(const double *seen, const double *printed, long n, const double *shades, long count,
                                 double most, double *found) {
    for (long i = 0; i < n; i++) {
        const double *s = seen + 3 * i, *p = printed + 3 * i;
        double best = most;
        for (long k = 0; k < count; k++) {
            double x = fabs(s[0] - shades[k] * p[0]), y = fabs(s[1] - shades[k] * p[1]), z = fabs(s[2] - shades[k] * p[2]);
            x = x > y ? x : y;
            x = x > z ? x : z;
            best = x < best ? x : best;
        }
        found[i] = best;
    }
    return 1;
}

ON_EVERY_CPU(int, arena_off_shaded,
             (const double *seen, const double *printed, long n, const double *shades, long count, double most, double
              *found),
             (seen, printed, n, shades, count, most, found))

/* ---- the light of whole tokens: tokens/discs/token_colours.py, `_light` ---- */

/* The gain of each channel and what is added to all, times `tint` (3), in `found` (4): in that light prints (3, n) are as
 * seen (3, n), by their weights (n). rules: usual gain, its weight, grey levels beyond which a sample is trusted less, how
 * often it is fitted. `trusted` (n) is room to reckon in. */
INLINE int arena_token_light_body(const double *prints, const double *seen, const double *weight, long n, const double *tint,
                                  const double *rules, double *trusted, double *found) {
    const double *px = prints, *py = prints + n, *pz = prints + 2 * n, *sx = seen, *sy = seen + n, *sz = seen + 2 * n;
    memcpy(trusted, weight, sizeof(double) * (size_t)n);
    double full[3], square = 0.0;
    for (int c = 0; c < 3; c++) full[c] = 255.0 * tint[c], square += full[c] * full[c];
    for (int fit = 0; fit < (int)rules[3]; fit++) {
        double w0 = 0, p0 = 0, p1 = 0, p2 = 0, q0 = 0, q1 = 0, q2 = 0, r0 = 0, r1 = 0, r2 = 0, s0 = 0, s1 = 0, s2 = 0;
#pragma omp simd reduction(+ : w0, p0, p1, p2, q0, q1, q2, r0, r1, r2, s0, s1, s2)
        for (long i = 0; i < n; i++) {
            double w = trusted[i], a = w * px[i], b = w * py[i], c = w * pz[i];
            w0 += w, p0 += a, p1 += b, p2 += c, q0 += a * px[i], q1 += b * py[i], q2 += c * pz[i];
            r0 += a * sx[i], r1 += b * sy[i], r2 += c * sz[i], s0 += w * sx[i], s1 += w * sy[i], s2 += w * sz[i];
        }
        const double p[3] = {p0 / w0, p1 / w0, p2 / w0}, q[3] = {q0 / w0, q1 / w0, q2 / w0};
        const double r[3] = {r0 / w0, r1 / w0, r2 / w0}, s[3] = {s0 / w0, s1 / w0, s2 / w0};
        double normal[16] = {0.0};
        found[3] = 0.0;
        for (int c = 0; c < 3; c++) {
            normal[5 * c] = q[c] + rules[1], normal[4 * c + 3] = normal[12 + c] = full[c] * p[c];
            found[c] = r[c] + rules[1] * rules[0], found[3] += s[c] * full[c];
        }
        normal[15] = square + 3.0 * rules[1];
        if (!solve(normal, found, 4, 1)) return 0;
        if (fit + 1 == (int)rules[3]) break;
        double by[3], more[3], soft = 1.0 / rules[2];
        for (int c = 0; c < 3; c++) by[c] = found[c], more[c] = found[3] * full[c];
#pragma omp simd
        for (long i = 0; i < n; i++) {
            double x = fabs(px[i] * by[0] + more[0] - sx[i]), y = fabs(py[i] * by[1] + more[1] - sy[i]);
            double z = fabs(pz[i] * by[2] + more[2] - sz[i]);
            x = x > y ? x : y;
            x = (x > z ? x : z) * soft;
            trusted[i] = weight[i] / (1.0 + x * x);
        }
    }
    return 1;
}

ON_EVERY_CPU(int, arena_token_light,
             (const double *prints, const double *seen, const double *weight, long n, const double *tint, const double
              *rules, double *trusted, double *found),
             (prints, seen, weight, n, tint, rules, trusted, found))
