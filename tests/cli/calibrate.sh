#!/usr/bin/env bash
# A real calibration of this computer, which scenarios can use, and which forecasts dgemm at sizes it has not measured.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
calibrator=${SIMRUN%/*}/simrun-calibrate
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" # MPI keeps what it has until the process ends

# ---- Without what it needs ----

mkdir "$work/alone" "$work/without-mpirun"
cp "$SIMRUN" "$work/alone/simrun"
SIMRUN=$work/alone/simrun expect 2 "simrun-calibrate.*install libopenmpi-dev openmpi-bin libopenblas-dev" \
    calibrate "$work/x.xml"
expect 2 "unrecognized option .--set. of simrun calibrate" calibrate "$work/x.xml" --set n=5
expect 2 "too many arguments: simrun calibrate .FILE" calibrate "$work/x.xml" "$work/y.xml"
if ! [ -x "$calibrator" ]; then
    echo "simrun-calibrate is not built here"
    finish
fi
check "says that mpirun is missing" env PATH="$work/without-mpirun" /bin/sh -c \
    "'$SIMRUN' calibrate '$work/x.xml' 2>&1 | { read -r line; case \$line in *'install openmpi-bin'*) exit 0 ;; esac; exit 1; }"
expect 2 "cannot be written: No such file" calibrate "$work/none/x.xml"
check "leaves nothing behind" [ -z "$(find "$work" -name 'x.xml*')" ]

# ---- Real times, before ----

# 24 sizes between 40 and 1000, drawn at random.
sizes() {
    awk 'BEGIN { srand(7); for (i = 0; i < 24; i++) {
        for (d = 0; d < 3; d++) s[d] = int(40 * exp(log(25) * rand()))
        if (i % 4 == 1) s[2] = 48
        if (i % 4 == 2) s[1] = 80
        if (i % 4 == 3) s[1] = s[2] = s[0]
        if (s[0] * s[1] * s[2] > 2e8) s[0] = 300
        printf "%dx%dx%d ", s[0], s[1], s[2] } }'
}

read -ra shapes <<<"$(sizes)"

# Time all sizes once more; of each size the least time counts.
measure_again() {
    "$calibrator" --time dgemm "${shapes[@]}" >>"$work/times"
    sort -k2,4 -k5,5g "$work/times" | awk '!seen[$2, $3, $4]++' >"$work/best"
}

for _ in 1 2 3; do measure_again; done

# ---- A calibration ----

start=$SECONDS
run calibrate "$work/here.xml"
echo "calibrated in $((SECONDS - start)) s"
cat "$work/err"
check "is silent without a terminal" [ ! -s "$work/err" ]
check "leaves no partial file" [ ! -e "$work/here.xml.partial" ]
for prop in network memory kernel.dgemm kernel.dtrsm kernel.matadd memory.dgemm memory.dtrsm memory.matadd send_completes eager_limit message.1 message.4; do
    check "gives $prop" grep -q "<prop id=\"$prop\"" "$work/here.xml"
done

scenario "$work/scenario.xml" here.xml "name='ring'" ranks=2
run check "$work/scenario.xml"
run "$work/scenario.xml"
run forecast "$work/here.xml" "dgemm 512 512 512 on p1" "p0 to p1 1MiB"

# ---- The speed alone ----

# near A B: within 30 %; the computer may be disturbed in one of the two.
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.7 * b && b > 0.7 * a) }'; }
run calibrate --speed
check "prints one rate" grep -qxE '[0-9.]+Gf' "$work/out"
check "the rate that the platform has" near "$(tr -d 'Gf' <"$work/out")" \
    "$(sed -n 's/.* speed="\([^"]*\)f".*/\1/p' "$work/here.xml" | awk '{ print $1 / 1e9 }')"
expect 2 "calibrate --speed prints one number and writes no file, such as x.xml" calibrate --speed x.xml
expect 2 "too few arguments: simrun calibrate FILE; try simrun calibrate here.xml, or simrun calibrate --speed" calibrate

# ---- Memory ----

# needs NAME TERM BYTES: the platform says that the routine needs so much for each TERM, within 2 %.
needs() {
    awk -v poly="$(sed -n "s/.*id=\"memory.$1\" value=\"poly \([^\"]*\)\".*/\1/p" "$work/here.xml")" -v term="$2" -v bytes="$3" '
        BEGIN {
            n_words = split(poly, words, " ")
            for (w = 1; w <= n_words; w++) {
                split(words[w], part, "=")
                if (part[1] == term && part[2] ~ /B$/ && part[2] + 0 > 0.98 * bytes && part[2] + 0 < 1.02 * bytes) exit 0
            }
            exit 1
        }'
}

for term in mn mk nk; do check "dgemm needs 8 bytes for each $term" needs dgemm "$term" 8; done
for term in mn nn; do check "dtrsm needs 8 bytes for each $term" needs dtrsm "$term" 8; done
check "matadd needs 16 bytes for each mn" needs matadd mn 16
if echo 5 2>/dev/null >/proc/self/clear_refs; then
    check "measures the memory of all three" [ "$(grep -c '(F) memory of .*(measured)' "$work/here.xml")" -eq 3 ]
    check "says how well it fits" grep -q 'id="memory.dgemm" value="poly .* from=[0-9]* to=[0-9]* residual=0\.0[0-9]*"' "$work/here.xml"
else
    check "says that the memory is not measured" [ "$(grep -c '(D) the operands of .* not measured' "$work/here.xml")" -eq 3 ]
fi

# ---- Forecasts of dgemm ----

# forecast FILE: the real times on standard input, each with what the platform's polynomial says, and the deviation.
forecast() {
    awk -v poly="$(sed -n 's/.*id="kernel.dgemm" value="poly \([^"]*\)".*/\1/p' "$1")" '
        BEGIN { n_words = split(poly, words, " ") }
        {
            ns = 0
            for (w = 1; w <= n_words; w++) {
                split(words[w], part, "=")
                if (part[2] !~ /ns$/) continue
                term = part[2] + 0
                for (i = 1; i <= length(part[1]); i++) {
                    letter = substr(part[1], i, 1)
                    term *= letter == "m" ? $2 : letter == "n" ? $3 : letter == "k" ? $4 : 1
                }
                ns += term
            }
            deviation = ns * 1e-9 / $5 - 1
            printf "%.4f %s %s %s real %.4g s forecast %.4g s\n", deviation < 0 ? -deviation : deviation, $2, $3, $4, $5, ns * 1e-9
        }'
}

compare() {
    forecast "$work/here.xml" <"$work/best" | sort -g >"$work/deviations"
    count=$(wc -l <"$work/deviations")
    median=$(awk -v middle=$(((count + 1) / 2)) 'NR == middle { print $1 }' "$work/deviations")
}

# Both sides take the least of repetitions. Those of the calibration are spread over many seconds, in which a disturbed
# computer comes to itself now and then; so these may be, too.
compare
for pause in 0 1 2 3 4 5 6; do
    awk "BEGIN { exit !($median > 0.10) }" || break
    sleep "$pause"
    measure_again
    compare
done
echo "dgemm at $count sizes: median deviation $median"
check "times at least 15 sizes" [ "$count" -ge 15 ]
check "forecasts dgemm within 10 % in the median" awk "BEGIN { exit !($median <= 0.10) }"
if [ "$failed" -gt 0 ]; then cat "$work/here.xml" "$work/deviations"; fi

finish
