# Texts in the documents about the program's results, made from its reports: $r has a report for each name in
# documents.sh. Each row is a document and a text that must stand in it, once; blanks and line ends are the same.
# SPDX-License-Identifier: BSD-3-Clause

def fixed($n): # as printf("%.*f")
    (fabs * pow(10; $n) | round | tostring) as $digits
    | ("0" * ([$n + 1 - ($digits | length), 0] | max) // "") + $digits
    | if $n == 0 then . else .[:-$n] + "." + .[-$n:] end;
def minus($sign; $n): (if . < 0 then $sign else "+" end) + (fabs | fixed($n));
def percent: "\(100 * . | fixed(1)) %";
def mean: add / length;
def size: map(fabs);
def claim(holds; $text): if holds then $text else "\($text) (not so)" end; # what is no figure, or a bound
def of($name): $r[$name].runs[];

def errors: [.runs[].reference.error];
def formula: [.runs[].reference | .predicted_s / .measured_s - 1];
def cell: "\(.reference.measured_s | fixed(2)) → \(.time_s | fixed(2)) (\(100 * .reference.error | minus("−"; 1)) %)";
def gauss_jordan:
    [$r["gj128-flat", "gj256-flat", "gj128", "gj256"]] as $columns
    | (range(8) as $i | "| \($columns[0].runs[$i].ranks) | \([$columns[].runs[$i] | cell] | join(" | ")) |"),
      "| mean without sign | \([$columns[] | errors | size | mean | percent] | join(" | ")) |",
      "| the paper's formula | \([$columns[] | formula | size | mean | percent] | join(" | ")) |",
      ("(table 3 of the paper) is \([$columns[0, 1] | errors[]] | size | mean | percent), over the two "
        + "neighbour columns "
       + "(table 4) \([$columns[2, 3] | errors[]] | size | mean | percent). Over all 32 cells it is "
       + "\([$columns[] | errors[]] | size | mean | percent). The paper's own formula comes to "
       + "\([$columns[0, 1] | formula[]] | size | mean | percent), "
         + "\([$columns[2, 3] | formula[]] | size | mean | percent) and "
       + "\([$columns[] | formula[]] | size | mean | percent)."),
      "their mean is \([$columns[3] | errors[]] | size | mean | percent).";

def treadmarks($program): $r.treadmarks.runs[] | select(.parameters.program == $program and .ranks == 8);
def latency($operation): $r["dsm-latency"].runs[] | select(.parameters.operation == $operation);
def in_us: 1e6 * . | fixed(0);
def measured($operation): latency($operation).critical_path_s["communication.measured"];
def operation_rows:
    "| lock, from its manager | 827 | \(measured("lock") | in_us) |",
    "| lock, passed on by its manager | 1149 | \(measured("lock-forwarded") | in_us) |",
    "| barrier of 8 processors | 2186 | \(measured("barrier") | in_us) |",
    "| fetching a page of 4096 bytes | 2792 | \(measured("page") | in_us) |",
    "leaves out | 167 | \(measured("twin") | in_us) |";

# "-0.2" of the measured value; bold from 30 % on.
def against($of):
    (. / $of - 1) as $off | "\(100 * $off | minus("-"; 0)) %"
    | if ($off | fabs) >= 0.3 then "**\(.)**" else . end;
def machine_row($program; $name; $speedup; $messages; $MB):
    treadmarks($program)
    | "| \($name) | \($speedup | fixed(1)) | \(.speedup | fixed(2)) (\(.speedup | against($speedup))) "
      + "| \($messages) | \(.messages) (\(.messages | against($messages))) "
      + "| \($MB | fixed(1)) | \(.bytes / 1e6 | fixed(1)) (\(.bytes / 1e6 | against($MB))) |";
def more_bytes($program; $MB): 100 * (treadmarks($program).bytes / (1e6 * $MB) - 1) | fixed(0);
def machine_rows:
    machine_row("jacobi"; "Jacobi, 2000 x 1000"; 7.4; 10800; 13.42),
    machine_row("tsp"; "TSP, 19 cities"; 7.2; 17715; 5.31),
    machine_row("quicksort"; "Quicksort, 256 K"; 6.3; 9168; 10.28),
    machine_row("water"; "Water, 343 molecules, 5 steps"; 4.0; 33441; 11.92);

# Overhead of a processor over its messages, against the bytes of a message, with the line of least squares.
def measured_ones: ["jacobi", "tsp", "quicksort", "water"];
def per_message: [measured_ones[] as $p | treadmarks($p)
    | {x: (.bytes / .messages), y: ((.time_s - .sequential_time_s / 8) / (.messages / 8) * 1e3)}];
def line: (map(.x) | mean) as $x | (map(.y) | mean) as $y
    | ((map((.x - $x) * (.y - $y)) | add) / (map((.x - $x) * (.x - $x)) | add)) as $slope
    | {start: ($y - $slope * $x), slope: (1e3 * $slope)};
def line_row:
    (per_message | line) as $line
    | "| simulated | \([per_message[] | .y | fixed(2)] | join(" | ")) | "
      + "\($line.start | fixed(2)) ms + \($line.slope | fixed(2)) µs a byte |";
# Demands on the programs that were measured.
def bounds: claim([measured_ones[] as $p | treadmarks($p).reference
    | (.["error.speedup"] | fabs) < 0.1 and (.["error.messages"] | fabs) < 0.15 and (.["error.bytes"] | fabs) < 0.2]
        | all; "No cost was set for any of them.");

def ncp2($program):
    [$r["ncp2-" + $program].runs[]] as $runs
    | "| \($program) | \($runs[0].time_s | if . >= 10 then fixed(1) elif . >= 1 then fixed(2) else fixed(3) end) s | "
      + ([$runs[1:][] | .time_s / $runs[0].time_s | fixed(2)] | join(" | ")) + " |";

# Simulated over forecast of pdtrsm, on the grids of the left and of the right half of a table.
def over($grid):
    [$r["pdtrsm-" + ("512", "1024", "2048", "4096")].runs[] | select(.parameters.grid == $grid)
     | .time_s / .forecast.time_s | fixed(2)] | join(" | ");
def grid_rows:
    "| 1x2 (eq. 6) | \(over("1x2")) | | 2x4 (eq. 7) | \(over("2x4")) |",
    "| 1x4 | \(over("1x4")) | | 4x2 | \(over("4x2")) |",
    "| 1x8 | \(over("1x8")) | | 4x4 | \(over("4x4")) |",
    "| 1x16 | \(over("1x16")) | | 8x4 | \(over("8x4")) |";

def share($part): [$r.pdgemm2048.runs[].forecast | .[$part] / .time_s | fabs] | mean | percent;
def pdgemm_split:
    "\([$r.pdgemm2048.runs[].forecast_error | fabs] | mean | percent) off in the mean without sign, computation "
    + "\(share("computation_difference_s")), communication \(share("communication_difference_s")).";

def segments($network; $mode):
    [["chain", "chain_segmented", "binary", "binary_segmented"][] as $name
     | $r["segments-" + $mode].runs[] | select(.parameters.broadcast == $name and .network == $network)
     | 1e3 * .time_s | fixed(1)] | join(" | ");
def segment_rows:
    "| `fifo` | \(segments("fifo"; "auto")) |",
    "| `fluid` | \(segments("fluid"; "auto")) |",
    "| `fifo`, `broadcast_mode` = `synchronous` | \(segments("fifo"; "synchronous")) |",
    "| `fluid`, the same | \(segments("fluid"; "synchronous")) |";

# Components of Gauss-Jordan elimination's path, by processors.
def path($name; $ranks; $part): of($name) | select(.ranks == $ranks) | .critical_path_s[$part];
def without_scale: of("gj256", "gj128") | select(.ranks == 1) | .critical_path_s | (.processing + .memory) / 1.05 + .io;
def over_predicted($i):
    [without_scale][$i] / (of(["gj256", "gj128"][$i]) | select(.ranks == 1) | .reference.predicted_s) - 1;
def links($ranks): of("gj256") | select(.ranks == $ranks) | .state_s.control;
def placement($root):
    [of("roots") | select(.parameters.root == $root) | .scope_state_s["distribution.send"] | fixed(3)] | join(" | ");
def placements:
    "| root on an edge | \(placement("edge")) |", "| root in a corner | \(placement("corner")) |",
    "| root in the centre | \(placement("centre")) |";
def elimination:
    "For N = 256 it is \(over_predicted(0) | percent) more (\([without_scale][0] | fixed(2)) s against 74.26 s), "
    + "for N = 128 \(over_predicted(1) | percent) more (\([without_scale][1] | fixed(2)) s against 9.51 s).",
    "reproduces the \(path("gj256"; 1; "io.input") | fixed(2)) s of table 5",
    claim((links(2) * 1e3 | floor) == 1 and ([links(8, 16) * 100 | floor]) == [1, 3];
          "values of table 5 in its digits for 2, 8 and 16 processors"),
    placements;
def slip:
    "| simulated | \([path("gj256"; 2, 4, 8, 16, 32, 64, 128; "communication.broadcast") | fixed(3)] | join(" | ")) |",
    "| the row · N/p | \([of("gj256") | select(.ranks > 1) | .reference["predicted.communication.broadcast"] | fixed(3)]
        | join(" | ")) |";
