// Pens, which draw lines, boxes and text: one on a canvas, one as an SVG picture, with the same methods.
// SPDX-License-Identifier: BSD-3-Clause
import { svgElement } from "../dom.js";

const font = size => `${size}px system-ui, sans-serif`;

export function canvasPen(context) {
    return {
        box(x, y, width, height, colour, opacity = 1) {
            context.globalAlpha = opacity;
            context.fillStyle = colour;
            context.fillRect(x, y, width, height);
            context.globalAlpha = 1;
        },
        // One stroke through all points; null among them lifts the pen.
        line(points, colour, width = 1, opacity = 1) {
            context.globalAlpha = opacity;
            context.strokeStyle = colour;
            context.lineWidth = width;
            context.lineJoin = "bevel";
            context.beginPath();
            let isDown = false;
            for (const point of points) {
                if (point === null) isDown = false;
                else if (isDown) context.lineTo(point[0], point[1]);
                else context.moveTo(point[0], point[1]);
                isDown = point !== null;
            }
            context.stroke();
            context.globalAlpha = 1;
        },
        // halo: the color of the ground, where lines pass behind the text.
        text(string, x, y, colour, { size = 12, align = "start", widest, halo } = {}) {
            context.font = font(size);
            if (widest !== undefined && context.measureText(string).width > widest) return;
            context.fillStyle = colour;
            context.textAlign = align;
            context.textBaseline = "middle";
            if (halo) {
                Object.assign(context, { strokeStyle: halo, lineWidth: 3, lineJoin: "round" });
                context.strokeText(string, x, y);
            }
            context.fillText(string, x, y);
        },
        // Draws what inside() draws, cut to the box.
        clip({ x, y, width, height }, inside) {
            context.save();
            context.beginPath();
            context.rect(x, y, width, height);
            context.clip();
            inside();
            context.restore();
        },
    };
}

export function svgPen(width, height, ground) {
    let clips = 0;
    const picture = svgElement(
        "svg",
        { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
        svgElement("rect", { width, height, fill: ground }),
    );
    let root = picture;
    const round = value => Math.round(value * 100) / 100;
    return {
        box(x, y, w, h, colour, opacity = 1) {
            root.append(
                svgElement("rect", {
                    x: round(x),
                    y: round(y),
                    width: round(w),
                    height: round(h),
                    fill: colour,
                    "fill-opacity": opacity === 1 ? null : opacity,
                }),
            );
        },
        line(points, colour, lineWidth = 1, opacity = 1) {
            let isDown = false;
            const steps = points.map(point => {
                const step = point === null ? "" : `${isDown ? "L" : "M"}${round(point[0])} ${round(point[1])}`;
                isDown = point !== null;
                return step;
            });
            root.append(
                svgElement("path", {
                    d: steps.join(""),
                    fill: "none",
                    stroke: colour,
                    "stroke-width": lineWidth,
                    "stroke-linejoin": "round",
                    "stroke-opacity": opacity === 1 ? null : opacity,
                }),
            );
        },
        text(string, x, y, colour, { size = 12, align = "start", widest, halo } = {}) {
            if (widest !== undefined && string.length * size * 0.55 > widest) return;
            root.append(
                svgElement(
                    "text",
                    {
                        x: round(x),
                        y: round(y),
                        fill: colour,
                        "font-size": size,
                        "font-family": "system-ui, sans-serif",
                        "dominant-baseline": "central",
                        "text-anchor": { start: "start", center: "middle", end: "end" }[align],
                        ...(halo ? { stroke: halo, "stroke-width": 3, "paint-order": "stroke" } : {}),
                    },
                    string,
                ),
            );
        },
        image(href, x, y, w, h) {
            root.append(svgElement("image", { href, x, y, width: w, height: h }));
        },
        clip({ x, y, width: w, height: h }, inside) {
            const id = `clip${clips++}`,
                group = svgElement("g", { "clip-path": `url(#${id})` });
            picture.append(svgElement("clipPath", { id }, svgElement("rect", { x, y, width: w, height: h })), group);
            root = group;
            inside();
            root = picture;
        },
        svg: () => new XMLSerializer().serializeToString(picture),
    };
}
