#!/usr/bin/env bash
# Round trips: a run that is written as TI, GOAL, its binary form or OTF2 takes, when it is replayed on the same machine,
# network and placement, the same picoseconds; where GOAL cannot say something, the writer says so. The analysis of the
# archive, and of a copy of it, has the simulation's account of every rank.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1

# machine FILE PROP=VALUE...: eight hosts.
machine() {
    local file=$1 prop
    shift
    {
        echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        echo '<platform version="4.1"><zone id="w" routing="Full">'
        for prop; do echo "<prop id=\"${prop%%=*}\" value=\"${prop#*=}\"/>"; done
        echo '<cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us"/></zone></platform>'
    } >"$file"
}

# account FILE: the states of every rank.
account() { jq -c '.runs[0].process_state_s' "$1"; }

# trips NAME FORMATS SCENARIO PLATFORM NAME=VALUE...: the run, replayed from each of the formats, with the parameters.
trips() {
    local name=$1 formats=$2 file=$3 platform=$4 format run
    shift 4
    run=$(outcome "$file")
    for format in $formats; do
        rm -rf t t.* copy copy.*
        expect 0 '' -f json -t t.$format "$file"
        cp out run.json
        check "$name: $format says what is lost" [ ! -s err ]
        scenario replay.xml "$platform" "name='trace' file='t.$format'" "$@"
        same "$name: replay of $format" "$(outcome replay.xml)" "$run"
        [ "$format" = otf2 ] || continue
        run -q -f json t.otf2 -t copy.otf2
        same "$name: account of otf2" "$(account out)" "$(account run.json)"
        run -q -f json copy.otf2
        same "$name: account of a copy" "$(account out)" "$(account run.json)"
        scenario replay.xml "$platform" "name='trace' file='copy.otf2'" "$@"
        same "$name: replay of a copy" "$(outcome replay.xml)" "$run"
    done
}

every=1
[ "${SLOW-1}" -eq 1 ] || every=4 # where programs are slow
tried=0
# is_tried: of the next ones, all or every fourth.
is_tried() { [ $((tried++ % every)) -eq 0 ]; }

# ---- every collective, on a machine that charges for all that it can ----

prices=("message.1=start=2us byte=1ns" "combine.1=start=1us byte=5ns" "copy.1=start=1us byte=3ns" allreduce_call=3us
    broadcast_call=5us receive_overhead=start=700ns send_overhead=start=300ns)
machine prices.xml "${prices[@]}"
machine exchanges.xml "${prices[@]}" "exchange.1=start=4us byte=2ns" eager_limit=512B
for collective in allreduce=recursive_doubling allreduce=ring allreduce=rabenseifner reduce=binomial allgather=ring \
    reduce=ompi_binomial reduce=chain_segmented allgather=linear alltoall=pairwise alltoall=linear scatter=binomial \
    gather=flat gather=openmpi; do
    is_tried || continue
    name=${collective%=*}
    scenario c.xml prices.xml "name='collective'" collective="$name" "$collective" ranks=8 network=fifo
    formats="ti goal otf2"
    case $collective in *=linear) formats="ti otf2" ;; esac # GOAL cannot say that what comes first is taken in first
    trips "$collective" "$formats" c.xml prices.xml network=fifo
    scenario c.xml exchanges.xml "name='collective'" collective="$name" "$collective" ranks=8 network=quiet
    trips "$collective, exchanges" "ti otf2" c.xml exchanges.xml network=quiet
done
scenario c.xml exchanges.xml "name='collective'" collective=barrier ranks=8 bytes=0
trips barrier "ti goal bin otf2" c.xml exchanges.xml
for broadcast in binomial flattree chain_segmented split_binary; do
    is_tried || continue
    scenario c.xml exchanges.xml "name='broadcast'" broadcast=$broadcast bytes=2KiB ranks=8
    trips "$broadcast" "ti otf2" c.xml exchanges.xml
done

# The prices are there: 8 ranks, 3 rounds in which messages take 4 us and 2 ns a byte and combining 1 us and 5 ns a byte
# besides what processors have to do, after a call of 3 us.
scenario c.xml exchanges.xml "name='collective'" collective=allreduce allreduce=recursive_doubling ranks=8 bytes=100
run -q -f json c.xml
holds '.runs[0].time_s * 1e9 | round == 3000 + 3 * (300 + 4000 + 200 + 700 + 1000 + 500)'

