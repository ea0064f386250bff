#!/usr/bin/env bash
# The notebook: it runs to its end, says what the text around it says, and draws. Target check-notebook; no part of the tests, as
# its packages are large. With a file name it leaves the page that it has made there.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh" || exit
export PATH=/usr/bin:$PATH # Debian's packages are for Debian's Python
need 'nbconvert, ipykernel and matplotlib (tools/install-packages notebook test)' \
    python3 -c 'import ipykernel, matplotlib, nbconvert, pandas'

notebook=$SOURCE_DIR/python/gauss-jordan.ipynb
jq -e 'all(.cells[] | select(.cell_type == "code"); .outputs == [] and .execution_count == null)' "$notebook" >"$work/out"
note $? 'the notebook is kept without outputs'
PYTHONPATH=$SOURCE_DIR/python PYDEVD_DISABLE_FILE_VALIDATION=1 HOME=$work MPLBACKEND=module://matplotlib_inline.backend_inline \
    jupyter-nbconvert --log-level=ERROR --execute --to notebook --output "$work/run.ipynb" "$notebook" >"$work/out" 2>"$work/err"
note $? 'the notebook runs'
jq -r '.cells[].outputs[]? | select(.name == "stdout") | .text | add' "$work/run.ipynb" >"$work/out"
holds '[.cells[].outputs[]? | .data["image/png"]? | values | select(length > 30000)] | length == 4' "$work/run.ipynb"
said yes 'Mean error against 32 measured times: 2\.3%; largest: 12\.2%\.'
said yes 'Without bandwidth it would take 3\.408 s, -52\.2 %'
said yes 'multipath is the best on 8 of 8 topologies'
said yes 'Fastest: 8 ranks, platform icluster-myrinet in 109\.4 ms; 92 % of its critical path is processing'
[ $# -eq 0 ] || jupyter-nbconvert --log-level=ERROR --to html --output "$(realpath "$1")" "$work/run.ipynb" 2>"$work/err"
finish
