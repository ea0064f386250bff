# The numbers that pictures of simrun figure show, measured on them, against the JSON: figure.py FOLDER
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import re
import struct
import sys
import zlib
import xml.etree.ElementTree as tree

folder = sys.argv[1]
NAMESPACE = "{http://www.w3.org/2000/svg}"
failed = 0


def check(name, good, detail=""):
    global failed
    if not good:
        failed += 1
        print(f"FAILED: {name}: {detail}")


def read(name):
    """Texts, boxes and lines of a picture."""
    root = tree.parse(f"{folder}/{name}.svg").getroot()
    number = lambda node, key: float(node.get(key))
    texts = [(number(t, "x"), number(t, "y"), t.text or "", t.get("transform")) for t in root.iter(NAMESPACE + "text")]
    places = ("x", "y", "width", "height")
    boxes = [(*(number(b, key) for key in places), b.get("fill")) for b in root.iter(NAMESPACE + "rect")]
    lines = [([tuple(map(float, p.split(","))) for p in line.get("points").split()], line.get("stroke"))
             for line in root.iter(NAMESPACE + "polyline")]
    return texts, boxes, lines


def scale_of(texts, along):
    """A function from places to values, from the least and the largest tick; along: 0 for x, 1 for y."""
    numbers = [t for t in texts if re.fullmatch(r"-?[\d.e+]+", t[2]) and not t[3]]
    common = lambda t: round(t[1 - along], 1)
    most = max({common(t) for t in numbers}, key=lambda place: sum(common(t) == place for t in numbers))
    ticks = sorted(((float(t[2]), t[along]) for t in numbers if common(t) == most))
    (low, at_low), (high, at_high) = ticks[0], ticks[-1]
    return lambda place: low + (place - at_low) * (high - low) / (at_high - at_low), at_low


def near(name, shown, wanted, scale):
    check(name, len(shown) == len(wanted) and all(abs(a - b) <= 0.002 * scale for a, b in zip(shown, wanted)),
          f"{shown} is not {wanted}")


runs = json.load(open(f"{folder}/gj.json"))["runs"]


def check_line(name, key, factor):
    texts, _, lines = read(name)
    ends = [t for t in texts if t[0] < 40 and not t[3]]
    value, at_low = scale_of([t for t in ends], 1)
    drawn = [points for points, stroke in lines if stroke != "#d5dae1"]
    wanted = [run[key] * factor for run in runs]
    offset = at_low - max(y for points, stroke in lines if stroke == "#d5dae1" for _, y in points)
    near(name, [value(y + offset) for _, y in drawn[0]], wanted, max(wanted))


def unit_of(name):
    label = next(t[2] for t in read(name)[0] if t[3])
    return {"[s]": 1, "[ms]": 1e3, "[us]": 1e6, "[%]": 100}.get(label.split(" ")[-1], 1)


check_line("scaling", "speedup", 1)
check_line("efficiency", "efficiency", 100)
check_line("time", "time_s", unit_of("time"))

# Parts of stacked bars, from the bottom.
texts, boxes, lines = read("components")
bars = [b for b in boxes if b[2] != 7]
kinds = ("processing", "memory", "communication", "io")
per_second = max(sum(run["critical_path_s"][k] for k in kinds) for run in runs)
left = sorted({round(b[0], 1) for b in bars})
tallest = max(sum(b[3] for b in bars if round(b[0], 1) == x) for x in left)
for x, run in zip(left, runs):
    path = run["critical_path_s"]
    parts = [path[k] for k in kinds if any(r["critical_path_s"][k] for r in runs)]
    near(f"components of {run['ranks']} ranks", [b[3] / tallest * per_second for b in bars if round(b[0], 1) == x],
         parts, per_second)

# Bars in rows: their lengths are in the ratios of the times.
rows = json.load(open(f"{folder}/rows.json"))["runs"]
texts, boxes, _ = read("rows")
names = [t[2] for t in sorted(texts, key=lambda t: t[1])]
for run in rows:
    check(f"the row {run['parameters']['variant']}", run["parameters"]["variant"] in names, str(names))
widths = sorted(b[2] for b in boxes)
times = sorted(run["time_s"] for run in rows)
near("rows", [w / widths[-1] for w in widths], [t / times[-1] for t in times], 1)

check("cells say their numbers", {"x 1.00", "x 1.44", "x 2.10"} <= {t[2] for t in read("cells")[0]})

