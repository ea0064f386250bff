// The work of a student in the laboratory, found again: edits of lines, answers, predictions, saved work; in a
// sandboxed frame, too.
//     node student.mjs PACKAGES FOLDER      FOLDER has lab.html
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openWindow } from "../../page/browser.mjs";
import { check, finish } from "../page/checks.mjs";

const [, , packages, folder] = process.argv;

const browser = await openBrowser(packages);
const view = await openWindow(browser, { width: 1366, height: 768 }),
    { page } = view;
const lab = join(folder, "lab.html");
await view.open(lab);

async function goTo(name) {
    await page.evaluate(name => {
        window.before = window.simrunExperiments;
        location.hash = name;
    }, name);
    await page.waitForFunction(() => window.simrunExperiments !== window.before);
}
const until = (act, value = null) =>
    page.waitForFunction(act, value, { timeout: 20000 }).then(
        () => true,
        () => false,
    );
const reopen = async () => {
    const link = (await page.evaluate(() => location.href)).split("#")[0];
    await page.goto("about:blank");
    await page.goto(link);
    await page.waitForSelector("html[data-ready]");
};

async function skipGuesses(place) {
    const buttons = place.locator(".prediction button", { hasText: "Without a guess" });
    for (const button of await buttons.all()) await button.click();
}

// --- the labs in their order ---

const names = await page.$$eval(".top nav a", links => links.map(link => link.textContent));
check(
    "labs in the order of their numbers",
    names.join() === "simrun," + Array.from({ length: names.length - 1 }, (_, i) => `Lab ${i + 1}`).join(),
    names.join(),
);

// --- lab 3: lines of one's own leave the exercise with another beginning alone ---

const linesOf = i => page.evaluate(i => window.simrunExperiments[i].root.querySelector(".lines textarea").value, i);
const menuOf = i =>
    page.evaluate(i => window.simrunExperiments[i].root.querySelector(".lines select").selectedOptions[0].text, i);
const own = "for r = 1 to ranks - 1\n  0 -> r\nend\n";
await goTo("3-own-broadcast");
const deadlock = await linesOf(2);
await page.locator(".lines textarea").first().fill(own);
await until(own => window.simrunExperiments[1].root.querySelector(".lines textarea").value === own, own);
check("experiment 2 has the lines of 1", (await linesOf(1)) === own);
check("experiment 3 keeps its own", (await linesOf(2)) === deadlock && (await menuOf(2)) === "deadlock");
check("the menu says whose lines they are", (await menuOf(0)) === "lines of your own", await menuOf(0));
await page.locator(".lines select").nth(2).selectOption("own/binomial.txt");
await page.locator(".lines select").nth(2).selectOption("own/deadlock.txt");
check("deadlock can be chosen again", (await linesOf(2)) === deadlock);
check("which leaves experiment 1 alone", (await linesOf(0)) === own);
await page.locator(".lines textarea").nth(2).fill("0 -> 1\n");
await page.locator(".lines select").nth(2).selectOption("own/deadlock.txt");
check("deadlock can be chosen after an edit", (await linesOf(2)) === deadlock);
await page.waitForTimeout(400);
check("and the edit does not come back", (await linesOf(2)) === deadlock);

// --- lab 1: predictions come first ---

await goTo("1-gauss-jordan");
await page.evaluate(() => window.simrunExperiments[0].root.scrollIntoView());
await page.waitForTimeout(300);
const first = await page.evaluate(() => window.simrunExperiments[0].status.textContent);
check("no result before the predictions", /First say above/.test(first), first);
const forms = page.locator(".prediction");
const [typed, drawn] = await page.evaluate(() => [
    window.simrunPredictions.findIndex(({ axes }) => !axes),
    window.simrunPredictions.findIndex(({ axes }) => axes),
]);
check("lab 1 asks for a number and a curve", typed >= 0 && drawn >= 0, `${typed} ${drawn}`);
const saidIn = i => page.evaluate(i => window.simrunPredictions[i].said.textContent, i);
const isSeen = i => until(i => window.simrunPredictions[i].root.dataset.seen, i);
const submit = i => forms.nth(i).getByText("Show the result").click();
await forms.nth(typed).locator("input").fill("5 apples");
await submit(typed);
await until(i => /apples/.test(window.simrunPredictions[i].said.textContent), typed);
check("a guess with a wrong unit is refused", /'apples' is not a unit/.test(await saidIn(typed)), await saidIn(typed));
await forms.nth(typed).locator("input").fill("-3");
await submit(typed);
await until(i => /more than 0/.test(window.simrunPredictions[i].said.textContent), typed);
const never = await forms
    .nth(typed)
    .locator("input")
    .evaluate(field => field.readOnly);
