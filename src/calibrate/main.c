/* simrun-calibrate: measure this computer, or several that mpirun reaches, and write what was measured as a platform
 * file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/builder.h"
#include "base/error.h"
#include "base/message.h"
#include "calibrate/fit.h"
#include "calibrate/measure_kernels.h"
#include "calibrate/measure_memory.h"
#include "calibrate/measure_messages.h"
#include "calibrate/measure_sharing.h"
#include "calibrate/measure_team.h"
#include "calibrate/platform.h"
#include "calibrate/shapes.h"

#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FROM = 32, SMALLEST_TO = 512, LARGEST_TO = 2048, MAX_SAMPLES = 128, MEMORY_SAMPLES = 45 };

#define LARGEST_CALL_S 0.7   /* how long the largest dgemm may take */
#define MEMORY_DEVIATION 0.1 /* beyond which the measured memory is not believed */

static const double budgets_s[N_KERNEL_SPECS] = {5.5, 3, 1.5};

_Static_assert(N_KERNEL_SPECS == PLATFORM_KERNELS, "the platform holds all kernels");

/* ---- Progress: one line, only where simrun says that there is a terminal ---- */

static bool shows_progress;

static void show_progress(const char *what, double share)
{
    if (shows_progress)
        fprintf(stderr, "\rsimrun: measuring %-8s %3.0f %%", what, 100 * share);
}

/* ---- The computers ---- */

/* With one computer, each of its processors is a host; with several, each computer is one. */
static void describe_hosts(struct platform *platform, const struct team *team)
{
    time_t now = time(NULL);
    struct tm utc;
    bool one = team->n_hosts == 1;
    snprintf(platform->processor, sizeof platform->processor, "%s", team->host.processor);
    strftime(platform->date, sizeof platform->date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    platform->n_hosts = !one ? team->n_hosts : team->host.cores > 2 ? team->host.cores : 2;
    platform->cores = one ? 0 : team->host.cores;
    platform->hosts_differ = team->differs;
    platform->memory_bytes = team->host.memory_bytes;
}

static void describe_mpi(struct platform *platform)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    snprintf(platform->mpi, sizeof platform->mpi, "%.*s", (int)strcspn(version, ",\n"), version);
}

/* ---- Kernels ---- */

/* The largest dimension: a power of two whose cube takes no longer than LARGEST_CALL_S, and whose three matrices fit
 * into a quarter of the memory. */
static int choose_to(const struct platform *platform)
{
    struct operands operands;
    operands_init(&operands, 256);
    double cube_s = measure_call(&kernel_specs[0], &operands, 256, 256, 256);
    operands_dispose(&operands);
    int to = SMALLEST_TO;
    while (to < LARGEST_TO && cube_s * pow(2 * to / 256.0, 3) <= LARGEST_CALL_S &&
           24.0 * pow(2 * to, 2) <= (double)platform->memory_bytes / 4)
        to *= 2;
    return to;
}

static double best_rate(const struct fit_sample *samples, int n_samples)
{
    double best_flopps = 0;
    for (int s = 0; s < n_samples; s++)
        best_flopps = fmax(best_flopps, 2.0 * samples[s].m * samples[s].n * samples[s].k / samples[s].value);
    return best_flopps;
}

/* Where the memory cannot be measured, or the system counts it too coarsely, the fit stays without terms. The shapes
 * are smaller than those that are timed, because each costs a call; and not the smallest, because there pages count. */
static void calibrate_memory(struct platform_kernel *kernel, const struct kernel_spec *spec, int side)
{
    struct fit_sample samples[MEMORY_SAMPLES];
    struct fit fit = {0};
    struct sim_error ignored;
    int from = side / 8, to = side / 2;
    int count = shapes_plan(samples, MEMORY_SAMPLES, spec->n_dimensions, from, to, 0);
    if (measure_memory(samples, count, spec) == 0 &&
        fit_polynomial(&fit, spec->memory_terms, samples, count, from, to, &ignored) == 0 &&
        fit.residual <= MEMORY_DEVIATION)
        kernel->memory_fit = fit;
}

static int calibrate_kernel(struct platform *platform, int i, const struct operands *operands, struct sim_error *error)
{
    const struct kernel_spec *spec = &kernel_specs[i];
    struct platform_kernel *kernel = &platform->kernels[i];
    struct fit_sample samples[MAX_SAMPLES];
    int count = shapes_plan(samples, MAX_SAMPLES, spec->n_dimensions, FROM, operands->side, 0);
    measure_samples(samples, count, spec, operands, budgets_s[i], show_progress);
    if (i == 0)
        platform->rate_flopps = best_rate(samples, count);
    kernel->name = spec->name;
    kernel->summary = spec->summary;
    kernel->memory = spec->memory;
    calibrate_memory(kernel, spec, operands->side);
    return fit_polynomial(&kernel->fit, spec->terms, samples, count, FROM, operands->side, error);
}

