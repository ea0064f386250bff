#!/usr/bin/env bash
# Real MPI programs under libeppa. What the archive says of messages and collectives is held against the programs' own
# account (tests/eppa/mpi/count.h), with otf2-print. Runs that do not end well: eppa_ends.sh;
# libraries that are linked: linked.sh.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
. "$SOURCE_DIR/tests/shell/goal.sh"

calls() {
    otf2-print -G "$1" 2>/dev/null | sed -n 's/^REGION .*Name: "\(MPI_[A-Za-z_]*\)" <[0-9]*> (Aka.*/\1/p'
}

# Two programs, in C and in Fortran, that check their own results.
check_languages() {
    mpif90 -o ring_f "$programs/ring.f90"
    run "ring, 2 ranks" 2 ./ring 60
    annotations
    run "Fortran" 3 ./ring_f
}

# More of them.
check_programs() {
    compile broadcast
    compile gauss_jordan
    run "ring, 3 ranks" 3 ./ring 60
    run "broadcast" 5 ./broadcast flat 1000 7 binomial 1000 7 mpi 1000 7 binomial 100000 2
    run "gauss_jordan" 4 ./gauss_jordan 48
    traced 1 ./ring 8 >out || fail "one rank"
    balanced trace.otf2 || fail "one rank: ENTER and LEAVE do not match"
}

check_every_call() {
    local program
    : >seen
    for program in every_message every_collective every_other; do
        compile $program
        run $program 4 ./$program
        calls trace.otf2 >>seen
        [ $program != every_collective ] || blocks
        [ $program != every_message ] || [ "$(otf2-print trace.otf2 | grep -c '^MPI_REQUEST_CANCELLED')" = 4 ] || fail "cancelled"
    done
    # All that is wrapped, but for processes that come later, beginning and end, and what is no region.
    cat "$SOURCE_DIR"/src/eppa/archive/{calls,collectives,timed}.def | tr -d ' \n' |
        grep -oE '(SEND|CALL|CREATE|TIMED|POLLED|FILE_ALL|NEIGHBOUR|COLLECTIVE|INIT)\([A-Z][a-z_]+(,I[a-z_]+)?' | sed 's/.*(//; s/^/MPI_/; s/,/\nMPI_/' |
        grep -vE '^MPI_(Init|Init_thread|Session_init|Finalize|Abort|Comm_set_name|Comm_(accept|connect|join|spawn|spawn_multiple)|(Open|Close)_port|(Publish|Unpublish|Lookup)_name)$' |
        sort -u >wrapped
    [ "$(wc -l <wrapped)" -gt 180 ] || fail "only $(wc -l <wrapped) calls are wrapped"
    sort -u seen >seen.sorted
    comm -23 wrapped seen.sorted >missing
    [ ! -s missing ] || fail "not in any trace: $(tr '\n' ' ' <missing)"
}

# Lengths of blocks add up to what their collective sends or, of gatherv and allgatherv, receives.
blocks() {
    otf2-print trace.otf2 2>/dev/null | awk '
        $1 == "PARAMETER_UINT64" { sum[$2] += $NF; n[$2]++ }
        $1 == "MPI_COLLECTIVE_END" {
            match($0, /Sent: [0-9]+/); sent = substr($0, RSTART + 6, RLENGTH - 6)
            match($0, /Received: [0-9]+/); received = substr($0, RSTART + 10, RLENGTH - 10)
            if (n[$2] > 0) { checked++; if (sum[$2] != (/GATHERV/ ? received : sent)) bad = 1 }
            if ((n[$2] > 0) != (/Operation: (ALLTOALL[VW]|ALLGATHERV|REDUCE_SCATTER),/ || (/(GATHERV|SCATTERV),/ && n[$2] > 0))) bad = 1
            sum[$2] = n[$2] = 0
        }
        $1 == "NON_BLOCKING_COLLECTIVE_REQUEST" { sum[$2] = n[$2] = 0 }
        END { exit bad || checked < 30 }' || fail "lengths of blocks"
}

# Scopes, phases and parameters of ./ring 60 on 2 ranks.
annotations() {
    otf2-print -A trace.otf2 2>/dev/null >text
    [ "$(grep -c '^ENTER.*"set up"' text)" = 2 ] || fail "scopes"
    [ "$(grep -A1 '^ENTER.*"useful"' text | grep -c 'eppa.role.*"useful"')" = 4 ] || fail "roles"
    [ "$(grep -A1 '^LEAVE.*"useful"' text | grep -c '"eppa.operations" <1>; UINT64; 108000), ("eppa.quantums" <2>; UINT64; 30)')" = 4 ] ||
        fail "operations"
    grep -A1 '^Property name *EPPA::PARAMETER::W$' text | grep -q '^Property value *432000$' || fail "parameters"
}

