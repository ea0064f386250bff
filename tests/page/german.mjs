// Pages in German: nothing is cut off in narrow and wide windows, and every text that is not of the answer comes from
// the tables of texts, whatever is chosen, opened or pointed at.
//     node german.mjs PACKAGES PAGE...
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from "node:fs";
import { openBrowser } from "../../page/browser.mjs";
import { faultsOfTexts } from "../../page/texts.mjs";
import { check, finish } from "./checks.mjs";
import { answerOf, markTexts, unmarkedIn } from "./unmarked.mjs";
import { pathToFileURL } from "node:url";

const [, , packages, ...pages] = process.argv;

const faults = await faultsOfTexts();
check("each text in both languages, and used", faults.length === 0, faults.join("\n"));

async function openGerman(browser, file, width) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, offline: true, locale: "en-US" });
    await markTexts(context);
    const page = await context.newPage(),
        errors = [];
    page.on("pageerror", error => errors.push(error.message));
    await page.goto(`${pathToFileURL(file)}?lang=de`);
    await page.waitForSelector("html[data-ready]", { timeout: 60000 });
    if (/live/.test(file)) await page.waitForSelector("html[data-live]", { timeout: 60000 });
    return { page, errors, close: () => context.close() };
}

// The meanings of terms in German, without marks.
const meanings = new Set(
    readFileSync(new URL("../../docs/de/glossary.md", import.meta.url), "utf8")
        .split("\n")
        .filter(line => line.startsWith("| "))
        .map(line => line.split("|")[2].replaceAll("`", "").trim()),
);

// The word stands twice in the glossary; the time of a run is the first.
const timeMeaning = "vom Anfang des Laufs bis zum Ende seines letzten Rangs (1.1)";

// Everything that a reader may bring into sight, in turn: choices, rows that open, tables, tips.
const mostOptions = 4;
const acts = [
    () => {
        for (const node of document.querySelectorAll("main details")) node.open = true;
        for (const node of document.querySelectorAll("main [aria-expanded=false]:not(.show-table)")) node.click();
        for (const node of document.querySelectorAll("main button.plain")) node.click();
    },
    () => {
        for (const box of document.querySelectorAll(".chart"))
            box.chart
                .getOption()
                .series.forEach((_, seriesIndex) =>
                    box.chart.dispatchAction({ type: "showTip", seriesIndex, dataIndex: 0 }),
                );
        for (const table of document.querySelectorAll("table.cells"))
            table.querySelector("td[tabindex]")?.dispatchEvent(new Event("focusin", { bubbles: true }));
        for (const canvas of document.querySelectorAll("canvas")) {
            const { left, top, width, height } = canvas.getBoundingClientRect();
            for (const part of [0.3, 0.6])
                canvas.dispatchEvent(
                    new PointerEvent("pointermove", {
                        clientX: left + part * width,
                        clientY: top + part * height,
                        bubbles: true,
                    }),
                );
            for (const key of ["ArrowDown", "ArrowRight"])
                canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        }
    },
];

// Chooses option k of each list of each panel that has so many; false if none has.
const chooseAll = k => {
    let isAny = false;
    for (const place of document.querySelectorAll("main .panel:not(#live)"))
        for (let i = 0; i < place.querySelectorAll("select").length; i++) {
            const list = place.querySelectorAll("select")[i];
            if (k >= list.options.length) continue;
            list.selectedIndex = k;
            list.dispatchEvent(new Event("change"));
            isAny = true;
        }
    return isAny;
};

// Texts that are not from the tables, of all that comes into sight.
async function findUnmarked(page) {
    const answer = await answerOf(page),
        found = [];
    const look = async () => {
        await page.evaluate(() => new Promise(done => setTimeout(done, 150))); // drawn on the next frame
        found.push(...(await unmarkedIn(page, { answer })));
    };
    for (let k = 0; k < mostOptions; k++) {
        await look();
        for (const act of acts) {
            await page.evaluate(act);
            await look();
        }
        if (!(await page.evaluate(chooseAll, k + 1))) break;
    }
    return found;
}
const isGerman = text => !/\b(the|of|is|are|which|with|than|longer|shares)\b/.test(text);

