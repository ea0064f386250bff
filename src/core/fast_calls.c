/* FAST: calls of routines, and what a sequential one takes of a host.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/fast_internal.h"

#include "base/known.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Routines ---- */

const char *fast_routine(const struct fast *fast, int i, bool *is_parallel)
{
    const struct routines *routines = fast->machine->routines;
    bool parallel = i >= routines->n_kernels;
    if (i < 0)
        return NULL;
    if (is_parallel != NULL)
        *is_parallel = parallel;
    if (!parallel)
        return routines->kernels[i].name;
    for (int k = 0; parallel_routines[k].name != NULL; k++)
        if (k == i - routines->n_kernels)
            return parallel_routines[k].name;
    return NULL;
}

static const char *routine_at(const void *fast, int i)
{
    return fast_routine(fast, i, NULL);
}

/* NULL with the error. */
static const struct kernel_cost *find_kernel(const struct fast *fast, const char *name, struct sim_error *error)
{
    char known[512];
    const struct kernel_cost *found = name != NULL ? machine_find_kernel(fast->machine, name) : NULL;
    if (found != NULL)
        return found;
    known_format(known, sizeof known, name != NULL ? name : "", routine_at, fast);
    sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "unknown routine '%.60s'%s", name != NULL ? name : "", known);
    return NULL;
}

/* ---- Dimensions ---- */

int count_dimensions(const struct fast_call *call)
{
    return call->k != 0 ? 3 : call->n != 0 ? 2 : call->m != 0;
}

int refuse_dimensions(const struct fast_call *call, const char *words, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s has %s; found %d", call->routine, words,
                         count_dimensions(call));
}

int check_range(const struct fast_call *call, struct sim_error *error)
{
    const int64_t dimensions[] = {call->m, call->n, call->k};
    for (int i = 0; i < count_dimensions(call); i++)
        if (dimensions[i] < 1 || dimensions[i] > INT_MAX)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "dimension %lld is out of range; allowed: 1 to %d",
                                 (long long)dimensions[i], INT_MAX);
    return 0;
}

/* Dimensions that are not given count as 1. */
static double best_time(const struct kernel_cost *kernel, const struct fast_call *call)
{
    return predict_time_best(kernel, call->m != 0 ? (int)call->m : 1, call->n != 0 ? (int)call->n : 1,
                             call->k != 0 ? (int)call->k : 1);
}

/* The dimensions up to the last that the cost depends on, or that its table has. */
static int count_needed(const struct kernel_cost *kernel)
{
    int needed = polynomial_dimensions(&kernel->polynomial);
    for (int s = LAW_M; kernel->law != NULL && s <= LAW_K; s++)
        needed = kernel->law->to[s] > 0 ? s + 1 : needed;
    return needed;
}

static int check_dimensions(const struct fast_call *call, const struct kernel_cost *kernel, struct sim_error *error)
{
    static const char *const words[] = {"no dimensions", "1 dimension (m)", "2 dimensions (m n)",
                                        "3 dimensions (m n k)"};
    int count = count_dimensions(call), needed = count_needed(kernel);
    bool by_iteration = needed == 0 && kernel->polynomial.n_terms == 0;
    if (by_iteration && count > 1)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "%s costs by iteration; allowed: nothing (one), or their number", kernel->name);
    if (!by_iteration && count != needed)
        return refuse_dimensions(call, words[needed], error);
    if (check_range(call, error) != 0)
        return -1;
    if (kernel->law != NULL && isnan(best_time(kernel, call)))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "the law of kernel.%s, fitted to '%.80s', is not above 0 for this call", kernel->name,
                             kernel->law->table);
    if (polynomial_is_negative(&kernel->polynomial, (int)call->m, (int)call->n, (int)call->k))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "the polynomial kernel.%s is negative for these dimensions",
                             kernel->name);
    return 0;
}

/* The routine of a call that can be made; NULL with the error. */
static const struct kernel_cost *check_call(const struct fast *fast, const struct fast_call *call,
                                            struct sim_error *error)
{
    const struct kernel_cost *kernel = find_kernel(fast, call->routine, error);
    return kernel != NULL && check_dimensions(call, kernel, error) == 0 ? kernel : NULL;
}

