#!/usr/bin/env bash
# A real program at several sizes and numbers of ranks, for its models: Gauss-Jordan elimination (tests/eppa/mpi/gauss_jordan.c)
# is traced, each run as FOLDER/nN-pP-RUN.otf2.
#
#     bench/growth.sh FOLDER ['SIZE...' ['RANKS...' [RUNS]]]
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
[ $# -ge 1 ] || { sed -n '2,/^[^#]/{/SPDX/!s/^# \?//p}' "$0" >&2; exit 2; }
need_eppa
mkdir -p "$1"
folder=$(cd "$1" && pwd)
sizes=${2:-120 240 360 480}
ranks=${3:-1 2 4}
runs=${4:-3}
. "$SOURCE_DIR/tests/shell/mpi.sh"
# The library may be built with sanitizers, whose runtime comes first.
preload=$(ldd "$BUILD_DIR/libeppa.so" | awk '/^\tlib[a-z]*san\.so/ { print $3 }' | sort | tr '\n' ':')$BUILD_DIR/libeppa.so
cd "$work"
env -u CFLAGS mpicc -O2 -I"$SOURCE_DIR/src/eppa" -o gauss_jordan "$SOURCE_DIR/tests/eppa/mpi/gauss_jordan.c" -lm
for ((run = 1; run <= runs; run++)); do
    for n in $sizes; do
        for p in $ranks; do
            ASAN_OPTIONS=detect_leaks=0 mpirun -n "$p" -x LD_PRELOAD="$preload" -x EPPA_FILE="$folder/n$n-p$p-$run.otf2" \
                ./gauss_jordan "$n" </dev/null || fail "$n rows on $p ranks: the program"
            [ -s "$folder/n$n-p$p-$run.otf2" ] || fail "$n rows on $p ranks: no trace"
        done
    done
done
