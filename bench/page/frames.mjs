// Measures the frames per second of the timeline in headless Chromium, while it is zoomed and moved.
//     node bench/page/frames.mjs BUILD [RANKS INTERVALS MESSAGES]
// BUILD is a build in which the page has been made (target page), with playwright-core among its packages.
// SPDX-License-Identifier: BSD-3-Clause
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { encodeSynthetic } from "./encode.mjs";
import { writePage } from "./page.mjs";

const [, , build, ranks = 64, intervals = 1e6, messages = 1e5] = process.argv;
const { chromium } = createRequire(join(resolve(build), "page/package.json"))("playwright-core");
const bytes = encodeSynthetic({
    ranks: Number(ranks),
    intervals: Number(intervals),
    messages: Number(messages),
    segments: 20000,
});
const file = join(tmpdir(), `simrun-frames-${process.pid}.html`);
const run = { parameters: { ranks: Number(ranks) }, ranks: Number(ranks), time_s: 1 };
writePage(join(build, "page/page.html"), file, { data: JSON.stringify({ runs: [run] }), "timeline-0": bytes });

// Each step is shown on a frame of its own; a frame is drawn for each, in full.
async function measure(name, steps) {
    const view = document.getElementById("timeline").timeline,
        { end } = view.model;
    const ways = {
        whole: k => [0, end * (1 - k * 1e-4)],
        zoom: k => [(end * 0.4 * k) / steps, end - (end * 0.59 * k) / steps],
        pan: k => [(end * 0.5 * k) / steps, end * 0.5 * (k / steps + 1)],
        close: k => [(end * k) / steps / 2, (end * k) / steps / 2 + end / 2000],
    };
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
    const begin = performance.now();
    for (let k = 0; k < steps; k++) {
        view.show(...ways[name](k));
        await frame();
    }
    const draws = [];
    for (let k = 0; k < 20; k++) {
        view.show(...ways[name]((k * steps) / 20));
        const at = performance.now();
        view.draw();
        draws.push(performance.now() - at);
    }
    draws.sort((a, b) => a - b);
    return { fps: (steps * 1000) / (performance.now() - begin), draw_ms: draws[10], slowest_ms: draws[19] };
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.on("pageerror", error => console.error(error.message));
const begin = Date.now();
await page.goto("file://" + file);
await page.waitForSelector("#timeline[data-ready]");
console.log(`${intervals} intervals and ${messages} messages of ${ranks} ranks in ${bytes.length} bytes`);
console.log(`ready in ${Date.now() - begin} ms`);
for (const name of ["whole", "zoom", "pan", "close"]) {
    const { fps, draw_ms, slowest_ms } = await page.evaluate(`(${measure})("${name}", 60)`);
    const rate = fps.toFixed(1).padStart(6),
        times = `${draw_ms.toFixed(1)} ms, at most ${slowest_ms.toFixed(1)} ms`;
    console.log(`${name.padEnd(6)} ${rate} frames/s, a frame's drawing ${times}`);
}
await browser.close();
