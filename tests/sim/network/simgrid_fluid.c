/* SimGrid's engine under the kernel: the kernel's loop is an actor, and so is whoever carries a transfer.
 *
 * A transfer is handed to a carrier, an actor of a pool that blocks in a send from host to host, notes the transfer
 * as done and wakes the kernel. So SimGrid's clock and the kernel's queue advance together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/simgrid_fluid.h"

#include "base/memory.h"
#include "sim/machine/interconnect.h"
#include "sim/machine/routes.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <stdlib.h>

enum { RESOLUTION_PS = 2 }; /* of the kernel's time within SimGrid's, which is a double */

void simgrid_fluid_prepare(void)
{
    char program[] = "oracle", model[] = "--cfg=network/model:CM02", crosstraffic[] = "--cfg=network/crosstraffic:0",
         gamma[] = "--cfg=network/TCP-gamma:1e15", optim[] = "--cfg=network/optim:Full",
         precision[] = "--cfg=surf/precision:1e-12", guard[] = "--cfg=contexts/guard-size:0",
         stack[] = "--cfg=contexts/stack-size:256", /* KiB, each filled with zeros; else 8 MiB */
        quiet[] = "--log=root.thres:critical";
#ifdef __SANITIZE_ADDRESS__ /* which cannot follow stacks that are switched by hand */
    char factory[] = "--cfg=contexts/factory:thread";
#else
    char *factory = NULL;
#endif
    char *arguments[] = {program, quiet, model, crosstraffic, gamma, optim, precision, guard, stack, factory, NULL};
    int count = 0;
    while (arguments[count] != NULL)
        count++;
    simgrid_init(&count, arguments);
}

/* A plain platform has been read without SimGrid. */
static void load_platform(const struct machine *machine)
{
    if (sg_host_count() == 0)
        simgrid_load_platform(machine->file);
}

void *simgrid_fluid_host(const struct machine *machine, int host)
{
    load_platform(machine);
    return sg_host_by_name(machine_host_name(machine, host));
}

/* ---- Carriers ---- */

struct carrier {
    struct oracle *oracle;
    sg_sem_t work; /* released when there is a transfer for the carrier, or for it to end */
    sg_host_t from, to;
    double bytes;
    uint32_t number;
    struct carrier *next; /* in the list of the idle, or of those that have delivered */
};

struct oracle {
    struct network network;
    sg_host_t *hosts; /* by number */
    sg_sem_t wake;    /* released by a delivery while the kernel sleeps */
    bool sleeping, exiting;
    bool has_loops; /* between two ranks of a host, too, messages take time */
    double start_s; /* SimGrid's clock when the run began */
    int64_t now_ps; /* the kernel's, which may be ahead of that by the resolution */
    struct carrier *idle;
    struct carrier *delivered, **delivered_end; /* in the order of delivery */
    struct carrier **carriers;
    size_t n_carriers, capacity, n_busy;
};

static int64_t present_ps(const struct oracle *self)
{
    return llround((simgrid_get_clock() - self->start_s) * 1e12);
}

static void carry(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct carrier *self = sg_actor_get_data(sg_actor_self());
    struct oracle *oracle = self->oracle;
    for (;;) {
        sg_sem_acquire(self->work);
        if (oracle->exiting)
            return;
        sg_host_sendto(self->from, self->to, self->bytes);
        self->next = NULL;
        *oracle->delivered_end = self;
        oracle->delivered_end = &self->next;
        bool wakes = oracle->sleeping;
        oracle->sleeping = false; /* before the release, in which the kernel may go on and sleep again */
        if (wakes)
            sg_sem_release(oracle->wake);
    }
}

static struct carrier *new_carrier(struct oracle *self)
{
    struct carrier *carrier = xcalloc(1, sizeof *carrier);
    carrier->oracle = self;
    carrier->work = sg_sem_init(0);
    self->carriers = xgrow(self->carriers, self->n_carriers, &self->capacity, sizeof(struct carrier *));
    self->carriers[self->n_carriers++] = carrier;
    sg_actor_t actor = sg_actor_init("carrier", self->hosts[0]);
    sg_actor_set_data(actor, carrier);
    sg_actor_start(actor, carry, 0, NULL);
    return carrier;
}

/* ---- The network ---- */

