// The inside of an experiment's frame: takes what a command wrote, and the names of panels, as messages from the
// laboratory, and has the page's own script draw them. Messages also cross the border of a sandboxed frame, in which
// each frame is a place of its own.
// SPDX-License-Identifier: BSD-3-Clause
import { unpack } from "./unpack.js";

let blocks = new Map(), // by id: bytes, or text that is packed
    waiting = Promise.resolve();
window.simrunIsView = true;
window.simrunHas = id => blocks.has(id);
window.simrunUnpack = async id => {
    const block = blocks.get(id);
    return typeof block === "string" ? unpack(block) : block;
};

async function show({ blocks: given, panels }, port) {
    blocks = given;
    const error = await window.simrunShow(panels).then(
        () => null,
        ({ message }) => message,
    );
    port.postMessage({ error });
}

addEventListener("message", ({ source, ports: [port] }) => {
    if (source !== parent || !port) return;
    const main = document.getElementById("page");
    port.onmessage = ({ data }) => (waiting = waiting.then(() => show(data, port)));
    new ResizeObserver(() => port.postMessage({ height: Math.ceil(main.getBoundingClientRect().height) })).observe(
        main,
    );
});
