#!/usr/bin/env bash
# Collectives in which one rank comes late, on wires that are shared (fluid), below and above the eager limit. Who posts
# all receives first lets data come meanwhile: the late rank's own wire, both directions at once, is what is left to
# wait for.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh"
cd "$work" || exit 1
ranks=32 late=5

cat >machine.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full">
    <prop id="send_completes" value="buffered"/><prop id="eager_limit" value="64KiB"/>
    <cluster id="c" prefix="n" suffix="" radical="0-31" speed="455Mf" bw="11MBps" lat="20us"/>
  </zone>
</platform>
END
sed 's/<prop id="eager/<prop id="receive_overhead" value="start=10ms"\/>&/' machine.xml >busy.xml

# trace LINE...: of each rank these lines, in which R is the rank; the late one computes for 5e8 / 455e6 s before.
trace() {
    local rank line
    for ((rank = 0; rank < ranks; rank++)); do
        echo "$rank init 1"
        [ $rank != $late ] || echo "$rank compute 5e8"
        for line in "$@"; do
            echo "$rank $line"
        done
        echo "$rank finalize"
    done
}

# is_near SECONDS: simrun's last answer is that, to 0.02 %.
is_near() {
    jq -e --argjson expected "$1" '.runs[0].time_s / $expected - 1 | fabs < 2e-4' "$work/out" >"$work/err"
}

# takes NAME SECONDS ARGUMENT...: what simrun says of all.ti.
takes() {
    local name=$1 seconds=$2
    shift 2
    run -q -n "${network-fluid}" -f json "$@" all.ti
    check "$name" is_near "$seconds"
}

# 31 blocks over the late rank's wire, which is two links.
sum() {
    awk -v bytes="$1" 'BEGIN { print 5e8 / 455e6 + 31 * bytes / 11e6 + 40e-6 }'
}

for bytes in 8000 110592; do
    trace "alltoall $((bytes / 8)) $((bytes / 8))" >all.ti
    takes "linear all-to-all of $bytes B" "$(sum $bytes)" -p machine.xml -s alltoall=linear
    takes "Open MPI's all-to-all of $bytes B" "$(sum $bytes)" -p machine.xml -s alltoall=openmpi
    trace "allgather $((bytes / 8)) $((bytes / 8))" >all.ti
    takes "linear allgather of $bytes B" "$(sum $bytes)" -p machine.xml -s allgather=linear
done

# All begin to send to the next, so that on wires that serve one message after another nobody is in the way of others.
late=-1 trace "allgather 7500 7500" >all.ti
network=fifo takes "linear allgather, nobody late" "$(awk 'BEGIN { print 31 * 60000 / 11e6 + 40e-6 }')" -p machine.xml \
    -s allgather=linear

# The first rank takes in what others have sent while it waits for the late one: one receive is left then, and after it
# one of each other rank.
trace barrier >all.ti
takes "a flat barrier" "$(awk 'BEGIN { print 5e8 / 455e6 + 2 * (40e-6 + 10e-3) }')" -p busy.xml -s barrier=flat

# A wait for all takes in what has come while it waits for what was posted before: nothing but the late message, and
# taking that in, is left in the end.
for rank in $(seq 0 $((ranks - 1))); do
    echo "$rank init 1"
    [ "$rank" != 1 ] || echo "1 compute 5e8"
    [ "$rank" = 0 ] || echo "$rank send 0 0 1000"
    [ "$rank" != 0 ] || seq -f '0 irecv %g 0 1000' 1 $((ranks - 1))
    [ "$rank" != 0 ] || echo "0 waitall"
    echo "$rank finalize"
done >all.ti
takes "a wait for all" "$(awk 'BEGIN { print 5e8 / 455e6 + 40e-6 + 8000 / 11e6 + 10e-3 }')" -p busy.xml

finish
