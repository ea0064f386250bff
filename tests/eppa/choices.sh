#!/usr/bin/env bash
# The collectives of `openmpi` send what Open MPI sends, whose component pml/monitoring counts the messages within its
# collectives: for each ordered pair of ranks, the number of messages and of bytes.
#
#     choices.sh [--few]    --few: 23 collectives instead of 681
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SOURCE_DIR/tests/shell/needs.sh"
need "programs of Open MPI" test -x "$BUILD_DIR/tests/mpi_one_collective"
PATH=$BUILD_DIR/tests/openmpi:$PATH
need mpirun command -v mpirun
need "Open MPI 4.1, whose decisions these are" grep -q ' 4\.1\.' <(mpirun --version)
need "Open MPI's component pml/monitoring" grep -q 'pml: monitoring' <(ompi_info)
. "$SOURCE_DIR/tests/shell/mpi.sh"
unset OMPI_MCA_pml # which monitoring is, too
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"

# Both sides of every decision for so many ranks.
kinds=${KINDS:-broadcast scatter gather reduce allreduce allgather alltoall barrier}
ranks="2 3 4 5 7 8 13 16"
lengths="8 64 256 1024 2048 4096 8192 16384 32768 65536 262144 1048576"
if [ "${1-}" = --few ]; then
    ranks="2 5" lengths="256 16384" # of two ranks only the first
fi

# Messages that a collective has sent, as lines FROM TO MESSAGES BYTES.
real() {
    rm -f sent.*.prof
    mpirun --allow-run-as-root --oversubscribe --bind-to none -n "$2" --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
        --mca pml_monitoring_filename "$work/sent" "$BUILD_DIR/tests/mpi_one_collective" "$1" "$3" </dev/null >/dev/null
    awk '$1 == "I" && $6 > 0 { print $2, $3, $6, $4 }' sent.*.prof | sort
}

simulated() {
    cat >one.xml <<END
<scenario name='one'><platform file='$SOURCE_DIR/platforms/icluster.xml'/><application name='collective'/>
<param name='collective' value='$1'/><param name='ranks' value='$2'/><param name='bytes' value='$3'/><param name='$1' value='openmpi'/></scenario>
END
    "$SIMRUN" -q -f json --detail messages one.xml |
        jq -r '.runs[0].communication_matrix[]? | "\(.from) \(.to) \(.messages) \(.bytes)"' | sort
}

# Vectors are cut between elements of 8 bytes there, between bytes here.
same() {
    [ "$(cut -d ' ' -f 1-3 there)" = "$(cut -d ' ' -f 1-3 here)" ] &&
        paste -d ' ' there here | awk '{ off = $4 - $8; if (off > 8 * $3 || off < -8 * $3) exit 1 }'
}

# Where the ranks are no power of two, Rabenseifner's algorithm begins with an exchange of halves there, and here with whole
# vectors: fewer messages, and bytes. In recursive doubling others are paired first, as many.
is_known() {
    [ $(($2 & ($2 - 1))) -ne 0 ] && case $1 in
        allreduce) [ "$3" -ge $(($2 < 4 ? 262144 : 8192)) ] ;;
        barrier) [ "$2" -lt 4 ] || [ "$2" -gt 8 ] ;;
        *) false ;;
        esac
}

n=0 failed=0 known=0 uncounted=0
compare() {
    local kind=$1 p=$2 bytes=$3
    n=$((n + 1))
    real "$kind" "$p" "$bytes" >there
    if [ "$kind" = barrier ]; then bytes=0; fi
    simulated "$kind" "$p" "$bytes" >here
    if [ ! -s there ]; then
        uncounted=$((uncounted + 1)) # the component does not see how linear_sync sends
    elif is_known "$kind" "$p" "$bytes"; then
        known=$((known + 1))
    elif ! same; then
        failed=$((failed + 1))
        echo "FAILED: $kind of $bytes B, $p ranks: $(awk '{ m += $3; b += $4 } END { print m + 0, b + 0 }' there) messages and bytes," \
            "simulated $(awk '{ m += $3; b += $4 } END { print m + 0, b + 0 }' here)"
        diff there here | head -n 4 || true
    fi
}

for kind in $kinds; do
    for p in $ranks; do
        for bytes in $lengths; do
            [ "${1-}" != --few ] || [ "$p $bytes" != "2 16384" ] || continue
            [ "$kind" != barrier ] || [ "$bytes" = "${lengths%% *}" ] || continue
            compare "$kind" "$p" "$bytes"
        done
    done
done
compare broadcast 8 100000 # SMPI does it in another way
echo "$n collectives, $failed with other messages; $known of ranks that Open MPI pairs otherwise, $uncounted not counted"
exit $((failed > 0))
