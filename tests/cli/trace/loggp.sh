#!/usr/bin/env bash
# The network loggp for programs of one line of steps: closed forms of messages that wait for each other on the wires of their
# hosts; what is said of the prop gap; schedules there, their accounts, and what if.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh"
cd "$work" || exit 1
L=2500 o=1500 g=1000 G=6 s=1001 body=6000 # ns; body: (s - 1) G
wire=$((g + body)) hop=$((o + L + body + o))
loggp_platform 64 $L $o $G 65535 loggp $g >loggp.xml
loggp_platform 64 $L $o $G 65535 loggp 0 >gapless.xml
loggp_platform 64 $L $o $G 1000 loggp $g >rendezvous.xml

# takes WHAT NS PLATFORM NETWORK LINE...: a TI trace of these lines takes so long.
takes() {
    local what=$1 ns=$2 platform=$3 network=$4
    shift 4
    printf '%s\n' "$@" >x.ti
    answers -q -f json -n "$network" --platform "$platform.xml" x.ti
    same "$what on $network" "$(jq '.runs[0].time_s * 1e12 | round / 1000' out)" "$ns"
}

for network in quiet loggp; do
    takes 'there and back' $((2 * hop)) loggp $network '0 init' "0 send 1 0 $s 6" "0 recv 1 0 $s 6" '0 finalize' \
        '1 init' "1 recv 0 0 $s 6" "1 send 0 0 $s 6" '1 finalize'
    takes 'a message meanwhile' $((90000 + o)) loggp $network '0 init' "0 send 1 0 $s 6" '0 finalize' \
        '1 init' "1 irecv 0 0 $s 6" '1 compute 90e3' '1 wait 0 1 0' '1 finalize'
    takes 'a rendezvous: RTS and CTS first' $((o + 2 * (L - G) + L + body + o)) rendezvous $network '0 init' "0 send 1 0 $s 6" \
        '0 finalize' '1 init' "1 recv 0 0 $s 6" '1 finalize'
done

two_to_one=('0 init' "0 send 2 0 $s 6" '0 finalize' '1 init' "1 send 2 0 $s 6" '1 finalize'
    '2 init' "2 irecv 0 0 $s 6" "2 irecv 1 0 $s 6" '2 waitall' '2 finalize')
takes 'two messages to one' $((hop + wire)) loggp loggp "${two_to_one[@]}"
takes 'the same without a gap' $((hop + body)) gapless loggp "${two_to_one[@]}"
takes 'two messages to one' $((hop + o)) loggp quiet "${two_to_one[@]}"
one_to_two=('0 init' "0 isend 1 0 $s 6" "0 isend 2 0 $s 6" '0 compute 5e3' '0 waitall' '0 finalize'
    '1 init' "1 recv 0 0 $s 6" '1 finalize' '2 init' "2 recv 0 0 $s 6" '2 finalize')
takes 'one to two, as the sender computes' $((hop + wire)) loggp loggp "${one_to_two[@]}"
takes 'one to two' $((hop + o)) loggp quiet "${one_to_two[@]}"

# All to all: each host sends and receives at the same time, a message after the other, each way.
p=8 lines=()
for ((r = 0; r < p; r++)); do
    lines+=("$r init")
    for ((k = 1; k < p; k++)); do lines+=("$r irecv $(((r + p - k) % p)) 0 $s 6"); done
    for ((k = 1; k < p; k++)); do lines+=("$r isend $(((r + k) % p)) 0 $s 6"); done
    lines+=("$r waitall" "$r finalize")
done
takes 'all to all' $((hop + (p - 2) * wire)) loggp loggp "${lines[@]}"

# A schedule: a sender of a rendezvous goes on when its message has met its receive, and nothing is sent besides.
# schedule WHAT NS PLATFORM BODY...: ranks with these operations take so long.
schedule() {
    local what=$1 ns=$2 platform=$3 rank=0
    shift 3
    echo "num_ranks $#" >x.goal
    for ops; do printf 'rank %d {\n%b}\n' $((rank++)) "$ops" >>x.goal; done
    answers -q -f json --platform "$platform.xml" x.goal
    same "$what" "$(jq '.runs[0].time_s * 1e12 | round / 1000' out)" "$ns"
}
late=("s: send ${s}b to 1\nc: calc 9000\nc requires s\n" "c: calc 50000\nr: recv ${s}b from 0\nr requires c\n")
schedule 'a late receive' $((50000 + body + o)) loggp "${late[@]}"
schedule 'a late receive of a rendezvous' $((50000 + 9000)) rendezvous "${late[@]}"
# The receive of rank 1 follows a send to itself, which ends when its message begins to be taken in: it is posted after that,
# and rank 0 goes on then. Both messages come at o + L, and one is taken in after the other.
schedule 'what follows a rendezvous with its own rank' $((o + L + 2 * (body + o) + 9000)) rendezvous \
    "s: send ${s}b to 1\nc: calc 9000\nc requires s\n" \
    "s: send ${s}b to 1\nm: recv ${s}b from 1\nr: recv ${s}b from 0\nr requires s\n"
