/* A gate: conditions on how a version may differ from the first, and which of them fail.
 *
 * A condition is NAME OP LIMIT, such as `time_s > 5 %`, `wait.late sender in MPI_Recv > 10ms` or
 * `pop.parallel_efficiency < -2 %`: it fails where the change of the median, in its own unit or as a share of the
 * first, passes the limit. A limit in seconds is for times, one in bytes for sizes, any number may be bare. NAME is a
 * measure, or KIND.PART of the table of parts, with `.count` or `.bytes` behind it for these numbers of a part; KIND is
 * as in JSON or as readers see it, and PART may have > in it. Where there are runs enough to tell noise, a change that
 * noise explains does not fail.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_GATE_H
#define STUDY_COMPARE_GATE_H

#include "base/error.h"
#include "base/scale.h"
#include "study/compare/compare.h"
#include "study/compare/verdict.h"

struct gate {
    const char *text; /* as it was given, borrowed */
    char *words;      /* owned: `name` and `op` are in it */
    const char *name, *op;
    double limit; /* of the change; a share if is_share, else in seconds, bytes or the measure's own unit */
    bool is_share;
    enum unit unit; /* UNIT_SECONDS or UNIT_BYTES; UNIT_NUMBER: it is bare */
};

struct gate_result {
    const struct gate *gate;
    int version;
    double first, second, change; /* medians; the change as the limit has it */
    enum unit unit;               /* UNIT_SECONDS, UNIT_BYTES or others */
    bool fails, is_noise;         /* is_noise: it passes the limit, but is no more than noise */
};

/* -1 and an error that says what is wrong with the text. */
int gate_parse(struct gate *gate, const char *text, struct sim_error *error);
void gate_dispose(struct gate *gate);

/* Hold a version against the first. -1 with an error if there is no such number, or the limit has another's unit. */
int gate_check(struct gate_result *result, const struct gate *gate, const struct compare_parts *parts, int version,
               struct sim_error *error);
/* "time_s of v1 grew by 43.1 % (4.1 s to 5.9 s); 'time_s > 5 %' is so" */
void gate_add_text(struct builder *line, const struct gate_result *result, const struct compare_parts *parts);

#endif
