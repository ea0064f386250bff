#!/usr/bin/env bash
# GOAL schedules: times that LogGP's closed forms give, programs that are written and read again, both forms, and what is said
# of what cannot be simulated. tools/check-goal compares with LogGOPSim.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh"
cd "$work" || exit 1
L=2500 o=1500 G=6 # ns, those of LogGOPSim unless it is told others

# takes NS ARGUMENT...: the replay on loggp.xml takes so long, of either form, and as what simrun writes of it.
takes() {
    local ns=$1 file
    shift
    for file in x.goal y.goal y.bin; do
        answers -q -f json --platform loggp.xml -t "written-$file" "$@" x.goal
        [ $file = x.goal ] || mv "written-$file" $file
        answers -q -f json --platform loggp.xml "$@" $file
        same "ns of $file: $what" "$(jq '.runs[0].time_s * 1e12 | round / 1000' out)" "$ns"
    done
}

# goal WHAT RANKS BODY...: x.goal has these ranks.
goal() {
    local rank=0
    what=$1
    echo "num_ranks $#" | awk '{ print "num_ranks " $2 - 1 }' >x.goal
    shift
    for body; do printf 'rank %d {\n%b}\n' $((rank++)) "$body" >>x.goal; done
}

# generate PATTERN NAME=VALUE...: x.goal is such a schedule.
generate() {
    python3 "$SOURCE_DIR/tests/goal/generate.py" "$@" x.goal
}

# --- closed forms ---

loggp_platform 64 $L $o $G 65535 >loggp.xml
goal 'a computation' 'calc 1234\ncalc 1\n'
takes 1235
goal 'a message: 2 o + L + (s - 1) G' 'send 101b to 1\n' 'recv 101b from 0\n'
takes $((2 * o + L + 100 * G))
goal 'a message meanwhile' 'send 101b to 1\n' 'm: recv 101b from 0\nc: calc 90000\nd: calc 10\nd requires m\nd requires c\n'
takes $((90000 + o + 10))
goal 'a computation while a message is sent' 's: send 1b to 1\nc: calc 9000\nc irequires s\n' 'recv 1b from 0\n'
takes $((o + 9000))
goal 'the receiver computes first' 'send 1b to 1\n' 'c: calc 3000\nm: recv 1b from 0\nd: calc 7\nd requires m\nm requires c\n'
takes $((2 * o + L + 7))
goal 'messages to itself' 'a: send 11b to 0 tag 2\nb: recv 11b from 0 tag 2\n'
takes $((2 * o + L + 10 * G))
generate ring ranks=7 bytes=80 rounds=5 calc=700
what='a ring: rounds times ranks hops'
takes $((5 * 7 * (700 + 2 * o + L + 79 * G)))
generate broadcast-binomial ranks=13 bytes=80
what='a binomial tree on 13: 3 hops, the last of which is a second send'
takes $((3 * (2 * o + L + 79 * G) + o))
generate dissemination ranks=13 bytes=80
what='dissemination on 13: 4 rounds'
takes $((4 * (2 * o + L + 79 * G)))
loggp_platform 64 $L $o $G 50 >loggp.xml
goal 'a rendezvous: RTS and CTS first' 'send 51b to 1\n' 'recv 51b from 0\n'
takes $((2 * o + (L - G) * 3 + 51 * G))
loggp_platform 64 1000 0 0 65535 >loggp.xml
goal 'tags' 'a: send 1b to 1 tag 1\nc: calc 5000\nc requires a\nb: send 1b to 1 tag 2\nb requires c\n' \
    'a: recv 1b from 0 tag 2\nb: calc 100\nb requires a\nc: recv 1b from 0 tag 1\nc requires b\n'
takes 6100
goal 'any tag' 'a: send 1b to 1 tag 1\nc: calc 5000\nc requires a\nb: send 1b to 1 tag 2\nb requires c\n' \
    'a: recv 1b from 0 tag -1\nb: calc 100\nb requires a\n c: recv 1b from 0 tag -1\nc requires b\n'
takes 6000

