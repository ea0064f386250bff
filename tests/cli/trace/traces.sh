#!/usr/bin/env bash
# Trace files: each format, read by a program that is not ours or by its published rules, says of a run what simrun says
# of it: messages, bytes, and the time in each state. And nothing half-written is left, whatever happens.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1

for tool in otf2-print pj_dump jq; do
    command -v $tool >/dev/null || { echo "$tool is missing: tools/install-packages test"; exit 1; }
done

# Print simrun's figures of a run: messages, bytes, seconds in useful, control, send, receive and idle, the run's,
# ranks.
account() {
    jq -r '.runs[0] | [.messages, .bytes, .state_s.useful, .state_s.control, .state_s.send, .state_s.receive,
        .state_s.idle, .time_s, .ranks] | map(tostring) | join(" ")' "$work/out"
}

# agree TOLERANCE A B: two rows of numbers; the first two equal, the others within TOLERANCE seconds, or what doubles round.
agree() {
    awk -v tolerance="$1" -v a="$2" -v b="$3" 'BEGIN {
        n = split(a, x); if (n < 7 || split(b, y) < n) exit 1
        for (i = 1; i <= n; i++) {
            d = x[i] - y[i]; if (d < 0) d = -d
            if (d > (i <= 2 ? 0 : tolerance + 1e-12 * y[i])) exit 1
        }
    }'
}

# ---- OTF2: times by region and role, each lane without gap from 0 to the end of the run ----

