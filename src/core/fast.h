/* FAST as a library: what a routine takes of a host, a message between two, and a parallel routine on a grid of
 * processes, forecast without a simulation, as the load of hosts and network is now.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * FAST is the forecasting tool of Caron02 (sections 2 to 4). A scheduler asks it where to run what: what a routine
 * takes is a polynomial of its dimensions, and what is free of hosts and network is measured by sensors, whose next
 * value is forecast. For parallel routines formulas put both together. The machine is that of simrun.h, so that what is
 * forecast can be simulated, too.
 *
 * Contract
 *   Nothing here reads or writes a file, starts a process, or asks what time it is: the program says the time, by
 *   fast_set_time(), and what is measured, by a sensor. The same input gives the same answers.
 *   Threads may ask side by side, each a struct fast and a machine of its own.
 *
 * Units
 *   Times are seconds, sizes bytes, bandwidth bytes in a second, availability a share from 0 to 1.
 *   A value without bound, such as a time on a host that is fully occupied, is INFINITY. An unknown value is NAN.
 *
 * Errors
 *   A function that can fail returns 0, or -1 with *error filled in: error.status is SIM_BAD_INPUT, error.message one
 *   line that says what was found, and what is allowed. The result is unchanged then.
 *
 * Ownership
 *   What a function makes is freed by the function named with it, which takes NULL, too. The machine, and what a sensor
 *   needs, are the program's and must live as long as the struct fast. Text that is handed out lives as long as that.
 *
 * Example: which grid of 8 processes is best for a matrix product, before and after others use the first host?
 *
 *     #include <fast.h>
 *     #include <simrun.h>
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     static const char cluster[] = "hosts star 8 455Mf 11MBps 50us\n"
 *                                   "kernel.dgemm poly mnk=4.3956ns\n"
 *                                   "kernel.matadd poly mn=80ns\n";
 *
 *     // The program's own sensor: it knows the load of one host, and nothing of the others.
 *     static bool measure(void *series, struct fast_value *value, enum fast_resource resource, const char *from,
 *                         const char *to, double at_s)
 *     {
 *         (void)to, (void)at_s;
 *         return resource == FAST_AVAILABILITY && strcmp(from, "n0") == 0 && fast_series_forecast(value, series);
 *     }
 *
 *     static int show(struct fast *fast, struct sim_error *error)
 *     {
 *         static const int grids[][2] = {{1, 8}, {2, 4}, {4, 2}, {8, 1}};
 *         for (int i = 0; i < 4; i++) {
 *             struct fast_call call = {.routine = "pdgemm", .m = 2048, .rows = grids[i][0], .columns = grids[i][1]};
 *             struct fast_forecast on;
 *             if (fast_parallel(&on, fast, &call, error) != 0)
 *                 return -1;
 *             printf("%dx%d %6.2f s\n", call.rows, call.columns, on.time_s);
 *         }
 *         return 0;
 *     }
 *
 *     int main(void)
 *     {
 *         static const struct fast_call product = {.routine = "dgemm", .m = 512, .n = 512, .k = 512};
 *         struct sim_error error;
 *         struct machine *machine = NULL;
 *         if (simrun_read_machine(&machine, "cluster", cluster, &error) != 0) {
 *             fprintf(stderr, "%s\n", error.message);
 *             return error.status;
 *         }
 *         struct fast *fast = fast_new(machine);
 *         struct fast_series *series = fast_series_new();
 *         const struct fast_sensor sensor = {measure, series};
 *         const char *best;
 *         double time_s;
 *         int status = show(fast, &error);
 *         fast_set_sensor(fast, &sensor);
 *         for (int i = 0; i < 10; i++)
 *             fast_series_add(series, 0.5); // others take half of it
 *         if (status == 0)
 *             status = show(fast, &error);
 *         if (status == 0)
 *             status = fast_best_host(&best, &time_s, fast, NULL, &product, &error);
 *         if (status == 0)
 *             printf("dgemm is best done on %s, in %.2f s\n", best, time_s);
 *         else
 *             fprintf(stderr, "%s\n", error.message);
 *         fast_series_free(series);
 *         fast_free(fast);
 *         simrun_free_machine(machine);
 *         return status == 0 ? 0 : error.status;
 *     }
 *
 * It is compiled as that of simrun.h. `simrun forecast` is made of this. */
