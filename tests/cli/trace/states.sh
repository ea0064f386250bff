#!/usr/bin/env bash
# Calls of the message library that move no message, and its reading and writing of files, are states of their own: in an
# analysis, what is written of it, and a replay. tests/data/traces/mpi-init is made like the traces of Score-P, root-io by
# libeppa.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
PATH=${PATH#"$BUILD_DIR/tests/bin:"} # jq itself, which leaves names in their order
cd "$work" || exit 1
traces=$SOURCE_DIR/tests/data/traces

# account FILTER ARGUMENT...: a part of the only run, as JSON.
account() {
    local filter=$1
    shift
    "$SIMRUN" -q -f json "$@" | jq -c ".runs[0] | $filter"
}

# The beginning takes 2 x 200 ms, the message 20 us and 40 us, of which the receiver waited for none.
same 'the states of a run with MPI_Init' "$(account '.state_s | del(.useful) | map_values(. + 0)' "$traces/mpi-init.otf2")" \
    '{"control":0,"send":2e-05,"receive":4e-05,"library":0.4,"idle":2e-05}'
same 'its message' "$(account '.message_sizes[] | [.bytes, .send_s, .receive_s, .mean_s] | map(. + 0)' "$traces/mpi-init.otf2")" \
    '[16384,2e-05,4e-05,6e-05]'
same 'its critical path' "$(account '.critical_path_s | [.library, .communication] | map(. + 0)' "$traces/mpi-init.otf2")" \
    '[0.2,4e-05]'
same 'of a rank that writes a file' "$(account '.state_s | [.io, .library]' "$traces/root-io.otf2")" \
    '[0.016406757,0.013900368]'
same 'functions of what it does' \
    "$(account '[.functions[] | [.function, .io_s > 0, .library_s > 0, .useful_s > 0]]' "$traces/root-io.otf2")" \
    "$(jq -cn '[["MPI_Barrier", false, false, false], ["MPI_File_close", false, true, false],
        ["MPI_File_open", false, true, false], ["MPI_File_write", true, false, false]]')"
same 'overheads' "$(account '.overhead_ratio | keys_unsorted' "$traces/root-io.otf2")" \
    '["control","communication","library","io","idle"]'

# The first sentence is about the program, and says the beginning and the end of MPI apart; who is late says with what.
run "$traces/mpi-init.otf2"
check 'the answer' said yes '210.0 ms; 100 % of its critical path is processing\. Starting and ending MPI takes 95 % of the time; the shares are of the rest\.'
check 'efficiencies' said yes 'Parallel efficiency 99\.6 % = load balance 100\.0 % x communication efficiency 99\.6 %'
run "$traces/root-io.otf2"
check 'who writes' said yes 'wait in MPI_Barrier for the last one, rank 0, which writes a file by MPI_File_write for 16\.41 ms\.'
check 'efficiencies with files' said yes 'Parallel efficiency 0\.3 %'
check 'where one rank opens a file it waits for nobody' said no 'not analyzed'

# A copy has the same account. So has a replay, and the archive that it leaves.
for name in mpi-init root-io; do
    of='[.state_s, .critical_path_s, (.functions | sort_by(.function))]'
    simulated='[.time_s, .state_s, .critical_path_s, .process_state_s]'
    same "$name, copied" "$(account "$of" -t copy.otf2 "$traces/$name.otf2")" "$(account "$of" "$traces/$name.otf2")"
    same "$name, read again" "$(account "$of" copy.otf2)" "$(account "$of" "$traces/$name.otf2")"
    replayed=$(account "$simulated" --platform icluster -t replay.otf2 "$traces/$name.otf2")
    same "$name, read again after a replay" "$(account "$simulated" replay.otf2)" "$replayed"
    same "$name, replayed" "$(jq -c '.[1] | [.io, .library]' <<<"$replayed")" \
        "$(account '.state_s | [.io, .library]' "$traces/$name.otf2")"
done
run --platform icluster --what-if=io "$traces/root-io.otf2"
check 'without I/O nothing is written' said yes 'I/O 14\.30 53\.4 % 53\.4 % 1\.00'

# Every format names them.
for format in paje prv json; do
    run -t "run.$format" "$traces/root-io.otf2"
done
check 'Paje' grep -q '^3 library STATE' run.paje
check 'Paraver' grep -qx '12 *io' run.pcf
same 'slices of Trace Event' "$(jq '[.traceEvents[] | select(.ph == "X" and .name == "io")] | length > 0' run.json)" true

# A simulation has neither, and says nothing of them.
same 'a simulation' "$("$SIMRUN" -q -f json --detail=all matmul100 | jq -c '[paths | join(".") | select(test("library|io_s|state.*[.]io$"))]')" '[]'
finish
