/* The identities of measures, so that names need not be compared.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_MEASURE_H
#define METRICS_MEASURE_H

#include "base/scale.h"

#include <stdbool.h>
#include <stddef.h>

enum measure_id {
    M_NONE, /* no row of measures.def: a measure that only its family knows */
#define MEASURE(id, ...) M_##id,
#include "metrics/measures.def"
#undef MEASURE
    N_MEASURES
};

enum measure_type {
    MEASURE_TIME,  /* picoseconds in `number`; reports write seconds */
    MEASURE_COUNT, /* `number` */
    MEASURE_RATIO, /* `ratio` */
    MEASURE_TEXT,  /* in tables only */
};

/* The subject of a measure. */
enum measure_kind {
    KIND_OTHER,
    KIND_RUN,            /* the run as a whole */
    KIND_STATE,          /* time in a state, over all ranks */
    KIND_SCOPE_STATE,    /* the same in a scope */
    KIND_PART,           /* mean time of a rank in a function or scope */
    KIND_OVERHEAD,       /* lost time over T_seq */
    KIND_OVERHEAD_INDEX, /* lost time over ranks times time */
    KIND_PATH,           /* a component of the critical path */
    KIND_BOTTLENECK,     /* such a component over all others */
    KIND_CATEGORY,       /* time in a category of shared memory */
    KIND_FORECAST,       /* the application's own formula */
    KIND_WHAT_IF,        /* the run without a cause */
    KIND_EACH,           /* a mean for each operation or quantum */
    KIND_REFERENCE,      /* measured, or predicted by others */
    N_MEASURE_KINDS,
};

struct measure_spec {
    const char *group, *name;
    const char *label; /* NULL: the name, for a part what stands behind its parent's */
    enum unit unit;
    enum measure_kind kind;
    enum measure_id parent;
    bool is_family; /* it stands for all whose names begin with `name` */
};

extern const struct measure_spec measure_specs[N_MEASURES];

/* The identity of a name, M_NONE where it has none. `hint`, such as that of the measure before it, is tried first. */
enum measure_id measure_identify(const char *group, const char *name, enum measure_id hint);

struct measure;

/* The name of a family's measure of something: "predicted.io" of M_PREDICTED and "io". */
void measure_name_of(char *name, size_t name_size, enum measure_id family, const char *part);

/* The name that readers see: "time", "I/O", "broadcast" for communication.broadcast. */
const char *measure_label(const struct measure *measure);
/* Its name in JSON and CSV, with its group: "critical_path_s.io"; to be freed. */
char *measure_key(const struct measure *measure);
enum measure_kind measure_kind(const struct measure *measure);
/* The unit of its value, that of its type where it is not known. */
enum unit measure_unit(const struct measure *measure);
/* True if no value of it can be below zero: a time, a count, a share. */
bool measure_is_never_negative(const struct measure *measure);
/* True if two are the same measure of two runs. */
bool measure_same(const struct measure *a, const struct measure *b);
/* True if two are of the same group. */
bool measure_same_group(const struct measure *a, const struct measure *b);

#endif
