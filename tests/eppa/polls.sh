#!/usr/bin/env bash
# Waiting under libeppa is waiting: whatever call a rank waits in, it is idle, and its trace is small; ranks that share
# processors compute as long as they have one.
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq

# waits NAME ARGUMENTS...: rank 0 is idle for at least 95 % of the 200 ms in which rank 1 computes.
waits() {
    local name=$1 bytes
    shift
    traced 2 ./polls "$@" || { fail "$name: the program" && return; }
    "$SIMRUN" -f json trace.otf2 >analysed.json || { fail "$name: the analysis" && return; }
    jq -e '.runs[0] | .process_state_s.idle[0] >= 0.95 * .process_state_s.useful[1] and .process_state_s.useful[1] >= 0.19' \
        analysed.json >/dev/null || fail "$name: $(jq -c '.runs[0].process_state_s | map_values(.[0])' analysed.json)"
    bytes=$(du -sb trace.otf2 trace.def trace | awk '{ sum += $1 } END { print sum }')
    [ "$bytes" -lt 100000 ] || fail "$name: a trace of $bytes bytes"
    otf2-print trace.otf2 >printed 2>&1 || fail "$name: otf2-print"
}

# Polls are as many as before the wait ended: the number is in the archive.
are_counted() {
    awk '/"eppa.polls"/ { match($0, /UINT64; [0-9]+/); polls += substr($0, RSTART + 8, RLENGTH - 8) }
        END { exit polls < 10000 }' printed || fail "$1: polls are not counted"
}

check_waits() {
    local way
    for way in recv wait waitall waitany probe; do
        waits "$way" $way 200
    done
    for way in test testany testall testsome get_status iprobe any_iprobe improbe mixed; do
        waits "$way" $way 200
        are_counted "$way"
    done
    waits "test, sched_yield between" test 200 yield
    waits "mixed, sched_yield between" mixed 200 yield
    waits "iprobe, sleeping between" iprobe 200 sleep
}

# The replay on a machine of the same speed takes as long, and rank 0 waits there, too.
check_replay() {
    waits test test 200
    cat >there.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full"><cluster id="there" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/></zone>
</platform>
X
    printf '<scenario name="there"><platform file="there.xml"/><application name="trace" file="trace.otf2"/></scenario>' >there.scenario.xml
    "$SIMRUN" -f json there.scenario.xml >replayed.json || { fail "the replay" && return; }
    jq -e '.runs[0] | .time_s > 0.19 and .time_s < 0.21 and .process_state_s.idle[0] >= 0.95 * .time_s' replayed.json >/dev/null ||
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
check_replay
check_processors
exit $((failed > 0))
