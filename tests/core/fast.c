/* FAST as a library: its forecasts against the equations of Caron02, LogP and Amdahl's law written out by hand, with
 * sensors that change, and against simulations.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/fast.h"
#include "core/simrun.h"
#include "sim/platform/platform.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LOADED SOURCE_DIR "/platforms/icluster-loaded.xml"

/* A cluster with overheads and an eager limit: 100 us, 10 MB/s; and one without: what Caron02 knows of a network. */
#define COSTS "memory 1MiB\nkernel.dgemm poly mnk=4ns\nkernel.dtrsm poly mnn=2ns\nkernel.matadd poly mn=80ns\n"
#define NEEDS "memory.dgemm poly mk=8B nk=8B mn=8B\n"
static const char bare[] = "hosts star 32 500Mf 10MBps 50us\n" COSTS NEEDS;
static const char costly[] =
    "hosts star 32 500Mf 10MBps 50us\n" COSTS "eager_limit 8KiB\nsend_completes buffered\ncontrol 100B\n"
    "send_overhead start=30us byte=1ns\nreceive_overhead start=10us byte=3ns\n";

struct tried {
    struct machine *machine;
    struct fast *fast;
};

static struct tried try_machine(const char *text)
{
    struct tried tried = {NULL, NULL};
    struct sim_error error;
    if (simrun_read_machine(&tried.machine, "made", text, &error) != 0)
        CU_FAIL_FATAL(error.message);
    tried.fast = fast_new(tried.machine);
    return tried;
}

static void dispose(struct tried *tried)
{
    fast_free(tried->fast);
    simrun_free_machine(tried->machine);
}

static void near(const char *what, double found, double expected)
{
    bool right = fabs(found - expected) <= 1e-9 * fabs(expected);
    if (!right)
        fprintf(stderr, "\n  %s: expected %.12g, found %.12g\n", what, expected, found);
    CU_ASSERT(right);
}

/* ---- Routines and messages without load ---- */

static void test_sequential(void)
{
    struct tried tried = try_machine(bare);
    struct sim_error error;
    const struct fast_call dgemm = {.routine = "dgemm", .m = 100, .n = 200, .k = 300};
    double time_s, best_s, bytes;
    bool parallel;
    CU_ASSERT_EQUAL(fast_comp_time(&time_s, tried.fast, "n31", &dgemm, &error), 0);
    CU_ASSERT_EQUAL(fast_comp_time_best(&best_s, tried.fast, "n0", &dgemm, &error), 0);
    near("time", time_s, 4e-9 * 6e6);
    near("best", best_s, 4e-9 * 6e6);
    CU_ASSERT_EQUAL(fast_comp_size(&bytes, tried.fast, &dgemm, &error), 0);
    near("size", bytes, 8 * (100.0 * 300 + 200 * 300 + 100 * 200));
    near("memory", fast_memory(tried.fast), 1048576);
    const struct fast_call dtrsm = {.routine = "dtrsm", .m = 10, .n = 20};
    CU_ASSERT_EQUAL(fast_comp_size(&bytes, tried.fast, &dtrsm, &error), 0);
    CU_ASSERT(isnan(bytes)); /* there is no memory.dtrsm */
    CU_ASSERT_STRING_EQUAL(fast_host(tried.fast, 31), "n31");
    CU_ASSERT_PTR_NULL(fast_host(tried.fast, 32));
    CU_ASSERT_STRING_EQUAL(fast_routine(tried.fast, 0, &parallel), "dgemm");
    CU_ASSERT_FALSE(parallel);
    CU_ASSERT_STRING_EQUAL(fast_routine(tried.fast, 3, &parallel), "pdgemm");
    CU_ASSERT(parallel);
    CU_ASSERT_PTR_NULL(fast_routine(tried.fast, 5, &parallel));
    dispose(&tried);
}

