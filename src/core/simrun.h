/* simrun as a library: simulate a parallel program on a parallel machine, and account for every moment of it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A machine is what things cost and how hosts are connected. An application is a program that every rank runs; what it
 * does is said by parameters. A simulation of both yields measures: times, overheads, what the ranks waited for, what
 * lies on the critical path. For more, take the intervals of which these are made.
 *
 * Contract
 *   The same input gives the same result, to the picosecond and on any computer. Every moment of every rank is in one
 *   state, and the states of a rank add up to the run's time exactly.
 *   Nothing here reads or writes a file, starts a process, or asks what time it is. There is no state but what the
 *   caller holds, and what is constant once it is made. So threads may simulate side by side, each on machines of its
 *   own.
 *   Where the computer has no memory left the program ends with a message. Input alone does not bring that about: what
 *   would take too much is refused.
 *
 * Units
 *   Times are picoseconds, int64_t, at most 27 days; sizes are bytes. Names say the unit: end_ps. The value of a
 *   measure as a double (measure_value()) is in seconds where the measure is a time, and its name ends in _s.
 *   In text values have a unit: 5us, 64KiB, 2.5MBps, 1.36Mf (flop/s).
 *
 * Errors
 *   A function that can fail returns 0, or -1 with *error filled in: error.status is SIM_BAD_INPUT where the input is
 *   wrong and SIM_UNFINISHED where the simulation came to no end (a deadlock, a limit). error.message is one line that
 *   says where, what was found, and what is allowed. Results are unchanged then.
 *
 * Ownership
 *   What a function makes is freed by the function named with it, which takes NULL, too. Text that is given is copied.
 *   A machine must live as long as the simulations on it. A simulation may be run any number of times.
 *
 * Example: what do 16 processors on a torus do while they solve 128 equations?
 *
 *     #include <simrun.h>
 *     #include <stdio.h>
 *
 *     static const char torus[] = "hosts torus 4x4 1Gf 125MBps 20us\n"
 *                                 "send_overhead start=5us\n"
 *                                 "receive_overhead start=5us\n"
 *                                 "cycle 10ns\n"
 *                                 "kernel.gj.rsub cpu=12 fpu=8\n"
 *                                 "kernel.gj.norm cpu=8 fpu=5\n"
 *                                 "kernel.gj.set cpu=12\n"
 *                                 "kernel.gj.inv cpu=8 fpu=30\n"
 *                                 "kernel.gj.buf cpu=6\n";
 *
 *     int main(void)
 *     {
 *         static const char *const settings[] = {"ranks=16", "n=128", "broadcast=binomial", NULL};
 *         struct sim_error error;
 *         struct machine *machine = NULL;
 *         struct simrun *simulation = NULL;
 *         struct result result;
 *         result_init(&result);
 *         if (simrun_read_machine(&machine, "torus", torus, &error) != 0 ||
 *             simrun_open(&simulation, machine, "gauss-jordan", settings, &error) != 0 ||
 *             simrun_run(&result, simulation, NULL, &error) != 0) {
 *             fprintf(stderr, "%s\n", error.message);
 *             return error.status;
 *         }
 *         printf("%-10s %8.2f ms\n", "time", 1e3 * measure_value(result_find(&result, "", "time_s")));
 *         printf("%-10s %8.2f\n", "speedup", measure_value(result_find(&result, "", "speedup")));
 *         printf("rank 15\n");
 *         for (int state = 0; state < N_LOCATION_STATES; state++)
 *             printf("%-10s %8.2f ms\n", location_state_names[state], 1e-9 * (double)result.state_ps[15][state]);
 *         result_dispose(&result);
 *         simrun_close(simulation);
 *         simrun_free_machine(machine);
 *         return 0;
 *     }
 *
 * It is compiled by  cc example.c $(pkg-config --cflags --libs simrun)  after  cmake --install build/release --prefix
 * PREFIX, where pkg-config looks into PREFIX/lib/pkgconfig. */
#ifndef CORE_SIMRUN_H
#define CORE_SIMRUN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/error.h"        /* struct sim_error */
#include "interval/interval.h" /* struct interval, struct interval_sink: what a consumer of intervals gets */
#include "metrics/result.h"    /* struct result: the measures and tables of a run, and the states of its ranks */

#include <stdbool.h>
#include <stddef.h>

struct machine;
struct simrun;

/* ---- Version ---- */

/* The version of these headers is that of simrun without its last number. As long as MAJOR stays the same, a program
 * that compiles goes on to compile, and means the same: a higher MINOR only adds. While MAJOR is 0, a higher MINOR may
 * change anything, and CHANGELOG.md says what. */
