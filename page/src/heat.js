// A heat map of many cells, on a canvas: from 256 rows and columns on a chart of elements would be slow.
// SPDX-License-Identifier: BSD-3-Clause
import { element, svgElement } from "./dom.js";
import { format } from "./numbers.js";
import { theme } from "./theme.js";

const channels = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));

// The color at a part of the way from one color to another.
export function blend(from, to, part) {
    const [a, b] = [channels(from), channels(to)];
    return `rgb(${a.map((value, i) => Math.round(value + (b[i] - value) * part)).join(",")})`;
}

// The color of a part from 0 to 1 of the scale.
export function heatColour(part) {
    const { map } = theme(),
        at = Math.min(Math.max(part, 0), 1) * (map.length - 1),
        k = Math.min(Math.floor(at), map.length - 2);
    return blend(map[k], map[k + 1], at - k);
}

// How bright a color is to the eye, from 0 to 1.
function luminanceOf(colour) {
    const parts = colour.startsWith("#") ? channels(colour) : colour.match(/\d+/g).map(Number);
    const [r, g, b] = parts.map(part => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The color of text on a color: black or white, whichever differs more.
export const inkOf = colour => (luminanceOf(colour) > 0.179 ? "#000000" : "#ffffff");

// A logarithmic scale of values above 0, of which the least is not quite without color.
export function logScale(values) {
    let least = Infinity,
        most = 0;
    for (const value of values) {
        if (value > 0) least = Math.min(least, value);
        most = Math.max(most, value);
    }
    const wide = Math.log(most / least) || 1;
    return {
        least,
        most,
        partOf: value => (value > 0 ? 0.15 + 0.85 * (most > least ? Math.log(value / least) / wide : 1) : 0),
    };
}

// The key of the colors: from the least to the largest value, with the text about values above it.
export function heatKey(scale, unit, above = "") {
    const stops = Array.from({ length: 8 }, (_, k) => heatColour(0.15 + (0.85 * k) / 7));
    return scale.most > 0
        ? element(
              "p",
              { class: "heatkey" },
              element("span", {}, format(scale.least, unit)),
              element("span", { class: "ramp", style: `background:linear-gradient(90deg,${stops.join(",")})` }),
              element("span", {}, format(scale.most, unit)),
              above && element("span", {}, above),
          )
        : null;
}

const room = { left: 44, top: 24, right: 6, bottom: 6 };

// cells: [{ x, y, value }] on a square of n places; nameOf(place) is what its axis says.
export class HeatMap {
    constructor(pointed) {
        this.canvas = element("canvas", { class: "heat", role: "img" });
        this.canvas.addEventListener("pointermove", event => pointed(this.placeAt(event), event));
        this.canvas.addEventListener("pointerleave", event => pointed(null, event));
    }

    get size() {
        return Math.min(this.canvas.parentElement?.clientWidth || 320, 460);
    }

    geometry() {
        const side = this.size - room.left - room.right;
        return { side, each: side / this.n, height: side + room.top + room.bottom };
    }

    placeAt({ offsetX, offsetY }) {
        const { each } = this.geometry(),
            x = Math.floor((offsetX - room.left) / each),
            y = Math.floor((offsetY - room.top) / each);
        return x >= 0 && y >= 0 && x < this.n && y < this.n ? [x, y] : null;
    }

    ticks() {
        const step = Math.max(1, 2 ** Math.ceil(Math.log2((this.n * 26) / this.geometry().side)));
        return Array.from({ length: Math.ceil(this.n / step) }, (_, k) => k * step);
    }

    // box(x, y, width, height, colour) and text(string, x, y, align) draw it, on whatever there is.
    drawWith({ box, text }) {
        const { side, each } = this.geometry(),
            colours = theme(),
            thin = each > 6 ? 0.5 : 0;
        box(room.left, room.top, side, side, heatColour(0));
        for (const { x, y, value } of this.cells)
            if (value > 0)
                box(
                    room.left + x * each,
                    room.top + y * each,
                    each - thin,
                    each - thin,
                    heatColour(this.scale.partOf(value)),
                );
        for (const tick of this.ticks()) {
            text(this.nameOf(tick), room.left + (tick + 0.5) * each, room.top - 8, "middle", colours.soft);
            text(this.nameOf(tick), room.left - 6, room.top + (tick + 0.5) * each, "end", colours.soft);
        }
    }

    draw({ cells, n, scale, nameOf, label }) {
        Object.assign(this, { cells, n, scale, nameOf });
        const { canvas } = this,
            dpr = Math.min(devicePixelRatio || 1, 2),
            { height } = this.geometry();
        Object.assign(canvas, { width: this.size * dpr, height: height * dpr });
        Object.assign(canvas.style, { width: `${this.size}px`, height: `${height}px` });
        canvas.setAttribute("aria-label", label);
        const context = canvas.getContext("2d");
        context.scale(dpr, dpr);
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        this.drawWith({
            box(x, y, w, h, colour) {
                context.fillStyle = colour;
                context.fillRect(x, y, Math.max(w, 1), Math.max(h, 1));
            },
            text(string, x, y, align, colour) {
                context.fillStyle = colour;
                context.textAlign = align === "middle" ? "center" : align;
                context.fillText(string, x, y);
            },
        });
    }

    svg() {
        const { height } = this.geometry(),
            root = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width: this.size, height });
        this.drawWith({
            box: (x, y, width, h, fill) => root.append(svgElement("rect", { x, y, width, height: h, fill })),
            text: (string, x, y, align, fill) =>
                root.append(
                    svgElement(
                        "text",
                        {
                            x,
                            y,
                            fill,
                            "text-anchor": align,
                            "font-size": 11,
                            "font-family": "system-ui, sans-serif",
                            "dominant-baseline": "central",
                        },
                        string,
                    ),
                ),
        });
        return new XMLSerializer().serializeToString(root);
    }
}
