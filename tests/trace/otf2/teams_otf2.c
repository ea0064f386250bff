/* The reader of OTF2: teams of threads within ranks, their barriers, locks and tasks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/trace/otf2/locations.h"

/* A region of a location. */
#define REGION(location, begin, end, region)                                                                           \
    {location, S_ENTER, begin, region},                                                                                \
    {                                                                                                                  \
        location, S_LEAVE, end, region                                                                                 \
    }
/* A further thread's part of a parallel region, which ends with the barrier. */
#define PART(location, begin, barrier, end)                                                                            \
    {location, S_TEAM, begin}, {location, S_ENTER, begin, PARALLEL}, REGION(location, barrier, end, TEAM_BARRIER),     \
        {location, S_LEAVE, end, PARALLEL},                                                                            \
    {                                                                                                                  \
        location, S_TEAM_ENDS, end                                                                                     \
    }
/* The record of the rank's own thread. */
#define OWN_PART(location, begin, barrier, end)                                                                        \
    {location, S_ENTER, begin, PARALLEL}, {location, S_FORK, begin}, REGION(location, barrier, end, TEAM_BARRIER),     \
        {location, S_JOIN, end},                                                                                       \
    {                                                                                                                  \
        location, S_LEAVE, end, PARALLEL                                                                               \
    }

enum { FORK = 5 << 16, THREAD = 5, JOINS = 1, BARRIER = 4 };

/* The other thread comes to the barrier last, at 30; what is left of it is OpenMP's. */
static void test_barrier(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0}, OWN_PART(0, 10, 20, 32), {0, S_END, 40}, PART(1, 10, 30, 31)};
    char own[600], other[600];
    snprintf(own, sizeof own,
             "compute 0-10\nenter !$omp parallel @a.c:5 10\nsignal 10 mark %d of 2\ncompute 10-20\n"
             "await 20-30 sleep 8 mark %d of 2 for 1\nsignal 30 mark %d of 2\ncompute 30-32 control\n"
             "await 32 sleep 8 mark %d of 2\nleave !$omp parallel @a.c:5 32\ncompute 32-40\nsignal 40 mark %d of 2\n",
             FORK + THREAD, FORK + BARRIER, FORK + THREAD + BARRIER, FORK + JOINS, 2 * FORK + THREAD);
    snprintf(other, sizeof other,
             "await 0-10 sleep 7 mark %d of 2\nenter !$omp parallel @a.c:5 10\ncompute 10-30\nsignal 30 mark %d of 2\n"
             "await 30 sleep 8 mark %d of 2 for 1\ncompute 30-31 control\nleave !$omp parallel @a.c:5 31\n"
             "signal 31 mark %d of 2\nawait 31-40 sleep 7 mark %d of 2\n",
             FORK + THREAD, FORK + BARRIER, FORK + THREAD + BARRIER, FORK + JOINS, 2 * FORK + THREAD);
    CHECK("barrier", ((struct script){SCRIPT(1, events), .n_others = 1}), own, other);
}

/* In the barrier, threads do tasks. One of them waits for others meanwhile, and goes on within the next one. */
static const struct script_event tasks[] = {
    {0, S_BEGIN, 0},
    {0, S_ENTER, 0, PARALLEL},
    {0, S_FORK, 0},
    {0, S_ENTER, 10 MS, TEAM_BARRIER},
    {0, S_TASK, 12 MS},
    REGION(0, 12 MS, 30 MS, TASK),
    {0, S_TASK, 30 MS},
    {0, S_LEAVE, 40 MS, TEAM_BARRIER},
    {0, S_JOIN, 40 MS},
    {0, S_LEAVE, 40 MS, PARALLEL},
    {0, S_END, 40 MS},
    {1, S_TEAM, 0},
    {1, S_ENTER, 0, PARALLEL},
    {1, S_ENTER, 5 MS, TEAM_BARRIER},
    {1, S_TASK, 8 MS},
    {1, S_ENTER, 8 MS, TASK},
    {1, S_ENTER, 10 MS, TASK_WAIT},
    {1, S_TASK, 12 MS},
    {1, S_ENTER, 12 MS, OTHER_TASK},
    {1, S_TASK, 20 MS},
    {1, S_LEAVE, 22 MS, TASK_WAIT},
    {1, S_LEAVE, 25 MS, TASK},
    {1, S_TASK, 25 MS},
    {1, S_LEAVE, 38 MS, OTHER_TASK},
    {1, S_TASK, 38 MS},
    {1, S_LEAVE, 40 MS, TEAM_BARRIER},
    {1, S_LEAVE, 40 MS, PARALLEL},
    {1, S_TEAM_ENDS, 40 MS},
};

/* Events that belong to nothing: a join without a fork, barriers and locks outside of teams, a team that ends twice. */
static const struct script_event odd[] = {
    {0, S_BEGIN, 0},
    {0, S_JOIN, 1 MS},
    REGION(0, 2 MS, 3 MS, TEAM_BARRIER),
    {0, S_GOT_LOCK, 4 MS},
    {0, S_FORK, 5 MS},
    REGION(0, 6 MS, 7 MS, TEAM_BARRIER),
    {0, S_TASK, 8 MS},
    {0, S_END, 10 MS},
    REGION(1, 0, 1 MS, TEAM_BARRIER),
    {1, S_TEAM_ENDS, 1 MS},
    {1, S_TEAM, 2 MS},
    {1, S_TEAM_ENDS, 3 MS},
    {1, S_TEAM_ENDS, 3 MS},
    {1, S_TEAM, 6 MS},
    REGION(1, 6 MS, 7 MS, TEAM_BARRIER),
    REGION(1, 7 MS, 8 MS, TEAM_BARRIER),
    {1, S_GOT_LOCK, 8 MS},
};

