/* Counting an archive's counters: what they are, and what has been counted up to now. counters_define.c reads their
 * definitions, counters.c their values.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_COUNTING_H
#define TRACE_OTF2_COUNTING_H

#include "base/map.h"
#include "trace/otf2/input.h"

enum { COUNTING_WHOLE_RUN = 0 }; /* the function "" */

struct member {
    const char *name, *unit;
    double scale; /* of values */
    uint8_t mode; /* OTF2_METRIC_VALUE_MASK of it */
    bool starts;  /* it counts from the beginning of the recording on */
    bool is_level;
};

/* A class of counters, or an instance of one, which some location records. */
struct group {
    uint32_t first, n; /* of its members, in the list of them */
    bool has_scope;
    uint8_t scope_type; /* OTF2_MetricScope */
    uint64_t scope;
};

struct place {
    uint64_t id, n_events, process;
};

/* A counter in a region of a rank; and the region. */
struct value {
    double sum, samples_sum, least, most;
    int64_t n_samples;
    bool is_recorded; /* by a location that does nothing else */
};
struct region {
    int32_t rank;
    uint32_t function;
    uint64_t ticks;
    size_t values; /* the first one, one more; 0: it has none */
};

struct counting {
    struct otf_input *input;
    uint64_t resolution;
    struct map strings, regions, members, groups, processes, creators, places, functions,
        cells;                   /* identifier -> index */
    const char **texts, **names; /* of strings; of functions, the first is "" */
    struct member *list;
    uint32_t *group_members;
    struct group *all;
    struct place *locations;
    struct region *cell;
    struct value *values;
    size_t n_texts, n_names, n_list, n_group_members, n_all, n_locations, n_cells, n_values;
    size_t texts_capacity, names_capacity, list_capacity, members_capacity, all_capacity, locations_capacity,
        cells_capacity, values_capacity;

    /* For the location that is being read. */
    int32_t rank;
    uint32_t *stack; /* functions */
    size_t depth, stack_capacity;
    uint64_t since;
    bool has_begun;
    struct last {
        double real;
        int64_t whole;
        bool is_known;
    } * last; /* of each member of a group */
};

/* Read the definitions; false if they cannot be read. The number of a function, by its interned name. */
bool counting_define(struct counting *self, OTF2_Reader *archive);
uint32_t counting_function(struct counting *self, const char *name);

#endif
