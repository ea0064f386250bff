#!/usr/bin/env bash
# The program from outside: what users get wrong, what it leaves behind, and that it says the same every time.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
scenario=$SOURCE_DIR/scenarios/gj128.xml

# Bad usage.
expect 2 '^  simrun gj256 .*how many processors'
sed -n 's/^  simrun \(.*[^ ]\)   *[a-z].*/\1/p' "$work/err" >"$work/tries"
same 'things to try' "$(wc -l <"$work/tries")" 3
while read -ra words; do run "${words[@]}"; done <"$work/tries"
expect 2 'too few arguments: simrun FILE\.\.\.; try simrun ' -q
expect 2 'unrecognized option'                              --nonsense
expect 2 "unknown format 'xml'; did you mean 'html'\? known: text json csv"       -f xml "$scenario"
expect 2 "'0' is outside 1 \.\.\. 256"                      -j 0 "$scenario"
expect 2 "is not a whole number|is not"                     -j two "$scenario"
expect 2 "unrecognized option '-o' of simrun check"         check -o "$work/x" "$scenario"
expect 2 'name the same file'                               -t "$work/x.paje" -o "$work/x.paje" "$scenario"
expect 2 'trace is given twice, with a.paje and b.prv; once is allowed' -t a.paje --trace=b.prv "$scenario"
expect 2 'output is given twice, with a and b'              -o a -o b "$scenario"
expect 2 'trace writes to a file, not to standard output \(-\)' -s ranks=2 -t - "$scenario"
expect 2 'calibrate writes to a file, not to standard output' calibrate -
expect 2 'one at a time'                                    -f json "$scenario" "$scenario"
expect 2 "unknown 'colours'; known: .* topologies "         list colours

# Bad input.
expect 2 'icluster.xml:2: is a platform file, not a scenario; .*simrun forecast' "$SOURCE_DIR/platforms/icluster.xml"
expect 2 'cannot read: No such file'                        "$work/none.xml"
expect 2 'is a folder, not a scenario'                       "$work"
expect 2 "unknown parameter 'm' .*known:.* n "              -s m=5 "$scenario"
expect 2 "must be NAME=VALUE"                               -s n "$scenario"
expect 2 "'0' is outside 1 \.\.\. 16384"                    -s n=0 "$scenario"
expect 2 "unknown unit 'parsec'|is not"                     -s n=3parsec "$scenario"
expect 2 "'fluid' shares the bandwidth of wires"              -n fluid "$scenario"
expect 2 'network.*(quiet fifo fluid loggp)'                      -n fluidity "$scenario"
expect 2 '200 ranks on the 128 hosts of t800-mesh'          -s ranks=200 "$scenario"
expect 2 "200 ranks .* at most 128, or set 'ranks_per_host'" -s ranks=200 "$scenario"
expect 2 '17 ranks on the 16 hosts of ncp2-myrinet with 1 per host; at most 16; only a program that exchanges messages' \
    -s ranks=17 "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
expect 2 "'i\+p\+d' is unknown; did you mean 'I\+P\+D'\?"     -s variant=i+p+d "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
expect 2 "32x4 does not fit into the 16x8 mesh"             -s mesh=32x4 "$scenario"
expect 2 '2x2 has 4 nodes, too few for 8 ranks'             -s ranks=8 -s mesh=2x2 "$scenario"
expect 2 'unknown extension; known: .paje'                     -s ranks=2 -t "$work/x.xyz" "$scenario"
expect 2 'has 3, on several platforms; leave one <platform>'   -s size=1024 -s grid=16x2 -t "$work/x.paje" \
    "$SOURCE_DIR/scenarios/icluster-switch.xml"
expect 2 'has 8; pick one, .* with --set ranks=1$'      -t "$work/x.paje" "$scenario"
expect 2 'cannot be written: No such file'                  -s ranks=2 -t "$work/none/x.paje" "$scenario"
expect 2 'cannot be written: No such file'                  -o "$work/none/x" "$scenario"
expect 2 'cannot be written: Is a directory|directory'      -o "$work" "$scenario"

