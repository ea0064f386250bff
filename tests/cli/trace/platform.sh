#!/usr/bin/env bash
# simrun --platform FILE TRACE: a replay without a scenario, with what was traced beside it; the same as by a scenario.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SOURCE_DIR/tests/shell/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"

"$SIMRUN" -q -s ranks=8 -s n=64 --trace gj.otf2 "$SOURCE_DIR/scenarios/gj256.xml" >/dev/null
cat >by.xml <<X
<scenario name="gj"><platform file="$SOURCE_DIR/platforms/icluster.xml"/><application name="trace" file="gj.otf2"/></scenario>
X
"$SIMRUN" -f json by.xml >scenario.json
"$SIMRUN" -f json --platform "$SOURCE_DIR/platforms/icluster.xml" gj.otf2 >option.json
measures='.runs[] | [.time_s, .state_s, .process_state_s, .critical_path_s, .traced]'
check 'a replay by --platform is that by a scenario' test "$(jq -c "$measures" scenario.json)" = "$(jq -c "$measures" option.json)"
"$SIMRUN" -f json gj.otf2 >traced.json
check 'traced is the analysis of the trace' test "$(jq -c '.runs[0] | [.time_s, (.state_s | [.useful, .control, .send, .receive, .idle])]' traced.json)" = \
    "$(jq -c '.runs[0].traced | [.time_s, [.useful_s, .control_s, .send_s, .receive_s, .idle_s]]' option.json)"
check 'and the factor is simulated / traced' jq -e '.runs[0] | (.time_s / .traced.time_s / .traced.factor - 1) | fabs < 1e-12' option.json
(cd "$SOURCE_DIR" && "$SIMRUN" -p icluster,t800-mesh -s speed=4Gf "$work/gj.otf2") >two
check 'two machines' grep -q '^ *t800-mesh .* x ' two
check 'the answer says how many times as long as traced' grep -q 'times as long as traced' two
check 'what-if' test "$("$SIMRUN" -p "$SOURCE_DIR/platforms/icluster.xml" --what-if=latency -f json gj.otf2 | jq '.runs[0].what_if | length > 0')" = true
check 'a sweep' test "$("$SIMRUN" -p "$SOURCE_DIR/platforms/icluster.xml" -s speed=1Gf,2Gf -f json gj.otf2 | jq '.runs | length')" = 2
check 'a scenario on another machine' test "$(cd "$SOURCE_DIR" && "$SIMRUN" -p icluster-myrinet -s ranks=4 -s grid=2x2 -s size=256 -f json pdgemm2048 | jq -r '.runs[0].platform')" = icluster-myrinet

# Two hosts of four cores: 8 ranks have room, 9 have not.
cat >cores.xml <<X
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="two" routing="Full">
    <prop id="cores" value="4"/>
    <cluster id="hosts" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="100MBps" lat="10us"/>
  </zone>
</platform>
X
check 'as many to a host as it has cores' "$SIMRUN" -q -o out -p cores.xml gj.otf2
"$SIMRUN" -q -s ranks=9 -s n=64 --trace nine.otf2 "$SOURCE_DIR/scenarios/gj256.xml" >/dev/null
"$SIMRUN" -p cores.xml nine.otf2 >out 2>&1 && status=0 || status=$?
check 'no more than that' test $status = 2
check 'and it says so' grep -q '9 ranks on the 2 hosts of .* with 4 per host; at most 8' out

"$SIMRUN" -p nosuch gj.otf2 >out 2>&1 && status=0 || status=$?
check 'a platform that is none' grep -q "^simrun: --platform: 'nosuch' is neither a file nor a platform; known: .*icluster" out
check 'status 2' test $status = 2
"$SIMRUN" --set speed=1Gf gj.otf2 >out 2>&1 && status=0 || status=$?
check 'settings need a machine' grep -q 'platform FILE replays the trace' out
finish
