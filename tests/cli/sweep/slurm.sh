#!/usr/bin/env bash
# examples/cluster/slurm.sh with a Slurm of its own: two nodes on this computer, which are started here and ended here. The store is that of
# one process, also where a shard or a whole node is killed and the same is called again.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
for program in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin
    command -v $program >/dev/null && [ "$(id -u)" = 0 ] || {
        echo "NOT COMPARED: shards as jobs of Slurm, without $program or without root"
        exit 77
    }
done
chmod 755 "$work"
mkdir -m 700 munge && mkdir state
(umask 077 && head -c 1024 /dev/urandom >munge/key)
host=$(hostname -s)
port=$((20000 + RANDOM % 10000))
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
ReturnToService=2
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=$host Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname=$host Port=$((port + 2)) CPUs=1 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
case $(slurmd -V) in *' 2'[0-2].*) ;; *) echo CgroupPlugin=disabled >cgroup.conf ;; esac # earlier versions use none for this

daemons=()
start() { # COMMAND...: as long as this test
    "$@" >>daemons.out 2>&1 &
    daemons+=($!)
}
stop_all() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait
    rm -rf "$work"
}
trap stop_all EXIT
start munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed"
for _ in {1..50}; do [ -S munge/socket ] && break || sleep 0.1; done
start slurmctld -D
start slurmd -D -N n1
start slurmd -D -N n2
node2=${daemons[3]}
for _ in {1..100}; do [ "$(sinfo -h -N -o '%T' 2>/dev/null | grep -c idle)" = 2 ] && break || sleep 0.2; done
same 'two nodes are idle' "$(sinfo -h -N -o '%T' | grep -c idle)" 2

# Notes node, process and the process that Slurm has started it by. Where there is a file `held`, it stops in the middle.
simulator=$SIMRUN
cat >simrun <<END
#!/bin/sh
echo "\$SLURMD_NODENAME \$\$ \$PPID \$5" >>"$work/processes"
[ ! -e "$work/held" ] || (sleep 0.1 && kill -STOP \$\$) &
exec "$simulator" "\$@"
END
chmod +x simrun
export SIMRUN=$work/simrun
sweep() { # FOLDER N ARGUMENT...: submitted, and over
    "$SOURCE_DIR/examples/cluster/slurm.sh" "$work/$1" "${@:2}" >submitted 2>&1 || note 1 "sbatch: $(cat submitted)"
}
await_end() {
    for _ in {1..300}; do [ -z "$(squeue -h)" ] && return || sleep 0.2; done
    note 1 "jobs do not end: $(squeue -h)"
}
release() { # those that are held and not killed
    sleep 0.2
    kill -CONT $(cut -d ' ' -f 2 processes) 2>/dev/null
}
await_process() { # PATTERN: the last line that has it
    for _ in {1..300}; do grep -q "$1" processes 2>/dev/null && break || sleep 0.1; done
    sleep 0.1
    grep "$1" processes | tail -n 1
}

for n in 256 4096; do # the longer one is killed
    scenario "$n.xml" t800-mesh "name='gauss-jordan'" n=$n ranks=1..40 broadcast=flat,binomial,chain
    "$simulator" -q -j 2 --store jobs.db -o "$n.txt" "$n.xml"
    "$simulator" store merge "$n.db" jobs.db 2>/dev/null
    rm jobs.db
done
whole() { # FOLDER N: its store and its answer
    check "the store of $1 is that of one process" cmp "$2.db" "$1/study.db"
    check "and the answer" cmp "$2.txt" <(grep -v '^simrun: ' "$1/answer.txt")
}
sweep array 16 "$work/256.xml"
await_end
whole array 256
same 'both nodes have simulated' "$(cut -d ' ' -f 1 processes | sort -u | tr '\n' ' ')" 'n1 n2 '

rm processes
touch held
(read -r _ process _ <<<"$(await_process '2/2$')" && kill -9 "$process") & # the job may begin before it is submitted in full
killer=$!
sweep shard 2 "$work/4096.xml"
wait "$killer"
rm held
release
await_end
check 'without a shard nothing is joined' test ! -e shard/study.db
sweep shard 2 "$work/4096.xml"
await_end
whole shard 4096

rm processes
touch held
(read -r _ process step _ <<<"$(await_process '^n2 ')" && kill -9 "$node2" "$step" "$process") &
killer=$!
sweep node 2 "$work/4096.xml"
wait "$killer"
rm held
release
start slurmd -D -N n2
for _ in {1..100}; do [ "$(sinfo -h -N -o '%T' | grep -cE 'idle|alloc')" = 2 ] && break || sleep 0.2; done
scancel --user root # what Slurm would begin again in two minutes
await_end
check 'without a node nothing is joined' test ! -e node/study.db
sweep node 2 "$work/4096.xml"
await_end
whole node 4096
finish
