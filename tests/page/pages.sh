#!/usr/bin/env bash
# The pages of all scenarios, of other answers and of hostile names, in a browser: see pages.mjs.
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
pages=$work/pages
mkdir "$pages"
mkfifo "$work/list" # pages are looked at while the next ones are written
node "$SOURCE_DIR/tests/page/pages.mjs" "$BUILD_DIR/page" <"$work/list" &
exec 3>"$work/list"

# page NAME PANELS ARGUMENT...: its page, its JSON, and a line of the list.
page() {
    local name=$1 panels=$2
    shift 2
    check "$name: page" "$SIMRUN" -q -f html -o "$pages/$name.html" "$@"
    check "$name: JSON" "$SIMRUN" -q -f json -o "$pages/$name.json" "$@"
    if jq -e '.runs | length == 1' "$pages/$name.json" >/dev/null; then # a single run has its details with it
        check "$name: JSON with details" "$SIMRUN" -q -f json --detail all -o "$pages/$name.json" "$@"
    fi
    echo "$name $pages/$name.html $pages/$name.json $panels" >&3
}

# Which panels there must be; more may be there.
panels_of() {
    local always=answer,overheads,timeline,states,matrix,sizes
    case $1 in
    dsm-latency) echo answer,timeline,states,matrix ;;
    gj256 | gj256-flat | gj128 | gj128-flat) echo "$always,scaling,topology" ;;
    gj-scaling | what-limits-gj) echo "$always,scaling" ;;
    *) echo answer ;;
    esac
}

for file in "$SOURCE_DIR"/scenarios/*.xml; do
    name=$(basename "$file" .xml)
    smaller=()
    case $name in
    gj-topologies) smaller=(--set n=64) ;;
    gj-scaling) smaller=(--set n=1024) ;;
    esac
    page "$name" "$(panels_of "$name")" "${smaller[@]}" "$file"
done

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
check 'in a browser' wait $!
finish
