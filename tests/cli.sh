#!/usr/bin/env bash
# The program from outside: what users get wrong, what it leaves behind, and that it says the same every time.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenario=$SOURCE_DIR/scenarios/gj128.xml
passed=0
failed=0

note() {
    if [ "$1" = yes ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        sed 's/^/    /' "$work/out" "$work/err" | head -n 20
    fi
}

# expect STATUS PATTERN ARGUMENT...: the exit status, and a line on standard error that the extended pattern matches.
expect() {
    local status=$1 pattern=$2 got=0 good=yes
    shift 2
    "$SIMRUN" "$@" >"$work/out" 2>"$work/err" || got=$?
    [ "$got" -eq "$status" ] || good=no
    if [ -n "$pattern" ]; then grep -qE -- "$pattern" "$work/err" || good=no; fi
    if [ "$status" -ne 0 ] && [ -s "$work/out" ]; then good=no; fi
    note $good "simrun $* (status $got, expected $status and: $pattern)"
}

# Bad usage.
expect 2 'no scenario given'
expect 2 'unrecognized option'                              --nonsense
expect 2 "unknown format 'xml'; known: text json csv"       -f xml "$scenario"
expect 2 "'0' is outside 1 \.\.\. 256"                      -j 0 "$scenario"
expect 2 "is not a whole number|is not"                     -j two "$scenario"
expect 2 'quiet and --verbose contradict'                   -q -v "$scenario"
expect 2 'check simulates nothing'                          --check -o "$work/x" "$scenario"
expect 2 'name the same file'                               -t "$work/x.paje" -o "$work/x.paje" "$scenario"
expect 2 'trace is given twice, with a.paje and b.prv; it writes one file' -t a.paje --trace=b.prv "$scenario"
expect 2 'output is given twice, with a and b'              -o a -o b "$scenario"
expect 2 'trace writes to a file, whose ending says the format' -s ranks=2 -t - "$scenario"
expect 2 'calibrate writes to a file, not to standard output' --calibrate -
expect 2 'one at a time'                                    -f json "$scenario" "$scenario"
expect 2 "unknown kind 'colours'; known:"                   --list colours

# Bad input.
expect 2 'icluster.xml:2: is a platform, no scenario; .*simrun --forecast' "$SOURCE_DIR/platforms/icluster.xml"
expect 2 'cannot read: No such file'                        "$work/none.xml"
expect 2 'cannot read|Is a directory'                       "$work"
expect 2 "unknown parameter 'm' .*known:.* n "              -s m=5 "$scenario"
expect 2 "must be NAME=VALUE"                               -s n "$scenario"
expect 2 "'0' is outside 1 \.\.\. 16384"                    -s n=0 "$scenario"
expect 2 "unknown unit 'parsec'|is not"                     -s n=3parsec "$scenario"
expect 2 "'fluid' shares the bandwidth of wires"              -n fluid "$scenario"
expect 2 'network.*(quiet fifo fluid)'                      -n fluidity "$scenario"
expect 2 '200 ranks on the 128 hosts of t800-mesh'          -s ranks=200 "$scenario"
expect 2 "200 ranks .* at most 128, or set 'ranks_per_host'" -s ranks=200 "$scenario"
expect 2 '17 ranks on the 16 hosts of ncp2-myrinet with 1 to a host; at most 16; only a program that exchanges messages' \
    -s ranks=17 "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
expect 2 "'i\+p\+d' is unknown; did you mean 'I\+P\+D'\?"     -s variant=i+p+d "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
expect 2 "32x4 does not fit into the 16x8 mesh"             -s mesh=32x4 "$scenario"
expect 2 '2x2 has 4 nodes, too few for 8 ranks'             -s ranks=8 -s mesh=2x2 "$scenario"
expect 2 'unknown ending; known: .paje'                     -s ranks=2 -t "$work/x.xyz" "$scenario"
expect 2 'this scenario has 8; pick one'                    -t "$work/x.paje" "$scenario"
expect 2 'cannot be written: No such file'                  -s ranks=2 -t "$work/none/x.paje" "$scenario"
expect 2 'cannot be written: No such file'                  -o "$work/none/x" "$scenario"
expect 2 'cannot be written: Is a directory|directory'      -o "$work" "$scenario"

# What SimGrid rejects, and reference data that is none.
sed "s|../platforms/t800-mesh.xml|$SOURCE_DIR/tests/data/bad/platform-not-xml.xml|" "$scenario" >"$work/platform.xml"
expect 2 'platform-not-xml.xml'                             "$work/platform.xml"
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
printf 'ranks,measured.\n1,1\n' >"$work/none.csv"
expect 2 "none.csv:1: unknown column 'measured.'" "$work/reference.xml"

# What else was measured stands beside what is simulated; what the run does not have, by itself.
printf 'ranks,measured.speedup,measured.messages_per_s,measured.io.output,measured.none\n4,4,100,0.01,7\n' >"$work/none.csv"
expect 0 '' -f json -s ranks=4 "$work/reference.xml"
jq -e '.runs[0] | (.reference["simulated.speedup"] == .speedup) and (.reference["measured.none"] == 7)
    and ((.messages / .time_s / .reference["simulated.messages_per_s"] - 1 | fabs) < 1e-12)
    and ((.speedup / 4 - 1 - .reference["error.speedup"] | fabs) < 1e-12)
    and (.reference["simulated.io.output"] == .critical_path_s["io.output"])
    and (.reference | has("simulated.none") or has("error.none") | not)' "$work/out" >/dev/null && note yes ||
    note no 'JSON: other measures of the reference'
expect 0 '' -s ranks=2,4 "$work/reference.xml"
grep -q '^Beside what was measured' "$work/out" && grep -qE '^ *ranks  speedup  measured +error' "$work/out" &&
    grep -qE '^ +4 .* 7.00 +-$' "$work/out" && ! grep -qE '^ +2 .* 7.00 +-$' "$work/out" && note yes ||
    note no 'text: other measures of the reference'
rm "$work/none.csv"
ln -s /dev/zero "$work/none.csv"
expect 2 'none.csv: cannot read the reference data: not a regular file' "$work/reference.xml"

# What is read is not overwritten, and a closed standard output does not end up in another file.
cp "$work/reference.xml" "$work/precious.xml"
expect 2 'precious.xml: is an input, and would be overwritten' -o "$work/precious.xml" "$work/precious.xml"
expect 2 'is the same file as an input, .*precious.xml, and would be overwritten' -o "$work/../$(basename "$work")/precious.xml" "$work/precious.xml"
expect 2 'name the same file'                               -t "$work/./x.paje" -o "$work/x.paje" "$scenario"
expect 2 'need the name of a file'                          -o '' "$scenario"
"$SIMRUN" -s ranks=2 -t "$work/closed.paje" "$scenario" >&- 2>"$work/err"
[ $? -eq 1 ] && ! grep -qs efficiency "$work/closed.paje" && note yes || note no 'a closed standard output'
rm -f "$work/closed.paje" "$work/none.csv"

# "-" is standard output.
mkdir "$work/dash"
for arguments in "-s ranks=2 $scenario" "--forecast n0_to_n1 $SOURCE_DIR/platforms/icluster.xml"; do
    (
        cd "$work/dash" || exit
        set -- $arguments
        for i; do set -- "$@" "${i//_to_/ to }"; shift; done
        "$SIMRUN" "$@" >../plain && "$SIMRUN" -o - "$@" >../out 2>../err && cmp -s ../plain ../out && [ -s ../out ] &&
            [ -z "$(ls)" ]
    ) && note yes || note no "-o - with $arguments"
done
(cd "$work/dash" && "$SIMRUN" -o ./- -s ranks=2 "$scenario" >../out 2>../err && [ -s ./- ] && [ ! -s ../out ]) && note yes ||
    note no 'a file that is called -'

# A deadlock, a clock that runs over, an output that fills up: status 1.
cat >"$work/ring.xml" <<END
<scenario name="ring"><platform file="$SOURCE_DIR/platforms/t800-mesh.xml"/><application name="ring"/>
<param name="ranks" value="4"/></scenario>
END
expect 1 'deadlock after .*rank 0 \(step 0\) waits to send to rank 1.*rank 3 \(step 0\) waits to send to rank 0' \
    -s mode=synchronous "$work/ring.xml"
expect 1 '26.7 days'                                         -s bytes=1099511627776 -s rounds=1000000000 "$work/ring.xml"
if [ -c /dev/full ]; then
    expect 1 'could not be written: No space left'          -o /dev/full "$work/ring.xml"
    "$SIMRUN" "$work/ring.xml" >/dev/full 2>"$work/err"
    [ $? -eq 1 ] && grep -q 'could not be written' "$work/err" && note yes || note no 'standard output to a full disk'
fi
[ -z "$(ls "$work" | grep -E 'partial|^x')" ] && note yes || note no 'failures leave files behind'

# Success: the three formats, a trace, --check, --list, --help, --version, several scenarios.
expect 0 '' --check "$scenario"
expect 0 '' --list
expect 0 '' --list networks formats
expect 0 '' --help
expect 0 '' -h
expect 0 '' --version
expect 0 '' -s ranks=2 "$scenario" "$work/ring.xml"
expect 0 '' -s ranks=4 -t "$work/x.paje" -o "$work/x" "$work/ring.xml"
expect 0 '' -s ranks=1,2 -f csv -o "$work/x.csv" "$scenario"
[ "$(wc -l <"$work/x.csv")" -eq 3 ] && [ "$(awk -F, '{print NF}' "$work/x.csv" | sort -u | wc -l)" -eq 1 ] &&
    note yes || note no 'CSV: a head and two rows of equal length'
expect 0 '' -f csv "$work/ring.xml"
[ -z "$(head -n 1 "$work/out" | tr , '\n' | sort | uniq -d)" ] && note yes || note no 'CSV: every column has a name of its own'
[ "$(grep -c '^7 ' "$work/x.paje")" -eq 4 ] && [ "$(grep -c '^8 ' "$work/x.paje")" -eq 4 ] && note yes ||
    note no 'Paje: four arrows'
awk '$1 == 6 && $2 < last[$3 $4] {exit 1} $1 == 6 {last[$3 $4] = $2}' "$work/x.paje" && note yes ||
    note no 'Paje: the states of a rank are in order of time'

# The heading says what is not as in the file, and the platform's line leaves out what says nothing.
expect 0 '' -s ranks=8 -s n=64 "$scenario"
[ "$(head -n 1 "$work/out")" = 'Gauss-Jordan elimination, neighbour broadcast, Parsytec (table 4) (ranks=8, n=64)' ] &&
    ! grep -q 'ranks_per_host' "$work/out" && note yes || note no 'text: heading and platform'
expect 0 '' -s n=128 -s ranks_per_host=2 "$scenario"
[ "$(head -n 1 "$work/out")" = 'Gauss-Jordan elimination, neighbour broadcast, Parsytec (table 4) (ranks_per_host=2)' ] &&
    grep -q '^Platform .*, ranks_per_host 2' "$work/out" && note yes || note no 'text: a changed default'
expect 0 '' -s bytes=1,2,3,4,5 "$work/ring.xml"
[ "$(head -n 1 "$work/out")" = 'ring (bytes=1,2,3,4,...)' ] && note yes || note no 'text: a heading without a title'

# A check says what it has checked.
expect 0 '' -s variant=I+D -s rows=50 -s columns=40 -s iterations=3 -s check=yes "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
grep -qE '^Note: [1-9][0-9]{3,} reads of a word checked, each saw the last write before it\.$' "$work/out" && note yes ||
    note no 'text: what was checked'
expect 0 '' -s variant=I+D -s rows=50 -s columns=40 -s iterations=3 "$SOURCE_DIR/scenarios/ncp2-jacobi.xml"
grep -q 'checked' "$work/out" && note no 'text: nothing was checked' || note yes

# Parts of a wait that are far more than the wait are written as times, without signs.
expect 0 '' -s variant=I+P+D,P "$SOURCE_DIR/scenarios/ncp2-matmul.xml"
grep -qE '^ +rank 7 waited .* 1 time: [0-9.]+ ms for rank 0 serving others in multiplication,$' "$work/out" &&
    grep -qE '^ +less [0-9.]+ ms for rank 7 keeping memory coherent in multiplication$' "$work/out" &&
    ! grep -qE '[0-9]{3,} % for .* (in|itself)' <(grep -vE ' 1[0-4][0-9] % for' "$work/out") && note yes ||
    note no 'text: causes as times'

# JSON: the keys that are an interface, and the identities in what is printed.
expect 0 '' -s ranks=8 -f json "$scenario"
jq -e '.simrun and .scenario == "gj128" and (.runs[0] | .parameters.n == 128 and .ranks == 8 and .network == "fifo"
    and .state_s.idle > 0 and .overhead_ratio.anomaly == 0 and .b_ratio.memory > 0 and .reference.measured_s == 2.31
    and .granularity > 0 and .messages > 0 and .bytes > 0 and .host.events > 0 and .communication_computation_ratio > 0
    and .memory_processing_ratio > 1
    and (.process_state_s.idle | length) == 8
    and (([.state_s[]] | add) / (.ranks * .time_s) - 1 | fabs) < 1e-12
    and ((.critical_path_s | .processing + .memory + .communication + .io) / .time_s - 1 | fabs) < 1e-12
    and (.ranks / (1 + ([.overhead_ratio[]] | add)) / .speedup - 1 | fabs) < 1e-12
    and ((.time_s - .reference.measured_s) / .reference.measured_s - .reference.error | fabs) < 1e-12)' \
    "$work/out" >/dev/null && note yes || note no 'JSON: keys and identities'

