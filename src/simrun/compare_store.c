/* Loads the runs of a version from a store.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/compare_store.h"

#include "os/libraries.h"

#include <stdlib.h>

static int open_store(struct compare_stored *stored, char **files, int n_files, bool is_again,
                      const struct options *options, struct sim_error *error)
{
    *stored = (struct compare_stored){.options = *options};
    stored->options.files = files;
    stored->options.n_files = n_files;
    if (!library_is_there(LIBRARY_SQLITE))
        return library_refuse(LIBRARY_SQLITE, "a store", error);
    return store_question_open(&stored->question, &stored->options, is_again, error);
}

/* Several runs of a version are one program on so many ranks, again and again. */
static int check(const struct store_question *question, struct sim_error *error)
{
    const struct store_run *runs = question->runs;
    const char *file = question->options->files[0];
    if (question->count == 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "has no such run to compare");
    for (int i = 0; question->count > 1 && i < question->count; i++)
        if (!runs[i].run.is_traced || runs[i].run.ranks != runs[0].run.ranks)
            return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                                 "compare: the conditions leave %d runs; a version has one, or traces of one number of "
                                 "ranks: name it, such as run=%lld; simrun store ls shows all",
                                 question->count, (long long)runs[0].id);
    return 0;
}

static int find_origin(struct compare_stored *stored, struct sim_error *error)
{
    const struct store_run *run = &stored->question.runs[0];
    int status =
        store_load_files(&stored->scenario_text, &stored->platform_text, stored->question.store, run->id, error);
    stored->origin = (struct compare_origin){run->id,    run->scenario,         run->program,         run->kind,
                                             run->input, stored->scenario_text, stored->platform_text};
    return status;
}

int compare_stored_load(struct compare_stored *stored, char **files, int n_files, bool is_again,
                        const struct options *options, struct sim_error *error)
{
    if (open_store(stored, files, n_files, is_again, options, error) != 0 ||
        store_question_load(&stored->question, error) != 0 || check(&stored->question, error) != 0)
        return -1;
    return find_origin(stored, error);
}

/* The number of a run, from 1. */
static int parse_run(int64_t *id, const char *text, struct sim_error *error)
{
    char *end;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || number < 1)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "store diff: '%.80s' is not the number of a run, such as 3; simrun store ls shows them",
                             text);
    *id = number;
    return 0;
}

int compare_stored_load_run(struct compare_stored *stored, const char *number, bool is_again,
                            const struct options *options, struct sim_error *error)
{
    int64_t id;
    *stored = (struct compare_stored){.question.store = NULL};
    if (parse_run(&id, number, error) != 0 || open_store(stored, options->files, 1, is_again, options, error) != 0 ||
        store_question_load_runs(&stored->question, &id, 1, error) != 0)
        return -1;
    return find_origin(stored, error);
}

void compare_stored_dispose(struct compare_stored *stored)
{
    store_question_dispose(&stored->question);
    free(stored->scenario_text);
    free(stored->platform_text);
}
