/* Machines whose hosts and wires are those of a platform, put together as a topology. */
#include "sim/platform/internal.h"

#include "os/child.h"
#include "base/memory.h"
#include "sim/kernel/autotune.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The base, asked in a child process ---- */

/* What the child sends. */
struct facts {
    int status;
    struct sim_error error;
    int n_hosts;
    struct topology_style style;
};

static int find_wire(struct facts *facts, struct machine *machine)
{
    const struct route *route = machine->n_hosts > 1 ? machine_route(machine, 0, 1) : NULL;
    facts->n_hosts = machine->n_hosts;
    facts->style.speed_flopps = machine_host_speed(machine, 0);
    if (route == NULL || route->hops == 0)
        return sim_error_set(&facts->error, SIM_BAD_INPUT, machine->file, 0,
                             "has no wire between host 0 and host 1 of which a topology could be made");
    machine_link_speed(machine, route->links[0], &facts->style.bandwidth_Bps, &facts->style.latency_s);
    return 0;
}

static _Noreturn void tell_facts(const char *file, int descriptor)
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
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "no pipe to load it: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        tell_facts(file, ends[1]);
    int why = errno;
    close(ends[1]);
    int status = child > 0 ? machine_read_all(facts, sizeof *facts, ends[0]) : -1;
    close(ends[0]);
    if (child < 0)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "no process to load it: %s", strerror(why));
    int how = 0;
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    char end[CHILD_END];
    child_describe(end, how);
    if (status != 0)
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
    machine->n_hosts = facts.n_hosts;
    machine->style = facts.style;
    return 0;
}

/* ---- The derived machine ---- */

/* Meshes and tori of one or two sides have a place for `mesh`, `layout` and `root`. */
static void set_mesh(struct machine *machine, const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    bool flat = topology->spec->is_grid && dimensions->n <= 2;
    machine->mesh_width = machine->mesh_pitch = flat ? dimensions->side[0] : 0;
    machine->mesh_height = !flat ? 0 : dimensions->n == 2 ? dimensions->side[1] : 1;
}

void machine_derive(struct machine *machine, const struct machine *base, const struct topology *topology)
{
    char shape[200];
    struct machine derived = *base;
    topology_format(shape, sizeof shape, topology);
    derived.name = xformat("%s as %s", base->name, shape);
    derived.file = xstrdup(base->file);
    derived.n_hosts = topology->n_hosts;
    derived.borrows = true;
    derived.profiles = NULL;
    derived.hop_trees = NULL;
    derived.trials = trials_new();
    derived.routes = machine_routes_compute(topology, &base->style);
    derived.wires = machine_routes_wires(derived.routes);
    derived.one_wire = true;
    derived.topology = machine_routes_topology(derived.routes);
    derived.wiring = *topology;
    set_mesh(&derived, topology);
    *machine = derived;
}

/* ---- As a platform ---- */

static void write_prop(FILE *stream, const char *id, const char *value)
{
    xmlChar *safe_id = xmlEncodeSpecialChars(NULL, (const xmlChar *)id);
    xmlChar *safe_value = xmlEncodeSpecialChars(NULL, (const xmlChar *)value);
    if (safe_id == NULL || safe_value == NULL)
        abort();
    fprintf(stream, "    <prop id=\"%s\" value=\"%s\"/>\n", (char *)safe_id, (char *)safe_value);
    xmlFree(safe_id);
    xmlFree(safe_value);
}

/* The props of the base that are no geometry, with those that it takes from elsewhere. */
static int write_props(FILE *stream, const struct machine *machine, struct sim_error *error)
{
    struct machine_props props;
    if (machine_props_read(&props, machine->file, error) != 0)
        return -1;
    for (size_t i = 0; i < props.count; i++) {
        const char *id = props.items[i].id;
        if (!machine_prop_is_geometry(id) && strcmp(id, "costs_from") != 0)
            write_prop(stream, id, props.items[i].value);
    }
    machine_props_dispose(&props);
    return 0;
}

int machine_write_platform(const struct machine *machine, FILE *stream, struct sim_error *error)
{
    const struct topology *topology = machine->topology;
    char shape[200];
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<!-- Made by simrun from another platform, which says where the numbers come from.\n"
            "     Topology: %s. Routing: %s. -->\n"
            "<platform version=\"4.1\">\n"
            "  <zone id=\"hosts\" routing=\"%s\">\n",
            topology->spec->name, topology->spec->routing, topology->spec->zone_routing);
    if (write_props(stream, machine, error) != 0)
        return -1;
    if (machine->mesh_width > 0)
        fprintf(stream, "    <prop id=\"mesh\" value=\"%dx%d\"/>\n", machine->mesh_width, machine->mesh_height);
    topology_format(shape, sizeof shape, topology);
    write_prop(stream, "topology", shape);
    topology_write(stream, topology, &machine->style);
    fputs("  </zone>\n</platform>\n", stream);
    return 0;
}

int machine_open_simgrid(struct machine *machine, struct sim_error *error)
{
    if (machine->topology == NULL || machine_routes_in_simgrid(machine->routes))
        return 0;
    FILE *document = machine_memory_open(error);
    if (document == NULL)
        return -1;
    int status = machine_write_platform(machine, document, error);
    if (status == 0)
        status = machine_memory_flush(document, error);
    if (status == 0)
        status = machine_routes_enter_simgrid(machine->routes, document, machine->name, error);
    fclose(document);
    return status;
}
