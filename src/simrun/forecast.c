#include "simrun/forecast.h"

#include "base/memory.h"
#include "base/units.h"
#include "os/output.h"
#include "report/record.h"
#include "sim/machine/predict.h"
#include "sim/platform/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A query with all that is said of it. */
struct answer {
    const struct query *query;
    double at_s;
    bool extrapolated, unequal_hosts;

    /* of a computation */
    double best_s, expected_s;
    struct predicted_value availability;
    double memory_bytes; /* NAN: not known */
    int64_t host_memory_bytes;

    /* of a message */
    int hops;
    struct predicted_value latency, bandwidth, message;
};

/* ---- Answers ---- */

static bool is_extrapolated(const struct query *query)
{
    const struct polynomial *polynomial = &query->kernel->polynomial;
    for (int i = 0; polynomial->n_terms > 0 && i < query->n_dimensions; i++)
        if (query->dimensions[i] < polynomial->from || query->dimensions[i] > polynomial->to)
            return true;
    return false;
}

static bool has_unequal_hosts(const struct machine *machine)
{
    for (int i = 1; i < machine->net->n_hosts; i++)
        if (machine_host_speed(machine, i) != machine_host_speed(machine, 0))
            return true;
    return false;
}

static int answer_computation(struct answer *answer, const struct machine *machine, struct sim_error *error)
{
    const struct query *query = answer->query;
    const int *d = query->dimensions;
    const struct memory_need *need = machine_find_need(machine, query->kernel->name);
    if (polynomial_is_negative(&query->kernel->polynomial, d[0], d[1], d[2]))
        return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0,
                             "--forecast '%.100s': the polynomial kernel.%s is negative for these dimensions",
                             query->text, query->kernel->name);
    answer->best_s = predict_time_best(query->kernel, d[0], d[1], d[2]);
    answer->availability = predict_availability(machine, query->host, answer->at_s);
    answer->expected_s = answer->best_s / answer->availability.expected;
    answer->memory_bytes = need != NULL ? polynomial_value(&need->polynomial, d[0], d[1], d[2]) : NAN;
    answer->host_memory_bytes = machine->costs.memory_bytes;
    answer->extrapolated = is_extrapolated(query);
    answer->unequal_hosts = has_unequal_hosts(machine);
    return 0;
}

static int answer_message(struct answer *answer, struct machine *machine, struct sim_error *error)
{
    const struct query *query = answer->query;
    const struct route *route = machine_route(machine, query->host, query->to_host);
    if (route == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0, "there is no route from host '%s' to host '%s'",
                             machine_host_name(machine, query->host), machine_host_name(machine, query->to_host));
    answer->hops = route->hops;
    answer->latency = predict_latency(machine, route, answer->at_s);
    answer->bandwidth = predict_bandwidth(machine, route, answer->at_s);
    if (query->bytes >= 0)
        answer->message = predict_message_time(machine, route, query->bytes, answer->at_s);
    return 0;
}

/* ---- Text ---- */

struct unit {
    double factor;
    const char *name;
};

static const struct unit times[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}, {31557600, "years"}, {0, NULL}};
static const struct unit sizes[] = {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}, {0, NULL}};
static const struct unit rates[] = {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {0, NULL}};
static const struct unit shares[] = {{0.01, "%"}, {0, NULL}};

/* That leave three digits in all. */
static int decimals(double value)
{
    return fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;
}

/* Three digits, in the largest unit that leaves something before the point. */
static const char *show(char text[32], const struct unit *units, double value)
{
    const struct unit *unit = units;
    while (unit[1].name != NULL && fabs(value) >= 0.9995 * unit[1].factor)
        unit++;
    if (isinf(value))
        snprintf(text, 32, "unlimited");
    else if (value == 0)
        snprintf(text, 32, "0 %s", units == times ? "s" : unit->name);
    else
        snprintf(text, 32, "%.*f %s", decimals(value / unit->factor), value / unit->factor, unit->name);
    return text;
}

static const char *show_time(char text[32], double seconds)
{
    return isinf(seconds) ? strcpy(text, "never") : show(text, times, seconds);
}

