#!/usr/bin/env bash
# The lines of applications' own source: their times add up to those of scopes, the rest of the run is the same as
# without, calls are counted, and lines have what is said of them.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
run() {
    "$SIMRUN" -q -f json "$@" >out 2>err
}

cat >stencil.xml <<XML
<scenario name="stencil"><platform file="$SOURCE_DIR/platforms/icluster.xml"/><application name="stencil"/></scenario>
XML

# By scope. What comes after the end of a rank's program is of no line.
of_lines='[.runs[0].sites[] | {(.site | if test(" in ") then sub(".* in "; "") else "" end): .time_s}] |
    group_by(keys) | map({(.[0] | keys[0]): (map(.[]) | add)}) | add // {} | del(.[""])'
of_scopes='.runs[0].scope_state_s | to_entries | map({(.key | sub("[.][a-z]+$"; "")): .value}) |
    group_by(keys) | map({(.[0] | keys[0]): (map(.[]) | add)}) | add // {} | del(.end)'
while read -r scenario options; do
    # shellcheck disable=SC2086 # options are words
    check "$scenario with lines" run --detail source $options "$scenario"
    cp out with.json
    # shellcheck disable=SC2086
    run $options "$scenario"
    same "$scenario: all else is the same" "$(jq -c '.runs[0] | del(.host, .sites, .site_waits)' with.json)" \
        "$(jq -c '.runs[0] | del(.host)' out)"
    check "$scenario: lines add up to scopes" jq -e "($of_lines) as \$lines | ($of_scopes) as \$scopes |
        (\$scopes | length > 0) and
        all(\$scopes | to_entries[]; (.value - (\$lines[.key] // 0) | fabs) < 1e-9)" with.json >/dev/null
    check "$scenario: waits are parts of lines" jq -e '([.runs[0].site_waits[].time_s] | add // 0) as $waits |
        ([.runs[0].sites[].idle_s] | add // 0) as $idle | ($waits - $idle | fabs) < 1e-9' with.json >/dev/null
    while IFS=: read -r file line; do
        found=$(find "$SOURCE_DIR/src/apps" -name "$file")
        check "$scenario: $file:$line adds an op" grep -Eq 'OP_|op_list_|shared_|add_|\)' <(sed -n "${line}p" "$found")
    done < <(jq -r '.runs[0].sites[].site | sub(" in .*"; "")' with.json | sort -u)
done <<END
gj256 -s ranks=8 -s n=64
gj256 -s ranks=8 -s n=64 -s broadcast=flat
matmul100
align -s size=64
pdtrsm -s n=128 -s ranks=8 -s grid=2x4
hpl-icluster -s n=500 -s ranks=4 -s grid=2x2
lassen-pairs -s ranks=4 -s bytes=1KiB
ncp2-tsp -s ranks=4
ncp2-water -s ranks=4
ncp2-quicksort -s ranks=4
ncp2-ocean -s ranks=4 -s size=66
dsm-latency
stencil.xml -s ranks=4
END
# Gauss-Jordan: each rank is in each of n broadcasts, and the owner of each row inverts its pivot.
run --detail source -s ranks=8 -s n=64 gj256
holds '[.runs[0].sites[] | select(.function == "broadcast") | .calls] == [512]'
holds '[.runs[0].sites[] | select(.function == "gj.inv") | .calls] == [64]'
line=$(jq -r '.runs[0].sites[] | select(.function == "gj.rsub") | .site | capture(":(?<line>[0-9]+)").line' out)
check "the line of a kernel: $line" grep -q KERNEL_RSUB <(sed -n "${line}p" "$SOURCE_DIR/src/apps/gauss_jordan.c")
holds '[.runs[0].sites[] | select(.function == "gj.rsub")][0] | .useful_s == .time_s and .idle_s == 0'
# A flat broadcast waits for its receivers.
run --detail source -s ranks=8 -s n=64 -s broadcast=flat gj256
holds '[.runs[0].site_waits[] | select(.function == "broadcast") | .wait] | contains(["late receiver"])'
# Replays have no lines, and readers see a table.
"$SIMRUN" -q --detail source -s ranks=8 -s n=64 gj256 >out 2>err
check 'a table' grep -Eq '^  gauss_jordan\.c:[0-9]+ +[0-9.]+ m?s .*broadcast|OP_BROADCAST' out
run --detail source replay-heat
holds '.runs[0] | has("sites") | not'
finish
