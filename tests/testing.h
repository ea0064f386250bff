/* Common declarations of the test programs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_TESTING_H
#define TESTS_TESTING_H

#include "sim/machine/machine.h"
#include "study/run.h"

#include <stddef.h>

/* A test; a table of them ends with one without a name. */
struct test {
    const char *name;
    void (*run)(void);
};

/* Arguments after the module on the command line of `unit`, up to a NULL. */
extern char **testing_arguments;

/* In a long series of cases, one in so many is tried: the first argument, where programs are slow; else 1. */
int testing_one_in(void);

/* Run the tests and tell of each. What main() returns: 0 if all went well. */
int testing_run(const char *suite, const struct test *tests);

/* The report in a format, as text; to be freed. */
char *testing_print(const struct study *study, const char *format);
char *testing_text(const struct study *report);

/* A measure that the run must have. */
double testing_measure(const struct study_run *run, const char *group, const char *name);

/* Simulate all runs of a scenario file, which must succeed. The machine is loaded if it has no name yet, since a
 * process can have one platform only: all files must name the same. */
void testing_simulate(struct study *report, struct machine *machine, const char *file);

/* Each file <folder>/<subject>/<name><extension> has its row in a table, whose row i is called "<subject>/<name>" by
 * row_name(i); after the last one that is NULL. */
void testing_check_table(const char *folder, const char *extension, const char *row_name(size_t i));

/* A number from 1 to `most`, of a fixed sequence. */
int testing_random_to(int most);

/* Costs of the operations of shared memory, none of them the same as another. */
#define TESTING_DSM_PROPS(page)                                                                                        \
    "<prop id='dsm.page' value='" page "'/><prop id='dsm.header' value='32B'/>"                                        \
    "<prop id='send_overhead' value='start=80us byte=100ns'/><prop id='receive_overhead' value='start=80us'/>"         \
    "<prop id='dsm.interrupt' value='start=85us'/><prop id='dsm.trap' value='start=50us'/>"                            \
    "<prop id='dsm.twin' value='start=20us each=40ns'/><prop id='dsm.diff' value='start=10us each=100ns'/>"            \
    "<prop id='dsm.apply' value='start=5us each=50ns'/><prop id='dsm.copy' value='each=20ns'/>"                        \
    "<prop id='dsm.interval' value='start=75us each=2us'/><prop id='dsm.notices' value='start=90us each=1us'/>"        \
    "<prop id='dsm.command' value='start=1us'/><prop id='dsm.execute' value='start=2us'/>"                             \
    "<prop id='dsm.message' value='start=3us each=10ns'/><prop id='dsm.hardware_diff' value='start=2us each=10ns'/>"   \
    "<prop id='dsm.cache' value='16KiB'/><prop id='dsm.refill' value='each=3ns'/><prop id='dsm.bus' "                  \
    "value='each=5ns'/>"

#endif
