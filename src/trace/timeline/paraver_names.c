/* The .pcf and the .row of Paraver: names and colors of numbers, and what nodes and threads are called.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/timeline/paraver_names.h"

const int paraver_state_numbers[N_LOCATION_STATES] = {
    [STATE_USEFUL] = 1,  [STATE_CONTROL] = 7,  [STATE_IO] = 12,  [STATE_SEND] = 4,
    [STATE_RECEIVE] = 3, [STATE_LIBRARY] = 15, [STATE_IDLE] = 0,
};
static const char *const state_colours[N_LOCATION_STATES] = {
    [STATE_USEFUL] = "{0,0,255}",   [STATE_CONTROL] = "{255,255,0}", [STATE_IO] = "{255,144,26}",
    [STATE_SEND] = "{255,0,174}",   [STATE_RECEIVE] = "{255,0,0}",   [STATE_LIBRARY] = "{192,224,0}",
    [STATE_IDLE] = "{117,195,255}",
};

int paraver_threads(const struct interval_setup *setup)
{
    return setup->n_ranks > 0 ? setup->n_locations / setup->n_ranks : 1; /* an empty run has none */
}

/* --- .pcf --- */

static void write_type(FILE *stream, int type, const char *name)
{
    fprintf(stream, "\nEVENT_TYPE\n0    %d    %s\nVALUES\n", type, name);
}

static void write_value(FILE *stream, int value, const char *name)
{
    fprintf(stream, "%d      ", value);
    for (; *name != '\0'; name++)
        fputc((unsigned char)*name < 0x20 ? ' ' : *name, stream);
    fputc('\n', stream);
}

void paraver_write_pcf(FILE *stream, const struct interval_setup *setup)
{
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
          "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
          "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\n\nSTATES\n",
          stream);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        write_value(stream, paraver_state_numbers[s], location_state_names[s]);
    fputs("\n\nSTATES_COLOR\n", stream);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        write_value(stream, paraver_state_numbers[s], state_colours[s]);
    write_type(stream, EVENTS_SCOPE, "scope");
    for (int i = 0; i < setup->n_scopes; i++)
        write_value(stream, i, setup->scopes[i][0] != '\0' ? setup->scopes[i] : "End");
    if (!setup->has_categories)
        return;
    write_type(stream, EVENTS_CATEGORY, "category");
    for (int c = 0; c < N_CATEGORIES; c++)
        write_value(stream, c, category_names[c]);
    write_type(stream, EVENTS_OPERATION, "operation");
    for (int o = 0; o < N_OPERATIONS; o++)
        write_value(stream, o, operation_names[o]);
}

static void write_location_names(FILE *stream, const struct interval_setup *setup, const char *level)
{
    int threads = paraver_threads(setup);
    char name[LOCATION_NAME];
    fprintf(stream, "LEVEL %s SIZE %d\n", level, setup->n_locations);
    for (int task = 0; task < setup->n_ranks; task++)
        for (int thread = 0; thread < threads; thread++) {
            interval_name_location(name, setup, thread * setup->n_ranks + task);
            fprintf(stream, "%s\n", name);
        }
    fputc('\n', stream);
}

void paraver_write_row(FILE *stream, const struct interval_setup *setup)
{
    write_location_names(stream, setup, "CPU");
    fprintf(stream, "LEVEL NODE SIZE %d\n", setup->n_ranks);
    for (int task = 0; task < setup->n_ranks; task++)
        fprintf(stream, "node %d\n", task);
    fputc('\n', stream);
    write_location_names(stream, setup, "THREAD");
}
