/* Says of a profile in Cube's format where its time went: by function, by call path, by location; and what its other
 * metrics sum up to.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/cube_answer.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/scale.h"
#include "cube/cube.h"
#include "os/file_kind.h"
#include "simrun/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The metrics of which each function has a column. */
enum shown { SHOWN_TIME, SHOWN_VISITS, SHOWN_SENT, SHOWN_RECEIVED, N_SHOWN };
static const char *const shown_names[N_SHOWN] = {"time", "visits", "bytes_sent", "bytes_received"};

struct function {
    double sums[N_SHOWN];
    double most_s; /* time of the location that is in it for longest */
    size_t most;   /* that location */
    int32_t region;
};

struct cube_answer {
    const char *file;
    bool is_brief;
    struct cube cube;
    double *values[N_SHOWN]; /* see cube_read_values(); NULL: the profile has no such metric */
    double *totals;          /* of each metric; NAN: it cannot be summed */
    struct function *functions;
    double *location_s, *mpi_s; /* of each location */
    double time_s, all_s, all_mpi_s;
};

bool cube_answer_takes(const char *file)
{
    return file_kind_of(file)->is == FILE_CUBE;
}

/* --- sums --- */

static int read_metrics(struct cube_answer *self, struct sim_error *error)
{
    const struct cube *cube = &self->cube;
    self->totals = xmalloc(cube->n_metrics * sizeof *self->totals);
    for (size_t m = 0; m < cube->n_metrics; m++) {
        double *values;
        self->totals[m] = cube->metrics[m].is_stored ? 0 : NAN;
        if (!cube->metrics[m].is_stored)
            continue;
        if (cube_read_values(&values, cube, &cube->metrics[m], error) != 0)
            return -1;
        for (size_t i = 0; i < cube->n_nodes * cube->n_locations; i++)
            self->totals[m] += values[i];
        for (int s = 0; s < N_SHOWN && values != NULL; s++)
            if (strcmp(cube->metrics[m].name, shown_names[s]) == 0 && self->values[s] == NULL) {
                self->values[s] = values;
                values = NULL;
            }
        free(values);
    }
    return 0;
}

/* The time of each function at one location. */
static void add_location(struct cube_answer *self, double *region_s, size_t location)
{
    const struct cube *cube = &self->cube;
    memset(region_s, 0, cube->n_regions * sizeof *region_s);
    for (size_t i = 0; i < cube->n_nodes; i++)
        region_s[cube->nodes[i].region] += self->values[SHOWN_TIME][i * cube->n_locations + location];
    for (size_t r = 0; r < cube->n_regions; r++) {
        struct function *function = &self->functions[r];
        self->location_s[location] += region_s[r];
        if (cube->regions[r].paradigm != NULL && strcasecmp(cube->regions[r].paradigm, "mpi") == 0)
            self->mpi_s[location] += region_s[r];
        if (region_s[r] > function->most_s) {
            function->most_s = region_s[r];
            function->most = location;
        }
    }
}

static int by_time(const void *a, const void *b)
{
    const struct function *first = a, *second = b;
    if (first->sums[SHOWN_TIME] != second->sums[SHOWN_TIME])
        return first->sums[SHOWN_TIME] < second->sums[SHOWN_TIME] ? 1 : -1;
    return first->region < second->region ? -1 : first->region > second->region;
}

static void sum_up(struct cube_answer *self)
{
    const struct cube *cube = &self->cube;
    double *region_s = xcalloc(cube->n_regions, sizeof *region_s);
    self->functions = xcalloc(cube->n_regions, sizeof *self->functions);
    self->location_s = xcalloc(cube->n_locations, sizeof *self->location_s);
    self->mpi_s = xcalloc(cube->n_locations, sizeof *self->mpi_s);
    for (size_t r = 0; r < cube->n_regions; r++)
        self->functions[r].region = (int32_t)r;
    for (int s = 0; s < N_SHOWN; s++)
        for (size_t i = 0; self->values[s] != NULL && i < cube->n_nodes * cube->n_locations; i++)
            self->functions[cube->nodes[i / cube->n_locations].region].sums[s] += self->values[s][i];
    for (size_t l = 0; l < cube->n_locations; l++) {
        add_location(self, region_s, l);
        self->time_s = fmax(self->time_s, self->location_s[l]);
        self->all_s += self->location_s[l];
        self->all_mpi_s += self->mpi_s[l];
    }
    free(region_s);
    qsort(self->functions, cube->n_regions, sizeof *self->functions, by_time);
}