# Messages, bytes and states as otf2-print shows them; fails where sends and receives differ, or a lane has a gap.
cat >otf2.awk <<'END'
function seconds(ps) { return sprintf("%.15g", ps / 1e12) }
function flush_enter() { # now that the attributes are known
    if (entered == "") return
    stack[lane, ++depth[lane]] = name; started[lane, depth[lane]] = at; role[lane, depth[lane]] = entered_role
    entered = ""
}
function flush_leave(  d, state, length_ps, r) {
    if (!leaving) return
    leaving = 0
    d = depth[left_lane]--
    if (d < 1 || stack[left_lane, d] != left_name) bad = "leaves " left_name
    length_ps = left_at - started[left_lane, d]
    r = role[left_lane, d]
    if (left_name ~ /^MPI_/) r = received ? "receive" : "send"
    received = 0
    if (r == "") return # a scope
    if (started[left_lane, d] != covered[left_lane] + 0) bad = "gap before " left_name " at " started[left_lane, d]
    covered[left_lane] = left_at
    if (left_lane < ranks) { spent[r] += length_ps - idle; spent["idle"] += idle }
}
function flush() { flush_enter(); flush_leave() }
$1 == "ADDITIONAL" {
    if (match($0, /"eppa.role" <[0-9]+>; STRING; "[a-z]+"/)) {
        text = substr($0, RSTART, RLENGTH); sub(/.*STRING; "/, "", text); sub(/"/, "", text); entered_role = text
    }
    if (match($0, /"simrun.idle_ps" <[0-9]+>; UINT64; [0-9]+/)) {
        text = substr($0, RSTART, RLENGTH); sub(/.* /, "", text); idle = text + 0
    }
    next
}
$1 == "ENTER" || $1 == "LEAVE" || $1 ~ /^MPI_/ {
    flush()
    $3 -= offset
    if ($3 + 0 < latest[$2] + 0) bad = "out of order at " $3
    latest[$2] = $3 + 0
}
$1 == "ENTER" || $1 == "LEAVE" { match($0, /Region: "[^"]*"/); region = substr($0, RSTART + 9, RLENGTH - 10) }
$1 == "ENTER" { entered = 1; lane = $2; at = $3 + 0; name = region; entered_role = "" }
$1 == "LEAVE" { leaving = 1; left_lane = $2; left_at = $3 + 0; left_name = region; idle = 0 }
BEGIN {
    where["MPI_SEND"] = "^MPI_Ss?end$"; where["MPI_RECV"] = "^MPI_Recv$"; where["MPI_ISEND"] = "^MPI_Iss?end$"
    where["MPI_IRECV_REQUEST"] = "^MPI_Irecv$"; where["MPI_IRECV"] = where["MPI_ISEND_COMPLETE"] = "^MPI_Wait$"
}
$1 ~ /^MPI_/ {
    if (stack[$2, depth[$2]] !~ where[$1]) bad = $1 " outside its region"
    request = $0; sub(/.*Request: /, "", request)
    if ($1 == "MPI_ISEND" || $1 == "MPI_IRECV_REQUEST") { if (pending[$2, request]++) bad = "request " request " twice" }
    if ($1 == "MPI_ISEND_COMPLETE" || $1 == "MPI_IRECV") { if (pending[$2, request]-- != 1) bad = $1 " of nothing" }
}
$1 == "MPI_SEND" || $1 == "MPI_RECV" || $1 == "MPI_ISEND" || $1 == "MPI_IRECV" {
    received = $1 ~ /RECV/
    sub(/, Request: .*/, "")
    peer = $5; tag = $0; sub(/.*Tag: /, "", tag); sub(/,.*/, "", tag)
    bytes = $NF
    if ($1 ~ /SEND/) { n++; total += bytes; way[$2 " " peer " " tag " " bytes]++ }
    else { n_received++; way[peer " " $2 " " tag " " bytes]-- }
}
END {
    flush()
    for (w in way) if (way[w] != 0) bad = "sent and received differ: " w
    for (l in covered) { lanes++; if (covered[l] != covered[0]) bad = "lane " l " ends early" }
    if (lanes != wanted_lanes) bad = lanes " lanes"
    if (n != n_received) bad = n_received " of " n " received"
    if (bad != "") { print bad > "/dev/stderr"; exit 1 }
    print n + 0, total + 0, seconds(spent["useful"]), seconds(spent["control"]), seconds(spent["send"]), \
        seconds(spent["receive"]), seconds(spent["idle"]), seconds(covered[0])
}
END

offset_of() { # ARCHIVE: the tick at which the run begins
    otf2-print -G "$1" 2>/dev/null | sed -n 's/^CLOCK_PROPERTIES .*Global Offset: \([0-9]*\).*/\1/p'
}

check_otf2() { # ROW LANES
    local row
    timeout 300 otf2-print trace.otf2 >dump 2>err && [ ! -s err ] || return 1
    row=$(awk -v ranks="${1##* }" -v wanted_lanes="$2" -v offset="$(offset_of trace.otf2)" -f otf2.awk dump 2>err) &&
        agree 0 "$row" "$1"
}

# ---- Paje, by pj_dump ----

check_paje() {
    local row
    pj_dump -l 12 trace.paje >dump 2>err && [ ! -s err ] || return 1
    row=$(awk -F ', ' -v lanes="$2" '
        $1 == "Container" && $3 == "rank" { n_lanes++ }
        $1 == "State" && $3 == "state" && $2 ~ /^rank / { spent[$8] += $6 }
        $1 == "State" && $3 == "state" { all += $6; if ($5 > end) end = $5 }
        $1 == "Link" { n++; bytes += $7; if ($5 + 0 < $4 + 0) bad = 1 }
        END { gap = all - lanes * end
              if (bad || n_lanes != lanes || gap > 1e-9 * all || -gap > 1e-9 * all) exit 1
              print n + 0, bytes + 0, spent["useful"] + 0, spent["control"] + 0, spent["send"] + 0,
                  spent["receive"] + 0, spent["idle"] + 0, end }' OFMT=%.15g CONVFMT=%.15g dump) &&
        agree 1e-9 "$row" "$1"
}

# ---- Paraver, by its tracefile description ----

cat >paraver.awk <<'END'
function fail(text) { bad = text " in line " NR }
function check_lane(field) { # cpu, application, task, thread
    if ($(field + 1) != 1 || $(field + 2) < 1 || $(field + 2) > ranks || $(field + 3) < 1 || $(field + 3) > threads ||
        $field != ($(field + 2) - 1) * threads + $(field + 3)) fail("no such lane")
}
NR == 1 {
    if ($0 !~ /^#Paraver \(.. *\/..\/.... at ..:..\):[0-9]+_ns:[0-9]+\([0-9,]+\):1:[0-9]+\([0-9:,]+\)$/) fail("header")
    total = $3 + 0; ranks = $4 + 0
    threads = $4; sub(/^[0-9]+\(/, "", threads); threads += 0
    if (ranks * threads != lanes) fail("lanes")
    next
}
{ if ($6 < last) fail("order"); last = $6; check_lane(2) }
$1 == 1 {
    if ($6 != until[$2] + 0 || $7 <= $6) fail("gap")
    until[$2] = $7
    if ($5 == 1) spent[$8] += $7 - $6
    pieces++
}
$1 == 2 { if (NF % 2 != 0 || NF < 8) fail("event") }
$1 == 3 {
    check_lane(8)
    if ($7 < $6 || $13 < $12 || $13 < $7 || $15 < 0 || NF != 15) fail("message")
    n++; bytes += $14
}
$1 !~ /^[123]$/ { fail("record") }
END {
    for (l in until) { n_lanes++; if (until[l] != total) fail("lane ends early") }
    if (n_lanes != lanes) fail("lanes")
    if (bad != "") { print bad > "/dev/stderr"; exit 1 }
    print n + 0, bytes + 0, spent[1] / 1e9, spent[7] / 1e9, spent[4] / 1e9, spent[3] / 1e9, spent[0] / 1e9, total / 1e9
}
END

check_paraver() {
    local row n_states
    row=$(awk -F : -v lanes="$2" -f paraver.awk OFMT=%.15g CONVFMT=%.15g trace.prv 2>err) || return 1
    n_states=$(grep -c '^1:' trace.prv)
    agree "1e-9*$n_states" "$row" "$1" 2>/dev/null || agree "$(awk "BEGIN { print 1e-9 * ($n_states + 1) }")" "$row" "$1" ||
        return 1
    [ "$(awk '/^LEVEL THREAD/ {print $4}' trace.row)" = "$2" ] && grep -q '^1 *useful$' trace.pcf &&
        # every value of an event is named
        [ -z "$(comm -23 <(awk -F : '$1 == 2 {for (i = 7; i < NF; i += 2) print $i, $(i + 1)}' trace.prv | sort -u) \
            <(awk '$1 == 0 && NF >= 3 && type_next {type = $2; type_next = 0; next} /^EVENT_TYPE/ {type_next = 1; next}
                type && NF >= 2 {print type, $1}' trace.pcf | sort -u))" ]
}

# ---- Trace Event, by its description: JSON; slices nest; each thread is in order; flows begin and end in slices ----

cat >chrome.jq <<'END'
def ns: . * 1000 | round;
.traceEvents[] | if .ph == "M" then [.ph, .pid, .tid // 0, 0, .name, .args.name]
    else [.ph, .pid, .tid, (.ts | ns), .name, (.dur // 0 | ns), (.args.state // .name), .id // 0, .args.bytes // 0,
        .args.ranks // 0, .bp // ""] end | @tsv
END
cat >chrome.awk <<'END'
function fail(text) { bad = text " in event " NR }
{ lane = $2 " " $3; at = $4 }
$1 == "M" && $5 == "process_name" { process[$2] = 1 }
$1 == "M" && $5 == "thread_name" { n_lanes++; named[lane]++ }
$1 == "M" { next }
$1 == "C" && $2 == 3 { next }
$1 == "C" && $2 == 3 { next }
$1 == "C" { if (at < counted) fail("counter"); counted = at; useful[++n_useful] = $10; useful_at[n_useful] = at; next }
{
    if (at < last[lane]) fail("order")
    last[lane] = at
    if (named[lane] != 1 || !process[$2]) fail("no name")
    while (depth[lane] > 0 && until[lane, depth[lane]] <= at) depth[lane]--
}
$1 == "X" {
    end = at + $6
    if ($6 <= 0 || (depth[lane] > 0 && until[lane, depth[lane]] < end)) fail("nesting")
    until[lane, ++depth[lane]] = end
    if (!is_state[$7]) { if (depth[lane] > 1) fail("a phase within " $5); next }
    if (at != covered[lane] + 0) fail("gap")
    covered[lane] = end
    if (end > total) total = end
    if ($2 == 1) spent[$7] += $6
    pieces++
}
$1 == "s" || $1 == "f" { if (depth[lane] < 1) fail("flow outside") }
$1 == "s" { if ($8 in begun) fail("flow twice"); begun[$8] = at; open[$8] = 1; n++; bytes += $9 }
$1 == "f" { if (!open[$8] || at < begun[$8] || $11 != "e") fail("flow"); delete open[$8] }
$1 !~ /^[Xsf]$/ { fail("event") }
BEGIN { split("useful control send receive idle", names, " "); for (i in names) is_state[names[i]] = 1 }
END {
    for (l in covered) if (covered[l] != total) fail("lane ends early")
    for (id in open) fail("flow without end")
    if (n_lanes != lanes) fail("lanes")
    for (i = 1; i <= n_useful; i++) sum += useful[i] * ((i < n_useful ? useful_at[i + 1] : total) - useful_at[i])
    if (sum - spent["useful"] > total / 1000 || spent["useful"] - sum > total / 1000) fail("counter")
    if (bad != "") { print bad > "/dev/stderr"; exit 1 }
    print pieces + 0, n + 0, bytes + 0, spent["useful"] / 1e9, spent["control"] / 1e9, spent["send"] / 1e9,
        spent["receive"] / 1e9, spent["idle"] / 1e9, total / 1e9
}
END

check_chrome() { # FILE ROW LANES
    local row
    jq -r -f chrome.jq "$1" >dump 2>err &&
        row=$(awk -F '\t' -v lanes="$3" -f chrome.awk OFMT=%.15g CONVFMT=%.15g dump 2>err) &&
        agree "$(awk "BEGIN { print 1e-9 * (${row%% *} + 1) }")" "${row#* }" "$2"
}

# has_links FILE ARGUMENT...: the counter of each link that carried anything adds up to the link's busy time, but for half
# a thousandth of the run, to which its values are rounded.
cat >links.jq <<'END'
$run[0].runs[0].time_s as $whole
| reduce (.traceEvents[] | select(.ph == "C" and .pid == 3)) as $event ({};
    .[$event.name] += [{at: ($event.ts / 1e6), busy: ($event.args["busy [%]"] / 100)}])
| map_values((map(.at) + [$whole]) as $at | [range(length) as $i | .[$i].busy * ($at[$i + 1] - $at[$i])] | add)
| . as $counted | [$run[0].runs[0].links[] | select(.messages > 0)] as $links
| ($links | length > 0) and ($links | map(.link) | sort) == ($counted | keys)
    and all($links[]; (.busy_s - $counted[.link]) | fabs <= 0.0005 * $whole + 1e-6)
END
has_links() {
    local file=$1
    run -q -f json --detail links "${@:2}"
    jq -e --slurpfile run out -f links.jq "$file" >dump 2>err
}

# ---- runs ----

scenario ring.xml t800-mesh "name='ring'" rounds=20 ranks=5

# formats NAME LANES ARGUMENT...: a run, with a trace of each format.
formats() {
    local name=$1 lanes=$2 row
    shift 2
    for ending in otf2 paje prv json; do
        run -q -f json -t trace.$ending "$@"
        row=$(account)
        case $ending in
        otf2) check_otf2 "$row" "$lanes" ;;
        paje) check_paje "$row" "$lanes" ;;
        prv) check_paraver "$row" "$lanes" ;;
        json) check_chrome trace.json "$row" "$lanes" && { [ "$lanes" = 1 ] || has_links trace.json "$@"; } ;;
        esac
        note $? "$name: .$ending says otherwise than simrun, $row"
    done
    check "$name leaves no partial files" test -z "$(ls -A | grep partial)"
}

scenarios=$SOURCE_DIR/scenarios
formats "Gauss-Jordan" 5 -s ranks=5 -s n=24 "$scenarios/gj128.xml"
formats "Gauss-Jordan, flat" 4 -s ranks=4 -s n=24 -s broadcast=flat "$scenarios/gj128.xml"
formats "ring" 5 ring.xml
formats "matrix product" 3 "$scenarios/matmul100.xml"
formats "one rank" 1 -s ranks=1 -s n=24 "$scenarios/gj128.xml"
formats "several ranks on a host" 6 -s ranks=6 -s n=24 -s ranks_per_host=3 "$scenarios/gj128.xml"
formats "align, fluid" 12 -s size=2048 -s grid=4x3 -s network=fluid "$scenarios/align.xml"
formats "shared memory" 2 -s ranks=2 -s variant=treadmarks "$scenarios/ncp2-sor.xml"
formats "shared memory, with controllers" 8 -s ranks=4 -s variant=I+P "$scenarios/ncp2-gauss.xml"

# More messages begun at time 0 than the library keeps in a chunk, and all waited for in reverse order.
awk 'function all(rank, other, i) {
        for (i = 0; i < n; i++) print rank, "isend", other, i, 8, 6 "\n" rank, "irecv", other, i, 8, 6
        while (i--) print rank, "wait", rank, other, i
        for (i = n; i--;) print rank, "wait", other, rank, i
    }
    BEGIN { n = 8000; all(0, 1); all(1, 0) }' >crowd.ti
scenario crowd.xml icluster "name='trace' file='crowd.ti'"
run -q -f json -t trace.otf2 crowd.xml
row=$(account)
check_otf2 "$row" 2
note $? "many messages at time 0: .otf2 says otherwise than simrun, $row"
run -q -f json trace.otf2
same 'many messages at time 0, read back' "$(account)" "$row"

# The same run gives the same bytes; only the archive's number is new each time.
for file in a.otf2 b.otf2 a.prv b.prv; do run -q -t $file ring.xml; done
check 'OTF2: twice the same bytes' diff -r a b
check 'OTF2: twice the same definitions' cmp a.def b.def
check 'Paraver: twice the same bytes' cmp a.prv b.prv

# A run that does nothing is a trace, too, which can be read.
printf '0 init\n0 finalize\n1 init\n1 finalize\n' >nothing.ti
for file in nothing.otf2 nothing.prv; do
    run -q -f json -p icluster -t $file nothing.ti
    [ $file = nothing.prv ] || run check $file
    [ $file = nothing.prv ] || run -q -f json $file
    same "$file: a run that does nothing" "$(jq -r '.runs[0] | [.ranks, .time_s + 0] | map(tostring) | join(" ")' out)" '2 0'
done

# ---- what is in the way, and what goes wrong ----

# refuse STATUS PATTERN FILE ARGUMENT...: as expected, with the trace in that file.
refuse() { expect "$1" "$2" -q -o report -t "${@:3}"; }
whole() { timeout 300 otf2-print "$1" 2>&1 | md5sum; }

# A former archive is replaced, fewer lanes than before included; another folder is not.
run -q -s ranks=3 -t a.otf2 ring.xml
same 'OTF2: files of a replaced archive' "$(ls a | wc -l)" 6
otf2-print a.otf2 >out 2>err
note $? 'OTF2: reading a replaced archive'
mkdir mine mine.pcf && touch mine/thing
refuse 2 'there is a folder .*mine, which belongs to something else' mine.otf2 ring.xml
refuse 2 'mine.pcf is a folder' mine.prv ring.xml
refuse 2 'it needs a name before .otf2' ./.otf2 ring.xml
mkdir folder.prv
refuse 2 'not a regular file' folder.prv ring.xml
refuse 2 'cannot be written: No such file' none/x.otf2 ring.xml
refuse 2 'cannot be written: No such file' none/x.prv ring.xml
refuse 2 'cannot be written: Not a directory' ring.xml/x.otf2 ring.xml
[ "$(ls mine)" = thing ] && [ ! -e mine.otf2 ] && [ ! -e mine.row ] && [ ! -e report.partial ]
note $? 'what is refused has changed something'

# A full disk, here a limit on a file's length: nothing new, and what was there before is still there.
before=$(whole a.otf2)
for file in a.otf2 full.prv full.paje; do
    (ulimit -f 300 && "$SIMRUN" -q -s rounds=20000 -s ranks=2 -t $file ring.xml) >out 2>err
    [ $? -eq 1 ] && grep -q "$file: could not be written: File too large" err
    note $? "a full disk: $file"
done
same 'a full disk, and what was there' "$(whole a.otf2)" "$before"
check 'a full disk leaves nothing behind' test -z "$(ls -A | grep -E 'full|partial|spool')"
# No more files can be open, from the first to the last that a run opens: nothing partial stays.
for limit in 5 6 7 8 9 10; do
    for file in few.otf2 few.prv; do
        (ulimit -n $limit && "$SIMRUN" -q --store few.db -t $file ring.xml) >out 2>err
        note $(($? > 2)) "$limit open files: $file"
    done
done
check 'few open files leave nothing partial' test -z "$(ls -A | grep partial)"
rm -rf few*
if [ -c /dev/full ]; then
    ln -s /dev/full device.paje
    refuse 1 'could not be written: No space left' device.paje ring.xml
fi

# Interrupted, or failed while simulating.
for file in a.otf2 int.otf2 int.prv; do
    env --default-signal=INT "$SIMRUN" -q -s rounds=100000000 -s ranks=50 -t $file ring.xml >out 2>err &
    for _ in $(seq 1000); do [ -n "$(ls -A | grep partial)" ] && break || sleep 0.05; done
    sleep 0.2
    kill -INT $!
    wait $! 2>err && note 1 "$file: interrupted, and status 0"
    check "$file: an interrupted run leaves nothing behind" test -z "$(ls -A | grep -E 'int|partial|spool')"
done
same 'an interrupted run, and what was there' "$(whole a.otf2)" "$before"
for ending in otf2 prv; do
    refuse 1 'no decision' decided.$ending -s size=9600 -s grid=2x2 "$scenarios/align.xml"
    check "a failed run leaves no decided.$ending" test -z "$(ls -A | grep -E 'decided|partial')"
done

finish
