/* What kernels cost: read from props, found by name, evaluated. */
#include "sim/machine.h"

#include "sim/machine_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES_BOUND 1e9
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- By component, in cycles ---- */

/* Cycles of one iteration. */
struct cycles {
    double cpu, fpu, fpu_overlap, internal, external, fetch;
};
static const struct machine_field kernel_fields[] = {
    {"cpu", FIELD_NUMBER, offsetof(struct cycles, cpu), 0, CYCLES_BOUND},
    {"fpu", FIELD_NUMBER, offsetof(struct cycles, fpu), 0, CYCLES_BOUND},
    {"fpu_overlap", FIELD_NUMBER, offsetof(struct cycles, fpu_overlap), 0, CYCLES_BOUND},
    {"internal", FIELD_NUMBER, offsetof(struct cycles, internal), 0, CYCLES_BOUND},
    {"external", FIELD_NUMBER, offsetof(struct cycles, external), 0, CYCLES_BOUND},
    {"fetch", FIELD_NUMBER, offsetof(struct cycles, fetch), 0, CYCLES_BOUND},
};

static int read_cycles(struct kernel_cost *kernel, const struct machine_prop *prop, int64_t cycle_ps, double scale,
                       struct sim_error *error)
{
    struct cycles cycles = {0};
    if (machine_prop_parse(&cycles, prop, kernel_fields, LENGTH(kernel_fields), error) != 0)
        return -1;
    if (cycles.fpu_overlap > cycles.fpu)
        return machine_prop_error(prop, "fpu_overlap", error, "is larger than fpu");
    if (cycle_ps == 0)
        return machine_prop_error(prop, NULL, error, "given in cycles, but the prop cycle is missing");
    const double by_component[N_WORK_COMPONENTS] = {
        [WORK_CPU] = cycles.cpu,
        [WORK_FPU] = cycles.fpu - cycles.fpu_overlap,
        [WORK_EXTERNAL] = cycles.external + cycles.fetch,
        [WORK_INTERNAL] = cycles.internal,
    };
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        kernel->work_ps[c] = llroundl((long double)by_component[c] * (long double)cycle_ps * (long double)scale);
    return 0;
}

/* ---- As a polynomial: poly mnk=4.4ns mn=3ns 1=0.5us from=1 to=4096 residual=0.02 ---- */

/* The exponents that a key such as "mnk", "mm" or "1" stands for; false if it is none. */
static bool parse_monomial(struct kernel_term *term, const char *key, size_t length)
{
    *term = (struct kernel_term){0};
    if (length == 1 && key[0] == '1')
        return true;
    for (size_t i = 0; i < length; i++) {
        term->m = (uint8_t)(term->m + (key[i] == 'm'));
        term->n = (uint8_t)(term->n + (key[i] == 'n'));
        term->k = (uint8_t)(term->k + (key[i] == 'k'));
    }
    return length > 0 && length <= 6 && (size_t)(term->m + term->n + term->k) == length;
}

static const struct {
    const char *name;
    double ps;
} time_units[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};

/* A time that may be negative and a fraction of a picosecond. */
static int parse_coefficient(double *ps, const char *text, size_t length)
{
    char *end;
    double number = strtod(text, &end);
    for (size_t u = 0; u < LENGTH(time_units); u++)
        if (end > text && (size_t)(text + length - end) == strlen(time_units[u].name) &&
            strncmp(end, time_units[u].name, strlen(time_units[u].name)) == 0 && isfinite(number)) {
            *ps = number * time_units[u].ps;
            return 0;
        }
    return -1;
}

/* One word key=value of a polynomial. */
static int read_word(struct kernel_cost *kernel, const struct machine_prop *prop, const char *word, size_t length,
                     struct sim_error *error)
{
    const char *equals = memchr(word, '=', length);
    if (equals == NULL)
        return machine_prop_error(prop, NULL, error, "'%.*s' is not key=value", (int)length, word);
    size_t key = (size_t)(equals - word), rest = length - key - 1;
    struct kernel_term term;
    if (key == 4 && strncmp(word, "from", 4) == 0)
        kernel->from = strtoll(equals + 1, NULL, 10);
    else if (key == 2 && strncmp(word, "to", 2) == 0)
        kernel->to = strtoll(equals + 1, NULL, 10);
    else if (key == 8 && strncmp(word, "residual", 8) == 0)
        kernel->residual = strtod(equals + 1, NULL);
    else if (!parse_monomial(&term, word, key))
        return machine_prop_error(prop, NULL, error,
                                  "unknown key '%.*s'; known: products of m, n and k such as mnk or mm, 1, from, to, "
                                  "residual",
                                  (int)key, word);
    else if (kernel->n_terms == KERNEL_MAX_TERMS)
        return machine_prop_error(prop, NULL, error, "more than %d terms", KERNEL_MAX_TERMS);
    else if (parse_coefficient(&term.ps, equals + 1, rest) != 0)
        return machine_prop_error(prop, NULL, error, "'%.*s' is not a time such as 4.4ns; known units: ps ns us ms s",
                                  (int)rest, equals + 1);
    else
        kernel->terms[kernel->n_terms++] = term;
    return 0;
}

