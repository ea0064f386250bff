#!/usr/bin/env bash
# The texts of the labs, where they speak of a number or a picture: each remark below is what the simulator says. The
# solutions have theirs beside the numbers (solutions.sh).
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# claim LAB WORDS EXPRESSION-OF-JQ ARGUMENTS...: the words stand in the text, and the expression is true.
claim() {
    local lab=$1 words=$2 expression=$3
    shift 3
    check "$lab: the text says: $words" grep -qF -- "$words" <(tr -s '\n ' ' ' <"$SOURCE_DIR/labs/$lab.md")
    check "$lab: $words" jq -e "$expression" <("$SIMRUN" -q -f json "$@")
}

claim 1-gauss-jordan 'on one processor, it took 78.15 s' '.runs[0].reference.measured_s == 78.15' --set ranks=1 gj256
claim 1-gauss-jordan 'The speedup is ranks / (1 + their sum), exactly.' \
    '.runs | all((.overhead_ratio | add) as $sum | .speedup * (1 + $sum) / .ranks - 1 | fabs < 1e-9)' gj256
claim 1-gauss-jordan 'On 64 processors the sum is 486 %, that is 4.86, and 64 / 5.86 = 10.9' \
    '.runs[0] | (.overhead_ratio | add * 100 | round) == 486 and (.speedup * 10 | round) == 109' --set ranks=64 gj256
claim 2-broadcasts 'On the Pentium II cluster a = 100 µs and b = 0.108 µs.' \
    '.runs | all(.time_s - 100e-6 - 0.1075e-6 * .parameters.bytes | fabs < 2e-6)' \
    --set platform=pentium2-cluster --set ranks=2 --set bytes=64,1KiB,64KiB --set broadcast=flat broadcast-crossover
claim 3-own-broadcast 'takes 6 ms from one to another' '.runs[0].time_s - 0.006 | fabs < 0.0001' \
    --set ranks=2 --set broadcast=own own-broadcast
claim 3-own-broadcast 'takes its processor 30 µs' '.runs[0].process_state_s.send[0] == 0.00009' \
    --set ranks=8 --set broadcast=own own-broadcast
claim 3-own-broadcast 'half of the ranks only receive' '[.runs[0].process_state_s.send[] | select(. == 0)] | length == 4' \
    --set ranks=8 --set broadcast=own own-broadcast
everywhere=(--set platform=icluster,icluster-gigabit,icluster-myrinet --set bytes=64,1KiB,8KiB,64KiB,256KiB,1MiB
    --set broadcast=own,flat,binomial,chain_segmented,scatter_doubling own-broadcast)
columns='[.runs | group_by([.parameters.platform, .parameters.bytes])[] | (map(.time_s) | min) as $best |
    map({broadcast: .parameters.broadcast, bytes: .parameters.bytes, factor: (.time_s / $best)})[]]'
claim 3-own-broadcast 'With 1 KiB nobody is faster than *binomial*' \
    "$columns | map(select(.bytes == 1024 and .broadcast == \"binomial\")) | length == 3 and all(.factor == 1)" "${everywhere[@]}"
claim 3-own-broadcast 'from 256 KiB on, nobody is faster than *chain_segmented*' \
    "$columns | map(select(.bytes >= 262144 and .broadcast == \"chain_segmented\")) | length == 6 and all(.factor == 1)" \
    "${everywhere[@]}"
claim 3-own-broadcast 'it is the fastest in 6 of 18 columns, as *chain_segmented* is, but nowhere takes more than 2.6' \
    "$columns | map(select(.broadcast == \"scatter_doubling\").factor) |
        length == 18 and (map(select(. == 1)) | length) == 6 and max < 2.6 and max > 2.5" "${everywhere[@]}"
claim 3-own-broadcast 'The first place goes to *scatter_doubling*' \
    '[.runs | group_by(.parameters.broadcast)[] | [(map(.time_s | log) | add), .[0].parameters.broadcast]] | min[1] == "scatter_doubling"' \
    "${everywhere[@]}"
claim 4-topologies 'one row of the matrix is full' \
    '[.runs[0].communication_matrix | group_by(.from)[] | length] | sort | .[-1] == 63 and .[-2] < 9' \
    --detail all --set n=64 --set ranks=64 --set topology=mesh --set broadcast=binomial gj-topologies
claim 4-topologies 'It sends twice as many bytes as any other.' \
    '[.runs[0].communication_matrix | group_by(.from)[] | map(.bytes) | add] | sort | .[-1] / .[-2] - 2 | fabs < 0.01' \
    --detail all --set n=64 --set ranks=64 --set topology=mesh --set broadcast=binomial gj-topologies
claim 4-topologies 'A mesh of 128 hosts has 232 wires, a hypercube 448' \
    '[.runs[].links | map([.from, .to] | sort) | unique | length] == [232, 448]' \
    --detail all --set n=128 --set ranks=128 --set broadcast=flat --set topology=mesh,hypercube gj-topologies
