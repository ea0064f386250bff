/* Paje: a container for each rank or controller, a state for what its processor does, a state for the phase, an arrow for each
 * message (B. de Oliveira Stein, J. Chassin de Kergommeaux, "Paje trace file format"). Times in seconds. */
#include "trace/trace.h"

#include <inttypes.h>

static const char header[] = "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n"
                             "%EndEventDef\n%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n"
                             "%  Name string\n%EndEventDef\n%EventDef PajeDefineLinkType 2\n%  Alias string\n"
                             "%  Type string\n%  StartContainerType string\n%  EndContainerType string\n"
                             "%  Name string\n%EndEventDef\n%EventDef PajeDefineEntityValue 3\n%  Alias string\n"
                             "%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
                             "%EventDef PajeCreateContainer 4\n%  Time date\n%  Alias string\n%  Type string\n"
                             "%  Container string\n%  Name string\n%EndEventDef\n%EventDef PajeDestroyContainer 5\n"
                             "%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n%EventDef PajeSetState 6\n"
                             "%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n"
                             "%EventDef PajeStartLink 7\n%  Time date\n%  Type string\n%  Container string\n"
                             "%  StartContainer string\n%  Value string\n%  Key string\n%EndEventDef\n"
                             "%EventDef PajeEndLink 8\n%  Time date\n%  Type string\n%  Container string\n"
                             "%  EndContainer string\n%  Value string\n%  Key string\n%EndEventDef\n";

static const char *const colours[N_LANE_STATES] = {"0 0.6 0", "0.6 0.6 0", "0.9 0.4 0", "0.2 0.4 0.9",
                                                   "0.85 0.85 0.85"};

static void write_time(FILE *stream, int64_t ps)
{
    fprintf(stream, "%" PRId64 ".%012" PRId64, ps / INT64_C(1000000000000), ps % INT64_C(1000000000000));
}

static void write_at(FILE *stream, int event, int64_t ps)
{
    fprintf(stream, "%d ", event);
    write_time(stream, ps);
}

static const char *const category_colours[N_CATEGORIES] = {
    [CATEGORY_NONE] = "1 1 1",          [CATEGORY_COMP] = "0 0.6 0",       [CATEGORY_EXTRA] = "0.6 0.6 0",
    [CATEGORY_WAIT] = "0.85 0.85 0.85", [CATEGORY_PRSTE] = "0.6 0.2 0.6",  [CATEGORY_CPCOMP] = "0.2 0.4 0.9",
    [CATEGORY_CPWAIT] = "0.9 0.4 0",    [CATEGORY_CPIDLE] = "0.9 0.9 0.9",
};

/* Of programs that share memory: two more states of each processor, its category and the protocol's operation. */
static void define_categories(FILE *stream)
{
    fputs("1 CATEGORY RANK category\n1 OPERATION RANK operation\n", stream);
    for (int c = CATEGORY_COMP; c < N_CATEGORIES; c++)
        fprintf(stream, "3 c%d CATEGORY %s \"%s\"\n", c, category_names[c], category_colours[c]);
    for (int o = 0; o < N_OPERATIONS; o++)
        fprintf(stream, "3 o%d OPERATION %s \"0.5 %.2f 0.5\"\n", o, operation_names[o], (double)o / N_OPERATIONS);
}

static void paje_begin(FILE *stream, const struct trace_setup *setup)
{
    fputs(header, stream);
    fputs("0 RUN 0 run\n0 RANK RUN rank\n1 STATE RANK state\n1 PHASE RANK phase\n2 MESSAGE RUN RANK RANK message\n",
          stream);
    for (int s = 0; s < N_LANE_STATES; s++)
        fprintf(stream, "3 %s STATE %s \"%s\"\n", lane_state_names[s], lane_state_names[s], colours[s]);
    for (int i = 0; i < setup->n_scopes; i++)
        fprintf(stream, "3 p%d PHASE \"%s\" \"0.5 0.5 %.2f\"\n", i,
                setup->scopes[i][0] != '\0' ? setup->scopes[i] : "end", (double)i / setup->n_scopes);
    if (setup->has_categories)
        define_categories(stream);
    fputs("4 0.0 run RUN 0 run\n", stream);
    for (int lane = 0; lane < setup->n_lanes; lane++) {
        bool is_rank = lane < setup->n_ranks;
        fprintf(stream, "4 0.0 r%d RANK run \"%s %d\"\n", lane, is_rank ? "rank" : "controller",
                is_rank ? lane : lane - setup->n_ranks);
    }
}

static void paje_write(FILE *stream, const struct event *event)
{
    write_at(stream, 6, event->start_ps);
    fprintf(stream, " STATE r%d %s\n", event->lane, lane_state_names[event->state]);
    write_at(stream, 6, event->start_ps);
    fprintf(stream, " PHASE r%d p%d\n", event->lane, event->scope);
    if (event->category != CATEGORY_NONE) {
        write_at(stream, 6, event->start_ps);
        fprintf(stream, " CATEGORY r%d c%d\n", event->lane, event->category);
        write_at(stream, 6, event->start_ps);
        fprintf(stream, " OPERATION r%d o%d\n", event->lane, event->operation);
    }
    if (!event->is_message)
        return;
    /* A sender has one message under way at a time, so its lane and the start make the arrow's key. */
    write_at(stream, 7, event->start_ps);
    fprintf(stream, " MESSAGE run r%d %" PRId64 " %d.%" PRId64 "\n", event->lane, event->bytes, event->lane,
            event->start_ps);
    write_at(stream, 8, event->end_ps);
    fprintf(stream, " MESSAGE run r%d %" PRId64 " %d.%" PRId64 "\n", event->peer, event->bytes, event->lane,
            event->start_ps);
}

static void paje_end(FILE *stream, int n_lanes, int64_t end_ps)
{
    for (int lane = 0; lane < n_lanes; lane++) {
        write_at(stream, 5, end_ps);
        fprintf(stream, " RANK r%d\n", lane);
    }
    write_at(stream, 5, end_ps);
    fputs(" RUN run\n", stream);
}

const struct trace_format trace_paje = {
    .name = "paje",
    .ending = ".paje",
    .summary = "Paje trace, for pj_dump, ViTE and the like",
    .begin = paje_begin,
    .write = paje_write,
    .end = paje_end,
};
