/* Slurm's topology.conf: switches, and the hosts and switches below each. Lists of hosts may have one range in brackets
 * (Slurm's manual page topology.conf).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fabric/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME = 256 };

bool slurm_is(const char *line)
{
    return strncasecmp(line, "SwitchName=", strlen("SwitchName=")) == 0;
}

static int add_below(struct fabric *fabric, int above, const char *name, bool is_switch, const struct sheet *sheet,
                     struct sim_error *error)
{
    int node = fabric_node(fabric, name, is_switch, sheet, error);
    if (node < 0)
        return -1;
    if (node == above)
        return sheet_fail(sheet, error, "switch '%.80s' is below itself", name);
    struct map_key key = node < above ? map_key(node, above, 0, 0) : map_key(above, node, 0, 0);
    if (map_find(&fabric->pairs, key) != NULL) /* switches that name each other */
        return 0;
    return fabric_link(fabric, above, node, 0, sheet, error);
}

/* One range of a list, "017" or "001-016", between what stands before and behind the brackets. */
static int add_range(struct fabric *fabric, int above, const char *range, const char *before, const char *behind,
                     bool is_switch, const struct sheet *sheet, struct sim_error *error)
{
    char name[NAME];
    char *end;
    long first = strtol(range, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
    int width = (int)strcspn(range, "-");
    if (!isdigit((unsigned char)range[0]) || *end != '\0' || last < first || last - first >= FABRIC_NODES || width > 18)
        return sheet_fail(sheet, error, "'%.40s' is not a range of numbers such as 001-016", range);
    for (long i = first; i <= last; i++) {
        snprintf(name, sizeof name, "%.100s%0*ld%.100s", before, width, i, behind);
        if (add_below(fabric, above, name, is_switch, sheet, error) != 0)
            return -1;
    }
    return 0;
}

/* One name of a list, with its brackets. */
static int add_names(struct fabric *fabric, int above, char *text, bool is_switch, const struct sheet *sheet,
                     struct sim_error *error)
{
    char *open = strchr(text, '['), *close = open != NULL ? strchr(open, ']') : NULL, *save = NULL;
    if (open == NULL)
        return add_below(fabric, above, text, is_switch, sheet, error);
    if (close == NULL || strchr(close, '[') != NULL)
        return sheet_fail(sheet, error, "'%.80s': allowed: one range in brackets, such as node[1-16,18]", text);
    *open = *close = '\0';
    for (char *range = strtok_r(open + 1, ",", &save); range != NULL; range = strtok_r(NULL, ",", &save))
        if (add_range(fabric, above, range, text, close + 1, is_switch, sheet, error) != 0)
            return -1;
    return 0;
}

/* The end of a name in a list: the next comma outside of brackets. */
static char *end_of_name(char *text)
{
    bool is_inside = false;
    for (; *text != '\0' && (is_inside || *text != ','); text++)
        is_inside = *text == '[' || (is_inside && *text != ']');
    return text;
}

static int add_list(struct fabric *fabric, int above, char *list, bool is_switch, const struct sheet *sheet,
                    struct sim_error *error)
{
    while (*list != '\0') {
        char *end = end_of_name(list), *next = end + (*end == ',');
        *end = '\0';
        if (*list != '\0' && add_names(fabric, above, list, is_switch, sheet, error) != 0)
            return -1;
        list = next;
    }
    return 0;
}

static int read_switch(struct fabric *fabric, char *line, const struct sheet *sheet, struct sim_error *error)
{
    char *save = NULL, *word = strtok_r(line, " \t", &save);
    int above = fabric_node(fabric, word + strlen("SwitchName="), true, sheet, error), status = 0;
    if (above < 0)
        return -1;
    while ((word = strtok_r(NULL, " \t", &save)) != NULL && status == 0) {
        if (strncasecmp(word, "Nodes=", 6) == 0)
            status = add_list(fabric, above, word + 6, false, sheet, error);
        else if (strncasecmp(word, "Switches=", 9) == 0)
            status = add_list(fabric, above, word + 9, true, sheet, error);
        else if (strncasecmp(word, "LinkSpeed=", 10) != 0)
            status = sheet_fail(sheet, error, "'%.40s': known: SwitchName= Nodes= Switches= LinkSpeed=", word);
    }
    return status;
}

int slurm_read(struct fabric *fabric, struct sheet *sheet, struct sim_error *error)
{
    while (sheet_next(sheet)) {
        char *line = sheet->line + strspn(sheet->line, " \t");
        line[strcspn(line, "#")] = '\0';
        if (*line == '\0')
            continue;
        if (!slurm_is(line))
            return sheet_fail(sheet, error, "'%.40s' is no line of topology.conf, which begins with SwitchName=", line);
        if (read_switch(fabric, line, sheet, error) != 0)
            return -1;
    }
    return 0;
}
