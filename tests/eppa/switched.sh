#!/usr/bin/env bash
# Recording is off and on: by MPI_Pcontrol, by EPPA_START and EPPA_STOP. What is recorded is what the program does while it
# is on, and messages of which one side is missing do no harm. Times are not looked at.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
ranks=3

# record MODE [NAME=VALUE...]: a trace of the program, and run.json is what simrun says of it.
record() {
    local mode=$1
    shift
    with "$@"
    timeout 300 mpirun -n $ranks "${recording[@]}" "${with[@]}" ./switched "$mode" >out 2>err || fail "$mode: the program"
    "$SIMRUN" -q -f json trace.otf2 >run.json || fail "$mode: the analysis"
    "$SIMRUN" -q -o /dev/null --platform icluster trace.otf2 || fail "$mode: the replay"
}

# holds WHAT FILTER: what jq says of the run.
holds() {
    jq -e ".runs[0] | $2" run.json >/dev/null || fail "$MPI, $1: not so: $2: $(jq -c '.runs[0] | [.messages, .collectives, .notes]' run.json)"
}
# rounds N: so many iterations are in it, each of a message and an allreduce of all ranks.
rounds() {
    holds "$1" ".messages == $((ranks * $2)) and .collectives == $((ranks * $2))"
}
calls() {
    holds "$1" "([.functions[] | select(.function == \"$2\") | .calls] | add) == $3"
}
off_share='[.notes[] | select(startswith("recording was off for"))] | length'

check_all() {
    compile switched
    record none
    rounds none 10
    holds none "($off_share) == 0"
    record middle
    rounds middle 6
    holds middle "($off_share) == 1 and ([.function_waits[] | select(.wait == \"not recorded\")] | length) == 1"
    [ "$(otf2-print trace.otf2 | grep -c '^MEASUREMENT_ON_OFF')" -eq $((2 * ranks)) ] || fail "middle: records of off and on"
    record late
    rounds late 5
    holds late '[.function_waits[].wait] | index("not recorded") == null' # its time begins where it is on
    record crossing
    calls crossing MPI_Wait $((10 * ranks - 1))
    calls crossing MPI_Send $((10 * ranks - 1))
    calls crossing MPI_Allreduce $((10 * ranks))
    record request
    calls request MPI_Irecv $((9 * ranks))
    calls request MPI_Wait $((9 * ranks))
    record none EPPA_START=iteration:4 EPPA_STOP=iteration:8
    rounds 'from a scope to a scope' 4
    record none EPPA_START=MPI_Allreduce:3
    calls 'from a call' MPI_Allreduce $((8 * ranks))
    calls 'from a call' MPI_Send $((7 * ranks))
    record none EPPA_STOP=MPI_Allreduce:3
    calls 'to a call' MPI_Allreduce $((2 * ranks))
    record none EPPA_START=iteration:ten
    grep -q "EPPA_START: 'iteration:ten' is not NAME:N, such as iteration:10 or MPI_Allreduce:100; it has no effect" err ||
        fail "a wrong condition: $(cat err)"
    rounds 'a wrong condition' 10
    with EPPA_START=iteration:11
    timeout 300 mpirun -n $ranks "${recording[@]}" "${with[@]}" ./switched none 2>err || fail "never: the program"
    grep -q 'EPPA_START: there was no iteration:11 on rank 0' err || fail "never: $(cat err)"
    with LD_PRELOAD="$preload" EPPA_FILE=profile.json EPPA_START=iteration:4 EPPA_STOP=iteration:8
    timeout 300 mpirun -n $ranks "${with[@]}" ./switched none || fail "profile: the program"
    jq -e "[.functions[] | select(.function == \"MPI_Send\") | .calls] == [$((4 * ranks))]" profile.json >/dev/null ||
        fail "$MPI, profile: $(jq -c '.functions' profile.json)"
    # Off are all iterations but four of ten; the parts add up.
    jq -e '(.not_recorded_s > 0) and .not_recorded_share > 0 and .not_recorded_share < 1 and
        ((([.rank_times[].not_recorded_s] | add) - .not_recorded_s) | fabs < 1e-6) and
        ((.not_recorded_s / (.not_recorded_s + ([.rank_times[].time_s] | add)) - .not_recorded_share) | fabs < 1e-3)' profile.json >/dev/null ||
        fail "$MPI, profile: the time that is not recorded: $(jq -c '[.not_recorded_s, .not_recorded_share, .rank_times]' profile.json)"
    with LD_PRELOAD="$preload" EPPA_FILE=profile.txt
    timeout 300 mpirun -n $ranks "${with[@]}" ./switched middle || fail "profile: the program"
    grep -qE "^Recording was off for [0-9.]+ ?% of the ranks' time, which is in none of these figures\.$" profile.txt || fail "profile: $(head -5 profile.txt)"
    with LD_PRELOAD="$preload" EPPA_FILE=profile.json
    timeout 300 mpirun -n $ranks "${with[@]}" ./switched none || fail "profile: the program"
    jq -e '.not_recorded_s == 0 and .not_recorded_share == 0' profile.json >/dev/null || fail "$MPI, a profile of all"
}

check_all
use_mpi mpich
check_all
[ $failed -eq 0 ] || exit 1
echo 'all as expected'
