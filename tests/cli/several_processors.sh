#!/usr/bin/env bash
# Ranks with several processors, as schedules in GOAL may have: every answer says which processor it means, shares are of all
# of them, and what is written as a trace has each in its rank. Times are ns, of a machine whose messages take 2,500.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh"
cd "$work" || exit 1
loggp_platform 4 2500 0 0 65535 >p.xml

# A rank's cpu 0 computes; cpu 1 does something shorter, and has a message.
cat >x.goal <<'END'
num_ranks 2
rank 0 {
k1: calc 100000 cpu 0
k2: calc 50000 cpu 1
s1: send 1000b to 1 tag 7 cpu 1
s1 requires k2
k3: calc 100000 cpu 0
k3 requires k1
}
rank 1 {
r1: recv 1000b from 0 tag 7 cpu 1
k1: calc 120000 cpu 0
k2: calc 10000 cpu 1
k2 requires r1
}
END

# --- the report ---

run -q -p p.xml -v --detail all x.goal
said yes '2 ranks in 200\.0 us'
said yes 'Each rank has 2 processors; shares and efficiency are of the time of all of them\.'
said yes 'shares of processors x time; .* 2 47\.5 % 0\.3 % 52\.2 %'
said yes 'Process by process, 2 ranks .* rank processor useful receive idle 0 0 100\.0 % .* 0 1 25\.0 % .* 1 0 60\.0 % .* 1 1 5\.0 %'
said yes 'Messages by size \(times summed over processors; '
said yes 'rank processor end component scope 0 0 200\.0 us processing'
said yes 'accounted for by processor'
narrow
run -q -p p.xml --baseline 300us x.goal
said yes 'speedup 1\.50, efficiency 37\.5 %'
run -q -p p.xml --what-if x.goal
said yes 'Load balance: mean / largest useful work of a processor'
run -q -p p.xml -v --what-if=imbalance x.goal # of cpu 0 the mean is 160 us, of cpu 1 it is 30
said yes 'imbalance 160\.0 20\.0 %'

# --- JSON, CSV, stores ---

run -q -p p.xml -f json --detail all --what-if x.goal
cp out one.json
holds '.runs[0] | .ranks == 2 and .processors_per_rank == 2 and .process == {rank: [0, 0, 1, 1], processor: [0, 1, 0, 1]}'
holds '.runs[0].process_state_s | .useful == [200e-6, 50e-6, 120e-6, 10e-6] and .receive == [0, 0, 0, 2.5e-6]'
holds '.runs[0] | [.scope_states[] | select(.rank == 1 and .processor == 1) | .receive_s] == [0, 2.5e-6]'
holds '.runs[0] | [.rank_ends[] | [.rank, .processor, .end_s]] == [[0, 0, 200e-6], [0, 1, 50e-6], [1, 0, 120e-6], [1, 1, 62.5e-6]]'
holds '.runs[0].pop | .load_balance == 0.475 and .parallel_efficiency == 0.475'
run -q -p p.xml -f csv x.goal
said yes '^ranks.*,processors_per_rank,'
run -q -p p.xml --store x.db x.goal
run store ls x.db -f json
account='.runs[0] | [.process_state_s, .process, .processors_per_rank, .ranks, .state_s, .aims_index]'
same 'a stored run' "$(jq -c "$account" out)" "$(jq -c "$account" one.json)"

# A rank of one processor has none of this.
sed 's/ cpu [01]//' x.goal >plain.goal
run -q -p p.xml -f json --detail all plain.goal
holds '.runs[0] | has("processors_per_rank") or has("process") or (.rank_ends[0] | has("processor")) | not'
run -q -p p.xml -v plain.goal
said no 'Each rank has'
said yes 'shares of ranks x time'

# --- traces ---

