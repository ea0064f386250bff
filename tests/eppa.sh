#!/usr/bin/env bash
# Real MPI programs under libeppa. What the archive says of messages and collectives is held against the programs' own
# account (tests/mpi/count.h), with otf2-print; runs that are ended half-way leave an archive of what there was.
set -euo pipefail
for tool in mpirun mpicc mpif90 otf2-print; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: there is no $tool (tools/install-packages test calibrate)"
        exit 77
    fi
done
if [ ! -f "$BUILD_DIR/libeppa.so" ]; then
    echo "skipped: libeppa is not built"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
failed=0
programs=$SOURCE_DIR/tests/mpi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# The library may be built with sanitizers; their runtime comes first, and programs of others are not to be blamed.
preload=$(ldd "$BUILD_DIR/libeppa.so" | awk '/^\tlib[a-z]*san\.so/ { print $3 }' | sort | tr '\n' ':')$BUILD_DIR/libeppa.so
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

compile() {
    local name=$1
    shift
    env -u CFLAGS mpicc -O1 -I"$SOURCE_DIR/src/eppa" -o "$name" "$programs/$name.c" "$@" -lm
}

# traced RANKS COMMAND...: run it under the library.
traced() {
    local n=$1
    shift
    timeout 60 mpirun -n "$n" -x LD_PRELOAD="$preload" -x EPPA_FILE=trace.otf2 "$@"
}

# The program's account, from an archive.
account() {
    otf2-print "$1" 2>&1 | awk '
        function rank_in(text) { match(text, /<[0-9]+>\)/); return substr(text, RSTART + 1, RLENGTH - 3) }
        function number(text, name) { match(text, name ": [0-9]+"); return substr(text, RSTART + length(name) + 2, RLENGTH - length(name) - 2) }
        $1 == "MPI_SEND" || $1 == "MPI_ISEND" { k = $2 " " rank_in($0); sent[k]++; sent_bytes[k] += number($0, "Length") }
        $1 == "MPI_RECV" || $1 == "MPI_IRECV" { k = rank_in($0) " " $2; got[k]++; got_bytes[k] += number($0, "Length") }
        $1 == "MPI_COLLECTIVE_END" || $1 == "NON_BLOCKING_COLLECTIVE_COMPLETE" {
            match($0, /Operation: [A-Z_]+/); operation = substr($0, RSTART + 11, RLENGTH - 11)
            match($0, /Communicator: "[^"]*"/); name = substr($0, RSTART + 15, RLENGTH - 16)
            match($0, /Root: [A-Z0-9_]+/); root = substr($0, RSTART + 6, RLENGTH - 6)
            print "collective", $2, operation, name, root, number($0, "Sent"), number($0, "Received")
        }
        /[Ww]arning|[Ee]rror/ && !/^(ENTER|LEAVE)/ { print "otf2-print: " $0 }
        END {
            for (k in sent) print "sent", k, sent[k], sent_bytes[k]
            for (k in got) print "received", k, got[k], got_bytes[k]
        }' | LC_ALL=C sort
}

# same NAME: the archive and the account of the run before are the same, and the archive is whole.
same() {
    cat count.* | LC_ALL=C sort >expected
    account trace.otf2 >found
    if ! diff expected found >difference; then
        fail "$1: the program's account (<) and the archive (>):"
        head -20 difference
    fi
    balanced trace.otf2 || fail "$1: ENTER and LEAVE do not match"
    grep -aq 'EPPA::COMPLETE.true' trace.otf2 || fail "$1: not whole"
    [ ! -e trace.eppa ] || fail "$1: records are left"
    [ -n "$(cat expected)" ] || fail "$1: counts nothing"
    rm -f count.*
}

