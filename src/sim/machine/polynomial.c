/* Polynomials in the dimensions m, n, k of a call: "poly mnk=4.4ns mn=3ns 1=0.5us from=1 to=4096 residual=0.02".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/cost_props.h"

#include "base/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNBOUNDED_TO 1000 /* the end of a range that has none, where the sign of a polynomial is looked at */

/* The quantities that coefficients are amounts of. */
static const struct {
    const char *example, *known;
    struct {
        const char *name;
        double factor;
    } units[8];
} quantities[] = {
    [POLYNOMIAL_TIME] = {"a time such as 4.4ns",
                         "ps ns us ms s",
                         {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}},
    [POLYNOMIAL_SIZE] =
        {"a size such as 8B",
         "B kB MB GB KiB MiB GiB",
         {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}}},
};

/* The exponents that a key such as "mnk", "mm" or "1" stands for; false if it is none. */
static bool parse_monomial(struct polynomial_term *term, const char *key, size_t length)
{
    *term = (struct polynomial_term){0};
    if (length == 1 && key[0] == '1')
        return true;
    for (size_t i = 0; i < length; i++) {
        term->m = (uint8_t)(term->m + (key[i] == 'm'));
        term->n = (uint8_t)(term->n + (key[i] == 'n'));
        term->k = (uint8_t)(term->k + (key[i] == 'k'));
    }
    return length > 0 && length <= 6 && (size_t)(term->m + term->n + term->k) == length;
}

/* An amount that may be negative and a fraction of the base unit. */
static int parse_coefficient(double *factor, enum polynomial_quantity quantity, const char *text, size_t length)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || !isfinite(number))
        return -1;
    for (size_t u = 0; u < 8 && quantities[quantity].units[u].name != NULL; u++) {
        const char *name = quantities[quantity].units[u].name;
        if ((size_t)(text + length - end) == strlen(name) && strncmp(end, name, strlen(name)) == 0) {
            *factor = number * quantities[quantity].units[u].factor;
            return 0;
        }
    }
    return -1;
}

/* One word key=value. */
static int read_word(struct polynomial *polynomial, enum polynomial_quantity quantity, const struct machine_prop *prop,
                     const char *word, size_t length, struct sim_error *error)
{
    const char *equals = memchr(word, '=', length);
    if (equals == NULL)
        return machine_prop_error(prop, NULL, error, "'%.*s' is not key=value", (int)length, word);
    size_t key = (size_t)(equals - word), rest = length - key - 1;
    struct polynomial_term term;
    if (key == 4 && strncmp(word, "from", 4) == 0)
        polynomial->from = strtoll(equals + 1, NULL, 10);
    else if (key == 2 && strncmp(word, "to", 2) == 0)
        polynomial->to = strtoll(equals + 1, NULL, 10);
    else if (key == 8 && strncmp(word, "residual", 8) == 0)
        polynomial->residual = strtod(equals + 1, NULL);
    else if (!parse_monomial(&term, word, key))
        return machine_prop_error(prop, NULL, error,
                                  "unknown key '%.*s'; known: products of m, n and k such as mnk or mm, 1, from, to, "
                                  "residual",
                                  (int)key, word);
    else if (polynomial->n_terms == POLYNOMIAL_MAX_TERMS)
        return machine_prop_error(prop, NULL, error, "more than %d terms", POLYNOMIAL_MAX_TERMS);
    else if (parse_coefficient(&term.factor, quantity, equals + 1, rest) != 0)
        return machine_prop_error(prop, NULL, error, "'%.*s' is not %s; known units: %s", (int)rest, equals + 1,
                                  quantities[quantity].example, quantities[quantity].known);
    else
        polynomial->terms[polynomial->n_terms++] = term;
    return 0;
}

/* ---- Values ---- */

static double power(double base, int exponent)
{
    double product = 1;
    while (exponent-- > 0)
        product *= base;
    return product;
}

