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

for (const width of [390, 1366])
    for (const name of ["1-gauss-jordan", "9-dragonfly"]) {
        const { page, close } = await open(name, { width });
        await simulate(page);
        await checkTerms(page, `${name}, ${width} pixels`);
        await close();
    }

await browser.close();
finish();
