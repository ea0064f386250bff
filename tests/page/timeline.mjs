// The timeline under mouse, keys and fingers; what it sums is the JSON's; the panels follow its window; names of a
// program stay text.
//     node timeline.mjs PACKAGES FOLDER      FOLDER has page.html and page.json of one run; other pages are made there
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeSynthetic } from "../../bench/page/encode.mjs";
import { writePage } from "../../bench/page/page.mjs";
import { format } from "../../page/src/numbers.js";
import { openBrowser, openPage } from "../../page/browser.mjs";

const [, , packages, folder] = process.argv;
let failed = 0;

function check(name, good, detail = "") {
    if (!good) console.log(`FAILED: ${name}: ${detail}`);
    failed += !good;
}

async function openTimeline(browser, file) {
    const opened = await openPage(browser, file);
    await opened.page
        .waitForSelector("#timeline[data-ready]", { timeout: 20000 })
        .catch(() => opened.faults.push("no timeline"));
    await opened.page.locator("#timeline canvas.rows").scrollIntoViewIfNeeded();
    return opened;
}

// When what the page says and draws has not changed for a while; it follows the window with a delay.
async function settled(page) {
    const look = () =>
        page.evaluate(
            () =>
                new Promise(resolve =>
                    requestAnimationFrame(() => {
                        const canvases = [...document.querySelectorAll("#timeline canvas, #topology canvas")];
                        const sizes = canvases.map(({ width, height }) => `${width}x${height}`);
                        resolve(sizes + document.body.innerText);
                    }),
                ),
        );
    let [before, same] = ["", 0];
    while (same < 3) {
        await page.waitForTimeout(100);
        const now = await look();
        same = now === before && /\d/.test(now) ? same + 1 : 0;
        before = now;
    }
}
const windowOf = page =>
    page.evaluate(() => {
        const { from, to, firstRow, endRow, model } = document.getElementById("timeline").timeline;
        return { from, to, rows: endRow - firstRow, end: model.end };
    });

// How many colors the canvas has, and a number that changes with what it shows.
const pixelsOf = (page, canvas) =>
    page.locator(canvas).evaluate(node => {
        const copy = new OffscreenCanvas(node.width, node.height).getContext("2d", { willReadFrequently: true }),
            colours = new Set();
        copy.drawImage(node, 0, 0);
        const { data } = copy.getImageData(0, 0, node.width, node.height);
        let sum = 0;
        new Uint32Array(data.buffer).forEach((pixel, i) => {
            colours.add(pixel);
            sum = (sum * 31 + pixel + i) % 1000000007;
        });
        return { colours: colours.size, sum };
    });

async function shownBy(page) {
    const texts = await page.evaluate(() => ["matrix", "sizes", "states"].map(id => document.getElementById(id).csv()));
    return [
        ...texts,
        await page.locator("#timeline .summary").innerText(),
        (await pixelsOf(page, "#topology canvas")).sum,
    ];
}

async function checkSums(page, run) {
    const text = await page.locator("#timeline .summary").innerText();
    for (const [state, time_s] of Object.entries(run.state_s))
        if (time_s > 0)
            check(
                `the sum of ${state}`,
                text.includes(format(time_s, "s")),
                `${format(time_s, "s")} is not in ${text.slice(0, 300)}`,
            );
    check(
        "messages and bytes",
        text.includes(`${format(run.messages, "count")} messages`) && text.includes(format(run.bytes, "B")),
        text.slice(0, 100),
    );
}