# A platform that SimGrid rejects, and a file that is no reference data.
sed "s|../platforms/t800-mesh.xml|$SOURCE_DIR/tests/data/bad/platform/xml/not-xml.xml|" "$scenario" >"$work/platform.xml"
expect 2 'xml/not-xml.xml:1: not well-formed'                          "$work/platform.xml"
sed -e "s|\.\./platforms|$SOURCE_DIR/platforms|" -e 's|reference/gauss-jordan-parsytec.csv|none.csv|' "$scenario" \
    >"$work/reference.xml"
expect 2 'none.csv: cannot read the reference data'         "$work/reference.xml"
printf 'n,ranks,colour,measured_s\n128,1,red,10\n' >"$work/none.csv"
expect 2 "none.csv:1: unknown column 'colour'"              "$work/reference.xml"
printf 'n,ranks,measured_s\n128,1,ten\n' >"$work/none.csv"
expect 2 "none.csv:2: column 'measured_s': 'ten'"           "$work/reference.xml"
printf 'n,ranks,measured_s\n128,1\n' >"$work/none.csv"
expect 2 'none.csv:2: a row of 2 cells under 3 columns'     "$work/reference.xml"

for line in 'n,n,measured_s' "$(seq -s, 1 70)" 'n,predictedfoo'; do
    printf '%s\n' "$line" >"$work/none.csv"
    expect 2 'none.csv:1: (column .n. is named twice|more than 64 columns|unknown column)' "$work/reference.xml"
done
for row in '1,10\n1,11' 'one,10' '1,1e300' '1,0x10' '1,\x1b[2J'; do
    printf "ranks,measured_s\n$row\n" >"$work/none.csv"
    expect 2 'none.csv:[23]: ' "$work/reference.xml"
done
printf 'ranks,measured.speedup\n1,0\n' >"$work/none.csv"
expect 2 "none.csv:2: column 'measured.speedup': '0' is not a number above 0" "$work/reference.xml"
printf 'ranks,outlier\n1,2\n' >"$work/none.csv"
expect 2 "none.csv:2: column 'outlier': '2' is not 1, which marks an outlier, or empty" "$work/reference.xml"
printf 'ranks,note\n1,%0200d\n' 0 >"$work/none.csv"
expect 2 "none.csv:2: column 'note': longer than 199 characters" "$work/reference.xml"
printf 'ranks,measured.\n1,1\n' >"$work/none.csv"
expect 2 "none.csv:1: unknown column 'measured.'" "$work/reference.xml"

# Outliers are in the means and left out of them; a corrected prediction stands beside the printed one; notes are told.
printf 'ranks,measured_s,outlier,predicted_s,printed_s,note\n2,5,,5,10,\n4,1,1,3,,far too fast\n' >"$work/none.csv"
run -s ranks=2,4 "$work/reference.xml"
said yes 'Note on 1 of 2 runs: far too fast\.'
said yes 'formula 100\.0 %, as printed 100\.0 %; without 1 outlier: simulated 11\.4 %, by the paper.s formula 0\.0 %, as printed 100\.0 %'
run -f json -s ranks=2,4 "$work/reference.xml"
holds '.runs | (.[0].reference.printed_s == 10) and (.[1].reference.outlier == 1) and (.[1].notes == ["far too fast"])'

# Other measured values stand beside the simulated ones; those that the run does not have stand alone.
printf 'ranks,measured.speedup,measured.messages_per_s,measured.io.output,measured.none\n4,4,100,0.01,7\n' >"$work/none.csv"
run -f json -s ranks=4 "$work/reference.xml"
holds '.runs[0] | (.reference["simulated.speedup"] == .speedup) and (.reference["measured.none"] == 7)
    and ((.messages / .time_s / .reference["simulated.messages_per_s"] - 1 | fabs) < 1e-12)
    and ((.speedup / 4 - 1 - .reference["error.speedup"] | fabs) < 1e-12)
    and (.reference["simulated.io.output"] == .critical_path_s["io.output"])
    and (.reference | has("simulated.none") or has("error.none") | not)'
