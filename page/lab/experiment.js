// An experiment: controls, the simulation that follows them, and the panels of its answer.
// SPDX-License-Identifier: BSD-3-Clause
import { element, save } from "../src/dom.js";
import { nearby } from "./ahead.js";
import { Contestants, withContestants } from "./contestants.js";
import { aboutFactor, nameOfFactor, withFactors } from "./machine.js";
import { makeField, makeMenu } from "./field.js";
import { makeLines } from "./lines.js";
import { linesOf, namedIn, onLines, onPlatforms, platformsOf, withFilesBeside, withSettings } from "./scenario.js";
import { commandOf, fitting, settingsOf } from "./spec.js";
import { makeTrace } from "./trace.js";
import { detailsFor, formatFor, View } from "./view.js";
import { say } from "../src/said.js";
import { t } from "../src/texts/index.js";

const decoder = new TextDecoder(),
    encoder = new TextEncoder();
const soon_ms = 100; // what takes longer says so

const durationOf = ms => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toPrecision(2)} s`);
const factorText = value => (value >= 1 ? `× ${value}` : `× 1/${1 / value}`);

function makeControl(control, value, onchange, textOf) {
    if (control.kind === "trace") return makeTrace({ ...control, onchange });
    if (control.kind === "lines") return makeLines({ ...control, textOf, value, onchange });
    if (control.kind === "field") return makeField({ ...control, value, onchange });
    if (control.kind === "menu") return makeMenu({ ...control, value, onchange });
    const name = control.kind === "factor" ? nameOfFactor(control.name) : control.name;
    const isFactor = control.kind === "factor",
        shown = element("output", {}, isFactor ? factorText(value) : String(value));
    return element(
        "label",
        { title: isFactor ? aboutFactor(control.name) : null },
        `${name} `,
        element("input", {
            type: "range",
            min: isFactor ? -4 : control.from,
            max: isFactor ? 4 : control.to,
            step: isFactor ? 1 : control.step,
            value: isFactor ? Math.log2(value) : value,
            "aria-valuetext": shown.textContent,
            oninput: ({ target }) => {
                const now = isFactor ? 2 ** target.value : Number(target.value);
                shown.textContent = isFactor ? factorText(now) : String(now);
                target.setAttribute("aria-valuetext", shown.textContent);
                onchange(now);
            },
        }),
        shown,
    );
}

export class Experiment {
    // spec: of spec.js. simulator; files: what the simulator may read, by name; page: the parts of the page, or view:
    // where answers are shown, which has show() and data; values: of controls where they are not as the spec says;
    // onchange(values) when the reader changes one, who gets links to them then; contest: contestants that are kept, as
    // { list, keep(list) }, where standings are shown.
    constructor({ spec, simulator, files, page, view = null, values = {}, onchange = null, contest = null }) {
        Object.assign(this, { spec, simulator, files, page, view, onchange });
        this.values = Object.fromEntries(
            spec.controls.map(control => [control.name, fitting(control, values[control.name] ?? null) ?? control.at]),
        );
        this.racers = []; // for whom commands of contestants are run
        this.controls = element("div", { class: "controls" });
        this.textOf = name => decoder.decode(files.get(`/scenarios/${name}`));
        this.status = element("p", { class: "status", "aria-live": "polite" }, t("Not simulated yet."));
        this.stop = element("button", { type: "button", hidden: true, onclick: () => this.halt() }, t("Stop"));
        this.shown = element("div", { class: "shown" });
        this.box = element("div", { class: "results" });
        this.heading = spec.title ? element("h3", {}, spec.title) : null;
        this.root = element(
            "section",
            { class: "experiment" },
            this.heading,
            this.controls,
            element(
                "div",
                { class: "buttons" },
                this.stop,
                element("button", { type: "button", onclick: () => this.showScenario() }, t("Show the scenario")),
                onchange
                    ? element("button", { type: "button", onclick: () => this.copyLink() }, t("Copy a link to this"))
                    : null,
            ),
            this.status,
            this.shown,
            this.box,
        );
        if (contest && this.begins && spec.panels.includes("standings")) this.makeContestants(contest);
        this.drawControls();
    }

    makeContestants({ list, keep }) {
        const raced = this.spec.settings.find(([name]) => name === "broadcast")?.[1] ?? "own";
        this.contestants = new Contestants({
            list,
            taken: raced.split(","),
            lines: () => this.values.lines ?? this.textOf(this.begins),
            take: lines => {
                this.root.querySelector(".lines").take(lines);
                this.change("lines", lines);
            },
            onchange: list => {
                keep(list);
                this.run();
            },
        });
        this.controls.after(this.contestants.root);
    }

    drawControls() {
        const make = control =>
            makeControl(control, this.values[control.name], value => this.change(control.name, value), this.textOf);
        const { controls } = this.spec,
            more = controls.filter(({ isMore }) => isMore).map(make);
        this.controls.replaceChildren(
            ...controls.filter(({ isMore }) => !isMore).map(make),
            ...(more.length > 0
                ? [element("details", {}, element("summary", {}, t("More parameters")), element("div", {}, more))]
                : []),
        );
    }

    change(name, value) {
        this.values[name] = value;
        if (name === "trace") this.heading?.replaceChildren(value?.name ?? this.spec.title);
        this.onchange?.(this.values);
        if (this.shown.firstChild) this.drawScenario();
        this.run();
    }

    // All controls as the spec says; what was asked for last is not wanted any more.
    reset() {
        this.halt();
        this.values = Object.fromEntries(this.spec.controls.map(({ name, at }) => [name, at]));
        this.mark(false);
        this.drawControls();
        if (this.shown.firstChild) this.drawScenario();
    }

    // Returns the input of the command: the scenario, the files that the reader has changed, and the arguments.
    scenario(values = this.values) {
        const { spec } = this,
            name = `/scenarios/${spec.scenario}.xml`,
            original = this.textOf(`${spec.scenario}.xml`),
            files = [];
        let text = original;
        const factors = Object.fromEntries(
            spec.controls
                .filter(({ kind, name }) => kind === "factor" && values[name] !== 1)
                .map(({ name }) => [name, values[name]]),
        );
        const isChanged = Object.keys(factors).length > 0,
            settings = settingsOf(spec, values),
            platforms = platformsOf(text, settings),
            nameOf = platform => platform.replace(/\.xml$/, "-changed.xml");
        const lines = this.begins && (values.lines ?? this.textOf(this.begins));
        if (this.begins && lines !== this.textOf(linesOf(text))) {
            text = onLines(text, "own.txt");
            files.push(["/scenarios/own.txt", encoder.encode(lines)]);
        }
        for (const control of spec.controls.filter(({ kind, name }) => kind === "trace" && values[name]))
            files.push([`/scenarios/${control.file}`, values[control.name].bytes]);
        if (isChanged) {
            text = onPlatforms(text, platforms.map(nameOf));
            for (const platform of platforms) {
                const machine = decoder.decode(this.files.get(platform.replace(/^\.\./, "")));
                files.push([nameOf(platform).replace(/^\.\./, ""), encoder.encode(withFactors(machine, factors))]);
            }
        }
        if (text !== original) files.push([name, encoder.encode(text)]);
        // Changed machines are the only ones.
        const kept = settings.filter(([key]) => !isChanged || key !== "platform");
        const args = [
            ...(spec.isWhatIf ? ["--what-if"] : []),
            ...spec.options,
            ...kept.flatMap(([key, value]) => ["--set", `${key}=${value}`]),
        ];
        return { files, name, args, text, settings: kept };
    }

    // The same for the reader: the command, and files that do the same in a folder of their own.
    saved() {
        const { spec, values } = this,
            { files, text, settings } = this.scenario(),
            changed = new Map(files),
            xml = withSettings(text, settings, spec);
        const inPage = file => (file.startsWith("../") ? file.slice(2) : `/scenarios/${file}`);
        const bytesOf = file => changed.get(inPage(file)) ?? this.files.get(inPage(file));
        const name = `${spec.scenario}${files.length > 0 ? "-changed" : ""}.xml`;
        return {
            command: files.length > 0 ? `simrun ${name}` : commandOf(spec, values),
            isChanged: files.length > 0,
            files: [
                [name, encoder.encode(withFilesBeside(xml))],
                ...namedIn(xml).map(file => [file.replace(/^.*\//, ""), bytesOf(file)]),
            ],
        };
    }

    // The command and the files that it reads beside the others.
    request(values) {
        const { panels } = this.spec,
            { files, name, args } = this.scenario(values),
            details = detailsFor(panels).flatMap(one => ["--detail", one]);
        return { args: ["-f", formatFor(panels), ...details, ...args, name], files };
    }

    async run() {
        const { panels, controls } = this.spec,
            { ahead } = this.simulator;
        ahead.stop();
        const timer = setTimeout(() => {
            this.stop.hidden = false;
            this.box.classList.add("before");
            const last = this.answer?.status === 0 ? t`; the last time it took ${durationOf(this.answer.ms)}` : "";
            this.status.textContent = t`Simulating${last} ...`;
        }, soon_ms);
        const running = this.runContestants();
        const answer = await this.simulator.run({
            owner: this,
            prepare: () => this.request(this.values),
            told: text => {
                const said = text.replaceAll(/\r|\x1b\[K/g, "").trim();
                if (said !== "") this.status.textContent = say(said);
            },
        });
        const others = answer?.status === 0 ? await running : [];
        clearTimeout(timer);
        if (answer === null || others.includes(null)) return; // another one has taken its place
        this.stop.hidden = true;
        this.answer = answer;
        this.root.dataset.status = answer.status;
        if (answer.status !== 0) {
            this.status.textContent = this.inWords(answer.said);
            this.mark(true);
            return;
        }
        this.mark(false);
        this.view ??= new View(this.box, this.page);
        const able = others.filter(({ status }) => status === 0),
            output = able.length > 0 ? withContestants(answer.output, able) : answer.output;
        await this.view.show(output, formatFor(panels), panels);
        this.status.textContent = [
            t`Simulated in ${durationOf(answer.ms)}.`,
            ...others
                .filter(({ status }) => status !== 0)
                .map(({ name, said }) => t`${name} does not race: ${this.inWords(said)}`),
        ].join(" ");
        this.root.dataset.runs = Number(this.root.dataset.runs ?? 0) + 1;
        if (answer.ms > soon_ms)
            ahead.begin(
                nearby(controls, this.values).map(values => () => this.request(values)),
                answer.ms,
            );
    }

    // The answers of all contestants, whose lines run as `own`; null for one that is not wanted any more.
    runContestants() {
        const asOwn = word => (word.startsWith("broadcast=") ? "broadcast=own" : word);
        return Promise.all(
            (this.contestants?.list ?? []).map(async ({ name, lines }, i) => {
                const prepare = () => {
                    const { args, files } = this.request({ ...this.values, lines });
                    return { args: args.map(asOwn), files };
                };
                const answer = await this.simulator.run({ owner: (this.racers[i] ??= {}), prepare });
                return answer && { ...answer, name };
            }),
        );
    }

    // Returns the message of the command with the names that the reader knows.
    inWords(said) {
        const { trace } = this.values,
            { file } = this.spec.controls.find(({ kind }) => kind === "trace") ?? {};
        const text = said.replaceAll("simrun: ", "").replaceAll("/scenarios/", "");
        return say(trace ? text.replaceAll(file, trace.name) : text);
    }

    // Marks the result as an earlier one if the command failed.
    mark(isFailed) {
        this.status.classList.toggle("wrong", isFailed);
        this.box.classList.toggle("before", isFailed);
    }

    // The file that its lines begin with, if it has any.
    get begins() {
        return this.spec.controls.find(({ kind }) => kind === "lines")?.files[0];
    }

    // Lines are the same in all experiments of a lab that begin with the same ones.
    takeLines(text, begins) {
        if (this.begins !== begins || this.values.lines === text) return;
        this.root.querySelector(".lines").take(text);
        this.values.lines = text;
        this.onchange?.(this.values, false);
        if (this.shown.firstChild) this.drawScenario();
        if (this.answer) this.run();
    }

    halt() {
        for (const owner of [this, ...this.racers]) this.simulator.stop(owner);
        this.stop.hidden = true;
        this.status.textContent = t("Stopped.");
    }

    async copyLink() {
        this.onchange(this.values);
        const { trace } = this.values;
        const but = trace ? t`, but not ${trace.name}` : "";
        const isCopied = await navigator.clipboard?.writeText(location.href).then(
            () => true,
            () => false,
        );
        this.status.textContent = isCopied
            ? t`The link has been copied; it contains all settings of this lab${but}.`
            : t`This page may not copy; use the address that the browser shows.`;
    }

    showScenario() {
        if (this.shown.firstChild) this.shown.replaceChildren();
        else this.drawScenario();
    }

    drawScenario() {
        const { command, isChanged, files } = this.saved();
        this.shown.replaceChildren(
            element(
                "p",
                {},
                isChanged ? t("With these files in one folder, the same as a command: ") : t("The same as a command: "),
                element("code", {}, command),
            ),
            element("pre", {}, decoder.decode(files[0][1])),
            ...files.map(([file, bytes]) =>
                element("button", { type: "button", onclick: () => save(file, "text/plain", bytes) }, t`Save ${file}`),
            ),
        );
    }
}
