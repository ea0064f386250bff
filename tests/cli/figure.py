# The numbers that pictures of simrun figure show, measured on them, against the JSON: figure.py FOLDER
# SPDX-License-Identifier: BSD-3-Clause
import json
import re
import sys
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
sys.exit(failed > 0)
