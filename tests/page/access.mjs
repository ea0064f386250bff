// Pages for everybody: what axe-core checks of WCAG 2.2 AA, wide and narrow, light and dark; each chart has a name and
// a table with its numbers; all controls are reached by the Tab key, and none is smaller than 24 pixels.
//     node access.mjs PACKAGES FILE...
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openBrowser, openPage } from "../../page/browser.mjs";
import { check, finish } from "./checks.mjs";

const [, , packages, ...files] = process.argv;
const axe = readFileSync(join(packages, "node_modules/axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function checkRules(name, page) {
    await page.evaluate(axe);
    const { violations, passes } = await page.evaluate(
        values => window.axe.run(document, { runOnly: { type: "tag", values } }),
        rules,
    );
    check(`${name}: axe has looked`, passes.length > 10, `${passes.length} rules hold`);
    for (const { id, nodes, help } of violations)
        check(`${name}: ${id}`, false, `${help}: ${nodes.length} times, as ${nodes[0].html.slice(0, 160)}`);
}

// Charts are named with what they show, and the table of a panel has as many rows as its CSV.
async function checkCharts(name, page) {
    const charts = await page.$$eval(".chart", boxes => boxes.map(box => box.getAttribute("aria-label")));
    for (const label of charts) check(`${name}: a chart's name`, /^.+: .+: .+\.$/s.test(label ?? ""), label);
    for (const panel of await page.locator("section.panel").all()) {
        await panel.locator(".show-table").click();
        const [rows, lines] = await panel.evaluate(node => [
            node.querySelectorAll(":scope > .scroll tbody tr").length,
            node.csv().trimEnd().split("\n").length - 1,
        ]);
        check(`${name}: the table of a panel`, rows > 0 && rows === Math.min(lines, 200), `${rows} of ${lines}`);
        await panel.locator(".show-table").click();
    }
}

// Controls that take a click or a key, as far as they are seen.
const controls = ":is(button, select, input, summary, canvas.rows):not([hidden])";

async function checkControls(name, page) {
    const small = await page.$$eval(controls, nodes =>
        nodes
            .filter(node => node.checkVisibility())
            .map(node => [node.outerHTML.slice(0, 80), node.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < 23.9 || height < 23.9)
            .map(([html, { width, height }]) => `${html} ${width}x${height}`),
    );
    check(`${name}: controls are 24 pixels`, small.length === 0, `${small.length}, as ${small[0]}`);
    const wanted = await page.$$eval(controls, nodes => {
        const seen = nodes.filter(node => node.checkVisibility() && !node.disabled);
        seen.forEach((node, i) => (node.dataset.control = i));
        return seen.length;
    });
    const reached = new Set();
    await page.evaluate(() => document.activeElement?.blur());
    for (let i = 0; i < 6 * wanted + 300 && reached.size < wanted; i++) {
        await page.keyboard.press("Tab");
        const at = await page.evaluate(() => document.activeElement.dataset.control);
        if (at !== undefined) reached.add(at);
    }
    check(`${name}: all controls by keyboard`, reached.size === wanted, `${reached.size} of ${wanted}`);
}

const browser = await openBrowser(packages);
for (const file of files)
    for (const [width, colorScheme] of [
        [1366, "light"],
        [390, "dark"],
    ]) {
        const { page, close } = await openPage(browser, file, { width, height: 800, colorScheme }),
            name = `${basename(file)} at ${width}`;
        await checkRules(name, page);
        await checkControls(name, page);
        if (width === 1366) await checkCharts(name, page);
        await close();
    }
await browser.close();
finish();
