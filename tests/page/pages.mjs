// Pages of every kind, opened in a browser without a network: nothing goes to the console, every number is the JSON's,
// every panel that has to be there is there and drawn, and nothing is wider than the window.
//     node pages.mjs PACKAGES <LIST
// LIST: lines of NAME PAGE JSON PANEL,PANEL,..., looked at as they come, two at a time. With - for the panels a page is
// not opened: its data are the JSON's.
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { inflateSync } from "node:zlib";
import { format, lookUp, settingText } from "../../page/src/numbers.js";
import { withDetails } from "../../page/src/study.js";
import { chooseIn, openBrowser, openWindow, readLicenses } from "../../page/browser.mjs";
import { check, finish } from "./checks.mjs";

const [, , packages] = process.argv;

// Costs of simulating on this computer differ from run to run.
const withoutHost = (key, value) => (key === "host" ? undefined : value);
const dataOf = page =>
    page.evaluate(() => JSON.stringify(window.simrunData, (key, value) => (key === "host" ? undefined : value)));

// Opens rows of trees, each time the first that is closed, so that one row is open to its end.
const openRows = page =>
    page.evaluate(() => {
        for (const panel of document.querySelectorAll("section.panel"))
            for (let k = 0; k < 30; k++) panel.querySelector('button[aria-expanded="false"]')?.click();
    });

async function checkNumbers(name, page, all) {
    const shown = await page.$$eval("[data-json]", nodes =>
        nodes.map(node => ({ pointer: node.dataset.json, unit: node.dataset.unit, text: node.textContent })),
    );
    const wrong = shown.find(
        ({ pointer, unit, text }) => !pointer.includes("/host/") && format(lookUp(all, pointer), unit) !== text,
    );
    check(`${name}: every number is the JSON's`, !wrong, JSON.stringify(wrong));
}

// How many pixels of each panel's drawings, in a picture of the page at half its size, have a color: are neither
// white, black nor gray, as frames and text are. Of bars, which may be gray, how many pixels they have.
async function colouredPixels(page) {
    const scale = 0.5;
    const [width, height] = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return [scrollWidth, scrollHeight];
    });
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", {
        captureBeyondViewport: true,
        optimizeForSpeed: true,
        clip: { x: 0, y: 0, width, height, scale },
    });
    await session.detach();
    return page.evaluate(
        async ([url, scale]) => {
            const image = new Image();
            image.src = url;
            await image.decode();
            const context = new OffscreenCanvas(image.width, image.height).getContext("2d", {
                willReadFrequently: true,
            });
            context.drawImage(image, 0, 0);
            const isColoured = (r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) > 40;
            const count = (node, isDrawn) => {
                const box = node.getBoundingClientRect(),
                    at = [box.x + window.scrollX, box.y + window.scrollY, box.width, box.height].map(v => v * scale);
                if (at[2] < 1 || at[3] < 1) return 0;
                const { data } = context.getImageData(...at);
                let drawn = 0;
                for (let i = 0; i < data.length; i += 4) drawn += isDrawn(data[i], data[i + 1], data[i + 2]);
                return drawn;
            };
            const sum = (panel, kind, isDrawn) =>
                [...panel.querySelectorAll(kind)].reduce((all, node) => all + count(node, isDrawn), 0);
            return Object.fromEntries(
                [...document.querySelectorAll("section.panel")].map(panel => [
                    panel.id,
                    sum(panel, ".body :is(svg, canvas, table)", isColoured) +
                        sum(panel, ".body td.track", (r, g, b) => Math.min(r, g, b) < 215),
                ]),
            );
        },
        [`data:image/png;base64,${data}`, scale],
    );
}

// Panels on the page, all at once; only the beginnings of files, because moving them here takes long.
const lookAt = (page, ids) =>
    page.evaluate(
        ids =>
            ids.map(id => {
                const found = document.querySelectorAll(`section#${id}`),
                    [node] = found;
                if (found.length !== 1) return null;
                const csv = node.csv(),
                    svg = node.svg();
                return {
                    csv: { begin: csv.slice(0, 80), lines: csv.split("\n").length },
                    svg: { begin: svg.slice(0, 80), length: svg.length },
                    height: node.getBoundingClientRect().height,
                    marks: node.querySelectorAll(
                        ".body svg path, .body svg rect, .body svg line, .body canvas, .body td, .body strong",
                    ).length,
                };
            }),
        ids,
    );

