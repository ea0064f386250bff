/* The global definitions of an OTF2 archive, as far as the reader needs them. Memory grows with the definitions.
 *
 * Ranks are the members of MPI's group of type COMM_LOCATIONS, in its order; without one, the first CPU thread of each
 * location group of type PROCESS, in the order of definition. Further threads of their processes are read, too, if they
 * communicate, begin, or take part in teams (trace/otf2/threads.c), and streams of accelerators (trace/otf2/streams.h).
 * All other locations are not: time that a rank's own thread spends waiting for them counts as its computation.
 * Counters are read where they are asked for (trace/otf2/counters.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_DEFS_H
#define TRACE_OTF2_DEFS_H

#include "base/map.h"
#include "trace/record/record.h"

#include <otf2/otf2.h>

enum { OTF_MAX_RANKS = 65536 };

/* The meaning of the time inside a region, if the region has no attribute "eppa.role". */
struct otf_region {
    char *name;        /* owned by the table of strings */
    uint16_t scope;    /* index into info.scopes */
    uint16_t function; /* of calls: index into info.functions */
    bool is_call;      /* of the message library, or I/O: no computation */
    bool is_mpi;
    uint8_t call;     /* enum record_call: what it is for, if no event says more */
    bool synchronous; /* MPI_Ssend, MPI_Issend */
    bool waits;       /* a message or a collective: waits for other ranks */
    bool is_collective;
    bool only_waits; /* for requests or neighbors: what events do not tell of is waiting */
    bool polls;      /* it may find nothing: MPI_Test, MPI_Iprobe, ... */
    bool probes;     /* for a message, without receiving it */
    bool joins;      /* it waits for the end of a thread */
    bool of_file;    /* of MPI, on files */
    bool one_sided;
    bool unread;     /* what it waits for, or moves, is not known unless events say so */
    bool blocks;     /* it returns when something has come about that events say, but for what takes no time */
    uint8_t epoch;   /* enum otf_epoch */
    uint8_t offload; /* sum of enum otf_offload_kind */
    uint8_t gathers; /* enum otf_gathering */
    uint8_t assumed; /* enum record_collective: all members of a window call it; N_RECORD_COLLECTIVES: no such */
};

/* The effect of a function on the memory that members of a window let others access. */
enum otf_epoch { OTF_EPOCH_NONE, OTF_EPOCH_POST, OTF_EPOCH_START, OTF_EPOCH_COMPLETE, OTF_EPOCH_WAIT };

/* The thread of a team waits in a region: for the others in a barrier, for tasks, for a lock. */
enum otf_gathering { OTF_GATHERS_NOT, OTF_BARRIER, OTF_TASK_WAIT, OTF_LOCKS };

struct otf_members {
    int n_members;
    int *members;      /* ranks of the world; while they are read also -1: more than an int holds */
    int *sorted;       /* of the groups of intercommunicators; else NULL */
    uint8_t type;      /* OTF2_GroupType */
    bool global_ranks; /* events name members by their rank of the world */
};

enum otf_comm_kind { OTF_COMM_NORMAL, OTF_COMM_SELF, OTF_COMM_INTER };

struct otf_comm {
    uint8_t kind;
    uint32_t members, remote; /* indices into members[]; remote of intercommunicators only */
    int group;                /* index into info.groups; of OTF_COMM_SELF that of rank 0, the other ranks' follow */
};

/* A calling context: a region, and the path to it. */
struct otf_context {
    uint32_t region;      /* its identifier */
    uint32_t path, outer; /* among info.paths, and the one around it */
};

struct otf_location {
    uint64_t id;
    uint64_t n_events; /* 0: not known, the writer did not get that far; or there are none */
    uint64_t process;
    uint32_t name;    /* of a string */
    int rank, thread; /* thread 0 is the rank's own */
    bool is_stream;   /* of an accelerator */
    bool of_stream;   /* it is one, or a copy of one in an archive of simrun's own */
    struct record_processor processor;
    bool has_processor; /* something is known of it */
};

#define OTF_PS_PER_S UINT64_C(1000000000000)

