/* otf2_seeds FOLDER: OTF2 archives FOLDER/0/trace.otf2, 1, ... with what simrun does not write by itself: requests,
 * communicators, collectives with unequal blocks, I/O, clocks, runs that were aborted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/trace/otf2/otf2_fixture.h"

#include <sys/stat.h>

static const struct script_event requests[] = {
    {0, S_BEGIN, 0},
    {0, S_ENTER, 1, MAIN},
    {0, S_ENTER, 2, ISEND},
    {0, S_ISEND, 3, 1, 0, 7, 100, 5},
    {0, S_LEAVE, 4, ISEND},
    {0, S_ENTER, 5, WAITALL},
    {0, S_ISEND_DONE, 6, .e = 5},
    {0, S_LEAVE, 7, WAITALL},
    {0, S_ENTER, 8, SSEND},
    {0, S_SEND, 9, 1, 0, 8, 10},
    {0, S_LEAVE, 20, SSEND},
    {0, S_LEAVE, 30, MAIN},
    {0, S_END, 31, 0},
    {1, S_ENTER, 1, MAIN},
    {1, S_ENTER, 2, IRECV},
    {1, S_IRECV, 3, .e = 9},
    {1, S_LEAVE, 4, IRECV},
    {1, S_ENTER, 5, TEST},
    {1, S_TEST, 6, .e = 9},
    {1, S_LEAVE, 7, TEST},
    {1, S_ENTER, 8, WAIT},
    {1, S_IRECV_DONE, 9, 0, 0, 7, 100, 9},
    {1, S_LEAVE, 10, WAIT},
    {1, S_ENTER, 11, IRECV},
    {1, S_IRECV, 12, .e = 10},
    {1, S_CANCELLED, 13, .e = 10},
    {1, S_LEAVE, 14, IRECV},
    {1, S_ENTER, 15, RECV},
    {1, S_RECV, 20, 0, 0, 8, 10},
    {1, S_LEAVE, 21, RECV},
    {1, S_LEAVE, 30, MAIN},
};

static const struct script_event collectives[] = {
    {0, S_ENTER, 1, PHASE, 1},
    {0, S_ENTER, 2, BCAST},
    {0, S_COLLECTIVE, 3, OTF2_COLLECTIVE_OP_BCAST, 0, 0, 16, 0},
    {0, S_LEAVE, 4, BCAST},
    {0, S_ENTER, 5, IBCAST},
    {0, S_COLLECTIVE_BEGUN, 6, .e = 7},
    {0, S_LEAVE, 7, IBCAST},
    {0, S_ENTER, 8, WAIT},
    {0, S_COLLECTIVE_DONE, 9, OTF2_COLLECTIVE_OP_ALLTOALLV, 1, 0, 8, 24},
    {0, S_LEAVE, 10, WAIT},
    {0, S_LEAVE, 11, PHASE, 100, 3},
    {0, S_ENTER, 12, BCAST},
    {0, S_COLLECTIVE, 13, OTF2_COLLECTIVE_OP_BARRIER, 4, 0, 0, 0},
    {0, S_LEAVE, 14, BCAST},
    {1, S_ENTER, 2, BCAST},
    {1, S_COLLECTIVE, 3, OTF2_COLLECTIVE_OP_BCAST, 0, 0, 0, 16},
    {1, S_LEAVE, 4, BCAST},
    {1, S_ENTER, 5, BCAST},
    {1, S_COLLECTIVE, 6, OTF2_COLLECTIVE_OP_BARRIER, 4, 0, 0, 0},
    {1, S_LEAVE, 7, BCAST},
    {2, S_ENTER, 2, BCAST},
    {2, S_COLLECTIVE, 3, OTF2_COLLECTIVE_OP_BCAST, 0, 0, 0, 16},
    {2, S_LEAVE, 4, BCAST},
    {2, S_ENTER, 8, WAIT},
    {2, S_COLLECTIVE_DONE, 9, OTF2_COLLECTIVE_OP_ALLTOALLV, 1, 0, 24, 8},
    {2, S_LEAVE, 10, WAIT},
    {2, S_ENTER, 12, BCAST},
    {2, S_COLLECTIVE, 13, OTF2_COLLECTIVE_OP_BARRIER, 4, 0, 0, 0},
    {2, S_LEAVE, 14, BCAST},
};

static const struct script_event aborted[] = {
    {0, S_ENTER, 1, MAIN},          {0, S_ENTER, 2, WRITE},     {0, S_IO_BEGIN, 3, OTF2_IO_OPERATION_MODE_WRITE},
    {0, S_IO_END, 4, .d = 50},      {0, S_LEAVE, 5, WRITE},     {0, S_ENTER, 6, OTHER, 3},
    {0, S_LEAVE_IDLE, 7, OTHER, 1}, {0, S_ENTER, 8, RECV},      {0, S_LEAVE_CUT, 9, RECV, 2, 0},
    {1, S_ENTER, 1, LINKS, 2},      {1, S_LEAVE, 2, LINKS},     {1, S_ENTER, 3, PHASE, 4},
    {1, S_LEAVE, 4, PHASE, .d = 1}, {1, S_ENTER, 5, FILE_READ},
};

static const struct script scripts[] = {
    {SCRIPT(2, requests), .properties = {"EPPA::PARAMETER::n", "7"}},
    {SCRIPT(2, requests), .has_clock_offset = true, .clock_offset = {2, 5}, .maps_regions = true, .resolution = 1000},
    {SCRIPT(3, collectives), .comms = comms, .n_comms = COUNT(comms)},
    {SCRIPT(2, aborted), .unknown_ends = true},
    {SCRIPT(2, aborted), .zero_ends = true, .without_world = true, .n_others = 1},
};

int main(int argc, char **argv)
{
    for (int i = 0; argc == 2 && i < COUNT(scripts); i++) {
        struct script script = scripts[i];
        char *name = xformat("%s/%d", argv[1], i);
        script.regions = regions;
        script.n_regions = COUNT(regions);
        script_write(&script, name);
        free(name);
    }
    return argc == 2 ? 0 : 2;
}
