/* Figures of one run that are stacked bars: states of the ranks, iterations, and what delays cost.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/run.h"

#include "base/builder.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More places are drawn as means of as many side by side. */
enum { MOST_PLACES = 400, MOST_DELAYS = 20 };

static struct plot new_plot(size_t n_places, size_t n_series)
{
    return (struct plot){.chart = CHART_STACKED_BAR,
                         .unit = UNIT_SECONDS,
                         .y_name = "time",
                         .places = xcalloc(n_places + 1, sizeof(double)),
                         .place_names = xcalloc(n_places + 1, sizeof(char *)),
                         .series = xcalloc(n_series + 1, sizeof(struct plot_series))};
}

static struct plot_series *add_series(struct plot *plot, size_t n_places, const char *name, const char *colour)
{
    struct plot_series *series = &plot->series[plot->n_series++];
    *series = (struct plot_series){xstrdup(name), colour, xcalloc(n_places + 1, sizeof(double)),
                                   xcalloc(n_places + 1, sizeof(char *))};
    return series;
}

static void draw_plot(struct pen *pen, struct plot *plot)
{
    figure_draw_chart(&(struct frame){.pen = pen, .plot = plot});
    plot_dispose(plot);
}

/* Name the places, of which `each` side by side are one, by the first number of each. */
static void name_places(struct plot *plot, const char *x_name, size_t n, size_t each, int first)
{
    plot->x_name = x_name;
    plot->is_number = true;
    for (size_t i = 0; i < n; i += each) {
        plot->places[plot->n_places] = (double)(i + (size_t)first);
        plot->place_names[plot->n_places++] = xformat("%zu", i + (size_t)first);
    }
}

bool figure_draw_states(struct pen *pen, const struct figure_run *run)
{
    static const char *const states[] = {"useful", "control", "io", "send", "receive", "library", "idle"};
    const struct table *any = figure_run_list(run, "process_state_s", "idle");
    size_t n = any == NULL ? 0 : table_n_rows(any), each = n / MOST_PLACES + 1;
    if (n == 0)
        return false;
    struct plot plot = new_plot(n, sizeof states / sizeof states[0]);
    name_places(&plot, figure_run_list(run, "process", "rank") != NULL ? "processor" : "rank", n, each, 0);
    for (size_t s = 0; s < sizeof states / sizeof states[0]; s++) {
        const struct table *list = figure_run_list(run, "process_state_s", states[s]);
        if (list == NULL || table_n_rows(list) != n)
            continue;
        struct plot_series *series = add_series(&plot, n, states[s], plot_colour(states[s], s));
        for (size_t i = 0; i < n; i++) {
            size_t count = i / each * each + each <= n ? each : n - i / each * each;
            series->values[i / each] += cell_value(table_at(list, i, 0)) / (double)count;
        }
    }
    draw_plot(pen, &plot);
    return true;
}

bool figure_draw_iterations(struct pen *pen, const struct figure_run *run)
{
    static const struct {
        const char *column, *name, *colour;
    } parts[] = {{"useful_s", "useful", "#009e73"},
                 {"communication_s", "communication", "#6a4cf0"},
                 {"idle_s", "idle", "#c3c8cf"}};
    const struct table *rows = figure_run_rows(run, "iterations");
    size_t n = rows == NULL ? 0 : table_n_rows(rows), each = n / MOST_PLACES + 1;
    if (n == 0)
        return false;
    struct plot plot = new_plot(n, 3);
    name_places(&plot, "iteration", n, each, (int)figure_number(rows, 0, "iteration"));
    plot.y_name = "time of the mean rank";
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        struct plot_series *series = add_series(&plot, n, parts[p].name, parts[p].colour);
        for (size_t i = 0; i < n; i++) {
            size_t count = i / each * each + each <= n ? each : n - i / each * each;
            series->values[i / each] += fmax(figure_number(rows, i, parts[p].column), 0) / (double)count;
        }
    }
    draw_plot(pen, &plot);
    return true;
}

/* "rank 3 in exchange, MPI_Send" */
static char *name_delay(const struct table *rows, size_t i)
{
    double rank = figure_number(rows, i, "rank");
    const char *function = figure_text(rows, i, "function");
    return rank < 0 ? xstrdup("no known reason")
                    : xformat("rank %.0f in %s%s%s", rank, figure_text(rows, i, "scope"),
                              function[0] != '\0' ? ", " : "", function);
}

bool figure_draw_delays(struct pen *pen, const struct figure_run *run)
{
    const struct table *rows = figure_run_rows(run, "delays");
    size_t n = rows == NULL ? 0 : table_n_rows(rows);
    if (n == 0)
        return false;
    n = n < MOST_DELAYS ? n : MOST_DELAYS;
    struct plot plot = new_plot(n, 2);
    plot.y_name = "waiting of others";
    struct plot_series *direct = add_series(&plot, n, "direct", "#0072b2"),
                       *passed_on = add_series(&plot, n, "passed on", "#e69f00");
    for (size_t i = 0; i < n; i++) {
        plot.place_names[plot.n_places++] = name_delay(rows, i);
        direct->values[i] = figure_number(rows, i, "direct_s");
        passed_on->values[i] = figure_number(rows, i, "passed_on_s");
    }
    draw_plot(pen, &plot);
    return true;
}
