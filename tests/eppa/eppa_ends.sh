#!/usr/bin/env bash
# Runs under libeppa that do not end well, and files that cannot be written: what there was is in an archive, and what the
# tracer has not written stays as it was.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"

# Messages of each rank. MPICH never yields a core while it waits, and here two runs of four ranks take turns.
messages=1000
[ "$MPI" = openmpi ] || messages=60

# wait_for TEST...: until it holds, for a minute.
wait_for() {
    local i
    for ((i = 0; i < 1200; i++)); do
        ! "$@" || return 0
        sleep 0.05
    done
    return 1
}

is_made() {
    [ -e trace.otf2 ] && [ ! -e trace.eppa ]
}

# interrupted NAME [WAITS]: the archive of a run that did not end has all messages that were sent until then, and says what
# the ranks that waited did wait for.
interrupted() {
    wait_for is_made || true
    if ! account trace.otf2 >found || ! grep -aq 'EPPA::COMPLETE.false' trace.otf2; then
        fail "$1: no archive, or one that says to be whole"
    elif [ "$(grep -cE "^(sent|received) . . $messages " found)" != 8 ]; then
        fail "$1: not all messages are there"
        head found
    elif ! balanced trace.otf2; then
        fail "$1: ENTER and LEAVE do not match"
    elif ! "$SIMRUN" -q -f json trace.otf2 >report 2>messages || ! grep -q "\"messages\": $((4 * messages))," report ||
        ! grep -q 'the run was aborted: this is how far it got' report; then
        fail "$1: not analysed as far as it got"
        cat messages
    elif [ "$(otf2-print -A trace.otf2 | awaited)" != "${2:-4}" ]; then
        fail "$1: who waits for whom"
        otf2-print -A trace.otf2 | grep -B1 'ATTRIBUTES.*eppa.peer' || true
    fi
}

