#!/usr/bin/env bash
# The cost of tracing and profiling: bench/eppa.sh [RUNS]. The same program runs without libeppa and with it in several ways, in many short
# turns; the least of each, in CPU time, because waiting for a processor, or for others' use of it, is not the tracer's doing.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
runs=${1:-15}
need_eppa
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpicc -O2 -o calls "$SOURCE_DIR/bench/eppa/calls.c"

# traced NAME=VALUE... -- ARGUMENT...
traced() {
    local with=(-x LD_PRELOAD="$BUILD_DIR/libeppa.so")
    while [ "$1" != -- ]; do with+=(-x "$1") && shift; done
    shift
    mpirun -n 1 "${with[@]}" ./calls "$@"
}
run() {
    case $1 in
    untraced) shift && mpirun -n 1 ./calls "$@" ;;
    traced) shift && traced EPPA_FILE=trace.otf2 -- "$@" ;;
    off) shift && traced EPPA_FILE=trace.otf2 -- "$@" off ;;
    not-begun) shift && traced EPPA_FILE=trace.otf2 EPPA_START=never:1 -- "$@" 2>/dev/null ;;
    kept) shift && traced EPPA_FILE=trace.otf2 EPPA_KEEP=1MiB -- "$@" ;;
    paths) shift && traced EPPA_FILE=trace.otf2 EPPA_PATHS=1 -- "$@" ;;
    profile) shift && traced EPPA_FILE=run.json -- "$@" ;;
    sites) shift && traced EPPA_FILE=run.json EPPA_SITES=1 -- "$@" ;;
    esac
}

steps=$(mpirun -n 1 ./calls) && [ -n "$steps" ] || fail "bench/eppa/calls.c says no number of steps"
for ((i = 0; i < runs; i++)); do
    for how in untraced traced off not-begun kept paths profile sites; do
        run $how 0 | sed "s/^/$how /" >>figures
        ((i >= 5)) || [[ $how = off || $how = not-begun || $how = sites ]] || run $how "$steps" | sed "s/^/$how /" >>figures
    done
done
[ -s figures ] || fail "no figures"
awk '
    { key = $2 " " $1; if (!(key in least) || $3 + 0 < least[key]) least[key] = $3 + 0; if (!($2 in seen)) { seen[$2] = 1; order[++names] = $2 } }
    END {
        n = split("traced off not-begun kept paths profile sites", ways, " ")
        printf "%-22s %9s", "ns a call (ratio)", "untraced"
        for (w = 1; w <= n; w++) printf " %14s", ways[w]
        print ""
        for (i = 1; i <= names; i++) {
            name = order[i]; a = least[name " untraced"]
            if (name == "messages" || name == "in_calls" || name == "finalize") continue
            printf "%-22s %9.0f", name, a
            for (w = 1; w <= n; w++) printf " %6.0f (%5.2f)", least[name " " ways[w]], least[name " " ways[w]] / a
            print ""
        }
        a = least["messages untraced"]; fa = least["finalize untraced"]
        printf "10000 messages, one in 100 us: %.4f s untraced, in their calls %.4f s\n", a, least["in_calls untraced"]
        n = split("traced kept paths profile", ways, " ")
        for (w = 1; w <= n; w++) {
            b = least["messages " ways[w]]; fb = least["finalize " ways[w]]; c = least["in_calls " ways[w]]
            printf "  %-8s %.4f s: ratio %.4f; in their calls %.4f s; with MPI_Finalize ratio %.4f\n", ways[w], b, b / a, c, (b + fb) / (a + fa)
        }
    }' figures

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
