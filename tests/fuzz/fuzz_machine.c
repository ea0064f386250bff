/* Fuzzing of the library's reader of machines. What is read has routes between all hosts, and programs run on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "core/simrun.h"
#include "sim/machine/machine.h"

#include <stdlib.h>

enum { MOST_HOSTS = 64 };

static void check_routes(struct machine *machine)
{
    int n = machine->net->n_hosts < MOST_HOSTS ? machine->net->n_hosts : MOST_HOSTS;
    for (int pair = 0; pair < n * n; pair++) {
        const struct route *route = machine_route(machine, pair / n, pair % n);
        fuzz_check(route != NULL && (pair / n != pair % n || route->hops == 0));
        for (int hop = 0; hop < route->hops; hop++)
            fuzz_check(route->links[hop] >= 0 && route->links[hop] < machine_link_count(machine));
    }
}

static void run_program(struct machine *machine)
{
    static const char *const settings[] = {"ranks=2", NULL};
    struct sim_error error;
    struct simrun *simulation;
    struct result result;
    if (!fuzz_has_read(simrun_open(&simulation, machine, "ring", settings, &error), &error))
        return;
    result_init(&result);
    fuzz_has_read(simrun_run(&result, simulation, NULL, &error), &error);
    result_dispose(&result);
    simrun_close(simulation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine *machine = NULL;
    struct sim_error error;
    char *text = fuzz_text(data, size);
    fuzz_check_quiet();
    if (fuzz_has_read(simrun_read_machine(&machine, "fuzz", text, &error), &error)) {
        check_routes(machine);
        run_program(machine);
        simrun_free_machine(machine);
    }
    fuzz_check_quiet();
    free(text);
    return 0;
}
