/* What the metrics say of one run: a list of named measures, which reports print without knowing them one by one, and
 * the states of every process. */
#ifndef METRICS_RESULT_H
#define METRICS_RESULT_H

#include "base/units.h"
#include "trace/event.h"

#include <stddef.h>
#include <stdint.h>

enum measure_type {
    MEASURE_TIME,  /* picoseconds in `number`; reports write seconds */
    MEASURE_COUNT, /* `number` */
    MEASURE_RATIO, /* `ratio` */
};

struct measure {
    char group[32]; /* the JSON object it belongs to; "" for the run itself */
    char name[48];
    enum measure_type type;
    wide_int number;
    double ratio;
};

struct result {
    struct measure *measures; /* in the order of reporting */
    size_t n_measures, capacity;
    int n_ranks;
    int64_t (*state_ps)[N_LANE_STATES]; /* of each rank; they add up to the run's time */
};

void result_init(struct result *result);
void result_dispose(struct result *result);

void result_add_time(struct result *result, const char *group, const char *name, wide_int ps);
void result_add_count(struct result *result, const char *group, const char *name, wide_int count);
void result_add_ratio(struct result *result, const char *group, const char *name, double ratio);

/* The measure of that name, or NULL. Its value as a number: seconds for a time. */
const struct measure *result_find(const struct result *result, const char *group, const char *name);
double measure_value(const struct measure *measure);

#endif
