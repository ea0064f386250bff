"""A random scenario: a machine, a program on it, and how it is placed. It is a dictionary, so it can be made smaller."""
# SPDX-License-Identifier: BSD-3-Clause
import copy

from machine import random_machine, write_platform
from program import random_program, random_steps, write_trace

NETWORKS = ("quiet", "fifo", "fluid", "loggp")


TOPOLOGIES = ("mesh", "torus", "ring", "star", "tree", "fat_tree", "complete", "hypercube")


def random_scenario(random):
    network = random.choice(NETWORKS)
    machine = random_machine(random, network)
    per_host = random.choice((1, 1, 1, 2, 3, 8))
    params = {"network": network, "ranks_per_host": per_host}
    if random.random() < 0.2:
        params.update(topology=random.choice(TOPOLOGIES), layout=random.choice(("snake", "row-major")),
                      root=random.choice(("edge", "corner", "centre")))
    scenario = {"machine": machine, "application": "trace", "params": params, "steps": None}
    if random.random() < 0.3:
        ranks = random.randint(1, min(12, machine["hosts"] * per_host))
        return {**scenario, "ranks": ranks, "steps": random_steps(random, ranks)}
    application, own = random_program(random, machine["hosts"], per_host)
    return {**scenario, "application": application, "params": {**own, **params}}


def write_scenario(scenario, folder, sweep=None):
    """p.xml, s.xml and, of a trace, program.ti in the folder; the path of s.xml. `sweep` is a parameter with several values."""
    write_platform(scenario["machine"], folder / "p.xml")
    params = {**scenario["params"], **(sweep or {})}
    lines = "".join(f'  <param name="{name}" value="{value}"/>\n' for name, value in params.items())
    file = ""
    if scenario["steps"] is not None:
        write_trace(scenario["ranks"], scenario["steps"], folder / "program.ti")
        file = ' file="program.ti"'
    path = folder / "s.xml"
    path.write_text('<?xml version="1.0"?>\n<scenario name="s">\n  <platform file="p.xml"/>\n'
                    f'  <application name="{scenario["application"]}"{file}/>\n{lines}</scenario>\n')
    return path


# ---- Smaller ----

def without(scenario, *path):
    smaller = copy.deepcopy(scenario)
    place = smaller
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return smaller


def changed(scenario, value, *path):
    smaller = copy.deepcopy(scenario)
    place = smaller
    for key in path[:-1]:
        place = place[key]
    if place[path[-1]] == value:
        return None
    place[path[-1]] = value
    return smaller


def candidates(scenario):
    """Scenarios that are a little smaller, the boldest first."""
    machine, params = scenario["machine"], scenario["params"]
    for i in range(len(scenario["steps"] or [])):
        yield without(scenario, "steps", i)
    for name in machine["props"]:
        yield without(scenario, "machine", "props", name)
    for name in params:
        yield without(scenario, "params", name)
    yield changed(scenario, "star", "machine", "shape") if machine["shape"] != "full" else None
    yield changed(scenario, {"rate": 1e9, "latency": 1000, "policy": "SPLITDUPLEX"}, "machine", "wire")
    for name, value in params.items():
        if isinstance(value, int) and value > 1:
            for less in (1, value // 2, value - 1):
                yield changed(scenario, less, "params", name)
    yield changed(scenario, max(1, machine["hosts"] // 2), "machine", "hosts")
    for name, value in machine["props"].items():
        if isinstance(value, list) and len(value) > 1:
            yield changed(scenario, value[-1:], "machine", "props", name)
        for path in costs_in(value):
            yield changed(scenario, 0, "machine", "props", name, *path)
            yield changed(scenario, 1000, "machine", "props", name, *path)


def costs_in(value):
    if isinstance(value, dict):
        return [(key,) for key in value if value[key] not in (0, 1000)]
    if isinstance(value, list):
        return [(i, 1, key) for i, row in enumerate(value) for key in row[1] if row[1][key] not in (0, 1000)]
    return []


def minimise(scenario, fails, tries=300):
    """The smallest scenario found that still fails; `fails` says whether one does."""
    progress = True
    while progress and tries > 0:
        progress = False
        for smaller in candidates(scenario):
            if smaller is None:
                continue
            tries -= 1
            if tries <= 0:
                break
            if fails(smaller):
                scenario, progress = smaller, True
                break
    return scenario
