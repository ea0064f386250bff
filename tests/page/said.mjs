// The German of what simrun writes: the rows, the words in simrun's sources, sentences of pages, texts of anybody.
//     node said.mjs check PAGE...
//     node said.mjs experiments      the commands of the labs' experiments, one a line
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { commandOf, readExperiment } from "../../page/lab/spec.js";
import { names } from "../../page/src/texts/names.js";
import { refusals, rows as answers } from "../../page/src/texts/said/index.js";
import { english, Translator } from "../../page/src/texts/said/translate.js";
import { check, finish } from "./checks.mjs";
import { unknownPieces } from "./said_formats.mjs";

const rows = [...refusals, ...answers];
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

function printExperiments() {
    for (const file of readdirSync(join(root, "labs")).filter(name => name.endsWith(".md")))
        for (const [, block] of readFileSync(join(root, "labs", file), "utf8").matchAll(
            /^```experiment\n([\s\S]*?)^```$/gm,
        )) {
            const spec = readExperiment(block),
                values = Object.fromEntries(spec.controls.map(({ name, at }) => [name, at]));
            console.log(commandOf(spec, values));
        }
}

// --- the rows, and the sources ---

function checkRows() {
    const placesOf = text => text.match(/\{[=\d]*\}/g) ?? [];
    for (const [pattern, german] of rows) {
        const places = placesOf(pattern).length,
            numbers = placesOf(german).map((place, i) => (place === "{}" ? i : Number(place.slice(1, -1))));
        check(
            `the values of "${pattern}"`,
            german && String(numbers.sort((a, b) => a - b)) === String([...Array(places).keys()]),
            german,
        );
        check(`"${pattern}": a value is not behind another`, !/\}\{/.test(pattern));
    }
    const patterns = rows.map(([pattern]) => pattern);
    const twice = patterns.filter((pattern, i) => patterns.indexOf(pattern) !== i);
    check("a pattern has one row", twice.length === 0, twice.join(" | "));
}

function checkSources() {
    const unknown = unknownPieces(root, [...names, ...rows]);
    for (const { place, piece } of unknown) console.log(`${place}: no row in page/src/texts/said has "${piece}"`);
    check("the words of the sources", unknown.length === 0);
}

// --- pages ---

const saidOf = page => {
    const packed = /id="said">([^<]*)</.exec(readFileSync(page, "utf8"))?.[1] ?? "";
    return JSON.parse(inflateSync(Buffer.from(packed, "base64")));
};

const textsOf = ({ items }) =>
    items.flatMap(item =>
        item.kind === "table"
            ? [item.title, ...item.columns.filter(({ parameter }) => !parameter).map(({ head }) => head)]
            : [item.text],
    );

// A text that is whole has no English words left; names may have them, so that few are looked for.
function checkPage(page, translator) {
    const texts = textsOf(saidOf(page)).filter(text => text);
    check(`${page}: texts`, texts.length > 0);
    for (const text of texts) {
        const german = translator.inFull(text);
        check(`German of "${text}"`, german !== null);
        check(`no English in the German of "${text}"`, german === null || !hasEnglish(german), german);
    }
}

// "in", "an", "so" and "am" are German, too.
const hasEnglish = text =>
    english.test(text.replaceAll(/(^|[\s(])(so|in|an|am|des|all|for|no|end|by)(?=[\s,.;:)]|$)/gi, "$1"));

// --- single texts ---