run -v -s ranks=2,4 "$work/reference.xml"
grep -q '^Compared with measurements' "$work/out" && grep -qE '^ *ranks  speedup  measured +error' "$work/out" &&
    grep -qE '^ +4 .* 7.00 +-$' "$work/out" && ! grep -qE '^ +2 .* 7.00 +-$' "$work/out"
note $? 'text: other measures of the reference'
rm "$work/none.csv"
ln -s /dev/zero "$work/none.csv"
expect 2 'none.csv: cannot read the reference data: not a regular file' "$work/reference.xml"

# Inputs are not overwritten, and a closed standard output does not end up in another file.
cp "$work/reference.xml" "$work/precious.xml"
expect 2 'precious.xml: is an input, and would be overwritten' -o "$work/precious.xml" "$work/precious.xml"
expect 2 'is the same file as an input, .*precious.xml, and would be overwritten' -o "$work/../$(basename "$work")/precious.xml" "$work/precious.xml"
expect 2 'name the same file'                               -t "$work/./x.paje" -o "$work/x.paje" "$scenario"
expect 2 'output needs the name of a file'                          -o '' "$scenario"
"$SIMRUN" -s ranks=2 -t "$work/closed.paje" "$scenario" >&- 2>"$work/err"
[ $? -eq 1 ] && ! grep -qs efficiency "$work/closed.paje"
note $? 'a closed standard output'
rm -f "$work/closed.paje" "$work/none.csv"

# "-" is standard output.
mkdir "$work/dash"
for arguments in "-s ranks=2 $scenario" "forecast $SOURCE_DIR/platforms/icluster.xml n0_to_n1"; do
    (
        cd "$work/dash" || exit
        set -- $arguments
        for i; do set -- "$@" "${i//_to_/ to }"; shift; done
        "$SIMRUN" "$@" >../plain && "$SIMRUN" "$@" -o - >../out 2>../err && cmp -s ../plain ../out && [ -s ../out ] &&
            [ -z "$(ls)" ]
    )
    note $? "$arguments -o -"
done
(cd "$work/dash" && "$SIMRUN" -o ./- -s ranks=2 "$scenario" >../out 2>../err && [ -s ./- ] && [ ! -s ../out ])
note $? 'a file that is called -'

# A deadlock, a clock that runs over, an output that fills up: status 1.
scenario "$work/ring.xml" t800-mesh "name='ring'" ranks=4
expect 1 'deadlock after .*rank 0 \(step 0\) waits to send to rank 1.*rank 3 \(step 0\) waits to send to rank 0' \
    -s mode=synchronous "$work/ring.xml"
expect 1 '26.7 days'                                         -s bytes=1099511627776 -s rounds=1000000000 "$work/ring.xml"

# One message that takes longer than the clock lasts is refused by networks and by forecasts: not shortened.
long='<prop id="message.1" value="start=1us byte=1us hop=100s byte_hop=100us"/>'
sed "/<prop id=.message[.]2/d; s|<prop id=.message[.]1.*|$long|" "$SOURCE_DIR/platforms/t800-mesh.xml" >"$work/long.xml"
scenario "$work/one.xml" long.xml "name='ring'" ranks=2
for network in quiet fifo; do
    expect 1 '26.7 days' -n $network -s bytes=1099511627776 "$work/one.xml"
done
for bytes in 1500GiB 1000000GiB 1152921504606846976B; do
    expect 2 "a message of [0-9]* bytes takes longer than 2305843 s" forecast "$work/long.xml" "n0 to n1 $bytes"
done
expect 2 "9223372036854775807 bytes; allowed: 0 to 1152921504606846976" forecast t800-mesh 'n0 to n1 9223372036854775807'
if [ -c /dev/full ]; then
    expect 1 'could not be written: No space left'          -o /dev/full "$work/ring.xml"
    "$SIMRUN" "$work/ring.xml" >/dev/full 2>"$work/err"
    [ $? -eq 1 ] && grep -q 'could not be written' "$work/err"
    note $? 'standard output to a full disk'
