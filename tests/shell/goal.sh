# The machine of LogGP's parameters, for what simulates GOAL schedules (tests/goal/generate.py): to be sourced.
# SPDX-License-Identifier: BSD-3-Clause

# loggp_platform RANKS L o G LIMIT [NETWORK [g [O]]]: such a machine, times in ns. LogGP charges a message of s bytes for s - 1,
# simrun's rows for s; standard sends of more than LIMIT bytes are rendezvous. A rank's messages to itself cost the same.
loggp_platform() {
    local row="start=$(($2 - $4))ns byte=$4ns" overhead="start=$(($3 - ${8:-0}))ns byte=${8:-0}ns"
    cat <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <prop id="network" value="${6:-quiet}"/>
    <prop id="send_completes" value="buffered"/>
    <prop id="eager_limit" value="$5B"/>
    <prop id="send_overhead" value="$overhead"/>
    <prop id="receive_overhead" value="$overhead"/>
    <prop id="gap" value="${7:-0}ns"/>
    <prop id="message.1" value="$row"/>
    <prop id="local.1" value="$row"/>
    <cluster id="c" prefix="n" suffix="" radical="0-$(($1 - 1))" speed="1Gf" bw="1GBps" lat="1us"/>
  </zone>
</platform>
END
}
