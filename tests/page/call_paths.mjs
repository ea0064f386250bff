// Call paths as an icicle: random trees against a walk over objects; of 100,000 paths no more than a window has room
// for.
// SPDX-License-Identifier: BSD-3-Clause
import { findPaths, layOut, readChanges, readPaths } from "../../page/src/call_paths.js";

let failed = 0,
    state = 7;
const random = n => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % n;

function check(name, good) {
    if (!good) console.log(`FAILED: ${name}`);
    failed += !good;
}

// A tree of about n paths, the largest first, as the program writes it; own times are whole numbers.
function randomRows(n) {
    const nodes = [{ below: [] }];
    for (let i = 1; i <= n; i++) {
        const node = { name: random(3) ? `f${random(50)}` : "MPI_Send", own: random(4) ? random(100) : 0, below: [] };
        nodes[random(nodes.length)].below.push(node);
        nodes.push(node);
    }
    const sum = node => (node.time = (node.own ?? 0) + node.below.reduce((all, one) => all + sum(one), 0));
    sum(nodes[0]);
    const rows = [];
    const put = (node, outer, depth) => {
        rows.push({ id: rows.length + 1, outer, depth, function: node.name, time_s: node.time, own_s: node.own });
        Object.assign(rows.at(-1), { idle_s: 0, calls: 1 });
        putBelow(node, rows.length, depth + 1);
    };
    const putBelow = ({ below }, outer, depth) =>
        below.sort((a, b) => b.time - a.time).forEach(one => put(one, outer, depth));
    putBelow(nodes[0], 0, 1);
    return rows;
}

const isWithin = (rows, i, top) => top === 0 || (i > 0 && (i === top || isWithin(rows, rows[i - 1].outer, top)));

for (let round = 0; round < 200; round++) {
    const rows = randomRows(1 + random(60)),
        tree = readPaths({ call_paths: rows, functions: [{ function: "MPI_Send" }] }),
        top = random(rows.length + 1),
        boxes = new Map();
    layOut(tree, "time", top, 0, (path, from, to) => boxes.set(path, { from, to }));
    for (let i = 1; i <= rows.length; i++) {
        const box = boxes.get(i),
            { outer, time_s } = rows[i - 1];
        check("the paths within", tree.end[i] - i === rows.filter((_, k) => isWithin(rows, k + 1, i)).length);
        const library = rows.filter((row, k) => row.function === "MPI_Send" && isWithin(rows, k + 1, i));
        check("time in the library", tree.library_s[i] === library.reduce((sum, { own_s }) => sum + own_s, 0));
        if (i === top || !isWithin(rows, i, top)) continue;
        const whole = tree.sums.time[top] || 1,
            elder = rows.slice(0, i - 1).filter(row => row.outer === outer);
        const from = (boxes.get(outer).from * whole + elder.reduce((sum, row) => sum + row.time_s, 0)) / whole;
        check("where a path is", Math.abs(box.from - from) < 1e-9 && Math.abs((box.to - from) * whole - time_s) < 1e-6);
    }
    check(
        "a search",
        findPaths(tree, "send").every(i => rows[i - 1].function === "MPI_Send"),
    );
}

// Two versions as one: the changes of the paths themselves add up to those of the paths around them.
for (let round = 0; round < 100; round++) {
    const all = ["a", "b"].flatMap(version =>
            randomRows(1 + random(40)).map(row => {
                const [first_s, second_s] = [random(3) ? row.time_s : undefined, random(3) ? random(100) : undefined];
                return { ...row, version, first_s, second_s, change_s: (second_s ?? 0) - (first_s ?? 0) };
            }),
        ),
        tree = readChanges(all, "b"),
        rows = all.filter(({ version }) => version === "b"),
        ids = rows.map((_, i) => i + 1);
    check("the rows of a version", rows.length === tree.n - 1 && tree.indexOf.every((at, i) => all[at] === rows[i]));
    for (const id of ids) {
        const inside = ids.filter(other => isWithin(rows, other, id)),
            direct = ids.filter(other => rows[other - 1].outer === id),
            own = rows[id - 1].change_s - direct.reduce((sum, other) => sum + rows[other - 1].change_s, 0);
        check("a path's own change", tree.own[id] === own);
        check(
            "the changes within",
            tree.sums.change[id] === inside.reduce((sum, other) => sum + Math.abs(tree.own[other]), 0),
        );
        check("time in both", tree.sums.both[id] === (rows[id - 1].first_s ?? 0) + (rows[id - 1].second_s ?? 0));
    }
}

// All boxes on one level are beside each other, so that a window of 1366 pixels has at most so many there.
const rows = randomRows(100000),
    levels = new Map();
layOut(readPaths({ call_paths: rows }), "time", 0, 1 / 1366, (path, from, to, level) =>
    levels.set(level, (levels.get(level) ?? 0) + 1),
);
check("100,000 paths are drawn", levels.size > 5);
check(
    "no more boxes than pixels",
    [...levels.values()].every(count => count <= 1366),
);
console.log(failed === 0 ? "passed" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
