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
    const count = await page.evaluate(() => window.simrunExperiments.length);
    const isSimulated = i => {
        const { root } = window.simrunExperiments[i];
        root.scrollIntoView(); // results of others may have moved it away again
        return root.dataset.runs > 0;
    };
    for (let i = 0; i < count; i++) await page.waitForFunction(isSimulated, i, { timeout: 60000 });
    await page.waitForTimeout(300); // frames take the height of what they show
}

// The results of an experiment, from 1.
const resultsOf = async (page, number) =>
    (
        await page
            .locator(".experiment iframe")
            .nth(number - 1)
            .elementHandle()
    ).contentFrame();

// How many pixels of the meaning of each term in an experiment's results are outside of the frame or below something.
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

// Buttons for fingers.
async function checkButtons(page, name) {
    for (const [i, frame] of page.frames().entries()) {
        const low = await frame.$$eval("button:not(.plain), select", nodes =>
            nodes
                .map(node => [node.textContent, node.getBoundingClientRect().height])
                .filter(([, height]) => height > 0 && height < 36)
                .map(([text]) => text),
        );
        check(`${name}, frame ${i}: buttons are 36 pixels high`, low.length === 0, low.join(", "));
    }
}

// Those of guesses and questions stand apart, beside each other or one below the other.
async function checkGaps(page, name) {
    const gaps = await page.$$eval(".question", forms =>
        forms.flatMap(form => {
            const buttons = [...form.querySelectorAll("button")];
            for (const one of buttons) one.hidden = false;
            const [a, b] = buttons.map(one => one.getBoundingClientRect());
            return a && b ? [b.top > a.top ? b.top - a.bottom : b.left - a.right] : [];
        }),
    );
    check(`${name}: buttons stand apart`, gaps.length > 1 && gaps.every(gap => gap >= 8), gaps.join());
}

// Help says what a finger does, and a finger does it.
async function checkTouch(frame, name, words) {
    const text = await frame.evaluate(() => document.body.innerText);
    for (const word of words) check(`${name}: says '${word}'`, text.includes(word));
    check(`${name}: no keys, no wheel`, !/arrow keys|wheel|Pfeiltasten|Mausrad/.test(text));
}
async function checkFingers(page, frame, name) {
    const shown = () =>
        frame.evaluate(() => {
            const { from, to } = document.querySelector("section#timeline").timeline;
            return to - from;
        });
    const canvas = frame.locator("#timeline canvas.rows"),
        whole = await shown();
    await canvas.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await canvas.boundingBox(),
        session = await page.context().newCDPSession(page);
    const touch = (type, ...xs) =>
        session.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: xs.map((at, id) => ({ x: x + at * width, y: y + height / 2, id })),
        });
    await touch("touchStart", 0.45, 0.55);
    for (const part of [0.1, 0.15, 0.2]) await touch("touchMove", 0.5 - part, 0.5 + part);
    await touch("touchEnd");
    const near = await shown();
    check(`${name}: two fingers zoom`, near < whole / 2 && near > 0, `${near} of ${whole} s`);
    for (let i = 0; i < 2; i++) {
        await touch("touchStart", 0.5);
        await touch("touchEnd");
    }
    await page.waitForTimeout(300);
    check(`${name}: a double tap shows all`, (await shown()) === whole, `${await shown()} of ${whole} s`);
}

// A word of a head breaks with a hyphen alone.
async function checkHeads(page, name) {
    for (const [i, frame] of page.frames().slice(1).entries()) {
        const torn = await frame.$$eval("th", heads =>
            heads
                .filter(head => {
                    const { hyphens, overflowWrap } = getComputedStyle(head),
                        texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT),
                        range = document.createRange();
                    if (hyphens === "auto" && overflowWrap === "normal") return false;
                    for (let text = texts.nextNode(); text; text = texts.nextNode())
                        for (const { 0: word, index } of text.data.matchAll(/[\p{L}]+/gu)) {
                            range.setStart(text, index);
                            range.setEnd(text, index + word.length);
                            if (range.getClientRects().length > 1) return true;
                        }
                    return false;
                })
                .map(head => head.textContent),
        );
        check(`${name}, experiment ${i + 1}: heads`, torn.length === 0, torn.join(", "));
    }
}

