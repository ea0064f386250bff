// The call tree of a traced program as an icicle: each path below the one around it, as wide as its time.
// SPDX-License-Identifier: BSD-3-Clause
import { findPaths, layOut, measures, readPaths } from "../call_paths.js";
import { element, svgElement } from "../dom.js";
import { heatColour, inkOf } from "../heat.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { onTheme, theme } from "../theme.js";
import { t } from "../texts/index.js";

const row = 20, // pixels
    mostLevels = 40,
    font = "12px system-ui, sans-serif";
const hasPaths = run => run.call_paths?.length > 0;
const shareOf = (part, whole) => (whole > 0 ? part / whole : 0);

const colourings = {
    idle: { name: t("share of waiting"), of: (tree, path) => shareOf(tree.sums.idle[path], tree.sums.time[path]) },
    library: {
        name: t("share of the message library"),
        of: (tree, path) => shareOf(tree.library_s[path], tree.sums.time[path]),
    },
};

// A path at a place, and what is drawn of it; the same on a canvas and as SVG.
class Icicle {
    constructor(tree) {
        this.tree = tree;
        Object.assign(this, { top: 0, at: 0, measure: "time", colouring: "idle", found: new Set() });
    }

    nameOf(path) {
        return path === 0 ? t("the whole program") : this.tree.rows[path - 1].function;
    }

    boxes(width) {
        const boxes = [];
        layOut(this.tree, this.measure, this.top, 1 / width, (path, from, to, level) => {
            if (level < mostLevels) boxes.push({ path, x: from * width, width: (to - from) * width, y: level * row });
        });
        return boxes;
    }

    // A path between those within the same one; up to the one around it, or down to its largest.
    step(key) {
        const { outer, end, n } = this.tree,
            { at } = this;
        if (key === "ArrowUp") return outer[at];
        if (key === "ArrowDown") return at + 1 < end[at] ? at + 1 : at;
        if (key === "ArrowRight") return end[at] < n && outer[end[at]] === outer[at] ? end[at] : at;
        let before = outer[at] + 1; // ArrowLeft
        while (before < at && end[before] < at) before = end[before];
        return before < at ? before : at;
    }

    isWithin(path) {
        return path >= this.top && path < this.tree.end[this.top];
    }
}

function paint(icicle, boxes, { box, text, edge }) {
    const colours = theme();
    for (const { path, x, y, width } of boxes) {
        const colour = heatColour(colourings[icicle.colouring].of(icicle.tree, path));
        box(x, y, Math.max(width - 1, 0.5), row - 1, colour);
        if (icicle.found.has(path)) edge(x, y, width, row, "#d55e00");
        if (width > 24) text(icicle.nameOf(path), x + 4, y + row / 2, width - 8, inkOf(colour));
    }
    const at = boxes.find(({ path }) => path === icicle.at);
    if (at) edge(at.x, at.y, at.width, row, colours.ink);
}

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

function draw(icicle, canvas) {
    const width = canvas.parentElement?.clientWidth || 600,
        boxes = icicle.boxes(width),
        height = levelsOf(boxes) * row,
        dpr = Math.min(devicePixelRatio || 1, 2);
    Object.assign(canvas, { width: width * dpr, height: height * dpr });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const context = canvas.getContext("2d");
    context.scale(dpr, dpr);
    context.font = font;
    context.textBaseline = "middle";
    paint(icicle, boxes, canvasPen(context));
    return boxes;
}

function svgOf(icicle) {
    const width = 900,
        boxes = icicle.boxes(width),
        root = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height: levelsOf(boxes) * row });
    paint(icicle, boxes, svgPen(root));
    return new XMLSerializer().serializeToString(root);
}

// A path in words, with its numbers as the JSON document has them.
function tell(icicle, at, path) {
    const { tree } = icicle,
        figure = (unit, name) => at.figure(unit, "call_paths", path - 1, name);
    if (path === 0) return [t`the whole program: ${format(tree.sums.time[0], "s")}, all ranks together`];
    const wait = (at.run.call_path_waits ?? [])
        .filter(({ id }) => id === tree.rows[path - 1].id)
        .sort((a, b) => b.time_s - a.time_s)[0];
    return [
        `${tree.rows[path - 1].path}: `,
        figure("s", "time_s"),
        t`, ${format(shareOf(tree.sums.time[path], tree.sums.time[0]), "share")} of all; waiting `,
        figure("s", "idle_s"),
        t("; calls "),
        figure("count", "calls"),
        wait ? t`; mostly ${wait.wait}${wait.for_rank >= 0 ? t`, for rank ${wait.for_rank}` : ""}` : "",
    ];
}

