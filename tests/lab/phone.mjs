// The laboratory in windows of 390 and 1366 pixels: nothing that a reader wants to see is cut off or torn apart.
//     node phone.mjs PACKAGES LAB.html
// SPDX-License-Identifier: BSD-3-Clause
import { openBrowser } from "../../page/browser.mjs";
import { check, finish } from "../page/checks.mjs";

const [, , packages, lab] = process.argv;
const browser = await openBrowser(packages);

// A lab with the results of all experiments. A phone has fingers and nothing to point with.
async function open(name, { width, language = "en" }) {
    const isPhone = width < 600;
    const context = await browser.newContext({
        viewport: { width, height: 844 },
        ...{ offline: true, hasTouch: isPhone, isMobile: isPhone },
    });
    const page = await context.newPage();
    await page.goto(`file://${lab}?lang=${language}#${name}`);
    await page.waitForSelector("html[data-ready]", { timeout: 60000 });
    return { page, close: () => context.close() };
}

async function simulate(page) {
    await page.evaluate(() => Promise.all(window.simrunPredictions.map(one => one.show(null))));
    await page.evaluate(async () => {
        for (const one of window.simrunExperiments) await one.run();
    });
    await page.waitForFunction(() => window.simrunExperiments.every(({ root }) => root.dataset.runs > 0), null, {
        timeout: 60000,
    });
    await page.waitForTimeout(300); // frames take the height of what they show
}

// Of each term of an experiment's results: how many pixels of its meaning are outside of the frame or below something.
const termsOf = frame =>
    frame.evaluate(() => {
        const { clientWidth: right, clientHeight: bottom } = document.documentElement;
        return [...document.querySelectorAll(".term")].map(word => {
            word.focus({ preventScroll: true });
            const meaning = word.querySelector(".meaning"),
                box = meaning.getBoundingClientRect(),
                line = word.getClientRects()[0];
            const corners = [box.left + 4, box.right - 4].flatMap(x => [box.top + 4, box.bottom - 4].map(y => [x, y])),
                isSeen = ([x, y]) => meaning.contains(document.elementFromPoint(x, y)),
                outside = Math.max(-box.left, -box.top, box.right - right, box.bottom - bottom, 0);
            const isCovered = meaning.contains(document.elementFromPoint(line.left + 2, line.top + line.height / 2));
            return { word: word.firstChild.textContent, outside, isSeen: corners.every(isSeen), isCovered };
        });
    });

async function checkTerms(page, name) {
    let count = 0;
    for (const frame of page.frames().slice(1))
        for (const { word, outside, isSeen, isCovered } of await termsOf(frame)) {
            count++;
            check(`${name}: the meaning of ${word}`, outside === 0 && isSeen, `${outside} pixels are cut off`);
            check(`${name}: ${word} itself can be seen`, !isCovered);
        }
    check(`${name}: terms`, count > 3, String(count));
}

// Numbers that stand in another line than their unit, or than the x before them.
const tornIn = frame =>
    frame.evaluate(() => {
        const places = "td, th, .number, .heatkey, .guess-bars",
            number = /x (?=\d)|\d (?=(?:[pnum]?s|[KMG]?i?B|%)(?:\W|$))/g,
            texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT),
            torn = [];
        const topOf = (text, at) => {
            const range = document.createRange();
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            return range.getBoundingClientRect().top;
        };
        for (let text = texts.nextNode(); text; text = texts.nextNode())
            if (text.parentElement.closest(places) && !text.parentElement.closest(".meaning"))
                for (const { index } of text.data.matchAll(number))
                    if (topOf(text, index + 2) > topOf(text, index) + 4) torn.push(text.data);
        return [...new Set(torn)].join(", ");
    });

async function checkNumbers(page, name) {
    for (const [i, frame] of page.frames().entries()) {
        const torn = await tornIn(frame);
        check(`${name}, frame ${i}: numbers keep their units`, torn === "", torn);
    }
}

// Tables of cells are not wider than their panel.
async function checkCells(page, name) {
    for (const frame of page.frames().slice(1))
        for (const [panel, excess] of await frame.$$eval(".scroll:has(> .cells)", boxes =>
            boxes.map(box => [box.closest("section").id, box.scrollWidth - box.clientWidth]),
        ))
            check(`${name}: the cells of ${panel} fit`, excess <= 0, `${excess} pixels are cut off`);
}

// A guess is far below, or far above what is.
async function checkGuess(page, name) {
    for (const guess of ["0.001", "1000"]) {
        await page.evaluate(guess => {
            const [one] = window.simrunPredictions;
            return one.show({ given: guess });
        }, guess);
        const [rows, lefts] = await page.$$eval(".guess-bars", ([bars]) => {
            const range = document.createRange();
            const boxes = [...bars.children].map(row => {
                range.selectNodeContents(row.lastChild);
                return range.getClientRects();
            });
            return [
                boxes.map(({ length }) => length),
                boxes.map(([{ right }]) => right <= bars.clientWidth + bars.offsetLeft + 1),
            ];
        });
        check(`${name}: a guess of ${guess} has a line for each bar`, rows.join() === "1,1", rows.join());
        check(`${name}: a guess of ${guess} fits`, lefts.every(Boolean));
    }
}

for (const width of [390, 1366])
    for (const name of ["1-gauss-jordan", "9-dragonfly"]) {
        const { page, close } = await open(name, { width });
        await simulate(page);
        await checkTerms(page, `${name}, ${width} pixels`);
        await checkNumbers(page, `${name}, ${width} pixels`);
        await checkCells(page, `${name}, ${width} pixels`);
        await close();
    }

for (const name of ["2-broadcasts", "4-topologies", "5-bottlenecks", "10-overlap"]) {
    const { page, close } = await open(name, { width: 390 });
    await simulate(page);
    await checkNumbers(page, name);
    if (name === "10-overlap") await checkGuess(page, name);
    await close();
}

await browser.close();
finish();
