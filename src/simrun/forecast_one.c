/* simrun forecast: what a routine takes of one host, and one message between two.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/builder.h"
#include "base/memory.h"
#include "simrun/forecast.h"

#include <math.h>
#include <string.h>

enum { PERIOD_S = PROFILE_PERIOD_S };

/* ---- Asked ---- */

static int host_number(const struct fast *fast, const char *name)
{
    int i = 0;
    while (strcmp(fast_host(fast, i), name) != 0)
        i++;
    return i;
}

static int ask_host(struct answer *answer, struct sim_error *error)
{
    const struct query *query = answer->query;
    struct fast *fast = answer->fast;
    if (fast_comp_time_best(&answer->best_s, fast, query->host, &query->call, error) != 0 ||
        fast_comp_time(&answer->expected_s, fast, query->host, &query->call, error) != 0 ||
        fast_comp_time_band(&answer->low_s, &answer->high_s, fast, query->host, &query->call, error) != 0 ||
        fast_comp_size(&answer->memory_bytes, fast, &query->call, error) != 0)
        return -1;
    return fast_availability(&answer->availability, fast, query->host, error);
}

static int ask_message(struct answer *answer, struct sim_error *error)
{
    const struct query *query = answer->query;
    struct fast *fast = answer->fast;
    if (fast_latency(&answer->latency, fast, query->host, query->to, error) != 0 ||
        fast_bandwidth(&answer->bandwidth, fast, query->host, query->to, error) != 0)
        return -1;
    answer->hops = machine_route(answer->machine, host_number(fast, query->host), host_number(fast, query->to))->hops;
    if (query->bytes < 0)
        return 0;
    if (fast_comm_time_best(&answer->message_best_s, fast, query->host, query->to, query->bytes, error) != 0)
        return -1;
    return fast_comm_time(&answer->message_s, fast, query->host, query->to, query->bytes, error);
}

/* ---- For readers ---- */

/* A row: what, its value, what it may be off, and what is to be said of it. */
static void add_row(struct table *table, const char *name, enum unit unit, double value, const char *error,
                    const char *remark)
{
    table_text(table, name);
    table_cell(table, cell_shown(cell_of_real(value), show_value(table->document, unit, value)));
    table_cell(table, cell_shown(cell_of_text(error), error));
    table_cell(table, cell_shown(cell_of_text(remark), remark));
}

/* One forecast: value, error, predictor. */
static void add_value(struct table *table, const char *name, enum unit unit, const struct fast_value *value)
{
    struct document *document = table->document;
    struct builder remark = {0};
    if (value->n_series == 0) {
        add_row(table, name, unit, value->expected, "", unit == UNIT_SHARE ? "no profile" : "");
        return;
    }
    builder_add(&remark, "by the %s of %lld measurement%s, every %d s", value->predictor,
                (long long)value->measurements, value->measurements == 1 ? "" : "s", PERIOD_S);
    if (value->n_series > 1)
        builder_add(&remark, ", and %d more profiles", value->n_series - 1);
    if (unit != UNIT_SHARE)
        builder_add(&remark, "; at time 0 %s", show_value(document, unit, value->best));
    add_row(table, name, unit, value->expected, value->measurements > 1 ? show_value(document, unit, value->error) : "",
            document_own(document, builder_take(&remark)));
}

static void add_memory(struct table *table, const struct answer *answer)
{
    struct document *document = table->document;
    double host_bytes = fast_memory(answer->fast);
    const char *remark = "";
    if (isnan(answer->memory_bytes))
        remark = document_format(document, "the platform has no prop memory.%s", answer->query->call.routine);
    else if (!isnan(host_bytes))
        remark = document_format(document, "of %s on the host%s", show_value(document, UNIT_BYTES, host_bytes),
                                 answer->memory_bytes <= host_bytes ? "" : ": it does not fit");
    add_row(table, "memory", UNIT_BYTES, answer->memory_bytes, "", remark);
}

