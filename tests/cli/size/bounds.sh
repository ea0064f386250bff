#!/usr/bin/env bash
# How large a run may be: what is too large is refused before anything is simulated, and no parameter at an end of its range makes
# simrun hang, abort or take more memory than it may. With the argument "full" also every pair of them, and what runs at once.
# SPDX-License-Identifier: BSD-3-Clause
source "$SOURCE_DIR/tests/shell/checks.sh"
ulimit -v 4194304

# scenario NAME PLATFORM APPLICATION NAME=VALUE...: write $work/NAME.xml; the first parameter is on line 5.
scenario() {
    local name=$1 platform=$2 application=$3
    shift 3
    {
        printf '<?xml version="1.0"?>\n<scenario name="%s">\n' "$name"
        printf '<platform file="%s/platforms/%s.xml"/>\n<application name="%s"/>\n' "$SOURCE_DIR" "$platform" "$application"
        printf '%s\n' "$@" | sed 's/\(.*\)=\(.*\)/<param name="\1" value="\2"\/>/'
        echo '</scenario>'
    } >"$work/$name.xml"
}

# --- messages under way ---

scenario segments icluster-gigabit broadcast broadcast_segment=1 bytes=1GiB broadcast=chain_segmented ranks=128
expect 2 "segments.xml:5: parameter 'broadcast_segment': segments of 1 bytes, .* 1073741824 bytes on 128 ranks: .* 240.5 GB of memory; at most" \
    check "$work/segments.xml"
expect 0 '' check -s broadcast_segment=64 "$work/segments.xml"
expect 0 '' check -s broadcast=binomial "$work/segments.xml"
expect 2 "segments.xml: parameter 'broadcast_segment': .* 'split_binary' .* 16777216" \
    check -s broadcast=split_binary -s broadcast_segment=2 "$work/segments.xml"
scenario collective icluster-gigabit collective ranks=16384 topology=hypercube collective=alltoall alltoall=linear
expect 2 "collective.xml:5: parameter 'ranks': 'linear' .* 16384 ranks: .* GB of memory" check "$work/collective.xml"
expect 0 '' check -s alltoall=pairwise "$work/collective.xml"
expect 0 '' check -s ranks=4096 "$work/collective.xml" # a receive that is posted before is no other message
scenario ahead icluster collective ranks=4 collective=reduce reduce=chain_segmented bytes=1GiB broadcast_segment=1
expect 2 "parameter 'broadcast_segment': .* 'chain_segmented' .* 1073741824 messages under way" check "$work/ahead.xml"
expect 0 '' check -s ranks=128 -s bytes=1MiB "$work/ahead.xml"

# --- how long it takes ---

scenario long icluster-gigabit broadcast broadcast=scatter_ring ranks=65536 topology=torus
# first_line ARGUMENT...: the first line that simrun has to say within a minute, in $work/err; it need not come to its end.
first_line() {
    mkfifo "$work/pipe"
    timeout 60 "$SIMRUN" "$@" 2>"$work/pipe" >/dev/null &
    head -n 1 "$work/pipe" >"$work/err"
    kill $! 2>/dev/null
    wait $!
    rm "$work/pipe"
}
first_line "$work/long.xml"
grep -qE 'long.xml: about 4\.[0-9]e\+09 messages to simulate, about 1[45] min' "$work/err"
note $? "a broadcast of 65536^2 messages says how long it takes"
first_line -s network=quiet -s bytes=1MiB -s ranks=64 -s rounds=10 "$work/long.xml"
[ ! -s "$work/err" ]
note $? "a short one says nothing"
expect 1 'T_seq, the time on one rank, is unknown: rank 0 runs past the limit of the simulated clock' \
    -s n=16384 -s ranks=4096 "$SOURCE_DIR/scenarios/gj-scaling.xml"

# --- programs that share memory ---

scenario shared ncp2-myrinet jacobi rows=16 columns=16 iterations=1 topology=hypercube ranks=8192
expect 2 "shared.xml:9: parameter 'ranks': .* 8192 ranks .* GB of memory; at most" check "$work/shared.xml"

# --- every parameter at the ends of its range ---

# "APPLICATION PARAMETER VALUE VALUE...", of numbers both ends, of choices all.
# A long row of choices goes on in the next line.
"$SIMRUN" list applications | awk '/^  [a-z]/ { print $1 }' >"$work/applications"
while IFS= read -r application; do
    "$SIMRUN" list "$application"