static double value_at(const struct polynomial *polynomial, double m, double n, double k)
{
    double sum = 0;
    for (int t = 0; t < polynomial->n_terms; t++) {
        const struct polynomial_term *term = &polynomial->terms[t];
        sum += term->factor * power(m, term->m) * power(n, term->n) * power(k, term->k);
    }
    return sum;
}

bool polynomial_is_negative(const struct polynomial *polynomial, int m, int n, int k)
{
    return value_at(polynomial, m, n, k) < 0;
}

double polynomial_value(const struct polynomial *polynomial, int m, int n, int k)
{
    return fmax(value_at(polynomial, m, n, k), 0);
}

/* ---- The prop ---- */

/* At the corners of its range a call must take some time, and not less than no memory; between them nothing is checked,
 * because a fit to measurements may have negative terms. */
static int check_corners(const struct polynomial *polynomial, enum polynomial_quantity quantity,
                         const struct machine_prop *prop, struct sim_error *error)
{
    bool bounded = polynomial->to < INT64_MAX || polynomial->from > INT64_MAX - UNBOUNDED_TO;
    const int64_t ends[] = {polynomial->from, bounded ? polynomial->to : polynomial->from + UNBOUNDED_TO - 1};
    for (int corner = 0; corner < 8; corner++) {
        int64_t m = ends[corner & 1], n = ends[corner >> 1 & 1], k = ends[corner >> 2];
        double value = value_at(polynomial, (double)m, (double)n, (double)k);
        if (value < 0 || (value == 0 && quantity == POLYNOMIAL_TIME))
            return machine_prop_error(prop, NULL, error,
                                      "the polynomial is %s at m=%lld n=%lld k=%lld; allowed: %s at the ends of its "
                                      "range",
                                      value < 0 ? "negative" : "0", (long long)m, (long long)n, (long long)k,
                                      quantity == POLYNOMIAL_TIME ? "more than 0" : "0 or more");
    }
    return 0;
}

bool machine_is_polynomial(const struct machine_prop *prop)
{
    return strncmp(prop->value, "poly", 4) == 0 && (prop->value[4] == ' ' || prop->value[4] == '\0');
}

bool machine_lacks_poly(const struct machine_prop *prop)
{
    struct polynomial_term term;
    const char *word = prop->value + strspn(prop->value, " ");
    size_t key = strcspn(word, "= ");
    return word[key] == '=' && parse_monomial(&term, word, key);
}

int machine_polynomial_read(struct polynomial *polynomial, enum polynomial_quantity quantity,
                            const struct machine_prop *prop, struct sim_error *error)
{
    const char *word = prop->value + strlen("poly");
    struct polynomial read = {.from = 1, .to = INT64_MAX};
    while (*(word += strspn(word, " ")) != '\0') {
        size_t length = strcspn(word, " ");
        if (read_word(&read, quantity, prop, word, length, error) != 0)
            return -1;
        word += length;
    }
    if (read.n_terms == 0)
        return machine_prop_error(prop, NULL, error, "a polynomial without terms; allowed: terms such as in '%s'",
                                  quantity == POLYNOMIAL_TIME ? "poly mnk=4ns mn=3ns" : "poly mk=8B nk=8B mn=8B");
    if (read.from < 1 || read.to < read.from)
        return machine_prop_error(prop, NULL, error, "from and to are not a range of dimensions");
    if (!(read.residual >= 0))
        return machine_prop_error(prop, "residual", error, "is negative; allowed: a mean deviation of at least 0");
    if (check_corners(&read, quantity, prop, error) != 0)
        return -1;
    *polynomial = read;
    return 0;
}

int polynomial_dimensions(const struct polynomial *polynomial)
{
    int dimensions = 0;
    for (int t = 0; t < polynomial->n_terms; t++) {
        const struct polynomial_term *term = &polynomial->terms[t];
        int highest = term->k > 0 ? 3 : term->n > 0 ? 2 : term->m > 0 ? 1 : 0;
        dimensions = int_max(dimensions, highest);
    }
    return dimensions;
}
