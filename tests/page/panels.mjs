// The panels of traced programs, as a reader uses them, by clicks and by keys.
//     node panels.mjs PACKAGES FOLDER PAGE...
// SPDX-License-Identifier: BSD-3-Clause
import { join } from "node:path";
import { format } from "../../page/src/numbers.js";
import { openBrowser, openPage } from "../../page/browser.mjs";
import { check, finish } from "./checks.mjs";

const [, , packages, folder, ...pages] = process.argv;

const runOf = page => page.evaluate(() => window.simrunData.runs[0]);
const textOf = (page, selector) => page.locator(selector).allTextContents();

async function checkSource(page) {
    const { sites, site_waits: waits } = await runOf(page),
        at29 = ({ site }) => site.startsWith("causes.c:29 ");
    const row = page.locator('#source tr:has([data-line="29"])'),
        cells = await row.locator("td").allTextContents();
    check("the source as it is", cells[3] === '<img src=x onerror="document.title=1">&amp;?', cells[3]);
    check("a line's time", cells[1] === format(sites.find(at29).time_s, "s"), cells[1]);
    check("a line's waiting", cells[2] === format(waits.find(at29).time_s, "s"), cells[2]);
    const gaps = (await textOf(page, "#source .inner")).join("|");
    check("what is left out", gaps === "lines 1 to 10 are left out|lines 45 to 90 are left out", gaps);
    await row.locator("button").focus();
    await page.keyboard.press("Enter");
    const opened = (await textOf(page, "#source tr.inner td")).join("|");
    check("whom a line waits for", opened.includes("wait at N x N, most for rank 0"), opened);
    check("the line keeps the focus", await row.locator("button").evaluate(node => node === document.activeElement));
    await page.keyboard.press("Enter");
    check("a line is closed", !(await textOf(page, "#source tr.inner td")).join("|").includes("N x N"));
}

async function checkIterations(page) {
    const { iterations, iteration_findings: findings } = await runOf(page),
        csv = await page.locator("#iterations").evaluate(node => node.csv().trimEnd().split("\n").slice(1));
    check("all iterations", csv.length === iterations.length, csv.length);
    const marked = csv.filter(line => !/,,$/.test(line)).map(line => Number(line.split(",")[0]));
    const wanted = findings
        .map(({ iteration }) => iteration)
        .filter(Boolean)
        .sort((a, b) => a - b);
    check("those that stand out", wanted.length > 0 && String(marked) === String(wanted), `${marked}`);
    const said = await page.locator("#iterations .about").last().textContent(),
        trend = findings.find(({ iteration }) => iteration === 0);
    check("a trend", trend ? said.startsWith("Each iteration is ") : said.startsWith("There is no trend"), said);
}

async function checkDelays(page) {
    const { delays } = await runOf(page),
        names = await textOf(page, "#delays tbody th");
    check("places of delays", names.length === Math.min(delays.length, 20) && names.length > 2, names.length);
    check("the largest first", names[0].startsWith(`rank ${delays[0].rank} in ${delays[0].scope}`), names[0]);
    const widths = await page.$$eval("#delays tbody tr:first-child .bar", bars =>
        bars.map(bar => parseFloat(bar.style.width)),
    );
    const share = (100 * delays[0].direct_s) / delays[0].cost_s;
    check("direct cost on its bar", Math.abs(widths[0] - share) < 0.01, `${widths[0]} instead of ${share}`);
}

async function checkTree(page) {
    const { call_paths: paths } = await runOf(page),
        canvas = page.locator("#call-tree canvas"),
        said = page.locator("#call-tree .told");
    await canvas.focus();
    for (const [key, path] of [
        ["ArrowDown", 0],
        ["ArrowDown", 1],
        ["ArrowUp", 0],
    ]) {
        await page.keyboard.press(key);
        const text = await said.textContent();
        check(
            `${key} in a call tree`,
            text.startsWith(`${paths[path].path}: ${format(paths[path].time_s, "s")}`),
            text,
        );
    }
    const back = page.getByRole("button", { name: "whole program", exact: true });
    check("all is shown", await back.isDisabled());
    await page.keyboard.press("Enter");
    check("a path alone", await back.isEnabled());
    await back.click();
    check("all is shown again", await back.isDisabled());
    const wanted = paths.at(-1).function,
        found = paths.filter(({ function: name }) => name.includes(wanted));
    await page.getByLabel("find").fill(wanted.toLowerCase());
    check("a search", (await said.textContent()).startsWith(`${found.length} paths`), await said.textContent());
    await page.keyboard.press("Enter");
    const text = await said.textContent();
    check(
        "what is found",
        found.some(({ path }) => text.startsWith(`${path}: `)),
        text,
    );
}