// No run of the problem in the first card is faster than the one that the card calls the fastest.
async function checkFastest(name, page, { runs }) {
    const card = page.locator("#answer .card").first();
    if (!(await card.locator(".name").count())) return;
    const [, problem] = (await card.locator(".name").textContent()).match(/^fastest(?: for (.*))?$/) ?? [],
        shown = await page.locator("#answer .card .number[data-json$='/time_s']").first().getAttribute("data-json");
    if (!(await card.locator(".name").textContent()).startsWith("fastest")) return;
    const wanted = (problem ?? "").split(", ").filter(Boolean),
        isOf = ({ parameters }) =>
            wanted.every(one => Object.entries(parameters).some(([key, v]) => `${key} ${settingText(key, v)}` === one)),
        least = Math.min(...runs.filter(isOf).map(({ time_s }) => time_s ?? Infinity));
    check(`${name}: the fastest is the fastest`, lookUp({ runs }, shown) === least, `${shown} is above ${least}`);
}

// Panels show something, and their files can be saved.
async function checkPanels(name, page, panels) {
    for (const chosen of panels.filter(panel => panel.includes(":")))
        check(`${name}: there is ${chosen}`, await chooseIn(page, chosen));
    const ids = panels.map(panel => panel.split(":")[0]);
    for (const [i, found] of (await lookAt(page, ids)).entries()) {
        const panel = `${name}: panel ${ids[i]}`;
        if (found === null) {
            check(panel, false, "it is not there");
            continue;
        }
        const { csv, svg, marks, height } = found;
        check(`${panel} is drawn`, marks > 0 && height > 60, `${marks} marks, ${height} pixels high`);
        check(`${panel} as CSV`, csv.lines >= 3, csv.begin);
        check(`${panel} as SVG`, svg.begin.startsWith("<svg") && svg.length > 300, svg.begin);
    }
}

// How often each panel has been looked at: what it looks like is the same program on page after page.
const looks = new Map();
const isNew = panels => {
    const few = panels.some(panel => (looks.get(panel) ?? 0) < 2);
    for (const panel of few ? panels : []) looks.set(panel, (looks.get(panel) ?? 0) + 1);
    return few;
};

// Panels that are of text alone.
const isText = chosen => /^(answer|comparison|pop)(:|$)/.test(chosen);

// The data in the file of a page, as the browser unpacks them.
function dataIn(file) {
    const [, packed] = readFileSync(file, "utf8").match(/<script type="application\/octet-stream" id="data">([^<]*)</);
    return JSON.parse(inflateSync(Buffer.from(packed, "base64")));
}

async function checkPage(view, [name, file, jsonFile, list]) {
    const json = JSON.parse(readFileSync(jsonFile, "utf8")),
        expected = JSON.stringify(json, withoutHost),
        panels = list.split(",").filter(Boolean),
        { page } = view;
    if (list === "-") {
        check(`${name}: the data are the JSON's`, JSON.stringify(dataIn(file), withoutHost) === expected);
        return;
    }
    await view.open(file);
    check(`${name}: the data are the JSON's`, (await dataOf(page)) === expected);
    const drawn = await page.evaluate(() => JSON.stringify(window.simrunDrawn)), // as text, which is faster
        all = withDetails(json, JSON.parse(drawn));
    await checkNumbers(name, page, all);
    await checkPanels(name, page, panels);
    if (Array.isArray(all.runs)) await checkFastest(name, page, all);
    const [inReport, inAnswer] = await page.evaluate(() =>
        ["#report p", "#answer p"].map(
            at =>
                [...document.querySelectorAll(at)].filter(({ textContent }) =>
                    /^(Fastest|Best by [a-z ]+) for /.test(textContent),
                ).length,
        ),
    );
    check(`${name}: the answer to each problem`, inReport === inAnswer, `${inAnswer} of ${inReport}`);
    if (isNew(panels) || name.startsWith("hostile")) await checkLooks(name, view, panels, all);
    check(
        `${name}: no word on the console, no request`,
        view.faults.length === 0,
        view.faults.join("; ").slice(0, 300),
    );
}

// Drawings have colors, rows that open have the JSON's numbers, and nothing is wider than the window.
async function checkLooks(name, { page }, panels, all) {
    const coloured = await colouredPixels(page);
    for (const id of panels.filter(panel => !isText(panel)).map(panel => panel.split(":")[0]))
        check(`${name}: panel ${id} is not blank`, coloured[id] >= 50, `${coloured[id]} pixels have a color`);
    await openRows(page);
    await checkNumbers(`${name}, rows opened`, page, all);
    check(`${name}: licenses`, /^echarts .*Apache-2\.0/m.test(await readLicenses(page)));
    for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        check(`${name}: fits ${width} pixels`, wide <= width, `${wide} are taken`);
    }
}

const browser = await openBrowser(packages);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
async function checkPages() {
    const view = await openWindow(browser);
    for (let next = await lines.next(); !next.done; next = await lines.next())
        await checkPage(view, next.value.split(" "));
    await view.close();
}
await Promise.all([checkPages(), checkPages()]);
await browser.close();
finish();
