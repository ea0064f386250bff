// What is compared with what: which of the parameters that vary make a problem, and which are the candidates for it.

const isRanked = run => typeof run.factor_to_best === "number";
const keyOf = (run, names) => JSON.stringify(names.map(name => run.parameters[name]));

function groupsOf(runs, names) {
    const groups = new Map();
    for (const run of runs) groups.set(keyOf(run, names), [...(groups.get(keyOf(run, names)) ?? []), run]);
    return [...groups.values()];
}

// Whether each run's factor is its time over that of the fastest of its group: then the names are those of the problem.
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

// { problem, candidate: names of parameters; problems: [{ label, runs }]; of: a run's label among its like }; null
// without a ranking.
export function candidatesOf({ runs: all, varying }) {
    const runs = all.filter(isRanked);
    if (runs.length < 2 || varying.length > 10) return null;
    const names = varying.filter(name => new Set(runs.map(run => run.parameters[name])).size > 1);
    const problem = [...subsets(names)].find(chosen => areOfProblem(runs, chosen));
    if (!problem) return null;
    const candidate = names.filter(name => !problem.includes(name));
    const told = (run, which) => which.map(name => `${name} ${run.parameters[name]}`).join(", ");
    const isNamed =
        candidate.length > 1 && runs.some(run => candidate.some(name => typeof run.parameters[name] === "number"));
    const short = run => candidate.map(name => run.parameters[name]).join(", ");
    const problems = groupsOf(runs, problem).map(group => ({
        label: told(group[0], problem),
        first: group[0],
        runs: group.sort((a, b) => a.time_s - b.time_s),
    }));
    return candidate.length === 0
        ? null
        : { problem, candidate, problems, of: run => (isNamed ? told(run, candidate) : short(run)) };
}