/* o = (30 + 10 us + 4 ns b) / 2, L = 100 us, beyond 8 KiB with two control messages of 110 us, G = 0.1 us a byte. */
static void test_messages(void)
{
    static const struct {
        int64_t bytes;
        double overhead_s, latency_s, gap_s;
    } rows[] = {
        {0, 20e-6, 100e-6, 20e-6},
        {100, 20.2e-6, 100e-6, 20.2e-6},
        {8192, 36.384e-6, 100e-6, 819.2e-6},
        {8193, 36.386e-6, 320e-6, 819.3e-6},
    };
    struct tried tried = try_machine(costly);
    struct sim_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fast_logp logp;
        double time_s, best_s;
        CU_ASSERT_EQUAL(fast_logp(&logp, tried.fast, "n1", "n2", rows[i].bytes, &error), 0);
        near("o", logp.overhead_s, rows[i].overhead_s);
        near("L", logp.latency_s, rows[i].latency_s);
        near("g", logp.gap_s, rows[i].gap_s);
        near("G", logp.gap_byte_s, rows[i].bytes > 0 ? 1e-7 : 0);
        CU_ASSERT_EQUAL(logp.processes, 32);
        CU_ASSERT_EQUAL(fast_comm_time(&time_s, tried.fast, "n1", "n2", rows[i].bytes, &error), 0);
        CU_ASSERT_EQUAL(fast_comm_time_best(&best_s, tried.fast, "n1", "n2", rows[i].bytes, &error), 0);
        near("message", time_s, 2 * rows[i].overhead_s + rows[i].latency_s + 1e-7 * (double)rows[i].bytes);
        near("message at best", best_s, time_s);
    }
    dispose(&tried);
}

/* A message takes as long as a simulated one. */
static void test_simulated_message(void)
{
    static const char *const sizes[] = {"bytes=100", "bytes=8192", "bytes=8193", "bytes=1000000"};
    static const int64_t bytes[] = {100, 8192, 8193, 1000000};
    struct tried tried = try_machine(costly);
    struct sim_error error;
    struct result result;
    result_init(&result);
    for (int i = 0; i < 4; i++) {
        const char *const settings[] = {"ranks=2", "network=quiet", sizes[i], NULL};
        struct simrun *simulation = NULL;
        double time_s = 0;
        CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, tried.machine, "broadcast", settings, &error), 0);
        CU_ASSERT_EQUAL_FATAL(simrun_run(&result, simulation, NULL, &error), 0);
        CU_ASSERT_EQUAL(fast_comm_time(&time_s, tried.fast, "n0", "n1", bytes[i], &error), 0);
        near(sizes[i], measure_value(result_find(&result, "", "time_s")), time_s);
        simrun_close(simulation);
    }
    result_dispose(&result);
    dispose(&tried);
}

/* ---- Sensors ---- */

/* A program's own: series of measurements for two hosts and for the links from n0 to n2. */
struct own {
    struct fast_series *n1, *latency, *bandwidth;
    double n3; /* of which it knows the forecast itself; NAN: nothing */
    double asked_at_s;
};

static bool ask(void *self, struct fast_value *value, enum fast_resource resource, const char *from, const char *to,
                double at_s)
{
    struct own *own = self;
    own->asked_at_s = at_s;
    if (resource == FAST_AVAILABILITY) {
        CU_ASSERT_PTR_NULL(to);
        if (strcmp(from, "n3") == 0 && !isnan(own->n3)) {
            value->expected = own->n3;
            return true;
        }
        return strcmp(from, "n1") == 0 && fast_series_forecast(value, own->n1);
    }
    if (strcmp(from, "n0") != 0 || strcmp(to, "n2") != 0)
        return false;
    return fast_series_forecast(value, resource == FAST_LATENCY ? own->latency : own->bandwidth);
}

static struct own new_own(void)
{
    return (struct own){fast_series_new(), fast_series_new(), fast_series_new(), NAN, -1};
}

static void dispose_own(struct own *own)
{
    fast_series_free(own->n1);
    fast_series_free(own->latency);
    fast_series_free(own->bandwidth);
}

