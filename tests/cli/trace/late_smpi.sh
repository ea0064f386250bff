#!/usr/bin/env bash
# Every algorithm of every collective with one rank that comes late, below and above the eager limit: against the same
# sends and receives as calls of MPI (tests/smpi/late), run by SimGrid's smpirun, on wires that are shared (fluid).
#
#     late_smpi.sh [--all]
#
# --all prints every row, and not only those that are too far apart.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
command -v smpirun >/dev/null && command -v smpicc >/dev/null ||
    { echo "NOT COMPARED: late ranks, without SimGrid's smpirun and smpicc: tools/install-packages test" && exit 77; }
env -u CFLAGS smpicc -O1 -o late "$SOURCE_DIR"/tests/smpi/late/*.c || exit # sanitizers do not get along with smpirun
families="broadcast scatter gather reduce allreduce allgather alltoall barrier"
bytes=48048 segment=4096 radix=3 # which 7, 8, 13 and the powers of two below them divide
most=0.02                        # percent that a time may be off

# machine NAME EAGER-LIMIT LATENCY: a star of 16 hosts. smpirun spends no time on RTS and CTS, and adds an envelope of
# 16 bytes to empty messages: the latency is so short, or for barriers so long, that this does not count.
machine() {
    seq -f 'n%g' 0 15 >hosts
    cat >"$1.xml" <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full">
    <prop id="send_completes" value="buffered"/><prop id="eager_limit" value="$2B"/>
    <cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="11MBps" lat="$3"/>
  </zone>
</platform>
END
}

# theirs MACHINE EAGER-LIMIT RANKS LATE-S RADIX <ROWS: by smpirun, with latency and bandwidth as the platform has them,
# no cost of the library, and nothing measured on this computer. With network/optim:Lazy, its default, SimGrid 3.32 does
# not share a wire fairly with a message that begins later, so that an all-to-all takes up to a fifth less.
theirs() {
    cat >rows
    smpirun -np "$3" -hostfile hosts -platform "$1.xml" --log=root.thres:error --cfg=tracing:no \
        --cfg=contexts/stack-size:512 --cfg=network/model:CM02 --cfg=network/crosstraffic:0 \
        --cfg=network/optim:Full --cfg=network/TCP-gamma:1e15 \
        --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1f \
        --cfg=smpi/os:0:0:0 --cfg=smpi/or:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/wtime:0 --cfg=smpi/test:0 \
        --cfg=smpi/async-small-thresh:$(($2 + 1)) --cfg=smpi/send-is-detached-thresh:$(($2 + 1)) \
        ./late 1e9 "$4" $segment "$5" rows 2>smpi.err
}

# trace FAMILY BYTES RANKS LATE LATE-S: one collective, in TI.
trace() {
    awk -v family="$1" -v bytes="$2" -v ranks="$3" -v late="$4" -v late_s="$5" 'BEGIN {
        call["broadcast"] = "bcast " bytes
        call["reduce"] = "reduce " bytes " 0"
        call["allreduce"] = "allreduce " bytes " 0"
        call["barrier"] = "barrier"
        for (rank = 0; rank < ranks; rank++) {
            print rank, "init"
            if (rank == late)
                print rank, "compute", late_s * 1e9
            print rank, family in call ? call[family] : family " " bytes " " bytes
            print rank, "finalize"
        }
    }'
}

# ours MACHINE RADIX FAMILY ALGORITHM... <TRACE: the time of each algorithm, a line each.
ours() {
    local machine=$1 radix=$2 family=$3
    shift 3
    cat >t.ti
    "$SIMRUN" -q -n fluid -p "$machine.xml" -s "broadcast_segment=$segment" -s "broadcast_radix=$radix" \
        -s "$family=$(tr ' ' , <<<"$*")" -f json t.ti 2>>err | jq -r '.runs[].time_s'
}

# algorithms FAMILY: as the message about an unknown one says; those that stand for others are compared below.
algorithms() {
    "$SIMRUN" check -s "$1=?" alone.xml 2>&1 | sed -n 's/.*known: //p' | tr ' ' '\n' |
        grep -vxE 'own|fastest|openmpi|auto' | xargs
}

# compare WHAT MACHINE EAGER-LIMIT RANKS LATE-S RADIX SETTING <ROWS "FAMILY ALGORITHM BYTES": with each of three ranks
# late. SETTING is what simrun calls the algorithm, if that is another name.
compare() {
    local what=$1 machine=$2 limit=$3 ranks=$4 late_s=$5 radix=$6 setting=${7-} late family names bytes
    cat >cases
    for late in 0 $((ranks / 3)) $((ranks - 1)); do
        sed "s/\$/ $late/" cases
    done >late.rows
    theirs "$machine" "$limit" "$ranks" "$late_s" "$radix" <late.rows >theirs || cat smpi.err >err
    for late in 0 $((ranks / 3)) $((ranks - 1)); do
        while read -r family bytes; do
            names=${setting:-$(awk -v f="$family" '$1 == f { print $2 }' cases | xargs)}
            trace "$family" "$bytes" "$ranks" $late "$late_s" >one.ti
            # shellcheck disable=SC2086
            ours "$machine" "$radix" "$family" $names <one.ti
        done < <(awk '!seen[$1]++ { print $1, $3 }' cases)
    done >ours
    paste -d ' ' theirs ours | awk -v what="$what" -v ranks="$ranks" '{
        error = $5 > 0 && $6 > 0 ? 100 * ($6 / $5 - 1) : 100
        printf "%-9s %-18s %-10s %2d ranks %6d B, rank %2d late: %.9f %.9f %+.4f %%\n", $1, $2, what, ranks, $3, $4,
               $5, $6, error
    }' >>all
    same "answers for $what of $ranks ranks" "$(wc -l <ours) $(wc -l <theirs)" "$(wc -l <late.rows) $(wc -l <late.rows)"
}

: >all
machine eager 67108864 10ns
machine rendezvous 1024 10ns
machine slow 67108864 10ms
machine short 256 10ns
scenario alone.xml icluster "name='collective'"
for ranks in 7 8 13; do
    for family in $families; do
        names=$(algorithms "$family")
        same "algorithms of $family" "$([ "$(wc -w <<<"$names")" -ge 2 ] && echo several)" several
        for name in $names; do
            echo "$family $name $([ $family = barrier ] && echo 0 || echo $bytes)"
        done
    done >every
    for late_s in 0.007 0.05; do # in the midst of the others, and after them
        compare eager eager 67108864 $ranks $late_s $radix < <(grep -v ^barrier every)
        compare rendezvous rendezvous 1024 $ranks $late_s $radix < <(grep -v ^barrier every)
    done
    compare eager slow 67108864 $ranks 0.1 $radix < <(grep ^barrier every)
done

# Collectives that Open MPI posts in another way, or along other trees: by ranks and length.
while read -r ranks family name bytes; do
    for what in eager short; do
        limit=$([ $what = eager ] && echo 67108864 || echo 256)
        compare $what $what "$limit" "$ranks" 0.05 4 openmpi <<<"$family $name $bytes"
    done
done <<'END'
7 broadcast openmpi-binary 1792
8 broadcast openmpi-knomial 2800
13 broadcast openmpi-binary 12000
7 broadcast openmpi-binomial 7000
13 broadcast openmpi-binomial 24000
7 broadcast flattree 48048
8 scatter ompi_linear_nb 48048
13 scatter ompi_binomial 12000
7 gather openmpi-asked 300000
13 gather binomial 48048
7 reduce openmpi-binary 3500
13 reduce openmpi-binary 8000
7 reduce chain 48048
13 reduce ompi_binomial 48048
8 allreduce rabenseifner 48048
7 allgather bruck 48048
13 alltoall linear 48048
END
compare eager slow 67108864 7 0.1 4 openmpi <<<"barrier flat 0"

[ "${1-}" = --all ] && cat all
awk -v most=$most '{
    error = $(NF - 1) < 0 ? -$(NF - 1) : +$(NF - 1)
    worst = error > worst ? error : worst
    bad += error > most
    if (error > most)
        print
} END {
    printf "%d rows, %d of them further apart than %g %%, at most %g %%\n", NR, bad, most, worst
    exit bad > 0 || NR == 0
}' all >out
status=$?
tail -n 1 out
note $status "late ranks as smpirun has them"
finish
