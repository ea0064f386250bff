#!/usr/bin/env bash
# Halos on a torus of 4 x 4: on switched machines they take what the wires must carry, in whatever order they are sent. Where
# whole messages wait for each other the order decides.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# halos NAME SORT...: 100 kB to each neighbor, ten times; the sends in an order.
halos() {
    local name=$1 rank x y right left down up
    shift
    for rank in {0..15}; do
        x=$((rank % 4)) y=$((rank / 4))
        right=$(((x + 1) % 4 + 4 * y)) left=$(((x + 3) % 4 + 4 * y))
        down=$((x + (y + 1) % 4 * 4)) up=$((x + (y + 3) % 4 * 4))
        echo "$rank init"
        for _ in {1..10}; do
            printf "$rank irecv %s %s 100000 6\n" $right 1 $left 0 $down 3 $up 2
            printf "$rank isend %s %s 100000 6\n" $right 0 $left 1 $down 2 $up 3 | "$@"
            echo "$rank waitall"
        done
        echo "$rank finalize"
    done >"$name.ti"
}
halos around cat
halos numbers sort -n -k 3,3

# takes LEAST MOST [NAME=VALUE]... TI: times the bound of the wires, 4 MB at 11 MB/s.
takes() {
    run -f json -p "$platform" "${@:3}"
    holds ".runs[0].time_s / (4e6 / 11e6) | . >= $1 and . < $2"
}
platform=$SOURCE_DIR/platforms/icluster.xml
takes 1 1.015 around.ti
takes 1 1.015 numbers.ti
takes 1 1.015 -s network=fifo around.ti
takes 1.5 2 -s network=fifo numbers.ti

# Its wires alone, as docs/explain/models/messages.md has them.
platform=wires.xml
echo '<platform version="4.1"><zone id="world" routing="Full"><cluster id="icluster" prefix="n" suffix="" radical="0-15"
    speed="455Mf" bw="11MBps" lat="20us"/></zone></platform>' >wires.xml
takes 1.001 1.0015 around.ti
takes 1.001 1.0015 numbers.ti
takes 1.001 1.0015 -s network=fifo around.ti
takes 1.3 1.302 -s network=fifo numbers.ti

# The networks of the machines that are shipped, as docs/explain/models/messages.md has them.
for machine in t800-mesh:fifo decstation-atm:fifo decstation-ethernet:fifo ncp2-myrinet:fifo icluster:fluid \
    icluster-gigabit:fluid icluster-myrinet:fluid icluster-loaded:fluid pentium2-cluster:fluid lumi-g:fifo lassen:fifo; do
    scenario is.xml "${machine%:*}" "name='ring'" ranks=2 rounds=1 bytes=8
    run -f json is.xml
    same "$machine" "$(jq -r '.runs[0].network' out)" "${machine#*:}"
done
finish
