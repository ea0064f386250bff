"""Random machines, and the platform files that describe them.

A machine is a dictionary that can be made smaller piece by piece: a shape, a number of hosts, wires, and props. Times are
whole nanoseconds, and rates such that a byte takes a whole number of picoseconds, so that a machine of which everything
takes twice as long can be written without rounding.
"""
# SPDX-License-Identifier: BSD-3-Clause

RATES = (1e9, 5e8, 2.5e8, 1.25e8, 1e8, 5e7)  # bytes per second
LATENCIES = (0, 1000, 2000, 5000, 20000, 50000)  # ns
ROWS = ("start", "byte")  # of a message; times


def ns(random, most):
    """A time that is often nothing, and of any magnitude otherwise."""
    return 0 if random.random() < 0.15 else random.randint(1, 10 ** random.randint(1, len(str(most)) - 1))


def wire(random):
    return {"rate": random.choice(RATES), "latency": random.choice(LATENCIES),
            "policy": random.choice(("SPLITDUPLEX", "SPLITDUPLEX", "SHARED", "FATPIPE"))}


def rows(random, keys):
    """One to three rows by length: (up_to or None, {key: ns})."""
    lengths = sorted(random.sample((0, 64, 1000, 1024, 4096, 65536), random.randint(0, 2)))
    return [(limit, {key: ns(random, 20 if "byte" in key else 50000) for key in keys}) for limit in [*lengths, None]]


def random_machine(random, network):
    shape = random.choice(("star", "star", "backbone", "torus", "full"))
    hosts = random.choice((2, 3, 4, 6, 8, 16)) if shape != "full" else random.randint(2, 6)
    machine = {"shape": shape, "hosts": hosts, "wire": wire(random), "times": 1, "by_simgrid": False, "props": {}}
    machine["backbone"] = wire(random)
    machine["wires"] = [wire(random) for _ in range(5)]
    if random.random() < 0.5:  # wires with one direction, as simrun's own reader takes them
        for one in machine["wires"]:
            one["policy"] = one["policy"].replace("SPLITDUPLEX", "SHARED")
    machine["routes"] = {f"{a}-{b}": random.sample(range(5), random.randint(1, 3))
                         for a in range(hosts) for b in range(a)} if shape == "full" else {}
    props = machine["props"]
    has_rows = network != "fluid" and random.random() < 0.4
    if has_rows:
        props["message"] = rows(random, ("start", "byte", "hop", "byte_hop", "send", "receive"))
    for name, chance, keys in (("local", 0.3, ROWS), ("exchange", 0.25 if has_rows else 0, ROWS),
                               ("combine", 0.25, ROWS), ("copy", 0.25, ROWS)):
        if random.random() < chance:
            props[name] = rows(random, keys)
    for name, chance, keys in (("send_overhead", 0.4, ROWS), ("receive_overhead", 0.4, ROWS),
                               ("input", 0.2, ROWS), ("output", 0.2, ROWS)):
        if random.random() < chance:
            props[name] = {key: ns(random, 20 if key == "byte" else 50000) for key in keys}
    for name in ("broadcast_call", "allreduce_call", "link_init"):
        if random.random() < 0.25:
            props[name] = ns(random, 50000)
    for name, values in (("eager_limit", (0, 100, 1024, 65536)), ("local_eager_limit", (0, 512, 8192)),
                         ("control", (0, 16, 64)), ("send_completes", ("buffered", "delivered")),
                         ("collectives", ("openmpi",)), ("cores", (1, 2, 4))):
        if random.random() < 0.35:
            props[name] = random.choice(values)
    if has_rows and random.random() < 0.3:
        props["packet"] = random.choice((64, 512, 1024))
    if has_rows and random.random() < 0.2:
        props["window"] = random.choice((512, 4096))
    return machine


KERNELS = {  # cycles of 10 ns, and times of polynomials in ns
    "kernel.gj.rsub": "cpu=6 fpu=4 external=9 internal=2", "kernel.gj.norm": "cpu=3 fpu=2 external=5 internal=1",
    "kernel.gj.set": "cpu=6 fpu=1 external=5 internal=2", "kernel.gj.inv": "cpu=3 fpu=4 external=5 internal=1",
    "kernel.gj.buf": "cpu=3 fpu=1 external=5 internal=1"}
