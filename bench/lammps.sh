#!/usr/bin/env bash
# lammps.sh [RUNS]: what tracing costs a real program: LAMMPS of Debian (tools/install-packages measure) on two ranks, with and
# without libeppa in turns. Prints the medians of time and processor time, and of the ratios of neighboring runs.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
runs=${1-7}
need_eppa
command -v lmp >/dev/null || fail "there is no lmp; tools/install-packages measure"
cd "$work"
sed -n '/^cat >liquid.in/,/^END$/p' "$SOURCE_DIR/tests/times/lammps.sh" | sed '1d;$d' >liquid.in

# once NAME OPTION...: the wall time of the loop [s], and the processor time of all [s].
once() {
    local name=$1
    shift
    TIMEFORMAT='%R %U %S'
    { time mpirun --allow-run-as-root --oversubscribe --bind-to none -n 2 -x OMP_NUM_THREADS=1 "$@" \
        lmp -in liquid.in -log none </dev/null >out 2>err; } 2>clock || fail "$name: $(said)"
    grep -q '^Loop time' out || fail "$name: LAMMPS says no time"
    echo "$(awk '/^Loop time/ { print $4 }' out) $(awk '{ print $2 + $3 }' clock)" >>"$name"
}

for ((i = 0; i < runs; i++)); do
    once plain
    once traced -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=run.otf2
    once profiled -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE=run.json
done
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
printf '%-10s %10s %18s %10s %14s\n' LAMMPS 'loop, s' 'processor, s' ratio 'of processor'
for name in plain traced profiled; do
    printf '%-10s %10.3f %18.3f %10.4f %14.4f\n' $name "$(cut -d ' ' -f 1 $name | median)" "$(cut -d ' ' -f 2 $name | median)" \
        "$(paste -d ' ' plain $name | awk '{ print $3 / $1 }' | median)" "$(paste -d ' ' plain $name | awk '{ print $4 / $2 }' | median)"
done