fi
check 'failures leave nothing behind' test -z "$(ls "$work" | grep -E 'partial|^x')"

# Success: the three formats, a trace, check, list, --help, --version, several scenarios.
run check "$scenario"
run list
run list networks formats
run --help
run -h
run --version
run -q -v -s ranks=2 "$scenario"
same 'quiet and verbose' "$(grep -c '^Process by process' "$work/out") $(wc -c <"$work/err")" '1 0'
run -v -s ranks=2 "$scenario"
check 'verbose' grep -q '^simrun: 1 run in ' "$work/err"
run -s ranks=2 "$scenario" "$work/ring.xml"
run -s ranks=4 -t "$work/x.paje" -o "$work/x" "$work/ring.xml"
run -s ranks=1,2 -f csv -o "$work/x.csv" "$scenario"
same 'CSV: a head and two rows of equal length' "$(awk -F, '{print NF}' "$work/x.csv" | uniq -c | awk '{print $1}')" 3
run -f csv "$work/ring.xml"
check 'CSV: every column has a name of its own' test -z "$(head -n 1 "$work/out" | tr , '\n' | sort | uniq -d)"
same 'Paje: four arrows' "$(grep -c '^7 ' "$work/x.paje") $(grep -c '^8 ' "$work/x.paje")" '4 4'
check 'Paje: the states of a rank are in order of time' \
    awk '$1 == 6 && $2 < last[$3 $4] {exit 1} $1 == 6 {last[$3 $4] = $2}' "$work/x.paje"

# The heading says what is not as in the file, and the platform's line leaves out what says nothing.
run -s ranks=8 -s n=64 "$scenario"
gj='Gauss-Jordan elimination, neighbour broadcast, Parsytec'
same 'text: the heading' "$(head -n 1 "$work/out")" "$gj (ranks=8, n=64)"
said no 'ranks_per_host'
run -s n=128 -s ranks_per_host=2 "$scenario"
same 'text: a changed default' "$(head -n 1 "$work/out")" "$gj (ranks_per_host=2)"
check 'text: the platform' grep -q '^Platform .*, ranks_per_host 2' "$work/out"
run -s ranks=2 -s broadcast=flat "$scenario"
same 'text: a title follows the settings' "$(head -n 1 "$work/out")" 'Gauss-Jordan elimination, flat broadcast, Parsytec (ranks=2)'
run -s bytes=1,2,3,4,5 "$work/ring.xml"
same 'text: a heading without a title' "$(head -n 1 "$work/out")" 'ring (bytes=1..5)'

# A check says what it has checked.
run -s variant=I+D -s rows=50 -s columns=40 -s iterations=3 -s check=yes "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
check 'text: what was checked' \
    grep -qE '^Note: checked [1-9][0-9]{3,} reads of a word: each saw the last write before it\.$' "$work/out"
run -s variant=I+D -s rows=50 -s columns=40 -s iterations=3 "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
said no 'checked'

# Parts of a wait that are far more than the wait are written as times, without signs.
run -v -s variant=I+P+D,P "$SOURCE_DIR/scenarios/ncp2-matmul.xml"
said yes ' rank 7 waited [^:]* 1 time: [0-9.]+ ms for rank 0 serving others in multiplication, .* less [0-9.]+ ms for rank 7 '
said yes ' less [0-9.]+ ms for rank 7 keeping memory coherent in multiplication '
! grep -qE '[0-9]{3,} % for .* (in|itself)' <(grep -vE ' 1[0-4][0-9] % for' "$work/out")
note $? 'text: causes as times'

