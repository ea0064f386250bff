#!/usr/bin/env bash
# Traces for Paraver: what simrun writes reads back with the same times, and a trace like Extrae's has those that its lines
# say. tests/data/traces/extrae.prv is made by hand.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
cp "$SOURCE_DIR"/tests/data/traces/extrae.* .

# account FILTER ARGUMENT...: a part of the only run, as JSON.
account() {
    local filter=$1
    shift
    "$SIMRUN" -q -f json "$@" | jq -c ".runs[0] | $filter"
}

# near WHAT FOUND EXPECTED: the same members, and numbers that differ by 100 ns at most: each piece is rounded.
near() {
    same "$1: members" "$(jq -c '[paths]' <<<"$2")" "$(jq -c '[paths]' <<<"$3")"
    same "$1" "$(jq -c --argjson other "$3" '[[.. | numbers], [$other | .. | numbers]] | transpose |
        map(.[0] - .[1] | fabs <= 100) | all' <<<"$2")" true
}

# --- written and read again, to the nanosecond that the format has ---

ns='(.. | numbers) |= (. * 1e9 | round)'
of="[.time_s, .state_s, .process_state_s, ([.function_waits[] | del(.function)] | sort_by(.wait))] | $ns"
while read -r scenario arguments <&3; do
    run -q -t own.otf2 $arguments "$SOURCE_DIR/scenarios/$scenario.xml"
    run -q -t own.prv own.otf2
    run -q -t direct.prv $arguments "$SOURCE_DIR/scenarios/$scenario.xml"
    for file in own direct; do
        near "$scenario: $file" "$(account "$of" $file.prv)" "$(account "$of" own.otf2)"
    done
    same "$scenario: messages" "$(account '[.messages, .bytes]' own.prv)" "$(account '[.messages, .bytes]' own.otf2)"
done 3<<'END'
matmul100 --set n=64 --set ranks=4
gj256 --set n=64 --set ranks=8
END

# --- Extrae's events ---

run check extrae.prv
check 'all is paired' said yes 'ok, 2 ranks, 29 records'
us='(.. | numbers) |= (. * 1e7 | round / 10)'
same 'functions, calls and time in us' "$(account "[.functions[] | {(.function): [.calls / 1e6, .time_s]}] | add | $us" extrae.prv |
    jq -c 'to_entries | sort_by(.key) | map([.key, .value[]])')" \
    '[["MPI_Allreduce",2,220],["MPI_Bcast",2,120],["MPI_Finalize",2,200],["MPI_Init",2,20],["MPI_Irecv",1,1],["MPI_Isend",1,5],["MPI_Wait",1,190],["MPI_Waitall",1,10]]'
same 'waits: Isend comes at 200, Irecv waits since 50; of two the second comes at 600, the root at 800' \
    "$(account "[.function_waits[] | select(.function != \"\") | {(.function + \" \" + .wait): .time_s}] | add | $us" extrae.prv | jq -c 'to_entries | sort_by(.key) | from_entries')" \
    '{"MPI_Allreduce wait at N x N":200,"MPI_Bcast late root":100,"MPI_Wait late sender":150}'
same 'scopes: solve from 100 to 350, main around it until 900' \
    "$(account "[.scope_state_s | to_entries[] | select(.key | test(\"useful|send\"))] | from_entries | $us" extrae.prv | jq -c 'to_entries | sort_by(.key) | from_entries')" \
    '{"main.send":5,"main.useful":425,"program.useful":564,"solve.send":15,"solve.useful":235}'
same 'a replay has the same messages' "$(account '[.messages >= 1, .bytes >= 4096]' --platform icluster extrae.prv)" '[true,true]'

# The kind is told by what the file has, packed or not, under any name; without the .pcf names are Extrae's.
mkdir bare && gzip -c extrae.prv >bare/packed
same 'packed, and without names' "$(account '[.functions[].function] | sort' bare/packed)" "$(account '[.functions[].function] | sort' extrae.prv)"
same 'the same times' "$(account '.process_state_s' bare/packed)" "$(account '.process_state_s' extrae.prv)"

# A collective in which messages are sent is no collective of its own.
cat >inner.prv <<'END'
#Paraver (01/01/26 at 10:00):100:2:1:2(1:1,1:2),2
c:1:1:2:1:2
c:1:2:1:-1
2:1:1:1:1:0:50000002:9
2:2:1:2:1:0:50000002:9
4:1:1:1:1:0:1:4:4:1:0
2:1:1:1:1:10:50000001:2
2:2:1:2:1:20:50000001:1
3:2:1:2:1:20:30:1:1:1:1:10:40:32:11
2:2:1:2:1:30:50000001:0
2:1:1:1:1:40:50000001:0
2:1:1:1:1:45:50000002:0
2:2:1:2:1:50:50000002:0
END
same 'messages in a reduction' "$(account '[.messages, .bytes, .time_s * 1e6]' inner.prv | jq -c 'map(round)')" '[1,32,50]'

# --- mistakes ---

# bad LINE MESSAGE: a trace with the line is refused, and where.
bad() {
    printf '#Paraver (01/01/26 at 10:00):1000_ns:1(2):1:2(1:1,1:1)\n%s\n' "$1" >bad.prv
    expect 2 "$2" bad.prv
}
bad '1:1:1:1:1:0:10' 'bad\.prv:2: is no line of a Paraver trace of this kind: 1:cpu:.*:begin:end:state'
bad '2:1:1:1:1:5:50000001' 'bad\.prv:2: .*time:type:value'
bad '3:1:1:1:1:5:5:1:1:2:1:5:6:10' 'bad\.prv:2: .*bytes:tag'
bad '3:1:1:1:1:5:5:1:1:2:1:9:6:10:0' 'bad\.prv:2: a message that is received 3000 ps before its receive is called'
bad '1:1:1:3:1:0:10:1' 'bad\.prv:2: thread 1 of task 3 of application 1: the trace has 1 application, 2 tasks'
bad 'x' "bad\\.prv:2: begins with 'x'; known: 1 state"
bad 'c:1:1:9' 'bad\.prv:2: .*c:application:communicator'
printf '#Paraver (x):10_ns:0:2:1(1:1):1(1:1)\n' >bad.prv
expect 2 'bad\.prv:1: has 2 applications; a trace that can be read has 1' bad.prv
printf '#Paraver (x):10_parsec:0:1:1(1:1)\n' >bad.prv
expect 2 'bad\.prv:1: is not the head of a Paraver trace' bad.prv
finish
