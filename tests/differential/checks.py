"""What must be equal: each check simulates a scenario in two ways, and returns None, or what differs.

A scenario that simrun refuses or that does not end (a deadlock of sends that wait for each other) is not compared; a check
that meets one raises NotCompared.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io
import json
import shutil
import subprocess
from fractions import Fraction

import max_min
from machine import write_platform
from scenario import changed, write_scenario

TIMEOUT_S = 60


class NotCompared(Exception):
    """The scenario says nothing here."""


class Simrun:
    """The program, in a folder for what it writes."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments), "-q"], cwd=self.folder, capture_output=True, text=True,
                              timeout=TIMEOUT_S, check=False)

    def output(self, *arguments):
        done = self.run(*arguments)
        if done.returncode not in (0, 1, 2):
            raise AssertionError(f"ends with status {done.returncode}: {done.stderr[-300:]}")
        if done.returncode:
            raise NotCompared(done.stderr.strip())
        return done.stdout

    def runs(self, *arguments):
        return json.loads(self.output("-f", "json", *arguments))["runs"]


def difference(left, right, path="", passed_over=("host", "notes")):
    """The first place in which two JSON values differ; `passed_over`: keys that only one may have."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in [*left, *(key for key in right if key not in left)]:
            if key in passed_over:
                continue
            if key not in left or key not in right:
                return f"{path}.{key} is only in {'one' if key in left else 'the other'}"
            found = difference(left[key], right[key], f"{path}.{key}", passed_over)
            if found:
                return found
        return None
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            return f"{path} has {len(left)} and {len(right)} entries"
        return next((found for i, (one, other) in enumerate(zip(left, right))
                     if (found := difference(one, other, f"{path}[{i}]", passed_over))), None)
    return None if left == right else f"{path}: {left} and {right}"


# ---- Two ways to simulate ----

def check_lookahead(simrun, scenario):
    """Ranks that run ahead of the present, and the order of time, which a detail asks for."""
    file = write_scenario(scenario, simrun.folder)
    plain, ordered = simrun.runs(file)[0], simrun.runs("--detail", "links", file)[0]
    ordered = {key: value for key, value in ordered.items() if key in plain}
    return difference(plain, ordered)


def sweep_of(scenario):
    sizes = {"bytes": "1,64,5000", "n": "8,16,20", "size": "16,20,33", "m": "8,12,20"}
    name = next((name for name in sizes if name in scenario["params"]), None)
    if name is None:
        return {"network": "quiet,fifo"}
    return {name: sizes[name]}


def check_jobs(simrun, scenario):
    """A sweep one run after the other, and three side by side: the same bytes."""
    file = write_scenario(scenario, simrun.folder, sweep_of(scenario))
    one, three = (simrun.runs("-j", jobs, file) for jobs in (1, 3))
    return difference(one, three)


def check_store(simrun, scenario):
    """Runs that are computed, runs that are stored, and runs that a store has."""
    file = write_scenario(scenario, simrun.folder, sweep_of(scenario))
    direct = simrun.runs(file)
    (simrun.folder / "s.db").unlink(missing_ok=True)
    stored, again = (simrun.runs("--store", "s.db", file) for _ in range(2))
    return difference(direct, stored) or difference(direct, again)


def check_shards(simrun, scenario):
    """A sweep whole, and in two shards whose stores are merged."""
    file = write_scenario(scenario, simrun.folder, sweep_of(scenario))
    direct = simrun.runs(file)
    for name in ("1.db", "2.db", "m.db"):
        (simrun.folder / name).unlink(missing_ok=True)
    for shard in (1, 2):
        simrun.output("--shard", f"{shard}/2", "--store", f"{shard}.db", file)
    simrun.output("store", "merge", "m.db", "1.db", "2.db")
    return difference(direct, simrun.runs("--store", "m.db", file))


def numbers_in(value, path=""):
    """The numbers of a JSON value, by names as CSV has them: keys with points between."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers_in(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def check_formats(simrun, scenario):
    """The same numbers in JSON and in CSV."""
    file = write_scenario(scenario, simrun.folder)
    run = simrun.runs(file)[0]
    row = next(csv.DictReader(io.StringIO(simrun.output("-f", "csv", file))))
    wrong = [(name, value, row[name]) for name, value in numbers_in(run) if name in row and float(row[name]) != value]
    if "time_s" not in row or row["time_s"] == "":
        return "CSV has no time_s"
    return "{}: {} in JSON, {} in CSV".format(*wrong[0]) if wrong else None


