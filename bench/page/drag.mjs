// How fluid a page stays while its reader drags a control: frames per second and the longest standstill, of the report
// of gj256 with the simulator in it, and of the laboratory's first experiment, which has fewer panels.
//     node bench/page/drag.mjs build/release
// SPDX-License-Identifier: BSD-3-Clause
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openBrowser, openWindow } from "../../page/browser.mjs";

const build = resolve(process.argv[2] ?? "build/release"),
    live = join(tmpdir(), `simrun-drag-${process.pid}.html`);
execFileSync(join(build, "simrun"), ["-q", "-f", "html", "--live", "-o", live, "gj256"]);

// Drag a slider to and fro for so long, a step on each frame.
async function drag(selector, seconds) {
    const slider = document.querySelector(selector),
        { min, max, step } = slider,
        count = Math.round((max - min) / step),
        begin = performance.now(),
        gaps = [];
    for (let at = begin, k = 0; at - begin < 1000 * seconds; k++) {
        if (k % 6 === 0) {
            const place = Math.floor(k / 6) % (2 * count);
            slider.value = Number(min) + Number(step) * (place < count ? place : 2 * count - place);
            slider.dispatchEvent(new Event("input"));
        }
        const now = await new Promise(requestAnimationFrame);
        gaps.push(now - at);
        at = now;
    }
    gaps.sort((a, b) => b - a);
    const { runs } = document.querySelector(".experiment").dataset;
    return { fps: (gaps.length * 1000) / (performance.now() - begin), longest: gaps[0], runs };
}

const browser = await openBrowser(join(build, "page"));
const { page, open } = await openWindow(browser, { width: 1366, height: 768 });
for (const [name, file, ready, slider] of [
    [
        "laboratory",
        join(build, "lab/lab.html#1-gauss-jordan"),
        ".experiment[data-runs]",
        ".experiment input[type=range]",
    ],
    ["page", live, "html[data-live]", "#live label:nth-of-type(4) input[type=range]"],
]) {
    await open(file);
    await page.evaluate(() => document.querySelector(".experiment")?.scrollIntoView());
    await page.evaluate(() => window.simrunExperiments?.[0].run());
    await page.waitForSelector(ready);
    await page.evaluate(`(${drag})("${slider}", 2)`); // until all is compiled
    const { fps, longest, runs } = await page.evaluate(`(${drag})("${slider}", 8)`);
    console.log(
        `${name.padEnd(12)} ${fps.toFixed(1)} frames/s, longest standstill ${longest.toFixed(0)} ms, ${runs} answers`,
    );
}
await browser.close();