/* Measurements change, and so do the forecasts. */
static void test_sensor(void)
{
    static const struct fast_call dgemm = {.routine = "dgemm", .m = 100, .n = 100, .k = 100};
    struct tried tried = try_machine(bare);
    struct own own = new_own();
    const struct fast_sensor sensor = {ask, &own};
    struct sim_error error;
    struct fast_value value;
    const char *host;
    double time_s;
    fast_set_sensor(tried.fast, &sensor);
    fast_set_time(tried.fast, 60);
    CU_ASSERT_EQUAL(fast_availability(&value, tried.fast, "n1", &error), 0); /* nothing has been measured */
    CU_ASSERT(value.expected == 1 && value.best == 1 && value.n_series == 0 && value.predictor == NULL);
    CU_ASSERT_EQUAL(own.asked_at_s, 60);
    for (int i = 0; i < 10; i++)
        fast_series_add(own.n1, 0.5);
    fast_series_add(own.n1, NAN); /* is left out */
    CU_ASSERT_EQUAL(fast_availability(&value, tried.fast, "n1", &error), 0);
    CU_ASSERT(value.expected == 0.5 && value.best == 1 && value.n_series == 1 && value.measurements == 10);
    CU_ASSERT(value.error == 0 && value.predictor != NULL);
    CU_ASSERT_EQUAL(fast_comp_time(&time_s, tried.fast, "n1", &dgemm, &error), 0);
    near("half of n1", time_s, 8e-3);
    CU_ASSERT_EQUAL(fast_comp_time_best(&time_s, tried.fast, "n1", &dgemm, &error), 0);
    near("all of n1", time_s, 4e-3);
    for (int i = 0; i < 100; i++)
        fast_series_add(own.n1, 0.8);
    own.n3 = 0.25;
    CU_ASSERT_EQUAL(fast_availability(&value, tried.fast, "n1", &error), 0);
    near("n1, later", value.expected, 0.8);
    CU_ASSERT_EQUAL(fast_availability(&value, tried.fast, "n3", &error), 0);
    CU_ASSERT(value.expected == 0.25 && value.n_series == 1 && value.predictor == NULL);
    static const char *const three[] = {"n3", "n1", NULL};
    CU_ASSERT_EQUAL(fast_best_host(&host, &time_s, tried.fast, three, &dgemm, &error), 0);
    CU_ASSERT_STRING_EQUAL(host, "n1");
    near("the best of n3 and n1", time_s, 4e-3 / 0.8);
    CU_ASSERT_EQUAL(fast_best_host(&host, &time_s, tried.fast, NULL, &dgemm, &error), 0);
    CU_ASSERT_STRING_EQUAL(host, "n0");
    fast_set_sensor(tried.fast, NULL);
    CU_ASSERT_EQUAL(fast_comp_time(&time_s, tried.fast, "n3", &dgemm, &error), 0);
    near("without the sensor", time_s, 4e-3);
    dispose_own(&own);
    dispose(&tried);
}

static void test_sensed_network(void)
{
    struct tried tried = try_machine(bare);
    struct own own = new_own();
    const struct fast_sensor sensor = {ask, &own};
    struct sim_error error;
    struct fast_value value;
    double time_s;
    fast_set_sensor(tried.fast, &sensor);
    fast_series_add(own.latency, 1e-3);
    fast_series_add(own.bandwidth, 2e6);
    CU_ASSERT_EQUAL(fast_latency(&value, tried.fast, "n0", "n2", &error), 0);
    CU_ASSERT(value.expected == 1e-3);
    near("latency at best", value.best, 100e-6);
    CU_ASSERT_EQUAL(fast_bandwidth(&value, tried.fast, "n0", "n2", &error), 0);
    CU_ASSERT(value.expected == 2e6);
    near("bandwidth at best", value.best, 10e6);
    CU_ASSERT_EQUAL(fast_comm_time(&time_s, tried.fast, "n0", "n2", 1000, &error), 0);
    near("a message", time_s, 1e-3 + 1000 / 2e6);
    CU_ASSERT_EQUAL(fast_comm_time_best(&time_s, tried.fast, "n0", "n2", 1000, &error), 0);
    near("a message at best", time_s, 100e-6 + 1000 / 10e6);
    CU_ASSERT_EQUAL(fast_comm_time(&time_s, tried.fast, "n2", "n0", 1000, &error), 0);
    near("a message back", time_s, 100e-6 + 1000 / 10e6);
    CU_ASSERT_EQUAL(fast_comm_time(&time_s, tried.fast, "n2", "n2", 1000, &error), 0);
    CU_ASSERT_EQUAL(time_s, 0);
    dispose_own(&own);
    dispose(&tried);
}

