/* simrun forecast PLATFORM QUERY...: what a platform says without a simulation, as a document. */
#include "simrun/forecast/forecast.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/units.h"
#include "sim/machine/predict.h"
#include "sim/platform/platform.h"
#include "simrun/answer.h"
#include "simrun/command.h"
#include "simrun/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static bool has_unequal_hosts(const struct machine *machine)
{
    for (int i = 1; i < machine->net->n_hosts; i++)
        if (machine_host_speed(machine, i) != machine_host_speed(machine, 0))
            return true;
    return false;
}

static int answer_computation(struct answer *answer, struct machine *machine, struct sim_error *error)
{
    const struct query *query = answer->query;
    const int *d = query->dimensions;
    const struct memory_need *need = machine_find_need(machine, query->kernel->name);
    if (polynomial_is_negative(&query->kernel->polynomial, d[0], d[1], d[2]))
        return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0,
                             "forecast '%.100s': the polynomial kernel.%s is negative for these dimensions",
                             query->text, query->kernel->name);
    answer->best_s = predict_time_best(query->kernel, d[0], d[1], d[2]);
    answer->availability = predict_availability(machine, query->host, answer->at_s);
    answer->expected_s = answer->best_s / answer->availability.expected;
    answer->memory_bytes = need != NULL ? polynomial_value(&need->polynomial, d[0], d[1], d[2]) : NAN;
    answer->host_memory_bytes = machine->costs.memory_bytes;
    answer->extrapolated = query_is_extrapolated(query);
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

/* ---- For readers ---- */

static const char *show(struct document *document, enum unit unit, double value)
{
    char text[64];
    return document_format(document, "%s", scale_format(text, sizeof text, unit, value));
}

/* A row: what, its value, what it may be off, and what is to be said of it. */
static void add_row(struct table *table, const char *name, enum unit unit, double value, const char *error,
                    const char *remark)
{
    table_text(table, name);
    table_cell(table, cell_shown(cell_of_real(value), show(table->document, unit, value)));
    table_cell(table, cell_shown(cell_of_text(error), error));
    table_cell(table, cell_shown(cell_of_text(remark), remark));
}

/* One forecast: value, error, predictor. */
static void add_value(struct table *table, const char *name, enum unit unit, const struct predicted_value *value)
{
    struct document *document = table->document;
    struct builder remark = {0};
    if (value->n_profiles == 0) {
        add_row(table, name, unit, value->expected, "", unit == UNIT_SHARE ? "no profile" : "");
        return;
    }
    builder_add(&remark, "by the %s of %lld measurement%s, every %d s", value->prediction.predictor,
                (long long)value->prediction.measurements, value->prediction.measurements == 1 ? "" : "s",
                PROFILE_PERIOD_S);
    if (value->n_profiles > 1)
        builder_add(&remark, ", and %d more profiles", value->n_profiles - 1);
    if (unit != UNIT_SHARE)
        builder_add(&remark, "; at time 0 %s", show(document, unit, value->best));
    add_row(table, name, unit, value->expected,
            value->prediction.measurements > 1 ? show(document, unit, value->error) : "",
            document_own(document, builder_take(&remark)));
}

static void add_memory(struct table *table, const struct answer *answer)
{
    struct document *document = table->document;
    bool fits = answer->memory_bytes <= (double)answer->host_memory_bytes;
    const char *remark = "";
    if (isnan(answer->memory_bytes))
        remark = document_format(document, "the platform has no prop memory.%s", answer->query->kernel->name);
    else if (answer->host_memory_bytes > 0)
        remark = document_format(document, "of %s on the host%s",
                                 show(document, UNIT_BYTES, (double)answer->host_memory_bytes),
                                 fits ? "" : ": it does not fit");
    add_row(table, "memory", UNIT_BYTES, answer->memory_bytes, "", remark);
}

