// A tree of bars that opens and closes: by its buttons, or by keys: right opens, left closes, up and down move.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "./bars.js";
import { element } from "./dom.js";

const closed = "\u25b8",
    open = "\u25be";

// A row is as drawBars() takes it, with a key of its own. below() makes the rows below it; without it there are none.
export class Tree {
    constructor(redraw) {
        this.opened = new Set();
        this.redraw = redraw;
        this.box = element("div", { onkeydown: event => this.press(event) });
    }

    nameOf({ key, name, below }) {
        if (!below) return element("span", { class: "leaf" }, name);
        const isOpen = this.opened.has(key);
        return element(
            "button",
            {
                type: "button",
                class: "plain",
                "data-key": key,
                "aria-expanded": String(isOpen),
                onclick: () => this.flip(key),
            },
            `${isOpen ? open : closed} `,
            name,
        );
    }

    // All rows that are shown, from top to bottom.
    rowsOf(rows, depth = 0) {
        return rows.flatMap(row => [
            { ...row, depth, name: this.nameOf(row) },
            ...(row.below && this.opened.has(row.key) ? this.rowsOf(row.below(), depth + 1) : []),
        ]);
    }

    // optionsOf(rows) says the rest that drawBars() asks for, of the rows that are shown; it may change them.
    draw(tops, optionsOf) {
        const focused = this.box.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
        const rows = this.rowsOf(tops);
        drawBars(this.box, { rows, ...optionsOf(rows) });
        if (focused)
            this.buttons()
                .find(({ dataset }) => dataset.key === focused)
                ?.focus({ preventScroll: true });
    }

    buttons() {
        return [...this.box.querySelectorAll("button[data-key]")];
    }

    flip(key) {
        if (!this.opened.delete(key)) this.opened.add(key);
        this.redraw();
    }

    press(event) {
        const { key } = event.target.dataset,
            buttons = this.buttons(),
            step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!key || !event.key.startsWith("Arrow")) return;
        event.preventDefault();
        if (step) buttons[buttons.indexOf(event.target) + step]?.focus();
        else if (this.opened.has(key) === (event.key === "ArrowLeft")) this.flip(key);
    }
}
