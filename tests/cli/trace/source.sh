#!/usr/bin/env bash
# The source of a traced program beside what its lines cost: as text, and what is not found or refused.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
traces=$SOURCE_DIR/tests/data/traces
mkdir -p tree/deep tree/.hidden twice

# A source of numbered lines, of which one is hostile: HTML, a colour of the terminal, and what is no UTF-8.
seq -f '    line %g' 1 120 >tree/deep/causes.c
sed -i '29s/.*/\tsum(<b>\x1b[31m\xff\&);/' tree/deep/causes.c
echo hidden >tree/.hidden/causes.c
ln -s deep tree/link

run --source tree "$traces/causes-stencil.otf2"
said yes 'causes\.c:29 +[0-9.]+ ms +[0-9.]+ ms +wait at N x N, for rank 0 +sum\(<b>\?\[31m\?&\);'
said no 'several files have the same name'
narrow
# Each line has the time of its sites, and the rank is the one that a site waits for longest.
run -f json "$traces/causes-stencil.otf2"
holds '.runs[0].site_waits | map(select(.site == "causes.c:29 in stencil")) |
    length == 1 and .[0].for_rank == 0 and .[0].for_rank_s > 0.98 * .[0].time_s and .[0].for_rank_s <= .[0].time_s'
holds '.runs[0] | (.site_waits | map(.time_s) | add) as $waits | (.sites | map(.idle_s) | add) - $waits | fabs < 1e-9'

cp tree/deep/causes.c twice
run --source tree,twice "$traces/causes-stencil.otf2"
said yes 'several files have the same name; shown: tree/deep/causes\.c'
run --source "$work/tree/.hidden/.." "$traces/causes-stencil.otf2"
said no 'not found'
mkdir empty
run --source empty "$traces/causes-stencil.otf2"
said yes 'causes\.c:106 [0-9.]+ ms [0-9.]+ ms wait at barrier, for rank 0'
said yes '--source: not found: causes\.c'
check 'a source shorter than the line' cp /dev/null twice/causes.c
run --source twice "$traces/causes-stencil.otf2"
said yes 'causes\.c:106 [0-9.]+ ms [0-9.]+ ms wait at barrier, for rank 0'


# Another version of the file has other lines; in the right one each line has its call, to which a long one is cut.
run --source tree "$traces/causes-stencil.otf2"
said yes 'tree/deep/causes\.c: ([0-9]+) of \1 lines do not exist or lack the name of what they call'
run -f json "$traces/causes-stencil.otf2"
jq -r '.runs[0].sites[] | (.site | capture(":(?<line>[0-9]+)").line) + " " + .function' "$work/out" >calls
mkdir right
awk 'FNR == NR { call[$1] = $2; next } { print FNR in call ? "    " $0 ";;;;;;;;;;;;;;;;;;;;;;;;;;;;; " tolower(call[FNR]) "(1, 2);" : $0 }' \
    calls tree/deep/causes.c >right/causes.c
run --source right "$traces/causes-stencil.otf2"
said no 'lack the name'
said yes 'causes\.c:106 .*\.\.\. mpi_[a-z]+\(1, 2\);'

expect 2 '--source: nowhere: No such file or directory' --source nowhere "$traces/causes-stencil.otf2"
expect 2 '--source: twice/causes.c: Not a directory' --source twice/causes.c "$traces/causes-stencil.otf2"
expect 2 'the trace has no call sites; record it with EPPA_SITES=1' --source tree "$traces/asleep.otf2"
expect 2 '--source is about a traced run; what is simulated has scopes in place of lines' --source tree gj256
finish
