// The frame that every panel has: a title, terms that explain themselves, controls, and "save as SVG" and "save as
// CSV".
// SPDX-License-Identifier: BSD-3-Clause
import { drawChart } from "./charts.js";
import { element, save } from "./dom.js";
import { termsOf } from "./glossary.js";
import { t } from "./texts/index.js";

const quote = value => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csvOf = rows => rows.map(row => row.map(quote).join(",") + "\n").join("");

// A drawing made of HTML as a picture: its elements with the styles of the page.
function svgOfElements(box) {
    const { width, height } = box.getBoundingClientRect(),
        copy = box.cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/1999/xhtml");
    const style = [...document.querySelectorAll("style")].map(node => node.textContent).join("\n");
    const { backgroundColor: ground, color: ink } = getComputedStyle(document.body);
    return (
        `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${Math.ceil(height)}">` +
        `<foreignObject width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" data-theme="` +
        `${document.documentElement.dataset.theme}" style="background:${ground};color:${ink}"><style>` +
        style.replaceAll("&", "&amp;").replaceAll("<", "&lt;") +
        "</style>" +
        new XMLSerializer().serializeToString(copy) +
        "</div></foreignObject></svg>"
    );
}

function offerIn(box, label, onchange) {
    let offered = [];
    const list = element("select", { onchange: () => onchange(offered[list.selectedIndex].value) }),
        whole = element("label", {}, label + " ", list);
    box.append(whole);
    return (choices, chosen) => {
        offered = choices;
        whole.hidden = choices.length < 2;
        list.replaceChildren(
            ...choices.map(({ name, value }) => element("option", { selected: value === chosen }, name)),
        );
    };
}

const mostRows = 200;

const isWritten = value => value !== "" && value !== null && value !== undefined;
function shortOf(value) {
    if (typeof value !== "number" || Number.isInteger(value)) return String(value ?? "");
    const rounded = Number(value.toPrecision(6));
    return Math.abs(rounded) < 1e-3 ? rounded.toExponential() : String(rounded);
}

// Columns that have one value in all rows are named above the table: { rows, said }.
function withoutConstants([head, ...all]) {
    const isConstant = head.map((_, k) => all.length > 1 && all.every(row => row[k] === all[0][k]));
    if (isConstant.every(Boolean)) return { rows: [head, ...all], said: "" };
    const said = head.map((name, k) => (isConstant[k] && isWritten(all[0][k]) ? `${name}: ${shortOf(all[0][k])}` : ""));
    return {
        rows: [head, ...all].map(row => head.map((_, k) => row[k]).filter((_, k) => !isConstant[k])),
        said: said.filter(Boolean).join(", "),
    };
}

// The rows that "save as CSV" writes, as a table; numbers that are not whole in six digits.
function tableOf(written, title) {
    const { rows, said } = withoutConstants(written),
        [head, ...all] = rows,
        cell = value => element("td", { class: typeof value === "number" ? "number" : null }, shortOf(value));
    return [
        element(
            "table",
            { "aria-label": title, class: "rows-of-csv" },
            said && element("caption", {}, said),
            element(
                "thead",
                {},
                element(
                    "tr",
                    {},
                    head.map(name => element("th", { scope: "col" }, String(name))),
                ),
            ),
            element(
                "tbody",
                {},
                all.slice(0, mostRows).map(row => element("tr", {}, row.map(cell))),
            ),
        ),
        ...(all.length > mostRows ? [element("p", {}, t`${all.length - mostRows} more rows: save as CSV.`)] : []),
    ];
}

// A panel: { id, title, about, terms, wide }. What draws it uses the frame's chart(), csv(), control() and body. Of a
// frame that is not shown, `charts` gets what the charts would be; another that is shown draws them pale: `before`.
export function makeFrame({ id, title, about, terms = [], wide = false }, { charts = null, before = [] } = {}) {
    let n_charts = 0;
    const body = element("div", { class: "body" }),
        controls = element("div", { class: "controls" });
    let rows = null,
        picture = () => svgOfElements(body);
    const name = ending => `${id}.${ending}`;
    const buttons = element(
        "div",
        { class: "buttons" },
        element(
            "button",
            {
                type: "button",
                class: "save-svg",
                title: t("save as SVG"),
                onclick: () => save(name("svg"), "image/svg+xml", picture()),
            },
            "SVG",
        ),
        element(
            "button",
            {
                type: "button",
                class: "save-csv",
                title: t("save as CSV"),
                onclick: () => save(name("csv"), "text/csv", csvOf(rows())),
            },
            "CSV",
        ),
    );
    const table = element("div", {
        class: "scroll",
        tabindex: 0,
        role: "region",
        "aria-label": t`${title}, as a table`,
        hidden: true,
    });
    const flip = ({ currentTarget }) => {
        table.hidden = !table.hidden;
        currentTarget.setAttribute("aria-expanded", String(!table.hidden));
        table.replaceChildren(...(table.hidden ? [] : tableOf(rows(), title)));
    };
    buttons.prepend(
        element("button", { type: "button", class: "show-table", "aria-expanded": "false", onclick: flip }, t("Table")),
    );
    const root = element(
        "section",
        { id, class: wide ? "panel wide" : "panel", "aria-labelledby": id + "-title" },
        element("header", {}, element("h2", { id: id + "-title" }, title), buttons),
        about ? element("p", { class: "about" }, about) : null,
        controls,
        body,
        table,
        termsOf(terms),
    );
    root.csv = () => csvOf(rows());
    root.svg = () => picture();
    return {
        root,
        body,
        controls,
        // The rows behind the picture, the names first; asked for when they are saved.
        csv(make) {
            rows = make;
        },
        picture(make) {
            picture = make;
        },
        // The panel's picture is the chart, unless it is but a part of it.
        chart(makeOption, { height = 320, into = body, isPart = false } = {}) {
            if (charts) return charts.push(makeOption) && { draw() {}, svg: () => "" };
            const box = element("div", { class: "chart", style: `height:${height}px` }),
                legend = element("div", { class: "legend" });
            into.append(legend, box);
            const chart = drawChart(box, makeOption, legend, title, before[n_charts++]);
            if (!isPart) picture = chart.svg;
            return chart;
        },
        // A choice between named things; calls back with the chosen one. None is shown where there is nothing to
        // choose.
        choose(label, choices, chosen, onchange, into = controls) {
            if (choices.length > 1) offerIn(into, label, onchange)(choices, chosen);
        },
        // The same of things that change: what is given back is called with them, and with the chosen one.
        offer: (label, onchange) => offerIn(controls, label, onchange),
    };
}
