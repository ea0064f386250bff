// The timeline on its canvas: what is shown of it, drawn anew on the next frame after anything changes.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../dom.js";
import { categoryName, operationName } from "../shared_memory.js";
import { colourOf, labelOf, onTheme, phaseColour, theme } from "../theme.js";
import { heightOf, layOut } from "./geometry.js";
import { areMessagesApart, drawAxis, drawDensity, drawMessages, drawNames, drawPath, drawPhases } from "./overlay.js";
import { paintRows, pixelsOf } from "./paint.js";
import { canvasPen, svgPen } from "./pen.js";
import { drawPieces } from "./pieces.js";
import { t } from "../texts/index.js";

const mostHeight = 620,
    leastWindow = 4; // units of time
const keyHeight = 56;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export const coloursOf = {
    states: names => names.map((name, k) => colourOf(name, k)),
    categories: names => names.map((name, k) => colourOf(name, k)),
    operations: names => names.map(name => colourOf(`operation.${name}`)),
    phases: names => names.map((_, k) => phaseColour(k)),
    path: names => names.map((name, k) => colourOf(name, k)),
};

// Names, for readers, of the kinds that are drawn; phases and states have names of their own.
export const singular = { states: t("state"), categories: t("category"), operations: t("operation") };
const same = name => name;
export const shownName = {
    states: labelOf,
    categories: categoryName,
    operations: operationName,
    phases: same,
    path: labelOf,
};

// Choices of the reader; they stay when another run, or in the laboratory another answer, is shown.
const chosen = {
    main: "",
    hidden: Object.fromEntries(Object.keys(coloursOf).map(kind => [kind, new Set()])),
    layers: { phases: true, messages: true, path: true },
};

// The key of the colors in a saved picture: below it, as far as there is room.
function drawKey(pen, layout, entries) {
    let x = layout.plot.x,
        y = layout.height + 10;
    for (const [name, colour] of entries) {
        const shown = name.slice(0, 30),
            wide = 24 + shown.length * 6.5;
        if (x + wide > layout.width) [x, y] = [layout.plot.x, y + 18];
        if (y > layout.height + keyHeight) return;
        pen.box(x, y - 5, 11, 11, colour);
        pen.text(shown, x + 15, y + 1, theme().ink, { size: 11 });
        x += wide;
    }
}

export class View {
    // changed(): the window is another one; drawn(): a frame has been drawn.
    constructor(canvas, changed, drawn) {
        Object.assign(this, {
            canvas,
            changed,
            drawn,
            model: null,
            hidden: {},
            layers: {},
            selection: null,
            isWanted: false,
        });
        new ResizeObserver(() => this.want()).observe(canvas.parentElement);
        onTheme(() => {
            if (this.model) this.draw();
        }); // at once: paper does not wait for a frame
    }

    // Show another timeline, all of it.
    open(model) {
        this.model = model;
        this.main = model[chosen.main] ? chosen.main : model.categories ? "categories" : "states";
        this.hidden = chosen.hidden;
        this.layers = {
            ...chosen.layers,
            messages: chosen.layers.messages && model.messages !== null,
            path: chosen.layers.path && model.path !== null,
        };
        this.whole();
    }

    // Colors say of what kind the pieces are, if the timeline knows that.
    colourBy(kind) {
        if (this.model[kind]) this.main = chosen.main = kind;
    }

    flipLayer(name) {
        this.layers[name] = chosen.layers[name] = !this.layers[name];
    }

    get isWhole() {
        return this.from <= 0 && this.to >= this.model.end;
    }

    whole() {
        Object.assign(this, { firstRow: 0, endRow: this.model.rows.length });
        this.show(0, this.model.end);
    }

    // Show that window of time, as far as it lies in the run.
    show(from, to) {
        const length = clamp(to - from, Math.min(leastWindow, this.model.end), this.model.end);
        this.from = clamp(from, 0, this.model.end - length);
        this.to = this.from + length;
        this.changed();
        this.want();
    }

