#!/usr/bin/env bash
# profile.sh [--times|--processors]: profiles without a trace: calls and bytes are the program's own and those of a trace of the same program, times add up
# and are the program's, memory does not grow with the run, and a file is whole or not there. --times: nothing else runs, so that two
# runs of a program compute for as long. --processors: only what there is without sanitizers, which take time and memory of their own:
# of ranks that lack processors, and memory.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
times=${1-}
profiling=(-x LD_PRELOAD="$preload" -x EPPA_FILE=run.json)

# profiled RANKS COMMAND...: run it; the profile is run.json.
profiled() {
    local n=$1
    shift
    timeout 300 mpirun -n "$n" "${profiling[@]}" "$@"
}

# Messages and bytes that are sent, calls of collectives and the larger of what each has sent and received.
totals_of_program() {
    cat count.* | awk '
        $1 == "sent" { n += $4; bytes += $5 }
        $1 == "collective" { calls++; volume += $6 > $7 ? $6 : $7 }
        END { printf "%d %d %d %d\n", n, bytes, calls, volume }'
}

totals_of_profile() {
    jq -r '[([.message_sizes[].messages] | add // 0), ([.message_sizes[].bytes] | add // 0),
        ([.collective_volumes[].calls] | add // 0), ([.collective_volumes[].bytes] | add // 0)] | join(" ")' run.json
}

# Calls that poll depend on the moment: leave them out.
without_polls() {
    grep -vE '^MPI_(Test|Iprobe|Improbe|Request_get_status|Waitsome|Win_test|Win_wait)' | sort
}

sums() {
    jq -e 'def close($a; $b): ($a - $b | fabs) < 1e-8 * (1 + $a);
        close([.functions[].time_s] | add; .state_s.mpi) and close(.state_s | add; [.rank_times[].time_s] | add) and
        ([.rank_times[] | select(close(.state_s | add; .time_s) | not)] | length == 0) and
        (.pop.load_balance * .pop.communication_efficiency - .pop.parallel_efficiency | fabs) < 2e-6 and
        ([.functions[] | select(.shortest_s > .mean_s or .mean_s > .longest_s or .least_s > .most_s)] | length == 0) and
        .complete and .ranks == (.rank_times | length)' run.json >/dev/null || fail "$1: sums"
}

# In classes by powers of two.
classes() {
    jq -e '[.message_sizes[], .collective_volumes[]] | all((.messages // .calls) as $n |
        .bytes >= .from_bytes * $n and .bytes <= .to_bytes * $n and .to_bytes < ([2 * .from_bytes, 1] | max))' run.json >/dev/null ||
        fail "$1: classes of sizes"
}

# Calls of all threads count, whichever rank has how many; the times of ranks are those of the threads that initialized MPI.
check_threads() {
    local when
    compile threads -pthread
    for when in multiple joined serialized; do
        rm -f count.*
        profiled 3 ./threads $when >out || fail "threads: status $?"
        [ "$when" != serialized ] && ! grep -q 'provided multiple' out && continue
        [ "$(totals_of_program)" = "$(totals_of_profile)" ] || fail "threads $when: $(totals_of_program), $(totals_of_profile)"
        jq -e --arg when $when 'def close($a; $b): ($a - $b | fabs) < 1e-8 * (1 + $a);
            .unrecorded_calls == 0 and .other_threads.calls == (if $when == "serialized" then 0 else 150 end) and
            close([.functions[].time_s] | add; .state_s.mpi + .other_threads.time_s) and
            close(.mpi_s.communication; .state_s.mpi + .other_threads.time_s) and
            ([.rank_times[] | select(close(.state_s | add; .time_s) | not)] | length == 0) and
            ([.functions[].calls] | add) == 300' run.json >/dev/null || fail "threads $when: $(cat run.json)"
    done
    profiling[3]=EPPA_FILE=threads.txt
    profiled 3 ./threads multiple >out
    profiling[3]=EPPA_FILE=run.json
    ! grep -q 'provided multiple' out || grep -q '^Other threads made 150 calls, ' threads.txt || fail "threads: $(cat threads.txt)"
}

check_counts() {
    local program
    for program in every_message every_collective every_other; do
        compile $program
        rm -f count.*
        profiled 4 ./$program >out || fail "$program: status $?"
        if [ $program != every_other ] && [ "$(totals_of_program)" != "$(totals_of_profile)" ]; then
            fail "$program: the program counts $(totals_of_program), the profile $(totals_of_profile)"
        fi
        sums $program
        classes $program
        jq -r '.functions[] | "\(.function) \(.calls)"' run.json | without_polls >found
        traced 4 ./$program >out || fail "$program: traced"
        "$SIMRUN" -q -f json trace.otf2 | jq -r '.runs[0].functions[] | "\(.function) \(.calls)"' | without_polls >expected
        [ "$(wc -l <expected)" -ge 10 ] || fail "$program: the trace has few functions"
        cmp -s expected found || fail "$program: the trace (<) and the profile (>): $(diff expected found | tr '\n' ';')"
    done
    rm -f count.*
}

