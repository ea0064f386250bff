/* The profile of a run, of all its ranks or of one, and how it is written.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_PROFILE_PROFILE_H
#define EPPA_PROFILE_PROFILE_H

#include "eppa/profile/tally.h"

#include <stdio.h>

enum { PROFILE_MAX_NAME = 64 };

/* A rank's line. */
struct profile_rank {
    int32_t rank;
    int64_t time_ns, state_ns[N_TALLY_STATES];
    int64_t processor_ns;        /* of its process */
    int64_t thread_ns, delay_ns; /* of its thread: processor time, and how long it lacked one; -1: not known */
    int64_t off_ns;              /* recording was off, which is not in time_ns */
    struct define_cores cores;
    char host[PROFILE_MAX_NAME];
};

/* A function, or a function at a call site, over all ranks. */
struct profile_row {
    struct tally_calls calls;
    uint16_t region;
    uint32_t module; /* of sites: index */
    uint64_t place;
    int64_t least_ns, most_ns;  /* time of a rank in it */
    int32_t n_ranks, most_rank; /* that call it; the one that takes most_ns */
    char *site;                 /* its name, once it is known; owned */
};

struct profile {
    int n_ranks;      /* of the run */
    int n_rows;       /* of `ranks`: fewer if the run was aborted */
    bool is_complete; /* all ranks have come to MPI_Finalize */
    bool has_sites;
    const char *program; /* borrowed */
    const char *library; /* of MPI, with its version; borrowed; "": not known */
    struct profile_rank *ranks;
    struct profile_row functions[N_REGIONS];
    struct profile_row *sites;
    uint32_t n_sites, n_modules;
    char **modules; /* paths */
    struct tally_class messages[N_SIZE_CLASSES], collectives[N_SIZE_CLASSES];
    uint64_t n_unrecorded;
    int64_t n_others, others_ns; /* calls of threads that have not initialized MPI: in all but `ranks` */
};

/* Sums over the ranks, largest and smallest of them, as both formats have them. */
struct profile_sums {
    int64_t time_ns;                  /* the longest of a rank */
    int64_t all_ns, off_ns;           /* of all ranks together: recorded, and not */
    int64_t state_ns[N_TALLY_STATES]; /* of all ranks */
    int64_t mpi_ns;                   /* of all threads */
    int64_t most_useful_ns;
    int64_t processor_ns;
    int most_useful, most_mpi; /* rows of `ranks` */
    int n_crowded;             /* ranks whose host has more ranks than cores */
    int64_t io_ns, library_ns; /* of MPI: reading and writing files; calls that move nothing of the program's */
};

/* A rank's row, of a function or a site. */
struct profile_row profile_row_of(const struct tally_calls *calls, uint16_t region, int rank);
/* The profile of what this rank alone knows, without its call sites. */
void profile_of_tally(struct profile *profile, int rank, int n_ranks);
/* Add up the profiles of all ranks of MPI_COMM_WORLD, called by all of them; on rank 0 it becomes the run's. Pairs of
 * ranks add theirs, so that none holds more than twice what the run has, and rank 0 a line for each rank. */
void profile_gather(struct profile *profile);
void profile_dispose(struct profile *profile);

/* Add a row of the same function and site. */
void profile_add_row(struct profile_row *sum, const struct profile_row *row);
/* Give the sites their names. Those of one name are one. */
void profile_name_sites(struct profile *profile);
struct profile_sums profile_sum(const struct profile *profile);
/* The rows by their time, the longest first: functions, or sites. To be freed. */
const struct profile_row **profile_sort(const struct profile_row *rows, size_t n, size_t *n_used);

void profile_write_json(FILE *stream, const struct profile *profile);
void profile_write_text(FILE *stream, const struct profile *profile);

#endif
