#!/usr/bin/env bash
# The notebooks: they run to their ends, say what the text around it says, and draw. Target check-notebook; no part of the tests, as
# their packages are large. With a folder it leaves the pages that it has made there.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh" || exit
export PATH=/usr/bin:$PATH # Debian's packages are for Debian's Python
need 'nbconvert, ipykernel and matplotlib (tools/install-packages notebook test)' \
    python3 -c 'import ipykernel, matplotlib, nbconvert, pandas'

# execute NAME: it, which is then run.ipynb, and what it says out.
execute() {
    local notebook=$SOURCE_DIR/python/$1.ipynb
    jq -e 'all(.cells[] | select(.cell_type == "code"); .outputs == [] and .execution_count == null)' "$notebook" >"$work/out"
    note $? "$1 is kept without outputs"
    cp "$notebook" "$work" # where it leaves its traces
    (cd "$work" && PYTHONPATH=$SOURCE_DIR/python PYDEVD_DISABLE_FILE_VALIDATION=1 HOME=$work \
        MPLBACKEND=module://matplotlib_inline.backend_inline \
        jupyter-nbconvert --log-level=ERROR --execute --to notebook --output run.ipynb "$1.ipynb") >"$work/out" 2>"$work/err"
    note $? "$1 runs"
    jq -r '.cells[].outputs[]? | select(.name == "stdout") | .text | add' "$work/run.ipynb" >"$work/out"
    [ -z "$folder" ] || jupyter-nbconvert --log-level=ERROR --to html --output "$folder/$1.html" "$work/run.ipynb" 2>"$work/err"
}
# draws N BYTES: so many pictures of more than so many bytes.
draws() {
    holds "[.cells[].outputs[]? | .data[\"image/png\"]? | values | select(length > $2)] | length == $1" "$work/run.ipynb"
}

folder=${1:+$(realpath "$1")}
execute gauss-jordan
draws 4 30000
said yes 'Mean error against 32 measured times: 2\.3%; largest: 12\.1%\.'
said yes 'Without bandwidth it would take 3\.408 s, -52\.6 %'
said yes 'multipath is the best on 8 of 8 topologies'
said yes 'Fastest: 8 ranks, platform icluster-myrinet in 109\.4 ms; 92 % of its critical path is processing'
execute traces
draws 4 15000
said yes 'new is 1\.53 times as fast as old \(1\.788 s to 1\.172 s\): MPI_Ssend takes 897\.9 ms less, which new does not call'
said yes ' MPI_Send 710 '
said yes 'Delays cost 3392\.8 ms of waiting; rank 2 causes most of it\.'
said yes 'From broadcast 10 to 19 it takes 148\.0 ms of 1171\.6 ms\.'
finish