/* --- what is said --- */

static const char *name_location(struct document *document, const struct cube *cube, size_t location)
{
    const struct cube_location *of = &cube->locations[location];
    const char *name = of->name != NULL ? of->name : "location";
    if (of->group == NULL)
        return document_format(document, "%s %zu", name, location);
    return strncmp(name, "Master", 6) == 0 ? of->group : document_format(document, "%s, %s", of->group, name);
}

static void say_first(struct document *document, const struct cube_answer *self)
{
    const struct cube *cube = &self->cube;
    const struct function *first = &self->functions[0];
    double mean_s = first->sums[SHOWN_TIME] / (double)cube->n_locations;
    char time[32];
    struct builder text = {0};
    scale_format(time, sizeof time, UNIT_SECONDS, self->time_s);
    builder_add(&text, "%zu location%s in %s: most of the time, %.0f %%, is in %s", cube->n_locations,
                cube->n_locations == 1 ? "" : "s", time, 100 * first->sums[SHOWN_TIME] / self->all_s,
                cube->regions[first->region].name);
    if (cube->n_locations > 1 && first->most_s > 1.1 * mean_s)
        builder_add(&text, ", in %s %.2f times as long as on average", name_location(document, cube, first->most),
                    first->most_s / mean_s);
    if (self->all_mpi_s > 0)
        builder_add(&text, "; %.0f %% is MPI's", 100 * self->all_mpi_s / self->all_s);
    builder_add(&text, ".");
    document_sentence(document, builder_take(&text));
    document_sentence(document, xformat("Profile%s%s.", cube->creator != NULL ? " by " : "",
                                        cube->creator != NULL ? cube->creator : ""));
}

static void put_value(struct table *table, const struct cube_answer *self, const struct function *function,
                      enum shown shown)
{
    if (self->values[shown] != NULL)
        table_integer(table, (int64_t)fmin(function->sums[shown], 9e18));
    else
        table_none(table);
}

static void add_functions(struct document *document, const struct cube_answer *self)
{
    const struct cube *cube = &self->cube;
    struct table *table = document_table(document, "functions", "Functions, times summed over locations", FOR_ALL);
    table_column(table, (struct column){.id = "function", .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "calls", .unit = UNIT_COUNT});
    table_column(table,
                 (struct column){.id = "time_s", .head = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){.id = "share", .head = "of all", .unit = UNIT_SHARE});
    table_column(table,
                 (struct column){.id = "most_s", .head = "longest", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){.id = "most_location", .head = "in"});
    table_column(table,
                 (struct column){.id = "sent_bytes", .head = "sent", .unit = UNIT_BYTES, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){
                            .id = "received_bytes", .head = "received", .unit = UNIT_BYTES, .flags = COLUMN_OWN_UNIT});
    for (size_t i = 0; i < cube->n_regions; i++) {
        const struct function *function = &self->functions[i];
        if (function->sums[SHOWN_TIME] <= 0 && function->sums[SHOWN_VISITS] <= 0)
            continue;
        table_text(table, cube->regions[function->region].name);
        put_value(table, self, function, SHOWN_VISITS);
        table_real(table, function->sums[SHOWN_TIME]);
        table_real(table, function->sums[SHOWN_TIME] / self->all_s);
        table_real(table, function->most_s);
        table_text(table, name_location(document, cube, function->most));
        put_value(table, self, function, SHOWN_SENT);
        put_value(table, self, function, SHOWN_RECEIVED);
    }
}

/* The way to each node, as "main/solve/MPI_Send", and how deep it is. */
static char *path_of(int *depth, const struct cube *cube, size_t node)
{
    char *path = xstrdup(cube->regions[cube->nodes[node].region].name);
    *depth = 0;
    for (int32_t up = cube->nodes[node].parent; up >= 0; up = cube->nodes[up].parent) {
        char *longer = xformat("%s/%s", cube->regions[cube->nodes[up].region].name, path);
        free(path);
        path = longer;
        ++*depth;
    }
    return path;
}

static void sum_nodes(double *own, const struct cube *cube, const double *values)
{
    memset(own, 0, cube->n_nodes * sizeof *own);
    for (size_t i = 0; values != NULL && i < cube->n_nodes * cube->n_locations; i++)
        own[i / cube->n_locations] += values[i];
}