/* Three threads of each of two ranks. Of rank 0, they compute 10, 20 and 40 ms; of rank 1, each 10 ms in a critical
 * region. */
static const struct script_event teams[] = {
    {0, S_BEGIN, 0},
    OWN_PART(0, 10 MS, 20 MS, 51 MS),
    {0, S_END, 80 MS},
    PART(2, 10 MS, 30 MS, 51 MS),
    PART(4, 10 MS, 50 MS, 51 MS),
    {1, S_BEGIN, 0},
    {1, S_ENTER, 10 MS, PARALLEL},
    {1, S_FORK, 10 MS},
    {1, S_ENTER, 10 MS, CRITICAL},
    {1, S_GOT_LOCK, 10 MS},
    {1, S_LEAVE, 20 MS, CRITICAL},
    REGION(1, 20 MS, 40 MS, TEAM_BARRIER),
    {1, S_JOIN, 40 MS},
    {1, S_LEAVE, 40 MS, PARALLEL},
    {1, S_END, 80 MS},
    {3, S_TEAM, 10 MS},
    {3, S_ENTER, 10 MS, PARALLEL},
    {3, S_ENTER, 10 MS, CRITICAL},
    {3, S_GOT_LOCK, 20 MS},
    {3, S_LEAVE, 30 MS, CRITICAL},
    REGION(3, 30 MS, 40 MS, TEAM_BARRIER),
    {3, S_LEAVE, 40 MS, PARALLEL},
    {3, S_TEAM_ENDS, 40 MS},
    {5, S_TEAM, 10 MS},
    {5, S_ENTER, 10 MS, PARALLEL},
    {5, S_ENTER, 10 MS, CRITICAL},
    {5, S_GOT_LOCK, 30 MS},
    {5, S_LEAVE, 40 MS, CRITICAL},
    REGION(5, 40 MS, 40 MS, TEAM_BARRIER),
    {5, S_LEAVE, 40 MS, PARALLEL},
    {5, S_TEAM_ENDS, 40 MS},
};

/* Rank 0 has two threads, which work 90 ms and 10; two barriers. */
static const struct script_event imbalance[] = {
    {0, S_BEGIN, 0},
    {0, S_ENTER, 0, PARALLEL},
    {0, S_FORK, 0},
    REGION(0, 5 MS, 10 MS, TEAM_BARRIER),
    REGION(0, 15 MS, 90 MS, TEAM_BARRIER),
    {0, S_JOIN, 90 MS},
    {0, S_LEAVE, 90 MS, PARALLEL},
    {0, S_END, 100 MS},
    {1, S_TEAM, 0},
    {1, S_ENTER, 0, PARALLEL},
    REGION(1, 10 MS, 10 MS, TEAM_BARRIER),
    REGION(1, 90 MS, 90 MS, TEAM_BARRIER),
    {1, S_LEAVE, 90 MS, PARALLEL},
    {1, S_TEAM_ENDS, 90 MS},
};

/* Counters, before each Enter and Leave, of rank 0, its thread, and rank 1; and what location 3 only records. The first
 * 100 are of no region. Of rank 0, main has 400 + 100 in 8 s, phase 1000 in 3 s; of rank 1, main has 7 in 10 s. */
static const struct script_event counters[] = {
    {0, S_METRIC, 0, 0, 100, 200},
    {0, S_ENTER, 0, MAIN},
    {0, S_METRIC, 2000 MS, 0, 500, 210},
    {0, S_ENTER, 2000 MS, PHASE},
    {0, S_METRIC, 5000 MS, 0, 1500, 230},
    {0, S_METRIC, 5000 MS, 1, 2, 0},
    {0, S_LEAVE, 5000 MS, PHASE},
    {0, S_METRIC, 9000 MS, 0, 1500, 260},
    {0, S_METRIC, 9000 MS, 77, 1, 1},
    {0, S_LEAVE, 9000 MS, MAIN},
    {0, S_END, 10000 MS},
    {1, S_ENTER, 0, MAIN},
    {1, S_METRIC, 10000 MS, 0, 7, 100},
    {1, S_LEAVE, 10000 MS, MAIN},
    {2, S_TEAM, 0},
    {2, S_ENTER, 0, MAIN},
    {2, S_METRIC, 2000 MS, 0, 100, 210},
    {2, S_LEAVE, 2000 MS, MAIN},
    {2, S_TEAM_ENDS, 2000 MS},
    {3, S_METRIC, 0, 2, 5000, 300},
    {3, S_METRIC, 1000 MS, 2, 5600, 500},
    {3, S_METRIC, 1000 MS, 3, 5900, 100},
    {3, S_METRIC, 2000 MS, 3, 5950, 900},
};

static const struct archive archives[] = {
    {"counters", {SCRIPT(2, counters), .n_others = 1, .has_metrics = true}},
    {"teams", {SCRIPT(2, teams), .n_others = 4}},
    {"imbalance", {SCRIPT(1, imbalance), .n_others = 1}},
    {"tasks", {SCRIPT(1, tasks), .n_others = 1}},
    {"odd", {SCRIPT(1, odd), .n_others = 1}},
};

/* teams_otf2 ARCHIVE FOLDER: writes the archive there. */
int main(void)
{
    int status;
    if (write_archive(&status, archives, COUNT(archives)))
        return status;
    static const struct test tests[] = {
        {"barriers of teams", test_barrier},
        {NULL, NULL},
    };
    return testing_run("teams_otf2", tests);
}
