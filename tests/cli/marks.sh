#!/usr/bin/env bash
# simrun marks: saved work of the laboratory is simulated again. Hostile files have a line each, and lose nothing of the
# others; nothing runs for long.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
mkdir all

# work FILE NAME LABS: saved work, as page/lab/work.js writes it.
work() {
    jq -n --arg name "$2" --argjson labs "$3" '{simrun_work: 1, name: $name, labs: $labs}' >"all/$1"
}
# answer GIVEN VALUE WHEN; lines FILE
answer() {
    jq -nc --arg given "$1" --argjson value "$2" --arg when "$3" '{$given, $value, $when}'
}
lines() {
    jq -nc --rawfile lines "$1" '{values: {"1": {$lines}}}'
}

efficient='{"1-gauss-jordan": {"answers": {"1": '$(answer 16 16 t1)', "2": '$(answer '2^7 ranks' 128 t2)'}}}'
work ann.json 'Ann, the "first"' "$efficient"
work bob.json '=cmd()' "$efficient"
work cleo.json 'Cleo' '{"1-gauss-jordan": {"answers": {"1": '"$(answer '8 ranks' 8 t3)"'}, "predictions": {"1": '"$(answer '4 s' 4 t4)"'}}}'
work dan.json 'Dan' '{"7-shared-memory": {"answers": {"1": '"$(answer 'ipd' '"I+D"' t5)"', "2": '"$(answer '68 %' 0.68 t6)"'}},
    "6-grids": {"answers": {"1": '"$(answer '4 x 6' '"4x6"' t7)"'}}}'
work eve.json 'Eve' '{"1-gauss-jordan": {"predictions": {"1": '"$(answer '5 s' 5 t8)"', "2": {"points": [1, 2, 3.5, "x"], "when": "t8"}}},
    "5-bottlenecks": {"predictions": {"1": {"points": '"$(jq -nc '[range(1000)]')"', "when": "t9"}}}}'
"$SIMRUN" marks all >table.csv 2>err
check 'nothing is said beside the table' test ! -s err

# row NEEDLE...: the lines that have all of these.
row() {
    local found
    found=$(cat table.csv)
    for needle in "$@"; do found=$(grep -F -- "$needle" <<<"$found"); done
    [ -n "$found" ]
}
check 'columns' test "$(head -1 table.csv)" = 'who,file,what,given,right,value,when,note'
check 'right' row '"Ann, the ""first""",ann.json,"1-gauss-jordan, question 1",16,yes,16,t1,'
check 'right, with a unit' row 'ann.json,"1-gauss-jordan, question 2",2^7 ranks,yes,128,t2,'
check 'a name that is a formula is text' row "'=cmd(),bob.json"
check 'wrong' row 'Cleo,cleo.json,"1-gauss-jordan, question 1",8 ranks,no,16,t3,'
seconds=$("$SIMRUN" -q -f json --set ranks=64 gj256 | jq '.runs[0].time_s')
check 'a prediction beside the result' row 'cleo.json,"1-gauss-jordan, prediction 1",4 s,,'"$seconds"',t4,'
check 'a drawn curve' row 'eve.json,"1-gauss-jordan, prediction 2",1 2 3.5 nan,,,t8,'
check 'and the guess beside it' row 'eve.json,"1-gauss-jordan, prediction 1",5 s,,'"$seconds"',t8,'
check 'a curve of many points is cut' test "$(sed -n 's/.*"5-bottlenecks, prediction 1",\([^,]*\),.*/\1/p' table.csv | wc -w)" = 64
best=$("$SIMRUN" -q -f json --set ranks=8 ncp2-jacobi | jq -r '.runs | min_by(.time_s).parameters.variant')
check "a word that is not the best, $best" row 'dan.json,"7-shared-memory, question 1",ipd,no,'"$best"',t5,'
check 'a word' row 'dan.json,"6-grids, question 1",4 x 6,yes,4x6,t7,'
check 'a ratio within 5 %' row 'dan.json,"7-shared-memory, question 2",68 %,yes,0.6'
check 'the same moments' row '1,something at the same moment,"Ann, the ""first""",ann.json'
check 'and with whom' row "1,something at the same moment,'=cmd(),bob.json"
check 'others are not alike' test "$(grep -c 'same moment' table.csv)" = 2

