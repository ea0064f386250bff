/* Scenarios in a laboratory of one's own: checked, and with the files that they name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_LAB_SCENARIO_H
#define SIMRUN_LAB_SCENARIO_H

#include "simrun/lab_book.h"

/* Load a scenario, a file or a name, with the settings of a block and what its controls say at first. */
int lab_scenario_check(const char *scenario, const struct lab_block *block, struct sim_error *error);

/* Add a scenario and the files that it names. In the page they lie in /scenarios and /platforms; a name that leads
 * elsewhere is changed in the scenario. */
int lab_scenario_add(struct lab_book *book, const char *file, struct sim_error *error);
/* The same of a scenario that has been read: `text`, whose names are relative to the folder of `file`; in the page it
 * is /scenarios/NAME.xml. */
int lab_scenario_add_text(struct lab_book *book, const char *file, const char *name, const char *text,
                          struct sim_error *error);
/* Add a platform that no scenario names. */
int lab_scenario_add_platform(struct lab_book *book, const char *file, struct sim_error *error);
/* Add own/NAME.txt beside the scenario, if it is there; others come with simrun. */
int lab_scenario_add_lines(struct lab_book *book, const char *scenario, const char *name, struct sim_error *error);

/* The text of a lab of one experiment with the scenario: a menu for each parameter with several values. NULL with an
 * error. To be freed. */
char *lab_scenario_text(const char *file, struct sim_error *error);

#endif
