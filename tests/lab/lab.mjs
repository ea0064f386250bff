// Every experiment of every lab in a browser: each control at both ends and in the middle. The data are those that the
// command says of the same scenario; nothing goes to the console. With --times: the page never stands still for long.
//     node lab.mjs PACKAGES FOLDER SIMRUN [--times]      FOLDER has lab.html
// SPDX-License-Identifier: BSD-3-Clause
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openBrowser, openWindow, readLicenses } from "../../page/browser.mjs";
import { answerIn } from "../../page/lab/question.js";
import { settingsOf } from "../../page/lab/spec.js";
import { detailsFor, formatFor } from "../../page/lab/view.js";
import { check, finish } from "../page/checks.mjs";

const [, , packages, folder, simrun, option] = process.argv;
const longest_ms = 200;

// Digest of an answer without the time that it took: its length, and two hashes. Also runs in the page.
function digestOf(data) {
    const text = JSON.stringify(data, (key, value) => (key === "host" ? undefined : value));
    let a = 0x811c9dc5,
        b = 0x9e3779b9;
    for (let i = 0; i < text.length; i++) {
        const c = text.charCodeAt(i);
        a = Math.imul(a ^ c, 0x01000193);
        b = Math.imul(b ^ c, 0x85ebca6b) ^ (b >>> 13);
    }
    return [text.length, a, b].join(" ");
}
const digest = text => digestOf(JSON.parse(text));

// The files that all commands read are written once for each window; those that one has otherwise take their place
// meanwhile.
const folders = new Map(), // by page
    common = new Map();
function write(here, file, text) {
    mkdirSync(dirname(join(here, file)), { recursive: true });
    writeFileSync(join(here, file), text);
}
async function writeCommon(page) {
    const here = join(folder, `files${folders.size + 1}`);
    folders.set(page, here);
    const files = await page.evaluate(() => {
        const decoder = new TextDecoder();
        return window.simrunExperiments[0].simulator.files.map(([file, bytes]) => [file, decoder.decode(bytes)]);
    });
    for (const [file, text] of files) {
        common.set(file, text);
        write(here, file, text);
    }
}

// The command's answer for the same files and settings: { status, text }. It runs while the page does something else.
async function runCommand(page, { files = [], name, args }, more = []) {
    const here = folders.get(page);
    for (const [file, text] of files) write(here, file, text);
    const [status, stdout, stderr] = await new Promise(done =>
        execFile(
            simrun,
            ["-q", "-f", "json", ...more, ...args, join(here, name)],
            { encoding: "utf8", maxBuffer: 1 << 30 },
            (error, stdout, stderr) => done([error ? error.code : 0, stdout, stderr]),
        ),
    );
    for (const [file] of files) if (common.has(file)) write(here, file, common.get(file));
    return { status, text: status === 0 ? stdout : withoutPlaces(stderr.replaceAll(here, "")) };
}

// A word of either, without the folders that differ.
const withoutPlaces = text => text.replaceAll("simrun: ", "").replaceAll("/scenarios/", "").trim();

// How long the page stands still meanwhile: the longest of its tasks [ms of a processor], which it takes on a computer
// that does something else, too.
async function longestTask(page, act) {
    await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
    await act();
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    const place = ({ pid, tid }) => `${pid} ${tid}`;
    const pages = new Set(traceEvents.filter(one => one.args?.name === "CrRendererMain").map(place));
    const tasks = traceEvents.filter(one => one.name === "RunTask" && pages.has(place(one)));
    return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
}

async function checkGoesOn(page, name, act) {
    if (option !== "--times") return act();
    const longest = await longestTask(page, act);
    check(`${name}: the page goes on`, longest <= longest_ms, `it stood still for ${longest} ms`);
}

// Observers of long tasks see them: a processor is busy with this one for most of the time, unless others want it.
async function checkWatch(page) {
    const longest = await longestTask(page, () =>
        page.evaluate(
            () =>
                new Promise(done => {
                    const end = performance.now() + 500;
                    setTimeout(() => {
                        while (performance.now() < end);
                        done();
                    });
                }),
        ),
    );
    check("a task of 500 ms is seen", longest > 50 && longest < 550, `${longest} ms`);
}

