// A command whose runs several workers share out: byte for byte what one of them says alone, errors too; and so is an
// answer that was given before. See shared.sh.
//     node shared.mjs PACKAGES LAB
// SPDX-License-Identifier: BSD-3-Clause
import { openBrowser, openWindow } from "../../page/browser.mjs";
import { check, finish } from "../page/checks.mjs";

const [, , packages, lab] = process.argv;
const browser = await openBrowser(packages);
const view = await openWindow(browser),
    { page } = view;
await view.open(lab);

// In the page: a simulator of one worker, and one of three.
await page.evaluate(() => {
    const { simulator } = window.simrunExperiments[0],
        { module, files, constructor: Simulator } = simulator;
    const make = workers => {
        const made = new Simulator({ module, files, script: "", workers });
        made.url = simulator.url;
        return made;
    };
    window.alone = make(1);
    window.three = make(3);
    // All but the time that it took, and the memory.
    window.ask = async (simulator, args) => {
        const told = [],
            shared = simulator.hands.length,
            answer = await simulator.run({ owner: {}, args, told: text => told.push(text) });
        const text = new TextDecoder().decode(answer.output).replace(/"host": *\{[^}]*\}/g, "");
        return { ...answer, output: text, told, began: simulator.number, shared };
    };
});

const cases = [
    ["a sweep", ["-f", "json", "/scenarios/gj256.xml"]],
    ["several platforms", ["-f", "json", "--set", "bytes=64,1MiB", "/scenarios/own-broadcast.xml"]],
    ["shared memory", ["-f", "json", "/scenarios/ncp2-jacobi.xml"]],
    ["a decision", ["-f", "json", "--set", "size=256", "/scenarios/pdgemm2048.xml"]],
    ["a sweep that is explained", ["-f", "json", "--set", "n=64", "/scenarios/what-limits-gj.xml"]],
    ["one run with details", ["-f", "json", "--detail", "all", "--set", "ranks=4", "/scenarios/gj256.xml"]],
    ["text", ["-f", "text", "/scenarios/gj256.xml"]],
    ["a run that fails", ["-f", "json", "--set", "ranks=1,2,4,100000", "/scenarios/gj256.xml"]],
    ["a parameter that is not there", ["-f", "json", "--set", "nothing=1", "/scenarios/gj256.xml"]],
];
for (const [name, args] of cases) {
    const alone = await page.evaluate(args => window.ask(window.alone, args), args),
        shared = await page.evaluate(args => window.ask(window.three, args), args);
    check(`${name}: the same status`, alone.status === shared.status && alone.status >= 0, shared.status);
    check(`${name}: the same words`, alone.said === shared.said, `${shared.said} instead of ${alone.said}`);
    const at = [...alone.output].findIndex((c, i) => c !== shared.output[i]);
    check(
        `${name}: the same answer`,
        alone.output === shared.output,
        at < 0
            ? "its length"
            : `${shared.output.slice(at - 60, at + 60)} instead of ${alone.output.slice(at - 60, at + 60)}`,
    );
}
const begun = await page.evaluate(() => [window.alone.number, window.three.number]);
check("three parts and a report of each", begun[1] === 4 * begun[0], begun.join());

// Again: nothing is simulated, nothing is different.
const again = await page.evaluate(args => window.ask(window.three, args), cases[0][1]);
check("an answer that is kept", again.began === begun[1] && again.output.length > 1000);

// The newest command of an owner alone is answered, whatever its parts are at.
const newest = await page.evaluate(async () => {
    const owner = {},
        ask = n => window.three.run({ owner, args: ["-f", "json", "--set", `n=${n}`, "/scenarios/gj256.xml"] });
    const [first, second, third] = await Promise.all([ask(100), ask(101), ask(102)]);
    const n = JSON.parse(new TextDecoder().decode(third.output)).runs[0].parameters.n;
    return { first: first?.status, second, n };
});
check("of waiting commands the newest", newest.second === null && newest.n === 102, JSON.stringify(newest));
const stopped = await page.evaluate(async () => {
    const owner = {},
        running = window.three.run({ owner, args: ["-f", "json", "/scenarios/ncp2-ocean.xml"] });
    await new Promise(done => setTimeout(done, 100));
    window.three.stop(owner);
    const answer = await running;
    const after = await window.ask(window.three, ["-f", "json", "--set", "n=64", "/scenarios/gj256.xml"]);
    return { answer, after: after.status, idle: window.three.idle.length };
});
check(
    "what is stopped ends, and others go on",
    stopped.answer === null && stopped.after === 0 && stopped.idle === 3,
    JSON.stringify(stopped),
);
check("no word on the console", view.faults.length === 0, view.faults.join("; ").slice(0, 300));
await browser.close();
finish();
