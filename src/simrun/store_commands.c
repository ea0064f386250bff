/* simrun store ls, simrun store diff: questions to a store, which simulate nothing. */
#include "os/output.h"
#include "simrun/command.h"
#include "simrun/inputs.h"
#include "simrun/store.h"

#include <stdlib.h>

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

static int write_runs(FILE *stream, struct store *store, const struct options *options, struct sim_error *error)
{
    return store_write_runs(stream, store, options, error);
}

static int write_pair(FILE *stream, struct store *store, const struct options *options, struct sim_error *error)
{
    int64_t ids[2];
    if (parse_run(&ids[0], options->files[1], error) != 0 || parse_run(&ids[1], options->files[2], error) != 0)
        return -1;
    return store_write_pair(stream, store, ids, options, error);
}

static int answer(int (*write)(FILE *stream, struct store *store, const struct options *options,
                               struct sim_error *error),
                  const struct options *options, struct sim_error *error)
{
    struct store *store;
    struct output output;
    if (inputs_claim_store("FILE", options->files[0], error) != 0 ||
        store_open(&store, options->files[0], STORE_READ, error) != 0)
        return -1;
    int status = output_open(&output, options->output, error);
    if (status == 0) {
        status = write(output.stream, store, options, error);
        if (status == 0)
            status = output_close(&output, error);
        else
            output_abandon(&output);
    }
    store_close(store);
    return status;
}

static int run_ls(const struct options *options, struct sim_error *error)
{
    return answer(write_runs, options, error);
}

static int run_diff(const struct options *options, struct sim_error *error)
{
    return answer(write_pair, options, error);
}

const struct command command_store_ls = {
    .name = "store ls",
    .arguments = "FILE [CONDITION]...",
    .summary = "list or export stored runs",
    .about = "FILE is a store (simrun --store). A CONDITION is a name, one of = != < <= > >=,\n"
             "and a value: ranks=64, broadcast!=flat, 'time_s<10ms'. ls numbers the RUNs.\n",
    .example = "store ls study.db ranks=64 'time_s<10ms'",
    .options = OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT),
    .least = 1,
    .needs = LIBRARY_SQLITE,
    .run = run_ls,
};

const struct command command_store_diff = {
    .name = "store diff",
    .arguments = "FILE RUN RUN",
    .summary = "compare two stored runs",
    .about = "RUNs are the numbers that simrun store ls shows.\n",
    .example = "store diff study.db 3 7",
    .options = OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT),
    .least = 3,
    .most = 3,
    .needs = LIBRARY_SQLITE,
    .run = run_diff,
};
