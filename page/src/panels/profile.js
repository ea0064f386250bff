// Profile Map: the scopes of the program as a tree, inclusive and exclusive; a scope opens to its nodes or operations.
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { categories, categoryColour, isOfController, keyOf, stackOf, sumBy, wordOf } from "../shared_memory.js";
import { onTheme } from "../theme.js";

const hasProfile = run => run.profile && run.profile_scopes;
const program = "0"; // what the profile calls the whole

// The main processors' rows of the profile in a scope and in those that lie in it.
function rowsIn({ profile, scopes = [] }, scope) {
    const parentOf = new Map(scopes.map(({ scope: name, parent }) => [name, parent]));
    const isIn = name => name === scope || (parentOf.get(name) ? isIn(parentOf.get(name)) : false);
    return profile.filter(row => !isOfController(row.category) && (scope === program || isIn(row.scope)));
}

// Scopes in the order of the tree: { scope, index, depth }.
function treeOf({ profile_scopes: all, scopes = [] }) {
    const parentOf = name => scopes.find(one => one.scope === name)?.parent || program;
    const below = (parent, depth) =>
        all
            .map(({ scope }, index) => ({ scope, index, depth }))
            .filter(({ scope }) => scope !== program && parentOf(scope) === parent)
            .flatMap(one => [one, ...below(one.scope, depth + 1)]);
    return [
        ...all.map(({ scope }, index) => ({ scope, index, depth: 0 })).filter(({ scope }) => scope === program),
        ...below(program, 1),
    ];
}

const keys = categories.map(([key]) => key).filter(key => !isOfController(key));

function barsOf(rows, whole) {
    const sums = sumBy(
        rows,
        ({ category }) => category,
        ({ time_s }) => time_s,
    );
    return stackOf(
        keys.map(key => [
            sums.get(key) ?? 0,
            categoryColour(key),
            `${wordOf(key)}: ${format(sums.get(key) ?? 0, "s")}`,
        ]),
        whole,
    );
}

// What a scope opens to: a row for each node, or for each operation of the protocol, the longest first.
function openedRows(rows, depth, by, whole) {
    const sums = [
        ...sumBy(
            rows,
            row => row[by],
            ({ time_s }) => time_s,
        ),
    ];
    sums.sort(by === "node" ? (a, b) => a[0] - b[0] : (a, b) => b[1] - a[1]);
    const nameOf = value => (by === "node" ? `node ${value}` : value === "none" ? "no operation" : value);
    return sums.map(([value, time_s]) => ({
        depth: depth + 1.6,
        name: nameOf(value),
        numbers: [format(time_s, "s"), ""],
        bars: barsOf(
            rows.filter(row => row[by] === value),
            whole,
        ),
    }));
}

export const profile = {
    id: "profile",
    title: "Shared memory: profile of the program",
    about: "Time of all main processors by scope. A scope opens to its operations or nodes.",
    terms: ["scope", "operation", "program", "coherence", "serving others", "waiting"],
    wants: study => study.runs.some(hasProfile),
    draw(frame, study) {
        let by = "operation";
        const opened = new Set(),
            box = element("div"),
            key = element("div");
        const flip = scope => {
            if (!opened.delete(scope)) opened.add(scope);
            draw();
            box.querySelector(`[data-scope="${CSS.escape(scope)}"]`)?.focus();
        };
        const nameOf = scope =>
            element(
                "button",
                {
                    type: "button",
                    class: "plain",
                    "data-scope": scope,
                    "aria-expanded": String(opened.has(scope)),
                    onclick: () => flip(scope),
                },
                opened.has(scope) ? "\u25be " : "\u25b8 ",
                scope === program ? "the whole program" : scope,
            );
        const draw = () => {
            const whole = at.run.profile_scopes.find(({ scope }) => scope === program)?.inclusive_s || 1;
            key.replaceChildren(keyOf(keys.map(one => [categoryColour(one), wordOf(one)])));
            drawBars(box, {
                of: term("scope"),
                heads: ["inclusive", "exclusive"],
                largest: whole,
                unit: "s",
                rows: treeOf(at.run).flatMap(({ scope, index, depth }) => {
                    const rows = rowsIn(at.run, scope),
                        number = which => at.figure("s", "profile_scopes", index, which);
                    const row = {
                        depth,
                        name: nameOf(scope),
                        bars: barsOf(rows, whole),
                        numbers: [number("inclusive_s"), number("exclusive_s")],
                    };
                    return [row, ...(opened.has(scope) ? openedRows(rows, depth, by, whole) : [])];
                }),
            });
        };
        const at = followRun(frame, study, hasProfile, draw);
        frame.choose(
            "open to",
            ["operation", "node"].map(name => ({ name: `${name}s`, value: name })),
            by,
            chosen => {
                by = chosen;
                draw();
            },
        );
        frame.body.append(key, box);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["node", "scope", "category", "operation", "time_s"],
            ...at.run.profile.map(row => [row.node, row.scope, row.category, row.operation, row.time_s]),
        ]);
    },
};