POLYNOMIALS = {"kernel.dgemm": (("mnk", 4), ("mk", 3)), "kernel.dtrsm": (("mnn", 2),), "kernel.matadd": (("mn", 80),)}


def write_row(machine, row):
    limit, costs = row
    times = " ".join(f"{key}={value * machine['times']}ns" for key, value in costs.items())
    return times if limit is None else f"up_to={limit}B {times}"


def write_props(machine):
    times = machine["times"]
    yield "cycle", f"{10 * times}ns"
    yield from KERNELS.items()
    for name, terms in POLYNOMIALS.items():
        yield name, "poly " + " ".join(f"{key}={value * times}ns" for key, value in terms)
    for name, value in machine["props"].items():
        if isinstance(value, list):
            # Only the last row has no limit, whatever has been left out.
            whole = [*value[:-1], (None, value[-1][1])]
            for i, row in enumerate(whole):
                yield f"{name}.{i + 1}", write_row(machine, row)
        elif isinstance(value, dict):
            yield name, write_row(machine, (None, value))
        elif name in ("broadcast_call", "allreduce_call", "link_init"):
            yield name, f"{value * times}ns"
        else:
            yield name, str(value) + ("B" if isinstance(value, int) and name != "cores" else "")


def speed(machine):
    """One core is what a host has anyway, but only SimGrid knows the word: the same machine by the other reader."""
    return f'speed="{1e9 / machine["times"]:.0f}f"' + (' core="1"' if machine["by_simgrid"] else "")


def attributes(machine, one, prefix=""):
    times = machine["times"]
    policy = "" if one["policy"] == "SPLITDUPLEX" and "cluster" in one else f'{prefix}sharing_policy="{one["policy"]}"'
    return (f'{prefix}{"bw" if prefix or "cluster" in one else "bandwidth"}="{one["rate"] / times:.0f}Bps" '
            f'{prefix}{"lat" if prefix or "cluster" in one else "latency"}="{one["latency"] * times}ns" '
            f'{policy}')


def write_cluster(machine):
    hosts, own = machine["hosts"], {**machine["wire"], "cluster": True}
    if own["policy"] == "FATPIPE":
        own["policy"] = "SHARED"  # a cluster's wires are wires
    more = ""
    if machine["shape"] == "backbone":
        back = {**machine["backbone"], "policy": machine["backbone"]["policy"].replace("SPLITDUPLEX", "SHARED")}
        more = attributes(machine, back, "bb_")
    if machine["shape"] == "torus":
        side = next(k for k in (4, 3, 2, 1) if hosts % k == 0)
        more = f'topology="TORUS" topo_parameters="{hosts // side},{side}"'
    return (f'<cluster id="c" prefix="n" suffix="" radical="0-{hosts - 1}" {speed(machine)} {attributes(machine, own)} {more}/>')


def write_full(machine):
    hosts, used = machine["hosts"], {i for route in machine["routes"].values() for i in route}
    lines = [f'<host id="n{i}" {speed(machine)}/>' for i in range(hosts)]
    lines += [f'<link id="l{i}" {attributes(machine, machine["wires"][i])}/>' for i in sorted(used)]
    for pair, route in machine["routes"].items():
        a, b = (int(end) for end in pair.split("-"))
        if max(a, b) >= hosts:
            continue
        for src, dst, way in ((a, b, "UP"), (b, a, "DOWN")):
            links = "".join(f'<link_ctn id="l{i}"' + (f' direction="{way}"' if machine["wires"][i]["policy"] ==
                            "SPLITDUPLEX" else "") + "/>" for i in (route if way == "UP" else route[::-1]))
            lines.append(f'<route src="n{src}" dst="n{dst}" symmetrical="NO">{links}</route>')
    return "\n".join(lines)


def write_platform(machine, path):
    body = write_full(machine) if machine["shape"] == "full" else write_cluster(machine)
    props = "\n".join(f'<prop id="{name}" value="{value}"/>' for name, value in write_props(machine))
    path.write_text('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
                    f'<zone id="z" routing="Full">\n{props}\n{body}\n</zone>\n</platform>\n')