static struct table *new_table(struct document *document)
{
    static const struct column columns[] = {
        {.id = "forecast", .head = "", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "value", .unit = UNIT_NUMBER},
        {.id = "error", .head = "+/-", .unit = UNIT_TEXT},
        {.id = "remark", .head = "", .unit = UNIT_TEXT},
    };
    struct table *table = document_table(document, "forecast", NULL, FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    return table;
}

static void add_computation(struct document *document, const struct answer *answer)
{
    const struct query *query = answer->query;
    document_heading(document, xformat("%s: %s expected at %.10g s%s", query->text,
                                       show(document, UNIT_SECONDS, answer->expected_s), answer->at_s,
                                       answer->extrapolated ? ", extrapolated" : ""));
    struct table *table = new_table(document);
    add_row(table, "best time", UNIT_SECONDS, answer->best_s, "", "");
    add_value(table, "availability", UNIT_SHARE, &answer->availability);
    add_row(table, "expected time", UNIT_SECONDS, answer->expected_s, "", "");
    add_memory(table, answer);
    if (answer->extrapolated)
        document_note(document,
                      xformat("extrapolated: the cost was fitted for dimensions from %lld to %lld",
                              (long long)query->kernel->polynomial.from, (long long)query->kernel->polynomial.to));
    if (answer->unequal_hosts)
        document_note(document, xstrdup("the hosts differ in speed, and the cost is the same for all of them"));
}

static void add_message(struct document *document, const struct answer *answer)
{
    const struct query *query = answer->query;
    struct builder line = {0};
    if (query->bytes >= 0)
        builder_add(&line, "%s: %s", query->text, show(document, UNIT_SECONDS, answer->message.expected));
    else
        builder_add(&line, "%s: latency %s, bandwidth %s", query->text,
                    show(document, UNIT_SECONDS, answer->latency.expected),
                    show(document, UNIT_BANDWIDTH, answer->bandwidth.expected));
    builder_add(&line, " expected at %.10g s", answer->at_s);
    document_heading(document, builder_take(&line));
    struct table *table = new_table(document);
    add_value(table, "latency", UNIT_SECONDS, &answer->latency);
    add_value(table, "bandwidth", UNIT_BANDWIDTH, &answer->bandwidth);
    if (query->bytes >= 0)
        add_row(table, "message", UNIT_SECONDS, answer->message.expected, "",
                answer->message.n_profiles > 0
                    ? document_format(document, "at time 0 %s", show(document, UNIT_SECONDS, answer->message.best))
                    : "");
}

/* ---- For programs ---- */

static void put(struct sparse_row *row, const char *id, enum unit unit, struct cell cell)
{
    sparse_put(row, (struct column){.id = id, .unit = unit, .flags = cell.kind == CELL_TEXT ? COLUMN_KEY : 0}, cell);
}

/* A value "latency_s" with "latency_error_s", and by what it was forecast. What a wire does at best is not known: only
 * what it does at time 0. */
static void put_value(struct sparse_row *row, const char *name, const char *suffix, enum unit unit,
                      const struct predicted_value *value)
{
    struct document *document = row->table->document;
    if (unit != UNIT_SHARE)
        put(row, document_format(document, "%s_at_0%s", name, suffix), unit, cell_of_real(value->best));
    put(row, document_format(document, "%s%s", name, suffix), unit, cell_of_real(value->expected));
    if (value->n_profiles == 0)
        return;
    put(row, document_format(document, "%s_error%s", name, suffix), unit, cell_of_real(value->error));
    put(row, document_format(document, "%s_predictor", name), UNIT_TEXT, cell_of_text(value->prediction.predictor));
    put(row, document_format(document, "%s_measurements", name), UNIT_COUNT,
        cell_of_integer(value->prediction.measurements));
}

static void put_computation(struct sparse_row *row, const struct answer *answer, const struct machine *machine)
{
    static const char *const dimensions[] = {"m", "n", "k"};
    const struct query *query = answer->query;
    bool polynomial = query->kernel->polynomial.n_terms > 0;
    put(row, "kernel", UNIT_TEXT, cell_of_text(query->kernel->name));
    put(row, "host", UNIT_TEXT, cell_of_text(machine_host_name(machine, query->host)));
    for (int i = 0; i < query->n_dimensions; i++)
        put(row, polynomial ? dimensions[i] : "iterations", UNIT_COUNT, cell_of_integer(query->dimensions[i]));
    put(row, "best_s", UNIT_SECONDS, cell_of_real(answer->best_s));
    put_value(row, "availability", "", UNIT_SHARE, &answer->availability);
    put(row, "expected_s", UNIT_SECONDS, cell_of_real(answer->expected_s));
    put(row, "memory_bytes", UNIT_BYTES, cell_of_real(answer->memory_bytes));
    if (answer->host_memory_bytes > 0)
        put(row, "host_memory_bytes", UNIT_BYTES, cell_of_integer(answer->host_memory_bytes));
    put(row, "extrapolated", UNIT_TEXT, cell_of_flag(answer->extrapolated));
}

static void put_message(struct sparse_row *row, const struct answer *answer, const struct machine *machine)
{
    const struct query *query = answer->query;
    put(row, "from", UNIT_TEXT, cell_of_text(machine_host_name(machine, query->host)));
    put(row, "to", UNIT_TEXT, cell_of_text(machine_host_name(machine, query->to_host)));
    put(row, "hops", UNIT_COUNT, cell_of_integer(answer->hops));
    put_value(row, "latency", "_s", UNIT_SECONDS, &answer->latency);
    put_value(row, "bandwidth", "_Bps", UNIT_BANDWIDTH, &answer->bandwidth);
    if (query->bytes < 0)
        return;
    put(row, "bytes", UNIT_BYTES, cell_of_integer(query->bytes));
    put(row, "message_at_0_s", UNIT_SECONDS, cell_of_real(answer->message.best));
    put(row, "message_s", UNIT_SECONDS, cell_of_real(answer->message.expected));
}

/* A platform and what is said of it. */
struct answers {
    struct machine machine;
    const struct options *options;
    struct query *queries;
    struct answer *items;
    int count;
};

static int make_document(struct document *document, void *data, struct sim_error *error)
{
    const struct answers *answers = data;
    const struct machine *machine = &answers->machine;
    (void)error;
    document->name = machine->name;
    document_fact(document, (struct column){.id = "simrun"}, cell_of_text(SIMRUN_VERSION));
    document_fact(document, (struct column){.id = "platform"}, cell_of_text(machine->name));
    document_fact(document, (struct column){.id = "at_s", .unit = UNIT_SECONDS}, cell_of_real(answers->items[0].at_s));
    struct table *table = document_table(document, "forecasts", NULL, FOR_PROGRAMS);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < answers->count; i++) {
            struct sparse_row row = sparse_row_begin(table, pass == 1);
            const struct answer *answer = &answers->items[i];
            put(&row, "query", UNIT_TEXT, cell_of_text(answer->query->text));
            (answer->query->kernel != NULL ? put_computation : put_message)(&row, answer, machine);
        }
    for (int i = 0; i < answers->count; i++)
        (answers->items[i].query->kernel != NULL ? add_computation : add_message)(document, &answers->items[i]);
    return 0;
}

