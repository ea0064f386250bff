#!/usr/bin/env bash
# What tracing and profiling cost: bench/eppa.sh [RUNS]. The same program runs without libeppa,
# traced, with a profile, with call sites, and traced with call paths, in turns; medians, in CPU time, because waiting for a processor is not the
# tracer's doing.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
runs=${1:-7}
need_eppa
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpicc -O2 -o calls "$SOURCE_DIR/bench/eppa/calls.c"

run() {
    mpirun -n 1 ./calls "$@"
}
traced() {
    mpirun -n 1 -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=trace.otf2 ./calls "$@"
}
profiled() {
    mpirun -n 1 -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=run.json ./calls "$@"
}
with_sites() {
    mpirun -n 1 -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=run.json -x EPPA_SITES=1 ./calls "$@"
}
with_paths() {
    mpirun -n 1 -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=trace.otf2 -x EPPA_PATHS=1 ./calls "$@"
}

steps=$(run) && [ -n "$steps" ] || fail "bench/eppa/calls.c says no number of steps"
for ((i = 0; i < runs; i++)); do
    for how in run traced profiled with_sites with_paths; do
        { $how 0 && $how "$steps"; } | sed "s/^/$how /" >>figures
    done
done
[ -s figures ] || fail "no figures"
sort -k2,2 -k1,1 -k3,3g figures | awk '
    { key = $2 " " $1; value[key, n[key]++] = $3; if (!($2 in seen)) { seen[$2] = 1; order[++names] = $2 } }
    function median(key) { return value[key, int(n[key] / 2)] }
    END {
        printf "%-22s %12s %12s %12s %8s %12s %8s %12s %12s\n", "call", "untraced", "traced", "more", "ratio", "profiled", "ratio", "with sites", "with paths"
        for (i = 1; i <= names; i++) {
            name = order[i]; a = median(name " run"); b = median(name " traced"); c = median(name " profiled"); d = median(name " with_sites"); e = median(name " with_paths")
            if (name == "messages" || name == "in_calls" || name == "finalize") continue
            printf "%-22s %9.0f ns %9.0f ns %9.0f ns %8.2f %9.0f ns %8.2f %9.0f ns %9.0f ns\n", name, a, b, b - a, b / a, c, c / a, d, e
        }
        a = median("messages run"); b = median("messages traced")
        ca = median("in_calls run"); cb = median("in_calls traced")
        printf "  of which in their calls: %.4f s untraced, %.4f s traced: %.2f %% of the time more\n", ca, cb, 100 * (cb - ca) / a
        fa = median("finalize run"); fb = median("finalize traced")
        printf "10000 messages, one in 100 us: %.4f s untraced, %.4f s traced: ratio %.4f\n", a, b, b / a
        printf "with MPI_Finalize, which makes the archive: %.4f s untraced, %.4f s traced: ratio %.4f\n", a + fa, b + fb, (b + fb) / (a + fa)
        c = median("messages profiled"); fc = median("finalize profiled")
        printf "the same with a profile: %.4f s: ratio %.4f; with MPI_Finalize %.4f s: ratio %.4f\n", c, c / a, c + fc, (c + fc) / (a + fa)
    }'

# The memory of a process whose calls are ten times as many, and what is on the disk meanwhile.
mpicc -O2 -I"$SOURCE_DIR/src/eppa" -o repeated "$SOURCE_DIR/tests/eppa/mpi/repeated.c"
for n in 100000 1000000; do
    read -r most where < <(mpirun -n 1 -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=run.json -x EPPA_SITES=1 ./repeated $n)
    [ "${most:-0}" -gt 0 ] || fail "a profile of $((3 * n)) calls: no memory is said"
    echo "a profile of $((3 * n)) calls: $most KiB at most, records on the disk: $where"
done

# A rank that polls for a second: how often it does, and what a poll takes in the archive.
mpicc -O2 -o polls "$SOURCE_DIR/tests/eppa/mpi/polls.c"
for way in test testany iprobe; do
    mpirun --oversubscribe -n 2 -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=$way.otf2 ./polls $way 1000 >/dev/null
    bytes=$(du -sb $way.otf2 $way.def $way | awk '{ sum += $1 } END { print sum }')
    otf2-print $way.otf2 | awk -v way=$way -v bytes="$bytes" '
        /"eppa.polls"/ { match($0, /UINT64; [0-9]+/); polls += substr($0, RSTART + 8, RLENGTH - 8) }
        END { if (polls == 0) exit 1
            printf "polling by %-8s for 1 s: %.0f polls, an archive of %d bytes, %.5f bytes a poll\n", way, polls, bytes, bytes / polls }' ||
        fail "$way: no polls in the archive"
done
