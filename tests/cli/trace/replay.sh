#!/usr/bin/env bash
# Programs written as TI traces and replayed: simrun gives the same time, messages and bytes, and SimGrid's own replay sends
# the same messages. The forms of a trace agree, and what is wrong with one is said with its place.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh" || exit
cd "$work" || exit 1
platforms=$SOURCE_DIR/platforms

count_sends() { # FILE...: messages and bytes; elements are bytes or doubles
    awk '$2 == "send" || $2 == "isend" { n++; bytes += $5 * ($6 == 0 ? 8 : 1) } END { print n + 0, bytes + 0 }' "$@"
}

# smpi NAME PLATFORM RANKS: SimGrid's replay of NAME.ti ends, and the messages that it sends are those of the file.
smpi() {
    local name=$1 platform=$2 ranks=$3
    echo "$name.ti" >"$name.list"
    seq 0 $((ranks - 1)) | sed 's/^/n/' >hosts
    smpirun -np "$ranks" -platform "$platform" -hostfile hosts -replay "$name.list" -trace-ti \
        --cfg=tracing/filename:"$name.smpi" >out 2>err
    note $? "smpirun -replay of $name"
    same "messages that smpirun sends for $name" "$(count_sends "$name".smpi_files/*)" "$(count_sends "$name.ti")"
}

faster='s/bw="[0-9.]+MBps" lat="[0-9.]+us"/bw="1100MBps" lat="0.5us"/
    s/start=51.1us byte=0.27us hop=8.86us byte_hop=0.68us/start=1us byte=0.02us hop=1us byte_hop=0.02us/
    s/start=-81.5us byte=1.33us hop=93.04us byte_hop=0.05us/start=1us byte=0.02us hop=1us byte_hop=0.02us/'

# round NAME PLATFORM APPLICATION PARAMETER...
round() {
    local name=$1 platform=$platforms/$2.xml application=$3 network simulated
    shift 3
    scenario "$name.xml" "$platform" "name='$application'" "$@"
    scenario "$name-replay.xml" "$platform" "name='trace' file='$name.ti'"
    scenario "$name-archive.xml" "$platform" "name='trace' file='$name.otf2'"
    for network in quiet fifo; do
        simulated=$(outcome -n $network -t "$name.ti" "$name.xml")
        same "$name on $network, replayed" "$(outcome -n $network "$name-replay.xml")" "$simulated"
        same "$name on $network, into an archive" "$(outcome -n $network -t "$name.otf2" "$name.xml")" "$simulated"
        same "$name on $network, replayed from its archive" "$(outcome -n $network "$name-archive.xml")" "$simulated"
        [ $network = quiet ] && mv "$name.ti" "$name.quiet"
    done
    check "the trace of $name does not depend on the network" cmp "$name.ti" "$name.quiet"
    same "messages and bytes in $name.ti" "$(count_sends "$name.ti")" "$(jq -rn "$simulated | \"\\(.[1]) \\(.[2])\"")"
    sed -E "$faster" "$platform" >fast.xml # the platform with a faster network
    for file in "$name-replay" "$name-archive"; do
        sed "s|$platform|fast.xml|" "$file.xml" >"$file-fast.xml"
    done
    ! cmp -s "$platform" fast.xml
    note $? "$platform has no faster network"
    fast=$(outcome -n fifo "$name-replay-fast.xml")
    same "$name on a faster network, from its archive" "$(outcome -n fifo "$name-archive-fast.xml")" "$fast"
    check "$name is faster on a faster network" test "$(jq -n "$fast[0] < $simulated[0]")" = true
    cp "$name.ti" original.ti # what the replay of it writes says the same: only a waitall becomes its waits
    sed "s/$name.ti/original.ti/" "$name-replay.xml" >original.xml
    outcome -n fifo -t "$name.ti" original.xml >/dev/null
    same "$name, replayed from the trace of its replay" "$(outcome -n fifo "$name-replay.xml")" "$simulated"
    smpi "$name" "$platform" "$(jq -n "$simulated | .[3]")"
}