/* The recorded profiles of a platform are a sensor, too. */
static void test_profiles(void)
{
    struct machine machine;
    struct sim_error error;
    struct fast_value value;
    if (machine_load(&machine, LOADED, &error) != 0)
        CU_FAIL_FATAL(error.message);
    struct fast *fast = fast_new(&machine);
    fast_set_time(fast, 300);
    CU_ASSERT_EQUAL(fast_availability(&value, fast, "n2", &error), 0);
    near("n2 at 300 s", value.expected, 0.34);
    near("its error", value.error, 0.66 / 30);
    CU_ASSERT_EQUAL(value.measurements, 31);
    fast_set_time(fast, 705);
    CU_ASSERT_EQUAL(fast_latency(&value, fast, "n3", "n2", &error), 0);
    near("latency at 705 s", value.expected, 190e-6);
    near("latency at best", value.best, 40e-6);
    CU_ASSERT_EQUAL(value.n_series, 1);
    fast_free(fast);
    machine_dispose(&machine);
}

/* Nonsense is refused, whichever side gives it. */
static bool ask_nonsense(void *self, struct fast_value *value, enum fast_resource resource, const char *from,
                         const char *to, double at_s)
{
    const double *values = self;
    (void)from, (void)to, (void)at_s;
    value->expected = values[resource];
    return true;
}

static void test_nonsense(void)
{
    static const struct {
        double values[3];
        const char *message;
    } rows[] = {
        {{-0.5, 1, 1}, "the sensor returned, as the availability of 'n0', -0.5; allowed: 0 to 1"},
        {{1.5, 1, 1}, "the sensor returned, as the availability of 'n0', 1.5; allowed: 0 to 1"},
        {{NAN, 1, 1}, "the sensor returned, as the availability of 'n0', nan; allowed: 0 to 1"},
        {{1, -1, 1}, "the sensor returned, as the latency of 'n0' to 'n1', -1; allowed: 0 s and more, finite"},
        {{1, INFINITY, 1}, "the sensor returned, as the latency of 'n0' to 'n1', inf; allowed: 0 s and more, finite"},
        {{1, 1, 0}, "the sensor returned, as the bandwidth of 'n0' to 'n1', 0; allowed: more than 0 B/s"},
    };
    struct tried tried = try_machine(bare);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double values[3], time_s = 7;
        struct sim_error error = {.message = ""};
        const struct fast_call call = {.routine = "pdgemm", .m = 64, .rows = 1, .columns = 2};
        memcpy(values, rows[i].values, sizeof values);
        fast_set_sensor(tried.fast, &(struct fast_sensor){ask_nonsense, values});
        CU_ASSERT_EQUAL(fast_comp_time(&time_s, tried.fast, NULL, &call, &error), -1);
        CU_ASSERT_EQUAL(time_s, 7);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
    }
    double nothing_free[] = {0, 0, INFINITY}, time_s;
    struct sim_error error;
    const struct fast_call call = {.routine = "dgemm", .m = 1, .n = 1, .k = 1};
    fast_set_sensor(tried.fast, &(struct fast_sensor){ask_nonsense, nothing_free});
    CU_ASSERT_EQUAL(fast_comp_time(&time_s, tried.fast, "n0", &call, &error), 0);
    CU_ASSERT(isinf(time_s));
    dispose(&tried);
}

/* ---- Parallel routines ---- */

static struct fast_forecast on_grid(struct fast *fast, const char *routine, int64_t m, int rows, int columns)
{
    struct fast_forecast forecast = {.time_s = NAN};
    struct sim_error error;
    const struct fast_call call = {.routine = routine, .m = m, .rows = rows, .columns = columns};
    if (fast_parallel(&forecast, fast, &call, &error) != 0)
        CU_FAIL_FATAL(error.message);
    return forecast;
}