# How many ranks wait in MPI_Recv for a message with tag 5 of the next rank; what else is awaited spoils the number.
awaited() {
    awk '
        $1 == "LEAVE" { rank = $2; call = $5 }
        /ADDITIONAL ATTRIBUTES.*"eppa.peer"/ {
            match($0, /eppa.peer" <[0-9]+>; INT32; -?[0-9]+/); peer = substr($0, RSTART, RLENGTH); sub(/.* /, "", peer)
            good = call == "\"MPI_Recv\"" && peer == (rank + 1) % 4 && /eppa.tag" <[0-9]+>; INT32; 5\)/ && /"eppa.communicator"/
            n += good ? 1 : 100
        }
        END { print n + 0 }'
}

# A run that goes on for ever (end.c), its processes in the file pids, its start in $pid.
hang() {
    rm -rf trace* reached pids
    timeout 300 mpirun -n 4 "${recording[@]}" sh -c 'echo $$ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} >>pids; exec ./end '"$1 $messages" >out 2>&1 &
    pid=$!
    wait_for [ -e reached ] || fail "$1: not reached"
}

# Send a signal to what starts the ranks: mpirun, and the proxy below it that MPICH has.
signal_launcher() {
    local mpirun
    mpirun=$(pgrep -P $pid)
    kill "$1" $mpirun $(pgrep -P $mpirun hydra_pmi_proxy)
}

kill_ranks() {
    kill -KILL $(awk -v which="${1:-[0-9]}" '$2 ~ which { print $1 }' pids)
}

# The time after which rank $1 ended, from its last but one record and from the beginning of rank 0 [ms].
lived() {
    otf2-print trace.otf2 | awk -v rank=$1 '
        $1 == "PROGRAM_BEGIN" && $2 == 0 { begin = $3 }
        $2 == rank && $1 == "PROGRAM_END" { printf "%d %d\n", ($3 - last) / 1e6, ($3 - begin) / 1e6 }
        $2 == rank && $3 ~ /^[0-9]+$/ { last = $3 }'
}

check_ends() {
    local how
    for how in abort exit crash; do
        rm -rf trace* reached
        traced 4 ./end $how $messages >out 2>&1 && fail "$how: status 0"
        [ -e reached ] || cat out
        interrupted $how 3
    done
}

check_killed() {
    hang hang
    sleep 0.2
    kill $pid
    wait $pid || true
    interrupted "SIGTERM"

    # A rank that computes and dies ends there; the others go on waiting. On a busy computer its end is seen later.
    hang compute
    sleep 0.3
    signal_launcher -STOP
    kill_ranks 3
    sleep 1.5
    kill_ranks '[0-2]'
    signal_launcher -CONT
    wait $pid || true
    interrupted "killed one by one" 3
    local computed died waited ended
    read -r computed died <<<"$(lived 3)"
    read -r waited ended <<<"$(lived 0)"
    [ $computed -ge 250 ] && [ $((ended - died)) -ge 500 ] || fail "a rank that died: after $died ms, the others after $ended"
}

# Everything killed, what waits for the end as well: the archive is made by hand. Nobody knows how long the ranks lived.
check_by_hand() {
    hang compute
    local status=0
    "$BUILD_DIR/eppa-recover" trace.eppa 2>messages || status=$?
    [ $status = 2 ] && grep -q 'the run has not ended' messages || fail "eppa-recover while the run goes on: $status"
    kill -KILL $(pgrep -f -- "^[^ ]*eppa-recover --watch $PWD/trace.eppa$")
    sleep 0.2
    kill_ranks
    wait $pid || true
    sleep 0.1
    [ -d trace.eppa ] || fail "killed: no records"
    rm -rf records
    cp -r trace.eppa records
    "$BUILD_DIR/eppa-recover" trace.eppa/ || fail "killed: eppa-recover"
    interrupted "killed" 3
    [ "$(lived 3 | cut -d' ' -f1)" = 0 ] || fail "killed: goes on after its last record"
    status=0
    "$BUILD_DIR/eppa-recover" nothing.eppa 2>/dev/null || status=$?
    [ $status = 2 ] || fail "eppa-recover of nothing: status $status"
    mkdir mine.eppa
    echo mine >mine.eppa/file
    status=0
    "$BUILD_DIR/eppa-recover" mine.eppa 2>/dev/null || status=$?
    [ $status = 2 ] && [ "$(ls mine.eppa)" = file ] || fail "eppa-recover of something else: status $status"
    check_replacing
    check_full_disk
}

# An earlier archive is replaced as a whole or not at all.
check_replacing() {
    local n status
    gcc -shared -fPIC -o obstacle.so "$programs/obstacle.c"
    for n in 1 2 3 4 5 6 notes; do
        rm -rf trace.eppa
        cp -r records trace.eppa
        if [ $n = notes ]; then
            echo mine >trace/notes.txt
            n=0
        fi
        tar -cf before trace.otf2 trace.def trace
        status=0
        LD_PRELOAD=${preload%"$library"}$PWD/obstacle.so OBSTACLE_RENAME=$n "$BUILD_DIR/eppa-recover" trace.eppa 2>messages || status=$?
        tar -cf after trace.otf2 trace.def trace
        [ $status = 2 ] && grep -q '; the archive is .*trace.eppa/archive/trace.otf2$' messages || fail "obstacle $n: status $status"
        tar -df before >/dev/null && tar -tf before | sort >names && tar -tf after | sort | diff names - || fail "obstacle $n: the earlier archive is another"
        otf2-print trace.eppa/archive/trace.otf2 >/dev/null 2>&1 || fail "obstacle $n: the new archive is not whole"
    done
    grep -q 'trace is in the way: it contains notes.txt, which is not part of an archive' messages || fail "a file of others: no word"
    rm trace/notes.txt
    "$BUILD_DIR/eppa-recover" trace.eppa || fail "an obstacle that is gone"
    interrupted "replaced" 3
}

# No room for the archive: the records are kept, what there is of it goes, and OTF2 does not say anything beside that. Needs the right to mount.
check_full_disk() {
    unshare --mount true 2>/dev/null || return 0
    mkdir -p disk
    BUILD_DIR=$BUILD_DIR unshare --mount sh -c '
        mount -t tmpfs -o size=8m tmpfs disk && cp -r records disk/trace.eppa
        head -c 8m /dev/zero >disk/rest 2>/dev/null
        truncate -s -'$((messages * 96 / 1000))'K disk/rest
        "$BUILD_DIR/eppa-recover" disk/trace.eppa
        [ $? = 2 ] && [ ! -e disk/trace.eppa/archive ] && [ ! -e disk/trace.otf2 ] || exit 1
        rm disk/rest
        "$BUILD_DIR/eppa-recover" disk/trace.eppa && otf2-print disk/trace.otf2 >/dev/null' 2>messages || fail "a full disk"
    grep -q 'the archive could not be written; the records are kept' messages && [ "$(wc -l <messages)" = 1 ] ||
        fail "a full disk: no word, or too many"
}

# How many lines are ours: hwloc and others may complain, too.
said() {
    grep -c '^eppa' messages
}

# refused NAME REASON FILE [VARIABLE=VALUE...]: the program runs untraced, with one line.
refused() {
    local name=$1 reason=$2 file=$3 status=0
    shift 3
    with LD_PRELOAD="$preload" EPPA_FILE="$file" "$@"
    timeout 300 mpirun -n 2 "${with[@]}" ./ring 60 >out 2>messages || status=$?
    [ $status = 0 ] && grep -q '^time_s' out || fail "$name: status $status"
    [ "$(said)" = 1 ] && grep -q "^eppa: $reason; nothing is recorded$" messages || {
        fail "$name: not one line"
        cat messages
    }
    [ -z "$(find . -name '*.eppa*')" ] || fail "$name: something is left"
}

# Files in the way stay, and so does the earlier archive.
check_files() {
    rm -rf trace* mine* keep*
    refused "no such directory" 'cannot make /nowhere/trace.eppa: No such file or directory' /nowhere/trace.otf2
    cp ring app
    refused "the program's name" '.*/ring is in the way: it is not a directory of an archive written by libeppa' ring.otf2
    cmp -s ring app || fail "the program is another"
    mkdir keep
    echo mine >keep/file
    refused "a directory" '.*/keep is in the way: it is not a directory of .*' keep.otf2
    rm -r keep
    traced 2 ./ring 60 >out
    for name in trace.otf2 trace.def trace; do
        mv $name keep${name#trace}
    done
    echo mine >keep/file
    tar -cf before keep.otf2 keep.def keep
    refused "a file of others" '.*/keep is in the way: it contains file, which is not part of an archive' keep.otf2
    rm keep/file
    echo mine >keep.otf2
    refused "an archive of others" '.*/keep.otf2 is in the way: it is not a file of .*' keep.otf2
    [ "$(cat keep.otf2)" = mine ] && tar -xf before && tar -df before || fail "an earlier archive is another"
    EPPA_FILE=app.otf2 LD_PRELOAD=$preload ./pipes 2>messages && fail "pipes: recorded over a program"
    grep -q '^eppa: .*/app is in the way' messages && cmp -s ring app || fail "pipes: the program is another"
    rm -f count.*
}

# A rank without room for its records, or without the library: nobody records, nothing is left.
check_all_or_none() {
    gcc -shared -fPIC -o obstacle.so "$programs/obstacle.c"
    local obstacle=${preload%"$library"}$PWD/obstacle.so:$library
    refused "no room" 'rank 1: .*/room.eppa: No space left on device' room.otf2 LD_PRELOAD="$obstacle" OBSTACLE_ROOM=1
    EPPA_FILE=room.otf2 OBSTACLE_ROOM=-1 LD_PRELOAD=$obstacle ./pipes >out 2>&1 && fail "pipes: recorded without room"
    [ ! -e room.eppa ] || fail "pipes: something is left"
    with EPPA_WAIT=1
    timeout 300 mpirun -n 3 "${recording[@]}" "${with[@]}" sh -c '[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != 0 ] || unset LD_PRELOAD
        exec ./ring 60' >out 2>messages || fail "a rank without the library"
    grep -q '^eppa: only 2 of 3 ranks run under libeppa with this EPPA_FILE; nothing is recorded$' messages || fail "no word of a rank without the library"
    [ ! -e trace.otf2 ] && [ -z "$(find . -name '*.eppa*')" ] || fail "a rank without the library: something is left"
    rm -f count.*
}

# Names as long as a file's may be; what EPPA_WAIT may not be is said once, and the run is recorded.
check_settings() {
    local name wait
    name=$(printf 'n%.0s' {1..250})
    refused "a name too long" "cannot make .*/n${name}.eppa: File name too long" "n$name"
    for wait in abc -5 1e9 3601; do
        with LD_PRELOAD="$preload" EPPA_FILE="$name.otf2" EPPA_WAIT=$wait
        timeout 300 mpirun -n 2 "${with[@]}" ./ring 60 >out 2>messages || fail "EPPA_WAIT=$wait"
        [ "$(said)" = 1 ] && grep -q "^eppa: EPPA_WAIT: '$wait'; allowed: 0 to 3600 whole seconds; using 10$" messages ||
            fail "EPPA_WAIT=$wait: not one line"
        otf2-print "$name.otf2" >/dev/null 2>&1 || fail "EPPA_WAIT=$wait, a long name: no archive"
    done
    [ -z "$(find . -name '*.eppa*')" ] || fail "a long name: something is left"
    rm -rf count.* "$name"*
}

# said_once LINE VARIABLE=VALUE...: a run that is recorded says nothing but that, once; nothing if it is "".
said_once() {
    local line=$1
    shift
    with LD_PRELOAD="$preload" "$@"
    timeout 300 mpirun -n 2 "${with[@]}" ./ring 60 >out 2>messages || fail "$*"
    [ "$(grep '^eppa' messages)" = "$line" ] || { fail "$*: not that line" && cat messages; }
}

# A name whose ending means nothing is a trace; a variable whose name is misspelled does nothing. Both are said.
check_slips() {
    local name known='known: EPPA_FILE EPPA_PATHS EPPA_SITES EPPA_KEEP EPPA_WAIT EPPA_START EPPA_STOP'
    for name in y.csv RUN.TXT x.jsn 1.2/run.dat; do
        mkdir -p 1.2
        said_once "eppa: EPPA_FILE: '$name' has none of the extensions .otf2 .txt .json; the trace is $name.otf2" EPPA_FILE=$name
        otf2-print $name.otf2 >/dev/null 2>&1 || fail "EPPA_FILE=$name: no archive"
    done
    for name in 1.2/plain plain.otf2 .plain; do said_once "" EPPA_FILE=$name; done
    said_once "eppa: unknown variables: EPPA_FLIE (EPPA_FILE?); $known" EPPA_FILE=trace.otf2 EPPA_FLIE=x.otf2
    said_once "eppa: unknown variables: EPPA_SITE (EPPA_SITES?); $known" EPPA_FILE=trace.otf2 EPPA_SITE=1
    rm -rf count.* trace* RUN* [.1xy]?* plain*
    env EPPA_FILE=trace.otf2 EPPA_A=1 EPPA_FILES=2 EPPA_COLOUR=3 EPPA_$'\xc3\xb6\x1b\xff'=4 EPPA_B=5 "EPPA_$(printf 'n%.0s' {1..5000})=6" \
        LD_PRELOAD="$preload" ./pipes 2>messages || fail "pipes: names"
    [ "$(said)" = 1 ] && [ "$(wc -c <messages)" -lt 500 ] && grep -q " and 2 more; $known\$" messages || fail "pipes: not one line"
    ! LC_ALL=C grep -q $'[\x1b\xff]' messages || fail "pipes: bytes of a name for a terminal"
    rm -rf trace*
}

# No bytes of a name that a terminal would obey.
check_text() {
    "$BUILD_DIR/eppa-recover" $'a\x1b[31m\n\x7f\xc2\x9b\xff\xc3\xb6.eppa' 2>messages && fail "eppa-recover of nothing: status 0"
    [ "$(cat messages)" = $'eppa-recover: a?[31m????\xc3\xb6.eppa: No such file or directory' ] || fail "bytes for a terminal"
    EPPA_FILE=$'/no\x1b[31m\n/where' LD_PRELOAD=$preload ./pipes 2>messages && fail "pipes: recorded nowhere"
    [ "$(said)" = 1 ] && grep -q '^eppa: cannot make /no?\[31m?/where.eppa: No such file or directory; nothing is recorded$' messages ||
        fail "pipes: bytes for a terminal"
}

# lane CHECKS...: one after the other, in a directory of their own.
lane() {
    local check
    mkdir "$work/$1"
    cd "$work/$1"
    cp "$work"/{ring,end,pipes} .
    for check in "$@"; do
        $check
    done
    [ $failed = 0 ]
}

compile ring
compile end
env -u CFLAGS gcc -I"$SOURCE_DIR/src/eppa" -o pipes "$programs/pipes.c"
lanes=()
of_files="check_files check_all_or_none check_settings check_slips check_text"
[ "$MPI" = openmpi ] || of_files= # which MPI it is makes no difference
for checks in check_ends check_killed check_by_hand ${of_files:+"$of_files"}; do
    lane $checks >"lane${#lanes[@]}" 2>&1 &
    lanes+=($!)
done
for process in "${lanes[@]}"; do
    wait $process || failed=1
done
cat lane?
[ $failed = 0 ]