def check_readers(simrun, scenario):
    """A platform read by simrun itself, and the same by SimGrid."""
    plain = simrun.runs(write_scenario(scenario, simrun.folder))
    by_simgrid = simrun.runs(write_scenario(changed(scenario, True, "machine", "by_simgrid"), simrun.folder))
    return difference(plain, by_simgrid)


def check_units(simrun, scenario):
    """On a machine of which everything takes twice as long a run takes twice as long; but for rounding where rates are shared."""
    if scenario["params"].get("ranks_per_host") != 1 and "local" not in scenario["machine"]["props"]:
        raise NotCompared("within a host messages take what SimGrid says, on any machine")
    once = simrun.runs(write_scenario(scenario, simrun.folder))[0]
    twice = simrun.runs(write_scenario(changed(scenario, 2, "machine", "times"), simrun.folder))[0]
    off_ps = abs(picoseconds(twice["time_s"]) - 2 * picoseconds(once["time_s"]))
    allowed = 2 + 2 * once.get("messages", 0) if once["network"] == "fluid" else 0
    return f"{once['time_s']} s and {twice['time_s']} s, not twice as long" if off_ps > allowed else None


# ---- What goes out comes back ----

def picoseconds(seconds):
    return round(seconds * 1e12)


def remove_trace(folder, name):
    """An archive is files and a folder; simrun writes over none that another run has made smaller."""
    shutil.rmtree(folder / name, ignore_errors=True)
    for old in folder.glob(f"{name}.*"):
        old.unlink()


