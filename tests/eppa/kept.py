"""Makes of a spool that kept everything one that kept the last windows, as a ring that has gone round: kept.py DIRECTORY WINDOWS MIB.
Rank r keeps r windows more. And compares: kept.py JSON-OF-A-PART JSON-OF-WHAT-WAS-KEPT."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import struct
import sys
from pathlib import Path

WINDOW, DEFINE_KEEP = 256 * 1024, 16
ALONE = 60  # messages and collectives, of each rank, that may be under way at the border


def cut(directory, windows, mebibytes):
    for file in directory.glob("*.defs"):
        definitions = bytearray(file.read_bytes())
        at = 0
        while at < len(definitions):
            kind, length = struct.unpack_from("II", definitions, at)
            if kind == DEFINE_KEEP:
                struct.pack_into("qII", definitions, at + 8, mebibytes << 20, 0, 0)
            at += 8 + length
        file.write_bytes(definitions)
    for file in directory.glob("*.events"):
        events = file.read_bytes()
        every = [events[i:i + WINDOW] for i in range(0, len(events), WINDOW)]
        last = every[-windows - int(file.stem):]
        assert len(last) < len(every), "nothing is cut"
        file.write_bytes(b"".join(last[2:] + last[:2]))


def near(name, part, kept, tolerance):
    if abs(part - kept) > tolerance:
        sys.exit(f"{name}: {part} in the part of the whole trace, {kept} in what was kept")


def compare(part, kept):
    time_s = part["time_s"]
    for name in "messages", "collectives":
        near(name, part[name], kept[name], ALONE)
    for state, seconds in part["process_state_s"].items():
        tolerance = 1e-3 if state in ("useful", "control") else 0.03  # what is waited for across the border cannot be seen
        for rank, (one, other) in enumerate(zip(seconds, kept["process_state_s"][state])):
            near(f"{state} of rank {rank}", one, other, tolerance * time_s)
    near("time", time_s, kept["time_s"], 1e-3 * time_s)
    waits = [{}, {}]
    for sums, run in zip(waits, (part, kept)):
        for row in run["function_waits"]:
            sums[row["wait"]] = sums.get(row["wait"], 0) + row["time_s"]
    assert len(waits[0]) >= 2, f"too few kinds of waits to compare: {waits[0]}"
    for wait in {**waits[0], **waits[1]}:
        near(wait, waits[0].get(wait, 0), waits[1].get(wait, 0), 0.05 * time_s)


if sys.argv[1].endswith(".json"):
    compare(*(json.loads(Path(name).read_text())["runs"][0] for name in sys.argv[1:]))
else:
    cut(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
