#!/usr/bin/env bash
# polls.sh [--shares]: waiting under libeppa is waiting: whatever call a rank waits in, it is idle, and its trace is small; ranks
# that share processors compute as long as they have one. --shares: nothing else runs, so that a rank that waits waits in a call, and
# never for a processor.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
shares=${1-}

# waits_in_archive: for how long [s] rank 0 waits, from its first call in which it looks for the message until rank 1 sends it; and at
# most, where the call receives nothing and so nobody knows what it waited for: until the call ends.
waits_in_archive() {
    awk '
        $2 == 0 && $1 == "ENTER" && /"MPI_/ { if (!/MPI_(Init|Barrier|Irecv|Comm_rank|Finalize)/ && from == "") from = $3 }
        $2 == 0 && $1 == "LEAVE" && /"MPI_Request_get_status"/ { end = $3 }
        $2 == 1 && $1 == "MPI_SEND" { to = $3 }
        END { printf "%.9f %.9f\n", (to - from) / 1e9, ((end > to ? end : to) - from) / 1e9 }' printed
}

# waits NAME FUNCTION ARGUMENTS...: while rank 1 computes 100 ms of a processor, rank 0 does nothing but wait: as long as the archive says,
# however late it comes to it, and whether or not it has a processor meanwhile. Polls by FUNCTION are as many as the program says; those in a row are counted under the function of the
# last. - for the FUNCTION: it does not poll.
waits() {
    local name=$1 function=$2 bytes polls waited most
    shift 2
    polls=$(traced 2 ./polls "$@") || { fail "$name: the program" && return; }
    "$SIMRUN" -f json trace.otf2 >analysed.json || { fail "$name: the analysis" && return; }
    otf2-print trace.otf2 >printed 2>&1 || fail "$name: otf2-print"
    read -r waited most < <(waits_in_archive)
    jq -e --argjson waited "$waited" --argjson most "$most" --arg shares "$shares" '.runs[0] |
        ([.function_waits[] | select(.function | test("^(|MPI_(Init|Barrier|Send|Finalize))$") | not).time_s] | add // 0) as $idle |
        (.process_state_s | .useful[1] >= 0.095 and .useful[0] <= 0.01 + 0.1 * $waited and .idle[0] >= 0.95 * $waited) and $idle <= $most + 1e-6 and
        ($shares == "" or ($waited > 0.05 and $idle >= 0.95 * $waited))' analysed.json >/dev/null ||
        fail "$name: waits $waited s, $(jq -c '.runs[0] | .process_state_s, .function_waits' analysed.json)"
    bytes=$(du -sb trace.otf2 trace.def trace | awk '{ sum += $1 } END { print sum }')
    [ "$bytes" -lt 100000 ] || fail "$name: a trace of $bytes bytes"
    [ "$function" != - ] || return 0
    count_printed <printed >counted
    [ "$(awk -v names="^($function)$" '$1 ~ names { n += $2 } END { print n + 0 }' counted)" = "$polls" ] ||
        fail "$name: $polls polls, in the archive: $(tr '\n' ';' <counted)"
}

check_waits() {
    local way
    for way in recv wait waitall waitany probe; do
        waits "$way" - $way 100
    done
    for way in test testany testall testsome; do
        waits "$way" "MPI_T${way#t}" $way 100
        [ $way != test ] || check_replay
    done
    waits get_status MPI_Request_get_status get_status 100
    waits iprobe MPI_Iprobe iprobe 100
    waits any_iprobe MPI_Iprobe any_iprobe 100
    waits improbe MPI_Improbe improbe 100
    waits mixed "MPI_Iprobe|MPI_Test" mixed 100
    waits "test, sched_yield between" MPI_Test test 100 yield
    waits "mixed, sched_yield between" "MPI_Iprobe|MPI_Test" mixed 100 yield
    waits "iprobe, sleeping between" MPI_Iprobe iprobe 100 sleep
}

# The replay of the last trace on a machine of the same speed takes as long, and rank 0 waits there, too.
check_replay() {
    cat >there.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full"><cluster id="there" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/></zone>
</platform>
X
    printf '<scenario name="there"><platform file="there.xml"/><application name="trace" file="trace.otf2"/></scenario>' >there.scenario.xml
    "$SIMRUN" -f json there.scenario.xml >replayed.json || { fail "the replay" && return; }
    jq -e --argjson computed "$(jq '.runs[0].process_state_s.useful[1]' analysed.json)" '.runs[0] |
        .time_s > 0.99 * $computed and .time_s < 1.01 * $computed + 0.001 and .process_state_s.idle[0] >= 0.95 * .time_s' replayed.json >/dev/null ||
        fail "the replay: $(jq -c '.runs[0] | [.time_s, .process_state_s]' replayed.json)"
}

# Computation is what the processor did, whoever else wanted it: as long as the program's own clocks say.
check_processors() {
    local ranks=$(($(nproc) * 4)) used
    used=$(traced $ranks ./crowded 10 20000) || { fail "crowded" && return; }
    "$SIMRUN" -f json trace.otf2 >analysed.json || { fail "crowded: the analysis" && return; }
    jq -e --argjson used "$used" '.runs[0].state_s.useful | . > 0.9 * $used and . < 1.1 * $used' analysed.json >/dev/null ||
        fail "crowded: useful $(jq .runs[0].state_s.useful analysed.json) s, used $used s"
    "$SIMRUN" trace.otf2 | grep -q "$ranks ranks on $(nproc) cores" || fail "crowded: the report does not say so"
}

compile polls
compile crowded -ldl
check_waits
check_processors
exit $((failed > 0))
