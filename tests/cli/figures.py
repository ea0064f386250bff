#!/usr/bin/env python3
"""The figures of a JSON report, as tests/figures holds them.

    figures.py show REPORT SCENARIO [--set NAME=VALUE]...             print them
    figures.py compare FILE REPORT SCENARIO [--set NAME=VALUE]...     status 1, and the difference, if FILE holds others

First come tables with a row for each run, with times in integer picoseconds. JSON has 15 digits, so that times beyond 1000 s,
such as sums over many ranks, are not exact in their last ones. Then everything else that the report says has a line: of a
number over all runs and rows how many there are, the least, the largest, the sum, the first, the last, and the place around
which they lie (the mean of the places 1, 2, ... weighted by the numbers), which a change of their order moves. Of one that is
always the same there is that number. Of texts there are how often each stands there, and their place.

Left out are the answer, the wording of other sentences, and what is said of the host, the version and the schema. A parameter is held
where the scenario sets it, or where it differs between runs: a new one with a default that changes nothing is no difference.
Neither is a part that no file of tests/figures holds yet, such as the table of a new metric: it is held when the figures are
written anew."""
# SPDX-License-Identifier: BSD-3-Clause

import collections
import difflib
import glob
import json
import os
import sys
import xml.etree.ElementTree
from math import fsum

FOLDER = os.path.join(os.path.dirname(__file__), "..", "figures")
PARTS = "report"  # the title of the lines
SENTENCES = ("notes", "text")  # only how many


def labels(runs):
    """What tells the runs apart: their parameters, platforms and networks, as far as these vary."""
    all_of = [{**run["parameters"], "platform": run["platform"], "network": run["network"]} for run in runs]
    names = sorted({name for one in all_of for name in one})
    varied = [name for name in names if len({json.dumps(one.get(name)) for one in all_of}) > 1]
    shown = ["ranks"] + [name for name in varied if name != "ranks"]
    return [{name: "-" if one.get(name) is None else one[name] for name in shown} for one in all_of]


def groups(rows, key):
    """(key, rows) in the order of the keys."""
    found = collections.defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return sorted(found.items())


def totals(run):
    row = {"discarded": "yes" if run.get("discarded") else None}
    row.update((name, run.get(name)) for name in ("time_s", "messages", "bytes", "operations", "memory_bytes"))
    row.update((name + "_s", value) for name, value in run.get("state_s", {}).items())
    return [row]


def critical_path(run):
    """The components that are not sums of others; that of no scope has no name."""
    return [{(name.split(".")[1] or "none") + "_s": value
             for name, value in run.get("critical_path_s", {}).items() if "." in name}]


def forecast(run):
    return [{name: value for name, value in run.get("forecast", {}).items() if name != "of_another_algorithm"}]


def profile(run):
    """The times by category and operation of the protocol, over all nodes and scopes."""
    return [{f"{category}.{operation}_s": fsum(row["time_s"] for row in rows) for (category, operation), rows
             in groups(run.get("profile", []), lambda row: (row["category"], row["operation"]))}]


def waits(run):
    """A row for each operation: the sums over all scopes."""
    kinds = ("CPLWait", "CPLComp", "CPCComm", "CPRWait", "CPRComp", "PPRWait", "PPRComp", "PPLWait")
    for (category, operation), rows in groups(run.get("waits", []), lambda row: (row["category"], row["operation"])):
        yield {"wait": category, "for": operation,
               **{name: fsum(row.get(name) or 0 for row in rows)
                  for name in ("count", "total_s", "busy_s", *(kind + "_s" for kind in kinds))}}


def causes(run):
    for operation, rows in groups(run.get("causes", []), lambda row: row["operation"]):
        paths = [found[0] for _, found in groups(rows, lambda row: (row["scope"], row["path"], row["ranks"]))]
        others = [row["time_s"] for row in rows if row["cause_category"] != "answer"]
        yield {"wait": operation, "paths": len(paths), "count": sum(path["count"] for path in paths),
               "waited_s": fsum(path["wait_s"] for path in paths), "steps": len(rows),
               "pruned": sum(row.get("pruned") == 1 for row in rows),
               "answer_s": fsum(row["time_s"] for row in rows if row["cause_category"] == "answer"),
               "others_s": fsum(time for time in others if time > 0),
               "negative_s": fsum(row["time_s"] for row in rows if row["time_s"] < 0)}


def without_cause(run):
    names = ("cause", "status", "attributed_s", "time_s", "removed_s", "returned_s", "joint_time_s")
    for row in run.get("what_if_causes", []):
        yield {name: row.get(name) for name in names}


TABLES = (("runs", totals), ("critical path", critical_path), ("forecast", forecast), ("profile", profile),
          ("waits", waits), ("causes of waits", causes), ("without a cause", without_cause))


