// Tracks and messages of a timeline in windows of time, against plain sums over all of them.
// SPDX-License-Identifier: BSD-3-Clause
import { encodeSynthetic } from "../../bench/page/encode.mjs";
import { Messages } from "../../page/src/timeline/messages.js";
import { makeModel, nameOfRow, nameOfRows, sumOf } from "../../page/src/timeline/model.js";
import { BinTrack, joinAlike, Track } from "../../page/src/timeline/track.js";
import { decodeTimeline } from "../../page/src/timeline_data.js";

let failed = 0,
    state = 7;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

function check(name, got, wanted) {
    const good =
        got.length === wanted.length &&
        got.every((value, i) => Math.abs(value - wanted[i]) <= 1e-6 * Math.max(1, Math.abs(wanted[i])));
    if (!good) console.log(`FAILED: ${name}: ${[...got].slice(0, 8)} instead of ${[...wanted].slice(0, 8)}`);
    failed += !good;
}

// Rows of pieces one behind the other; some take no time, one row has none.
function makePieces(counts, n) {
    const first = [0],
        start = [],
        length = [],
        name = [];
    for (const count of counts) {
        for (let i = 0, at = 0; i < count; i++) {
            start.push(at);
            length.push(random() < 0.2 ? 0 : Math.floor(100 * random()));
            name.push(Math.floor(n * random()));
            at += length.at(-1);
        }
        first.push(start.length);
    }
    return {
        first: Uint32Array.from(first),
        start: Float64Array.from(start),
        length: Float64Array.from(length),
        name: Uint8Array.from(name),
        names: Array.from({ length: n }, (_, k) => `name ${k}`),
    };
}

function plainShares({ first, start, length, name, names }, row, from, to, columns) {
    const out = new Float64Array(columns * names.length),
        width = (to - from) / columns;
    for (let i = first[row]; i < first[row + 1]; i++)
        for (let c = 0; c < columns; c++) {
            const time = Math.min(start[i] + length[i], from + (c + 1) * width) - Math.max(start[i], from + c * width);
            if (time > 0) out[c * names.length + name[i]] += time;
        }
    return out;
}

function checkTrack(name, track, pieces) {
    for (let row = 0; row + 1 < pieces.first.length; row++)
        for (const [from, to, columns] of [
            [0, 50000, 1],
            [0, 50000, 37],
            [0, 9000, 300],
            [1234.5, 1240, 11],
            [49000, 90000, 5],
            [0, 3, 8],
        ]) {
            const out = new Float64Array(columns * pieces.names.length);
            track.add(row, from, to, columns, out);
            check(
                `${name}, row ${row}, ${from} to ${to} in ${columns}`,
                out,
                plainShares(pieces, row, from, to, columns),
            );
        }
}

for (const n of [1, 5, 40]) {
    const pieces = makePieces([1000, 0, 1, 333, 7], n);
    checkTrack(`${n} names`, new Track(pieces), pieces);
    checkTrack(`${n} names, joined`, joinAlike(pieces), pieces);
}

// Bins of 64 that were made of pieces say the same of windows of whole bins, and are over with the run.
const pieces = makePieces([200], 3),
    end = pieces.start.at(-1) + pieces.length.at(-1),
    nBins = Math.ceil(end / 64);
const cells = new Float64Array(3 * nBins);
for (let bin = 0; bin < nBins; bin++)
    plainShares(pieces, 0, bin * 64, bin * 64 + 64, 1).forEach((time, k) => {
        cells[k * nBins + bin] = time;
    });
const bins = new BinTrack({ cells, nBins, width: 64, end, names: pieces.names });
for (const [from, to, columns] of [
    [0, 64 * nBins, nBins],
    [128, 640, 4],
    [0, end, 1],
]) {
    const out = new Float64Array(columns * 3);
    bins.add(0, from, to, columns, out);
    check(`bins ${from} to ${to} in ${columns}`, out, plainShares(pieces, 0, from, to, columns));
}

// Messages.
const count = 500,
    sent = Float64Array.from({ length: count }, () => Math.floor(1000 * random()));
const list = {
    all: count,
    count,
    sent,
    received: sent.map(at => at + Math.floor(40 * random()) + 1),
    bytes: sent.map(() => Math.floor(99 * random())),
};
const messages = new Messages(list),
    all = [...sent.keys()];
