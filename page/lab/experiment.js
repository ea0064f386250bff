// An experiment: controls, the simulation that follows them, and the panels of its answer.
import { element, save } from "../src/dom.js";
import { aboutFactor, withFactors } from "./machine.js";
import { makeLines } from "./lines.js";
import { onPlatform, platformOf, withSettings } from "./scenario.js";
import { commandOf, settingsOf } from "./spec.js";
import { makeTrace } from "./trace.js";
import { detailsFor, formatFor, View } from "./view.js";

const decoder = new TextDecoder(),
    encoder = new TextEncoder();
const soon_ms = 100; // what takes longer says so

const durationOf = ms => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toPrecision(2)} s`);
const factorText = value => (value >= 1 ? `x ${value}` : `x 1/${1 / value}`);

function makeControl(control, value, onchange, textOf) {
    if (control.kind === "trace") return makeTrace({ ...control, onchange });
    if (control.kind === "lines") return makeLines({ ...control, textOf, value, onchange });
    const name = control.kind === "factor" ? `${control.name} of the machine` : control.name;
    if (control.kind === "menu")
        return element(
            "label",
            {},
            `${name} `,
            element(
                "select",
                { onchange: ({ target }) => onchange(target.value) },
                control.values.map(one => element("option", { selected: one === value }, one)),
            ),
        );
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
            oninput: ({ target }) => {
                const now = isFactor ? 2 ** target.value : Number(target.value);
                shown.textContent = isFactor ? factorText(now) : String(now);
                onchange(now);
            },
        }),
        shown,
    );
}

export class Experiment {
    // spec: of spec.js. simulator; files: what the simulator may read, by name; page: the parts of the page; values: of
    // controls where they are not as the spec says; onchange(values) when the reader changes one.
    constructor({ spec, simulator, files, page, values = {}, onchange = () => {} }) {
        Object.assign(this, { spec, simulator, files, page, onchange });
        this.values = { ...Object.fromEntries(spec.controls.map(({ name, at }) => [name, at])), ...values };
        this.status = element("p", { class: "status", "aria-live": "polite" }, "Not simulated yet.");
        this.stop = element("button", { type: "button", hidden: true, onclick: () => this.halt() }, "Stop");
        this.shown = element("div", { class: "shown" });
        this.box = element("div", { class: "results" });
        this.root = element(
            "section",
            { class: "experiment" },
            spec.title ? element("h3", {}, spec.title) : null,
            element(
                "div",
                { class: "controls" },
                spec.controls.map(control =>
                    makeControl(
                        control,
                        this.values[control.name],
                        value => {
                            this.values[control.name] = value;
                            this.onchange(this.values);
                            this.run();
                        },
                        name => decoder.decode(files.get(`/scenarios/${name}`)),
                    ),
                ),
            ),
            element(
                "div",
                { class: "buttons" },
                this.stop,
                element("button", { type: "button", onclick: () => this.showScenario() }, "Show the scenario"),
                element("button", { type: "button", onclick: () => this.copyLink() }, "Copy a link to this"),
            ),
            this.status,
            this.shown,
            this.box,
        );
    }

    // What is simulated: the scenario's XML, the files that differ from those that all read, the command.
    scenario() {
        const { spec, values } = this,
            name = `/scenarios/${spec.scenario}.xml`,
            text = decoder.decode(this.files.get(name));
        const factors = Object.fromEntries(
            spec.controls
                .filter(({ kind, name }) => kind === "factor" && values[name] !== 1)
                .map(({ name }) => [name, values[name]]),
        );
        const isChanged = Object.keys(factors).length > 0,
            settings = settingsOf(spec, values),
            platform = platformOf(text, settings),
            changed = isChanged ? platform.replace(/\.xml$/, "-changed.xml") : null;
        const xml = withSettings(text, settings, changed);
        const files = spec.controls
            .filter(control => control.kind === "lines" && values[control.name] !== "")
            .map(control => [`/scenarios/${control.files[0]}`, encoder.encode(values[control.name])]);
        for (const control of spec.controls.filter(({ kind, name }) => kind === "trace" && values[name]))
            files.push([`/scenarios/${control.file}`, values[control.name].bytes]);
        if (isChanged) {
            files.push([name, encoder.encode(onPlatform(text, changed))]);
            const machine = decoder.decode(this.files.get(platform.replace(/^\.\./, "")));
            files.push([changed.replace(/^\.\./, ""), encoder.encode(withFactors(machine, factors))]);
        }
        const args = settings
            .filter(([key]) => !isChanged || key !== "platform") // the changed one is the only one then
            .flatMap(([key, value]) => ["--set", `${key}=${value}`]);
        return { xml, files, name, args, changed, command: commandOf(spec, values) };
    }

    async run() {
        const { files, name, args } = this.scenario(),
            { panels } = this.spec,
            format = formatFor(panels),
            details = detailsFor(panels).flatMap(one => ["--detail", one]);
        const timer = setTimeout(() => {
            this.stop.hidden = false;
            const last = this.answer?.status === 0 ? `; the last time it took ${durationOf(this.answer.ms)}` : "";
            this.status.textContent = `Simulating${last} ...`;
        }, soon_ms);
        const answer = await this.simulator.run({
            owner: this,
            args: ["-f", format, ...details, ...args, name],
            files,
            told: text => {
                const said = text.replaceAll(/\r|\x1b\[K/g, "").trim();
                if (said !== "") this.status.textContent = said;
            },
        });
        clearTimeout(timer);
        if (answer === null) return; // another one has taken its place
        this.stop.hidden = true;
        this.answer = answer;
        this.root.dataset.status = answer.status;
        if (answer.status !== 0) {
            this.status.textContent = answer.said.replaceAll("simrun: ", "").replaceAll("/scenarios/", "");
            return;
        }
        this.view ??= new View(this.box, this.page);
        await this.view.show(answer.output, format, panels);
        this.status.textContent = `Simulated in ${durationOf(answer.ms)}.`;
        this.root.dataset.runs = Number(this.root.dataset.runs ?? 0) + 1;
    }

    // Lines are the same in all experiments of a lab.
    takeLines(text) {
        const field = this.root.querySelector(".lines textarea");
        if (!field || field.value === text) return;
        field.value = this.values.lines = text;
        this.onchange(this.values, false);
        if (this.view) this.run();
    }

    halt() {
        this.simulator.stop(this);
        this.stop.hidden = true;
        this.status.textContent = "Stopped.";
    }

    async copyLink() {
        this.onchange(this.values);
        const isCopied = await navigator.clipboard?.writeText(location.href).then(
            () => true,
            () => false,
        );
        this.status.textContent = isCopied
            ? "The link is copied; it holds all that is set in this lab."
            : `This page may not copy; the address that the browser shows is the link.`;
    }

    showScenario() {
        const { xml, files, name, command, changed } = this.scenario();
        if (this.shown.firstChild) return this.shown.replaceChildren();
        this.shown.replaceChildren(
            changed
                ? element("p", {}, "The machine is changed, so the command takes both files:")
                : element("p", {}, "The same as a command: ", element("code", {}, command)),
            element("pre", {}, xml),
            ...[[`/${this.spec.scenario}.xml`, encoder.encode(xml)], ...files.filter(([file]) => file !== name)].map(
                ([file, bytes]) =>
                    element(
                        "button",
                        { type: "button", onclick: () => save(file.split("/").pop(), "text/plain", bytes) },
                        `Save ${file.split("/").pop()}`,
                    ),
            ),
        );
    }
}
