// The laboratory: its first page, and the labs, each a text with experiments in it.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { chooseTheme, isDark, startTheme } from "../src/theme.js";
import { Experiment } from "./experiment.js";
import { Question } from "./question.js";
import { Simulator } from "./simulator.js";
import { readQuestion, readSpec } from "./spec.js";

const text = async id => new TextDecoder().decode(await window.simrunUnpack(id));

async function load() {
    const [wasm, files, labs, worker, style, script] = await Promise.all([
        window.simrunUnpack("wasm"),
        text("files"),
        text("labs"),
        text("worker"),
        text("style"),
        text("panels"),
    ]);
    const encoder = new TextEncoder();
    const known = new Map(Object.entries(JSON.parse(files)).map(([name, content]) => [name, encoder.encode(content)]));
    return {
        solutions: window.simrunHas("solutions") ? JSON.parse(await text("solutions")) : {},
        labs: JSON.parse(labs),
        files: known,
        simulator: new Simulator({ module: await WebAssembly.compile(wasm), files: [...known], script: worker }),
        page: { style, url: URL.createObjectURL(new Blob([script], { type: "text/javascript" })) },
    };
}

// --- where the reader is: #gauss-jordan?2.n=128 is a lab, and what its second experiment's controls say ---

// A link that was damaged on its way says what it can.
function decode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function readPlace() {
    const [name, query = ""] = location.hash.slice(1).split("?");
    const values = {};
    for (const word of query.split("&").filter(Boolean)) {
        const [key, value = ""] = word.split("="),
            [number, control] = key.split(".");
        (values[number] ??= {})[control] = isNaN(Number(value)) || value === "" ? decode(value) : Number(value);
    }
    return { name, values };
}

function writePlace(name, values) {
    const words = Object.entries(values).flatMap(([number, its]) =>
        Object.entries(its)
            .filter(([, value]) => typeof value !== "object") // a trace stays where it is
            .map(([control, value]) => `${number}.${control}=${encodeURIComponent(value)}`),
    );
    history.replaceState(null, "", `#${name}${words.length > 0 ? "?" + words.join("&") : ""}`);
}

// --- pages ---

function head(labs, name) {
    return element(
        "header",
        { class: "top" },
        element("nav", { "aria-label": "Labs" }, [
            element("a", { href: "#", "aria-current": name === "" ? "page" : null }, "simrun"),
            ...labs
                .filter(lab => lab.name !== "")
                .map(lab =>
                    element(
                        "a",
                        { href: "#" + lab.name, "aria-current": name === lab.name ? "page" : null },
                        lab.short,
                    ),
                ),
        ]),
        element("button", { type: "button", onclick: () => chooseTheme(isDark() ? "light" : "dark") }, "Light / dark"),
    );
}

// The lecturer's sheet, closed at first; nothing where the page has none.
function solutionOf(html) {
    if (!html) return "";
    const sheet = element("article", {});
    sheet.innerHTML = html;
    return element("details", { class: "solutions" }, element("summary", {}, "Solutions"), sheet);
}

function openLab(all, main) {
    const { name, values } = readPlace(),
        lab = all.labs.find(one => one.name === name) ?? all.labs[0];
    const lost =
        name !== lab.name
            ? element("p", { class: "failed" }, `There is no lab '${name}'. This is the first page.`)
            : "";
    const article = element("article", {});
    article.innerHTML = lab.html; // of the project's own labs, made when it was built
    main.replaceChildren(head(all.labs, lab.name), lost, article, solutionOf(all.solutions[lab.name]));
    document.title = `${lab.title} - simrun`;
    const experiments = [...article.querySelectorAll("pre.experiment")].map((block, i) => {
        const experiment = new Experiment({
            ...all,
            spec: readSpec(block.textContent),
            values: values[i + 1],
            onchange: (now, isFirst = true) => {
                values[i + 1] = now;
                writePlace(lab.name, values);
                if (isFirst && typeof now.lines === "string") experiments.forEach(one => one.takeLines(now.lines));
            },
        });
        block.replaceWith(experiment.root);
        return experiment;
    });
    window.simrunQuestions = [...article.querySelectorAll("pre.question")].map(block => {
        const question = new Question({ ...all, spec: readQuestion(block.textContent) });
        block.replaceWith(question.root);
        return question;
    });
    // The first at once, the others when they come into sight.
    const sight = new IntersectionObserver(
        entries =>
            entries
                .filter(({ isIntersecting }) => isIntersecting)
                .forEach(({ target }) => {
                    sight.unobserve(target);
                    experiments.find(({ root }) => root === target).run();
                }),
        { rootMargin: "200px" },
    );
    for (const { root } of experiments) sight.observe(root);
    window.simrunExperiments = experiments;
    scrollTo(0, 0);
}

async function main() {
    const all = await load(),
        page = document.getElementById("page");
    startTheme();
    openLab(all, page);
    addEventListener("hashchange", () => {
        for (const experiment of window.simrunExperiments) all.simulator.stop(experiment);
        openLab(all, page);
    });
    document.documentElement.dataset.ready = "yes";
}

main().catch(error => {
    console.error(error.stack);
    document
        .getElementById("page")
        .replaceChildren(element("p", { class: "failed" }, `The laboratory could not be opened: ${error.message}`));
});
