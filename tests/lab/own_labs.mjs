// Laboratories of other labs: their order, their scenarios, machines and traces. See own_labs.sh.
//     node own_labs.mjs PACKAGES FOLDER TIME-OF-TWO TIME-OF-MINE
// SPDX-License-Identifier: BSD-3-Clause
import { join } from "node:path";
import { openBrowser, openWindow } from "../../page/browser.mjs";
import { check, finish } from "../page/checks.mjs";

const [, , packages, folder, two, mine] = process.argv;
const browser = await openBrowser(packages);
const view = await openWindow(browser, { width: 1366, height: 768 }),
    { page } = view;
const timeOf = async i => {
    await page.evaluate(i => window.simrunExperiments[i].run(), i);
    return page.evaluate(i => {
        const { view, status } = window.simrunExperiments[i];
        return view?.data?.runs.at(-1).time_s ?? status.textContent;
    }, i);
};
const isTime = (found, wanted) => found === Number(wanted);

await view.open(join(folder, "own.html"));
const names = await page.$$eval(".top nav a", links => links.map(link => link.textContent));
check("labs in the order of their numbers", names.join() === "simrun,Lab 2,Lab 10", names.join());
check("the first one is open", (await page.textContent("h1")) === "Lab 2: our machine");
const ours = await timeOf(0);
check("a trace, on a machine of one's own", isTime(ours, two), `${ours}, ${two}`);
await page.evaluate(() => {
    const { root } = window.simrunExperiments[0];
    root.querySelector("input[type=range]").value = 2;
    root.querySelector("input[type=range]").dispatchEvent(new Event("input"));
});
const slower = await timeOf(0);
check("a factor changes that machine", slower > ours, `${slower}`);
const broadcast = await timeOf(1);
check("lines of one's own", isTime(broadcast, mine), `${broadcast}, ${mine}`);
await page.evaluate(async () => {
    const [question] = window.simrunQuestions;
    question.field.value = "1 h";
    await question.check();
});
const said = await page.evaluate(() => window.simrunQuestions[0].said.textContent);
check("its question", /'h' is not a unit/.test(said), said);
check("no fault", view.faults.length === 0, view.faults.join("; "));

check("no solutions unless they are asked for", (await page.locator(".solutions").count()) === 0);

await view.open(join(folder, "solved.html"));
await page.click(".solutions summary");
const sheet = await page.innerText(".solutions article");
check("its solutions", /A star is slow\./.test(sheet), sheet);
await view.open(join(folder, "one.html"));
check("one experiment alone", (await page.locator(".experiment").count()) === 1);
check("without other labs", (await page.locator(".top nav").count()) === 0);
check("its lines", isTime(await timeOf(0), mine));
await view.open(join(folder, "gj.html"));
check("one of simrun's own", (await timeOf(0)) > 0 && (await page.textContent("h1")) === "What the processors do");
check("nothing to hand in", (await page.locator(".work").count()) === 0);
await view.open(join(folder, "mine.html"));
const all = await timeOf(0);
check("a scenario", isTime(all, mine), `${all}, ${mine}`);
const menu = await page.$$eval(".experiment select option", options => options.map(({ text }) => text).join(" "));
check("a menu of its values", menu.startsWith("4,8 4 8"), menu);

// The menu of languages switches between the texts of a lab; one without a text in that language keeps its own.
const headings = async () => [await page.textContent("h1"), await page.textContent(".experiment h3")].join(" | ");
await view.open(join(folder, "languages.html"));
check("a lab in its own language", (await headings()) === "Lab 2: our machine | Two ranks", await headings());
await page.locator(".question input").first().fill("3 ms");
await page.getByText("Check", { exact: true }).click();
await page.waitForFunction(() => /Understood|Right|far too/.test(window.simrunQuestions[0].said.textContent));
const choose = async language => {
    await page.locator(".top select").selectOption(language);
    await page.waitForSelector(`html[lang="${language}"][data-ready]`);
};
await choose("de");
check("and in German", (await headings()) === "Praktikum 2: unsere Maschine | Zwei Ränge", await headings());
const asked = await page.innerText(".question");
check("with its question", /Wie lange dauert es auf unserer\?/.test(asked), asked);
check("and the answer", (await page.inputValue(".question input")) === "3 ms");
await page.click(".solutions summary");
check("and solutions", /Ein Stern ist langsam\./.test(await page.innerText(".solutions article")));
const titles = await page.$$eval(".top nav a", links => links.map(link => link.textContent).join());
check("a lab without German", titles === "simrun,Praktikum 2,Lab 10", titles);
await choose("en");
check("back again", (await headings()) === "Lab 2: our machine | Two ranks", await headings());
check("the answer stays", (await page.inputValue(".question input")) === "3 ms");
await view.open(join(folder, "german.html"));
await choose("de");
check("one experiment in German", (await page.textContent("h1")) === "Zwei Ränge", await page.textContent("h1"));
await choose("en");
check("no fault in any", view.faults.length === 0, view.faults.join("; "));

await browser.close();
finish();