/* Between ranks of one host nothing crosses the network, unless messages take the loopback there. */
static enum transfer_state oracle_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                          int64_t now, int64_t *at)
{
    struct oracle *self = (struct oracle *)network;
    const struct route *route = transfer->route;
    *at = self->now_ps = now;
    if (route->from == route->to && !self->has_loops)
        return TRANSFER_ENDS;
    double behind_s = (double)now / 1e12 + self->start_s - simgrid_get_clock();
    if (self->n_busy == 0 && behind_s > 0) /* with transfers under way the clock has kept up */
        sg_actor_sleep_for(behind_s);
    struct carrier *carrier = self->idle;
    if (carrier != NULL)
        self->idle = carrier->next;
    else
        carrier = new_carrier(self);
    carrier->number = number;
    carrier->from = self->hosts[route->from];
    carrier->to = self->hosts[route->to];
    carrier->bytes = (double)transfer->bytes;
    self->n_busy++;
    self->network.next_ps = 0;
    sg_sem_release(carrier->work);
    return TRANSFER_SHARES;
}

/* Sleep until a delivery, or until the moment; INT64_MAX is never. */
static void sleep_until(struct oracle *self, int64_t until)
{
    self->sleeping = true;
    if (until == INT64_MAX)
        sg_sem_acquire(self->wake);
    else
        sg_sem_acquire_timeout(self->wake, (double)until / 1e12 + self->start_s - simgrid_get_clock());
    self->sleeping = false;
}

static bool oracle_next(struct network *network, int64_t until, uint32_t *number, int64_t *at)
{
    struct oracle *self = (struct oracle *)network;
    while (self->delivered == NULL && self->n_busy > 0 && until - present_ps(self) > RESOLUTION_PS)
        sleep_until(self, until);
    struct carrier *carrier = self->delivered;
    if (carrier == NULL) {
        self->now_ps = until;
        return false;
    }
    self->delivered = carrier->next;
    if (self->delivered == NULL)
        self->delivered_end = &self->delivered;
    carrier->next = self->idle;
    self->idle = carrier;
    if (--self->n_busy == 0)
        self->network.next_ps = INT64_MAX;
    *number = carrier->number;
    *at = present_ps(self) < until ? present_ps(self) : until;
    *at = *at > self->now_ps ? *at : self->now_ps;
    return true;
}

static const struct network_spec oracle_spec;

static struct network *oracle_open(const struct machine *machine)
{
    struct oracle *self = xcalloc(1, sizeof *self);
    self->network = (struct network){.spec = &oracle_spec, .next_ps = INT64_MAX};
    self->hosts = xcalloc((size_t)machine->net->n_hosts, sizeof(sg_host_t));
    for (int host = 0; host < machine->net->n_hosts; host++)
        self->hosts[host] = simgrid_fluid_host(machine, host);
    self->start_s = simgrid_get_clock();
    self->has_loops = machine_routes_have_loops(machine->net->routes);
    self->delivered_end = &self->delivered;
    self->wake = sg_sem_init(0);
    return &self->network;
}

/* The carriers end before what they wait for. */
static void oracle_close(struct network *network)
{
    struct oracle *self = (struct oracle *)network;
    self->exiting = true;
    for (size_t i = 0; i < self->n_carriers; i++)
        sg_sem_release(self->carriers[i]->work);
    sg_actor_sleep_for(1e-9);
    for (size_t i = 0; i < self->n_carriers; i++) {
        sg_sem_destroy(self->carriers[i]->work);
        free(self->carriers[i]);
    }
    sg_sem_destroy(self->wake);
    free(self->carriers);
    free(self->hosts);
    free(self);
}

static const struct network_spec oracle_spec = {
    .name = "SimGrid",
    .open = oracle_open,
    .close = oracle_close,
    .advance = oracle_advance,
    .next = oracle_next,
};

/* ---- A run ---- */

struct task {
    struct kernel_stats *stats;
    struct kernel_run run;
    struct sim_error *error;
    int status;
};

static void run_task(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct task *task = sg_actor_get_data(sg_actor_self());
    task->status = kernel_run(task->stats, &task->run, task->error);
}

int simgrid_fluid_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error)
{
    struct task task = {stats, *run, error, -1};
    task.run.network = &oracle_spec;
    sg_actor_t actor = sg_actor_init("kernel", simgrid_fluid_host(run->machine, 0));
    sg_actor_set_data(actor, &task);
    sg_actor_start(actor, run_task, 0, NULL);
    simgrid_run();
    return task.status;
}