// Sliders and lists; what is written and dropped has checks of its own.
const controls = '.controls :is(input[type="range"], select)';

// Set a control as a hand would, and wait for its answer.
async function set(page, experiment, control, value) {
    const runs = await page.evaluate(i => Number(window.simrunExperiments[i].root.dataset.runs ?? 0), experiment);
    await page.evaluate(
        ([i, control, value, controls]) => {
            const { root } = window.simrunExperiments[i],
                field = root.querySelectorAll(controls)[control];
            delete root.dataset.status;
            field.value = value;
            field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
        },
        [experiment, control, value, controls],
    );
    await page
        .waitForFunction(
            ([i, runs]) => {
                const { runs: now = 0, status } = window.simrunExperiments[i].root.dataset;
                return Number(now) > runs || (status ?? "0") !== "0";
            },
            [experiment, runs],
            { timeout: 60000 },
        )
        .catch(() => {});
}

// Input that the command needs besides the files that all have, and the data of the page.
const stateOf = (page, experiment) =>
    page.evaluate(i => {
        const one = window.simrunExperiments[i],
            { files, name, args } = one.scenario(),
            decoder = new TextDecoder();
        return {
            name,
            args,
            files: files.map(([file, bytes]) => [file, decoder.decode(bytes)]),
            digest: one.view ? window.digestOf(one.view.data) : "",
            runs: one.view?.data.runs?.length,
            network: one.view?.data.runs?.[0].network,
            said: one.status.textContent,
            status: one.answer?.status,
            wanted: one.spec.panels,
            panels: one.box.querySelector("iframe")?.contentDocument.querySelectorAll("section.panel").length ?? 0,
        };
    }, experiment);

// A page of one run has its details with it.
const detailsOf = ({ wanted, runs }) =>
    (formatFor(wanted) === "json" ? detailsFor(wanted) : runs === 1 ? ["all"] : []).flatMap(one => ["--detail", one]);

async function compare(page, experiment, name) {
    const state = await stateOf(page, experiment);
    if (state.status !== 0) {
        const { status, text } = await runCommand(page, state);
        return check(`${name}: fails as the command does`, status === state.status && text === state.said, state.said);
    }
    const { text } = await runCommand(page, state, detailsOf(state));
    check(`${name}: its data are the command's`, text !== "" && state.digest === digest(text), state.said);
    check(`${name}: panels`, state.panels > 0);
}

// The same on each network, whether the machine has it or not: once for each scenario. Of ocean, which takes longer
// than all others together, there is its own network; jacobi and others that share memory have all.
const onNetworks = new Set(["/scenarios/ncp2-ocean.xml"]);
async function compareNetworks(page, experiment, name) {
    const state = await stateOf(page, experiment);
    if (onNetworks.has(state.name)) return;
    onNetworks.add(state.name);
    const own = state.status === 0 && state.network; // which has been compared
    for (const network of ["quiet", "fifo", "fluid"].filter(one => one !== own)) {
        const more = ["--network", network],
            running = runCommand(page, state, more);
        const inPage = await page.evaluate(
            async ([i, more]) => {
                const one = window.simrunExperiments[i],
                    { files, name, args } = one.scenario();
                const { status, output, said } = await one.simulator.run({
                    owner: {},
                    args: ["-q", "-f", "json", ...more, ...args, name],
                    files,
                });
                return {
                    status,
                    text: status === 0 ? window.digestOf(JSON.parse(new TextDecoder().decode(output))) : said,
                };
            },
            [experiment, more],
        );
        const there = await running;
        const isSame =
            inPage.status === 0 && there.status === 0
                ? inPage.text === digest(there.text)
                : inPage.status === there.status && withoutPlaces(inPage.text) === there.text;
        check(`${name}, ${network}: as the command`, isSame, inPage.status === 0 ? "" : inPage.text);
    }
}

