#!/usr/bin/env bash
# seeds.sh TARGET FOLDER: make the inputs that the fuzzing of a target begins with: the project's own files, and the
# traces and stores that simrun (SIMRUN) writes of small scenarios. FOLDER is made anew.
# SPDX-License-Identifier: BSD-3-Clause
set -eu
target=$1
seeds=$2
rm -rf "$seeds"
mkdir -p "$seeds"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pack NAME FILE...: one input that stands for several files (FUZZ_SEPARATOR); one that is not there is empty.
pack() {
    local name=$1 between=
    shift
    for file in "$@"; do
        printf '%s' "$between"
        [ ! -e "$file" ] || cat "$file"
        between=$'\n--8<--\n'
    done >"$seeds/$name"
}

# simulate SCENARIO ARGUMENT...: run one of the project's scenarios, made small.
simulate() {
    "$SIMRUN" -q "$SOURCE_DIR/scenarios/$1.xml" "${@:2}" >/dev/null
}

# pack_archive STEM NAME: the archive STEM.otf2, with and without its locations' own definitions.
pack_archive() {
    local whole=("$1.otf2" "$1.def") alone=("$1.otf2" "$1.def")
    for ((rank = 0; rank < $(find "$1" -name '*.evt' | wc -l); rank++)); do
        whole+=("$1/$rank.def" "$1/$rank.evt")
        alone+=("$1/none" "$1/$rank.evt")
    done
    pack "$2" "${whole[@]}"
    pack "$2-alone" "${alone[@]}"
}

# pack_ti NAME: the TI trace work/NAME.ti as one file, and as a file for each of its two ranks.
pack_ti() {
    pack "$1" "$work/$1.ti"
    printf '0.ti\n1.ti\n' >"$work/list"
    for rank in 0 1; do grep "^$rank " "$work/$1.ti" >"$work/$rank"; done
    pack "$1-list" "$work/list" "$work/0" "$work/1"
}

# all_actions RANK: a TI trace's lines for a rank, with every action there is.
all_actions() {
    local other=$((1 - $1))
    sed "s/^/$1 /" <<END
init
comm_size 2
compute 1e6
compute 5 control
sleep 1e-9
isend $other 1 10 6
irecv $other 1 10 6
test $other $1 1
wait $other $1 1
waitall
sendRecv 4 $other 4 $other
send $other 2 3 synchronous
recv $other 2 3
barrier
bcast 10 1
reduce 10 99 1
allreduce 10 99
scan 8 1
exscan 8 1
alltoall 1 2
allgather 1 2
gather 1 2
scatter 1 2
gatherv 3 3 4 0
allgatherv 3 3 4
scatterv 3 4 3 0
reducescatter 3 4 9
alltoallv 7 3 4 7 3 4
location 5
finalize
END
}

# copy_bad KIND: the scenarios or platforms with mistakes; folders have files of the same name.
copy_bad() {
    local file name
    for file in "$SOURCE_DIR/tests/data/bad/$1"/*/*.xml; do
        name=${file#"$SOURCE_DIR/tests/data/bad/"}
        cp "$file" "$seeds/${name//\//-}"
    done
}

# run_members: a run's bytes up to its result.
run_members() {
    printf '\4\0\0\0none\5\0\0\0quiet\2\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0a\n'
    head -c 24 /dev/zero
}

case $target in
scenario)
    cp "$SOURCE_DIR"/scenarios/*.xml "$seeds"
    copy_bad scenario
    ;;
lab)
    cp "$SOURCE_DIR"/labs/*.md "$seeds"
    printf '```question\nscenario s\nask a b\nanswer x of most y if z >= 0.5\nwithin 5 %%\nunit ms 0.001\n```\n' >"$seeds/condition"
    ;;
submission)
    printf '{"simrun_work": 1, "name": "Ann", "labs": {"1-gauss-jordan": {"answers": {"1": {"given": "16", "value": 16, "when": "t"}},
        "predictions": {"1": {"points": [1, 2.5], "when": "u"}}}, "3-own-broadcast": {"values": {"1": {"lines": "0 -> 1\\n"}}}}}' >"$seeds/work"
    ;;
own) cp "$SOURCE_DIR"/scenarios/own/*.txt "$seeds" ;;
reference) cp "$SOURCE_DIR"/scenarios/reference/*.csv "$seeds" ;;
platform | simgrid)
    # Larger ones have nothing that those do not have.
    find "$SOURCE_DIR/platforms" -name '*.xml' -size -8192c -exec cp -t "$seeds" {} +
    copy_bad platform
    cp "$SOURCE_DIR"/tests/data/foreign/platform/*.xml "$seeds"
    for file in $(grep -lE 'costs_from|_file=' "$seeds"/*); do
        sed -e 's/\(id="costs_from" value="\)[^"]*/\1costs.xml/' -e 's/\(_file="\)[^"]*/\1profile.txt/' \
            "$file" >"$work/platform"
        pack "${file##*/}" "$work/platform" "$SOURCE_DIR/platforms/icluster.xml" \
            "$SOURCE_DIR/platforms/profiles/n1-speed.txt"
    done
    ;;
machine)
    "$SIMRUN" platform --text --set topology=torus --set ranks=4 "$SOURCE_DIR/scenarios/gj256.xml" >"$seeds/torus"
    "$SIMRUN" platform --text --set topology=fat_tree --set ranks=4 "$SOURCE_DIR/scenarios/ncp2-tsp.xml" >"$seeds/tree"
    cat >"$seeds/edges" <<END
