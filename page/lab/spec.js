// Experiments as labs describe them: a block of lines, which can be read without the page, too.
//
//     scenario gj256                          of the folder scenarios
//     set ranks=1,2,4,8                       as with --set
//     slider n 64 512 64 = 256                from, to, step, and where it stands
//     menu broadcast flat binomial = flat     the values, and that which is chosen
//     factor latency                          of the machine, 1/16 to 16 (machine.js)
//     lines binomial chain                    the scenario's own/binomial.txt can be written anew; others to begin with
//     trace traces/heat.ti                    what the scenario replays; the reader's own may be dropped on it
//     field ranks = 1,2,4                     in a page that simulates (live.js): any values, set where they
//                                             are changed;
//     field broadcast flat binomial = flat    or a choice of words
//     more                                    controls that come next are folded away
//     options --detail=links                  of the command
//     what-if                                 the gain without each cause, as with --what-if
//     show scaling overheads                  panels
//
// A question is a scenario whose answer the simulator computes:
//
//     ask How many times as fast is it on 64 ranks?
//     scenario gj256
//     set ranks=64
//     answer speedup                          a measure; or `ranks of least time_s`, `broadcast of most speedup`:
//     within 5 %                              what that run has; `ratio time_s`: of the first run to the last;
//                                             `ranks of most ranks if efficiency >= 0.5`: among such runs
//
// A prediction is a question that is answered before its result is shown. It can be a curve, which the reader draws:
//
//     ask How does the speedup grow?
//     scenario gj256
//     set ranks=1,4,16,64
//     curve speedup over ranks 0 64           the measure, the parameter, and the ends of the axis
// SPDX-License-Identifier: BSD-3-Clause

const readers = {
    scenario: (spec, [name]) => (spec.scenario = name),
    title: (spec, words) => (spec.title = words.join(" ")),
    set: (spec, words) => words.forEach(word => spec.settings.push(word.split("="))),
    slider: (spec, [name, from, to, step, , at]) =>
        spec.controls.push({ kind: "slider", name, from: +from, to: +to, step: +step, at: +at }),
    menu: (spec, words) => {
        const equals = words.indexOf("=");
        spec.controls.push({
            kind: "menu",
            name: words[0],
            values: words.slice(1, equals),
            at: words.slice(equals + 1).join(" "),
        });
    },
    field: (spec, words) => {
        const equals = words.indexOf("="),
            control = { kind: "field", name: words[0], values: words.slice(1, equals), isMore: spec.hasMore };
        spec.controls.push({ ...control, at: words.slice(equals + 1).join(" ") });
    },
    more: spec => (spec.hasMore = true),
    options: (spec, words) => (spec.options = words),
    "what-if": spec => (spec.isWhatIf = true),
    lines: (spec, words) =>
        spec.controls.push({ kind: "lines", name: "lines", at: null, files: words.map(name => `own/${name}.txt`) }),
    trace: (spec, [file]) => spec.controls.push({ kind: "trace", name: "trace", at: null, file }),
    factor: (spec, [name]) => spec.controls.push({ kind: "factor", name, at: 1 }),
    show: (spec, words) => (spec.panels = words),
};

const questionReaders = {
    scenario: readers.scenario,
    set: readers.set,
    ask: (spec, words) => (spec.ask = words.join(" ")),
    answer: (spec, words) => (spec.answer = readAnswer(words)),
    within: (spec, [percent]) => (spec.within = Number(percent) / 100),
    unit: (spec, words) => ([spec.unit, spec.factor] = [words[0], Number(words[1] ?? 1)]),
};

// { name, of, isLeast, where: { name, least } } or { name, isRatio }.
function readAnswer(words) {
    if (words[0] === "ratio") return { name: words[1], isRatio: true };
    if (words[1] !== "of") return { name: words[0] };
    if (!["least", "most"].includes(words[2])) throw new Error(`'${words.join(" ")}': of least or of most something`);
    const [word, name, sign, least] = words.slice(4);
    if (word !== undefined && (word !== "if" || sign !== ">=" || !Number.isFinite(Number(least ?? NaN))))
        throw new Error(`'${words.join(" ")}': the condition is: if MEASURE >= NUMBER`);
    const where = word ? { name, least: Number(least) } : null;
    return { name: words[0], isLeast: words[2] === "least", of: words[3], where };
}

