/* The columns of a table, by their names: what they hold, and in which unit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- Units ---- */

static const struct unit {
    const char *name;
    enum column_role role;
    double factor;
} units[] = {
    {"s", COLUMN_TIME, 1},
    {"sec", COLUMN_TIME, 1},
    {"seconds", COLUMN_TIME, 1},
    {"ms", COLUMN_TIME, 1e-3},
    {"msec", COLUMN_TIME, 1e-3},
    {"us", COLUMN_TIME, 1e-6},
    {"usec", COLUMN_TIME, 1e-6},
    {"\302\265s", COLUMN_TIME, 1e-6}, /* the micro sign */
    {"\316\274s", COLUMN_TIME, 1e-6}, /* the Greek letter */
    {"ns", COLUMN_TIME, 1e-9},
    {"B/s", COLUMN_RATE, 1},
    {"kB/s", COLUMN_RATE, 1e3},
    {"KB/s", COLUMN_RATE, 1e3},
    {"MB/s", COLUMN_RATE, 1e6},
    {"MBps", COLUMN_RATE, 1e6},
    {"MB/sec", COLUMN_RATE, 1e6},
    {"Mbytes/sec", COLUMN_RATE, 1e6},
    {"GB/s", COLUMN_RATE, 1e9},
    {"GBps", COLUMN_RATE, 1e9},
    {"KiB/s", COLUMN_RATE, 1024},
    {"MiB/s", COLUMN_RATE, 1024.0 * 1024},
    {"GiB/s", COLUMN_RATE, 1024.0 * 1024 * 1024},
    {"Mbps", COLUMN_RATE, 1e6 / 8},
    {"Mb/s", COLUMN_RATE, 1e6 / 8},
    {"Gbps", COLUMN_RATE, 1e9 / 8},
    {"Gb/s", COLUMN_RATE, 1e9 / 8},
    {"B", COLUMN_BYTES, 1},
    {"bytes", COLUMN_BYTES, 1},
    {"KiB", COLUMN_BYTES, 1024},
    {"MiB", COLUMN_BYTES, 1024.0 * 1024},
    {"messages/s", COLUMN_MESSAGES, 1},
    {"msg/s", COLUMN_MESSAGES, 1},
    {"msg/sec", COLUMN_MESSAGES, 1},
};
enum { N_UNITS = sizeof units / sizeof units[0] };

static const char known_units[] = "of times ns us ms s, of rates B/s kB/s MB/s GB/s KiB/s MiB/s GiB/s Mbps Gbps "
                                  "messages/s, of lengths B KiB MiB";

