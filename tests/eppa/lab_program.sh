#!/usr/bin/env bash
# The commands of lab 8, as its text has them: a student's own trace of heat.c, on fewer ranks, becomes one for the page.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq

use_mpi openmpi
cp "$SOURCE_DIR/labs/programs/heat.c" .
PATH=${SIMRUN%/*}:$PATH
sed -n '/^```sh$/,/^```$/{/^```/d; p}' "$SOURCE_DIR/labs/8-real-program.md" | sed 's/-n 4/-n 2/; s/ 1440 40$/ 360 40/' >commands
[ "$(wc -l <commands)" -ge 5 ] || fail "commands of the lab: $(cat commands)"
bash -eu commands >out 2>&1 || fail "$(cat out)"
grep -q '</html>' heat.html || fail "no page"
simrun -q -f json -p icluster heat.ti >replay.json || fail "the replay"
jq -e '.runs[0] | .ranks == 2 and .overhead_ratio.idle != null and .messages > 2 * 40' replay.json >/dev/null ||
    fail "the replay has other messages: $(jq -c '.runs[0] | [.ranks, .messages]' replay.json)"
exit $((failed > 0))
