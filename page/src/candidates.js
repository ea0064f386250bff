// Splits the parameters that vary: some define the problem, the others the candidates that are compared for it.
// SPDX-License-Identifier: BSD-3-Clause
import { settingText } from "./numbers.js";

const isRanked = run => typeof run.factor_to_best === "number";
const keyOf = (run, names) => JSON.stringify(names.map(name => run.parameters[name]));
// The best first: by the place that a decision has given, else by time.
const byPlace = (a, b) => (a.place ?? 0) - (b.place ?? 0) || a.time_s - b.time_s;

// Runs with the same values of these parameters, of each group the best first.
export function groupsOf(runs, names) {
    const groups = new Map();
    for (const run of runs) groups.set(keyOf(run, names), [...(groups.get(keyOf(run, names)) ?? []), run]);
    return [...groups.values()].map(group => group.sort(byPlace));
}

// True if each run's factor is its time over that of the fastest of its group: then the names are those of the problem.
function areOfProblem(runs, names) {
    return groupsOf(runs, names).every(group => {
        const best = Math.min(...group.map(run => run.time_s));
        return group.every(run => Math.abs((run.factor_to_best * best) / run.time_s - 1) < 1e-9);
    });
}

function* subsets(names) {
    for (let size = 0; size <= names.length; size++)
        for (let bits = 0; bits < 1 << names.length; bits++) {
            const chosen = names.filter((_, i) => (bits >> i) & 1);
            if (chosen.length === size) yield chosen;
        }
}

// "ranks 4, bytes 1 KiB"
export const told = (run, names) => names.map(name => `${name} ${settingText(name, run.parameters[name])}`).join(", ");

// Returns the function that names candidates that differ in these parameters; a number alone would say too little.
export function namer(runs, names) {
    const isNamed = names.length > 1 && runs.some(run => names.some(name => typeof run.parameters[name] === "number"));
    return run => (isNamed ? told(run, names) : names.map(name => settingText(name, run.parameters[name])).join(", "));
}

// In the order in which they stand in a table: the parameter that changes least often first.
function slowestFirst(runs, names) {
    const changes = name => runs.filter((run, i) => run.parameters[name] !== runs[i - 1]?.parameters[name]).length;
    return [...names].sort((a, b) => changes(a) - changes(b));
}

// Runs on different networks are ranked apart where anything else can be chosen.
function problemOf(runs, names) {
    const all = [...subsets(names)].filter(chosen => chosen.length < names.length),
        isApart = chosen => chosen.includes("network");
    return [...all.filter(isApart), ...all].find(chosen => areOfProblem(runs, chosen));
}

// { problem, candidate: names of parameters; problems: [{ label, first, runs }], the best run first; runs: all of them;
// of: a run's label among its like }; null without a ranking.
export function candidatesOf({ runs: all, varying }) {
    const runs = all.filter(isRanked);
    if (runs.length < 2 || varying.length > 10) return null;
    const names = varying.filter(name => new Set(runs.map(run => run.parameters[name])).size > 1);
    const found = problemOf(runs, names);
    if (!found) return null;
    const candidate = names.filter(name => !found.includes(name)),
        groups = groupsOf(runs, found),
        problem = slowestFirst(
            groups.map(([first]) => first),
            found,
        );
    const problems = groups.map(group => ({ label: told(group[0], problem), first: group[0], runs: group }));
    return { problem, candidate, problems, runs, of: namer(runs, candidate) };
}

// Candidates that were discarded: [{ name, index, why }].
export const discardedOf = ({ data }, { problem, candidate }) =>
    (data.runs ?? [])
        .map((run, index) => ({ name: told(run, [...problem, ...candidate]), index, why: run.discarded }))
        .filter(({ why }) => typeof why === "string");
