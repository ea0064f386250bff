// Experiments as labs describe them: a block of lines, which can be read without the page, too.
//
//     scenario gj256                          of the folder scenarios
//     set ranks=1,2,4,8                       as with --set
//     slider n 64 512 64 = 256                from, to, step, and where it stands
//     menu broadcast flat binomial = flat     the values, and that which is chosen
//     factor latency                          of the machine, 1/16 to 16 (machine.js)
//     show scaling overheads                  panels

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
    factor: (spec, [name]) => spec.controls.push({ kind: "factor", name, at: 1 }),
    show: (spec, words) => (spec.panels = words),
};

// { scenario, title, settings: [[name, value]], controls, panels }. An error names the line.
export function readSpec(text) {
    const spec = { title: "", settings: [], controls: [], panels: [] };
    for (const line of text.split("\n").map(line => line.trim())) {
        const [key, ...words] = line.split(/\s+/);
        if (key === "") continue;
        if (!readers[key]) throw new Error(`'${line}': known are ${Object.keys(readers).join(", ")}`);
        readers[key](spec, words);
    }
    if (!spec.scenario || spec.panels.length === 0) throw new Error("an experiment has a scenario, and shows panels");
    return spec;
}

// What is set: by the block, or by a control in its place.
export const settingsOf = (spec, values) => [
    ...new Map([
        ...spec.settings,
        ...spec.controls.filter(({ kind }) => kind !== "factor").map(({ name }) => [name, String(values[name])]),
    ]),
];

// The command that does the same.
export const commandOf = (spec, values) =>
    [
        "simrun",
        ...settingsOf(spec, values).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
        spec.scenario,
    ].join(" ");
