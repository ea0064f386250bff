/* Where the ranks of a scenario are to be, as the command line says: an order, or hosts, of a file or by their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/scenario.h"

#include "base/memory.h"
#include "os/reserved_outputs.h"
#include "sim/program/allocation.h"
#include "sim/program/arrange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 16 * 1024 * 1024 };

/* The text of the file, to be freed; NULL: it cannot be read. */
static char *read_hosts(const char *file, struct sim_error *error)
{
    FILE *stream = fopen(file, "r");
    char *text = NULL;
    size_t size = 0;
    if (stream == NULL ||
        (text = xmalloc(MOST_BYTES + 1), size = fread(text, 1, MOST_BYTES + 1, stream), ferror(stream)))
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    else if (size > MOST_BYTES)
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "a list of hosts has at most %d bytes", MOST_BYTES);
    else
        text[size] = '\0';
    bool failed = stream == NULL || ferror(stream) || size > MOST_BYTES;
    if (stream != NULL)
        fclose(stream);
    if (!failed)
        return text;
    free(text);
    return NULL;
}

/* The hosts are those of the text of a file, or the text itself. */
static int allocate(struct scenario *scenario, const char *argument, struct sim_error *error)
{
    bool is_file = access(argument, F_OK) == 0;
    if (is_file && reserved_outputs_check(argument, "--placement", error) != 0)
        return -1;
    char *text = is_file ? read_hosts(argument, error) : xstrdup(argument);
    struct allocation *allocation = xmalloc(sizeof *allocation);
    if (text == NULL || allocation_parse(allocation, text, is_file ? argument : "--placement", is_file, error) != 0) {
        free(allocation);
        free(text);
        return -1;
    }
    scenario->allocation = allocation;
    scenario->allocation_text = text;
    return 0;
}

/* "ppr:2:node": so many on each host, one host after the other. */
static int place_per_node(struct scenario *scenario, const char *argument, struct sim_error *error)
{
    int n = 0, end = -1;
    if (sscanf(argument, "ppr:%7d:node%n", &n, &end) != 1 || end < 0 || argument[end] != '\0' || n < 1)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--placement: '%.80s' is not ppr:N:node", argument);
    char *setting = xformat("ranks_per_host=%d", n);
    int status = scenario_set(scenario, setting, error);
    free(setting);
    return status == 0 ? scenario_set(scenario, "placement=block", error) : -1;
}

int scenario_place(struct scenario *scenario, const char *argument, struct sim_error *error)
{
    int64_t order;
    char why[600];
    if (strncmp(argument, "ppr:", 4) == 0)
        return place_per_node(scenario, argument, error);
    if (arrange_parse(&order, argument, why, sizeof why) != 0)
        return allocate(scenario, argument, error);
    char *setting = xformat("placement=%s", argument);
    int status = scenario_set(scenario, setting, error);
    free(setting);
    return status;
}
