/* Communication against the size of messages and of collectives, phases of work against their quantums, and times for
 * each operation and quantum of work. */
#include "study/sections/sections.h"

#include "base/units.h"

#include <math.h>

/* No time is none. */
static void add_time(struct table *table, double seconds)
{
    table_real(table, seconds > 0 ? seconds : (double)NAN);
}

static void add_sizes(struct document *document, const struct result_table *rows, const char *count, const char *one,
                      const char *title)
{
    struct table *table = document_table(document, rows->name, title, FOR_READERS);
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
    for (size_t r = 0; r < rows->n_rows; r++) {
        char size[32];
        int64_t from = (int64_t)named_number(rows, r, "from_bytes"); /* of a class, which is a power of two or 0 */
        units_format(size, sizeof size, QUANTITY_SIZE, from);
        double n = named_number(rows, r, count);
        table_cell(table,
                   cell_shown(cell_of_integer(from), document_format(document, "%s%s", size, from < 1024 ? " B" : "")));
        table_real(table, n);
        table_real(table, named_number(rows, r, "bytes") / n);
        add_time(table, named_number(rows, r, "send_s"));
        add_time(table, named_number(rows, r, "receive_s"));
        add_time(table, named_number(rows, r, "idle_s"));
        add_time(table, named_number(rows, r, "mean_s"));
        table_real(table, named_number(rows, r, "bandwidth_Bps"));
    }
}

static void add_phases(struct document *document, const struct result_table *rows)
{
    struct table *table = document_table(document, rows->name, "Phases of work by quantums", FOR_READERS);
    const struct column columns[] = {
        {.id = "scope", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "work", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "from quantums", .unit = UNIT_COUNT, .flags = COLUMN_KEY},
        {.id = "phases", .unit = UNIT_COUNT},
        {.id = "mean quantums", .unit = UNIT_COUNT},
        {.id = "a phase", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "a quantum", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
    };
    table->chart = CHART_LINE;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t r = 0; r < rows->n_rows; r++) {
        double n = named_number(rows, r, "phases");
        table_text(table, document_format(document, "%s", named_text(rows, r, "scope")));
        table_text(table, document_format(document, "%s", named_text(rows, r, "work")));
        table_real(table, named_number(rows, r, "from_quantums"));
        table_real(table, n);
        table_real(table, named_number(rows, r, "quantums") / n);
        add_time(table, named_number(rows, r, "mean_s"));
        add_time(table, named_number(rows, r, "per_quantum_s"));
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

void section_message_sizes(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        const struct result_table *messages = result_find_table(&run->result, "message_sizes");
        const struct result_table *collectives = result_find_table(&run->result, "collective_sizes");
        bool is_left_out =
            messages != NULL && messages->of_detail && !study->verbose && run != study_find_detailed(study);
        if (messages != NULL && !is_left_out)
            add_sizes(document, messages, "messages", "a message",
                      "Messages by size (times summed over ranks; bandwidth: bytes / (sending + receiving))");
        if (collectives != NULL)
            add_sizes(document, collectives, "calls", "a call", "Collectives by size, a call for each member");
        const struct result_table *phases = result_find_table(&run->result, "work_phases");
        if (phases != NULL)
            add_phases(document, phases);
        add_each(document, run, M_OPERATION_USEFUL, "operation");
        add_each(document, run, M_QUANTUM_USEFUL, "quantum");
    }
}