/* Eqs. 1 and 3 of 1024 x 1024 in blocks of 64: 16 panels. Amdahl's law with nothing serial. */
static void test_pdgemm(void)
{
    static const struct {
        int rows, columns, rounds_a, rounds_b; /* ceil(log2) of columns and of rows */
    } grids[] = {{1, 1, 0, 0}, {4, 8, 3, 2}, {8, 4, 2, 3}, {1, 16, 4, 0}, {2, 2, 1, 1}};
    struct tried tried = try_machine(bare);
    double n = 1024;
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        int p = grids[i].rows, q = grids[i].columns, a = grids[i].rounds_a, b = grids[i].rounds_b;
        struct fast_forecast made = on_grid(tried.fast, "pdgemm", 1024, p, q);
        near("eq. 1", made.computation_s, 16 * 4e-9 * (n / p) * (n / q) * 64);
        near("eq. 3", made.communication_s, (a * n * n / p + b * n * n / q) * 8 / 10e6 + (a + b) * 16 * 100e-6);
        near("sum", made.time_s, made.computation_s + made.communication_s);
        near("best", made.best_s, made.time_s);
        near("delay", made.delay_s, made.computation_s + (a + b) * 16 * 100e-6);
        near("LogP without overheads", made.logp_s, made.time_s);
        near("Amdahl", made.amdahl_s, 4e-9 * n * n * n / (p * q));
        near("one process", made.one_process_s, 4e-9 * n * n * n);
        CU_ASSERT_EQUAL(made.serial_share, 0);
        near("memory", made.memory_bytes, 3 * 8 * n * n / (p * q));
        CU_ASSERT_FALSE(made.of_another_algorithm);
        CU_ASSERT_EQUAL(made.logp.processes, p * q);
        near("the longest message", made.logp.bytes, p * q == 1 ? 0 : 64 * 8 * n / (a == 0 || q < p ? q : p));
    }
    dispose(&tried);
}

/* Eqs. 6 and 7 of 256 x 256 in blocks of 64, four calls of four steps. On 1 x 2, i = 1 ... 4, what is left comes to
 * ceil((4 - i) / 2) = 2 1 1 0 blocks; on 2 x 2 to 1 1 1 0. The four solves of each call are serial. */
static void test_pdtrsm(void)
{
    struct tried tried = try_machine(bare);
    double r = 64, solve_s = 2e-9 * r * r * r, update_s = 4e-9 * r * r * r, message_s = 100e-6 + r * r * 8 / 10e6;
    struct fast_forecast row = on_grid(tried.fast, "pdtrsm", 256, 1, 2),
                         square = on_grid(tried.fast, "pdtrsm", 256, 2, 2);
    near("eq. 6, computation", row.computation_s, 4 * (4 * solve_s + 4 * update_s));
    near("eq. 6, communication", row.communication_s, 4 * 4 * message_s);
    near("eq. 7, computation", square.computation_s, 4 * (4 * solve_s + 3 * update_s + 3 * 80e-9 * r * r));
    near("delay", square.delay_s, square.computation_s + 4 * (4 + 3) * 100e-6);
    near("eq. 7, communication", square.communication_s, 4 * (4 + 3) * message_s);
    double one_s = 4 * (4 * solve_s + 6 * update_s), serial = 4 * 4 * solve_s / one_s;
    near("one process", row.one_process_s, one_s);
    near("serial share", row.serial_share, serial);
    near("Amdahl on 2", row.amdahl_s, one_s * (serial + (1 - serial) / 2));
    near("Amdahl on 4", square.amdahl_s, one_s * (serial + (1 - serial) / 4));
    dispose(&tried);
}

/* On 1 x 2 there is a message for each of 16 panels, of 1024 x 64 elements, beyond the eager limit. */
static void test_logp(void)
{
    struct tried tried = try_machine(costly);
    struct fast_forecast made = on_grid(tried.fast, "pdgemm", 1024, 1, 2);
    double bytes = 1024 * 64 * 8, o = (40e-6 + 4e-9 * bytes) / 2, l = 100e-6 + 2 * 110e-6;
    near("o", made.logp.overhead_s, o);
    near("L", made.logp.latency_s, l);
    near("g", made.logp.gap_s, bytes * 1e-7);
    near("bytes", made.logp.bytes, bytes);
    near("LogP", made.logp_s, made.computation_s + 16 * (2 * o + l + bytes * 1e-7));
    near("delay with overheads", made.delay_s, made.computation_s + 16 * (100e-6 + 40e-6));
    near("the formula has overheads in λ and τ", made.communication_s, 16 * (100e-6 + 40e-6 + bytes * (1e-7 + 4e-9)));
    dispose(&tried);
}