function searchBox(onsearch) {
    const input = element("input", {
        type: "search",
        oninput: () => onsearch(input.value, false),
        onkeydown: event => event.key === "Enter" && onsearch(input.value, true),
    });
    return element("label", {}, t("find "), input);
}

// The meaning of the colors: from none to all.
const keyOfShares = () =>
    element(
        "p",
        { class: "heatkey" },
        "0 %",
        element("span", {
            class: "ramp",
            style: `background:linear-gradient(90deg,${[0, 0.25, 0.5, 0.75, 1].map(heatColour).join(",")})`,
        }),
        "100 %",
    );

const hint = t("Point at a path, or move by arrow keys. Enter or a click looks at it alone; Escape goes back.");

export const callTree = {
    id: "call-tree",
    title: t("Call tree"),
    about: t(
        "Functions below those that call them, as wide as their time over all ranks, with that of inner functions.",
    ),
    terms: ["call path", "idle", "late sender"],
    wide: true,
    wants: study => study.runs.some(hasPaths),
    draw(frame, study) {
        let icicle,
            boxes = [];
        const said = element("p", { class: "about told", "aria-live": "polite" }, hint),
            key = element("div"),
            back = element("button", { type: "button", onclick: () => zoom(0) }, t("whole program"));
        const redraw = () => {
            boxes = draw(icicle, canvas);
            back.disabled = icicle.top === 0;
            key.replaceChildren(keyOfShares());
            canvas.setAttribute(
                "aria-label",
                t`Call tree: ${icicle.tree.n - 1} paths by ${measures[icicle.measure].name}`,
            );
        };
        const select = path => {
            icicle.at = path;
            if (!icicle.isWithin(path)) icicle.top = icicle.tree.outer[path];
            said.replaceChildren(...tell(icicle, at, path));
            redraw();
        };
        const zoom = path => {
            icicle.top = path;
            select(path);
        };
        const pathAt = ({ offsetX, offsetY }) =>
            boxes.find(({ x, y, width }) => offsetX >= x && offsetX < x + width && offsetY >= y && offsetY < y + row)
                ?.path;
        const press = event => {
            if (event.key === "Enter") zoom(icicle.at);
            else if (event.key === "Escape") zoom(icicle.tree.outer[icicle.top]);
            else if (event.key.startsWith("Arrow")) select(icicle.step(event.key));
            else return;
            event.preventDefault();
        };
        const canvas = element("canvas", {
            class: "icicle",
            tabindex: 0,
            role: "img",
            onkeydown: press,
            onpointermove: event => {
                const path = pathAt(event);
                if (path !== undefined) said.replaceChildren(...tell(icicle, at, path));
            },
            onclick: event => {
                const path = pathAt(event);
                if (path !== undefined) zoom(path);
            },
        });
        const search = (text, goesOn) => {
            const found = findPaths(icicle.tree, text);
            icicle.found = new Set(found);
            if (goesOn && found.length > 0) return select(found.find(path => path > icicle.at) ?? found[0]);
            said.replaceChildren(
                text === "" ? hint : t`${found.length} paths end in such a function; Enter: the next one`,
            );
            redraw();
        };
        const start = () => {
            icicle = new Icicle(readPaths(at.run));
            redraw();
        };
        const at = followRun(frame, study, hasPaths, start);
        const change = name => value => {
            icicle[name] = value;
            redraw();
        };
        const choicesIn = table => Object.entries(table).map(([value, { name }]) => ({ name, value }));
        frame.choose(t("width"), choicesIn(measures), "time", change("measure"));
        frame.choose(t("color"), choicesIn(colourings), "idle", change("colouring"));
        frame.controls.append(searchBox(search), back);
        frame.body.append(key, element("div", { class: "icicle-box" }, canvas), said);
        frame.picture(() => svgOf(icicle));
        icicle = new Icicle(readPaths(at.run));
        onTheme(redraw);
        new ResizeObserver(redraw).observe(canvas.parentElement);
        frame.csv(() => {
            const columns = ["path", "calls", "time_s", "idle_s", "own_s", "own_idle_s"];
            return [columns, ...at.run.call_paths.map(path => columns.map(name => path[name]))];
        });
    },
};
