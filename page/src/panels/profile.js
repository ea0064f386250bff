// Profile Map: the scopes of the program as a tree, inclusive and exclusive; of all processors or of one, of all that
// time is spent on or of one thing. A scope opens to the scopes in it, and to its processors or operations.
// SPDX-License-Identifier: BSD-3-Clause
import { OPERATION_NONE } from "words";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { scopesIn, scopeTree } from "../scope_tree.js";
import { kindsOf, outside, timesOf } from "../scopes.js";
import { colourOfKind, keyOf, stackOf, sumBy, shownWord, withPaperName, wordOf } from "../shared_memory.js";
import { onTheme } from "../theme.js";
import { Tree } from "../tree.js";
import { t } from "../texts/index.js";

const program = t("the whole program");
const mostRows = 16; // that a scope opens to
const hasScopes = run => new Set(timesOf(run).map(({ scope }) => scope)).size > 1;
const sumOf = rows => rows.reduce((sum, { time_s }) => sum + time_s, 0);

function barsOf(rows, whole) {
    const sums = sumBy(rows, ({ kind }) => kind);
    return stackOf(
        kindsOf(sums.keys()).map(kind => [
            sums.get(kind),
            colourOfKind(kind),
            `${shownWord(kind)}: ${format(sums.get(kind), "s")}`,
        ]),
        whole,
    );
}

// A time of the JSON document, where it has that; otherwise the sum of several.
const figureOf = (at, rows) => (rows.length === 1 ? at.figure("s", ...rows[0].path) : format(sumOf(rows), "s"));

const nameIn = {
    node: value => t`processor ${value}`,
    operation: value => (value === OPERATION_NONE ? t("no operation") : value),
};

// Rows below a scope: one for each processor, or for each operation of the protocol; the longest first if they are
// many.
function detailRows(at, rows, { by, whole }, key) {
    const values = sumBy(rows, row => row[by]);
    const order = [...values].sort((a, b) => (by === "node" && values.size <= mostRows ? a[0] - b[0] : b[1] - a[1]));
    const rowOf = (name, its) => ({
        key: `${key}/${name}`,
        name,
        bars: barsOf(its, whole),
        numbers: ["", figureOf(at, its)],
    });
    const left = order.slice(mostRows).map(([value]) => value);
    return [
        ...order.slice(0, mostRows).map(([value]) =>
            rowOf(
                nameIn[by](value),
                rows.filter(row => row[by] === value),
            ),
        ),
        ...(left.length > 0
            ? [
                  rowOf(
                      t`${left.length} others`,
                      rows.filter(row => left.includes(row[by])),
                  ),
              ]
            : []),
    ];
}

// Figures of a scope: the run's own where those are shown, of all processors and all categories.
function figuresOf(at, scope, inside, own, isAll) {
    const index = isAll ? (at.run.profile_scopes ?? []).findIndex(row => row.scope === scope) : -1;
    return index < 0
        ? [figureOf(at, inside), figureOf(at, own)]
        : ["inclusive_s", "exclusive_s"].map(which => at.figure("s", "profile_scopes", index, which));
}

const treeOf = (run, rows) => scopeTree(new Set(rows.map(({ scope }) => scope)), run.scopes);

// Rows that are open from the start: the program, and outermost scopes that contain others.
function openedFirst(run) {
    const tops = treeOf(run, timesOf(run)).filter(({ below }) => below.length > 0);
    return [program, ...tops.map(({ scope }) => `${program}/${scope}`)];
}

