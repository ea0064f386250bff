// Bundles the page and the laboratory: scripts with the chart library and the glossary, styles, packing.
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

import { refusals, rows } from "./src/texts/said/index.js";
import { faultsOfTexts } from "./texts.mjs";

export const folder = dirname(fileURLToPath(import.meta.url));

// The tables of docs/glossary.md and docs/ref/reports.md, and in German: of each line the words, which commas part, and
// what they mean, without marks.
const plain = text =>
    text
        .replaceAll(/[`*]/g, "")
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .trim();
const rowsOf = pages =>
    pages
        .map(page => readFileSync(join(folder, "../docs", page), "utf8"))
        .join("\n")
        .split("\n")
        .filter(line => line.startsWith("| ") && !line.startsWith("| word |"))
        .map(line => line.slice(1, -1).split("|").map(plain));

const filesBelow = (home, ending) =>
    readdirSync(home, { recursive: true })
        .filter(name => name.endsWith(ending))
        .map(name => readFileSync(join(home, name), "utf8"))
        .join("\n")
        .toLowerCase();

// [[words, text, text in German], ...]. docs/de/glossary.md has the same words in the same order. Words of the glossary
// that no panel and no table of a report names are left out.
function readGlossary() {
    const general = rowsOf(["glossary.md"]),
        rows = [...general, ...rowsOf(["ref/reports.md"])],
        germans = rowsOf(["de/glossary.md"]);
    for (let i = 0; i < Math.max(rows.length, germans.length); i++)
        if (rows[i]?.[0] !== germans[i]?.[0])
            throw new Error(`docs/de/glossary.md: '${germans[i]?.[0]}' in place of '${rows[i]?.[0]}'`);
    const sources = [filesBelow(join(folder, "src"), ".js"), filesBelow(join(folder, "../src/study"), ".c")].join("\n");
    const isNamed = ([words]) => {
        const all = words.toLowerCase().split(", ");
        return all.some(word => sources.includes(`"${word}"`));
    };
    return rows
        .map(([words, text], i) => [words, text, germans[i][1]])
        .filter((row, i) => i >= general.length || isNamed(row));
}

const glossaryModule = {
    name: "glossary",
    setup(build) {
        build.onResolve({ filter: /^glossary$/ }, () => ({ path: "glossary", namespace: "glossary" }));
        build.onLoad({ filter: /.*/, namespace: "glossary" }, () => ({
            contents: JSON.stringify(readGlossary()),
            loader: "json",
        }));
    },
};

// The words that cells of tables have, by the enumerators that they are in the program: REMOVAL_DONE is "removed". One
// that the program does not have is an error of the bundle.
const wordFiles = ["../src/interval/interval.c", "../src/metrics/words.c"];
const readWords = () =>
    wordFiles
        .flatMap(file => [...readFileSync(join(folder, file), "utf8").matchAll(/\[([A-Z_]+)\] = "([^"]*)"/g)])
        .filter(([, name], index, all) => all.findIndex(([, other]) => other === name) === index)
        .map(([, name, word]) => `export const ${name} = ${JSON.stringify(word)};\n`)
        .join("");

const wordsModule = {
    name: "words",
    setup(build) {
        build.onResolve({ filter: /^words$/ }, () => ({ path: "words", namespace: "words" }));
        build.onLoad({ filter: /.*/, namespace: "words" }, () => ({ contents: readWords() }));
    },
};

// The package of npm that a file belongs to, or nothing.
const packageOf = file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];

// packages: the folder with node_modules. file: in the folder of this script. embedded: a set that gets the names of
// packages that are part of the script. Their notices are not in it: see notices.mjs.
export async function bundleScript(packages, file, embedded = new Set()) {
    const faults = await faultsOfTexts();
    if (faults.length > 0) throw new Error(faults.join("\n"));
    const esbuild = createRequire(join(packages, "package.json"))("esbuild");
    const bundle = await esbuild.build({
        entryPoints: [join(folder, file)],
        bundle: true,
        minify: true,
        format: "iife",
        target: "es2021",
        nodePaths: [join(packages, "node_modules")],
        legalComments: "none",
        write: false,
        metafile: true,
        plugins: [glossaryModule, wordsModule],
    });
    for (const input of Object.keys(bundle.metafile.inputs)) if (packageOf(input)) embedded.add(packageOf(input));
    return bundle.outputFiles[0].text;
}

export function bundleStyle(packages, file) {
    const esbuild = createRequire(join(packages, "package.json"))("esbuild");
    const style = esbuild.buildSync({ entryPoints: [join(folder, file)], bundle: true, minify: true, write: false });
    return style.outputFiles[0].text.trim();
}

// The German of what simrun writes, and refuses, as src/said.js reads it: the columns apart are packed smaller.
const columnsOf = rows => JSON.stringify([0, 1].map(column => rows.map(row => row[column])));
export const german = { german: columnsOf(rows), "german-refusals": columnsOf(refusals) };

// As the page unpacks it.
export const pack = content => deflateSync(content, { level: 9 }).toString("base64");