static int read_polynomial(struct kernel_cost *kernel, const struct machine_prop *prop, struct sim_error *error)
{
    const char *word = prop->value + strlen("poly");
    kernel->from = 1;
    kernel->to = INT64_MAX;
    while (*(word += strspn(word, " ")) != '\0') {
        size_t length = strcspn(word, " ");
        if (read_word(kernel, prop, word, length, error) != 0)
            return -1;
        word += length;
    }
    if (kernel->n_terms == 0)
        return machine_prop_error(prop, NULL, error, "a polynomial without terms");
    if (kernel->from < 1 || kernel->to < kernel->from)
        return machine_prop_error(prop, NULL, error, "from and to are no range of dimensions");
    return 0;
}

int machine_kernel_read(struct kernel_cost *kernel, const struct machine_prop *prop, int64_t cycle_ps, double scale,
                        struct sim_error *error)
{
    struct kernel_cost read = {.name = ""};
    const char *name = prop->id + strlen("kernel.");
    if (name[0] == '\0' || strlen(name) >= sizeof read.name)
        return machine_prop_error(prop, NULL, error, "the kernel's name must have 1 to %zu characters",
                                  sizeof read.name - 1);
    snprintf(read.name, sizeof read.name, "%s", name);
    int status = strncmp(prop->value, "poly ", 5) == 0 ? read_polynomial(&read, prop, error)
                                                       : read_cycles(&read, prop, cycle_ps, scale, error);
    if (status == 0)
        *kernel = read;
    return status;
}

/* ---- Costs ---- */

static double power(double base, int exponent)
{
    double product = 1;
    while (exponent-- > 0)
        product *= base;
    return product;
}

/* A fitted polynomial may dip below zero where it was not fitted; no call takes less than nothing. */
static int64_t polynomial_ps(const struct kernel_cost *cost, int m, int n, int k)
{
    double ps = 0;
    for (int t = 0; t < cost->n_terms; t++)
        ps += cost->terms[t].ps * power(m, cost->terms[t].m) * power(n, cost->terms[t].n) * power(k, cost->terms[t].k);
    return ps < 0 ? 0 : ps > 9e18 ? -1 : llround(ps);
}

int64_t machine_kernel_ps(const struct kernel_cost *cost, int64_t times, int m, int n, int k,
                          int64_t work_ps[N_WORK_COMPONENTS])
{
    int64_t total = 0, call[N_WORK_COMPONENTS] = {0};
    memcpy(call, cost->work_ps, sizeof call);
    if (cost->n_terms > 0)
        call[WORK_FPU] = polynomial_ps(cost, m, n, k);
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        if (call[c] < 0 || __builtin_mul_overflow(call[c], times, &work_ps[c]) ||
            __builtin_add_overflow(total, work_ps[c], &total))
            return -1;
    return total;
}

static int unknown_kernel(const struct machine *machine, const char *name, struct sim_error *error)
{
    char known[768] = "";
    for (int i = 0; i < machine->n_kernels; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", machine->kernels[i].name);
    return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0, "lacks the kernel '%.60s'; known:%s", name,
                         machine->n_kernels > 0 ? known : " none");
}

static const struct kernel_cost *find_kernel(const struct machine *machine, const char *name)
{
    for (int i = 0; i < machine->n_kernels; i++)
        if (strcmp(machine->kernels[i].name, name) == 0)
            return &machine->kernels[i];
    return NULL;
}

int machine_bind_kernels(const struct machine *machine, const char *const *names, int count, struct kernel_cost *costs,
                         struct sim_error *error)
{
    for (int i = 0; i < count; i++)
        if (find_kernel(machine, names[i]) == NULL)
            return unknown_kernel(machine, names[i], error);
    for (int i = 0; i < count; i++)
        costs[i] = *find_kernel(machine, names[i]);
    return 0;
}
