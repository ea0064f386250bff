# A table of machines and networks: the mean error of each machine's numbers, without sign. Each input is a run with its
# reference, its machine and its network.
# SPDX-License-Identifier: BSD-3-Clause
def errors: .run as $run | $run.reference
    | (select(.measured_s) | $run.time_s / .measured_s),
      (to_entries[] | select(.key | startswith("measured.")) | .value as $measured
       | .key[9:] as $measure | $run.reference["simulated." + $measure] / $measured)
    | . - 1 | fabs;
def percent: if . == null then "" else "\(1000 * . | round | . / 10) %" end;

map(select(.run.reference)) as $rows
| "| machine | quiet | fifo | fluid |", "|---|---:|---:|---:|",
  (reduce $rows[].machine as $m ([]; if index($m) then . else . + [$m] end) | .[] as $machine
   | [("quiet", "fifo", "fluid") as $network
      | [$rows[] | select(.machine == $machine and .network == $network) | errors]
      | if length == 0 then null else add / length end | percent]
   | "| \($machine) | " + join(" | ") + " |")
