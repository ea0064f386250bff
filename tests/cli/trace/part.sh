#!/usr/bin/env bash
# A part of a trace: its analysis, what is written of it, its replay; and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1

# ask FILTER ARGUMENT...: of the only run, as JSON.
ask() {
    local filter=$1
    shift
    "$SIMRUN" -q -f json "$@" | jq -c ".runs[0] | $filter"
}

"$SIMRUN" -q -o whole.txt --trace run.otf2 --set ranks=4 "$SOURCE_DIR/scenarios/gj256.xml"
states='[.state_s[] * 1e12 | round]'

# Parts that follow each other add up to the whole, to the picosecond.
whole=$(ask "$states" run.otf2)
for cut in 0.1s 2s 7123456789ps 19.25s; do
    same "parts at $cut" "$(jq -cn --argjson a "$(ask "$states" --to $cut run.otf2)" \
        --argjson b "$(ask "$states" --from $cut run.otf2)" '[$a, $b] | transpose | map(add)')" "$whole"
done
# And those of ranks do.
same 'parts by rank' "$(for r in 0 1 2 3; do ask "$states" --ranks $r run.otf2; done | jq -cs 'transpose | map(add)')" "$whole"

# The trace that is written of a part is that part.
for part in '--from 3s --to 9.5s' '--ranks 0,2-3' '--from elimination:2 --to elimination:5 --ranks 1-2'; do
    # shellcheck disable=SC2086
    "$SIMRUN" -q -o part.txt $part --trace part.otf2 run.otf2
    for what in "$states" '.time_s' '.messages' '.bytes'; do
        # shellcheck disable=SC2086
        same "$part: $what, written and read" "$(ask "$what" part.otf2)" "$(ask "$what" $part run.otf2)"
    done
done

# A replay of all ranks from the beginning to the end is that of the whole; of a part, the traced account is the analysis'.
same 'a replay of all' "$(ask '[.time_s, .state_s]' --platform icluster --ranks 0-3 run.otf2)" \
    "$(ask '[.time_s, .state_s]' --platform icluster run.otf2)"
same 'the part beside its replay' "$(ask '.traced.time_s' --platform icluster --from 3s --to 9.5s run.otf2)" 6.5
check 'a page' "$SIMRUN" -q -f html -o part.html --from 3s --to 9s --ranks 1-2 run.otf2

run --from 3s --to 9.5s --ranks 1-2 run.otf2
said yes '2 ranks in 6\.500 s'
said yes 'a part of the trace: 3 s to 9\.5 s of [0-9.]* s, ranks 1-2 of 4, numbered from 0 here; messages not counted: [0-9]+ across its borders, [0-9]+ with other ranks'
run --platform icluster --from 3s --to 9.5s run.otf2
said yes 'messages left out: [0-9]+ across its borders, 0 with other ranks'
run --ranks 0-3 run.otf2
said yes 'a part of the trace: ranks 0-3 of 4, numbered from 0 here\.'
said no 'across its borders'

cat >ring.ti <<'END'
0 init
1 init
0 compute 1e6
0 send 1 0 64
1 recv 0 0 64
0 finalize
1 finalize
END
run --platform icluster --ranks 1 ring.ti
said yes 'ranks 1 of 2, numbered from 0 here; messages left out: 0 across its borders, 1 with other ranks'
expect 2 'from needs a trace with times; of this one, only --ranks can be chosen' --platform icluster --from 1s ring.ti
expect 2 'is a scenario; --from, --to and --ranks choose a part of a trace' --from 1s gj256
# Versions: the same part of each, whose times are those that an analysis of the part has.
"$SIMRUN" -q -f json --from 3s --to 9.5s --ranks 0-1 run.otf2 >part.json
run compare --from 3s --to 9.5s --ranks 0-1 -f json run.otf2 run.otf2
same 'the times compared' "$(jq -c '[.first_time_s, .second_time_s]' out)" "$(jq -c '.runs[0].time_s | [., .]' part.json)"
same 'the ranks compared' "$(jq -c '[.versions[].ranks]' out)" '[2,2]'
run compare --from 3s run.otf2 run.otf2
said yes 'is only a part of its run, and so are its times: a part of the trace: 3 s to'
expect 2 'is a scenario; --from, --to and --ranks choose a part of a trace' compare --from 3s run.otf2 gj256
expect 2 'store is about whole runs' --store s.db --ranks 0 run.otf2
expect 2 'baseline is about whole runs' --baseline 1s --ranks 0 run.otf2
expect 2 "no scope 'eliminate'" --from eliminate:2 run.otf2
expect 2 'there is no rank 4; the trace has ranks 0 \.\.\. 3' --ranks 4 run.otf2
expect 2 'there is no rank 9; the trace has ranks 0 \.\.\. 3' --ranks 0-9 run.otf2
expect 2 'there is no rank [0-9]+; the trace has ranks 0 \.\.\. 3' --ranks 99999999999999999999 run.otf2
expect 2 "'3-1' runs backwards; the lower rank comes first: 1-3" --ranks 3-1 run.otf2
for list in '' ' ' , 0, ,0 0,,1 0- -1 0-1-2 0:2 '0 1' 0x1 '1&2' all; do
    expect 2 "'$list' is not a list of ranks and ranges of them, such as 0-3,8" "--ranks=$list" run.otf2
done

# A rank that is named twice is chosen once, in whatever order; spaces do not count.
for list in 0,0,2-3 3,2,0 '0, 2 - 3' ' 0-0,2-3,3 '; do
    same "the ranks '$list'" "$(ask "$states" "--ranks=$list" run.otf2)" "$(ask "$states" --ranks 0,2-3 run.otf2)"
done

finish
