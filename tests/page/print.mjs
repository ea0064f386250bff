// Pages and labs on paper: nothing lies beyond the sheet, charts reach to the last of their data, and what a page says
// at the ends of its axes is in the PDF.
//     node print.mjs PACKAGES FOLDER NAME...     FOLDER has NAME.html and NAME.json, and may have lab.html
// SPDX-License-Identifier: BSD-3-Clause
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openPage } from "../../page/browser.mjs";
import { settingText } from "../../page/src/numbers.js";
import { check, finish } from "./checks.mjs";

const [, , packages, folder, ...names] = process.argv;
const margin = (12 / 25.4) * 72; // of the sheet, in points

// The words of a PDF, with their places: [{ text, from, to, sheet }].
function wordsOf(file) {
    const text = execFileSync("pdftotext", ["-bbox", file, "-"], { encoding: "utf8", maxBuffer: 1 << 28 });
    let sheet = 0;
    return text.split("\n").flatMap(line => {
        sheet = Number(line.match(/<page width="([\d.]+)"/)?.[1] ?? sheet);
        const word = line.match(/<word xMin="([-\d.]+)".* xMax="([-\d.]+)".*>(.*)<\/word>/);
        return word ? [{ text: word[3], from: Number(word[1]), to: Number(word[2]), sheet }] : [];
    });
}

function checkSheets(name, words) {
    const beyond = words.filter(({ from, to, sheet }) => from < margin - 3 || to > sheet - margin + 3);
    check(`${name}: there are words`, words.length > 20, String(words.length));
    check(`${name}: no word lies beyond the sheet`, beyond.length === 0, JSON.stringify(beyond.slice(0, 5)));
}

// Where things end while they are printed, in the page and in its frames.
async function watchPrinting(page) {
    for (const frame of page.frames())
        await frame.evaluate(() =>
            addEventListener("beforeprint", () => {
                const right = document.querySelector("main").getBoundingClientRect().right + 1;
                const over = [...document.querySelectorAll(".body :is(canvas, svg, table)")].filter(
                    node => node.getBoundingClientRect().right > right,
                );
                const ends = [...document.querySelectorAll(".chart")].map(box => {
                    const { series, xAxis, yAxis } = box.chart.getOption(),
                        categories = (xAxis[0].data ?? yAxis[0].data)?.length ?? 0;
                    return { id: box.closest(".panel").id, categories, bars: series[0]?.data?.length ?? 0 };
                });
                window.printed = { over: over.map(node => node.closest(".panel")?.id), ends };
            }),
        );
}

async function print(page, file) {
    await watchPrinting(page);
    await page.pdf({ path: file, format: "A4", printBackground: true });
    return Promise.all(page.frames().map(frame => frame.evaluate(() => window.printed)));
}

// All values of what was swept stand at an axis of "Time and speedup"; all ranks are in "States of each rank".
function checkData(name, words, { ends }, json) {
    const texts = new Set(words.map(({ text }) => text)),
        [{ parameters }] = json.runs,
        values = key => [...new Set(json.runs.map(run => run.parameters[key]))],
        ranks = values("ranks");
    if (ends.some(({ id }) => id === "scaling") && ranks.length > 1)
        for (const value of [Math.min(...ranks), Math.max(...ranks)])
            check(`${name}: ${value} ranks`, texts.has(settingText("ranks", value)), [...texts].slice(0, 20).join(" "));
    const states = ends.find(({ id }) => id === "states"),
        counts = json.runs.map(run => Object.values(run.process_state_s ?? {})[0]?.length);
    if (states)
        check(
            `${name}: all ranks have their states`,
            counts.includes(states.bars),
            `${states.bars} of ${parameters.ranks}`,
        );
}

async function checkPage(browser, name) {
    const { page, close } = await openPage(browser, join(folder, `${name}.html`), { width: 1366, height: 768 });
    const [printed] = await print(page, join(folder, `${name}.pdf`)),
        words = wordsOf(join(folder, `${name}.pdf`));
    checkSheets(name, words);
    check(`${name}: nothing ends beyond the column`, printed.over.length === 0, printed.over.join(" "));
    checkData(name, words, printed, JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")));
    const [before, after] = await page.evaluate(async () => {
        const width = () => document.querySelector(".chart svg")?.clientWidth;
        dispatchEvent(new Event("beforeprint"));
        const small = width();
        dispatchEvent(new Event("afterprint"));
        await new Promise(done => setTimeout(done, 100));
        return [small, width()];
    });
    check(`${name}: it is as it was afterwards`, after === undefined || after !== before, `${before} ${after}`);
    await close();
}

async function checkLab(browser, name) {
    const { page, close } = await openPage(browser, join(folder, "lab.html"), { width: 1366, height: 768 });
    await page.locator(`.top nav a[href="#${name}"]`).click();
    for (const experiment of await page.locator("section.experiment").all()) {
        await experiment.scrollIntoViewIfNeeded();
        await experiment
            .locator(".status", { hasText: "Simulated in" })
            .first()
            .waitFor({ timeout: 8000 })
            .catch(() => 0);
    }
    const printed = await print(page, join(folder, `${name}.pdf`)),
        words = wordsOf(join(folder, `${name}.pdf`));
    checkSheets(name, words);
    const over = printed.flatMap(one => one?.over ?? []);
    check(`${name}: nothing ends beyond the column`, over.length === 0, over.join(" "));
    await close();
}

const browser = await openBrowser(packages);
for (const name of names) await checkPage(browser, name);
if (existsSync(join(folder, "lab.html"))) {
    const { page, close } = await openPage(browser, join(folder, "lab.html"));
    const labs = await page.$$eval(".top nav a", links => links.map(({ hash }) => hash.slice(1)));
    await close();
    for (const lab of labs.filter(one => /^\d/.test(one))) await checkLab(browser, lab);
}
await browser.close();
finish();
