// A page in German: titles, choices and buttons are, nothing is cut off in narrow and wide windows, and every text that
// is not a name of the answer comes from the tables of texts.
//     node german.mjs PACKAGES PAGE...
// SPDX-License-Identifier: BSD-3-Clause
import { openBrowser } from "../../page/browser.mjs";
import { faultsOfTexts } from "../../page/texts.mjs";
import { check, finish } from "./checks.mjs";
import { pathToFileURL } from "node:url";

const [, , packages, ...pages] = process.argv;

const faults = await faultsOfTexts();
check("each text in both languages, and used", faults.length === 0, faults.join("\n"));

// Headings, buttons and introductions of panels.
const fixedTexts = "main h2, main button.show-table, main .panel > .about:not(.told), main nav a";

async function openGerman(browser, file, width) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, offline: true, locale: "en-US" });
    await context.addInitScript(() => (window.simrunMarkTexts = true));
    const page = await context.newPage(),
        errors = [];
    page.on("pageerror", error => errors.push(error.message));
    await page.goto(`${pathToFileURL(file)}?lang=de`);
    await page.waitForSelector("html[data-ready]", { timeout: 30000 });
    return { page, errors, close: () => context.close() };
}

async function checkPage(browser, file) {
    for (const width of [390, 1366]) {
        const { page, errors, close } = await openGerman(browser, file, width),
            at = `${file.replace(/.*\//, "")} at ${width} pixels`;
        check(`${at}: no errors`, errors.length === 0, errors.join("; "));
        check(`${at}: German`, (await page.locator("html").getAttribute("lang")) === "de");
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`${at}: nothing is wider than the window`, excess <= 0, excess);
        const unmarked = await page.$$eval(fixedTexts, nodes =>
            nodes.map(node => node.textContent).filter(text => text.trim() !== "" && !text.includes("\u2060")),
        );
        check(`${at}: all texts from the tables`, unmarked.length === 0, unmarked.join(" | "));
        const titles = await page.$$eval("main h2", nodes => nodes.map(node => node.textContent.replace("\u2060", "")));
        check(`${at}: titles in German`, titles.includes("Bericht") && !titles.includes("Report"), titles.join(" | "));
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