// Steps go from bin to bin of the links, whose loads are the JSON's; what plays moves, and stands after Pause.
async function checkMotion(page) {
    const { link_bins, links } = await page.evaluate(() => ({
        ...window.simrunData.runs[0],
        ...window.simrunDrawn.drawn?.[0],
    }));
    const { bin_s, rows } = link_bins;
    await page.locator("#timeline canvas.rows").press("Escape");
    const press = name => page.click(`#timeline .player button:text-is("${name}")`);
    const moment = () =>
        page.evaluate(() => {
            const { player, timeline } = document.getElementById("timeline");
            return { at_s: player.at * timeline.model.unit_s, values: player.picture.values };
        });
    // The second bin in which a link is busy, so that others are before it.
    const busy = rows.flatMap(({ first, busy_s }) => busy_s.flatMap((time_s, i) => (time_s > 0 ? [first + i] : []))),
        bin = [...new Set(busy)].sort((a, b) => a - b)[1];
    for (let k = 0; k <= bin; k++) await press("Step");
    const { at_s, values } = await moment();
    check("a step is a bin", Math.abs(at_s / bin_s - bin - 0.5) < 0.01, `${at_s / bin_s}, ${bin}`);
    const busyOf = ({ link }) =>
        rows.filter(row => row.link === link).reduce((sum, { first, busy_s }) => sum + (busy_s[bin - first] ?? 0), 0);
    const wanted = links.map(link => busyOf(link) / bin_s);
    check(
        "links are as loaded as they are then",
        wanted.some(value => value > 0) && wanted.every((value, k) => Math.abs(value - values[k]) < 1e-9),
        `${values}`.slice(0, 200),
    );
    check("the moment is marked", await page.isVisible("#timeline .moment"));
    await press("Play");
    await page.waitForTimeout(400);
    await press("Pause");
    const stopped = (await moment()).at_s;
    check("play moves on", stopped > at_s, `${stopped}`);
    await page.waitForTimeout(200);
    check("pause stops", (await moment()).at_s === stopped);
}

async function checkHands(page) {
    const box = await page.locator("#timeline canvas.rows").boundingBox(),
        at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
    const whole = await windowOf(page),
        before = await shownBy(page),
        is = async (name, holds) => {
            const now = await windowOf(page);
            check(name, holds(now), JSON.stringify(now));
            return now;
        };
    await page.mouse.move(...at(0.5, 0.5));
    await page.mouse.wheel(0, -300);
    const near = await is("the wheel zooms", now => now.to - now.from < 0.7 * whole.end);
    await page.mouse.move(...at(0.4, 0.5));
    await page.mouse.down();
    await page.mouse.move(...at(0.6, 0.5), { steps: 3 });
    await page.mouse.up();
    const chosen = await is("a drag selects", now => now.to - now.from < 0.3 * (near.to - near.from));
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(...at(0.5, 0.5), { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await is(
        "Shift and a drag move",
        now => now.from > chosen.from && Math.abs(now.to - now.from - (chosen.to - chosen.from)) < 1,
    );
    await settled(page);
    const after = await shownBy(page);
    ["matrix", "sizes", "states", "summary", "topology"].forEach((name, i) =>
        check(`${name} follows the window`, after[i] !== before[i]),
    );
    await page.locator("#timeline canvas.rows").focus();
    const held = await windowOf(page);
    await page.keyboard.press("ArrowRight");
    await is("an arrow moves", now => now.from > held.from);
    await page.keyboard.press("-");
    await is("- zooms out", now => now.to - now.from > held.to - held.from);
    await page.keyboard.press("PageUp");
    await is("PageUp shows fewer ranks", now => now.rows < whole.rows);
    await page.keyboard.press("Escape");
    await is("Escape shows all", now => now.from === 0 && now.to === whole.end && now.rows === whole.rows);
    await settled(page);
    check("all panels are as before", JSON.stringify(await shownBy(page)) === JSON.stringify(before));
}

async function checkPinch(page) {
    const box = await page.locator("#timeline canvas.rows").boundingBox(),
        client = await page.context().newCDPSession(page),
        y = box.y + 80;
    const touch = (type, ...xs) =>
        client.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: xs.map((x, id) => ({ x: box.x + x * box.width, y, id })),
        });
    await touch("touchStart", 0.45);
    await touch("touchStart", 0.45, 0.55);
    await touch("touchMove", 0.35, 0.65);
    await touch("touchMove", 0.25, 0.75);
    await touch("touchEnd");
    const { from, to, end } = await windowOf(page);
    check("two fingers zoom", to - from < 0.5 * end, `${from} ${to} of ${end}`);
    await page.locator("#timeline canvas.rows").press("Home");
}