# A decision: the best first, what does not fit last, with the reason.
align=$SOURCE_DIR/scenarios/align.xml
expect 0 '' --check "$align"
expect 0 '' -s size=2048,9600 -f json "$align"
jq -e '([.runs[] | select(.discarded) | .parameters.grid] == ["4x2", "2x2"])
    and ([.runs[] | select(.discarded) | has("time_s") or has("place")] | any | not)
    and ([.runs[] | select(.parameters.size == 2048) | .place] | sort == [1, 2, 3, 4])
    and ([.runs[] | select(.place == 1) | .parameters.grid] == ["4x3", "4x3"])
    and ([.runs[] | select(.place == 1) | .processors_used] == [12, 12])
    and ([.runs[] | select(.discarded | not) | .memory_bytes] | min > 0)' \
    "$work/out" >/dev/null && note yes || note no 'JSON: a decision'
expect 0 '' -s size=9600 -s grid=2x2,4x3 -f csv "$align"
[ "$(head -n 1 "$work/out" | tr , '\n' | grep -nx discarded)" = '20:discarded' ] &&
    grep -q ',fifo,"the data of rank 8 take 553.0 MB, the memory of a host is 268.4 MB",*$' "$work/out" &&
    grep -q ',fifo,,457.56' "$work/out" && note yes || note no 'CSV: a decision'
