// Each term that a panel explains is in the glossary, or among the columns of reports.
//     node terms.mjs
// SPDX-License-Identifier: BSD-3-Clause
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const read = name => readFileSync(new URL(name, root), "utf8");
const rows = (read("docs/glossary.md") + read("docs/ref/reports.md")).split("\n").filter(line => line.startsWith("| "));
const words = rows.flatMap(line =>
    line
        .slice(1)
        .split("|")[0]
        .replace(/[`*]/g, "")
        .trim()
        .toLowerCase()
        .split(/, | \(|\)/),
);
const known = new Set(words);
let count = 0;
const lost = [];

for (const file of readdirSync(new URL("page/src/panels", root))) {
    const text = read(`page/src/panels/${file}`),
        lists = [...text.matchAll(/terms: \[([^\]]*)\]/g)].map(found => found[1]);
    const single = [...text.matchAll(/\bterm\("([^"]+)"/g)].map(found => found[1]);
    for (const word of [...lists.flatMap(list => [...list.matchAll(/"([^"]+)"/g)].map(found => found[1])), ...single]) {
        count++;
        if (!known.has(word.toLowerCase())) lost.push(`${file}: ${word}`);
    }
}
if (lost.length > 0) console.log(`FAILED: not in docs/glossary.md or docs/ref/reports.md: ${lost.join(", ")}`);
if (count < 40) console.log(`FAILED: only ${count} terms were found`);
console.log(`${count} terms`);
process.exit(lost.length === 0 && count >= 40 ? 0 : 1);