static struct table *new_table(struct document *document)
{
    static const struct column columns[] = {
        {.id = "forecast", .head = "", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "value", .unit = UNIT_NUMBER},
        {.id = "error", .head = "+/-", .unit = UNIT_TEXT},
        {.id = "remark", .head = "", .unit = UNIT_TEXT, .flags = COLUMN_LEFT},
    };
    struct table *table = document_table(document, "forecast", NULL, FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    return table;
}

/* True if hosts differ in speed; FAST does not say that: there, a routine costs the same on all of them. */
static bool has_unequal_hosts(const struct machine *machine)
{
    for (int i = 1; i < machine->net->n_hosts; i++)
        if (machine_host_speed(machine, i) != machine_host_speed(machine, 0))
            return true;
    return false;
}

static void say_law(struct document *document, const struct kernel_cost *kernel, bool extrapolated)
{
    const struct kernel_law *law = kernel->law;
    struct builder line = {0};
    char formula[300];
    law_format(formula, sizeof formula, law);
    builder_add(&line, "the law of %s is %s, in s, fitted to ", law->table, formula);
    for (int s = 0, n = 0; s < N_LAW_SIZES; s++)
        if (law->to[s] > 0)
            builder_add(&line, "%s%s from %lld to %lld", n++ > 0 ? ", " : "", law_size_names[s],
                        (long long)law->from[s], (long long)law->to[s]);
    builder_add(&line, "%s", extrapolated ? "; this is extrapolated" : "");
    if (law_doubt(law)[0] != '\0')
        builder_add(&line, "; it is doubtful: %s", law_doubt(law));
    document_note(document, builder_take(&line));
}

static void say_host(const struct answer *answer, struct document *document)
{
    const struct query *query = answer->query;
    bool extrapolated = fast_is_extrapolated(answer->fast, &query->call);
    document_sentence(document, xformat("%s: %s%s expected at %.10g s%s", query->text,
                                        show_value(document, UNIT_SECONDS, answer->expected_s),
                                        say_band(document, answer->low_s, answer->high_s), answer->at_s,
                                        extrapolated ? ", extrapolated" : ""));
    struct table *table = new_table(document);
    add_row(table, "best time", UNIT_SECONDS, answer->best_s, "", "");
    add_value(table, "availability", UNIT_SHARE, &answer->availability);
    add_row(table, "expected time", UNIT_SECONDS, answer->expected_s, "", "");
    add_memory(table, answer);
    const struct kernel_cost *kernel = machine_find_kernel(answer->machine, query->call.routine);
    if (kernel->law != NULL)
        say_law(document, kernel, extrapolated);
    else if (extrapolated)
        document_note(document, xformat("extrapolated: the cost was fitted for dimensions from %lld to %lld",
                                        (long long)kernel->polynomial.from, (long long)kernel->polynomial.to));
    if (has_unequal_hosts(answer->machine))
        document_note(document, xstrdup("the hosts differ in speed, but the cost is the same for all of them"));
}

static void say_message(const struct answer *answer, struct document *document)
{
    const struct query *query = answer->query;
    struct builder line = {0};
    if (query->bytes >= 0)
        builder_add(&line, "%s: %s", query->text, show_value(document, UNIT_SECONDS, answer->message_s));
    else
        builder_add(&line, "%s: latency %s, bandwidth %s", query->text,
                    show_value(document, UNIT_SECONDS, answer->latency.expected),
                    show_value(document, UNIT_BANDWIDTH, answer->bandwidth.expected));
    builder_add(&line, " expected at %.10g s", answer->at_s);
    document_sentence(document, builder_take(&line));
    struct table *table = new_table(document);
    add_value(table, "latency", UNIT_SECONDS, &answer->latency);
    add_value(table, "bandwidth", UNIT_BANDWIDTH, &answer->bandwidth);
    bool is_measured = answer->latency.n_series + answer->bandwidth.n_series > 0;
    if (query->bytes >= 0)
        add_row(table, "message", UNIT_SECONDS, answer->message_s, "",
                is_measured ? document_format(document, "at time 0 %s",
                                              show_value(document, UNIT_SECONDS, answer->message_best_s))
                            : "");
}

/* ---- For programs ---- */

/* A value "latency_s" with "latency_error_s", and by what it was forecast. The best speed of a wire is unknown: only
 * what it does at time 0. */
static void put_value(struct sparse_row *row, const char *name, const char *suffix, enum unit unit,
                      const struct fast_value *value)
{
    struct document *document = row->table->document;
    if (unit != UNIT_SHARE)
        put_cell(row, document_format(document, "%s_at_0%s", name, suffix), unit, cell_of_real(value->best));
    put_cell(row, document_format(document, "%s%s", name, suffix), unit, cell_of_real(value->expected));
    if (value->n_series == 0)
        return;
    put_cell(row, document_format(document, "%s_error%s", name, suffix), unit, cell_of_real(value->error));
    put_cell(row, document_format(document, "%s_predictor", name), UNIT_TEXT, cell_of_text(value->predictor));
    put_cell(row, document_format(document, "%s_measurements", name), UNIT_COUNT, cell_of_integer(value->measurements));
}

static void put_host(const struct answer *answer, struct table *table, bool fills)
{
    static const char *const dimensions[] = {"m", "n", "k"};
    const struct query *query = answer->query;
    const int64_t given[] = {query->call.m, query->call.n, query->call.k};
    const struct kernel_cost *kernel = machine_find_kernel(answer->machine, query->call.routine);
    bool has_dimensions = kernel->law != NULL ? kernel->law->to[LAW_ITERATIONS] == 0 : kernel->polynomial.n_terms > 0;
    struct sparse_row row = sparse_row_begin(table, fills);
    put_cell(&row, "query", UNIT_TEXT, cell_of_text(query->text));
    put_cell(&row, "kernel", UNIT_TEXT, cell_of_text(query->call.routine));
    put_cell(&row, "host", UNIT_TEXT, cell_of_text(query->host));
    for (int i = 0; i < query->n_dimensions; i++)
        put_cell(&row, has_dimensions ? dimensions[i] : "iterations", UNIT_COUNT, cell_of_integer(given[i]));
    put_cell(&row, "best_s", UNIT_SECONDS, cell_of_real(answer->best_s));
    put_value(&row, "availability", "", UNIT_SHARE, &answer->availability);
    put_cell(&row, "expected_s", UNIT_SECONDS, cell_of_real(answer->expected_s));
    if (kernel->law != NULL) {
        put_cell(&row, "low_s", UNIT_SECONDS, cell_of_real(answer->low_s));
        put_cell(&row, "high_s", UNIT_SECONDS, cell_of_real(answer->high_s));
    }
    put_cell(&row, "memory_bytes", UNIT_BYTES, cell_of_real(answer->memory_bytes));
    if (answer->machine->costs.memory_bytes > 0)
        put_cell(&row, "host_memory_bytes", UNIT_BYTES, cell_of_integer(answer->machine->costs.memory_bytes));
    put_cell(&row, "extrapolated", UNIT_TEXT, cell_of_flag(fast_is_extrapolated(answer->fast, &query->call)));
}

static void put_message(const struct answer *answer, struct table *table, bool fills)
{
    const struct query *query = answer->query;
    struct sparse_row row = sparse_row_begin(table, fills);
    put_cell(&row, "query", UNIT_TEXT, cell_of_text(query->text));
    put_cell(&row, "from", UNIT_TEXT, cell_of_text(query->host));
    put_cell(&row, "to", UNIT_TEXT, cell_of_text(query->to));
    put_cell(&row, "hops", UNIT_COUNT, cell_of_integer(answer->hops));
    put_value(&row, "latency", "_s", UNIT_SECONDS, &answer->latency);
    put_value(&row, "bandwidth", "_Bps", UNIT_BANDWIDTH, &answer->bandwidth);
    if (query->bytes < 0)
        return;
    put_cell(&row, "bytes", UNIT_BYTES, cell_of_integer(query->bytes));
    put_cell(&row, "message_at_0_s", UNIT_SECONDS, cell_of_real(answer->message_best_s));
    put_cell(&row, "message_s", UNIT_SECONDS, cell_of_real(answer->message_s));
}

const struct answer_kind answer_host = {.ask = ask_host, .put = put_host, .say = say_host};
const struct answer_kind answer_message = {.ask = ask_message, .put = put_message, .say = say_message};