/* One forecast: value, error, predictor. `units` are those of the value. */
static void print_value(FILE *out, const char *name, const struct unit *units, const struct predicted_value *value)
{
    char shown[32], error[32], best[32];
    fprintf(out, "  %-14s %10s", name, show(shown, units, value->expected));
    if (value->n_profiles == 0) {
        fputs(units == shares ? "  no profile\n" : "\n", out);
        return;
    }
    if (value->prediction.measurements > 1)
        fprintf(out, "  +/- %s", show(error, units, value->error));
    fprintf(out, "  by the %s of %lld measurement%s, every %d s", value->prediction.predictor,
            (long long)value->prediction.measurements, value->prediction.measurements == 1 ? "" : "s",
            PROFILE_PERIOD_S);
    if (value->n_profiles > 1)
        fprintf(out, ", and %d more profiles", value->n_profiles - 1);
    if (units != shares)
        fprintf(out, "; at time 0 %s", show(best, units, value->best));
    fputc('\n', out);
}

static void print_memory(FILE *out, const struct answer *answer)
{
    char need[32], has[32];
    if (isnan(answer->memory_bytes)) {
        fprintf(out, "  %-14s %10s  the platform has no prop memory.%s\n", "memory", "unknown",
                answer->query->kernel->name);
        return;
    }
    fprintf(out, "  %-14s %10s", "memory", show(need, sizes, answer->memory_bytes));
    if (answer->host_memory_bytes > 0)
        fprintf(out, "  of %s on the host%s", show(has, sizes, (double)answer->host_memory_bytes),
                answer->memory_bytes > (double)answer->host_memory_bytes ? ": it does not fit" : "");
    fputc('\n', out);
}

static void print_computation(FILE *out, const struct answer *answer)
{
    const struct query *query = answer->query;
    char expected[32], best[32];
    show_time(expected, answer->expected_s);
    show_time(best, answer->best_s);
    fprintf(out, "%s: %s expected at %.10g s%s\n", query->text, expected, answer->at_s,
            answer->extrapolated ? ", extrapolated" : "");
    fprintf(out, "  %-14s %10s\n", "best time", best);
    print_value(out, "availability", shares, &answer->availability);
    fprintf(out, "  %-14s %10s\n", "expected time", expected);
    print_memory(out, answer);
    if (answer->extrapolated)
        fprintf(out, "  extrapolated: the cost was fitted for dimensions from %lld to %lld\n",
                (long long)query->kernel->polynomial.from, (long long)query->kernel->polynomial.to);
    if (answer->unequal_hosts)
        fputs("  the hosts differ in speed, and the cost is the same for all of them\n", out);
}

static void print_message(FILE *out, const struct answer *answer)
{
    const struct query *query = answer->query;
    char expected[32], best[32], latency[32], bandwidth[32];
    show_time(expected, answer->message.expected);
    if (query->bytes >= 0)
        fprintf(out, "%s: %s expected at %.10g s\n", query->text, expected, answer->at_s);
    else
        fprintf(out, "%s: latency %s, bandwidth %s expected at %.10g s\n", query->text,
                show(latency, times, answer->latency.expected), show(bandwidth, rates, answer->bandwidth.expected),
                answer->at_s);
    print_value(out, "latency", times, &answer->latency);
    print_value(out, "bandwidth", rates, &answer->bandwidth);
    if (query->bytes >= 0) {
        fprintf(out, "  %-14s %10s", "message", expected);
        if (answer->message.n_profiles > 0)
            fprintf(out, "  at time 0 %s", show_time(best, answer->message.best));
        fputc('\n', out);
    }
}

static void write_text(FILE *out, const struct answer *answers, int n_answers)
{
    for (int i = 0; i < n_answers; i++) {
        if (i > 0)
            fputc('\n', out);
        if (answers[i].query->kernel != NULL)
            print_computation(out, &answers[i]);
        else
            print_message(out, &answers[i]);
    }
}

/* ---- JSON ---- */

/* The names of a value's fields. What a wire does at best is not known: only what it does at time 0. */
struct value_names {
    const char *at_0, *expected, *error, *predictor, *measurements;
};

static const struct value_names availability_names = {NULL, "availability", "availability_error",
                                                      "availability_predictor", "availability_measurements"};
static const struct value_names latency_names = {"latency_at_0_s", "latency_s", "latency_error_s", "latency_predictor",
                                                 "latency_measurements"};
static const struct value_names bandwidth_names = {"bandwidth_at_0_Bps", "bandwidth_Bps", "bandwidth_error_Bps",
                                                   "bandwidth_predictor", "bandwidth_measurements"};

