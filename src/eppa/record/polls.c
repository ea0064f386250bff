/* One record for a series of polls: its beginning is amended as it goes on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/polls.h"

#include "eppa/record/recorder.h"

#include <sched.h>

/* The gap after a poll is the loop's own - it may yield the processor - up to twice the shortest gap after the same
 * poll, and up to LOOP_NS, or twice the time that yielding the processor takes here, but at most MOST_LOOP_NS. In a gap
 * from LONG_NS on the thread is asked for its processor time. A series in which more than MOST_COMPUTED_NS were
 * computed is cut, so that little is moved far. Polls are told apart by where they are called. */
enum { LOOP_NS = 1000, MOST_LOOP_NS = 5000, LONG_NS = 10000, MOST_COMPUTED_NS = 1000000, N_SITES = 8, N_YIELDS = 5 };

static int64_t most_loop_ns = LOOP_NS;

static struct {
    unsigned char *place; /* of its record; NULL: none is open */
    int64_t n;
    int64_t entered_ns, ended_ns; /* of the first poll, without what was computed; of the latest */
    int64_t computed_ns;
    struct site {
        const void *call;
        int64_t shortest_ns; /* gap after it */
    } sites[N_SITES];
    int n_sites;
    struct site *site;          /* of the latest poll */
    uint32_t caller;            /* its call site; 0: not known */
    int64_t cpu_ns, sampled_ns; /* the thread's processor time, and when it was that */
    bool is_sampled;
} series;

void polls_prepare(void)
{
    int64_t least_ns = MOST_LOOP_NS / 2, before_ns = clock_now_ns();
    for (int i = 0; i < N_YIELDS; i++) {
        sched_yield();
        int64_t now_ns = clock_now_ns();
        if (now_ns - before_ns < least_ns)
            least_ns = now_ns - before_ns;
        before_ns = now_ns;
    }
    most_loop_ns = 2 * least_ns > LOOP_NS ? 2 * least_ns : LOOP_NS;
}

static void sample(int64_t now_ns)
{
    series.cpu_ns = clock_thread_ns();
    series.sampled_ns = now_ns;
    series.is_sampled = true;
}

/* How much of the gap that ends now was computation. */
static int64_t computed_within(int64_t gap_ns, int64_t now_ns)
{
    if (gap_ns < series.site->shortest_ns)
        series.site->shortest_ns = gap_ns;
    int64_t twice_ns = 2 * series.site->shortest_ns, loop_ns = twice_ns < most_loop_ns ? twice_ns : most_loop_ns;
    int64_t most_ns = gap_ns - loop_ns;
    if (gap_ns < LONG_NS || !series.is_sampled)
        return most_ns > 0 ? most_ns : 0;
    int64_t cpu_ns = series.cpu_ns, outside_ns = now_ns - series.sampled_ns - gap_ns;
    sample(now_ns);
    int64_t used_ns = series.cpu_ns - cpu_ns - outside_ns;
    if (2 * used_ns < gap_ns) /* it slept, and woke up now and then */
        return 0;
    return used_ns < most_ns ? used_ns : most_ns;
}

/* Where there are too many, the further ones are taken for one. */
static struct site *find_site(const void *call)
{
    int i = 0;
    while (i < series.n_sites && series.sites[i].call != call)
        i++;
    if (i == N_SITES)
        return &series.sites[N_SITES - 1];
    if (i == series.n_sites)
        series.sites[series.n_sites++] = (struct site){call, INT64_MAX / 2};
    return &series.sites[i];
}

static void begin(uint16_t region, int64_t now_ns)
{
    processor_end_gap(now_ns);
    series.n = series.computed_ns = 0;
    series.entered_ns = now_ns;
    series.n_sites = 0;
    series.is_sampled = false;
    put(SPOOL_ENTER, region, series.caller, now_ns, 1, &series.n);
    series.place = recorder.spool.next - SPOOL_HEAD - 8;
}

bool polls_begin(uint16_t region, struct caller caller)
{
    if (!recorder_wants())
        return false;
    thread_state.is_inside = true;
    if (recorder.has_sites)
        python_look();
    recorder_begin_turn();
    if (!recorder.is_used[region])
        recorder_use(region);
    int64_t now_ns = clock_now_ns();
    recorder.place = series.caller = recorder.has_sites ? recorder_place(caller) : 0;
    if (series.place != NULL) {
        int64_t computed_ns = computed_within(now_ns - series.ended_ns, now_ns);
        if (series.computed_ns + computed_ns > MOST_COMPUTED_NS)
            polls_close();
        else
            series.computed_ns += computed_ns;
    }
    if (series.place == NULL)
        begin(region, now_ns);
    thread_state.entered_ns = now_ns;
    series.site = find_site(caller.address);
    series.n++;
    return true;
}

/* The record is written as far as it goes, in case the process is killed in the next moment. */
static void amend(void)
{
    int64_t entered_ns = series.entered_ns + series.computed_ns;
    spool_amend(series.place, entered_ns, series.n);
}

void polls_failed(void)
{
    int64_t now_ns = clock_now_ns();
    series.ended_ns = now_ns;
    amend();
    if (!series.is_sampled)
        sample(now_ns);
    processor_begin_gap(now_ns);
    recorder_end_turn();
    thread_state.is_inside = false;
}

void polls_found(uint16_t region)
{
    amend();
    spool_amend_id(series.place, region, series.caller);
    thread_state.entered_ns = series.entered_ns + series.computed_ns;
    series.place = NULL;
}

void polls_close(void)
{
    if (series.place == NULL)
        return;
    series.place = NULL;
    put(SPOOL_LEAVE, 0, 0, series.ended_ns, 0, NULL);
}
