// The rows of the timeline as an image: in each column of pixels the shares of time of what the row does there.
// SPDX-License-Identifier: BSD-3-Clause

const colourCache = new Map();

// A color of the theme as a pixel: red is the lowest byte.
function pixelOf(colour) {
    if (!colourCache.has(colour)) {
        const [r, g, b] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
        colourCache.set(colour, (0xff000000 | (b << 16) | (g << 8) | r) >>> 0);
    }
    return colourCache.get(colour);
}

// 0 is nothing: what is not shown lets the ground through.
export const pixelsOf = (names, colours, hidden) =>
    Uint32Array.from(names, (name, k) => (hidden.has(name) ? 0 : pixelOf(colours[k])));

let scratch = new Float64Array(0);

// The shares of some rows, in all columns, in an array that the next call takes again.
export function sharesOf(track, firstRow, endRow, from, to, columns) {
    const size = columns * track.names.length;
    if (scratch.length < size) scratch = new Float64Array(size);
    const out = scratch.subarray(0, size).fill(0);
    for (let row = firstRow; row < endRow; row++) track.add(row, from, to, columns, out);
    return out;
}

// One strip of an image that is `columns` wide: shares of `whole`, one above the other from its bottom.
export function paintStrip(pixels, columns, top, height, shares, colours, whole) {
    const n = colours.length,
        bottom = top + height,
        scale = height / whole;
    for (let c = 0; c < columns; c++) {
        let sum = 0,
            y = bottom;
        for (let k = 0; k < n; k++) {
            const share = shares[c * n + k];
            if (share === 0) continue;
            sum += share;
            const edge = Math.max(bottom - Math.round(sum * scale), top),
                colour = colours[k];
            for (let at = edge * columns + c, end = y * columns + c; colour !== 0 && at < end; at += columns)
                pixels[at] = colour;
            y = edge;
        }
    }
}

let kept = null;

// An image without anything on it; the next call takes it again.
function emptyImage(width, height) {
    if (kept === null || kept.width !== width || kept.height !== height) kept = new ImageData(width, height);
    else kept.data.fill(0);
    return kept;
}

// tracks: { main, phases }, each with its track and the pixels of its names. scale: pixels of the device for one of
// CSS. The image is good until the next call.
export function paintRows(layout, view, tracks, scale) {
    const { plot } = layout,
        columns = Math.round(plot.width * scale),
        height = Math.round(plot.height * scale);
    const image = emptyImage(columns, height),
        pixels = new Uint32Array(image.data.buffer);
    const step = (view.to - view.from) / columns;
    const strip = (group, { track, colours }, y, high) => {
        const top = Math.round((y - plot.y) * scale),
            bottom = Math.min(Math.round((y + high - plot.y) * scale), height);
        const shares = sharesOf(track, group.first, group.end, view.from, view.to, columns);
        paintStrip(pixels, columns, top, bottom - top, shares, colours, step * (group.end - group.first));
    };
    for (const group of layout.groups) {
        const above = tracks.phases ? group.strip : 0;
        if (above > 0) strip(group, tracks.phases, group.y, above);
        strip(group, tracks.main, group.y + above, group.height - above);
    }
    return image;
}
