/* Looks applications up by name, and makes programs of them and their parameters.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "sim/machine/hop_tree.h"
#include "sim/user_broadcast/user_broadcast.h"

#include <stdlib.h>
#include <string.h>

const struct app_spec *app_find(const struct app_spec *const *apps, const char *name)
{
    for (int i = 0; apps[i] != NULL; i++)
        if (strcmp(apps[i]->name, name) == 0)
            return apps[i];
    return NULL;
}

double forecast_message_s(const struct forecast_costs *costs, double bytes)
{
    if (costs->message_s != NULL)
        return costs->message_s(costs->self, bytes);
    return costs->latency_s + bytes * costs->byte_s;
}

bool app_is_problem(const struct app_spec *app, const char *parameter)
{
    for (int i = 0; app->problem != NULL && app->problem[i] != NULL; i++)
        if (strcmp(app->problem[i], parameter) == 0)
            return true;
    return false;
}

const char *const broadcast_mode_names[] = {"auto", "standard", "synchronous", NULL};

struct coll_options broadcast_options(const int64_t *values, enum send_mode automatic)
{
    return (struct coll_options){.broadcast = coll_broadcasts[values[0]],
                                 .order = (enum flat_order)values[1],
                                 .segment_bytes = values[2],
                                 .mode = values[3] == 0 ? automatic : (enum send_mode)(values[3] - 1),
                                 .radix = values[4]};
}

void collective_options(struct coll_options *options, const int64_t *values)
{
    for (int f = 0; f < N_COLL_FAMILIES; f++)
        if (f != COLL_BROADCAST)
            options->others[f] = coll_families[f].specs[*values++];
}

/* Where there is no mesh a broadcast among neighbors asks for the routes of all pairs. */
static int check_broadcast(const struct program *program, const struct placement *placement, struct sim_error *error)
{
    const struct coll_spec *broadcast = program->collectives.broadcast;
    if (broadcast == NULL || !broadcast->asks_placement || placement->height > 0 ||
        placement->n_slots <= HOP_TREE_MAX_HOSTS)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "parameter 'broadcast': '%s' on %d hosts; at most %d where the machine is not a mesh",
                         broadcast->name, placement->n_slots, HOP_TREE_MAX_HOSTS);
}

int names_count(const char *const *names)
{
    int count = 0;
    while (names != NULL && names[count] != NULL)
        count++;
    return count;
}

int program_init(struct program *program, const struct app_spec *app, const int64_t *values,
                 const struct placement *placement, struct sim_error *error)
{
    return program_init_from(program, app, NULL, values, placement, error);
}

/* Make the messages of the broadcast `own`. With one rank nothing is sent. */
static int make_own(struct program *program, const struct program_input *input, int n_ranks, struct sim_error *error)
{
    if (program->collectives.broadcast != &coll_own || n_ranks < 2)
        return 0;
    if (input == NULL || input->own == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'broadcast': 'own' needs the scenario's <broadcast file=\"...\"/>");
    if (user_broadcast_messages_make(&program->own, input->own, n_ranks, error) != 0)
        return -1;
    program->collectives.own = program->own;
    return 0;
}

int program_init_from(struct program *program, const struct app_spec *app, const struct program_input *input,
                      const int64_t *values, const struct placement *placement, struct sim_error *error)
{
    struct program made = {.app = app, .input = input != NULL ? input->opened : NULL};
    if (app->setup(&made, values, placement, error) != 0)
        return -1;
    if (check_broadcast(&made, placement, error) != 0 || make_own(&made, input, placement->n_ranks, error) != 0) {
        program_dispose(&made);
        return -1;
    }
    *program = made;
    return 0;
}

void program_dispose(struct program *program)
{
    user_broadcast_messages_free(program->own);
    if (program->config != NULL && program->app->dispose != NULL)
        program->app->dispose(program->config);
    else
        free(program->config);
}
