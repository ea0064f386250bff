#!/usr/bin/env bash
# Teams of threads in traced programs, as OpenMP has them: archives as Score-P writes them. What is expected follows from what
# tests/trace/otf2/teams_otf2.c says of each, and from the events as otf2-print prints them (teams.py).
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh" || exit

for name in teams imbalance tasks odd; do
    mkdir "$work/$name"
    "$BUILD_DIR/tests/unit" teams_otf2 $name "$work/$name" || exit
    run check "$work/$name/trace.otf2"
    check "$name is good" said yes 'ok, [12] rank'
    run -q -f json "$work/$name/trace.otf2"
    # Every picosecond of each thread is in one of these.
    holds '.runs[0] | . as $run | all(.teams[];
        ((.busy_s + .serial_wait_s + .team_wait_s + .lock_wait_s + .other_wait_s - .time_s) * 1e12 | round) == 0
        and ((.parallel_s + .serial_s - $run.time_s) * 1e12 | round) == 0 and .time_s == $run.time_s * .threads)'
    if command -v otf2-print >/dev/null && [ $name != odd ] && [ $name != tasks ]; then
        otf2-print "$work/$name/trace.otf2" 2>/dev/null |
            python3 "$SOURCE_DIR/tests/cli/trace/teams.py" "$(jq '.runs[0].ranks' "$work/out")" >"$work/counted"
        same "what waits in $name" "$(jq -c '.runs[0].teams | [.[].team_wait_s, .[].lock_wait_s, .[].serial_wait_s] as $all | length as $n
            | [range(3)] | map(. as $k | $all[$k * $n:($k + 1) * $n] | add * 1e12 | round)' "$work/out")" \
            "$(jq -c 'map(. * 1e12 | round)' "$work/counted")"
    fi
done

# Threads of rank 0 compute 10, 20 and 40 ms, and wait for the third one; those of rank 1, one after the other, 10 ms each.
run -q -f json "$work/teams/trace.otf2"
holds '.runs[0].teams == [
    {"rank": 0, "threads": 3, "parallel_s": 0.041, "serial_s": 0.039, "time_s": 0.24, "busy_s": 0.112, "serial_wait_s": 0.078,
        "team_wait_s": 0.05, "lock_wait_s": 0, "other_wait_s": 0},
    {"rank": 1, "threads": 3, "parallel_s": 0.03, "serial_s": 0.05, "time_s": 0.24, "busy_s": 0.08, "serial_wait_s": 0.1,
        "team_wait_s": 0.03, "lock_wait_s": 0.03, "other_wait_s": 0}]'
holds '[.runs[0].team_waits[] | [.wait, .scope, .waits, .time_s, .last_thread, .for_last_s, .rank, .of_rank_s]] == [
    ["serial part", "program", 8, 0.178, -1, 0, 1, 0.1],
    ["wait for team", "!$omp parallel @a.c:5", 4, 0.08, 2, 0.08, 0, 0.05],
    ["lock of threads", "!$omp critical @a.c:7", 2, 0.03, -1, 0, 1, 0.03]]'
run -q "$work/teams/trace.otf2"
said yes '2 ranks in 80\.00 ms: 37 % of the time threads are idle while their rank.s own thread works alone'

# 5 ms at the first barrier and 75 at the second, of 200, for the other thread. A replay on a host of half the speed
# takes twice as long.
run -q "$work/imbalance/trace.otf2"
narrow
said yes '1 rank in 100\.0 ms: 40 % of the time threads wait for the last one of their team, in !\$omp parallel @a\.c:5, mostly for thread 1'
for part in "--ranks 0" "--from 0.01s"; do # of a part, too
    run -q $part -f json "$work/imbalance/trace.otf2"
    holds '.runs[0].team_waits[] | select(.wait == "wait for team") | .last_thread == 1 and .for_last_s == .time_s and .time_s >= 0.075'
done
loggp_platform 1 0 0 0 1000000000 >"$work/net.xml"
for speed in 1 2; do # of the traced host
    run -q -n quiet -p "$work/net.xml" --set speed=${speed}Gf -f json "$work/imbalance/trace.otf2"
    holds ".runs[0] | .time_s / $speed * 1e3 | round == 100"
done

# Tasks: 17 ms at the barrier, and 2 + 2 of a task that waits.
run -q -f json "$work/tasks/trace.otf2"
holds '.runs[0] | .teams[0].team_wait_s == 0.021'

# A copy says the same, and so do its replays.
facts() { jq '.runs[0] | del(.host, .platform)' "$work/out"; }
for name in teams imbalance tasks odd; do
    run -q -t "$work/copy.otf2" -f json "$work/$name/trace.otf2"
    facts >"$work/traced"
    run -q -f json "$work/copy.otf2"
    facts >"$work/copied"
    check "the copy of $name" cmp "$work/traced" "$work/copied"
done
finish
