/* Puts ranks on given hosts in an order: one host after the other, by turns, or at random.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/arrange.h"

#include "base/known.h"
#include "base/memory.h"
#include "base/range.h"
#include "sim/program/allocation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };

/* --- their names --- */

static const struct order_name {
    const char *name;
    enum placement_order order;
    int least, number; /* what may stand behind '=', and the default; 0: nothing */
} order_names[] = {
    {"auto", ORDER_AUTO, 0, 0},   {"block", ORDER_BLOCK, 0, 0},   {"cyclic", ORDER_CYCLIC, 0, 0},
    {"plane", ORDER_PLANE, 1, 0}, {"random", ORDER_RANDOM, 1, 1}, {"core", ORDER_BLOCK, 0, 0},
    {"slot", ORDER_BLOCK, 0, 0},  {"node", ORDER_CYCLIC, 0, 0},
};
enum { N_ORDER_NAMES = sizeof order_names / sizeof *order_names };

static const char *order_name_at(const void *names, int i)
{
    return i < N_ORDER_NAMES ? ((const struct order_name *)names)[i].name : NULL;
}

static int parse_number(int64_t *value, const struct order_name *name, const char *text, char *why, size_t why_size)
{
    enum { MOST = 1 << 20 };
    char *end;
    long number = strtol(text, &end, 10);
    if (name->least == 0)
        return sim_error_why(why, why_size, "'%s' has no number", name->name);
    if (end == text || *end != '\0' || number < name->least || number > MOST)
        return sim_error_why(why, why_size, "'%.40s' is no number; allowed: %s=N, N from %d to %d", text, name->name,
                             name->least, MOST);
    *value = PLACEMENT_PACK(name->order, number);
    return 0;
}

int arrange_parse(int64_t *value, const char *text, char *why, size_t why_size)
{
    char known[512];
    size_t length = strcspn(text, "=");
    for (int i = 0; i < N_ORDER_NAMES; i++) {
        const struct order_name *name = &order_names[i];
        if (strlen(name->name) != length || strncmp(name->name, text, length) != 0)
            continue;
        if (text[length] == '=' || (name->least > 0 && name->number == 0))
            return parse_number(value, name, text + length + (text[length] == '='), why, why_size);
        *value = PLACEMENT_PACK(name->order, name->number);
        return 0;
    }
    known_format(known, sizeof known, text, order_name_at, order_names);
    return sim_error_why(why, why_size, "'%.80s' is unknown%s", text, known);
}

void arrange_format(char *text, size_t text_size, int64_t value)
{
    const struct order_name *name = &order_names[PLACEMENT_ORDER(value)];
    if (PLACEMENT_NUMBER(value) != 0)
        snprintf(text, text_size, "%s=%d", name->name, PLACEMENT_NUMBER(value));
    else
        snprintf(text, text_size, "%s", name->name);
}

/* Places for ranks on one host. */
struct place {
    int host, n_free;
};

/* --- orders --- */

/* Up to `stretch` ranks on each host that has room, again and again. There is room for all. */
static void deal(int *hosts, int n_ranks, struct place *places, int n_places, int stretch)
{
    for (int rank = 0, i = 0; rank < n_ranks; i = (i + 1) % n_places)
        for (int k = 0; k < stretch && places[i].n_free > 0 && rank < n_ranks; k++, places[i].n_free--)
            hosts[rank++] = places[i].host;
}

/* Marsaglia's xorshift64* of the seed, so that it is the same everywhere. */
static void shuffle(int *hosts, int n_ranks, uint64_t seed)
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int i = n_ranks - 1; i > 0; i--) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        int j = (int)((state * UINT64_C(2685821657736338717) >> 33) % (uint64_t)(i + 1)), host = hosts[i];
        hosts[i] = hosts[j];
        hosts[j] = host;
    }
}

static void put(int *hosts, const struct placement_request *request, struct place *places, int n_places)
{
    int stretch = PLACEMENT_ORDER(request->order) == ORDER_CYCLIC  ? 1
                  : PLACEMENT_ORDER(request->order) == ORDER_PLANE ? PLACEMENT_NUMBER(request->order)
                                                                   : INT32_MAX;
    deal(hosts, request->n_ranks, places, n_places, stretch);
    if (PLACEMENT_ORDER(request->order) == ORDER_RANDOM)
        shuffle(hosts, request->n_ranks, (uint64_t)PLACEMENT_NUMBER(request->order));
}

/* --- the hosts that users name --- */

static const char *name_at(const void *machine, int i)
{
    const struct machine *of = machine;
    return i < of->net->n_hosts ? machine_host_name(of, i) : NULL;
}

/* The host of that name. Lists mostly go on with the next one. */
static int find_host(const struct machine *machine, const char *name, int after)
{
    for (int i = 0, n = machine->net->n_hosts; i < n; i++)
        if (strcmp(machine_host_name(machine, (after + 1 + i) % n), name) == 0)
            return (after + 1 + i) % n;
    return NOWHERE;
}

