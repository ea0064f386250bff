// Pictures of a page: node picture.mjs PACKAGES PAGE OUTPUT [PANEL] [WIDTH] [light|dark]
// OUTPUT.svg is what the panel saves as SVG; OUTPUT.png what the browser shows of it, or of the whole page without a
// panel ("").
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [, , packages, file, output, panel = "", width = "1200", colorScheme = "light"] = process.argv;
const { chromium } = createRequire(join(resolve(packages), "package.json"))("playwright-core");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
    const page = await browser.newPage({
        viewport: { width: Number(width), height: 900 },
        colorScheme,
        deviceScaleFactor: 1,
    });
    await page.goto("file://" + resolve(file));
    await page.waitForSelector("html[data-ready]");
    const box = panel ? page.locator(`section#${panel}`) : null;
    if (box && (await box.count()) === 0) {
        const known = await page.$$eval("section.panel", nodes => nodes.map(node => node.id).join(" "));
        throw new Error(`there is no panel '${panel}'; known: ${known}`);
    }
    await page.waitForTimeout(300); // what is drawn a frame later
    if (output.endsWith(".svg")) writeFileSync(output, await box.evaluate(node => node.svg()));
    else if (box) await box.screenshot({ path: output });
    else await page.screenshot({ path: output, fullPage: true });
} catch (error) {
    console.error(`picture: ${error.message}`);
    process.exitCode = 1;
} finally {
    await browser.close();
}
