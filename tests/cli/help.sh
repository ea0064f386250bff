#!/usr/bin/env bash
# --help and the manual page say the same: the options, the ways to call, the kinds of lists, and where the documents are.
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
page=$SOURCE_DIR/docs/simrun.1

check 'the manual page has no faults' groff -man -Tutf8 -ww -z "$page"
check 'nothing is said of its faults' test -z "$(groff -man -Tutf8 -ww -z "$page" 2>&1)"
groff -man -Tascii -P-cbou -rLL=200n "$page" >"$work/page"
run --help
cp "$work/out" "$work/help"

# options FILE: those that have an entry, short and long.
options() {
    grep -oE -- '^ {2,7}(-[a-zV?], )*-{1,2}[a-zV?][a-z-]*' "$1" | tr -d ' ' | tr ',' '\n' | sort -u | tr '\n' ' '
}
sed -n '/^OPTIONS/,/^EXIT/p' "$work/page" >"$work/entries"
sed -n '/^      --at=/,/^Mandatory/p' "$work/help" >"$work/rows"
same 'options of --help and of the manual page' "$(options "$work/rows")" "$(options "$work/entries")"

# The ways to call: the options that each begins with.
ways() {
    tr -d '[]' | grep -oE 'simrun .*' | grep -oE -- '--[a-z-]+' | sort | tr '\n' ' '
}
same 'ways to call' "$(sed '/^Simulate/,$d' "$work/help" | ways)" "$(sed -n '/^SYNOPSIS/,/^DESCR/p' "$work/page" | ways)"

# All kinds of lists are in both.
"$SIMRUN" --list nothing 2>&1 | sed 's/.*known: //' | tr ' ' '\n' >"$work/kinds"
check 'there are kinds' grep -qx topologies "$work/kinds"
while IFS= read -r kind; do
    check "the kind $kind" grep -qE "(^| )$kind[,. ]*" "$work/rows"
    check "the kind $kind" grep -qE "(^| )$kind[,. ]*" "$work/entries"
done <"$work/kinds"

# Each document is in the manual page, and each that is there exists.
same 'documents' "$(grep -oE '[a-z-]+\.md' "$work/page" | sort -u | tr '\n' ' ')" \
    "$(cd "$SOURCE_DIR/docs" && printf '%s ' *.md)"

finish