expect 0 '' -s size=4096,9600 "$align"
grep -qx 'Best by time for size 4096: grid 4x3 in 49.21 s; grid 4x2 takes 14 % longer but moves 26 % less data and leaves 4' \
    "$work/out" && grep -qx 'Best by time for size 9600: grid 4x3 in 457.6 s.' "$work/out" &&
    grep -q '^  Discarded: grid 4x2; the data of rank 0 take 280.2 MB' "$work/out" && note yes || note no 'text: a decision'
expect 0 '' -v -s size=4096,20000 "$align"
grep -qx 'Best by time for size 20000: none, all candidates are discarded.' "$work/out" && grep -q '^Process by process' "$work/out" &&
    note yes || note no 'text: nothing left to decide'
expect 1 'align.xml: no decision: all 2 candidates are discarded' -s size=9600 -s grid=2x2,4x2 -o "$work/none" "$align"
grep -q '^ *Discarded: grid 4x2; the data of rank 0' "$work/none" && note yes || note no 'text: all discarded'
expect 1 'no decision' -s size=9600 -s grid=2x2 -o "$work/none" -t "$work/x.paje" "$align"
expect 0 '' --check -s size=9600 -s grid=2x2,4x2,4x3 "$align"
grep -qx '.*align.xml: ok, 3 runs, 2 of them discarded' "$work/out" && note yes || note no 'check: what would be discarded'

