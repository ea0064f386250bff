// The machine as a picture: hosts, switches, and its links in the colors of their load.
// SPDX-License-Identifier: BSD-3-Clause
import { NODE_HOST } from "words";
import { element } from "../dom.js";
import { heatColour } from "../heat.js";
import { theme } from "../theme.js";
import { canvasPen, svgPen } from "../timeline/pen.js";
import { closesRings, linkPoints, placeNodes } from "./layout.js";

const levels = 14; // of colors: links of one are drawn in one stroke

const most = 40; // hosts without a place that are drawn even if they have nothing to do

// If there are many hosts without positions, those that have nothing to do are left out of the circle.
function busyOf({ nodes, links, placement = [] }) {
    if (nodes.length <= most || nodes.some(({ x }) => typeof x === "number")) return nodes;
    const used = links.filter(({ messages }) => messages > 0);
    const busy = new Set([...used.flatMap(({ from, to }) => [from, to]), ...placement.map(({ host }) => host)]);
    return nodes.filter(({ node }) => busy.has(node));
}

// One link for all that no node is the end of: a medium that all hosts share.
export const isMedium = links => links.length === 1 && links[0].from === "" && links[0].to === "";

// Links of which only one end is a node lead to what is between them: the switch in the middle of all, or the medium.
function withCentre(nodes, links) {
    if (!isMedium(links) && !links.some(({ from, to }) => (from === "") !== (to === ""))) return nodes;
    const middle = axis => nodes.reduce((sum, node) => sum + (node[axis] ?? 0), 0) / nodes.length;
    return [...nodes, { node: "", kind: "switch", x: middle("x"), y: middle("y"), z: middle("z") }];
}

export class Picture {
    constructor(pointed) {
        this.canvas = element("canvas", { class: "machine", role: "img" });
        this.canvas.addEventListener("pointermove", event => pointed(this.found(event.offsetX, event.offsetY)));
        this.canvas.addEventListener("pointerleave", () => pointed(null));
    }

    // values: of each link, of which `largest` has the last color.
    show(run, values, largest, label) {
        Object.assign(this, { run, values, largest });
        this.canvas.setAttribute("aria-label", label);
        this.draw();
    }

    layOut(width) {
        const { links } = this.run,
            nodes = (this.nodes = withCentre(busyOf(this.run), links));
        if (this.laid?.run === this.run && this.laid.width === width) return;
        const { points, height, spacing } = placeNodes(nodes, width);
        const at = new Map(nodes.map(({ node }, k) => [node, k]));
        const ends = links.map(({ from, to }) => [at.get(from), at.get(to)]),
            isKnown = ([a, b]) => a !== undefined && b !== undefined;
        const style = {
            aside: Math.min(2.2, spacing / 12),
            stub: Math.min(spacing * 0.45, 20),
            closes: closesRings(
                nodes,
                ends.filter(isKnown).map(([a, b]) => [nodes[a], nodes[b]]),
            ),
        };
        const lineOf = ([a, b]) => (isKnown([a, b]) ? linkPoints(nodes[a], nodes[b], points[a], points[b], style) : []);
        const spokes = () => points.flatMap(point => [point, points[at.get("")], null]);
        this.laid = {
            run: this.run,
            width,
            height,
            points,
            spacing,
            lines: isMedium(links) ? [spokes()] : ends.map(lineOf),
        };
    }

    draw() {
        const width = this.canvas.parentElement?.clientWidth,
            scale = Math.min(devicePixelRatio || 1, 2);
        if (!this.run || !width) return;
        this.layOut(width);
        Object.assign(this.canvas, { width: width * scale, height: this.laid.height * scale });
        this.canvas.style.height = `${this.laid.height}px`;
        const context = this.canvas.getContext("2d");
        context.scale(scale, scale);
        this.drawWith(canvasPen(context));
    }

    drawWith(pen) {
        const { lines, points, spacing } = this.laid,
            strokes = Array.from({ length: levels + 1 }, () => []),
            colours = theme();
        lines.forEach((line, k) => {
            const part = this.largest > 0 ? this.values[k] / this.largest : 0;
            strokes[part > 0 ? 1 + Math.min(Math.floor(part * levels), levels - 1) : 0].push(...line, null);
        });
        const wide = Math.min(3.5, Math.max(1.2, spacing / 9));
        strokes.forEach((stroke, level) => {
            if (stroke.length === 0) return;
            const part = level / levels;
            pen.line(
                stroke,
                level === 0 ? colours.line : heatColour(0.2 + 0.8 * part),
                level === 0 ? 1 : 1 + (wide - 1) * part,
            );
        });
        const size = Math.min(10, Math.max(3, spacing / 4));
        this.nodes.forEach(({ kind }, k) => {
            const [x, y] = points[k],
                half = kind === NODE_HOST ? size / 2 : size * 0.7;
            pen.box(x - half, y - half, 2 * half, 2 * half, kind === NODE_HOST ? colours.ink : colours.accent);
        });
        if (spacing >= 40)
            this.nodes.forEach(({ node }, k) =>
                pen.text(node.slice(0, 12), points[k][0], points[k][1] + size + 5, colours.soft, {
                    size: 10,
                    align: "center",
                    widest: spacing - 4,
                    halo: colours.panel,
                }),
            );
    }

    svg() {
        const pen = svgPen(this.laid.width, this.laid.height, theme().panel);
        this.drawWith(pen);
        return pen.svg();
    }

    // How many links with messages have no place in the picture, and how many hosts are left out.
    get undrawn() {
        const isMissing = (line, k) => line.length === 0 && this.run.links[k].messages > 0;
        return this.laid ? this.laid.lines.filter(isMissing).length : 0;
    }

    get idle() {
        return this.run ? this.run.nodes.length - busyOf(this.run).length : 0;
    }

    // The node or link that is near: { node }, or { link }, an index.
    found(x, y) {
        if (!this.laid) return null;
        const near = this.laid.points.findIndex(([px, py]) => Math.hypot(px - x, py - y) < 7);
        if (near >= 0) return { node: this.nodes[near] };
        let least = 5,
            link = -1;
        this.laid.lines.forEach((line, k) => {
            for (let i = 1; i < line.length; i++) {
                if (line[i - 1] === null || line[i] === null) continue;
                const [[x1, y1], [x2, y2]] = [line[i - 1], line[i]],
                    dx = x2 - x1,
                    dy = y2 - y1;
                const along = Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1), 0), 1);
                const far = Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
                if (far < least) [least, link] = [far, k];
            }
        });
        return link >= 0 ? { link } : null;
    }
}
