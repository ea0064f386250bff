/* What the metrics say of one run: a list of named measures, which reports print without knowing them one by one, and
 * the states of every process. */
#ifndef METRICS_RESULT_H
#define METRICS_RESULT_H

#include "base/units.h"
#include "event/event.h"
#include "metrics/measure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum measure_type {
    MEASURE_TIME,  /* picoseconds in `number`; reports write seconds */
    MEASURE_COUNT, /* `number` */
    MEASURE_RATIO, /* `ratio` */
    MEASURE_TEXT,  /* in tables only */
};

/* Room for a group and a name, with the zero behind them; longer ones are cut. */
enum { MEASURE_GROUP = 32, MEASURE_NAME = 56 };

/* What a measure is of. Each is kept once, for all runs that have it (event/kept.h). */
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
        const void *wide; /* the same, kept */
        double ratio;
    };
};

/* The number of a time or a count. */
wide_int measure_number(const struct measure *measure);

/* What has more dimensions than a group and a name: rows of cells, each of the type that its column says. */
struct result_column {
    const char *name; /* a key of the JSON objects, with its unit */
    enum measure_type type;
};

/* What became of a cause that a run was to be without, and what tables say of it. */
enum removal {
    REMOVAL_UNKNOWN, /* no such text */
    REMOVAL_DONE,
    REMOVAL_NEEDS_MESSAGES,
    REMOVAL_NEEDS_SHARED_MEMORY,
    REMOVAL_UNFINISHED,
    N_REMOVALS
};
extern const char *const removal_names[N_REMOVALS];

union result_cell {
    wide_int number; /* MEASURE_TIME, MEASURE_COUNT */
    double ratio;
    char text[48];
};

struct result_table {
    const char *name;                    /* the JSON array of its rows */
    const struct result_column *columns; /* both are static, or lie in `own` */
    void *own;                           /* freed with the result; NULL: nothing */
    size_t n_columns, n_rows, capacity;
    bool of_detail;           /* it is there because it was asked for (metrics/detail.h): a store does not keep it */
    bool is_record;           /* it has one row, which is an object for programs */
    union result_cell *cells; /* row by row */
};

/* What links did in the course of time: of each that did anything two amounts in each bin. */
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
    struct result_bins link_bins; /* without links, where nobody asked for them */
    int n_ranks;
    int64_t (*state_ps)[N_LOCATION_STATES]; /* of each rank; they add up to the run's time */
    uint8_t *timeline;                      /* what a page draws, encoded as timeline/timeline.h says; NULL: nothing */
    size_t timeline_length;
};

void result_init(struct result *result);
/* It is empty afterwards. */
void result_dispose(struct result *result);

void result_add_time(struct result *result, const char *group, const char *name, wide_int ps);
void result_add_count(struct result *result, const char *group, const char *name, wide_int count);
void result_add_ratio(struct result *result, const char *group, const char *name, double ratio);
/* What a measure of such names is of. Who has none of measures.def's identities has M_NONE. */
const struct measure_name *measure_name_kept(const char *group, const char *name, enum measure_id id,
                                             enum measure_type type);

/* A table without rows, and a row of zeros at its end to be filled in. Either is good until the next is added. */
struct result_table *result_add_table(struct result *result, const char *name, const struct result_column *columns,
                                      size_t n_columns);
union result_cell *result_add_row(struct result_table *table);

/* Room for so many bins, all zero. */
void result_set_bins(struct result_bins *bins, size_t n_links, size_t n_bins);
/* There are none afterwards. */
void result_remove_bins(struct result_bins *bins);

/* Take out all measures of a group, and all tables of a name, of which there may be none. */
void result_remove_group(struct result *result, const char *group);
void result_remove_table(struct result *result, const char *name);
/* Give back the room for more measures than so many, and for tables. */
void result_trim(struct result *result, size_t n_more);
/* Move measures and tables to the end of another result; `more` is empty afterwards. */
void result_append(struct result *result, struct result *more);

/* Put the measures of another result before all others, in place of those of the same names; `first` is empty
 * afterwards. */
void result_take_over(struct result *result, struct result *first);

/* The table of that name, or NULL; the column of that name, which there is; a cell as a number, seconds for a time. */
const struct result_table *result_find_table(const struct result *result, const char *name);
size_t result_column(const struct result_table *table, const char *name);
const union result_cell *result_cell(const struct result_table *table, size_t row, size_t column);
double result_cell_value(const struct result_table *table, size_t row, size_t column);
/* What a cell names: CATEGORY_NONE, OPERATION_NONE and REMOVAL_UNKNOWN where it is none. */
enum category result_cell_category(const struct result_table *table, size_t row, size_t column);
enum operation result_cell_operation(const struct result_table *table, size_t row, size_t column);
enum removal result_cell_removal(const struct result_table *table, size_t row, size_t column);

/* The measure of that name, or NULL. Its value as a number: seconds for a time. */
const struct measure *result_find(const struct result *result, const char *group, const char *name);
/* The first measure of that identity, or NULL. */
const struct measure *result_get(const struct result *result, enum measure_id id);
/* The measure of a family that is of this part, or NULL. */
const struct measure *result_get_of(const struct result *result, enum measure_id family, const char *part);
double measure_value(const struct measure *measure);

#endif