/* Rates by the case of their letters, which tells bits from bytes; all else by any. */
static const struct unit *find_unit(const char *name)
{
    for (int i = 0; i < N_UNITS; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    for (int i = 0; i < N_UNITS; i++)
        if (units[i].role != COLUMN_RATE && strcasecmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

/* ---- Names ---- */

static const struct {
    const char *name; /* in small letters, without its unit */
    enum column_role role;
} names[] = {
    {"size", COLUMN_BYTES},
    {"bytes", COLUMN_BYTES},
    {"length", COLUMN_BYTES},
    {"len", COLUMN_BYTES},
    {"message size", COLUMN_BYTES},
    {"message_size", COLUMN_BYTES},
    {"msg_size", COLUMN_BYTES},
    {"msgsize", COLUMN_BYTES},
    {"latency", COLUMN_TIME},
    {"avg latency", COLUMN_TIME},
    {"avg_latency", COLUMN_TIME},
    {"ave time", COLUMN_TIME},
    {"time", COLUMN_TIME},
    {"t", COLUMN_TIME},
    {"t_avg", COLUMN_TIME},
    {"bandwidth", COLUMN_RATE},
    {"bw", COLUMN_RATE},
    {"message_rate", COLUMN_MESSAGES},
    {"message rate", COLUMN_MESSAGES},
    {"messages_per_s", COLUMN_MESSAGES},
    {"repetitions", COLUMN_REPETITIONS},
    {"pairs", COLUMN_PAIRS},
    {"ranks", COLUMN_RANKS},
    {"processes", COLUMN_RANKS},
    {"procs", COLUMN_RANKS},
    {"nprocs", COLUMN_RANKS},
    {"np", COLUMN_RANKS},
    {"nodes", COLUMN_HOSTS},
    {"hosts", COLUMN_HOSTS},
    {"ppn", COLUMN_PER_HOST},
    {"ranks_per_host", COLUMN_PER_HOST},
    {"ranks_per_node", COLUMN_PER_HOST},
    {"test", COLUMN_TEST},
    {"benchmark", COLUMN_TEST},
    {"collective", COLUMN_TEST},
    {"machine", COLUMN_MACHINE},
    {"system", COLUMN_MACHINE},
    {"cluster", COLUMN_MACHINE},
};

static enum column_role find_role(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(names[i].name, name) == 0)
            return names[i].role;
    return COLUMN_UNUSED;
}

/* A name without what stands around it: blanks, quotes, and the '#' that begins a comment. */
static char *strip(char *text)
{
    text += strspn(text, " \t#\"'");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\"'", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

/* Take "(us)", "[us]" or "_us" off the end of a name; NULL: there is no such. */
static char *take_unit(char *name)
{
    size_t length = strlen(name);
    char close = length > 2 ? name[length - 1] : '\0';
    char *open = close == ']' ? strrchr(name, '[') : close == ')' ? strrchr(name, '(') : strrchr(name, '_');
    if (open == NULL || open == name || (*open == '_' && find_unit(open + 1) == NULL))
        return NULL;
    if (*open != '_')
        name[length - 1] = '\0';
    *open = '\0';
    for (char *end = open; end > name && end[-1] == ' ';)
        *--end = '\0';
    return open + 1;
}

/* ---- One column ---- */

static int fail_unit(const struct sheet *sheet, const char *column, const char *unit, struct sim_error *error)
{
    if (unit == NULL)
        return sheet_fail(sheet, error,
                          "column '%.40s' says no unit; write one behind it, such as '%.40s (us)'; known: %s", column,
                          column, known_units);
    if (strcasecmp(unit, "kb") == 0 || strcasecmp(unit, "mb") == 0)
        return sheet_fail(sheet, error,
                          "column '%.40s': '%.20s' is 1000 or 1024 of the smaller unit; allowed: B KiB MiB", column,
                          unit);
    return sheet_fail(sheet, error, "column '%.40s': unknown unit '%.20s'; known: %s", column, unit, known_units);
}

static int set_column(struct columns *columns, int at, const struct unit *unit, enum column_role role)
{
    columns->roles[at] = columns->of_role[role] >= 0 && role != COLUMN_UNUSED ? COLUMN_UNUSED : role;
    columns->factors[at] = unit != NULL ? unit->factor : 1;
    if (columns->roles[at] != COLUMN_UNUSED)
        columns->of_role[role] = at;
    return 0;
}

static int read_column(struct columns *columns, int at, char *field, const struct sheet *sheet, struct sim_error *error)
{
    char *name = strip(field);
    snprintf(columns->names[at], sizeof columns->names[at], "%s", name);
    const struct unit *whole = find_unit(name);
    enum column_role role = find_role(name);
    if (whole != NULL && role == COLUMN_UNUSED)
        return set_column(columns, at, whole, whole->role);
    if (role != COLUMN_UNUSED && role != COLUMN_TIME && role != COLUMN_RATE)
        return set_column(columns, at, NULL, role);
    const char *text = take_unit(name);
    if (text != NULL)
        role = find_role(name);
    if (role == COLUMN_UNUSED)
        return set_column(columns, at, NULL, role);
    const struct unit *unit = text != NULL ? find_unit(text) : NULL;
    bool needs_unit = role == COLUMN_TIME || role == COLUMN_RATE || text != NULL;
    if (needs_unit && (unit == NULL || unit->role != role))
        return fail_unit(sheet, columns->names[at], text, error);
    return set_column(columns, at, unit, role);
}

/* ---- A line ---- */

static char find_separator(const char *line)
{
    static const char separators[] = ",;";
    for (const char *c = separators; *c != '\0'; c++)
        if (strchr(line, *c) != NULL)
            return *c;
    return strchr(line, '\t') != NULL && strstr(line, "  ") == NULL ? '\t' : ' ';
}

int columns_cut(char *fields[], int most, char *line, char separator)
{
    int count = 0;
    for (char *at = line; at != NULL;) {
        if (separator == ' ')
            at += strspn(at, " \t");
        if (separator == ' ' && *at == '\0')
            break;
        if (count < most)
            fields[count] = at;
        count++;
        char *end = separator == ' ' ? strpbrk(at, " \t") : strchr(at, separator);
        if (end != NULL)
            *end++ = '\0';
        at = end;
    }
    return count;
}

/* Names between blanks have blanks in them: they end before two of them, a tab or a '#', and behind a bracket. */
static bool ends_name(const char *name, const char *at)
{
    bool is_closed = at > name && strchr(")]", at[-1]) != NULL;
    return *at == '\0' || *at == '\t' || (at[0] == ' ' && (is_closed || at[1] == ' ' || at[1] == '#'));
}

static int cut_names(char *fields[], int most, char *line)
{
    int count = 0;
    for (char *at = line + strspn(line, " \t#"); *at != '\0'; at += strspn(at, " \t#")) {
        char *end = at;
        while (!ends_name(at, end))
            end++;
        if (count < most)
            fields[count] = at;
        count++;
        if (*end != '\0')
            *end++ = '\0';
        at = end;
    }
    return count;
}

int columns_read(struct columns *columns, char *line, const struct sheet *sheet, struct sim_error *error)
{
    char *fields[COLUMNS_MOST];
    *columns = (struct columns){.separator = find_separator(line)};
    for (int role = 0; role < N_COLUMN_ROLES; role++)
        columns->of_role[role] = -1;
    bool is_tabbed = columns->separator == '\t';
    columns->count = columns->separator == ' ' || is_tabbed
                         ? cut_names(fields, COLUMNS_MOST, line)
                         : columns_cut(fields, COLUMNS_MOST, line, columns->separator);
    if (is_tabbed)
        columns->separator = ' ';
    if (columns->count > COLUMNS_MOST)
        return sheet_fail(sheet, error, "has %d columns; allowed: at most %d", columns->count, COLUMNS_MOST);
    for (int i = 0; i < columns->count; i++)
        if (read_column(columns, i, fields[i], sheet, error) != 0)
            return -1;
    return 0;
}

bool columns_are_there(const char *line)
{
    char copy[512], *fields[COLUMNS_MOST];
    if (strlen(line) >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%s", line);
    char separator = find_separator(copy);
    int count = separator == ',' || separator == ';' ? columns_cut(fields, COLUMNS_MOST, copy, separator)
                                                     : cut_names(fields, COLUMNS_MOST, copy);
    if (count < 2 && !(count == 1 && line[0] == '#'))
        return false;
    for (int i = 0; i < count && i < COLUMNS_MOST; i++) {
        char *name = strip(fields[i]);
        take_unit(name);
        if (find_role(name) == COLUMN_BYTES)
            return true;
    }
    return false;
}
