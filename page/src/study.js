// The runs of the JSON document, and what varies between them.

const isNumber = value => typeof value === "number";

// drawn: of a sweep, one run again with all details, in the page alone.
export function readStudy(data, drawn = {}) {
    const runs = (data.runs ?? []).map((run, index) => ({ ...run, index })).filter(run => isNumber(run.time_s));
    const names = [...new Set(runs.flatMap(run => Object.keys(run.parameters ?? {})))];
    const valuesOf = name => [...new Set(runs.map(run => run.parameters?.[name]))];
    const varying = names.filter(name => valuesOf(name).length > 1);
    const isAxis = name => valuesOf(name).every(isNumber);
    const best = runs.reduce((a, b) => (a === null || b.time_s < a.time_s ? b : a), null);
    const same = (a, b) => JSON.stringify([a.platform, a.parameters]) === JSON.stringify([b.platform, b.parameters]);
    const again = drawn.drawn?.[0], detailed = new Map(again
        ? runs.filter(run => same(run, again)).map(run => [run.index, { root: drawn, path: ["drawn", 0], run: again }])
        : runs.map(run => [run.index, { root: data, path: ["runs", run.index], run }]));
    return {
        // By the place of a run: the run with its details, and where it stands: { root, path, run }.
        detailed,
        data, runs, varying, valuesOf, isAxis, best,
        axes: varying.filter(isAxis),
        isRanked: runs.some(run => isNumber(run.rank)),
        // What tells a run from the others, but for the parameters that are left out.
        label(run, without = []) {
            const told = varying.filter(name => !without.includes(name)).map(name => `${name} ${run.parameters[name]}`);
            return told.join(", ") || `${run.ranks} ranks`;
        },
        // Runs that differ in one parameter alone, in its order: [{ name, runs }].
        lines(axis) {
            const groups = new Map();
            for (const run of runs) {
                const key = varying.filter(name => name !== axis).map(name => `${name} ${run.parameters[name]}`).join(", ");
                groups.set(key, [...(groups.get(key) ?? []), run]);
            }
            const order = (a, b) => a.parameters[axis] - b.parameters[axis];
            return [...groups].map(([name, of]) => ({ name, runs: isAxis(axis) ? of.sort(order) : of }));
        },
    };
}
