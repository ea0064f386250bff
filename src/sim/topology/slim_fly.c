/* Slim fly: switches of which any two have a wire or a common neighbor; minimal routes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include <math.h>

/* The graphs of McKay, Miller and Širáň (1998) for an odd prime q = 4 w + d, d = 1 or -1, as Besta and Hoefler (2014)
 * have them. Switches are (half, x, y), all numbers mod q, numbered in that order:
 *
 *     (0, x, y) ~ (0, x, y')  where  y - y' is in X
 *     (1, m, c) ~ (1, m, c')  where  c - c' is in X'
 *     (0, x, y) ~ (1, m, c)   where  y = m x + c
 *
 * With a primitive element p, X are the even powers of p, and X' the odd ones, if d = 1. If d = -1, X = {p^0, p^2 ...
 * p^(2w-2), p^(2w-1), p^(2w+1) ... p^(4w-3)}, and X' = p X. Each switch has (3 q - d) / 2 wires to others.
 *
 * Links: for each host up and down; for each switch q by the difference y' - y, of which only those in X or X' are
 * links, then q by the other half's x or m. */
static int q_of(const struct topology *topology)
{
    return topology->dimensions.side[0];
}

static int hosts_of(const struct topology *topology)
{
    return topology->dimensions.side[1];
}

static int modulo(int64_t number, int q)
{
    int rest = (int)(number % q);
    return rest < 0 ? rest + q : rest;
}

static bool is_prime(int q)
{
    int divisor = 2;
    while (divisor * divisor <= q && q % divisor != 0)
        divisor++;
    return q >= 2 && divisor * divisor > q;
}

/* ---- Making ---- */

enum { MOST_Q = 127, SET_BITS = 64 };

static bool has_step(const struct topology *topology, int half, int difference)
{
    return topology->steps[half][difference / SET_BITS] >> difference % SET_BITS & 1;
}

static void add_step(struct topology *topology, int half, int difference)
{
    topology->steps[half][difference / SET_BITS] |= UINT64_C(1) << difference % SET_BITS;
}

static int primitive_element(int q)
{
    for (int p = 2;; p++) {
        int order = 1;
        for (int power = p % q; power > 1; power = power * p % q)
            order++;
        if (order == q - 1)
            return p;
    }
}

/* X and X', by going through the powers. */
static void find_steps(struct topology *topology)
{
    int q = q_of(topology), w = (q + 1) / 4, p = primitive_element(q), power = 1;
    for (int e = 0; e < q - 1; e++, power = power * p % q) {
        bool in_x = q % 4 == 1 ? e % 2 == 0 : e < 2 * w - 1 ? e % 2 == 0 : e % 2 == 1;
        if (in_x) {
            add_step(topology, 0, power);
            add_step(topology, 1, power * p % q);
        }
    }
}

static int slim_fly_build(struct topology *topology, char *why, size_t why_size)
{
    const struct dimensions *dimensions = &topology->dimensions;
    if (dimensions->n != 2)
        return sim_error_why(why, why_size, "%d numbers; allowed: %s", dimensions->n, topology->spec->form);
    int q = q_of(topology);
    if (q < 3 || q > MOST_Q || !is_prime(q))
        return sim_error_why(why, why_size, "%d is no odd prime up to %d", q, MOST_Q);
    int64_t switches = 2 * q * q, hosts = switches * hosts_of(topology);
    if (hosts > TOPOLOGY_MAX_HOSTS)
        return sim_error_why(why, why_size, "at most %d hosts are allowed", TOPOLOGY_MAX_HOSTS);
    topology->n_hosts = (int)hosts;
    topology->n_switches = (int)switches;
    topology->n_links = (int)(2 * hosts + switches * 2 * q);
    topology->is_listed = true;
    topology->max_hops = 4;
    find_steps(topology);
    return 0;
}

