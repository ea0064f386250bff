#!/usr/bin/env bash
# Small MPI programs with the messages of applications ring and broadcast, run by SimGrid's smpirun, against simrun on
# the fluid network. smpirun adds an envelope of 16 bytes to every message, so the programs send that much less. Eager
# sends agree to 0.001 %, rendezvous to 2 %: smpirun spends no time on RTS and CTS.
# Then collectives of MPI, by SMPI's algorithms, against simrun's under the same names: they agree to 0.3 %, since parts and
# segments have envelopes, too, but the split tree, whose ranks are numbered differently, to 2 %.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
rounds=3
failed=0

# Without sanitizers, which smpirun does not get along with.
for program in ring broadcast collective; do
    env -u CFLAGS smpicc -O1 -o $program "$SOURCE_DIR/tests/smpi/$program.c"
done
seq -f 'n%g' 0 63 >hosts

# platform LIMIT: icluster with that eager limit, in a file of this name. Its processors' time is on the wires, as SMPI's is.
platform() {
    sed "/_overhead\"/d; s/lat=\"20us\"/lat=\"50us\"/; s/\(id=\"eager_limit\" value=\)\"[^\"]*\"/\1\"$1B\"/" \
        "$SOURCE_DIR/platforms/icluster.xml" >"eager$1.xml"
    grep -q "value=\"$1B\"" "eager$1.xml"
}

# Neutral: latency and bandwidth as the platform has them, no cost of the library, nothing measured on this computer.
# smpi LIMIT RANKS PROGRAM ARGUMENT...: when the last rank is done.
smpi() {
    local limit=$1 ranks=$2
    shift 2
    smpirun -np "$ranks" -hostfile hosts -platform "eager$limit.xml" \
        --log=root.thres:error --cfg=tracing:no --cfg=contexts/stack-size:512 --cfg=network/model:CM02 --cfg=network/crosstraffic:0 \
        --cfg=network/TCP-gamma:1e15 --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1f \
        --cfg=smpi/os:0:0:0 --cfg=smpi/or:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/wtime:0 --cfg=smpi/test:0 \
        --cfg=smpi/async-small-thresh:$((limit + 1)) --cfg=smpi/send-is-detached-thresh:$((limit + 1)) \
        "$@" 2>smpi.err | sort -g | tail -n 1
}

# Print the columns ranks, parameters.bytes and time_s of a table in CSV.
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
compare ring                65536   100,1024,65536 2,8,64 ring      ''                 ring
compare ring                4194304 1000000        2,8,64 ring      ''                 ring
compare flat-broadcast     65536   1024,65536     2,8,64 broadcast broadcast=flat     broadcast flat
compare flat-broadcast     65536   524288,2000000 2,8,64 broadcast broadcast=flat     broadcast flat
compare binomial-broadcast 65536   1024,65536     2,8,64 broadcast broadcast=binomial broadcast binomial
compare binomial-broadcast 65536   524288,2000000 2,8,64 broadcast broadcast=binomial broadcast binomial
compare binomial-broadcast 4194304 300000         2,8,64 broadcast broadcast=binomial broadcast binomial

# named FAMILY OPERATION NAME [PERCENT [SEGMENT [RANKS]]]: of MPI's operation.
named() {
    local family=$1 operation=$2 name=$3 percent=${4:-0.3} segment=${5:-512} ranks_list=${6:-7 8} ranks bytes=1048576
    echo "<scenario name='s'><platform file='eager4194304.xml'/><application name='collective'/></scenario>" >s.xml
    for ranks in $ranks_list; do
        ours=$("$SIMRUN" -q -n fluid -f csv -s "collective=$family" -s "$family=$name" -s bytes=$bytes -s ranks=$ranks \
            -s "broadcast_segment=$segment" s.xml | awk -F, "$pick" | cut -d ' ' -f 3)
        theirs=$(smpi 4194304 $ranks "--cfg=smpi/$operation:$name" ./collective "$operation" $bytes) ||
            { cat smpi.err && exit 1; }
        awk -v name="$family $name" -v ranks=$ranks -v percent="$percent" -v ours="$ours" -v theirs="$theirs" 'BEGIN {
            error = theirs > 0 ? 100 * (ours / theirs - 1) : 100
            bad = error > percent || error < -percent
            printf "%-30s %5d %8s %13.9f %13.9f %+8.4f %%%s\n", name, ranks, "", theirs, ours, error, bad ? "  FAILED" : ""
            exit bad
        }' || failed=$((failed + 1))
    done
}

named broadcast bcast flattree
named broadcast bcast binomial_tree
named broadcast bcast NTSL 0.3 8192
named broadcast bcast NTSL_Isend 0.3 8192
named broadcast bcast NTSB 0.3 8192
named broadcast bcast ompi_pipeline 0.3 131072
named broadcast bcast ompi_split_bintree 2 32768
named broadcast bcast scatter_LR_allgather
named scatter scatter ompi_basic_linear
named scatter scatter ompi_linear_nb
named scatter scatter ompi_binomial
named gather gather ompi_basic_linear
named gather gather ompi_binomial
named reduce reduce binomial
named reduce reduce ompi_binomial 0.3 512 '7 8 13'
named reduce reduce flat_tree
named reduce reduce ompi_basic_linear
named reduce reduce NTSL 0.3 8192
named reduce reduce ompi_pipeline 0.3 65536
named allreduce allreduce rdb
named allreduce allreduce lr
named allreduce allreduce rab_rdb 0.3 512 '7 8 13'
named allgather allgather NTSLR
named allgather allgather NTSLR_NB
named allgather allgather ompi_neighborexchange
named allgather allgather spreading_simple
named allgather allgather pair 0.3 512 '4 8'
named allgather allgather GB
named allgather allgather bruck
named alltoall alltoall ring
named alltoall alltoall pair 0.3 512 '4 8'
named alltoall alltoall basic_linear
named alltoall alltoall bruck
if [ "$failed" -gt 0 ]; then
    echo "$failed rows are further apart than that"
    exit 1
fi