static void add_paths(struct document *document, const struct cube_answer *self)
{
    const struct cube *cube = &self->cube;
    double *own = xmalloc(cube->n_nodes * sizeof *own), *all = xmalloc(cube->n_nodes * sizeof *all);
    double *visits = xmalloc(cube->n_nodes * sizeof *visits);
    sum_nodes(own, cube, self->values[SHOWN_TIME]);
    sum_nodes(visits, cube, self->values[SHOWN_VISITS]);
    memcpy(all, own, cube->n_nodes * sizeof *all);
    for (size_t i = cube->n_nodes; i-- > 0;)
        if (cube->nodes[i].parent >= 0)
            all[cube->nodes[i].parent] += all[i];
    struct table *table = document_table(document, "call_paths", "Call paths, times summed over locations", FOR_ALL);
    table_column(table, (struct column){.id = "call_path", .head = "call path", .flags = COLUMN_KEY | COLUMN_LEFT});
    table_column(table, (struct column){.id = "calls", .unit = UNIT_COUNT});
    table_column(table,
                 (struct column){.id = "time_s", .head = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table,
                 (struct column){.id = "own_s", .head = "its own", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    for (size_t i = 0; i < cube->n_nodes; i++) {
        int depth;
        const char *path = document_own(document, path_of(&depth, cube, i));
        const char *name = cube->regions[cube->nodes[i].region].name;
        if (all[i] >= 0.01 * self->all_s)
            table_mark(table);
        table_cell(table, cell_shown(cell_of_text(path), document_format(document, "%*s%s", 2 * depth, "", name)));
        table_integer(table, (int64_t)visits[i]);
        table_real(table, all[i]);
        table_real(table, own[i]);
    }
    free(own);
    free(all);
    free(visits);
}

static void add_locations(struct document *document, const struct cube_answer *self)
{
    const struct cube *cube = &self->cube;
    struct table *table = document_table(document, "locations", "Locations", FOR_ALL);
    table_column(table, (struct column){.id = "location", .flags = COLUMN_KEY});
    table_column(table,
                 (struct column){.id = "time_s", .head = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){.id = "mpi_s", .head = "MPI", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    for (size_t l = 0; l < cube->n_locations; l++) {
        table_text(table, name_location(document, cube, l));
        table_real(table, self->location_s[l]);
        table_real(table, self->mpi_s[l]);
    }
}

static void add_metrics(struct document *document, const struct cube_answer *self)
{
    const struct cube *cube = &self->cube;
    struct table *table = document_table(document, "metrics", "Metrics, summed over all", FOR_ALL);
    table_column(table, (struct column){.id = "metric", .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "unit"});
    table_column(table, (struct column){.id = "total", .unit = UNIT_NUMBER, .flags = COLUMN_OWN_DIGITS});
    for (size_t m = 0; m < cube->n_metrics; m++) {
        if (isnan(self->totals[m]))
            continue;
        table_text(table, cube->metrics[m].name);
        table_text(table, cube->metrics[m].unit != NULL ? cube->metrics[m].unit : "");
        table_real(table, self->totals[m]);
    }
}

static int make(struct document *document, void *data, struct sim_error *error)
{
    const struct cube_answer *self = data;
    (void)error;
    document->name = document->title = self->file;
    document->is_brief = self->is_brief;
    say_first(document, self);
    add_functions(document, self);
    document->in_details = true;
    add_paths(document, self);
    add_locations(document, self);
    add_metrics(document, self);
    return 0;
}

/* --- the whole --- */

static int check_options(const struct cube_answer *self, const struct options *options, struct sim_error *error)
{
    if (options->platform != NULL || options->trace != NULL || options->n_settings > 0)
        return sim_error_set(error, SIM_BAD_INPUT, self->file, 0,
                             "is a profile, which has totals and no events: --platform, --trace and --set are for "
                             "traces and scenarios");
    return 0;
}

static int read_and_write(struct cube_answer *self, const struct options *options, struct sim_error *error)
{
    if (check_options(self, options, error) != 0 || cube_open(&self->cube, self->file, error) != 0 ||
        read_metrics(self, error) != 0)
        return -1;
    if (self->values[SHOWN_TIME] == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, self->file, 0, "is a profile without a metric 'time'");
    sum_up(self);
    return answer_output(options, make, self, error);
}

int cube_answer_file(const char *file, const struct options *options, struct sim_error *error)
{
    struct cube_answer self = {.file = file, .is_brief = !options->verbose};
    int status = read_and_write(&self, options, error);
    for (int s = 0; s < N_SHOWN; s++)
        free(self.values[s]);
    free(self.totals);
    free(self.functions);
    free(self.location_s);
    free(self.mpi_s);
    cube_close(&self.cube);
    return status;
}
