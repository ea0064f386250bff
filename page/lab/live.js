// A page that simulates: controls behind the answer, and the simulator behind them. The panels follow, with what was
// before drawn pale beside them.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { Experiment } from "./experiment.js";
import { Simulator } from "./simulator.js";
import { readSpec } from "./spec.js";
import { unpack } from "./unpack.js";
import { blocksOfPage } from "./view.js";
import { loadSaid } from "../src/said.js";
import { t } from "../src/texts/index.js";

const title = t("What if it were otherwise?");

const text = async id => new TextDecoder().decode(await window.simrunUnpack(id));

// The blocks that the page reads: of an answer, or its own.
function makeReader() {
    const { simrunUnpack, simrunHas } = window;
    let blocks = null;
    window.simrunHas = id => (blocks ? blocks.has(id) : simrunHas(id));
    window.simrunUnpack = id => (blocks ? unpack(blocks.get(id)) : simrunUnpack(id));
    return next => (blocks = next);
}

function makeView(read) {
    return {
        async show(output) {
            read(blocksOfPage(new TextDecoder().decode(output)));
            await window.simrunDrawAgain(true);
        },
        async restore() {
            read(null);
            await window.simrunDrawAgain(false);
        },
        get data() {
            return window.simrunData;
        },
    };
}

async function start() {
    await loadSaid();
    const [wasm, worker, style, live] = await Promise.all([
        window.simrunUnpack("wasm"),
        text("worker"),
        text("live-style"),
        text("live-scenario"),
    ]);
    const { spec, files } = JSON.parse(live),
        encoder = new TextEncoder(),
        known = new Map(Object.entries({ ...files, "/page.html": "<!--data-->" }));
    for (const [name, content] of known) known.set(name, encoder.encode(content));
    const view = makeView(makeReader());
    const experiment = new Experiment({
        spec: readSpec(spec),
        simulator: new Simulator({
            ...{ module: await WebAssembly.compile(wasm), files: [...known], script: worker },
            patience_ms: 2000, // panels follow while a control is dragged
        }),
        files: known,
        view,
    });
    const back = async () => {
        experiment.reset();
        await view.restore();
        experiment.status.textContent = t("As it was.");
    };
    experiment.status.textContent = t("Change anything: the answer and all panels follow.");
    experiment.root
        .querySelector(".buttons")
        .prepend(element("button", { type: "button", class: "as-it-was", onclick: back }, t("As it was")));
    const panel = element(
        "section",
        { id: "live", class: "panel wide live", "aria-labelledby": "live-title" },
        element("h2", { id: "live-title" }, title),
        experiment.root,
    );
    document.head.append(element("style", {}, style));
    document.querySelector("#page > .panels > .panel").after(panel);
    document.querySelector("#page > nav > a")?.after(element("a", { href: "#live" }, title), " ");
    window.simrunExperiments = [experiment];
    document.documentElement.dataset.live = "yes";
}

start().catch(error => {
    console.error(error.stack);
    document
        .querySelector("#page > .panels")
        .before(element("p", { class: "failed" }, t`This page cannot simulate: ${error.message}`));
});
