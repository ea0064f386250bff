/* Files on the command line: what they are, and that none that is read would be overwritten. */
#ifndef SIMRUN_INPUTS_H
#define SIMRUN_INPUTS_H

#include "base/error.h"
#include "simrun/options.h"

/* Whether a file, which is not a trace that can be read, may be a scenario: not if it is a trace of another format, or
 * part of an archive, or there is a trace of that name and a known ending. The message says what to give instead. */
int inputs_check_scenario(const char *file, struct sim_error *error);

/* Claim all files that the options name to write (os/claims.h), before anything is read. */
int inputs_claim_outputs(const struct options *options, struct sim_error *error);

#endif
