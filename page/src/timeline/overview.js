// The strip below the timeline: all of the run, all rows together, with the window that is shown. It is moved by
// dragging.
// SPDX-License-Identifier: BSD-3-Clause
import { onTheme, theme } from "../theme.js";
import { paintStrip, pixelsOf, sharesOf } from "./paint.js";
import { coloursOf } from "./view.js";

const height = 26;

export class Overview {
    constructor(canvas, view) {
        Object.assign(this, { canvas, view, image: null });
        onTheme(() => {
            this.image = null;
            this.draw();
        });
        canvas.addEventListener("pointerdown", event => this.grab(event));
        canvas.addEventListener("pointermove", event => {
            if (event.buttons & 1) this.drag(event);
        });
    }

    // Colors, or what is hidden, have changed.
    reset() {
        this.image = null;
    }

    timeOf({ offsetX }) {
        return (offsetX / this.canvas.clientWidth) * this.view.model.end;
    }

    // Beside the window: it comes to there.
    grab(event) {
        const { view } = this,
            time = this.timeOf(event),
            half = (view.to - view.from) / 2;
        this.canvas.setPointerCapture(event.pointerId);
        this.held = time >= view.from && time <= view.to ? time - view.from : half;
        this.drag(event);
    }

    drag(event) {
        const { view } = this,
            from = this.timeOf(event) - this.held;
        if (!view.isWhole) view.show(from, from + view.to - view.from);
    }

    paint(columns) {
        const { model, main, hidden } = this.view,
            track = model[main],
            image = new ImageData(columns, height);
        const shares = sharesOf(track, 0, model.rows.length, 0, model.end, columns);
        paintStrip(
            new Uint32Array(image.data.buffer),
            columns,
            0,
            height,
            shares,
            pixelsOf(track.names, coloursOf[main](track.names), hidden[main]),
            (model.end / columns) * model.rows.length,
        );
        return image;
    }

    // As wide as the plot above it, and below that.
    draw() {
        const { canvas, view } = this,
            { plot } = view.layout ?? {};
        if (view.model === null || !plot) return;
        const columns = Math.round(plot.width);
        Object.assign(canvas.style, { marginLeft: `${plot.x}px`, width: `${columns}px` });
        if (this.image === null || this.image.width !== columns) this.image = this.paint(columns);
        if (canvas.width !== columns || canvas.height !== height) Object.assign(canvas, { width: columns, height });
        const context = canvas.getContext("2d"),
            x = time => (time / view.model.end) * columns;
        context.putImageData(this.image, 0, 0);
        if (view.isWhole) return;
        context.fillStyle = theme().ground;
        context.globalAlpha = 0.65;
        context.fillRect(0, 0, x(view.from), height);
        context.fillRect(x(view.to), 0, columns, height);
        context.globalAlpha = 1;
        context.strokeStyle = theme().ink;
        context.lineWidth = 2;
        context.strokeRect(x(view.from), 1, Math.max(x(view.to) - x(view.from), 2), height - 2);
    }
}