struct otf_defs {
    int n_ranks, n_locations;
    struct otf_location *locations; /* n_locations that are read: one of each rank, then those of further threads */
    uint64_t resolution, offset;    /* ticks per second; the tick at which the run began */
    uint64_t length;                /* ticks from there to its end, as is said */
    uint64_t tick_ps;               /* 0: no whole number */

    struct map string_map, region_map, members_map, comm_map; /* identifier -> index */
    struct map window_map, file_map;                          /* of windows, of files in use -> communicator */
    char **strings;
    struct otf_region *regions;
    struct otf_members *members;
    struct otf_comm *comms;
    size_t n_strings, n_regions, n_members, n_comms;
    struct map context_map; /* of contexts */
    struct otf_context *contexts;
    size_t n_contexts;
    int *world;   /* 0, 1, ... n_ranks - 1 */
    int **unions; /* both sides of each intercommunicator, n_unions of them */
    size_t n_unions;
    int *assumed_members; /* of the window that all calls are taken to be of, where the archive does not say */

    /* OTF2_UNDEFINED_ATTRIBUTE where the archive has no such attribute */
    OTF2_AttributeRef role, operations, quantums, idle, bytes, peer, exchanges, combines, awaited, awaited_tag,
        awaited_comm, polls, any_source, site, path, signal, await, needed, waited;
};

/* Read them; also fills in info's ranks, groups, scopes, parameters, calls that are missing and, as far as the
 * definitions say, is_cut. On an error, which names `file`, defs and info are to be disposed of too. Where the library
 * fails, which has said why (otf_complaint_listen), *error is left as it is. */
int otf_defs_read(struct otf_defs *defs, struct record_info *info, OTF2_Reader *archive, const char *file,
                  struct sim_error *error);
void otf_defs_dispose(struct otf_defs *defs);

/* The context of that identifier; NULL: it is not defined. */
const struct otf_context *otf_defs_context(const struct otf_defs *defs, uint32_t id);
/* The text of a string, or NULL. */
const char *otf_defs_string(const struct otf_defs *defs, OTF2_StringRef string);

/* Make groups of `info` from the communicators (trace/otf2/comms.c). */
int otf_defs_make_groups(struct otf_defs *defs, struct record_info *info, const char *file, struct sim_error *error);

/* The call (enum record_call) of a region that reads or writes files, by MPI or not. */
uint8_t otf_region_file_call(bool is_mpi, bool writes);
/* The region of that name, with the meaning of the time in it; its scope is 0 (trace/otf2/regions.c). */
struct otf_region otf_region_make(char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm);

/* Read the properties of the archive (trace/otf2/info.c): whether the run came to its end, and the program's
 * parameters. */
void otf_info_read(struct record_info *info, OTF2_Reader *archive);
/* Take a property of a rank's location, which tells of its processor; false if it is none of these. */
bool otf_info_take_location(struct record_processor *processor, const char *name, int64_t value);
/* Sum up over all ranks, once they are known, what is known of their processors. */
void otf_info_take_processors(struct record_info *info, const struct otf_defs *defs);

/* A location with so many events, one of info's `count`, is passed over. */
void otf_info_pass_over(struct record_info *info, int *count, uint64_t n_events);

/* Add a number that is not negative, up to the largest. */
void otf_count(int64_t *sum, int64_t number);

/* Free what is in info and set it to zero. Its groups borrow their members from the definitions. */
void otf_info_dispose(struct record_info *info);

/* The rank among the members of a normal communicator, or of its own side of an intercommunicator; -1 if it is
 * not one of them. Takes time in proportion to the members. */
int otf_comm_rank(const struct otf_defs *defs, const struct otf_comm *comm, int rank);

/* The rank of the world that `rank` means by `peer` in a communicator, or -1: there is no such member. */
int otf_comm_peer(const struct otf_defs *defs, const struct otf_comm *comm, int rank, uint32_t peer);

/* The communicator's index into info.groups, for a rank. */
int otf_comm_group(const struct otf_comm *comm, int rank);

#endif
