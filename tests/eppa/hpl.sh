#!/usr/bin/env bash
# The application hpl sends what HPL sends: Debian's hpcc is traced, which runs HPL after other programs, and for each
# ordered pair of ranks the number of messages and of bytes is compared. The broadcast of the last block of the solution
# is not: HPL sends it as it sends what it checks the solution with.
#
#     hpl.sh [--few]    --few: 72 runs instead of 480
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the tracer" test -x "$BUILD_DIR/libeppa.so"
need mpirun command -v mpirun
need "hpcc, the package with HPL" command -v hpcc
. "$SOURCE_DIR/tests/shell/mpi.sh"
swaps=(exchange spread mix)
answers=(no yes)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"

# input SIZES BLOCKS ROWS COLUMNS SWAP THRESHOLD EQUILIBRATE: what hpcc reads; all broadcasts, without look-ahead and with.
input() {
    local list
    printf '%s\n' HPL 'for simrun' HPL.out 8
    for list in "$1" "$2"; do
        wc -w <<<"$list"
        echo "$list"
    done
    printf '%s\n' 0 "$(wc -w <<<"$3")" "$3" "$4" 16.0 1 2 1 4 1 2 1 1 6 '0 1 2 3 4 5' 2 '0 1' "$5" "$6" 0 0 "$7" 8 '#' 0 0 0 0
}

# The runs of HPL that hpcc tells of, in their order, as the application's parameters.
calls() {
    awk -v rest="swap=$1 swap_threshold=$2 equilibrate=$3 pivots=matrix" '
        BEGIN { split("1ring 1ring-modified 2ring 2ring-modified long long-modified", broadcasts, " ") }
        /^WR/ {
            print "hpl n=" $2, "block=" $3, "grid=" $4 "x" $5, "broadcast=" broadcasts[substr($1, 4, 1) + 1],
                "look_ahead=" substr($1, 3, 1), rest
        }' hpccoutf.txt
}

# compare RANKS SIZES BLOCKS ROWS COLUMNS SWAP THRESHOLD EQUILIBRATE: each grid is of all ranks.
compare() {
    rm -rf real* hpccoutf.txt
    input "${@:2}" >hpccinf.txt
    if ! mpirun -n "$1" -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=real.otf2 hpcc </dev/null >messages 2>&1; then
        tail -n 20 messages
        echo "FAILED: the traced program"
        exit 1
    fi
    calls "${swaps[$6]}" "$7" "${answers[$8]}" >called
    if ! "$BUILD_DIR/tests/trace_pairs" --hpl real.otf2 >pairs 2>problems; then
        head -n 20 problems
        echo "FAILED: the trace"
        exit 1
    fi
    awk 'NR == FNR { call[NR] = $0; next } { number = $2 + 0; sub(/^hpl [0-9]+/, call[number]); print }' called pairs >>sent
    cat called >>all
}

export OPENBLAS_NUM_THREADS=1 # one thread a rank
export OMP_NUM_THREADS=1
least=60
sizes=150
if [ "${1-}" = --few ]; then
    compare 6 97 16 "2 3" "3 2" 2 40 0
else
    least=300
    sizes="150 333"
    compare 6 "150 97" "16 30" "2 3 6 1" "3 2 1 6" 0 64 1
    compare 5 "333 97" "16 7" "5 1" "1 5" 1 64 1
    compare 6 "150 333" "40 16" "6 3" "1 2" 2 40 0
fi
compare 4 "$sizes" "30 16" "4 2" "1 2" 1 64 1
sort -o sent sent
"$BUILD_DIR/tests/trace_pairs" --programs all | grep -v '[0-9]+[0-9]' | sort >simulated

if ! cmp -s sent simulated; then
    diff sent simulated >differences || true
    echo "FAILED: $(grep '^[<>]' differences | cut -d: -f1 | cut -c3- | sort -u | wc -l) of $(wc -l <all) runs differ;" \
        "< is HPL, > the application:"
    head -n 40 differences
    exit 1
fi
awk -v least="$least" -v runs="$(wc -l <all)" -v kept="$(cut -d: -f1 sent | sort -u | wc -l)" '
    { messages += $(NF - 1); bytes += $NF }
    END {
        printf "hpl: %d runs, %d of them with messages: %d messages, %d bytes; all equal\n", runs, kept, messages, bytes
        exit !(runs == kept && runs >= least)
    }' sent || { echo "FAILED: too little has been compared" && exit 1; }
