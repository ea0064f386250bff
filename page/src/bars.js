// A tree of bars: indented names, a bar for each on a common scale, and its numbers beside it.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "./dom.js";
import { format, scaleOf } from "./numbers.js";

const percent = part => `${(100 * Math.min(Math.max(part, 0), 1)).toFixed(3)}%`;

// from, to: parts of the scale from 0 to 1. kind: "full", "thin" (a line in front of it) or "pale". title: what it is.
function bar({ from = 0, to, colour, kind = "full", title }) {
    const [low, high] = from < to ? [from, to] : [to, from];
    const right = Math.min(Math.max(high, 0), 1),
        left = Math.min(Math.max(low, 0), right);
    const style = `left:${percent(left)};width:${percent(right - left)};background:${colour}`;
    return element("span", { class: `bar ${kind}`, title, style });
}

const scaleOfMarks = marks =>
    element(
        "span",
        { class: "scale" },
        marks.map(mark => element("span", {}, mark)),
    );

// The ends of the scale and its middle, in one unit, above all bars.
function scaleMarks(largest, unit) {
    const [factor, name] = scaleOf(unit, largest),
        mark = part =>
            unit === "share"
                ? format(part * largest, unit)
                : `${Number(((part * largest) / factor).toPrecision(3))}${name ? " " + name : ""}`;
    return scaleOfMarks(["0", mark(0.5), mark(1)]);
}

// rows: [{ depth, name, bars, numbers }]; heads: what the numbers are; the scale ends at `largest`; one that
// does not begin at 0 has marks: its ends and its middle.
export function drawBars(box, { of, heads, rows, largest, unit, marks }) {
    const head = element(
        "tr",
        {},
        element("th", { scope: "col" }, of),
        element(
            "th",
            { scope: "col", class: "track" },
            marks ? scaleOfMarks(marks) : largest ? scaleMarks(largest, unit) : null,
        ),
        heads.map(name => element("th", { scope: "col", class: "number" }, name)),
    );
    box.classList.add("scroll");
    box.tabIndex = 0; // to be moved by keys where it is wider than the window
    box.replaceChildren(
        element(
            "table",
            { class: "bars", style: `--numbers: ${Math.max(heads.length, 1)}` },
            element("thead", {}, head),
            element(
                "tbody",
                {},
                rows.map(({ depth = 0, name, bars, numbers }) =>
                    element(
                        "tr",
                        {},
                        element("th", { scope: "row", style: `padding-left:${depth * 14}px` }, name),
                        element("td", { class: "track" }, element("span", { class: "rail" }, bars.map(bar))),
                        heads.map((_, i) => element("td", { class: "number" }, numbers[i] ?? "")),
                    ),
                ),
            ),
        ),
    );
}
