/* FAST: hosts, sensors, what is free of hosts and network, and messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/fast_internal.h"

#include "base/known.h"
#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_HOSTS = 16 };
static const double latest_s = 1e10;

/* ---- Hosts ---- */

static int by_name(const void *left, const void *right)
{
    const struct host_name *a = left, *b = right;
    return strcmp(a->name, b->name);
}

struct fast *fast_new(struct machine *machine)
{
    size_t n_hosts = (size_t)machine->net->n_hosts;
    struct fast *fast = xcalloc(1, sizeof *fast);
    fast->machine = machine;
    fast->hosts = xcalloc(n_hosts, sizeof *fast->hosts);
    fast->sorted = xcalloc(n_hosts, sizeof *fast->sorted);
    for (size_t i = 0; i < n_hosts; i++) {
        fast->hosts[i] = xstrdup(machine_host_name(machine, (int)i));
        fast->sorted[i] = (struct host_name){fast->hosts[i], (int)i};
    }
    qsort(fast->sorted, n_hosts, sizeof *fast->sorted, by_name);
    fast_set_sensor(fast, NULL);
    return fast;
}

void fast_free(struct fast *fast)
{
    if (fast == NULL)
        return;
    for (int i = 0; i < fast->machine->net->n_hosts; i++)
        free(fast->hosts[i]);
    free(fast->hosts);
    free(fast->sorted);
    free(fast);
}

const char *fast_host(const struct fast *fast, int i)
{
    return i >= 0 && i < fast->machine->net->n_hosts ? fast->hosts[i] : NULL;
}

static const char *host_at(const void *fast, int i)
{
    return fast_host(fast, i);
}

/* Many hosts are not listed: their names differ in a number. */
static void unknown_host(const struct fast *fast, const char *name, struct sim_error *error)
{
    char known[512];
    int n_hosts = fast->machine->net->n_hosts;
    if (n_hosts <= SHOWN_HOSTS)
        known_format(known, sizeof known, name, host_at, fast);
    else
        snprintf(known, sizeof known, "; known: %.60s ... %.60s (%d hosts)", fast->hosts[0], fast->hosts[n_hosts - 1],
                 n_hosts);
    sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "unknown host '%.60s'%s", name, known);
}

int find_fast_host(int *host, const struct fast *fast, const char *name, struct sim_error *error)
{
    const struct host_name key = {.name = name};
    const struct host_name *found =
        name != NULL ? bsearch(&key, fast->sorted, (size_t)fast->machine->net->n_hosts, sizeof *fast->sorted, by_name)
                     : NULL;
    if (found == NULL) {
        unknown_host(fast, name != NULL ? name : "", error);
        return -1;
    }
    *host = found->host;
    return 0;
}

static int find_two(int *from, int *to, const struct fast *fast, const char *from_name, const char *to_name,
                    struct sim_error *error)
{
    return find_fast_host(from, fast, from_name, error) == 0 ? find_fast_host(to, fast, to_name, error) : -1;
}

const struct route *find_fast_route(struct fast *fast, int from, int to, struct sim_error *error)
{
    const struct route *route = machine_route(fast->machine, from, to);
    if (route == NULL)
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "there is no route from host '%s' to host '%s'", fast->hosts[from],
                      fast->hosts[to]);
    return route;
}

/* ---- Sensors ---- */

/* The value that predict.h gives for a machine with or without its recorded profiles; the route is not NULL where one
 * is needed. */
static struct predicted_value predict(const struct fast *fast, enum fast_resource resource, int host,
                                      const struct route *route, double at_s)
{
    if (resource == FAST_AVAILABILITY)
        return predict_availability(fast->machine, host, at_s);
    return (resource == FAST_LATENCY ? predict_latency : predict_bandwidth)(fast->machine, route, at_s);
}

/* The sensor that a machine has at first: its recorded profiles. */
static bool ask_profiles(void *self, struct fast_value *value, enum fast_resource resource, const char *from,
                         const char *to, double at_s)
{
    const struct fast *fast = self;
    struct sim_error error;
    int source = 0, target = 0;
    if (!machine_has_profiles(fast->machine) || find_fast_host(&source, fast, from, &error) != 0 ||
        (to != NULL && find_fast_host(&target, fast, to, &error) != 0))
        return false;
    const struct route *route = to != NULL ? machine_route(fast->machine, source, target) : NULL;
    if (to != NULL && route == NULL)
        return false;
    struct predicted_value found = predict(fast, resource, source, route, at_s);
    if (found.n_profiles == 0)
        return false;
    *value = (struct fast_value){.expected = found.expected,
                                 .error = found.error,
                                 .predictor = found.prediction.predictor,
                                 .measurements = found.prediction.measurements,
                                 .n_series = found.n_profiles};
    return true;
}

