#!/usr/bin/env bash
# MPI_Waitall takes in what comes first. In the replay, on a machine where taking in takes 10 ms, the messages of the
# other ranks are taken in while the late one's is awaited, which leaves one. A replay of TI's waitall takes as long.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
cat >waitall.c <<'END'
/* waitall all|some|test: rank 0 posts a receive from each other rank and waits for all of them, in that order; rank 1
 * computes 200 ms of a processor before it sends. `some`: another receive is pending meanwhile. `test`: it is, and rank 0
 * tests until all others have come. */
#include "busy.h"

#include <mpi.h>

#include <string.h>

enum { MOST = 16, BYTES = 1000 };

int main(int argc, char **argv)
{
    static char data[MOST + 1][BYTES];
    MPI_Request requests[MOST + 1];
    int rank, n_ranks, tests = argc > 1 && strcmp(argv[1], "test") == 0;
    int pends = tests || (argc > 1 && strcmp(argv[1], "some") == 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (rank == 0) {
        for (int i = 1; i < n_ranks; i++)
            MPI_Irecv(data[i], BYTES, MPI_CHAR, i, 0, MPI_COMM_WORLD, &requests[i]);
        if (pends)
            MPI_Irecv(data[0], BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &requests[0]);
        for (int done = 0; tests && !done;)
            MPI_Testall(n_ranks - 1, requests + 1, &done, MPI_STATUSES_IGNORE);
        if (!tests)
            MPI_Waitall(n_ranks - 1, requests + 1, MPI_STATUSES_IGNORE);
        if (pends)
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            compute(200);
        MPI_Send(data[0], BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        if (rank == 1 && pends)
            MPI_Send(data[0], BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
env -u CFLAGS mpicc -O1 -I"$programs" -o waitall waitall.c
ranks=8
cat >machine.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full">
    <prop id="receive_overhead" value="start=10ms"/><prop id="send_completes" value="buffered"/>
    <cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="11MBps" lat="20us"/>
  </zone>
</platform>
END

# received_s TRACE: from when the late rank has sent until rank 0 is done waiting, which is then alone with it.
received_s() {
    "$SIMRUN" -q -f json --trace simulated.otf2 --platform machine.xml "$1" >out.json
    otf2-print simulated.otf2 | awk '
        $1 == "LEAVE" && $2 == 1 && /"MPI_Send"/ { sent = $3 }
        $1 == "LEAVE" && $2 == 0 && /"MPI_(Wait|Waitall|Recv)"/ { got = $3 }
        END { printf "%.3f\n", (got - sent) / 1e12 }'
}

# expect NAME FOUND EXPECTED
expect() {
    [ "$2" = "$3" ] || fail "$1: $2 s, not $3 s"
}

# The same in TI: computing at the hosts' 1 Gf.
{
    for ((r = 0; r < ranks; r++)); do echo "$r init 1"; done
    for ((r = 1; r < ranks; r++)); do echo "0 irecv $r 0 125"; done
    echo 0 waitall
    echo 1 compute 5e8
    for ((r = 1; r < ranks; r++)); do echo "$r send 0 0 125"; done
    for ((r = 0; r < ranks; r++)); do echo "$r finalize"; done
} >same.ti
expect "TI" "$(received_s same.ti)" 0.010
rm -rf trace*
traced $ranks ./waitall all || fail "status $?"
expect "all" "$(received_s trace.otf2)" 0.010
"$SIMRUN" -q --trace copy.otf2 trace.otf2 >out || fail "a copy: status $?"
expect "a copy" "$(received_s copy.otf2)" 0.010

# The same where something else is pending, which is taken in after that.
rm -rf trace*
traced $ranks ./waitall some || fail "status $?"
expect "some" "$(received_s trace.otf2)" 0.020
"$SIMRUN" -q --trace copy.otf2 trace.otf2 >out || fail "a copy: status $?"
expect "a copy of some" "$(received_s copy.otf2)" 0.020
rm -rf trace*
traced $ranks ./waitall test || fail "status $?"
expect "tests" "$(received_s trace.otf2)" 0.020
exit $((failed > 0))
