/* Parameters: what a scenario may set, declared in tables with type, unit, default and range.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_PARAM_H
#define SIM_PROGRAM_PARAM_H

#include "base/error.h"
#include "base/subject.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum param_type {
    PARAM_COUNT,  /* a whole number */
    PARAM_SIZE,   /* bytes, with or without unit */
    PARAM_RATE,   /* operations per second, with or without unit */
    PARAM_REAL,   /* a number with up to six decimals; the value, min and max are in millionths, see PARAM_TO_REAL */
    PARAM_CHOICE, /* one of `choices`, or another name for one; the value is its index */
    PARAM_MESH,   /* WIDTHxHEIGHT, packed by PARAM_MESH_PACK, or auto (0) */
    PARAM_PROCESS_GRID, /* the same, ROWSxCOLUMNS: the rows of the grid are its WIDTH */
    PARAM_PLACEMENT,    /* an order of ranks, with a number behind some; the value is packed by PLACEMENT_PACK() */
    PARAM_DIMENSIONS,   /* of a topology, or auto (0); the value is that of dimensions_value() */
};

#define PARAM_TO_REAL(value) ((double)(value) / UNITS_REAL)
#define PARAM_MESH_PACK(width, height) (((int64_t)(width) << 32) | (int64_t)(height))
#define PARAM_MESH_WIDTH(value) ((int)((value) >> 32))
#define PARAM_MESH_HEIGHT(value) ((int)((value)&INT32_MAX))

/* Another name for a choice. */
struct param_alias {
    const char *name, *choice;
};

struct param_spec {
    const char *name;
    enum param_type type;
    const char *fallback;              /* the default, as text; NULL: must be given */
    int64_t min, max;                  /* numbers: PARAM_COUNT, PARAM_SIZE, PARAM_RATE, PARAM_REAL */
    bool excludes_auto;                /* PARAM_MESH and PARAM_PROCESS_GRID */
    const char *const *choices;        /* PARAM_CHOICE, NULL-terminated */
    const struct param_alias *aliases; /* of the choices; the last has the name NULL. Or NULL */
    const char *summary;
    enum subject concerns; /* what it is about */
    unsigned option;       /* enum coll_use: it is of no use but to algorithms that say so. 0: to all */
};

/* Parse `text` as a value of the parameter. On failure -1 and a message in why: what was found, what is allowed. */
int param_parse(int64_t *value, const struct param_spec *spec, const char *text, char *why, size_t why_size);

/* Write the value as text that param_parse() reads back. */
void param_format(char *text, size_t text_size, const struct param_spec *spec, int64_t value);

/* Write the allowed values: "1 ... 65536", "1 ... 65536 bytes", "snake | row-major", "WIDTHxHEIGHT | auto",
 * "ROWSxCOLUMNS". */
void param_format_range(char *text, size_t text_size, const struct param_spec *spec);

/* True if values are numbers, of which there are ranges; and the kind of number: QUANTITY_COUNT for all else. */
bool param_is_number(const struct param_spec *spec);
enum quantity param_quantity(const struct param_spec *spec);

/* True if a value is two sides: a mesh or a grid of processes. */
bool param_has_sides(const struct param_spec *spec);

/* Index of the spec of that name, or -1. */
int param_find(const struct param_spec *specs, int count, const char *name);

#endif
