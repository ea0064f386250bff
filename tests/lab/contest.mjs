// Contestants of a lab: lines that are kept under names race beside those of libraries, each with the times that the
// command has for it; they are edited, removed, saved and found again. See contest.sh.
//     node contest.mjs PACKAGES FOLDER SIMRUN      FOLDER has lab.html
// SPDX-License-Identifier: BSD-3-Clause
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openWindow } from "../../page/browser.mjs";
import { faultOf, most_contestants, readContestants } from "../../page/lab/contestants.js";
import { check, finish } from "../page/checks.mjs";

const [, , packages, folder, simrun] = process.argv;
const lab = join(folder, "lab.html"),
    saved = join(folder, "saved");

// --- without a page ---

const eight = Array.from({ length: most_contestants }, (_, i) => ({ name: `n${i}`, lines: "" }));
check("a ninth is too many", /which is the most/.test(faultOf("n8", eight, [])));
check("one of eight can be written anew", faultOf("n7", eight, []) === null);
check("a name is needed", /Write a name/.test(faultOf("", [], [])));
check("the name of a library's", /races already/.test(faultOf("flat", [], ["own", "flat"])));
const slots = {
    1: { name: " a ", lines: "0 -> 1" },
    2: { name: 3, lines: "" },
    3: { name: "b" },
    9: { name: "c", lines: "" },
};
check(
    "of hostile work what is a contestant",
    JSON.stringify(readContestants(i => slots[i] ?? null)) === '[{"name":"a","lines":"0 -> 1"}]',
);

// --- in the laboratory ---

const browser = await openBrowser(packages);
const view = await openWindow(browser, { width: 1366, height: 900 }),
    { page } = view;
const last = 3; // experiment 4
const open = async () => {
    await page.goto("about:blank");
    await view.open(`${lab}#3-own-broadcast`);
    await page.evaluate(() => Promise.all(window.simrunPredictions.map(one => one.show(null))));
    await page.evaluate(i => window.simrunExperiments[i].root.scrollIntoView(), last);
    await drawn();
};
// Names in the standings, when the last experiment has an answer again.
const drawn = async (act = async () => {}) => {
    const before = await page.evaluate(i => window.simrunExperiments[i].root.dataset.runs ?? 0, last);
    await act();
    await page.waitForFunction(
        ([i, before]) => Number(window.simrunExperiments[i].root.dataset.runs) > before,
        [last, Number(before)],
        { timeout: 60000 },
    );
};
const racers = () =>
    page.evaluate(i => {
        const { runs } = window.simrunExperiments[i].view.data,
            means = new Map();
        for (const { parameters, time_s } of runs)
            means.set(parameters.broadcast, [...(means.get(parameters.broadcast) ?? []), time_s]);
        return [...means];
    }, last);
const names = async () => (await racers()).map(([name]) => name).join();
const box = page.locator(".experiment").nth(last);
const status = () => page.evaluate(i => window.simrunExperiments[i].status.textContent, last);
const keep = async name => {
    await box.locator(".contestants input").fill(name);
    await box.locator(".contestants button", { hasText: "Keep" }).click();
};
// The lines of experiment 1 are those of experiment 4.
const write = text => drawn(() => page.locator(".lines textarea").first().fill(text));

const flat = "for r = 1 to ranks - 1\n  0 -> r\nend\n",
    sixteen = "for r = 1 to 15\n  0 -> r\nend\n";
await open();
const before = await names();
check("the race of before", before === "own,flat,binomial,chain_segmented,scatter_doubling", before);
await write(flat);
await drawn(() => keep("my flat"));
await write(sixteen);
await drawn(() => keep("of sixteen"));
check("both race", (await names()) === `${before},my flat,of sixteen`, await names());
const times = new Map(await racers());
const isFlat = name => times.get(name).length === 18 && times.get(name).join() === times.get("flat").join();
check("with the times of the library's flat one", isFlat("my flat") && isFlat("of sixteen"));
const rows = await box.frameLocator("iframe").locator("#standings").textContent();
check("the standings show them", /\. my flat/.test(rows) && /\. of sixteen/.test(rows), rows.slice(0, 200));

await keep("flat");
check("no two of a name", /flat races already/.test(await box.locator(".contestants .status").textContent()));

// 12 ranks: one has lines for more.
await write(flat);
await drawn(() => box.locator("input[type=range]").fill("12"));
check("who cannot race says why", /of sixteen does not race: own\.txt:2: rank 12/.test(await status()), await status());
check("and the others do", (await names()) === `${before},my flat`, await names());

// Kept, with the lines themselves, where `simrun marks` finds them.
const work = await page.evaluate(() => window.simrunWork.text());
const kept = JSON.parse(work).labs["3-own-broadcast"].contestants;
check("in the saved work", kept[1].name === "my flat" && kept[2].lines === sixteen, JSON.stringify(kept));
mkdirSync(saved);
writeFileSync(join(saved, "ann.json"), work.replace('"name": ""', '"name": "Ann"'));
await open();
check("found again", /my flat/.test(await names()), await names());
await drawn(() => box.locator("button", { hasText: "Edit my flat" }).click());
check("lines to edit", (await box.locator("textarea").inputValue()) === flat);
await drawn(() => box.locator("button", { hasText: "Remove my flat" }).click());
check("removed", !/my flat/.test(await names()), await names());
const left = await page.evaluate(() => Object.keys(window.simrunWork.all.labs["3-own-broadcast"].contestants));
check("in the work, too", left.join() === "1", left.join());
check("no word on the console, no request", view.faults.length === 0, view.faults.join("; ").slice(0, 300));

// --- a class's page: the best of each ---

const chain = "segments 4\nfor s = 0 to 3\n  for r = 0 to ranks - 2\n    r -> r + 1 : s\n  end\nend\n",
    bob = { "3-own-broadcast": { contestants: { 1: { name: "chain of 4", lines: chain } } } };
writeFileSync(join(saved, "bob.json"), JSON.stringify({ simrun_work: 1, name: "Bob", labs: bob }));
writeFileSync(join(saved, "not.json"), "{}");
const marks = join(folder, "marks.html");
execFileSync(simrun, ["marks", "-f", "html", "-o", marks, saved]);
await view.open(marks);
const standings = await page.locator("#standings").textContent(),
    results = await page.locator("#table-results tbody tr").allTextContents(),
    contestants = await page.locator("#table-race tbody tr").allTextContents();
check("both are in the standings", /1\. Bob/.test(standings) && /2\. Ann/.test(standings), standings.slice(0, 200));
check(
    "with the names of their lines",
    /chain of 4/.test(contestants[0]) && /of sixteen/.test(contestants[1]),
    contestants.join(),
);
check("a row for each file", results.length === 3, results.join());
check("no word on the console of the class's page", view.faults.length === 0, view.faults.join("; ").slice(0, 300));

await browser.close();
finish();