def round_trip(simrun, scenario, ending):
    """The run, and the replay of what is written of it; None where the writer refuses or says that it cannot hold it all."""
    file = write_scenario(scenario, simrun.folder)
    remove_trace(simrun.folder, "t")
    done = subprocess.run([simrun.program, "-f", "json", "--trace", f"t.{ending}", str(file)], cwd=simrun.folder,
                          capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode:
        raise NotCompared(done.stderr.strip())
    run = json.loads(done.stdout)["runs"][0]
    if run["time_s"] == 0 or f"t.{ending}" in done.stderr:
        raise NotCompared(done.stderr.strip())
    placed = [f"--set={name}={scenario['params'][name]}" for name in ("ranks_per_host", "topology", "layout", "root")
              if name in scenario["params"]]
    settings = [*placed, "-n", run["network"]]
    return run, simrun.run("-f", "json", "-p", "p.xml", *settings, f"t.{ending}")


def check_round_trip(simrun, scenario, ending):
    run, done = round_trip(simrun, scenario, ending)
    if done.returncode:
        return f"the replay fails: {done.stderr.strip()}"
    replay = json.loads(done.stdout)["runs"][0]
    for name in ("messages", "bytes"):
        if run.get(name) != replay.get(name):
            return f"{name}: {run.get(name)}, replayed {replay.get(name)}"
    off_ps = abs(picoseconds(run["time_s"]) - picoseconds(replay["time_s"]))
    return f"{run['time_s']} s, replayed in {replay['time_s']} s" if off_ps else None


def check_ti(simrun, scenario):
    """A run, and the replay of its TI trace."""
    return check_round_trip(simrun, scenario, "ti")


def check_otf2(simrun, scenario):
    """A run, and the replay of its OTF2 trace."""
    return check_round_trip(simrun, scenario, "otf2")


def is_loggops(scenario):
    """There, a schedule goes by another model than its program."""
    return scenario["params"]["network"] == "loggp"


def check_goal(simrun, scenario):
    """A run, and the replay of its GOAL schedule, as text."""
    if is_loggops(scenario):
        raise NotCompared("loggp")
    return check_round_trip(simrun, scenario, "goal")


def check_goal_binary(simrun, scenario):
    """A run, and the replay of its GOAL schedule in binary form."""
    if is_loggops(scenario):
        raise NotCompared("loggp")
    return check_round_trip(simrun, scenario, "bin")


def check_analysis(simrun, scenario):
    """The account of a run, and that of the analysis of its OTF2 trace."""
    file = write_scenario(scenario, simrun.folder)
    remove_trace(simrun.folder, "a")
    run = simrun.runs("--trace", "a.otf2", file)[0]
    if run["time_s"] == 0:
        raise NotCompared("nothing happens")
    analysed = simrun.runs("a.otf2")[0]
    for name in ("time_s", "messages", "bytes", "process_state_s"):
        found = difference(run.get(name), analysed.get(name), name)
        if found:
            return found
    return None


# ---- Fluid against brute force ----

def random_pairs(random):
    hosts = random.randint(2, 6)
    wires = [{"rate": random.choice((1e9, 7e8, 3e8, 1.25e8)), "latency": random.choice((0, 1000, 3000, 50000)),
              "policy": random.choice(("SHARED", "SHARED", "SPLITDUPLEX", "FATPIPE"))} for _ in range(5)]
    routes = {f"{a}-{b}": random.sample(range(5), random.randint(1, 3)) for a in range(hosts) for b in range(a)}
    pairs = []
    for _ in range(random.randint(1, 8)):
        a, b = random.sample(range(hosts), 2)
        pairs.append([a, b, [[random.randint(0, 200), random.choice((1, 100, 5000, 77777, 1000000))]
                             for _ in range(random.randint(1, 4))]])
    return {"hosts": hosts, "wires": wires, "routes": routes, "pairs": pairs}


def write_pairs(case, folder):
    """Each pair is two hosts of its own names, joined by the route of the pair's places; pauses in microseconds."""
    machine = {"shape": "full", "hosts": 2 * len(case["pairs"]), "times": 1, "by_simgrid": False, "props": {},
               "wires": case["wires"], "routes": {}}
    lines = []
    for i, (a, b, messages) in enumerate(case["pairs"]):
        route = case["routes"][f"{max(a, b)}-{min(a, b)}"]
        machine["routes"][f"{2 * i}-{2 * i + 1}"] = route
        lines += [f"{2 * i} init", f"{2 * i + 1} init"]
        for pause, size in messages:
            lines += [f"{2 * i} sleep {pause}e-6", f"{2 * i} send {2 * i + 1} 0 {size} 6", f"{2 * i + 1} recv {2 * i} 0 {size} 6"]
        lines += [f"{2 * i} finalize", f"{2 * i + 1} finalize"]
    write_platform(machine, folder / "p.xml")
    (folder / "pairs.ti").write_text("\n".join(lines) + "\n")


def by_brute_force(case):
    """Pair i goes up its route: direction UP of wires that have two."""
    capacity, pairs = {}, []
    for i, wire in enumerate(case["wires"]):
        if wire["policy"] != "FATPIPE":
            capacity[i] = Fraction(int(wire["rate"]))
    for a, b, messages in case["pairs"]:
        route = case["routes"][f"{max(a, b)}-{min(a, b)}"]
        latency = Fraction(sum(case["wires"][i]["latency"] for i in route), 10**9)
        pipes = [Fraction(int(case["wires"][i]["rate"])) for i in route if case["wires"][i]["policy"] == "FATPIPE"]
        shared = [i for i in route if i in capacity]
        pairs.append([(Fraction(pause, 10**6), size, latency, shared, min(pipes) if pipes else None)
                      for pause, size in messages])
    return max_min.simulate(pairs, capacity)


def check_fluid(simrun, case):
    """Pairs that send over shared wires, on fluid, and by brute force."""
    write_pairs(case, simrun.folder)
    time = simrun.runs("-n", "fluid", "-p", "p.xml", "pairs.ti")[0]["time_s"]
    right = float(by_brute_force(case))
    rounding_s = 1e-12 * (2 + 8 * sum(len(messages) for _, _, messages in case["pairs"]))
    return f"{time} s, by brute force {right} s" if abs(time - right) > rounding_s + 1e-11 * right else None


def smaller_pairs(case):
    for i in range(len(case["pairs"])):
        yield {**case, "pairs": case["pairs"][:i] + case["pairs"][i + 1:]}
    for i, (a, b, messages) in enumerate(case["pairs"]):
        for k in range(len(messages)):
            if len(messages) > 1:
                yield {**case, "pairs": [*case["pairs"][:i], [a, b, messages[:k] + messages[k + 1:]], *case["pairs"][i + 1:]]}


CHECKS = {"lookahead": check_lookahead, "jobs": check_jobs, "store": check_store, "shards": check_shards,
          "formats": check_formats, "readers": check_readers, "units": check_units, "ti": check_ti, "otf2": check_otf2,
          "goal": check_goal, "goal-binary": check_goal_binary, "analysis": check_analysis}