// The axes of a curve.
function readCurve(words) {
    const [measure, over, parameter, from, to] = words;
    if (over !== "over" || !(Number(to) > Number(from)))
        throw new Error(`'${words.join(" ")}': a curve is MEASURE over PARAMETER FROM TO`);
    return { measure, parameter, from: Number(from), to: Number(to) };
}

const predictionReaders = { ...questionReaders, curve: (spec, words) => (spec.curve = readCurve(words)) };

function readLines(text, known, spec) {
    for (const line of text.split("\n").map(line => line.trim())) {
        const [key, ...words] = line.split(/\s+/);
        if (key === "") continue;
        if (!known[key]) throw new Error(`'${line}': known are ${Object.keys(known).join(", ")}`);
        known[key](spec, words);
    }
    return spec;
}

// { scenario, title, settings: [[name, value]], options, controls, panels }. An error names the line.
export function readExperiment(text) {
    const spec = readSpec(text);
    if (spec.panels.length === 0) throw new Error("an experiment has a scenario, and shows panels");
    return spec;
}

// The same of a page, which shows all panels.
export function readSpec(text) {
    const spec = readLines(text, readers, {
        title: "",
        settings: [],
        options: [],
        controls: [],
        hasMore: false,
        panels: [],
    });
    if (!spec.scenario) throw new Error("an experiment has a scenario");
    return spec;
}

// { ask, scenario, settings, answer, within, unit, factor }: the answer is asked for in the unit, which is so many of
// the measure's own.
export function readQuestion(text) {
    const start = { ask: "", settings: [], answer: null, within: 0.02, unit: "", factor: 1, controls: [] };
    const spec = readLines(text, questionReaders, start);
    if (!spec.scenario || !spec.answer || !spec.ask)
        throw new Error("a question asks, and has a scenario and an answer");
    return spec;
}

// The same with { curve: { measure, parameter, from, to, places } }, or an answer.
export function readPrediction(text) {
    const start = { ask: "", settings: [], answer: null, curve: null, unit: "", factor: 1, controls: [] };
    const spec = readLines(text, predictionReaders, start);
    if (!spec.scenario || !spec.ask || !spec.answer === !spec.curve)
        throw new Error("a prediction asks, and has a scenario, and an answer or a curve");
    if (!spec.curve) return spec;
    const values = spec.settings.find(([name]) => name === spec.curve.parameter)?.[1].split(",") ?? [];
    if (values.length < 2)
        throw new Error(`a curve over ${spec.curve.parameter} needs its values: set ${spec.curve.parameter}=1,2,4`);
    spec.curve.places = values;
    return spec;
}

// Controls that are no parameters: they change the machine, or a file.
const ofFiles = ["factor", "lines", "trace"];

// Returns the value from a link if it fits the control; else null.
export function fitting(control, value) {
    const { kind, values, from, to } = control,
        number = Number(value);
    if (kind === "menu") return values.includes(String(value)) ? String(value) : null;
    if (kind === "slider") return number >= from && number <= to ? number : null;
    if (kind === "factor") return number >= 1 / 16 && number <= 16 ? 2 ** Math.round(Math.log2(number)) : null;
    if (kind === "field") return value === null ? null : String(value);
    return kind === "lines" && value !== null ? String(value) : null;
}

// The settings: by the block, or by a control in its place. A field that is as it was sets nothing.
export const settingsOf = (spec, values) => [
    ...new Map([
        ...spec.settings,
        ...spec.controls
            .filter(({ kind, name, at }) => !ofFiles.includes(kind) && (kind !== "field" || values[name] !== at))
            .map(({ name }) => [name, String(values[name])]),
    ]),
];

// The command that does the same.
export const commandOf = (spec, values) =>
    [
        "simrun",
        ...(spec.isWhatIf ? ["--what-if"] : []),
        ...(spec.options ?? []),
        ...settingsOf(spec, values).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
        spec.scenario,
    ].join(" ");
