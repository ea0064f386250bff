/* Reads the laws of STOCHASTIC profiles, and draws numbers by them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/profile/law.h"

#include "base/hash.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r"

static const struct {
    const char *name;
    enum law_kind kind;
    int n_numbers;
} laws[] = {
    {"DET", LAW_SAME, 1},
    {"NORM", LAW_NORMAL, 2},
    {"NORMAL", LAW_NORMAL, 2},
    {"GAUSS", LAW_NORMAL, 2},
    {"GAUSSIAN", LAW_NORMAL, 2},
    {"EXP", LAW_EXPONENTIAL, 1},
    {"EXPONENTIAL", LAW_EXPONENTIAL, 1},
    {"UNIF", LAW_UNIFORM, 2},
    {"UNIFORM", LAW_UNIFORM, 2},
};

enum { N_LAWS = sizeof laws / sizeof laws[0] };

/* ---- Words ---- */

bool law_has_digits_only(const char *word)
{
    return strspn(word, "0123456789.eE+-") == strlen(word);
}

int law_number(double *value, const char *word)
{
    char *end = NULL;
    if (word != NULL && word[0] == '+')
        word++;
    if (word == NULL || !(isdigit((unsigned char)word[0]) || word[0] == '.') || !law_has_digits_only(word))
        return -1;
    double number = strtod(word, &end);
    if (*end != '\0' || !isfinite(number))
        return -1;
    *value = number;
    return 0;
}

/* N_LAWS: none has the name. */
static int find(const char *name)
{
    int i = 0;
    while (i < N_LAWS && (name == NULL || strcmp(laws[i].name, name) != 0))
        i++;
    return i;
}

bool law_is_name(const char *word)
{
    return find(word) < N_LAWS;
}

static bool is_possible(const struct law *law)
{
    return (law->kind != LAW_EXPONENTIAL || law->first > 0) && (law->kind != LAW_UNIFORM || law->first <= law->second);
}

bool law_read(struct law *law, const char *name, char **rest)
{
    int i = find(name);
    if (i == N_LAWS)
        return false;
    *law = (struct law){.kind = laws[i].kind};
    return law_number(&law->first, strtok_r(NULL, BLANKS, rest)) == 0 &&
           (laws[i].n_numbers == 1 || law_number(&law->second, strtok_r(NULL, BLANKS, rest)) == 0) && is_possible(law);
}

/* ---- Numbers ---- */

double law_draw(const struct law *law, uint64_t i)
{
    switch (law->kind) {
    case LAW_NORMAL:
        return law->first + law->second * pseudo_normal(0, i);
    case LAW_EXPONENTIAL:
        return -log(1 - pseudo_uniform(0, i)) / law->first;
    case LAW_UNIFORM:
        return law->first + (law->second - law->first) * pseudo_uniform(0, i);
    default:
        return law->first;
    }
}