# The same input gives the same bytes, with one job or several.
for format in text csv; do
    for file in "$scenario" "$align"; do
        "$SIMRUN" -f $format "$file" >"$work/first"
        "$SIMRUN" -f $format -j 3 "$file" >"$work/second"
        cmp -s "$work/first" "$work/second" && note yes || note no "$format: twice the same bytes"
    done
done

# Forecasts of a platform.
loaded=$SOURCE_DIR/platforms/icluster-loaded.xml
expect 2 'at is the time of a --forecast'                   --at 5s "$loaded"
expect 2 "'5' lacks a unit"                                 --at 5 --forecast 'n0 to n1' "$loaded"
expect 2 "'1e7s' is too large; the limit is 9223372 s"      --at 1e7s --forecast 'n0 to n1' "$loaded"
expect 2 'needs one platform'                               --forecast 'n0 to n1'
expect 2 'needs one platform'                               --forecast 'n0 to n1' "$loaded" "$loaded"
expect 2 'text and json, not csv'                           --forecast 'n0 to n1' -f csv "$loaded"
expect 2 'forecast simulates nothing'                       --forecast 'n0 to n1' -s n=5 "$loaded"
expect 2 'only --quiet'                                     --forecast 'n0 to n1' --calibrate "$work/x"
expect 2 'is the platform, and would be overwritten'        --forecast 'n0 to n1' -o "$loaded" "$loaded"
expect 2 "unknown host 'n225'; known: n0 \.\.\. n224 \(225 hosts\)" --forecast 'n0 to n225' "$SOURCE_DIR/platforms/icluster.xml"
expect 2 "unknown kernel 'dgemn'; did you mean 'dgemm'"     --forecast 'n0 to n1' --forecast 'dgemn 1 2 3 on n0' "$loaded"
expect 2 'gj.rsub costs by iteration'                       --forecast 'gj.rsub 1 2 on n0' "$SOURCE_DIR/platforms/t800-mesh.xml"
expect 0 '' --forecast 'gj.rsub on n0' --forecast 'n0 to n127 1KiB' "$SOURCE_DIR/platforms/t800-mesh.xml"
expect 0 '' --forecast 'dgemm 1024 1024 64 on n2' --forecast 'n0 to n1 1MiB' --at 600s "$loaded"
head -n 1 "$work/out" | grep -qx 'dgemm 1024 1024 64 on n2: 868 ms expected at 600 s' && note yes ||
    note no 'the forecast has its answer first'
