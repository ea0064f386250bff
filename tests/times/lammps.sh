#!/usr/bin/env bash
# LAMMPS, as Debian has it, traced on two ranks of this computer: its replay on the platform that calibrate makes of this
# computer takes as long as the run did, within 3 % in the median of several runs. Wants the computer for itself.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
set -eo pipefail
. "$SOURCE_DIR/tests/shell/needs.sh"
need "libeppa (Open MPI)" test -f "$BUILD_DIR/libeppa.so"
PATH=$BUILD_DIR/tests/openmpi:$PATH
need "lmp, LAMMPS" command -v lmp
cd "$work"
runs=5

# A liquid of 32 000 atoms that attract and repel each other (Lennard-Jones), 300 steps.
cat >liquid.in <<'END'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 50
run 300
END

# The run's time, its replay's, how they deviate, and the share of messages and of waiting for them.
trace() {
    mpirun --allow-run-as-root --oversubscribe --bind-to none -n 2 -x OMP_NUM_THREADS=1 \
        -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE="run$1.otf2" lmp -in liquid.in -log none -screen none </dev/null
    scenario "run$1.xml" here.xml "name='trace' file='run$1.otf2'"
    "$SIMRUN" -q -f json "run$1.otf2" >real.json
    "$SIMRUN" -q -f json "run$1.xml" >simulated.json
    jq -n --slurpfile real real.json --slurpfile simulated simulated.json -r '
        $real[0].runs[0] as $r | $simulated[0].runs[0] as $s
        | "\($r.time_s) \($s.time_s) \($s.time_s / $r.time_s - 1) \(1 - $r.state_s.useful / ($r.time_s * $r.ranks))"'
}

"$SIMRUN" calibrate -q here.xml
for ((i = 0; i < runs; i++)); do trace $i >>times; done
sort -g -k 3 times | awk '{ row[NR] = $0 } END { print row[int((NR + 1) / 2)] }' >median
awk '{ printf "LAMMPS, 2 ranks: %.3f s, replayed %.3f s, %+.1f %% in the median of the runs; messages and waiting %.1f %% of the time\n",
    $1, $2, 100 * $3, 100 * $4 }' median
check "the replay takes as long, within 3 %" awk '{ exit !($3 < 0.03 && $3 > -0.03) }' median
finish
