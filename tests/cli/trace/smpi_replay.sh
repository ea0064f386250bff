#!/usr/bin/env bash
# TI traces of each action beside SimGrid's own replay of them, smpirun -replay, on one platform with the same algorithms of
# collectives. smpirun adds an envelope of 16 bytes to each part of a collective. And platforms that name no network, on
# which messages meet, beside SimGrid's fair sharing of their links. With a folder of SimGrid's sources as SIMGRID_EXAMPLES
# (target check-simgrid) its example traces and platforms likewise; of these also which can be used, and why others cannot.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
seq -f 'n%g' 0 7 >hosts
sed "/_overhead\"/d; s/lat=\"20us\"/lat=\"50us\"/" "$SOURCE_DIR/platforms/icluster.xml" >platform.xml
grep -q 'eager_limit" value="64KiB"' platform.xml
note $? "the platform's eager limit is 64 KiB"

allgatherv=mpich_ring

# theirs RANKS LIST [PLATFORM HOSTS]: the simulated seconds. Neutral: latency and bandwidth as the platform has them.
theirs() {
    smpirun -replay "$2" -np "$1" -hostfile "${4-hosts}" -platform "${3-platform.xml}" --log=root.thres:error --log=smpi_replay.thres:info \
        --cfg=contexts/stack-size:512 --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e15 \
        --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 --cfg=smpi/os:0:0:0 --cfg=smpi/or:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/test:0 \
        --cfg=smpi/async-small-thresh:65537 --cfg=smpi/send-is-detached-thresh:65537 --cfg=smpi/host-speed:1f \
        --cfg=smpi/bcast:binomial_tree --cfg=smpi/reduce:binomial --cfg=smpi/allreduce:rdb --cfg=smpi/alltoall:basic_linear \
        --cfg=smpi/gather:ompi_basic_linear --cfg=smpi/barrier:ompi_bruck --cfg=smpi/alltoallv:ring \
        "--cfg=smpi/allgatherv:$allgatherv" --cfg=smpi/reduce_scatter:mpich_pair 2>"$work/err" |
        cat - "$work/err" | sed -n 's/.*Simulation time //p'
}

ours() {
    "$SIMRUN" -q -n fluid --platform platform.xml -s broadcast=binomial -s reduce=binomial -s allreduce=rdb -s alltoall=linear \
        -s gather=flat -s barrier=dissemination -f json "$1" | jq '.runs[0].time_s'
}

# beside NAME TRACE LIST: the same within 0.2 %, or 3 % and 1 us of what takes less than 1 ms, where envelopes count.
beside() {
    local name=$1 trace=$2 list=$3 n a b
    n=$(cat $(cat "$list") | awk '$1 ~ /^[0-9]+$/ { ranks[$1] = 1 } END { print length(ranks) }')
    a=$(theirs "$n" "$list")
    b=$(ours "$trace")
    awk -v name="$name" -v n="$n" -v a="${a:-0}" -v b="${b:-0}" 'BEGIN {
        off = b - a
        printf "%-40s %2d %13.9f %13.9f %+7.3f %%\n", name, n, a, b, (a > 0) ? 100 * off / a : 0
        exit !(a > 0 && b > 0 && (off < 0 ? -off : off) <= (a < 1e-3 ? 0.03 * a + 1e-6 : 0.002 * a))
    }'
    note $? "$name: smpirun -replay $a s, simrun $b s"
}

