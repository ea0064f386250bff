// Pages that simulate: numbers of the command, what was before, errors, sandboxed frames. See live.sh.
//     node live.mjs PACKAGES FOLDER SIMRUN
// SPDX-License-Identifier: BSD-3-Clause
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openWindow, readLicenses } from "../../page/browser.mjs";
import { check, finish } from "../page/checks.mjs";

const [, , packages, folder, simrun] = process.argv;
const run = (words, cwd = folder) => JSON.parse(execFileSync(simrun, ["-q", "-f", "json", ...words], { cwd }));
const browser = await openBrowser(packages);
const view = await openWindow(browser, { width: 1366, height: 768 }),
    { page } = view;

// Figures of each run, to the picosecond; a page has more details of one run.
const answerOf = ({ runs }) =>
    JSON.stringify(
        runs.map(({ parameters, time_s, speedup, messages, bytes, state_s, critical_path_s }) => ({
            ...{ parameters, time_s, speedup, messages, bytes, state_s, critical_path_s },
        })),
    );
const open = async name => {
    await view.open(join(folder, name));
    await page.waitForSelector("html[data-live]");
};
const shown = () => page.evaluate(() => window.simrunData);
const said = () => page.textContent("#live .status");
// Give the control of this name a value, as a reader does, and wait for the answer.
async function change(name, value) {
    const count = await page.evaluate(() => Number(window.simrunExperiments[0].root.dataset.runs ?? 0));
    await page.evaluate(
        ([name, value]) => {
            const label = [...document.querySelectorAll("#live label")].find(one =>
                one.firstChild.textContent.startsWith(name + " "),
            );
            const input = label.querySelector("select, input");
            input.value = value;
            input.dispatchEvent(new Event(input.type === "range" ? "input" : "change"));
        },
        [name, value],
    );
    await page.waitForFunction(
        count => {
            const { root } = window.simrunExperiments[0];
            return root.dataset.runs > count || document.querySelector("#live .status.wrong");
        },
        count,
        { timeout: 30000 },
    );
}
// The same on the command line, in a folder of its own, with the files that the page would save.
async function same() {
    const { command, files } = await page.evaluate(() => {
        const { command, isChanged, files } = window.simrunExperiments[0].saved();
        return { command, files: isChanged ? files.map(([name, bytes]) => [name, [...bytes]]) : [] };
    });
    const own = mkdtempSync(join(folder, "saved-"));
    for (const [name, bytes] of files) writeFileSync(join(own, name), Uint8Array.from(bytes));
    const words = command.split(" ").slice(1);
    return answerOf(run(words, own));
}

await open("gj.html");
const first = answerOf(await shown());
check("its own numbers are the command's", first === answerOf(run(["--set", "ranks=1,2,4,8", "gj256"])));
check("parameters of the scenario are in sight", await page.isVisible("#live label:has-text('broadcast') select"));
check("the others are folded away", !(await page.isVisible("#live details label >> nth=0")));
const before = page.locator("[data-before]"),
    pictures = page.locator(".before-image");