// Its answer is what the command says; what is far from it is told so.
async function checkQuestion(page, i, name) {
    const spec = await page.evaluate(i => window.simrunQuestions[i].spec, i);
    const args = settingsOf(spec, {}).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
    const { status, text } = await runCommand(page, { name: `/scenarios/${spec.scenario}.xml`, args });
    if (status !== 0) return check(name, false, text);
    const value = answerIn(JSON.parse(text), spec.answer),
        answer = typeof value === "number" ? value / spec.factor : value;
    const tryAnswer = given =>
        page.evaluate(
            async ([i, given]) => {
                const question = window.simrunQuestions[i];
                question.field.value = given;
                await question.check();
                return question.said.textContent;
            },
            [i, String(given)],
        );
    const isRight = await tryAnswer(answer);
    check(`${name}: the command's answer ${answer}`, isRight.startsWith("Right"), isRight);
    const isWrong = await tryAnswer(typeof answer === "number" ? 3 * answer + 1 : "x");
    check(`${name}: a wrong answer`, /too large|is none of those/.test(isWrong), isWrong);
}

const controlsOf = (page, experiment) =>
    page.evaluate(
        ([i, controls]) =>
            [...window.simrunExperiments[i].root.querySelectorAll(controls)].map(field => {
                const isMoved = value => value !== field.value; // where it stands it has been compared
                if (field.tagName === "SELECT") {
                    const all = [...field.options].map(({ value }) => value);
                    return [...new Set([all[0], all.at(-1), all[all.length >> 1]])].filter(isMoved);
                }
                const [min, max, step] = ["min", "max", "step"].map(key => Number(field[key]));
                return [min, max, min + step * Math.round((max - min) / 2 / step)].map(String).filter(isMoved);
            }),
        [experiment, controls],
    );

// Move every control to all its places, with a comparison of each.
async function moveAll(page, i, name) {
    for (const [k, values] of (await controlsOf(page, i)).entries())
        for (const value of values) {
            await set(page, i, k, value);
            await compare(page, i, `${name}, control ${k + 1} at ${value}`);
        }
}

async function checkExperiment(page, i, name) {
    await page.evaluate(i => window.simrunExperiments[i].root.scrollIntoView(), i);
    await page
        .waitForFunction(
            i => {
                const { runs, status = "0" } = window.simrunExperiments[i].root.dataset;
                return runs > 0 || status !== "0";
            },
            i,
            { timeout: 60000 },
        )
        .catch(() => {});
    await compare(page, i, name);
    await checkGoesOn(page, name, () => moveAll(page, i, name));
    await compareNetworks(page, i, name);
}

// As a link goes there: the page is opened once.
async function goTo(page, lab) {
    await page.evaluate(lab => {
        window.before = window.simrunExperiments;
        window.simrunWork.erase();
        location.hash = lab;
    }, lab);
    await page.waitForFunction(() => window.simrunExperiments !== window.before);
    await page.evaluate(() => Promise.all(window.simrunPredictions.map(one => one.show(null))));
    const guesses = await page.evaluate(() =>
        window.simrunPredictions.map(({ root, said }) => [root.dataset.seen, said.textContent]),
    );
    for (const [isSeen, said] of guesses) check(`${lab}: a prediction has its result`, isSeen === "true", said);
}

async function checkLab(view, lab) {
    const { page } = view;
    if (lab !== "") await goTo(page, lab);
    const count = await page.evaluate(() => window.simrunExperiments.length);
    check(`${lab}: experiments`, count > 0);
    for (let i = 0; i < count; i++) await checkExperiment(page, i, `${lab}, experiment ${i + 1}`);
    const questions = await page.evaluate(() => window.simrunQuestions.length);
    for (let i = 0; i < questions; i++) await checkQuestion(page, i, `${lab}, question ${i + 1}`);
    check(`${lab}: no word on the console, no request`, view.faults.length === 0, view.faults.join("; ").slice(0, 300));
    for (const width of [390, 1366]) {
        await page.setViewportSize({ width, height: 768 });
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        check(`${lab}: fits ${width} pixels`, wide <= width, `${wide} are taken`);
    }
}