# Messages that come at the same moment are taken in as they were sent, on whatever ranks: so go on their ranks, and so on.
goal 'one moment on two ranks' 'a: send 1b to 1\nb: send 1b to 2\nb irequires a\n' \
    'm: recv 1b from 0\ns: send 1b to 3\ns requires m\n' 'm: recv 1b from 0\ns: send 1b to 3\ns requires m\n' \
    'm: recv 1b from 1\nc: calc 2000\nc requires m\ns: send 1b to 4\ns requires c\nn: recv 1b from 2\nd: calc 3000\nd requires n\ne: calc 700\ne requires d\n' \
    'm: recv 1b from 3\nc: calc 5000\nc requires m\n'
takes 13000

# Labels that are numbered, until one is not: each dependency finds its own, or else rank 1 would wait for less.
goal 'labels' 'l9: calc 1000\nl10: send 1b to 1\nl10 requires l9\nl010: calc 300\nl11: send 1b to 1 tag 1\nl11 requires l010\nl010 requires l10\n' \
    'recv 1b from 0\nrecv 1b from 0 tag 1\n'
takes 2300

# Which receive is waited for first is settled by what comes first: else each rank would wait for the other.
goal 'a choice' 'a: recv 1b from 1 tag 1\nb: send 1b to 1 tag 1\nb requires a\nc: recv 1b from 1 tag 2\nd: send 1b to 1 tag 2\nd requires c\n' \
    'a: send 1b to 0 tag 2\nb: recv 1b from 0 tag 2\nb requires a\nc: send 1b to 0 tag 1\nc requires b\nrecv 1b from 0 tag 1\n'
takes 4000

# --- programs, written and read again ---

# again NAME PLATFORM NETWORK NS ARGUMENT...: a program takes as long as its schedule, but for NS, with as many messages.
again() {
    local name=$1 platform=$SOURCE_DIR/platforms/$2.xml network=$3 ns=$4 ending simulated found
    shift 4
    scenario "$name.xml" "$platform" "$@"
    for ending in goal bin; do
        simulated=$(outcome -n "$network" -t "$name.$ending" "$name.xml")
        found=$(outcome -n "$network" --platform "$platform" "$name.$ending")
        check "$name.$ending on $network: $found for $simulated" test "$(jq -n "$found as \$a | $simulated as \$b |
            (\$a[0] - \$b[0] | fabs) <= $ns * 1e-9 and \$a[1:] == \$b[1:]")" = true
    done
}

again gj t800-mesh quiet 20 "name='gauss-jordan'" n=48 ranks=8
again gj-fifo t800-mesh fifo 20 "name='gauss-jordan'" n=48 ranks=6 broadcast=neighbour
again matmul icluster fifo 20 "name='matmul'" n=64 ranks=4
again pdgemm icluster quiet 20 "name='pdgemm'" m=64 n=64 k=64 ranks=4

# A TI trace, by replaying it; icluster's hosts take whole nanoseconds for its computations.
printf '%s\n' '0 init' '0 compute 9.1e5' '0 isend 1 3 800 6' '0 compute 455e3' '0 wait 0 1 3' '0 allreduce 100 0 6' '0 finalize' \
    '1 init' '1 irecv 0 3 800 6' '1 compute 1820e3' '1 waitall' '1 allreduce 100 0 6' '1 finalize' >x.ti
answers -q --platform icluster -t ti.goal x.ti
ti=$(outcome --platform icluster x.ti)
same "a TI trace as GOAL" "$(outcome --platform icluster ti.goal)" "$ti"
outcome --platform icluster -t back.ti ti.goal >back
same "and as TI again" "$(outcome --platform icluster back.ti)" "$ti"
same "a scenario that replays GOAL" "$(scenario s.xml icluster "name='trace' file='ti.goal'" && outcome s.xml)" "$ti"

# --- what is said ---

