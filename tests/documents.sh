#!/usr/bin/env bash
# The figures in the documents are those that the program prints: tests/documents.jq says which text must stand where.
#
# Not held, since they are no results of a simulation, or cannot be had in a test's time:
#   README.md, speed                                    measured on a computer (target bench)
#   README.md and docs/models.md, ScaLAPACK's messages  counted by tests/library.sh and unit tests
#   docs/models.md, real runs and simulated ones        measured on a computer (tests/real.sh)
#   docs/models.md, how often a model is right          random trials, with bounds in tests/test_regression.c
#   docs/models.md, held against simulations            thousands of runs; four of the choices in tests/models.sh
#   docs/models.md, calibration and its alternatives    target bench; each alternative is another program
#   docs/traces.md, speed; docs/tracing.md, costs; docs/store.md, sizes   measured on a computer
#   docs/scenario-format.md, large topologies           minutes of simulation
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
mkdir "$work/reports"

# report NAME ARGUMENT...: what the rows call $r.NAME, without what none of them needs.
report() {
    local name=$1
    shift
    "$SIMRUN" -q -f json "$@" >"$work/out" 2>"$work/err" &&
        sed '/^   "\(profile\|causes\|waits\)": \[$/,/^   \],$/d' "$work/out" >"$work/reports/$name"
    note $? "report $name"
}

cd "$SOURCE_DIR/scenarios" || exit
for name in gj128-flat gj256-flat gj128 gj256 matmul100 pdgemm2048 dsm-latency \
    ncp2-{jacobi,sor,water,radix,tsp,quicksort,gauss,matmul}; do
    report $name --jobs 2 $name.xml
done
report treadmarks --set ranks=8 treadmarks-atm.xml
report pdtrsm8x1 --set network=fifo,fluid --set grid=8x1 --set uplo=upper --set side=left --set trans=no pdtrsm.xml
for n in 512 1024 2048 4096; do
    report pdtrsm-$n --network quiet --set ranks=32 --set uplo=upper --set side=right --set trans=no \
        --set grid=1x2,1x4,1x8,1x16,2x4,4x2,4x4,8x4 --set n=$n --set m=$((n / 2)) pdtrsm.xml
done
for mode in auto synchronous; do
    report segments-$mode --set network=fifo,fluid --set ranks=64 --set bytes=64KiB --set broadcast_mode=$mode \
        --set broadcast=chain,chain_segmented,binary,binary_segmented broadcast-crossover.xml
done

(cd "$work/reports" && jq -n 'reduce inputs as $report ({}; .[input_filename] = $report)' *) >"$work/all"
jq -n -r --slurpfile all "$work/all" "\$all[0] as \$r | $(cat "$SOURCE_DIR/tests/documents.jq")" >"$work/rows" 2>"$work/err"
note $? 'tests/documents.jq'
while IFS=$'\t' read -r document text; do
    tr -s '[:space:]' ' ' <"$SOURCE_DIR/$document" | grep -qF -- "$text"
    note $? "$document does not say: $text"
done <"$work/rows"
finish
