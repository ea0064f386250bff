// Pages of every kind, opened in a browser without a network: nothing goes to the console, every number is the JSON's,
// every panel that has to be there is there and drawn, and nothing is wider than the window.
//     node pages.mjs PACKAGES <LIST
// LIST: lines of NAME PAGE JSON PANEL,PANEL,..., looked at as they come, two at a time.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { format, lookUp } from "../../page/src/numbers.js";
import { withDetails } from "../../page/src/study.js";
import { chooseIn, openBrowser, openPage } from "../../page/browser.mjs";

const [, , packages] = process.argv;
let passed = 0,
    failed = 0;

function check(name, good, detail = "") {
    if (good) return void passed++;
    failed++;
    console.log(`FAILED: ${name}${detail ? ": " + detail : ""}`);
}

// What this computer took differs from run to run.
const withoutHost = data => JSON.stringify(data, (key, value) => (key === "host" ? undefined : value));

// Opens rows of trees, each time the first that is closed, so that one row is open to its end.
const openRows = page =>
    page.evaluate(() => {
        for (const panel of document.querySelectorAll("section.panel"))
            for (let k = 0; k < 30; k++) panel.querySelector('button[aria-expanded="false"]')?.click();
    });

async function checkNumbers(name, page, json) {
    const all = withDetails(json, await page.evaluate(() => window.simrunDrawn));
    const shown = await page.$$eval("[data-json]", nodes =>
        nodes.map(node => ({ pointer: node.dataset.json, unit: node.dataset.unit, text: node.textContent })),
    );
    const wrong = shown.find(
        ({ pointer, unit, text }) => !pointer.includes("/host/") && format(lookUp(all, pointer), unit) !== text,
    );
    check(`${name}: every number is the JSON's`, !wrong, JSON.stringify(wrong));
    check(
        `${name}: the data are the JSON's`,
        withoutHost(await page.evaluate(() => window.simrunData)) === withoutHost(json),
    );
}

// A panel shows something: several colours in its picture, and its files can be saved.
async function checkPanel(name, page, chosen) {
    const [id] = chosen.split(":");
    const panel = page.locator(`section#${id}`);
    if ((await panel.count()) !== 1) return check(`${name}: panel ${id}`, false, "it is not there");
    if (chosen !== id) check(`${name}: there is ${chosen}`, await chooseIn(page, chosen));
    const { csv, svg, marks, height } = await panel.evaluate(node => ({
        csv: node.csv(),
        svg: node.svg(),
        height: node.getBoundingClientRect().height,
        marks: node.querySelectorAll(
            ".body svg path, .body svg rect, .body svg line, .body canvas, .body td, .body strong",
        ).length,
    }));
    check(`${name}: panel ${id} is drawn`, marks > 0 && height > 60, `${marks} marks, ${height} pixels high`);
    check(`${name}: panel ${id} as CSV`, csv.split("\n").length >= 3, csv.slice(0, 80));
    check(`${name}: panel ${id} as SVG`, svg.startsWith("<svg") && svg.length > 300, svg.slice(0, 80));
}

async function checkPage(browser, [name, file, jsonFile, panels]) {
    const json = JSON.parse(readFileSync(jsonFile, "utf8"));
    const { page, faults, close } = await openPage(browser, file);
    await checkNumbers(name, page, json);
    for (const id of panels.split(",").filter(Boolean)) await checkPanel(name, page, id);
    await openRows(page);
    await checkNumbers(`${name}, rows opened`, page, json);
    for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        check(`${name}: fits ${width} pixels`, wide <= width, `${wide} are taken`);
    }
    check(`${name}: no word on the console, no request`, faults.length === 0, faults.join("; ").slice(0, 300));
    await close();
}

const browser = await openBrowser(packages);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
async function checkPages() {
    for (let next = await lines.next(); !next.done; next = await lines.next())
        await checkPage(browser, next.value.split(" "));
}
await Promise.all([checkPages(), checkPages()]);
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