static int hosts_for(int q, int n_hosts)
{
    return (n_hosts - 1) / (2 * q * q) + 1;
}

/* The smallest that holds so many with half as many hosts of a switch as it has wires to others, which Besta and
 * Hoefler find balanced; near the most hosts that there may be, a smaller one with more hosts of a switch. */
static void slim_fly_choose(struct dimensions *dimensions, int n_hosts)
{
    int q = 3;
    while (q < MOST_Q && (!is_prime(q) || (int64_t)2 * q * q * ((3 * q + 3) / 4) < n_hosts))
        q += 2;
    while (q > 3 && (!is_prime(q) || 2 * q * q * hosts_for(q, n_hosts) > TOPOLOGY_MAX_HOSTS))
        q -= 2;
    *dimensions = (struct dimensions){.n = 2, .side = {q, hosts_for(q, n_hosts)}};
}

/* ---- Routes ---- */

struct place {
    int half, x, y;
};

static struct place place_of(const struct topology *topology, int number)
{
    int q = q_of(topology);
    return (struct place){number / (q * q), number / q % q, number % q};
}

static int number_of(const struct topology *topology, struct place place)
{
    int q = q_of(topology);
    return (place.half * q + place.x) * q + place.y;
}

/* The neighbor in the other half with that x or m: y = m x + c. */
static struct place across(const struct topology *topology, struct place here, int x)
{
    int64_t product = (int64_t)here.x * x;
    return (struct place){!here.half, x, modulo(here.half == 0 ? here.y - product : here.y + product, q_of(topology))};
}

static int inverse(int number, int q)
{
    int64_t result = 1, power = number;
    for (int e = q - 2; e > 0; e /= 2, power = power * power % q)
        result = e % 2 == 1 ? result * power % q : result;
    return (int)result;
}

static bool is_step(const struct topology *topology, struct place from, struct place to)
{
    return from.half == to.half && from.x == to.x &&
           has_step(topology, from.half, modulo(to.y - from.y, q_of(topology)));
}

static bool is_wired(const struct topology *topology, struct place from, struct place to)
{
    return from.half == to.half ? is_step(topology, from, to) : across(topology, from, to.x).y == to.y;
}

/* The next switch: the other one, or a common neighbor. In one half and at different x there is one, across; at one x
 * there are those of two steps, of which the least is taken. In different halves a step leads to where the wire across
 * ends, on this side or on the other. */
static struct place next_place(const struct topology *topology, struct place here, struct place there)
{
    int q = q_of(topology);
    if (is_wired(topology, here, there))
        return there;
    if (here.half == there.half && here.x != there.x) {
        int slope = modulo((int64_t)(there.y - here.y) * inverse(modulo(there.x - here.x, q), q), q);
        return across(topology, here, here.half == 0 ? slope : modulo(-slope, q));
    }
    if (here.half != there.half) {
        struct place step = {here.half, here.x, across(topology, there, here.x).y};
        return is_step(topology, here, step) ? step : across(topology, here, there.x);
    }
    struct place step = here;
    do
        step.y = modulo(step.y + 1, q);
    while (!is_step(topology, here, step) || !is_step(topology, step, there));
    return step;
}

static int switch_of(const struct topology *topology, int node)
{
    return node < topology->n_hosts ? node / hosts_of(topology) : node - topology->n_hosts;
}

static int link_to(const struct topology *topology, struct place here, struct place next)
{
    int q = q_of(topology), place = here.half == next.half ? modulo(next.y - here.y, q) : q + next.x;
    return 2 * topology->n_hosts + number_of(topology, here) * 2 * q + place;
}

static void slim_fly_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    int here = switch_of(topology, from), there = switch_of(topology, to);
    *segment = (struct topology_segment){.count = 1, .end = to};
    if (from < topology->n_hosts) {
        segment->first = 2 * from;
        segment->end = topology->n_hosts + here;
    } else if (here == there) {
        segment->first = 2 * to + 1;
    } else {
        struct place at = place_of(topology, here), next = next_place(topology, at, place_of(topology, there));
        segment->first = link_to(topology, at, next);
        segment->end = topology->n_hosts + number_of(topology, next);
    }
}