// Rows of the tree, which are made as they are opened.
function makeRows(at, rows, choice) {
    const { whole, isAll } = choice;
    const canOpen = its => its.length > 0 && its[0].node !== null && choice.by;
    const rowOf = ({ scope, below, lies }, above) => {
        const names = new Set(scopesIn({ scope, below })),
            key = `${above}/${scope}`;
        const inside = rows.filter(row => names.has(row.scope)),
            own = rows.filter(row => row.scope === scope);
        const rest = {
            key: `${key}/`,
            name: t`${scope}, the rest`,
            bars: barsOf(own, whole),
            numbers: ["", figureOf(at, own)],
        };
        const open = () =>
            below.length > 0
                ? [...(own.length > 0 ? [rest] : []), ...below.map(one => rowOf(one, key))]
                : detailRows(at, own, choice, key);
        return {
            key,
            name: lies.length > 0 ? t`${scope} (in ${lies.join(", ")})` : scope,
            bars: barsOf(inside, whole),
            numbers: figuresOf(at, scope, inside, own, isAll),
            below: below.length > 0 || canOpen(own) ? open : undefined,
        };
    };
    const tops = treeOf(at.run, rows);
    return [
        {
            key: program,
            name: program,
            bars: barsOf(rows, whole),
            numbers: figuresOf(
                at,
                "0",
                rows,
                rows.filter(({ scope }) => scope === outside),
                isAll,
            ),
            below: () => tops.map(one => rowOf(one, program)),
        },
    ];
}

const choicesOf = (values, nameOf, all) => [
    { name: all, value: null },
    ...values.map(value => ({ name: nameOf(value), value })),
];

export const profile = {
    id: "profile",
    title: t("Profile of the program"),
    about: t("Time of the processors by scope. A scope opens to the scopes in it, or to its operations or processors."),
    terms: ["scope", "inclusive", "operation"],
    wants: study => study.runs.some(hasScopes),
    draw(frame, study) {
        const chosen = { node: null, kind: null, by: "operation" },
            key = element("div"),
            note = element(
                "p",
                { class: "note" },
                t("A scope that lies in several stands beside them, and is in the inclusive time of none."),
            );
        const draw = () => {
            const all = timesOf(at.run),
                kinds = kindsOf(new Set(all.map(({ kind }) => kind)));
            const nodes = [...new Set(all.map(({ node }) => node))].filter(node => node !== null).sort((a, b) => a - b);
            const ways = ["operation", "node"].filter(name => all.some(row => (row[name] ?? null) !== null));
            if (!nodes.includes(chosen.node)) chosen.node = null;
            if (!kinds.includes(chosen.kind)) chosen.kind = null;
            const by = ways.includes(chosen.by) ? chosen.by : ways[0];
            offer.node(choicesOf(nodes, nameIn.node, t("all processors")), chosen.node);
            offer.kind(choicesOf(kinds, shownWord, t("all")), chosen.kind);
            offer.by(
                ways.map(value => ({ name: { operation: t("operations"), node: t("processors") }[value], value })),
                by,
            );
            key.replaceChildren(keyOf(kinds.map(kind => [colourOfKind(kind), withPaperName(wordOf(kind), kind)])));
            const rows = all.filter(
                ({ node, kind }) => (chosen.node ?? node) === node && (chosen.kind ?? kind) === kind,
            );
            note.hidden = treeOf(at.run, rows).every(({ lies }) => lies.length === 0);
            const whole = sumOf(rows) || 1,
                isAll = chosen.node === null && chosen.kind === null;
            tree.draw(makeRows(at, rows, { whole, isAll, by }), () => ({
                of: term("scope"),
                heads: [term("inclusive"), term("exclusive")],
                largest: whole,
                unit: "s",
            }));
        };
        const at = followRun(frame, study, hasScopes, draw),
            tree = new Tree(draw);
        const choose = name => value => {
            chosen[name] = value;
            draw();
        };
        const offer = {
            node: frame.offer(t("of"), choose("node")),
            kind: frame.offer(t("time in"), choose("kind")),
            by: frame.offer(t("open to"), choose("by")),
        };
        for (const one of openedFirst(at.run)) tree.opened.add(one);
        frame.body.append(key, tree.box, note);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["node", "scope", "kind", "operation", "time_s"],
            ...timesOf(at.run).map(row => [row.node, row.scope, row.kind, row.operation, row.time_s]),
        ]);
    },
};
