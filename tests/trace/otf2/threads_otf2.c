/* The reader of OTF2: further threads of a rank, when they begin, and where threads wait for each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/trace/otf2/locations.h"

/* Nothing says how the thread of rank 0 begins: it does so in the computation, and that of rank 1 before the call in
 * which the rank is. Another one of rank 0 does not communicate. */
static void test_of_themselves(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},        SENDS(0, 30, 40, 1, 1),    {1, S_BEGIN, 0},        RECEIVES(1, 10, 50, 0, 1),
        SENDS(2, 20, 25, 1, 7), RECEIVES(3, 35, 45, 0, 7), {4, S_ENTER, 1, PHASE}, {4, S_LEAVE, 2, PHASE},
    };
    CHECK("of themselves", ((struct script){SCRIPT(2, events), .n_others = 3}),
          "compute 0-20\nsignal 20 mark 5 of 2\ncompute 20-30\nsend 30-40 peer 1 tag 1 bytes 8 group 0\n",
          "compute 0-10\nsignal 10 mark 5 of 2\nrecv 10-50 peer 0 tag 1 bytes 8 group 0\n",
          "await 20 mark 5 of 2\nsend 20-25 peer 1 tag 7 bytes 8 group 0\n",
          "await 35 mark 5 of 2\nrecv 35-45 peer 0 tag 7 bytes 8 group 0\n");
}

/* Two lives of one location; the end of the second nobody waits for. The third one does not communicate. In
 * pthread_join(), there is no computation: what is not waiting for a known thread is sleep. */
static void test_lives(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        {0, S_CREATE, 10, .e = 5},
        {0, S_CREATE, 11, .e = 9},
        {0, S_ENTER, 20, JOIN},
        {0, S_WAIT_LIFE, 40, .e = 5},
        {0, S_LEAVE, 41, JOIN},
        {0, S_WAIT_LIFE, 42, .e = 9},
        {0, S_CREATE, 50, .e = 6},
        {0, S_END, 90},
        {1, S_LIFE, 12, .e = 5},
        SENDS(1, 15, 20, 0, 7),
        {1, S_LIFE_ENDS, 38, .e = 5},
        {1, S_LIFE, 55, .e = 6},
        RECEIVES(1, 60, 70, 0, 7),
        {1, S_LIFE_ENDS, 75, .e = 6},
        {2, S_LIFE, 12, .e = 9},
        {2, S_LIFE_ENDS, 13, .e = 9},
    };
    CHECK("lives", ((struct script){SCRIPT(1, events), .n_others = 2}),
          "compute 0-10\nsignal 10 mark 2 of 2\ncompute 10-11\nsignal 11 mark 327682 of 2\ncompute 11-20\n"
          "enter pthread_join 20\nawait 20-40 mark 3 of 2\nsleep 40-41 sleep 3\nleave pthread_join 41\n"
          "compute 41-42\nawait 42 mark 327683 of 2\ncompute 42-50\nsignal 50 mark 655362 of 2\ncompute 50-90\n",
          "await 12 mark 2 of 2\ncompute 12-15\nsend 15-20 peer 0 tag 7 bytes 8 group 0\ncompute 20-38\n"
          "signal 38 mark 3 of 2\nawait 38-55 mark 655362 of 2\ncompute 55-60\n"
          "recv 60-70 peer 0 tag 7 bytes 8 group 0\ncompute 70-75\n",
          "await 12 mark 327682 of 2\ncompute 12-13\nsignal 13 mark 327683 of 2\n");
}

/* The thread takes part in the first and the third of four forks; the third has a fork within. */
static void test_forks(void)
{
    enum { FORK = 5 << 16, THREAD = 5, JOINS = 1 };
    static const struct script_event events[] = {
        {0, S_BEGIN, 0}, {0, S_FORK, 10}, {0, S_JOIN, 20},      {0, S_FORK, 30},           {0, S_JOIN, 40},
        {0, S_FORK, 50}, {0, S_FORK, 52}, {0, S_JOIN, 54},      {0, S_JOIN, 60},           {0, S_FORK, 70},
        {0, S_JOIN, 80}, {0, S_END, 80},  {1, S_TEAM, 10},      SENDS(1, 11, 12, 0, 7),    {1, S_TEAM_ENDS, 19},
        {1, S_TEAM, 51}, {1, S_TEAM, 52}, {1, S_TEAM_ENDS, 53}, RECEIVES(1, 55, 57, 0, 7), {1, S_TEAM_ENDS, 58},
    };
    char main_thread[800], other[800];
    snprintf(main_thread, sizeof main_thread,
             "compute 0-10\nsignal 10 mark %d of 2\ncompute 10-20\nawait 20 sleep 8 mark %d of 2\ncompute 20-30\n"
             "compute 30-40\ncompute 40-50\nsignal 50 mark %d of 2\ncompute 50-60\nawait 60 sleep 8 mark %d of 2\n"
             "compute 60-70\ncompute 70-80\nsignal 80 mark %d of 2\n",
             FORK + THREAD, FORK + JOINS, 3 * FORK + THREAD, 3 * FORK + JOINS, 5 * FORK + THREAD);
    snprintf(other, sizeof other,
             "await 0-10 sleep 7 mark %d of 2\ncompute 10-11\nsend 11-12 peer 0 tag 7 bytes 8 group 0\ncompute 12-19\n"
             "signal 19 mark %d of 2\nawait 19-51 sleep 7 mark %d of 2\ncompute 51-55\n"
             "recv 55-57 peer 0 tag 7 bytes 8 group 0\ncompute 57-58\nsignal 58 mark %d of 2\n"
             "await 58-80 sleep 7 mark %d of 2\n",
             FORK + THREAD, FORK + JOINS, 3 * FORK + THREAD, 3 * FORK + JOINS, 5 * FORK + THREAD);
    CHECK("forks", ((struct script){SCRIPT(1, events), .n_others = 1}), main_thread, other);
}

