// Components of the critical path over the parameter that was swept, beside those of the paper's formula.
// SPDX-License-Identifier: BSD-3-Clause
import { tip } from "../charts.js";
import { element } from "../dom.js";
import { axisName, barAxes, barHeight, followSweep } from "../sweep.js";
import { colourOf, labelOf, shadeOf, termOf } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

const rootOf = name => name.split(".")[0];
const nameOf = name =>
    name.startsWith("io.") ? `${nameIn("I/O")}: ${nameIn(name.slice(3))}` : labelOf(name.replace(/^[a-z]+\./, ""));
const simulatedOf = (run, name) => run.critical_path_s[name] ?? 0;
const formulaOf = (run, name) => run.reference?.[`predicted.${name}`] ?? 0;

// Names of components, or of parts, of which some run has any.
function namesOf(runs, keep) {
    const all = [...new Set(runs.flatMap(run => Object.keys(run.critical_path_s)))].filter(keep);
    return all.filter(name => runs.some(run => simulatedOf(run, name) > 0 || formulaOf(run, name) > 0));
}

// The choices: the components, all their parts, or the parts of one.
function choicesOf(runs) {
    const roots = namesOf(runs, name => !name.includes(".")),
        parts = namesOf(runs, name => name.includes("."));
    const partsOf = root => parts.filter(name => rootOf(name) === root);
    const all = roots.flatMap(root => (partsOf(root).length > 0 ? partsOf(root) : [root])),
        several = roots.filter(root => partsOf(root).length > 1);
    return [
        { name: t("components"), value: roots },
        ...(parts.length > 0 ? [{ name: t("all parts"), value: all }] : []),
        ...several.map(root => ({ name: t`parts of ${nameOf(root)}`, value: partsOf(root) })),
    ];
}

// Parts of one component are shades of its color.
function colourAmong(name, names) {
    const same = names.filter(one => rootOf(one) === rootOf(name));
    return same.length > 1 ? shadeOf(colourOf(name), same.indexOf(name) / same.length) : colourOf(name);
}

const sources = [
    { id: "simulated", valueOf: simulatedOf, style: {} },
    { id: "formula", valueOf: formulaOf, style: { opacity: 0.45 } },
];
const sourcesOf = runs =>
    sources.filter(({ valueOf }) => runs.some(run => namesOf([run], () => true).some(name => valueOf(run, name) > 0)));
const wholeOf = (run, valueOf) =>
    Object.keys(run.critical_path_s)
        .filter(name => !name.includes("."))
        .reduce((sum, name) => sum + valueOf(run, name), 0);
const kinds = { time: [t("time on the critical path"), "s"], share: [t("share of the critical path"), "share"] };
const hasPath = run => run.critical_path_s && wholeOf(run, simulatedOf) > 0;

export const components = {
    id: "components",
    title: t("What the time consists of"),
    about: t("Along the critical path, the chain of work and messages that determined when the run ended."),
    terms: study => ["critical path", ...choicesOf(study.runs.filter(hasPath))[0].value.map(termOf)],
    wants: study => study.runs.some(hasPath),
    draw(frame, study) {
        let names = choicesOf(study.runs.filter(hasPath))[0].value,
            kind = "time";
        const draw = () => chart.draw(barHeight(at)),
            at = followSweep(frame, study, hasPath, () => draw());
        const value = (source, run, name) =>
            source.valueOf(run, name) / (kind === "share" ? wholeOf(run, source.valueOf) || 1 : 1);
        const bar = (source, name) => ({
            type: "bar",
            id: `${source.id} ${name}`,
            name: nameOf(name),
            stack: source.id,
            barCategoryGap: "18%",
            barGap: "6%",
            itemStyle: { color: colourAmong(name, names), ...source.style },
            data: at.runs.map(run => value(source, run, name)),
        });
        const largest = () =>
            Math.max(...at.runs.flatMap(run => sourcesOf(at.runs).map(({ valueOf }) => wholeOf(run, valueOf))));
        const chart = frame.chart(
            () => ({
                series: sourcesOf(at.runs).flatMap(source => names.map(name => bar(source, name))),
                ...barAxes(at, {
                    name: kinds[kind][0],
                    unit: kinds[kind][1],
                    largest: largest(),
                    max: kind === "share" && names.every(name => !name.includes(".")) ? 1 : undefined,
                }),
                tooltip: {
                    formatter: ({ seriesId, seriesName, name, value: size }) =>
                        tip(`${at.axis ? axisName(at) : ""} ${name}`, [
                            [`${seriesName}, ${nameIn(seriesId.split(" ")[0])}`, size, kinds[kind][1]],
                        ]),
                },
            }),
            { height: barHeight(at) },
        );
        if (sourcesOf(study.runs.filter(hasPath)).length > 1)
            frame.body.append(element("p", { class: "about" }, t("Pale bars are by the paper's formula.")));
        frame.choose(t("show"), choicesOf(study.runs.filter(hasPath)), names, chosen => {
            names = chosen;
            draw();
        });
        frame.choose(
            t("in"),
            [
                { name: t("time"), value: "time" },
                { name: t("percent"), value: "share" },
            ],
            kind,
            chosen => {
                kind = chosen;
                draw();
            },
        );
        frame.csv(() => [
            ["run", "source", ...names.map(name => `${name}_s`)],
            ...sourcesOf(at.runs).flatMap(({ id, valueOf }) =>
                at.runs.map(run => [study.label(run), id, ...names.map(name => valueOf(run, name))]),
            ),
        ]);
    },
};
