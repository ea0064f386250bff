/* Times dgemm, dtrsm and dgeadd of OpenBLAS at given shapes, and keeps the least time of each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/measure_kernels.h"

#include "base/memory.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MIN_BATCH_S 2e-4 /* calls are timed together for at least this long: the clock takes half a microsecond */
#define MIN_ROUNDS 3
#define MAX_ROUNDS 100

/* ---- The kernels. The leading dimensions are those of local blocks: the blocks' own. ---- */

static void call_dgemm(const struct operands *operands, int m, int n, int k)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, operands->a, m, operands->b, k, 1, operands->c,
                m);
}

static void call_dtrsm(const struct operands *operands, int m, int n, int k)
{
    (void)k;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasUnit, m, n, 1, operands->a, n, operands->c,
                m);
}

static void call_matadd(const struct operands *operands, int m, int n, int k)
{
    (void)k;
    cblas_dgeadd(CblasColMajor, m, n, 1, operands->a, m, 1, operands->c, m);
}

const struct kernel_spec kernel_specs[N_KERNEL_SPECS] = {
    {"dgemm",
     "OpenBLAS dgemm, C (m x n) += A (m x k) B (k x n)",
     "1 m n k mn mk nk mnk",
     "1 mn mk nk",
     "mk=8B nk=8B mn=8B",
     {"mk", "nk", "mn"},
     3,
     call_dgemm},
    {"dtrsm",
     "OpenBLAS dtrsm, B (m x n) divided by an upper triangle (n x n) on its right",
     "1 m n mn nn mnn",
     "1 mn nn",
     "mn=8B nn=8B",
     {"nn", NULL, "mn"},
     2,
     call_dtrsm},
    {"matadd", "OpenBLAS dgeadd, C (m x n) += A", "1 m n mn", "1 mn", "mn=16B", {"mn", NULL, "mn"}, 2, call_matadd},
};

const struct kernel_spec *kernel_find(const char *name)
{
    for (int i = 0; i < N_KERNEL_SPECS; i++)
        if (strcmp(kernel_specs[i].name, name) == 0)
            return &kernel_specs[i];
    return NULL;
}

/* ---- The operands ---- */

void matrix_fill(double *matrix, size_t count)
{
    for (size_t i = 0; i < count; i++)
        matrix[i] = 1e-8 * (double)(i % 7 + 1);
}

static double *new_matrix(int side)
{
    size_t count = (size_t)side * (size_t)side;
    double *matrix = xmalloc(count * sizeof *matrix);
    matrix_fill(matrix, count);
    return matrix;
}

void operands_init(struct operands *operands, int side)
{
    openblas_set_num_threads(1);
    *operands = (struct operands){new_matrix(side), new_matrix(side), new_matrix(side), side};
}

void operands_dispose(struct operands *operands)
{
    free(operands->a);
    free(operands->b);
    free(operands->c);
    *operands = (struct operands){0};
}

/* ---- The clock ---- */

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_calls(const struct kernel_spec *spec, const struct operands *operands,
                         const struct fit_sample *shape, int calls)
{
    double start = processor_s();
    for (int i = 0; i < calls; i++)
        spec->call(operands, shape->m, shape->n, shape->k);
    return (processor_s() - start) / calls;
}

/* Improve the sample's time, which is 0 if there is none yet. A call of its own evicts the contents of the caches. */
static void time_once(struct fit_sample *sample, const struct kernel_spec *spec, const struct operands *operands)
{
    double time_s = time_calls(spec, operands, sample, 1);
    if (time_s < MIN_BATCH_S)
        time_s = time_calls(spec, operands, sample, (int)(MIN_BATCH_S / fmax(time_s, 1e-7)) + 1);
    if (sample->value == 0 || time_s < sample->value)
        sample->value = time_s;
}

double measure_call(const struct kernel_spec *spec, const struct operands *operands, int m, int n, int k)
{
    struct fit_sample sample = {m, n, k, 0};
    double start = processor_s();
    for (int round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && processor_s() - start < 0.02); round++)
        time_once(&sample, spec, operands);
    return sample.value;
}

double measure_once(const struct kernel_spec *spec, const struct operands *operands, const struct fit_sample *shape)
{
    return time_calls(spec, operands, shape, 1);
}

void measure_samples(struct fit_sample *samples, int n_samples, const struct kernel_spec *spec,
                     const struct operands *operands, double budget_s, void (*progress)(const char *what, double share))
{
    double start = processor_s(), spent = 0;
    for (int round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && spent < budget_s); round++) {
        progress(spec->name, fmax(fmin(spent / budget_s, 1), 0));
        for (int s = 0; s < n_samples; s++)
            time_once(&samples[s], spec, operands);
        spent = processor_s() - start;
    }
    progress(spec->name, 1);
}

double measure_copy_Bps(const struct operands *operands)
{
    size_t bytes = (size_t)operands->side * (size_t)operands->side * sizeof *operands->a;
    double best_s = INFINITY;
    for (int round = 0; round < 5; round++) {
        double start = processor_s();
        memcpy(operands->b, operands->a, bytes);
        best_s = fmin(best_s, processor_s() - start);
    }
    return (double)bytes / best_s;
}