round gj t800-mesh gauss-jordan n=48 ranks=8
round gj-neighbour t800-mesh gauss-jordan n=48 ranks=6 broadcast=neighbour
round ring t800-mesh ring ranks=8 rounds=5
round broadcast t800-mesh broadcast ranks=7 rounds=3
round segments icluster broadcast ranks=7 bytes=20000 broadcast=chain_segmented broadcast_mode=synchronous
round matmul pentium2-cluster matmul n=100 ranks=3
round pdtrsm icluster pdtrsm m=256 n=256 uplo=upper side=left trans=no grid=2x4 ranks=8
round pdgemm icluster pdgemm m=256 n=256 k=128 grid=2x3 ranks=6
round redistribute icluster redistribute m=300 n=200 block=32 from_grid=2x3 to_grid=4x1 ranks=6

# Collectives of TI: SimGrid takes them, and it takes the messages that they become here.
blocks="10 20 30 40 50"
for r in 0 1 2 3 4; do
    own=$((10 * (r + 1)))
    next=$(((r + 1) % 5))
    before=$(((r + 4) % 5))
    cat <<END
$r init
$r compute 1.5e6
$r barrier
$r bcast 100
$r bcast 100 3 1
$r reduce 50 1e5 2 0
$r allreduce 33 1e4 5
$r scan 10 0
$r exscan 10 1e3 4
$r alltoall 7 7
$r allgather 9 9 6 6
$r gather 4 4 3 0 0
$r scatter 6 6 1
$r gatherv $own $blocks 1 6 6
$r allgatherv $own $blocks
$r scatterv $blocks $own 4 6 6
$r reducescatter $blocks 1e3 6
$r alltoallv 150 $blocks 150 $own $own $own $own $own 6 6
$r sendRecv 10 $next 10 $before 6 6
$r isend $next 3 10
$r irecv $before 3 10
$r test $r $next 3
$r wait $before $r 3
$r waitall
$r sleep 0.001
$r location a.c 12
$r finalize
END
done >all.ti
sort -n -k 1,1 -s all.ti >all.sorted # by rank
scenario all.xml icluster "name='trace' file='all.ti'"
scenario lowered.xml icluster "name='trace' file='lowered.ti'"
all=$(outcome -t lowered.ti all.xml)
same "collectives, lowered" "$(outcome lowered.xml)" "$all"
scenario all-archive.xml icluster "name='trace' file='all.otf2'"
same "collectives, into an archive" "$(outcome -t all.otf2 all.xml)" "$all"
same "collectives, from the archive" "$(outcome all-archive.xml)" "$all"
same "collectives, from the archive of that" "$(outcome -t again.otf2 all-archive.xml)" "$all"
same "collectives, analysed" "$(outcome again.otf2)" "$all"
echo all.ti >all.list
seq 0 4 | sed 's/^/n/' >hosts
smpirun -np 5 -platform "$platforms/icluster.xml" -hostfile hosts -replay all.list >out 2>err
note $? 'smpirun -replay of the collectives'
smpi lowered "$platforms/icluster.xml" 5

# The same trace in pieces, line by line, and as a file for each rank.
scenario form.xml icluster "name='trace' file='form.ti'"
for piece in 1 3; do # lines of a rank between those of others
    awk -v piece=$piece '{ i = n[$1]; n[$1] = i + 1; print int(i / piece), $0 }' all.sorted | sort -n -s -k 1,1 | cut -d ' ' -f 2- >form.ti
    same "lines interleaved, $piece at a time" "$(outcome form.xml)" "$all"
done
mkdir parts
awk '{ print > ("parts/" $1 ".txt") }' all.ti
printf 'parts/%d.txt\n' 0 1 2 3 4 >form.ti
same "a file for each rank" "$(outcome form.xml)" "$all"
echo all.ti >form.ti
same "a list of one file" "$(outcome form.xml)" "$all"
same "sweep over jobs" "$(outcome -j 2 -s broadcast=binomial,flat all.xml)" "$all"

# refused STATUS PATTERN ARGUMENT...: as expected, and no file is left behind.
refused() {
    expect "$1" "$2" -o result -t result.paje "${@:3}"
    check 'nothing is left behind' test -z "$(find . -name 'result*')"
}

# bad STATUS PATTERN TEXT: a trace of that text.
bad() {
    printf '%b' "$3" >form.ti
    refused "$1" "$2" form.xml
}

