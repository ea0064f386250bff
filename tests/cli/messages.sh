#!/usr/bin/env bash
# Messages: one line of UTF-8 that a terminal does not obey, whatever is named; nothing of files that are not simrun's.
# And nobody waits for a pipe that a file names.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
scenario "$work/ring.xml" t800-mesh "name='ring'" ranks=2

# clean WHAT: the last message is one line of valid UTF-8, without controls, marks of direction and line separators.
clean() {
    [ "$(wc -l <"$work/err")" -eq 1 ] && iconv -f UTF-8 -t UTF-8 "$work/err" >"$work/copy" 2>&1 &&
        ! LC_ALL=C.UTF-8 grep -qP '[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{2028}-\x{202e}\x{2066}-\x{2069}]' "$work/err"
    note $? "no clean line: $1"
}

# A file name and a word of every kind, @: controls, a second line, C1, no UTF-8, and what turns or breaks a line.
# Wherever a command takes a word, the message is about that.
hostile=$(printf 'x\033[2J\a\r\n\177\302\233\377\300\257\342\200\256\342\201\246\342\200\250\342\200\251y')
run -q --store x.db ring.xml
while IFS='|' read -r says words <&3; do
    arguments=()
    for word in $words; do arguments+=("${word//@/$hostile}"); done
    expect 2 "^simrun: .*$says" "${arguments[@]}"
    clean "$words"
done 3<<'END'
is neither a file nor a scenario|@
too few arguments|-s@
is not a command|store @
unrecognized option '--x.*y'|--@
unrecognized option '-.'|-@
unrecognized option '--x.*y=z'|--@=z ring.xml
unrecognized option '--formats=x|--formats=@ ring.xml
unrecognized option '--jobs=x.* of simrun list|list --jobs=@
--format: unknown format|-f@ ring.xml
--format: unknown format|--format=@ ring.xml
--format: unknown format|store ls --format=@ x.db
--jobs: .*is not a whole number|-j@ ring.xml
--jobs: .*is not a whole number|--jobs=@ ring.xml
--what-if: unknown cause|--what-if=@ ring.xml
--baseline is for traces|--baseline=@ ring.xml
--baseline: unknown unit|--baseline=1@ ring.xml
--network=x.*is unknown|-n@ ring.xml
must be NAME=VALUE|-s@ ring.xml
--set ranks=x.*is not a whole number|--set=ranks=@ ring.xml
--set ranks=x.*is not a whole number|check --set=ranks=@ ring.xml
is set twice|--set=ranks=@ -s ranks=2 ring.xml
/none/x.*y: cannot be opened|--store=/none/@ ring.xml
is given twice|--store=@ --store=@ ring.xml
/none/x.*y: cannot be written|-o/none/@ ring.xml
/none/x.*y: cannot be written|platform -o/none/@ -s topology=ring ring.xml
unknown extension|-t/none/@ ring.xml
/none/x.*y\.paje: cannot be written|--trace=/none/@.paje ring.xml
is neither a file nor a scenario|check @
is neither a file nor a scenario|platform @
is neither a file nor a scenario|model time_s @
no run has the measure 'x|model @ -s ranks=1,2,3 ring.xml
--over: .*is not a parameter|model time_s --over=@ -s ranks=1,2,3 ring.xml
--predict: ranks: .*is not a whole number|model time_s --predict=@ -s ranks=1,2,3 ring.xml
list: unknown 'x|list @
list: unknown 'x|list formats @
cannot read|store ls @
'x.*is not a condition|store ls x.db @
no run has 'x|store ls x.db @=1
no run has platform 'x|store ls x.db platform=@
is not the number of a run|store diff x.db 1 @
cannot read|store diff @ 1 2
is neither a platform nor a file|forecast @ n0
not understood|forecast icluster @
--at: .*time|forecast --at=@ icluster n0
too many arguments|calibrate x.xml @
|calibrate /none/@
END
expect 2 "unrecognized option '--a.Try .b.c'" $'--a\nTry `b\nc'
clean 'an option of three lines'
expect 2 "option '--output' requires an argument" --output
clean 'an option without its argument'
expect 2 'ambiguous' --ver
clean 'an ambiguous option'

# Texts in a file, and names of files.
mkdir "$work/$hostile" && cp "$work/ring.xml" "$work/$hostile/"
run check "$work/$hostile/ring.xml"
cp "$work/out" "$work/err"
clean 'simrun check of a file with such a name'
run -q --store "$work/$hostile/x.db" "$work/ring.xml"
run store ls "$work/$hostile/x.db"
check 'a store with such a name' test "$(head -n 1 "$work/out" | tr -d '\n -~' | wc -c)" -eq 0
for text in "name='ring$hostile'" "name='ring' colour='$hostile'"; do
    scenario "$work/bad.xml" t800-mesh "$(tr -d '\033\a\177\377\300\257' <<<"$text")"
    expect 2 'bad.xml:' "$work/bad.xml"
    clean "a scenario with $text"
