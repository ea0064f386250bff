/* Simulations for marks: each is a process of its own, with bounds on its time and memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_MARKS_SIMULATE_H
#define SIMRUN_MARKS_SIMULATE_H

#include "dataset/json.h"
#include "simrun/lab_text.h"

enum { MARKS_SECONDS = 20, MARKS_SIMULATION_BYTES = 16 << 20 }; /* of a simulation, and of what it says, at most */

/* The value that is asked for: a number or a text. */
struct lab_value {
    enum { LAB_NONE, LAB_NUMBER, LAB_TEXT } kind;
    double number;
    char text[128];
};

/* The simulator's answer to a question. An error says why there is none. */
int marks_answer(struct lab_value *value, const struct lab_question *question, struct sim_error *error);

/* A run of a contest. */
struct contest_run {
    char platform[64], bytes[32];
    double time_s;
};
struct contest_runs {
    struct contest_run *runs;
    size_t n_runs;
};

/* The lines of a broadcast in an experiment with `lines`: for each value of its menu `bytes`, on each of the platforms
 * (names with commas). The lines' own mistakes are errors; in their messages, the lines are called own.txt. */
int marks_race(struct contest_runs *runs, const struct lab_block *experiment, const char *platforms, const char *lines,
               struct sim_error *error);

#endif
