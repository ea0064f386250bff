// A timeline as it is asked about: rows, tracks of what they do, messages, and the critical path. Times are in units
// of the timeline; unit_s is how long one is.
// SPDX-License-Identifier: BSD-3-Clause
import { Messages } from "./messages.js";
import { BinTrack, firstAbove, joinAlike, Track } from "./track.js";
import { nameIn, t } from "../texts/index.js";

export const noPhase = t("no phase");

// A row is one location, or several neighbors where the timeline has sums only. processor: which of its ranks', "cpu 1"
// or "stream 7 (gpu 0)"; "" of their first.
function makeRows({ nRanks, nLocations, nMoreProcessors, hasProgress, processorNames, bins }) {
    const each = bins.nRows > 0 ? bins.locationsPerRow : 1,
        nProcessors = nRanks * (1 + nMoreProcessors),
        rows = [];
    for (let from = 0; from < nLocations; from += nRanks)
        for (let at = 0; at < Math.min(nRanks, nLocations - from); at += each)
            rows.push({
                kind: from < nProcessors ? "rank" : hasProgress ? "progress" : "controller",
                processor:
                    from === 0 || from >= nProcessors
                        ? ""
                        : (each === 1 && processorNames[from - nRanks + at]) || `cpu ${from / nRanks}`,
                first: at,
                end: Math.min(at + each, nRanks, nLocations - from),
            });
    return rows;
}

// The same timeline with its rows in another order.
function rearrange(timeline, order) {
    const { intervals, messages, segments, bins } = timeline,
        place = new Int32Array(order.length);
    order.forEach((row, i) => (place[row] = i));
    const move = row => place[row];
    const pieces = { first: new Uint32Array(intervals.first.length) };
    for (const key of ["class", "start", "length"]) pieces[key] = intervals[key].slice();
    if (intervals.count > 0)
        order.forEach((row, i) => {
            const [from, to] = [intervals.first[row], intervals.first[row + 1]],
                at = pieces.first[i];
            for (const key of ["class", "start", "length"]) pieces[key].set(intervals[key].subarray(from, to), at);
            pieces.first[i + 1] = at + to - from;
        });
    const cells = all => {
        const size = all.length / Math.max(bins.nRows, 1),
            out = new Float64Array(all.length);
        if (bins.nRows > 0) order.forEach((row, i) => out.set(all.subarray(row * size, (row + 1) * size), i * size));
        return out;
    };
    return {
        ...timeline,
        intervals: { ...intervals, ...pieces },
        messages: { ...messages, from: messages.from.map(move), to: messages.to.map(move) },
        segments: { ...segments, location: segments.location.map(move) },
        bins: { ...bins, states: cells(bins.states), scopes: cells(bins.scopes) },
    };
}

// Where ranks have several processors, these stand side by side; controllers come last.
function bringTogether(timeline) {
    const rows = makeRows(timeline),
        nEach = 1 + timeline.nMoreProcessors,
        nOfRanks = rows.filter(row => row.kind === "rank").length / nEach;
    if (nEach === 1) return { timeline, rows };
    const order = rows.map((_, i) => (i < nOfRanks * nEach ? (i % nEach) * nOfRanks + Math.floor(i / nEach) : i));
    return { timeline: rearrange(timeline, order), rows: order.map(row => rows[row]) };
}

const processorOf = ({ processor }) => (processor ? ` ${processor}` : "");

// "rank 3", or "rank 3 cpu 1": of a row, or of its first location.
export const nameOfRow = row => `${nameIn(row.kind)} ${row.first}${processorOf(row)}`;
// The same, shorter.
export const numberOfRow = row => `${row.kind === "rank" ? "" : row.kind[0]}${row.first}${processorOf(row)}`;

// Name of several neighboring rows of one kind.
export function nameOfRows(rows) {
    const { kind, first } = rows[0],
        last = rows.at(-1).end - 1,
        processor = rows.length === 1 ? processorOf(rows[0]) : "";
    return first === last
        ? `${nameIn(kind)} ${first}${processor}`
        : `${nameIn(`${kind}s`)} ${first}-${last}${processor}`;
}

function makeTracks(timeline) {
    const { intervals, bins, unit_ps, end_ps, stateNames, categoryNames, operationNames } = timeline;
    const scopeNames = timeline.scopeNames.map(name => name || noPhase);
    if (intervals.count === 0) {
        const of = (cells, names) =>
            new BinTrack({
                cells: cells.map(time => (time * bins.cell_ps) / unit_ps),
                nBins: bins.nBins,
                width: bins.bin_ps / unit_ps,
                end: end_ps / unit_ps,
                names,
            });
        return { states: of(bins.states, stateNames), phases: of(bins.scopes, scopeNames) };
    }
    const { first, start, length, classes } = intervals;
    const named = (property, names) => ({
        first,
        start,
        length,
        names,
        name: Uint8Array.from(intervals.class, c => classes[property][c]),
    });
    // what only programs that share memory have
    const oneOf = (property, names) =>
        classes[property].some(value => value > 0) ? joinAlike(named(property, names)) : undefined;
    return {
        states: new Track(named("state", stateNames)),
        phases: joinAlike(named("scope", scopeNames)),
        categories: oneOf("category", categoryNames),
        operations: oneOf("operation", operationNames),
    };
}

// Sentences about data that the timeline lacks.
function findLacks({ intervals, messages, segments }) {
    const count = number => number.toLocaleString("en-US");
    const lacks = [];
    if (intervals.count < intervals.all)
        lacks.push(t`${count(intervals.all)} intervals are shown as shares of time, not one by one.`);
    if (messages.count < messages.all) lacks.push(t`${count(messages.all)} messages are not in this page.`);
    if (segments.count < segments.all)
        lacks.push(t`The critical path has ${count(segments.all)} segments, which are not in this page.`);
    return lacks;
}

export function makeModel(decoded) {
    const { timeline, rows } = bringTogether(decoded),
        { unit_ps, end_ps, segments, messages, componentNames } = timeline;
    return {
        rows,
        end: Math.max(end_ps / unit_ps, 1),
        unit_s: unit_ps * 1e-12,
        ...makeTracks(timeline),
        nRanks: timeline.nRanks,
        nEach: 1 + timeline.nMoreProcessors, // processors of a rank
        longestProcessor: rows.reduce((most, row) => Math.max(most, row.processor.length), 0), // of their names
        messages: messages.count > 0 ? new Messages(messages) : null,
        path: segments.count > 0 ? { ...segments, names: componentNames, scopeNames: timeline.scopeNames } : null,
        lacks: findLacks(timeline),
    };
}

// The first and the end of the segments of the path that are in the window.
export function segmentsIn(path, from, to) {
    return [Math.max(firstAbove(path.start, from) - 1, 0), firstAbove(path.start, to)];
}

// The time with each name, in the window, of all rows from one to before another.
export function sumOf(track, from, to, firstRow, endRow) {
    const out = new Float64Array(track.names.length);
    for (let row = firstRow; row < endRow; row++) track.add(row, from, to, 1, out);
    return out;
}
