/* Completions of the command line: the words, and for each shell what prints them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_COMPLETION_H
#define SIMRUN_COMPLETION_H

#include "base/builder.h"
#include "sim/program/param.h"
#include "simrun/command.h"
#include "simrun/list_kinds.h"

#include <stdbool.h>

/* Add a word behind those that are there, between blanks; true if it is there. */
void completion_add_word(struct builder *words, const char *word);
bool completion_has_word(const struct builder *words, const char *word);
/* Print the words between these texts, and free them. */
void completion_print_taken(const char *before, struct builder *words, const char *after);

/* The i-th of all parameters, common ones first; NULL behind the last. */
const struct param_spec *completion_param_at(int i);
/* Add all that may be set: "ranks=", and with its values if there are a few: "layout=snake". */
void completion_add_settings(struct builder *words, bool with_values);
/* Add the values that parameters of this name have; none for numbers. */
void completion_add_choices(struct builder *words, const char *name);

/* Add the values of an option, or of the arguments of a command; none if any text may be one. */
void completion_add_values_of_option(struct builder *words, const struct list *list, int id);
void completion_add_values_of_command(struct builder *words, const struct list *list, const char *command);
bool completion_has_option(const struct command *command, int id);

/* The length of the first word of a command; true if the i-th command is the first with that word. */
int completion_first_word(const struct command *command);
bool completion_is_first_of_its_word(int i);

/* Print the whole completion for a shell. */
void completion_print_bash(const struct list *list);
void completion_print_zsh(const struct list *list);
void completion_print_fish(const struct list *list);

#endif