#ifndef CORE_FAST_H
#define CORE_FAST_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/error.h" /* struct sim_error */

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct fast;

/* ---- What is asked of ---- */

/* FAST on a machine of simrun_read_machine(). Free it with fast_free(), before the machine. */
struct fast *fast_new(struct machine *machine);
void fast_free(struct fast *fast);

/* The time that all further forecasts are for, in seconds from 0, which it is at first, to 1e10. Sensors are told. */
void fast_set_time(struct fast *fast, double at_s);

/* The name of the i-th host, and of the i-th routine, first those that the machine has a cost kernel.NAME for, then the
 * parallel ones; NULL behind the last. is_parallel may be NULL. */
const char *fast_host(const struct fast *fast, int i);
const char *fast_routine(const struct fast *fast, int i, bool *is_parallel);

/* ---- Sensors ---- */

enum fast_resource {
    FAST_AVAILABILITY, /* the share of a host's processor that a program gets, 0 to 1 */
    FAST_LATENCY,      /* of messages from one host to another, in s */
    FAST_BANDWIDTH,    /* of these, in B/s */
};

/* A resource, at best and as it is now. */
struct fast_value {
    double best;           /* without load: as the machine has it */
    double expected;       /* the forecast; the best where nothing has been measured */
    double error;          /* mean absolute error of such forecasts so far; 0: not known */
    const char *predictor; /* what it is forecast by, "last value"; NULL: that is not known */
    int64_t measurements;  /* that it goes by */
    int n_series;          /* of how many series these are, such as wires of a route; 0: nothing has been measured */
};

/* A source of measurements. `ask` is called for each forecast: it fills in the value that is expected of the resource
 * at that time, or returns false where nothing has been measured. *value comes with the best, and all else as if
 * nothing had been measured. For the availability of `from`, `to` is NULL. A program's own sensor, such as one that
 * asks the Network Weather Service, may know the forecast; one that only measures lets a fast_series make it. */
struct fast_sensor {
    bool (*ask)(void *self, struct fast_value *value, enum fast_resource resource, const char *from, const char *to,
                double at_s);
    void *self;
};

/* Have this sensor, of which a copy is kept, asked from now on. NULL: the machine's recorded profiles, as at first;
 * machines of simrun_read_machine() have none. */
void fast_set_sensor(struct fast *fast, const struct fast_sensor *sensor);

/* A series of measurements, at even distances, and the forecast of the next one, as the Network Weather Service makes
 * it: many simple predictors, and the best so far is believed. Values that are not finite are left out. value->best
 * stays; false, and all of *value stays, where there is no measurement yet. Free a series with fast_series_free(). */
struct fast_series;
struct fast_series *fast_series_new(void);
void fast_series_free(struct fast_series *series);
void fast_series_add(struct fast_series *series, double measurement);
bool fast_series_forecast(struct fast_value *value, const struct fast_series *series);

/* ---- What is free ---- */

/* By the sensor. On a machine with a message cost formula, latency is that of an empty message and bandwidth that of
 * its last row; what is measured of its network does not count. */
int fast_availability(struct fast_value *value, struct fast *fast, const char *host, struct sim_error *error);
int fast_latency(struct fast_value *value, struct fast *fast, const char *from, const char *to,
                 struct sim_error *error);
int fast_bandwidth(struct fast_value *value, struct fast *fast, const char *from, const char *to,
                   struct sim_error *error);

/* ---- Sequential routines and messages ---- */

/* A call of a routine. Dimensions that the routine does not have are 0; of one that costs by iteration m is their
 * number, 0: one. In a parallel routine, n = k = 0 means that all are m; and only that has what follows. */
struct fast_call {
    const char *routine; /* "dgemm", "pdgemm" */
    int64_t m, n, k;
    int rows, columns; /* of the grid of processes */
    /* Other parameters of the application of that name than these, as of simrun_open(): "block=32"; NULL behind the
     * last. NULL: none. */
    const char *const *settings;
};

/* Seconds that the call takes on a host: as it is now, and on one without load. The first is the second over the
 * availability. A parallel routine takes what fast_parallel() says, on its own hosts: `host` does not count. */
