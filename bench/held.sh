#!/usr/bin/env bash
# How often the band of a model has what is simulated further out: Gauss-Jordan elimination with five broadcasts on a mesh, n = 256,
# 512 and 1024, and a broadcast of three sizes by eleven algorithms; models of seven sets of up to 128 ranks, held against 256 and
# 512. The rows of the first table of docs/explain/models/regression.md, "Held against simulations".
#
#     bench/held.sh [FOLDER]        FOLDER keeps the stores of the runs for another time
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
need_simrun
folder=${1:-$work}
mkdir -p "$folder"
mesh=$SOURCE_DIR/platforms/t800-mesh-64x64.xml
sets="2,4,8,12,16,24,32,48,64,96,128 2,4,8,16,24,32,48,64,96,128 8,16,24,32,48,64,96,128 2,4,8,16,32,64,128
    16,24,32,48,64,96,128 4,8,16,32,64,128 8,16,32,64,128"
measures=time_s,overhead_ratio.communication,overhead_ratio.idle
cat >"$work/one.xml" <<END
<scenario name="one"><platform file="$mesh"/><application name="broadcast"/><param name="network" value="fifo"/>
<param name="bytes" value="256"/><param name="ranks" value="16"/><param name="broadcast" value="flat"/></scenario>
END

# tally MEASURES STORE SCENARIO SETTING...: a line "measure in_band supported supported_in_band" for each value that is held against a
# simulation.
tally() {
    local measures=$1 common=(-q --store "$2" -j 2 "${@:4}" "$3")
    "$SIMRUN" -f json -s ranks=256,512 "${common[@]}" >"$work/true.json"
    for ranks in $sets; do
        "$SIMRUN" model "$measures" -f json -s "ranks=$ranks" --predict 256,512 "${common[@]}" |
            jq -r --slurpfile true "$work/true.json" '
                ($true[0].runs | map({key: "\(.parameters.broadcast) \(.ranks)", value: .}) | from_entries) as $runs |
                .models.fits[] | . as $fit | .forecasts[]? |
                $runs["\($fit.series | ltrimstr("broadcast ")) \(.ranks | floor)"] as $run |
                ($run | getpath($fit.measure / ".")) as $value |
                (.low - 1e-9 <= $value and $value <= (.high // infinite) + 1e-9) as $good |
                "\($fit.measure) \($good) \(.supported) \(.supported and $good)"'
    done
}

count() {
    awk -v name="$1" '{ n++; good += $2 == "true"; supported += $3 == "true"; both += $4 == "true" }
        END { printf "| %s | %d | %d | %d | %d |\n", name, n, good, supported, both }'
}

echo '| | values | in the band | supported | of these in the band |'
echo '|---|---|---|---|---|'
for n in 256 512 1024; do
    tally $measures "$folder/gj-$n.db" "$SOURCE_DIR/scenarios/gj-scaling.xml" -s "n=$n" \
        -s broadcast=flat,neighbour,binomial,chain,chain_segmented >"$work/gj-$n"
    grep '^time_s' "$work/gj-$n" | count "time, n = $n"
done
grep -h communication "$work"/gj-* | count 'communication ratio, all three n'
grep -h idle "$work"/gj-* | count 'idle ratio, all three n'
for bytes in 256 8KiB 256KiB; do
    tally time_s "$folder/one-$bytes.db" "$work/one.xml" -s "bytes=$bytes" \
        -s broadcast=flat,binomial,knomial,chain,chain_segmented,split_ring,binary,binary_segmented,split_binary,scatter_ring,scatter_doubling
done | count 'one broadcast of 256 B, 8 KiB, 256 KiB, eleven algorithms'