# three hosts in a row
eager_limit 1KiB
host h0 1Gf
host h1 1Gf
host h2 1Gf
router r
link a 1MBps 1us
link b 1MBps 1us
pipe c
edge h0 h1 a
edge h1 h0 b
edge h1 r c
edge r h2 a
edge h2 h1 b
END
    cat >"$seeds/routes" <<END
host h0 1Gf
host h1 1Gf
link a 1MBps 1us
link b 1MBps 1us
route h0 h1 a b
route h1 h0 a
END
    ;;
profile)
    for file in "$SOURCE_DIR"/platforms/profiles/* "$SOURCE_DIR"/tests/data/bad/platform/profile/*.txt; do
        for kind in 0 1 2; do { printf '%s' $kind; head -c 500 "$file"; } >"$seeds/$kind-${file##*/}"; done
    done
    ;;
ti)
    simulate matmul100 --set n=8 --set ranks=2 -t "$work/matmul.ti"
    all_actions 0 >"$work/all.ti"
    all_actions 1 >>"$work/all.ti"
    for name in matmul all; do pack_ti $name; done
    ;;
benchmark)
    cp "$SOURCE_DIR/tests/data/benchmark/osu.txt" "$seeds/"
    printf 'bytes,latency_us,pairs\n1,1,1\n2,2,1\n3,3,2\n64,4,1\n128,4,1\n' >"$seeds/table.csv"
    printf '# Benchmarking Uniband\n# #processes = 4\n #bytes #repetitions   Mbytes/sec      Msg/sec\n 8 1000 1.0 2000\n' >"$seeds/imb.txt"
    printf '1 0.276301 0.00002761\n2 0.550881 0.00002770\n' >"$seeds/netpipe.txt"
    printf '  0:       1 bytes   1000 times -->      0.28 Mbps in      27.61 usec\n' >"$seeds/netpipe-log.txt"
    printf '#p0\tp1\tdist\tlen\tave time (us)\trate\n0\t1\t1\t32\t2.5\t1.280e+07\n' >"$seeds/mpptest.txt"
    printf 'SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=top Switches=s[0-1]\n' >"$seeds/topology.conf"
    printf '<topology>\n<object type="Machine">\n<object type="Core"/>\n' >"$seeds/lstopo.xml"
    printf 'switchguid=0x1(1)\nSwitch\t36 "S-1"\t# "x"\n[1]\t"H-a"[1](1) # "a" lid 2 4xEDR\n[2]\t"S-2"[1] # "y" lid 3 4xQDR\nSwitch\t36 "S-2"\t# "y"\n[1]\t"S-1"[2] # lid 3 4xQDR\n[2]\t"H-b"[1](1) # "b" lid 4 4xEDR\n' >"$seeds/fabric.txt"
    ;;
