#!/usr/bin/env bash
# simrun trace: a program of either MPI is run under libeppa, with its own arguments and as many ranks as asked for; whoever gets no
# trace is told.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq

# run STATUS MESSAGE ARGUMENT...: what simrun trace says, on standard error.
run() {
    local status=$1 message=$2 got=0
    shift 2
    timeout 300 "$SIMRUN" trace "$@" >out 2>messages || got=$?
    [ "$got" = "$status" ] || fail "trace $*: status $got: $(cat messages)"
    grep -qE -- "$message" messages || fail "trace $*: $(cat messages)"
}

check_mpi() {
    use_mpi "$1"
    compile causes
    compile every_message
    run 0 '^simrun: trace\.otf2 is a trace, which simrun trace\.otf2 explains$' -n 4 ./every_message
    "$SIMRUN" -q -f json trace.otf2 | jq -e ".runs[0].ranks == 4" >/dev/null || fail "$1: ranks"
    run 0 '^simrun: run\.json is a profile$' -o run.json ./causes bad 20
    jq -e '.ranks == 2' run.json >/dev/null || fail "$1: the profile"
    rm -rf trace trace.def trace.otf2
}

ulimit -c 0
check_mpi openmpi
use_mpi openmpi
run 1 'trace\.otf2: nothing was recorded: /bin/true ' -n 2 /bin/true
run 2 '\./nothing: there is no such program' ./nothing
run 2 '/tmp: is a folder, not a program that can be executed' /tmp
run 2 'nowhere/x\.otf2: ' -o nowhere/x.otf2 ./causes bad 20
cp causes bad && run 2 'bad\.otf2: cannot be written: its parts go into the folder bad, and that is a file; take another name, ' -o bad.otf2 ./bad bad 20
run 2 "--ranks: 'few'" -n few ./causes
echo x >text && run 2 '\./text: is a file, not a program that can be executed' ./text
# The records of a run that was killed with all that watched it.
printf '#!/bin/sh\nmkdir -p killed.eppa\nexit 3\n' >program && chmod +x program
run 1 'killed\.otf2: not written: \./program was stopped .*; eppa-recover .*/killed\.eppa makes the trace' -o killed.otf2 ./program
# Names that cannot be written are refused before anything runs.
run 2 '^simrun: source\.c: is no name for a trace \(\.otf2\) or a profile' -o source.c /bin/touch has_run
cp /bin/touch toucher
run 2 'toucher\.otf2: .* the folder toucher, and that is a file; .*-o toucher-trace\.otf2' -o toucher.otf2 ./toucher has_run
echo notes >notes.json && cp notes.json notes.txt && cp notes.json notes.otf2 && ln -s run.json link.json
for name in notes.json notes.txt notes.otf2 link.json; do
    run 2 "$name: is in the way: it is no (profile|archive) that libeppa wrote" -o $name /bin/touch has_run
done
mkdir remains && echo x >remains/notes && run 2 'remains\.otf2: cannot be written: there is a folder remains' -o remains.otf2 /bin/touch has_run
mkdir folder.json && run 2 'folder\.json: cannot be written: Is a directory' -o folder.json /bin/touch has_run
run 1 'run\.json: nothing was recorded: /bin/true ' -o run.json /bin/true # what libeppa wrote may be replaced
[ ! -e has_run ] || fail 'a program whose trace cannot be written has run'
run 2 'too few arguments: simrun trace PROGRAM' -n 2
! [ -x "$BUILD_DIR/tests/mpich/mpirun" ] || check_mpi mpich
exit $((failed > 0))