# A rank waits until the other has computed 200 ms: so says the profile. Computation is what the processor did, by the program's own
# clock.
check_times() {
    local polls
    compile polls
    profiled 2 ./polls wait 200 || fail "polls"
    jq -e '(.rank_times[0] | .time_s >= 0.19 and .state_s.useful < 0.01) and .rank_times[1].state_s.useful >= 0.19 and
        (.functions[] | select(.function == "MPI_Wait") | .most_rank == 0 and .calls == 1)' run.json >/dev/null || fail "waiting: $(jq -c '.rank_times[].state_s' run.json)"
    polls=$(profiled 2 ./polls test 200) || fail "polls"
    jq -e --argjson polls "$polls" '.rank_times[0].state_s.useful as $between | .functions[] | select(.function == "MPI_Test") |
        .calls == $polls and .time_s > 4 * $between' run.json >/dev/null ||
        fail "polls: $polls, $(jq -c '.rank_times[0], .functions' run.json)"
}

# Computation of ranks that lack processors, by the program's own clock.
check_crowded() {
    local ranks=$(($(nproc) * 4)) used
    compile crowded -ldl
    used=$(profiled $ranks ./crowded 10 20000) || fail "crowded"
    jq -e --argjson used "$used" '.state_s.useful | . > 0.9 * $used and . < 1.1 * $used' run.json >/dev/null ||
        fail "crowded: useful $(jq .state_s.useful run.json) s, used $used s"
    jq -e '.state_s.no_processor > 0 and .rank_times[0].cores_of_host < .rank_times[0].ranks_of_host and .processor_s > .state_s.useful' \
        run.json >/dev/null || fail "crowded: processors"
    sums crowded
}