expect 0 '' --forecast 'dgemm 1024 1024 64 on n2' --forecast 'n0 to n1 1MiB' --at 600s -f json "$loaded"
jq -e '.platform == "icluster-loaded" and .at_s == 600 and (.forecasts[0] | .availability == 0.34
    and .availability_predictor == "last value" and .availability_measurements == 61
    and (.best_s / .availability / .expected_s - 1 | fabs) < 1e-12 and .memory_bytes == 9437184
    and .extrapolated == false) and (.forecasts[1] | .hops == 2 and .message_s == .message_at_0_s)' "$work/out" >/dev/null &&
    note yes || note no 'JSON of forecasts: keys and identities'
message_s=$(jq '.forecasts[1].message_s' "$work/out")

# A forecast message takes as long as a simulated one; a cost outside its range is said to be extrapolated.
cat >"$work/send.xml" <<END
<?xml version="1.0"?>
<scenario name="send" title="One message">
  <platform file="$loaded"/>
  <application name="broadcast"/>
  <param name="ranks" value="2"/>
  <param name="bytes" value="1MiB"/>
</scenario>
END
expect 0 '' -n quiet -f json "$work/send.xml"
jq -e "(.runs[0].time_s / $message_s - 1 | fabs) < 1e-9" "$work/out" >/dev/null && note yes ||
    note no "a forecast message takes $message_s s, and not as long as a simulated one"
sed 's/mnk=4.3956ns/mnk=4.3956ns from=32 to=1000/' "$SOURCE_DIR/platforms/icluster.xml" >"$work/range.xml"
expect 0 '' --forecast 'dgemm 1000 1001 64 on n2' "$work/range.xml"
grep -q 'extrapolated: the cost was fitted for dimensions from 32 to 1000' "$work/out" && note yes || note no 'extrapolated'
expect 0 '' --forecast 'dgemm 1000 1000 32 on n2' "$work/range.xml"
grep -q 'extrapolated' "$work/out" && note no 'not extrapolated' || note yes

expect 0 '' --forecast 'dtrsm 1000 1000 on n0' -f json "$SOURCE_DIR/platforms/pentium2-cluster.xml"
jq -e '.forecasts[0] | .memory_bytes == 16e6 and .host_memory_bytes == 134217728' "$work/out" >/dev/null && note yes ||
    note no 'the memory of pentium2-cluster'