def no_anomaly:
    claim([of("gj128-flat", "gj256-flat", "gj128", "gj256") | .overhead_ratio.anomaly == 0] | all;
          "the anomaly of Gauss-Jordan elimination is 0.");

def at($name; $ranks): of($name) | select(.ranks == $ranks) | .reference.error;
def within($low; $high): (fabs * 100 | round) as $x | $low <= $x and $x <= $high;
def remains:
    [of("gj128-flat", "gj256-flat", "gj128", "gj256") | .reference.error | fabs] as $all
    | ([at("gj128-flat", "gj256-flat"; 4) | fabs]) as $worst
    | claim(($all | sort | .[-2:]) == ($worst | sort);
            "simulation is \($worst[0] * 100 | fixed(0)) and \($worst[1] * 100 | fixed(0)) % below the measurement, "
              + "the two largest errors of these cells."),
      "With N = 256 the flat broadcast comes out \(-100 * at("gj256-flat"; 8) | fixed(0)) % fast on 8 processors and "
        + "\(100 * at("gj256-flat"; 128) | fixed(0)) % slow on 128.",
      "Initializing the links takes \(links(128) | fixed(3)) s on 128 processors and \(links(64) | fixed(3)) s on 64;",
      "T_dist on 128 processors is \(path("gj256"; 128; "communication.distribution") | fixed(2)) s against 0.89 "
      + "s in table 5. Eq. 12 alone, without windows and on `quiet`, gives "
      + "\(([path("roots"; 128; "communication.distribution")][0]) | fixed(2)) s.",
      claim([at("gj128", "gj256"; 16)] | all(. > 0 and within(3; 4));
            "With the neighbour broadcast the simulation is 3 to 4 % slow on 16 processors");
