// Reads the encoded form of a timeline, as src/timeline/timeline.h describes it, into typed arrays.
// SPDX-License-Identifier: BSD-3-Clause

// Numbers that are read from bytes one after the other. Up to 2^53 they are exact.
class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    number() {
        const { bytes } = this;
        let byte = bytes[this.at++];
        if (byte < 0x80) return byte;
        let number = byte & 0x7f;
        let scale = 128;
        do {
            if (this.at >= bytes.length) throw new Error("a timeline ends early");
            byte = bytes[this.at++];
            number += (byte & 0x7f) * scale;
            scale *= 128;
        } while (byte >= 0x80);
        return number;
    }

    signed() {
        const number = this.number();
        return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
    }

    // A reader of so many bytes, which are passed over.
    part() {
        const length = this.number();
        if (!(this.at + length <= this.bytes.length)) throw new Error("a timeline ends early");
        this.at += length;
        return new Reader(this.bytes.subarray(this.at - length, this.at));
    }

    parts(count) {
        return Array.from({ length: count }, () => this.part());
    }

    names() {
        const decoder = new TextDecoder();
        return Array.from({ length: this.number() }, () => decoder.decode(this.part().bytes));
    }
}

function decodeClasses(reader) {
    const count = reader.number();
    const classes = {
        count,
        state: new Uint8Array(count),
        kind: new Uint8Array(count),
        scope: new Uint8Array(count),
        category: new Uint8Array(count),
        operation: new Uint8Array(count),
    };
    for (let i = 0; i < count; i++) {
        classes.state[i] = reader.number();
        classes.kind[i] = reader.number();
        classes.scope[i] = reader.number();
        classes.category[i] = reader.number();
        classes.operation[i] = reader.number();
    }
    return classes;
}

// Those of a location are from first[location] to before first[location + 1], in order of time and without gaps.
function decodeIntervals(reader, nLocations) {
    const all = reader.number();
    const count = reader.number();
    const classes = decodeClasses(reader);
    const [counts, numbers, lengths] = reader.parts(3);
    const its = {
        all,
        count,
        classes,
        first: new Uint32Array(nLocations + 1),
        class: new Uint32Array(count),
        start: new Float64Array(count),
        length: new Float64Array(count),
    };
    const last = new Float64Array(classes.count);
    for (let location = 0, i = 0; location < nLocations; location++) {
        const end = i + (count > 0 ? counts.number() : 0);
        let at = 0;
        last.fill(0);
        for (; i < end; i++) {
            const number = numbers.number();
            const length = (last[number] += lengths.signed());
            its.class[i] = number;
            its.start[i] = at;
            its.length[i] = length;
            at += length;
        }
        its.first[location + 1] = end;
    }
    return its;
}

// Those of a sender are from first[sender] to before first[sender + 1], in order of their sending.
function decodeMessages(reader, nLocations) {
    const all = reader.number();
    const count = reader.number();
    const [counts, receivers, sent, taken, bytes, tags] = reader.parts(6);
    const its = {
        all,
        count,
        first: new Uint32Array(nLocations + 1),
        from: new Int32Array(count),
        to: new Int32Array(count),
        sent: new Float64Array(count),
        received: new Float64Array(count),
        bytes: new Float64Array(count),
        tag: new Int32Array(count),
    };
    for (let from = 0, i = 0; from < nLocations; from++) {
        const end = i + (count > 0 ? counts.number() : 0);
        let at = 0,
            length = 0,
            tag = 0;
        for (; i < end; i++) {
            its.from[i] = from;
            its.to[i] = from + receivers.signed();
            its.sent[i] = at += sent.number();
            its.received[i] = at + taken.signed();
            its.bytes[i] = length += bytes.signed();
            its.tag[i] = tag += tags.signed();
        }
        its.first[from + 1] = end;
    }
    return its;
}

function decodeSegments(reader) {
    const all = reader.number();
    const count = reader.number();
    const [locations, starts, lengths, components, scopes] = reader.parts(5);
    const its = {
        all,
        count,
        location: new Int32Array(count),
        start: new Float64Array(count),
        length: new Float64Array(count),
        component: new Uint8Array(count),
        scope: new Uint8Array(count),
    };
    for (let i = 0, location = 0, end = 0; i < count; i++) {
        its.location[i] = location += locations.signed();
        its.start[i] = end += starts.signed();
        its.length[i] = lengths.number();
        its.component[i] = components.number();
        its.scope[i] = scopes.number();
        end += its.length[i];
    }
    return its;
}

function decodeCells(reader, count) {
    const cells = new Float64Array(count);
    for (let i = 0; i < count; i++) {
        cells[i] = reader.number();
        if (cells[i] === 0) i += reader.number();
    }
    return cells;
}

// states[(row * number of states + state) * nBins + bin] is a time in cell_ps; scopes likewise.
function decodeBins(reader, nStates, nScopes) {
    const nRows = reader.number();
    const nBins = reader.number();
    const locationsPerRow = reader.number();
    const bin_ps = reader.number();
    const cell_ps = reader.number();
    const [states, scopes] = reader.parts(2);
    return {
        nRows,
        nBins,
        locationsPerRow,
        bin_ps,
        cell_ps,
        states: decodeCells(states, nRows * nStates * nBins),
        scopes: decodeCells(scopes, nRows * nScopes * nBins),
    };
}

// Decodes a Uint8Array. Times of intervals, messages and segments are whole numbers, in units of unit_ps. `all` is
// their number in the run, `count` their number here. Throws an error if the bytes are not an encoded timeline.
export function decodeTimeline(bytes) {
    const reader = new Reader(bytes);
    if (bytes.length < 4 || String.fromCharCode(...bytes.subarray(0, 3)) !== "TLN" || bytes[3] !== 4)
        throw new Error("this is not a timeline");
    reader.at = 4;
    const nRanks = reader.number();
    const nLocations = reader.number();
    const nMoreProcessors = reader.number();
    const hasProgress = reader.number() > 0;
    const processorNames = reader.names();
    const end_ps = reader.number();
    const unit_ps = reader.number();
    const stateNames = reader.names();
    const categoryNames = reader.names();
    const operationNames = reader.names();
    const scopeNames = reader.names();
    const componentNames = reader.names();
    return {
        nRanks,
        nLocations,
        nMoreProcessors,
        hasProgress,
        processorNames,
        end_ps,
        unit_ps,
        stateNames,
        categoryNames,
        operationNames,
        scopeNames,
        componentNames,
        intervals: decodeIntervals(reader, nLocations),
        messages: decodeMessages(reader, nLocations),
        segments: decodeSegments(reader),
        bins: decodeBins(reader, stateNames.length, scopeNames.length),
    };
}
