/* The output of ibnetdiscover: of each switch its ports, and where their wires lead to.
 *
 * A wire between two switches stands at both; it is taken where the name is the lesser one. Lines of adapters repeat
 * the ports that the switches list.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fabric/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128 };

bool ibnetdiscover_is(const char *line)
{
    return strncmp(line, "switchguid=", strlen("switchguid=")) == 0 ||
           (strncmp(line, "Switch", 6) == 0 && strstr(line, "\"S-") != NULL);
}

/* Bytes per second of a lane, without what its code takes: 8b/10b up to QDR, 64b/66b beyond. */
static const struct {
    const char *name;
    double lane_Bps;
} speeds[] = {
    {"SDR", 0.25e9}, {"DDR", 0.5e9},    {"QDR", 1e9},      {"FDR10", 1.25e9},
    {"FDR", 1.7e9},  {"EDR", 25e9 / 8}, {"HDR", 50e9 / 8}, {"NDR", 100e9 / 8},
};

/* "4xQDR" anywhere in the comment of a port; 0: it says none that is known. */
static double bandwidth_of(const char *comment)
{
    char name[8];
    int lanes;
    for (const char *at = strchr(comment, ' '); at != NULL; at = strchr(at + 1, ' '))
        if (sscanf(at, " %2dx%7[A-Z0-9]", &lanes, name) == 2)
            for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++)
                if (strcmp(name, speeds[i].name) == 0)
                    return lanes * speeds[i].lane_Bps;
    return 0;
}

/* The name between the first quotes of a line; false: there is none. */
static bool take_name(char name[NAME], const char *line)
{
    const char *open = strchr(line, '"'), *close = open != NULL ? strchr(open + 1, '"') : NULL;
    if (close == NULL || close == open + 1 || close - open > NAME)
        return false;
    snprintf(name, NAME, "%.*s", (int)(close - open - 1), open + 1);
    return true;
}

static int read_port(struct fabric *fabric, int from, const struct sheet *sheet, struct sim_error *error)
{
    char name[NAME];
    const char *comment = strchr(sheet->line, '#');
    if (!take_name(name, sheet->line))
        return sheet_fail(sheet, error, "a port without the name of what it leads to, in quotes");
    bool is_switch = name[0] == 'S';
    int to = fabric_node(fabric, name, is_switch, sheet, error);
    if (to < 0)
        return -1;
    if (to == from || (is_switch && strcmp(fabric->nodes[from].name, name) > 0))
        return 0;
    return fabric_link(fabric, from, to, comment != NULL ? bandwidth_of(comment) : 0, sheet, error);
}

int ibnetdiscover_read(struct fabric *fabric, struct sheet *sheet, struct sim_error *error)
{
    char name[NAME];
    int from = -1; /* the switch whose ports come; -1: none */
    while (sheet_next(sheet)) {
        if (strncmp(sheet->line, "Switch", 6) == 0) {
            if (!take_name(name, sheet->line))
                return sheet_fail(sheet, error, "a switch without name in quotes");
            from = fabric_node(fabric, name, true, sheet, error);
            if (from < 0)
                return -1;
        } else if (strncmp(sheet->line, "Ca", 2) == 0 || strncmp(sheet->line, "Rt", 2) == 0) {
            from = -1;
        } else if (sheet->line[0] == '[' && sheet->line[1] >= '0' && sheet->line[1] <= '9' && from >= 0 &&
                   read_port(fabric, from, sheet, error) != 0) {
            return -1;
        }
    }
    return 0;
}
