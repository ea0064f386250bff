/* Predicts the time of a routine on a host and of a message between two hosts, from costs and profiles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/predict.h"

#include "base/units.h"

#include <math.h>

#define PS 1e-12

/* ---- One profile ---- */

struct prediction profile_forecast(const struct profile *profile, double time_s, double before)
{
    struct predictors predictors;
    int64_t last = (int64_t)floor(time_s / PROFILE_PERIOD_S);
    int64_t first = last >= PROFILE_MEASUREMENTS ? last - PROFILE_MEASUREMENTS + 1 : 0;
    predictors_init(&predictors);
    for (int64_t i = first; i <= last; i++)
        predictors_add(&predictors, profile_value(profile, (double)(i * PROFILE_PERIOD_S), before));
    return predictors_best(&predictors);
}

static struct predicted_value ask(const struct profile *profile, double best, double at_s)
{
    struct predicted_value value = {.best = best, .expected = best};
    if (profile == NULL)
        return value;
    value.prediction = profile_forecast(profile, at_s, best);
    value.expected = value.prediction.value;
    value.error = value.prediction.mean_absolute_error;
    value.n_profiles = 1;
    return value;
}

struct predicted_value predict_availability(const struct machine *machine, int host, double at_s)
{
    return ask(machine_host_profile(machine, host), 1, at_s);
}

static double time_by_law(const struct kernel_cost *cost, int m, int n, int k)
{
    bool by_iterations = cost->law->to[LAW_ITERATIONS] > 0;
    bool is_loop = n <= 1 && k <= 1;
    const struct law_call call = by_iterations && is_loop ? law_call(m, 0, 0, 0) : law_call(1, m, n, k);
    double time_s = law_suits(cost->law, &call) ? law_value_s(cost->law, &call, cost->edge) : NAN;
    return cost->edge < 0 ? fmax(time_s, 0) : time_s > 0 ? time_s : (double)NAN;
}

double predict_time_best(const struct kernel_cost *cost, int m, int n, int k)
{
    int64_t work_ps[N_WORK_COMPONENTS];
    if (cost->law != NULL)
        return time_by_law(cost, m, n, k);
    bool polynomial = cost->polynomial.n_terms > 0;
    int64_t ps = machine_kernel_ps(cost, polynomial ? 1 : m, polynomial ? m : 1, n, k, work_ps);
    if (ps >= 0)
        return PS * (double)ps;
    double beyond_ps = polynomial_value(&cost->polynomial, m, n, k); /* the clock */
    for (int c = 0; c < N_WORK_COMPONENTS && !polynomial; c++)
        beyond_ps += (double)cost->work_ps[c] * m;
    return PS * beyond_ps;
}

/* ---- Wires ---- */

struct predicted_value predict_latency(const struct machine *machine, const struct route *route, double at_s)
{
    struct predicted_value sum = {.best = 0};
    if (cost_model_has_formula(&machine->costs, route->hops)) {
        sum.best = sum.expected = PS * (double)cost_model_message_ps(&machine->costs, 0, route->hops, false);
        return sum;
    }
    for (int i = 0; i < route->hops; i++) {
        const struct wire *wire = machine_wire(machine, route->links[i]);
        struct predicted_value one =
            ask(machine_link_profile(machine, route->links[i], PROFILE_LATENCY), PS * (double)wire->latency_ps, at_s);
        if (one.n_profiles > 0 && (sum.n_profiles == 0 || one.error > sum.prediction.mean_absolute_error))
            sum.prediction = one.prediction;
        sum.best += one.best;
        sum.expected += one.expected;
        sum.error += one.error;
        sum.n_profiles += one.n_profiles;
    }
    sum.best += PS * (double)route->beside_ps;
    sum.expected += PS * (double)route->beside_ps;
    return sum;
}

static double formula_bandwidth(const struct machine *machine, int hops)
{
    if (hops == 0 && machine->costs.local.count > 0)
        return 1 / (PS * (double)machine->costs.local.row[machine->costs.local.count - 1].byte_ps);
    const struct message_cost *last = &machine->costs.message.row[machine->costs.message.count - 1];
    double byte_ps = (double)last->byte_ps + (double)last->byte_hop_ps * hops;
    if (hops > 1 && machine->costs.window_bytes < INT64_MAX) {
        struct message_parts two =
            cost_model_message_parts(&machine->costs, 2 * machine->costs.window_bytes, hops, false);
        byte_ps += (double)(hops - 1) * (double)two.refill_ps / (double)machine->costs.window_bytes;
    }
    return 1 / (PS * byte_ps);
}