# all ACTION ARGUMENT...: of 4 ranks, between computations of different length.
all() {
    for rank in 0 1 2 3; do
        echo "$rank init"
        echo "$rank compute $((rank + 1))e6"
        echo "$rank $*"
        echo "$rank finalize"
    done
}
mkdir own
all bcast 5e4 >own/bcast.ti
all bcast 3e3 2 1 >own/bcast_root_ints.ti
all reduce 2e4 4e6 >own/reduce.ti
all allreduce 2e4 4e6 >own/allreduce.ti
all alltoall 9e3 9e3 >own/alltoall.ti
all gather 6e4 6e4 0 >own/gather.ti
all barrier >own/barrier.ti
all allgatherv 30000 30000 30000 30000 30000 >own/allgatherv.ti
all reducescatter 20000 20000 20000 20000 1e6 >own/reducescatter.ti
all alltoallv 4000 1000 1000 1000 1000 4000 1000 1000 1000 1000 >own/alltoallv.ti
cat >own/blocking.ti <<'X'
0 init
0 send 1 7 1e6
0 recv 1 8 1e3
0 compute 2e7
0 finalize
1 init
1 compute 1e7
1 recv 0 7 1e6
1 send 0 8 1e3
1 finalize
X
cat >own/requests.ti <<'X'
0 init
0 irecv 1 1 5e4
0 irecv 2 2 3e3
0 compute 3e6
0 waitall
0 isend 1 3 4e4
0 wait 0 1 3
0 finalize
1 init
1 isend 0 1 5e4
1 isend 2 1 6e4
1 waitall
1 recv 0 3 4e4
1 finalize
2 init
2 compute 1e6
2 irecv 1 1 6e4
2 isend 0 2 3e3
2 waitall
2 finalize
X
cat >own/exchange.ti <<'X'
0 init
0 sendRecv 5e4 1 5e4 1 6 6
0 finalize
1 init
1 sendRecv 5e4 0 5e4 0 6 6
1 finalize
X
printf '%-40s %2s %13s %13s %9s\n' trace p 'smpirun, s' 'simrun, s' off
for trace in own/*.ti; do
    echo "$trace" >list
    beside "$trace" "$trace" list
done

# meet RANKS: all send to all at once, messages of three lengths.
meet() {
    awk -v n="$1" 'BEGIN {
        split("1000000 300000 20000000", bytes)
        for (r = 0; r < n; r++) {
            print r, "init"
            for (s = 1; s < n; s++)
                print r, "irecv", (r - s + n) % n, s, bytes[s % 3 + 1], 6
            for (s = 1; s < n; s++)
                print r, "isend", (r + s) % n, s, bytes[s % 3 + 1], 6
            print r, "waitall"
            print r, "finalize"
        }
    }'
}

# shares PLATFORM RANKS_PER_HOST HOST...: the same time where the platform says nothing but what SimGrid knows.
shares() {
    local platform=$1 each=$2 n a b
    shift 2
    n=$(($# * each < 6 ? $# * each : 6))
    printf '%s\n' "$@" | awk -v each="$each" '{ for (i = 0; i < each; i++) print }' >among
    meet "$n" >meet.ti
    echo meet.ti >list
    a=$(theirs "$n" list "$platform" among)
    [ -z "$a" ] && [ -n "${may_have_none-}" ] && return # routes are missing, to the host itself among others
    b=$("$SIMRUN" -q -s ranks_per_host="$each" -p "$platform" -f json meet.ti 2>err | jq '.runs[0].time_s')
    awk -v name="$(basename "$platform")" -v each="$each" -v a="${a:-0}" -v b="${b:-0}" 'BEGIN {
        printf "%-40s %2d %13.9f %13.9f %+7.3f %%\n", name, each, a, b, (a > 0) ? 100 * (b - a) / a : 0
        exit !(a > 0 && b > a * 0.9995 && b < a * 1.0005)
    }'
    note $? "$platform, $each to a host: smpirun -replay $a s, simrun $b s $(head -c 200 err)"
}

head='<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'

# by_number: names in the order in which simrun numbers hosts, where all end in numbers after the same word, or none do.
by_number() {
    sort >names
    if [ "$(sed -E 's/[0-9]+$//' names | uniq | wc -l)" -eq 1 ]; then sort -V names; else LC_ALL=C sort names; fi
}

# zone NAME ROUTING PART...: hosts n0 to n3, wires l0 to l3 of which each is another, and what else there is.
zone() {
    local name=$1 routing=$2
    shift 2
    {
        echo "$head<zone id='w' routing='$routing'>"
        for i in 0 1 2 3; do
            echo "<host id='n$i' speed='1Gf'/>"
            echo "<link id='l$i' bandwidth='$((100 + 10 * i))MBps' latency='10us' sharing_policy='SPLITDUPLEX'/>"
        done
        printf '%s\n' "$@" '</zone></platform>'
    } >"$name.xml"
}

# through LINK...: routes between all hosts over their wires and these.
through() {
    local between
    between=$(printf "<link_ctn id='%s'/>" "$@")
    for i in 0 1 2 3; do
        for ((j = i + 1; j < 4; j++)); do
            echo "<route src='n$i' dst='n$j'><link_ctn id='l$i' direction='UP'/>$between<link_ctn id='l$j' direction='DOWN'/></route>"
        done
    done
}

four() {
    zone "$@"
    shares "$1.xml" 1 n0 n1 n2 n3
    shares "$1.xml" 2 n0 n1 n2 n3
}
four shared Full "<link id='core' bandwidth='90MBps' latency='5us'/>" "$(through core)"
four pipe Full "<link id='core' bandwidth='95MBps' latency='100us' sharing_policy='FATPIPE'/>" "$(through core)"
four loops Full "<link id='in' bandwidth='200MBps' latency='3us'/>" "$(through in)" \
    "$(for i in 0 1 2 3; do echo "<route src='n$i' dst='n$i' symmetrical='NO'><link_ctn id='in'/></route>"; done)"
four floyd Floyd "<link id='k' bandwidth='80MBps' latency='20us'/>" \
    "$(for i in 0 1 2; do echo "<route src='n$i' dst='n$((i + 1))'><link_ctn id='k'/></route>"; done)"
for more in '' "bb_bw='150MBps' bb_lat='5us'" "bb_bw='50MBps' bb_lat='5us' bb_sharing_policy='FATPIPE'" \
    "loopback_bw='1GBps' loopback_lat='1us' sharing_policy='SHARED'"; do
    echo "$head<zone id='w' routing='Full'><cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf'
        bw='100MBps' lat='10us' $more/></zone></platform>" >cluster.xml
    shares cluster.xml 2 n0 n1 n2 n3
done

if [ -n "${SIMGRID_EXAMPLES-}" ]; then
    allgatherv=default # its blocks are long, and mpich_ring sends those in pieces
    for trace in "$SIMGRID_EXAMPLES"/smpi/replay/actions_*.txt; do
        echo "$trace" >list
        beside "${trace##*/}" "$trace" list
    done
    printf '%s\n' "$SIMGRID_EXAMPLES"/smpi/replay/actions[01].txt >split.txt
    beside 'actions0.txt, actions1.txt' split.txt split.txt
    may_have_none=yes
    used=0
    of=0
    for platform in "$SIMGRID_EXAMPLES"/platforms/*.xml; do
        echo "<scenario name='s'><platform file='$platform'/><application name='ring'/></scenario>" >s.xml
        of=$((of + 1))
        if ! "$SIMRUN" -q -s ranks=1 s.xml >out 2>err; then
            sed 's/^simrun: .*platforms./refused: /' err
            grep -qE ' (routing Vivaldi|routing Wifi): ' err
            note $? "$platform: $(cat err)"
            continue
        fi
        used=$((used + 1))
        # With profiles and failures SimGrid does otherwise; or routes are missing.
        grep -q state_file "$platform" || ! "$SIMRUN" platform --text -o text s.xml 2>err && continue
        mapfile -t all < <(sed -n 's/^host \(.*\) [0-9.]*f$/\1/p' text | by_number | head -6)
        [ ${#all[@]} -gt 1 ] && shares "$platform" 1 "${all[@]}"
        shares "$platform" 2 "${all[@]}"
    done
    echo "$used of $of platforms can be used"
fi
finish