async function checkPicture(page) {
    const all = await pixelsOf(page, "#timeline canvas.rows");
    check("the timeline has colours", all.colours >= 6, String(all.colours));
    await page.locator("#timeline .legends button", { hasText: "useful" }).first().click();
    await settled(page);
    check("the legend hides", (await pixelsOf(page, "#timeline canvas.rows")).sum !== all.sum);
    await page.locator("#timeline .legends button", { hasText: "useful" }).first().click();
    await page.mouse.move(0, 0);
    await settled(page);
    const box = await page.locator("#timeline canvas.rows").boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
    const tip = await page.locator("#timeline .tip").innerText();
    check("a tooltip says what is there", /rank|message/.test(tip) && / s| ms| us/.test(tip), tip);
    const svg = await page.evaluate(() => document.getElementById("timeline").svg());
    check("as SVG", svg.startsWith("<svg") && svg.includes("rank 0") && svg.length > 2000, svg.slice(0, 80));
}

// The address leads to the same window on another page of the same file.
async function checkAddress(browser, page) {
    await page.locator("#timeline canvas.rows").focus();
    for (const key of ["+", "+", "ArrowRight"]) await page.keyboard.press(key);
    await settled(page);
    const shown = await windowOf(page),
        hash = await page.evaluate(() => location.hash);
    check("the address tells the window", /^#&run=0&from_s=[\d.e-]+&to_s=[\d.e-]+$/.test(hash), hash);
    const again = await openTimeline(browser, join(folder, `page.html${hash.replace("#", "#timeline")}`));
    await settled(again.page);
    const { from, to } = await windowOf(again.page);
    check("the address leads there", Math.abs(from - shown.from) < 1 && Math.abs(to - shown.to) < 1, `${from} ${to}`);
    const top = await again.page.locator("#timeline").evaluate(node => node.getBoundingClientRect().top);
    check("the address leads to the panel", Math.abs(top) < 900, String(top));
    await again.page.locator("#timeline canvas.rows").press("Escape");
    await settled(again.page);
    check("all of the usual run is not told", (await again.page.evaluate(() => location.hash)) === "#timeline");
    await again.close();
    await page.locator("#timeline canvas.rows").press("Escape");
}

const browser = await openBrowser(packages);
const real = await openTimeline(browser, join(folder, "page.html"));
await settled(real.page);
await checkSums(real.page, JSON.parse(readFileSync(join(folder, "page.json"), "utf8")).runs[0]);
await checkPicture(real.page);
await checkHands(real.page);
await checkPinch(real.page);
await checkMotion(real.page);
await checkAddress(browser, real.page);
check("nothing on the console", real.faults.length === 0, real.faults.join("; "));
await real.close();

const hostile = [
    "",
    "</script><img src=x onerror=\"document.title='owned'\">",
    "'\"&amp;\u0001\n",
    "x".repeat(10000),
    "last",
];
const bytes = encodeSynthetic({ ranks: 300, intervals: 30000, messages: 9000, segments: 3000, scopes: hostile });
writePage(join(packages, "page.html"), join(folder, "hostile.html"), {
    data: JSON.stringify({ runs: [{ parameters: {}, ranks: 300, time_s: 1 }] }),
    "timeline-0": bytes,
});
const made = await openTimeline(browser, join(folder, "hostile.html"));
await settled(made.page);
check(
    "names stay text",
    (await made.page.evaluate(() => document.title !== "owned" && document.images.length === 0)) &&
        (await made.page.locator("#timeline .summary").textContent()).includes("onerror"),
);
const said = made.page.locator("#timeline .drawing > .about");
for (let k = 0; k < 200 && (await said.innerText()) === ""; k++) await made.page.waitForTimeout(100);
check("what is not drawn one by one is said", /too close.*several neighbors/s.test(await said.innerText()));
for (const width of [1280, 390]) {
    await made.page.setViewportSize({ width, height: 900 });
    await settled(made.page);
    const wide = await made.page.evaluate(() => document.documentElement.scrollWidth);
    check(`it fits ${width} pixels`, wide <= width, `${wide} are taken`);
}
check("nothing on the console with hostile names", made.faults.length === 0, made.faults.join("; "));
await browser.close();
process.exit(failed === 0 ? 0 : 1);