void fast_set_sensor(struct fast *fast, const struct fast_sensor *sensor)
{
    fast->sensor = sensor != NULL ? *sensor : (struct fast_sensor){ask_profiles, fast};
}

void fast_set_time(struct fast *fast, double at_s)
{
    fast->at_s = at_s > 0 ? fmin(at_s, latest_s) : 0;
}

/* The values allowed for each resource. A mean of ones may be rounded to a little more. */
static const struct {
    const char *name, *allowed;
    double least, most;
    bool excludes_least;
} ranges[] = {
    [FAST_AVAILABILITY] = {"availability", "0 to 1", 0, 1 + 1e-9, false},
    [FAST_LATENCY] = {"latency", "0 s and more, finite", 0, 1e300, false},
    [FAST_BANDWIDTH] = {"bandwidth", "more than 0 B/s", 0, INFINITY, true},
};

static bool is_allowed(enum fast_resource resource, double value)
{
    return value >= ranges[resource].least && value <= ranges[resource].most &&
           !(ranges[resource].excludes_least && value == ranges[resource].least);
}

static int ask_sensor(struct fast_value *value, const struct fast *fast, enum fast_resource resource, int from, int to,
                      struct sim_error *error)
{
    struct fast_value asked = *value;
    const char *target = resource != FAST_AVAILABILITY ? fast->hosts[to] : NULL;
    if (!fast->sensor.ask(fast->sensor.self, &asked, resource, fast->hosts[from], target, fast->at_s))
        return 0;
    if (!is_allowed(resource, asked.expected))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "the sensor returned, as the %s of '%.60s%s%.60s', %g; allowed: %s", ranges[resource].name,
                             fast->hosts[from], target != NULL ? "' to '" : "", target != NULL ? target : "",
                             asked.expected, ranges[resource].allowed);
    if (resource == FAST_AVAILABILITY)
        asked.expected = fmin(asked.expected, 1);
    asked.best = value->best;
    asked.n_series = asked.n_series > 0 ? asked.n_series : 1;
    *value = asked;
    return 0;
}

int sense_resource(struct fast_value *value, struct fast *fast, enum fast_resource resource, int from, int to,
                   struct sim_error *error)
{
    bool of_host = resource == FAST_AVAILABILITY;
    const struct route *route = of_host ? NULL : find_fast_route(fast, from, to, error);
    if (!of_host && route == NULL)
        return -1;
    struct fast_value found = {.best = predict(fast, resource, from, route, 0).best};
    found.expected = found.best;
    bool is_sensed = of_host || (route->hops > 0 && fast->machine->costs.message.count == 0);
    if (is_sensed && ask_sensor(&found, fast, resource, from, to, error) != 0)
        return -1;
    *value = found;
    return 0;
}

/* ---- Series ---- */

struct fast_series {
    struct predictors predictors;
};

struct fast_series *fast_series_new(void)
{
    struct fast_series *series = xcalloc(1, sizeof *series);
    predictors_init(&series->predictors);
    return series;
}

void fast_series_free(struct fast_series *series)
{
    free(series);
}

void fast_series_add(struct fast_series *series, double measurement)
{
    if (isfinite(measurement))
        predictors_add(&series->predictors, measurement);
}

bool fast_series_forecast(struct fast_value *value, const struct fast_series *series)
{
    if (series->predictors.count == 0)
        return false;
    struct prediction made = predictors_best(&series->predictors);
    *value = (struct fast_value){.best = value->best,
                                 .expected = made.value,
                                 .error = made.mean_absolute_error,
                                 .predictor = made.predictor,
                                 .measurements = made.measurements,
                                 .n_series = 1};
    return true;
}

/* ---- What is free ---- */

int fast_availability(struct fast_value *value, struct fast *fast, const char *host, struct sim_error *error)
{
    int number;
    if (find_fast_host(&number, fast, host, error) != 0)
        return -1;
    return sense_resource(value, fast, FAST_AVAILABILITY, number, number, error);
}

