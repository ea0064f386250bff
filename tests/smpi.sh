#!/usr/bin/env bash
# Small MPI programs with the messages of applications ring and broadcast, run by SimGrid's smpirun, against simrun on
# the fluid network. smpirun adds an envelope of 16 bytes to every message, so the programs send that much less. Eager
# sends agree to 0.001 %, rendezvous to 2 %: smpirun spends no time on request and clearance.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
rounds=3
failed=0

# Without sanitizers, which smpirun does not get along with.
for program in ring broadcast; do
    env -u CFLAGS smpicc -O1 -o $program "$SOURCE_DIR/tests/smpi/$program.c"
done
seq -f 'n%g' 0 63 >hosts

# platform LIMIT: icluster with that eager limit, in a file of this name.
platform() {
    sed "s/\(id=\"eager_limit\" value=\)\"[^\"]*\"/\1\"$1B\"/" "$SOURCE_DIR/platforms/icluster.xml" >"eager$1.xml"
    grep -q "value=\"$1B\"" "eager$1.xml"
}

# Neutral: latency and bandwidth as the platform has them, no cost of the library, nothing measured on this computer.
# smpi LIMIT RANKS PROGRAM ARGUMENT...: when the last rank is done.
smpi() {
    local limit=$1 ranks=$2
    shift 2
    smpirun -np "$ranks" -hostfile hosts -platform "eager$limit.xml" \
        --log=root.thres:error --cfg=tracing:no --cfg=network/model:CM02 --cfg=network/crosstraffic:0 \
        --cfg=network/TCP-gamma:1e15 --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1f \
        --cfg=smpi/os:0:0:0 --cfg=smpi/or:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/wtime:0 --cfg=smpi/test:0 \
        --cfg=smpi/async-small-thresh:$((limit + 1)) --cfg=smpi/send-is-detached-thresh:$((limit + 1)) \
        "$@" 2>smpi.err | sort -g | tail -n 1
}

# Of a table in CSV, the columns ranks, parameters.bytes and time_s.
pick='NR == 1 { for (i = NF; i > 0; i--) column[$i] = i; next }
      { print $column["ranks"], $column["parameters.bytes"], $column["time_s"] }'

# compare NAME LIMIT LENGTHS RANKS APPLICATION SETTING SMPI-PROGRAM SMPI-ARGUMENT
compare() {
    local name=$1 limit=$2 lengths=$3 ranks_list=$4 application=$5 setting=$6 program=$7 argument=${8-}
    local ranks bytes ours theirs
    echo "<scenario name='$name'><platform file='eager$limit.xml'/><application name='$application'/></scenario>" >s.xml
    "$SIMRUN" -q -n fluid -f csv -s rounds=$rounds -s "bytes=$lengths" -s "ranks=$ranks_list" \
        ${setting:+-s "$setting"} s.xml | awk -F, "$pick" >rows
    while read -r ranks bytes ours; do
        # shellcheck disable=SC2086
        theirs=$(smpi "$limit" "$ranks" "./$program" $rounds $((bytes - 16)) $argument) ||
            { cat smpi.err && exit 1; }
        awk -v name="$name" -v limit="$limit" -v ranks="$ranks" -v bytes="$bytes" -v ours="$ours" \
            -v theirs="$theirs" 'BEGIN {
            eager = bytes <= limit
            allowed = eager ? 1e-5 : 0.02
            error = theirs > 0 ? ours / theirs - 1 : 1
            bad = error > allowed || error < -allowed
            printf "%-19s %10s %5d %8d %13.9f %13.9f %+8.4f %%%s\n", name, eager ? "eager" : "rendezvous", ranks, bytes,
                   theirs, ours, 100 * error, bad ? "  FAILED" : ""
            exit bad
        }' || failed=$((failed + 1))
    done <rows
}

platform 65536
platform 4194304
printf '%-19s %10s %5s %8s %13s %13s %10s\n' program protocol ranks bytes 'smpirun, s' 'simrun, s' error
compare ring                65536   100,1024,65536 2,8,16,64 ring      ''                 ring
compare ring                4194304 1000000        2,8,16,64 ring      ''                 ring
compare flat-broadcast     65536   1024,65536     2,8,16,64 broadcast broadcast=flat     broadcast flat
compare flat-broadcast     65536   524288,2000000 2,8,16,64 broadcast broadcast=flat     broadcast flat
compare binomial-broadcast 65536   1024,65536     2,8,16,64 broadcast broadcast=binomial broadcast binomial
compare binomial-broadcast 65536   524288,2000000 2,8,16,64 broadcast broadcast=binomial broadcast binomial
compare binomial-broadcast 4194304 300000         2,8,16,64 broadcast broadcast=binomial broadcast binomial
if [ "$failed" -gt 0 ]; then
    echo "$failed rows are further apart than that"
    exit 1
fi
