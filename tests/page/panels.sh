#!/usr/bin/env bash
# The panels of traced programs in a browser: source, iterations, delays, the call trees of two versions and, of a program
# with call paths, its call tree; and the timelines of the two best runs of a study. See panels.mjs and access.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
cd "$work" || exit 1

# A long source, of which line 29 is hostile.
mkdir tree
seq -f '    line %g' 1 500 >tree/causes.c
sed -i '29s/.*/<img src=x onerror="document.title=1">\&amp;\x1b/' tree/causes.c
check 'a page with source' "$SIMRUN" -q --source tree -f html -o source.html "$SOURCE_DIR/tests/data/traces/causes-stencil.otf2"
check 'a trace' "$SIMRUN" -q -o out -t run.otf2 --set ranks=4 gj256
check 'a page with iterations' "$SIMRUN" -q --iterations=broadcast -f html -o iterations.html run.otf2
mkdir old new
for version in old new; do
    check "a trace of the $version version" "$BUILD_DIR/tests/unit" call_paths $version $version
done
check 'a page of two call trees' "$SIMRUN" compare -q -f html -o changes.html old/trace.otf2 new/trace.otf2
for study in "gj-broadcasts --set n=64" "broadcast-crossover --set ranks=16" align; do
    # shellcheck disable=SC2086 # options are words
    check "a page of ${study%% *}" "$SIMRUN" -q -f html -o "best-${study%% *}.html" $study
done
check 'a page of long runs' "$SIMRUN" -q -f html -o long.html gj-broadcasts --set n=1024 --set broadcast=chain_segmented,chain
check 'has the best one only' test "$(grep -o 'id="timeline-' long.html | wc -l)" = 1
check 'a page of short runs has two' test "$(grep -o 'id="timeline-' best-gj-broadcasts.html | wc -l)" = 2
pages=(source.html iterations.html changes.html best-*.html)
if command -v mpirun >/dev/null && [ -x "$BUILD_DIR/tests/mpi_ring" ] && [ -f "$BUILD_DIR/libeppa.so" ]; then
    . "$SOURCE_DIR/tests/shell/mpi.sh"
    traced_ring() {
        mpirun -n 2 -wdir "$work" -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE="$work/paths.otf2" -x EPPA_PATHS=1 \
            "$BUILD_DIR/tests/mpi_ring" 64 50 >out 2>err
    }
    check 'a traced MPI program' traced_ring
    check 'a page with call paths' "$SIMRUN" -q -f html -o paths.html paths.otf2
    pages+=(paths.html)
else
    echo "NOT COMPARED: the call tree on a page needs Open MPI"
fi
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/page/panels.mjs" "$BUILD_DIR/page" "$work" "${pages[@]}"
accessible=()
for page in "${pages[@]}"; do
    case $page in
    best-align.html | best-broadcast-crossover.html) ;; # as best-gj-broadcasts.html
    *) accessible+=("$work/$page") ;;
    esac
done
if [ -e "$BUILD_DIR/page/node_modules/axe-core/axe.min.js" ]; then
    check 'for everybody' node --no-warnings "$SOURCE_DIR/tests/page/access.mjs" "$BUILD_DIR/page" "${accessible[@]}"
fi
finish