    zoom(factor, time) {
        const around = clamp(time ?? (this.from + this.to) / 2, this.from, this.to);
        this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
    }

    pan(part) {
        const by = (this.to - this.from) * part;
        this.show(this.from + by, this.to + by);
    }

    showRows(first, end) {
        const all = this.model.rows.length,
            count = clamp(end - first, Math.min(4, all), all);
        this.firstRow = clamp(first, 0, all - count);
        this.endRow = this.firstRow + count;
        this.want();
    }

    // A frame is wanted: several wishes make one.
    want() {
        if (this.isWanted || this.model === null) return;
        this.isWanted = true;
        requestAnimationFrame(() => {
            this.isWanted = false;
            this.draw();
        });
    }

    tracks() {
        const { model, main, hidden, layers } = this;
        const of = kind => ({
            track: model[kind],
            hidden: hidden[kind],
            named: coloursOf[kind](model[kind].names),
            colours: pixelsOf(model[kind].names, coloursOf[kind](model[kind].names), hidden[kind]),
        });
        return { main: of(main), phases: layers.phases ? of("phases") : null };
    }

    draw() {
        const { canvas, model } = this,
            width = canvas.parentElement.clientWidth,
            height = heightOf(model, mostHeight);
        if (width === 0) return;
        const scale = Math.min(devicePixelRatio || 1, 2),
            w = Math.round(width * scale),
            h = Math.round(height * scale);
        if (canvas.width !== w || canvas.height !== h) {
            Object.assign(canvas, { width: w, height: h });
            canvas.style.height = height + "px";
        }
        const context = canvas.getContext("2d"),
            layout = (this.layout = layOut(model, this, width, height));
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, w, h);
        context.putImageData(
            paintRows(layout, this, this.tracks(), scale),
            Math.round(layout.plot.x * scale),
            Math.round(layout.plot.y * scale),
        );
        context.setTransform(scale, 0, 0, scale, 0, 0);
        this.drawOver(canvasPen(context));
        this.drawn();
    }

    drawOver(pen) {
        const { layout, model, layers, hidden, selection } = this;
        drawAxis(pen, layout, this, model);
        drawNames(pen, layout);
        pen.clip(layout.plot, () => {
            if (layers.phases) drawPhases(pen, layout, this, model.phases, hidden.phases);
            if (layers.messages && areMessagesApart(model, this, layout)) drawMessages(pen, layout, this, model);
            if (layers.path) drawPath(pen, layout, this, model, coloursOf.path(model.path.names), hidden.path);
            if (selection)
                pen.box(
                    selection[0],
                    layout.plot.y,
                    selection[1] - selection[0],
                    layout.plot.height,
                    theme().accent,
                    0.25,
                );
        });
        if (model.messages) drawDensity(pen, layout, this, model);
    }

    // The visible part as SVG: rows as boxes if they are few, else as an image; everything over them as lines and text.
    svg() {
        if (!this.layout) this.draw(); // the first frame may be still to come
        const { layout, model, main, hidden, layers } = this,
            tracks = this.tracks();
        const pen = svgPen(layout.width, layout.height + keyHeight, theme().ground);
        if (!drawPieces(pen, layout, this, tracks)) {
            const image = paintRows(layout, this, tracks, 2),
                { x, y, width, height } = layout.plot;
            const canvas = element("canvas", { width: image.width, height: image.height });
            canvas.getContext("2d").putImageData(image, 0, 0);
            pen.image(canvas.toDataURL("image/png"), x, y, width, height);
        }
        this.drawOver(pen);
        const kinds = [main, ...(layers.phases ? ["phases"] : []), ...(layers.path ? ["path"] : [])];
        drawKey(
            pen,
            layout,
            kinds.flatMap(kind =>
                model[kind].names
                    .map((name, k) => [name, coloursOf[kind](model[kind].names)[k]])
                    .filter(([name], k) => this.usedNames[kind][k] && !hidden[kind].has(name)),
            ),
        );
        return pen.svg();
    }
}