/* The value as it is bounded by what stands for no wire, which lets through no more than `bound`. */
static struct predicted_value bounded(struct predicted_value value, double bound)
{
    value.best = fmin(value.best, bound);
    value.expected = fmin(value.expected, bound);
    return value;
}

struct predicted_value predict_bandwidth(const struct machine *machine, const struct route *route, double at_s)
{
    struct predicted_value least = {.best = INFINITY, .expected = INFINITY};
    double wires_byte_ps = 0;
    if (cost_model_has_formula(&machine->costs, route->hops)) {
        least.best = least.expected = formula_bandwidth(machine, route->hops);
        return least;
    }
    for (int i = 0; i < route->hops; i++) {
        const struct wire *wire = machine_wire(machine, route->links[i]);
        struct predicted_value one =
            ask(machine_link_profile(machine, route->links[i], PROFILE_BANDWIDTH), 1 / (PS * wire->byte_ps), at_s);
        double best = fmin(least.best, one.best);
        if (one.expected < least.expected)
            least = one;
        wires_byte_ps = fmax(wires_byte_ps, wire->byte_ps);
        least.best = best;
    }
    return route->byte_ps > wires_byte_ps ? bounded(least, 1 / (PS * route->byte_ps)) : least;
}

/* ---- Messages ---- */

/* One message on the network alone. */
static double one_message(const struct machine *machine, const struct route *route, double bytes,
                          struct network_state state)
{
    const struct cost_model *costs = &machine->costs;
    int64_t whole = (int64_t)ceil(bytes);
    if (cost_model_has_formula(costs, route->hops))
        return PS * (double)cost_model_message_ps(costs, whole, route->hops, false);
    double wire_bytes = costs->frame_payload_bytes == 0 ? bytes : (double)cost_model_wire_bytes(costs, whole);
    int64_t ends_ps = route->hops > 0 ? cost_model_endpoint_ps(costs, whole, false) : 0;
    return state.latency_s + PS * (double)ends_ps + wire_bytes / state.bandwidth_Bps;
}

/* The overheads of the processors at both ends. */
static double both_overheads(const struct machine *machine, const struct route *route, double bytes)
{
    const struct cost_model *costs = &machine->costs;
    int64_t whole = (int64_t)ceil(bytes);
    bool local = route->hops == 0;
    return PS * ((double)cost_model_send_ps(costs, whole, local) + (double)cost_model_receive_ps(costs, whole, local));
}

/* The time of RTS and CTS, where it is a rendezvous. */
static double handshake(const struct machine *machine, const struct route *route, double bytes,
                        struct network_state state)
{
    if (bytes <= (double)machine->costs.eager_limit)
        return 0;
    return 2 * one_message(machine, route, (double)machine->costs.control_bytes, state);
}

bool predict_message_fits(const struct machine *machine, const struct route *route, double bytes)
{
    const struct cost_model *costs = &machine->costs;
    bool local = route->hops == 0;
    if (!(bytes <= (double)PREDICT_MOST_BYTES))
        return false;
    int64_t whole = (int64_t)ceil(bytes);
    return cost_model_send_ps(costs, whole, local) <= PS_MAX && cost_model_receive_ps(costs, whole, local) <= PS_MAX &&
           !(cost_model_has_formula(costs, route->hops) &&
             cost_model_message_ps(costs, whole, route->hops, false) > PS_MAX);
}

double predict_message_s(const struct machine *machine, const struct route *route, double bytes,
                         struct network_state state)
{
    return both_overheads(machine, route, bytes) +
           (one_message(machine, route, bytes, state) + handshake(machine, route, bytes, state));
}

struct logp predict_logp(const struct machine *machine, const struct route *route, double bytes,
                         struct network_state state)
{
    double empty_s = one_message(machine, route, 0, state);
    double length_s = one_message(machine, route, bytes, state) - empty_s;
    double overhead_s = both_overheads(machine, route, bytes) / 2;
    return (struct logp){.latency_s = empty_s + handshake(machine, route, bytes, state),
                         .overhead_s = overhead_s,
                         .gap_s = fmax(overhead_s, length_s),
                         .gap_byte_s = bytes > 0 ? length_s / bytes : 0};
}
