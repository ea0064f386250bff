// How fast the laboratory simulates in a browser beside the command, in one run: the time of each, least of five, and
// how many times as long the page takes. 3 is the most that is wanted.
//     node bench/page/lab.mjs build/release
// SPDX-License-Identifier: BSD-3-Clause
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { openBrowser, openWindow } from "../../page/browser.mjs";

const build = resolve(process.argv[2] ?? "build/release"),
    turns = 5;
const programs = [
    ["gj256", "gj256", ["n=512", "ranks=1..128*2"]],
    [
        "broadcasts",
        "broadcast-crossover",
        ["bytes=4MiB", "ranks=64", "broadcast_segment=512", "broadcast=chain_segmented"],
    ],
    ["pdgemm", "pdgemm2048", ["size=16384", "grid=4x8"]],
    ["shared memory", "ncp2-sor", ["ranks=8"]],
    ["page of one run", "gj256", ["n=512", "ranks=128"], "html"],
];

const argsOf = (settings, format) => ["-q", "-f", format, ...settings.flatMap(one => ["--set", one])];
function native(scenario, settings, format) {
    const start = performance.now();
    const { status, stderr } = spawnSync(join(build, "simrun"), [
        ...argsOf(settings, format),
        "-j",
        "1",
        "-o",
        "/dev/null",
        join(build, `../../scenarios/${scenario}.xml`),
    ]);
    if (status !== 0) throw new Error(String(stderr));
    return performance.now() - start;
}
const inPage = (page, scenario, settings, format) =>
    page.evaluate(
        async ([args, name]) => {
            const { simulator } = window.simrunExperiments[0];
            const { status, ms, said } = await simulator.run({ owner: {}, args: [...args, name] });
            if (status !== 0) throw new Error(said);
            return ms;
        },
        [argsOf(settings, format), `/scenarios/${scenario}.xml`],
    );

const browser = await openBrowser(join(build, "page"));
const { page, open } = await openWindow(browser);
await open(join(build, "lab/lab.html"));
await page.waitForSelector(".experiment[data-runs]");
console.log("program           command [ms]   page [ms]  page / command");
for (const [name, scenario, settings, format = "json"] of programs) {
    let command = Infinity,
        there = Infinity;
    for (let turn = 0; turn < turns; turn++) {
        command = Math.min(command, native(scenario, settings, format));
        there = Math.min(there, await inPage(page, scenario, settings, format));
    }
    console.log(
        [
            name.padEnd(16),
            command.toFixed(1).padStart(13),
            there.toFixed(1).padStart(12),
            (there / command).toFixed(2).padStart(15),
        ].join(""),
    );
}
await browser.close();
