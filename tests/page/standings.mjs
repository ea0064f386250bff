// Standings of a race: places, means and wins are those that `simrun marks` gives the same lines.
//     node standings.mjs MARKS NAME...        NAME.runs has the JSON of NAME's runs
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from "node:fs";
import { standingsOf } from "../../page/src/standings.js";
import { readStudy } from "../../page/src/study.js";
import { check, finish } from "./checks.mjs";

const [, , marks, ...names] = process.argv;
const read = file => JSON.parse(readFileSync(file, "utf8"));
const named = name =>
    read(`${name}.runs`).runs.map(run => ({ ...run, parameters: { ...run.parameters, broadcast: name } }));
const runs = names.flatMap(named);

const standings = standingsOf(readStudy({ runs })),
    wanted = read(marks).race;
check("all race", standings?.racers.length === names.length && wanted.length === names.length);
check("over lengths and machines", standings.courses.length === 9, standings.courses.length);
for (const { who, place, mean_time_s: mean, fastest_in: wins } of wanted) {
    const racer = standings.racers.find(({ name }) => name === who);
    check(`${who}: place ${place}`, racer.place === place, racer.place);
    check(`${who}: mean`, Math.abs(racer.mean_s / mean - 1) < 1e-12, `${racer.mean_s} instead of ${mean}`);
    check(`${who}: fastest in ${wins}`, racer.fastest_in === wins, racer.fastest_in);
}
check("some win, and some do not", new Set(wanted.map(one => one.fastest_in)).size > 1);

// The page of `simrun marks` shows the same race of the first lab, also where two have the same name.
const ofMarks = standingsOf(readStudy(read(marks)));
for (const { who, place } of wanted)
    check(
        `${who} on the page of marks: place ${place}`,
        ofMarks.racers.find(({ name }) => name === who)?.place === place,
    );
const twins = read(marks);
for (const row of [...twins.race, ...twins.race_runs]) row.who = "twin";
check(
    "people of one name are told apart",
    standingsOf(readStudy(twins)).racers.every(({ name }) => /^twin \(.*\.json\)$/.test(name)),
);

// No race: one course alone, a run that is missing, or nobody to race against.
const isRace = of => standingsOf(readStudy({ runs: of })) !== null;
const [{ parameters: first }] = runs;
check(
    "one course",
    !isRace(runs.filter(({ parameters: p }) => p.platform === first.platform && p.bytes === first.bytes)),
);
check("a run that is missing", !isRace(runs.slice(1)));
check("one racer", !isRace(named(names[0])));
check("a part of all", isRace(runs.filter(({ parameters }) => parameters.bytes > 1024)));

finish();
