# The tables of docs/explain/accuracy.md and docs/explain/accuracy-cells.md, a line of "-" between them: each input is a run
# with its reference, its machine and source, and the reference file's columns.
# SPDX-License-Identifier: BSD-3-Clause

def fixed($n):
    (fabs * pow(10; $n) | round | tostring) as $digits
    | ("0" * ([$n + 1 - ($digits | length), 0] | max) // "") + $digits
    | if $n == 0 then . else .[:-$n] + "." + .[-$n:] end;
def percent: "\(100 * . | fixed(1)) %";
def signed: (if . < 0 then "−" else "+" end) + percent;
# Four digits, and whole numbers whole.
def digits: fabs as $x | if $x >= 1000 then fixed(0) elif $x >= 100 then fixed(1) elif $x >= 10 then fixed(2) else fixed(3) end;
def time: if fabs >= 1 then "\(digits) s" elif fabs >= 1e-3 then "\(1e3 * . | digits) ms" else "\(1e6 * . | digits) µs" end;
def is_time: . == "time" or startswith("communication.");
def value($measure):
    if $measure | is_time then time
    elif $measure == "bytes" then "\(. / 1e6 | digits) MB"
    elif $measure == "bytes_per_s" then "\(. / 1e3 | digits) kB/s"
    elif $measure == "gflop_per_s" then "\(digits) Gflop/s"
    elif $measure | endswith("_per_s") then "\(digits) /s"
    else digits end;
# In words; both are what the reference file calls communication.measured, the scope of an operation.
def words: ltrimstr("communication.") | gsub("^gflop_per_s$"; "rate") | gsub("_per_s$"; "") | if . == "measured" then "its time" else . end;
def mean: if length == 0 then null else add / length end;

# Parameters are the columns without a meaning of their own; those that all runs of a scenario share say nothing.
def parameters: [.columns[] | select(IN("measured_s", "outlier", "fitted", "printed_s", "note") or startswith("measured.")
                                     or startswith("predicted") | not)];
def given: .run + .run.parameters;
def key: given as $given | [.file, (parameters[] | $given[.])];
# Of a number that several runs stand beside, also the parameters in which these differ.
def names($all):
    . as $row | key as $key | [$all[] | select(key == $key) | .run.parameters] as $same
    | parameters + [$same[0] | keys[] | select(. as $p | [$same[][$p]] | unique | length > 1)];
def settings($all):
    . as $row | given as $given
    | [names($all)[] | select(. as $p | [$all[] | select(.scenario == $row.scenario) | given[$p]] | unique | length > 1)
       | "\(.)=\($given[.])"] | join(" ");

def cells($all):
    . as $row | .run.reference as $reference
    | {machine, cited, scenario, key: key, settings: settings($all), fitted: ($reference.fitted // 0),
       outlier: ($reference.outlier == 1)} as $cell
    | if $reference.measured_s
      then $cell + {measure: "time", measured: $reference.measured_s, simulated: .run.time_s} else empty end,
      ($reference | to_entries[] | select(.key | startswith("measured.")) | .key[9:] as $measure
       | $cell + {measure: $measure, measured: .value, simulated: $reference["simulated." + $measure]});

def fitted: if .fitted == 1 then "cost" elif .fitted == 2 then "choice" else "" end;
def error: .simulated / .measured - 1;
# A number has the mean error of the runs beside it.
def numbers: group_by([.key, .measure]) | map(map(error | fabs) | mean);
def summary($machine):
    map(select(.machine == $machine)) as $cells
    | ($cells | numbers) as $all | ($cells | map(select(.fitted == 0)) | numbers) as $free
    | "| \($machine) | \($all | length) | \($all | mean | percent) | \($free | length) | "
      + "\(if $free == [] then "" else $free | mean | percent end) |";

. as $all
| [$all[] | select(.run.reference) | cells($all)] as $cells
| "| machine | numbers | mean error | used for nothing | their mean error |",
  "|---|---:|---:|---:|---:|",
  (reduce $cells[] as $cell ([]; if index($cell.machine) then . else . + [$cell.machine] end) | .[] as $machine
   | $cells | summary($machine)),
  "-",
  "| machine | source | scenario | run | measure | used for | measured | simulated | error |",
  "|---|---|---|---|---|---|---:|---:|---:|",
  ($cells[] | "| \(.machine) | \(.cited) | `\(.scenario)` | \(.settings) | \(.measure | words) | \(fitted) | "
   + "\(.measured as $m | .measure as $u | $m | value($u)) | \(.measure as $u | .simulated | value($u)) | "
   + "\(error | signed)\(if .outlier then " (outlier)" else "" end) |")
