#!/usr/bin/env bash
# The pages of all scenarios, of other answers and of hostile names, in a browser: see pages.mjs. Of scenarios that have the same panels
# as another one, which differ in their numbers alone, the page's data are looked at, and it is not opened.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
pages=$work/pages
mkdir "$pages"
mkfifo "$work/list" # pages are looked at while the next ones are written
node "$SOURCE_DIR/tests/page/pages.mjs" "$BUILD_DIR/page" <"$work/list" &
browser=$!
exec 3>"$work/list"

# page NAME PANELS ARGUMENT...: its page, its JSON, and a line of the list.
page() {
    local name=$1 panels=$2 command=()
    shift 2
    case $1 in
    store) command=("$1" "$2") && shift 2 ;;
    model | compare) command=("$1") && shift ;;
    esac
    # A page wants the details of one run, so it simulates; JSON takes the runs from the store that the page has left.
    [ ${#command[@]} -gt 0 ] || set -- -q --store "$work/$name.db" "$@"
    check "$name: page" "$SIMRUN" "${command[@]}" -f html -o "$pages/$name.html" "$@"
    check "$name: JSON" "$SIMRUN" "${command[@]}" -f json -o "$pages/$name.json" "$@"
    # A single run has its details with it.
    if [ ${#command[@]} -eq 0 ] && jq -e '.runs | length == 1' "$pages/$name.json" >/dev/null; then
        check "$name: JSON with details" "$SIMRUN" -f json --detail all -o "$pages/$name.json" "$@"
    fi
    echo "$name $pages/$name.html $pages/$name.json $panels" >&3
}

# Which panels there must be, and those that docs/explain/reproducing-the-papers.md draws, with what is
# chosen in them; more may be there.
sed -n 's/^tools\/picture //p' "$SOURCE_DIR/docs/explain/reproducing-the-papers.md" >"$work/figures"
panels_of() {
    local panels=answer,overheads,components,profile,timeline,states,matrix,sizes,topology
    case $1 in
    broadcast-crossover | own-broadcast | *-allreduce | *-pairs | dsm-latency) ;; # nothing but communication
    *) panels=$panels,bottlenecks ;;
    esac
    [ "$1" = replay-heat ] || panels=$panels,source
    case $1 in
    gj256 | matmul100 | replay-heat | dsm-latency | pdgemm-8x4) ;; # a single run, or one of each problem
    *) panels=$panels,best-timelines ;;
    esac
    case $1 in
    dsm-vs-mpi) panels=$panels,scaling,ranking,carnival,waits,causes ;;
    dsm-latency) panels=$panels,carnival,waits,causes ;;
    ncp2-*) panels=$panels,ranking,carnival,waits,causes ;;
    treadmarks-*) panels=$panels,scaling,carnival,waits,causes ;;
    align | icluster-switch) panels=$panels,scaling,ranking,grid ;;
    pdgemm2048 | pdtrsm) panels=$panels,ranking,grid ;;
    gj-broadcasts | hpl-icluster) panels=$panels,ranking ;;
    gj-topologies) panels=$panels,ranking,topologies ;;
    broadcast-crossover | lumi-allreduce) panels=$panels,scaling,ranking,crossover ;;
    what-limits-gj) panels=$panels,scaling,ranking,whatif,pop ;;
    matmul100 | own-broadcast | replay-heat) ;;
    *) panels=$panels,scaling ;;
    esac
    echo "$panels$(awk -v file="scenarios/$1.xml" 'NF == 3 && $3 == file { printf ",%s", $2 }' "$work/figures")"
}

