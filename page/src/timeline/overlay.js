// Draws over the rows: the axis, their names, phases by name, messages, and the critical path. It uses a pen, so that
// the canvas and a saved picture show the same.
// SPDX-License-Identifier: BSD-3-Clause
import { format, scaleOf } from "../numbers.js";
import { theme } from "../theme.js";
import { stepOf, xOf, yOfRow } from "./geometry.js";
import { segmentsIn } from "./model.js";
import { nameIn, t } from "../texts/index.js";

// Below so many messages a pixel of width they can be told apart.
const messagesPerPixel = 1.2;

export function drawAxis(pen, layout, view, model) {
    const { plot } = layout,
        colours = theme(),
        unit = model.unit_s;
    const from_s = view.from * unit,
        to_s = view.to * unit;
    const step = stepOf((90 / layout.perUnit) * unit),
        [factor, name] = scaleOf("s", to_s - from_s);
    const decimals = Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9));
    const isFar = to_s / step > 1e6; // then only what differs is written at the ticks
    const base = isFar ? Math.floor(from_s / step) * step : 0;
    const label = isFar ? `${Number(base.toPrecision(13))} s +` : plot.x < 80 ? `[${name}]` : t`time [${name}]`;
    pen.text(label, 2, 11, colours.soft, { size: 11, widest: isFar ? undefined : plot.x - 2 });
    for (let k = Math.ceil(from_s / step - 1e-9); k * step <= to_s * (1 + 1e-12); k++) {
        const x = xOf(layout, view, (k * step) / unit);
        pen.line(
            [
                [x, plot.y - 5],
                [x, plot.y + plot.height],
            ],
            colours.line,
            1,
            0.7,
        );
        if (x < plot.x + (isFar ? label.length * 6 - plot.x + 30 : 0)) continue;
        const text = ((k * step - base) / factor).toFixed(decimals) + (isFar ? ` ${name}` : "");
        pen.text(text, Math.min(x, layout.width - 16), 11, colours.soft, { size: 11, align: "center" });
    }
}

export function drawNames(pen, layout) {
    const colours = theme();
    let free = -Infinity;
    for (const group of layout.groups) {
        const y = group.y + group.height / 2;
        if (y - free < 13) continue;
        const name =
            layout.plot.x < 80 || group.label.length > 13
                ? group.label
                      .replace(/^(?:controller|Controller)/, "contr.")
                      .replace(`${nameIn("ranks")} `, "")
                      .replace(`${nameIn("rank")} `, "")
                : group.label;
        const colour = group.label === group.name ? colours.ink : colours.soft; // further processors of a rank
        pen.text(name, layout.plot.x - 6, y, colour, { size: 11, align: "end" });
        free = y;
    }
}

// The names of phases in their strips, where they are long enough.
export function drawPhases(pen, layout, view, track, hidden) {
    if (!track.isExact) return;
    for (const group of layout.groups) {
        if (group.strip < 9 || group.end - group.first > 1) continue;
        const last = track.first[group.first + 1],
            before = track.at(group.first, Math.max(view.from, 0));
        let end = -Infinity;
        for (let i = Math.max(before, track.first[group.first]); i < last && track.start[i] < view.to; i++) {
            if (((view.to - view.from) * 24) / layout.plot.width > track.length[i]) {
                if (i - before > 400) break;
                continue;
            }
            const left = Math.max(xOf(layout, view, track.start[i]), layout.plot.x, end);
            end = Math.min(xOf(layout, view, track.start[i] + track.length[i]), layout.plot.x + layout.plot.width);
            if (!hidden.has(track.names[track.name[i]]))
                pen.text(
                    track.names[track.name[i]].slice(0, 60),
                    left + 3,
                    group.y + group.strip / 2,
                    theme().onPhase,
                    { size: Math.min(group.strip, 11), widest: end - left - 5 },
                );
        }
    }
}

// True if messages can be told apart; otherwise only their number under way is drawn, below.
export const areMessagesApart = (model, view, layout) =>
    model.messages !== null && model.messages.countIn(view.from, view.to) <= messagesPerPixel * layout.plot.width;

export function drawMessages(pen, layout, view, model) {
    const { messages } = model,
        lines = [],
        colours = theme();
    const shown = messages.within(view.from, view.to);
    for (const i of shown) {
        const x = xOf(layout, view, messages.received[i]),
            y = yOfRow(layout, view, messages.to[i]);
        lines.push([xOf(layout, view, messages.sent[i]), yOfRow(layout, view, messages.from[i])], [x, y], null);
        if (shown.length <= 400) lines.push([x - 2, y - 2], [x + 2, y + 2], null, [x - 2, y + 2], [x + 2, y - 2], null);
    }
    pen.line(lines, colours.ink, 1, shown.length > 300 ? 0.45 : 0.75);
}

