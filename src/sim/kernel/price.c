/* Remembers the costs of messages in a table: each message has two places; where both are taken, the latest message
 * takes one of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/price.h"

#include "sim/kernel/loggops.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

enum { MOST_PRICES = 1024, LEAST_PRICES = 16, PRICES_OF_A_RANK = 8 };

void kernel_open_prices(struct kernel *kernel)
{
    int wanted = int_min(kernel->run->placement->n_ranks, MOST_PRICES / PRICES_OF_A_RANK) * PRICES_OF_A_RANK;
    size_t n_prices = LEAST_PRICES;
    while (n_prices < (size_t)wanted)
        n_prices *= 2;
    kernel->prices = xcalloc_lines(n_prices);
    kernel->transfers = xmalloc(n_prices * sizeof *kernel->transfers);
    kernel->price_mask = (uint32_t)n_prices - 1;
}

static void fail_route(struct kernel *kernel, int from, int to)
{
    const struct machine *machine = kernel->machine;
    int64_t n_routes = machine_routes_full(machine);
    if (n_routes > 0) {
        kernel_fail_memory(kernel, "pairs of hosts with a route", (double)n_routes, (double)MACHINE_ROUTES_MOST_BYTES);
        return;
    }
    if (!kernel->failed)
        sim_error_set(kernel->error, SIM_BAD_INPUT, machine->file, 0, "has no route from host '%.60s' to host '%.60s'",
                      machine_host_name(machine, from), machine_host_name(machine, to));
    kernel->failed = true;
}

static void make_transfer(struct kernel *kernel, struct transfer *transfer, const struct price *price,
                          const struct route *route)
{
    transfer_init(transfer, kernel->machine, route, price->bytes, price->exchanges);
    if (kernel->run->network->is_loggp || kernel->run->program->by_loggops)
        transfer_lead_by_byte(transfer, kernel->machine, route, price->bytes, price->exchanges);
}

/* By a formula, messages of one kind over as many links are transfers of one kind. */
static void init_transfer(struct kernel *kernel, const struct price *price, const struct route *route)
{
    struct transfer *transfer = &kernel->transfers[price - kernel->prices];
    struct transfer_kind *kind = &kernel->kinds[route->hops % N_TRANSFER_KINDS];
    if (!cost_model_has_formula(&kernel->machine->costs, route->hops)) {
        make_transfer(kernel, transfer, price, route);
        return;
    }
    if (!kind->is_known || kind->transfer.hops != route->hops || kind->bytes != price->bytes ||
        kind->exchanges != price->exchanges) {
        *kind = (struct transfer_kind){.bytes = price->bytes, .exchanges = price->exchanges, .is_known = true};
        make_transfer(kernel, &kind->transfer, price, route);
    }
    *transfer = kind->transfer;
    transfer->from = route->from;
    transfer->to = route->to;
    transfer->route = route->number != ROUTE_COMPUTED ? route : NULL;
}

void kernel_find_way(struct kernel *kernel, struct price *price)
{
    struct route room;
    const struct route *route = network_route(kernel->run->network, kernel->machine, price->from, price->to, &room);
    if (route == NULL) {
        fail_route(kernel, price->from, price->to);
        route = machine_route(kernel->machine, price->from, price->from);
    }
    init_transfer(kernel, price, route);
    price->has_way = true;
    if (kernel->runs_ahead) {
        struct transfer transfer = kernel->transfers[price - kernel->prices];
        kernel->run->network->advance(kernel->network, &transfer, 0, 0, &price->alone_ps);
    }
}

struct price *kernel_find_price(struct kernel *kernel, uint32_t place, int from, int to, int64_t bytes, bool exchanges)
{
    struct price *price = &kernel->prices[place], *other = &kernel->prices[place ^ 1];
    if (price_is(other, from, to, bytes, exchanges))
        return other;
    if (price->is_known && !other->is_known)
        price = other;
    const struct cost_model *costs = &kernel->machine->costs;
    struct price *latest = &kernel->latest_price;
    bool local = kernel->run->placement->ranks_per_host > 1 && from == to;
    if (!price_is(latest, 0, local, bytes, exchanges))
        *latest = (struct price){.bytes = bytes,
                                 .to = local,
                                 .exchanges = exchanges,
                                 .is_known = true,
                                 .send_ps = cost_model_send_ps(costs, bytes, local),
                                 .receive_ps = cost_model_receive_ps(costs, bytes, local),
                                 .eager_limit = local ? costs->local_eager_limit : costs->eager_limit};
    *price = *latest;
    if (kernel->loggops != NULL) {
        price->send_ps = loggops_send_ps(costs, bytes, local);
        price->receive_ps = 0; /* see loggops_take_in() */
    }
    price->from = from;
    price->to = to;
    return price;
}
