#!/usr/bin/env bash
# How time and memory of simulating grow with the ranks: a binomial broadcast, and an allreduce by reduce and broadcast, on
# 2^12 ... 2^20 ranks and on 2^24, 1,024 to a host, hosts on a mesh, all metrics on; with the network models quiet and fifo.
# `simrun model` fits both to the sizes up to 2^20, foretells the largest, and is held against it. A line for each.
#
#     bench/width.sh [LARGEST]        default: 24, the exponent of the largest
set -euo pipefail
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
simrun=${SIMRUN:-$source_dir/build/release/simrun}
largest=${1:-24}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

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

run() {
    /usr/bin/time -o "$work/used" -f '%e %U %M' "$simrun" -q -s collective="$collective" -n "$network" -s ranks="$ranks" "$@" \
        "$work/wide.xml" >/dev/null
}

# The formula of a measure, then what it foretells of the largest number of ranks, and its band; '!' where the points do
# not support it.
foretell() {
    "$simrun" model -q --over ranks --predict $((1 << largest)) "$1" "$work/runs.db" | awk -v name="$1" '
        $1 == name && $2 == "=" { sub(/^ *[^ ]* = /, ""); sub(/; at .*/, ""); formula = $0 }
        $1 == name && $2 ~ /^[0-9]+$/ { printf "%s | %s (%s to %s)%s", formula, $3, $4, $5, $6 == "yes" ? "" : " !"; exit }'
}

echo "| collective | network | memory [B] | foretold, 2^$largest | measured | host time [s] | foretold, 2^$largest | measured | of a processor |"
echo '|---|---|---|---|---|---|---|---|---|'
for collective in broadcast allreduce; do
    for network in quiet fifo; do
        rm -f "$work/runs.db"
        for ((ranks = 1 << 12; ranks <= 1 << 20; ranks *= 2)); do
            run --store "$work/runs.db"
        done
        ranks=$((1 << largest))
        run
        read -r seconds of_processor kilobytes <"$work/used"
        echo "| $collective | $network | $(foretell host.peak_rss_bytes) | $((kilobytes * 1024))" \
            "| $(foretell host.wall_s) | $seconds | $of_processor |"
    done
done