# Beyond the clock there are years; a cost may be negative where it was not fitted, and is refused there.
expect 0 '' --forecast 'dgemm 1e6 1e6 1e6 on n0' "$loaded"
head -n 1 "$work/out" | grep -qx 'dgemm 1e6 1e6 1e6 on n0: 139 years expected at 0 s' && note yes || note no 'years'
sed 's/mnk=4.3956ns/mnk=4.3956ns mn=-100ns from=64 to=1000/' "$SOURCE_DIR/platforms/icluster.xml" >"$work/dip.xml"
expect 2 'kernel.dgemm is negative for these dimensions'    --forecast 'dgemm 64 64 8 on n0' "$work/dip.xml"
cat >"$work/dip-scenario.xml" <<END
<?xml version="1.0"?>
<scenario name="dip">
  <platform file="$work/dip.xml"/>
  <application name="pdgemm"/>
  <param name="ranks" value="4"/>
  <param name="size" value="40"/>
  <param name="block" value="8"/>
</scenario>
END
expect 2 'rank 0 calls dgemm with m=24 n=24 k=8, for which the polynomial kernel.dgemm of dip is negative' \
    "$work/dip-scenario.xml"

# On fluid, links follow their profiles, whatever the runs before and beside; on quiet they stay as at time 0.
"$SIMRUN" -f csv -n fluid -s ranks=3 -s bytes=1GB,2GB "$work/send.xml" >"$work/first"
"$SIMRUN" -f csv -n fluid -s ranks=3 -s bytes=1GB,2GB -j 2 "$work/send.xml" >"$work/second"
cmp -s "$work/first" "$work/second" && note yes || note no 'fluid with profiles: twice the same bytes'
fluid=$("$SIMRUN" -f json -n fluid -s ranks=3 -s bytes=1GB "$work/send.xml" | jq '.runs[0].time_s')
quiet=$("$SIMRUN" -f json -n quiet -s ranks=3 -s bytes=1GB "$work/send.xml" | jq '.runs[0].time_s')
awk "BEGIN { exit !($fluid > 1.01 * $quiet) }" && note yes || note no "profiles on fluid: $fluid s, on quiet $quiet s"

# Interrupted: nothing that looks whole is left.
long="-s rounds=1000000000 -s ranks=128"
for signal in INT TERM HUP KILL; do
    "$SIMRUN" $long -o "$work/whole" -t "$work/whole.paje" "$work/ring.xml" >"$work/out" 2>"$work/err" &
    sleep 1
    kill -s $signal $!
    wait $! 2>/dev/null && note no "SIG$signal: ended with status 0"
    [ ! -e "$work/whole" ] && [ ! -e "$work/whole.paje" ] && note yes || note no "SIG$signal leaves a file that looks whole"
    if [ $signal = KILL ]; then
        rm -f "$work"/*partial*
    else
        [ -z "$(ls "$work" | grep partial)" ] && note yes || note no "SIG$signal leaves a partial file"
    fi
done

# What is installed is what has been built: ./simrun builds the program alone.
if [ -n "${BUILD_DIR:-}" ]; then
    mkdir "$work/built"
    (
        cd "$BUILD_DIR" || exit
        find . -name cmake_install.cmake -exec cp --parents '{}' "$work/built" ';'
        cp simrun simrun.pc "$work/built"
    )
    find "$work/built" -name cmake_install.cmake -exec sed -i "s|\"$BUILD_DIR/|\"$work/built/|g" '{}' +
    cmake -DCMAKE_INSTALL_PREFIX="$work/installed" -P "$work/built/cmake_install.cmake" >"$work/out" 2>"$work/err" &&
        [ "$(ls "$work/installed/bin")" = simrun ] && "$work/installed/bin/simrun" --version >"$work/out" &&
        [ -f "$work/installed/share/simrun/scenarios/gj256.xml" ] && note yes || note no 'installing after ./simrun'
    cmake --install "$BUILD_DIR" --prefix "$work/all" >"$work/out" 2>"$work/err"
    for program in simrun simrun-calibrate eppa-recover; do
        [ ! -x "$BUILD_DIR/$program" ] || [ -x "$work/all/bin/$program" ] && note yes || note no "installing: no $program"
    done
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