done <"$work/applications" | awk '
    function flush() {
        if (row ~ / \.\.\. [0-9]/) { split(row, words, " "); print application, parameter, words[1], words[3] }
        if (row ~ / \| / && row !~ /WIDTH/) { gsub(/ \| /, " ", row); print application, parameter, row }
        row = ""
    }
    /^Applications/ { flush(); inside = 1; next }
    /^[A-Z]/ { flush(); inside = 0 }
    !inside { next }
    /^  [a-z]/ { flush(); application = $1; next }
    /^    [a-z]/ { flush(); parameter = $1; next }
    /^                         [^ ]/ { sub(/^ */, ""); row = row (row == "" ? "" : " ") $0 }
    END { flush() }
' | grep -v '^trace ' >"$work/ends"
small='n m from_grid to_grid grid_a grid_b grid'
for application in $(cut -d ' ' -f 1 "$work/ends" | sort -u); do
    needed=$("$SIMRUN" list "$application" | awk -v application="$application" '
        /^  [a-z]/ { inside = $1 == application } inside && /^    [a-z]/ && /must be given/ { print $1 }')
    values=$(for name in $needed; do
        case " $small " in *" $name "*) case $name in grid_*) echo "$name=1x2" ;; grid | *_grid) echo "$name=2x2" ;;
            *) echo "$name=16" ;; esac ;; esac
    done)
    platform=ncp2-myrinet
    case $application in gauss-jordan) platform=t800-mesh ;; pd* | align | redistribute | collective | broadcast | ring)
        platform=icluster-gigabit ;; esac
    # shellcheck disable=SC2086
    scenario "$application" $platform "$application" ranks=4 $values
done

# try SECONDS ARGUMENT...: ends within so long of a processor, with status 0 and nothing to say, or with status 1 or 2 and one line.
try() {
    local seconds=$1 status=0 lines
    shift
    (ulimit -t "$seconds" && exec "$SIMRUN" "$@" -q) >/dev/null 2>"$work/try.$BASHPID" || status=$?
    lines=$(wc -l <"$work/try.$BASHPID")
    if [ $status -gt 2 ] || { [ $status -gt 0 ] && [ "$lines" -ne 1 ]; }; then
        echo "FAILED: simrun $* (status $status, $lines lines)"
    fi
    rm -f "$work/try.$BASHPID"
}

# try_line SECONDS OPTION APPLICATION PARAMETER VALUE...: all of them at once; each by itself if one of them is refused.
try_line() {
    local seconds=$1 option=$2 application=$3 parameter=$4 value
    shift 4
    (ulimit -t "$seconds" && exec "$SIMRUN" "$option" -q -s "$parameter=$(IFS=, && echo "$*")" "$work/$application.xml") \
        >/dev/null 2>&1 && return
    for value; do
        try "$seconds" "$option" -s "$parameter=$value" "$work/$application.xml"
    done
}

export SIMRUN work
export -f try try_line
# shellcheck disable=SC2016
(ulimit -v 2097152 && xargs -P 2 -L 1 bash -c 'try_line 10 check "$@"' _ <"$work/ends") >"$work/out" 2>"$work/err"
[ ! -s "$work/out" ] && [ "$(wc -l <"$work/ends")" -gt 100 ]
note $? "every parameter alone, of $(wc -l <"$work/ends")"

# The numbers two by two, each at both ends; and alone, simulated. What is not done in 10 s of a processor has said how long it takes.
if [ "${1:-}" = full ]; then
    awk '$3 ~ /^[0-9]+$/ { print $1, $2 "=" $3; print $1, $2 "=" $NF } $2 == "broadcast" { print $1, $2 "=chain_segmented" }
        $2 == "alltoall" { print $1, $2 "=linear" }' "$work/ends" | sort -u >"$work/numbers"
    join "$work/numbers" "$work/numbers" | awk '{ split($2, a, "="); split($3, b, "=") } a[1] < b[1]' >"$work/pairs"
    # shellcheck disable=SC2016
    (ulimit -v 2097152 &&
        xargs -P 2 -L 1 bash -c 'try 10 check -s "$2" -s "$3" "$work/$1.xml"' _ <"$work/pairs"
        xargs -P 2 -L 1 bash -c 'try 10 -s "$2" "$work/$1.xml"' _ <"$work/numbers") >"$work/out" 2>"$work/err"
    ! grep -v 'status 152, 1 lines' "$work/out"
    note $? "every pair, of $(wc -l <"$work/pairs")"
fi

finish
