#!/usr/bin/env bash
# Writing pages: of gj256, and of a trace of 10 million records, beside what the same as JSON takes; time of the
# processor, the best of three, and memory. Fails where a target is missed. Needs the page: target page.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
need_simrun
[ -x /usr/bin/time ] || fail "there is no /usr/bin/time; tools/install-packages test"
missed=0

# measure TITLE MOST_S MOST_MB FILE
measure() {
    local format best=1e9 least=1e9 rss=0
    for turn in 1 2 3; do
        for format in json html; do
            if ! /usr/bin/time -o "$work/time" -f '%U %S %M' \
                "$SIMRUN" -q -f $format -o "$work/out.$format" "$4" 2>"$work/err"; then
                fail "$1: no page: $(said)"
            fi
            [ -s "$work/out.$format" ] || fail "$1: nothing is written as $format"
            read -r user system kbytes <"$work/time"
            if [ $format = html ]; then
                best=$(awk -v a="$best" -v b="$user" -v c="$system" 'BEGIN { print a < b + c ? a : b + c }')
                rss=$kbytes
            else
                least=$(awk -v a="$least" -v b="$user" -v c="$system" 'BEGIN { print a < b + c ? a : b + c }')
            fi
        done
    done
    awk -v title="$1" -v most_s="$2" -v most_mb="$3" -v s="$best" -v json="$least" -v mb=$((rss / 1024)) \
        -v page="$(stat -c %s "$work/out.html")" 'BEGIN {
        printf "%-28s page in %.2f s (target %s s), JSON in %.2f s; %d MB (target %d MB); %.2f MB long\n",
            title, s, most_s, json, mb, most_mb, page / 1e6
        exit s > most_s || mb > most_mb }' || missed=1
}

cat >"$work/ring.xml" <<END
<scenario name="ring">
  <platform file="$SOURCE_DIR/platforms/t800-mesh.xml"/>
  <application name="ring"/>
  <param name="rounds" value="13000"/>
  <param name="ranks" value="128"/>
</scenario>
END
measure gj256 0.3 200 "$SOURCE_DIR/scenarios/gj256.xml"
mkdir "$work/trace"
if "$SIMRUN" -q -o "$work/out.txt" --trace "$work/trace/ring.otf2" "$work/ring.xml" 2>"$work/err"; then
    measure 'trace, 10 million records' 3 200 "$work/trace/ring.otf2"
else
    fail "no trace: $(said)"
fi
[ $missed -eq 0 ] || fail "a target is missed"