// Mistakes in lines are reported with the line, and the page goes on.
async function checkLines(view) {
    const { page } = view;
    await goTo(page, "3-own-broadcast");
    await page.waitForSelector(".experiment[data-runs]");
    const wrong = [
        ["hello\n0 -> 1\n", /own\.txt:1: 'hello' found/],
        ["hello\n", /own\.txt:1: something else found/], // as of a file that is no broadcast
        ["0 -> 1\n0 -> 99\n", /own\.txt:2: rank 99; of 16 ranks they are 0 to 15/],
        ["for i = 1 to 10000000\n  0 -> 1\nend\n", /own\.txt:2: more than 1000000 messages/],
        ["while 1\nend\n", /own\.txt:1: .*endless loop/],
        ["0 -> 1\n", /14 of 16 ranks never get the message/],
    ];
    await checkGoesOn(page, "lines", async () => {
        for (const [text, expected] of wrong) {
            await page.fill(".lines textarea", text);
            const answer = await page.waitForFunction(
                () => [window.simrunExperiments[0].status.textContent].find(text => /own\.txt/.test(text)),
                null,
                { timeout: 20000 },
            );
            const said = await answer.jsonValue();
            check(`lines: ${JSON.stringify(text)}`, expected.test(said), said);
            await page.fill(".lines textarea", "for r = 1 to ranks - 1\n  0 -> r\nend\n");
            await page.waitForFunction(() => /^Simulated/.test(window.simrunExperiments[0].status.textContent));
        }
    });
    await compare(page, 0, "lines that are right again");
    const link = await page.evaluate(() => location.href);
    await view.page.goto("about:blank");
    await view.page.goto(link);
    await view.page.evaluate(`window.digestOf = ${digestOf}`);
    await page.waitForSelector(".experiment[data-runs]");
    const text = await page.$eval(".lines textarea", field => field.value);
    check("a link holds the lines", text === "for r = 1 to ranks - 1\n  0 -> r\nend\n", text);
}

// A damaged link opens the lab that it names.
async function checkDamagedLink({ page }) {
    const place = (await page.evaluate(() => location.href)).split("#")[0];
    await page.goto("about:blank");
    await page.goto(`${place}#1-gauss-jordan?9.x=%E0%A4%A`);
    await page.waitForSelector("h1", { timeout: 20000 }).catch(() => {});
    const title = await page.evaluate(() => document.querySelector("h1")?.textContent ?? "");
    check("a damaged link", title.startsWith("Lab 1"), title);
    await page.evaluate(`window.digestOf = ${digestOf}`);
}

// Choices in a timeline stay when a control is moved.
async function checkChoices({ page }) {
    await goTo(page, "7-shared-memory");
    const isDrawn = () =>
        page.waitForFunction(
            () => {
                const frame = window.simrunExperiments[2].root.querySelector("iframe");
                return frame?.contentDocument.querySelector("section#timeline")?.dataset.ready;
            },
            null,
            { timeout: 20000 },
        );
    await page.evaluate(() => window.simrunExperiments[2].root.scrollIntoView());
    await isDrawn();
    const inPanel = text =>
        page.evaluate(
            ([text]) => {
                const page = window.simrunExperiments[2].root.querySelector("iframe").contentDocument,
                    panel = page.querySelector("section#timeline");
                const list = [...panel.querySelectorAll("select")].find(one =>
                    [...one.options].some(option => option.text === "operations"),
                );
                if (text) {
                    list.selectedIndex = [...list.options].findIndex(option => option.text === text);
                    list.dispatchEvent(new Event("change"));
                    [...panel.querySelectorAll("button.series")].at(-1).click();
                }
                return [list.selectedOptions[0].text, panel.timeline.main, panel.timeline.layers.path].join(" ");
            },
            [text],
        );
    await inPanel("operations");
    await set(page, 2, 0, "4KiB");
    await isDrawn();
    const stands = await inPanel("");
    check("what is chosen in a timeline stays", stands === "operations operations false", stands);
}

