// Tracks: for each row, what it was doing at each time, one thing of several. A track answers how long each thing took in each
// of the columns of a window. That costs by what is drawn and not by what there is: sums of blocks are made once.

const fineBlock = 32, coarseFactor = 32;

// The first index from `low` to before `high` whose value is above the limit; else `high`.
export function firstAbove(values, limit, low = 0, high = values.length) {
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (values[middle] > limit) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The pieces of a row are from first[row] to before first[row + 1], in order of time. name: of each piece, an index into names.
export class Track {
    constructor({ first, start, length, name, names }) {
        Object.assign(this, { first, start, length, name, names, isExact: true });
        const block = names.length <= 16 ? fineBlock : fineBlock * 8;
        const fine = this.sum(block);
        this.levels = [{ block: block * coarseFactor, sums: this.sumOf(fine) }, { block, sums: fine }];
    }

    // Of each block of so many neighbours, whichever rows they are of: the time with each name.
    sum(block) {
        const { start, length, name, names } = this, n = names.length, count = Math.floor(start.length / block);
        const sums = new Float64Array(count * n);
        for (let i = 0, end = count * block; i < end; i++) sums[Math.floor(i / block) * n + name[i]] += length[i];
        return sums;
    }

    sumOf(fine) {
        const n = this.names.length, count = Math.floor(fine.length / n / coarseFactor);
        const sums = new Float64Array(count * n);
        for (let i = 0, end = count * coarseFactor; i < end; i++)
            for (let k = 0; k < n; k++) sums[Math.floor(i / coarseFactor) * n + k] += fine[i * n + k];
        return sums;
    }

    // The piece of the row at that time, or -1.
    at(row, time) {
        const i = firstAbove(this.start, time, this.first[row], this.first[row + 1]) - 1;
        return i >= this.first[row] && time < this.start[i] + this.length[i] ? i : -1;
    }

    // Add to out[column * names + name] the times of the row in the columns into which the window is divided.
    add(row, from, to, columns, out) {
        const { start, length, name } = this, n = this.names.length, last = this.first[row + 1];
        const width = (to - from) / columns;
        let i = Math.max(firstAbove(start, from, this.first[row], last) - 1, this.first[row]);
        for (let column = 0; column < columns && i < last; column++) {
            const begin = from + column * width, end = column === columns - 1 ? to : begin + width, base = column * n;
            while (i < last) {
                if (start[i] >= begin && i % this.levels[1].block === 0) {
                    const next = this.addBlock(i, last, end, out, base);
                    if (next > i) {
                        i = next;
                        continue;
                    }
                }
                const stop = start[i] + length[i], time = Math.min(stop, end) - Math.max(start[i], begin);
                if (time > 0) out[base + name[i]] += time;
                if (stop > end) break;
                i++;
            }
        }
    }

    // Add the largest block that begins at i and is over by `end`, if there is one: where it ends.
    addBlock(i, last, end, out, base) {
        const n = this.names.length;
        for (const { block, sums } of this.levels) {
            const next = i + block;
            if (i % block !== 0 || next > last || this.start[next - 1] + this.length[next - 1] > end) continue;
            for (let k = 0, at = i / block * n; k < n; k++) out[base + k] += sums[at + k];
            return next;
        }
        return i;
    }
}

// The same of sums in bins of equal width: within a bin time is spread evenly. The last bin is over at the end of the run.
export class BinTrack {
    constructor({ cells, nBins, width, end, names }) {
        Object.assign(this, { cells, nBins, width, end, names, isExact: false });
    }

    at() {
        return -1;
    }

    add(row, from, to, columns, out) {
        const { cells, nBins, width, end: last } = this, n = this.names.length, step = (to - from) / columns;
        for (let column = 0; column < columns; column++) {
            const begin = from + column * step, end = begin + step;
            const lastBin = Math.min(Math.ceil(end / width), nBins);
            for (let bin = Math.max(Math.floor(begin / width), 0); bin < lastBin; bin++) {
                const first = bin * width, stop = Math.min(first + width, last);
                const part = (Math.min(end, stop) - Math.max(begin, first)) / (stop - first);
                for (let k = 0; k < n && part > 0; k++)
                    out[column * n + k] += part * cells[(row * n + k) * nBins + bin];
            }
        }
    }
}

// Neighbours with the same name made one: the track of pieces that are longer than the intervals.
export function joinAlike({ first, start, length, name, names }) {
    const count = start.length, starts = new Float64Array(count), lengths = new Float64Array(count);
    const joined = new Uint8Array(count), firsts = new Uint32Array(first.length);
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
    return new Track({ first: firsts, start: starts.slice(0, at), length: lengths.slice(0, at), name: joined.slice(0, at), names });
}
