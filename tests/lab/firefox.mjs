// The laboratory and pages in Firefox: the same numbers as the command, a slider, a question that is kept, saved work,
// a timeline, a page that simulates, sandboxed frames. PICTURES: a folder for screenshots.
//     node firefox.mjs PACKAGES FOLDER SIMRUN
// SPDX-License-Identifier: BSD-3-Clause
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFirefox, openWindow } from "../../page/browser.mjs";
import { check, finish } from "../page/checks.mjs";

const [, , packages, folder, simrun] = process.argv;
const run = words => JSON.parse(execFileSync(simrun, ["-q", "-f", "json", ...words], { cwd: folder })).runs;
const timesOf = runs => JSON.stringify(runs.map(({ time_s: time }) => time));

const browser = await openFirefox(packages);
const view = await openWindow(browser, { width: 1366, height: 768 }),
    { page } = view;
const picture = async name => {
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
};
const noFaults = name => check(`${name}: no fault`, view.faults.length === 0, view.faults.join("; ").slice(0, 300));
// Times in the answer of the experiment with this index, once more than `before` have been shown.
const timesIn = async (i, before = 0) => {
    const isShown = ([i, before]) => Number(window.simrunExperiments[i].root.dataset.runs ?? 0) > before;
    await page.waitForFunction(isShown, [i, before], { timeout: 60000 });
    return timesOf(await page.evaluate(i => window.simrunExperiments[i].view.data.runs, i));
};
const runsOf = i => page.evaluate(i => Number(window.simrunExperiments[i].root.dataset.runs ?? 0), i);
// The words of the command that does the same.
const wordsOf = async i => {
    const { command, isChanged } = await page.evaluate(i => window.simrunExperiments[i].saved(), i);
    check("the command does the same", !isChanged, command);
    return command.split(" ").slice(1);
};
const compare = async (name, i, before) => {
    const times = await timesIn(i, before),
        wanted = timesOf(run(await wordsOf(i)));
    check(`${name}: times of the command`, times === wanted, `${times} instead of ${wanted}`);
};
const goTo = async lab => {
    await page.evaluate(lab => {
        window.before = window.simrunExperiments;
        location.hash = lab;
    }, lab);
    await page.waitForFunction(() => window.simrunExperiments !== window.before);
    await page.evaluate(() => Promise.all(window.simrunPredictions.map(one => one.show(null))));
};
const bring = i => page.evaluate(i => window.simrunExperiments[i].root.scrollIntoView(), i);

// An experiment, and its slider by the keys of a reader.
async function checkExperiments() {
    await view.open(join(folder, "lab.html"));
    await goTo("3-own-broadcast");
    await bring(0);
    await compare("a race", 0);
    const before = await runsOf(0);
    await page.locator(".experiment input[type=range]").first().press("ArrowRight");
    await compare("a slider that has been moved", 0, before);
    const ranks = await page.evaluate(() => window.simrunExperiments[0].view.data.runs[0].ranks);
    check("the slider's value", ranks === 17, ranks);
    await bring(3);
    await compare("a race over machines", 3);
    await picture("lab-3");
    noFaults("lab 3");
}

// Answers outlive the page, and are in the file that is handed in.
async function checkWork() {
    await goTo("1-gauss-jordan");
    const field = page.locator(".question:not(.prediction) input[type=text]").first();
    const answer = async (text, pattern) => {
        await field.fill(text);
        await field.press("Enter");
        const isSaid = source => new RegExp(source).test(window.simrunQuestions[0].said.textContent);
        await page.waitForFunction(isSaid, pattern.source, { timeout: 30000 });
        return page.evaluate(() => window.simrunQuestions[0].said.textContent);
    };
    const first = await answer("16", /Right/);
    const second = await answer("32", /too large/);
    check("a wrong answer does not replace a right one", second.endsWith("Your right answer stays saved."), second);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    const kept = await page.evaluate(() => window.simrunQuestions[0].field.value);
    check("an answer is kept over a reload", kept === "16" && first.startsWith("Right"), `${kept}; ${first}`);
    await page.locator(".work input[type=text]").fill("Ann");
    // The driver hears of no download in Firefox: what the page hands over is looked at.
    await page.evaluate(() => {
        const make = URL.createObjectURL;
        URL.createObjectURL = blob => {
            window.handed = blob;
            return make.call(URL, blob);
        };
    });
    await page.getByRole("button", { name: "Save my work" }).click();
    const text = await page.evaluate(() => window.handed.text()),
        saved = JSON.parse(text);
    check("saved work", saved.name === "Ann" && saved.labs["1-gauss-jordan"].answers["1"].given === "16", text);
    const file = join(folder, "ann.simrun.json");
    writeFileSync(file, text.replace('"16"', '"32"'));
    await page.setInputFiles(".work input[type=file]", file);
    await page.waitForFunction(() => window.simrunQuestions[0].field.value === "32", null, { timeout: 20000 });
    await picture("lab-1");
    noFaults("work");
}

async function checkPage() {
    await view.open(join(folder, "page.html"));
    await page.evaluate(() => document.querySelector("section#timeline").scrollIntoView());
    await page.waitForSelector("section#timeline[data-ready]", { timeout: 30000 });
    const times = timesOf(await page.evaluate(() => window.simrunData.runs)),
        wanted = timesOf(run(["--set", "ranks=1,4,8", "gj256"]));
    check("a page: times of the command", times === wanted, times);
    const colours = await page.evaluate(() => {
        const canvas = [...document.querySelectorAll("section#timeline canvas")].sort((a, b) => b.height - a.height)[0];
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
    });
    check("a timeline is drawn", colours > 3, `${colours} colors`);
    await picture("page");
    noFaults("a page");
}

async function checkLive() {
    await view.open(join(folder, "live.html"));
    await page.waitForSelector("html[data-live]");
    const before = await runsOf(0);
    await page.evaluate(() => {
        const { root } = window.simrunExperiments[0];
        const label = [...root.querySelectorAll("label")].find(one => one.textContent.startsWith("ranks "));
        const field = label.querySelector("input[type=text], input:not([type=range])");
        field.value = "2,3";
        field.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(before => Number(window.simrunExperiments[0].root.dataset.runs) > before, before);
    const times = timesOf(await page.evaluate(() => window.simrunData.runs)),
        wanted = timesOf(run(["--set", "ranks=2,3", "gj256"]));
    check("a page that simulates: times of the command", times === wanted, `${times} instead of ${wanted}`);
    await picture("live");
    noFaults("a page that simulates");
}

async function checkFrames() {
    for (const name of ["page", "live"]) {
        view.faults = [];
        await page.goto("file://" + join(folder, `frame-${name}.html`));
        const frame = page.frames()[1];
        const isReady = await frame
            .waitForSelector(name === "live" ? "html[data-live]" : "html[data-ready]", { timeout: 30000 })
            .then(
                () => true,
                () => false,
            );
        check(`${name} in a sandboxed frame`, isReady);
        await picture(`frame-${name}`);
        noFaults(`${name} in a sandboxed frame`);
    }
}

for (const look of [checkExperiments, checkWork, checkPage, checkLive, checkFrames])
    await look().catch(error => check(look.name, false, error.message));
await browser.close();
finish();