bad 2 'form.ti: is empty' ''
bad 2 'form.ti: is a program or a library, not a trace' '\x7fELF\x02\x01\x01\n'
bad 2 'form.ti:2: unknown action .fly.; known: send' '0 init\n0 fly 1\n0 finalize\n'
bad 2 "form.ti:2: send: the count '1e-3' is not a whole number" '0 init\n0 send 0 0 1e-3\n0 finalize\n'
bad 2 "form.ti:1: .65536. found where a line" '65536 init\n'
bad 2 "form.ti:1: send: the destination '2' is not a whole number within 0 ... 1" '0 send 2 0 1\n1 init\n1 finalize\n'
bad 2 'form.ti:2: is the last line of rank 0.*cut off' '0 init\n0 compute 1\n'
bad 2 'form.ti:2: compute: the line ends' '0 init\n0 compute\n'
bad 2 'form.ti:1: send: the destination .-333.* stands for MPI_PROC_NULL' '0 send -333 0 1\n'
bad 2 'form.ti: has lines of rank 1, but none of rank 0' '1 init\n1 finalize\n'
bad 2 'form.ti:1: is neither a line of a TI trace nor the name of a file with one: .*none.txt: No such' 'none.txt\n'
bad 2 "form.ti:1: is neither a line .* file with one: No such file" 'p_0 compute 5\n'
bad 1 'deadlock.*rank 1 \(form.ti:4\) waits to receive from rank 0' '0 init\n0 finalize\n1 init\n1 recv 0 0 1\n1 finalize\n'
bad 1 'deadlock' '0 recv 1 0 1\n0 send 1 0 1\n1 recv 0 0 1\n1 send 0 0 1\n'
bad 1 'deadlock|do not call the same collectives' '0 barrier\n0 bcast 1\n1 bcast 1\n1 barrier\n'
bad 1 'deadlock|do not call the same collectives' '0 barrier\n1 init\n1 finalize\n'
bad 1 'deadlock.*rank 0 \(form.ti:2, barrier\) waits' '0 init\n0 barrier\n0 finalize\n1 init\n1 recv 0 0 1\n1 finalize\n'
split='0 init\n0 comm_split\n0 barrier\n0 finalize\n1 init\n1 comm_split\n1 finalize\n'
bad 1 'deadlock.*; the trace has sendRecv, first on line 4, and SMPI omits those with MPI_PROC_NULL on one side' \
    '0 init\n0 finalize\n1 init\n1 sendRecv 5 0 5 0\n1 finalize\n'
bad 1 'splits communicators, first on line 2, and a TI trace does not record' "$split"
bad 2 'rank 0 sends 10 bytes to rank 1 with tag 3, which receives at most 5' '0 send 1 3 10 6\n1 recv 0 3 5 6\n'
bad 2 'rank 0 sends 10 bytes to rank 1 with tag 3' '0 send 1 3 10 6\n1 irecv 0 3 5 6\n1 waitall\n'
bad 2 'rank 0 sends 10 bytes to rank 1 with tag 3' '0 compute 1e9\n0 send 1 3 10 6\n1 irecv 0 3 5 6\n1 waitall\n'
bad 2 'rank 0 sends 10 bytes to rank 1 with tag 3' '0 compute 1e9\n0 send 1 3 10 6\n1 recv 0 3 5 6\n'
bad 1 'ranks 0 and 1 do not call the same collectives with the same lengths' '0 bcast 10\n1 bcast 20\n'
yes '0 compute 1' | head -n 5000 >form.ti
echo '0 compute 1,5' >>form.ti
refused 2 "form.ti:5001: compute: '1,5' is not" form.xml

