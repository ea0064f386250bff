#!/usr/bin/env bash
# Every layer can include the folders that it is given and nothing else: tried with the include directories that its files
# are compiled with in this build.
# SPDX-License-Identifier: BSD-3-Clause
set -u
cd "$SOURCE_DIR/src" || exit 1
status=0

complain() {
    echo "$*"
    status=1
}

# is_seen HEADER LAYER FOLDER...: a header of one of these folders; those called internal are the layer's own.
is_seen() {
    case "${1%/*} $2 ${1##*/}" in
    "$2 $2 "*) return 0 ;;
    *internal.h) return 1 ;;
    esac
    case " ${*:2} " in *" ${1%/*} "*) return 0 ;; *) return 1 ;; esac
}

# check_layer LAYER FOLDER...: the layer sees the headers of these folders and of itself.
check_layer() {
    local layer=$1 command folder header argument includes=()
    command=$(jq -r --arg part "/src/$layer/[^/]*\$" 'first(.[] | select(.file | test($part))).command' \
        "$BUILD_DIR/compile_commands.json")
    for folder in $folders; do
        for header in "$folder"/*.h; do
            if is_seen "$header" "$@"; then
                printf '#if !__has_include("%s")\n#error %s cannot include %s\n#endif\n' "$header" "$layer" "$header"
            else
                printf '#if __has_include("%s")\n#error %s can include %s\n#endif\n' "$header" "$layer" "$header"
            fi
        done
    done >"$work/all.c"
    eval "set -- $command"
    for argument; do
        case $argument in -I*) includes+=("$argument") ;; esac
    done
    [ ${#includes[@]} -gt 0 ] || complain "$layer: has no include directory"
    if ! (cd "$work" && "$1" -std=c11 -fsyntax-only "${includes[@]}" all.c) 2>"$work/errors"; then
        complain "$layer:" "$(grep -m 3 error "$work/errors")"
    fi
}

# allow PATTERN FOLDER...: only these folders include such headers.
allow() {
    local pattern=$1
    shift
    local found
    found=$(grep -rnE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)" . |
        grep -vE "^\./($(IFS='|' && echo "$*"))/")
    [ -z "$found" ] || complain "only $* may include $pattern: $found"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folders=$(find . -name '*.h' -printf '%h\n' | sed 's|^\./||' | sort -u)

n=0
while read -r -a words; do
    check_layer "${words[@]}"
    n=$((n + 1))
done <"$BUILD_DIR/layers.txt"
[ $n -ge 25 ] || complain "only $n layers were found in $BUILD_DIR/layers.txt"

allow '\.\.?/' none
allow 'simgrid/|xbt|smpi/' sim/platform
allow 'libxml/' sim/platform sim/scenario cube
allow 'sqlite3' store
allow 'otf2/' trace/otf2 eppa
allow 'mpi\.h|cblas' calibrate eppa mpi
allow 'elfutils/|dwarf\.h' eppa

# Study prints nothing.
if grep -nE '\<(FILE|f?printf|f?puts|putchar|fputc|fwrite|open_memstream)\>' -r study document --include='*.[ch]' | grep -vE '__attribute__|^study/(reference|run_transport)\.[ch]:'; then
    complain "  study computes documents; what is printed is report's"
fi

# The kind of a measure, a phase or a parameter is given by its type and not guessed from the letters of its name. Only
# values may be compared with each other, and texts that users have written; each file is listed with its reason.
values=$(sed 's/ .*//' <<'END'
study/reference.c what a reference's head says, where it is read
study/models/models.c what the user asks for
study/models/growth.c names of measures that parts.c has made; names of rows, to be sorted
study/models/parts.c names of parts of the time; what the user asks for
study/models/time_parts.c what the measures of scopes are of, and names of parts of the time
study/models/observations.c values of runs; names of series
study/models/sequential.c values of two runs
study/texts.c texts to be interned
study/compare/changes.c values of two runs, and which they both have
study/compare/collect.c what the measures of scopes are of
study/compare/gate.c what the user asks for
study/compare/parts.c names of parts, to be sorted, and as the user asks for them
study/sections/listing.c values of runs, and which they both have
study/no_effect.c a parameter's value with an algorithm's name in a table
study/sections/best_changes.c values of parameters
study/sections/answer.c platforms, networks and notes of runs
study/sections/what_if.c texts that are said once
document/sparse.c names of columns
report/list.c the format that the user asks for
report/csv.c names of columns
report/json.c names of members, groups and tables
report/html.c where the data go in the page
report/text.c names of blocks that are left out
report/sentence.c units in a text
report/layout.c units in a text
report/layout_columns.c cells of tables, as they are shown
document/glossary.c rows of the glossary, and the word that is asked for
report/extrap.c cells of tables
report/experiment.c names of tables and columns, and of series
study/models/law_words.c words that are said twice
study/compare/sites.c names of call sites
END
)
compared=$(grep -lE '\<str(n|case|ncase)?(cmp|str)\>' -r study document report --include='*.[ch]' | sort)
[ "$compared" = "$(sort <<<"$values")" ] || complain "not as listed, what compares letters:" $(diff <(echo "$compared") <(sort <<<"$values"))
if grep -nE '\<str(n|case|ncase)?(cmp|str)\>\([][a-z_.>-]+, *"' -r study document report --include='*.[ch]' | grep -vE '^(report/layout(_columns)?|document/glossary)\.c:'; then
    complain "  a name is known by its letters: give it an identity (metrics/measures.def) or a subject (base/subject.h)"
fi
exit $status
