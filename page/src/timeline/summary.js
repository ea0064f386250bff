// Sums over the window that is shown: time by state and by phase, of all rows and of each; messages and bytes.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { nameOfRow, numberOfRow, sumOf } from "./model.js";
import { coloursOf, shownName, singular } from "./view.js";
import { t } from "../texts/index.js";

const mostRows = 512;

function bars(names, colours, sums) {
    const all = sums.reduce((a, b) => a + b, 0) || 1;
    return element(
        "div",
        { class: "strip", "aria-hidden": "true" },
        names.map((_, k) => element("span", { style: `width:${(sums[k] / all) * 100}%;background:${colours[k]}` })),
    );
}

function tableOf(title, kind, names, sums, unit_s, whole) {
    const colours = coloursOf[kind](names);
    const order = names
        .map((_, k) => k)
        .filter(k => sums[k] > 0)
        .sort((a, b) => sums[b] - sums[a])
        .slice(0, 12);
    return element(
        "table",
        { class: "sums" },
        element("caption", {}, title),
        element(
            "tbody",
            {},
            order.map(k =>
                element(
                    "tr",
                    {},
                    element(
                        "th",
                        { scope: "row" },
                        element("span", { class: "dot", style: `background:${colours[k]}` }),
                        shownName[kind](names[k]),
                    ),
                    element("td", { class: "number" }, format(sums[k] * unit_s, "s")),
                    element("td", { class: "number" }, format(sums[k] / whole, "share")),
                ),
            ),
        ),
    );
}

// Rows as bars, most of the rows' own height; the title tells the figures.
function perRow(view, kind) {
    const { model, from, to } = view,
        track = model[kind],
        colours = coloursOf[kind](track.names);
    const each = Math.ceil(model.rows.length / mostRows);
    return element(
        "div",
        { class: "perrow" },
        model.rows.map((row, r) => {
            if (r % each !== 0) return null;
            const sums = sumOf(track, from, to, r, r + 1);
            return element(
                "div",
                { class: "row" },
                element("span", { class: "name" }, numberOfRow(row)),
                bars(track.names, colours, sums),
            );
        }),
    );
}

export function drawSummary(box, view) {
    const { model, main, from, to } = view,
        n = model.rows.length,
        whole = (to - from) * locationsOf(model);
    const mains = sumOf(model[main], from, to, 0, n),
        phases = sumOf(model.phases, from, to, 0, n);
    const totals = model.messages?.totals(from, to);
    const isOpen = box.querySelector("details")?.open ?? false;
    const rows = element(
        "details",
        { open: isOpen, ontoggle: () => fillRows() },
        element("summary", {}, t("row by row")),
    );
    const fillRows = () => {
        if (rows.open && rows.children.length === 1) rows.append(perRow(view, main));
    };
    box.replaceChildren(
        ...[
            element(
                "p",
                {},
                element("strong", {}, view.isWhole ? t("The whole run") : t("The window")),
                ": ",
                format((to - from) * model.unit_s, "s"),
                view.isWhole ? "" : t` from ${format(from * model.unit_s, "s")} to ${format(to * model.unit_s, "s")}`,
                totals
                    ? t`; ${format(totals.messages, "count")} messages are sent, with ${format(totals.bytes, "B")}`
                    : "",
            ),
            tableOf(singular[main], main, model[main].names, mains, model.unit_s, whole),
            model.phases.names.length > 1
                ? tableOf(t("phase"), "phases", model.phases.names, phases, model.unit_s, whole)
                : null,
            rows,
        ].filter(Boolean),
    );
    fillRows();
}

const locationsOf = ({ rows }) => rows.reduce((sum, row) => sum + row.end - row.first, 0);

// The rows for CSV: of each row of the timeline, the time in each state and phase in the window.
export function csvOfWindow(view) {
    const { model, from, to } = view,
        s = units => units * model.unit_s;
    const kinds = ["states", "categories", "operations", "phases"].filter(kind => model[kind]);
    return [
        ["row", "from_s", "to_s", ...kinds.flatMap(kind => model[kind].names.map(name => `${name}_s`))],
        ...model.rows.map((row, r) => [
            nameOfRow(row),
            s(from),
            s(to),
            ...kinds.flatMap(kind => [...sumOf(model[kind], from, to, r, r + 1)].map(s)),
        ]),
    ];
}
