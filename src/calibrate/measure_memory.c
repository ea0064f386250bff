/* Measures what a call needs of memory: the peak of the resident set less what was there before.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/measure_memory.h"

#include "calibrate/process_status.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- The system's accounts ---- */

/* The peak becomes what is resident now: "5" in proc(5). */
static bool reset_peak(void)
{
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write(file, "5", 1) == 1;
    if (file >= 0)
        close(file);
    return done;
}

/* Without a stream, whose buffer would be memory, too. */
static int64_t read_status(const char *name)
{
    char text[8192];
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    return process_status_bytes(text, name);
}

/* ---- Operands in mappings of their own, so that unmapping gives all of their memory back ---- */

static size_t operand_bytes(const char *factors, const struct fit_sample *shape)
{
    size_t count = factors != NULL;
    for (; factors != NULL && *factors != '\0'; factors++)
        count *= (size_t)(*factors == 'm' ? shape->m : *factors == 'n' ? shape->n : shape->k);
    return count * sizeof(double);
}

/* In pages of the usual size: one huge page would be more than many an operand. */
static double *map_operand(size_t bytes)
{
    void *memory =
        bytes == 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    matrix_fill(memory, bytes / sizeof(double));
    return memory;
}

/* ---- Calls ---- */

/* The bytes that one call with its operands adds to the peak, or -1. */
static int64_t measure_need(const struct kernel_spec *spec, const struct fit_sample *shape)
{
    double *matrices[3];
    bool mapped = true;
    if (!reset_peak())
        return -1;
    int64_t before = read_status("VmRSS");
    for (int i = 0; i < 3; i++) {
        matrices[i] = map_operand(operand_bytes(spec->operands[i], shape));
        mapped = mapped && (matrices[i] != NULL || spec->operands[i] == NULL);
    }
    const struct operands operands = {matrices[0], matrices[1], matrices[2], 0};
    if (mapped)
        spec->call(&operands, shape->m, shape->n, shape->k);
    int64_t peak = read_status("VmHWM");
    for (int i = 0; i < 3; i++)
        if (matrices[i] != NULL)
            munmap(matrices[i], operand_bytes(spec->operands[i], shape));
    return mapped && before >= 0 && peak >= 0 ? peak - before : -1;
}

/* The first call is as large as any, so that the library's own buffer has grown before the second. */
int measure_memory(struct fit_sample *samples, int n_samples, const struct kernel_spec *spec)
{
    struct fit_sample largest = {1, 1, 1, 0};
    for (int s = 0; s < n_samples; s++) {
        largest.m = samples[s].m > largest.m ? samples[s].m : largest.m;
        largest.n = samples[s].n > largest.n ? samples[s].n : largest.n;
        largest.k = samples[s].k > largest.k ? samples[s].k : largest.k;
    }
    measure_need(spec, &largest);
    for (int s = 0; s < n_samples; s++) {
        int64_t bytes = measure_need(spec, &samples[s]);
        if (bytes <= 0)
            return -1;
        samples[s].value = (double)bytes;
    }
    return 0;
}
