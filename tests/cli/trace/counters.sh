#!/usr/bin/env bash
# Counters in OTF2 (--detail counters): an archive as Score-P writes it. What is expected follows from what
# tests/trace/otf2/teams_otf2.c says of it, and from the events as otf2-print prints them (counters.py).
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

"$BUILD_DIR/tests/unit" teams_otf2 counters "$work" || exit
trace=$work/trace.otf2

# Rank 0 and its thread: 100 before main, and 600 that only a location of its process records; 400 and 100 in main, 1000 in
# phase, with 2000 bytes; of rank 1, 7. What is of a host counts from its first sample on. Levels have means.
run -q -f json --detail counters "$trace"
holds '[.runs[0].counters[] | [.rank, .function, .counter, .unit, .value, .time_s, .per_s, .least, .most, .samples]] == [
    [0, "", "PAPI_TOT_INS", "#", 700, 10, 70, 100, 5600, 3], [0, "", "temperature", "C", 33.3333333333333, 10, null, 20, 50, 3],
    [0, "main", "PAPI_TOT_INS", "#", 500, 8, 62.5, null, null, 3],
    [0, "main", "temperature", "C", 22.6666666666667, 8, null, 21, 26, 3],
    [0, "phase", "PAPI_TOT_INS", "#", 1000, 3, 333.333333333333, null, null, 1],
    [0, "phase", "temperature", "C", 23, 3, null, 23, 23, 1], [0, "phase", "moved", "bytes", 2000, 3, 666.666666666667, null, null, 1],
    [1, "main", "PAPI_TOT_INS", "#", 7, 10, 0.7, null, null, 1], [1, "main", "temperature", "C", 10, 10, null, 10, 10, 1],
    [-1, "", "PAPI_TOT_INS", "#", 50, 10, 5, 5900, 5950, 2], [-1, "", "temperature", "C", 50, 10, null, 10, 90, 2]]'
if command -v otf2-print >/dev/null; then
    otf2-print "$trace" 2>/dev/null | python3 "$SOURCE_DIR/tests/cli/trace/counters.py" 2 | grep -v '||' >"$work/counted"
    same 'what is counted' "$(jq -r '.runs[0].counters[] | select(.counter == "PAPI_TOT_INS" and .function != "")
        | "\(.rank)|\(.function)|\(.counter)|\(.value)"' "$work/out" | sort)" "$(sort "$work/counted")"
fi
run -q -f csv --detail counters "$trace"
said yes '0,0,phase,moved,bytes,2000,3,666\.6'
run -q --detail counters "$trace"
said yes 'Counters by rank and function'
said yes '0 phase PAPI_TOT_INS # 1000 3 333\.3'
run -q -v --detail counters "$trace"
said yes '- PAPI_TOT_INS # 50 10 5 5900 5950 2' # of a host, of no rank

# Nothing is said of them unless they are asked for.
run -q -f json "$trace"
holds '.runs[0] | has("counters") | not'

# For a part, and for a trace without any, a note says why there are none; of all details it says nothing.
run -q --detail counters --to 5s "$trace"
said yes 'Note: --detail counters counts whole runs only'
run -q --detail counters "$SOURCE_DIR/tests/data/traces/causes-stencil.otf2"
said yes 'Note: --detail counters: the trace has no counters'
run -q --detail all "$SOURCE_DIR/tests/data/traces/causes-stencil.otf2"
said no 'no counters'

# A file that is none is not opened, and one that is cut off is an error.
cp -r "$work/trace" "$work/kept"
rm "$work/trace/3.evt"
mkfifo "$work/trace/3.evt"
expect 2 '3\.evt: is not a regular file' -q --detail counters "$trace"
rm "$work/trace/3.evt"
head -c 60 "$work/kept/3.evt" >"$work/trace/3.evt"
expect 2 'counters of location 3: its events end after [0-9]+ of 4' -q --detail counters "$trace"
run -q "$trace"
finish
