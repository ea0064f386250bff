// A headless browser for tests of pages: opens files from disk, without a network, and notes what goes wrong.
import { createRequire } from "node:module";
import { join } from "node:path";

// packages: the folder with node_modules. Ends the test as skipped where there is no browser.
export async function openBrowser(packages) {
    const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

// Open a page and wait until it is drawn. faults: everything that a reader of it, or of its console, would call one.
export async function openPage(browser, file, { width = 1280, height = 900, colorScheme = "light" } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, offline: true });
    const page = await context.newPage(),
        faults = [];
    page.on(
        "console",
        message => ["error", "warning"].includes(message.type()) && faults.push(`console: ${message.text()}`),
    );
    page.on("pageerror", error => faults.push(`error: ${error.message}`));
    page.on("request", request => /^(file|blob|data):/.test(request.url()) || faults.push(`request: ${request.url()}`));
    await page.goto("file://" + file);
    await page
        .waitForSelector("html[data-ready]", { timeout: 20000 })
        .catch(() => faults.push("the page is not drawn in 20 s"));
    return { page, faults, close: () => context.close() };
}
