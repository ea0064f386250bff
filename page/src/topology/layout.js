// Where nodes and links of a machine are drawn: coordinates to the plane, three dimensions at a slant; long links
// bent, so that they do not lie on those that they pass.
// SPDX-License-Identifier: BSD-3-Clause
import { NODE_HOST } from "words";

const slant = { x: 0.42, y: 0.3 },
    most = 520,
    margin = 30;

// A node without coordinates is put on a circle with all others like it.
function planeOf(nodes) {
    const onCircle = k => [
        (Math.sin((2 * Math.PI * k) / nodes.length) * nodes.length) / 6,
        (Math.cos((2 * Math.PI * k) / nodes.length) * nodes.length) / 6,
    ];
    return nodes.map(({ x, y, z = 0 }, k) =>
        typeof x === "number" ? [x + slant.x * z, y + slant.y * z] : onCircle(k),
    );
}

// The positions of all nodes in a picture of that width, its height, and how far neighbors are apart.
export function placeNodes(nodes, width) {
    const plane = planeOf(nodes),
        xs = plane.map(([x]) => x),
        ys = plane.map(([, y]) => y);
    const low = [Math.min(...xs), Math.min(...ys)],
        wide = Math.max(...xs) - low[0] || 1,
        high = Math.max(...ys) - low[1];
    const isDeep = nodes.some(({ z }) => z > 0);
    const scale = Math.min((width - 2 * margin) / wide, high > 0 ? (most - 2 * margin) / high : Infinity, 110);
    // A flat drawing is stretched, so that its levels are told apart.
    const stretch =
        isDeep || high === 0 ? 1 : Math.max(1, Math.min((0.4 * wide) / high, (most - 2 * margin) / (high * scale)));
    const height = Math.max(high * scale * stretch, 1) + 2 * margin + 10,
        left = (width - wide * scale) / 2;
    const points = plane.map(([x, y]) => [
        left + (x - low[0]) * scale,
        height - margin - (y - low[1]) * scale * stretch,
    ]);
    return { points, height, spacing: Math.min(scale, Math.sqrt((width * height) / nodes.length)) };
}

const isAligned = (a, b) => ["x", "y", "z"].filter(axis => (a[axis] ?? 0) !== (b[axis] ?? 0)).length === 1;
const farOf = (a, b) => Math.max(...["x", "y", "z"].map(axis => Math.abs((a[axis] ?? 0) - (b[axis] ?? 0))));

// True if all long links go from one end of an axis to the other, as those that close a torus do.
export function closesRings(nodes, ends) {
    const extent = Object.fromEntries(
        ["x", "y", "z"].map(axis => {
            const values = nodes.map(node => node[axis] ?? 0);
            return [axis, Math.max(...values) - Math.min(...values)];
        }),
    );
    const long = ends.filter(([a, b]) => isLong(a, b));
    return (
        long.length > 0 &&
        long.every(([a, b]) =>
            ["x", "y", "z"].some(
                axis => extent[axis] > 1.01 && Math.abs((a[axis] ?? 0) - (b[axis] ?? 0)) > extent[axis] - 0.01,
            ),
        )
    );
}

const isLong = (a, b) => a.kind === NODE_HOST && b.kind === NODE_HOST && isAligned(a, b) && farOf(a, b) > 1.01;

// A link as points, to the right of its direction: links in both directions lie side by side. One that closes a ring
// is drawn as two ends, which leave the picture and come back.
export function linkPoints(from, to, [x1, y1], [x2, y2], { aside, closes, stub }) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1,
        right = [-(y2 - y1) / length, (x2 - x1) / length];
    const at = (t, off) => [x1 + (x2 - x1) * t + right[0] * off, y1 + (y2 - y1) * t + right[1] * off];
    if (!isLong(from, to)) return [at(0, aside), at(1, aside)];
    if (closes) return [at(0, -aside), at(-stub / length, -aside), null, at(1 + stub / length, -aside), at(1, -aside)];
    const bend = Math.min(0.14 * length, margin);
    return [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map(t => at(t, aside + bend * 4 * t * (1 - t)));
}