for file in "$SOURCE_DIR"/scenarios/*.xml; do
    name=$(basename "$file" .xml)
    smaller=()
    case $name in
    gj-topologies) smaller=(--set n=32 --set ranks=32) ;;
    gj-scaling) smaller=(--set n=1024 --set ranks=32,128) ;;
    hpl-icluster) smaller=(--set n=1000) ;;
    ncp2-16) smaller=(--set program=em3d,sor) ;;
    ncp2-ocean) smaller=(--set size=66) ;;
    treadmarks-*) smaller=(--set ranks=1,2) ;;
    what-limits-gj) smaller=(--set n=64) ;;
    esac
    panels=$(panels_of "$name")
    case $name in
    ncp2-16 | ncp2-radix) ;;
    alaska | lassen-osu | pleiades) panels=- ;; # as lumi-allreduce
    ncp2-* | gj128 | gj-scaling | treadmarks-atm | lassen-allreduce | broadcast-crossover) panels=- ;; # as ncp2-16, gj256, treadmarks-ethernet, lumi-allreduce
    esac
    page "$name" "$panels" "${smaller[@]}" "$file"
done

# The panels that docs/explain/reproducing-the-papers.md draws of scenarios with options.
while read -r picture panel file options; do
    # shellcheck disable=SC2086 # options are words
    [ -z "$options" ] || page "${picture%.svg}" "$panel" "$SOURCE_DIR/$file" $options
done <"$work/figures"

# Other answers: stored runs, two of them compared, and models.
gj=$SOURCE_DIR/scenarios/gj128.xml
check 'runs to be stored' "$SIMRUN" -q --store "$work/runs.db" -o "$work/out" "$gj"
page listing answer,scaling,overheads,components,bottlenecks,states store ls "$work/runs.db"
page comparison answer,comparison store diff "$work/runs.db" 3 7
for way in flat binomial; do
    check "a trace with $way" "$SIMRUN" -q -s ranks=4 -s broadcast=$way -t "$work/$way.otf2" -o "$work/out" "$gj"
done
page versions answer,comparison,timelines compare "$work/flat.otf2" "$work/binomial.otf2"
page models answer,models,scaling model time_s,overhead_ratio,messages "$gj"
page growth answer,growth,models,scaling model --predict 256 "$gj"
printf 'ranks,region,time [ms]\n' >"$work/table.csv"
for p in 2 4 8 16 32; do printf '%d,a,%d\n%d,a,%d.5\n%d,<b>,%d\n' $p $((p * p)) $p $((p * p)) $p $((10 + p)); done >>"$work/table.csv"
page models-of-table models model "$work/table.csv"
page models-of-two answer,models,scaling model time_s --over ranks,n --set n=64,96,128 --set ranks=2,4,8,16 "$gj"

# Teams of threads, and streams of accelerators.
for archive in "teams_otf2 teams" "streams_otf2 busy"; do
    mkdir "$work/${archive#* }"
    "$BUILD_DIR/tests/unit" $archive "$work/${archive#* }" || exit
    page "${archive#* }" answer,functions,timeline,states "$work/${archive#* }/trace.otf2"
done

# A traced MPI program.
if command -v mpirun >/dev/null && [ -x "$BUILD_DIR/tests/mpi_ring" ] && [ -f "$BUILD_DIR/libeppa.so" ]; then
    . "$SOURCE_DIR/tests/shell/mpi.sh"
    traced_ring() {
        mpirun -n 2 -wdir "$work" -x LD_PRELOAD="$BUILD_DIR/libeppa.so" -x EPPA_FILE="$work/app.otf2" \
            "$BUILD_DIR/tests/mpi_ring" 64 50 >"$work/out" 2>"$work/err"
    }
    check 'a traced MPI program' traced_ring
    page app answer,functions,overheads,timeline,states,matrix,sizes "$work/app.otf2"
    check 'a traced program with hostile names' env LD_PRELOAD="$BUILD_DIR/libeppa.so" EPPA_FILE="$work/<b>.otf2" "$BUILD_DIR/tests/hostile"
    page hostile-trace answer,overheads "$work/<b>.otf2"
else
    echo "NOT COMPARED: the page of a traced MPI program needs Open MPI"
fi

# Names that would be HTML if anything took them for it, or that are too long.
long=$(printf 'x%.0s' {1..10000})
number=0
for name in '&lt;/script&gt;&lt;img src=x onerror=&quot;document.title=1&quot;&gt;' '&quot;&apos;&amp;amp; `${1}` \u003c' "$long"; do
    number=$((number + 1))
    cat >"$work/hostile$number.xml" <<XML
<scenario name="h$number" title="$name"><platform file="$SOURCE_DIR/platforms/icluster.xml"/><application name="ring"/></scenario>
XML
    page "hostile$number" answer "$work/hostile$number.xml"
done
exec 3>&-
check 'in a browser' wait $browser
finish