# JSON: the keys that are an interface, and the identities in what is printed.
run -s ranks=8 -f json "$scenario"
holds '.simrun and .scenario == "gj128" and (.runs[0] | .parameters.n == 128 and .ranks == 8 and .network == "fifo"
    and .state_s.idle > 0 and .overhead_ratio.anomaly == 0 and .b_ratio.memory > 0 and .reference.measured_s == 2.31
    and .granularity > 0 and .messages > 0 and .bytes > 0 and .host.events > 0 and .communication_computation_ratio > 0
    and .memory_processing_ratio > 1
    and (.process_state_s.idle | length) == 8
    and (([.state_s[]] | add) / (.ranks * .time_s) - 1 | fabs) < 1e-12
    and ((.critical_path_s | .processing + .memory + .communication + .io) / .time_s - 1 | fabs) < 1e-12
    and (.ranks / (1 + ([.overhead_ratio[]] | add)) / .speedup - 1 | fabs) < 1e-12
    and ((.time_s - .reference.measured_s) / .reference.measured_s - .reference.error | fabs) < 1e-12)'

# A decision: the best first, what does not fit last, with the reason.
align=$SOURCE_DIR/scenarios/align.xml
run check "$align"
run -s size=2048,9600 -f json "$align"
holds '([.runs[] | select(.discarded) | .parameters.grid] == ["4x2", "2x2"])
    and ([.runs[] | select(.discarded) | has("time_s") or has("place")] | any | not)
    and ([.runs[] | select(.parameters.size == 2048) | .place] | sort == [1, 2, 3, 4])
    and ([.runs[] | select(.place == 1) | .parameters.grid] == ["4x3", "4x3"])
    and ([.runs[] | select(.place == 1) | .processors_used] == [12, 12])
    and ([.runs[] | select(.discarded | not) | .memory_bytes] | min > 0)
    and ([.runs[] | select(.place == 1) | .rank, .factor_to_best] == [1, 1, 1, 1])
    and ([.runs[] | select(.place) | .rank == .place and .factor_to_best >= 1 and .largest_overhead != ""] | all)
    and ([.runs[] | select(.place == 1) | .dominant] | all(startswith("processing.")))'
run -s size=9600 -s grid=2x2,4x3 -f csv "$align"
same 'CSV: where a decision stands' "$(head -n 1 "$work/out" | tr , '\n' | grep -nx discarded)" 23:discarded
check 'CSV: as in studies' grep -qE '^[^ ]*,discarded,time_s,[^ ]*,place,rank,factor_to_best,dominant,largest_overhead$' "$work/out"
check 'CSV: discarded' grep -q ',fluid,"the data of rank 8 take 553.0 MB, but a host has 268.4 MB of memory",*$' "$work/out"
check 'CSV: not discarded' grep -q ',fluid,,457.48.*,processing.fpu,communication$' "$work/out"
run -s size=4096,9600 "$align"
grep -qx 'Best by time for size 4096: grid 4x3 in 49.18 s; grid 4x2 takes 14 % longer but moves 26 % less data and leaves 4' \
    "$work/out" && grep -qx 'Best by time for size 9600: grid 4x3 in 457.5 s.' "$work/out" &&
    grep -q '^  Discarded: grid 4x2, on 12 ranks; the data of rank 0 take 280.2 MB' "$work/out"
note $? 'text: a decision'
run -v -s size=4096,20000 "$align"
check 'text: no decision' grep -qx 'Best by time for size 20000: none, all candidates are discarded.' "$work/out"
check 'text: processes of a decision' grep -q '^Process by process' "$work/out"
expect 1 'align.xml: no decision: all 2 candidates are discarded' -s size=9600 -s grid=2x2,4x2 -o "$work/none" "$align"
check 'text: all discarded' grep -q '^ *Discarded: grid 4x2, on 12 ranks; the data of rank 0' "$work/none"
expect 1 'no decision' -s size=9600 -s grid=2x2 -o "$work/none" -t "$work/x.paje" "$align"
run check -s size=9600 -s grid=2x2,4x2,4x3 "$align"
check 'check: what would be discarded' grep -qx '.*align.xml: ok, 3 runs, 2 of them discarded' "$work/out"

