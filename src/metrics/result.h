/* The results of the metrics for one run: a list of named measures, which reports print without knowing them one by
 * one, and the states of every processor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_RESULT_H
#define METRICS_RESULT_H

#include "base/units.h"
#include "interval/interval.h"
#include "metrics/measure.h"
#include "metrics/tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for a group and a name, with the zero behind them; longer ones are cut. */
enum { MEASURE_GROUP = 32, MEASURE_NAME = 56 };

/* The name, identity and type of a measure. Each is interned, for all runs that have it (interval/intern.h). */
struct measure_name {
    const char *group; /* the JSON object it belongs to; "" for the run itself */
    const char *name;
    uint32_t id;      /* enum measure_id of its name */
    uint16_t type;    /* enum measure_type: time, count or ratio */
    uint16_t is_wide; /* 64 bits do not hold the number */
};

/* There may be millions. */
struct measure {
    const struct measure_name *of;
    union {
        int64_t narrow;   /* a time or a count, for measure_number() */
        const void *wide; /* the same, interned */
        double ratio;
    };
};

/* The number of a time or a count. */
wide_int measure_number(const struct measure *measure);

/* The use of links in the course of time: two amounts in each bin for each link that did anything. */
struct result_bins {
    int64_t bin_ps; /* the width of one */
    size_t n_links, n_bins;
    int64_t *link;    /* its row in the table "links"; rising */
    int64_t *busy_ps; /* n_bins of each link */
    int64_t *bytes;
};

struct result {
    struct measure *measures; /* in the order of reporting */
    size_t n_measures, capacity;
    struct result_table *tables;
    size_t n_tables, tables_capacity;
    struct result_bins link_bins;           /* without links, unless they were asked for */
    int n_processors;                       /* of all ranks: k n_ranks + r is processor k of rank r */
    int64_t (*state_ps)[N_LOCATION_STATES]; /* of each processor; they add up to the run's time */
    uint8_t *timeline;                      /* what a page draws, encoded as timeline/timeline.h says; NULL: nothing */
    size_t timeline_length;
};

void result_init(struct result *result);
/* It is empty afterwards. */
void result_dispose(struct result *result);

void result_add_time(struct result *result, const char *group, const char *name, wide_int ps);
void result_add_count(struct result *result, const char *group, const char *name, wide_int count);
void result_add_ratio(struct result *result, const char *group, const char *name, double ratio);
/* The interned name of such a measure. One that has none of measures.def's identities has M_NONE. */
const struct measure_name *measure_name_kept(const char *group, const char *name, enum measure_id id,
                                             enum measure_type type);

/* Room for so many bins, all zero. */
void result_set_bins(struct result_bins *bins, size_t n_links, size_t n_bins);
/* There are none afterwards. */
void result_remove_bins(struct result_bins *bins);

/* Take out all measures of a group, and a table, of which there may be none. */
void result_remove_group(struct result *result, const char *group);
void result_remove_table(struct result *result, enum table_id id);
/* Give back the room for more measures than so many, and for tables. */
void result_trim(struct result *result, size_t n_more);
/* Move measures and tables to the end of another result; `more` is empty afterwards. */
void result_append(struct result *result, struct result *more);

/* Put the measures of another result before all others, in place of those of the same names; `first` is empty
 * afterwards. */
void result_take_over(struct result *result, struct result *first);

/* The measure of that name, or NULL. Its value as a number: seconds for a time. */
const struct measure *result_find(const struct result *result, const char *group, const char *name);
/* The first measure of that identity, or NULL. */
const struct measure *result_get(const struct result *result, enum measure_id id);
/* The measure of a family that is of this part, or NULL. */
const struct measure *result_get_of(const struct result *result, enum measure_id family, const char *part);
double measure_value(const struct measure *measure);

#endif
