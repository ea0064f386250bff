#!/usr/bin/env bash
# EPPA_KEEP: the last megabytes, or the first and last iterations, while messages and collectives are under way. The archive is
# sound, each message has both its sides, and the analysis is that of the same part of the whole trace. Also when the run is killed,
# with EPPA_START and EPPA_STOP, in Fortran and in Python.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
need python3 command -v python3
ranks=4 rounds=6000

# keep WHAT [NAME=VALUE...] -- COMMAND...: a trace of which WHAT was kept; run.json is what simrun says of it.
keep() {
    local setting=("EPPA_KEEP=$1")
    shift
    while [ "$1" != -- ]; do setting+=("$1") && shift; done
    shift
    name="${setting[*]} $*"
    rm -rf trace*
    with "${setting[@]}"
    timeout 300 mpirun -n $ranks "${recording[@]}" "${with[@]}" "$@" >out 2>err
    status=$?
    for ((i = 0; i < 500; i++)); do [ -e trace.eppa ] || break && sleep 0.02; done
    [ ! -e trace.eppa ] || fail "$name: records are left: $(cat err)"
    "$SIMRUN" -q -f json trace.otf2 >run.json || fail "$name: the analysis"
    "$SIMRUN" -q -o /dev/null --platform icluster trace.otf2 || fail "$name: the replay"
}
# holds FILTER: what jq says of the run.
holds() {
    jq -e ".runs[0] | $1" run.json >/dev/null || fail "$MPI, $name: not so: $1: $(jq -c '.runs[0] | [.messages, .collectives, .notes]' run.json)"
}
# events KIND: how many the archive has.
events() {
    otf2-print trace.otf2 | grep -c "^$1 "
}
# paired: as many messages are received as sent, and what remains is in order.
paired() {
    [ $(($(events MPI_SEND) + $(events MPI_ISEND))) -eq $(($(events MPI_RECV) + $(events MPI_IRECV))) ] ||
        fail "$MPI, $name: sends and receives"
    balanced trace.otf2 || fail "$MPI, $name: the archive is not sound"
}
said='([.notes[] | select(startswith("EPPA_KEEP kept a part of the run"))] | length == 1)'
complete() {
    grep -aq 'EPPA::COMPLETE.true' trace.otf2 || fail "$MPI, $name: not whole"
}

check_kept() {
    compile kept
    # A message and a broadcast of each of 3 + 3 iterations; of those sent ahead, those of the last, after which they are received; of
    # the reductions, those that end before the border, and, of the last iterations, those that begin after it.
    keep iteration:3 -- ./kept $rounds
    complete
    paired
    holds "$said and .messages == $ranks * (6 + 3) and .collectives == $ranks * (6 + 2 + 2)"
    holds '[.notes[] | select(contains("EPPA_KEEP kept a part of the run (first and last 3)"))] | length == 1'
    holds '[.notes[] | select(startswith("not recorded: "))] | length == 1'
    "$SIMRUN" -q -f json --platform icluster trace.otf2 >replay.json
    jq -e '[.runs[0].notes[] | select(startswith("EPPA_KEEP kept a part") or startswith("not recorded: "))] | length == 2' \
        replay.json >/dev/null || fail "$MPI, $name: the notes of the replay"
    "$SIMRUN" compare trace.otf2 trace.otf2 | grep -q 'is only a part of its run, and so are its times' ||
        fail "$MPI, $name: compare does not say that it is a part"
    [ "$(events MEASUREMENT_ON_OFF)" -eq $((2 * ranks)) ] || fail "$name: borders"
    keep iteration:3 -- ./kept 6
    holds "($said | not) and .messages == 12 * $ranks and .collectives == 11 * $ranks"
    keep 1MiB -- ./kept $rounds
    complete
    paired
    holds "$said and .messages > 1000 and .messages < 14000"
}

check_more() {
    keep 64MiB -- ./kept 500
    holds "($said | not) and .messages == 1000 * $ranks"
    keep 1MiB EPPA_STOP=iteration:5000 -- ./kept $rounds
    holds "$said and .messages > 1000 and .messages < 14000"
    keep iteration:2 EPPA_START=iteration:10 EPPA_STOP=iteration:5000 -- ./kept $rounds
    holds "[.functions[] | select(.function == \"MPI_Bcast\") | .calls] == [4 * $ranks]"
    keep 1MiB EPPA_PATHS=1 EPPA_START=iteration:10 -- ./kept $rounds
    holds "$said and (.call_paths | length > 3)"
    keep MPI_Bcast:2 -- ./kept $rounds
    holds "[.functions[] | select(.function == \"MPI_Bcast\") | .calls] == [4 * $ranks]"
}

