/* A scenario: which machine, which application, which parameters, and what to vary.
 *
 * docs/ref/scenario-format.md describes the file, src/sim/scenario/scenario.rng is its schema. A parameter with several
 * values makes a sweep; the runs of several such parameters are all combinations. The first parameter, ranks, varies
 * fastest, so that a sweep over broadcasts and ranks shows one broadcast after the other.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_SCENARIO_SCENARIO_H
#define SIM_SCENARIO_SCENARIO_H

#include "base/error.h"
#include "core/settings.h"
#include "sim/kernel/app.h"
#include "sim/program/param.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCENARIO_MAX_RUNS 100000

/* One parameter with the values it takes. */
struct scenario_param {
    const struct param_spec *spec;
    int64_t *values;
    int n_values;
    long line;    /* where it was set; 0: the default or the command line */
    bool changed; /* by the command line, from what it was */
};

struct user_broadcast_lines; /* sim/user_broadcast/user_broadcast.h */

struct scenario {
    char *file;
    char *text; /* of the file, which may be a pipe, and not to be read again; `size` bytes */
    size_t size;
    char *name;
    char *title; /* as the file has it, see scenario_heading(); NULL if none */
    struct scenario_platform {
        char *file; /* resolved against the scenario's folder */
        char *name; /* without folder and extension */
    } * platforms;  /* n_platforms of them, one at least */
    int n_platforms;
    bool has_other_platforms;  /* than the file names */
    const char *platform_file; /* that of the first */
    long platform_line;
    char *reference_file; /* likewise; NULL if none */
    long reference_line;
    const char *decision; /* the measure by which candidates are ranked; NULL: the scenario is no decision */
    bool asks_what_if;    /* the gains of causes: of those in `causes`, or of each where that is NULL */
    char *causes;
    long causes_line;
    const struct app_spec *app;
    char *input_file;        /* what the application is described by, likewise; NULL if by nothing */
    char *from, *to, *ranks; /* the part of it, see struct part_request; NULL: all */
    void *input;             /* it, open */
    char *own_file;          /* the lines of the broadcast `own`, likewise; NULL if none */
    char *own_text;          /* own_size bytes */
    size_t own_size;
    struct user_broadcast_lines *own;
    struct allocation *allocation; /* the hosts for ranks, as scenario_place() has it; NULL: all of a platform */
    char *allocation_text;
    int n_params; /* N_COMMON_PARAMS + app->n_params */
    struct scenario_param *params;
};

/* The measure that a decision by `name` ranks by, or NULL. */
const char *scenario_criterion(const char *name);

/* True if the values of a parameter are candidates of a decision: it is no number, and not the network, which is never
 * a choice. */
bool scenario_is_candidate(const struct param_spec *spec);

/* No scenario needs more; what is larger is not one. */
#define SCENARIO_MAX_BYTES (1024 * 1024)

/* Read and validate a file; `apps` are the applications to choose from. Everything wrong with it is an error with file,
 * line, element and what is allowed. The file that describes the application is opened; whether the platform and the
 * reference file exist is the affair of those who read them. After an error *scenario is empty, so that
 * scenario_dispose() is in place either way. */
int scenario_load_file(struct scenario *scenario, const char *file, const struct app_spec *const *apps,
                       struct sim_error *error);

/* The same for a file in memory. Messages name it file_label, and its paths are relative to the label's folder. */
int scenario_load_text(struct scenario *scenario, const char *text, size_t size, const char *file_label,
                       const struct app_spec *const *apps, struct sim_error *error);

/* Apply "NAME=VALUE[,VALUE...]", in place of what the file set; of several platforms, "platform=NAME[,NAME...]" keeps
 * some. After an error the scenario is as it was. */
int scenario_set(struct scenario *scenario, const char *assignment, struct sim_error *error);

/* Put the ranks where the argument says: in an order of the parameter `placement`; "ppr:N:node"; on the hosts of a file
 * or of a list (sim/program/allocation.h), which the platform may turn out not to have. */
int scenario_place(struct scenario *scenario, const char *argument, struct sim_error *error);

/* The title, or the name of a scenario without, and what the command line has changed: "Gauss-Jordan (n=512)"; to be
 * freed. In a title {NAME|TEXT} is the text, or the values of the parameter NAME, or the platforms, where these have
 * been changed. A bracket at its end that names figures or tables is left out where anything has been. */
char *scenario_heading(const struct scenario *scenario);
/* The options that leave the first of its runs: " --set ranks=32 --set grid=4x8"; "" where it has one; to be freed. */
char *scenario_first_run(const struct scenario *scenario);

/* Free everything; the scenario is empty then, and may be disposed of again. */
void scenario_dispose(struct scenario *scenario);

/* Number of runs on each platform, and the parameter values of run i (n_params of them, in the order of params). */
int64_t scenario_run_count(const struct scenario *scenario);
void scenario_run_values(const struct scenario *scenario, int64_t i, int64_t *values);

#endif