static int slim_fly_detour(const struct topology *topology, int from, int to, uint64_t random)
{
    return any_other_switch(topology, switch_of(topology, from), switch_of(topology, to), random);
}

static bool slim_fly_ends(const struct topology *topology, int link, int *from, int *to)
{
    if (link < 2 * topology->n_hosts) {
        int host = link / 2, parent = topology->n_hosts + switch_of(topology, host);
        *from = link % 2 == 0 ? host : parent;
        *to = link % 2 == 0 ? parent : host;
        return true;
    }
    int q = q_of(topology), place = (link - 2 * topology->n_hosts) % (2 * q);
    struct place here = place_of(topology, (link - 2 * topology->n_hosts) / (2 * q)), next = here;
    if (place < q)
        next.y = (here.y + place) % q;
    else
        next = across(topology, here, place - q);
    *from = topology->n_hosts + number_of(topology, here);
    *to = topology->n_hosts + number_of(topology, next);
    return place >= q || has_step(topology, here.half, place);
}

/* ---- Facts ---- */

/* The wires of a cut: (q - 1) / 2 of the x, and (q + 1) / 2 of the m, against the others, or half of the hosts. There
 * may be a better one, but none with less than q^3 / 2 wires between switches: the second eigenvalue of the graph is q
 * less than its first (Fiedler 1975). */
static int64_t slim_fly_bisection(const struct topology *topology)
{
    int64_t q = q_of(topology), between = q * (q * q + 1) / 2, hosts = topology->n_hosts / 2;
    return between < hosts ? between : hosts;
}

static void slim_fly_facts(struct topology_facts *facts, const struct topology *topology)
{
    int64_t q = q_of(topology), wires = q % 4 == 1 ? (3 * q - 1) / 2 : (3 * q + 1) / 2;
    facts->wires = topology->n_hosts + topology->n_switches * wires / 2;
    facts->degree = wires + hosts_of(topology);
    facts->diameter = 4;
    facts->bisection = slim_fly_bisection(topology);
    facts->host_degree = 1;
}

/* The halves beside each other, each a column of groups by x: a circle of the y, and around them their hosts. */
static void slim_fly_place(double at[3], const struct topology *topology, int node)
{
    int q = q_of(topology), hosts = hosts_of(topology);
    struct place place = place_of(topology, switch_of(topology, node));
    double inner = circle_radius(q), outer = fmax(inner + 1, circle_radius(q * hosts));
    at[0] = place.half * (2 * outer + 2);
    at[1] = place.x * (2 * outer + 1);
    if (node < topology->n_hosts)
        place_on_circle(at, place.y * hosts + node % hosts, q * hosts, outer);
    else
        place_on_circle(at, 2 * place.y * hosts + hosts - 1, 2 * q * hosts, inner);
}

const struct topology_spec topology_slim_fly = {
    .name = "slim_fly",
    .summary = "switches of which any two have a wire or a common neighbor",
    .form = "QxHOSTS, 2 Q^2 switches for an odd prime Q up to 127; hosts of a switch",
    .routing = "minimal: the wire, or by a common neighbor",
    .routings = ROUTING_BIT(MINIMAL) | ROUTING_BIT(VALIANT) | ROUTING_BIT(UGAL_L) | ROUTING_BIT(UGAL_G),
    .choose = slim_fly_choose,
    .build = slim_fly_build,
    .segment = slim_fly_segment,
    .detour = slim_fly_detour,
    .level = leaf_level,
    .ends = slim_fly_ends,
    .facts = slim_fly_facts,
    .place = slim_fly_place,
    .zone_routing = "Full",
    .write = write_routes,
};
