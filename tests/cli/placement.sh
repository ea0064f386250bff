#!/usr/bin/env bash
# Where ranks are: a placement takes the time of the platform whose hosts have changed their places by hand; hostfiles,
# rankfiles and hostlists say the same; smpirun -replay with the same hostfile takes as long; and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1

# tree FILE NAME...: two switches with four hosts each, and a wire between them; all wires differ. NAMES: the hosts.
tree() {
    local file=$1
    shift
    printf '%s\n' "$@" | awk '{ host[NR - 1] = $1 } END {
        print "<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
        print "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
        for (i = 0; i < 8; i++)
            printf "<host id=\"%s\" speed=\"1Gf\"/>\n", host[i]
        for (i = 0; i < 8; i++) {
            printf "<link id=\"u%d\" bandwidth=\"%dMBps\" latency=\"%dus\"/>\n", i, 100 + 10 * i, 5 + i
            printf "<link id=\"m%d\" bandwidth=\"%dMBps\" latency=\"1us\"/>\n", i, 900 + 10 * i
        }
        print "<link id=\"t\" bandwidth=\"80MBps\" latency=\"20us\"/>"
        for (i = 0; i < 8; i++)
            for (j = i; j < 8; j++)
                printf "<route src=\"%s\" dst=\"%s\">%s</route>\n", host[i], host[j],
                       i == j ? "<link_ctn id=\"m" i "\"/>" : "<link_ctn id=\"u" i "\"/>" \
                                (int(i / 4) != int(j / 4) ? "<link_ctn id=\"t\"/>" : "") "<link_ctn id=\"u" j "\"/>"
        print "</zone></platform>"
    }' >"$file"
}

# Each rank computes and sends messages of three lengths to some of the others, all at once.
awk 'BEGIN {
    for (r = 0; r < 8; r++) {
        print r, "init"
        print r, "compute", (r * 7 % 8 + 1) "e6"
        for (s = 1; s < 8; s += 2)
            print r, "irecv", (r - s + 8) % 8, s, (s + 1) * 1000000, 6
        for (s = 1; s < 8; s += 2)
            print r, "isend", (r + s) % 8, s, (s + 1) * 1000000, 6
        print r, "waitall"
        print r, "finalize"
    }
}' >t.ti
tree plain.xml n0 n1 n2 n3 n4 n5 n6 n7

# time PLATFORM ARGUMENT...
time_of() {
    local platform=$1
    shift
    "$SIMRUN" -q -p "$platform" "$@" -f json t.ti 2>err | jq '.runs[0].time_s'
}
# same NAME A B
same() {
    [ -n "$2" ] && [ "$2" = "$3" ]
    note $? "$1: $2 and $3 $(head -c 300 err)"
}

# Rank r is on the host that is the order's r-th; by hand, that host is called nr.
order='3 6 1 4 0 7 5 2'
printf 'n%s\n' $order >hosts
awk '{ printf "rank %d=%s slot=0 # core 0\n", NR - 1, $1 }' hosts | tac >rankfile
tree permuted.xml $(awk '{ name[substr($1, 2)] = "n" NR - 1 } END { for (i = 0; i < 8; i++) print name[i] }' hosts)
list=$(paste -sd, hosts)
for network in quiet fifo fluid; do
    by_hand=$(time_of permuted.xml -n $network)
    [ "$by_hand" != "$(time_of plain.xml -n $network)" ]
    note $? "$network: it matters which host a rank has"
    same "$network: a hostfile and hosts that have changed places" "$(time_of plain.xml -n $network --placement hosts)" "$by_hand"
    same "$network: a rankfile" "$(time_of plain.xml -n $network --placement rankfile)" "$by_hand"
    same "$network: a list" "$(time_of plain.xml -n $network --placement "$list")" "$by_hand"
done

# hosts_of ARGUMENT...: the hosts of the ranks.
hosts_of() {
    "$SIMRUN" -q -p plain.xml --detail links "$@" -f json t.ti 2>err | jq -r '[.runs[0].placement[].host] | join(" ")'
}
printf 'n2 slots=3 max_slots=4\nn[0-1]:2\nn7\n' >slots
same 'slots, one host after the other' "$(hosts_of --placement slots)" 'n2 n2 n2 n0 n0 n1 n1 n7'
same 'by turns' "$(hosts_of --placement slots -s placement=cyclic)" 'n2 n0 n1 n7 n2 n0 n1 n2'
same "Open MPI's word for it" "$(hosts_of --placement slots -s placement=node)" 'n2 n0 n1 n7 n2 n0 n1 n2'
same 'planes' "$(hosts_of --placement slots -s placement=plane=2)" 'n2 n2 n0 n0 n1 n1 n7 n2'
same 'a host of several lines' "$(hosts_of --placement 'n3,n1,n3,n[4-7],n1')" 'n3 n3 n1 n1 n4 n5 n6 n7'
same 'so many on each' "$(hosts_of --placement ppr:4:node)" 'n0 n0 n0 n0 n1 n1 n1 n1'
same 'tasks of a hostlist' "$(hosts_of --placement 'n[5,1]:4')" 'n5 n5 n5 n5 n1 n1 n1 n1'
same 'cyclic on as few hosts' "$(hosts_of -s ranks_per_host=4 -s placement=cyclic)" 'n0 n1 n0 n1 n0 n1 n0 n1'
shuffled=$(hosts_of -s placement=random=3)
same 'a seed' "$(hosts_of -s placement=random=3)" "$shuffled"
[ "$(tr ' ' '\n' <<<"$shuffled" | sort | paste -sd' ')" = 'n0 n1 n2 n3 n4 n5 n6 n7' ] && [ "$shuffled" != 'n0 n1 n2 n3 n4 n5 n6 n7' ]
note $? "random: all hosts, in another order: $shuffled"