"$SIMRUN" -q -t shared.goal -s operation=barrier "$SOURCE_DIR/scenarios/dsm-latency.xml" >out 2>err
same "a program that shares memory" "$? $(grep -c 'shares memory, which a .goal trace cannot express' err) $(ls shared.goal* 2>/dev/null)" "2 1 "
goal 'x' 'calc 1\nrecv 1b from 1\n' ''
expect 1 'deadlock.*rank 0 \(x.goal:4\) waits for its receive from rank 1' -q --platform icluster x.goal
circle='a: recv 1b from 1\nb: calc 1\nb requires a\nd: calc 2\nc: calc 1\nc requires d\nd requires c\n'
goal 'x' 'calc 1\n' "$circle"
expect 2 'x.goal:9: requires itself, by way of the operation on line 10' -q --platform icluster x.goal
goal 'x' 'send 1b to 1\n' "$circle"
expect 2 'x.goal:9: requires itself, by way of the operation on line 10' -q --platform icluster x.goal
"$SIMRUN" check x.goal >out 2>err
same "check finds a circle" "$? $(grep -c 'requires itself' err)" "2 1"
goal 'x' 'send 1b to 1 tag 3\nsend 1b to 1 tag 4\n' 'a: recv 1b from -1 tag 4\nb: recv 1b from 0 tag -1\n'
run check x.goal
said yes 'x.goal: ok, 2 ranks'
goal 'x' 'send 9b to 1\n' 'recv 8b from 0\n'
expect 2 'rank 0 sends 9 bytes to rank 1 with tag 0, which receives at most 8' -q --platform icluster x.goal
goal 'x' 'send 9b to 1\n' 'recv 0b from 0\n'
run -q --platform icluster x.goal
expect 2 'x.goal: is a trace without times.*--platform FILE replays it' -q x.goal
expect 2 'x.goal: is read|x.goal.*written' -q --platform icluster -t x.goal x.goal
echo x >other.trc
scenario other.xml icluster "name='trace' file='other.trc'"
expect 2 'other.trc: is not a trace that can be read; known extensions:.* .goal .bin' -q other.xml
expect 2 'unknown extension; known:.* .goal .bin' -q --platform icluster -t out.trc x.goal
mkfifo pipe.goal
expect 2 'pipe.goal: is not a regular file' -q --platform icluster pipe.goal
run list formats
said yes '\.goal '

# Nothing is left of what cannot be finished.
goal 'x' 'recv 8b from 0\n'
"$SIMRUN" -q --platform icluster -t none.bin x.goal >out 2>err
same "what is left of a schedule that comes to a deadlock" "$? $(ls none.bin* 2>/dev/null)" "1 "
# Without contention, 15 messages of 100,000 bytes come on a rank's own wire at once: the first of them alone is not in the way
# of others. A ring has one at a time.
python3 "$SOURCE_DIR/tests/goal/generate.py" gather ranks=16 bytes=100000 "$work/gather.goal"
run -n quiet -p icluster "$work/gather.goal"
check 'a note on a shared wire' said yes 'they share it for 93 % of'
python3 "$SOURCE_DIR/tests/goal/generate.py" ring ranks=16 bytes=100000 "$work/ring.goal"
run -n quiet -p icluster "$work/ring.goal"
check 'no note' said no 'on its own wire'

# Two messages of 1 MB share the wire down to rank 2, of 100 MB/s, though the second begins 1 ms later: it is busy for 20 ms.
cat >"$work/shared.goal" <<'END'
num_ranks 3
rank 0 {
a: calc 1000000
b: send 1000000b to 2 tag 1
b requires a
c: send 0b to 2 tag 3
}
rank 1 {
a: send 1000000b to 2 tag 2
}
rank 2 {
a: recv 1000000b from 0 tag 1
b: recv 1000000b from 1 tag 2
c: recv 0b from 0 tag 3
}
END
cat >"$work/wires.xml" <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <prop id="send_completes" value="buffered"/>
    <prop id="eager_limit" value="1GB"/>
    <cluster id="c" prefix="n" suffix="" radical="0-2" speed="1Gf" bw="100MBps" lat="0us"/>
  </zone>
</platform>
END
for network in fluid fifo; do
    run -q -n $network -p "$work/wires.xml" -f json "$work/shared.goal"
    holds '.runs[0].time_s | . > 0.0199 and . < 0.0211'
done

finish
