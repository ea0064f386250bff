#!/usr/bin/env bash
# bench/compare: a build that is made slower is found, one that is the same is not, and what is no build is refused.
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
compare --pairs 11 --json slow.json same slow shared fluid
same 'the status where a build takes twice as long' $? 1
check 'it says what is slower' grep -qx 'compare: slower: fluid, shared' err
holds 'all(.benchmarks[]; .verdict == "slower" and .ratio > 1.5 and .ratio < 3 and .low > 1 and .high >= .ratio and .pairs == 11)' slow.json
compare --pairs 11 slow same fluid
same 'the status where a build is faster' $? 0
check 'it says so' grep -q '^fluid .* faster$' out
compare --pairs 11 --json same.json same same fluid
same 'the status of a build beside itself' $? 0
holds '.benchmarks | length == 1 and .[0].verdict == "same" and .[0].name == "fluid"' same.json
compare --pairs 1 --json alone.json same
same 'a build alone is measured' $? 0
holds '[.benchmarks[].name] | length >= 10 and contains(["start", "sweep", "store"])' alone.json
holds 'all(.benchmarks[]; .a_s > 0 and (has("ratio") | not))' alone.json
compare --pairs 3 same slow fluid
same 'three pairs tell nothing' $? 0
for row in 'none same|none is no build' 'same same nonsense|no benchmark is called .nonsense.; known: start' '--pairs 0 same|outside 1'; do
    compare ${row%|*}
    same "the status of ${row%|*}" $? 2
    check "it says why: $(cat err)" grep -q "^compare: .*${row#*|}" err
done
echo 'wrong  --nonsense gj256' >wrong.list
compare --list wrong.list same
same 'the status of a benchmark that fails' $? 2
check 'it says which' grep -q "ends with status 2: simrun: unrecognized option '--nonsense'" err
finish