async function checkChanges(page) {
    const canvas = page.locator("#call-changes canvas"),
        said = page.locator("#call-changes .told"),
        summary = await canvas.getAttribute("aria-label");
    check(
        "the changes in words",
        summary ===
            "Call trees of old and new: 7 paths, 1 of them only in old and 1 only in new. " +
                "Largest change: main > phase > MPI_Recv, +15.00 ms",
        summary,
    );
    await canvas.focus();
    for (const [keys, text] of [
        [
            ["ArrowDown"],
            "main: 50.00 ms in old (waiting 12.50 ms, calls 2), 80.00 ms in new (waiting 27.50 ms, calls 3)",
        ],
        [["ArrowDown"], "main > phase: 35.00 ms in old"],
        [["ArrowRight"], "main > links: only in new; 5.000 ms in new (waiting 0 s, calls 1)"],
        [["ArrowRight"], "main > kernel: only in old; 2.000 ms in old (waiting 0 s, calls 0)"],
        [["ArrowUp", "ArrowDown", "ArrowDown", "ArrowRight"], "main > phase > kernel: 10.00 ms in old"],
    ]) {
        for (const key of keys) await page.keyboard.press(key);
        check(`${keys}`, (await said.textContent()).startsWith(text), await said.textContent());
    }
    check("of itself", (await said.textContent()).endsWith(": +15.00 ms, +15.00 ms of it in the function itself"));
    const csv = await page.locator("#call-changes").evaluate(node => node.csv().trimEnd().split("\n"));
    check("a path of one only as CSV", csv[6] === "main > links,,0.005,0.005,,0,,1,0.005", csv[6]);
}

// The two best runs of those that are `last` in what varies; both have the same window, in seconds.
const checkBest = last => async page => {
    const { runs } = await page.evaluate(() => window.simrunData),
        isLast = ({ parameters }) => Object.entries(last).every(([name, value]) => parameters[name] === value),
        best = runs.filter(run => run.time_s > 0 && isLast(run)).sort((a, b) => a.time_s - b.time_s);
    await page.waitForSelector("#best-timelines[data-ready]");
    const heads = await textOf(page, "#best-timelines h3"),
        nameOf = ({ parameters }) => parameters.broadcast ?? parameters.grid;
    for (const [k, head] of heads.entries()) {
        const isNamed = head.includes(nameOf(best[k])) && head.endsWith(`, ${format(best[k].time_s, "s")}`);
        check(`timeline ${k}`, isNamed, `${head}; ${nameOf(best[k])} ${best[k].time_s}`);
    }
    check("two timelines", heads.length === 2);
    const windows = () =>
        page.$eval("#best-timelines", ({ timelines }) =>
            timelines.map(({ from, to, model }) => [from, to].map(time => time * model.unit_s)),
        );
    const [whole] = await windows();
    await page.locator("#best-timelines canvas").nth(1).focus();
    for (const key of ["+", "+", "ArrowRight"]) await page.keyboard.press(key);
    const [first, second] = await windows();
    check("a window", first[0] > 0 && first[1] - first[0] < whole[1] / 2, `${first} of ${whole}`);
    check(
        "the same in both",
        first.every((time, k) => Math.abs(time - second[k]) < 1e-9),
        `${first}; ${second}`,
    );
    // The panels of one run offer both.
    const list = page.locator("#timeline label", { hasText: /^run / }).locator("select");
    check("a choice of the two", (await list.locator("option").count()) === 2);
    await list.selectOption({ index: await list.evaluate(node => 1 - node.selectedIndex) });
    const shown = await page.$eval("#answer select", node => node.selectedOptions[0].text);
    check("other panels follow", shown.includes(nameOf(best[1])), shown);
};

const checks = {
    "source.html": [checkSource],
    "iterations.html": [checkIterations, checkDelays],
    "paths.html": [checkTree],
    "changes.html": [checkChanges],
    "best-gj-broadcasts.html": [checkBest({})],
    "best-broadcast-crossover.html": [checkBest({ bytes: 4 << 20, ranks: 16 })],
    "best-align.html": [checkBest({ size: 9600 })],
};
const browser = await openBrowser(packages);
for (const name of pages) {
    const { page, faults, close } = await openPage(browser, join(folder, name));
    for (const look of checks[name]) await look(page);
    check(`${name}: faults`, faults.length === 0, faults.join("; "));
    check(`${name}: its title`, (await page.title()) !== "1");
    await close();
}
await browser.close();
finish();
