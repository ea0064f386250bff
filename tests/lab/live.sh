#!/usr/bin/env bash
# Pages that simulate: what they hold, what they refuse; see live.mjs for what they do in a browser.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/engine.html"
cd "$work" || exit
printf '0 init\n0 compute 1e6\n0 send 1 0 4096\n0 finalize\n1 init\n1 recv 0 0 4096\n1 finalize\n' >two.ti
check 'a page that simulates' "$SIMRUN" -f html --live -o gj.html --set ranks=1,2,4,8 gj256
check 'a page that does not' "$SIMRUN" -f html -o plain.html --set ranks=1,2,4,8 gj256
check 'a replay' "$SIMRUN" -f html --live -o two.html --platform icluster two.ti
check 'several machines' "$SIMRUN" -f html --live --detail=scopes -o machines.html \
    --platform icluster,t800-mesh --set ranks=4 broadcast-crossover
check 'its size' test "$(stat -c %s gj.html)" -lt 2000000
check 'a page of a large run' "$SIMRUN" -q -f html --live -o large.html gj256
check 'its size' test "$(stat -c %s large.html)" -lt 2000000
grep -q 'id="wasm"' plain.html && check 'the simulator is only where it is asked for' false

expect 2 '--live is for pages: --format html --live' --live gj256
expect 2 '--live does not go with --baseline' -f html --live --baseline 1s --platform icluster two.ti
expect 2 '--live: nothing is simulated in the analysis of a trace; replay it with --platform' \
    -f html --live -o x.html two.ti
head -c 70000000 /dev/zero | tr '\0' '\n' | sed '1s/^/0 init/' >large.ti
printf '0 finalize\n' >>large.ti
expect 2 'large.ti: has more than 64 MiB, which is the most that a page embeds' \
    -f html --live -o x.html --platform icluster large.ti

need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
printf '<!doctype html><iframe sandbox="allow-scripts" src="gj.html" width="1300" height="900"></iframe>\n' >frame.html
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/lab/live.mjs" "$BUILD_DIR/page" "$work" "$SIMRUN"
finish