check("a time below 0 is refused, and can be corrected", !never, await saidIn(typed));
await forms.nth(typed).locator("input").fill("4000 ms");
await submit(typed);
await isSeen(typed);
const guess = await saidIn(typed);
check("a guess beside the result", /It is 7\.18\d s; you expected 44\.3 % less/.test(guess), guess);
await submit(drawn);
check("a curve is drawn first", /Draw your curve/.test(await saidIn(drawn)), await saidIn(drawn));
const svg = forms.nth(drawn).locator("svg");
const pointsOf = () => page.evaluate(i => window.simrunPredictions[i].axes.values, drawn);
await svg.focus();
await page.keyboard.press("ArrowUp");
await page.keyboard.press("ArrowRight");
await page.keyboard.press("ArrowUp");
const keyed = await pointsOf();
check("keys draw", keyed[0] > 0 && Math.abs(keyed[1] - 2 * keyed[0]) < 1e-9, String(keyed));
await svg.scrollIntoViewIfNeeded();
const box = await svg.boundingBox();
await page.mouse.move(box.x + 0.13 * box.width, box.y + 0.8 * box.height);
await page.mouse.down();
await page.mouse.move(box.x + 0.95 * box.width, box.y + 0.1 * box.height, { steps: 2 });
await page.mouse.up();
const points = await pointsOf();
check(
    "a pointer draws all it passes",
    points.every((value, i) => value !== null && (i === 0 || value > points[i - 1])),
    String(points),
);
await submit(drawn);
check("the curve's result comes", await isSeen(drawn));
const curves = await svg.locator("path.guess, path.result").count();
check(
    "the result lies over the curve",
    curves === 2 && /farthest apart at ranks 2: it is 1\.9,/.test(await saidIn(drawn)),
    await saidIn(drawn),
);
await page.evaluate(() => window.simrunExperiments[0].root.scrollIntoView());
check("then experiments are simulated", await until(() => window.simrunExperiments[0].root.dataset.runs > 0));

// --- answers, and what is left of all that ---

const answer = async (i, text) => {
    await page.evaluate(i => (window.simrunQuestions[i].said.textContent = ""), i);
    await page.locator(".question:not(.prediction) input").nth(i).fill(text);
    await page.locator(".question:not(.prediction)").nth(i).getByText("Check").click();
    await until(
        i =>
            /\.$|Right/.test(window.simrunQuestions[i].said.textContent) &&
            !/Simulating/.test(window.simrunQuestions[i].said.textContent),
        i,
    );
    return page.evaluate(i => window.simrunQuestions[i].said.textContent, i);
};
const right = await answer(1, "2^7 ranks");
check("an answer with a power and a unit", /^Right: 128 processors/.test(right), right);
await page.evaluate(() => (window.simrunExperiments[1].root.querySelector("input").value = 512));
await page.evaluate(() => window.simrunExperiments[1].root.querySelector("input").dispatchEvent(new Event("input")));
await page.locator(".work input[type=text]").fill("Ann, =cmd()");
await page.evaluate(() => (location.hash = "2-broadcasts"));
await reopen();
await goTo("3-own-broadcast");
check("lines after a restart", (await linesOf(0)) === own && (await linesOf(1)) === own, await linesOf(0));
await goTo("1-gauss-jordan");
const again = () =>
    page.evaluate(() => ({
        answer: window.simrunQuestions[1].field.value,
        n: window.simrunExperiments[1].values.n,
        name: document.querySelector(".work input[type=text]").value,
    }));
const kept = await again();
check(
    "answers, controls and the name after a restart",
    kept.answer === "2^7 ranks" && kept.n === 512 && kept.name === "Ann, =cmd()",
    JSON.stringify(kept),
);
check("predictions after a restart", (await isSeen(typed)) && (await isSeen(drawn)));
check("with the same words", (await saidIn(typed)) === guess, await saidIn(typed));

// --- a file that holds it ---

const download = page.waitForEvent("download");
await page.getByText("Save my work").click();
const saved = await download,
    file = join(folder, "saved.json");