/* On a cluster, hosts may have more processors than `cores`, which is the fewest. */
static void calibrate_sharing(struct platform *platform, int side)
{
    int processors = measure_processors();
    for (int i = 0; i < N_KERNEL_SPECS; i++) {
        show_progress("together", (double)i / N_KERNEL_SPECS);
        measure_sharing(&platform->kernels[i].sharing, &kernel_specs[i], side, processors);
    }
}

static int calibrate_kernels(struct platform *platform, struct sim_error *error)
{
    struct operands operands;
    int status = 0;
    operands_init(&operands, choose_to(platform));
    for (int i = 0; i < N_KERNEL_SPECS && status == 0; i++)
        status = calibrate_kernel(platform, i, &operands, error);
    platform->copy_Bps = measure_copy_Bps(&operands);
    int side = operands.side / 2; /* as many operands as processors have to fit into the memory */
    operands_dispose(&operands);
    calibrate_sharing(platform, side);
    return status;
}

/* ---- The commands ---- */

/* Between two hosts, and within one; rank 0 has what there is. */
struct measured {
    bool has_remote, has_local;
    struct messages remote, local;
};

static int fit_rows(struct message_rows *rows, const struct messages *messages, struct sim_error *error)
{
    return message_rows_fit(rows, messages->samples, messages->n_samples, messages->facts.eager_limit, error);
}

/* The processors' work for messages does not depend on the network: it is measured where the network disturbs least. */
static void take_work(struct message_rows *rows, const struct message_rows *local)
{
    rows->combine = local->combine;
    rows->copy = local->copy;
    rows->broadcast_s = local->broadcast_s;
    rows->allreduce_s = local->allreduce_s;
}

/* The messages between two hosts, or else within one, are what the network is. */
static int fit_messages(struct platform *platform, const struct measured *measured, struct sim_error *error)
{
    const struct messages *messages = measured->has_remote ? &measured->remote : &measured->local;
    platform->sees_limit = messages->sees_limit;
    platform->buffers_sends = messages->buffers_sends;
    platform->tried_bytes = messages->tried_bytes;
    platform->longest_message = MESSAGES_LONGEST;
    if (message_fit(&platform->messages, messages->samples, messages->n_samples, &messages->facts, error) != 0 ||
        fit_rows(&platform->rows, messages, error) != 0)
        return -1;
    if (!measured->has_remote || !measured->has_local)
        return 0;
    if (fit_rows(&platform->local, &measured->local, error) != 0)
        return -1;
    take_work(&platform->rows, &platform->local);
    return 0;
}

static int calibrate(struct platform *platform, const struct measured *measured, const char *file,
                     struct sim_error *error)
{
    if (fit_messages(platform, measured, error) != 0 || calibrate_kernels(platform, error) != 0)
        return -1;
    return platform_write(platform, file, error);
}

/* Show the result in one line; like progress, only on a terminal. */
static void show_result(const struct platform *platform, const char *file)
{
    if (!shows_progress)
        return;
    struct builder kernels = {0};
    for (int i = 0; i < PLATFORM_KERNELS; i++)
        builder_add(&kernels, ", %s %.0f %%", platform->kernels[i].name, 100 * platform->kernels[i].fit.residual);
    message_print("wrote %s: dgemm %.1f Gflop/s, messages %.2f us and %.1f GB/s; residuals: messages %.0f %%%s", file,
                  platform->rate_flopps / 1e9, platform->messages.latency_s * 1e6, platform->messages.rate_Bps / 1e9,
                  100 * platform->rows.residual, kernels.text);
    free(kernels.text);
}

static void measure_pairs(struct measured *measured, const struct team *team)
{
    measured->has_remote = team->remote != MPI_COMM_NULL;
    measured->has_local = team->local != MPI_COMM_NULL;
    if (measured->has_remote)
        measure_messages(&measured->remote, team->remote, show_progress);
    team_meet();
    if (measured->has_local)
        measure_messages(&measured->local, team->local, show_progress);
    team_meet();
}