def off($name): [$r[$name].runs[].reference.error | fabs] | mean | percent;
def choices:
    "| the row first | \(off("gj128")); 3.6 % |",
    "| synchronous | \(off("gj128")); \(off("gj128-synchronous")) |",
    "| standard | \(off("gj128-flat")); \(off("gj128-standard")) |",
    "| reverse; from the owner downward; upward | "
    + "\([off("gj128-flat", "gj128-reverse", "gj128-downward", "gj128-upward")] | join("; ")) |";

def fastest($i): $r.fastest.runs[$i];
def broadcasts:
    "takes the time of one message plus the root's time for each, \(1e3 * $r.flat.runs[0].time_s | fixed(1)) ms here.",
    "it is `\(fastest(0).fastest[0].algorithm)`, while `neighbour`, whose broadcasts follow each other like "
        + "packets in a pipe, "
    + "makes the program \(100 * (1 - fastest(1).time_s / fastest(0).time_s) | fixed(0)) % faster.";

def binomial($ranks): of("binomial") | select(.ranks == $ranks) | .time_s | fixed(1);
def model:
    $r.binomial.models.fits[0].forecasts[0] as $at
    | "time falls to \(binomial(32)) s on 32 ranks and is \(binomial(128)) s on 128. The model predicts "
      + "\($at.value | fixed(1)) s on 512, "
      + "and the simulation takes \($r["binomial-512"].runs[0].time_s | fixed(1)) s. But the band reaches up to "
        + "\($at.high | fixed(0)) s, so the value is "
      + claim($at.supported == false; "not supported.");

