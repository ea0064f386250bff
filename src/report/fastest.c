#include "report/fastest.h"

#include "report/text_parts.h"

#include <inttypes.h>

enum { LONGEST = 40 };

static int64_t whole(const struct result_table *table, size_t row, const char *column)
{
    return (int64_t)result_cell(table, row, result_column(table, column))->number;
}

static void write_row(struct table *to, const struct report *report, const struct report_run *run,
                      const struct result_table *table, size_t row)
{
    double time_s = result_cell_value(table, row, result_column(table, "time_s"));
    char time[32];
    text_cell_run(to, report, run);
    table_cell(to, "%s", result_cell(table, row, result_column(table, "collective"))->text);
    table_cell(to, "%" PRId64, whole(table, row, "ranks"));
    table_cell(to, "%" PRId64 " ... %" PRId64, whole(table, row, "from_bytes"), whole(table, row, "to_bytes"));
    table_cell(to, "%s", result_cell(table, row, result_column(table, "algorithm"))->text);
    table_cell(to, "%" PRId64, whole(table, row, "bytes"));
    table_cell(to, "%s", text_format_time(time_s, time, sizeof time));
    text_cell_factor(to, result_cell_value(table, row, result_column(table, "slowest_s")) / time_s);
}

void fastest_write(FILE *stream, const struct report *report)
{
    struct table *to = NULL;
    size_t n_rows = 0;
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        const struct result_table *table = result_find_table(&run->result, "fastest");
        for (size_t row = 0; table != NULL && row < table->n_rows; row++) {
            if (to == NULL) {
                static const char *const heads[] = {"collective", "among", "bytes",  "fastest",
                                                    "tried",      "time",  "slowest"};
                to = table_new();
                text_head_run(to, report);
                for (size_t h = 0; h < sizeof heads / sizeof heads[0]; h++)
                    table_head(to, "%s", heads[h]);
            }
            if (n_rows++ < LONGEST)
                write_row(to, report, run, table, row);
        }
    }
    if (to == NULL)
        return;
    fputs("\nThe fastest collectives, each tried alone with a message of the first size met\n", stream);
    table_print(to, stream);
    if (n_rows > LONGEST)
        fprintf(stream, "  ... %zu more in -f json.\n", n_rows - LONGEST);
}