static void record_value(struct record *record, const struct value_names *names, const struct predicted_value *value)
{
    if (names->at_0 != NULL)
        record_number(record, names->at_0, value->best);
    record_number(record, names->expected, value->expected);
    if (value->n_profiles == 0)
        return;
    record_number(record, names->error, value->error);
    record_text(record, names->predictor, value->prediction.predictor);
    record_count(record, names->measurements, value->prediction.measurements);
}

static void record_computation(struct record *record, const struct answer *answer, const struct machine *machine)
{
    static const char *const dimensions[] = {"m", "n", "k"};
    const struct query *query = answer->query;
    bool polynomial = query->kernel->polynomial.n_terms > 0;
    record_text(record, "kernel", query->kernel->name);
    record_text(record, "host", machine_host_name(machine, query->host));
    for (int i = 0; i < query->n_dimensions; i++)
        record_count(record, polynomial ? dimensions[i] : "iterations", query->dimensions[i]);
    record_number(record, "best_s", answer->best_s);
    record_value(record, &availability_names, &answer->availability);
    record_number(record, "expected_s", answer->expected_s);
    record_number(record, "memory_bytes", answer->memory_bytes);
    if (answer->host_memory_bytes > 0)
        record_count(record, "host_memory_bytes", answer->host_memory_bytes);
    record_flag(record, "extrapolated", answer->extrapolated);
}

static void record_message(struct record *record, const struct answer *answer, const struct machine *machine)
{
    const struct query *query = answer->query;
    record_text(record, "from", machine_host_name(machine, query->host));
    record_text(record, "to", machine_host_name(machine, query->to_host));
    record_count(record, "hops", answer->hops);
    record_value(record, &latency_names, &answer->latency);
    record_value(record, &bandwidth_names, &answer->bandwidth);
    if (query->bytes < 0)
        return;
    record_count(record, "bytes", query->bytes);
    record_number(record, "message_at_0_s", answer->message.best);
    record_number(record, "message_s", answer->message.expected);
}

static void write_json(FILE *out, const struct answer *answers, int n_answers, const struct machine *machine)
{
    struct record head = {.n_fields = 0}, *records = xcalloc((size_t)n_answers, sizeof *records);
    record_text(&head, "simrun", SIMRUN_VERSION);
    record_text(&head, "platform", machine->name);
    record_number(&head, "at_s", answers[0].at_s);
    for (int i = 0; i < n_answers; i++) {
        record_text(&records[i], "query", answers[i].query->text);
        if (answers[i].query->kernel != NULL)
            record_computation(&records[i], &answers[i], machine);
        else
            record_message(&records[i], &answers[i], machine);
    }
    record_write_json(out, &head, "forecasts", records, n_answers);
    free(records);
}

/* ---- All of it ---- */

static int answer_all(struct answer *answers, struct query *queries, const struct options *options,
                      struct machine *machine, struct sim_error *error)
{
    int status = 0;
    for (int i = 0; i < options->n_queries && status == 0; i++)
        status = query_parse(&queries[i], options->queries[i], machine, error);
    for (int i = 0; i < options->n_queries && status == 0; i++) {
        answers[i] =
            (struct answer){.query = &queries[i], .at_s = options->at_ps > 0 ? units_seconds(options->at_ps) : 0};
        if (queries[i].kernel != NULL)
            status = answer_computation(&answers[i], machine, error);
        else
            status = answer_message(&answers[i], machine, error);
    }
    return status;
}

static int write_all(const struct answer *answers, const struct options *options, const struct machine *machine,
                     struct sim_error *error)
{
    struct output output;
    if (output_open(&output, options->output, error) != 0)
        return -1;
    if (options->format == report_specs[0])
        write_text(output.stream, answers, options->n_queries);
    else
        write_json(output.stream, answers, options->n_queries, machine);
    return output_close(&output, error);
}

int query_run(const struct options *options, struct sim_error *error)
{
    struct machine machine;
    if (machine_load(&machine, options->files[0], error) != 0)
        return -1;
    struct query *queries = xcalloc((size_t)options->n_queries, sizeof *queries);
    struct answer *answers = xcalloc((size_t)options->n_queries, sizeof *answers);
    int status = answer_all(answers, queries, options, &machine, error);
    if (status == 0)
        status = write_all(answers, options, &machine, error);
    free(answers);
    free(queries);
    machine_dispose(&machine);
    return status;
}
