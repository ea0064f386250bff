#!/usr/bin/env bash
# processors.sh [--shares]: why a rank does not compute is told: it sleeps or is blocked, other ranks have its processor, or other
# programs do. --shares: nothing else runs, so that it is known how long who has a processor; else only what is so on a busy computer.
# A replay sleeps as long, and lacks no processor. tests/data/traces/asleep is of a libeppa that only knew that there was
# none: each of 4 ranks on 2 cores sleeps 300 ms.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
shares=${1-}
simrun() { "$SIMRUN" -q "$@"; }
platform=$SOURCE_DIR/platforms/icluster.xml
cat >pauses.c <<'EOF'
/* pauses sleep|thread|work MILLISECONDS TIMES: all ranks do that, and meet after each time. `thread`: another thread
 * computes meanwhile. Work is so long of the processor's time. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double milliseconds;

static void *work(void *unused)
{
    struct timespec from, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while (1e3 * (double)(now.tv_sec - from.tv_sec) + 1e-6 * (double)(now.tv_nsec - from.tv_nsec) < milliseconds);
    return unused;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    milliseconds = atof(argv[2]);
    struct timespec pause = {.tv_nsec = (long)(1e6 * milliseconds)};
    for (int i = 0; i < atoi(argv[3]); i++) {
        pthread_t thread;
        if (strcmp(argv[1], "sleep") == 0)
            nanosleep(&pause, NULL);
        else if (strcmp(argv[1], "work") == 0)
            work(NULL);
        else if (pthread_create(&thread, NULL, work, NULL) == 0)
            pthread_join(thread, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
EOF
env -u CFLAGS mpicc -O1 -o pauses pauses.c -lpthread || exit 1

# expect WHAT FILE FILTER: it holds for the JSON.
expect() {
    jq -e "$3" "$2" >/dev/null || fail "$1: $(jq -c '.runs[]? | {time_s, state_s, critical_path_s, processors}' "$2" 2>/dev/null || cat "$2")"
}

# pauses RANKS ARGUMENT...: traced, analyzed in trace.json, replayed in replay.json; the answer is in answer.
pauses() {
    local ranks=$1
    shift
    traced "$ranks" "${bound[@]}" ./pauses "$@" || fail "$*: status $?"
    simrun -f json trace.otf2 >trace.json || fail "$*: not analysed"
    simrun -f json -p "$platform" trace.otf2 >replay.json || fail "$*: not replayed"
    simrun trace.otf2 >answer
}
bound=()
cores=$(nproc)

check_sleep() {
    local kind
    for kind in sleep thread; do
        pauses $((2 * cores)) $kind 150 2
        expect "$kind" trace.json '.runs[0] | (.processors | all(.asleep_s > 0.29)) and .critical_path_s.off_processor > 0.29'
        expect "$kind again" replay.json '.runs[0].time_s > 0.29'
        [ -z "$shares" ] || tr -s ' \n' ' ' <answer | grep -q 'ranks sleep or are blocked outside of the message library' || fail "$kind: $(head -4 answer)"
    done
    simrun -p "$platform" trace.otf2 | grep -q 'taking as long as traced on any platform: sleep, ' || fail "a replay does not say that it sleeps"
    # Written replays sleep, too.
    simrun -f json -p "$platform" --trace again.otf2 trace.otf2 >replay.json
    simrun -f json again.otf2 >written.json
    simrun -f json -p "$platform" again.otf2 >replay.again.json
    jq -e -s '.[0].runs[0].time_s as $t | all(.runs[0].time_s == $t) and (.[1].runs[0].processors | all(.asleep_s > 0.29))' \
        replay.json written.json replay.again.json >/dev/null || fail "sleep, written and read: $(jq -c .runs[0].time_s ./*.json)"
}

# Three times as many ranks as cores: they have about a third of a core each, unless others have some of it.
check_crowd() {
    pauses $((3 * cores)) work 40 4
    expect crowd trace.json '.runs[0] | .time_s as $t | ([.processors[].no_processor_s] | add) > 0 and
        (.processors | all(.processor_s >= 0.16))'
    [ -z "$shares" ] || expect 'shares of a crowd' trace.json '.runs[0] | .time_s as $t |
        (.processors | all(.no_processor_s + .other_programs_s > 0.3 * $t and .processor_s < 0.8 * $t)) and
        ([.processors[].asleep_s] | add) < 0.05 * $t * (.processors | length)'
    expect 'crowd again' replay.json '.runs[-1].time_s | . >= 0.16 and . < 0.25'
}

# Another program on the core of rank 0, for which the others wait: it is not said to compute longer.
check_foreign() {
    local load ranks=$((cores > 1 ? 2 : 1)) own
    own=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
    taskset -c "$own" sh -c 'while :; do :; done' &
    load=$!
    cat >bound.sh <<EOF
if [ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" = 0 ]; then exec taskset -c $own "\$@"; fi
exec "\$@"
EOF
    bound=(sh bound.sh)
    pauses $ranks work 40 8
    bound=()
    kill $load
    wait $load 2>/dev/null || true
    expect foreign trace.json '.runs[0].processors[0] | .other_programs_s > 0 and .processor_s >= 0.32'
    expect 'foreign again' replay.json '.runs[-1].time_s | . >= 0.32 and . < 0.4'
    [ -n "$shares" ] || return 0
    expect 'shares, foreign' trace.json '.runs[0] | .time_s as $t | .processors[0] |
        .other_programs_s > 0.2 * $t and .asleep_s < 0.05 * $t'
    tr -s ' \n' ' ' <answer >line
    grep -qE "other programs (had rank 0's processor for|have)" line || fail "other programs: $(head -4 answer)"
    ! grep -qE 'computes (longest|[0-9.]* times)' line || fail "who computes: $(head -4 answer)"
}

check_older() {
    simrun -f json "$SOURCE_DIR/tests/data/traces/asleep.otf2" >older.json
    simrun -f json -p "$platform" "$SOURCE_DIR/tests/data/traces/asleep.otf2" >replay.json
    expect older older.json '.runs[0] | (.processors | all(.off_s > 0.29 and .no_processor_s == 0)) and .critical_path_s.off_processor > 0.29'
    expect 'older, again' replay.json '.runs[-1].time_s | . > 0.3 and . < 0.31'
    simrun "$SOURCE_DIR/tests/data/traces/asleep.otf2" >answer
    grep -q 'no processor and wait for no other rank: they sleep, or other programs use it' <(tr -s ' \n' ' ' <answer) ||
        fail "older: $(head -4 answer)"
}

check_older
check_sleep
check_crowd
check_foreign
exit $((failed > 0))
