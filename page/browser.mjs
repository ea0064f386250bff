// A headless browser for tests and pictures of pages: opens files from disk, without a network, notes what goes wrong.
// SPDX-License-Identifier: BSD-3-Clause
import { createRequire } from "node:module";
import { join } from "node:path";

// packages: the folder with node_modules.
export async function openBrowser(packages) {
    const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

// Firefox as it is, by WebDriver BiDi. Its releases do not know every command that the driver sends to a new window:
// the one that chooses light or dark is left out where it is unknown.
export async function openFirefox(packages) {
    const { firefox } = createRequire(join(packages, "package.json"))("playwright-core");
    const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
    const browser = await firefox.launch({ executablePath, channel: "moz-firefox" });
    const sessions = Object.getPrototypeOf(browser._connection.toImpl(browser)._browserSession),
        { send } = sessions;
    sessions.send = async function (command, parameters) {
        try {
            return await send.call(this, command, parameters);
        } catch (error) {
            if (command === "emulation.setMediaFeaturesOverride" && /unknown command/.test(error.message)) return {};
            throw error;
        }
    };
    return browser;
}

// Choose in a panel: "components:in=percent,show=all-parts", where - stands for a blank. False: no such choice.
export async function chooseIn(page, text) {
    const [id, choices = ""] = text.split(":");
    for (const choice of choices.split(",").filter(Boolean)) {
        const [name, value] = choice.split("=");
        const isThere = await page.locator(`section#${id}`).evaluate(
            (section, [name, value]) => {
                const label = [...section.querySelectorAll("label")].find(node =>
                    node.textContent.startsWith(name + " "),
                );
                const list = label?.querySelector("select");
                const place = [...(list?.options ?? [])].findIndex(({ text }) => text.replaceAll(" ", "-") === value);
                if (place < 0) return false;
                list.selectedIndex = place;
                return list.dispatchEvent(new Event("change"));
            },
            [name, value],
        );
        if (!isThere) return false;
    }
    return true;
}

// A window to open pages in, one after the other, which is faster than a new one for each. faults: everything that a
// reader of the page, or of its console, would call one.
export async function openWindow(browser, { width = 1280, height = 900, colorScheme = "light" } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, offline: true });
    const page = await context.newPage(),
        opened = { page, faults: [], close: () => context.close() },
        note = fault => opened.faults.push(fault);
    page.on("console", message => ["error", "warning"].includes(message.type()) && note(`console: ${message.text()}`));
    page.on("pageerror", error => note(`error: ${error.message}`));
    page.on("request", request => /^(file|blob|data):/.test(request.url()) || note(`request: ${request.url()}`));
    // Until it is drawn.
    opened.open = async file => {
        opened.faults = [];
        await page.setViewportSize({ width, height });
        await page.goto("file://" + file);
        await page
            .waitForSelector("html[data-ready]", { timeout: 60000 })
            .catch(() => note("the page is not drawn in 60 s"));
    };
    return opened;
}

// A page in a window of its own.
export async function openPage(browser, file, options) {
    const opened = await openWindow(browser, options);
    await opened.open(file);
    return opened;
}

// The text of "Licenses" at the foot of a page.
export async function readLicenses(page) {
    await page.click(".licenses summary");
    const text = page.locator(".licenses pre");
    await text.filter({ hasText: "simrun" }).waitFor({ timeout: 20000 });
    return text.textContent();
}
