// A tree of call paths as an icicle: each path below the one around it, as wide as its part of the whole. A reader
// moves in it by keys and clicks, and searches it.
// SPDX-License-Identifier: BSD-3-Clause
import { findPaths, layOut } from "./call_paths.js";
import { element, svgElement } from "./dom.js";
import { inkOf } from "./heat.js";
import { t } from "./texts/index.js";
import { onTheme, theme } from "./theme.js";

const row = 20, // pixels
    mostLevels = 40,
    font = "12px system-ui, sans-serif",
    hint = t("Point at a path, or move by arrow keys. Enter or a click looks at it alone; Escape goes back.");

// As much of a text as fits, at 7 pixels a letter.
const cut = (text, width) => {
    const most = Math.floor(width / 7);
    return text.length <= most ? text : most > 2 ? text.slice(0, most - 1) + "\u2026" : "";
};

function canvasPen(context) {
    return {
        box(x, y, width, height, colour) {
            context.fillStyle = colour;
            context.fillRect(x, y, width, height);
        },
        text(string, x, y, width, colour) {
            context.fillStyle = colour;
            context.fillText(cut(string, width), x, y);
        },
        edge(x, y, width, height, colour) {
            context.strokeStyle = colour;
            context.lineWidth = 2;
            context.strokeRect(x + 1, y + 1, Math.max(width - 3, 1), height - 3);
        },
    };
}

function svgPen(root) {
    const put = (name, attributes, ...text) => root.append(svgElement(name, attributes, ...text));
    return {
        box: (x, y, width, height, fill) => put("rect", { x, y, width, height, fill }),
        text: (string, x, y, width, fill) =>
            put("text", { x, y, fill, style: `font:${font}`, "dominant-baseline": "central" }, cut(string, width)),
        edge: (x, y, width, height, stroke) =>
            put("rect", { x, y, width, height, fill: "none", stroke, "stroke-width": 2 }),
    };
}

const levelsOf = boxes => Math.max(...boxes.map(({ y }) => y / row)) + 1;

function searchBox(onsearch) {
    const input = element("input", {
        type: "search",
        oninput: () => onsearch(input.value, false),
        onkeydown: event => event.key === "Enter" && onsearch(input.value, true),
    });
    return element("label", {}, t("find "), input);
}

// A scale of colors between words: stops are colors.
export const colourKey = (from, stops, to) =>
    element(
        "p",
        { class: "heatkey" },
        from,
        element("span", { class: "ramp", style: `background:linear-gradient(90deg,${stops.join(",")})` }),
        to,
    );

export const nameOf = ({ rows }, path) => (path === 0 ? t("the whole program") : rows[path - 1].function);

// "main > solve > exchange"
export function pathName(tree, path) {
    const names = [];
    for (let at = path; at > 0; at = tree.outer[at]) names.unshift(nameOf(tree, at));
    return names.join(" > ") || nameOf(tree, 0);
}

// In the frame of a panel. looks: { key(), what the colors mean; colourOf(tree, path); tell(path), the path in words;
// summary(tree) }. The tree is given to open(), and is as wide as its sums of `measure`.
export class Icicle {
    constructor(frame, looks, measure) {
        Object.assign(this, { looks, measure, top: 0, at: 0, found: new Set(), boxes: [] });
        this.said = element("p", { class: "about told", "aria-live": "polite" }, hint);
        this.key = element("div");
        this.back = element("button", { type: "button", onclick: () => this.zoom(0) }, t("whole program"));
        this.canvas = element("canvas", {
            class: "icicle",
            tabindex: 0,
            role: "img",
            onkeydown: event => this.press(event),
            onpointermove: event => this.point(event, path => this.tell(path)),
            onclick: event => this.point(event, path => this.zoom(path)),
        });
        frame.controls.append(
            searchBox((text, goesOn) => this.search(text, goesOn)),
            this.back,
        );
        frame.body.append(this.key, element("div", { class: "icicle-box" }, this.canvas), this.said);
        frame.picture(() => this.svg());
    }

