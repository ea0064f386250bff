// Writes timelines in the form that src/timeline/timeline.h describes, of programs that are made up: each rank
// computes, sends to its neighbor and waits, in phases. For measuring the page.
// SPDX-License-Identifier: BSD-3-Clause

class Bytes {
    constructor() {
        this.bytes = new Uint8Array(1 << 16);
        this.length = 0;
    }

    byte(byte) {
        if (this.length === this.bytes.length) {
            const more = new Uint8Array(2 * this.length);
            more.set(this.bytes);
            this.bytes = more;
        }
        this.bytes[this.length++] = byte;
    }

    number(number) {
        for (; number >= 0x80; number = Math.floor(number / 0x80)) this.byte(0x80 + (number % 0x80));
        this.byte(number);
        return this;
    }

    signed(number) {
        return this.number(number < 0 ? -2 * number - 1 : 2 * number);
    }

    part(bytes) {
        this.number(bytes.length);
        for (const byte of bytes.subarray(0, bytes.length)) this.byte(byte);
        return this;
    }

    names(names) {
        this.number(names.length);
        for (const name of names) this.part(new TextEncoder().encode(name));
        return this;
    }

    column(column) {
        return this.part(column.done());
    }

    done() {
        return this.bytes.subarray(0, this.length);
    }
}

function makeRandom(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

const scopes = ["", "distribution", "elimination", "exchange", "collection"];
const components = ["processing", "memory", "communication", "io"];

// State and scope of each class; the kind is that of computing or communicating.
const classes = [0, 1, 2, 3, 4].flatMap(state => scopes.map((_, scope) => ({ state, scope })));
const classOf = (state, scope) => state * scopes.length + scope;

function intervalsOf(location, count, random) {
    const intervals = [];
    for (let i = 0; i < count; i++) {
        const scope = 1 + Math.floor((i / count) * 4),
            turn = i % 4;
        const state = [0, 2, 4, 3][turn],
            length = Math.floor([900, 120, 80 + 6 * location, 150][turn] * (0.3 + random()));
        intervals.push({ name: classOf(i % 41 === 0 ? 1 : state, scope), length });
    }
    return intervals;
}

function writeIntervals(out, rows) {
    const counts = new Bytes(),
        names = new Bytes(),
        lengths = new Bytes(),
        all = rows.reduce((sum, row) => sum + row.length, 0);
    for (const row of rows) {
        const last = new Array(classes.length).fill(0);
        counts.number(row.length);
        for (const { name, length } of row) {
            names.number(name);
            lengths.signed(length - last[name]);
            last[name] = length;
        }
    }
    out.number(all).number(all).number(classes.length);
    for (const { state, scope } of classes)
        out.number(state)
            .number(state < 2 ? 0 : 3)
            .number(scope)
            .number(0)
            .number(0);
    out.column(counts).column(names).column(lengths);
}

function writeMessages(out, nLocations, each, end, random) {
    const columns = Array.from({ length: 6 }, () => new Bytes()),
        [counts, to, sent, taken, bytes, tags] = columns;
    for (let from = 0; from < nLocations; from++) {
        let before = 0,
            length = 0;
        counts.number(each);
        for (let i = 0; i < each; i++) {
            const at = Math.floor(((i + random()) * end) / (each + 1)),
                size = 2 ** Math.floor(random() * 18);
            to.signed(((from + 1 + (random() < 0.1 ? Math.floor(random() * nLocations) : 0)) % nLocations) - from);
            sent.number(Math.max(at - before, 0));
            taken.signed(Math.floor(200 + size / 100 + 100 * random()));
            bytes.signed(size - length);
            tags.signed(0);
            before = Math.max(at, before);
            length = size;
        }
    }
    out.number(nLocations * each).number(nLocations * each);
    for (const column of columns) out.column(column);
}

function writeSegments(out, nLocations, count, end, random) {
    const columns = Array.from({ length: 5 }, () => new Bytes()),
        [locations, starts, lengths, names, inScopes] = columns;
    for (let i = 0, location = 0, at = 0; i < count; i++) {
        const next = i % 2 === 0 ? location : Math.floor((i / count) * nLocations * 3) % nLocations;
        const until = i === count - 1 ? end : Math.floor(((i + 0.2 + 0.6 * random()) * end) / count);
        locations.signed(next - location);
        starts.signed(0);
        lengths.number(until - at);
        names.number([0, 2, 1, 2][i % 4]);
        inScopes.number(1 + Math.floor((i / count) * 4));
        [location, at] = [next, until];
    }
    out.number(count).number(count);
    for (const column of columns) out.column(column);
}

// So many intervals and messages in all, on so many ranks, each with so many processors; times are in ns. called: names
// of these processors, but for the first of each rank. scopes: five names.
export function encodeSynthetic({ called = [], scopes: names = scopes, ...of }) {
    const { ranks, processors = 1, intervals, messages, segments } = of;
    const random = makeRandom(1),
        rows = [],
        nLocations = ranks * processors,
        out = new Bytes();
    for (let i = 0; i < nLocations; i++) rows.push(intervalsOf(i, Math.floor(intervals / nLocations), random));
    const end = Math.max(...rows.map(row => row.reduce((sum, { length }) => sum + length, 0)));
    for (const byte of [84, 76, 78, 4]) out.byte(byte);
    out.number(ranks)
        .number(nLocations)
        .number(processors - 1)
        .number(0)
        .names(called)
        .number(end * 1000)
        .number(1000);
    out.names(["useful", "control", "send", "receive", "idle"])
        .names(["none"])
        .names(["none"])
        .names(names)
        .names(components);
    writeIntervals(out, rows);
    writeMessages(out, nLocations, Math.floor(messages / nLocations), end, random);
    writeSegments(out, nLocations, segments, end, random);
    for (let i = 0; i < 5; i++) out.number(0);
    out.part(new Uint8Array(0)).part(new Uint8Array(0));
    return out.done();
}