/* The other processes are needed for the messages only: then they end, and leave the processors to the kernels. */
static int run_calibration(int argc, char **argv, const char *file)
{
    struct platform platform = {.n_hosts = 0};
    struct measured measured = {.has_local = false};
    struct team team;
    struct sim_error error = {0};
    MPI_Init(&argc, &argv);
    team_init(&team);
    if (team.size > 1)
        measure_pairs(&measured, &team);
    describe_mpi(&platform);
    team_dispose(&team);
    MPI_Finalize();
    if (team.size == 1) {
        message_print("calibration needs at least two processes, started by mpirun; try simrun calibrate %s", file);
        return SIM_BAD_INPUT;
    }
    if (team.rank != 0)
        return SIM_DONE;
    describe_hosts(&platform, &team);
    int status = calibrate(&platform, &measured, file, &error);
    if (shows_progress)
        fprintf(stderr, "\r%40s\r", "");
    if (status == 0) {
        show_result(&platform, file);
        return SIM_DONE;
    }
    message_print("%s", error.message);
    return (int)error.status;
}

/* Print the best rate of dgemm, which is the speed that a platform gets, as a parameter takes it: "61.2Gf". */
static int print_speed(void)
{
    enum { MEMORY_BYTES = 1 << 30 }; /* more than enough for the largest matrices */
    const struct platform platform = {.memory_bytes = MEMORY_BYTES};
    struct fit_sample samples[MAX_SAMPLES];
    struct operands operands;
    operands_init(&operands, choose_to(&platform));
    int count = shapes_plan(samples, MAX_SAMPLES, kernel_specs[0].n_dimensions, FROM, operands.side, 0);
    measure_samples(samples, count, &kernel_specs[0], &operands, budgets_s[0], show_progress);
    operands_dispose(&operands);
    printf("%.4gGf\n", best_rate(samples, count) / 1e9);
    return SIM_DONE;
}

/* Print "NAME M N K SECONDS" for each shape MxNxK. */
static int time_shapes(const char *name, char **shapes, int n_shapes)
{
    const struct kernel_spec *spec = kernel_find(name);
    struct operands operands;
    operands_init(&operands, LARGEST_TO);
    for (int i = 0; i < n_shapes && spec != NULL; i++) {
        int m = 0, n = 0, k = 0;
        if (sscanf(shapes[i], "%dx%dx%d", &m, &n, &k) != 3 || m < 1 || n < 1 || k < 1 || m > LARGEST_TO ||
            n > LARGEST_TO || k > LARGEST_TO) {
            message_print("--time: '%s' is not MxNxK, each 1 to %d", shapes[i], LARGEST_TO);
            operands_dispose(&operands);
            return SIM_BAD_INPUT;
        }
        printf("%s %d %d %d %.9e\n", name, m, n, k, measure_call(spec, &operands, m, n, k));
    }
    operands_dispose(&operands);
    if (spec != NULL)
        return SIM_DONE;
    message_print("--time: unknown kernel '%s'; known: dgemm dtrsm matadd", name);
    return SIM_BAD_INPUT;
}

static const char usage[] = "Usage: simrun calibrate FILE\n"
                            "       mpirun -np 3 --host HOST:2,OTHER simrun-calibrate FILE\n"
                            "       simrun-calibrate --speed\n"
                            "       simrun-calibrate --time dgemm|dtrsm|matadd MxNxK...\n"
                            "Measure this computer, or several, and write them as the platform FILE.\n"
                            "  --speed        measure one processor, by dgemm, and print its speed\n"
                            "  --time KERNEL  measure calls of these dimensions, and print seconds\n"
                            "  -h, --help     show this\n"
                            "  -V, --version  show the version\n"
                            "\nExample: simrun calibrate here.xml\n";

static bool is_option(const char *word, const char *brief, const char *name)
{
    return strcmp(word, brief) == 0 || strcmp(word, name) == 0;
}

/* Standard output may be a full disk. */
static int tell(const char *text)
{
    return fputs(text, stdout) == EOF || fflush(stdout) == EOF ? SIM_UNFINISHED : SIM_DONE;
}

int main(int argc, char **argv)
{
    if (argc == 2 && is_option(argv[1], "-h", "--help"))
        return tell(usage);
    if (argc == 2 && is_option(argv[1], "-V", "--version"))
        return tell("simrun-calibrate " SIMRUN_VERSION "\n");
    if (argc == 2 && strcmp(argv[1], "--speed") == 0)
        return print_speed();
    if (argc > 3 && strcmp(argv[1], "--time") == 0)
        return time_shapes(argv[2], argv + 3, argc - 3);
    shows_progress = argc == 3 && strcmp(argv[1], "--progress") == 0;
    if (argc == 2 + shows_progress && argv[argc - 1][0] != '-')
        return run_calibration(argc, argv, argv[argc - 1]);
    fputs(usage, stderr);
    return SIM_BAD_INPUT;
}
