// Standings of a race: algorithms that were all run on the same lengths and machines. The rule is that of
// `simrun marks`: the geometric mean of the times decides, and equal means share a place.
// SPDX-License-Identifier: BSD-3-Clause
import { pointerTo, settingText } from "./numbers.js";
import { readStudy } from "./study.js";

const collectives = ["broadcast", "allreduce"];

const keyOf = (run, names) => JSON.stringify(names.map(name => run.parameters[name]));
const geometricMean = values => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

// Those with the same mean have the same place; the next one has the next place.
function givePlaces(racers) {
    racers.sort((a, b) => a.mean_s - b.mean_s);
    racers.forEach((racer, i) => {
        const before = racers[i - 1];
        racer.place = before ? before.place + (racer.mean_s > before.mean_s ? 1 : 0) : 1;
    });
    return racers;
}

// The race of the first lab in what `simrun marks` says, as a study of runs whose broadcast is who has written it; null
// where there is none. Two of the same name are told apart by their files.
function studyOfMarks({ race = [], race_runs: all = [] }) {
    const rows = all.map((row, index) => ({ ...row, index })).filter(({ lab }) => lab === all[0].lab),
        isAlone = who => race.filter(one => one.who === who && one.lab === all[0].lab).length === 1;
    const runs = rows.map(({ who, file, platform, length, time_s, index }) => ({
        time_s,
        place: pointerTo("race_runs", index, "time_s"),
        parameters: {
            platform,
            bytes: Number(length),
            broadcast: isAlone(who) && who !== "" ? who : `${who} (${file})`,
        },
    }));
    return runs.length > 0 ? readStudy({ runs }) : null;
}

// A study's race, or that of a class: { study, raced, others: names of parameters, machines before lengths;
// courses: [{ first, best_s, runs }]; racers: [{ name, runs, mean_s, ratio, fastest_in, place }], the first place
// first }, where runs stand in the order of the courses, `ratio` is the geometric mean of time over the best time of a
// course, and `fastest_in` counts courses on which nobody is faster. Null where it is no race: all must have run on at
// least two courses.
export function standingsOf(given) {
    const study = studyOfMarks(given.data ?? {}) ?? given,
        { varying, runs } = study,
        raced = collectives.find(name => varying.includes(name));
    const isNumber = name => study.isAxis(name);
    if (!raced || isNumber(raced)) return null;
    const rest = varying.filter(name => name !== raced),
        others = [...rest.filter(name => !isNumber(name)), ...rest.filter(isNumber)];
    const courses = new Map(),
        entrants = new Map();
    for (const run of runs) {
        const course = keyOf(run, others),
            name = settingText(raced, run.parameters[raced]);
        if (!courses.has(course)) courses.set(course, { first: run, runs: [] });
        courses.get(course).runs.push(run);
        if (!entrants.has(name)) entrants.set(name, new Map());
        entrants.get(name).set(course, run);
    }
    const isWhole = runs.length === courses.size * entrants.size && runs.every(({ time_s }) => time_s > 0);
    if (courses.size < 2 || entrants.size < 2 || !isWhole) return null;
    const all = [...courses.values()].map(one => ({ ...one, best_s: Math.min(...one.runs.map(run => run.time_s)) }));
    const racers = [...entrants].map(([name, its]) => {
        const own = [...courses.keys()].map(course => its.get(course));
        return {
            name,
            runs: own,
            mean_s: geometricMean(own.map(run => run.time_s)),
            ratio: geometricMean(own.map((run, i) => run.time_s / all[i].best_s)),
            fastest_in: own.filter((run, i) => run.time_s === all[i].best_s).length,
        };
    });
    return { study, raced, others, courses: all, racers: givePlaces(racers) };
}
