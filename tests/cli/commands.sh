#!/usr/bin/env bash
# Commands and names: what a word on the command line is taken for, what is near to one that is nothing, and what
# simrun list says of it.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# --- names of scenarios and platforms, in a build and as installed ---

run check gj256
said yes 'scenarios/gj256.xml: ok, 8 runs'
run check gj256 gj128.xml
run -q -s ranks=2 gj256
cp out named
run -q -s ranks=2 "$SOURCE_DIR/scenarios/gj256.xml"
check 'a name is its file' cmp out named
run model time_s -s ranks=2,4,8 gj256
run platform -s topology=torus -s ranks=16 -o torus.xml gj128
run forecast icluster 'n0 to n1'
expect 2 "'none' is neither a platform nor a file; known: " forecast none 'n0 to n1'
mkdir scenarios
sed 's/name="gj256"/name="mine"/; s|\.\./|'"$SOURCE_DIR"'/|; s|reference/|'"$SOURCE_DIR/scenarios/"'&|' \
    "$SOURCE_DIR/scenarios/gj256.xml" >scenarios/gj256.xml
cp scenarios/gj256.xml scenarios/own.xml
run check gj256 own
same 'the working folder comes first' "$(tr '\n' ' ' <out)" 'scenarios/gj256.xml: ok, 8 runs scenarios/own.xml: ok, 8 runs '
mkdir gj256 && run check gj256
said yes '^scenarios/gj256'
cp "$SOURCE_DIR/scenarios/gj128.xml" here.xml && sed -i "s|\.\./|$SOURCE_DIR/|; s|reference/|$SOURCE_DIR/scenarios/&|" here.xml
mv here.xml own && run check own
said yes '^own: ok'
if [ -n "${BUILD_DIR:-}" ]; then
    cmake --install "$BUILD_DIR" --prefix "$work/installed" >out 2>err
    note $? 'installing'
    SIMRUN=$work/installed/bin/simrun run check gj128
    said yes 'installed/share/simrun/scenarios/gj128.xml: ok, 8 runs'
    SIMRUN=$work/installed/bin/simrun run forecast icluster 'n0 to n1'
    mkdir moved && mv installed moved/else && SIMRUN=$work/moved/else/bin/simrun run check gj128
    said yes 'moved/else/share/simrun/scenarios/gj128.xml: ok, 8 runs'
fi
mkdir alone && cp "$SIMRUN" alone && SIMRUN=$work/alone/simrun expect 2 'share/simrun: has no scenarios and platforms' gj128

# --- words that are none ---

expect 2 "^simrun: 'gj129' is neither a file nor a scenario nor a command; did you mean 'gj128'\? simrun list scenarios" gj129
expect 2 "^simrun: 'lst' is neither .*; did you mean 'list'\?" lst
expect 2 "^simrun: 'forcast' is neither .*; did you mean 'forecast'\?" forcast icluster 'n0 to n1'
expect 2 "^simrun: 'xyzzy' is neither a file nor a scenario nor a command; simrun list scenarios shows the scenarios, simrun --help the commands\$" xyzzy
check 'in one line' test "$(wc -l <err)" -eq 1
expect 2 "^simrun: 'store' is not a complete command; known: simrun store ls, simrun store diff, simrun store merge$" store
expect 2 "^simrun: 'store sl' is not a command" store sl
expect 2 "^simrun: 'list' is a command and must come first: simrun list" -q list
expect 2 "^simrun: 'check' is a command and must come first" gj128 check
expect 2 "^simrun: unrecognized option '--list'; did you mean the command 'simrun list'\?$" --list
expect 2 "^simrun: unrecognized option '--fromat' of simrun store ls; did you mean '--format'\?$" store ls x --fromat json
expect 2 "^simrun: unrecognized option '--over=x'; '--over' is an option of simrun model$" --over=x gj128
expect 2 "^simrun: unrecognized option '--jobs' of simrun check; '--jobs' is an option of simrun FILE...$" check --jobs 2 gj128
expect 2 "^simrun: unrecognized option '-j' of simrun check$" check -j 2 gj128
expect 2 "^simrun: unrecognized option '-Z'$" -Z gj128
expect 2 "^simrun: option '--quiet' takes no argument$" --quiet=yes gj128
expect 2 "^simrun: option '--output' requires an argument$" gj128 -o
expect 2 "^simrun: option '--o' is ambiguous$" model time_s --o x gj128
expect 2 "^simrun: gj129.xml: cannot read: No such file" gj129.xml
expect 2 "^simrun: none/gj128: cannot read: No such file" none/gj128
for name in check model platform 'store ls' 'store diff' 'store merge' forecast calibrate; do
    expect 2 "^simrun: too few arguments: simrun $name.*; try simrun " $name
done
for words in 'platform gj128' 'store diff a 1 2' 'calibrate x'; do
    expect 2 '^simrun: too many arguments: simrun ' $words more
done
run --version
same 'the version, and what stores know the program by' "$(cut -d ' ' -f 1 out | head -n 2 | tr '\n' ' ')" 'simrun sources '
run model --version
run -s ranks=2 -- gj128

# Nothing is colored, not even on a terminal.
script -qec "'$SIMRUN' -s ranks=2 gj128; '$SIMRUN' list; '$SIMRUN' --help; '$SIMRUN' xyzzy" /dev/null >out 2>err </dev/null
grep -q 'neither a file' out && ! grep -q $'\033\[[0-9;]*m' out
note $? 'colours on a terminal'

# --- lists ---

run list
narrow
check 'everything has a text' awk '/\(null\)/ { exit 1 }' out
check 'a list of at most 230 lines' awk 'END { exit NR > 230 || NR < 100 }' out
same 'the broadcasts, once' "$(grep -c 'scatter_doubling' out)" 1
for word in gj256 own; do check "$word in the list" grep -qE "(^| )$word( |\$)" out; done
for kind in $("$SIMRUN" list nothing 2>&1 | sed 's/.*kinds //'); do
    run list "$kind"
    narrow
    check "list $kind" test "$(wc -l <out)" -ge 4
done
run list applications
same 'shared parameters are explained once' "$(grep -c '^    broadcast_radix ' out)" 1
said yes 'as above, with defaults: broadcast \(binomial\), broadcast_order \(rank\)'
run list gauss-jordan
narrow
said yes 'gauss-jordan Gauss-Jordan elimination.* n number of equations; must be given 1 \.\.\. 16384 .* broadcast_radix '
run list networks formats
said yes '^Networks .* Formats of results .* Trace formats that simrun writes .* Trace formats that simrun reads'
run list rabenseifner
said yes 'allreduce .* rabenseifner '
run list own
said yes 'own Gauss-Jordan elimination.* scenarios/own\.xml'
run list ring # an application, and a topology; and two algorithms
said yes '^Applications.* ring each rank .* Topologies ring each host is'
expect 2 "^simrun: list: unknown 'topologis'; did you mean 'topologies'\? known: " list networks topologis
expect 2 "^simrun: list: unknown 'gaus-jordan'; did you mean 'gauss-jordan'\?" list gaus-jordan
expect 2 "^simrun: list: unknown 'xyzzy'; known: any name, or one of the kinds scenarios platforms parameters applications " list xyzzy

finish
