/* Props: what a platform file says of costs, by id and with its place, and how values are read from them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_PROP_H
#define SIM_MACHINE_PROP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { MACHINE_PASSED_OVER = 120 };

/* A <prop> of a root zone, with its place. */
struct machine_prop {
    char *id, *value;
    const char *file; /* borrowed from the list */
    long line;
};

struct kernel_law;
/* Reads the table that a prop kernel.NAME names, and fits a law to the kernel's rows. */
typedef int law_reader(struct kernel_law **law, const struct machine_prop *prop, const char *kernel,
                       struct sim_error *error);

struct machine_props {
    char *file, *costs_file; /* costs_file: the one named by costs_from, or NULL */
    long zone_line;
    law_reader *read_table; /* NULL: no files are read */
    struct machine_prop *items;
    size_t count, capacity;
    char passed_over[MACHINE_PASSED_OVER]; /* what of the file is not simulated, for a note; "" */
    int n_passed_over;
};

void machine_props_append(struct machine_props *props, const char *file, long line, const char *id, const char *value);
const struct machine_prop *machine_props_find(const struct machine_props *props, const char *id);
void machine_props_dispose(struct machine_props *props);

/* Remember that an element "<config>" or "<prop> watts" has been passed over. */
void machine_props_pass_over(struct machine_props *props, const char *what, const char *id, long line);
/* All that has been, as a text to be freed; NULL: nothing. */
char *machine_props_passed_over(const struct machine_props *props);

/* True if the prop is of this machine alone, and no other takes it over: how hosts and wires are put together, and what
 * is said about it (about.*). */
bool machine_prop_is_own(const char *id);

/* An error at a prop: "file:line: <prop> id key: ...". key may be NULL. Returns -1. */
int machine_prop_error(const struct machine_prop *prop, const char *key, struct sim_error *error, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

enum field_kind {
    FIELD_TIME,      /* int64_t, picoseconds */
    FIELD_SIZE,      /* int64_t, bytes */
    FIELD_BANDWIDTH, /* int64_t, bytes per second */
    FIELD_NUMBER,    /* double, without unit */
};

/* One value of a prop "key=value key=value ..."; the only field of a prop whose value stands alone has no key. */
struct machine_field {
    const char *key;
    enum field_kind kind;
    size_t offset; /* in the structure that the value goes to */
    double min, max;
};

/* Parse a prop's value into the structure at `base`. A key that is not given keeps what the structure holds. */
int machine_prop_parse(void *base, const struct machine_prop *prop, const struct machine_field *fields, size_t n_fields,
                       struct sim_error *error);

/* A whole number from 1 to `max` at the start of the text; *end is where it ends. -1 if there is none. */
int machine_prop_whole(int *value, const char *text, long max, const char **end);

#endif
