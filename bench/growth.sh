#!/usr/bin/env bash
# A real program at several sizes and numbers of ranks, for its models: Gauss-Jordan elimination (tests/eppa/mpi/gauss_jordan.c)
# is traced, each run as FOLDER/nN-pP-RUN.otf2.
#
#     bench/growth.sh FOLDER ['SIZE...' ['RANKS...' [RUNS]]]
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set/{s/^# \?//p}' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
sizes=${2:-120 240 360 480}
ranks=${3:-1 2 4}
runs=${4:-3}
source_dir=$(cd "$(dirname "$0")/.." && pwd)
build_dir=$(cd "${BUILD_DIR:-$source_dir/build/release}" && pwd)
BUILD_DIR=$build_dir
. "$source_dir/tests/shell/mpi.sh"
# The library may be built with sanitizers, whose runtime comes first.
preload=$(ldd "$build_dir/libeppa.so" | awk '/^\tlib[a-z]*san\.so/ { print $3 }' | sort | tr '\n' ':')$build_dir/libeppa.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
env -u CFLAGS mpicc -O2 -I"$source_dir/src/eppa" -o gauss_jordan "$source_dir/tests/eppa/mpi/gauss_jordan.c" -lm
for ((run = 1; run <= runs; run++)); do
    for n in $sizes; do
        for p in $ranks; do
            ASAN_OPTIONS=detect_leaks=0 mpirun -n "$p" -x LD_PRELOAD="$preload" -x EPPA_FILE="$folder/n$n-p$p-$run.otf2" \
                ./gauss_jordan "$n" </dev/null
        done
    done
done
