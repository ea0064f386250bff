#!/usr/bin/env python3
"""generate: schedules in GOAL, text or binary: collectives and other patterns, random graphs, training on GPUs.

generate.py PATTERN [NAME=VALUE...] [FILE]: to the file, binary if it is called .bin, or to standard output.
generate.py list: the patterns, with their parameters.

Every pattern has `ranks`, and `root`: rank 0 and this one change their places. Most have `bytes`, the length of a message,
and `calc`, ns that a rank computes before it sends on; without computation a schedule has none. Patterns have the structure
of those of schedgen, LogGOPSim's generator (Hoefler and others 2010).
"""
# SPDX-License-Identifier: BSD-3-Clause
import contextlib
import inspect
import random
import struct
import sys

SEND, RECV, CALC = 1, 2, 3
ANY = 0xFFFFFFFF


class Rank:
    """A rank's operations, numbered from 0, and what they wait for."""

    def __init__(self):
        self.ops = []  # (kind, amount, peer, tag, cpu)
        self.edges = []  # (later, earlier, True if it waits for its beginning alone)

    def _add(self, op, after, begun):
        index = len(self.ops)
        self.ops.append(op)
        for other in after:
            self.edges.append((index, other, False))
        for other in begun:
            self.edges.append((index, other, True))
        return index

    def send(self, amount, peer, tag=0, after=(), begun=(), cpu=0):
        return self._add((SEND, amount, peer, tag, cpu), after, begun)

    def recv(self, amount, peer, tag=0, after=(), begun=(), cpu=0):
        return self._add((RECV, amount, peer, tag, cpu), after, begun)

    def calc(self, amount, after=(), begun=(), cpu=0):
        return self._add((CALC, amount, 0, 0, cpu), after, begun)

    def work(self, amount, after=(), cpu=0):
        """A computation; what comes next waits for what is returned. None if it takes no time."""
        return [self.calc(amount, after, cpu=cpu)] if amount else list(after)


# --- patterns: each adds the operations of rank r of p ---

PATTERNS = {}


def pattern(name):
    def register(function):
        PATTERNS[name] = function
        return function
    return register


def highest_bit(r):
    return 1 << (r.bit_length() - 1)