const told = [
    [
        "64 ranks in 7.026 s, speedup 11.16, efficiency 17.4 %; 55 % of its critical path is communication.",
        "64 Ränge in 7.026 s, Speedup 11.16, Effizienz 17.4 %; 55 % des kritischen Pfads sind Kommunikation.",
    ],
    [
        "4 ranks in 2.1 s: 30 % of the time ranks wait in MPI_Recv (heat.c:41 in exchange) for messages that are " +
            "sent late, 98 % of it by rank 2, which computes 1.3 times as long as the mean. 60 % of its critical " +
            "path is processing.",
        "4 Ränge in 2.1 s: 30 % der Zeit warten Ränge in MPI_Recv (heat.c:41 in exchange) auf Nachrichten, die " +
            "spät gesendet werden, 98 % davon durch Rang 2, der 1.3-mal so lange rechnet wie das Mittel. 60 % des " +
            "kritischen Pfads sind Rechnen.",
    ],
    [
        "Best by time for size 2048: grid 4x3 in 9.225 s; grid 4x2 takes 0.9 % longer but moves 26 % less data and " +
            "leaves 4 processors free.",
        "Am besten nach Zeit für size 2048: grid 4x3 in 9.225 s; grid 4x2 braucht 0.9 % länger, aber bewegt 26 % " +
            "weniger Daten und lässt 4 Prozessoren frei.",
    ],
    [
        "The parts add up to 2.318 s at 256 ranks; the model of the time itself says 2.924 s, 26.1 % more.",
        "Die Teile ergeben bei 256 Rängen zusammen 2.318 s; das Modell der Zeit selbst sagt 2.924 s, 26.1 % mehr.",
    ],
    [
        "Note: the run was aborted: this is how far it got; waits that never ended: 2; rank 1 waits in MPI_Recv for " +
            "rank 0 from 0.5 s on.",
        "Hinweis: Der Lauf wurde abgebrochen: So weit kam er; Wartezeiten, die nie endeten: 2; Rang 1 wartet in " +
            "MPI_Recv auf Rang 0 ab 0.5 s.",
    ],
    [
        "own/chain.txt:3: rank 2 sends to rank 3 what it does not have yet",
        "own/chain.txt:3: Rang 2 sendet an Rang 3, was er noch nicht hat",
    ],
    [
        "zz.xml: deadlock after 0.04773 s, 14 of 16 ranks wait: rank 2 (line 8 of own/deadlock.txt) waits to receive " +
            "from rank 3, rank 3 (line 9 of own/deadlock.txt) waits to receive from rank 2",
        "zz.xml: Deadlock nach 0.04773 s, 14 von 16 Rängen warten: Rang 2 (Zeile 8 von own/deadlock.txt) wartet auf " +
            "eine Nachricht von Rang 3, Rang 3 (Zeile 9 von own/deadlock.txt) wartet auf eine Nachricht von Rang 2",
    ],
    ["3 of 8 runs, about 20 s left", "3 von 8 Läufen, noch etwa 20 s"],
    ["--set n=-3: '-3' is outside 1 ... 16384", "--set n=-3: '-3' liegt außerhalb von 1 ... 16384"],
    // A value that is a name of the reader's, and a text that simrun does not write.
    ["Profile by a tool of the lab.", "Profil von a tool of the lab."],
    ["It is the wrong text.", "It is the wrong text."],
];

// Texts that have many ways to be taken apart are given up, and stay as they are.
function checkHostile(translator) {
    const texts = [
        "rank 0: ".repeat(12500),
        "a, the and of; ".repeat(250),
        `${"for Fastest ".repeat(300)}: the`,
        `${"x in y and the ".repeat(250)}.`,
        `${"(".repeat(1900)} the ${")".repeat(1900)}`,
        "{0} {} {=}: $& the $1",
        "__proto__",
    ];
    for (const text of texts) {
        translator.left = 0;
        const german = translator.translate(text);
        check(`given up: ${text.slice(0, 30)}`, translator.left > -1000, translator.left);
        if (/\bthe\b/.test(text) || text.length > 4000)
            check(`as it is: ${text.slice(0, 30)}`, german === text, german.slice(0, 100));
    }
}

function checkAll(pages) {
    const translator = new Translator([...names, ...rows]);
    checkRows();
    checkSources();
    for (const page of pages) checkPage(page, translator);
    for (const [text, german] of told) {
        const got = translator.translate(text);
        check(`German of "${text}"`, got === german, got);
    }
    checkHostile(translator);
    finish();
}

const [, , what, ...pages] = process.argv;
if (what === "experiments") printExperiments();
else checkAll(pages);