# The same input gives the same bytes, with one job or several.
for format in text csv; do
    for file in "$scenario" "$align"; do
        "$SIMRUN" -f $format "$file" >"$work/first"
        "$SIMRUN" -f $format -j 3 "$file" >"$work/second"
        check "$format: twice the same bytes" cmp "$work/first" "$work/second"
    done
done

expect 2 "unrecognized option '--at'" --at 5s "$scenario"

loaded=$SOURCE_DIR/platforms/icluster-loaded.xml
scenario "$work/send.xml" icluster-loaded "name='broadcast'" ranks=2 bytes=1MiB
# On fluid, links follow their profiles, whatever the runs before and beside; on quiet they stay as at time 0.
"$SIMRUN" -f csv -n fluid -s ranks=3 -s bytes=1GB,2GB "$work/send.xml" >"$work/first"
"$SIMRUN" -f csv -n fluid -s ranks=3 -s bytes=1GB,2GB -j 2 "$work/send.xml" >"$work/second"
check 'fluid with profiles: twice the same bytes' cmp "$work/first" "$work/second"
fluid=$("$SIMRUN" -f json -n fluid -s ranks=3 -s bytes=1GB "$work/send.xml" | jq '.runs[0].time_s')
quiet=$("$SIMRUN" -f json -n quiet -s ranks=3 -s bytes=1GB "$work/send.xml" | jq '.runs[0].time_s')
check 'profiles slow down fluid, not quiet' awk "BEGIN { exit !($fluid > 1.01 * $quiet) }"

# Interrupted: nothing that looks whole is left.
long="-s rounds=1000000000 -s ranks=128"
for signal in INT TERM HUP KILL; do
    env --default-signal=INT,HUP "$SIMRUN" $long -o "$work/whole" -t "$work/whole.paje" "$work/ring.xml" >"$work/out" 2>"$work/err" &
    sleep 1
    kill -s $signal $!
    wait $! 2>/dev/null && note 1 "SIG$signal: ended with status 0"
    check "SIG$signal leaves no file that looks whole" test ! -e "$work/whole" -a ! -e "$work/whole.paje"
    check "SIG$signal leaves no partial file" test -z "$(ls "$work" | grep partial)"
done
for former in '' 'a former file'; do # one file takes another's place whole, with the same rights as any new one
    rm -f "$work/whole" && [ -z "$former" ] || echo "$former" >"$work/whole"
    (umask 027 && "$SIMRUN" -f csv -o "$work/whole" "$work/ring.xml")
    same "the file and its rights after '$former'" "$(wc -l <"$work/whole") $(stat -c %a "$work/whole")" '2 640'
done
rm -f "$work/whole"

# The installed program is the one that was built: ./simrun builds the program alone.
if [ -n "${BUILD_DIR:-}" ]; then
    mkdir "$work/built"
    (
        cd "$BUILD_DIR" || exit
        find . -name cmake_install.cmake -exec cp --parents '{}' "$work/built" ';'
        cp --parents -r man simrun libsimrun.a simrun.pc simrunConfigVersion.cmake CMakeFiles/Export "$work/built"
    )
    find "$work/built" -name cmake_install.cmake -exec sed -i "s|\"$BUILD_DIR/|\"$work/built/|g" '{}' +
    cmake -DCMAKE_INSTALL_PREFIX="$work/installed" -P "$work/built/cmake_install.cmake" >"$work/out" 2>"$work/err" &&
        [ "$(ls "$work/installed/bin")" = simrun ] && "$work/installed/bin/simrun" --version >"$work/out" &&
        [ -f "$work/installed/share/simrun/scenarios/gj256.xml" ]
    note $? 'installing after ./simrun'
    cmake --install "$BUILD_DIR" --prefix "$work/all" >"$work/out" 2>"$work/err"
    for program in simrun simrun-calibrate eppa-recover; do
        [ ! -x "$BUILD_DIR/$program" ] || [ -x "$work/all/bin/$program" ]
        note $? "installing: no $program"
    done
fi

finish
