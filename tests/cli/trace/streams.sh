#!/usr/bin/env bash
# Streams of accelerators in traces: what waits for them, and replays in which what they do is launched later. Archives are as
# Score-P writes them; what is expected follows from what tests/trace/otf2/streams_otf2.c says of each.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh" || exit

for name in answer meanwhile busy; do
    mkdir "$work/$name"
    "$BUILD_DIR/tests/unit" streams_otf2 $name "$work/$name" || exit
    run check "$work/$name/trace.otf2"
    check "$name is good" said yes 'ok, [12] rank'
done

# takes NAME MS EXPECTED: with messages of MS, a replay takes EXPECTED [ms], on any network.
takes() {
    local model
    loggp_platform 2 "${2}000000" 0 0 1000000000 >"$work/net.xml"
    for model in quiet fifo loggp; do
        run -q -n $model -p "$work/net.xml" -f json "$work/$1/trace.otf2"
        holds ".runs[0] | .time_s * 1e3 - $3 | . > -1e-6 and . < 1e-6"
    done
}

# There and back, with the kernel between.
takes answer 0 80
takes answer 5 90
# The kernel ends at 50; rank 0 comes to that 10 after the message.
takes meanwhile 0 60
takes meanwhile 5 60
takes meanwhile 30 80

# The stream has an account of its own: 45 ms of kernels, 5 ms from the launch on, 20 ms before.
run -f json "$work/answer/trace.otf2"
holds '.runs[0] | .time_s == 0.08 and .messages == 2 and (.state_s.useful * 1e3 | round) == 105'
holds '[.runs[0].function_waits[] | select(.wait == "wait for stream") | .time_s * 1e3 | round] == [40]'
holds '[.runs[0].function_waits[] | select(.wait == "wait for launch") | .time_s * 1e3 | round] == [5]'
run -q -t "$work/answer.json" "$work/answer/trace.otf2"
same 'its name' "$(grep -c '"name":"rank 0 stream 7 (gpu 0)"' "$work/answer.json")" 1
run -q -f json "$work/answer/trace.otf2"
holds '[.runs[0].locations[] | [.rank, .processor, .name]] == [[0, 1, "stream 7 (gpu 0)"], [1, 1, "stream 0"]]'
run -q -v "$work/answer/trace.otf2"
check 'where that is' said yes 'wait for stream cudaDeviceSynchronize 40.00 ms'

# In a replay, too, where what streams do takes as long as traced: of 80 ms along the path, 30 are of hosts, which are half
# as fast; of the 9 between the launch and the wait, nothing is seen.
loggp_platform 2 0 0 0 1000000000 >"$work/net.xml"
run -p "$work/net.xml" -n quiet -f json "$work/answer/trace.otf2"
holds '(.runs[0].state_s.useful * 1e3 | round) == 105'
run -p "$work/net.xml" -n quiet "$work/answer/trace.otf2"
check 'the note' said yes 'Note: taking as long as traced on any platform: kernels and copies of accelerators'
run -p "$work/net.xml" -n quiet -f json --set speed=2Gf "$work/answer/trace.otf2"
holds '(.runs[0].time_s * 1e3 | round) == 110'

# Kernels, copies and waits: 2 MB in 10 ms, 1 MB in 20 ms; kernels of 5, 15 and 30 ms.
run -q -f json "$work/busy/trace.otf2"
holds '.runs[0] | [.kernels[] | [.kernel, .calls, .time_s, .longest_s]] == [["kernel", 3, 0.05, 0.03]]'
holds '.runs[0] | [.copies[] | [.copy, .copies, .bytes, .time_s, .rate_Bps]] ==
    [["copy to the device", 1, 2000000, 0.01, 200000000], ["copy from the device", 1, 1000000, 0.02, 50000000]]'
holds '.runs[0] | [.stream_waits[] | [.function, .stream, .activity, .waits, .time_s]] == [
    ["cudaMemcpy", "stream 7 (gpu 0)", "copy to the device", 1, 0.01],
    ["hipStreamSynchronize", "stream 7 (gpu 0)", "kernel", 1, 0.02],
    ["cudaMemcpy", "stream 7 (gpu 0)", "copy from the device", 1, 0.02]]'
holds '.runs[0] | [.streams[] | [.rank, .kernels_s, .copies_s, .launching_s, .idle_s]] ==
    [[0, 0.02, 0.03, 0.01, 0.02], [0, 0.03, 0, 0.018, 0.032]]'
run -q "$work/busy/trace.otf2"
said yes 'ranks wait for streams of their accelerators, 40 % of it in'

# A copy says the same, and so do its replays: of threads, too, who waits for whom.
facts() { jq '.runs[0] | del(.host, .platform)' "$work/out"; }
for name in answer meanwhile busy; do
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