# Costs of ends and the rate of a core, too: wires of 1 GB/s and two times 1 us are the rest. In GOAL, the additional
# time of exchanges is computation, with a message.
machine ends.xml "endpoint.1=start=2us byte=1ns send=300ns receive=700ns" "exchange.1=start=4us byte=2ns" core_bandwidth=500MBps
for network in quiet fifo; do
    scenario c.xml ends.xml "name='collective'" collective=allreduce allreduce=recursive_doubling ranks=8 bytes=100 network=$network
    run -q -f json c.xml
    holds '.runs[0].time_s * 1e9 | round == 3 * (300 + 4000 + 200 + 2000 + 200 + 700)'
    trips "ends, $network" "ti otf2" c.xml ends.xml network=$network
    expect 0 'goal traces cannot express .* costs of exchanges' -f json -t t.goal c.xml
    scenario replay.xml ends.xml "name='trace' file='t.goal'" network=$network
    run -q -f json replay.xml
    holds '.runs[0].time_s * 1e9 | round == 3 * (300 + 4000 + 200 + 2000 + 200 + 700)'
done

# ---- ranks that share hosts, whose work is in turns ----

# shares NETWORK PLATFORM FORMATS: two scenarios; computation that takes no time needs no processor.
shares() {
    scenario c.xml "$2" "name='gauss-jordan'" n=12 ranks=14 ranks_per_host=2 network="$1"
    trips "shared hosts, $1" "$3" c.xml "$2" ranks_per_host=2 network="$1"
    scenario c.xml "$2" "name='collective'" collective=allreduce ranks=16 ranks_per_host=3 network="$1" rounds=2
    trips "allreduce on shared hosts, $1" "$3" c.xml "$2" ranks_per_host=3 network="$1"
}
turns=(cycle=50ns kernel.gj.rsub=cpu=43 kernel.gj.norm=cpu=81 kernel.gj.set=cpu=95 kernel.gj.inv=cpu=9 kernel.gj.buf=cpu=0
    "input=start=11us byte=399ns")
machine shared.xml "${turns[@]}" "combine.1=start=1us byte=5ns" allreduce_call=3us "receive_overhead=start=21ns byte=1ns"
machine plain.xml "${turns[@]}" "combine.1=start=1us byte=5ns" allreduce_call=3us
for network in quiet fifo fluid; do
    ! is_tried || shares $network shared.xml "ti otf2"
done
shares fifo plain.xml "ti goal bin otf2"

# ---- messages that are begun and waited for later, in any order ----

machine logp.xml network=quiet send_completes=buffered send_overhead=start=1500ns receive_overhead=start=1500ns \
    "message.1=start=2494ns byte=6ns"
scenario c.xml logp.xml "name='trace' file='$SOURCE_DIR/tests/data/foreign/goal/waits.goal'"
trips 'a schedule' "goal bin" c.xml logp.xml
run --trace "$work/schedule.otf2" "$work/c.xml"
check 'an archive says that it cannot hold a schedule' grep -q 'what ranks do at once' "$work/err"
machine late.xml receive_overhead=start=47800ns "kernel.dgemm=poly mnk=1ns" network=quiet
scenario c.xml late.xml "name='matmul'" n=2 ranks=2
trips 'a send is waited for behind a receive' "ti goal bin otf2" c.xml late.xml

# ---- what GOAL and TI have no words for ----

# loses FORMAT WORDS NAME=VALUE...: so says who writes a collective of four ranks, in one line, and not with -q.
loses() {
    local format=$1 words=$2
    scenario c.xml "$platform" "name='$application'" ranks=4 "${@:3}"
    expect 0 "^simrun: t.$format: a replay may take a different time than the run: .*$words" -t t.$format c.xml
    check 'one line' [ "$(wc -l <err)" = 1 ]
    run -q -t t.$format c.xml
    check 'not with -q' [ ! -s err ]
}
platform=exchanges.xml application=collective
loses goal '24 costs of exchanges' collective=alltoall alltoall=pairwise bytes=10 rounds=2
loses goal '4 waits for whichever request completes first' collective=allgather allgather=linear
platform=shared.xml
loses bin 'receives that combine' collective=reduce ranks_per_host=2
application=broadcast
loses goal 'synchronous sends' broadcast_mode=synchronous
platform=icluster application=hpl
loses goal 'fractions of nanoseconds' n=64
platform=ncp2-myrinet application=matmul-shared
loses otf2 'it answers a request for shared memory when the request arrives' n=40
printf '%s\n' '0 isend 1 5 9' '0 isend 1 6 9' '0 wait 0 1 6' '1 recv 0 5 9' '1 recv 0 6 9' >unwaited.ti
scenario c.xml logp.xml "name='trace' file='unwaited.ti'"
expect 0 't.goal: .* 1 requests that only the end of a rank waits for' -t t.goal c.xml

finish