# Gain over share of the causes that have both.
def worth($cause):
    of("what-limits-gj") as $run | $r["what-limits-gj"]["without a cause"][]
    | select(.cause == $cause and .ranks == $run.ranks and .broadcast == $run.broadcast)
    | {at: "\(.broadcast) \(.ranks)", share: (.attributed_s / $run.time_s), gain: (1 - .time_s / $run.time_s)};
def causes:
    "latency", "bandwidth", "contention", "network", "control", "link_init", "io",
    "processing", "memory", "computation";
def lost($name): worth($name) | select(.at == "flat 128") | 100 * (1 - .gain / .share) | fixed(0);
def attributed($name): worth($name) | select(.at == "neighbour 64");
def what_limits:
    ([causes as $cause | worth($cause) | select(.share > 0)
      | select((.at == "flat 128" and ($cause == "processing" or $cause == "memory")) | not) | .gain / .share - 1
        | fabs] | max) as $most
    | "gain and share agree within \(100 * $most | ceil) % for nearly all causes. The exceptions are imbalance, and "
      + "processing and memory with the flat broadcast "
      + "on 128 processors: \(lost("processing")) and \(lost("memory")) % of these come back as contention",
      "256 equations in \(of("gj256") | select(.ranks == 64) | .time_s | fixed(2)) s; "
      + "bandwidth is \(attributed("bandwidth").share | percent) of it and its "
        + "gain \(attributed("bandwidth").gain | percent), "
      + "I/O \(attributed("io").share | percent), latency \(attributed("latency").share | percent).",
      "its share and its gain are about \([worth("imbalance") | .share, .gain | fabs] | max | percent) at most";

def at_three: [of("matmul-scaling") | select(.ranks == 3)];
def products:
    $r.matmul100.runs[0] as $m
    | "They come out at \($m.speedup | fixed(3)), \(100 * $m.overhead_ratio.anomaly | fixed(2)) % and "
      + "\(100 * ($m.overhead_ratio | .communication + .idle) | fixed(2)) %. Efficiency rises with n at 3 "
        + "processors from "
      + "\(at_three[0].efficiency * 100 | fixed(0)) % (n = 50) to \(at_three[-1].efficiency * 100 | fixed(0)) % "
        + "(n = 800), and "
      + claim([at_three[] | .software_granularity / .parameters.n] | max / min < 1.01;
        "the software granularity is proportional to n."),
      ([of("pdgemm2048") | .forecast_error | fabs] as $e
       | "is within \($e | mean | percent) of it in the mean, and \($e | max | percent) at worst. The mean is over all "
         + "\($e | length) grids of up to 32 processes for 2048²"),
      ([of("pdgemm2048") | {size: (.forecast_error | fabs), grid: .parameters.grid, forecast}] | sort_by(-.size)[0]
       | "the worst, \(.grid | sub("x"; " x ")), is "
         + "\([.forecast | (.computation_difference_s, .communication_difference_s)
          / .time_s | 100 * . | minus("−"; 1)] | join(" % and ")) %."),
      ([of("pdgemm8x4")] | map(.forecast)
       | "all its children at once, \(100 * .[0].communication_difference_s / .[0].time_s | minus("−"; 1)) %, "
         + "and on `fifo` they queue at "
         + "its wire, \(100 * .[1].contention_s / .[1].time_s | minus("−"; 1)) %.");

