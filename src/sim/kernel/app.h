/* Applications: skeletons of parallel programs. One file src/apps/<name>.c, one line in src/apps/list.def.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_APP_H
#define SIM_KERNEL_APP_H

#include "interval/part.h"
#include "sim/collective/collective.h"
#include "sim/program/dsm_options.h"
#include "sim/program/op.h"
#include "sim/program/param.h"
#include "sim/program/placement.h"

#include <stdbool.h>
#include <stdint.h>

struct user_broadcast_lines;    /* sim/user_broadcast/user_broadcast.h */
struct user_broadcast_messages; /* sim/user_broadcast/user_broadcast.h */
struct record_group;            /* interval/group.h */
struct record_info;             /* trace/record/record.h */

/* A configured application: what the kernel runs. */
struct program {
    const struct app_spec *app;
    void *config;                     /* on the heap; program_dispose() frees it, or has the application do so */
    void *input;                      /* what open_input() has opened; borrowed from the scenario */
    bool keeps_computation;           /* it replays something, and computations take as long as there on any host */
    bool ignores_speed;               /* it has operations in place of times, so that the speed set means nothing */
    const struct record_info *traced; /* what it replays is described by this; borrowed. NULL: it replays nothing */
    struct coll_options collectives;
    struct user_broadcast_messages *own; /* of the broadcast `own`, for collectives.own */
    /* n_groups of them, which collectives name; [0] stands for all ranks. Borrowed. */
    const struct record_group *groups;
    int n_groups;           /* 0: there is only that */
    struct dsm_options dsm; /* of programs that share memory */
    /* Ranks do several things at once: emit_strand() takes the place of emit(). How many processors each of them has;
     * 0: a rank is one line of steps, on one processor. */
    int n_processors;
    const char *const *processor_names; /* of these, see struct interval_setup; NULL: they have none */
    bool has_progress;                  /* the last of these is none: on it goes on what needs no processor */
    bool waits_for_each; /* no strand calls collectives or waits for all its requests; n_processors is not 0 then */
    bool has_any_source; /* some receives are from any source, or under any tag; n_processors is not 0 then */
    bool knows_sources;  /* some were when they were traced: their ops have from_any */
    /* The processors that the ranks of a schedule of operations name, even where they could do with one line of steps;
     * 0: it is no schedule. And whether it goes by the LogGOPS model, sim/kernel/loggops.h; it has strands then. */
    int n_scheduled;
    bool by_loggops;
};

/* The costs that a closed-form forecast is made of (Caron02, section 3): those of the application's kernels in the
 * order of its table, and that of a message of L bytes between two hosts, lambda + L tau, which includes what it takes
 * of the processors. */
struct forecast_costs {
    const struct kernel_cost *kernels;
    double latency_s; /* lambda */
    double byte_s;    /* tau, per byte */
    /* The time of such a message by another model, such as LogP, in place of both; NULL: lambda + L tau. */
    double (*message_s)(void *self, double bytes);
    void *self;
};
double forecast_message_s(const struct forecast_costs *costs, double bytes);

/* A forecast time and what it is the sum of. */
struct forecast {
    double computation_s, communication_s;
    double serial_s;           /* of the computation: what one process does while the others wait for it */
    double unreceived_s;       /* of messages that the equations as printed also have, but that no rank receives */
    bool of_another_algorithm; /* than the one that is simulated */
};

struct app_spec {
    const char *name;
    const char *summary;
    const char *source;
    const struct param_spec *params;
    int n_params;
    /* Names of those that say what and how much there is to do, NULL-terminated; all others say how it is done, and
     * their values can be compared. NULL: none. */
    const char *const *problem;
    const char *const *scopes;  /* names of the phases that ops are attributed to, NULL-terminated; the first is "" */
    const char *const *kernels; /* names of the kernels that the machine must know the cost of; NULL: none */
    const struct phase_spec
        *phases; /* of the scopes, those that are a collective's, or shown as one with others. NULL: none */

    /* A setup must allow a single rank whatever its parameters: T_seq is the time of the same program on one rank.
     * Set up program->config and ->collectives from the values of `params`, in the order of the table. A setup may put
     * another application into program->app, whose scopes, kernels and steps are then used. */
    int (*setup)(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error);
    /* Free a config that is more than one heap block; NULL: it is one. */
    void (*dispose)(void *config);
    /* Append the ops of one step (0, 1, ...) of a rank; false, with nothing appended, when there is no such step. */
    bool (*emit)(const void *config, int rank, int64_t step, struct op_list *list);
    /* Asked when emit has returned false: 0 if the rank's program has ended, -1 with an error if it could not be read
     * on. NULL: it has always ended. */
    int (*failed)(const void *config, struct sim_error *error);
    /* Where a rank's op of its present step comes from, for messages; NULL: its step says enough. */
    void (*describe)(const void *config, int rank, int op, char *text, size_t size);
    /* Asked when the program has come to a deadlock: what may explain it, or "". NULL: nothing does. */
    void (*explain)(const void *config, char *text, size_t size);
    /* In place of emit, for programs that share memory; setup fills in program->dsm. `seen` is what the rank's last
     * OP_FETCH_ADD or OP_POP found (0 before the first). A step that does one must either not depend on it or have it
     * as its last op. */
    bool (*emit_shared)(const void *config, int rank, int64_t step, int64_t seen, struct op_list *list);
    /* In place of emit, for programs whose n_processors is not 0. A rank begins with its strand of line 0, on processor
     * 0; OP_STARTs begin others. A strand's step is asked for when its previous ones are done, and again while the
     * strand waits within it, unless all of it are OP_STARTs, which never wait. It may say of a step that it is the
     * last: see struct op_list. */
    bool (*emit_strand)(const void *config, int rank, int64_t line, int64_t step, struct op_list *list);
    /* Where a strand's op of its present step comes from, for messages; NULL: nothing is known. */
    void (*describe_strand)(const void *config, int rank, int64_t line, int op, char *text, size_t size);
    /* Asked when nothing of such a program is left to happen, after so many strands have been begun by OP_STARTs: -1
     * with an error if others can never begin, because they wait for themselves. NULL: there are none. */
    int (*finished)(const void *config, int64_t n_started, struct sim_error *error);
    /* The time that a closed formula gives; NULL where there is none. */
    struct forecast (*forecast)(const void *config, const struct forecast_costs *costs);
    /* For an application that a file describes: open the file, or a part of it, and find how many ranks it is for. The
     * opened input is the program's, see setup; NULL: there is no file. */
    int (*open_input)(void **input, int *n_ranks, const char *file, const struct part_request *part,
                      struct sim_error *error);
    void (*close_input)(void *input);
    bool parallel_only; /* it cannot run on another number of ranks than it has, so that T_seq is not known */
    /* The bytes that a rank's data take when they take most; NULL where the application does not say. */
    int64_t (*memory)(const void *config, int rank);
    /* The floating-point operations by which the program's rate is counted, whatever it does; NULL: it has no rate. */
    double (*flops)(const void *config);
};