    open(tree) {
        Object.assign(this, { tree, top: 0, at: 0, found: new Set() });
        this.redraw();
        if (this.isOpen) return;
        this.isOpen = true;
        onTheme(() => this.redraw());
        new ResizeObserver(() => this.redraw()).observe(this.canvas.parentElement);
    }

    show(measure) {
        this.measure = measure;
        this.redraw();
    }

    layOut(width) {
        const boxes = [];
        layOut(this.tree, this.measure, this.top, 1 / width, (path, from, to, level) => {
            if (level < mostLevels) boxes.push({ path, x: from * width, width: (to - from) * width, y: level * row });
        });
        return boxes;
    }

    paint(boxes, { box, text, edge }) {
        for (const { path, x, y, width } of boxes) {
            const colour = this.looks.colourOf(this.tree, path);
            box(x, y, Math.max(width - 1, 0.5), row - 1, colour);
            if (this.found.has(path)) edge(x, y, width, row, "#d55e00");
            if (width > 24) text(nameOf(this.tree, path), x + 4, y + row / 2, width - 8, inkOf(colour));
        }
        const at = boxes.find(({ path }) => path === this.at);
        if (at) edge(at.x, at.y, at.width, row, theme().ink);
    }

    redraw() {
        const { canvas } = this,
            width = canvas.parentElement?.clientWidth || 600,
            dpr = Math.min(devicePixelRatio || 1, 2);
        this.boxes = this.layOut(width);
        const height = levelsOf(this.boxes) * row;
        Object.assign(canvas, { width: width * dpr, height: height * dpr });
        Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
        const context = canvas.getContext("2d");
        context.scale(dpr, dpr);
        context.font = font;
        context.textBaseline = "middle";
        this.paint(this.boxes, canvasPen(context));
        canvas.setAttribute("aria-label", this.looks.summary(this.tree));
        this.back.disabled = this.top === 0;
        this.key.replaceChildren(this.looks.key());
    }

    svg() {
        const width = 900,
            boxes = this.layOut(width),
            root = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height: levelsOf(boxes) * row });
        this.paint(boxes, svgPen(root));
        return new XMLSerializer().serializeToString(root);
    }

    tell(path) {
        this.said.replaceChildren(...this.looks.tell(this.tree, path));
    }

    select(path) {
        const { end, outer } = this.tree;
        this.at = path;
        if (path < this.top || path >= end[this.top]) this.top = outer[path];
        this.tell(path);
        this.redraw();
    }

    zoom(path) {
        this.top = path;
        this.select(path);
    }

    point({ offsetX, offsetY }, then) {
        const box = this.boxes.find(
            ({ x, y, width }) => offsetX >= x && offsetX < x + width && offsetY >= y && offsetY < y + row,
        );
        if (box) then(box.path);
    }

    // A path between those within the same one; up to the one around it, or down to its largest.
    next(key) {
        const { outer, end, n } = this.tree,
            { at } = this;
        if (key === "ArrowUp") return outer[at];
        if (key === "ArrowDown") return at + 1 < end[at] ? at + 1 : at;
        if (key === "ArrowRight") return end[at] < n && outer[end[at]] === outer[at] ? end[at] : at;
        let before = outer[at] + 1; // ArrowLeft
        while (before < at && end[before] < at) before = end[before];
        return before < at ? before : at;
    }

    press(event) {
        if (event.key === "Enter") this.zoom(this.at);
        else if (event.key === "Escape") this.zoom(this.tree.outer[this.top]);
        else if (event.key.startsWith("Arrow")) this.select(this.next(event.key));
        else return;
        event.preventDefault();
    }

    search(text, goesOn) {
        const found = findPaths(this.tree, text);
        this.found = new Set(found);
        if (goesOn && found.length > 0) return this.select(found.find(path => path > this.at) ?? found[0]);
        this.said.replaceChildren(
            text === "" ? hint : t`${found.length} paths end in such a function; Enter: the next one`,
        );
        this.redraw();
    }
}