/* One thread begins what the other one waits for: a receive, which is left out there, and a send. */
static void test_requests(void)
{
    static const struct script_event events[] = {
        {0, S_ENTER, 0, IRECV},   {0, S_IRECV, 1, .e = 4},        {0, S_LEAVE, 2, IRECV},
        {0, S_ENTER, 3, ISEND},   {0, S_ISEND, 3, 0, 0, 7, 8, 5}, {0, S_LEAVE, 4, ISEND},
        {1, S_ENTER, 5, WAITALL}, {1, S_ISEND_DONE, 6, .e = 5},   {1, S_IRECV_DONE, 7, 0, 0, 7, 8, 4},
        {1, S_LEAVE, 8, WAITALL}, SENDS(1, 9, 10, 0, 6),          RECEIVES(1, 11, 12, 0, 6),
    };
    CHECK("requests", ((struct script){SCRIPT(1, events), .n_others = 1}),
          "call 0-2\ncompute 2-3\nsignal 3 mark 5 of 2\nisend 3-4 peer 0 tag 7 bytes 8 group 0 r2\n",
          "await 5 mark 5 of 2\nrecv 5-8 peer 0 tag 7 bytes 8 group 0\ncompute 8-9\n"
          "send 9-10 peer 0 tag 6 bytes 8 group 0\ncompute 10-11\nrecv 11-12 peer 0 tag 6 bytes 8 group 0\n");
}

/* ---- Archives for tests/cli/trace/threads.sh, in ms ---- */

#define COLLECTS(location, begin, end, comm)                                                                           \
    {location, S_ENTER, begin, BCAST},                                                                                 \
        {location, S_COLLECTIVE, end, OTF2_COLLECTIVE_OP_ALLREDUCE, comm, OTF2_COLLECTIVE_ROOT_NONE, 8, 8},            \
    {                                                                                                                  \
        location, S_LEAVE, end, BCAST                                                                                  \
    }

/* A thread of rank 0 computes 40 ms from 10 ms on, sends to rank 1, and computes 10 ms. Rank 0 waits for its end, and
 * then sends, too. Rank 1 has computed 50 ms; after each message it computes 10 ms. */
static const struct script_event created[] = {
    {0, S_BEGIN, 0},
    {0, S_CREATE, 10 MS, .e = 1},
    {0, S_ENTER, 20 MS, JOIN},
    {0, S_WAIT_LIFE, 60 MS, .e = 1},
    {0, S_LEAVE, 60 MS, JOIN},
    SENDS(0, 60 MS, 60 MS, 1, 9),
    {0, S_END, 70 MS},
    {1, S_BEGIN, 0},
    RECEIVES(1, 50 MS, 50 MS, 0, 7),
    RECEIVES(1, 60 MS, 60 MS, 0, 9),
    {1, S_END, 70 MS},
    {2, S_LIFE, 10 MS, .e = 1},
    SENDS(2, 50 MS, 50 MS, 1, 7),
    {2, S_LIFE_ENDS, 60 MS, .e = 1},
};

/* Two parallel regions of 30 ms. In the second, the thread of rank 0 gets a message from that of rank 1. */
static const struct script_event forked[] = {
    {0, S_BEGIN, 0},
    {0, S_FORK, 10 MS},
    {0, S_JOIN, 40 MS},
    {0, S_FORK, 50 MS},
    {0, S_JOIN, 80 MS},
    {0, S_END, 90 MS},
    {1, S_BEGIN, 0},
    {1, S_FORK, 10 MS},
    {1, S_JOIN, 40 MS},
    {1, S_FORK, 50 MS},
    {1, S_JOIN, 80 MS},
    {1, S_END, 90 MS},
    {2, S_TEAM, 50 MS},
    RECEIVES(2, 60 MS, 60 MS, 1, 7),
    {2, S_TEAM_ENDS, 70 MS},
    {3, S_TEAM, 50 MS},
    SENDS(3, 60 MS, 60 MS, 0, 7),
    {3, S_TEAM_ENDS, 70 MS},
};