# Every rank leaves what it enters, its times never go back, and no message arrives before it is sent.
balanced() {
    otf2-print "$1" 2>/dev/null | awk '
        function pair(text) { match(text, /<[0-9]+>\)/); return substr(text, RSTART + 1, RLENGTH - 3) }
        function rest(text) { match(text, /Communicator: .*/); sub(/, Request.*/, "", text); return substr(text, RSTART) }
        $3 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ {
            if ($3 < last[$2]) bad = 1
            last[$2] = $3
            n++
        }
        $1 == "ENTER" { match($0, /Region: .*/); split(substr($0, RSTART), part, "Attr"); stack[$2, depth[$2]++] = $5 }
        $1 == "LEAVE" { if (depth[$2] == 0 || stack[$2, --depth[$2]] != $5) bad = 1 }
        $1 == "MPI_SEND" || $1 == "MPI_ISEND" { k = $2 " " pair($0) " " rest($0); at[k, sent[k]++] = $3 }
        $1 == "MPI_RECV" || $1 == "MPI_IRECV" {
            k = pair($0) " " $2 " " rest($0)
            if (got[k] >= sent[k] || $3 < at[k, got[k]]) bad = 1
            got[k]++
        }
        END { for (r in depth) if (depth[r] != 0) bad = 1; exit bad || n == 0 }'
}

calls() {
    otf2-print -G "$1" 2>/dev/null | sed -n 's/^REGION .*Name: "\(MPI_[A-Za-z_]*\)" <[0-9]*> (Aka.*/\1/p'
}

# Programs that check their own results.
check_programs() {
    local ranks
    compile ring
    compile broadcast
    compile gauss_jordan
    mpif90 -o ring_f "$programs/ring.f90"
    for ranks in 2 3; do
        traced $ranks ./ring 60 >out && same "ring, $ranks ranks"
        traced $ranks ./ring_f >out && same "Fortran, $ranks ranks"
    done
    for how in flat binomial mpi; do
        traced 4 ./broadcast $how 1000 7 >out && same "broadcast $how"
    done
    traced 3 ./broadcast binomial 100000 2 >out && same "broadcast of long messages"
    traced 4 ./gauss_jordan 48 && same "gauss_jordan"
    traced 1 ./ring 8 >out || fail "one rank"
}

