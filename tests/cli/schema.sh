#!/usr/bin/env bash
# docs/ref/json.md has all of the measures and tables there are, and JSON has no others: neither tables, columns nor words;
# docs/ref/machines.md has all platforms, docs/ref/programs.md all applications and parameters.
#     schema.sh --write
# writes the lists in these pages anew. SIMRUN is the program, SOURCE_DIR the folder of the sources.
if [ "${1-}" = --write ]; then
    : "${SOURCE_DIR:=$(dirname "$0")/../..}" "${SIMRUN:=$SOURCE_DIR/build/release/simrun}"
    for page in json machines programs; do
        awk -v simrun="$SIMRUN" '
        /^\.\/simrun list / { list = simrun " list " $3 }
        skips && /^```$/ { skips = 0 }
        !skips
        list != "" && /^```text$/ {
            for (n = 0; (list | getline line) > 0; n++)
                if (n > 0)
                    print line
            list = ""
            skips = 1
        }' "$SOURCE_DIR/docs/ref/$page.md" >"$SOURCE_DIR/docs/ref/$page.md.new" &&
            mv "$SOURCE_DIR/docs/ref/$page.md.new" "$SOURCE_DIR/docs/ref/$page.md"
    done
    exit
fi
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# quoted COMMAND PAGE: what docs/ref/PAGE.md has of a list.
quoted() {
    awk -v first="./$1" '$0 == first { found = 1 } shows && /^```$/ { exit } shows; found && /^```text$/ { shows = 1 }' \
        "$SOURCE_DIR/docs/ref/$2.md"
}
while read -r page kind; do
    title="simrun list $kind"
    diff <("$SIMRUN" list "$kind" | tail -n +2) <(quoted "$title" "$page") >"$work/out" 2>"$work/err"
    note $? "docs/ref/$page.md has what '$title' prints: bash tests/cli/schema.sh --write"
done <<'END'
json measures
json tables
machines platforms
programs applications
programs parameters
END

# The lists as JSON: {table: {column: null, or its words}}.
"$SIMRUN" list tables | tail -n +2 | awk '
    function end_column() {
        if (column != "")
            printf "%s%s:{\"%s\":%s}}\n", "{", "\"" table "\"", column, words ? "[" text "]" : "null"
        column = ""
    }
    /^  [^ ]/ { end_column(); table = $1; next }
    /^    [^ ]/ {
        end_column()
        column = $1
        text = substr($0, 26)
        words = sub(/^one of: /, "", text)
        next
    }
    { text = text " " substr($0, 26) }
    END { end_column() }' | jq -s 'reduce .[] as $one ({}; . * $one)' >"$work/tables.json"

# conforms WHAT ARGUMENT...: all tables of such runs are listed, with their columns and words.
conforms() {
    local what=$1
    shift
    "$SIMRUN" -q -f json "$@" >"$work/run.json" 2>"$work/err" || note 1 "$what: it runs"
    jq -e --slurpfile tables "$work/tables.json" '.schema == 1 and all(.runs[]; all(to_entries[];
        .key as $table | $tables[0][$table] as $columns
        | if $columns != null and (.value | type) == "array"
          then all(.value[]; all(to_entries[]; .key as $column | .value as $value
                   | ($columns | has($column)) and ($columns[$column] == null or ($columns[$column] | index([$value]) != null))))
          else (.value | type) != "array" or all(.value[]; type != "object") end))' "$work/run.json" >"$work/out" 2>"$work/err"
    note $? "$what: tables, columns and words are those of the list"
    jq -r '.runs[] | to_entries[] | select(.value | type == "array") | .key' "$work/run.json" >>"$work/met"
}
scenarios=$SOURCE_DIR/scenarios
conforms "messages" -s ranks=4 -s n=32 --detail all --what-if "$scenarios/gj128.xml"
conforms "a topology" -s ranks=8 -s n=16 --detail all "$scenarios/gj-topologies.xml"
conforms "shared memory" -s ranks=4 --detail all --what-if=protocol "$scenarios/ncp2-matmul.xml"
conforms "a replay" --detail messages "$scenarios/replay-heat.xml"
if "$SIMRUN" list formats | grep -q '^  \.otf2'; then
    for trace in "$SOURCE_DIR"/tests/data/traces/*.otf2; do
        conforms "${trace##*/}" --detail all "$trace"
    done
    for table in functions function_waits scope_waits rank_waits processors; do
        grep -qx $table "$work/met"
        note $? "some run has $table"
    done
fi
for table in communication_matrix critical_path_segments scope_states rank_ends links nodes placement waits wait_intervals \
    causes profile profile_scopes what_if_causes what_if_paths message_sizes algorithms; do
    grep -qx $table "$work/met"
    note $? "some run has $table"
done
finish
