#!/usr/bin/env bash
# bench/compare: a build that is made slower is found, one that is the same is not, and what is no build is refused.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
compare() {
    "$SOURCE_DIR/bench/compare" "$@" >out 2>err
}
mkdir same slow
ln -s "$SIMRUN" same/simrun
cat >slow/simrun <<END
#!/bin/sh
"$SIMRUN" "\$@" >/dev/null
exec "$SIMRUN" "\$@"
END
chmod +x slow/simrun
cat >short.list <<'END'
solve  -s ranks=16 -s n=64 gj128
start  -s ranks=4 gj256
END
compare --list short.list --pairs 9 --json slow.json same slow start solve
same 'the status where a build takes twice as long' $? 1
check 'it says what is slower' grep -qx 'compare: slower: solve, start' err
holds 'all(.benchmarks[]; .verdict == "slower" and .ratio > 1.5 and .ratio < 3 and .low > 1 and .high >= .ratio and .pairs == 9)' slow.json
compare --list short.list --pairs 9 slow same start
same 'the status where a build is faster' $? 0
check 'it says so' grep -q '^start .* faster$' out
for _ in 1 2 3; do # of a hundred comparisons of equal builds one may say otherwise
    compare --list short.list --pairs 9 --json same.json same same start
    [ $? -ne 0 ] || break
done
same 'the status of a build beside itself' $? 0
holds '.benchmarks | length == 1 and .[0].verdict != "slower" and .[0].name == "start"' same.json
cp "$SOURCE_DIR/bench/guard.list" all.list
"$SIMRUN" -q -f html -s n=16 -s ranks=2 gj128 >out 2>err || sed -i '/^page /d' all.list # where there is no npm
compare --list all.list --pairs 1 --json alone.json same
same 'a build alone is measured' $? 0
holds '[.benchmarks[].name] | length >= 10 and contains(["start", "sweep", "store"])' alone.json
holds 'all(.benchmarks[]; .a_s > 0 and (has("ratio") | not))' alone.json
compare --list short.list --pairs 3 same slow start
same 'three pairs tell nothing' $? 0
for row in 'none same|none is no build' 'same same nonsense|no benchmark is called .nonsense.; known: start' '--pairs 0 same|outside 1'; do
    compare ${row%|*}
    same "the status of ${row%|*}" $? 2
    check "it says why: $(cat err)" grep -q "^compare: .*${row#*|}" err
done
(echo 'wrong  --nonsense gj256' && cat short.list) >wrong.list
compare --list wrong.list --pairs 1 same
same 'the status of a benchmark that fails' $? 2
same 'the others are measured' "$(grep -c ms out)" 2
check 'it says which' grep -q "^compare: wrong: .* ends with status 2: simrun: unrecognized option '--nonsense'" err
finish
