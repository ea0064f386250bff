#!/usr/bin/env bash
# The closed forms of waits for several messages (tests/sim/kernel/marks.c), as SimGrid's smpirun has them with MPI, on
# a machine where taking in a message takes 5 ms. For rendezvous, smpirun takes nothing.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
command -v smpirun >/dev/null && command -v smpicc >/dev/null ||
    { echo "NOT COMPARED: waits, without SimGrid's smpirun and smpicc: tools/install-packages test" && exit 77; }
env -u CFLAGS smpicc -O1 -o waits "$SOURCE_DIR/tests/smpi/waits.c" || exit # sanitizers do not get along with smpirun
cat >machine.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full"><cluster id="c" prefix="n" suffix="" radical="0-4" speed="1Gf" bw="1GBps" lat="1ns"/></zone>
</platform>
END
seq -f 'n%g' 0 4 >hosts

# theirs MESSAGES PROGRAM: milliseconds.
theirs() {
    smpirun -np 5 -hostfile hosts -platform machine.xml --log=root.thres:error --cfg=network/model:CM02 \
        --cfg=network/crosstraffic:0 --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1f --cfg=smpi/wtime:0 \
        --cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/or:0:0.005:0 ./waits "${1// /_}" "${2// /_}" 2>err
}

n=0
while IFS=\" read -r _ name _ messages _ program _ _ end; do
    [[ $messages != *!* && $program != *s* ]] || continue
    same "$name" "$(theirs "$messages" "$program" | cut -d . -f 1)" "$(tr -dc 0-9 <<<"$end")"
    n=$((n + 1))
done < <(grep -E '^    \{"[^"]*", "[^"]*", "[^"]*", "[^"]*", [0-9]+\},$' "$SOURCE_DIR/tests/sim/kernel/marks.c")
same "enough rows" $((n >= 12)) 1
finish
