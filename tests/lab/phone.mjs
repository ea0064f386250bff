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
        await checkFingers(page, page.frames()[1], name);
    },
    "10-overlap": async (page, name) => {
        await checkCode(page, name);
        await checkButtons(page, name);
        await checkGuess(page, name);
    },
};
for (const language of ["en", "de"])
    for (const lab of ["2-broadcasts", "4-topologies", "5-bottlenecks", "8-real-program", "10-overlap"]) {
        const { page, close } = await open(lab, { width: 390, language }),
            name = `${lab}, ${language}`;
        if (lab === "10-overlap") await checkGaps(page, name);
        await simulate(page);
        await checkNumbers(page, name);
        if (touched[lab]) await checkTouch(page.frames()[1], name, [touched[lab][language]]);
        await more[lab]?.(page, name);
        await close();
    }

await browser.close();
finish();
