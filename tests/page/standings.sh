#!/usr/bin/env bash
# Standings of a race on a page are those of `simrun marks`: see standings.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/needs.sh"
need "node, which ranks as the page does" command -v node
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
mkdir all
own=$SOURCE_DIR/scenarios/own
sed 's/segments 8/segments 32/' "$own/chain.txt" >longer.txt
sed 's/segments 8/segments 2/' "$own/chain.txt" >shorter.txt
sed 's/segments 8/segments 2 # the same/' "$own/chain.txt" >same.txt
printf 'for r = 1 to ranks - 1\n  0 -> ranks - r\nend\n' >root.txt
machines=icluster,icluster-myrinet,ncp2-myrinet
for name in longer shorter same root; do
    jq -n --rawfile lines $name.txt --arg name $name \
        '{simrun_work: 1, name: $name, labs: {"3-own-broadcast": {values: {"1": {lines: $lines}}}}}' >all/$name.json
    sed "s|\.\./platforms|$SOURCE_DIR/platforms|; s|own/binomial.txt|$PWD/$name.txt|" \
        "$SOURCE_DIR/scenarios/own-broadcast.xml" >$name.xml
    check "$name: its runs" "$SIMRUN" -q -f json -p $machines --set broadcast=own --set bytes=1KiB,64KiB,1MiB \
        -o $name.runs $name.xml
done
check 'marks' "$SIMRUN" marks -f json -p $machines -o marks.runs all
check 'the same standings' node --no-warnings "$SOURCE_DIR/tests/page/standings.mjs" marks.runs longer shorter same root
finish
