#!/usr/bin/env bash
# How memory and time of simulating grow with the ranks: a binomial broadcast, and an allreduce by reduce and broadcast, on
# 2^(LARGEST-12) ... 2^(LARGEST-4) ranks and on 2^LARGEST, 1,024 to a host, hosts on a mesh, all metrics on; with the network models
# quiet and fifo. `simrun model` fits both to the sizes but the largest, foretells that, and is held against it. A line for each.
# Each of the sizes has a process of its own for its memory, and time of its own for its time.
#
#     bench/width.sh [LARGEST]        default: 24
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
need_simrun
largest=${1:-24}
[[ $largest =~ ^(1[3-9]|2[0-4])$ ]] || fail "LARGEST: '$largest'; 13 ... 24 is allowed"

# Hosts of 1,024 cores, so that each rank has one; 10 GB/s and 1 us between hosts.
cat >"$work/cores.xml" <<'END'
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="cores" routing="Full">
    <prop id="cores" value="1024"/>
    <cluster id="hosts" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="10GBps" lat="1us"/>
  </zone>
</platform>
END
cat >"$work/wide.xml" <<'END'
<scenario name="wide">
  <platform file="cores.xml"/>
  <application name="collective"/>
  <param name="allreduce" value="reduce_broadcast"/>
  <param name="broadcast" value="binomial"/>
  <param name="ranks_per_host" value="1024"/>
  <param name="topology" value="mesh"/>
</scenario>
END

# simulate COMMAND...: of the collective on the network.
simulate() {
    "$SIMRUN" "$@" -q -s collective="$collective" -n "$network" "$work/wide.xml" 2>"$work/err"
}

# foretell MEASURE JOBS: from nine runs, of which as many jobs make a process each. Its formula, then what it foretells of the largest number of ranks, and its band; '!' where the points do not
# support it.
foretell() {
    simulate model "$1" -f json -j "$2" -s ranks=$((1 << largest - 12))..$((1 << largest - 4))*2 --predict $((1 << largest)) |
        jq -er '.models.fits[0] | .forecasts[0] as $at | select(.constant != 0 or (.terms | length) > 0) |
            def short: if . == null then "?" elif . >= 1000 then round else . * 1000 | round / 1000 end;
            "\(.formula) | \($at.value | short) (\($at.low | short) to \($at.high | short))\(if $at.supported then "" else " !" end)"'
}

echo "| collective | network | memory [B] | foretold, 2^$largest | measured | host time [s] | foretold, 2^$largest | measured | of a processor |"
echo '|---|---|---|---|---|---|---|---|---|'
TIMEFORMAT=%U
for collective in broadcast allreduce; do
    for network in quiet fifo; do
        memory=$(foretell host.peak_rss_bytes 9) && [ -n "$memory" ] || fail "$collective on $network: no memory: $(said)"
        wall=$(foretell host.wall_s 1) && [ -n "$wall" ] || fail "$collective on $network: no time: $(said)"
        of_processor=$({ time simulate -f json -s ranks=$((1 << largest)) >"$work/out"; } 2>&1) || fail "$collective on $network: $(said)"
        measured=$(jq -er '.runs[0].host | select(.peak_rss_bytes > 0) | "\(.peak_rss_bytes) \(.wall_s * 1000 | round / 1000)"' "$work/out") &&
            [ -n "$measured" ] || fail "$collective on $network: nothing is measured"
        echo "| $collective | $network | $memory | ${measured% *} | $wall | ${measured#* } | $of_processor |"
    done
done