def blocks($run): ($run.parameters.n / $run.parameters.block) / ($run.parameters.grid | ltrimstr("1x") | tonumber);
def solved: of("pdtrsm-512", "pdtrsm-1024", "pdtrsm-2048", "pdtrsm-4096");
def one_row: solved | select(.parameters.grid | startswith("1x"));
def ratio: .time_s / .forecast.time_s;
def few($n; $grid): of("pdtrsm-\($n)") | select(.parameters.grid == $grid) | ratio | fixed(2);
def holds_rows: [one_row | select(blocks(.) >= 4) | ratio - 1 | fabs] | max < 0.1;
def solves:
    [solved | select((.parameters.grid | startswith("1x") | not) and ratio > 1)
     | "\(.parameters.grid) \(.parameters.n)"] as $above
    | [of("pdtrsm-fifo") | .forecast.contention_s / .time_s] as $held_up
    | claim(holds_rows;
            "Eq. 6 is within 10 % where each process has at least four blocks of the order (grids of up to 16 "
              + "processes)."),
      "matters, too (1x12 at n = 1024: \(few(1024; "1x12")); 1x10 at n = 2048: \(few(2048; "1x10"))).",
      claim($above == ["2x4 4096"]; "Eq. 7 bounds all but 2 x 4 at n = 4096,"),
      claim(($held_up | max * 100 | round) == 33; "(on `fifo`; up to a third of the time for small N)");

def candidate($size; $grid): of("align") | select(.parameters.size == $size and .parameters.grid == $grid);
def best($name): [of($name) | select(.place == 1) | .parameters.grid] | unique;
def longer($size): 100 * (candidate($size; "4x2").time_s / candidate($size; "4x3").time_s - 1) | fixed(0);
def redistribution: .critical_path_s | .["communication.redistribution_a"] + .["communication.redistribution_b"];
def fits($grid): [of("align-memory") | select(.parameters.grid == $grid and .discarded == null) | .parameters.size]
    | max;
def grids:
    "2×2 takes up to \(fits("2x2"))², 4×2 up to \(fits("4x2"))².",
    claim(best("align") == ["4x3"]
          and all([of("align") | select(.discarded == null)] | group_by(.parameters.size)[];
            max_by(redistribution).parameters.grid == "4x3");
          "4×3 is best from 2048² on and takes longest to redistribute. Ga = 4×2 takes \(longer(2048)) % "
            + "(2048²) to \(longer(8192)) % "
          + "(8192²) longer, moves "
          + "\(100 * (1 - candidate(2048; "4x2").bytes / candidate(2048; "4x3").bytes) | fixed(0)) % less data "
          + "and leaves "
          + claim(candidate(2048; "4x3").processors_used - candidate(2048; "4x2").processors_used == 4;
            "four processors free.")),
    claim(best("align-1024") == ["4x2"]; "For 1024² Ga is the fastest."),
    claim(best("align-library") == ["6x2"]; "in the form `library` 6×2 is.");

def wired($topology): [of("topologies") | select(.parameters.topology == $topology)][0];
def wires($run): $run.state_s.control / 1270e-6 | round;
def initialised($topology): wired($topology).critical_path_s["communication.initialisation"];
def topologies:
    "to initialize the \(wires(wired("complete"))) of 128 hosts takes \(initialised("complete") | fixed(1)) s, of "
    + "\(wired("complete").time_s | fixed(1)) s that Gauss-Jordan elimination",
    "(hypercube: \(wires(wired("hypercube"))) wires, \(initialised("hypercube") | fixed(2)) of "
        + "\(wired("hypercube").time_s | fixed(1)) s; "
    + "mesh 16x8: \(wires(wired("mesh"))), \(initialised("mesh") | fixed(2)) of \(wired("mesh").time_s | fixed(1)) s)";

def programs_16: "tsp-18", "water-512", "radix", "em3d", "ocean", "sor";
def at_16($table; $program; $variant):
    $r["ncp2-16"][$table][] | select(.program == $program and .variant == $variant);
def on_16($program; $variant): at_16("runs"; $program; $variant);
def by_history($program; $variant):
    of("ncp2-16-history") | select(.parameters.program == $program and .parameters.variant == $variant);
