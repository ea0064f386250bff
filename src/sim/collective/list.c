/* The algorithms of collectives that there are. */
#include "sim/collective/collective.h"

#include <stddef.h>

const struct coll_spec *const coll_broadcasts[] = {
#define COLL(name) &coll_##name,
#include "sim/collective/list.def"
#undef COLL
    &coll_openmpi_broadcast,
    &coll_auto_broadcast,
    NULL,
};

const char *const coll_broadcast_names[] = {
#define COLL(name) #name,
#include "sim/collective/list.def"
#undef COLL
    "openmpi",
    "auto",
    NULL,
};

const struct param_alias coll_broadcast_aliases[] = {
    {"flattree", "flat"},
    {"binomial_tree", "binomial"},
    {"NTSL", "chain_segmented"},
    {"NTSL_Isend", "chain_segmented"},
    {"ompi_pipeline", "chain_segmented"},
    {"NTSB", "binary_segmented"},
    {"ompi_split_bintree", "split_binary"},
    {"scatter_LR_allgather", "scatter_ring"},
    {"blacs_i", "chain"},
    {"blacs_d", "chain_down"},
    {"blacs_s", "split_ring"},
    {"blacs_m", "multipath"},
    {"blacs_h", "hypercube"},
    {"blacs_t", "knomial"},
    {NULL, NULL},
};

const struct coll_family_spec coll_families[N_COLL_FAMILIES] = {
    [COLL_BROADCAST] = {"broadcast", OP_BROADCAST, coll_broadcasts, coll_broadcast_names, coll_broadcast_aliases, true},
    [COLL_SCATTER] = {"scatter", OP_SCATTER, coll_scatter_specs, coll_scatter_names, coll_scatter_aliases, true},
    [COLL_GATHER] = {"gather", OP_GATHER, coll_gather_specs, coll_gather_names, coll_gather_aliases, true},
    [COLL_REDUCE] = {"reduce", OP_REDUCE, coll_reduce_specs, coll_reduce_names, coll_reduce_aliases, true},
    [COLL_ALLREDUCE] = {"allreduce", OP_ALLREDUCE, coll_allreduce_specs, coll_allreduce_names, coll_allreduce_aliases,
                        false},
    [COLL_ALLGATHER] = {"allgather", OP_ALLGATHER, coll_allgather_specs, coll_allgather_names, coll_allgather_aliases,
                        .copies_own = true},
    [COLL_ALLTOALL] = {"alltoall", OP_ALLTOALL, coll_alltoall_specs, coll_alltoall_names, coll_alltoall_aliases,
                       .copies_own = true},
    [COLL_BARRIER] = {"barrier", OP_BARRIER, coll_barrier_specs, coll_barrier_names, coll_barrier_aliases, false},
};
