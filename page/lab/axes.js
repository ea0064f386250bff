// Axes on which a reader draws a curve, by pointer or keys, and over which the result is laid.
// SPDX-License-Identifier: BSD-3-Clause
import { element, svgElement } from "../src/dom.js";
import { t } from "../src/texts/index.js";

const box = { width: 480, height: 260, left: 56, right: 16, top: 12, bottom: 40 };
const inner = { width: box.width - box.left - box.right, height: box.height - box.top - box.bottom };

const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

// A step of 1, 2 or 5 times a power of ten, at most so many of them in the range.
function niceStep(range, most) {
    const power = 10 ** Math.floor(Math.log10(range / most));
    return [1, 2, 5, 10].map(k => k * power).find(step => range / step <= most);
}

export class Axes {
    // curve: { measure, parameter, from, to, places } of spec.js; values: drawn before, or none; onchange(values) when
    // one is drawn.
    constructor({ curve, values = [], onchange = () => {} }) {
        const { measure, parameter } = curve,
            label = t`your curve of ${measure} over ${parameter}: left and right choose a place, up and down draw`;
        Object.assign(this, { curve, onchange, to: curve.to, result: null, at: 0 });
        this.values = curve.places.map((_, i) => (Number.isFinite(values[i]) ? values[i] : null));
        this.said = element("p", { class: "status", "aria-live": "polite" });
        this.svg = svgElement("svg", {
            viewBox: `0 0 ${box.width} ${box.height}`,
            class: "axes",
            tabindex: 0,
            role: "slider",
            "aria-label": label,
            onpointerdown: event => this.press(event),
            onpointermove: event => event.buttons > 0 && this.drag(event),
            onkeydown: event => this.type(event),
        });
        this.root = element("div", {}, this.svg, this.said);
        this.draw();
    }

    x(i) {
        return box.left + (inner.width * (i + 0.5)) / this.values.length;
    }

    y(value) {
        const { from } = this.curve;
        return box.top + inner.height * (1 - (value - from) / (this.to - from));
    }

    // Where a pointer is: the nearest place, and the value there.
    placeOf({ clientX, clientY }) {
        const { left, top, width } = this.svg.getBoundingClientRect(),
            scale = box.width / width,
            { from } = this.curve;
        const i = Math.floor((((clientX - left) * scale - box.left) / inner.width) * this.values.length),
            part = 1 - ((clientY - top) * scale - box.top) / inner.height;
        return [clamp(i, 0, this.values.length - 1), from + clamp(part, 0, 1) * (this.to - from)];
    }

    press(event) {
        if (this.result) return;
        event.preventDefault();
        this.svg.focus();
        this.svg.setPointerCapture(event.pointerId);
        this.last = null;
        this.drag(event);
    }

    // Places that a fast pointer leaps over lie on the line between.
    drag(event) {
        if (this.result) return;
        const [i, value] = this.placeOf(event),
            [before, old] = this.last ?? [i, value];
        for (let k = Math.min(i, before); k <= Math.max(i, before); k++)
            this.values[k] = i === before ? value : old + ((value - old) * (k - before)) / (i - before);
        this.last = [i, value];
        this.at = i;
        this.changed();
    }

    type(event) {
        const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0,
            up = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key] ?? 0;
        if (this.result || (across === 0 && up === 0)) return;
        event.preventDefault();
        const { from } = this.curve,
            step = (this.to - from) / 40;
        const start = this.values[this.at] ?? from;
        this.at = clamp(this.at + across, 0, this.values.length - 1);
        const here = this.values[this.at] ?? start;
        this.values[this.at] = clamp(here + up * step, from, this.to);
        this.changed();
    }

    changed() {
        this.draw();
        this.onchange(this.values);
    }

    get isDrawn() {
        return this.values.every(value => value !== null);
    }

    // The measure at each place, over which the reader's curve stays.
    lay(result) {
        this.result = result;
        this.to = Math.max(this.to, ...result);
        this.draw();
    }

    pathOf(values) {
        return values
            .map((value, i) =>
                value === null ? "" : `${(values[i - 1] ?? null) === null ? "M" : "L"}${this.x(i)} ${this.y(value)}`,
            )
            .join("");
    }

    lineOf(values, name) {
        return [
            svgElement("path", { class: name, d: this.pathOf(values) }),
            ...values.flatMap((value, i) =>
                value === null ? [] : svgElement("circle", { class: name, cx: this.x(i), cy: this.y(value), r: 3.5 }),
            ),
        ];
    }

    grid() {
        const { from, parameter, places } = this.curve,
            step = niceStep(this.to - from, 6),
            first = Math.ceil(from / step);
        const levels = Array.from({ length: Math.floor(this.to / step) - first + 1 }, (_, k) => (first + k) * step);
        const text = (x, y, anchor, words) => svgElement("text", { x, y, "text-anchor": anchor }, words);
        return [
            ...levels.flatMap(level => [
                svgElement("path", { class: "grid", d: `M${box.left} ${this.y(level)}h${inner.width}` }),
                text(box.left - 6, this.y(level) + 4, "end", String(Number(level.toPrecision(6)))),
            ]),
            ...places.map((place, i) => text(this.x(i), box.height - 22, "middle", place)),
            text(box.left + inner.width / 2, box.height - 5, "middle", parameter),
        ];
    }

    draw() {
        const { places, parameter, from } = this.curve,
            value = this.values[this.at];
        this.svg.replaceChildren(
            ...this.grid(),
            ...this.lineOf(this.values, "guess"),
            ...(this.result ? this.lineOf(this.result, "result") : []),
        );
        const words =
            `${parameter} ${places[this.at]}: ` +
            (value === null ? t("nothing drawn yet") : `${Number(value.toPrecision(3))}`);
        for (const [name, text] of Object.entries({
            valuemin: from,
            valuemax: this.to,
            valuenow: value ?? from,
            valuetext: words,
        }))
            this.svg.setAttribute(`aria-${name}`, text);
        this.said.textContent = words;
    }
}
