/* The text of a scenario file, before it means anything: which elements, which attributes, on which lines.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_SCENARIO_XML_H
#define SIM_SCENARIO_XML_H

#include "base/error.h"

#include <stddef.h>

/* Any element; the attributes that it does not have are NULL. */
struct scenario_element {
    long line; /* 0: the file has no such element */
    char *name;
    char *title;
    char *file;
    char *value;
    char *by;
    char *causes;
    char *from, *to, *ranks; /* see struct part_request */
};

struct scenario_text {
    struct scenario_element scenario, platform, application, broadcast, reference, decision, what_if;
    struct scenario_element *params;
    size_t n_params, params_capacity;
};

/* Read the elements. Anything that is not a scenario by its structure is an error; *text is then empty. */
int scenario_xml_read(struct scenario_text *text, const char *bytes, size_t size, const char *label,
                      struct sim_error *error);
void scenario_xml_dispose(struct scenario_text *text);

/* Check against scenario.rng alone, as scenario_xml_read() does after its own rules with their better messages. */
int scenario_xml_check_schema(const char *bytes, size_t size, const char *label, struct sim_error *error);

#endif
