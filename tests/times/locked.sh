#!/usr/bin/env bash
# A store that another program has locked is waited for once, not for each of its statements.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

scenario "$work/own.xml" icluster "name='broadcast'" ranks=2
run -q --store "$work/own.db" "$work/own.xml"
coproc LOCKER { sqlite3 "$work/own.db"; }
echo 'BEGIN EXCLUSIVE; SELECT 1;' >&"${LOCKER[1]}"
read -r _ <&"${LOCKER[0]}"
SECONDS=0
expect 1 'own.db: is locked: another program .* try again' --store "$work/own.db" -s bytes=3 "$work/own.xml"
check "after $SECONDS s, not three times two" test $SECONDS -lt 5
eval "exec ${LOCKER[1]}>&-"
wait
finish