bool fast_is_extrapolated(const struct fast *fast, const struct fast_call *call)
{
    const struct kernel_cost *kernel = call->routine != NULL ? machine_find_kernel(fast->machine, call->routine) : NULL;
    const int64_t dimensions[] = {call->m, call->n, call->k};
    if (kernel != NULL && kernel->law != NULL) {
        const struct law_call sizes = {{call->m, call->n, call->k, call->m > 0 ? call->m : 1}};
        return law_is_outside(kernel->law, &sizes);
    }
    for (int i = 0; kernel != NULL && kernel->polynomial.n_terms > 0 && i < count_dimensions(call); i++)
        if (dimensions[i] < kernel->polynomial.from || dimensions[i] > kernel->polynomial.to)
            return true;
    return false;
}

/* ---- Time ---- */

/* For a parallel routine, the best time of its forecast; otherwise -1 unless the host is there. */
int fast_comp_time_best(double *time_s, struct fast *fast, const char *host, const struct fast_call *call,
                        struct sim_error *error)
{
    struct fast_forecast forecast;
    int number;
    if (find_parallel_routine(call->routine) != NULL) {
        if (fast_parallel(&forecast, fast, call, error) != 0)
            return -1;
        *time_s = forecast.best_s;
        return 0;
    }
    const struct kernel_cost *kernel = check_call(fast, call, error);
    if (kernel == NULL || find_fast_host(&number, fast, host, error) != 0)
        return -1;
    *time_s = best_time(kernel, call);
    return 0;
}

int fast_comp_time(double *time_s, struct fast *fast, const char *host, const struct fast_call *call,
                   struct sim_error *error)
{
    struct fast_forecast forecast;
    struct fast_value availability;
    double best_s;
    if (find_parallel_routine(call->routine) != NULL) {
        if (fast_parallel(&forecast, fast, call, error) != 0)
            return -1;
        *time_s = forecast.time_s;
        return 0;
    }
    if (fast_comp_time_best(&best_s, fast, host, call, error) != 0 ||
        fast_availability(&availability, fast, host, error) != 0)
        return -1;
    *time_s = best_s / availability.expected;
    return 0;
}

int fast_comp_time_band(double *low_s, double *high_s, struct fast *fast, const char *host,
                        const struct fast_call *call, struct sim_error *error)
{
    struct fast_forecast forecast;
    double time_s, best_s;
    if (find_parallel_routine(call->routine) != NULL) {
        if (fast_parallel(&forecast, fast, call, error) != 0)
            return -1;
        *low_s = forecast.low_s;
        *high_s = forecast.high_s;
        return 0;
    }
    if (fast_comp_time(&time_s, fast, host, call, error) != 0 ||
        fast_comp_time_best(&best_s, fast, host, call, error) != 0)
        return -1;
    struct kernel_cost edge = *machine_find_kernel(fast->machine, call->routine);
    double *const ends[] = {low_s, high_s};
    for (int i = 0; i < 2; i++) {
        edge.edge = i == 0 ? -1 : 1;
        double end_s = edge.law != NULL ? best_time(&edge, call) * (time_s / best_s) : time_s;
        *ends[i] = isnan(end_s) ? (double)INFINITY : end_s;
    }
    return 0;
}

int fast_best_host(const char **host, double *time_s, struct fast *fast, const char *const *hosts,
                   const struct fast_call *call, struct sim_error *error)
{
    const char *best = NULL, *name;
    double best_s = INFINITY;
    for (int i = 0; (name = hosts != NULL ? hosts[i] : fast_host(fast, i)) != NULL; i++) {
        double its_s;
        if (fast_comp_time(&its_s, fast, name, call, error) != 0)
            return -1;
        if (best == NULL || its_s < best_s) {
            best = name;
            best_s = its_s;
        }
    }
    if (best == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "there is no host to choose from");
    *host = best;
    *time_s = best_s;
    return 0;
}

/* ---- Memory ---- */

int fast_comp_size(double *bytes, struct fast *fast, const struct fast_call *call, struct sim_error *error)
{
    struct fast_forecast forecast;
    if (find_parallel_routine(call->routine) != NULL) {
        if (fast_parallel(&forecast, fast, call, error) != 0)
            return -1;
        *bytes = forecast.memory_bytes;
        return 0;
    }
    const struct kernel_cost *kernel = check_call(fast, call, error);
    if (kernel == NULL)
        return -1;
    const struct memory_need *need = machine_find_need(fast->machine, kernel->name);
    *bytes = need != NULL ? polynomial_value(&need->polynomial, (int)call->m, (int)call->n, (int)call->k) : NAN;
    return 0;
}

double fast_memory(const struct fast *fast)
{
    return fast->machine->costs.memory_bytes > 0 ? (double)fast->machine->costs.memory_bytes : NAN;
}