done

# Contents of files that are not simrun's are not shown: a table of passwords, given as each kind of file.
printf 'root:*:20228:0:99999:7:::\nother:x:1::\n' >"$work/secret"
printf '17 3 * * * fetch other:x\n25 1 TOKEN=root\nPASSWORD=root:*\n' >"$work/table"
hidden() {
    "$SIMRUN" "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && ! grep -qE 'root|other|fetch|TOKEN' "$work/err" && grep -qE ':[1-9]: |not an SQLite|not an OTF2' "$work/err"
    note $? "status 2, a line number, and nothing of what the file has: simrun $*"
}
platform() { # platform FILE: one with that profile
    echo "<platform version='4.1'><zone id='w' routing='Full'>"
    echo "<host id='a' speed='1Gf' speed_file='$1'/></zone></platform>"
}
for file in "$work/secret" "$work/table"; do
    cp "$file" "$work/x.ti" && cp "$file" "$work/x.otf2" && cp "$file" "$work/x.xml"
    echo "$file" >"$work/one.ti"
    printf '0 init\n0 compute 1\n0 finalize\n' >"$work/good"
    printf '%s\n' "$work/good" "$file" >"$work/list.ti"
    sed "s|<app|<reference file='$file'/>&|" "$work/ring.xml" >"$work/reference.xml"
    sed "s|<app|<broadcast file='$file'/>&|" "$work/ring.xml" >"$work/broadcast.xml"
    scenario "$work/replay.xml" t800-mesh "name='trace' file='$work/list.ti'"
    platform "$file" >"$work/profile.xml"
    for input in x.ti one.ti x.otf2 x.xml reference.xml broadcast.xml replay.xml; do hidden "$work/$input"; done
    hidden forecast "$work/profile.xml" 'a to a'
    hidden store ls "$file"
done
printf '0 0.5\n1 half\n' >"$work/profile"
platform profile >"$work/profile.xml"
expect 2 "profile:2: profile: 'half' is not an availability" forecast "$work/profile.xml" 'a to a'

# Pipes: one on the command line is read, once; one that a file names is not waited for.
mkfifo "$work/pipe"
"$SIMRUN" -q "$work/ring.xml" >"$work/plain"
for times in 1 2; do
    "$SIMRUN" -q --store "$work/pipe.db" <(cat "$work/ring.xml") >"$work/out" 2>"$work/err"
    check 'a scenario from a pipe' cmp "$work/out" "$work/plain"
done
"$SIMRUN" --store "$work/pipe.db" <(sed 's/$/ /' "$work/ring.xml") >"$work/out" 2>"$work/err"
note $((1 - $(grep -c 'from the store' "$work/err") < 1)) 'another scenario from a pipe is another one'
pipes() {
    timeout 300 "$SIMRUN" "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'egular file' "$work/err"
    note $? "a pipe is not waited for: simrun $*"
}
sed "s|<app|<reference file='pipe'/>&|" "$work/ring.xml" >"$work/reference.xml"
scenario "$work/replay.xml" t800-mesh "name='trace' file='$work/pipe.ti'"
scenario "$work/platform.xml" "$work/pipe.xml" "name='ring'"
mkfifo "$work/pipe.ti" "$work/pipe.xml"
echo pipe >"$work/list.ti"
platform pipe >"$work/profile.xml"
pipes "$work/reference.xml"
pipes "$work/replay.xml"
pipes "$work/platform.xml"
sed "s|<app|<broadcast file='pipe'/>&|" "$work/ring.xml" >"$work/broadcast.xml"
pipes "$work/broadcast.xml"
pipes check "$work/broadcast.xml"
timeout 300 "$SIMRUN" --set platform=pipe "$work/reference.xml" >"$work/out" 2>"$work/err"
check 'a pipe is no platform beside others' grep -q "^simrun: --set platform=pipe: 'pipe' is neither" "$work/err"
pipes "$work/list.ti"
pipes "$work/pipe.ti"
pipes forecast "$work/profile.xml" 'a to a'
sed 's|</platform>|<!-- file="pipe" -->&|' "$SOURCE_DIR/platforms/icluster.xml" >"$work/comment.xml"
scenario "$work/kept.xml" "$work/comment.xml" "name='ring'" ranks=2
timeout 300 "$SIMRUN" -q --store "$work/kept.db" "$work/kept.xml" >"$work/out" 2>"$work/err"
note $? 'a pipe in a comment of a platform is not waited for'

# A misspelled option, as far as it is near to one.
expect 2 "^simrun: unrecognized option '--netwrok'; did you mean '--network'\?$" --netwrok fifo "$SOURCE_DIR/scenarios/gj128.xml"
expect 2 "^simrun: unrecognized option '--jbos=2'; did you mean '--jobs'\?$" --jbos=2 "$SOURCE_DIR/scenarios/gj128.xml"
expect 2 "^simrun: unrecognized option '--colours'$" --colours "$SOURCE_DIR/scenarios/gj128.xml"

finish