def over_16($program; $variant): on_16($program; $variant).time_s / on_16($program; "treadmarks").time_s;
def history_16($program; $variant): by_history($program; $variant).time_s / on_16($program; "treadmarks").time_s;
def rows_16:
    programs_16 as $p | on_16($p; "treadmarks") as $run
    | "| \($p) | \($run.time_s | if . >= 1 then fixed(2) else fixed(3) end) s | "
      + "\(by_history($p; "P").sequential_time_s / $run.time_s | fixed(2)) | "
      + ([("I", "I+D", "P", "I+P", "I+P+D") as $v | over_16($p; $v) | fixed(2)]
         + [("P", "I+P+D") as $v | history_16($p; $v) | fixed(2)] | join(" | ")) + " |";
def best_of($program): [("I", "I+D", "P", "I+P", "I+P+D") as $v | over_16($program; $v)] | 100 * (1 - min) | fixed(0);
def most_of_prefetching:
    [programs_16 as $p | (["treadmarks", "P"], ["I", "I+P"], ["I+D", "I+P+D"]) as [$without, $with]
     | {$p, $with, less: (100 * (1 - over_16($p; $with) / over_16($p; $without)))}] | max_by(.less);
# Shares of the main processors' time, in percent.
def computes($program): on_16($program; "treadmarks") | 100 * .useful_s / 16 / .time_s | fixed(0);
def wait_16($program; $variant; $operation):
    at_16("waits"; $program; $variant) | select(.wait == "Wait" and .["for"] == $operation);
def waits_for($program; $variant; $operation):
    100 * wait_16($program; $variant; $operation).total_s / 16 / on_16($program; $variant).time_s | fixed(0);
