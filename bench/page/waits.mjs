// How long a reader of the laboratory waits after a change of a control until its answer is drawn, and how long the
// page stands still meanwhile: for each experiment the worst of its controls, each moved as far as it goes. Times of
// processors (cpu) are those that an idle computer takes.
//     node bench/page/waits.mjs build/release [LAB [EXPERIMENT]] [--turns N] [--pause SECONDS]
// --pause: after so long, in which a reader looks at what there is; otherwise no answer is known before.
// SPDX-License-Identifier: BSD-3-Clause
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openBrowser, openWindow } from "../../page/browser.mjs";

const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { turns: { type: "string", default: "1" }, pause: { type: "string" } },
});
const build = resolve(positionals[0] ?? "build/release"),
    [, onlyLab = "", onlyExperiment = ""] = positionals,
    turns = Number(values.turns);
const controls = '.controls :is(input[type="range"], select)';

const median = all => [...all].sort((a, b) => a - b)[all.length >> 1];

// Move a control of an experiment, and wait until all is drawn: { wall_ms, engine_ms, runs }.
const move = (page, place) =>
    page.evaluate(
        async ([experiment, control, value, controls, pause]) => {
            const one = window.simrunExperiments[experiment],
                field = one.root.querySelectorAll(controls)[control],
                before = one.root.dataset.runs;
            if (pause === undefined) one.simulator.answers.forget();
            else await new Promise(done => setTimeout(done, 1000 * pause));
            const start = performance.now();
            delete one.root.dataset.status;
            field.value = value;
            field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
            const isDone = () => one.root.dataset.runs !== before || (one.root.dataset.status ?? "0") !== "0";
            while (!isDone()) await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            return { wall_ms: performance.now() - start, engine_ms: one.answer.ms };
        },
        [...place, controls, values.pause],
    );

// Times of processors meanwhile [ms]: of the worker that takes most, of the page, and of the longest task of the page.
async function traced(browser, page, act) {
    await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
    const done = await act();
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    const place = ({ pid, tid }) => `${pid} ${tid}`;
    const threads = name => new Set(traceEvents.filter(one => String(one.args?.name).startsWith(name)).map(place));
    const timesOf = names => {
        const sums = new Map();
        let longest = 0;
        for (const one of traceEvents.filter(one => one.name === "RunTask" && names.has(place(one)))) {
            sums.set(place(one), (sums.get(place(one)) ?? 0) + (one.tdur ?? 0) / 1000);
            longest = Math.max(longest, (one.tdur ?? 0) / 1000);
        }
        return { most: Math.max(0, ...sums.values()), longest };
    };
    const main = timesOf(threads("CrRendererMain"));
    const worker = timesOf(threads("DedicatedWorker"));
    return { ...done, worker_ms: worker.most, page_ms: main.most, longest_ms: main.longest };
}

// Where each control goes: to the end that is farther from where it stands, and back.
const placesOf = (page, experiment) =>
    page.evaluate(
        ([i, controls]) =>
            [...window.simrunExperiments[i].root.querySelectorAll(controls)].map(field => {
                const all = field.tagName === "SELECT" ? [...field.options].map(one => one.value) : null,
                    [first, last] = all ? [all[0], all.at(-1)] : [field.min, field.max],
                    isFirst = all ? field.value === first : Number(field.value) - first < last - field.value;
                return { now: field.value, there: isFirst ? last : first };
            }),
        [experiment, controls],
    );

async function measure(browser, page, experiment) {
    await page.evaluate(i => window.simrunExperiments[i].root.scrollIntoView(), experiment);
    await page.waitForFunction(i => (window.simrunExperiments[i].root.dataset.status ?? "") !== "", experiment, {
        timeout: 60000,
    });
    const found = [];
    for (const [control, { now, there }] of (await placesOf(page, experiment)).entries()) {
        const all = [];
        for (let turn = 0; turn < turns; turn++) {
            all.push(await traced(browser, page, () => move(page, [experiment, control, there])));
            await move(page, [experiment, control, now]);
        }
        const middle = name => median(all.map(one => one[name]));
        found.push(Object.fromEntries(Object.keys(all[0]).map(name => [name, middle(name)])));
    }
    return found;
}

const browser = await openBrowser(join(build, "page"));
const { page, open } = await openWindow(browser, { width: 1366, height: 768 });
await open(join(build, "lab/lab.html"));
const labs = await page.evaluate(() => [...document.querySelectorAll("nav a")].map(one => one.hash.slice(1)));
console.log("lab                  experiment   wall [ms]   engine   cpu: worker   page   longest task");
for (const lab of labs.filter(name => name !== "" && name.includes(onlyLab))) {
    await open(join(build, `lab/lab.html#${lab}`));
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await page.evaluate(() => Promise.all(window.simrunPredictions.map(one => one.show(null))));
    const count = await page.evaluate(() => window.simrunExperiments.length);
    for (let i = 0; i < count; i++) {
        if (onlyExperiment !== "" && Number(onlyExperiment) !== i + 1) continue;
        const all = await measure(browser, page, i);
        const most = name => Math.max(0, ...all.map(one => one[name])).toFixed(0);
        const columns = [
            ["wall_ms", 12],
            ["engine_ms", 9],
            ["worker_ms", 14],
            ["page_ms", 7],
            ["longest_ms", 15],
        ];
        const numbers = columns.map(([name, width]) => most(name).padStart(width)).join("");
        console.log(`${lab.padEnd(21)}${String(i + 1).padStart(10)}${numbers}`);
    }
}
await browser.close();