await saved.saveAs(file);
check("its name", saved.suggestedFilename() === "Ann-cmd.simrun.json", saved.suggestedFilename());
const { labs, name } = JSON.parse(readFileSync(file, "utf8"));
check(
    "the file has it all",
    name === "Ann, =cmd()" &&
        labs["1-gauss-jordan"].answers[2].value === 128 &&
        labs["3-own-broadcast"].values[1].lines === own,
);
await page.getByText("Erase my work").click();
check("erasing asks first", (await again()).answer === "2^7 ranks");
await page.locator(".work input[type=checkbox]").check();
await page.getByText("Erase my work").click();
await until(() => window.simrunQuestions[1].field.value === "");
const none = await again();
check("erased", none.answer === "" && none.n === 256 && none.name === "", JSON.stringify(none));
await page.setInputFiles(".work input[type=file]", file);
await until(() => window.simrunQuestions[1].field.value !== "");
check("loaded again", JSON.stringify(await again()) === JSON.stringify(kept), JSON.stringify(await again()));
const loaded = await page.evaluate(() => {
    const bar = document.querySelector(".work"),
        { top, bottom } = bar.getBoundingClientRect();
    return [bar.querySelector(".status").textContent, top >= 0 && bottom <= innerHeight];
});
const words = "The work of Ann, =cmd() has been loaded: 2 labs.";
check("says so, where the button is", loaded[0] === words && loaded[1], loaded.join());
const broken = join(folder, "broken.json");
writeFileSync(broken, '{"simrun_work":1,');
await page.setInputFiles(".work input[type=file]", broken);
const isSaid = await until(() => /not JSON, or not whole/.test(document.querySelector(".work .status").textContent));
check("a file that is not whole is refused", isSaid && (await again()).n === 512);

// --- lab 8: a dropped trace, and the way back ---

await goTo("8-real-program");
const ring = join(folder, "two.ti");
writeFileSync(ring, "0 init\n0 compute 1e6\n0 send 1 0 4096\n0 finalize\n1 init\n1 recv 0 0 4096\n1 finalize\n");
await skipGuesses(page);
await page.setInputFiles(".drop input", ring);
const titleOf = () => page.textContent(".experiment h3");
check("a title of one's own trace", (await titleOf()) === "two.ti", await titleOf());
check("a dropped trace", await until(() => window.simrunExperiments[0].view?.data?.runs[0].ranks === 2));
await page.evaluate(() => (navigator.clipboard.writeText = async () => {}));
await page.getByText("Copy a link to this").first().click();
await until(() => /link has been copied/.test(window.simrunExperiments[0].status.textContent));
const link = await page.evaluate(() => window.simrunExperiments[0].status.textContent);
check("a link says what it lacks", /but not two\.ti/.test(link), link);
await page.getByText("Back to the lab's trace").click();
check("the way back", await until(() => window.simrunExperiments[0].view.data.runs[0].ranks === 8));
check("and the title of the lab's", (await titleOf()) === "heat.c on 8 ranks", await titleOf());
check("no word on the console", view.faults.length === 0, view.faults.join("; ").slice(0, 300));

// --- lab 2: a word that is right ---

await goTo("2-broadcasts");
await page.locator(".prediction input").nth(1).fill("chain segmented");
await page.locator(".prediction").nth(1).getByText("Show the result").click();
await isSeen(1);
check("as expected", /^It is (\S+), as you expected\.$/.test(await saidIn(1)), await saidIn(1));

// --- a phone: the table of lab 3 keeps its columns, and controls can be hit ---

await page.setViewportSize({ width: 390, height: 844 });
await goTo("3-own-broadcast");
const rows = await page.evaluate(() => {
    const code = document.querySelector("code.language-text"),
        height = parseFloat(getComputedStyle(code).lineHeight) || 1.5 * parseFloat(getComputedStyle(code).fontSize);
    return Math.round(code.getBoundingClientRect().height / height) / code.textContent.trim().split("\n").length;
});
check("lab 3: a line of the table is a line", rows < 1.2, `${rows} lines each`);
const small = await page.evaluate(() =>
    [...document.querySelectorAll("main :is(button, select, input, .top nav a)")]
        .filter(node => node.offsetParent && node.getBoundingClientRect().height < 24)
        .map(node => node.textContent || node.type),
);
check("lab 3: controls of 24 pixels", small.length === 0, small.join());

// --- a frame of a course page, which may run scripts and nothing else ---

const course = join(folder, "course.html");
writeFileSync(
    course,
    '<iframe sandbox="allow-scripts" src="lab.html#1-gauss-jordan" width="1200" height="700"></iframe>',
);
const sandboxed = await openWindow(browser, { width: 1366, height: 768 });
await sandboxed.page.goto("file://" + course);
const inner = sandboxed.page.frameLocator("iframe").first();
await inner
    .locator(".prediction")
    .first()
    .waitFor({ timeout: 20000 })
    .catch(() => {});
await skipGuesses(inner);
await inner
    .locator(".experiment")
    .first()
    .scrollIntoViewIfNeeded()
    .catch(() => {});
const canvas = inner.frameLocator("iframe").first().locator("canvas, svg").first();
const isDrawn = await canvas.waitFor({ timeout: 20000 }).then(
    () => true,
    () => false,
);
check("in a sandboxed frame panels are drawn", isDrawn, sandboxed.faults.join("; ").slice(0, 300));
const work = await inner.locator(".work .status").textContent();
check("where nothing can be kept, that is said", /keeps nothing/.test(work), work);
check("no fault there", sandboxed.faults.length === 0, sandboxed.faults.join("; ").slice(0, 300));

await browser.close();
finish();
