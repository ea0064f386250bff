// The messages of a timeline in the orders that questions about a window take: how many, how many bytes, which.
// SPDX-License-Identifier: BSD-3-Clause
import { firstAbove } from "./track.js";

const orderBy = values => Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
const inOrder = (order, values) => Float64Array.from(order, i => values[i]);

// first number not below a limit
const firstFrom = (values, limit) => {
    let low = 0,
        high = values.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (values[middle] < limit) low = middle + 1;
        else high = middle;
    }
    return low;
};

// messages: as decodeTimeline() has them.
export class Messages {
    constructor(messages) {
        Object.assign(this, messages);
        this.order = orderBy(this.sent);
        this.sends = inOrder(this.order, this.sent);
        this.receives = Float64Array.from(this.received).sort();
        this.bytesBefore = new Float64Array(this.count + 1);
        this.lastReceive = new Float64Array(this.count); // up to there in that order
        let last = -Infinity;
        for (let k = 0; k < this.count; k++) {
            this.bytesBefore[k + 1] = this.bytesBefore[k] + this.bytes[this.order[k]];
            last = Math.max(last, this.received[this.order[k]]);
            this.lastReceive[k] = last;
        }
    }

    // Those whose sending begins in the window: [first, end) in the order of sending.
    sentIn(from, to) {
        return [firstFrom(this.sends, from), firstFrom(this.sends, to)];
    }

    totals(from, to) {
        const [first, end] = this.sentIn(from, to);
        return { messages: end - first, bytes: this.bytesBefore[end] - this.bytesBefore[first] };
    }

    // How many are under way at some time in the window.
    countIn(from, to) {
        return firstFrom(this.sends, to) - firstAbove(this.receives, from);
    }

    // These, in the order of their sending.
    within(from, to) {
        const found = [],
            end = firstFrom(this.sends, to);
        for (let k = firstAbove(this.lastReceive, from); k < end; k++) {
            const i = this.order[k];
            if (this.received[i] > from) found.push(i);
        }
        return found;
    }

    // How many are under way at some time in each column.
    density(from, to, columns) {
        const width = (to - from) / columns;
        return Float64Array.from({ length: columns }, (_, c) => this.countIn(from + c * width, from + (c + 1) * width));
    }
}