/* ---- All of it ---- */

static int answer_all(struct answers *answers, struct sim_error *error)
{
    char **texts = answers->options->files + 1;
    int status = 0;
    for (int i = 0; i < answers->count && status == 0; i++)
        status = query_parse(&answers->queries[i], texts[i], &answers->machine, error);
    for (int i = 0; i < answers->count && status == 0; i++) {
        struct answer *answer = &answers->items[i];
        *answer = (struct answer){.query = &answers->queries[i], .at_s = units_seconds(answers->options->at_ps)};
        status =
            (answer->query->kernel != NULL ? answer_computation : answer_message)(answer, &answers->machine, error);
    }
    return status;
}

/* The first argument is the platform. */
static int run(const struct options *options, struct sim_error *error)
{
    struct answers answers = {.options = options, .count = options->n_files - 1};
    const char *name = options->files[0];
    char *found = access(name, F_OK) != 0 ? find_named("platforms", name) : NULL;
    int status = machine_load(&answers.machine, found != NULL ? found : name, error);
    free(found);
    if (status != 0)
        return -1;
    answers.queries = xcalloc((size_t)answers.count, sizeof *answers.queries);
    answers.items = xcalloc((size_t)answers.count, sizeof *answers.items);
    status = answer_all(&answers, error);
    if (status == 0)
        status = answer_output(options, make_document, &answers, error);
    free(answers.items);
    free(answers.queries);
    machine_dispose(&answers.machine);
    return status;
}

const struct command command_forecast = {
    .name = "forecast",
    .arguments = "PLATFORM QUERY...",
    .summary = "forecast what a routine or a message takes",
    .about = "Nothing is simulated. QUERY is \"KERNEL DIMENSION... on HOST\" or\n"
             "\"HOST to HOST [SIZE]\"; profiles of the platform are forecast.\n",
    .example = "forecast icluster-loaded \"dgemm 512 512 64 on n2\" \"n0 to n5\"",
    .options = OPTION_BIT(OPTION_AT) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT),
    .least = 2,
    .run = run,
};
