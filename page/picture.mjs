// Pictures of a page: node picture.mjs PACKAGES PAGE OUTPUT [PANEL] [WIDTH] [light|dark]
// OUTPUT.svg is what the panel saves as SVG; OUTPUT.png what the browser shows of it, or of the whole page without a
// panel (""). "components:in=percent" chooses in the panel first.
// SPDX-License-Identifier: BSD-3-Clause
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { chooseIn, openBrowser, openPage } from "./browser.mjs";

const [, , packages, file, output, panel = "", width = "1200", colorScheme = "light"] = process.argv;
const [id] = panel.split(":");

async function draw(page) {
    const box = id ? page.locator(`section#${id}`) : null;
    if (box && (await box.count()) === 0) {
        const known = await page.$$eval("section.panel", nodes => nodes.map(node => node.id).join(" "));
        throw new Error(`there is no panel '${id}'; known: ${known}`);
    }
    if (box && !(await chooseIn(page, panel))) throw new Error(`there is no such choice: ${panel}`);
    await page.waitForTimeout(300); // what is drawn a frame later
    if (output.endsWith(".svg")) writeFileSync(output, await box.evaluate(node => node.svg()));
    else if (box) await box.screenshot({ path: output });
    else await page.screenshot({ path: output, fullPage: true });
}

const browser = await openBrowser(resolve(packages));
try {
    const { page } = await openPage(browser, resolve(file), { width: Number(width), colorScheme });
    await draw(page);
} catch (error) {
    console.error(`picture: ${error.message}`);
    process.exitCode = 1;
} finally {
    await browser.close();
}