int fast_comp_time(double *time_s, struct fast *fast, const char *host, const struct fast_call *call,
                   struct sim_error *error);
int fast_comp_time_best(double *time_s, struct fast *fast, const char *host, const struct fast_call *call,
                        struct sim_error *error);

/* The 95 % band of what it takes as it is now, where the cost of the routine, or of those that a parallel one is made
 * of, is the law of a table: the law may be off. Else both are the time. An unknown end is INFINITY. */
int fast_comp_time_band(double *low_s, double *high_s, struct fast *fast, const char *host,
                        const struct fast_call *call, struct sim_error *error);

/* Bytes of memory that the call needs of a host; NAN where the machine does not know. And how many a host has; NAN. */
int fast_comp_size(double *bytes, struct fast *fast, const struct fast_call *call, struct sim_error *error);
double fast_memory(const struct fast *fast);

/* True if a dimension of the call is outside the range that the routine's cost was fitted for; false for parallel
 * ones. */
bool fast_is_extrapolated(const struct fast *fast, const struct fast_call *call);

/* The one of these hosts, NULL behind the last, or of all if `hosts` is NULL, on which the call takes least; of equal
 * ones the first. */
int fast_best_host(const char **host, double *time_s, struct fast *fast, const char *const *hosts,
                   const struct fast_call *call, struct sim_error *error);

/* Seconds from the beginning of a send to the end of its receive, which waits for it: latency + bytes / bandwidth, with
 * the machine's overheads, and beyond its eager limit with RTS and CTS. As the network is now, and without load. */
int fast_comm_time(double *time_s, struct fast *fast, const char *from, const char *to, int64_t bytes,
                   struct sim_error *error);
int fast_comm_time_best(double *time_s, struct fast *fast, const char *from, const char *to, int64_t bytes,
                        struct sim_error *error);

/* The same message in LogP (Culler96): o + L + G bytes + o, where G is LogGP's for long ones. A sender can begin the
 * next one after g = max(o, G bytes). P is the number of hosts, or of processes. */
struct fast_logp {
    double bytes;
    double latency_s, overhead_s, gap_s, gap_byte_s; /* L, o, g, G */
    int processes;                                   /* P */
};
int fast_logp(struct fast_logp *logp, struct fast *fast, const char *from, const char *to, int64_t bytes,
              struct sim_error *error);

/* ---- Parallel routines ---- */

/* A parallel routine by its formula (Caron02, eqs. 1 to 7), and by the three models that stand beside it there.
 *
 * Its processes are on the machine's first rows x columns hosts. Hosts and network are taken to be homogeneous: costs
 * of messages are those between the first two. Among measured values, the worst counts: the least availability, the
 * largest latency and least bandwidth from the first host to another of them. */
struct fast_forecast {
    double time_s, computation_s, communication_s; /* as it is now; the first is the sum of the others */
    double low_s, high_s;                          /* time_s in its 95 % band, as fast_comp_time_band() */
    double best_s;                                 /* time_s without load */
    double unreceived_s; /* more by the equations as printed, for messages without a receiver on that grid */
    double delay_s;      /* the formula's computation, each of its messages the delay latency_s, whatever its length */
    double logp_s;       /* the formula's computation, its messages in LogP; as it is now */
    struct fast_logp logp; /* of its longest message; zeros where there is none */
    /* Amdahl's law, which knows neither messages nor the grid: one_process_s (f + (1 - f) / P) over the availability.
     * f is the share of the computation that one process does while all others wait for it. */
    double amdahl_s, one_process_s, serial_share;
    double availability, latency_s, bandwidth_Bps; /* that it was made with */
    double memory_bytes;                           /* of the process that needs most; NAN: not known */
    double messages;                               /* about how many a simulation of it has: how long that takes */
    const char *network;                           /* that it would be on; static */
    bool of_another_algorithm;                     /* than the one that a simulation with these settings does */
};
int fast_parallel(struct fast_forecast *forecast, struct fast *fast, const struct fast_call *call,
                  struct sim_error *error);

/* The time of a simulation of the same call, without load, on the machine's own network. It may also fail with
 * SIM_UNFINISHED. */
int fast_simulate(double *time_s, struct fast *fast, const struct fast_call *call, struct sim_error *error);

#ifdef __cplusplus
}
#endif

#endif
