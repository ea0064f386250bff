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

#define FAMILY(family, KIND, list)                                                                                     \
    .name = #family, .kind = OP_##KIND, .specs = list, .names = coll_##family##_names,                                 \
    .aliases = coll_##family##_aliases

const struct coll_family_spec coll_families[N_COLL_FAMILIES] = {
    [COLL_BROADCAST] = {FAMILY(broadcast, BROADCAST, coll_broadcasts), .has_root = true},
    [COLL_SCATTER] = {FAMILY(scatter, SCATTER, coll_scatter_specs), .has_root = true},
    [COLL_GATHER] = {FAMILY(gather, GATHER, coll_gather_specs), .has_root = true},
    [COLL_REDUCE] = {FAMILY(reduce, REDUCE, coll_reduce_specs), .has_root = true},
    [COLL_ALLREDUCE] = {FAMILY(allreduce, ALLREDUCE, coll_allreduce_specs)},
    [COLL_ALLGATHER] = {FAMILY(allgather, ALLGATHER, coll_allgather_specs), .copies_own = true},
    [COLL_ALLTOALL] = {FAMILY(alltoall, ALLTOALL, coll_alltoall_specs), .copies_own = true},
    [COLL_BARRIER] = {FAMILY(barrier, BARRIER, coll_barrier_specs)},
};
