/* The incomplete beta function, and the quantiles of t and F that follow from it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/distributions.h"

#include <float.h>
#include <math.h>

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

/* ln B(a, b). Of a large number, lnΓ(a) and lnΓ(a + b) would cancel each other. */
static double log_beta(double a, double b)
{
    double large = fmax(a, b), small = fmin(a, b);
    if (large < 10)
        return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    return log_gamma(small) - (large - 0.5) * log1p(small / large) - small * log(large + small) + small +
           stirling_rest(large) - stirling_rest(large + small);
}

/* x^a y^b / B(a, b), where y is 1 - x; the smaller of the two is exact. */
static double beta_factor(double a, double b, double x, double y)
{
    double log_x = x > y ? log1p(-y) : log(x), log_y = x > y ? log(y) : log1p(-x);
    return exp(a * log_x + b * log_y - log_beta(a, b));
}

/* The continued fraction of I_x(a, b), by Lentz's method: it converges quickly for x below (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const int most = 100000;
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), fraction = d;
    for (int m = 1; m < most; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        fraction *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        fraction *= c * d;
        if (fabs(c * d - 1) < DBL_EPSILON)
            break;
    }
    return fraction;
}

/* I_x(a, b); y is 1 - x. */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x < (a + 1) / (a + b + 2))
        return beta_factor(a, b, x, y) * beta_fraction(a, b, x) / a;
    return 1 - beta_factor(a, b, x, y) * beta_fraction(b, a, y) / b;
}

/* P(F > f) = I_x(below / 2, above / 2), x = below / (below + above f) (AS 26.6.2). Its logarithm falls with u = ln f,
 * by x^(below / 2) y^(above / 2) / B / P: so u is found by Newton's method, within bounds that bisection narrows. */
double fisher_f_upper(double p, double above, double below)
{
    double low = -600, high = 600, u = 0;
    for (int i = 0; i < 200; i++) {
        double f = above * exp(u), x = below / (below + f), y = f / (below + f);
        double tail = incomplete_beta(below / 2, above / 2, x, y);
        if (tail > p)
            low = u;
        else
            high = u;
        double next = u + log(tail / p) * tail / beta_factor(below / 2, above / 2, x, y);
        if (!(next > low && next < high))
            next = (low + high) / 2;
        double step = fabs(next - u);
        u = next;
        if (step <= 2 * DBL_EPSILON * fmax(1, fabs(u)))
            break;
    }
    return exp(u);
}

/* The square of t has an F distribution with 1 and `degrees` degrees of freedom, and t is symmetric. */
double student_t_upper(double p, double degrees)
{
    return p < 0.5 ? sqrt(fisher_f_upper(2 * p, 1, degrees)) : 0;
}