#define SIMRUN_API_VERSION_MAJOR 1
#define SIMRUN_API_VERSION_MINOR 0

/* Both in one number, to compare in #if: 2 is version 0.2, 1000 is 1.0. */
#define SIMRUN_API_VERSION (1000 * SIMRUN_API_VERSION_MAJOR + SIMRUN_API_VERSION_MINOR)

/* SIMRUN_API_VERSION of the library. It differs from that of the headers where a program is compiled with the headers
 * of one and linked with another. */
int simrun_api_version(void);

/* ---- Machines ---- */

/* Make a machine of text; `name` is its own, and that of the text in messages. Free it with simrun_free_machine().
 * `simrun platform --text SCENARIO` writes such text. Each line is one of these, empty, or a comment behind '#':
 *
 *     ID VALUE                                   a cost: such as eager_limit 64KiB, of docs/ref/platform-format.md
 *     hosts TOPOLOGY SPEED BANDWIDTH LATENCY     all hosts and wires, such as: hosts torus 16x8 1.36Mf 2.5MBps 0us
 *
 * Hosts and wires may be listed instead, the edges or routes last. Only there the props mesh, mesh_pitch and topology
 * have a place; costs_from has none, since nothing is read from files.
 *
 *     host NAME SPEED
 *     router NAME
 *     link NAME BANDWIDTH LATENCY                a wire in one direction
 *     pipe NAME                                  what stands for no wire and takes no time
 *     pipe NAME BANDWIDTH LATENCY                or has a latency, and lets each message through at no more
 *     edge FROM TO LINK                          routes are the shortest ways over such edges; there must be one only
 *     route FROM TO LINK...                      or all routes are listed, from each host to each other
 *     route HOST HOST LINK...                    between two ranks of a host, where no network is named; else 10 GB/s
 *
 * Hosts are numbered by the numbers at the end of their names, or in the order of the names. */
int simrun_read_machine(struct machine **machine, const char *name, const char *text, struct sim_error *error);
void simrun_free_machine(struct machine *machine);

/* ---- Applications and their parameters ---- */

/* The name of the i-th application (i = 0, 1, ...), and in *summary, unless that is NULL, what it does; NULL behind the
 * last. Both are static. Traces are no applications here: they are files. */
const char *simrun_application(int i, const char **summary);

/* The i-th routine whose cost an application asks a machine for, by the prop kernel.NAME; NULL behind the last, and
 * where there is no such application. Those that share memory want the props dsm.NAME, too. */
const char *simrun_kernel(const char *application, int i);

struct simrun_parameter {
    const char *name, *summary;
    const char *fallback; /* the value if nothing is set; NULL: it must be set */
    char allowed[400];    /* "1 ... 65536", "snake | row-major" */
};

/* The i-th parameter of an application, first those that all have, such as ranks, network and topology. False behind
 * the last, and where there is no such application. */
bool simrun_parameter(struct simrun_parameter *parameter, const char *application, int i);

/* ---- Simulations ---- */

/* Prepare the simulation of an application on a machine, which must know what its routines cost. Settings are texts
 * "NAME=VALUE", of which the last is followed by NULL, or NULL: none. A later one of the same name counts. Close it
 * with simrun_close(). */
int simrun_open(struct simrun **simulation, struct machine *machine, const char *application,
                const char *const *settings, struct sim_error *error);
void simrun_close(struct simrun *simulation);

/* Ask that all further runs have details: tables that cost time, such as "messages,path", or "all". In place of those
 * of an earlier call. metrics/detail.def lists what there is. */
int simrun_ask(struct simrun *simulation, const char *details, struct sim_error *error);

/* Simulate, and put all measures into *result in place of what it holds: result_init() makes it empty, result_dispose()
 * frees it. metrics/measures.def lists what there may be. T_seq, the time of the same problem on one rank, is
 * simulated, too. `observer` gets every interval in the course of it, without parts_ps, or is NULL. */
int simrun_run(struct result *result, struct simrun *simulation, const struct interval_sink *observer,
               struct sim_error *error);

/* The facts that an observer should know beforehand; valid as long as the simulation. */
struct interval_setup simrun_events(const struct simrun *simulation);

/* Simulate again without each of these causes, such as "latency,contention"; NULL: without each that there is. Adds
 * what each gains, and why: the groups "what_if" and "pop", the tables "what_if_causes" and "what_if_paths", in
 * place of those of an earlier call. */
int simrun_what_if(struct result *result, struct simrun *simulation, const char *causes, struct sim_error *error);

#ifdef __cplusplus
}
#endif

#endif
