/* simrun store merge: one store of several, such as those of the shards of a sweep.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/message.h"
#include "os/reserved_outputs.h"
#include "simrun/command.h"
#include "simrun/inputs.h"
#include "store/store.h"

#include <stdlib.h>

/* SQLite may write beside a store that it reads. */
static int check_input(const char *file, struct sim_error *error)
{
    int status = reserved_outputs_check(file, NULL, error);
    for (int i = 0; status == 0 && store_file_suffixes[i] != NULL; i++) {
        char *side = xformat("%s%s", file, store_file_suffixes[i]);
        status = reserved_outputs_check(side, NULL, error);
        free(side);
    }
    return status;
}

static void tell(const char *file, const struct store_merged *merged, int n_files)
{
    message_print("%s: %d run%s of %d store%s", file, merged->n_runs, merged->n_runs == 1 ? "" : "s", n_files,
                  n_files == 1 ? "" : "s");
    if (merged->compilers != NULL)
        message_print("%s: its runs were made by programs of the same sources that are of %s; where these round "
                      "differently, times may differ in the last digits",
                      file, merged->compilers);
}

static int run(const struct options *options, struct sim_error *error)
{
    int n_files = options->n_files - 1;
    struct store_merged merged = {.n_runs = 0};
    if (inputs_reserve_store("NEW", options->files[0], error) != 0)
        return -1;
    for (int i = 1; i <= n_files; i++)
        if (check_input(options->files[i], error) != 0)
            return -1;
    int status = store_merge(&merged, options->files[0], options->files + 1, n_files, error);
    if (status == 0 && !options->quiet)
        tell(options->files[0], &merged, n_files);
    free(merged.compilers);
    return status;
}

const struct command command_store_merge = {
    .name = "store merge",
    .arguments = "NEW FILE...",
    .summary = "merge stores, for example of shards, into one",
    .about = "FILEs are stores of one scenario and version (simrun --shard I/N --store FILE).\nMerged from all shards, "
             "NEW equals the store of the whole sweep, byte for byte.\n",
    .example = "store merge study.db shard-1.db shard-2.db",
    .options = OPTION_BIT(OPTION_QUIET),
    .least = 2,
    .needs = LIBRARY_SQLITE,
    .run = run,
};