# Scenarios of traces.
cp all.ti form.ti
refused 2 "parameter 'ranks' is 4, but form.ti has 5 ranks" -s ranks=4 form.xml
refused 2 '300 ranks|ranks' -s ranks=300 form.xml
scenario ring.xml icluster "name='ring' file='all.ti'" ranks=2
refused 2 "ring.xml:1: <application> file: application 'ring' takes no file" ring.xml
scenario none.xml icluster "name='trace'"
refused 2 "none.xml:1: <application> file: missing; application 'trace' needs a file name" none.xml
scenario other.xml icluster "name='trace' file='all.dat'"
refused 2 'all.dat: cannot read: No such file' other.xml
cp "$platforms/icluster.xml" .
"$SIMRUN" -q -t form.ti form.xml >out 2>err
same "a trace written over itself" "$? $(cmp -s form.ti all.ti && echo kept)" "2 kept"
"$SIMRUN" -q -t shared.ti -s operation=barrier "$SOURCE_DIR/scenarios/dsm-latency.xml" >out 2>err
same "a TI trace of a program that shares memory" "$? $(grep -c 'shares memory' err) $(ls shared.ti* 2>/dev/null)" "2 1 "

# An exchange takes what the platform says of exchanges; sends and receives that are none what it says of messages.
cat >exchanging.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>
<platform version='4.1'><zone id='world' routing='Full'>
  <prop id='message.1' value='start=1ms'/><prop id='exchange.1' value='start=3ms'/>
  <cluster id='c' prefix='n' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='1us'/>
</zone></platform>
END
for r in 0 1; do printf '%d init\n%d sendRecv 10 %d 10 %d 6 6\n%d finalize\n' $r $r $((1 - r)) $((1 - r)) $r; done >exchange.ti
for r in 0 1; do printf '%d init\n%d isend %d 0 10 6\n%d recv %d 0 10 6\n%d waitall\n%d finalize\n' $r $r $((1 - r)) $r $((1 - r)) $r $r; done >both.ti
for name in exchange both; do scenario $name.xml exchanging.xml "name='trace' file='$name.ti'"; done
sed "s,<prop id=.message,<prop id='collectives' value='openmpi'/>&," exchanging.xml >choosing.xml
for n in 512 1024; do
    for r in 0 1; do printf '%d init\n%d allreduce %d 0 0\n%d finalize\n' $r $r $n $r; done >all$n.ti
    scenario all$n.xml choosing.xml "name='trace' file='all$n.ti'"
    scenario plain$n.xml exchanging.xml "name='trace' file='all$n.ti'"
done
same "Open MPI's choice: round the ring" "$("$SIMRUN" -q -f json all512.xml | jq '.runs[0].time_s')" 0.006
same "Open MPI's choice: recursive doubling" "$("$SIMRUN" -q -f json all1024.xml | jq '.runs[0].time_s')" 0.003
same "the choice of other platforms" "$("$SIMRUN" -q -f json plain512.xml | jq '.runs[0].time_s')" 0.003
same "an exchange" "$("$SIMRUN" -q -f json exchange.xml | jq '.runs[0].time_s')" 0.003
same "a message each" "$("$SIMRUN" -q -f json both.xml | jq '.runs[0].time_s')" 0.001

# A trace with operations has no use for a speed.
run -q -p exchanging.xml -s speed=4Gf exchange.ti
said yes 'speed has no effect: the trace has the operations of computations'
run -q -p exchanging.xml exchange.ti
said no 'speed has'

# Receives from any source and under any tag take what comes first: rank 2's message at 4.5 us, then rank 1's at 7.5 us, each
# followed by 1 us of computation. The second request is waited for by the source that it had.
cat >"$work/any.ti" <<'END'
0 recv -333 5 8
0 compute 1000
0 irecv -333 -444 8
0 wait 1 0 6
0 compute 1000
1 compute 5000
1 send 0 6 8
2 compute 2000
2 send 0 5 8
END
loggp_platform 3 2500 0 0 65535 >"$work/any.xml"
run -q -p "$work/any.xml" -f json "$work/any.ti"
holds '.runs[0].time_s == 8.5e-6'
run check "$work/any.ti"
check 'any source matches' said yes ': ok, 3 ranks'
run -p "$work/any.xml" "$work/any.ti"
check 'a note on any source' said yes 'take the message that comes first'
expect 2 'several things at once, or receive from any source' -p "$work/any.xml" --trace "$work/out.goal" "$work/any.ti"
# A message that is never sent is named by the line that waits for it.
printf '0 irecv -333 -444 8\n0 irecv 1 4 8\n0 waitall\n1 compute 5\n' >"$work/never.ti"
expect 1 'rank 0 \(.*never.ti:3\) waits for its receive from any rank' -p "$work/any.xml" "$work/never.ti"

finish
