// The words that simrun's sources put into sentences, notes, titles and heads: pieces of string literals between the
// conversions of their formats. Every one must stand in a row of page/src/texts/said.
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

// Sources of answers, and in them statements that refuse something or that name a file.
const places = ["src/study", "src/experiment", "src/sim/user_broadcast"],
    files = ["src/metrics/words.c", "src/interval/interval.c", "src/core/what_if/causes.c", "src/simrun/cube_answer.c"];
const others = /sim_error|\.summary =|DEBUG\(|fopen|_Static_assert|assert\(|COST_TEXT|\.source =/,
    refuse = /FAIL\(|user_broadcast_(fail|refuse)\(|parser->error|\*why = /;
const silent = /experiment\/(?!notes)|study\/reference\.c|compare\/gate\.c|user_broadcast\/(expression|names)\.c/;

const filesBelow = home =>
    readdirSync(home, { withFileTypes: true }).flatMap(entry =>
        entry.isDirectory()
            ? filesBelow(join(home, entry.name))
            : entry.name.endsWith(".c")
              ? [join(home, entry.name)]
              : [],
    );

const unescape = literal =>
    literal.replaceAll(/\\(n|"|\\|[0-7]{3})/g, (_, sign) => (sign === "n" ? "\n" : sign.length === 3 ? "?" : sign));

// [{ line, text }] of the literals in a statement, of which neighbors are one.
function literalsIn(source) {
    const found = [];
    const plain = source.replaceAll(/\/\*[\s\S]*?\*\//g, comment => comment.replaceAll(/[^\n]/g, " "));
    let line = 1;
    for (const statement of plain.split(/(?<=[;{}]\s*\n)/)) {
        if (!others.test(statement) || refuse.test(statement))
            for (const { 0: all, index } of statement.matchAll(/"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*/g)) {
                const before = statement.slice(0, index).split("\n");
                if (before.at(-1).trimStart().startsWith("#include")) continue;
                const literals = all.match(/"(?:[^"\\\n]|\\.)*"/g).map(one => unescape(one.slice(1, -1)));
                found.push({ line: line + before.length - 1, text: literals.join("") });
            }
        line += statement.split("\n").length - 1;
    }
    return found;
}

const conversion = /%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]/,
    edge = /^[\s%.,;:()[\]'"=|]+|[\s%.,;:()[\]'"=|]+$/g;
export const piecesOf = format =>
    format
        .replaceAll("%%", "\u0001")
        .split(conversion)
        .map(piece => piece.replaceAll("\u0001", "%").replaceAll(edge, ""));

// Several words, or one beside a value; a single word is a name elsewhere.
const isSaid = (piece, text) =>
    /[a-z]{2}.* .*[a-z]|[a-z] .*[a-z]{2}/i.test(piece) || (/^[a-z]{3,}$/i.test(piece) && /\s.*%|%.*\s/.test(text));

// [{ place, piece }] of all that is said.
export function piecesOfSources(root) {
    const sources = [...places.flatMap(place => filesBelow(join(root, place))), ...files.map(file => join(root, file))];
    return sources
        .filter(file => !silent.test(file))
        .flatMap(file =>
            literalsIn(readFileSync(file, "utf8")).flatMap(({ line, text }) =>
                piecesOf(text)
                    .filter(piece => isSaid(piece, text))
                    .map(piece => ({ place: `${file.slice(root.length + 1)}:${line}`, piece })),
            ),
        );
}

// The parts that a sentence is taken apart into; a word before them may belong to what is before the piece.
const partsOf = piece =>
    piece
        .split(/[.;:,] | \(| and | but /)
        .map(part => part.replaceAll(edge, ""))
        .filter(part => part.includes(" "));
const behindFirst = part => part.slice(part.indexOf(" ") + 1);

// The pieces that stand in no row. A number in a literal may be a value in the row.
export function unknownPieces(root, rows) {
    const plain = text => text.replaceAll(/\d+(\.\d+)?/g, "{}").replaceAll("{=}", "{}");
    const known = rows.map(([pattern]) => plain(pattern)).join("\n");
    const isKnown = text =>
        text.includes(" ")
            ? known.includes(plain(text))
            : [`${text} {}`, `{} ${text}`, `\n${text}\n`].some(one => known.includes(one));
    return piecesOfSources(root).filter(
        ({ piece }) => !isKnown(piece) && !partsOf(piece).every(part => isKnown(part) || isKnown(behindFirst(part))),
    );
}
