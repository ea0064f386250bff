/* The algorithms of collectives that there are. */
#include "sim/collective/collective.h"

#include <stddef.h>

const struct coll_spec *const coll_broadcasts[] = {
#define COLL(name) &coll_##name,
#include "sim/collective/list.def"
#undef COLL
    NULL,
};

#define ALIAS(other, name) other, name

/* Behind the names: SMPI's and the BLACS's names of the same algorithms. */
const char *const coll_broadcast_names[] = {
#define COLL(name) #name,
#include "sim/collective/list.def"
#undef COLL
    NULL,
    ALIAS("flattree", "flat"),
    ALIAS("binomial_tree", "binomial"),
    ALIAS("NTSL", "chain_segmented"),
    ALIAS("NTSL_Isend", "chain_segmented"),
    ALIAS("ompi_pipeline", "chain_segmented"),
    ALIAS("NTSB", "binary_segmented"),
    ALIAS("ompi_split_bintree", "split_binary"),
    ALIAS("scatter_LR_allgather", "scatter_ring"),
    ALIAS("blacs_i", "chain"),
    ALIAS("blacs_d", "chain_down"),
    ALIAS("blacs_s", "split_ring"),
    ALIAS("blacs_m", "multipath"),
    ALIAS("blacs_h", "hypercube"),
    ALIAS("blacs_t", "knomial"),
    NULL,
};

const struct coll_family_spec coll_families[N_COLL_FAMILIES] = {
    [COLL_BROADCAST] = {"broadcast", OP_BROADCAST, coll_broadcasts, coll_broadcast_names},
    [COLL_SCATTER] = {"scatter", OP_SCATTER, coll_scatter_specs, coll_scatter_names},
    [COLL_GATHER] = {"gather", OP_GATHER, coll_gather_specs, coll_gather_names},
    [COLL_REDUCE] = {"reduce", OP_REDUCE, coll_reduce_specs, coll_reduce_names},
    [COLL_ALLREDUCE] = {"allreduce", OP_ALLREDUCE, coll_allreduce_specs, coll_allreduce_names},
    [COLL_ALLGATHER] = {"allgather", OP_ALLGATHER, coll_allgather_specs, coll_allgather_names},
    [COLL_ALLTOALL] = {"alltoall", OP_ALLTOALL, coll_alltoall_specs, coll_alltoall_names},
    [COLL_BARRIER] = {"barrier", OP_BARRIER, coll_barrier_specs, coll_barrier_names},
};
