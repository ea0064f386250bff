// The panels of an answer, drawn by the page's own script in a frame of their own, so that several answers stand on one
// page.
// SPDX-License-Identifier: BSD-3-Clause

async function unpack(packed) {
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

// What --format html writes, by name; each block gives its bytes: compressed there, in base64.
const blocksOfPage = html =>
    new Map(
        [...html.matchAll(/<script type="application\/octet-stream" id="([^"]*)">([^<]*)<\/script>/g)].map(
            ([, id, packed]) => [id, () => unpack(packed)],
        ),
    );
// What --format json writes, as if it were a page with nothing drawn.
const blocksOfJson = bytes =>
    new Map([
        ["data", () => bytes],
        ["said", () => new TextEncoder().encode('{"items":[]}')],
        ["drawn", () => new TextEncoder().encode("{}")],
    ]);

// Panels that show one run with its details, which only a page brings along; and what others ask for.
const drawn = ["profile", "timeline", "states", "matrix", "sizes", "topology"],
    detailOf = { race: "scopes" };
export const formatFor = panels => (panels.some(id => drawn.includes(id)) ? "html" : "json");
export const detailsFor = panels => [...new Set(panels.flatMap(id => detailOf[id] ?? []))];

export class View {
    // parts: { style, script } of the page.
    constructor(box, parts) {
        this.frame = document.createElement("iframe");
        this.frame.title = "results";
        box.append(this.frame);
        this.blocks = new Map();
        const { contentDocument: page, contentWindow: view } = this.frame;
        view.simrunIsView = true;
        view.simrunHas = id => this.blocks.has(id);
        view.simrunUnpack = async id => this.blocks.get(id)();
        page.documentElement.lang = "en";
        const style = page.createElement("style");
        style.textContent =
            parts.style + "\nbody { background: var(--panel); } main { padding: 0; } .panels { margin: 0; }";
        const main = page.createElement("main");
        main.id = "page";
        const script = page.createElement("script");
        page.head.append(style);
        page.body.append(main);
        this.ready = new Promise((resolve, reject) => {
            script.onload = resolve;
            script.onerror = () => reject(new Error("the page's script could not be started"));
        });
        script.src = parts.url;
        page.head.append(script);
        new ResizeObserver(() => {
            this.frame.style.height = `${Math.ceil(main.getBoundingClientRect().height) + 2}px`;
        }).observe(main);
    }

    // output: the bytes that the command wrote in this format. panels: the ids of those that are wanted.
    async show(output, format, panels) {
        this.blocks = format === "json" ? blocksOfJson(output) : blocksOfPage(new TextDecoder().decode(output));
        await this.ready;
        await this.frame.contentWindow.simrunShow(panels);
    }

    get data() {
        return this.frame.contentWindow.simrunData;
    }
}
