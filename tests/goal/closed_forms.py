#!/usr/bin/env python3
"""closed_forms: how long schedules of well-known patterns take where a message takes L and nothing else does, o = g = G = 0;
and by the LogGOPS model (Hoefler and others 2010).

closed_forms.py SIMRUN PLATFORM L [PATTERN...], or L,o,g,G,O,BYTES in place of L: prints each difference, and how many were
compared; status 1 if there is one. The platform has at least 64 hosts and these parameters, in ns. Times are compared to the
picosecond; the smallest schedule of each row is read as text, too.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import generate  # noqa: E402

ANY_RANKS, FEW_RANKS, POWERS = (2, 3, 7, 8, 13, 64), (2, 7, 64), (2, 8, 64)


def below(p):
    """floor(log2 p): how deep a binomial or binary tree of p ranks is, in messages one after another."""
    return p.bit_length() - 1


def rounds(p, base=2):
    """ceil(log p): rounds until each rank has heard from all, if it hears from base - 1 in each."""
    count, reached = 0, 1
    while reached < p:
        count, reached = count + 1, reached * base
    return count


def overlapped(layers, calc, exchange):
    """Of layers that compute and are then exchanged, one at a time each: the slower of the two, and one of the other."""
    return max(layers * calc + exchange, calc + layers * exchange)


# Pattern, further parameters, ranks; and the time on p ranks of which each computes C at a time.
ROWS = [
    ("broadcast-binomial", {}, ANY_RANKS, lambda p, L, C: below(p) * (L + C) + C),
    ("broadcast-binomial", {"root": 1}, ANY_RANKS, lambda p, L, C: below(p) * (L + C) + C),
    ("broadcast-binary", {}, ANY_RANKS, lambda p, L, C: below(p) * (L + C) + C),
    ("reduce-binomial", {}, ANY_RANKS, lambda p, L, C: below(p) * (L + C) + C),
    ("reduce-binomial", {"root": 1}, ANY_RANKS, lambda p, L, C: below(p) * (L + C) + C),
    ("dissemination", {}, ANY_RANKS, lambda p, L, C: rounds(p) * (L + C)),
    ("dissemination-chained", {"runs": 5}, ANY_RANKS, lambda p, L, C: 5 * rounds(p) * (L + C)),
    ("dissemination-ways", {"ways": 1}, ANY_RANKS, lambda p, L, C: rounds(p) * (L + C) - C),
    ("dissemination-ways", {"ways": 2}, ANY_RANKS, lambda p, L, C: rounds(p, 3) * (L + 2 * C) - 2 * C),
    ("dissemination-ways", {"ways": 5}, ANY_RANKS, lambda p, L, C: rounds(p, 6) * (L + 5 * C) - 5 * C),
    ("ring", {"rounds": 3}, ANY_RANKS, lambda p, L, C: 3 * p * (L + C)),
    ("ring-double", {}, ANY_RANKS, lambda p, L, C: p * L),  # without computation, else the two meet
    ("ring-pipelined", {"segments": 4}, ANY_RANKS, lambda p, L, C: (p - 1) * (L + C) + 4 * C),
    ("ring-pipelined", {"segments": 40, "held": 1}, ANY_RANKS, lambda p, L, C: (p - 1) * (L + C) + 40 * C),
    ("gather", {}, ANY_RANKS, lambda p, L, C: p * C + L),
    ("gather", {"root": 1}, ANY_RANKS, lambda p, L, C: p * C + L),
    ("scatter", {}, ANY_RANKS, lambda p, L, C: p * C + L),
    ("barrier-central", {}, ANY_RANKS, lambda p, L, C: 2 * L + C),
    ("bisection", {}, ANY_RANKS, lambda p, L, C: L + C),
    ("bisection", {"both": 1}, ANY_RANKS, lambda p, L, C: L + C),
    ("alltoall", {}, ANY_RANKS, lambda p, L, C: L + (p - 1) * C),
    ("alltoallv", {}, ANY_RANKS, lambda p, L, C: L + (p - 1) * C),
    ("recursive-doubling", {}, POWERS, lambda p, L, C: rounds(p) * (L + C)),
    ("allreduce-recursive", {}, POWERS, lambda p, L, C: 2 * rounds(p) * (L + C)),
    ("allreduce-recursive", {"gap": 900}, POWERS, lambda p, L, C: L + 900 * (2 * rounds(p) - 1)),
    ("allreduce-ring", {}, ANY_RANKS, lambda p, L, C: 2 * (p - 1) * (L + C)),
    ("neighbours", {"x": 8, "rounds": 3}, (8,), lambda p, L, C: 3 * (L + C)),
    ("neighbours", {"x": 4, "y": 3, "rounds": 3}, (12,), lambda p, L, C: 3 * (L + C)),
    ("neighbours", {"x": 3, "y": 3, "z": 3, "rounds": 3}, (27,), lambda p, L, C: 3 * (L + C)),
    ("neighbours", {"x": 5, "y": 4, "z": 2, "rounds": 3, "periodic": 0}, (40,), lambda p, L, C: 3 * (L + C)),
    ("farm", {}, ANY_RANKS, lambda p, L, C: p * C + L),
    ("resnet", {"buckets": 10}, ANY_RANKS, lambda p, L, C: 15 * C + rounds(p) * L),
    ("streams", {"channels": 2, "layers": 4}, ANY_RANKS, lambda p, L, C: max(4 * C, 8 * (p - 1) * L)),
    ("streams", {"channels": 2, "layers": 4, "copy": 300}, ANY_RANKS, lambda p, L, C: max(4 * C, 8 * (p - 1) * (L + 300))),
    ("training", {"channels": 1, "layers": 6}, ANY_RANKS,
     lambda p, L, C: 6 * C + overlapped(6, C, 2 * (p - 1) * L) + C),
    ("training", {"channels": 4, "layers": 6, "copy": 300}, ANY_RANKS,
     lambda p, L, C: 6 * C + overlapped(6, C, 2 * (p - 1) * (L + 300)) + C),
]


class Loggops:
    """Of messages of s bytes: what a send and taking one in cost, and how soon the next one may follow."""

    def __init__(self, L, o, g, G, O, s):
        self.L, self.o, self.bytes = L, o, s
        self.send, self.receive, self.wire = o + (s - 1) * O, o + (s - 1) * max(O, G), g + (s - 1) * G
        self.hop = o + L + self.receive
        self.next_send, self.next_receive = max(self.send, self.wire), max(self.receive, self.wire)


def binomial_broadcast(p, m, C):
    """A rank that has the message at a time computes, then sends to all of twice as many."""
    def end(r, k, time):
        children = [other for other in (r + k * 2 ** i for i in range(p.bit_length())) if other < p]
        ends = [end(other, 2 * (other - r), time + C + i * m.next_send + m.hop) for i, other in enumerate(children)]
        return max([time + C + (len(ends) - 1) * m.next_send + m.send if ends else time + C, *ends])
    return end(0, 1, 0)


def binomial_reduce(p, m, C):
    """The tree towards its root: messages are taken in one after another, as they come."""
    def end(r, k):
        come = sorted(end(other, 2 * (other - r)) + m.o + m.L
                      for other in (r + k * 2 ** i for i in range(p.bit_length())) if other < p)
        free, time = 0, 0
        for at in come:
            time = max(at, free)
            free, time = time + m.next_receive, time + m.receive
        return time + C
    return end(0, 1)


# The same by LogGOPS, of messages as long as the model's.
LOGGOPS_ROWS = [
    ("ring", {"rounds": 3}, FEW_RANKS, lambda p, m, C: 3 * p * (m.hop + C)),
    ("broadcast-binomial", {}, FEW_RANKS, binomial_broadcast),
    ("reduce-binomial", {}, FEW_RANKS, binomial_reduce),
    ("dissemination", {}, FEW_RANKS, lambda p, m, C: rounds(p) * (m.hop + C)),
    ("dissemination-chained", {"runs": 5}, FEW_RANKS, lambda p, m, C: 5 * rounds(p) * (m.hop + C)),
    ("recursive-doubling", {}, POWERS, lambda p, m, C: rounds(p) * (m.hop + C)),
    ("allreduce-ring", {}, FEW_RANKS, lambda p, m, C: 2 * (p - 1) * (m.hop + C)),
    ("bisection", {"both": 1}, FEW_RANKS, lambda p, m, C: m.hop + C),
    ("gather", {}, FEW_RANKS, lambda p, m, C: m.hop + (p - 2) * m.next_receive),  # without computation, as scatter
    ("scatter", {}, FEW_RANKS, lambda p, m, C: m.hop + (p - 2) * m.next_send),
    ("barrier-central", {}, FEW_RANKS,
     lambda p, m, C: m.hop + (p - 2) * m.next_receive + C + (p - 2) * m.next_send + m.hop),
]
CALC_NS = (0, 700, 123456)


def calcs(row):
    if row in LOGGOPS_ROWS:
        return CALC_NS[:1] if row[0] in ("gather", "scatter") else CALC_NS[:2]
    return CALC_NS[:1] if row[0] == "ring-double" else CALC_NS


def simulated_ns(simrun, platform, path):
    """To the picosecond, or what simrun says."""
    done = subprocess.run([simrun, "-q", "-f", "json", "--platform", platform, path], capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[0][-150:]
    return round(json.loads(done.stdout)["runs"][0]["time_s"] * 1e12) / 1000


def compare(simrun, platform, machine, folder, wanted):
    """`machine` is L, or Loggops."""
    compared, different = 0, []
    for row in LOGGOPS_ROWS if isinstance(machine, Loggops) else ROWS:
        name, further, ranks, time_of = row
        if wanted and name not in wanted:
            continue
        for p in ranks:
            for calc in calcs(row):
                parameters = {"ranks": p, "calc": calc, **further}
                if isinstance(machine, Loggops):
                    parameters["bytes"] = machine.bytes * (p if name == "allreduce-ring" else 1)
                for path in [f"{folder}/x.bin", f"{folder}/x.goal"][:2 if p == ranks[0] else 1]:
                    generate.write(path, name, **parameters)
                    found, expected = simulated_ns(simrun, platform, path), time_of(p, machine, calc)
                    compared += 1
                    if found != expected:
                        different.append(name)
                        print(name, *(f"{key}={value}" for key, value in parameters.items()),
                              f"as {path[len(folder) + 1:]}: {found} ns, not {expected}")
    return compared, different


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__.strip())
    simrun, platform, numbers, *wanted = sys.argv[1:]
    parameters = [int(number) for number in numbers.split(",")]
    machine = Loggops(*parameters) if len(parameters) > 1 else parameters[0]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None) as folder:
        compared, different = compare(simrun, platform, machine, folder, wanted)
    print(f"{compared} compared, {len(different)} different", *sorted(set(different)))
    raise SystemExit(bool(different) or not compared)


if __name__ == "__main__":
    main()
