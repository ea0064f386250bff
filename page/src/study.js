// The runs of the JSON document, and what varies between them.
// SPDX-License-Identifier: BSD-3-Clause
import { settingText } from "./numbers.js";
import { t } from "./texts/index.js";

const isNumber = value => typeof value === "number";

// A page of a sweep has its best runs again, with all details: they go to these runs. drawn: 0 for the best one.
export function withDetails(data, { drawn: again, drawn_at: places }) {
    if (!again) return data;
    const runs = [...data.runs];
    places.forEach(({ index }, drawn) => (runs[index] = { ...again[drawn], ...runs[index], drawn }));
    return { ...data, runs };
}

export const isComparison = ({ data }) => Array.isArray(data.differences) && Array.isArray(data.versions);

export function readStudy(data) {
    const runs = (data.runs ?? []).map((run, index) => ({ ...run, index })).filter(run => isNumber(run.time_s));
    const isSetting = name => name !== "run"; // which is its number in a store
    const names = [...new Set(runs.flatMap(run => Object.keys(run.parameters ?? {})))].filter(isSetting);
    const valuesOf = name => [...new Set(runs.map(run => run.parameters?.[name]))];
    const varying = names.filter(name => valuesOf(name).length > 1);
    const isSwitch = name => valuesOf(name).every(value => value === 0 || value === 1); // nothing is between them
    const isAxis = name => valuesOf(name).every(isNumber) && (!varying.includes(name) || !isSwitch(name));
    const fastest = runs.reduce((a, b) => (a === null || b.time_s < a.time_s ? b : a), null);
    const best = runs.find(({ drawn }) => drawn === 0) ?? fastest; // where problems differ, that of the largest one
    return {
        data,
        runs,
        varying,
        valuesOf,
        isAxis,
        best,
        axes: varying.filter(isAxis),
        isRanked: runs.some(run => isNumber(run.rank)),
        // Values that tell a run from the others, except for the parameters in `without`.
        label(run, without = []) {
            const told = varying
                .filter(name => !without.includes(name))
                .map(name => `${name} ${settingText(name, run.parameters[name])}`);
            return told.join(", ") || (run.ranks === 1 ? t("1 rank") : t`${run.ranks} ranks`);
        },
        // Runs that differ in one parameter alone, in its order: [{ name, runs }].
        lines(axis) {
            const groups = new Map();
            for (const run of runs) {
                const key = varying
                    .filter(name => name !== axis)
                    .map(name => `${name} ${settingText(name, run.parameters[name])}`)
                    .join(", ");
                groups.set(key, [...(groups.get(key) ?? []), run]);
            }
            const order = (a, b) => a.parameters[axis] - b.parameters[axis];
            return [...groups].map(([name, of]) => ({ name, runs: isAxis(axis) ? of.sort(order) : of }));
        },
    };
}
