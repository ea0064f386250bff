// An experiment: controls, the simulation that follows them, and the panels of its answer.
import { element, save } from "../src/dom.js";
import { aboutFactor, withFactors } from "./machine.js";
import { onPlatform, platformOf, withSettings } from "./scenario.js";
import { commandOf, settingsOf } from "./spec.js";
import { detailsFor, formatFor, View } from "./view.js";

const decoder = new TextDecoder(),
    encoder = new TextEncoder();
const soon_ms = 100; // what takes longer says so

const factorText = value => (value >= 1 ? `x ${value}` : `x 1/${1 / value}`);

function makeControl(control, value, onchange) {
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
                    makeControl(control, this.values[control.name], value => {
                        this.values[control.name] = value;
                        this.onchange(this.values);
                        this.run();
                    }),
                ),
            ),
            element(
                "div",
                { class: "buttons" },
                this.stop,
                element("button", { type: "button", onclick: () => this.showScenario() }, "Show the scenario"),
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
            platform = platformOf(text),
            changed = isChanged ? platform.replace(/\.xml$/, "-changed.xml") : null;
        const settings = settingsOf(spec, values),
            xml = withSettings(text, settings, changed);
        const files = [];
        if (isChanged) {
            files.push([name, encoder.encode(onPlatform(text, changed))]);
            const machine = decoder.decode(this.files.get(platform.replace(/^\.\./, "")));
            files.push([changed.replace(/^\.\./, ""), encoder.encode(withFactors(machine, factors))]);
        }
        const args = settings.flatMap(([key, value]) => ["--set", `${key}=${value}`]);
        return { xml, files, name, args, changed, command: commandOf(spec, values) };
    }

    async run() {
        const { files, name, args } = this.scenario(),
            { panels } = this.spec,
            format = formatFor(panels);
        const timer = setTimeout(() => {
            this.stop.hidden = false;
            this.status.textContent = "Simulating ...";
        }, soon_ms);
        const answer = await this.simulator.run({
            owner: this,
            args: ["-q", "-f", format, ...detailsFor(panels).flatMap(one => ["--detail", one]), ...args, name],
            files,
            told: text => {
                this.status.textContent = text.replaceAll(/\r|\x1b\[K/g, "").trim() || "Simulating ...";
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
        this.status.textContent = `Simulated in ${Math.round(answer.ms)} ms.`;
        this.root.dataset.runs = Number(this.root.dataset.runs ?? 0) + 1;
    }

    halt() {
        this.simulator.stop(this);
        this.stop.hidden = true;
        this.status.textContent = "Stopped.";
    }

    showScenario() {
        const { xml, files, command, changed } = this.scenario();
        if (this.shown.firstChild) return this.shown.replaceChildren();
        this.shown.replaceChildren(
            changed
                ? element("p", {}, "The machine is changed, so the command takes both files:")
                : element("p", {}, "The same as a command: ", element("code", {}, command)),
            element("pre", {}, xml),
            ...[[`/${this.spec.scenario}.xml`, encoder.encode(xml)], ...files.slice(1)].map(([name, bytes]) =>
                element(
                    "button",
                    { type: "button", onclick: () => save(name.split("/").pop(), "application/xml", bytes) },
                    `Save ${name.slice(1)}`,
                ),
            ),
        );
    }
}
