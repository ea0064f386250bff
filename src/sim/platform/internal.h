/* Declarations that the files that load platforms share. Nothing outside this folder includes this.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PLATFORM_INTERNAL_H
#define SIM_PLATFORM_INTERNAL_H

#include "base/error.h"
#include "sim/machine/cost_props.h"
#include "sim/machine/machine.h"
#include "sim/machine/profiles.h"
#include "sim/machine/routes.h"
#include "sim/platform/platform.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct _xmlDoc;

/* The contents of a platform file. */
struct platform_file {
    struct machine_props props;
    struct machine_profiles *profiles; /* NULL: not wanted of this file */
    struct route_table *routes;        /* of a plain one; NULL: SimGrid has to find them */
    struct _xmlDoc *document;          /* in which: what has been checked; of a plain one NULL */
};

/* Read the props of a platform file's root zone, and those that it takes from the file named by costs_from. Plain files
 * are read whole, unless SimGrid is to have them, too. */
enum platform_use { USE_AS_PLAIN, USE_BY_SIMGRID };
int platform_file_read(struct platform_file *file, const char *name, enum platform_use use, struct sim_error *error);
void platform_file_dispose(struct platform_file *file);

/* Read a file that is regular and not too large, into text that ends in a NUL after `size` bytes; to be freed. */
int machine_file_read(char **text, size_t *size, const char *file, struct sim_error *error);

/* Make a document of the text of a platform file; NULL on an error. The caller frees it with xmlFreeDoc(). */
struct _xmlDoc;
struct _xmlDoc *machine_document_read(const char *text, size_t size, const char *file, struct sim_error *error);

/* Take from a document what describes no machine, each element a note of `props`. -1 where it cannot be done without:
 * a misspelled element, and what would change the machine and is not simulated. */
int machine_foreign_drop(struct machine_props *props, struct _xmlDoc *document, struct sim_error *error);

/* SimGrid reads a file by its name, so one in memory has a name in this process and its children. */
enum { MACHINE_MEMORY_NAME = 32 };
FILE *machine_memory_open(struct sim_error *error); /* for writing; NULL on an error; the caller closes it */
int machine_memory_flush(FILE *stream, struct sim_error *error);
void machine_memory_name(char name[MACHINE_MEMORY_NAME], FILE *stream);

/* Write a document that has been checked into memory, for SimGrid. The caller closes the stream. */
int machine_simgrid_write(FILE **stream, struct _xmlDoc *document, const char *file, struct sim_error *error);

/* Read the profiles of hosts and links that a document mentions; `root` is its <platform>. */
struct _xmlNode;
/* Where SimGrid finds a profile that a platform names. The caller frees it. */
char *machine_profile_file(const char *name, const char *platform);
int machine_profiles_read(struct machine_profiles *profiles, const struct _xmlNode *root, const char *file,
                          struct sim_error *error);

/* Check that the wires in a document have units; `parent` is its <platform> or an element in it. libxml2 has bounded
 * the depth. */
int machine_units_check(const struct _xmlNode *parent, const char *file, struct sim_error *error);

/* Check that SimGrid can hold the hosts and links of a document; `root` is its <platform>. */
int machine_size_check(const struct _xmlNode *root, const char *file, struct sim_error *error);

/* Up to so many hosts a trial sees each route that is missing. */
enum { TRIAL_PAIRS_HOSTS = 128 };

/* Load a platform in a child process, which SimGrid may end; what it says there becomes the error. `document` is the
 * name of what SimGrid reads, `file` that of the platform for the user. Routes that are missing are no error: it says
 * whether it has seen any. */
int machine_trial(bool *lacks_routes, const char *document, const char *file, struct sim_error *error);

/* True if a document has zones that may lack routes; `parent` is its <platform>. */
bool routes_may_lack(const struct _xmlNode *parent);
/* True if a zone searches for the shortest ways; true if they lead everywhere in it. */
bool zone_searches(const struct _xmlNode *zone);
bool zone_is_connected(const struct _xmlNode *zone);

/* Load the platform and seal it: on graph zones routes may be asked only after that. `threshold` is SimGrid's option
 * for how much it logs, "--log=root.thres:...", in memory that SimGrid may change. */
void machine_simgrid_load(const char *document, char *threshold);

/* Load a platform into SimGrid, after a trial in a child process, and number its hosts and links. SimGrid reads
 * `document`, in memory. may_lack: routes are asked for in a child process first. */
struct route_table *simgrid_routes_open(FILE *document, const char *file, bool may_lack, struct sim_error *error);

/* A machine from its props alone, without hosts and routes; the file has been loaded as a whole before. And one from
 * SimGrid, plain or not. */
int machine_load_props(struct machine *machine, const char *file, struct sim_error *error);
int machine_load_by_simgrid(struct machine *machine, const char *file, struct sim_error *error);

/* The facts that are wanted of a platform whose hosts and wires are put together otherwise. */
struct platform_facts {
    int status; /* of loading it; if that is not 0, the error */
    struct sim_error error;
    int n_hosts, cores; /* of each host */
    struct topology_style style;
};
/* Load it and look; the machine stays in memory. And the same in a child process, which leaves nothing. */
void platform_find_facts(struct platform_facts *facts, const char *file);
int platform_ask_facts(struct platform_facts *facts, const char *file, struct sim_error *error);

#endif
