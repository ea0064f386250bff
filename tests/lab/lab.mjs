// Every experiment of every lab in a browser: each control at both ends and in the middle. The data are those that the
// command says of the same scenario; nothing goes to the console; the page never stands still for long.
//     node lab.mjs PACKAGES FOLDER SIMRUN      FOLDER has lab.html
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openBrowser, openWindow } from "../../page/browser.mjs";

const [, , packages, folder, simrun] = process.argv;
const longest_ms = 200;
let passed = 0,
    failed = 0;
function check(name, good, detail = "") {
    if (good) return void passed++;
    failed++;
    console.log(`FAILED: ${name}${detail ? ": " + detail : ""}`);
}

const withoutHost = text => JSON.stringify(JSON.parse(text), (key, value) => (key === "host" ? undefined : value));

// What the command says of the same files and settings.
let number = 0;
function commandSays({ files, name, args, data }) {
    // A page of one run has its details with it.
    const details = JSON.parse(data).runs?.[0]?.placement ? ["--detail", "all"] : [];
    const here = join(folder, `scenario-${++number}`);
    for (const [file, text] of files) {
        mkdirSync(dirname(join(here, file)), { recursive: true });
        writeFileSync(join(here, file), text);
    }
    return execFileSync(simrun, ["-q", "-f", "json", ...details, ...args, join(here, name)], {
        encoding: "utf8",
        maxBuffer: 1 << 30,
    });
}

// The page's animation frames tell how long it stood still.
const watchFrames = page =>
    page.evaluate(() => {
        window.longest = 0;
        let last = performance.now();
        const tick = () => {
            const now = performance.now();
            window.longest = Math.max(window.longest, now - last);
            last = now;
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    });

// Set a control as a hand would, and wait for its answer.
async function set(page, experiment, control, value) {
    const runs = await page.evaluate(i => Number(window.simrunExperiments[i].root.dataset.runs ?? 0), experiment);
    await page.evaluate(
        ([i, control, value]) => {
            const field = window.simrunExperiments[i].root.querySelectorAll(".controls :is(input, select)")[control];
            field.value = value;
            field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
        },
        [experiment, control, value],
    );
    await page
        .waitForFunction(
            ([i, runs]) => {
                const { runs: now = 0, status } = window.simrunExperiments[i].root.dataset;
                return Number(now) > runs || (status ?? "0") !== "0";
            },
            [experiment, runs],
            { timeout: 20000 },
        )
        .catch(() => {});
}

// All files that the command needs, and the data that the page has.
const stateOf = (page, experiment) =>
    page.evaluate(i => {
        const one = window.simrunExperiments[i],
            { files, name, args } = one.scenario(),
            decoder = new TextDecoder();
        const all = new Map([...one.files, ...files]);
        return {
            name,
            args,
            files: [...all].map(([file, bytes]) => [file, decoder.decode(bytes)]),
            data: one.view ? JSON.stringify(one.view.data) : "",
            status: one.status.textContent,
            failed: one.answer?.status !== 0,
            panels: one.box.querySelector("iframe")?.contentDocument.querySelectorAll("section.panel").length ?? 0,
        };
    }, experiment);

async function compare(page, experiment, name) {
    const state = await stateOf(page, experiment);
    if (state.data === "") return check(name, false, state.status);
    if (state.failed) return check(name, false, state.status);
    check(
        `${name}: its data are the command's`,
        withoutHost(state.data) === withoutHost(commandSays(state)),
        state.status,
    );
    check(`${name}: panels`, state.panels > 0);
}

const controlsOf = (page, experiment) =>
    page.evaluate(
        i =>
            [...window.simrunExperiments[i].root.querySelectorAll(".controls :is(input, select)")].map(field => {
                if (field.tagName === "SELECT") {
                    const all = [...field.options].map(({ text }) => text);
                    return [...new Set([all[0], all.at(-1), all[all.length >> 1]])];
                }
                const [min, max, step] = ["min", "max", "step"].map(key => Number(field[key]));
                return [min, max, min + step * Math.round((max - min) / 2 / step)].map(String);
            }),
        experiment,
    );

async function checkLab(view, lab) {
    const { page } = view;
    await view.open(`${join(folder, "lab.html")}#${lab}`);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    const count = await page.evaluate(() => window.simrunExperiments.length);
    check(`${lab}: experiments`, count > 0);
    for (let i = 0; i < count; i++) {
        await page.evaluate(i => window.simrunExperiments[i].root.scrollIntoView(), i);
        await page
            .waitForFunction(i => window.simrunExperiments[i].root.dataset.status, i, { timeout: 60000 })
            .catch(() => {});
        await page.waitForTimeout(300);
        await compare(page, i, `${lab}, experiment ${i + 1}`);
        await watchFrames(page);
        const controls = await controlsOf(page, i);
        for (const [k, values] of controls.entries())
            for (const value of values) {
                await set(page, i, k, value);
                await compare(page, i, `${lab}, experiment ${i + 1}, control ${k + 1} at ${value}`);
            }
        const longest = await page.evaluate(() => window.longest);
        check(
            `${lab}, experiment ${i + 1}: the page goes on`,
            longest <= longest_ms,
            `it stood still for ${longest} ms`,
        );
    }
    check(`${lab}: no word on the console, no request`, view.faults.length === 0, view.faults.join("; ").slice(0, 300));
    for (const width of [1366, 390]) {
        await page.setViewportSize({ width, height: 768 });
        await page.waitForTimeout(200);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        check(`${lab}: fits ${width} pixels`, wide <= width, `${wide} are taken`);
    }
}

const browser = await openBrowser(packages);
const view = await openWindow(browser, { width: 1366, height: 768 });
await view.open(join(folder, "lab.html"));
const labs = await view.page.$$eval(".top nav a", links => links.map(link => link.getAttribute("href").slice(1)));
check("there are labs", labs.length > 1);
for (const lab of labs) await checkLab(view, lab);
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
