/* The incomplete beta function, and the quantiles of t and F that follow from it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/distributions.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* lnΓ(x) - ((x - 1/2) ln x - x + ln(2 pi) / 2) for x >= 10 (DLMF 5.11.1); what is left out is below 1e-16. */
static double stirling_rest(double x)
{
    static const double terms[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                   1.0 / 1188, -691.0 / 360360, 1.0 / 156};
    double sum = 0, square = x * x, power = 1 / x;
    for (int i = 0; i < (int)(sizeof terms / sizeof *terms); i++, power /= square)
        sum += terms[i] * power;
    return sum;
}

static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* ln B(a, b). For large numbers, lnΓ(a) and lnΓ(a + b) would cancel each other. */
static double log_beta(double a, double b)
{
    double large = fmax(a, b), small = fmin(a, b);
    if (large < 10)
        return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    return log_gamma(small) - (large - 0.5) * log1p(small / large) - small * log(large + small) + small +
           stirling_rest(large) - stirling_rest(large + small);
}

/* ln(1 + u) - u, which for a small u would cancel: by ln(1 + u) = 2 artanh(r), r = u / (2 + u) (DLMF 4.6.4), where the
 * series is left after r^35 / 35. */
static double log1p_rest(double u)
{
    double r = u / (2 + u), square = r * r, sum = 0;
    if (fabs(u) > 0.5)
        return log1p(u) - u;
    for (int i = 35; i >= 3; i -= 2)
        sum = sum * square + 1.0 / i;
    return r * (2 * square * sum - u);
}

/* A place in the F distribution: x = n / (n + m f), where P(F > f) = I_x(n / 2, m / 2) (AS 26.6.2), and y = 1 - x. */
struct place {
    double a, b; /* n / 2 and m / 2 */
    double x, y;
};

static struct place place_at(double log_f, double above, double below)
{
    double f = exp(log_f), all = below + above * f;
    return (struct place){below / 2, above / 2, below / all, above * f / all};
}

static struct place mirrored(const struct place *place)
{
    return (struct place){place->b, place->a, place->y, place->x};
}

/* a - (a + b) x, which would cancel where x is close to 1: at least 0 where f is at least 1. */
static double beyond_one(const struct place *place)
{
    return place->a * place->y - place->b * place->x;
}

/* x^a y^b / B(a, b). For large a and b the powers and B are huge, but close to each other at x = a / (a + b): with
 * Stirling's formula for each gamma function of B, it is sqrt(a b / (2 pi (a + b))) (x (a + b) / a)^a (y (a + b) / b)^b
 * times the exponential of the rests. */
static double beta_factor(const struct place *place)
{
    static const double two_pi = 6.283185307179586477;
    double a = place->a, b = place->b, x = place->x, y = place->y;
    if (fmin(a, b) < 10) {
        double log_x = x > y ? log1p(-y) : log(x), log_y = x > y ? log(y) : log1p(-x);
        return exp(a * log_x + b * log_y - log_beta(a, b));
    }
    double beyond = beyond_one(place), powers = a * log1p_rest(-beyond / a) + b * log1p_rest(beyond / b);
    return sqrt(a / (a + b) * b / two_pi) * exp(powers + stirling_rest(a + b) - stirling_rest(a) - stirling_rest(b));
}

/* x^a y^b / B(a, b) over I_x(a, b), for x of at most a / (a + b). By DLMF 8.17.22 it is a (1 + d1 / (1 + d2 / ...)),
 * of which this is the even part,
 *
 *     a (1 + d1 - d1 d2 / (1 + d2 + d3 - d3 d4 / (1 + d4 + d5 - ...))),
 *
 * where the m-th denominator is multiplied by a + 2 m. For x close to 1 the sums of d would cancel; in terms of
 * a y - b x, as here, they do not. By Lentz's method: no d and c comes near 0, because the denominators are positive,
 * and what is added to them takes less than half of them away. */
static double beta_fraction(const struct place *place)
{
    const int most = 10000; /* up to 500 are needed for a million degrees of freedom */
    double a = place->a, b = place->b, x = place->x, y = place->y, beyond = beyond_one(place);
    double fraction = a * (1 + beyond) / (a + 1), c = fraction, d = 0;
    for (int m = 1; m < most; m++) {
        double middle = a + 2 * m - 1, part = m * (b - m) * x / middle;
        double numerator = (a + m - 1) * (a + b + m - 1) * x / middle * part;
        double denominator = m + part + (a + m) / (a + 2 * m + 1) * (beyond + 1 + m * (1 + y));
        d = 1 / (denominator + numerator * d);
        c = denominator + numerator / c;
        fraction *= c * d;
        if (fabs(c * d - 1) < DBL_EPSILON)
            break;
    }
    return fraction;
}

/* Newton's method in u = ln f, for the logarithm of the smaller of the two given probabilities, `upper` of f being
 * exceeded and `lower` of not, which add up to 1. Its slope is x^a y^b / B over the probability; bisection narrows the
 * bounds where a step leaves them. Below the step at which it ends, the next one is below rounding. */
static double log_quantile(double upper, double lower, double above, double below)
{
    double low = -600, high = 600, u = 0, wanted = fmin(upper, lower);
    bool of_upper = upper <= lower;
    for (int i = 0; i < 200; i++) {
        struct place place = place_at(u, above, below), other = mirrored(&place);
        bool is_beyond = beyond_one(&place) >= 0;
        double factor = beta_factor(&place), tail = factor / beta_fraction(is_beyond ? &place : &other);
        if (is_beyond != of_upper)
            tail = 1 - tail;
        if ((tail > wanted) == of_upper)
            low = u;
        else
            high = u;
        double step = log(tail / wanted) * tail / factor, next = of_upper ? u + step : u - step;
        bool is_inside = next >= low && next <= high;
        u = is_inside ? next : (low + high) / 2;
        if (is_inside && fabs(step) <= 1e-10)
            break;
    }
    return u;
}

double fisher_f_upper(double p, double above, double below)
{
    return exp(log_quantile(p, 1 - p, above, below));
}

/* The square of t has an F distribution with 1 and `degrees` degrees of freedom, and t is symmetric. */
double student_t_upper(double p, double degrees)
{
    return p < 0.5 ? exp(log_quantile(2 * p, 1 - 2 * p, 1, degrees) / 2) : 0;
}

/* By the finite sums of AS 26.7.3 and 26.7.4 in the angle whose tangent is t / sqrt(degrees); with many degrees by the
 * normal distribution, at the place of AS 26.7.8. */
double student_t_below(double t, int degrees)
{
    static const double pi = 3.14159265358979323846;
    if (degrees > 200)
        return 0.5 * erfc(-t * (1 - 0.25 / degrees) / sqrt(1 + t * t / (2.0 * degrees)) / sqrt(2));
    double share = 1 / (1 + t * t / degrees), sine = t * sqrt(share / degrees), term = 1, sum = degrees > 1;
    if (degrees % 2 == 0) {
        for (int k = 2; k <= degrees - 2; k += 2)
            sum += term *= share * (k - 1) / k;
        return 0.5 + 0.5 * sine * sum;
    }
    for (int k = 3; k <= degrees - 2; k += 2)
        sum += term *= share * (k - 1) / k;
    return 0.5 + (atan(t / sqrt(degrees)) + sine * sqrt(share) * sum) / pi;
}