schedule 'a message during a chain of computations' $((3 * 5000 + body + o + 7)) loggp "send ${s}b to 1\n" \
    "a: calc 5000\nb: calc 5000\nb requires a\nc: calc 5000\nc requires b\nr: recv ${s}b from 0\nr requires c\nd: calc 7\nd requires r\n"
schedule 'which delays what is sent in the midst of it' $((2 * 5000 + body + o + hop)) loggp "send ${s}b to 1\n" \
    "a: calc 5000\nb: calc 5000\nb requires a\nc: send ${s}b to 2\nc requires b\nr: recv ${s}b from 0\nr requires c\n" \
    "recv ${s}b from 1\n"

# The same as one line of steps, on the network quiet, and as the strands of loggp: at twice the speed, and written as TI.
schedule 'a chain' $((5000 + hop)) loggp "a: calc 5000\ns: send ${s}b to 1\ns requires a\n" "recv ${s}b from 0\n"
for network in quiet loggp; do
    answers -q -f json -n $network --platform loggp.xml --set speed=2Gf x.goal
    same "a chain of another computer on $network" "$(jq '.runs[0].time_s * 1e12 | round / 1000' out)" $((10000 + hop))
done
run -q --platform loggp.xml -t back.ti x.goal
answers -q -f json --platform loggp.xml back.ti
same 'the chain as TI' "$(jq '.runs[0].time_s * 1e12 | round / 1000' out)" $((5000 + hop))
printf 'num_ranks 1\nrank 0 {\ncalc 5000\ncalc 9000 cpu 1\n}\n' >two.goal
answers -q -f json --platform loggp.xml --set speed=2Gf two.goal
same 'two processors of another computer' "$(jq '.runs[0].time_s * 1e12 | round / 1000' out)" 18000

# Without contention (--what-if), wires are always free; and causes are those of the path.
python3 "$SOURCE_DIR/tests/goal/generate.py" scatter ranks=9 bytes=$s scatter.goal
answers -q -f json --platform loggp.xml --what-if scatter.goal
holds '.runs[0] | (.what_if."contention.time_s" * 1e9 | round) == '"$((hop + 7 * o))"' and .what_if."contention.share" > 0.5'
for file in x.goal scatter.goal; do
    answers -q -f json --platform loggp.xml -v $file
    holds '.runs[0] | .critical_path_s | length > 0'
done

# Notes about links, and about a schedule that a program is written as.
run --detail links --platform loggp.xml scatter.goal
check 'links' said yes 'Note: on network loggp, no message waits for a link'
run --detail links -n fifo --platform loggp.xml scatter.goal
check 'links of fifo' said no 'waits for a link'
printf '%s\n' '0 init' "0 send 1 0 $s 6" '0 finalize' '1 init' "1 recv 0 0 $s 6" '1 finalize' >x.ti
for network in loggp fifo; do
    expect 0 "$([ $network = fifo ] || echo 'a replay may take a different time than the run: on the network loggp')" \
        -n $network --platform loggp.xml -t as.goal x.ti
done
expect 0 '' --platform loggp.xml -t again.ti x.ti
expect 0 '' --platform loggp.xml -t again.goal scatter.goal

# --- bad values ---

while read -r value pattern; do
    sed "s/id=\"gap\" value=\"[^\"]*\"/id=\"gap\" value=\"$value\"/" loggp.xml >bad.xml
    expect 2 "bad.xml:[0-9]*: <prop> gap: $pattern" -q --platform bad.xml scatter.goal
done <<'END'
-1ns .*negative
101s .*allowed: 0
1000 .*unit
start=1ns .*
END

# Two ranks on one core: one computes until 100 us, then the other's message is taken in, which has come at o + L. On a
# host of its own, it is taken in at once.
printf '%s\n' 'num_ranks 4' 'rank 0 {' 'calc 100000' '}' 'rank 1 {' "recv ${s}b from 2" '}' 'rank 2 {' "send ${s}b to 1" '}' \
    'rank 3 {' 'calc 1' '}' >core.goal
for hosts in "2 $((100000 + o + body))" '1 100000'; do
    answers -q -f json -n loggp --platform loggp.xml --set ranks_per_host="${hosts% *}" core.goal
    same "${hosts% *} ranks a core" "$(jq '.runs[0].time_s * 1e9 | round' out)" "${hosts#* }"
    same 'idling, and receiving since it was sent' \
        "$(jq -c '[.runs[0].process_state_s | .idle[1], .receive[1] | . * 1e9 | round]' out)" \
        "[$((${hosts#* } - L - o - body)),$((L + o + body))]"
done
finish
