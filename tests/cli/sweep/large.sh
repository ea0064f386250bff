#!/usr/bin/env bash
# large.sh [RUNS]: what a large study takes of the memory, in the largest of its processes: simulated, stored and answered in text, JSON
# and CSV. 100,000 runs, the most there may be, have 300 MB, however many measures they have; fewer have their share of it, and
# 14 MB for what does not grow.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
runs=${1-2400} # a multiple of 400
most_kB=$((14000 + runs * 286000 / 100000))

# takes WHAT ARGUMENT...: simulates the sweep within the memory.
takes() {
    local what=$1 kB
    shift
    kB=$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$SIMRUN" -q "$@" sweep.xml 2>err)
    check "$what: $runs runs in $kB kB of $most_kB; $(cat err)" test "${kB:-0}" -gt 1000 -a "${kB:-0}" -le "$most_kB"
    echo "$what: $runs runs in $kB kB of $most_kB"
}
scenario sweep.xml t800-mesh "name='gauss-jordan'" ranks=2..11 n=16..$((15 + runs / 400)) network=quiet,fifo rows=block,cyclic \
    broadcast=flat,binomial,chain,chain_down,split_ring,hypercube,knomial,binary,scatter_ring,scatter_doubling
takes 'simulated and stored' -j 2 --store sweep.db -f text -o stored.txt
same 'all are stored' "$(sqlite3 sweep.db 'SELECT count(*) FROM runs')" "$runs"
for format in text csv json; do
    takes "answered in $format" --store sweep.db -f $format -o sweep.$format
done
check 'the same text' cmp stored.txt sweep.text
check 'within a screen' test "$(wc -l <sweep.text)" -le 50
same 'a line a run' "$(wc -l <sweep.csv)" $((runs + 1))
check 'with many measures' test "$(head -n 1 sweep.csv | tr , '\n' | wc -l)" -ge 75
same 'and an object' "$(grep -c '^   "parameters": {$' sweep.json)" "$runs"
finish
