/* The costs of kernels: read from props, found by name, evaluated.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/cost_props.h"
#include "sim/machine/machine.h"

#include "base/memory.h"
#include "base/range.h"

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
        kernel->work_ps[c] = round_product(by_component[c], (double)cycle_ps, scale);
    return 0;
}

/* ---- By component, as a polynomial, or by a table ---- */

bool machine_is_table(const struct machine_prop *prop)
{
    return strncmp(prop->id, "kernel.", 7) == 0 && strncmp(prop->value, "table", 5) == 0 &&
           (prop->value[5] == ' ' || prop->value[5] == '\0');
}

/* Read the kernel's name, which stands behind the dot of the prop's id. */
static int read_name(char *name, size_t size, const struct machine_prop *prop, struct sim_error *error)
{
    const char *given = strchr(prop->id, '.') + 1;
    if (given[0] == '\0' || strlen(given) >= size)
        return machine_prop_error(prop, NULL, error, "the kernel's name must have 1 to %zu characters", size - 1);
    snprintf(name, size, "%s", given);
    return 0;
}

static int read_law(struct kernel_cost *kernel, const struct machine_prop *prop, law_reader *read,
                    struct sim_error *error)
{
    struct kernel_law *law;
    if (read == NULL)
        return machine_prop_error(prop, NULL, error,
                                  "names a table, which only a platform file can: here no files are read; allowed: "
                                  "cycles such as 'cpu=58', or 'poly mnk=4ns'");
    if (read(&law, prop, kernel->name, error) != 0)
        return -1;
    kernel->law = law;
    return 0;
}

int machine_kernel_read(struct kernel_cost *kernel, const struct machine_prop *prop, int64_t cycle_ps, double scale,
                        law_reader *read_table, struct sim_error *error)
{
    struct kernel_cost read = {.name = ""};
    if (read_name(read.name, sizeof read.name, prop, error) != 0)
        return -1;
    if (machine_is_table(prop)) {
        if (read_law(&read, prop, read_table, error) != 0)
            return -1;
        *kernel = read;
        return 0;
    }
    if (machine_lacks_poly(prop))
        return machine_prop_error(prop, NULL, error,
                                  "'%.80s' lacks the word poly; a polynomial is 'poly mnk=4ns', cycles are 'cpu=58'",
                                  prop->value);
    int status = machine_is_polynomial(prop) ? machine_polynomial_read(&read.polynomial, POLYNOMIAL_TIME, prop, error)
                                             : read_cycles(&read, prop, cycle_ps, scale, error);
    if (status == 0)
        *kernel = read;
    return status;
}

int machine_need_read(struct memory_need *need, const struct machine_prop *prop, struct sim_error *error)
{
    struct memory_need read = {.name = ""};
    if (read_name(read.name, sizeof read.name, prop, error) != 0)
        return -1;
    if (!machine_is_polynomial(prop))
        return machine_prop_error(prop, NULL, error, "'%.80s' is not a polynomial such as 'poly mk=8B kn=8B mn=8B'",
                                  prop->value);
    if (machine_polynomial_read(&read.polynomial, POLYNOMIAL_SIZE, prop, error) != 0)
        return -1;
    *need = read;
    return 0;
}

/* ---- Where ranks share a host ---- */

static int read_sharing_at(struct kernel_sharing *sharing, const struct machine_prop *prop, const char *token,
                           struct sim_error *error)
{
    struct {
        double times;
    } read = {0};
    const char *rest = "";
    int ranks = 0, last = sharing->n > 0 ? sharing->at[sharing->n - 1].ranks : 1;
    if (machine_prop_whole(&ranks, token, 65536, &rest) != 0 || *rest != '=' || ranks <= last)
        return machine_prop_error(
            prop, NULL, error, "'%.80s' is not RANKS=TIMES such as 4=1.3, in rising order from %d on", token, last + 1);
    if (sharing->n == SHARING_MOST)
        return machine_prop_error(prop, NULL, error, "has more than %d numbers of ranks", SHARING_MOST);
    const struct machine_field field = {NULL, FIELD_NUMBER, offsetof(__typeof__(read), times), 1, 65536};
    const struct machine_prop value = {prop->id, (char *)(rest + 1), prop->file, prop->line};
    if (machine_prop_parse(&read, &value, &field, 1, error) != 0)
        return -1;
    sharing->at[sharing->n].ranks = ranks;
    sharing->at[sharing->n++].times = read.times;
    return 0;
}

int machine_sharing_read(struct kernel_sharing *sharing, const struct machine_prop *prop, struct sim_error *error)
{
    *sharing = (struct kernel_sharing){.n = 0};
    if (read_name(sharing->name, sizeof sharing->name, prop, error) != 0)
        return -1;
    char *copy = xstrdup(prop->value), *rest = NULL;
    int status = 0;
    for (char *token = strtok_r(copy, " \t\r\n", &rest); token != NULL && status == 0;
         token = strtok_r(NULL, " \t\r\n", &rest))
        status = read_sharing_at(sharing, prop, token, error);
    free(copy);
    if (status == 0 && sharing->n == 0)
        return machine_prop_error(prop, NULL, error, "is empty; RANKS=TIMES such as 4=1.3 is needed");
    return status;
}