# A ranking: times are those of the same lines by the command.
rm all/*
own=$SOURCE_DIR/scenarios/own
sed 's/segments 8/segments 32/' "$own/chain.txt" >longer.txt
sed 's/segments 8/segments  32 # mine/' "$own/chain.txt" >copied.txt
sed 's/segments 8/segments 2/' "$own/chain.txt" >shorter.txt
printf 'while 1\nend\n' >endless.txt
printf '0 -> 99\n' >wrong.txt
yes 'for i = 1 to 9' | head -1000 >nested.txt
for name in longer copied shorter endless wrong nested; do
    work $name.json $name "{\"3-own-broadcast\": $(lines $name.txt)}"
done
work given.json given "{\"3-own-broadcast\": $(lines "$own/flat.txt")}"
"$SIMRUN" marks -p icluster,ncp2-myrinet all >table.csv
place() {
    sed -n '/^lab,place/,/^$/p' table.csv | grep -F ",$1,$1.json,"
}
for row in '1,longer' '1,copied' '2,shorter'; do
    check "place $row" grep -q "^3-own-broadcast,$row," <<<"$(place "${row#*,}")"
done
check 'lines that come with simrun do not race' test -z "$(place given)"
check 'endless lines' grep -q 'own.txt:1: .*endless loop' <<<"$(place endless)"
check 'wrong lines' grep -q 'own.txt:1: rank 99' <<<"$(place wrong)"
check 'nested lines' grep -q 'own.txt:' <<<"$(place nested)"
check 'the same lines are alike' grep -q '^1,the same lines,copied,copied.json$' table.csv
mkdir here
sed "s|\.\./platforms|$SOURCE_DIR/platforms|; s|own/binomial|$PWD/shorter|" "$SOURCE_DIR/scenarios/own-broadcast.xml" >here/own.xml
times=$("$SIMRUN" -q -f json -p icluster,ncp2-myrinet --set broadcast=own --set bytes=1KiB,64KiB,1MiB here/own.xml)
jq -r '.runs[] | .time_s' <<<"$times" | sort >expected
awk -F, '$2 == "shorter" && NF == 6 { print $6 }' table.csv | sort >found
check 'times are those of the command' paste -d' ' expected found
check 'all of them' awk '{ if ($1 - $2 > 1e-9 * $1 || $2 - $1 > 1e-9 * $1) exit 1 } END { exit NR != 6 }' <(paste -d' ' expected found)
mean=$(jq '[.runs[].time_s | log] | add / length | exp' <<<"$times")
check 'their mean' awk -F, -v mean="$mean" '$3 == "shorter" && NF == 8 { d = $5 / mean - 1; good = d * d < 1e-18 } END { exit !good }' table.csv

# Contestants race beside the lines of the experiment: of each submission its best one is ranked, and no other.
rm all/*
# contest FILE NAME LINES CONTESTANT=FILE...: saved work with contestants of lab 3.
contest() {
    local all='{}' number=0
    for one in "${@:3}"; do
        number=$((number + 1))
        all=$(jq -c --rawfile lines "${one#*=}" --arg name "${one%%=*}" --arg n $number '.[$n] = {$name, $lines}' <<<"$all")
    done
    work "$1.json" "$1" "$(jq -c --argjson all "$all" '{"3-own-broadcast": (.["3-own-broadcast"] // . | .contestants = $all)}' <<<"$2")"
}
contest ann "$(lines shorter.txt)" bad=wrong.txt "best, of all=longer.txt" given="$own/flat.txt"
contest bob "$(lines shorter.txt)" worse=endless.txt
contest cleo '{}' only=longer.txt
contest dan '{}' wrong=wrong.txt
contest eve '{}' {1..8}="$own/flat.txt" ninth=longer.txt
jq '.labs["3-own-broadcast"].contestants = [{"name": "x", "lines": "0 -> 1"}, 3]' all/dan.json >all/list.json
"$SIMRUN" marks -p icluster,ncp2-myrinet -f json all >table.json 2>err
check 'the best of each' jq -e '[.race[] | [.place, .who, .contestant]] ==
    [[1, "ann", "best, of all"], [1, "cleo", "only"], [2, "bob", ""], [null, "dan", "wrong"]]' table.json
check 'the rest counts nowhere' jq -e '[.race[] | .fastest_in] == [5, 5, 1, 0] and (.race_runs | length) == 18' table.json
check 'contestants can be alike' jq -e '[.alike[] | select(.shares == "the same lines").who] == ["ann", "bob", "cleo", "dan", "eve"]' table.json
# An old file, in which there are none, has the ranking that it had; so has the column, which is the last one.
rm all/*
work old.json old "{\"3-own-broadcast\": $(lines longer.txt)}"
"$SIMRUN" marks -p icluster all >table.csv
check 'an old file' grep -q '^3-own-broadcast,1,old,old.json,0.[0-9]*,3,,$' table.csv

# Hostile files.
rm all/*
work fine.json 'Fine' "$efficient"
printf '{"simrun_work":1,"name":"cut' >all/cut.json
head -c 10000000 /dev/zero | tr '\0' ' ' >all/large.json
head -c 100000 /dev/zero | tr '\0' '[' >all/deep.json
: >all/empty.json
printf '[1,2]' >all/list.json
head -c 1000 /dev/urandom >all/noise.json
ln -s /etc/passwd all/link.json
mkdir all/folder.json
mkfifo all/pipe.json
work $'line\nbreak.json' $'two\nlines \e[31m' '{"1-gauss-jordan": 3, "2-broadcasts": {"answers": [1]}}'
work odd.json 'odd' '{"1-gauss-jordan": {"answers": {"1": {"given": 3, "value": {}, "when": []}, "77": 1}}}'
work none.json 'none' '{"1-gauss-jordan": {"answers": {"1": {"given": "x"}}}}'
timeout 60 "$SIMRUN" marks -f json all >table.json
check 'hostile files are done soon' test $? = 0
count=$(find all -mindepth 1 -maxdepth 1 -printf . | wc -c)
check "a line for each of $count" jq -e --argjson count "$count" '[.answers[].file] | unique | length == $count' table.json
check 'the good one is marked' jq -e '[.answers[] | select(.who == "Fine" and .right == "yes")] | length == 2' table.json
check 'a link is not followed' jq -e '.answers[] | select(.file == "link.json").note == "is a link, which is not followed"' table.json
check 'a large file is not read' jq -e '.answers[] | select(.file == "large.json").note | test("at most 4000000")' table.json
check 'what is no number is wrong' jq -e '[.answers[] | select(.file == "odd.json")] | .[0].right == "no"' table.json
check 'what was not understood is wrong' jq -e '.answers[] | select(.file == "none.json").right == "no"' table.json
check 'names are one line' jq -e '[.answers[] | .who, .file | test("[\n\u001b]")] | any | not' table.json

# Other labs than simrun's own, and mistakes in them.
printf '# Mine\n\n```question\nask ranks\nscenario gj256\nset ranks=4\nanswer ranks\n```\n' >mine.md
rm -r all/*
work a.json A '{"mine": {"answers": {"1": '"$(answer 4 4 t)"'}}}'
"$SIMRUN" marks all mine.md >table.csv
check 'a lab of one'"'"'s own' row 'A,a.json,"mine, question 1",4,yes,4,t,'
sed 's/^answer.*/answer ranks of best time_s/' mine.md >wrong.md
expect 2 'wrong.md:7: answer is X, ratio X' marks all wrong.md
sed 's/^set.*/sett ranks=4/' mine.md >wrong.md
expect 2 "wrong.md:6: unknown line 'sett' in a block of question; did you mean 'set'?" marks all wrong.md
sed '/^scenario/d' mine.md >wrong.md
expect 2 "wrong.md:3: a block of question needs the line 'scenario'" marks all wrong.md
sed '$d' mine.md >wrong.md
expect 2 'wrong.md:3: the block has no end' marks all wrong.md
sed 's/gj256/gj257/' mine.md >wrong.md
rm all/*
work a.json A '{"wrong": {"answers": {"1": '"$(answer 4 4 t)"'}}}'
"$SIMRUN" marks all wrong.md >table.csv
check 'a scenario that is not there' row 'A,a.json' "gj257"
expect 2 'nowhere: is no folder that can be read' marks nowhere
rm all/*
expect 2 'all: has no files' marks all
finish
