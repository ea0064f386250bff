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

// Rows come before those within them. end[i] is the first row behind path i that is not within it; sums: of each
// measure that of each path.
function readTree(rows, measured) {
    const n = rows.length + 1,
        outer = Int32Array.from([0, ...rows.map(row => row.outer)]),
        depth = Int32Array.from([0, ...rows.map(row => row.depth)]),
        end = new Int32Array(n).fill(n),
        sums = {};
    const open = [0];
    for (let i = 1; i < n; i++) {
        while (depth[open.at(-1)] >= depth[i]) end[open.pop()] = i;
        open.push(i);
    }
    for (const [name, { of }] of Object.entries(measured)) {
        sums[name] = Float64Array.from([0, ...rows.map(of)]);
        for (let i = 1; i < n; i = end[i]) sums[name][0] += sums[name][i];
    }
    return { n, rows, outer, depth, end, sums };
}

// The call tree of a run. library_s: a path's time in functions of the message library.
export function readPaths({ call_paths: rows, functions }) {
    const tree = readTree(rows, measures),
        isLibrary = isOfLibrary(functions),
        library_s = new Float64Array(tree.n);
    for (let i = tree.n - 1; i > 0; i--) {
        if (isLibrary(rows[i - 1])) library_s[i] += rows[i - 1].own_s;
        library_s[tree.outer[i]] += library_s[i];
    }
    return { ...tree, library_s };
}

// How wide a path of two versions is drawn.
export const changeMeasures = {
    both: { name: t("time in both"), of: row => (row.first_s ?? 0) + (row.second_s ?? 0) },
    first: { name: t("time in the first"), of: row => row.first_s ?? 0 },
    second: { name: t("time in the other"), of: row => row.second_s ?? 0 },
    change: { name: t("changes within"), of: () => 0 },
};

// The trees of the first and another version as one, from rows of several versions. own: how much longer a path itself
// takes, without those within it; these changes, of either sign, add up to sums.change. indexOf[i]: the place of row i
// among those of all versions.
export function readChanges(all, version) {
    const indexOf = all.flatMap((row, index) => (row.version === version ? [index] : [])),
        rows = indexOf.map(index => all[index]),
        tree = readTree(rows, changeMeasures),
        own = Float64Array.from([0, ...rows.map(row => row.change_s)]),
        { change } = tree.sums;
    for (let i = 1; i < tree.n; i++) if (tree.outer[i] > 0) own[tree.outer[i]] -= rows[i - 1].change_s;
    for (let i = tree.n - 1; i > 0; i--) {
        change[i] += Math.abs(own[i]);
        change[tree.outer[i]] += change[i];
    }
    return { ...tree, own, indexOf };
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
