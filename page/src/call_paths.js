// The call paths of a run as a tree, in arrays: from 100,000 paths on, objects would be slow. Path 0 is around all.
// SPDX-License-Identifier: BSD-3-Clause
import { t } from "./texts/index.js";

// How wide a path is drawn, by what.
export const measures = {
    time: { name: t("time"), unit: "s", of: row => row.time_s },
    idle: { name: t("waiting"), unit: "s", of: row => row.idle_s },
    calls: { name: t("calls"), unit: "count", of: row => row.calls },
};

const isOfLibrary = functions => {
    const names = new Set((functions ?? []).map(row => row.function));
    return row => names.has(row.function);
};

// Rows come before those within them. end[i] is the first row behind path i that is not within it; library_s: its time
// in functions of the message library.
export function readPaths({ call_paths: rows, functions }) {
    const n = rows.length + 1,
        isLibrary = isOfLibrary(functions),
        outer = Int32Array.from([0, ...rows.map(row => row.outer)]),
        depth = Int32Array.from([0, ...rows.map(row => row.depth)]),
        end = new Int32Array(n).fill(n),
        library_s = new Float64Array(n),
        sums = {};
    for (let i = n - 1; i > 0; i--) {
        if (isLibrary(rows[i - 1])) library_s[i] += rows[i - 1].own_s;
        library_s[outer[i]] += library_s[i];
    }
    const open = [0];
    for (let i = 1; i < n; i++) {
        while (depth[open.at(-1)] >= depth[i]) end[open.pop()] = i;
        open.push(i);
    }
    for (const [name, { of }] of Object.entries(measures)) {
        sums[name] = Float64Array.from([0, ...rows.map(of)]);
        for (let i = 1; i < n; i = end[i]) sums[name][0] += sums[name][i];
    }
    return { n, rows, outer, depth, end, library_s, sums };
}

// The boxes of path `top` and of what is within it: put(path, from, to, level), as parts of its width. Those narrower
// than `least` are left out with all that is within them. Levels begin with 0; the paths around the top are full.
export function layOut({ n, outer, depth, end, sums }, measure, top, least, put) {
    const size = sums[measure],
        whole = size[top] || 1,
        next = new Float64Array(n); // where the next one within a path begins
    for (let path = outer[top], at = top; at > 0; at = path, path = outer[path]) put(path, 0, 1, depth[path]);
    put(top, 0, 1, depth[top]);
    for (let i = top + 1; i < end[top];) {
        const from = next[outer[i]],
            part = size[i] / whole;
        next[outer[i]] += part;
        next[i] = from;
        if (part < least) {
            i = end[i];
            continue;
        }
        put(i, from, from + part, depth[i]);
        i++;
    }
}

// The paths whose function has that text in it.
export const findPaths = ({ rows }, text) => {
    const wanted = text.toLowerCase();
    return wanted === "" ? [] : rows.flatMap((row, i) => (row.function.toLowerCase().includes(wanted) ? [i + 1] : []));
};
