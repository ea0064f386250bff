/* What the files of the machine module share. Nothing outside the module includes this. */
#ifndef SIM_PLATFORM_INTERNAL_H
#define SIM_PLATFORM_INTERNAL_H

#include "base/error.h"
#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A <prop> of a root zone, with its place. */
struct machine_prop {
    char *id, *value;
    const char *file; /* borrowed from the list */
    long line;
};

struct machine_props {
    char *file, *costs_file;           /* costs_file: the one named by costs_from, or NULL */
    struct machine_profiles *profiles; /* NULL: not wanted of this file */
    FILE *document;                    /* what SimGrid is to read, in memory; NULL: not wanted of this file */
    long zone_line;
    struct machine_prop *items;
    size_t count, capacity;
};

/* Read the props of a platform file's root zone, and those that it takes from the file named by costs_from. */
int machine_props_read(struct machine_props *props, const char *file, struct sim_error *error);
void machine_props_dispose(struct machine_props *props);
const struct machine_prop *machine_props_find(const struct machine_props *props, const char *id);

/* Whether the prop says how hosts and wires are put together, which no other machine takes over. */
bool machine_prop_is_geometry(const char *id);

/* Read as many bytes as are asked for; -1 if there are fewer. */
int machine_read_all(void *bytes, size_t size, int descriptor);

/* Read a file that is regular and not too large, into text that ends in a NUL after `size` bytes; the caller frees it.
 * And a name as it is meant in a file: beside that, unless it is absolute. The caller frees it, too. */
int machine_file_read(char **text, size_t *size, const char *file, struct sim_error *error);
char *machine_file_beside(const char *file, const char *name);

/* Read a platform file into a document that holds nothing but elements which describe a machine; NULL on an error. The
 * caller frees it with xmlFreeDoc(). */
struct _xmlDoc;
struct _xmlDoc *machine_document_read(const char *file, struct sim_error *error);

/* SimGrid reads a file by its name, so one in memory has a name in this process and its children. */
enum { MACHINE_MEMORY_NAME = 32 };
FILE *machine_memory_open(struct sim_error *error); /* for writing; NULL on an error; the caller closes it */
int machine_memory_flush(FILE *stream, struct sim_error *error);
void machine_memory_name(char name[MACHINE_MEMORY_NAME], FILE *stream);

/* Write a document that has been checked into memory, for SimGrid. The caller closes the stream. */
int machine_simgrid_write(FILE **stream, struct _xmlDoc *document, const char *file, struct sim_error *error);

/* Read the profiles of hosts and links that a document mentions; `root` is its <platform>. */
struct _xmlNode;
struct machine_profiles *machine_profiles_new(void);
void machine_profiles_free(struct machine_profiles *profiles);
struct machine_profiles *machine_profiles_take(struct machine_props *props);
/* Where SimGrid finds a profile that a platform names. The caller frees it. */
char *machine_profile_file(const char *name, const char *platform);
int machine_profiles_read(struct machine_profiles *profiles, const struct _xmlNode *root, const char *file,
                          struct sim_error *error);

/* Whether the wires in a document lack units; `parent` is its <platform> or an element in it. libxml2 has bounded the
 * depth. */
int machine_units_check(const struct _xmlNode *parent, const char *file, struct sim_error *error);

/* Whether SimGrid can hold the hosts and links of a document; `root` is its <platform>. */
int machine_size_check(const struct _xmlNode *root, const char *file, struct sim_error *error);

/* An error at a prop: "file:line: <prop> id key: ...". key may be NULL. Returns -1. */
int machine_prop_error(const struct machine_prop *prop, const char *key, struct sim_error *error, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

enum field_kind {
    FIELD_TIME,   /* int64_t, picoseconds */
    FIELD_SIZE,   /* int64_t, bytes */
    FIELD_NUMBER, /* double, without unit */
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

/* Read a prop "dsm.NAME". */
int machine_dsm_read(struct dsm_costs *costs, const struct machine_prop *prop, struct sim_error *error);

/* Load a platform in a child process, which SimGrid may end; what it says there becomes the error. `document` is the name
 * of what SimGrid reads, `file` that of the platform for the user. */
int machine_trial(const char *document, const char *file, struct sim_error *error);

/* Load the platform and seal it: on graph zones routes may be asked only after that. `threshold` is SimGrid's option
 * for how much it logs, "--log=root.thres:...", in memory that SimGrid may change. */
void machine_simgrid_load(const char *document, char *threshold);

enum polynomial_quantity { POLYNOMIAL_TIME, POLYNOMIAL_SIZE };

bool machine_is_polynomial(const struct machine_prop *prop);
/* Whether it looks like a polynomial whose first word, poly, is missing. */
bool machine_lacks_poly(const struct machine_prop *prop);
int machine_polynomial_read(struct polynomial *polynomial, enum polynomial_quantity quantity,
                            const struct machine_prop *prop, struct sim_error *error);

/* A kernel's cost as a prop gives it: in cycles of cycle_ps (0 if the platform has none) scaled by `scale`, or as a
 * polynomial. And what a call needs of memory, always a polynomial. */
int machine_need_read(struct memory_need *need, const struct machine_prop *prop, struct sim_error *error);
int machine_kernel_read(struct kernel_cost *kernel, const struct machine_prop *prop, int64_t cycle_ps, double scale,
                        struct sim_error *error);

/* Load a platform into SimGrid, after a trial in a child process, and number its hosts and links. SimGrid reads
 * `document`, in memory. */
struct route_table *machine_routes_open(FILE *document, const char *file, struct sim_error *error);
/* The same for a topology; SimGrid has no part in it until machine_routes_enter_simgrid() gives it the document. */
struct route_table *machine_routes_compute(const struct topology *topology, const struct topology_style *style);
bool machine_routes_in_simgrid(const struct route_table *routes);
int machine_routes_enter_simgrid(struct route_table *routes, FILE *document, const char *name, struct sim_error *error);
const struct topology *machine_routes_topology(const struct route_table *routes);
void machine_routes_close(struct route_table *routes);
int machine_routes_host_count(const struct route_table *routes);
const struct wire *machine_routes_wires(const struct route_table *routes);

/* What SimGrid says of a link of a loaded machine. */
void machine_link_speed(const struct machine *machine, int link, double *bandwidth_Bps, double *latency_s);

/* A machine from its props alone, without hosts and routes; the file has been loaded as a whole before. */
int machine_load_props(struct machine *machine, const char *file, struct sim_error *error);

#endif
