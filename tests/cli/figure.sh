#!/usr/bin/env bash
# simrun figure, without a browser: what the pictures show are the JSON's numbers; see figure.py. And LaTeX.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
run=(--set ranks=1..16*2 --set n=64 "$SOURCE_DIR/scenarios/gj256.xml")
check JSON "$SIMRUN" -q -f json -o "$work/gj.json" "${run[@]}"
for panel in $("$SIMRUN" list panels | awk 'NR > 1 { print $1 }'); do
    case $panel in
    time | scaling | efficiency | overheads | components | bottlenecks | timeline | states | matrix | delays)
        check "$panel" "$SIMRUN" figure "$panel" -q -o "$work/$panel.svg" "${run[@]}"
        check "$panel as PDF" "$SIMRUN" figure "$panel" -q --width 120mm -o "$work/$panel.pdf" "${run[@]}"
        ;;
    esac
done
check 'bars in rows' "$SIMRUN" figure time -q -o "$work/rows.svg" "$SOURCE_DIR/scenarios/ncp2-em3d.xml"
check 'JSON of rows' "$SIMRUN" -q -f json -o "$work/rows.json" "$SOURCE_DIR/scenarios/ncp2-em3d.xml"
check 'cells' "$SIMRUN" figure values -q -o "$work/cells.svg" "$SOURCE_DIR/scenarios/align.xml"
# Figures of one run: a short one, a trace with iterations, and one with call paths.
for panel in timeline states matrix; do
    check "$panel of a run" "$SIMRUN" figure $panel -q -o "$work/run-$panel.svg" "$SOURCE_DIR/scenarios/matmul100.xml"
done
check 'JSON of a run' "$SIMRUN" -q -f json --detail all -o "$work/run.json" "$SOURCE_DIR/scenarios/matmul100.xml"
gj=(-s ranks=4 -s n=64 "$SOURCE_DIR/scenarios/gj256.xml")
check 'delays that are passed on' "$SIMRUN" figure delays -q -o "$work/run-delays.svg" "${gj[@]}"
check 'JSON of delays' "$SIMRUN" -q -f json --detail delays -o "$work/delays.json" "${gj[@]}"
check 'a trace' "$SIMRUN" -q -s ranks=4 -o "$work/out" -t "$work/run.otf2" "$SOURCE_DIR/scenarios/gj256.xml"
check 'iterations' "$SIMRUN" figure iterations -q --iterations=broadcast -o "$work/run-iterations.svg" "$work/run.otf2"
check 'JSON of iterations' "$SIMRUN" -q -f json --iterations=broadcast -o "$work/iterations.json" "$work/run.otf2"
mkdir "$work/paths"
check 'a trace with call paths' "$BUILD_DIR/tests/unit" call_paths new "$work/paths"
check 'call paths' "$SIMRUN" figure call-tree -q -o "$work/run-call-tree.svg" "$work/paths/trace.otf2"
check 'JSON of call paths' "$SIMRUN" -q -f json -o "$work/paths.json" "$work/paths/trace.otf2"
expect 2 'figure iterations: there is nothing to draw of this panel' figure -q iterations -o "$work/x.svg" "${run[@]}"

# PNG, where cairo is; where it is not, it is said what to install.
if "$SIMRUN" figure states -q -o "$work/run-states.png" "$SOURCE_DIR/scenarios/matmul100.xml" 2>"$work/err"; then
    check 'the same PNG again' "$SIMRUN" figure states -q -o "$work/again.png" "$SOURCE_DIR/scenarios/matmul100.xml"
    check 'with the same bytes' cmp "$work/run-states.png" "$work/again.png"
    mkdir "$work/lib"
    echo none >"$work/lib/libcairo.so.2"
    LD_LIBRARY_PATH=$work/lib "$SIMRUN" figure states -o "$work/x.png" gj256 2>"$work/err"
    same 'the status without cairo' $? 2
fi
check 'cairo, or what to install' grep -q 'apt-get install libcairo2' "$work/err"
check 'the numbers' python3 "$SOURCE_DIR/tests/cli/figure.py" "$work"
same 'its width' "$(sed -n 's/^.*<svg [^>]* width="\([^"]*\)".*/\1/p' "$work/scaling.svg")" 240.94pt
if command -v pdfinfo >/dev/null; then
    for pdf in "$work"/*.pdf; do
        pdfinfo "$pdf" >"$work/info" 2>&1
        check "${pdf##*/} is 120 mm wide" grep -q '^Page size: *340.1' "$work/info"
        check "${pdf##*/} has no error" sh -c "! grep -qi error '$work/info'"
    done
    cp "$SOURCE_DIR/platforms/icluster.xml" "$work/Größe 1 – süß.xml"
    cp "$SOURCE_DIR/platforms/icluster.xml" "$work/シ.xml"
    printf '<scenario name="s"><platform file="Größe 1 – süß.xml,シ.xml"/><application name="broadcast"/>%s</scenario>' \
        '<param name="ranks" value="4"/>' >"$work/letters.xml"
    check 'letters that are not ASCII' "$SIMRUN" figure time -q -o "$work/letters.pdf" "$work/letters.xml"
    pdftotext "$work/letters.pdf" "$work/letters.txt"
    check 'Latin-1 and dashes' grep -q 'Größe 1 – süß' "$work/letters.txt"
    check 'no other letters' grep -qx '?' "$work/letters.txt"
    same 'the same letters' "$(pdftotext "$work/components.pdf" - | tr ' ' '\n' | grep -c communication)" 1
fi

expect 2 "figure: unknown panel 'scalling'; did you mean 'scaling'?" figure scalling -o x.svg gj256
expect 2 'figure: -o FILE names what is drawn, FILE.svg, FILE.pdf or FILE.png' figure scaling gj256
expect 2 'FILE.svg, FILE.pdf or FILE.png' figure scaling gj256 -o x.jpg
expect 2 "width: '5mm' is outside 40 ... 400 mm" figure scaling --width 5mm -o x.svg gj256
expect 2 "width: '85cm' is no width, such as 85mm" figure scaling --width 85cm -o x.svg gj256
expect 2 'figure crossover: there is nothing to draw of this panel' figure -q crossover -o "$work/x.svg" "${run[@]}"

check LaTeX "$SIMRUN" -q -f latex -o "$work/gj.tex" "${run[@]}"
same 'as many begin as end' "$(grep -c '^.begin{tabular}' "$work/gj.tex")" "$(grep -c '^.end{tabular}' "$work/gj.tex")"
check 'no letter that LaTeX would take' sh -c "! grep -q '[^\\\\][%#]' '$work/gj.tex'"
time=$(jq '.runs[] | select(.ranks == 16) | .time_s * 10000 | round / 10' "$work/gj.json")
check 'the times' grep -q "^16 & $time ms" "$work/gj.tex"
finish