def resumes($program; $variant):
    100 * (at_16("profile"; $program; $variant)["Extra.resume_s"] // 0) / 16 / on_16($program; $variant).time_s;
def ncp2_text:
    (100 * (1 - over_16("ocean"; "I+D")) | fixed(0)) as $ocean
    | claim([programs_16 | best_of(.) | tonumber] | max == ($ocean | tonumber);
            "| 52 % | \($ocean) % less time (Ocean, I+D) |"),
    claim(most_of_prefetching | .p == "em3d" and .with == "I+P";
          "| 30 % | \(most_of_prefetching.less | fixed(0)) % less time (Em3d, I+P against I) |"),
    "Ocean, P: \(100 * (over_16("ocean"; "P") - 1) | fixed(0)) % more time; by history "
      + "\(100 * (1 - history_16("ocean"; "P")) | fixed(0)) % less |",
    claim([programs_16 | select(best_of(.) | tonumber >= 50)] == ["ocean"]; "The half appears in Ocean only."),
    "Plain TreadMarks computes in \(computes("ocean")) % of the time.",
    "**Em3d** (\(best_of("em3d")) %) waits for whole pages, \(waits_for("em3d"; "treadmarks"; "page")) % of the time with "
      + "TreadMarks and \(waits_for("em3d"; "I+P+D"; "page")) % with I+P+D.",
    "**Radix** (\(best_of("radix")) %) waits for whole pages, too: "
      + "\(wait_16("radix"; "treadmarks"; "page").total_s / 16 | fixed(2)) s with TreadMarks, "
      + "\(wait_16("radix"; "I+D"; "page").total_s / 16 | fixed(2)) s with I+D.",
    "(\([best_of("water-512", "sor")] | join(", ")) and \(best_of("tsp-18")) %) compute in "
      + "\([computes("water-512", "sor")] | join(", ")) and \(computes("tsp-18")) % of the time.",
    "Em3d with P waits for diffs \(wait_16("em3d"; "P"; "diff").count) times instead of "
      + "\(wait_16("em3d"; "treadmarks"; "diff").count), but in \(waits_for("em3d"; "P"; "diff")) % of the time instead of "
      + "\(waits_for("em3d"; "treadmarks"; "diff")) %.",
    claim([("ocean", "radix") as $p | history_16($p; "P") <= 1] | all; "It loses nothing in Ocean and Radix;"),
    claim(history_16("em3d"; "P") > over_16("em3d"; "P"); "in Em3d, where all is used, it gains less."),
    claim(history_16("water-512"; "P") > over_16("water-512"; "P");
          "In Water it is worse: what is accessed after one of its \(wait_16("water-512"; "treadmarks"; "lock").count) locks"),
    claim([("ocean", "em3d") as $p | resumes($p; "I+D")] | all(. < 1);
          "that is \(resumes("ocean"; "treadmarks") | fixed(0)) % of Ocean's time and "
            + "\(resumes("em3d"; "treadmarks") | fixed(0)) % of Em3d's; with I+D it is less than 1 % of either's.");
def limits:
    [of("gj256") | select(.b_ratio.memory > 1) | .ranks] as $memory
    | [of("gj256") | select(.b_ratio.communication > 1) | .ranks] as $communication
    | claim($memory == [1, 2] and $communication == [64, 128];
      "here memory on up to 2 processors, communication from 64 on.");

def rows:
    ({document: "docs/explain/accuracy-cells.md", text: (gauss_jordan, choices, remains)}),
    ({document: "docs/explain/accuracy.md", text: (
        "TSP sends \(more_bytes("tsp"; 5.31)) % and Quicksort \(more_bytes("quicksort"; 10.28)) % more bytes than was measured.",
        $r.matmul100.runs[0] as $m
        | "speedup, efficiency | \($m.speedup | fixed(3)), \($m.efficiency | percent) |",
          "communication and idle | \(100 * $m.overhead_ratio.anomaly | fixed(2)) %, "
          + "\(100 * ($m.overhead_ratio | .communication + .idle) | fixed(2)) % |",
          ([$r.pdgemm2048.runs[] | .forecast_error | fabs] as $e
           | "\($e | mean | percent) off in the mean, \($e | max | percent) at worst"),
          claim(holds_rows; "| pdtrsm on one row of up to 16 processes, with four blocks each at least | | the "
            + "formula of Caron02: [within 10 %]"))}),
    ({document: "docs/tutorial.md", text: limits}),
    ({document: "docs/howto/choose-a-network.md", text: (
        [$r.pdtrsm8x1.runs[].time_s | fixed(2)] | "held up: \(.[0]) s on `fifo`, \(.[1]) s on `fluid`")}),
    ({document: "docs/explain/reproducing-the-papers.md", text: (
        slip,
        ([$r.pdgemm2048.runs[] | .forecast_error | fabs] as $e
         | "formula and simulation: \($e | mean | percent), \($e | max | percent) |"),
        ([of("pdgemm-8x4") | .forecast_error | fabs] as $e
         | "formula and simulation: \($e | mean | percent) |",
           "where the simulation takes \($e[0] | percent) longer than the formula"))}),
    ({document: "docs/explain/models/gauss-jordan.md", text: elimination}),
    ({document: "docs/explain/models/accounts.md", text: no_anomaly}),
    ({document: "docs/explain/models/collectives.md", text: (broadcasts, segment_rows)}),
    ({document: "docs/explain/models/gains.md", text: what_limits}),
    ({document: "docs/explain/models/regression.md", text: model}),
    ({document: "docs/explain/models/scalapack.md", text: (products, pdgemm_split, solves, grid_rows, grids)}),
    ({document: "docs/explain/models/fast.md", text: (
        ("formula", "LogP", "Amdahl\u0027s law") as $model
        | [$r["forecast-32"].forecasts[]
           | {formula: .expected_s, LogP: .logp_s, "Amdahl\u0027s law": .amdahl_s}[$model] / .simulated_s - 1 | fabs] as $e
        | "| \($model) | \($e | mean | percent) | \($e | max | percent) |")}),
    ({document: "docs/ref/scenario-format.md", text: topologies}),
    ({document: "docs/explain/shared-memory.md", text: (
        operation_rows, machine_rows, line_row, bounds, rows_16, ncp2_text,
        (["jacobi", "sor", "water", "radix", "tsp", "quicksort", "gauss", "matmul", "em3d", "ocean"][] | ncp2(.)))});

rows | "\(.document)\t\(.text | gsub("\\s+"; " "))"
