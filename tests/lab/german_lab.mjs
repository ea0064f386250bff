// A student in the German laboratory: a question and its verdict, the language switched and back; and all texts around
// the labs come from the tables.
//     node german_lab.mjs PACKAGES LAB.html
// SPDX-License-Identifier: BSD-3-Clause
import { openBrowser } from "../../page/browser.mjs";
import { check, finish } from "../page/checks.mjs";
import { markTexts, textsOf, unmarkedIn } from "../page/unmarked.mjs";

const [, , packages, lab] = process.argv;
const browser = await openBrowser(packages);

async function open(place, isMarked) {
    const context = await browser.newContext({
        viewport: { width: 1366, height: 900 },
        offline: true,
        locale: "en-US",
    });
    if (isMarked) await markTexts(context);
    const page = await context.newPage(),
        errors = [];
    page.on("pageerror", error => errors.push(error.message));
    await page.goto(`file://${lab}?lang=de#${place}`);
    await page.waitForSelector('html[lang="de"][data-ready]', { timeout: 60000 });
    return { page, errors, close: () => context.close() };
}

// --- a question, in both languages ---

const { page, errors, close } = await open("1-gauss-jordan", false);
const heading = () => page.textContent("h1");
check("a German lab", /^Praktikum 1: Warum/.test(await heading()), await heading());
for (const button of await page.locator(".prediction button", { hasText: "Ohne Schätzung" }).all())
    await button.click();
const verdict = () => page.evaluate(() => window.simrunQuestions[1].said.textContent);
async function answer(text) {
    await page.evaluate(() => (window.simrunQuestions[1].said.textContent = ""));
    const question = page.locator(".question:not(.prediction)").nth(1);
    await question.locator("input").fill(text);
    await question.getByText("Prüfen").click();
    await page.waitForFunction(() => /[^.]\.$/.test(window.simrunQuestions[1].said.textContent), null, {
        timeout: 60000,
    });
    return verdict();
}
const wrong = await answer("2");
check("a wrong answer, in German", /Das ist|besser/.test(wrong) && !/better|That is/.test(wrong), wrong);
const unit = await answer("2 apples");
check("a wrong unit, in German", /^„apples“ ist keine Einheit dieser Antwort/.test(unit), unit);
const right = await answer("128");
check("the right answer, in German", /^Richtig: 128 /.test(right), right);
await page.click(".solutions summary");
const sheet = await page.innerText(".solutions article");
check("German solutions", /^Lösungen zu Praktikum 1/.test(sheet), sheet.slice(0, 80));

const field = () => page.locator(".question:not(.prediction) input").nth(1).inputValue();
const choose = async language => {
    await page.locator(".top select").selectOption(language);
    await page.waitForSelector(`html[lang="${language}"][data-ready]`, { timeout: 60000 });
};
await choose("en");
check("the same lab in English", /^Lab 1: Why/.test(await heading()), await heading());
check("with the answer", (await field()) === "128", await field());
// A kept answer is checked again.
await page.waitForSelector(".question[data-right=true]", { timeout: 60000 });
check("and its English verdict", /^Right: 128 /.test(await verdict()), await verdict());
await page.click(".solutions summary");
check("English solutions", /^Solutions to lab 1/.test(await page.innerText(".solutions article")));
await choose("de");
check("and back", /^Praktikum 1/.test(await heading()) && (await field()) === "128", await heading());

// --- a phone: the menu of labs is not higher than in English ---

const heightOf = () => page.evaluate(() => document.querySelector(".top nav").getBoundingClientRect().height);
await page.setViewportSize({ width: 390, height: 844 });
const german = await heightOf(),
    excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
check("the German menu fits", excess <= 0 && german < 70, `${german} pixels high, ${excess} too wide`);
await choose("en");
check("as high as the English one", german === (await heightOf()), `${german}, ${await heightOf()}`);
check("no errors", errors.length === 0, errors.join("; "));
await close();

// --- all texts but those of the labs themselves ---

const ofLab =
    "pre, code, script, style, noscript, .solutions article, .experiment h3, .question > p, .question label, " +
    ".axes, article > :not(.experiment, .question), .top nav a";
for (const name of ["1-gauss-jordan", "3-own-broadcast", "5-bottlenecks", "8-real-program"]) {
    const marked = await open(name, true),
        specs = await marked.page.evaluate(() =>
            ["Experiments", "Predictions", "Questions"].flatMap(kind =>
                window[`simrun${kind}`].map(({ spec }) => spec),
            ),
        );
    const told = textsOf(specs),
        files = [...told].flatMap(text => [text.replace(/^.*\//, ""), text.replace(/^.*\/|\.txt$/g, "")]);
    const unmarked = await unmarkedIn(marked.page, { except: ofLab, answer: new Set([...told, ...files]) });
    check(`${name}: all texts from the tables`, unmarked.length === 0, unmarked.join("\n"));
    check(`${name}: no errors`, marked.errors.length === 0, marked.errors.join("; "));
    await marked.close();
}
await browser.close();
finish();
