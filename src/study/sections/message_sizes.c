/* Communication against the size of messages and of collectives, phases of work against their quantums, and times for
 * each operation and quantum of work.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/units.h"

#include <math.h>

/* No time is none. */
static void add_time(struct table *table, double seconds)
{
    table_real(table, seconds > 0 ? seconds : (double)NAN);
}

/* Add the sizes of messages or of collectives, whose rows are alike. */
static void add_sizes(struct document *document, const struct result_table *sizes, const char *count, const char *one,
                      const char *title)
{
    struct table *table = document_table(document, table_specs[sizes->id].name, title, FOR_READERS);
    const struct column columns[] = {
        {.id = "from size", .unit = UNIT_BYTES, .flags = COLUMN_KEY | COLUMN_OWN_UNIT},
        {.id = count, .unit = UNIT_COUNT},
        {.id = "mean size [B]", .unit = UNIT_COUNT},
        {.id = "sending", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "receiving", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "waiting", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = one, .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "bandwidth", .unit = UNIT_BANDWIDTH, .flags = COLUMN_OWN_UNIT},
    };
    table->chart = CHART_LINE;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t r = 0; r < sizes->n_rows; r++) {
        const struct message_sizes_row *row = (const struct message_sizes_row *)sizes->rows + r;
        char size[32];
        int64_t from = row->from_bytes; /* of a class, which is a power of two or 0 */
        units_format(size, sizeof size, QUANTITY_SIZE, from);
        table_cell(table,
                   cell_shown(cell_of_integer(from), document_format(document, "%s%s", size, from < 1024 ? " B" : "")));
        table_real(table, (double)row->count);
        table_real(table, (double)row->bytes / (double)row->count);
        add_time(table, units_seconds(row->send_ps));
        add_time(table, units_seconds(row->receive_ps));
        add_time(table, units_seconds(row->idle_ps));
        add_time(table, row->mean_s);
        table_real(table, row->bandwidth_Bps);
    }
}

static void add_phases(struct document *document, const char *title, const struct work_phases_row *rows, size_t n_rows)
{
    struct table *table = document_table(document, table_specs[TABLE_WORK_PHASES].name, title, FOR_READERS);
    const struct column columns[] = {
        {.id = "scope", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "work", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "from quantums", .unit = UNIT_COUNT, .flags = COLUMN_KEY},
        {.id = "phases", .unit = UNIT_COUNT},
        {.id = "mean quantums", .unit = UNIT_COUNT},
        {.id = "per phase", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "per quantum", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
    };
    table->chart = CHART_LINE;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t r = 0; r < n_rows; r++) {
        table_text(table, rows[r].scope);
        table_text(table, location_state_names[rows[r].work]);
        table_real(table, (double)rows[r].from_quantums);
        table_real(table, (double)rows[r].phases);
        table_real(table, (double)rows[r].quantums / (double)rows[r].phases);
        add_time(table, rows[r].mean_s);
        add_time(table, rows[r].per_quantum_s);
    }
}

/* "For each operation: useful work 2.500 ns, communication none, idling 1.000 us." */
static void add_each(struct document *document, const struct study_run *run, enum measure_id first, const char *thing)
{
    struct builder line = {0};
    if (result_get(&run->result, first) == NULL)
        return;
    builder_add(&line, "For each %s", thing);
    for (int i = 0; i < 3; i++) {
        enum measure_id id = (enum measure_id)(first + (unsigned)i);
        builder_add(&line, "%s %s ", i == 0 ? ":" : ",", measure_specs[id].label);
        if (run_value(run, id) > 0)
            builder_add_time(&line, run_value(run, id));
        else
            builder_add(&line, "none");
    }
    builder_add(&line, ".");
    document_note(document, builder_take(&line));
}

/* The title of a table, with the run where there are several. */
static const char *title_of(struct document *document, const struct study *study, const struct study_run *run,
                            const char *what, const char *remark)
{
    struct builder title = {0};
    builder_add(&title, "%s", what);
    if (study->n_runs > 1) {
        builder_add(&title, ", ");
        study_name_run(&title, study, run);
    }
    builder_add(&title, "%s", remark);
    return document_own(document, builder_take(&title));
}

void section_message_sizes(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        const struct result_table *messages = result_find_table(&run->result, TABLE_MESSAGE_SIZES);
        const struct result_table *collectives = result_find_table(&run->result, TABLE_COLLECTIVE_SIZES);
        bool is_left_out =
            messages != NULL && messages->of_detail && !study->verbose && run != study_find_detailed(study);
        if (messages != NULL && !is_left_out)
            add_sizes(document, messages, "messages", "per message",
                      title_of(document, study, run, "Messages by size",
                               study_has_processors(study)
                                   ? " (times summed over processors; bandwidth: bytes / (sending + receiving))"
                                   : " (times summed over ranks; bandwidth: bytes / (sending + receiving))"));
        if (collectives != NULL)
            add_sizes(document, collectives, "calls", "per call",
                      title_of(document, study, run, "Collectives by size", ", one call per member"));
        size_t n_phases;
        const struct work_phases_row *phases = result_work_phases(&run->result, &n_phases);
        if (n_phases > 0)
            add_phases(document, title_of(document, study, run, "Phases of work by quantums", ""), phases, n_phases);
        add_each(document, run, M_OPERATION_USEFUL, "operation");
        add_each(document, run, M_QUANTUM_USEFUL, "quantum");
        add_each(document, run, M_MESSAGE_QUANTUM_USEFUL, "quantum of messages");
    }
}