# Programs that have scopes run without the library as well.
check_untraced() {
    mpirun -n 2 ./ring 60 >out || fail "without the library"
    [ ! -e eppa.otf2 ] || fail "a trace without the library"
    rm -f count.*
}

check_manual() {
    env -u CFLAGS gcc -I"$SOURCE_DIR/src/eppa" -o pipes "$programs/pipes.c"
    ./pipes || fail "pipes without the library"
    rm -rf trace*
    LD_PRELOAD=$preload EPPA_FILE=trace.otf2 timeout 300 ./pipes || fail "pipes"
    for ((i = 0; i < 100; i++)); do
        [ ! -e trace.eppa ] || sleep 0.05
    done
    account trace.otf2 >found
    [ "$(grep -c '^sent . . 3 12$' found)" = 4 ] || fail "pipes: what is sent"
    [ "$(grep -c '^received . . 3 12$' found)" = 3 ] || fail "pipes: what is received"
    otf2-print trace.otf2 2>/dev/null | grep -A1 '^ENTER.*"wait"' | grep -q 'eppa.role.*"idle"' || fail "pipes: waiting"
    ! otf2-print -G trace.otf2 2>/dev/null | grep -q 'MPI_' || fail "pipes: calls of MPI, which it does not use"
}

# The calls of all threads are recorded: as one where they follow each other, else each thread as a location of its own.
check_threads() {
    compile threads -pthread
    run "threads, serialized" 2 ./threads serialized
    traced 2 ./threads multiple >out 2>messages || fail "threads: status $?"
    if grep -q 'provided multiple' out; then
        cat count.* | LC_ALL=C sort >expected
        account trace.otf2 2 | diff expected - || fail "threads"
        balanced trace.otf2 2 || fail "threads: not balanced"
        [ "$(otf2-print -G trace.otf2 | grep -c '^LOCATION .*"Thread 1".*CPU_THREAD, # Events: [1-9]')" = 2 ] || fail "threads: no locations"
        grep -aq 'EPPA::COMPLETE.true' trace.otf2 || fail "threads: the run is said to have been aborted"
        grep -aq 'EPPA::UNRECORDED_CALLS' trace.otf2 && fail "threads: calls are said to be missing"
        "$SIMRUN" check trace.otf2 >checked && grep -q 'ok, 2 ranks' checked || fail "threads: $(cat checked)"
        "$SIMRUN" -q -p "$SOURCE_DIR/platforms/icluster.xml" -f json trace.otf2 | jq -e '.runs[0].messages == 200' >/dev/null || fail "threads: replay"
    fi
    # One after the other, as one waits for the other's end: each of the 100 exchanges takes as long as a message.
    if traced 2 ./threads joined | grep -q 'provided multiple'; then
        loggp_platform 2 10000000 0 0 1000000000 >slow.xml
        "$SIMRUN" -q -p slow.xml -f json trace.otf2 >joined.json || fail "threads: joined"
        jq -e '.runs[0].time_s | . >= 1 and . < 1.2' joined.json >/dev/null || fail "threads: in $(jq .runs[0].time_s joined.json) s"
    fi
    rm -f count.*
}

# Clocks that are far apart come together: half of the ranks live 1000 s later. Needs the right to make a time namespace.
check_clocks() {
    local shift=(unshare --time --monotonic 1000 --fork)
    "${shift[@]}" true 2>/dev/null || return 0
    traced 4 sh -c '[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} -lt 2 ] || exec "$@" ./ring 60; exec ./ring 60' sh "${shift[@]}" >out ||
        fail "clocks"
    cat count.* | LC_ALL=C sort >expected
    account trace.otf2 | diff expected - || fail "clocks: messages"
    otf2-print trace.otf2 2>/dev/null | awk '
        $1 == "PROGRAM_BEGIN" { n++; first = n == 1 || $3 < first ? $3 : first; last = $3 > last ? $3 : last }
        END { exit n != 4 || last - first > 1e9 }' || fail "clocks: ranks begin at other times"
    rm -f count.*
}

# lane CHECKS...: one after the other, in a directory of their own.
lane() {
    local check
    mkdir "$work/$1"
    cd "$work/$1"
    cp "$work/ring" .
    for check in "$@"; do
        $check
    done
    [ $failed = 0 ]
}

compile ring
one=(check_languages check_programs check_untraced check_manual check_threads)
other=(check_every_call check_clocks)
if [ "$MPI" = mpich ]; then # whose launcher and handles are others: the rest is tried with Open MPI
    one=(check_languages check_untraced)
    other=(check_every_call)
fi
lane "${one[@]}" >first 2>&1 &
first=$!
lane "${other[@]}" >second 2>&1 &
wait $first || failed=1
wait $! || failed=1
cat first second
[ $failed = 0 ]
