// Describes what is under the pointer: a message, a segment of the path, or the state of the row.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../dom.js";
import { format, scaleOf } from "../numbers.js";
import { labelOf } from "../theme.js";
import { groupAt, timeAt, xOf, yOfRow } from "./geometry.js";
import { nameOfRow, segmentsIn } from "./model.js";
import { areMessagesApart } from "./overlay.js";
import { sharesOf } from "./paint.js";
import { shownName, singular } from "./view.js";
import { t } from "../texts/index.js";

// Times that lie close together need more digits than a length does.
export function moment(units, { unit_s, end }) {
    const [factor, name] = scaleOf("s", end * unit_s);
    return `${Number(((units * unit_s) / factor).toPrecision(12))} ${name}`;
}

const span = (from, length, model) => [
    [t("from"), moment(from, model)],
    [t("to"), moment(from + length, model)],
    [t("duration"), format(length * model.unit_s, "s")],
];

function distance([x1, y1], [x2, y2], x, y) {
    const dx = x2 - x1,
        dy = y2 - y1,
        along = Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1), 0), 1);
    return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

function messageAt(view, x, y) {
    const { model, layout } = view,
        { messages } = model;
    if (!view.layers.messages || !areMessagesApart(model, view, layout)) return null;
    let nearest = -1,
        least = 5;
    for (const i of messages.within(view.from, view.to)) {
        const far = distance(
            [xOf(layout, view, messages.sent[i]), yOfRow(layout, view, messages.from[i])],
            [xOf(layout, view, messages.received[i]), yOfRow(layout, view, messages.to[i])],
            x,
            y,
        );
        if (far < least) [nearest, least] = [i, far];
    }
    if (nearest < 0) return null;
    const i = nearest;
    return {
        title: t`message from ${nameOfRow(model.rows[messages.from[i]])} to ${nameOfRow(model.rows[messages.to[i]])}`,
        rows: [
            [t("length"), format(messages.bytes[i], "B")],
            [t("sent"), moment(messages.sent[i], model)],
            [t("received"), moment(messages.received[i], model)],
            [t("under way"), format((messages.received[i] - messages.sent[i]) * model.unit_s, "s")],
        ],
    };
}

function segmentAt(view, x, y) {
    const { model, layout } = view,
        time = timeAt(layout, view, x);
    if (!view.layers.path) return [];
    const { path } = model,
        [i] = segmentsIn(path, time, time);
    if (time > path.start[i] + path.length[i] || Math.abs(yOfRow(layout, view, path.location[i]) - y) > 5) return [];
    return [[t("critical path"), labelOf(path.names[path.component[i]])]];
}

// The piece of a single row at that time, if it is at least a pixel wide.
function pieceAt(view, group, time) {
    const { model, main, layout } = view,
        track = model[main];
    const i = group.end - group.first === 1 ? track.at(group.first, time) : -1;
    if (i < 0 || track.length[i] * layout.perUnit < 1) return null;
    const phase = model.phases.at(group.first, time);
    return [
        [singular[main], shownName[main](track.names[track.name[i]])],
        ...(phase >= 0 && model.phases.names.length > 1
            ? [[t("phase"), model.phases.names[model.phases.name[phase]]]]
            : []),
        ...span(track.start[i], track.length[i], model),
    ];
}

function sharesAt(view, group, time) {
    const half = 1 / view.layout.perUnit,
        track = view.model[view.main];
    const shares = sharesOf(track, group.first, group.end, time - half, time + half, 1),
        whole = 2 * half * (group.end - group.first);
    return [
        [t("near"), moment(Math.round(time), view.model)],
        ...track.names
            .map((name, k) => [name, shares[k] / whole])
            .filter(([, share]) => share > 0.0005)
            .map(([name, share]) => [shownName[view.main](name), format(share, "share")]),
    ];
}

function phaseAt(view, group, time, y) {
    const { phases } = view.model,
        i = group.end - group.first === 1 ? phases.at(group.first, time) : -1;
    if (!view.layers.phases || y >= group.y + group.strip || i < 0) return null;
    return [[t("phase"), phases.names[phases.name[i]]], ...span(phases.start[i], phases.length[i], view.model)];
}

function found(view, x, y) {
    const group = groupAt(view.layout, y),
        time = timeAt(view.layout, view, x);
    if (x < view.layout.plot.x || group === null || time > view.to) return null;
    const rows = phaseAt(view, group, time, y) ?? pieceAt(view, group, time) ?? sharesAt(view, group, time);
    return { title: group.name, rows: [...rows, ...segmentAt(view, x, y)] };
}

export function makeTip() {
    const box = element("div", { class: "tip", role: "tooltip", hidden: true });
    return {
        box,
        hide() {
            box.hidden = true;
        },
        show(view, { offsetX: x, offsetY: y, buttons }) {
            const its = buttons ? null : (messageAt(view, x, y) ?? found(view, x, y));
            box.hidden = its === null;
            if (its === null) return;
            box.replaceChildren(
                element("strong", {}, its.title),
                element(
                    "dl",
                    {},
                    its.rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
                ),
            );
            const wide = box.offsetWidth,
                room = view.layout.width;
            box.style.left = `${Math.max(0, x + 16 + wide > room ? x - wide - 12 : x + 16)}px`;
            box.style.top = `${y + 14}px`;
        },
    };
}
