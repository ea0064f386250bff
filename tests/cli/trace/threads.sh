#!/usr/bin/env bash
# Threads of traced programs, which communicate beside their ranks: archives as Score-P writes them, on a platform on which a
# message takes L and nothing else takes time. What is expected follows from what tests/trace/otf2/threads_otf2.c says of each.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh" || exit

for name in created forked collective lone neighbors any gatherv; do
    mkdir "$work/$name"
    "$BUILD_DIR/tests/unit" threads_otf2 $name "$work/$name" || exit
done

# takes NAME MS EXPECTED: with messages of MS, a replay takes EXPECTED [ms], whether ranks may run ahead or not.
takes() {
    local model
    loggp_platform 2 "${2}000000" 0 0 1000000000 >"$work/net.xml"
    for model in quiet fifo; do
        run -q -n $model -p "$work/net.xml" -f json "$work/$1/trace.otf2"
        holds ".runs[0] | .time_s * 1e3 - $3 | . > -1e-6 and . < 1e-6"
    done
}

# The thread ends at 60, and rank 0 sends then; rank 1 has its first message at 50 + L and its second at 60 + L, or after
# the first and 10 more.
takes created 0 70
takes created 5 75
takes created 200 270
# Rank 0 waits for its thread in the second join: that has its message at 60 + L, and computes 10; then 10 more are left.
takes forked 0 90
takes forked 5 90
takes forked 20 100
takes forked 100 180
# The threads' allreduce of two messages at once takes L, from 20 on, and then they compute 10; that of the ranks from 50 on.
takes collective 0 60
takes collective 5 65
takes collective 200 260

# A replay with no message in the way takes as long as the trace, and each thread has an account of its own.
run -q "$work/created/trace.otf2"
check 'the time' said yes '2 ranks in 70.00 ms'
check 'the threads are said' said yes 'Each rank has 2 processors'
check 'what is waited for' said yes '14 % of the time ranks wait for their own threads'
# Along the critical path all is computation: rank 0 until 10, its thread until 60, then rank 0 or rank 1.
check 'the critical path goes through the thread' said yes '100 % of its critical path is processing'
run -f json "$work/created/trace.otf2"
holds '.runs[0] | .time_s == 0.07 and .messages == 2'

# Both are called so in traces, in JSON, and on pages.
for model in real quiet; do
    run -q -t "$work/created.json" $([ $model = real ] || echo "-n quiet -p $work/net.xml") -f json "$work/created/trace.otf2"
    same 'the name of a thread' "$(grep -o '"name":"rank 0 [^"]*"' "$work/created.json")" '"name":"rank 0 thread 1"'
    holds '[.runs[0].locations[] | [.rank, .processor, .name]] == [[0, 1, "thread 1"], [1, 1, "thread 1"]]'
done

for name in created forked collective; do
    run check "$work/$name/trace.otf2"
    check "$name is good" said yes 'ok, 2 ranks'
done

# A wait of which nothing is known: it is no sending, keeps its time in a replay, and is named with its share.
run -q -f json "$work/neighbors/trace.otf2"
holds '.runs[0] | .state_s.idle == 0.06 and .state_s.send == 0'
run "$work/neighbors/trace.otf2"
check 'the share' said yes 'not analyzed: 2 calls of MPI_Neighbor_alltoall, 75.0 % of the time'
run -p "$work/net.xml" -n quiet "$work/neighbors/trace.otf2"
check 'the share, replayed' said yes 'not analyzed: 2 calls of MPI_Neighbor_alltoall, 75.0 % of the time; .*as traced'
check 'the time, replayed' said yes '2 ranks in 40.00 ms'

# Receives from any source take the messages of the traced run, and it is said where others come first: rank 1 sends at 10,
# and rank 2 at 20. Behind 30 ms, rank 1's message comes at 40, and rank 0 waits for it 20 of 40 ms: of three ranks' time, a sixth.
far() {
    printf '%s\n' '<?xml version="1.0"?>' '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">' \
        '<platform version="4.1"><zone id="world" routing="Full">' \
        '<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>' \
        '<link id="near" bandwidth="1GBps" latency="0us"/>' "<link id='far' bandwidth='1GBps' latency='$1'/>" \
        '<route src="a" dst="b"><link_ctn id="far"/></route><route src="a" dst="c"><link_ctn id="near"/></route>' \
        '<route src="b" dst="c"><link_ctn id="far"/></route></zone></platform>'
}
far 30ms >"$work/far.xml"
far 5ms >"$work/near.xml"
for model in quiet fifo fluid; do
    run -n $model -p "$work/near.xml" "$work/any/trace.otf2"
    check 'the order is the same' said yes 'receives that were from any source: 2; .*which come first here, too'
    check 'so nothing is said of another' said no 'by the clock'
    run -n $model -p "$work/far.xml" -f json "$work/any/trace.otf2"
    holds '[.runs[0].notes[] | select(test("by the clock"))] == ["by the clock, 2 of these get the message of another rank: " +
        "first rank 0 (event 3), of rank 2 in place of 1; ranks wait for the traced ones 16.7 % of the time"]'
done

# Blocks of different lengths go to the root, whatever algorithm is set: by its own length, each rank would choose another one.
loggp_platform 4 5000000 0 0 1000000000 >"$work/four.xml"
run -q -p "$work/four.xml" -n quiet --set gather=openmpi --set barrier=flat -f json "$work/gatherv/trace.otf2"
holds '.runs[0] | [.messages, .bytes, (.time_s * 1e3 | round)] == [9, 1780, 20]'

# A thread that waits for ever is named.
expect 2 'rank 1 \(thread 1\), 0.000000000 s: receives from rank 0 with tag 7 what that rank does not send' check "$work/lone/trace.otf2"
expect 1 'deadlock.* rank 1 \(thread 1, event [0-9]+\) waits for its receive from rank 0 \(tag 7\)' \
    -q -p "$work/net.xml" "$work/lone/trace.otf2"

# A copy says the same, and so do its replays: of threads, too, who waits for whom.
facts() { jq '.runs[0] | del(.host, .platform)' "$work/out"; }
for name in created forked collective neighbors any; do
    run -q -t "$work/copy.otf2" -f json "$work/$name/trace.otf2"
    facts >"$work/traced"
    run -q -f json "$work/copy.otf2"
    facts >"$work/copied"
    check "the copy of $name" cmp "$work/traced" "$work/copied"
    for late in 0 5 200; do
        loggp_platform 3 "${late}000000" 0 0 1000000000 >"$work/net.xml"
        run -q -n fifo -p "$work/net.xml" -f json "$work/$name/trace.otf2"
        facts >"$work/traced"
        run -q -n fifo -p "$work/net.xml" -f json "$work/copy.otf2"
        facts >"$work/copied"
        check "the copy of $name, replayed with messages of $late ms" cmp "$work/traced" "$work/copied"
    done
done
finish
