#!/usr/bin/env bash
# docs/ref/json.md has all of the measures and tables there are, and JSON has no others: neither tables, columns nor words;
# docs/ref/machines.md has all platforms, docs/ref/programs.md all applications and parameters. docs/ref/simrun.schema.json is the schema that
# `simrun list --schema` prints, and what every scenario, trace, model, forecast and store answers is as that says.
#     schema.sh --write
# writes the lists in these pages anew, and the schema. SIMRUN is the program, SOURCE_DIR the folder of the sources.
# SPDX-License-Identifier: BSD-3-Clause
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
    "$SIMRUN" list --schema >"$SOURCE_DIR/docs/ref/simrun.schema.json"
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

# Answers that are kept are validated against the schema at the end. keep NAME ARGUMENT...: keep such an answer.
mkdir "$work/kept"
n_kept=0
keep() {
    local name=$1
    shift
    "$SIMRUN" "$@" -o "$work/kept/$name.json" >"$work/out" 2>"$work/err" || note 1 "it answers: simrun $*"
}

# conforms WHAT ARGUMENT...: all tables of such runs are listed, with their columns and words.
conforms() {
    local what=$1
    shift
    "$SIMRUN" -q -f json "$@" >"$work/run.json" 2>"$work/err" || note 1 "$what: it runs"
    n_kept=$((n_kept + 1))
    cp "$work/run.json" "$work/kept/run$n_kept.json"
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

# The schema; every scenario as it is, the longest ones smaller; models, forecasts, decisions, stores, a shard without runs.
check "docs/ref/simrun.schema.json is what is printed: bash tests/cli/schema.sh --write" \
    cmp <("$SIMRUN" list --schema) "$SOURCE_DIR/docs/ref/simrun.schema.json"
expect 2 'list: --schema goes without a THING' list --schema networks
declare -A smaller=([gj-scaling]='-s n=64 -s ranks=16' [gj-topologies]='-s n=16 -s ranks=8' [hpl-icluster]='-s n=800'
    [ncp2-em3d]='-s ranks=2' [ncp2-gauss]='-s ranks=2' [ncp2-quicksort]='-s ranks=2' [ncp2-water]='-s ranks=2' [ncp2-jacobi]='-s ranks=2'
    [ncp2-16]='-s program=tsp -s ranks=2' [ncp2-ocean]='-s ranks=1' [ncp2-radix]='-s ranks=1' [ncp2-tsp]='-s ranks=1'
    [treadmarks-atm]='-s program=jacobi -s ranks=1,2' [treadmarks-ethernet]='-s program=jacobi -s ranks=1,2' [what-limits-gj]='-s n=64 -s ranks=8')
for file in "$scenarios"/*.xml; do
    name=${file##*/}
    name=${name%.xml}
    # shellcheck disable=SC2086 # several words
    keep "$name" -q -f json ${smaller[$name]-} "$file"
done
if "$SIMRUN" list formats | grep -q '^  \.otf2'; then
    keep replay -q -f json -p icluster "$SOURCE_DIR/tests/data/traces/root-io.otf2"
fi
python3 "$SOURCE_DIR/tests/data/cube.py" "$work"
keep cube -q -f json "$work/plain.cubex"
keep cubes compare -q -f json "$work/plain.cubex" "$work/packed.cubex"
keep mixed compare -q -f json -s ranks=2 -s n=32 "$work/plain.cubex" "$scenarios/gj128.xml"
keep versions compare -q -f json -s ranks=2 "$scenarios/gj128.xml" "$scenarios/gj256.xml"
if "$SIMRUN" list formats | grep -q '^  \.otf2'; then
    keep trace_and_profile compare -q -f json "$SOURCE_DIR/tests/data/traces/root-io.otf2" "$work/plain.cubex"
fi
keep models model -f json -s ranks=1,2,4,8,16 -s n=64 --predict 64,128 "$scenarios/gj128.xml"
keep two model time_s,speedup -f json -s ranks=1,2,4,8 -s n=32,64,128 --over n,ranks "$scenarios/gj128.xml"
keep shard -q -f json --shard 9/9 -s ranks=2 "$scenarios/gj128.xml"
keep forecasts forecast -f json "$SOURCE_DIR/platforms/icluster-loaded.xml" 'dgemm 1024 1024 64 on n1' 'n0 to n2 1MiB' 'n0 to n1' --at 600s
run calibrate --from -f json "$SOURCE_DIR/tests/data/benchmark/osu.txt:ranks=4,hosts=4" # whose -o is a platform
cp "$work/out" "$work/kept/calibration.json"
keep grids forecast -f json 'pdgemm 512 on 2x2' 'pdtrsm 512 on 4'
if "$SIMRUN" --help | grep -q 'store ls'; then
    "$SIMRUN" -q --store "$work/some.db" -s ranks=1,2,4,8,16 -s n=64 "$scenarios/gj128.xml" >"$work/out"
    keep ls store ls -f json "$work/some.db"
    keep diff store diff -f json "$work/some.db" 1 2
    keep stored model -f json "$work/some.db"
    keep growth model time_s -f json "$work/some.db"
fi
python3 "$SOURCE_DIR/tests/cli/validate.py" "$SOURCE_DIR/docs/ref/simrun.schema.json" "$work"/kept/*.json >"$work/out" 2>"$work/err"
status=$?
if [ $status -eq 77 ]; then
    echo "NOT COMPARED: JSON with its schema (python3-jsonschema)"
else
    note $status "$(ls "$work/kept" | wc -l) answers are as the schema says"
    jq '.runs[0].state_s.strange = 1 | .strange = 2 | .runs[0].ranks = "x"' "$work/kept/gj128.json" >"$work/wrong.json"
    same "mistakes that it finds" "$(python3 "$SOURCE_DIR/tests/cli/validate.py" "$SOURCE_DIR/docs/ref/simrun.schema.json" "$work/wrong.json" | grep -c '^wrong.json')" 3
fi
finish
