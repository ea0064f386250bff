/* The platforms that simrun list lists: what each machine is, how far it was measured, and which programs run on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/list_print.h"

#include "apps/replay/list.h"
#include "base/builder.h"
#include "base/memory.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>

struct list_row list_platform_row(const struct list *list, int i)
{
    return (struct list_row){found_name_at(&list->platforms, i), NULL, NULL};
}

static bool runs_on(const struct machine *machine, const struct app_spec *app)
{
    struct sim_error ignored;
    int n_kernels = names_count(app->kernels);
    if (app->emit_shared != NULL && machine->costs.dsm.page_bytes == 0)
        return false;
    struct kernel_cost *costs = xcalloc((size_t)n_kernels + 1, sizeof *costs);
    bool has_costs = machine_bind_kernels(machine, app->kernels, n_kernels, 1, costs, &ignored) == 0;
    free(costs);
    return has_costs;
}

/* The applications that ask something of a machine which this one has. */
static void print_programs(const struct machine *machine)
{
    struct builder words = {0};
    for (int i = 0; app_specs[i] != NULL; i++) {
        const struct app_spec *app = app_specs[i];
        if ((app->emit_shared != NULL || names_count(app->kernels) > 0) && runs_on(machine, app))
            builder_add(&words, "%s%s", words.length > 0 ? " " : "", app->name);
    }
    if (words.length == 0)
        return;
    printf("    runs ");
    list_taken(9, &words);
}

/* "1995; measured, mean error 2.3 % of 32 times; 128 hosts, network fifo" */
static char *describe_machine(const struct machine *machine)
{
    const struct machine_about *about = &machine->about;
    struct builder words = {0};
    if (about->year > 0)
        builder_add(&words, "%d; ", about->year);
    if (about->basis != BASIS_UNKNOWN)
        builder_add(&words, "%s", machine_basis_names[about->basis]);
    if (about->error != NULL)
        builder_add(&words, ", mean error %s", about->error);
    builder_add(&words, "%s%d hosts%s%s", about->basis != BASIS_UNKNOWN ? "; " : "",
                machine->net->mesh_width > 0 ? machine->net->mesh_width * machine->net->mesh_height
                                             : machine->net->n_hosts,
                machine->default_network != NULL ? ", network " : "",
                machine->default_network != NULL ? machine->default_network : "");
    return builder_take(&words);
}

void list_platform(const struct list *list, int i, enum list_detail detail)
{
    struct sim_error error = {0};
    struct machine machine;
    if (detail == LIST_BRIEF && i == 0) {
        printf("  ");
        list_names(2, (const char *const *)list->platforms.names, list->platforms.count);
    }
    if (detail == LIST_BRIEF)
        return;
    if (machine_load_base(&machine, list->platforms.files[i], &error) != 0) {
        list_line((struct list_row){list->platforms.names[i], error.message, NULL});
        return;
    }
    char *facts = describe_machine(&machine);
    list_line((struct list_row){list->platforms.names[i], machine.about.what != NULL ? machine.about.what : "", facts});
    print_programs(&machine);
    if (detail == LIST_THING)
        printf("    %s\n", list->platforms.files[i]);
    free(facts);
    machine_dispose(&machine);
}

/* Programs without a cost of their own run on each. */
void list_platforms_end(enum list_detail detail)
{
    if (detail != LIST_BRIEF)
        puts("Measured: simulated times have been compared with the real machine's. Unmeasured: there are no such "
             "times.\nHypothetical: the machine was never built like that. The other applications run on any of these "
             "platforms.");
}
