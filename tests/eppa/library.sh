#!/usr/bin/env bash
# The applications pdgemm and pdtrsm, with algorithm=library, send what ScaLAPACK sends: real calls are traced, and for
# each ordered pair of ranks the number of messages and of bytes is compared. Calls of MPI's collectives are compared as
# such, each lowered to the same tree on both sides (trace_pairs.c).
#
#     library.sh [RANDOM-CALLS [SEED]]
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SOURCE_DIR/tests/shell/needs.sh"
need "ScaLAPACK and Open MPI" test -x "$BUILD_DIR/tests/mpi_scalapack"
need mpirun command -v mpirun
. "$SOURCE_DIR/tests/shell/mpi.sh"
n_random=${1-75}
seed=${2-1}
n_ranks=6
max_scopes=900 # of a trace
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"

# Cases around the conditions by which the library chooses: sides of 32, of a block, of the grid; one owner; a block
# larger than all.
edges() {
    local grid size block
    for grid in 1x1 1x2 2x1 2x2 1x3 3x1 2x3 3x2 1x4; do
        echo "pdgemm grid=$grid m=200 n=200 k=200 block=20"
        echo "pdgemm grid=$grid m=64 n=20 k=300 block=64"
        echo "pdtrsm grid=$grid uplo=upper side=right trans=no m=100 n=200 block=20"
        echo "pdtrsm grid=$grid uplo=lower side=left trans=yes m=40 n=150 block=16"
    done
    for size in 1 31 32 33; do
        for block in 1 16 32 33; do
            echo "pdgemm grid=2x2 m=100 n=$size k=70 block=$block"
            echo "pdtrsm grid=2x3 uplo=lower side=right trans=yes m=$size n=70 block=$block"
        done
    done
    for uplo in upper lower; do
        for side in left right; do
            for trans in no yes; do
                for size in 20:600:40 100:1:16 1:100:64 90:90:7; do
                    IFS=: read -r m n block <<<"$size"
                    echo "pdtrsm grid=3x2 uplo=$uplo side=$side trans=$trans m=$m n=$n block=$block"
                done
            done
        done
    done
}

# As many calls of pdgemm and of pdtrsm, with sides that are short, about as long as the library's panels, or long.
random_calls() {
    awk -v seed="$seed" -v count="$n_random" '
        function below(n) {
            seed = seed * 16807 % 2147483647
            return int(seed / 2147483647 * n)
        }
        function side(kind) {
            kind = below(4)
            return 1 + below(kind == 0 ? 12 : kind == 1 ? 70 : 300)
        }
        BEGIN {
            n_grids = split("1x1 1x2 2x1 2x2 1x3 3x1 2x3 3x2 1x4 4x1 1x5 5x1 1x6 6x1", grids, " ")
            for (i = 0; i < count; i++) {
                grid = "grid=" grids[1 + below(n_grids)]
                block = "block=" 1 + below(below(2) ? 8 : 80)
                print "pdgemm", grid, "m=" side(), "n=" side(), "k=" side(), block
                print "pdtrsm", grid, "uplo=" (below(2) ? "upper" : "lower"), "side=" (below(2) ? "left" : "right"),
                    "trans=" (below(2) ? "yes" : "no"), "m=" side(), "n=" side(), block
            }
        }'
}

{ edges && random_calls; } | sort -u >calls
n_calls=$(wc -l <calls)

export OPENBLAS_NUM_THREADS=1 # one thread a rank; also other libraries' name for it
export OMP_NUM_THREADS=1
split -l $max_scopes calls part.
for part in part.??; do
    if ! mpirun -n $n_ranks -x LD_PRELOAD="$BUILD_DIR/libeppa.so" \
        -x EPPA_FILE=real.otf2 "$BUILD_DIR/tests/mpi_scalapack" $part </dev/null >messages 2>&1; then
        tail -n 20 messages
        echo "FAILED: the traced program"
        exit 1
    fi
    cat messages
    if ! "$BUILD_DIR/tests/trace_pairs" real.otf2 >pairs 2>problems; then
        head -n 20 problems
        echo "FAILED: the trace"
        exit 1
    fi
    grep '^pd' pairs >>sent
done
sort -o sent sent
"$BUILD_DIR/tests/trace_pairs" --programs calls | sort >simulated

if ! cmp -s sent simulated; then
    diff sent simulated >differences || true
    echo "FAILED: $(grep '^[<>]' differences | cut -d: -f1 | cut -c3- | sort -u | wc -l) of $n_calls calls differ;" \
        "< is the library, > the application:"
    head -n 40 differences
    exit 1
fi
for routine in pdgemm pdtrsm; do
    grep "^$routine" sent | grep -v 'no messages' >messages
    awk -v routine=$routine -v calls="$(grep -c "^$routine" calls)" -v kept="$(cut -d: -f1 messages | sort -u | wc -l)" '
        { messages += $(NF - 1); bytes += $NF; if ($(NF - 2) ~ /\+/) collective += $(NF - 1) }
        END {
            printf "%s: %d calls, %d of them with messages: %d messages, %d of them in collectives, %d bytes; all equal\n",
                routine, calls, kept, messages, collective, bytes
            exit !(kept >= 20 && collective > 0 && messages > collective)
        }' messages || { echo "FAILED: too little has been compared" && exit 1; }
done