def cell(name, value):
    if value is None or value is False:
        value = 0
    if name.endswith("_s") and not isinstance(value, str):
        return f"{value * 1e12:.0f}"
    return number(value) if isinstance(value, (int, float)) else str(value)


def table(title, rows):
    """Its lines. A column of which all cells are 0 or absent is left out."""
    names = [name for name in dict.fromkeys(name for row in rows for name in row)
             if any(row.get(name) not in (None, 0) for row in rows)]
    if not rows:
        return []
    head = [name[:-2] + "_ps" if name.endswith("_s") else name for name in names]
    return [title] + aligned([head] + [[cell(name, row.get(name)) for name in names] for row in rows]) + [""]


def aligned(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [" ".join(text.rjust(width) for text, width in zip(row, widths)) for row in rows]


def number(value):
    return f"{value:.15g}"


def leaves(value, path, found):
    """All numbers and texts below a value, by the names that lead to them."""
    if isinstance(value, dict):
        for name, below in value.items():
            leaves(below, f"{path}.{name}" if path else name, found)
    elif isinstance(value, list):
        for below in value:
            leaves(below, path, found)
    else:
        found[path].append(value)


def place(weights):
    total = fsum(map(abs, weights))
    return number(float(f"{fsum(i * abs(weight) for i, weight in enumerate(weights, 1)) / total:.9g}")) if total else "0"


def line_of(name, values):
    words = [name, str(len(values))]
    if name.split(".")[-1] in SENTENCES:
        return "  ".join(words)
    if any(isinstance(value, (str, bool)) for value in values):
        counts = collections.Counter(str(value) for value in values)
        rank = {value: i for i, value in enumerate(sorted(counts), 1)}
        if len(counts) > 1:
            words.append("at " + place([rank[str(value)] for value in values]))
        words += [f"{value!r}" if len(counts) == 1 else f"{value!r} {n}" for value, n in sorted(counts.items())[:12]]
        words += [f"and {len(counts) - 12} others"] if len(counts) > 12 else []
        return "  ".join(words)
    values = [0 if value is None else value for value in values]
    if min(values) == max(values):
        return "  ".join(words + [number(values[0])])
    return "  ".join(words + [f"{number(min(values))} .. {number(max(values))}", "sum " + number(fsum(values)),
                              "first " + number(values[0]), "last " + number(values[-1]), "at " + place(values)])


def parameters_set(scenario, options):
    """The names of what the scenario sets, and the options."""
    tree = xml.etree.ElementTree.parse(scenario)
    return ({element.get("name") for element in tree.iter("param")}
            | {option.split("=")[0] for option in options if "=" in option})


def parts(report, scenario, options):
    """Name of a part, and its line."""
    runs = report["runs"]
    found = collections.defaultdict(list)
    for name, value in report.items():
        if name not in ("answer", "schema", "simrun", "runs"):
            leaves(value, name, found)
    for run in runs:
        leaves({name: value for name, value in run.items() if name != "host"}, "", found)
    held = parameters_set(scenario, options)
    return {name: line_of(name, values) for name, values in sorted(found.items())
            if not name.startswith("parameters.") or name.split(".")[1] in held
            or len({json.dumps(value) for value in values}) > 1}


def figures(report, scenario, options):
    """The lines."""
    runs = report["runs"]
    if not runs:
        sys.exit("no runs")
    lines = []
    of_run = labels(runs)
    for title, rows in TABLES:
        lines += table(title, [{**of_run[i], **row} for i, run in enumerate(runs) for row in rows(run) if row])
    return lines + [PARTS] + list(parts(report, scenario, options).values())


def known():
    """What the parts that any file holds begin with."""
    names = set()
    for file in glob.glob(os.path.join(FOLDER, "**", "*.txt"), recursive=True):
        with open(file, encoding="utf-8") as lines:
            in_parts = False
            for line in lines:
                if in_parts:
                    names.add(line.split()[0].split(".")[0])
                in_parts = in_parts or line == PARTS + "\n"
    return names


def compare(file, lines):
    with open(file, encoding="utf-8") as text:
        held = [line.rstrip("\n") for line in text if not line.startswith("#")]
    if held == lines:
        return 0
    names = known()
    first = lines.index(PARTS) + 1
    lines = lines[:first] + [line for line in lines[first:] if line.split()[0].split(".")[0] in names]
    difference = list(difflib.unified_diff(held, lines, "held", "now", n=1, lineterm=""))
    for line in difference[:60]:
        print(line[:200])
    return 1 if difference else 0


def main(command, *arguments):
    file = arguments[0] if command == "compare" else None
    report, scenario, *options = arguments[1:] if file else arguments
    with open(report, encoding="utf-8") as text:
        lines = figures(json.load(text), scenario, options)
    if file:
        return compare(file, lines)
    print("\n".join(lines))
    return 0


sys.exit(main(*sys.argv[1:]))
