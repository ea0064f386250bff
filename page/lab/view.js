// The panels of an answer, drawn by the page's own script in a frame of their own, so that several answers stand on one
// page. The frame answers to messages only (frame.js).
// SPDX-License-Identifier: BSD-3-Clause

import { language, t } from "../src/texts/index.js";

const blockPattern = /<script type="application\/octet-stream" id="([^"]*)">([^<]*)<\/script>/g;
// The parts that --format html writes, by name: packed text.
export const blocksOfPage = html => new Map([...html.matchAll(blockPattern)].map(([, id, packed]) => [id, packed]));
// The output of --format json, as the blocks of a page with nothing drawn.
const encoded = text => new TextEncoder().encode(text);
const blocksOfJson = bytes =>
    new Map([
        ["data", bytes],
        ["said", encoded('{"items":[]}')],
        ["drawn", encoded("{}")],
    ]);

// Panels that show one run with its details, which only a page brings along; and what others ask for.
const drawn = ["profile", "timeline", "states", "matrix", "sizes", "topology"],
    detailOf = { race: "scopes" };
// None are named where all are wanted.
export const formatFor = panels => (panels.length === 0 || panels.some(id => drawn.includes(id)) ? "html" : "json");
export const detailsFor = panels => [...new Set(panels.flatMap(id => detailOf[id] ?? []))];

const more = "body { background: var(--panel); } main { padding: 0; } .panels { margin: 0; }";
const documentOf = ({ style, script }) =>
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${t("results")}</title>` +
    `<style>${style}\n${more}</style>` +
    `<body><main id="page"></main><script>${script.replaceAll("</script", "<\\/script")}</script></body></html>`;

export class View {
    // parts: { style, script } of the page.
    constructor(box, parts) {
        const { port1: port, port2 } = new MessageChannel();
        this.port = port;
        this.frame = document.createElement("iframe");
        this.frame.title = t("results");
        this.answers = []; // how those who wait for panels are told
        port.onmessage = ({ data: { height, error } }) => {
            if (height !== undefined) return void (this.frame.style.height = `${height + 2}px`);
            const { resolve, reject } = this.answers.shift();
            if (error) reject(new Error(error));
            else resolve();
        };
        this.ready = new Promise(resolve => this.frame.addEventListener("load", resolve, { once: true }));
        this.ready.then(() => this.frame.contentWindow.postMessage(null, "*", [port2]));
        this.frame.srcdoc = documentOf(parts);
        box.append(this.frame);
    }

    // output: the bytes that the command wrote in this format. panels: the ids of those that are wanted.
    async show(output, format, panels) {
        const blocks = format === "json" ? blocksOfJson(output) : blocksOfPage(new TextDecoder().decode(output));
        if (language !== "en") blocks.set("german", await window.simrunUnpack("german"));
        await this.ready;
        await new Promise((resolve, reject) => {
            this.answers.push({ resolve, reject });
            this.port.postMessage({ blocks, panels });
        });
    }

    // The drawn data, for tests.
    get data() {
        return this.frame.contentWindow.simrunData;
    }
}
