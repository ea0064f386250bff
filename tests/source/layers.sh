#!/usr/bin/env bash
# Every layer can include the folders below it and nothing else: tried with the include directories that its files are
# compiled with in this build.
set -u
cd "$SOURCE_DIR/src" || exit 1
status=0
folders="base trace sim apps metrics report store calibrate simrun"

complain() {
    echo "$*"
    status=1
}

# check_layer LAYER FOLDER...: the layer sees itself and these folders.
check_layer() {
    local layer=$1 seen=" $* " command folder header argument includes=()
    command=$(jq -r --arg part "/src/$layer/" 'first(.[] | select(.file | contains($part))).command' \
        "$BUILD_DIR/compile_commands.json")
    eval "set -- $command"
    for argument; do
        case $argument in -I*) includes+=("$argument") ;; esac
    done
    [ ${#includes[@]} -gt 0 ] || complain "$layer: has no include directory"
    for folder in $folders; do
        header=$(cd .. && find "src/$folder" -name '*.h' | sort | head -n 1)
        header=${header#src/}
        [ -n "$header" ] || continue
        if (cd "$empty" && "$1" -std=c11 -fsyntax-only "${includes[@]}" -include "$header" -x c /dev/null) 2>"$errors"; then
            case $seen in *" $folder "*) ;; *) complain "$layer can include $header" ;; esac
        else
            case $seen in *" $folder "*) complain "$layer cannot include $header:" "$(cat "$errors")" ;; esac
        fi
    done
}

# refuse PATTERN WHY FOLDER...: what include directories do not stop.
refuse() {
    local pattern=$1 why=$2
    shift 2
    if grep -nrE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)" "$@"; then
        complain "  $why"
    fi
}

errors=$(mktemp)
empty=$(mktemp -d) # the compiler also looks where it runs
trap 'rm -rf "$errors" "$empty"' EXIT

check_layer base
check_layer trace base
check_layer sim base trace
check_layer apps base trace sim
check_layer metrics base trace
check_layer report base trace metrics
check_layer store base trace metrics report
check_layer calibrate base

refuse '\.\.?/' 'name the folder in an include: "base/error.h"' .
refuse 'simgrid/|xbt|smpi/' 'only src/sim may use SimGrid' base trace apps metrics report store simrun
refuse 'libxml/' 'only src/sim may use libxml2' base trace apps metrics report store simrun
refuse 'jansson' 'only src/report may use Jansson' base trace sim apps metrics store simrun
refuse 'sqlite3' 'only src/store may use SQLite' base trace sim apps metrics report calibrate simrun
refuse 'otf2/' 'only src/trace and src/eppa may use OTF2' base sim apps metrics report store calibrate simrun
refuse 'mpi\.h|cblas' 'only src/calibrate may use MPI and BLAS' base trace sim apps metrics report store simrun
refuse 'gsl/' 'only src/base and src/metrics may use GSL' trace sim apps report store calibrate simrun
exit $status