/* Nothing says how the threads begin. Both do an allreduce in a communicator of their own, while the ranks compute 50
 * ms and do one after that. */
static const struct script_event collective[] = {
    {0, S_BEGIN, 0},
    COLLECTS(0, 50 MS, 50 MS, 0),
    {0, S_END, 60 MS},
    {1, S_BEGIN, 0},
    COLLECTS(1, 50 MS, 50 MS, 0),
    {1, S_END, 60 MS},
    COLLECTS(2, 20 MS, 20 MS, 2),
    {2, S_END, 30 MS},
    COLLECTS(3, 20 MS, 20 MS, 2),
    {3, S_END, 30 MS},
};

/* Nobody sends what the thread of rank 1 receives. */
static const struct script_event lone[] = {
    {0, S_BEGIN, 0}, {0, S_END, 10 MS}, {1, S_BEGIN, 0}, {1, S_END, 10 MS}, RECEIVES(3, 0, 5 MS, 0, 7),
};

/* As Score-P leaves collectives of neighbors, of which it has the time alone: 30 ms of 40. */
static const struct script_event neighbors[] = {
    {0, S_BEGIN, 0}, {0, S_ENTER, 10 MS, NEIGHBOR}, {0, S_LEAVE, 40 MS, NEIGHBOR}, {0, S_END, 40 MS},
    {1, S_BEGIN, 0}, {1, S_ENTER, 10 MS, NEIGHBOR}, {1, S_LEAVE, 40 MS, NEIGHBOR}, {1, S_END, 40 MS},
};

/* Rank 0 receives from any source: first from rank 1, which sends first. */
static const struct script_event any[] = {
    {0, S_BEGIN, 0},
    {0, S_ENTER, 0, RECV},
    {0, S_RECV, 10 MS, 1, 0, 5, 8, 1},
    {0, S_LEAVE, 10 MS, RECV},
    {0, S_ENTER, 10 MS, RECV},
    {0, S_RECV, 20 MS, 2, 0, 5, 8, 1},
    {0, S_LEAVE, 20 MS, RECV},
    {0, S_END, 20 MS},
    {1, S_BEGIN, 0},
    SENDS(1, 10 MS, 10 MS, 0, 5),
    {2, S_BEGIN, 0},
    SENDS(2, 20 MS, 20 MS, 0, 5),
};

/* A gatherv to rank 0 of blocks some of which are long for an algorithm that goes by lengths, then a barrier. */
#define GATHERS(location, sent, received)                                                                              \
    {location, S_BEGIN, 0}, {location, S_ENTER, 10 MS, BCAST},                                                         \
        {location, S_COLLECTIVE, 20 MS, OTF2_COLLECTIVE_OP_GATHERV, 0, 0, sent, received},                             \
        {location, S_LEAVE, 20 MS, BCAST}, {location, S_ENTER, 20 MS, BCAST},                                          \
        {location, S_COLLECTIVE, 30 MS, OTF2_COLLECTIVE_OP_BARRIER, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0},               \
        {location, S_LEAVE, 30 MS, BCAST},                                                                             \
    {                                                                                                                  \
        location, S_END, 30 MS                                                                                         \
    }
static const struct script_event gatherv[] = {
    GATHERS(0, 1364, 3144),
    GATHERS(1, 1512, 0),
    GATHERS(2, 60, 0),
    GATHERS(3, 208, 0),
};

/* Communicator 2 has the same ranks as the world. */
static const struct script_comm both[] = {
    {.n_members = 1, .members = {0}},
    {.n_members = 2, .members = {0, 1}},
};

static const struct archive archives[] = {
    {"created", {SCRIPT(2, created), .n_others = 1}},
    {"forked", {SCRIPT(2, forked), .n_others = 2}},
    {"neighbors", {SCRIPT(2, neighbors)}},
    {"any", {SCRIPT(3, any)}},
    {"gatherv", {SCRIPT(4, gatherv)}},
    {"lone", {SCRIPT(2, lone), .n_others = 2}},
    {"collective", {SCRIPT(2, collective), .n_others = 2, .comms = both, .n_comms = COUNT(both)}},
};

/* threads_otf2 ARCHIVE FOLDER: writes the archive there. */
int main(void)
{
    int status;
    if (write_archive(&status, archives, COUNT(archives)))
        return status;
    static const struct test tests[] = {
        {"threads that begin of themselves", test_of_themselves},
        {"lives of threads", test_lives},
        {"forks", test_forks},
        {"requests of another thread", test_requests},
        {NULL, NULL},
    };
    return testing_run("threads_otf2", tests);
}
