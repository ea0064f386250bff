#!/usr/bin/env bash
# Pages in German; see german.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
cd "$work" || exit 1
for name in gj256 what-limits-gj; do
    check "a page of $name" "$SIMRUN" -q -f html -o "$name.html" "$name"
done
check 'a page of a program that shares memory' \
    "$SIMRUN" -q -f html -o shared.html --set ranks=4 --set variant=P,I+P+D ncp2-sor
check 'a page of models' "$SIMRUN" model -q --predict 256 -f html -o models.html gj128
check 'a page of a trace' "$SIMRUN" -q --detail delays --source "$SOURCE_DIR/tests/data/traces" -f html -o trace.html \
    "$SOURCE_DIR/tests/data/traces/causes-stencil.otf2"
mkdir old new
for version in old new; do
    check "a trace of the $version version" "$BUILD_DIR/tests/unit" call_paths $version $version
done
check 'a page of two versions' "$SIMRUN" compare -q -f html -o versions.html old/trace.otf2 new/trace.otf2
pages=(gj256.html what-limits-gj.html shared.html models.html trace.html versions.html)
if [ -e "$BUILD_DIR/lab/engine.html" ]; then
    check 'a page that simulates' "$SIMRUN" -q -f html --live -o live.html --set ranks=1,4,16 gj128
    pages+=(live.html)
fi
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/page/german.mjs" "$BUILD_DIR/page" "${pages[@]/#/$work/}"
finish
