// A table of colored cells. A line below says more of the one at which one points, or to which one moves by keys.
// SPDX-License-Identifier: BSD-3-Clause
import { element, isTouch } from "./dom.js";
import { inkOf } from "./heat.js";
import { unbroken } from "./numbers.js";
import { t } from "./texts/index.js";

const hint = isTouch
    ? t("Tap a cell to see more about it.")
    : t("Point at a cell, or move to it with the arrow keys, to see more about it.");
const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// Heads of columns, the same ones next to each other joined while those above them are joined, too.
function headRow(names, corner, above) {
    const starts = names.map((name, i) => i === 0 || above[i] || name !== names[i - 1]);
    const cells = names.flatMap((name, i) => {
        const next = starts.indexOf(true, i + 1),
            colspan = (next < 0 ? names.length : next) - i;
        return starts[i]
            ? [element("th", { scope: "col", colspan: colspan > 1 ? colspan : null }, unbroken(name))]
            : [];
    });
    return [element("tr", {}, element("th", { scope: "row" }, corner), cells), starts];
}

export class Cells {
    constructor() {
        const tell = ({ target }) => this.tell(target.closest("td"));
        this.said = element("p", { class: "about told", "aria-live": "polite" });
        this.table = element("table", {
            class: "cells",
            onpointerover: tell,
            onfocusin: tell,
            onkeydown: event => this.press(event),
        });
        this.parts = [element("div", { class: "scroll", tabindex: 0 }, this.table), this.said];
    }

    // heads: [{ corner, names }], from the top; rows: [{ name, cells }]. A cell is { shown, colour, isBest, told() },
    // where told() gives what the line says, or null. isKeyed: a key tells the colors; narrow windows show only them.
    draw({ heads, rows, isSmall = false, isKeyed = false }) {
        this.told = new Map();
        let above = [];
        const top = heads.map(({ corner, names }, i) => {
            const [row, starts] = headRow(names, corner, i === heads.length - 1 ? names.map(() => true) : above);
            above = starts;
            return row;
        });
        this.table.classList.toggle("small", isSmall);
        this.table.classList.toggle("keyed", isKeyed);
        this.table.replaceChildren(
            element("thead", {}, top),
            element(
                "tbody",
                {},
                rows.map(row => this.row(row)),
            ),
        );
        this.grid = [...this.table.tBodies[0].rows].map(row => [...row.querySelectorAll("td")]);
        this.table.querySelector("td[tabindex]")?.setAttribute("tabindex", 0);
        this.said.textContent = hint;
    }

    row({ name, cells }) {
        return element(
            "tr",
            {},
            element("th", { scope: "row" }, unbroken(name)),
            cells.map(cell => this.cell(cell)),
        );
    }

    cell(cell) {
        if (!cell) return element("td", { class: "none" });
        const style = cell.colour ? `background:${cell.colour};color:${inkOf(cell.colour)}` : null;
        const node = element("td", { class: cell.isBest ? "best" : null, style, tabindex: -1 }, cell.shown);
        this.told.set(node, cell.told);
        return node;
    }

    tell(node) {
        if (this.told.has(node)) this.said.replaceChildren(...this.told.get(node)());
    }

    // To the next cell of which there is something to say.
    press(event) {
        const step = steps[event.key];
        if (!step) return;
        event.preventDefault();
        let y = this.grid.findIndex(row => row.includes(event.target)),
            x = this.grid[y].indexOf(event.target);
        do [y, x] = [y + step[0], x + step[1]];
        while (this.grid[y]?.[x] && !this.told.has(this.grid[y][x]));
        const next = this.grid[y]?.[x];
        if (!next) return;
        event.target.setAttribute("tabindex", -1);
        next.setAttribute("tabindex", 0);
        next.focus();
    }
}
