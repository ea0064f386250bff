/* A platform whose hosts and wires are to be put together otherwise: asked for them in a child process. */
#include "sim/platform/internal.h"

#include "os/child.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* What the child sends. */
struct facts {
    int status;
    struct sim_error error;
    int n_hosts;
    struct topology_style style;
};

static int find_wire(struct facts *facts, struct machine *machine)
{
    const struct route *route = machine->net->n_hosts > 1 ? machine_route(machine, 0, 1) : NULL;
    facts->n_hosts = machine->net->n_hosts;
    facts->style.speed_flopps = machine_host_speed(machine, 0);
    if (route == NULL || route->hops == 0)
        return sim_error_set(&facts->error, SIM_BAD_INPUT, machine->file, 0,
                             "has no wire between host 0 and host 1 of which a topology could be made");
    machine_link_speed(machine, route->links[0], &facts->style.bandwidth_Bps, &facts->style.latency_s);
    return 0;
}

static void tell_facts(const void *file, int descriptor)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    struct facts facts;
    struct machine machine;
    memset(&facts, 0, sizeof facts);
    facts.status = machine_load(&machine, file, &facts.error);
    if (facts.status == 0)
        facts.status = find_wire(&facts, &machine);
    _exit(write(descriptor, &facts, sizeof facts) == (ssize_t)sizeof facts ? 0 : 1);
}

static int ask_facts(struct facts *facts, const char *file, struct sim_error *error)
{
    const struct child child = {tell_facts, file, file, "to load it", facts, sizeof *facts};
    char end[CHILD_END];
    size_t length;
    int how = 0;
    if (child_run(&child, &length, &how, error) != 0)
        return -1;
    child_describe(end, how);
    if (length < sizeof *facts)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "the process that loads it was %s", end);
    if (facts->status != 0)
        *error = facts->error;
    return facts->status;
}

int machine_load_base(struct machine *machine, const char *file, struct sim_error *error)
{
    struct facts facts;
    if (ask_facts(&facts, file, error) != 0 || machine_load_props(machine, file, error) != 0)
        return -1;
    machine->net->n_hosts = facts.n_hosts;
    machine->net->style = facts.style;
    return 0;
}
