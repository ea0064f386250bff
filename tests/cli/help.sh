#!/usr/bin/env bash
# The --help of all commands fits a screen. With the manual page it says the same: the commands, how to call them,
# the options, the kinds of lists, and where the documents are.
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
page=$SOURCE_DIR/docs/simrun.1

check 'the manual page has no faults' groff -man -Tutf8 -ww -z "$page"
check 'nothing is said of its faults' test -z "$(groff -man -Tutf8 -ww -z "$page" 2>&1)"
groff -man -Tascii -P-cbou -rLL=200n "$page" >"$work/page"

# fits LINES ARGUMENT...: the help of a command, which is kept.
fits() {
    local lines=$1
    shift
    run "$@" --help
    cat "$work/out" >>"$work/help"
    awk -v most="$lines" 'length > 80 { wide = 1 } END { exit wide || NR > most || NR < 8 }' "$work/out"
    note $? "simrun $* --help has more than $lines lines, or is wider than 80 columns"
}
fits 44
run -h
check '-h is --help' cmp "$work/out" "$work/help"
sed -n '/^Commands/,/^$/s/^  \([a-z]\+\( [a-z]\+\)\?\) .*/\1/p' "$work/help" >"$work/commands"
check 'there are commands' test "$(wc -l <"$work/commands")" -ge 8
while IFS= read -r name; do
    # shellcheck disable=SC2086
    fits 24 $name
    check "the manual page has simrun $name" grep -qE "^ {7}$name " "$work/page"
done <"$work/commands"
fits 24 store
same 'one option in the help of store' "$(grep -c -- '--format' "$work/out")" 1
for name in ls diff; do check "the usage of store $name" grep -q "simrun store $name " "$work/out"; done

# options FILE: those that have an entry, short and long.
options() {
    grep -oE -- '^ {2,7}(-[a-zV], )*-{1,2}[a-zV?][a-z-]*' "$1" | tr -d ' ' | tr ',' '\n' | sort -u | tr '\n' ' '
}
sed -n '/^OPTIONS/,/^EXIT/p' "$work/page" >"$work/entries"
same 'options of --help and of the manual page' "$(options "$work/help")" "$(options "$work/entries")"

# The ways to call.
ways() {
    grep -oE 'simrun .*\S' | grep -v 'COMMAND' | sort -u
}
same 'ways to call' "$(sed -n '/^Usage/,/^[A-Z]/p; /^ *simrun/p' "$work/help" | ways)" \
    "$(sed -n '/^SYNOPSIS/,/^DESCR/p' "$work/page" | ways)"

# All kinds of lists are in both.
"$SIMRUN" list nothing 2>&1 | sed 's/.*kinds //' | tr ' ' '\n' >"$work/kinds"
check 'there are kinds' grep -qx topologies "$work/kinds"
run list --help
cp "$work/out" "$work/list"
sed -n '/^ *list /,/^ *check/p' "$work/page" >"$work/entry"
while IFS= read -r kind; do
    check "the kind $kind" grep -qE "(^| )$kind[,.;: ]*" "$work/list"
    check "the kind $kind" grep -qE "(^| )$kind[,.;: ]*" "$work/entry"
done <"$work/kinds"

# Each document is in the manual page, or its folder, and each that is there exists.
sed -n '/^The documents:/,/^In a checkout/s/^\.I //p' "$page" | tr -d '\\' >"$work/named"
while IFS= read -r name; do
    [ -e "$SOURCE_DIR/docs/$name" ]
    note $? "the manual page names docs/$name"
done <"$work/named"
while IFS= read -r file; do
    grep -qxF -e "$file" -e "${file%/*}" "$work/named"
    note $? "the manual page does not name docs/$file"
done < <(cd "$SOURCE_DIR/docs" && find . -name '*.md' | sed 's|^\./||')

finish
