"""Random programs: an application and its parameters, small enough to take milliseconds."""
# SPDX-License-Identifier: BSD-3-Clause

BROADCASTS = ("flat neighbour binomial chain chain_segmented chain_down split_ring multipath hypercube knomial binary "
              "binary_segmented split_binary scatter_ring scatter_doubling openmpi auto").split()
ALGORITHMS = {
    "broadcast": BROADCASTS, "scatter": "flat binomial openmpi auto".split(), "gather": "flat binomial openmpi auto".split(),
    "reduce": "binomial flat chain chain_segmented openmpi auto".split(),
    "allreduce": "recursive_doubling ring rabenseifner reduce_broadcast openmpi auto".split(),
    "allgather": "ring recursive_doubling bruck neighbour_exchange exchange linear gather_broadcast openmpi auto".split(),
    "alltoall": "pairwise exchange linear bruck openmpi auto".split(),
    "barrier": "dissemination flat tree recursive_doubling openmpi auto".split()}
SIZES = (0, 1, 7, 64, 100, 1000, 1024, 4096, 10000, 65536, 200000)


def broadcast_of(random):
    return {"broadcast": random.choice(BROADCASTS), "broadcast_segment": random.choice((64, 512, 4096)),
            "broadcast_mode": random.choice(("auto", "standard", "synchronous")),
            "broadcast_radix": random.choice((2, 3, 4)),
            "broadcast_order": random.choice(("rank", "reverse", "upward", "downward"))}


def ring(random, ranks):
    return {"rounds": random.randint(1, 5), "bytes": random.choice(SIZES), "ranks": ranks}


def broadcast(random, ranks):
    return {"rounds": random.randint(1, 3), "bytes": random.choice(SIZES), "ranks": ranks, **broadcast_of(random)}


def collective(random, ranks):
    kind = random.choice(list(ALGORITHMS))
    params = {"collective": kind, "rounds": random.randint(1, 2), "ranks": ranks, kind: random.choice(ALGORITHMS[kind]),
              "bytes": 0 if kind == "barrier" else random.choice(SIZES)}
    return {**params, **broadcast_of(random), kind: params[kind]} if kind in ("broadcast", "allreduce") else params


def gauss_jordan(random, ranks):
    return {"n": random.randint(1, 24), "rows": random.choice(("block", "cyclic")), "ranks": ranks, **broadcast_of(random)}


def matmul(random, ranks):
    return {"n": random.randint(1, 40), "ranks": ranks}


def grid(random, ranks):
    rows = random.choice([r for r in range(1, ranks + 1) if ranks % r == 0])
    return f"{rows}x{ranks // rows}"


def redistribute(random, ranks):
    return {"m": random.randint(1, 60), "n": random.randint(1, 60), "block": random.choice((1, 4, 16)), "ranks": ranks,
            "to_block": random.choice((1, 3, 8)), "from_grid": grid(random, ranks), "to_grid": grid(random, ranks),
            "schedule": random.choice(("caterpillar", "shift"))}


def pdgemm(random, ranks):
    return {"size": random.randint(8, 96), "block": random.choice((8, 16, 32)), "grid": grid(random, ranks), "ranks": ranks,
            "algorithm": random.choice(("paper", "library"))}


def pdtrsm(random, ranks):
    return {"m": random.randint(8, 64), "n": random.randint(8, 64), "block": random.choice((8, 16)), "ranks": ranks,
            "grid": grid(random, ranks), "algorithm": random.choice(("paper", "library")),
            "side": random.choice(("left", "right")), "uplo": random.choice(("upper", "lower"))}


def hpl(random, ranks):
    return {"n": random.randint(8, 80), "block": random.choice((4, 8, 16)), "grid": grid(random, ranks), "ranks": ranks,
            "look_ahead": 0, "swap": random.choice(("spread", "exchange")),  # with 1 it probes: no trace says what it found
            "broadcast": random.choice(("1ring", "1ring-modified", "2ring", "2ring-modified", "long", "long-modified"))}


APPLICATIONS = {"ring": ring, "broadcast": broadcast, "collective": collective, "gauss-jordan": gauss_jordan,
                "matmul": matmul, "redistribute": redistribute, "pdgemm": pdgemm, "pdtrsm": pdtrsm, "hpl": hpl}
WEIGHTS = (2, 3, 8, 3, 2, 2, 2, 2, 2)


def random_program(random, hosts, per_host):
    application = random.choices(list(APPLICATIONS), WEIGHTS)[0]
    ranks = random.randint(1 if application in ("gauss-jordan", "collective") else 2, max(2, min(24, hosts * per_host)))
    return application, APPLICATIONS[application](random, min(ranks, hosts * per_host))


# ---- Traces ----

COLLECTIVES = {"barrier": "", "bcast": "{bytes} 0 6", "reduce": "{bytes} {flops} 0 6", "allreduce": "{bytes} {flops} 6",
               "alltoall": "{bytes} {bytes} 6 6", "allgather": "{bytes} {bytes} 6 6", "gather": "{bytes} {bytes} 0 6 6",
               "scatter": "{bytes} {bytes} 0 6 6"}


def random_steps(random, ranks):
    """Steps that all ranks do in one order, so that there is no deadlock; each message has a tag of its own."""
    steps = []
    for tag in range(random.randint(1, 25)):
        kind = random.random()
        if kind < 0.6 and ranks > 1:
            source, destination = random.sample(range(ranks), 2)
            steps.append(["message", source, destination, tag, random.choice(SIZES), random.random() < 0.5,
                          random.random() < 0.5])
        elif kind < 0.75:
            steps.append(["compute", random.randrange(ranks), random.choice((1, 1000, 123456, 1000000))])
        elif kind < 0.9:
            steps.append(["waitall", random.randrange(ranks)])
        else:
            steps.append([random.choice(list(COLLECTIVES)), random.choice(SIZES), random.choice((0, 5000))])
    return steps


def write_trace(ranks, steps, path):
    """A TI trace of the steps. All that has been begun is waited for at the end."""
    lines = [f"{rank} init" for rank in range(ranks)]
    for step in steps:
        name = step[0]
        if name == "message":
            _, source, destination, tag, size, begins_send, begins_receive = step
            lines.append(f"{source} {'isend' if begins_send else 'send'} {destination} {tag} {size} 6")
            lines.append(f"{destination} {'irecv' if begins_receive else 'recv'} {source} {tag} {size} 6")
        elif name == "compute":
            lines.append(f"{step[1]} compute {step[2]}")
        elif name == "waitall":
            lines.append(f"{step[1]} waitall")
        else:
            words = COLLECTIVES[name].format(bytes=step[1], flops=step[2])
            lines += [f"{rank} {name} {words}".rstrip() for rank in range(ranks)]
    for rank in range(ranks):
        lines += [f"{rank} waitall", f"{rank} finalize"]
    path.write_text("\n".join(lines) + "\n")