/* The slowest host and the worst link count, if they are among those of the grid. */
static void test_loaded_grid(void)
{
    struct tried tried = try_machine(bare);
    struct own own = new_own();
    struct fast_forecast free = on_grid(tried.fast, "pdgemm", 1024, 1, 2);
    fast_set_sensor(tried.fast, &(struct fast_sensor){ask, &own});
    own.n3 = 0.25;
    fast_series_add(own.bandwidth, 2e6);
    struct fast_forecast made = on_grid(tried.fast, "pdgemm", 1024, 1, 2);
    near("neither", made.time_s, free.time_s);
    made = on_grid(tried.fast, "pdgemm", 1024, 1, 3); /* with the link to n2; 342 columns at most */
    near("compute", made.computation_s, 16 * 4e-9 * 1024 * 342 * 64);
    near("a slow link", made.communication_s, 2 * (1024.0 * 1024 * 8 / 2e6 + 16 * 100e-6));
    made = on_grid(tried.fast, "pdgemm", 1024, 2, 2); /* and with n3 */
    near("a slow host", made.computation_s, 16 * 4e-9 * 512 * 512 * 64 / 0.25);
    near("Amdahl on it", made.amdahl_s, 4e-9 * 1024 * 1024 * 1024 / 4 / 0.25);
    near("as it was", made.best_s, 16 * 4e-9 * 512 * 512 * 64 + 2 * (1024.0 * 512 * 8 / 10e6) + 2 * 16 * 100e-6);
    CU_ASSERT_EQUAL(made.availability, 0.25);
    CU_ASSERT_EQUAL(made.bandwidth_Bps, 2e6);
    fast_series_add(own.latency, 1e-2);
    made = on_grid(tried.fast, "pdgemm", 1024, 1, 3);
    near("and a late one", made.communication_s, 2 * (1024.0 * 1024 * 8 / 2e6 + 16 * 1e-2));
    dispose_own(&own);
    dispose(&tried);
}

/* The same call simulated takes what a simulation of these settings takes. */
static void test_simulate(void)
{
    static const char *const settings[] = {"ranks=8", "grid=2x4", "m=300", "n=200", "k=100", "block=32", NULL};
    struct tried tried = try_machine(bare);
    struct simrun *simulation = NULL;
    struct result result;
    struct sim_error error;
    double time_s = 0;
    const struct fast_call call = {
        .routine = "pdgemm", .m = 300, .n = 200, .k = 100, .rows = 2, .columns = 4, .settings = &settings[5]};
    result_init(&result);
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, tried.machine, "pdgemm", settings, &error), 0);
    CU_ASSERT_EQUAL_FATAL(simrun_run(&result, simulation, NULL, &error), 0);
    CU_ASSERT_EQUAL(fast_simulate(&time_s, tried.fast, &call, &error), 0);
    near("simulated", time_s, measure_value(result_find(&result, "", "time_s")));
    struct fast_forecast made;
    CU_ASSERT_EQUAL(fast_parallel(&made, tried.fast, &call, &error), 0);
    near("as in the measures", made.time_s, measure_value(result_find(&result, "", "forecast_s")));
    result_dispose(&result);
    simrun_close(simulation);
    dispose(&tried);
}

/* ---- Errors ---- */