claim 4-topologies 'To initialize these 8128 takes 10 s' \
    '.runs[0].time_s - .runs[1].time_s | . > 9 and . < 11' \
    --set n=128 --set broadcast=binomial --set topology=complete,star gj-topologies
claim 4-topologies 'A root in the center is better with every broadcast' \
    '.runs | group_by(.parameters.broadcast)[] | max_by(.time_s).parameters.root == "edge"' \
    --set ranks=64 --set root=edge,centre --set broadcast=binomial,neighbour,flat gj256
claim 5-bottlenecks 'On one processor memory is the bottleneck' '.runs[0].b_ratio.memory > 1' --set ranks=1 gj256
claim 5-bottlenecks 'The gains add up to more than the whole time' \
    '.runs[0].what_if | [to_entries[] | select(.key | endswith(".gain")).value] | add > 1' \
    --what-if --set platform=icluster-myrinet replay-heat
claim 5-bottlenecks '*imbalance* gains less than its share' '.runs[0].what_if | .["imbalance.gain"] < .["imbalance.share"]' \
    --what-if --set platform=icluster-myrinet replay-heat
claim 5-bottlenecks '*bandwidth* gains more than its share' '.runs[0].what_if | .["bandwidth.gain"] > .["bandwidth.share"]' \
    --what-if --set platform=icluster-myrinet replay-heat
claim 6-grids 'which is off by 0.3 % at most on 4 x 8 here' '.runs[0].forecast_error | fabs < 0.003' --set grid=4x8 pdgemm2048
claim 6-grids 'there it says twice the time' '.runs[0] | .forecast_s / .time_s - 2 | fabs < 0.05' \
    --set grid=4x8 --set size=512 pdgemm2048
claim 7-shared-memory 'Nearly all of each processor'"'"'s bar is *Program*' '.runs | all(.utilisation > 0.975 and .utilisation < 0.99)' \
    --set ranks=8 ncp2-jacobi
claim 7-shared-memory 'then even less is lost' \
    '.runs | group_by(.parameters.variant) | all(max_by(.ranks).utilisation < min_by(.ranks).utilisation)' \
    --set ranks=2,8 ncp2-jacobi
claim 7-shared-memory 'Two rows on a page take even longer than four' '.runs | .[1].time_s > .[0].time_s' \
    --set variant=treadmarks --set ranks=2 --set n=127 --set align=1KiB,2KiB ncp2-gauss
claim 9-dragonfly '2 KiB on 8 ranks' '.runs[0] | .reference.measured_s == 4.35e-5 and (.time_s * 1e7 | round) == 227' \
    --set ranks=8 --set bytes=2KiB --set allreduce=rabenseifner lumi-allreduce
claim 9-dragonfly '32 bytes: the model is 6 to 8 % too fast' \
    '[.runs[] | 1 - .time_s / (.reference.measured_s // empty)] | length > 3 and min > 0.055 and max < 0.085' \
    --set ranks=8,16,32 --set bytes=32 lumi-allreduce
claim 9-dragonfly 'These are 1022 steps on 512 ranks' '.runs[0] | .messages / .ranks == 1022' \
    --set ranks=512 --set bytes=32 --set allreduce=ring lumi-allreduce
claim 9-dragonfly '26 vectors share a wire' '([.runs[0].links[].bytes] | max) / 4194304 / 5 | round == 26' \
    --detail links --set ranks=512 --set bytes=4MiB --set allreduce=recursive_doubling lumi-allreduce
claim 10-overlap 'a square grid is among the best: it sends the least' '.runs | .[0].bytes < .[1].bytes' --set ranks=64 --set grid=8x8,64x1 --set n=512 --set overlap=no stencil-overlap
claim 10-overlap '8x8 is the best' '.runs | min_by(.time_s).parameters.grid == "8x8"' \
    --set ranks=64 --set grid=64x1,16x4,8x8,4x16 --set n=512 --set overlap=offload stencil-overlap

# The order of what happens to one page of two nodes, in the timeline of lab 7.
"$SIMRUN" -q -o /dev/null --trace "$work/page.json" --set variant=treadmarks --set ranks=2 --set n=7 --set align=512 ncp2-gauss
check 'lab 7: barrier, fetch of a page and twin on rank 1; then fetch of diffs and twin on rank 0' jq -e '
    def first(rank; name): [.traceEvents[] | select(.ph == "X" and .tid == rank and (.name | endswith("/" + name))).ts] | min;
    first(2; "barrier") < first(2; "page") and first(2; "page") < first(2; "twin") and
    first(2; "twin") < first(1; "diff") and first(1; "diff") < first(1; "twin") and first(1; "page") > first(2; "page")' "$work/page.json"
finish