static int find_hosts(int *found, const struct allocation *allocation, const struct machine *machine,
                      struct sim_error *error)
{
    char known[120]; /* hosts may be many: the names of the first show how they are called */
    for (int i = 0; i < allocation->n_hosts; i++) {
        const struct allocated_host *host = &allocation->hosts[i];
        found[i] = find_host(machine, host->name, i > 0 ? found[i - 1] : NOWHERE);
        if (found[i] != NOWHERE)
            continue;
        known_format(known, sizeof known, host->name, name_at, machine);
        return sim_error_set(error, SIM_BAD_INPUT, allocation->file, host->line, "%s has no host '%.80s'%s%s",
                             machine->name, host->name, host->line > 0 ? "" : ", and there is no such file", known);
    }
    return 0;
}

static int put_by_rank(int *hosts, int n_ranks, const struct allocation *allocation, const int *found,
                       struct sim_error *error)
{
    for (int rank = 0; rank < n_ranks; rank++)
        hosts[rank] = NOWHERE;
    for (int i = 0; i < allocation->n_hosts; i++) {
        const struct allocated_host *host = &allocation->hosts[i];
        if (host->rank >= n_ranks && n_ranks > 1) /* the sequential run has one */
            return sim_error_set(error, SIM_BAD_INPUT, allocation->file, host->line,
                                 "rank %d: there are %d ranks, 0 ... %d", host->rank, n_ranks, n_ranks - 1);
        if (host->rank >= n_ranks)
            continue;
        if (hosts[host->rank] != NOWHERE)
            return sim_error_set(error, SIM_BAD_INPUT, allocation->file, host->line, "rank %d is there twice",
                                 host->rank);
        hosts[host->rank] = found[i];
    }
    for (int rank = 0; rank < n_ranks; rank++)
        if (hosts[rank] == NOWHERE)
            return sim_error_set(error, SIM_BAD_INPUT, allocation->file, 0,
                                 "rank %d is missing; each of the %d ranks needs a line", rank, n_ranks);
    return 0;
}

/* The places of the hosts in the order of their first lines. Returns how many hosts. */
static int add_up(struct place *places, const struct allocation *allocation, const int *found, int n_hosts,
                  int per_host)
{
    int count = 0, *at = xcalloc((size_t)n_hosts, sizeof *at);
    for (int i = 0; i < allocation->n_hosts; i++) {
        int slots = allocation->hosts[i].slots > 0 ? allocation->hosts[i].slots : per_host;
        if (at[found[i]] == 0) {
            places[count++] = (struct place){.host = found[i]};
            at[found[i]] = count;
        }
        places[at[found[i]] - 1].n_free += slots;
    }
    free(at);
    return count;
}

static int put_in_slots(int *hosts, const struct placement_request *request, const struct machine *machine,
                        const int *found, struct sim_error *error)
{
    const struct allocation *allocation = machine->allocation;
    struct place *places = xmalloc((size_t)allocation->n_hosts * sizeof *places);
    int n = add_up(places, allocation, found, machine->net->n_hosts, request->ranks_per_host), status = 0;
    int64_t room = 0;
    for (int i = 0; i < n; i++)
        room += places[i].n_free;
    if (room < request->n_ranks)
        status = sim_error_set(error, SIM_BAD_INPUT, allocation->file, 0,
                               "%lld slots on %d hosts are too few for %d ranks; add slots=N or set 'ranks_per_host'",
                               (long long)room, n, request->n_ranks);
    else
        put(hosts, request, places, n);
    free(places);
    return status;
}

int arrange_allocated(int *hosts, const struct placement_request *request, const struct machine *machine,
                      struct sim_error *error)
{
    const struct allocation *allocation = machine->allocation;
    int *found = xmalloc((size_t)allocation->n_hosts * sizeof *found);
    int status = find_hosts(found, allocation, machine, error);
    if (status == 0 && allocation->has_ranks && PLACEMENT_ORDER(request->order) != ORDER_AUTO)
        status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                               "parameter 'placement': %s says where each rank is; allowed: auto", allocation->file);
    if (status == 0 && allocation->has_ranks)
        status = put_by_rank(hosts, request->n_ranks, allocation, found, error);
    else if (status == 0)
        status = put_in_slots(hosts, request, machine, found, error);
    free(found);
    return status;
}

void arrange_slots(int *hosts, const struct placement_request *request, const struct placement *placement)
{
    struct place *places = xmalloc((size_t)placement->n_slots * sizeof *places);
    assert(placement->hosts == NULL);
    for (int slot = 0; slot < placement->n_slots; slot++)
        places[slot] =
            (struct place){placement_host(placement, slot * placement->ranks_per_host), placement->ranks_per_host};
    put(hosts, request, places, placement->n_slots);
    free(places);
}
