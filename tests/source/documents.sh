#!/usr/bin/env bash
# The documents are true. Their figures are those that the program prints: tests/source/documents.jq says which text must stand
# where, once. The files, functions and headings that they name are there. Sources say what they are.
#
# Figures that are not held here, since they are no results of a simulation, or cannot be had in a test's time:
#   what a document shows of a command's output         tests/cli/examples.py
#   docs/dev/benchmarks.md, docs/howto/add-a-machine.md   measured on a computer (target bench)
#   docs/explain, ScaLAPACK's messages                 counted by tests/eppa/library.sh and unit tests
#   docs/explain, HPL's messages                       counted by tests/eppa/hpl.sh
#   docs/explain, HPL's rates                          20 seconds of simulation each; that of the table by target check-hpl
#   docs/explain/models, SMPI's times                  tests/cli/smpi.sh
#   docs/explain/models, real runs and simulated ones  measured on a computer (tests/eppa/real.sh)
#   docs/explain/models, how often a model is right    random trials, with bounds in tests/model/regression.c
#   docs/explain/models, held against simulations      thousands of runs; some of them in tests/cli/models.sh
#   docs/explain/accuracy-cells.md, the row first (3.6 %)   another program
#   docs/explain/models, cycles of kernels, the packet model   arithmetic on numbers of the papers
#   docs/dev/kernel.md, how large a run may be          bounds, in tests/cli/size/bounds.sh
#   docs/dev/kernel.md, how memory and time grow      measured on a computer (bench/width.sh)
#   docs/ref/platform-format.md, reading back               seconds of a computer; sizes of files of 64 MiB
#   docs/ref/scenario-format.md, long ways                  minutes of simulation
#   docs/explain/shared-memory.md, round trips, sizes in the protocol   inputs of the platform and constants
#   docs/howto/diagnose-mpi.md, the example           a run on a computer
# docs/ref/store.md has no figures but limits of tables.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
PATH=${PATH#"$BUILD_DIR/tests/bin:"} # jq itself, which leaves names in their order
mkdir "$work/reports"

# The table of all measured numbers is as it would be written now, but for HPL's rate, a simulation of 20 s (target check-hpl).
"$SOURCE_DIR/tools/accuracy" --check --few >"$work/accuracy" 2>&1 &
accuracy=$!

# report NAME ARGUMENT...: what the rows call $r.NAME, without what none of them needs.
report() {
    local name=$1
    shift
    "$SIMRUN" "$@" -q -f json >"$work/out" 2>"$work/err" &&
        sed '/^   "\(profile\|causes\)": \[$/,/^   \],$/d' "$work/out" >"$work/reports/$name"
    note $? "report $name"
}

# pinned NAME...: the tables to which scenario.NAME holds its figures already, as $r.NAME, with times in seconds.
# Cells with blanks are not understood: no row asks for them.
pinned() {
    local name file
    for name; do
        file=$(find "$SOURCE_DIR/tests/figures" -name "$name.txt")
        jq -R -s 'def words: [splits(" +") | select(. != "")];
            def cell: (.[1] | tonumber? // .) as $value
                | if (.[0] | endswith("_ps")) and ($value | type) == "number"
                  then {key: (.[0][:-2] + "s"), value: ($value / 1e12)} else {key: .[0], value: $value} end;
            def table: .[1] as $names
                | {key: (.[0] | join(" ")),
                   value: (.[2:] | map([$names, .] | transpose | map(select(.[0] and .[1]) | cell) | from_entries))};
            split("\n\n")[:-1] | map(split("\n") | map(select(startswith("#") or . == "" | not) | words) | table)
            | from_entries' "$file" >"$work/reports/$name" 2>"$work/err"
        note $? "$file"
    done
}

cd "$SOURCE_DIR/scenarios" || exit
pinned what-limits-gj ncp2-{16,jacobi,sor,water,radix,tsp,quicksort,gauss,matmul,em3d,ocean}
for name in gj128 gj256 matmul100 pdgemm2048 dsm-latency align matmul-scaling pdgemm-8x4; do
    report $name --jobs 2 $name.xml
done
for n in 128 256; do report gj$n-flat --jobs 2 --set broadcast=flat gj$n.xml; done
report treadmarks --set ranks=8 treadmarks-atm.xml
report ncp2-16-history --jobs 2 --set prefetch=history --set variant=P,I+P+D ncp2-16.xml
report align-1024 --set size=1024 align.xml
report align-library --set algorithm=library align.xml
report align-memory --set size=6672,6673,9395,9396 --set grid=2x2,4x2 align.xml
sed '/<prop id="window"/d' ../platforms/t800-mesh.xml >"$work/t800.xml" # eq. 12 has eq. 4 as printed
sed "s|../platforms/t800-mesh.xml|$work/t800.xml|; /<reference/d" gj256.xml >"$work/roots.xml"
report roots --network quiet --set root=edge,corner,centre --set ranks=2..128*2 "$work/roots.xml"
report gj128-synchronous --set broadcast_mode=synchronous gj128.xml
report gj128-standard --set broadcast=flat --set broadcast_mode=standard gj128.xml
for order in reverse downward upward; do report gj128-$order --set broadcast=flat --set broadcast_order=$order gj128.xml; done
report fastest --set broadcast=fastest,neighbour gj-broadcasts.xml
report binomial model time_s --predict 512 --set broadcast=binomial --set ranks=2,4,8,16,24,32,48,64,96,128 \
    gj-broadcasts.xml
report binomial-512 --set broadcast=binomial --set ranks=512 \
    --set topology=mesh --set dimensions=32x16 gj-broadcasts.xml
report topologies --set n=256 --set topology=complete,hypercube,mesh --set broadcast=scatter_doubling gj-topologies.xml
report flat --network quiet --set ranks=64 --set bytes=64KiB --set broadcast=flat broadcast-crossover.xml
report pdgemm8x4 --set network=quiet,fifo --set size=1024 pdgemm-8x4.xml
report pdtrsm8x1 --set network=fifo,fluid --set grid=8x1 --set uplo=upper --set side=left --set trans=no pdtrsm.xml
for n in 512 1024 2048 4096; do
    report pdtrsm-$n --network quiet --set ranks=32 --set uplo=upper --set side=right --set trans=no \
        --set grid="$(printf '1x%d,' {2..16})2x4,4x2,4x4,8x4" --set n=$n --set m=$((n / 2)) pdtrsm.xml
done
report pdtrsm-fifo --network fifo --set ranks=32 --set uplo=upper --set side=right --set trans=no \
    --set n=512 --set m=256 --set grid=1x2,1x4,1x8,1x16,2x4,4x2,4x4,8x4 pdtrsm.xml
for mode in auto synchronous; do
    report segments-$mode --set network=fifo,fluid --set ranks=64 --set bytes=64KiB --set broadcast_mode=$mode \
        --set broadcast=chain,chain_segmented,binary,binary_segmented broadcast-crossover.xml
done

"$SIMRUN" forecast 'pdgemm 2048 on 32' -f json >"$work/reports/forecast-32" 2>"$work/err"
note $? 'report forecast-32'

(cd "$work/reports" && jq -n 'reduce inputs as $report ({}; .[input_filename] = $report)' *) >"$work/all"
jq -n -r --slurpfile all "$work/all" "\$all[0] as \$r | $(cat "$SOURCE_DIR/tests/source/documents.jq")" >"$work/rows" 2>"$work/err"
note $? 'tests/source/documents.jq'
while IFS=$'\t' read -r document text; do
    [ "$(tr -s '[:space:]' ' ' <"$SOURCE_DIR/$document" | grep -oF -- "$text" | wc -l)" -eq 1 ]
    note $? "$document does not say, or not once: $text"
done <"$work/rows"

# Documents name only things that exist: files, except for those that a recipe or the reader makes; functions, in the
# file that is named with them; links, and the headings that they lead to. Sources that the code names are in the
# references.
cd "$SOURCE_DIR" || exit
mapfile -t documents < <(find README.md CONTRIBUTING.md CHANGELOG.md RELEASE.md SECURITY.md docs -name "*.md" | sort)
: >"$work/out"
made='src/(apps/ping_pong|sim/collective/broadcast_pairs|metrics/load_balance|report/markdown|study/sections/outliers)\.c|platforms/here\.xml'
while IFS= read -r path; do
    [ -n "$(compgen -G "$path")" ] || find src tests bench -name "$path" | grep -q .
    note $? "documents name the file $path"
done < <(grep -ohE -e '\b(page|src|tests|bench|cmake|tools|docs|scenarios|platforms)/[A-Za-z0-9_./*<>-]*[A-Za-z0-9_*>]' \
    -e '`[a-z0-9_]+\.(c|h)`' "${documents[@]}" | tr -d '`' | sort -u | grep -vxE "$made" | sed 's/<[a-z]*>/*/')
while read -r name file; do
    grep -rqE "^[^ /*].*\b$name\b" ${file:-src tests cmake page/src}
    note $? "documents name $name() ${file:+in $file}"
done < <(cat "${documents[@]}" | tr -s '[:space:]' ' ' |
    grep -oE '`[A-Za-z_]+\(\)`( in `[^ `]*`)?|\(`[^ `]*`, `[a-z_]+\(\)`' |
    sed -E 's/^\((`.*`), (`.*`)$/\2 in \1/; s/[`()]//g; s/ in / /' | grep -vx exit | sort -u)
while IFS=: read -r document link; do
    file=$(dirname "$document")/${link%%#*} anchor=${link#"${link%%#*}"}
    [ "${link%%#*}" ] || file=$document
    [ -e "$file" ] && { [ -z "$anchor" ] ||
        sed -n 's/^##* //p' "$file" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n_-' | grep -qx -- "${anchor#\#}"; }
    note $? "$document leads to $link"
done < <(grep -oE '\]\([^) ]+\)' "${documents[@]}" | grep -v http | sed 's/](\(.*\))/\1/' | sort -u)
while IFS= read -r source; do
    grep -qF -- "$source" docs/ref/references.md
    note $? "docs/ref/references.md lacks $source"
done < <(grep -rhoE '\.source = "[^"]*"' src | tr ';' '\n' |
    grep -oE '[A-Z][A-Za-z, .-]* [12][0-9]{3}\b|\b[A-Z][a-z]+[0-9]{2}\b' | sort -u)

# Every reference file is in the table of all measured numbers.
wait $accuracy
note $? "tools/accuracy --check: $(cat "$work/accuracy")"
for file in "$SOURCE_DIR"/scenarios/reference/*.csv; do
    grep -q "'$(basename "$file" .csv) " "$SOURCE_DIR/tools/accuracy"
    note $? "tools/accuracy has no run of $file"
done

# The README's table of errors is that of all measured numbers: a row for each machine, with its mean error.
while IFS='|' read -r _ machine _ error _; do
    grep -qE "^\\| ${machine# }?[:,].* \\| ?${error# }?\\|$" "$SOURCE_DIR/README.md"
    note $? "the README's error of $machine is not $error"
done < <(sed -n '/^| machine | numbers | mean error/,/^$/p' "$(find "$SOURCE_DIR/docs" -name accuracy.md)" | tail -n +3 | grep .)

# Every source file begins with a comment that says what it is, and its lines fit 120 columns.
while IFS= read -r file; do
    IFS= read -r -n 2 start <"$file"
    [ "$start" = '/*' ]
    note $? "$file does not begin with a comment"
done < <(find src tests bench -name '*.[ch]')
LC_ALL=C.UTF-8 grep -rnE --include='*.[ch]' '^.{121,}' src tests bench >"$work/wide"
check 'no line has more than 120 columns' test ! -s "$work/wide"
check 'the README has at most 120 lines' test "$(wc -l <README.md)" -le 120
finish