// Rows of a tree of bars whose bar is not as wide as that of the first row, or whose numbers are below it.
const unevenBars = () =>
    [...document.querySelectorAll(".scroll:not(.many) > .bars")].flatMap(table => {
        const rows = [...table.querySelectorAll("tbody tr")].filter(row => row.querySelector(".rail")?.offsetWidth > 0),
            width = rows[0]?.querySelector(".rail").offsetWidth;
        return rows
            .filter(row => {
                const track = row.querySelector(".track").getBoundingClientRect(),
                    numbers = [...row.querySelectorAll(".number")].map(number => number.getBoundingClientRect());
                const isBelow = numbers.some(({ top, height }) => height > 0 && top >= track.bottom);
                return isBelow || Math.abs(row.querySelector(".rail").offsetWidth - width) > 1;
            })
            .map(row => `${table.closest(".panel")?.id}: ${row.textContent}`);
    });

async function checkPage(browser, file) {
    for (const width of [390, 1366]) {
        const { page, errors, close } = await openGerman(browser, file, width),
            at = `${file.replace(/.*\//, "")} at ${width} pixels`;
        check(`${at}: German`, (await page.locator("html").getAttribute("lang")) === "de");
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`${at}: nothing is wider than the window`, excess <= 0, excess);
        const uneven = await page.evaluate(unevenBars);
        check(
            `${at}: bars of one chart have one scale, numbers stand beside them`,
            uneven.length === 0,
            uneven.join("; "),
        );
        const titles = await page.$$eval("main h2", nodes => nodes.map(node => node.textContent));
        check(
            `${at}: titles in German`,
            titles.some(title => /Bericht/.test(title)),
            titles.join(" | "),
        );
        const foreign = await page.$$eval(".meaning", nodes => nodes.map(node => node.textContent));
        check(`${at}: terms`, foreign.length > 0 && foreign.every(text => meanings.has(text)), foreign.join(" | "));
        const unmarked = await (width < 500 ? unmarkedIn(page, { answer: await answerOf(page) }) : findUnmarked(page));
        check(`${at}: all texts from the tables`, unmarked.length === 0, unmarked.join("\n"));
        check(`${at}: no errors`, errors.length === 0, errors.join("; "));
        const headlines = await page.$$eval("main .headline", nodes => nodes.map(node => node.textContent));
        check(`${at}: the answer in German`, headlines.length > 0 && headlines.every(isGerman), headlines.join(" | "));
        const said = await page.$$eval("#report p, #report h3, #report h4", nodes =>
            nodes.map(node => node.textContent),
        );
        check(`${at}: the report in German`, said.length > 0 && said.every(isGerman), said.join(" | "));
        const heads = await page.$$eval("#table-times th", nodes => nodes.map(node => node.textContent));
        check(
            `${at}: heads in German`,
            heads.length === 0 || heads.some(head => head.replaceAll(/[\u2060\u2061]/g, "") === `Zeit${timeMeaning}`),
            heads.join(" | "),
        );
        await close();
    }
}

// The menu changes the language, and the browser keeps it.
async function checkChoice(browser, file) {
    const context = await browser.newContext({ offline: true, locale: "en-US" }),
        page = await context.newPage(),
        open = async address => {
            await page.goto(address);
            await page.waitForSelector("html[data-ready]", { timeout: 30000 });
        };
    const languageOf = () => page.locator("html").getAttribute("lang");
    await open(String(pathToFileURL(file)));
    check("English where nothing else is asked for", (await languageOf()) === "en");
    await page.locator("header select").first().selectOption("de");
    await page.waitForSelector('html[lang="de"][data-ready]', { timeout: 30000 });
    check("German when it is chosen", (await languageOf()) === "de");
    await open(String(pathToFileURL(file)));
    check("German again, without an address that says so", (await languageOf()) === "de");
    await context.close();
}

const browser = await openBrowser(packages);
try {
    for (const file of pages) await checkPage(browser, file);
    await checkChoice(browser, pages[0]);
} finally {
    await browser.close();
}
finish();
