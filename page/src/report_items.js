// The text report, item by item: every answer is on the page, even if no panel knows of it.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "./dom.js";
import { term } from "./glossary.js";
import { format } from "./numbers.js";
import { say } from "./said.js";
import { t } from "./texts/index.js";

const isNumeric = column => column.unit !== "text";
// Names of parameters and of what they choose stay as they are; so do names in the cells of other columns.
const headOf = ({ head, key, parameter }) => (parameter ? head : say(key && head === "to" ? "to whom" : head));
const haveWords = new Set([
    ...["largest part", "largest overhead", "wait state", "without", "in", "by", "part", "verdict", "supported"],
    ...["mostly", "copy", "for", "run", "component"],
]);

function cell(value, column) {
    const shown =
        value === null
            ? ""
            : typeof value === "boolean"
              ? value
                  ? t("yes")
                  : t("no")
              : typeof value === "number"
                ? format(value, column.unit)
                : haveWords.has(column.head) && !column.parameter
                  ? say(value)
                  : value;
    return element("td", { class: isNumeric(column) ? "number" : null }, shown);
}

export function drawTable(table) {
    return element(
        "div",
        { class: "scroll", tabindex: 0 },
        element(
            "table",
            { id: "table-" + table.id },
            element(
                "thead",
                {},
                element(
                    "tr",
                    {},
                    table.columns.map(column =>
                        element(
                            "th",
                            { scope: "col", class: isNumeric(column) ? "number" : null },
                            term(column.head, headOf(column)),
                        ),
                    ),
                ),
            ),
            element(
                "tbody",
                {},
                table.rows.map(row =>
                    element(
                        "tr",
                        {},
                        row.map((value, i) => cell(value, table.columns[i])),
                    ),
                ),
            ),
        ),
    );
}

function drawItem(item) {
    switch (item.kind) {
        case "heading":
            return [element("h3", {}, say(item.text))];
        case "sentence":
            return [element("p", {}, say(item.text))];
        case "note":
            return [element("p", { class: "note" }, say(item.text))];
        default:
            return [item.title ? element("h4", {}, say(item.title)) : null, drawTable(item)];
    }
}

// Long, so that it is opened when it is asked for, unless it is all that there is; on paper it is left out while
// closed.
export function drawReportItems(said, open) {
    return element(
        "details",
        { id: "report", class: "panel wide", open },
        element("summary", {}, element("h2", {}, t("Report"))),
        said.items.flatMap(drawItem),
    );
}
