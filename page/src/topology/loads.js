// How much links have to do: in the whole run, in one bin of time, or in a window.
// SPDX-License-Identifier: BSD-3-Clause
import { t } from "../texts/index.js";

// Measures by which links are colored. Waiting is known only for the whole run.
export const measures = {
    busy_s: { name: t("busy share"), unit: "share", binned: true, shown: (value, length_s) => value / length_s },
    bytes: { name: t("bytes"), unit: "B", binned: true, shown: value => value },
    waited_s: { name: t("waited for"), unit: "s", binned: false, shown: value => value },
};

export class Loads {
    constructor(run) {
        const { bin_s = 0, rows = [] } = run.link_bins ?? {};
        const nBins = rows.reduce((most, row) => Math.max(most, row.first + row.busy_s.length), 0);
        Object.assign(this, { run, bin_s, nBins, rowOf: new Map() });
        for (const { link, first, busy_s, bytes } of rows) {
            const row = this.binsOf(link);
            row.busy_s.splice(first, busy_s.length, ...busy_s);
            row.bytes.splice(first, bytes.length, ...bytes);
        }
    }

    // All bins of a link; a row of the data is a stretch of them.
    binsOf(link) {
        const zeros = () => new Array(this.nBins).fill(0);
        if (!this.rowOf.has(link)) this.rowOf.set(link, { busy_s: zeros(), bytes: zeros() });
        return this.rowOf.get(link);
    }

    // The part of the run that bin is, or all of it where there is none.
    partOf(bin) {
        return bin === null
            ? { from_s: 0, to_s: this.run.time_s }
            : { from_s: bin * this.bin_s, to_s: Math.min((bin + 1) * this.bin_s, this.run.time_s) };
    }

    // A value for each link; bins at the ends of a part count by their share in it.
    values(measure, part) {
        const { shown, binned } = measures[measure],
            length_s = part.to_s - part.from_s;
        const isWhole = !binned || (part.from_s <= 0 && part.to_s >= this.run.time_s);
        return this.run.links.map(link =>
            shown(isWhole ? link[measure] : this.inPart(this.rowOf.get(link.link)?.[measure] ?? [], part), length_s),
        );
    }

    inPart(bins, { from_s, to_s }) {
        let sum = 0;
        for (let bin = Math.floor(from_s / this.bin_s); bin < bins.length && bin * this.bin_s < to_s; bin++) {
            const begin = bin * this.bin_s,
                end = Math.min(begin + this.bin_s, this.run.time_s);
            const inside = Math.min(end, to_s) - Math.max(begin, from_s);
            if (inside > 0) sum += (bins[bin] * inside) / (end - begin);
        }
        return sum;
    }

    // The largest of the whole run; or of any bin, so that a color means the same at all times.
    largest(measure, ofBins) {
        const { shown } = measures[measure];
        let most = 0;
        if (!ofBins) return this.values(measure, this.partOf(null)).reduce((a, b) => Math.max(a, b), 0);
        for (const row of this.rowOf.values())
            row[measure].forEach((value, bin) => {
                const { from_s, to_s } = this.partOf(bin);
                if (to_s > from_s) most = Math.max(most, shown(value, to_s - from_s));
            });
        return most;
    }
}
