// Elements made of text and other elements. No text is ever read as HTML.
// SPDX-License-Identifier: BSD-3-Clause

// element("a", { href: "#x", onclick: f, class: "c" }, "text", child, ...)
export function element(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function svgElement(tag, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (typeof value === "function") node.addEventListener(name.slice(2), value);
        else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter(child => child !== null && child !== undefined));
    return node;
}

// True where fingers touch the screen, and nothing can point at a thing without touching it; the style asks the same.
export const isTouch = typeof matchMedia === "function" && matchMedia("(hover: none), (pointer: coarse)").matches;

// Hand a file to the browser to be saved.
export function save(name, type, content) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}