// Lines of any experiment are those that are simulated; what is saved does the same by the command.
async function checkSaved({ page }) {
    const run = async (experiment, name) => {
        const { data, files, status } = await page.evaluate(i => {
            const one = window.simrunExperiments[i],
                { files } = one.saved(),
                decoder = new TextDecoder();
            return {
                status: one.status.textContent,
                data: one.answer?.status === 0 ? one.view.data.runs.map(run => run.time_s) : null,
                files: files.map(([file, bytes]) => [file, decoder.decode(bytes)]),
            };
        }, experiment);
        const place = join(folder, `saved-${name}`);
        mkdirSync(place);
        for (const [file, text] of files) writeFileSync(join(place, file), text);
        const { stdout, stderr } = spawnSync(simrun, ["-q", "-f", "json", join(place, files[0][0])], {
            encoding: "utf8",
        });
        return { data, status, there: stdout ? JSON.parse(stdout).runs.map(one => one.time_s) : stderr };
    };
    const isSame = ({ data, there }) => data !== null && JSON.stringify(data) === JSON.stringify(there);
    const open = async (link, i) => {
        await goTo(page, link);
        await page.evaluate(i => window.simrunExperiments[i].root.scrollIntoView(), i);
        const isShown = i => {
            const { status, runs } = window.simrunExperiments[i].root.dataset;
            return status && (status !== "0" || runs > 0);
        };
        await page.waitForFunction(isShown, i, { timeout: 20000 });
    };
    await open("3-own-broadcast", 2);
    const deadlock = await run(2, "deadlock");
    check("lines of a later experiment deadlock", /deadlock/.test(deadlock.status), deadlock.status);
    check("and so by the command", /deadlock/.test(deadlock.there), JSON.stringify(deadlock.there));
    await open("3-own-broadcast?1.lines=for%20r%20%3D%201%20to%20ranks%20-%201%0A0%20-%3E%20r%0Aend", 0);
    const lines = await run(0, "lines");
    check("saved lines", isSame(lines), JSON.stringify(lines));
    await open("1-gauss-jordan?3.fpu=16&3.n=64", 2);
    const machine = await run(2, "machine");
    check("a saved machine", isSame(machine), JSON.stringify(machine));
    await open("1-gauss-jordan", 0);
    const plain = await run(0, "plain");
    check("a saved scenario", isSame(plain), JSON.stringify(plain));
}

// A trace that is dropped is replayed as the command does it.
async function checkTrace(view) {
    const { page } = view;
    await goTo(page, "8-real-program");
    await page.waitForSelector(".experiment[data-runs]");
    const ring = join(folder, "ring.ti");
    writeFileSync(ring, "0 init\n0 compute 1e6\n0 send 1 0 4096\n0 finalize\n1 init\n1 recv 0 0 4096\n1 finalize\n");
    await page.setInputFiles(".drop input", ring);
    await page.waitForFunction(() => window.simrunExperiments[0].view?.data.runs[0].ranks === 2);
    await compare(page, 0, "a dropped trace");
    writeFileSync(join(folder, "app.otf2"), "x");
    await page.setInputFiles(".drop input", join(folder, "app.otf2"));
    const said = await page.textContent(".drop .status");
    check("OTF2 is explained", /simrun --trace/.test(said), said);
}

const browser = await openBrowser(packages);
async function openLab() {
    const view = await openWindow(browser, { width: 1366, height: 768 });
    await view.open(join(folder, "lab.html"));
    await view.page.waitForSelector("html[data-ready]");
    await writeCommon(view.page);
    await view.page.evaluate(`window.digestOf = ${digestOf}`);
    return view;
}

// Two windows take labs, and then what else there is, one after the other. Times want one that has all processors.
const view = await openLab();
const labs = await view.page.$$eval(".top nav a", links => links.map(link => link.getAttribute("href").slice(1)));
check("there are labs", labs.length > 1);
if (option === "--times") await checkWatch(view.page);
const tasks = [
    ...labs.map(lab => view => checkLab(view, lab)), // the first is the page that opens
    async view => {
        check("licenses", /^libxml2 .*MIT/m.test(await readLicenses(view.page)));
        await checkLines(view);
        await checkDamagedLink(view);
    },
    checkChoices,
    checkSaved,
    checkTrace,
];
async function takeTasks(view) {
    for (let task = tasks.shift(); task; task = tasks.shift()) await task(view);
}
const views = option === "--times" ? [view] : [view, await openLab()];
await Promise.all(views.map(takeTasks));
await browser.close();
finish();
