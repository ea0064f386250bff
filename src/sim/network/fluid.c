/* SimGrid's max-min fair sharing of links.
 *
 * The kernel's loop lives in an actor of SimGrid. It sleeps in a semaphore until its next moment; a transfer is handed
 * to a carrier, an actor of a pool that blocks in a send from host to host, notes the message as done and wakes the
 * kernel. So SimGrid's clock and the kernel's queue advance together, in plain C. */
#include "sim/network/network.h"

#include "base/memory.h"
#include "sim/platform/platform.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <stdlib.h>

enum { RESOLUTION_PS = 2 }; /* of the kernel's time within SimGrid's, which is a double */

struct carrier {
    struct fluid *fluid;
    sg_sem_t work; /* released when there is a transfer for the carrier, or for it to end */
    sg_host_t from, to;
    double bytes;
    uint32_t message;
    struct carrier *next; /* in the list of the idle, or of those that have delivered */
};

struct fluid {
    const struct machine *machine;
    void (*loop)(void *);
    void *argument;
    sg_sem_t wake; /* released by a delivery while the kernel sleeps */
    bool sleeping, ending;
    double start_s; /* SimGrid's clock when the run began */
    struct carrier *idle;
    struct carrier *delivered, **delivered_end; /* in the order of delivery */
    struct carrier **carriers;
    size_t n_carriers, capacity, n_busy;
};

static int64_t present_ps(const struct fluid *self)
{
    return llround((simgrid_get_clock() - self->start_s) * 1e12);
}

static void carry(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct carrier *self = sg_actor_get_data(sg_actor_self());
    struct fluid *fluid = self->fluid;
    for (;;) {
        sg_sem_acquire(self->work);
        if (fluid->ending)
            return;
        if (self->from != self->to) /* between ranks of one host nothing crosses the network */
            sg_host_sendto(self->from, self->to, self->bytes);
        self->next = NULL;
        *fluid->delivered_end = self;
        fluid->delivered_end = &self->next;
        bool wakes = fluid->sleeping;
        fluid->sleeping = false; /* before the release, in which the kernel may go on and sleep again */
        if (wakes)
            sg_sem_release(fluid->wake);
    }
}

static struct carrier *new_carrier(struct fluid *self)
{
    struct carrier *carrier = xcalloc(1, sizeof *carrier);
    carrier->fluid = self;
    carrier->work = sg_sem_init(0);
    self->carriers = xgrow(self->carriers, self->n_carriers, &self->capacity, sizeof(struct carrier *));
    self->carriers[self->n_carriers++] = carrier;
    sg_actor_t actor = sg_actor_init("carrier", machine_simgrid_host(self->machine, 0));
    sg_actor_set_data(actor, carrier);
    sg_actor_start(actor, carry, 0, NULL);
    return carrier;
}

static void fluid_start(void *state, uint32_t message, const struct transfer *transfer, int64_t now)
{
    struct fluid *self = state;
    double behind_s = (double)now / 1e12 + self->start_s - simgrid_get_clock();
    if (self->n_busy == 0 && behind_s > 0) /* with transfers under way the clock has kept up */
        sg_actor_sleep_for(behind_s);
    struct carrier *carrier = self->idle;
    if (carrier != NULL)
        self->idle = carrier->next;
    else
        carrier = new_carrier(self);
    carrier->message = message;
    carrier->from = machine_simgrid_host(self->machine, transfer->route->from);
    carrier->to = machine_simgrid_host(self->machine, transfer->route->to);
    carrier->bytes = (double)transfer->bytes;
    self->n_busy++;
    sg_sem_release(carrier->work);
}

/* Sleep until a delivery, or until the moment; INT64_MAX is never. */
static void sleep_until(struct fluid *self, int64_t until)
{
    self->sleeping = true;
    if (until == INT64_MAX)
        sg_sem_acquire(self->wake);
    else
        sg_sem_acquire_timeout(self->wake, (double)until / 1e12 + self->start_s - simgrid_get_clock());
    self->sleeping = false;
}

static bool fluid_wait(void *state, int64_t until, uint32_t *message, int64_t *now)
{
    struct fluid *self = state;
    while (self->delivered == NULL && self->n_busy > 0 && until - present_ps(self) > RESOLUTION_PS)
        sleep_until(self, until);
    struct carrier *carrier = self->delivered;
    if (carrier == NULL)
        return false;
    self->delivered = carrier->next;
    if (self->delivered == NULL)
        self->delivered_end = &self->delivered;
    carrier->next = self->idle;
    self->idle = carrier;
    self->n_busy--;
    *message = carrier->message;
    int64_t present = present_ps(self);
    *now = present > *now ? present : *now;
    return true;
}

static void run_loop(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct fluid *self = sg_actor_get_data(sg_actor_self());
    self->loop(self->argument);
    self->ending = true;
    for (size_t i = 0; i < self->n_carriers; i++)
        sg_sem_release(self->carriers[i]->work);
}

/* SimGrid's clock goes on from one run of a process to the next. */
static void fluid_host(void *state, void (*loop)(void *), void *argument)
{
    struct fluid *self = state;
    self->loop = loop;
    self->argument = argument;
    self->start_s = simgrid_get_clock();
    self->delivered_end = &self->delivered;
    self->wake = sg_sem_init(0);
    sg_actor_t actor = sg_actor_init("kernel", machine_simgrid_host(self->machine, 0));
    sg_actor_set_data(actor, self);
    sg_actor_start(actor, run_loop, 0, NULL);
    simgrid_run();
    sg_sem_destroy(self->wake);
    for (size_t i = 0; i < self->n_carriers; i++) {
        sg_sem_destroy(self->carriers[i]->work);
        free(self->carriers[i]);
    }
    free(self->carriers);
}

static void *fluid_open(const struct machine *machine)
{
    struct fluid *self = xcalloc(1, sizeof *self);
    self->machine = machine;
    return self;
}

const struct network_spec network_fluid = {
    .name = "fluid",
    .summary = "SimGrid's max-min fair sharing of links",
    .needs_wires = true,
    .open = fluid_open,
    .host = fluid_host,
    .start = fluid_start,
    .wait = fluid_wait,
};
