// site.mjs PACKAGES INDEX.html: the site, opened as a file, finds words and is not wider than a narrow window.
// SPDX-License-Identifier: BSD-3-Clause
import { openBrowser, openWindow } from "../../page/browser.mjs";

const [packages, index] = process.argv.slice(2);
const browser = await openBrowser(packages);
let failed = 0;
const check = (what, isRight) => {
    if (!isRight) console.log(`FAILED: ${what}`);
    failed += !isRight;
};

for (const colorScheme of ["light", "dark"]) {
    const opened = await openWindow(browser, { width: 480, colorScheme });
    await opened.page.goto("file://" + index);
    const { scheme, link, excess } = await opened.page.evaluate(() => ({
        scheme: document.body.dataset.mdColorScheme,
        link: getComputedStyle(document.querySelector("article p a:not(.md-button)")).color,
        excess: document.documentElement.scrollWidth - innerWidth,
    }));
    check(`${colorScheme}: drawn as ${scheme}`, scheme === { light: "default", dark: "slate" }[colorScheme]);
    const brightness =
        link
            .match(/\d+/g)
            .slice(0, 3)
            .reduce((sum, part) => sum + +part, 0) / 3;
    check(`${colorScheme}: links of ${link}`, colorScheme === "dark" ? brightness > 150 : brightness < 150);
    check(`${colorScheme}: ${excess} pixels too wide`, excess <= 0);
    await opened.close();
}

const opened = await openWindow(browser);
await opened.page.goto("file://" + index);
await opened.page.focus(".md-search__input");
await opened.page.waitForFunction(
    () => /^Type/.test(document.querySelector(".md-search-result__meta").textContent.trim()),
    null,
    { timeout: 60000 },
);
await opened.page.keyboard.type("eager limit");
await opened.page.waitForSelector(".md-search-result__item a", { timeout: 20000 }).catch(() => {});
const found = await opened.page.locator(".md-search-result__item a").evaluateAll(links => links.map(link => link.href));
check(
    `what is found: ${found}`,
    found.some(link => link.startsWith("file://") && /glossary|messages|platform/.test(link)),
);
check(`faults: ${opened.faults.join("; ")}`, opened.faults.length === 0);
if (process.argv[4]) await opened.page.screenshot({ path: process.argv[4] });
await browser.close();
process.exit(failed > 0 ? 1 : 0);