dataset)
    for file in "$SOURCE_DIR"/tests/data/bad/dataset/*/*.txt; do
        folder=${file%/*}
        cp "$file" "$seeds/bad-${folder##*/}-${file##*/}"
    done
    printf 'n,kind,"time [ms]"\r\n# two\r\n1,a,0.5\r\n2,"b, c",1e3\r\n' >"$seeds/quoted.csv"
    printf '\357\273\277n;t_s\n1;0.5\n' >"$seeds/marked.csv"
    printf 'n\tt_s\n1\t0.5\n' >"$seeds/tabs.csv"
    printf '{"p": 4, "t": 1.5}\n{"p": 8, "t": -1e-3}\n' >"$seeds/rows.jsonl"
    printf '[{"kind": "\\u00e9\\ud83d\\ude00", "t": 1}]' >"$seeds/list.json"
    printf '{"params":{"p":4},"metric":"t","callpath":"main->f","value":[1,2]}\n' >"$seeds/extrap.jsonl"
    printf 'PARAMETER p q\nPOINTS (2 1) (4 1) (8 1) (16 1)\nREGION main->f\nMETRIC t\nDATA 1 2\nDATA 3\nDATA 4\nDATA 5\n' \
        >"$seeds/extrap.txt"
    printf '{"parameters":["p"],"measurements":{"main":{"t":[{"point":[4],"values":[1,2]}]}}}' >"$seeds/extrap.json"
    "$SIMRUN" model -q -f experiment -o "$seeds/simrun.extra-p" --over p "$seeds/extrap.txt"
    printf '{"callpaths":[{"id":7,"name":"main"}],"metrics":[{"id":2,"name":"t"}],"parameters":[{"id":5,"name":"p"}],"coordinates":[{"id":3,"parameter_value_pairs":[{"parameter_id":5,"parameter_value":4}]}],"measurements":[{"id":1,"callpath_id":7,"metric_id":2,"coordinate_id":3,"value":1.5}]}' \
        >"$seeds/older.json"
    ;;
run_profile)
    functions='{"function": "MPI_Send", "calls": 2, "time_s": 0.5, "least_s": 0.25, "sent_bytes": 16, "received_bytes": 0}'
    ranks='{"rank": 0, "time_s": 1, "state_s": {"useful": 0.5, "control": 0, "mpi": 0.25}}'
    sizes='"message_sizes": [{"from_bytes": 8, "to_bytes": 15, "messages": 2, "bytes": 16}], "collective_volumes": []'
    printf '{"creator": "profile by libeppa", "program": "p", "time_s": 1, "functions": [%s], "sites": [{"site": "a.c:1 in f", %s], %s, "rank_times": [%s]}' \
        "$functions" "${functions#?}" "$sizes" "$ranks" >"$seeds/whole.json"
    printf '{"program": "p", "time_s": 1, "functions": [%s, 3], %s, "rank_times": []}' "$functions" "$sizes" >"$seeds/bad.json"
    ;;
goal)
    generate() { python3 "$SOURCE_DIR/tests/goal/generate.py" "$@"; }
    generate broadcast-binomial ranks=5 bytes=8 "$seeds/broadcast.goal"
    generate random seed=1 ranks=3 messages=12 decided=1 "$seeds/random.goal"
    generate random seed=3 ranks=3 messages=10 "$seeds/free.goal"
    for ending in goal bin; do simulate matmul100 --set n=4 --set ranks=2 -t "$seeds/matmul.$ending"; done
    "$SIMRUN" -q --platform icluster -t "$seeds/random.bin" "$seeds/random.goal" >/dev/null
    for file in "$SOURCE_DIR"/tests/data/bad/goal/*/*; do cp "$file" "$seeds/bad-${file##*/}"; done
    ;;
cube)
    python3 "$SOURCE_DIR/tests/data/cube.py" "$work/cube"
    cp "$work"/cube/*.cubex "$seeds"
    ;;
paraver)
    simulate matmul100 --set n=8 --set ranks=2 -t "$work/matmul.prv"
    pack matmul "$work/matmul.prv" "$work/matmul.pcf"
    pack extrae "$SOURCE_DIR/tests/data/traces/extrae.prv" "$SOURCE_DIR/tests/data/traces/extrae.pcf"
    ;;
otf2 | otf2_copy | otf2_trial)
    simulate matmul100 --set n=8 --set ranks=2 -t "$work/matmul.otf2"
    simulate dsm-latency --set operation=lock --set ranks=2 -t "$work/dsm.otf2"
    for name in matmul dsm; do pack_archive "$work/$name" $name; done
    mkdir "$work/scripts"
    "${SIMRUN%/*}/tests/fuzz/otf2_seeds" "$work/scripts"
    for folder in "$work"/scripts/*; do pack_archive "$folder/trace" "${folder##*/}"; done
    ;;
store)
    simulate ncp2-sor --set ranks=2 --set variant=P --set rows=8 --set columns=8 --store "$seeds/sor"
    printf '\013aout of memory' >"$seeds/discarded"
    printf '\015b\001\0\0\0\n--8<--\n\033b[]\n--8<--\n\035b\0\0\0\0' >"$seeds/cells"
    ;;
run)
    { run_members && head -c 24 /dev/zero; } >"$seeds/discarded"
    {
        run_members
        printf '\2\0\0\0\0\0\0\0\0\6time_s\0%016d\7b_ratio\2io\2%08d' 0 0 # two measures
        printf '\1\0\0\0\0\0\0\0%040d' 0                                   # the states of a rank
        printf '\1\0\0\0\0\0\0\0\4\0\0\0rows\26\0\0\0a:count b:text c:ratio\1\0\0\0\0\0\0\0%016d\3abc%08d' 0 0
    } >"$seeds/whole"
    ;;
conditions)
    printf 'ranks=2\n' >"$seeds/parameter"
    printf 'time_s<10ms\nn>=2\nmode!=standard\n' >"$seeds/several"
    printf 'run>1\nparameters.n=1KiB\ncritical_path_s.computation.cpu>0\nscenario=sample\n' >"$seeds/columns"
    ;;
esac
if [ -d "$SOURCE_DIR/tests/data/fuzz/$target" ]; then cp "$SOURCE_DIR/tests/data/fuzz/$target"/* "$seeds"; fi