/* The rows by which an application lets its user choose how broadcasts are done, and the options made of their values
 * (`values` points to the first of the rows; broadcast_mode auto is `automatic`). */
#define BROADCAST_PARAMS(fallback, automatic)                                                                          \
    {"broadcast",                                                                                                      \
     PARAM_CHOICE,                                                                                                     \
     fallback,                                                                                                         \
     .choices = coll_broadcast_names,                                                                                  \
     .aliases = coll_broadcast_aliases,                                                                                \
     .summary = "broadcast algorithm",                                                                                 \
     .concerns = SUBJECT_BROADCAST},                                                                                   \
        {"broadcast_order",                                                                                            \
         PARAM_CHOICE,                                                                                                 \
         "rank",                                                                                                       \
         .choices = flat_order_names,                                                                                  \
         .summary = "order of the receivers for flat",                                                                 \
         .concerns = SUBJECT_BROADCAST,                                                                                \
         .option = COLL_USES_ORDER},                                                                                   \
        {"broadcast_segment",                                                                                          \
         PARAM_SIZE,                                                                                                   \
         "512",                                                                                                        \
         .min = 1,                                                                                                     \
         .max = INT64_C(1) << 40,                                                                                      \
         .summary = "segment size of chain_segmented and the other segmented algorithms",                              \
         .concerns = SUBJECT_BROADCAST,                                                                                \
         .option = COLL_USES_SEGMENT},                                                                                 \
        {"broadcast_mode",                                                                                             \
         PARAM_CHOICE,                                                                                                 \
         "auto",                                                                                                       \
         .choices = broadcast_mode_names,                                                                              \
         .summary = "send mode within a broadcast; auto: " automatic,                                                  \
         .concerns = SUBJECT_BROADCAST},                                                                               \
    {                                                                                                                  \
        "broadcast_radix", PARAM_COUNT, "4", .min = 2, .max = 1 << 20,                                                 \
                                             .summary = "k of knomial, number of paths of multipath",                  \
                                             .concerns = SUBJECT_BROADCAST, .option = COLL_USES_RADIX                  \
    }
enum { N_BROADCAST_PARAMS = 5 };
extern const char *const broadcast_mode_names[]; /* auto standard synchronous, NULL-terminated */
struct coll_options broadcast_options(const int64_t *values, enum send_mode automatic);

/* The same for the other collectives, in the order of enum coll_family. */
#define COLLECTIVE_PARAM(family, about)                                                                                \
    {                                                                                                                  \
#family, PARAM_CHOICE, "auto", .choices = coll_##family##_names, .aliases = coll_##family##_aliases,           \
                                       .summary = #family " algorithm", .concerns = about                              \
    }
#define COLLECTIVE_PARAMS()                                                                                            \
    COLLECTIVE_PARAM(scatter, SUBJECT_SCATTER), COLLECTIVE_PARAM(gather, SUBJECT_GATHER),                              \
        COLLECTIVE_PARAM(reduce, SUBJECT_REDUCE), COLLECTIVE_PARAM(allreduce, SUBJECT_ALLREDUCE),                      \
        COLLECTIVE_PARAM(allgather, SUBJECT_ALLGATHER), COLLECTIVE_PARAM(alltoall, SUBJECT_ALLTOALL),                  \
        COLLECTIVE_PARAM(barrier, SUBJECT_BARRIER)
void collective_options(struct coll_options *options, const int64_t *values);

/* The application of that name in a NULL-terminated table, or NULL. */
const struct app_spec *app_find(const struct app_spec *const *apps, const char *name);

/* True if the parameter is one of the application's `problem`. */
bool app_is_problem(const struct app_spec *app, const char *parameter);

/* Length of a NULL-terminated list of names; 0 of NULL. */
int names_count(const char *const *names);

int program_init(struct program *program, const struct app_spec *app, const int64_t *values,
                 const struct placement *placement, struct sim_error *error);
/* A program's input from files, each NULL if there is none; both stay open as long as the program. */
struct program_input {
    void *opened;                           /* of an application that a file describes */
    const struct user_broadcast_lines *own; /* of the broadcast `own`; NULL: there are none */
};
int program_init_from(struct program *program, const struct app_spec *app, const struct program_input *input,
                      const int64_t *values, const struct placement *placement, struct sim_error *error);
void program_dispose(struct program *program);

#endif
