#!/usr/bin/env bash
# Programs in which one rank is late to calls that synchronize, traced: who waits in which function, and for whom. Where
# all wait for the last one, how long is held against otf2-print, whatever else the computer does meanwhile.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
need simrun test -x "$SIMRUN"

# for_the_last FUNCTION: of all its calls together, the rank that others wait most for, and how long they wait for it
# and for all [ns]. Who leaves before the last one has come needed only its start, where a call of its own starts it.
for_the_last() {
    otf2-print trace.otf2 | awk -v name="\"$1\"" '
        $1 == "ENTER" && $5 == "\"MPI_Start\"" { started[$2] = $3 }
        $1 == "ENTER" && $5 == name {
            at[$2, ++n[$2]] = $3
            start[$2, n[$2]] = started[$2] ? started[$2] : $3
            ranks[$2] = 1
        }
        $1 == "LEAVE" && $5 == name { left[$2, n[$2]] = $3 }
        function latest(of, k,   r, last) {
            last = -1
            for (r in ranks) if (last < 0 || of[r, k] > of[last, k]) last = r
            return last
        }
        END {
            for (k = 1; k <= n[0]; k++)
                for (r in ranks) {
                    last = latest(at, k)
                    until = at[last, k]
                    if (until > left[r, k]) { last = latest(start, k); until = start[last, k] }
                    if (until > left[r, k]) until = left[r, k]
                    if (until > at[r, k]) waited[last] += until - at[r, k]
                }
            for (r in ranks) { all += waited[r]; if (most == "" || waited[r] > waited[most]) most = r }
            printf "%d %.0f %.0f\n", most, waited[most], all
        }'
}

# traced_as PROGRAM FUNCTION WAIT: it waits in the function, mostly like that, and all is understood.
traced_as() {
    traced $n ./synchronise "$1" >out || fail "$MPI, $1: status $?"
    "$SIMRUN" -f json trace.otf2 >found.json || fail "$MPI, $1: is not analysed"
    jq -e --arg f "$2" --arg wait "$3" '.runs[0] | (.function_waits | map(select(.function == $f)) | length == 1 and
        .[0].wait == $wait and .[0].time_s > 0) and (.notes | map(select(test("not analyzed|assumed"))) | length == 0)' \
        found.json >/dev/null || fail "$MPI, $1: $(jq -c '.runs[0] | .notes, .function_waits' found.json)"
}

# waits PROGRAM FUNCTION WAIT: for the last one.
waits() {
    traced_as "$@"
    for_the_last "$2" >expected
    jq -r --arg f "$2" '.runs[0].function_waits[] | select(.function == $f) |
        [.for_rank, ((.for_rank_s, .time_s) * 1e9 | round)] | join(" ")' found.json | cmp -s - expected ||
        fail "$MPI, $1: $(jq -c '.runs[0].function_waits' found.json), expected $(cat expected)"
}

for mpi in openmpi mpich; do
    use_mpi $mpi
    n=3
    [ $mpi = openmpi ] || n=2 # it polls all the time
    compile synchronise
    waits fence MPI_Win_fence "wait at fence"
    waits handles MPI_Comm_dup "wait at create"
    waits files MPI_File_open "wait at file"
    waits persistent MPI_Wait "wait at N x N"
    traced_as neighbours MPI_Neighbor_allgather "late sender"
    traced_as complete MPI_Win_wait "early wait"
    [ $mpi = mpich ] || traced_as locks MPI_Win_lock "lock contention" # MPICH's waits when it is used
    traced_as post MPI_Win_start "late post"
done

[ $failed -eq 0 ]
