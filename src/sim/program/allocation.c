/* Reads lists of hosts: hostfiles, rankfiles, and hostlists with brackets.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/allocation.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HOSTS = 1 << 20, MOST_SLOTS = 1 << 20, MOST_NAME = 255 };

/* The line at hand. */
struct reader {
    struct allocation allocation;
    size_t capacity;
    bool is_file;
    long line;
    int slots, rank;
    struct sim_error *error;
};

static int fail(struct reader *reader, const char *text, const char *what)
{
    return sim_error_set(reader->error, SIM_BAD_INPUT, reader->allocation.file, reader->is_file ? reader->line : 0,
                         "'%.80s': %s", text, what);
}

static int add_host(struct reader *reader, const char *name)
{
    struct allocation *allocation = &reader->allocation;
    if (*name == '\0')
        return fail(reader, name, "a host has a name; allowed: host, host slots=N, host:N, rank N=host, node[1-4,7]");
    if (allocation->n_hosts == MOST_HOSTS)
        return fail(reader, name, "more than 1048576 hosts");
    allocation->hosts =
        xgrow(allocation->hosts, (size_t)allocation->n_hosts, &reader->capacity, sizeof *allocation->hosts);
    allocation->hosts[allocation->n_hosts++] = (struct allocated_host){.name = xstrdup(name),
                                                                       .slots = reader->slots,
                                                                       .rank = reader->rank,
                                                                       .line = reader->is_file ? reader->line : 0};
    return 0;
}

static int expand(struct reader *reader, const char *name);

/* Put a number, with as many digits as its range has, in place of the brackets. */
static int expand_number(struct reader *reader, const char *name, size_t length, long number, int digits,
                         const char *rest)
{
    char *one = xformat("%.*s%0*ld%s", (int)length, name, digits, number, rest);
    int status = strlen(one) > MOST_NAME ? fail(reader, one, "a name of more than 255 bytes") : expand(reader, one);
    free(one);
    return status;
}

/* A part of brackets: "7" or "01-04"; *end is behind it. */
static int expand_range(struct reader *reader, const char *name, size_t length, const char *range, char **end,
                        const char *rest)
{
    if (!isdigit((unsigned char)*range))
        return fail(reader, name, "brackets hold numbers and ranges, such as node[01-04,7]");
    long first = strtol(range, end, 10), last = first;
    int digits = (int)(*end - range);
    if (**end == '-' && isdigit((unsigned char)(*end)[1]))
        last = strtol(*end + 1, end, 10);
    if (last < first || last - first >= MOST_HOSTS || (**end != ',' && **end != ']'))
        return fail(reader, name, "brackets hold numbers and ranges, such as node[01-04,7]");
    for (long number = first; number <= last; number++)
        if (expand_number(reader, name, length, number, digits, rest) != 0)
            return -1;
    return 0;
}

/* The hosts that a name with brackets stands for. */
static int expand(struct reader *reader, const char *name)
{
    const char *open = strchr(name, '['), *close = open != NULL ? strchr(open, ']') : NULL;
    if (open == NULL)
        return add_host(reader, name);
    if (close == NULL)
        return fail(reader, name, "a bracket that does not end");
    char *end;
    for (const char *range = open + 1; range <= close; range = end + 1)
        if (expand_range(reader, name, (size_t)(open - name), range, &end, close + 1) != 0)
            return -1;
    return 0;
}

/* The text up to a comma that is in no brackets; *rest is behind it, or NULL. */
static char *take_part(char *text, char **rest)
{
    int depth = 0;
    char *at = text;
    for (; *at != '\0' && (*at != ',' || depth > 0); at++)
        depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
    *rest = *at == ',' ? at + 1 : NULL;
    *at = '\0';
    return text;
}

static int parse_number(struct reader *reader, int *number, const char *text, int least, const char *what)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > MOST_SLOTS)
        return fail(reader, text, what);
    *number = (int)value;
    return 0;
}

