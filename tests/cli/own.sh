#!/usr/bin/env bash
# A broadcast of one's own through the program: the lines of the scenario's <broadcast> file. What they say takes as long as
# what is built in; deadlocks name lines; `fastest` does not try it; a store knows that lines have changed.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
time_of() {
    "$SIMRUN" -q -f json "$@" | jq -c '[.runs[].time_s]'
}
own() {
    cp "$SOURCE_DIR/scenarios/own/$1.txt" lines.txt
}
sed "s|\.\./platforms|$SOURCE_DIR/platforms|; s|own/binomial.txt|lines.txt|" "$SOURCE_DIR/scenarios/own-broadcast.xml" >own.xml
own flat
same 'flat' "$(time_of -s broadcast=own -s ranks=1..64 own.xml)" "$(time_of -s broadcast=flat -s ranks=1..64 own.xml)"
own binomial # the other way round, which is the same for powers of two
same 'binomial' "$(time_of -s broadcast=own -s ranks=1..64*2 own.xml)" "$(time_of -s broadcast=binomial -s ranks=1..64*2 own.xml)"
own chain
same 'chain' "$(time_of -s broadcast=own -s ranks=2..64 own.xml)" \
    "$(time_of -s broadcast=chain_segmented -s ranks=2..64 -s broadcast_segment=8KiB own.xml)"

own deadlock
expect 1 'deadlock after .* rank 2 .line 8 of lines.txt. waits to receive from rank 3, rank 3 .line 9 of lines.txt. waits' \
    -s broadcast=own own.xml
sed -i '8s/.*/  r sends to r + 1 : 0/; 10s/.*/  r receives from r + 1 : 1/' lines.txt # one of the two sends first
check 'mended' "$SIMRUN" -q -s broadcast=own own.xml
echo '0 -> 99' >lines.txt
expect 2 '^simrun: lines.txt:1: rank 99; of 16 ranks they are 0 to 15' -s broadcast=own own.xml
echo '0 -> r' >lines.txt
expect 2 "^simrun: lines.txt:1: 'r' found" own.xml
echo 'hello' >lines.txt # some other file, whose words are nobody's business
expect 2 '^simrun: lines.txt:1: something else found' own.xml
check 'its words are not quoted' bash -c '! grep hello err'
rm lines.txt
expect 2 'lines.txt: cannot read' own.xml
expect 2 "parameter 'broadcast': 'own' needs the scenario's <broadcast file=" -s broadcast=own -s ranks=4 gj256

# In a program whose broadcasts have other roots, and beside `fastest`.
own flat
sed "s|\.\./platforms|$SOURCE_DIR/platforms|; s|<application|<broadcast file=\"lines.txt\"/><application|; /<reference/d" \
    "$SOURCE_DIR/scenarios/gj128.xml" >gj.xml
same 'Gauss-Jordan' "$(time_of -s broadcast=own -s broadcast_mode=standard -s ranks=2..64*2 gj.xml)" \
    "$(time_of -s broadcast=flat -s broadcast_mode=standard -s broadcast_order=upward -s ranks=2..64*2 gj.xml)"
same 'fastest' "$("$SIMRUN" -q -f json -s broadcast=fastest -s ranks=16 own.xml | jq -r '.runs[0].fastest[0].algorithm')" scatter_doubling

# Other lines are another run.
if "$SIMRUN" --store x.db -s broadcast=own own.xml >/dev/null 2>err; then
    "$SIMRUN" --store x.db -s broadcast=own own.xml >/dev/null 2>err
    check 'the same lines are known' grep -q '1 of 1 runs from the store' err
    own binomial
    "$SIMRUN" --store x.db -s broadcast=own own.xml >/dev/null 2>err
    check 'other lines are another run' test ! -s err
fi
finish
