/* Makes a store with three runs that have one of everything.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "shared/sample_store.h"

#include "base/memory.h"
#include "fuzzing.h"
#include "interval/intern.h"
#include "store/store.h"

#include <stdio.h>

enum { N_RUNS = 3, N_RANKS = 2 };

static void fill(struct study_run *run, struct study_parameter *parameters, int number)
{
    struct result *result = &run->result;
    parameters[0] = (struct study_parameter){.name = "ranks", .is_number = true, .number = N_RANKS, .text = "2"};
    parameters[1] = (struct study_parameter){.name = "n", .is_number = true, .number = number};
    parameters[2] = (struct study_parameter){.name = "mode", .text = "standard"};
    parameters[1].text = intern_format("%d", number);
    run_note(run, NOTE_MEMORY, "the data do not fit");
    result_init(result);
    result->n_processors = N_RANKS;
    result->state_ps = xcalloc(N_RANKS, sizeof *result->state_ps);
    result_add_time(result, "", "time_s", (wide_int)1000000 * number);
    result_add_time(result, "critical_path_s", "computation.cpu", (wide_int)1 << 70);
    result_add_count(result, "", "messages", number);
    result_add_ratio(result, "", "speedup", 1.0 / number);
    struct result_table *table = result_add_table(result, TABLE_CAUSES);
    for (int i = 0; i < number; i++)
        *result_add_causes(table) = (struct causes_row){.scope = result_name("sweep"),
                                                        .operation = OPERATION_LOCK,
                                                        .count = -i,
                                                        .wait_ps = (wide_int)1 << (30 * i),
                                                        .share = 0.5,
                                                        .pruned = true};
}

void sample_store_make(const char *file)
{
    static const struct store_origin origin = {.kind = "simulated",
                                               .scenario = "sample",
                                               .scenario_text = "<scenario/>",
                                               .scenario_size = 11,
                                               .platform_text = "<platform/>",
                                               .platform_size = 11,
                                               .platform = "machine",
                                               .input = "",
                                               .program = "0.1.0"};
    struct store *store;
    struct sim_error error;
    int64_t id;
    fuzz_check(store_open(&store, file, STORE_WRITE, &error) == 0 &&
               store_find_origin(&id, store, &origin, &error) == 0);
    for (int i = 1; i <= N_RUNS; i++) {
        struct study_parameter parameters[3];
        struct study_run run = {.parameters = parameters, .n_parameters = 3, .platform = "machine", .network = "quiet"};
        run.ranks = N_RANKS;
        fill(&run, parameters, i);
        fuzz_check(store_add(NULL, store, id, 0, "gcc 1.0, none", &run, &error) == 0);
        result_dispose(&run.result);
    }
    store_close(store);
}