# On a mesh: a snake by its hosts.
snake=$("$SIMRUN" -q -s layout=snake -s n=64 -s ranks=8 --detail links -f json gj128 | jq -r '[.runs[0].placement[].host] | join(",")')
a=$("$SIMRUN" -q -s layout=snake -s n=64 -s ranks=8 -s broadcast=binomial -s root=corner -f json gj128 | jq '.runs[0].time_s')
b=$("$SIMRUN" -q --placement "$snake" -s n=64 -s ranks=8 -s broadcast=binomial -f json gj128 | jq '.runs[0].time_s')
same "a snake on a mesh" "$a" "$b"

# A sweep over placements is a comparison.
"$SIMRUN" -q -p plain.xml -s ranks_per_host=2 -s placement=block,cyclic,plane=2,random t.ti >text
grep -q '^Fastest: .*placement ' text
note $? "a sweep names the fastest placement"

# With SimGrid: the same hostfile, one and two ranks to a host. All begin to send at once.
grep -v compute t.ti >u.ti && mv u.ti t.ti
theirs() {
    echo t.ti >list
    smpirun -replay list -np 8 -hostfile "$1" -platform plain.xml --log=root.thres:error --log=smpi_replay.thres:info \
        --cfg=contexts/stack-size:512 --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e15 \
        --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 --cfg=smpi/os:0:0:0 --cfg=smpi/or:0:0:0 \
        --cfg=smpi/ois:0:0:0 --cfg=smpi/test:0 --cfg=smpi/async-small-thresh:65537 \
        --cfg=smpi/send-is-detached-thresh:65537 --cfg=smpi/host-speed:1f 2>&1 | sed -n 's/.*Simulation time //p'
}
printf 'n%s\n' 5 5 1 1 0 7 7 0 >pairs
for file in hosts pairs; do
    a=$(theirs $file)
    b=$(awk '{ printf "rank %d=%s\n", NR - 1, $1 }' $file >ranks && time_of plain.xml -n fluid --placement ranks)
    awk -v a="${a:-0}" -v b="${b:-0}" 'BEGIN { exit !(a > 0 && b > a * 0.9995 && b < a * 1.0005) }'
    note $? "$file: smpirun -replay $a s, simrun $b s"
done

# Refusals.
# refused TEXT MESSAGE: a hostfile with the text.
refused() {
    printf '%b' "$1" >bad
    "$SIMRUN" -q -p plain.xml --placement bad t.ti >out 2>err
    [ $? -eq 2 ] && grep -Eq "$2" err
    note $? "'$1' is refused: $(head -c 300 err)"
}
refused 'n0\nn9\n' "bad:2: plain has no host 'n9'; did you mean 'n0'"
refused 'n0 slots=2\nn1\n' '3 slots on 2 hosts are too few for 8 ranks'
refused 'rank 0=n0\nrank 1=n1\nrank 0=n2\n' 'bad:3: rank 0 is there twice'
refused 'rank 0=n0\nrank 1=n1\n' 'rank 2 is missing'
refused 'rank 0=n0\nrank 8=n1\n' 'bad:2: rank 8: there are 8 ranks, 0 ... 7'
refused 'rank 0=n0\nn1\n' 'bad:2: .*rankfile'
refused 'n0 slots=none\n' "bad:1: 'none': no number of slots"
refused 'n[0-\n' "bad:1: 'n\[0-'"
refused '# nothing\n' 'bad: names no host'
expect 2 "has no host 'nowhere', and there is no such file" -p plain.xml --placement nowhere t.ti
expect 2 "placement=cylic: 'cylic' is unknown; did you mean 'cyclic'" -p plain.xml -s placement=cylic t.ti
expect 2 "placement=plane: '' is no number; allowed: plane=N" -p plain.xml -s placement=plane t.ti
expect 2 "'placement': rankfile says where each rank is; allowed: auto" -p plain.xml --placement rankfile -s placement=block t.ti
finish