// The rows behind each panel: no column says the same in all of them, numbers that are not whole have six digits. What
// is saved has all.
async function checkTables(page, name) {
    let shortened = 0;
    for (const frame of page.frames().slice(1))
        for (const { id, constant, long, wanted } of await frame.$$eval(".panel", panels =>
            panels.map(panel => {
                panel.querySelector(".show-table").click();
                const rows = [...panel.querySelectorAll(".rows-of-csv tbody tr")],
                    cells = rows.map(row => [...row.cells].map(cell => cell.textContent)),
                    digits = text =>
                        text
                            .replace(/e.*/, "")
                            .replace(/^-?[0.]*/, "")
                            .replace(".", "").length;
                const numbers = text => (text.match(/-?\d+\.\d+(?:e-?\d+)?/g) ?? []).filter(one => digits(one) > 6);
                return {
                    id: panel.id,
                    constant: (cells[0] ?? []).filter(
                        (text, k, all) => all.length > 1 && cells.length > 1 && cells.every(row => row[k] === text),
                    ),
                    long: cells.flat().flatMap(numbers),
                    wanted: numbers(panel.csv()).length,
                };
            }),
        )) {
            shortened += wanted;
            check(`${name}: the table of ${id} has no constant column`, constant.length === 0, constant.join());
            check(`${name}: the table of ${id} is short`, long.length === 0, long.slice(0, 5).join());
        }
    check(`${name}: CSV has all digits`, shortened > 0);
}

// The texts of a panel's first chart, and the colors of its legend by name.
const chartOf = async (page, experiment, panel) =>
    (await resultsOf(page, experiment)).$eval(`#${panel}`, section => ({
        texts: [...section.querySelectorAll(".chart text")].map(text => text.textContent),
        fills: Object.fromEntries(
            [...section.querySelectorAll(".legend .series")].map(one => [
                one.textContent,
                one.querySelector("path")?.getAttribute("fill"),
            ]),
        ),
        soft: getComputedStyle(document.documentElement).getPropertyValue("--soft").trim(),
    }));

async function checkAxes(page, name) {
    const { texts, fills, soft } = await chartOf(page, 3, "scaling");
    const ticks = ["8", "16", "32"].every(tick => texts.includes(tick)) && !texts.includes("5");
    check(`${name}: ticks at the points`, ticks, texts.join(" "));
    check(`${name}: measured points of several lines have a neutral mark`, fills.measured === soft, fills.measured);
}

// Code breaks between words; what follows is indented, and no backslash stands alone.
async function checkCode(page, name) {
    const [count, faults] = await page.evaluate(() => {
        document.querySelectorAll("details").forEach(one => (one.open = true));
        const faults = [],
            lines = [...document.querySelectorAll("article pre .line")];
        for (const line of lines) {
            const { left, right } = line.getBoundingClientRect(),
                words = [...line.querySelectorAll("span")].map(word => [
                    word.textContent,
                    word.getBoundingClientRect(),
                ]),
                lineHeight = parseFloat(getComputedStyle(line).lineHeight);
            for (const [text, box] of words) {
                const isNext = box.top > words[0][1].top + 2;
                if (box.height > 1.5 * lineHeight && box.width < (right - left) / 2) faults.push(`${text} is torn`);
                if (isNext && box.left < left + 20) faults.push(`${text} is not indented`);
                if (text === "\\") faults.push("a backslash alone");
            }
        }
        return [lines.length, faults];
    });
    check(`${name}: lines of code`, count > 2, String(count));
    check(`${name}: code breaks between words`, faults.length === 0, faults.join("; "));
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
        if (name === "9-dragonfly") await checkAxes(page, `${name}, ${width} pixels`);
        await close();
    }

const touched = {
    "2-broadcasts": { en: "Tap a cell to see more about it.", de: "Tippen Sie auf eine Zelle" },
    "8-real-program": {
        en: "Two fingers zoom, one finger moves, a double tap shows all.",
        de: "Zwei Finger vergrößern, ein Finger verschiebt",
    },
};
const more = {
    "8-real-program": async (page, name) => {
        await checkCode(page, name);
        await checkFingers(page, await resultsOf(page, 1), name);
    },
    "10-overlap": async (page, name) => {
        await checkCode(page, name);
        await checkButtons(page, name);
        await checkGuess(page, name);
        const { texts } = await chartOf(page, 2, "scaling");
        check(`${name}: the last value has its tick`, texts.includes("196"), texts.join(" "));
    },
};
const languages = { en: ["2-broadcasts", "4-topologies", "5-bottlenecks"], de: ["2-broadcasts", "5-bottlenecks"] };
for (const [language, labs] of Object.entries(languages))
    for (const lab of [...labs, "8-real-program", "10-overlap"]) {
        const { page, close } = await open(lab, { width: 390, language }),
            name = `${lab}, ${language}`;
        if (lab === "10-overlap") await checkGaps(page, name);
        await simulate(page);
        await checkNumbers(page, name);
        await checkHeads(page, name);
        if (touched[lab]) await checkTouch(await resultsOf(page, 1), name, [touched[lab][language]]);
        await more[lab]?.(page, name);
        if (language === "en") await checkTables(page, name);
        await close();
    }

const { page, close } = await open("10-overlap", { width: 1366 });
await simulate(page);
const [ranking, grid] = await (
    await resultsOf(page, 3)
).$$eval("#ranking, #grid", nodes => nodes.map(node => node.getBoundingClientRect().toJSON()));
check("few grids stand beside the ranking", grid.top === ranking.top && grid.left > ranking.right);
await close();
await browser.close();
finish();