# In the middle of a run that is killed.
check_killed() {
    keep 1MiB -- ./kept $rounds 5000
    holds "$said and .messages > 1000 and .messages < 14000 and ([.notes[] | select(contains(\"aborted\"))] | length == 1)"
    keep iteration:2 -- ./kept $rounds 5000
    holds "$said and .messages < 30"
}

# The records of a killed run, from which two archives are made: with all, and with the last windows.
check_equal() {
    mkdir alone
    cp "$library" alone/library.so # without eppa-recover beside it
    with LD_PRELOAD="${preload%"$library"}$work/alone/library.so" EPPA_FILE=whole.otf2 EPPA_KEEP=iteration:1000000
    timeout 300 mpirun -n $ranks "${with[@]}" ./kept $rounds 5000 >out 2>err || true
    for ((i = 0; i < 100; i++)); do [ -e whole.eppa/3.events ] && break || sleep 0.02; done
    cp -r whole.eppa part.eppa
    python3 "$SOURCE_DIR/tests/eppa/kept.py" part.eppa 4 1 || fail "kept.py"
    "$BUILD_DIR/eppa-recover" whole.eppa || fail "the whole run"
    "$BUILD_DIR/eppa-recover" part.eppa || fail "the part"
    from=$(($(begins part) - $(begins whole)))
    "$SIMRUN" -q -f json --from ${from}ns whole.otf2 >whole.json && "$SIMRUN" -q -f json part.otf2 >part.json || fail "the analyses"
    python3 "$SOURCE_DIR/tests/eppa/kept.py" whole.json part.json || fail "$MPI: what was kept is not that part of the whole"
}
# begins NAME: when the first rank does [ns].
begins() {
    otf2-print "$1.otf2" | awk '$1 == "PROGRAM_BEGIN" { if (first == "" || $3 < first) first = $3 } END { print first }'
}

check_space() {
    with LD_PRELOAD="${preload%"$library"}$work/alone/library.so" EPPA_FILE=space.otf2 EPPA_KEEP=1MiB
    timeout 300 mpirun -n $ranks "${with[@]}" ./kept $rounds 5000 >out 2>err || true
    find space.eppa -name '*.events' -size +1024k | grep -q . && fail "more than a megabyte: $(ls -l space.eppa)"
    [ "$(find space.eppa -name '*.events' -size 1024k | wc -l)" -eq $ranks ] || fail "the records: $(ls -l space.eppa)"
}

check_languages() {
    mpif90 -O1 -o kept_f "$programs/kept.f90"
    keep 1MiB -- ./kept_f 10000
    complete
    paired
    holds "$said and .messages > 1000 * $ranks and .messages < 9000 * $ranks"
    keep MPI_Sendrecv:5 -- ./kept_f $rounds
    holds "[.functions[] | select(.function == \"MPI_Sendrecv\") | .calls] == [10 * $ranks]"
    python=/usr/bin/python3
    if [ "$MPI" = openmpi ] && "$python" -c 'import mpi4py' 2>/dev/null; then
        keep MPI_Sendrecv:5 -- "$python" "$programs/kept.py" 500
        holds "[.functions[] | select(.function == \"MPI_Sendrecv\") | .calls] == [10 * $ranks]"
    else
        echo "kept.sh: Python is not tested, mpi4py is not there for $MPI"
    fi
}

check_words() {
    keep 64 -- ./kept 10
    grep -q "EPPA_KEEP: '64' is neither a size from 1MiB to 1024GiB, such as 64MiB, nor NAME:N, such as iteration:3; all is kept" err ||
        fail "a wrong value: $(cat err)"
    holds "($said | not) and .messages == 20 * $ranks"
    keep nothing:3 -- ./kept 10
    grep -q 'EPPA_KEEP: there was no nothing on rank 0; all is kept' err || fail "a name that is not met: $(cat err)"
    with LD_PRELOAD="$preload" EPPA_FILE=profile.json EPPA_KEEP=1MiB
    timeout 300 mpirun -n $ranks "${with[@]}" ./kept 10 2>err || fail "profile: the program"
    grep -q 'EPPA_KEEP: only traces (.otf2) are cut; a profile is of the whole run' err || fail "profile: $(cat err)"
}

set +e
check_kept
check_more
check_killed
check_equal
check_space
check_languages
check_words
use_mpi mpich
ranks=2 rounds=8000 # its ranks hardly let others have the processor
check_kept
check_languages
[ $failed -eq 0 ] || exit 1
echo 'all as expected'
