# What the documents say of the program's results, made of its reports: $r has a report for each name in documents.sh. Each
# row is a document and a text that must stand in it; blanks and line ends are the same.

def fixed($n): # as printf("%.*f")
    (fabs * pow(10; $n) | round | tostring) as $digits
    | ("0" * ([$n + 1 - ($digits | length), 0] | max) // "") + $digits
    | if $n == 0 then . else .[:-$n] + "." + .[-$n:] end;
def minus($sign; $n): (if . < 0 then $sign else "+" end) + (fabs | fixed($n));
def percent: "\(100 * . | fixed(1)) %";
def mean: add / length;
def size: map(fabs);

def errors: [.runs[].reference.error];
def formula: [.runs[].reference | .predicted_s / .measured_s - 1];
def cell: "\(.reference.measured_s | fixed(2)) → \(.time_s | fixed(2)) (\(100 * .reference.error | minus("−"; 1)) %)";
def gauss_jordan:
    [$r["gj128-flat", "gj256-flat", "gj128", "gj256"]] as $columns
    | (range(8) as $i | "| \($columns[0].runs[$i].ranks) | \([$columns[].runs[$i] | cell] | join(" | ")) |"),
      "| mean without sign | \([$columns[] | errors | size | mean | percent] | join(" | ")) |",
      "| the paper's formula | \([$columns[] | formula | size | mean | percent] | join(" | ")) |",
      ("(table 3 of the paper) is \([$columns[0, 1] | errors[]] | size | mean | percent), over the two neighbour columns "
       + "(table 4) \([$columns[2, 3] | errors[]] | size | mean | percent), over all 32 cells "
       + "\([$columns[] | errors[]] | size | mean | percent); the paper's own formula comes to "
       + "\([$columns[0, 1] | formula[]] | size | mean | percent), \([$columns[2, 3] | formula[]] | size | mean | percent) and "
       + "\([$columns[] | formula[]] | size | mean | percent)."),
      "their mean is \([$columns[1, 3] | errors[]] | size | mean | percent).";

def treadmarks($program): $r.treadmarks.runs[] | select(.parameters.program == $program and .ranks == 8);
def latency($operation): $r["dsm-latency"].runs[] | select(.parameters.operation == $operation);
def in_us: 1e6 * . | fixed(0);
def measured($operation): latency($operation).critical_path_s["communication.measured"];
def operations:
    "passed on, barrier of 8, page | \([measured("lock-forwarded", "barrier", "page") | in_us] | join(", ")) µs |";
def operation_rows:
    "| lock, from its manager | 827 | \(measured("lock") | in_us) |",
    "| lock, passed on by its manager | 1149 | \(measured("lock-forwarded") | in_us) |",
    "| barrier of 8 processors | 2186 | \(measured("barrier") | in_us) |",
    "| fetching a page of 4096 bytes | 2792 | \(measured("page") | in_us) |",
    "leaves out | 167 | \(latency("twin").time_s | in_us) |";

# "-0.2" of the measured value; bold from 30 % on.
def against($of):
    (. / $of - 1) as $off | "\(100 * $off | minus("-"; 0)) %"
    | if ($off | fabs) >= 0.3 then "**\(.)**" else . end;
def machine_row($program; $name; $speedup; $messages; $kB):
    treadmarks($program)
    | "| \($name) | \($speedup | fixed(1)) | \(.speedup | fixed(2)) (\(.speedup | against($speedup))) "
      + "| \($messages) | \(.messages / .time_s | fixed(0)) (\(.messages / .time_s | against($messages))) "
      + "| \($kB) | \(.bytes / .time_s / 1000 | fixed(0)) (\(.bytes / .time_s / 1000 | against($kB))) |";
def machine_rows:
    machine_row("jacobi"; "Jacobi, 2000 x 1000"; 7.4; 334; 415),
    machine_row("tsp"; "TSP, 19 cities"; 7.2; 404; 121),
    machine_row("quicksort"; "Quicksort, 256 K"; 6.3; 703; 788),
    machine_row("water"; "Water, 343 molecules, 5 steps"; 4.0; 2238; 798),
    "for each step does, \(treadmarks("water").messages / 5 / 10 | fixed(0))0 messages";

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
    + "\(share("computation_difference_s")), communication \(share("communication_difference_s"));";

def segments($network; $mode):
    [["chain", "chain_segmented", "binary", "binary_segmented"][] as $name
     | $r["segments-" + $mode].runs[] | select(.parameters.broadcast == $name and .network == $network)
     | 1e3 * .time_s | fixed(1)] | join(" | ");
def segment_rows:
    "| `fifo` | \(segments("fifo"; "auto")) |",
    "| `fluid` | \(segments("fluid"; "auto")) |",
    "| either, `broadcast_mode` = `synchronous` | \(segments(("fifo", "fluid"); "synchronous")) |";

def rows:
    ({document: "README.md", text: gauss_jordan}),
    ({document: "README.md", text: (
        $r.matmul100.runs[0] as $m
        | "speedup, efficiency | \($m.speedup | fixed(3)), \($m.efficiency | percent) |",
          "communication and idle | \(100 * $m.overhead_ratio.anomaly | fixed(2)) %, "
          + "\(100 * ($m.overhead_ratio | .communication + .idle) | fixed(2)) % |",
          "Jacobi \(treadmarks("jacobi").speedup | fixed(2)), TSP \(treadmarks("tsp").speedup | fixed(2)), "
          + "Quicksort \(treadmarks("quicksort").speedup | fixed(2)) |",
          "| the same, Water | \(treadmarks("water").speedup | fixed(2)) |",
          operations,
          ([$r.pdgemm2048.runs[] | .forecast_error | fabs] as $e
           | "\($e | mean | percent) off in the mean, \($e | max | percent) at worst"),
          ([$r.pdtrsm8x1.runs[].time_s | fixed(2)] | "held up: \(.[0]) s on `fifo`, \(.[1]) s on `fluid`"))}),
    ({document: "docs/models.md", text: (grid_rows, segment_rows, pdgemm_split)}),
    ({document: "docs/shared-memory.md", text: (
        operation_rows, machine_rows,
        (["jacobi", "sor", "water", "radix", "tsp", "quicksort", "gauss", "matmul"][] | ncp2(.)))});

rows | "\(.document)\t\(.text | gsub("\\s+"; " "))"