// How many messages are under way at each time, below the rows.
export function drawDensity(pen, layout, view, model) {
    const { plot, lane } = layout,
        colours = theme(),
        columns = Math.min(Math.round(plot.width), 700),
        points = [];
    const density = model.messages.density(view.from, view.to, columns),
        width = plot.width / columns;
    const most = density.reduce((a, b) => Math.max(a, b), 1);
    for (let c = 0; c < columns; c++) {
        const y = lane.y + lane.height * (1 - density[c] / most);
        points.push([plot.x + c * width, y], [plot.x + (c + 1) * width, y]);
    }
    pen.line(
        [
            [plot.x, lane.y + lane.height],
            [plot.x + plot.width, lane.y + lane.height],
        ],
        colours.line,
    );
    pen.line(points, colours.soft, 1);
    pen.text(plot.x < 80 ? t("msgs") : t("messages"), plot.x - 6, lane.y + lane.height / 2 - 6, colours.soft, {
        size: 11,
        align: "end",
    });
    pen.text(
        plot.x < 80 ? `\u2264 ${most}` : t`up to ${format(most, "count")}`,
        plot.x - 6,
        lane.y + lane.height / 2 + 7,
        colours.soft,
        { size: 10, align: "end" },
    );
}

// The path within each column of pixels where its segments are too short: the row and component with most of it, and
// how far up and down it goes.
function columnsOf(layout, view, path, first, end) {
    const strokes = path.names.map(() => []),
        joints = [],
        times = new Float64Array(path.names.length);
    let column = -Infinity,
        top,
        bottom,
        longest,
        y;
    const flush = () => {
        if (column === -Infinity) return;
        const x = layout.plot.x + column;
        strokes[times.indexOf(Math.max(...times))].push([x, y], [x + 1, y], null);
        if (bottom > top) joints.push([x + 0.5, top], [x + 0.5, bottom], null);
    };
    for (let i = first; i < end; i++) {
        const at = yOfRow(layout, view, path.location[i]),
            length = path.length[i];
        const here = Math.floor(xOf(layout, view, path.start[i]) - layout.plot.x),
            to = here + Math.floor(length * layout.perUnit);
        if (here !== column) {
            flush();
            [column, longest, top, bottom] = [here, -1, at, at];
            times.fill(0);
        }
        times[path.component[i]] += length;
        if (length > longest) [longest, y] = [length, at];
        [top, bottom] = [Math.min(top, at), Math.max(bottom, at)];
        if (to > here + 1) strokes[path.component[i]].push([layout.plot.x + here, at], [layout.plot.x + to, at], null);
    }
    flush();
    return { strokes, joints };
}

// Segment by segment, and the steps between rows.
function segmentsOf(layout, view, path, first, end) {
    const strokes = path.names.map(() => []),
        joints = [],
        { x: left, width } = layout.plot;
    let last = null;
    for (let i = first; i < end; i++) {
        const x = Math.max(xOf(layout, view, path.start[i]), left - 4),
            y = yOfRow(layout, view, path.location[i]);
        const until = Math.min(xOf(layout, view, path.start[i] + path.length[i]), left + width + 4);
        if (last !== null && last[1] !== y) joints.push(last, [x, y], null);
        strokes[path.component[i]].push([x, y], [Math.max(until, x + 0.5), y], null);
        last = [until, y];
    }
    return { strokes, joints };
}

function strokesOf(layout, view, path) {
    const [first, end] = segmentsIn(path, view.from, view.to);
    return (end - first > 2 * layout.plot.width ? columnsOf : segmentsOf)(layout, view, path, first, end);
}

export function drawPath(pen, layout, view, { path }, colours, hidden) {
    const { strokes, joints } = strokesOf(layout, view, path),
        ink = theme().ink,
        ground = theme().ground;
    const wide = Math.min(4, Math.max(2, (layout.groups[0]?.height ?? 4) / 3));
    const shown = strokes.filter((_, k) => !hidden.has(path.names[k])).flat();
    pen.line(joints, ground, wide + 1.5, 0.8);
    pen.line(shown, ground, wide + 3);
    pen.line(joints, ink, Math.max(wide - 2, 1.2));
    pen.line(shown, ink, wide + 1.5);
    strokes.forEach((points, k) => {
        if (points.length > 0 && !hidden.has(path.names[k])) pen.line(points, colours[k], wide);
    });
}