# Figures of one run. Of a state, how much of the timeline has its color; of messages, where they begin and end.
COLOURS = {"useful": "#009e73", "send": "#e69f00", "receive": "#56b4e9", "idle": "#c3c8cf"}
[run] = json.load(open(f"{folder}/run.json"))["runs"]
states = run["process_state_s"]
texts, boxes, lines = read("run-states")
for rank, x in enumerate(sorted({round(b[0], 1) for b in boxes if b[2] != 7})):
    heights = {b[4]: b[3] for b in boxes if round(b[0], 1) == x and b[2] != 7}
    near(f"states of rank {rank}", [heights[COLOURS[s]] / sum(heights.values()) for s in COLOURS],
         [states[s][rank] / run["time_s"] for s in COLOURS], 1)
texts, boxes, lines = read("run-timeline")
spans = [b for b in boxes if b[2] != 7 or b[3] != 7]
for rank, y in enumerate(sorted({b[1] for b in spans})):
    widths = {s: sum(b[2] for b in spans if b[1] == y and b[4] == COLOURS[s]) for s in COLOURS}
    near(f"timeline of rank {rank}", [widths[s] / sum(widths.values()) for s in COLOURS],
         [states[s][rank] / run["time_s"] for s in COLOURS], 2)
check("messages of the timeline", sum(stroke == "#1c2430" for _, stroke in lines) == run["messages"], str(lines))
texts, boxes, lines = read("run-matrix")
pairs = [pair for pair in run["communication_matrix"] if pair["bytes"]]
side = max(b[2] for b in boxes)
[ground] = [b for b in boxes if b[2] == side]
cells = {(int((b[1] - ground[1]) / side * 3 + 0.01), int((b[0] - ground[0]) / side * 3 + 0.01)): b[4]
         for b in boxes if b[2] not in (9, side)}
check("cells of the matrix", set(cells) == {(pair["from"], pair["to"]) for pair in pairs}, str(cells))
most = max(pairs, key=lambda pair: pair["bytes"])
check("the darkest cell", cells[most["from"], most["to"]] == "#08306b", str(cells))
texts, boxes, lines = read("run-delays")
delays = json.load(open(f"{folder}/delays.json"))["runs"][0]["delays"][:20]
most = max(row["cost_s"] for row in delays)
bars = {kind: [b for b in sorted(boxes, key=lambda b: b[1]) if b[4] == colour and b[2] != 7]
        for kind, colour in (("direct_s", "#0072b2"), ("passed_on_s", "#e69f00"))}
longest = max(b[0] + b[2] for kind in bars.values() for b in kind) - min(b[0] for b in bars["direct_s"])
for kind, drawn in bars.items():
    near(f"delays, {kind}", [b[2] / longest for b in drawn], [row[kind] / most for row in delays], 1)
iterations = json.load(open(f"{folder}/iterations.json"))["runs"][0]["iterations"]
texts, boxes, lines = read("run-iterations")
idle = [b[3] for b in sorted(boxes) if b[4] == "#c3c8cf" and b[2] != 7]
wanted = [row["idle_s"] for row in iterations]
near("iterations", [h / max(idle) for h in idle], [i / max(wanted) for i in wanted], 1)
paths = json.load(open(f"{folder}/paths.json"))["runs"][0]["call_paths"]
texts, boxes, lines = read("run-call-tree")
icicle = [b for b in boxes if b[2] != 9]
whole = max(b[2] for b in icicle)
near("widths of call paths", [b[2] + 0.5 for b in icicle],
     [row["time_s"] / paths[0]["time_s"] * (whole + 0.5) for row in paths], whole)


def read_png(name):
    """Rows of pixels, each three bytes."""
    data, at, packed = open(name, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, form = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    check("the form of PNG", (depth, form) == (8, 2), (depth, form))
    raw, rows, before = zlib.decompress(packed), [], bytes(3 * width)
    for r in range(height):
        start = r * (3 * width + 1)
        way, line = raw[start], bytearray(raw[start + 1:start + 3 * width + 1])
        for i in range(3 * width):
            a, b, c = (line[i - 3] if i > 2 else 0), before[i], (before[i - 3] if i > 2 else 0)
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[way]) & 255
        rows.append(before := bytes(line))
    return rows


if os.path.exists(f"{folder}/run-states.png"):
    pixels = read_png(f"{folder}/run-states.png")
    texts, boxes, lines = read("run-states")
    width = 85 / 25.4 * 300
    check("dots of PNG", abs(len(pixels[0]) / 3 - width) <= 1, len(pixels[0]))
    green = sum(row[i:i + 3] == b"\x00\x9e\x73" for row in pixels for i in range(0, len(row), 3))
    area = sum(b[2] * b[3] for b in boxes if b[4] == "#009e73") * (300 / 72) ** 2
    check("colored dots", abs(green / area - 1) < 0.02, f"{green} of {area}")
sys.exit(failed > 0)
