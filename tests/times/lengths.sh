#!/usr/bin/env bash
# lengths.sh [hosts]: what this computer's messages and collectives take, of every length, beside what simrun says of the
# platform that calibrate has made of it: ping-pongs within 5 % at every power of two from 1 B to 4 MiB, broadcasts, allreduces
# and all-to-alls of two ranks within 10 % from 8 B to 1 MiB. With hosts, the processes are on two hosts, as mpirun sees it: this
# computer under two names, connected by TCP over loopback; then ping-pongs alone are held, within 15 %, because the processors do
# the network's work as well. Wants the computer for itself; what does not fit is tried again, calibration included.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
set -eo pipefail
. "$SOURCE_DIR/tests/shell/needs.sh"
need "programs of Open MPI" test -x "$BUILD_DIR/tests/mpi_chain"
PATH=$BUILD_DIR/tests/openmpi:$PATH
need mpirun command -v mpirun
cd "$work"
between=${1:-cores} bound=0.05
launch=(mpirun --allow-run-as-root --oversubscribe --bind-to none)
if [ "$between" = hosts ]; then
    bound=0.15
    need "names of hosts of one's own (unshare --uts)" unshare --uts hostname other
    printf '#!/bin/sh\n# agent HOST COMMAND...\nshift\nexec unshare --uts sh -c "hostname other; $*"\n' >agent
    chmod +x agent
    launch+=(--host "localhost:2,127.0.0.2:2" --mca plm_rsh_agent "$work/agent" --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo)
fi
rounds=20 starts=5 attempts=${ATTEMPTS:-3} calls=20

# lines RANK KIND BYTES: that rank's part of a TI trace with so many calls.
lines() {
    awk -v rank="$1" -v kind="$2" -v bytes="$3" -v calls=$calls '
        function message(from) { print rank, rank == from ? "send" : "recv", 1 - rank, 0, bytes, 6 }
        BEGIN {
            print rank, "init"
            for (i = 0; i < calls; i++)
                if (kind == "pingpong") message(i % 2)
                else if (kind == "bcast") { print rank, "bcast", bytes, 0, 6; message(1) }
                else if (kind == "allreduce") print rank, "allreduce", bytes / 8, 0, 0
                else print rank, "alltoall", bytes, bytes, 6, 6
            print rank, "finalize"
        }'
}

# Simulated time of a call, in microseconds.
simulate() {
    lines 0 "$1" "$2" >0.txt
    lines 1 "$1" "$2" >1.txt
    printf '0.txt\n1.txt\n' >calls.ti
    "$SIMRUN" -q -f json calls.xml | jq ".runs[0].time_s / $calls * 1e6"
}

# Time of a broadcast alone: without its answer, which is half a ping-pong.
compare() {
    awk '
        NR == FNR { real[$1, $2] = $3; next }
        { simulated[$1, $2] = $3; order[++n] = $1 " " $2 }
        END {
            for (i = 1; i <= n; i++) {
                split(order[i], at, " ")
                r = real[at[1], at[2]]; s = simulated[at[1], at[2]]
                if (at[1] == "bcast") { r -= real["pingpong", at[2]]; s -= simulated["pingpong", at[2]] }
                print at[1], at[2], r, s, s / r - 1
            }
        }' real simulated
}

time_calls() {
    local way=() kind
    if [ "$between" = hosts ]; then way=(--map-by node); fi
    for kind in pingpong bcast allreduce alltoall; do
        "${launch[@]}" "${way[@]}" -n 2 "$BUILD_DIR/tests/mpi_chain" $kind $rounds </dev/null
    done
}

# Between hosts, and within the first one.
calibrate() {
    if [ "$between" = cores ]; then
        "$SIMRUN" calibrate -q here.xml
    else
        "${launch[@]}" -n 3 "${SIMRUN%/*}/simrun-calibrate" here.xml </dev/null
    fi
}

# Print the median for each kind and length of lines KIND BYTES VALUE, in the order in which they come first.
medians() {
    awk '!(($1, $2) in n) { order[++kinds] = $1 " " $2 } { at = $1 SUBSEP $2; value[at, ++n[$1, $2]] = $3 }
        END {
            for (k = 1; k <= kinds; k++) {
                split(order[k], part, " "); at = part[1] SUBSEP part[2]; m = n[at]
                for (i = 1; i <= m; i++) {
                    below = 0
                    for (j = 1; j <= m; j++) below += value[at, j] < value[at, i] || (value[at, j] == value[at, i] && j < i)
                    if (below == int(m / 2)) print order[k], value[at, i]
                }
            }
        }'
}

# Each start of the processes has its own memory, and the computer is now slower and now faster: several are measured, and as
# many calibrated, by turns.
measure() {
    local kind bytes i
    : >all.real
    : >all.simulated
    scenario calls.xml here.xml "name='trace' file='calls.ti'"
    for ((i = 0; i < starts; i++)); do
        time_calls >now
        cat now >>all.real
        calibrate
        time_calls >>all.real
        while read -r kind bytes _; do echo "$kind $bytes $(simulate "$kind" "$bytes")"; done <now >>all.simulated
    done
    medians <all.real >real
    medians <all.simulated >simulated
    compare >table
}

# within KIND BOUND
within() {
    awk -v kind="$1" -v bound="$2" '$1 == kind { n++; if ($5 > bound || $5 < -bound) wrong++ } END { exit !(n > 10 && !wrong) }' table
}

fits() {
    within pingpong $bound &&
        { [ "$between" = hosts ] || { within bcast 0.1 && within allreduce 0.1 && within alltoall 0.1; }; }
}

for ((attempt = 1; attempt <= attempts; attempt++)); do
    measure
    if fits; then break; fi
done
echo "two processes of this computer, between its $between; medians of $((2 * starts)) starts of $rounds rounds, and of $starts calibrations"
printf '%-10s %8s %12s %12s %10s\n' call bytes 'real [us]' 'simul. [us]' deviation
awk '{ printf "%-10s %8d %12.3f %12.3f %+9.1f %%\n", $1, $2, $3, $4, 100 * $5 }' table
check "ping-pongs within $bound" within pingpong $bound
if [ "$between" = hosts ]; then
    check "knows two hosts with cores" grep -q 'radical="0-1".* core="' here.xml
    for prop in cores local_eager_limit local.4 message.4 exchange.4; do
        check "gives $prop" grep -q "<prop id=\"$prop\"" here.xml
    done
    finish
fi
for kind in bcast allreduce alltoall; do check "$kind within 10 %" within $kind 0.1; done
finish
