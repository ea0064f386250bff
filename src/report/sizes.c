/* Communication against the size of messages and of collectives, and for each operation and quantum of work. */
#include "report/sizes.h"

#include "report/text_parts.h"

#include <math.h>

/* The least size of a class, which is a power of two or 0. */
static void cell_size(struct table *table, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 6; unit++)
        bytes /= 1024;
    table_cell(table, "%.0f %s", bytes, units[unit]);
}

/* "1.85 us", or `none` where there is no time. */
static const char *own_time(double seconds, const char *none, char *text, size_t size)
{
    return seconds > 0 ? text_format_time(seconds, text, size) : none;
}

static void cell_own_time(struct table *table, double seconds)
{
    char text[32];
    table_cell(table, "%s", own_time(seconds, "-", text, sizeof text));
}

static double value(const struct result_table *rows, size_t row, const char *column)
{
    return result_cell_value(rows, row, result_column(rows, column));
}

static void write_sizes(FILE *stream, const struct result_table *rows, const char *count, const char *one,
                        const char *title)
{
    struct table *table = table_new();
    table_head(table, "from size");
    table_head(table, "%s", count);
    table_head(table, "mean size [B]");
    table_head(table, "sending");
    table_head(table, "receiving");
    table_head(table, "waiting");
    table_head(table, "a %s", one);
    table_head(table, "[MB/s]");
    for (size_t r = 0; r < rows->n_rows; r++) {
        double n = value(rows, r, count), bandwidth = value(rows, r, "bandwidth_Bps");
        cell_size(table, value(rows, r, "from_bytes"));
        table_cell(table, "%.0f", n);
        table_cell(table, "%.0f", value(rows, r, "bytes") / n);
        cell_own_time(table, value(rows, r, "send_s"));
        cell_own_time(table, value(rows, r, "receive_s"));
        cell_own_time(table, value(rows, r, "idle_s"));
        cell_own_time(table, value(rows, r, "mean_s"));
        text_cell_digits(table, bandwidth / 1e6);
    }
    fprintf(stream, "\n%s\n", title);
    table_print(table, stream);
}

static void write_each(FILE *stream, const struct report_run *run, const char *group, const char *thing)
{
    char useful[32], communication[32], idle[32];
    if (isnan(text_value(run, group, "useful")))
        return;
    fprintf(stream, "  For each %s: useful work %s, communication %s, idling %s.\n", thing,
            own_time(text_value(run, group, "useful"), "none", useful, sizeof useful),
            own_time(text_value(run, group, "communication"), "none", communication, sizeof communication),
            own_time(text_value(run, group, "idle"), "none", idle, sizeof idle));
}

void sizes_write(FILE *stream, const struct report *report)
{
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        const struct result_table *messages = result_find_table(&run->result, "message_sizes");
        const struct result_table *collectives = result_find_table(&run->result, "collective_sizes");
        if (messages != NULL)
            write_sizes(stream, messages, "messages", "message",
                        "Messages by size (times summed over ranks; [MB/s]: bytes / (sending + receiving))");
        if (collectives != NULL)
            write_sizes(stream, collectives, "calls", "call", "Collectives by size, a call for each member");
        write_each(stream, run, "per_operation_s", "operation");
        write_each(stream, run, "per_quantum_s", "quantum");
    }
}