# Efficiencies are of one definition in a profile and in a trace, whatever the load: computing, by the processor's clock,
# over the longest time of a rank. Neither MPI-IO nor what others wait for is computing.
check_efficiencies() {
    local blocks ranks=$(($(nproc) + 1)) # so many that they lack processors
    compile causes
    for blocks in 0 8; do
        profiled $ranks ./causes write $blocks || fail "writing $blocks"
        traced $ranks ./causes write $blocks || fail "writing $blocks, traced"
        "$SIMRUN" -q -f json trace.otf2 >trace.json || fail "writing $blocks, analysed"
        jq -es --argjson blocks $blocks 'def close($a; $b): ($a - $b | fabs) < 2e-6; .[0] as $p | .[1].runs[0] as $t |
            ([$p.rank_times[].state_s.useful] | add / $p.ranks) as $mean | ([$p.rank_times[].time_s] | max) as $longest |
            close($p.pop.parallel_efficiency; $mean / $longest) and
            close($p.pop.load_balance; $mean / ([$p.rank_times[].state_s.useful] | max)) and
            close($p.mpi_s | add; $p.state_s.mpi) and ($p.mpi_s.io > 0) == ($blocks > 0) and
            ($t.state_s.useful / $p.ranks / $t.pop.parallel_efficiency) as $longest |
            ($longest < 1.000001 * $t.time_s) and ($longest > 0.5 * $t.time_s) and (($t.state_s.io // 0) > 0) == ($blocks > 0) and
            close($t.pop.load_balance; $t.state_s.useful / $p.ranks / ($t.process_state_s.useful | max))' run.json trace.json >/dev/null ||
            fail "writing $blocks: $(jq -c '.pop, .state_s, .mpi_s' run.json) $(jq -c '.runs[0] | .pop, .state_s, .time_s' trace.json)"
        [ "$times" = --times ] || continue
        jq -es '.[0].state_s.useful / .[1].runs[0].state_s.useful | . > 0.9 and . < 1.1' run.json trace.json >/dev/null ||
            fail "writing $blocks: useful $(jq .state_s.useful run.json) s, traced $(jq .runs[0].state_s.useful trace.json) s"
    done
}

# Ten times as many calls take no more memory, and leave nothing on the disk meanwhile; a trace does.
check_memory() {
    local few many where line
    compile repeated
    line=$(profiled 1 env EPPA_SITES=1 ./repeated 20000) || fail "memory: the program"
    read -r few where <<<"$line"
    [ "$where" = none ] || fail "a profile has records on the disk"
    line=$(profiled 1 env EPPA_SITES=1 ./repeated 200000)
    read -r many where <<<"$line"
    [ $((many - few)) -lt 512 ] || fail "memory: $few KiB, with ten times the calls $many KiB"
    [ "$where" = none ] || fail "a profile has records on the disk"
    jq -e '.functions | all(.calls == 200000)' run.json >/dev/null || fail "calls: $(jq -c .functions run.json)"
    line=$(traced 1 ./repeated 20000)
    read -r few where <<<"$line"
    [ "$where" = spool ] || fail "a trace has no records on the disk"
}

# One page, whose first sentence is the answer.
check_text() {
    compile causes
    timeout 300 mpirun -n 2 "${recording[@]}" -x EPPA_FILE=run.txt ./causes stencil 40 || fail "text: the program"
    head -n 1 run.txt | grep -qE '^causes, 2 ranks in [0-9.]+ m?s: MPI takes [0-9.]+ % of the time; MPI_(Allreduce|Sendrecv) takes [0-9.]+ %\.$' ||
        fail "text: $(head -n 1 run.txt)"
    sed -n 2p run.txt | grep -qE '^Rank 0 computes longest, 1\.[0-9]+ times the mean; rank [01] spends the most time in MPI\.$' || fail "text: $(sed -n 2p run.txt)"
    timeout 300 mpirun -n 8 "${recording[@]}" -x EPPA_FILE=run.txt -x EPPA_SITES=1 ./every_collective >out || fail "text: 8 ranks"
    grep -q '(10 of [0-9]*; all are in JSON):$' run.txt || fail "text: functions"
    [ "$(wc -l <run.txt)" -le 60 ] || fail "text: $(wc -l <run.txt) lines"
    compile crowded -ldl
    timeout 300 mpirun -n 12 "${recording[@]}" -x EPPA_FILE=run.txt ./crowded 3 2000 >out || fail "text: 12 ranks"
    grep -q '^Ranks, the longest in MPI and the shortest (8 of 12):$' run.txt || fail "text: ranks"
    ! grep -q ' $' run.txt || fail "text: spaces at ends of lines"
    rm -f count.*
}

# An earlier profile is replaced; anything else is in the way, and stays.
check_place() {
    rm -rf run.json notes.txt
    compile end
    profiled 2 ./causes bad 20 || fail "place: the program"
    profiled 2 ./causes bad 20 2>messages || fail "place: again"
    [ ! -s messages ] || fail "place: $(cat messages)"
    echo mine >notes.txt
    timeout 300 mpirun -n 2 "${recording[@]}" -x EPPA_FILE=notes.txt ./causes bad 20 2>messages || fail "place: the program fails"
    [ "$(cat notes.txt)" = mine ] || fail "place: a file of others is overwritten"
    grep -q '^eppa: .*/notes.txt is in the way: it is not a profile that libeppa wrote; nothing is recorded$' messages || fail "place: $(cat messages)"
    timeout 300 mpirun -n 2 "${recording[@]}" -x EPPA_FILE=nowhere/run.json ./causes bad 20 2>messages || fail "no folder: the program fails"
    [ "$(grep -c '^eppa: ' messages)" = 1 ] || fail "no folder: $(cat messages)"
    ! ls -A | grep -q eppa || fail "left: $(ls -A | grep eppa)"
}

# A program that calls MPI_Abort writes its data so far; of a run that is killed, the file from before stays.
check_ends() {
    local how
    rm -f run.json
    profiled 3 ./end abort 1000 >out 2>&1 && fail "abort: status 0"
    jq -e '.complete == false and .ranks == 3 and [.rank_times[].rank] == [2] and
        (.functions[] | select(.function == "MPI_Sendrecv") | .calls) == 1000' run.json >/dev/null || fail "abort: $(head -c 300 run.json)"
    cp run.json former.json
    for how in crash exit; do
        rm -f reached
        profiled 3 ./end $how 1000 >out 2>&1 && fail "$how: status 0"
        [ -e reached ] || fail "$how: $(cat out)"
        cmp -s run.json former.json || fail "$how: the earlier profile has changed"
    done
    ! ls -A | grep -q eppa || fail "killed: left $(ls -A | grep eppa)"
}

# Without MPI nobody brings the ranks together.
check_manual() {
    env -u CFLAGS gcc -I"$SOURCE_DIR/src/eppa" -o pipes "$programs/pipes.c"
    if LD_PRELOAD=$preload EPPA_FILE=pipes.json timeout 300 ./pipes 2>messages; then
        fail "pipes: it is recorded"
    fi
    grep -q 'only programs that use MPI have a profile' messages || fail "pipes: $(cat messages)"
    [ ! -e pipes.json ] || fail "pipes: a profile"
}

if [ "$preload" = "$BUILD_DIR/libeppa.so" ]; then
    check_crowded
    check_memory
elif [ "$times" = --processors ]; then
    need "libraries without sanitizers" false
fi
[ "$times" != --processors ] || exit $((failed > 0))
check_counts
check_threads
check_times
check_efficiencies
check_text
check_place
check_ends
check_manual
exit $((failed > 0))
