#!/usr/bin/env bash
# The sheets of solutions: each number that they have is what the simulator says. A remark
#     <!-- simrun ARGUMENTS | EXPRESSION OF JQ = NUMBER -->
# is carried out; the number may be off by half a percent, since it is rounded.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
count=0
while IFS= read -r line; do
    file=${line%%:*} rest=${line#*<!-- simrun } # NAME:<!-- ...
    rest=${rest% -->}
    arguments=${rest%% | *} rest=${rest#* | }
    expression=${rest% = *} number=${rest##* = }
    # shellcheck disable=SC2086
    found=$("$SIMRUN" -q -f json $arguments | jq -r "$expression")
    check "$file: $arguments: $expression is $found, not $number" awk -v a="$found" -v b="$number" \
        'BEGIN { d = a - b; exit !(a != "" && d <= 0.005 * b && -d <= 0.005 * b) }'
    count=$((count + 1))
done < <(cd "$SOURCE_DIR/labs/solutions" && grep -H '^<!-- simrun' ./*.md)
check "there are solutions: $count" test "$count" -ge 25
# The commands that a lab names at its end, each on one line; what takes long has a smaller problem.
commands() {
    sed -n '/^## The same as commands/,$s/^    //p' "$1" | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' |
        sed 's/ ncp2-ocean$/ --set size=66&/; s/--set ranks=512 lumi/--set ranks=64 lumi/'
}
PATH="${SIMRUN%/*}:$PATH"
cd "$work" || exit
for lab in "$SOURCE_DIR"/labs/[0-9]*.md; do
    count=0
    while IFS= read -r line; do
        check "${lab##*/}" bash -c "$line >out 2>err"
        count=$((count + 1))
    done < <(commands "$lab")
    check "${lab##*/} names commands: $count" test "$count" -ge 2
    check "${lab##*/} has its solutions" test -e "$SOURCE_DIR/labs/solutions/${lab##*/}"
done
finish