@pattern("broadcast-binomial")
def broadcast_binomial(rank, r, p, bytes=1, calc=0, runs=1):
    """A rank that has the message sends it to all of twice as many."""
    after = []
    for run in range(runs):
        k = 1
        if r:
            k = 2 * highest_bit(r)
            after = [rank.recv(bytes, r - k // 2, run, after)]
        after = rank.work(calc, after)
        got, sends = after, []
        while r + k < p:
            sends.append(rank.send(bytes, r + k, run, got))
            k *= 2
        after = sends or got


@pattern("broadcast-binary")
def broadcast_binary(rank, r, p, bytes=1, calc=0):
    """A rank that has the message sends it to two others."""
    got = rank.work(calc, [rank.recv(bytes, (r - 1) // 2)] if r else [])
    for to in (2 * r + 1, 2 * r + 2):
        if to < p:
            rank.send(bytes, to, after=got)


@pattern("reduce-binomial")
def reduce_binomial(rank, r, p, bytes=1, calc=0):
    """The binomial tree towards its root; what a rank has of its children it sends on."""
    k = 2 * highest_bit(r) if r else 1
    to, got = r - k // 2, []
    while r + k < p:
        got.append(rank.recv(bytes, r + k))
        k *= 2
    got = rank.work(calc, got)
    if r:
        rank.send(bytes, to, after=got)


@pattern("dissemination")
def dissemination(rank, r, p, bytes=1, calc=0, tag=0, after=(), cpu=0):
    """In round k, each rank sends 2^k further."""
    distance = 1
    first = after
    while distance < p:
        rank.send(bytes, (r + distance) % p, tag, rank.work(calc, after, cpu), cpu=cpu)
        after = [rank.recv(bytes, (r - distance) % p, tag, first, cpu=cpu)]
        distance *= 2
    return after


@pattern("dissemination-chained")
def dissemination_chained(rank, r, p, bytes=1, calc=0, runs=5):
    """One dissemination after another: what all of one has to end before is an empty computation."""
    after = []
    for run in range(runs):
        first = len(rank.ops)
        dissemination(rank, r, p, bytes, calc, run, after)
        after = [rank.calc(0, range(first, len(rank.ops)))]


@pattern("dissemination-ways")
def dissemination_ways(rank, r, p, bytes=1, calc=0, ways=2):
    """In round k, each rank sends to `ways` others that are (ways + 1)^k apart, and combines as many messages."""
    distance, got = 1, []
    while distance < p:
        after = []
        if got:
            chain = got[:1]
            for other in got[1:]:
                chain = rank.work(calc, [other, *chain])
            after = [*chain, *rank.work(calc, got[:1])]
        for w in range(1, ways + 1):
            rank.send(bytes, (r + w * distance) % p, distance, after)
        got = [rank.recv(bytes, (r - w * distance) % p, distance) for w in range(1, ways + 1)]
        distance *= ways + 1


@pattern("ring")
def ring(rank, r, p, bytes=1, calc=0, rounds=1):
    """A message goes round, so many times."""
    after = []
    for _ in range(rounds):
        if r:
            after = [rank.recv(bytes, r - 1, after=after)]
        after = [rank.send(bytes, (r + 1) % p, after=rank.work(calc, after))]
        if r == 0:
            after = [rank.recv(bytes, p - 1, after=after)]


@pattern("ring-double")
def ring_double(rank, r, p, bytes=1, calc=0):
    """Two messages go round at once, one each way."""
    for tag, step in ((1, 1), (2, -1)):
        got = [rank.recv(bytes, (r - step) % p, tag)]
        rank.send(bytes, (r + step) % p, tag, rank.work(calc, got if r else []))


@pattern("ring-pipelined")
def ring_pipelined(rank, r, p, bytes=1, calc=0, segments=4, held=0):
    """Segments go along all ranks, which compute with one after another. `held`: a segment is received when the one before
    has been sent on."""
    sent = []
    for _ in range(segments):
        got = [rank.recv(bytes, r - 1, after=sent if held else ())] if r else []
        after = rank.work(calc, got + sent) if calc else got
        if r < p - 1:
            sent = [rank.send(bytes, r + 1, after=after)]


@pattern("gather")
def gather(rank, r, p, bytes=1, calc=0):
    """All send to the root, which has something to do with each message."""
    if r:
        rank.send(bytes, 0, after=rank.work(calc))
    for other in range(1, p if r == 0 else 1):
        rank.work(calc, [rank.recv(bytes, other)])


@pattern("scatter")
def scatter(rank, r, p, bytes=1, calc=0):
    """The root has something to do before it sends to each other rank, and these have when they have received."""
    for other in range(1, p if r == 0 else 1):
        rank.send(bytes, other, after=rank.work(calc))
    if r:
        rank.work(calc, [rank.recv(bytes, 0)])


@pattern("barrier-central")
def barrier_central(rank, r, p, bytes=1, calc=0):
    """The root hears from all, then tells all."""
    if r:
        rank.send(bytes, 0)
        rank.recv(bytes, 0)
        return
    heard = [rank.calc(calc, [rank.recv(bytes, other) for other in range(1, p)])]
    for other in range(1, p):
        rank.send(bytes, other, after=heard)


@pattern("bisection")
def bisection(rank, r, p, bytes=1, calc=0, both=0, seed=1):
    """Random pairs; one of each sends, or, with `both`, both. An odd rank is left over."""
    order = list(range(p))
    random.Random(seed).shuffle(order)
    place, half = order.index(r), p // 2
    if place >= 2 * half:
        return
    other = order[(place + half) % (2 * half)]
    if both or place < half:
        rank.send(bytes, other, after=rank.work(calc))
    if both or place >= half:
        rank.recv(bytes, other)


@pattern("alltoall")
def alltoall(rank, r, p, bytes=1, calc=0):
    """Each rank sends to each other, nearest first, and has something to do with each message."""
    for step in range(1, p):
        rank.send(bytes, (r + step) % p)
        rank.work(calc, [rank.recv(bytes, (r - step) % p)])


@pattern("alltoallv")
def alltoallv(rank, r, p, bytes=100, calc=0, seed=1):
    """The same, with random lengths of up to `bytes`, and the longest to rank 0."""
    def length(source, to):
        return bytes if to == 0 else random.Random(f"{seed} {source} {to}").randint(1, bytes)
    for step in range(1, p):
        to, source = (r + step) % p, (r - step) % p
        rank.send(length(r, to), to)
        rank.work(calc, [rank.recv(length(source, r), source)])


@pattern("recursive-doubling")
def recursive_doubling(rank, r, p, bytes=1, calc=0):
    """In round k, each rank exchanges with the one of which bit k of the number differs. A power of two of ranks."""
    after, k = [], 1
    while k < p:
        rank.send(bytes, r ^ k, k, rank.work(calc, after))
        after = [rank.recv(bytes, r ^ k, k)]
        k *= 2


@pattern("allreduce-recursive")
def allreduce_recursive(rank, r, p, bytes=64, calc=0, gap=0):
    """Recursive halving, then doubling, of a power of two of ranks. `gap`: instead of waiting for what it needs, a rank
    sends at random after so many computations, each of `gap` ns, that wait for nothing."""
    steps = p.bit_length() - 1
    rounds = [*range(steps), *reversed(range(steps))]
    after = []
    for place, k in enumerate(rounds):
        length = max(1, bytes >> (k + 1))
        rank.send(length, r ^ 1 << k, place, after if gap else rank.work(calc, after))
        after = [rank.recv(length, r ^ 1 << k, place)]
        if gap and place < len(rounds) - 1:
            after = [rank.calc(gap)]


@pattern("allreduce-ring")
def allreduce_ring(rank, r, p, bytes=64, calc=0, tag=0, after=(), cpu=0):
    """Reduce-scatter, then allgather: a rank sends 2 (p - 1) times to the next one a part that it has from the last."""
    part = max(1, bytes // p)
    for _ in range(2 * (p - 1)):
        sent = rank.send(part, (r + 1) % p, tag, rank.work(calc, after, cpu), cpu=cpu)
        after = [rank.recv(part, (r - 1) % p, tag, begun=[sent], cpu=cpu)]
    return after


@pattern("neighbours")
def neighbours(rank, r, p, bytes=1, calc=0, x=4, y=1, z=1, rounds=1, periodic=1):
    """Each rank of a grid exchanges with up to 2, 4 or 6 others, then computes; so many rounds."""
    size = (x, y, z)
    if x * y * z != p:
        raise SystemExit(f"generate: ranks={p} is not x y z = {x * y * z}")
    at = (r % x, r // x % y, r // (x * y))
    after = []
    for run in range(rounds):
        got, sends = [], []
        for axis in range(3):
            for way in (-1, 1):
                there = list(at)
                there[axis] += way
                if size[axis] == 1 or not (periodic or 0 <= there[axis] < size[axis]):
                    continue
                there[axis] %= size[axis]
                other = there[0] + x * (there[1] + y * there[2])
                tag = 6 * run + 2 * axis
                sends.append(rank.send(bytes, other, tag + (way > 0), after))
                got.append(rank.recv(bytes, other, tag + (way < 0), after))
        after = [rank.calc(calc, got + sends)]


@pattern("farm")
def farm(rank, r, p, bytes=1, calc=1000):
    """The root takes what comes first, whoever sends it, and has something to do with it; rank r sends after r times as
    much."""
    if r:
        rank.send(bytes, 0, after=rank.work(r * calc))
    after = []
    for _ in range(1, p if r == 0 else 1):
        after = rank.work(calc, [rank.recv(bytes, -1, after=after)])


@pattern("resnet")
def resnet(rank, r, p, bytes=64, calc=1000, buckets=10):
    """Training with gradients in buckets: five times `calc` forward; then, for each bucket, `calc` backward, and a
    dissemination that begins when this has ended."""
    forward = [rank.calc(5 * calc)]
    for bucket in range(buckets):
        backward = rank.calc(calc, forward)
        dissemination(rank, r, p, bytes, 0, bucket, [rank.calc(0, [backward])])


@pattern("streams")
def streams(rank, r, p, bytes=64, calc=1000, copy=0, layers=4, channels=2):
    """A GPU: cpu 0 computes; on each other one, a channel, rings of allreduce follow each other and take `copy` for each
    step. No cpu waits for another one."""
    after = []
    for _ in range(layers):
        after = rank.work(calc, after)
    for channel in range(1, channels + 1):
        after = []
        for _ in range(layers):
            after = allreduce_ring(rank, r, p, bytes // channels, copy, channel, after, channel)


@pattern("training")
def training(rank, r, p, bytes=64, calc=1000, copy=0, layers=4, channels=2):
    """The same, where channels carry what cpu 0 has computed: `calc` for each layer forward, then backward; after each of
    these, an allreduce whose parts are on all channels; at the end `calc` with all results."""
    after, last = [], [[]] * channels
    for _ in range(layers):
        after = rank.work(calc, after)
    for layer in range(layers):
        after = rank.work(calc, after)
        for channel in range(channels):
            first = rank.calc(0, [*after, *last[channel]], cpu=channel + 1)
            last[channel] = allreduce_ring(rank, r, p, bytes // channels, copy, layer, [first], channel + 1)
    rank.work(calc, [op for ops in (after, *last) for op in ops])


# --- random graphs ---

class Random:
    """Each rank has lines of operations that wait for each other at random; nothing waits for what is listed later, and a
    message is sent and received at the same place of the list, so all of it can be done."""

    def __init__(self, seed, ranks, lines, cpus, decided, ties):
        self.random = random.Random(seed)
        self.ranks = [Rank() for _ in range(ranks)]
        self.decided, self.ties = decided, ties
        self.sent, self.received = {}, {}  # the last one of a pair of ranks and a tag: they are begun in this order
        self.lines = []  # of each rank: [cpu, last operation, receives that the next one waits for]
        self.computes = []  # a decided graph: these have a chain of what takes the processor, others compute nothing
        for _ in range(ranks):
            computes = self.random.random() < 0.6
            self.computes.append(computes)
            count = cpus if decided and computes else self.random.randint(cpus, max(cpus, lines))
            self.lines.append([[k % cpus, None, []] for k in range(count)])

    def chance(self, share):
        return self.random.random() < share

    def link(self, r, line, add):
        """The next operation of a line."""
        rank, (cpu, last, waiting) = self.ranks[r], line
        after, begun = list(waiting), []
        if last is not None:
            (begun if rank.ops[last][0] == SEND and self.chance(0.4) else after).append(last)
        if self.chance(0.2):  # another one of the same cpu
            others = [k for k in range(max(0, len(rank.ops) - 20), len(rank.ops)) if rank.ops[k][4] == cpu and k != last]
            if others:
                after.append(self.random.choice(others))
        line[1], line[2] = add(sorted(set(after)), begun), []

    def compute(self, r, line=None):
        line = line or self.random.choice(self.lines[r])
        amount = self.random.randint(1, 5000) if self.computes[r] or not self.decided else 0
        self.link(r, line, lambda after, begun: self.ranks[r].calc(amount, after, begun, line[0]))

    def message(self, tags, any_source, exact):
        source, to = self.random.randrange(len(self.ranks)), self.random.randrange(len(self.ranks))
        line, alone = self.random.choice(self.lines[source]), self.chance(0.3)
        tag = 1000 + len(self.sent) if alone else self.random.randrange(tags) + tags * line[0]
        key, amount = (source, to, tag), self.random.randint(1, 100)
        if not self.ties:
            self.compute(source, line)
        self.link(source, line, lambda after, begun: self.ranks[source].send(
            amount, to, tag, after, sorted({*begun, *self.sent.get(key, ())} - set(after)), line[0]))
        self.sent[key] = [line[1]]
        there = self.random.choice([other for other in self.lines[to] if other[0] == line[0]])
        after, begun = [], list(self.received.get(key, ()))
        if there[1] is not None and self.chance(0.5):
            (begun if self.chance(0.3) else after).append(there[1])
        got = self.ranks[to].recv(amount if exact else 100, -1 if any_source and alone and self.chance(0.5) else source, tag, after,
                                  sorted(set(begun) - set(after)), there[0])
        self.received[key] = [got]
        if self.chance(0.9):
            there[2].append(got)


@pattern("random")
def random_graph(seed=1, ranks=0, messages=0, lines=3, cpus=1, decided=0, ties=1, any=0, exact=0):
    """Random messages and computations among `ranks`, by default 2 to 8, in up to so many lines in each. `decided`: in each
    rank what takes the processor is a chain, or takes no time, so there is one answer only. Without `ties`, a rank computes
    before each message, so that few things happen at the same moment. `any`: some receives are from any source. A message
    is on one cpu, and no cpu waits for another one. `exact`: receives are as long as their messages, of up to 100 bytes."""
    ranks = ranks or 2 + seed % 7
    graph = Random(seed, ranks, lines, cpus, decided, ties)
    for _ in range(messages or 20 + seed % 100):
        while graph.chance(0.6):
            graph.compute(graph.random.randrange(ranks))
        graph.message(3, any, exact)
    return graph.ranks


# --- what is written ---

def ranks_of(name, parameters):
    """The ranks of a schedule, one at a time, and how many there are."""
    parameters = dict(parameters)
    function = PATTERNS[name]
    root = parameters.pop("root", 0)
    if name == "random":
        made = function(**parameters)
        return len(made), iter(made)
    p = parameters.pop("ranks", 8)

    def place(r):
        return root if r == 0 else 0 if r == root else r

    def all_ranks():
        for r in range(p):
            rank = Rank()
            function(rank, place(r), p, **parameters)
            if root:
                rank.ops = [(kind, amount, peer if kind == CALC or peer < 0 else place(peer), tag, cpu)
                            for kind, amount, peer, tag, cpu in rank.ops]
            yield rank
    return p, all_ranks()


def write_text(file, count, ranks):
    file.write(f"num_ranks {count}\n")
    for r, rank in enumerate(ranks):
        file.write(f"\nrank {r} {{\n")
        for index, (kind, amount, peer, tag, cpu) in enumerate(rank.ops):
            what = f"calc {amount}" if kind == CALC else \
                f"{'send' if kind == SEND else 'recv'} {amount}b {'to' if kind == SEND else 'from'} {peer}"
            file.write(f"l{index}: {what}{f' tag {tag}' if kind != CALC and tag else ''}{f' cpu {cpu}' if cpu else ''}\n")
        for later, earlier, start in rank.edges:
            file.write(f"l{later} {'irequires' if start else 'requires'} l{earlier}\n")
        file.write("}\n")


def write_binary(file, count, ranks):
    """What txt2bin makes. A number of ranks, the highest cpu and nic, where each rank begins and ends; of a rank, the
    operations that wait for nothing, all operations, and of each those that wait for its end, then for its beginning."""
    node, header = struct.Struct("<IBIQIBBIIII"), struct.Struct("<QIBB")
    file.write(bytes(header.size + 16 * count))
    places, highest = [], 0
    for rank in ranks:
        waits, further = [0] * len(rank.ops), {}
        for later, earlier, start in rank.edges:
            waits[later] += 1
            further.setdefault((earlier, start), []).append(later)
        roots = [index for index, n in enumerate(waits) if n == 0]
        nodes, lists, at = [], [], 0
        for index, (kind, amount, peer, tag, cpu) in enumerate(rank.ops):
            ends, begins = further.get((index, False), ()), further.get((index, True), ())
            nodes.append(node.pack(waits[index], kind, peer & ANY, amount, tag & ANY, cpu, 0,
                                   len(ends), at, len(begins), at + len(ends)))
            at += len(ends) + len(begins)
            lists += ends
            lists += begins
            highest = max(highest, cpu)
        start = file.tell() - 8
        file.write(struct.pack(f"<II{len(roots)}I", len(rank.ops), len(roots), *roots))
        file.write(b"".join(nodes))
        file.write(struct.pack(f"<{len(lists)}I", *lists))
        places += [start, file.tell() - 8]
    file.seek(0)
    file.write(header.pack(4223, count, highest, 0) + struct.pack(f"<{len(places)}Q", *places))


def write(path, name, **parameters):
    count, ranks = ranks_of(name, parameters)
    if path.endswith(".bin"):
        with open(path, "wb") as file:
            write_binary(file, count, ranks)
    else:
        with open(path, "w", encoding="ascii") as file:
            write_text(file, count, ranks)


# --- the command ---

def parameters_of(name):
    found = {key: value.default for key, value in inspect.signature(PATTERNS[name]).parameters.items()
             if isinstance(value.default, int) and key not in ("tag", "cpu")}
    return found if name == "random" else {"ranks": 8, "root": 0, **found}


def show_patterns():
    for name in PATTERNS:
        print(name, *(f"{key}={value}" for key, value in parameters_of(name).items()))
        print("    " + inspect.getdoc(PATTERNS[name]).replace("\n", "\n    "))


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        raise SystemExit(__doc__.strip())
    if arguments == ["list"]:
        show_patterns()
        return
    name, *rest = arguments
    if name not in PATTERNS:
        raise SystemExit(f"generate: no pattern is called {name}; known: {' '.join(PATTERNS)}")
    path = rest.pop() if rest and "=" not in rest[-1] else None
    known, parameters = parameters_of(name), {}
    for argument in rest:
        key, _, value = argument.partition("=")
        if key not in known or not value.lstrip("-").isdigit():
            raise SystemExit(f"generate: {argument}: {name} has {' '.join(known)}, whole numbers")
        parameters[key] = int(value)
    if path:
        write(path, name, **parameters)
    else:
        with contextlib.suppress(BrokenPipeError):
            write_text(sys.stdout, *ranks_of(name, parameters))


if __name__ == "__main__":
    main()