check("nothing is pale at first", (await before.count()) + (await pictures.count()) === 0);
await change("broadcast", "binomial");
check(
    "another broadcast",
    answerOf(await shown()) === answerOf(run(["--set", "ranks=1,2,4,8", "--set", "broadcast=binomial", "gj256"])),
);
check("in words of the command", (await same()) === answerOf(await shown()));
await page.waitForFunction(() => document.querySelectorAll(".before-image").length > 1);
check("the first one's charts are pale", (await before.count()) > 0);
check("and its pictures", (await page.locator("#timeline .before-image").count()) === 1);
const points = await page.evaluate(() => {
    const { series } = document.querySelector("#scaling .chart").chart.getOption();
    const of = id => series.find(one => one.id === id)?.data.at(-1)[1];
    return [of("simulated"), of("before simulated")];
});
await page.waitForSelector("#both-timelines[data-ready]");
const shownTimes = await page.$$eval("#both-timelines h3", heads =>
    heads.map(({ textContent }) => textContent).join("; "),
);
check("both runs have timelines", /^as it was, .* s; now, .* s$/.test(shownTimes), shownTimes);
const windows = await page.evaluate(() => {
    const { timelines } = document.getElementById("both-timelines");
    timelines[1].show(0, timelines[1].model.end / 4);
    return timelines.map(({ from, to, model }) => [from, to].map(time => time * model.unit_s));
});
const [was, now] = windows;
check("with one zoom", now[1] > 0 && was.every((time, k) => Math.abs(time - now[k]) < 1e-6), windows.join("; "));
const speedup = JSON.parse(first).at(-1).speedup;
check("the pale line has its values", points[1] === speedup && points[0] !== speedup, points.join());
await change("n", "16");
const best = (await shown()).runs.reduce((a, b) => (b.time_s < a.time_s ? b : a)).ranks;
const looked = await page.$eval("#answer select", list => list.selectedOptions[0].text);
check("the fastest run is looked at", best < 8 && looked === `ranks ${best}`, `${looked}, ${best}`);
await change("n", "256");
await change("ranks", "1,2,3");
check(
    "other ranks",
    answerOf(await shown()) === answerOf(run(["--set", "ranks=1,2,3", "--set", "broadcast=binomial", "gj256"])),
);
await page.evaluate(() => {
    const list = [...document.querySelectorAll("#scaling select")].find(one =>
        [...one.options].some(({ text }) => text === "time"),
    );
    list.value = list.options[[...list.options].findIndex(({ text }) => text === "time")].value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
});
await change("latency", "2");
check("a machine with another latency", (await same()) === answerOf(await shown()));
check(
    "is another one",
    answerOf(await shown()) !== answerOf(run(["--set", "ranks=1,2,3", "--set", "broadcast=binomial", "gj256"])),
);
const kept = await page.$eval("#scaling", panel =>
    [...panel.querySelectorAll("select")].map(list => list.selectedOptions[0].text).join(),
);
check("what was chosen in a panel stays", kept.includes("time"), kept);
await change("ranks", "0");
check(
    "what is wrong is said",
    /ranks/.test(await said()) && (await page.locator("#live .status.wrong").count()) === 1,
    await said(),
);
await page.click("#live button.as-it-was");
await page.waitForFunction(() => document.querySelectorAll("[data-before], .before-image").length === 0);
check("as it was", answerOf(await shown()) === first);
check("all controls, too", (await page.inputValue("#live label:has-text('ranks') input")) === "1,2,4,8");
const licenses = await readLicenses(page);
check("its licenses", /libxml2/.test(licenses) && /echarts/i.test(licenses));
check("no fault", view.faults.length === 0, view.faults.join("; "));

await open("two.html");
check("a replay", answerOf(await shown()) === answerOf(run(["--platform", "icluster", "two.ti"])));
await change("bandwidth", "-2");
check("on another machine", (await same()) === answerOf(await shown()));
await open("machines.html");
await change("latency", "1");
const names = (await shown()).runs.map(({ platform }) => platform);
check("several machines change together", new Set(names).size === 2, names.join());
check("as the command has them", (await same()) === answerOf(await shown()));

await page.goto(`file://${join(folder, "frame.html")}`);
const frame = page.frames()[1];
await frame.waitForSelector("html[data-live]");
await frame
    .selectOption("#live label:has-text('broadcast') select", "chain")
    .catch(() => frame.selectOption("#live label:has-text('broadcast') select", "binomial"));
await frame.waitForFunction(() => window.simrunExperiments[0].root.dataset.runs > 0);
check("in a sandboxed frame", (await frame.evaluate(() => window.simrunExperiments[0].answer.status)) === 0);
check("no fault in any", view.faults.length === 0, view.faults.join("; "));

await browser.close();
finish();