double kernel_sharing_times(const struct kernel_sharing *sharing, int ranks)
{
    double ranks_before = 1, times_before = 1;
    for (int i = 0; i < sharing->n; i++) {
        double to = sharing->at[i].ranks, times = sharing->at[i].times;
        if (ranks <= to)
            return times_before + (times - times_before) * (ranks - ranks_before) / (to - ranks_before);
        ranks_before = to;
        times_before = times;
    }
    return times_before;
}

/* ---- Costs ---- */

/* A call that takes less than half a picosecond has no time, either. */
static int64_t law_ps(const struct kernel_cost *cost, const struct law_call *call)
{
    if (!law_suits(cost->law, call))
        return -1;
    double ps = 1e12 * law_value_s(cost->law, call, 0);
    return ps > 0 && ps < 9e18 ? llround(ps) : -1;
}

int64_t machine_kernel_ps(const struct kernel_cost *cost, int64_t times, int m, int n, int k,
                          int64_t work_ps[N_WORK_COMPONENTS])
{
    int64_t total = 0, call[N_WORK_COMPONENTS] = {0};
    memcpy(call, cost->work_ps, sizeof call);
    if (cost->law != NULL && times > 0) {
        const struct law_call sizes = law_call(times, m, n, k);
        times = sizes.sizes[LAW_ITERATIONS] > 0 ? 1 : times;
        call[WORK_FPU] = law_ps(cost, &sizes);
    }
    if (cost->polynomial.n_terms > 0) {
        double ps = polynomial_value(&cost->polynomial, m, n, k);
        call[WORK_FPU] = ps > 9e18 ? -1 : llround(ps);
    }
    for (int c = 0; c < N_WORK_COMPONENTS && cost->times > 1; c++)
        call[c] = call[c] < 0 ? -1 : round_product((double)call[c], cost->times, 1);
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        if (call[c] < 0 || __builtin_mul_overflow(call[c], times, &work_ps[c]) ||
            __builtin_add_overflow(total, work_ps[c], &total))
            return -1;
    return total;
}

bool machine_explain_law(char *why, size_t why_size, const struct kernel_cost *cost, int64_t times, int m, int n, int k)
{
    const struct kernel_law *law = cost->law;
    const struct law_call call = law_call(times, m, n, k);
    char sizes[80];
    if (law == NULL || times == 0)
        return false;
    if (call.sizes[LAW_ITERATIONS] > 0)
        snprintf(sizes, sizeof sizes, "iterations=%lld", (long long)times);
    else
        snprintf(sizes, sizeof sizes, "m=%d n=%d k=%d", m, n, k);
    if (!law_suits(law, &call))
        snprintf(why, why_size, "calls %s with %s, but the table of kernel.%s, '%.80s', has other sizes", cost->name,
                 sizes, cost->name, law->table);
    else if (!(law_value_s(law, &call, 0) > 0))
        snprintf(why, why_size, "calls %s with %s, for which the law of kernel.%s, fitted to '%.80s', is not above 0",
                 cost->name, sizes, cost->name, law->table);
    else
        return false;
    return true;
}

static int unknown_kernel(const struct machine *machine, const char *name, struct sim_error *error)
{
    char known[768] = "";
    for (int i = 0; i < machine->routines->n_kernels; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", machine->routines->kernels[i].name);
    return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0, "lacks the kernel '%.60s'; known:%s", name,
                         machine->routines->n_kernels > 0 ? known : " none");
}

const struct kernel_cost *machine_find_kernel(const struct machine *machine, const char *name)
{
    for (int i = 0; i < machine->routines->n_kernels; i++)
        if (strcmp(machine->routines->kernels[i].name, name) == 0)
            return &machine->routines->kernels[i];
    return NULL;
}

const struct memory_need *machine_find_need(const struct machine *machine, const char *name)
{
    for (int i = 0; i < machine->routines->n_needs; i++)
        if (strcmp(machine->routines->needs[i].name, name) == 0)
            return &machine->routines->needs[i];
    return NULL;
}

/* How many times as long as alone its calls take where so many ranks share a memory; 0: unknown. */
static double shared_times(const struct machine *machine, const char *name, int ranks)
{
    const struct routines *routines = machine->routines;
    for (int i = 0; i < routines->n_sharings; i++)
        if (strcmp(routines->sharings[i].name, name) == 0)
            return kernel_sharing_times(&routines->sharings[i], ranks);
    return 0;
}

int machine_bind_kernels(const struct machine *machine, const char *const *names, int count, int sharers,
                         struct kernel_cost *costs, struct sim_error *error)
{
    for (int i = 0; i < count; i++)
        if (machine_find_kernel(machine, names[i]) == NULL)
            return unknown_kernel(machine, names[i], error);
    for (int i = 0; i < count; i++) {
        costs[i] = *machine_find_kernel(machine, names[i]);
        costs[i].times = shared_times(machine, names[i], sharers);
    }
    return 0;
}
