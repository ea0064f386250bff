/* Finds the tables in a file, line by line, and adds their rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/internal.h"

#include "base/memory.h"
#include "measurement/table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines that say what comes ---- */

static void begin_section(struct table *table, const struct benchmark_spec *spec)
{
    table_end(table);
    table->section = (struct section){.spec = spec, .line = table->sheet.number};
    if (spec->kind == BENCHMARK_OTHER)
        benchmarks_note(table->all, table->file, table->sheet.number,
                        table->sheet.line + strspn(table->sheet.line, "# "), "a benchmark that is not used");
}

/* Two machines would make one platform that is neither. */
static int check_machine(struct table *table, const char *line, struct sim_error *error)
{
    const char *name = strchr(line, ':');
    return name != NULL ? table_check_machine(table, name + 1 + strspn(name + 1, " "), error) : 0;
}

/* The number at the beginning of a text; 0: there is none, or one beyond all machines. */
static int number_at(const char *text)
{
    long number = strtol(text, NULL, 10);
    return number > 0 && number <= 1 << 24 ? (int)number : 0;
}

/* The facts that a comment says of the section; false: none. */
static bool take_fact(struct section *section, const char *line)
{
    const char *at;
    int waiting = 0;
    if ((at = strstr(line, "pairs:")) != NULL)
        section->pairs = number_at(at + strlen("pairs:"));
    if ((at = strstr(line, "window size:")) != NULL)
        section->window = number_at(at + strlen("window size:"));
    else if ((at = strstr(line, "#processes =")) != NULL)
        section->ranks = number_at(at + strlen("#processes ="));
    else if (strstr(line, "additional process") != NULL && sscanf(line, "# ( %d", &waiting) == 1)
        section->waits = waiting > 0;
    else if (strstr(line, "DEVICE (D)") != NULL)
        section->is_on_device = true;
    else
        return at != NULL;
    return true;
}

static bool is_machine(const char *line)
{
    return strncmp(line, "# Machine ", 10) == 0;
}

/* Titles, and what stands between them and the table. 1: the line was no such; -1: an error. */
static int read_comment(struct table *table, const char *line, struct sim_error *error)
{
    static const char benchmarking[] = "# Benchmarking ";
    const struct benchmark_spec *osu = line[0] == '#' ? spec_find_osu(line) : NULL;
    if (osu != NULL) {
        begin_section(table, osu);
        return 0;
    }
    if (strncmp(line, benchmarking, strlen(benchmarking)) == 0) {
        begin_section(table, spec_find_imb(line + strlen(benchmarking)));
        return 0;
    }
    if (is_machine(line))
        return check_machine(table, line, error);
    return line[0] == '#' && table->section.spec != NULL && take_fact(&table->section, line) ? 0 : 1;
}

/* ---- NetPIPE, which names no columns in its file ---- */

static const struct benchmark_spec *netpipe(void)
{
    return spec_find("NetPIPE");
}

/* "  3:      4 bytes   1000 times -->     1.10 Mbps in     27.78 usec" */
static bool read_netpipe_line(struct table *table, const char *line)
{
    int number;
    double bytes, rate, time;
    char bytes_unit[8], rate_unit[8], time_unit[8];
    const char *arrow = strstr(line, "-->");
    if (arrow == NULL || sscanf(line, "%d: %lf %7s", &number, &bytes, bytes_unit) != 3 ||
        sscanf(arrow, "--> %lf %7s in %lf %7s", &rate, rate_unit, &time, time_unit) != 4)
        return false;
    if (table->section.spec != netpipe())
        begin_section(table, netpipe());
    table_add(table, (int64_t)bytes, time * (strncmp(time_unit, "usec", 4) == 0 ? 1e-6 : 1));
    return true;
}

/* Three numbers: bytes, Mbps, seconds, which must agree; 1: the line is no such. */
static int read_netpipe_numbers(struct table *table, const char *line, struct sim_error *error)
{
    double bytes, rate, time_s;
    char more;
    if (table->section.spec != NULL && table->section.spec != netpipe())
        return 1;
    if (sscanf(line, "%lf %lf %lf %c", &bytes, &rate, &time_s, &more) != 3)
        return 1;
    double bits = 8 * bytes / (rate * time_s);
    if (!(bits > 0.9 * 1e6 && bits < 1.1 * 1048576))
        return sheet_fail(&table->sheet, error,
                          "three numbers without names of columns, and they are not those of NetPIPE: bytes, Mbps and "
                          "seconds, of which each follows from the two others");
    if (table->section.spec == NULL)
        begin_section(table, netpipe());
    table_add(table, (int64_t)bytes, time_s);
    return 0;
}

/* ---- A line ---- */

/* "[1,0]<stdout>:" of mpirun --tag-output. */
static char *skip_tag(char *line)
{
    char *end = line[0] == '[' ? strstr(line, ">:") : NULL;
    line = end != NULL && end - line < 32 ? end + 2 : line;
    return line + strspn(line, " \t");
}

/* The names of the columns of a barrier, whose messages have no length. */
static bool is_barrier_head(const struct table *table, const char *line)
{
    const struct section *section = &table->section;
    return section->spec != NULL && section->spec->collective != NULL &&
           strcmp(section->spec->collective, "barrier") == 0 && !section->has_columns &&
           (strstr(line, "(us)") != NULL || strstr(line, "[usec]") != NULL);
}

/* A row begins with a number or, between commas, with any text. */
static bool may_be_row(const struct table *table, const char *line)
{
    char separator = table->columns.separator;
    return isdigit((unsigned char)line[0]) || (table->section.has_columns && line[0] != '#' && separator != ' ' &&
                                               strchr(line, separator) != NULL && !columns_are_there(line));
}

static int read_line(struct table *table, struct sim_error *error)
{
    char *line = skip_tag(table->sheet.line);
    bool is_number = may_be_row(table, line);
    if (*line == '\0')
        return 0;
    int status = is_number ? 1 : read_comment(table, line, error);
    if (status != 1)
        return status;
    if (read_netpipe_line(table, line))
        return 0;
    if (!is_number && (columns_are_there(line) || is_barrier_head(table, line)))
        return table_read_head(table, line, error);
    if (is_number && table->section.has_columns)
        return table_read_row(table, line, error);
    if (is_number)
        return (status = read_netpipe_numbers(table, line, error)) < 0 ? -1 : 0;
    if (line[0] != '#') {
        if (table->section.n_rows > 0)
            table_end(table);
        launch_read(&table->launched, line);
    }
    return 0;
}

int benchmarks_read(struct benchmarks *benchmarks, const char *file, const struct benchmark_facts *facts,
                    struct sim_error *error)
{
    struct table table = {.all = benchmarks, .file = (int)benchmarks->n_files, .told = facts};
    benchmarks->files =
        xgrow(benchmarks->files, benchmarks->n_files, &benchmarks->files_capacity, sizeof *benchmarks->files);
    benchmarks->files[benchmarks->n_files++] = xstrdup(file);
    if (sheet_open(&table.sheet, file, error) != 0)
        return -1;
    int status = 0;
    while (status == 0 && sheet_next(&table.sheet))
        status = read_line(&table, error);
    if (status == 0)
        status = table_finish(&table, error);
    sheet_close(&table.sheet);
    return status;
}
