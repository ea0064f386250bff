// Tracks: for each row, what it was doing at each time, one thing of several. A track answers how long each thing
// took in each of the columns of a window. That costs by what is drawn and not by what there is: sums up to every few
// pieces are made once.
// SPDX-License-Identifier: BSD-3-Clause

const blockSize = 8,
    few = 8;

// The first index from `low` to before `high` whose value is above the limit; else `high`.
export function firstAbove(values, limit, low = 0, high = values.length) {
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (values[middle] > limit) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The pieces of a row are from first[row] to before first[row + 1], in order of time. name: of each piece, an index
// into names.
export class Track {
    constructor({ first, start, length, name, names }) {
        Object.assign(this, { first, start, length, name, names, isExact: true });
        this.block = names.length <= 16 ? blockSize : blockSize * 16;
        this.sums = this.sumBlocks();
        this.before = new Float64Array(names.length);
        this.now = new Float64Array(names.length);
    }

    // Before each block of pieces, whichever rows they are of: the time with each name from the first piece on. Times
    // are whole numbers, so the sums are exact.
    sumBlocks() {
        const { length, name, names, block } = this,
            n = names.length,
            count = length.length;
        const sums = new Float64Array((Math.floor(count / block) + 1) * n),
            sum = new Float64Array(n);
        for (let i = 0; i <= count; i++) {
            if (i % block === 0) sums.set(sum, (i / block) * n);
            if (i < count) sum[name[i]] += length[i];
        }
        return sums;
    }

    // The piece of the row at that time, or -1.
    at(row, time) {
        const i = firstAbove(this.start, time, this.first[row], this.first[row + 1]) - 1;
        return i >= this.first[row] && time < this.start[i] + this.length[i] ? i : -1;
    }

    // The last piece from i on that begins by then; most are near.
    reach(i, last, time) {
        const { start } = this;
        let step = 1;
        while (i + step < last && start[i + step] <= time) {
            i += step;
            step *= 2;
        }
        return step === 1 ? i : firstAbove(start, time, i, Math.min(i + step, last)) - 1;
    }

    // The time with each name from the first piece of all to that time in piece i.
    sumTo(i, time, out) {
        const { length, name, sums, block } = this,
            n = this.names.length,
            b = Math.floor(i / block);
        for (let k = 0; k < n; k++) out[k] = sums[b * n + k];
        for (let j = b * block; j < i; j++) out[name[j]] += length[j];
        out[name[i]] += Math.min(Math.max(time - this.start[i], 0), length[i]);
    }

    // Add to out[column * names + name] the times of the row in the columns into which the window is divided.
    add(row, from, to, columns, out) {
        const { start, length, name, before, now } = this,
            n = this.names.length,
            first = this.first[row],
            last = this.first[row + 1];
        const width = (to - from) / columns;
        if (first === last) return;
        // whether `before` is the sum so far
        let i = Math.max(firstAbove(start, from, first, last) - 1, first),
            isKnown = false;
        for (let column = 0; column < columns; column++) {
            const begin = from + column * width,
                end = column === columns - 1 ? to : begin + width,
                base = column * n;
            if (begin >= start[i] + length[i] && i + 1 === last) break;
            if (i + few >= last || start[i + few] > end) {
                // they are added one by one
                for (; ; i++) {
                    const stop = start[i] + length[i],
                        time = Math.min(stop, end) - Math.max(start[i], begin);
                    if (time > 0) out[base + name[i]] += time;
                    if (stop > end || i + 1 === last) break;
                }
                isKnown = false;
                continue;
            }
            if (!isKnown) this.sumTo(i, begin, before);
            i = this.reach(i, last, end);
            this.sumTo(i, end, now);
            for (let k = 0; k < n; k++) {
                out[base + k] += now[k] - before[k];
                before[k] = now[k];
            }
            isKnown = true;
        }
    }
}

// The same of sums in bins of equal width: within a bin time is spread evenly. The last bin is over at the end of the
// run.
export class BinTrack {
    constructor({ cells, nBins, width, end, names }) {
        Object.assign(this, { cells, nBins, width, end, names, isExact: false });
    }

    at() {
        return -1;
    }

    add(row, from, to, columns, out) {
        const { cells, nBins, width, end: last } = this,
            n = this.names.length,
            step = (to - from) / columns;
        for (let column = 0; column < columns; column++) {
            const begin = from + column * step,
                end = begin + step;
            const lastBin = Math.min(Math.ceil(end / width), nBins);
            for (let bin = Math.max(Math.floor(begin / width), 0); bin < lastBin; bin++) {
                const first = bin * width,
                    stop = Math.min(first + width, last);
                const part = (Math.min(end, stop) - Math.max(begin, first)) / (stop - first);
                for (let k = 0; k < n && part > 0; k++)
                    out[column * n + k] += part * cells[(row * n + k) * nBins + bin];
            }
        }
    }
}

// Neighbors with the same name made one: the track of pieces that are longer than the intervals.
export function joinAlike({ first, start, length, name, names }) {
    const count = start.length,
        starts = new Float64Array(count),
        lengths = new Float64Array(count);
    const joined = new Uint8Array(count),
        firsts = new Uint32Array(first.length);
    let at = 0;
    for (let row = 0; row + 1 < first.length; row++) {
        firsts[row] = at;
        for (let i = first[row]; i < first[row + 1]; i++) {
            if (at > firsts[row] && joined[at - 1] === name[i]) {
                lengths[at - 1] = start[i] + length[i] - starts[at - 1];
                continue;
            }
            starts[at] = start[i];
            lengths[at] = length[i];
            joined[at++] = name[i];
        }
    }
    firsts[first.length - 1] = at;
    return new Track({
        first: firsts,
        start: starts.slice(0, at),
        length: lengths.slice(0, at),
        name: joined.slice(0, at),
        names,
    });
}