# Messages between the same two ranks, with the same tag, on different processors.
cat >y.goal <<'END'
num_ranks 2
rank 0 {
k1: calc 10000 cpu 1
s1: send 1000b to 1 tag 7 cpu 1
s1 requires k1
s2: send 2000b to 1 tag 7 cpu 0
k3: calc 50000 cpu 0
k3 requires s2
}
rank 1 {
r1: recv 2000b from 0 tag 7 cpu 0
k2: calc 10000 cpu 0
k2 requires r1
r2: recv 1000b from 0 tag 7 cpu 1
k4: calc 30000 cpu 1
k4 requires r2
}
END
run -q -p p.xml -t t.prv y.goal
same 'names of Paraver' "$(sed -n '2,5p' t.row | paste -sd,)" 'rank 0,rank 0 cpu 1,rank 1,rank 1 cpu 1'
same 'tasks of Paraver' "$(head -1 t.prv | cut -d: -f4-)" '2(2,2):1:2(2:1,2:2)'
same 'messages of Paraver' "$(grep '^3' t.prv | sort | paste -sd' ')" \
    '3:1:1:1:1:0:0:3:1:2:1:0:2500:2000:7 3:2:1:1:2:10000:10000:4:1:2:2:0:12500:1000:7'
run -q -p p.xml -t t.paje y.goal
same 'names of Paje' "$(sed -n 's/^4 .*RANK run //p' t.paje | paste -sd,)" '"rank 0","rank 0 cpu 1","rank 1","rank 1 cpu 1"'
same 'messages of Paje' "$(grep -E '^[78] ' t.paje | cut -d' ' -f1,5,6 | paste -sd,)" '7 r0 2000,8 r1 2000,7 r2 1000,8 r3 1000'
run -q -p p.xml -t t.json y.goal
names='[.traceEvents[] | select(.name == "thread_name") | [.tid, .args.name]] | sort | map(.[1])'
same 'names of Trace Event' "$(jq -c "$names" t.json)" '["rank 0","rank 0 cpu 1","rank 1","rank 1 cpu 1"]'
same 'messages of Trace Event' "$(jq -c '[.traceEvents[] | select(.ph == "s" or .ph == "f") | .tid]' t.json)" '[1,3,2,4]'
holds '[.traceEvents[] | select(.name == "useful processors")][0].args.processors == 2' t.json

# The message that is sent first is taken in last, by a processor that computes for 20 us; the other one on its own.
sed 's/^r1:/k0: calc 20000 cpu 0\n&/' y.goal >late.goal
run -q -p p.xml -t t.prv late.goal
same 'messages that overtake, of Paraver' "$(grep '^3' t.prv | sort | paste -sd' ')" \
    '3:1:1:1:1:0:0:3:1:2:1:20000:20000:2000:7 3:2:1:1:2:10000:10000:4:1:2:2:0:12500:1000:7'
run -q -p p.xml -t t.paje late.goal
same 'messages that overtake, of Paje' "$(grep -E '^[78] ' t.paje | sort -k6,6n | cut -d' ' -f1,5,6 | paste -sd,)" \
    '7 r2 1000,8 r3 1000,7 r0 2000,8 r1 2000'
run -q -p p.xml -t t.json late.goal
ends='[.traceEvents[] | select(.ph == "s" or .ph == "f")] | group_by(.id) | map(map([.tid, (.ts + 0.001 | floor)]) | sort) | sort'
same 'messages that overtake, of Trace Event' "$(jq -c "$ends" t.json)" '[[[1,0],[3,20]],[[2,10],[4,12]]]'

if command -v otf2-print >/dev/null && answers -q -p p.xml -t t.otf2 y.goal; then
    otf2-print -G t.otf2 >out
    locations=$(sed -nE 's/^LOCATION  .*Name: "([^"]*)".*Group: "([^"]*)".*/\2: \1/p' out | sort | paste -sd,)
    same 'locations of OTF2' "$locations" \
        'MPI Rank 0: Master thread,MPI Rank 0: rank 0 cpu 1,MPI Rank 1: Master thread,MPI Rank 1: rank 1 cpu 1'
    otf2-print t.otf2 >out
    messages=$(awk '$1 ~ /^MPI_(I?SEND|I?RECV)$/ { printf "%s%s %d", sep, $2, $3; sep = "," }' out)
    same 'messages of OTF2' "$messages" '0 1,1 2500001,2 10000001,3 12500001'
    # simrun reads all processors of the archive: those whose events have messages are threads.
    run -q t.otf2
    check 'the processors of an archive' said yes 'Each rank has 2 processors'
    run -q -f json t.otf2
    cp out read.json
    run -q -p p.xml -f json y.goal
    same 'what they do' "$(jq -c '.runs[0].process_state_s.useful' read.json)" \
        "$(jq -c '.runs[0].process_state_s.useful' out)"
fi
finish
