/* simrun store merge: one store of several, such as those of the shards of a sweep. */
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

static int run(const struct options *options, struct sim_error *error)
{
    int n_files = options->n_files - 1, n_runs;
    if (inputs_reserve_store("NEW", options->files[0], error) != 0)
        return -1;
    for (int i = 1; i <= n_files; i++)
        if (check_input(options->files[i], error) != 0)
            return -1;
    if (store_merge(&n_runs, options->files[0], options->files + 1, n_files, error) != 0)
        return -1;
    if (!options->quiet)
        message_print("%s: %d run%s of %d store%s", options->files[0], n_runs, n_runs == 1 ? "" : "s", n_files,
                      n_files == 1 ? "" : "s");
    return 0;
}

const struct command command_store_merge = {
    .name = "store merge",
    .arguments = "NEW FILE...",
    .summary = "merge stores, for example of shards, into one",
    .about = "FILEs are stores of one scenario and build (simrun --shard I/N --store FILE).\nMerged from all shards, "
             "NEW equals the store of the whole sweep, byte for byte.\n",
    .example = "store merge study.db shard-1.db shard-2.db",
    .options = OPTION_BIT(OPTION_QUIET),
    .least = 2,
    .needs = LIBRARY_SQLITE,
    .run = run,
};