static int sense_link(struct fast_value *value, struct fast *fast, enum fast_resource resource, const char *from,
                      const char *to, struct sim_error *error)
{
    int source, target;
    if (find_two(&source, &target, fast, from, to, error) != 0)
        return -1;
    return sense_resource(value, fast, resource, source, target, error);
}

int fast_latency(struct fast_value *value, struct fast *fast, const char *from, const char *to, struct sim_error *error)
{
    return sense_link(value, fast, FAST_LATENCY, from, to, error);
}

int fast_bandwidth(struct fast_value *value, struct fast *fast, const char *from, const char *to,
                   struct sim_error *error)
{
    return sense_link(value, fast, FAST_BANDWIDTH, from, to, error);
}

/* ---- Messages ---- */

struct network_state network_state_of(const struct fast_value *latency, const struct fast_value *bandwidth,
                                      enum fast_load load)
{
    if (load == FAST_AT_BEST)
        return (struct network_state){latency->best, bandwidth->best};
    return (struct network_state){latency->expected, bandwidth->expected};
}

int check_fits(const struct fast *fast, const struct route *route, double bytes, struct sim_error *error)
{
    if (predict_message_fits(fast->machine, route, bytes))
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "a message of %.0f bytes takes longer than %.0f s, the longest that is forecast", bytes,
                         units_seconds(PS_MAX));
}

/* The route of a message, and what is expected of it. */
static const struct route *find_route(struct network_state *state, struct fast *fast, const char *from, const char *to,
                                      int64_t bytes, enum fast_load load, struct sim_error *error)
{
    struct fast_value latency, bandwidth;
    int source, target;
    if (bytes < 0 || bytes > PREDICT_MOST_BYTES) {
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "a message of %lld bytes; allowed: 0 to %lld", (long long)bytes,
                      (long long)PREDICT_MOST_BYTES);
        return NULL;
    }
    if (find_two(&source, &target, fast, from, to, error) != 0 ||
        sense_resource(&latency, fast, FAST_LATENCY, source, target, error) != 0 ||
        sense_resource(&bandwidth, fast, FAST_BANDWIDTH, source, target, error) != 0)
        return NULL;
    *state = network_state_of(&latency, &bandwidth, load);
    const struct route *route = find_fast_route(fast, source, target, error);
    return route == NULL || check_fits(fast, route, (double)bytes, error) == 0 ? route : NULL;
}

static int message_time(double *time_s, struct fast *fast, const char *from, const char *to, int64_t bytes,
                        enum fast_load load, struct sim_error *error)
{
    struct network_state state;
    const struct route *route = find_route(&state, fast, from, to, bytes, load, error);
    if (route == NULL)
        return -1;
    *time_s = predict_message_s(fast->machine, route, (double)bytes, state);
    return 0;
}

int fast_comm_time(double *time_s, struct fast *fast, const char *from, const char *to, int64_t bytes,
                   struct sim_error *error)
{
    return message_time(time_s, fast, from, to, bytes, FAST_AS_EXPECTED, error);
}

int fast_comm_time_best(double *time_s, struct fast *fast, const char *from, const char *to, int64_t bytes,
                        struct sim_error *error)
{
    return message_time(time_s, fast, from, to, bytes, FAST_AT_BEST, error);
}

struct fast_logp logp_of_message(const struct fast *fast, const struct route *route, double bytes,
                                 struct network_state state)
{
    struct logp logp = predict_logp(fast->machine, route, bytes, state);
    return (struct fast_logp){.bytes = bytes,
                              .latency_s = logp.latency_s,
                              .overhead_s = logp.overhead_s,
                              .gap_s = logp.gap_s,
                              .gap_byte_s = logp.gap_byte_s};
}

int fast_logp(struct fast_logp *logp, struct fast *fast, const char *from, const char *to, int64_t bytes,
              struct sim_error *error)
{
    struct network_state state;
    const struct route *route = find_route(&state, fast, from, to, bytes, FAST_AS_EXPECTED, error);
    if (route == NULL)
        return -1;
    *logp = logp_of_message(fast, route, (double)bytes, state);
    logp->processes = fast->machine->net->n_hosts;
    return 0;
}