static void test_errors(void)
{
    static const char *const grid[] = {"grid=1x1", NULL}, *const shared[] = {"ranks_per_host=2", NULL},
                             *const unknown[] = {"blocks=3", NULL},
                             *const wired[] = {"topology=torus", "dimensions=8x8", NULL};
    static const struct {
        struct fast_call call;
        const char *host, *message;
    } rows[] = {
        {{.routine = "dgemm", .m = 1, .n = 1, .k = 1}, "m0", "unknown host 'm0'; known: n0 ... n31 (32 hosts)"},
        {{.routine = "dgemm", .m = 1, .n = 1, .k = 1}, NULL, "unknown host ''; known: n0 ... n31 (32 hosts)"},
        {{.routine = "dgemm", .m = 1, .n = 1}, "n0", "dgemm has 3 dimensions (m n k); found 2"},
        {{.routine = "dgemm", .m = 1, .k = 1}, "n0", "dimension 0 is out of range; allowed: 1 to 2147483647"},
        {{.routine = "dgemn", .m = 1},
         "n0",
         "unknown routine 'dgemn'; did you mean 'dgemm'? known: dgemm dtrsm matadd pdgemm pdtrsm"},
        {{.m = 1}, "n0", "unknown routine ''; known: dgemm dtrsm matadd pdgemm pdtrsm"},
        {{.routine = "pdgemm", .m = 1, .n = 2, .rows = 1, .columns = 1},
         NULL,
         "pdgemm has 3 dimensions (m n k), or one for all; found 2"},
        {{.routine = "pdtrsm", .m = 1, .n = 2, .k = 3, .rows = 1, .columns = 1},
         NULL,
         "pdtrsm has 2 dimensions (m n), or one for both; found 3"},
        {{.routine = "pdtrsm", .m = 1}, NULL, "a grid of 0x0 processes; allowed: 1x1 and more"},
        {{.routine = "pdtrsm", .m = 1, .rows = 65536, .columns = 65536},
         NULL,
         "a grid of 65536x65536 processes; allowed: 1x1 and more"},
        {{.routine = "pdgemm", .m = 8, .rows = 1, .columns = 33},
         NULL,
         "a grid of 1x33 processes needs 33 hosts, one for each process; made has 32"},
        {{.routine = "pdgemm", .m = 8, .rows = 1, .columns = 1, .settings = grid},
         NULL,
         "'grid=1x1' is already set by the grid and the dimensions of the call"},
        {{.routine = "pdgemm", .m = 8, .rows = 1, .columns = 2, .settings = shared},
         NULL,
         "parameter 'ranks_per_host': the formula does not cover ranks that share a host"},
        {{.routine = "pdgemm", .m = 8, .rows = 8, .columns = 8, .settings = wired},
         NULL,
         "parameter 'topology': forecasts use the topology of the platform; allowed: auto"},
        {{.routine = "pdgemm", .m = 8, .rows = 1, .columns = 2, .settings = unknown},
         NULL,
         "unknown parameter 'blocks'; did you mean 'block'?"},
    };
    struct tried tried = try_machine(bare);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double time_s = 7;
        struct sim_error error = {.message = ""};
        CU_ASSERT_EQUAL(fast_comp_time(&time_s, tried.fast, rows[i].host, &rows[i].call, &error), -1);
        CU_ASSERT_EQUAL(time_s, 7);
        if (strncmp(error.message, rows[i].message, strlen(rows[i].message)) != 0)
            fprintf(stderr, "\n  expected %s\n  found    %s\n", rows[i].message, error.message);
        CU_ASSERT(strncmp(error.message, rows[i].message, strlen(rows[i].message)) == 0);
    }
    struct fast_forecast forecast;
    struct sim_error error;
    const struct fast_call dgemm = {.routine = "dgemm", .m = 1, .n = 1, .k = 1};
    const char *const nobody[] = {NULL}, *host;
    double time_s;
    CU_ASSERT_FALSE(fast_is_extrapolated(tried.fast, &(struct fast_call){.m = 1}));
    CU_ASSERT_EQUAL(fast_parallel(&forecast, tried.fast, &dgemm, &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "'dgemm' is not a parallel routine; known: pdgemm pdtrsm");
    CU_ASSERT_EQUAL(fast_comm_time(&time_s, tried.fast, "n0", "n1", -1, &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "a message of -1 bytes; allowed: 0 to 1152921504606846976");
    CU_ASSERT_EQUAL(fast_comm_time(&time_s, tried.fast, "n0", "n1", INT64_MAX, &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "a message of 9223372036854775807 bytes; allowed: 0 to 1152921504606846976");
    CU_ASSERT_EQUAL(fast_best_host(&host, &time_s, tried.fast, nobody, &dgemm, &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "there is no host to choose from");
    dispose(&tried);
}

int main(void)
{
    static const struct test tests[] = {
        {"sequential routines", test_sequential},
        {"messages", test_messages},
        {"messages as simulated", test_simulated_message},
        {"a sensor of its own", test_sensor},
        {"a sensor of the network", test_sensed_network},
        {"recorded profiles", test_profiles},
        {"sensors that make no sense", test_nonsense},
        {"pdgemm by hand", test_pdgemm},
        {"pdtrsm by hand", test_pdtrsm},
        {"LogP by hand", test_logp},
        {"a grid under load", test_loaded_grid},
        {"simulated", test_simulate},
        {"errors", test_errors},
        {NULL, NULL},
    };
    return testing_run("fast", tests);
}
