#!/usr/bin/env bash
# Waiting in calls that synchronize, and what is not known, in archives of real programs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
archives=$SOURCE_DIR/tests/data/foreign/otf2

# waits FUNCTION TEST: of the last document the function's waits as {wait, s, rank, rank_s}; the test holds of them.
waits() {
    local table='.runs[0].function_waits | map(select(.function == $f)) | .[0] as $row'
    check "waits in $1: $2" jq -e --arg f "$1" "$table"' | $row | '"$2" "$work/out"
}

# Rank 1 computes 20 ms before every second fence, rank 0 1 ms. By otf2-print, rank 0 waits 269.209 ms for rank 1, and
# that one 83.898 ms for rank 0.
run -f json "$archives/rma2.otf2"
waits MPI_Win_fence '.wait == "wait at fence" and .for_rank == 1 and (.time_s - 0.353107 | fabs) < 1e-6 and
    (.for_rank_s - 0.269209 | fabs) < 1e-6'
holds '.runs[0].notes | map(select(test("assumed"))) | length == 1'
run -q "$archives/rma2.otf2"
check 'the headline' said yes 'wait in MPI_Win_fence for the last one, 76 % of it rank 1'

# tests/eppa/mpi/causes.c on a busy computer, with call sites: of two ranks one computes eight times as long. Who waits where, for
# whom, is known, and the headline names the line.
causes=$SOURCE_DIR/tests/data/traces/causes

# headline WAY LINE WAIT FUNCTION RANK TEXT
headline() {
    run -f json "$causes-$1.otf2"
    waits "$4" ".wait == \"$3\" and .for_rank == $5 and .for_rank_s > 0.98 * .time_s and .site == \"causes.c:$2 in $1\""
    holds ".runs[0].site_waits | max_by(.time_s) | .site == \"causes.c:$2 in $1\" and .function == \"$4\" and .wait == \"$3\""
    holds ".runs[0].process_state_s.useful | .[$5] > 7 * .[1 - $5]"
    run "$causes-$1.otf2"
    check 'the headline' said yes "ranks wait in $4 \(causes\.c:$2 in $1\) for $6rank $5, which computes 1\.8 times as long as the mean"
    check 'the table' said yes 'Where they are called'
}
headline stencil 29 'wait at N x N' MPI_Allreduce 0 'the last one, '
headline master 38 'late sender' MPI_Recv 0 'messages that are sent late, by '
headline pipeline 55 'late sender' MPI_Recv 0 'messages that are sent late, by '
headline bad 67 'late receiver' MPI_Send 1 'receivers that are late, 98 % of it '

# The same work on both, while other programs have their processors for longer than the last one is waited for.
run -f json "$causes-good.otf2"
holds '.runs[0].function_waits | max_by(.time_s) | .wait == "other programs" and .function == ""'
run "$causes-good.otf2"
check 'the headline' said yes 'ranks wait for a processor that other programs use'

# A replay waits there, so that it takes as long as the run did; without imbalance it is shorter.
run -q -f json --what-if=imbalance -p icluster "$archives/rma2.otf2"
holds '.runs[0] | .time_s > 0.365 and .time_s < 0.370'
holds '.runs[0].what_if["imbalance.gain"] > 0.2'

# A copy has the same waits.
run -q -t "$work/copy.otf2" "$archives/rma2.otf2"
run -f json "$work/copy.otf2"
waits MPI_Win_fence '.wait == "wait at fence" and .for_rank == 1 and (.for_rank_s - 0.269209 | fabs) < 1e-6'

# Ten times 32 MB are put into the other rank's memory. What that takes on another network, the trace does not say.
run -p icluster "$archives/puts.otf2"
said yes 'Note: taking as long as traced on any platform: MPI_Put, 50.9 % of the time'
run "$archives/puts.otf2"
said no 'on any platform'
run -p icluster "$archives/rma2.otf2" # its fences are simulated
said no 'on any platform'

# A thread that was not recorded sends: whoever receives waits for ever in a replay, and check says why.
missing='calls by other threads are missing from the trace: 1'
expect 2 "the receive from rank 0 with tag 7 has no matching send; $missing" check "$archives/tcross.otf2"
expect 1 "deadlock.*; $missing" -p icluster "$archives/tcross.otf2"
run -f json "$archives/tcross.otf2"
holds '.runs[0].notes | map(select(test("^not analyzed: calls by other threads"))) | length == 1'

finish