check_every_call() {
    local program
    : >seen
    for program in every_message every_collective every_other; do
        compile $program
        traced 4 ./$program && same $program
        calls trace.otf2 >>seen
        [ $program != every_collective ] || blocks
        [ $program != every_message ] || [ "$(otf2-print trace.otf2 | grep -c '^MPI_REQUEST_CANCELLED')" = 4 ] || fail "cancelled"
    done
    # All that is wrapped, but for processes that come later, beginning and end, and what is no region.
    cat "$SOURCE_DIR"/src/eppa/{calls,collectives,timed}.def | tr -d ' \n' |
        grep -oE '(SEND|CALL|CREATE|TIMED|NEIGHBOUR|COLLECTIVE|INIT)\([A-Z][a-z_]+(,I[a-z_]+)?' | sed 's/.*(//; s/^/MPI_/; s/,/\nMPI_/' |
        grep -vE '^MPI_(Init|Init_thread|Finalize|Abort|Comm_set_name|Comm_(accept|connect|join|spawn|spawn_multiple)|(Open|Close)_port|(Publish|Unpublish|Lookup)_name)$' |
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

# A library that is linked does what one that is preloaded does.
check_linked() {
    [ "$preload" = "$BUILD_DIR/libeppa.so" ] || return 0 # not with sanitizers
    mpicc -I"$SOURCE_DIR/src/eppa" -o linked "$programs/ring.c" -L"$BUILD_DIR" -Wl,-rpath,"$BUILD_DIR" -leppa -lm
    mpif90 -o linked_f "$programs/ring.f90" -Wl,--no-as-needed -L"$BUILD_DIR" -Wl,-rpath,"$BUILD_DIR" -leppa
    EPPA_FILE=trace timeout 60 mpirun -n 4 ./linked 60 >out && same "linked"
    EPPA_FILE=$work/trace.otf2 timeout 60 mpirun -n 4 ./linked_f >out && same "linked, Fortran"
}

# Scopes, phases and parameters; programs that have them run without the library as well.
check_annotations() {
    rm -rf trace*
    mpirun -n 2 ./ring 60 >out
    [ ! -e trace.otf2 ] || fail "a trace without the library"
    traced 2 ./ring 60 >out
    rm -f count.*
    otf2-print -A trace.otf2 2>/dev/null >text
    [ "$(grep -c '^ENTER.*"set up"' text)" = 2 ] || fail "scopes"
    [ "$(grep -A1 '^ENTER.*"useful"' text | grep -c 'eppa.role.*"useful"')" = 4 ] || fail "roles"
    [ "$(grep -A1 '^LEAVE.*"useful"' text | grep -c '"eppa.operations" <1>; UINT64; 108000), ("eppa.quantums" <2>; UINT64; 30)')" = 4 ] ||
        fail "operations"
    grep -A1 '^Property name *EPPA::PARAMETER::W$' text | grep -q '^Property value *432000$' || fail "parameters"
}

check_manual() {
    env -u CFLAGS gcc -I"$SOURCE_DIR/src/eppa" -o pipes "$programs/pipes.c"
    ./pipes || fail "pipes without the library"
    rm -rf trace*
    LD_PRELOAD=$preload EPPA_FILE=trace.otf2 timeout 20 ./pipes || fail "pipes"
    for ((i = 0; i < 100; i++)); do
        [ ! -e trace.eppa ] || sleep 0.05
    done
    account trace.otf2 >found
    [ "$(grep -c '^sent . . 3 12$' found)" = 4 ] || fail "pipes: what is sent"
    [ "$(grep -c '^received . . 3 12$' found)" = 3 ] || fail "pipes: what is received"
    otf2-print trace.otf2 2>/dev/null | grep -A1 '^ENTER.*"wait"' | grep -q 'eppa.role.*"idle"' || fail "pipes: waiting"
}

# Of several threads all calls are recorded where they follow each other, else those of the first, and it is said.
check_threads() {
    compile threads -pthread
    traced 2 ./threads serialized >out
    same "threads, serialized"
    traced 2 ./threads multiple >out
    if grep -q 'provided multiple' out; then
        cat count.* | LC_ALL=C sort >expected
        account trace.otf2 | diff expected - || fail "threads"
        otf2-print -A trace.otf2 | grep -A1 'EPPA::UNRECORDED_CALLS$' | grep -q '^Property value *100$' || fail "threads: unrecorded calls are not counted"
    fi
    rm -f count.*
}

# interrupted NAME MESSAGES: the archive of a run that did not end has all messages that were sent until then.
interrupted() {
    for ((i = 0; i < 200; i++)); do
        [ ! -e trace.otf2 ] || [ -e trace.eppa ] || break
        sleep 0.05
    done
    if ! account trace.otf2 >found || ! grep -aq 'EPPA::COMPLETE.false' trace.otf2; then
        fail "$1: no archive, or one that says to be whole"
    elif [ "$(grep -cE "^(sent|received) . . $2 " found)" != 8 ]; then
        fail "$1: not all messages are there"
        head found
    elif ! balanced trace.otf2; then
        fail "$1: ENTER and LEAVE do not match"
    elif ! "$SIMRUN" -q -f json trace.otf2 >report 2>messages || ! grep -q '"messages": 4000,' report ||
        ! grep -qE 'the run was aborted: this is how far it got, and [1-9][0-9]* waits? at its end' report; then
        fail "$1: not analysed as far as it got"
        cat messages
    fi
}

# A run that waits for ever, its processes in the file pids, its start in $pid.
hang() {
    rm -rf trace* reached pids
    timeout 60 mpirun -n 4 -x LD_PRELOAD="$preload" -x EPPA_FILE=trace.otf2 \
        sh -c 'echo $$ >>pids; exec ./end hang' >out 2>&1 &
    pid=$!
    for ((i = 0; i < 200; i++)); do
        [ ! -e reached ] || break
        sleep 0.05
    done
}

check_interrupted() {
    local how pid status
    compile end
    for how in abort exit crash; do
        rm -rf trace* reached
        traced 4 ./end $how >out 2>&1 && fail "$how: status 0"
        [ -e reached ] || cat out
        interrupted $how 1000
    done
    rm -rf trace* reached
    hang
    sleep 0.2
    kill $pid
    wait $pid || true
    interrupted "SIGTERM" 1000
    hang
    kill -KILL $(cat pids)
    wait $pid || true
    interrupted "SIGKILL" 1000

    # Everything killed, what waits for the end as well: the archive is made by hand.
    hang
    status=0
    "$BUILD_DIR/eppa-recover" trace.eppa 2>messages || status=$?
    [ $status = 2 ] && grep -q 'the run has not ended' messages || fail "eppa-recover while the run goes on: $status"
    kill -KILL $(pgrep -f -- "^[^ ]*eppa-recover --watch $work/trace.eppa$") $(cat pids)
    wait $pid || true
    sleep 0.1
    [ -d trace.eppa ] || fail "killed: no records"
    "$BUILD_DIR/eppa-recover" trace.eppa/ || fail "killed: eppa-recover"
    interrupted "killed" 1000
    status=0
    "$BUILD_DIR/eppa-recover" nothing.eppa 2>/dev/null || status=$?
    [ $status = 2 ] || fail "eppa-recover of nothing: status $status"
}

# A file that cannot be written is said, and the program runs on; an earlier archive stays until the new one is whole.
check_files() {
    rm -rf trace*
    traced 2 ./ring 60 >out
    cp trace.otf2 earlier
    rm -f reached
    timeout 60 mpirun -n 2 -x LD_PRELOAD="$preload" -x EPPA_FILE=/nowhere/trace.otf2 ./ring 60 >out 2>messages ||
        fail "a directory that is not there ends the program"
    grep -q '^eppa: cannot make /nowhere/trace.eppa: No such file or directory; nothing is recorded$' messages ||
        fail "no word of a directory that is not there"
    mkdir -p other && echo mine >other/file
    timeout 60 mpirun -n 2 -x LD_PRELOAD="$preload" -x EPPA_FILE=other.otf2 ./ring 60 >out 2>messages
    grep -q 'other: .*; the archive is .*other.eppa/archive/trace.otf2' messages || fail "a directory that is in the way"
    [ "$(cat other/file)" = mine ] || fail "a file of others is gone"
    otf2-print other.eppa/archive/trace.otf2 >/dev/null || fail "the archive that could not be moved"
    rm -f count.*
}

# Clocks that are far apart come together: half of the ranks live 1000 s later. Needs the right to make a time namespace.
check_clocks() {
    local shift=(unshare --time --monotonic 1000 --fork) environment=(-x LD_PRELOAD="$preload" -x EPPA_FILE=trace.otf2)
    "${shift[@]}" true 2>/dev/null || return 0
    timeout 60 mpirun "${environment[@]}" -n 2 ./ring 60 : "${environment[@]}" -n 2 "${shift[@]}" ./ring 60 >out ||
        fail "clocks"
    cat count.* | LC_ALL=C sort >expected
    account trace.otf2 | diff expected - || fail "clocks: messages"
    otf2-print trace.otf2 2>/dev/null | awk '
        $1 == "PROGRAM_BEGIN" { n++; first = n == 1 || $3 < first ? $3 : first; last = $3 > last ? $3 : last }
        END { exit n != 4 || last - first > 1e9 }' || fail "clocks: ranks begin at other times"
    rm -f count.*
}

check_programs
check_every_call
check_linked
check_annotations
check_manual
check_threads
check_clocks
check_interrupted
check_files
[ $failed = 0 ]
