/* The definitions of all ranks, and how the archive numbers them.
 *
 * A communicator is the n-th one with exactly these members in this order: all its members have made it together, so
 * that each of them has it as its n-th one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_PLAN_H
#define EPPA_ARCHIVE_PLAN_H

#include "base/map.h"
#include "eppa/archive/regions.h"
#include "eppa/archive/spool.h"

#include <stdbool.h>
#include <stdint.h>

/* A communicator of the archive. */
struct plan_comm {
    uint32_t kind;               /* enum comm_kind */
    uint32_t number, window;     /* of the archive: of the communicator, of COMM_GROUP the group; of COMM_WINDOW */
    int32_t n_members, n_remote; /* n_remote > 0: an intercommunicator, whose first group has the lowest rank */
    int32_t *members;            /* n_members, then n_remote of them; ranks of the world */
    char *name;                  /* or NULL */
    uint32_t id;
    struct plan_comm *alike; /* the next one with these members */
    /* Set only in the first with these members: */
    struct plan_comm *next;               /* of the same key */
    struct plan_comm *latest;             /* that the rank being read has */
    const struct plan_rank *latest_owner; /* the rank */
};

struct plan_scope {
    uint32_t role; /* enum scope_role */
    char *name;
};

struct plan_parameter {
    char *name, *value;
};

/* A call site of some rank. The archive has those of one name as one. */
struct plan_site {
    uint64_t place; /* in the module, or the line of the source */
    char *module;   /* path of it, or of the source */
    char *function; /* of a source that an interpreter executes; else NULL */
    uint32_t name;
};

/* A function of call paths, and a place in a path: the line of a function that goes on to the next inner one. Names are
 * among those of sites. Context 0 is that of no path. */
struct plan_function {
    uint32_t name, file;
};
struct plan_context {
    uint32_t outer, function, line;
};

/* The part of the run that the archive has, if not all: from a time of the rank's clock on; or the first n_laps
 * occurrences and those from first_lap on. */
struct plan_cut {
    bool is_cut;
    uint32_t n_laps, first_lap; /* 0: by time */
    int64_t from_ns;
};

/* Numbers of a rank's things in the archive: what it calls i is number comms[i], windows[i], scopes[i], sites[i - 1] of
 * the archive; its path i is that of context and site paths[i - 1]. A call (enum region) is region calls[i], of those
 * that are made by some rank; they come first, n_calls of them, then the scopes. */
struct rank_map {
    uint32_t n_comms, n_scopes, n_sites;
    uint32_t *comms, *windows, *scopes, *sites;
    uint32_t n_paths;
    struct define_path *paths; /* the archive's, once they are named: outer is then the context */
    uint32_t first_site;       /* string of the archive's site 0 */
    const uint32_t *calls;     /* N_REGIONS of them, of the plan */
    uint32_t n_calls;
    struct plan_cut cut;
};

struct plan_rank {
    bool is_there; /* its definitions are */
    struct define_rank self;
    char *host, *program;
    struct define_clock clocks[2];
    int n_clocks;
    uint64_t n_unrecorded, n_cut;
    struct define_off off;
    struct define_cores cores; /* 0: not known */
    struct define_processor processor;
    bool has_processor; /* it is known */
    struct rank_map map;
};

struct plan {
    int n_ranks;    /* at most SPOOL_MAX_RANKS */
    bool has_world; /* a communicator of all ranks: their number is not made up */
    struct plan_rank *ranks;
    struct plan_comm **comms;
    struct map firsts; /* of communicators with the same members; key: a hash of these */
    struct plan_scope *scopes;
    struct plan_parameter *parameters;
    struct plan_site *sites;
    char **site_names;       /* of the archive's sites, functions and their files */
    struct map site_numbers; /* of sites, by their modules and places */
    struct plan_function *functions;
    struct plan_context *contexts; /* each after the one around it */
    uint32_t n_comms, n_scopes, n_parameters, n_sites, n_site_names, n_functions, n_contexts;
    char library[SPOOL_MAX_LIBRARY]; /* of MPI; "" if not known */
    uint32_t calls[N_REGIONS], n_calls;
    struct define_keep keep; /* 0: all is kept */
};

/* Read the definitions of an open directory, whose path is for messages; 0, or -1 with the reason in `message`. */
int plan_load(struct plan *plan, int folder, const char *directory, char *message, int n_message);
void plan_free(struct plan *plan);

/* A name of letters, digits and underscores, not too long? */
bool plan_is_parameter(const char *name);
/* A call site as a rank describes it; false if it is none. */
bool plan_take_site(struct plan *plan, struct plan_rank *rank, char *data, size_t length);
/* Likewise one in a source that an interpreter executes; a call path. */
bool plan_take_source(struct plan *plan, struct plan_rank *rank, char *data, size_t length);
bool plan_take_path(struct plan *plan, struct plan_rank *rank, char *data, size_t length);
/* When all have been read: give sites and the functions of paths their names, and from now on the archive's numbers. */
void plan_name_sites(struct plan *plan);
void plan_free_sites(struct plan *plan);
/* A communicator as a rank describes it; false if it is none. */
bool plan_take_comm(struct plan *plan, struct plan_rank *rank, char *data, size_t length);
/* When all have been read: number them, and from now on the archive's numbers. Group 0 is that of all locations. */
void plan_number_comms(struct plan *plan);

#endif