for (const [from, to] of [
    [0, 2000],
    [100, 120],
    [500, 500.5],
    [990, 1050],
    [1500, 1600],
]) {
    const under = all.filter(i => list.sent[i] < to && list.received[i] > from),
        inside = all.filter(i => sent[i] >= from && sent[i] < to);
    check(`messages under way from ${from} to ${to}`, [messages.countIn(from, to)], [under.length]);
    check(
        `these messages from ${from} to ${to}`,
        messages.within(from, to).sort((a, b) => a - b),
        under,
    );
    check(`messages sent from ${from} to ${to}`, Object.values(messages.totals(from, to)), [
        inside.length,
        inside.reduce((sum, i) => sum + list.bytes[i], 0),
    ]);
}

// All of a timeline.
const model = makeModel(decodeTimeline(encodeSynthetic({ ranks: 5, intervals: 2000, messages: 100, segments: 50 })));
const whole = sumOf(model.states, 0, model.end, 0, 5),
    { length, name } = model.states;
check(
    "a model's states",
    whole,
    whole.map((_, k) => length.reduce((sum, time, i) => sum + (name[i] === k ? time : 0), 0)),
);
check(
    "states and phases take the same time",
    [sumOf(model.phases, 0, model.end, 0, 5).reduce((a, b) => a + b)],
    [whole.reduce((a, b) => a + b)],
);
check(
    "rows, messages and the path's end",
    [model.rows.length, model.messages.count, model.path.start.at(-1) + model.path.length.at(-1)],
    [5, 100, model.end],
);

// The processors of a rank stand side by side, with what they do, their messages, and the path over them.
const several = decodeTimeline(
        encodeSynthetic({ ranks: 3, processors: 2, intervals: 600, messages: 60, segments: 20 }),
    ),
    together = makeModel(several),
    names = together.rows.map(nameOfRow),
    locations = [0, 3, 1, 4, 2, 5]; // of these rows
const isSame = (name, got, wanted) => check(name, [got.join() === wanted.join() ? 1 : 0], [1]);
isSame("names", names, ["rank 0", "rank 0 cpu 1", "rank 1", "rank 1 cpu 1", "rank 2", "rank 2 cpu 1"]);
const named = { ranks: 3, processors: 2, called: ["thread 1", "", "stream 7 (gpu 0)"], intervals: 600 };
isSame(
    "names that they have",
    makeModel(decodeTimeline(encodeSynthetic({ ...named, messages: 60, segments: 20 }))).rows.map(nameOfRow),
    ["rank 0", "rank 0 thread 1", "rank 1", "rank 1 cpu 1", "rank 2", "rank 2 stream 7 (gpu 0)"],
);
isSame("names of groups", [nameOfRows(together.rows.slice(0, 2)), nameOfRows(together.rows)], ["rank 0", "ranks 0-2"]);
const { first: firsts, start: starts, class: classOf } = several.intervals;
locations.forEach((location, row) => {
    const { first, start, name } = together.states;
    isSame(
        `starts in row ${row}`,
        start.slice(first[row], first[row + 1]),
        starts.slice(firsts[location], firsts[location + 1]),
    );
    isSame(
        `states in row ${row}`,
        name.slice(first[row], first[row + 1]),
        classOf.slice(firsts[location], firsts[location + 1]).map(c => several.intervals.classes.state[c]),
    );
});
for (const end of ["from", "to"])
    isSame(
        `rows that messages go ${end}`,
        together.messages[end].map(row => locations[row]),
        several.messages[end],
    );
isSame(
    "rows of the path",
    together.path.location.map(row => locations[row]),
    several.segments.location,
);

// The same of an overview, where a row may be several ranks.
const sums = Float64Array.from({ length: 4 }, (_, row) => row + 1),
    coarse = { nRows: 4, nBins: 1, locationsPerRow: 2, bin_ps: 1000, cell_ps: 1, states: sums, scopes: sums },
    none = { all: 0, count: 0, first: new Uint32Array(7), classes: {}, class: [], start: [], length: [] };
const overview = makeModel({
    ...several,
    intervals: none,
    messages: { all: 0, count: 0, from: [], to: [] },
    segments: { all: 0, count: 0, location: [] },
    stateNames: ["useful"],
    scopeNames: [""],
    end_ps: 1000,
    bins: coarse,
});
isSame(
    "names in an overview",
    overview.rows.map(row => nameOfRows([row])),
    ["ranks 0-1", "ranks 0-1 cpu 1", "rank 2", "rank 2 cpu 1"],
);
isSame(
    "sums in an overview",
    overview.states.cells,
    [1, 3, 2, 4].map(cell => cell / several.unit_ps),
);
process.exit(failed === 0 ? 0 : 1);
