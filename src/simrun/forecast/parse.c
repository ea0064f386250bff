/* Queries of simrun forecast: from words to numbers. */
#include "base/known.h"
#include "base/memory.h"
#include "base/units.h"
#include "simrun/forecast/forecast.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 8, SHOWN_HOSTS = 16 };

#define FORMS "allowed: 'KERNEL DIMENSION... on HOST' or 'HOST to HOST [SIZE]'"

static int query_error(const struct query *query, struct sim_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int query_error(const struct query *query, struct sim_error *error, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "forecast '%.100s': %s", query->text, text);
}

/* ---- Names ---- */

static const char *kernel_at(const void *table, int i)
{
    const struct machine *machine = table;
    return i < machine->routines->n_kernels ? machine->routines->kernels[i].name : NULL;
}

static const char *host_at(const void *table, int i)
{
    const struct machine *machine = table;
    return i < machine->net->n_hosts ? machine_host_name(machine, i) : NULL;
}

/* Many hosts are not listed: their names differ in a number. */
static int unknown_host(const struct query *query, const char *name, const struct machine *machine,
                        struct sim_error *error)
{
    char known[512];
    if (machine->net->n_hosts <= SHOWN_HOSTS)
        known_format(known, sizeof known, name, host_at, machine);
    else
        snprintf(known, sizeof known, "; known: %.60s ... %.60s (%d hosts)", host_at(machine, 0),
                 host_at(machine, machine->net->n_hosts - 1), machine->net->n_hosts);
    return query_error(query, error, "unknown host '%.60s'%s", name, known);
}

static int find_host(int *host, const struct query *query, const char *name, const struct machine *machine,
                     struct sim_error *error)
{
    for (int i = 0; i < machine->net->n_hosts; i++)
        if (strcmp(machine_host_name(machine, i), name) == 0) {
            *host = i;
            return 0;
        }
    return unknown_host(query, name, machine, error);
}

/* ---- Computations ---- */

static int parse_dimensions(struct query *query, char **words, int n_words, struct sim_error *error)
{
    static const char *const names[] = {"no dimensions", "1 dimension (m)", "2 dimensions (m n)",
                                        "3 dimensions (m n k)"};
    int needed = polynomial_dimensions(&query->kernel->polynomial);
    if (query->kernel->polynomial.n_terms == 0 && n_words > 1)
        return query_error(query, error, "%s costs by iteration; allowed: nothing (one), or their number",
                           query->kernel->name);
    if (query->kernel->polynomial.n_terms > 0 && n_words != needed)
        return query_error(query, error, "%s has %s; found %d", query->kernel->name, names[needed], n_words);
    for (int i = 0; i < n_words; i++) {
        int64_t number = 0;
        char why[160];
        if (units_parse(&number, QUANTITY_COUNT, words[i], why, sizeof why) != 0)
            return query_error(query, error, "%s", why);
        if (number < 1 || number > INT_MAX)
            return query_error(query, error, "'%.40s' is out of range; allowed: 1 to %d", words[i], INT_MAX);
        query->dimensions[i] = (int)number;
    }
    query->n_dimensions = n_words;
    return 0;
}

static int parse_computation(struct query *query, char **words, int n_words, const struct machine *machine,
                             struct sim_error *error)
{
    char known[512];
    query->kernel = machine_find_kernel(machine, words[0]);
    if (query->kernel == NULL) {
        known_format(known, sizeof known, words[0], kernel_at, machine);
        return query_error(query, error, "unknown kernel '%.60s'%s", words[0],
                           machine->routines->n_kernels > 0 ? known : "; known: none");
    }
    if (find_host(&query->host, query, words[n_words - 1], machine, error) != 0)
        return -1;
    return parse_dimensions(query, words + 1, n_words - 3, error);
}

/* ---- Messages ---- */

static int parse_message(struct query *query, char **words, int n_words, const struct machine *machine,
                         struct sim_error *error)
{
    char why[160];
    if (find_host(&query->host, query, words[0], machine, error) != 0 ||
        find_host(&query->to_host, query, words[2], machine, error) != 0)
        return -1;
    if (n_words == 4 && units_parse(&query->bytes, QUANTITY_SIZE, words[3], why, sizeof why) != 0)
        return query_error(query, error, "%s", why);
    return 0;
}

/* ---- Either ---- */

static int parse_words(struct query *query, char **words, int n_words, const struct machine *machine,
                       struct sim_error *error)
{
    if (n_words >= 3 && n_words <= 6 && strcmp(words[n_words - 2], "on") == 0)
        return parse_computation(query, words, n_words, machine, error);
    if ((n_words == 3 || n_words == 4) && strcmp(words[1], "to") == 0)
        return parse_message(query, words, n_words, machine, error);
    return query_error(query, error, "not understood; " FORMS);
}

int query_parse(struct query *query, const char *text, const struct machine *machine, struct sim_error *error)
{
    struct query read = {.text = text, .dimensions = {1, 1, 1}, .bytes = -1};
    char *copy = xstrdup(text), *words[MAX_WORDS], *rest = NULL;
    int n_words = 0;
    for (char *word = strtok_r(copy, " \t", &rest); word != NULL && n_words < MAX_WORDS;
         word = strtok_r(NULL, " \t", &rest))
        words[n_words++] = word;
    int status = parse_words(&read, words, n_words, machine, error);
    free(copy);
    if (status == 0)
        *query = read;
    return status;
}

bool query_is_extrapolated(const struct query *query)
{
    const struct polynomial *polynomial = &query->kernel->polynomial;
    for (int i = 0; polynomial->n_terms > 0 && i < query->n_dimensions; i++)
        if (query->dimensions[i] < polynomial->from || query->dimensions[i] > polynomial->to)
            return true;
    return false;
}