/* "node[1-2]:4": behind the colon stands how many slots. */
static int take_slots(struct reader *reader, char *part)
{
    char *colon = strrchr(part, ':');
    if (colon == NULL)
        return 0;
    *colon = '\0';
    return parse_number(reader, &reader->slots, colon + 1, 1, "no number of slots; allowed: 1 ... 1048576");
}

static int add_hosts(struct reader *reader, char *hosts)
{
    int said = reader->slots;
    for (char *rest, *part = hosts; part != NULL; part = rest) {
        take_part(part, &rest);
        reader->slots = said;
        if (take_slots(reader, part) != 0 || expand(reader, part) != 0)
            return -1;
    }
    return 0;
}

/* "slots=4", "max_slots=4", "slot=0:1": only slots are of use. */
static int take_option(struct reader *reader, const char *word)
{
    static const char *const passed_over[] = {"max_slots=", "max-slots=", "slot="};
    if (strncmp(word, "slots=", 6) == 0)
        return parse_number(reader, &reader->slots, word + 6, 1, "no number of slots; allowed: 1 ... 1048576");
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
        if (strncmp(word, passed_over[i], strlen(passed_over[i])) == 0)
            return 0;
    return fail(reader, word, "unknown; known: slots=N max_slots=N slot=N");
}

/* "rank 0=host": the rank; *host is behind it. */
static int take_rank(struct reader *reader, char *word, char **host)
{
    char *equals = word != NULL ? strchr(word, '=') : NULL;
    if (equals == NULL)
        return fail(reader, "rank", "a line of a rankfile is 'rank N=host slot=N'");
    *equals = '\0';
    *host = equals + 1;
    return parse_number(reader, &reader->rank, word, 0, "no rank; allowed: 0 ... 1048576");
}

static int read_line(struct reader *reader, char *line)
{
    static const char blanks[] = " \t\r";
    char *rest, *host;
    line[strcspn(line, "#")] = '\0';
    reader->slots = 0;
    reader->rank = -1;
    if ((host = strtok_r(line, blanks, &rest)) == NULL)
        return 0;
    if (strcmp(host, "rank") == 0 && take_rank(reader, strtok_r(NULL, blanks, &rest), &host) != 0)
        return -1;
    for (const char *word; (word = strtok_r(NULL, blanks, &rest)) != NULL;)
        if (take_option(reader, word) != 0)
            return -1;
    bool has_rank = reader->rank >= 0;
    if (reader->allocation.n_hosts > 0 && has_rank != reader->allocation.has_ranks)
        return fail(reader, host, "a rankfile has a rank in each line");
    reader->allocation.has_ranks = has_rank;
    return add_hosts(reader, host);
}

static int read_lines(struct reader *reader, char *text)
{
    for (char *rest = text; rest != NULL && *rest != '\0';) {
        char *line = rest, *end = strchr(rest, '\n');
        rest = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        reader->line++;
        if (read_line(reader, line) != 0)
            return -1;
    }
    reader->line = 0;
    if (reader->allocation.n_hosts > 0)
        return 0;
    return sim_error_set(reader->error, SIM_BAD_INPUT, reader->allocation.file, 0, "names no host");
}

int allocation_parse(struct allocation *allocation, const char *text, const char *file, bool is_file,
                     struct sim_error *error)
{
    struct reader reader = {.allocation.file = xstrdup(file), .is_file = is_file, .error = error};
    char *copy = xstrdup(text);
    int status = read_lines(&reader, copy);
    free(copy);
    if (status == 0)
        *allocation = reader.allocation;
    else
        allocation_dispose(&reader.allocation);
    return status;
}

void allocation_dispose(struct allocation *allocation)
{
    for (int i = 0; i < allocation->n_hosts; i++)
        free(allocation->hosts[i].name);
    free(allocation->hosts);
    free(allocation->file);
    *allocation = (struct allocation){.file = NULL};
}
