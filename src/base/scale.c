/* Numbers for readers: units and digits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/scale.h"

#include <math.h>
#include <stdio.h>

struct step {
    double from; /* the least value that is written in the unit */
    double factor;
    const char *name;
};

static const struct step times[] = {
    {31557600, 1 / 31557600., "years"}, {1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
static const struct step sizes[] = {{1e9, 1e-9, "GB"}, {1e6, 1e-6, "MB"}, {1e3, 1e-3, "kB"}, {0, 1, "B"}};
static const struct step rates[] = {{1e9, 1e-9, "GB/s"}, {1e6, 1e-6, "MB/s"}, {1e3, 1e-3, "kB/s"}, {0, 1, "B/s"}};

/* Four digits in all. */
static int decimals_of(double shown)
{
    return shown >= 999.95 ? 0 : shown >= 99.995 ? 1 : shown >= 9.9995 ? 2 : 3;
}

struct scale scale_for(enum unit unit, double largest)
{
    const struct step *step = unit == UNIT_SECONDS ? times : unit == UNIT_BYTES ? sizes : rates;
    if (unit != UNIT_SECONDS && unit != UNIT_BYTES && unit != UNIT_BANDWIDTH)
        return (struct scale){1, "", decimals_of(largest)};
    if (unit == UNIT_SECONDS && !(largest > 0)) /* of no time, as it is of little */
        return (struct scale){1e6, "us", 3};
    while (largest < step->from * 0.99995) /* what is written as 1000.0 ms is 1.000 s */
        step++;
    return (struct scale){step->factor, step->name,
                          unit == UNIT_BYTES && step->from <= 0 ? 0 : decimals_of(largest * step->factor)};
}

struct scale scale_digits(struct scale scale, double least)
{
    double shown = isfinite(least) ? least * scale.factor : 0;
    scale.decimals = shown >= 1000 ? 0 : shown >= 10 ? 1 : shown >= 1 ? 2 : 3;
    return scale;
}

/* Four digits, without an exponent up to nine: "0.00649", "16500". */
static void format_number(char *text, size_t size, double value)
{
    double magnitude = fabs(value);
    if (!(magnitude >= 1e4 && magnitude < 1e9)) {
        snprintf(text, size, "%.4g", value + 0.0); /* never -0 */
        return;
    }
    double unit = pow(10, floor(log10(magnitude)) - 3);
    snprintf(text, size, "%.0f", round(value / unit) * unit);
}

const char *scale_format(char *text, size_t size, enum unit unit, double value)
{
    const struct scale scale = scale_for(unit, fabs(value));
    if (!isfinite(value))
        snprintf(text, size, "%s",
                 !isnan(value) && unit == UNIT_SECONDS     ? "never"
                 : !isnan(value) && unit == UNIT_BANDWIDTH ? "unlimited"
                                                           : "-");
    else if (unit == UNIT_COUNT || unit == UNIT_TEXT)
        snprintf(text, size, "%.0f", value);
    else if (unit == UNIT_RATIO)
        snprintf(text, size, "%.*f",
                 fabs(value) >= 100  ? 0
                 : fabs(value) >= 10 ? 1
                                     : 2,
                 fabs(value) < 0.005 ? 0.0 : value); /* without the sign of what is written as 0 */
    else if (unit == UNIT_SHARE)
        snprintf(text, size, "%.*f %%", fabs(value) < 10 ? 1 : 0, fabs(value) < 0.0005 ? 0.0 : 100 * value);
    else if (unit == UNIT_DIFFERENCE)
        snprintf(text, size, "%+.1f %%", 100 * value);
    else if (unit == UNIT_SLOWDOWN)
        snprintf(text, size, value > 0 && value < 0.01 ? "x < 0.01" : value < 100 ? "x %.2f" : "x %.0f", value);
    else if (unit == UNIT_NUMBER)
        format_number(text, size, value);
    else
        snprintf(text, size, "%.*f %s", scale.decimals, value * scale.factor, scale.name);
    return text;
}
