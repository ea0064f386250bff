/* The loads of links as they are being recorded: link_loads.c has bins, and messages that links serve one by one;
 * link_loads_flows.c has flows, which share links.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_LINK_LOADS_INTERNAL_H
#define SIM_NETWORK_LINK_LOADS_INTERNAL_H

#include "sim/network/link_loads.h"

/* A flow of transfers with one rate. What it carries is handed to its links when a bin is over, or the flow. */
struct flow {
    const struct route *route;
    int64_t since_ps;        /* the last change */
    int64_t handed_ps;       /* up to when its links know what it has carried */
    int32_t count, limit;    /* transfers; the link that limits them */
    double rate, lost;       /* of a transfer: bytes per ps; the part of the time that it loses */
    double carried;          /* bytes, in all */
    double waited_ps;        /* by all transfers, for that link, since it limits them */
    int64_t entered, handed; /* bytes of all that have joined; of them the links know */
};

/* Flows on a link. */
struct sharing {
    int64_t since_ps;
    int64_t n_flows;
};

/* A link's totals and, beside them, how much of them is in its bins: the rest is in one bin, to which it is added when
 * another one begins. So a message that has the link to itself touches no bins in most cases. */
struct lane {
    struct link_load total;
    int64_t busy_ps, bytes; /* that are in bins */
    int64_t bin;
    int64_t since_ps, free_ps; /* from then to then it is busy without a pause */
    int64_t paused_ps;         /* when it was so before, up to then */
};

struct link_loads {
    int n_links, n_bins;
    int shift;        /* a bin is 2^shift ps wide */
    int64_t end_ps;   /* of what has been put into bins */
    int64_t room_ps;  /* the end of the last bin */
    int64_t limit_ps; /* the end of the run; INT64_MAX: not known yet */
    bool is_served;   /* links serve messages, so that lanes have a rest */
    struct lane *lanes;
    struct link_bin *bins; /* n_bins of each link */
    struct sharing *sharing;
    struct flow *flows;
    size_t n_flows, room;
};

/* The link is busy for so long and carries so many bytes in the interval. */
void link_loads_put(struct link_loads *self, int link, int64_t start_ps, int64_t end_ps, int64_t busy_ps,
                    int64_t bytes);

#endif
