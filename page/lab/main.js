// The laboratory: its first page, and the labs, each a text with experiments in it.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { chooseTheme, isDark, startTheme } from "../src/theme.js";
import { readContestants } from "./contestants.js";
import { Experiment } from "./experiment.js";
import { Prediction } from "./prediction.js";
import { Question } from "./question.js";
import { Simulator } from "./simulator.js";
import { readExperiment, readPrediction, readQuestion } from "./spec.js";
import { htmlOf, inLanguage, sortLabs } from "./text.js";
import { loadSaid } from "../src/said.js";
import { language, makeLanguageMenu, t } from "../src/texts/index.js";
import { findStorage, Work } from "./work.js";
import { makeWorkBar } from "./work_bar.js";

const text = async id => new TextDecoder().decode(await window.simrunUnpack(id));

// The texts of a table of files, by their names.
const encoder = new TextEncoder();
const filesOf = table => Object.entries(table).map(([name, content]) => [name, encoder.encode(content)]);

async function load() {
    const [wasm, files, labs, worker, style, script] = await Promise.all([
        window.simrunUnpack("wasm"),
        text("files"),
        text("labs"),
        text("worker"),
        text("style"),
        text("panels"),
    ]);
    // A laboratory of other labs has files of its own behind those that all have.
    const own = window.simrunHas("own-labs") ? JSON.parse(await text("own-labs")) : { files: {} };
    const known = new Map([...filesOf(JSON.parse(files)), ...filesOf(own.files)]);
    const solutions = window.simrunHas("solutions") ? JSON.parse(await text("solutions")) : {};
    const all = own.labs ?? JSON.parse(labs).map(lab => ({ ...lab, ...solutions[lab.name] }));
    return {
        labs: sortLabs(all.map(lab => inLanguage(lab, language))),
        files: known,
        simulator: new Simulator({ module: await WebAssembly.compile(wasm), files: [...known], script: worker }),
        page: { style, script },
        work: new Work(findStorage()),
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

// "Lab 3"; in a narrow window the number alone, but of the lab that is open.
function labLink({ name, short, title }, isOpen) {
    const [, word, number] = /^(.* )(\d+)$/.exec(short) ?? [null, "", short];
    const link = { href: "#" + name, title, "aria-label": short, "aria-current": isOpen ? "page" : null };
    return element("a", link, element("span", { class: "word" }, word), number);
}

function head(labs, name) {
    const theme = () => chooseTheme(isDark() ? "light" : "dark"),
        flip = element("button", { type: "button", onclick: theme }, t("Light / dark"));
    const buttons = element("span", { class: "buttons" }, makeLanguageMenu(), " ", flip);
    if (labs.length === 1) return element("header", { class: "top" }, buttons);
    return element(
        "header",
        { class: "top" },
        element("nav", { "aria-label": t("Labs") }, [
            element("a", { href: "#", "aria-current": name === "" ? "page" : null }, "simrun"),
            ...labs.filter(lab => lab.name !== "").map(lab => labLink(lab, lab.name === name)),
        ]),
        buttons,
    );
}

// Work to hand in; an experiment alone has none.
const asksForWork = labs => labs.some(({ text }) => /^```(question|predict)$|^lines /m.test(text));

// The lecturer's sheet, closed at first; nothing where the page has none.
function solutionOf(markdown, files) {
    if (!markdown) return "";
    const sheet = element("article", {});
    sheet.innerHTML = htmlOf(markdown, files);
    return element("details", { class: "solutions" }, element("summary", {}, t("Solutions")), sheet);
}

// Put a lab's blocks of a kind to life: make(text, number) gives what has a root.
const enliven = (article, kind, make) =>
    [...article.querySelectorAll(`pre.${kind}`)].map((block, i) => {
        const made = make(block.textContent, i + 1);
        block.replaceWith(made.root);
        return made;
    });

// Traces stay in the page; all else is kept.
const kept = values => Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== "object"));

const contestOf = ({ work }, lab) => ({
    list: readContestants(number => work.get(lab.name, "contestants", number)),
    keep: list => work.setAll(lab.name, "contestants", list),
});

function makeExperiments(all, lab, article, values) {
    const experiments = enliven(
        article,
        "experiment",
        (block, number) =>
            new Experiment({
                ...all,
                spec: readExperiment(block),
                contest: contestOf(all, lab),
                values: values[number] ?? all.work.get(lab.name, "values", number) ?? {},
                onchange: (now, isFirst = true) => {
                    values[number] = now;
                    all.work.set(lab.name, "values", number, kept(now));
                    writePlace(lab.name, values);
                    const { begins } = experiments[number - 1];
                    if (isFirst && typeof now.lines === "string")
                        for (const one of experiments) one.takeLines(now.lines, begins);
                },
            }),
    );
    return experiments;
}

// The kept state of the block with this number, and how it is kept.
const memoryOf = ({ work }, lab, kind, number) => ({
    kept: work.get(lab.name, kind, number),
    keep: value => work.set(lab.name, kind, number, value),
});

// Simulate experiments when they come into sight, but none before the predictions above it have been made.
function watch(experiments, predictions) {
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
    for (const { root, status } of experiments) {
        const above = predictions.filter(
            one => one.root.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING && !one.root.dataset.seen,
        );
        if (above.length > 0)
            status.textContent = t("First say above what you expect, or choose Without a guess there.");
        Promise.all(above.map(({ seen }) => seen)).then(() => sight.observe(root));
    }
}

// said: what the bar of the reader's work says, which is then in sight.
function openLab(all, main, said) {
    const { name, values } = readPlace(),
        lab = all.labs.find(one => one.name === name) ?? all.labs[0];
    const lost =
        name !== lab.name && name !== ""
            ? element("p", { class: "failed" }, t`There is no lab '${name}'. This is the first page.`)
            : "";
    const article = element("article", {});
    article.innerHTML = htmlOf(lab.text, all.files); // of labs whose author made this page
    main.replaceChildren(
        head(all.labs, lab.name),
        lost,
        article,
        solutionOf(lab.solution, all.files),
        asksForWork(all.labs)
            ? makeWorkBar({ work: all.work, onload: words => openLab(all, main, words), words: said })
            : "",
    );
    document.title = `${lab.title} - simrun`;
    const experiments = makeExperiments(all, lab, article, values);
    const predictions = enliven(
        article,
        "predict",
        (block, i) => new Prediction({ ...all, spec: readPrediction(block), ...memoryOf(all, lab, "predictions", i) }),
    );
    const questions = enliven(
        article,
        "question",
        (block, i) => new Question({ ...all, spec: readQuestion(block), ...memoryOf(all, lab, "answers", i) }),
    );
    watch(experiments, predictions);
    Object.assign(window, {
        simrunExperiments: experiments,
        simrunPredictions: predictions,
        simrunQuestions: questions,
        simrunWork: all.work,
    });
    if (said) main.querySelector(".work").scrollIntoView({ block: "center" });
    else scrollTo(0, 0);
}

async function main() {
    await loadSaid();
    const all = await load(),
        page = document.getElementById("page");
    document.documentElement.lang = language;
    document.querySelector(".licenses summary").textContent = t("Licenses");
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
        .replaceChildren(element("p", { class: "failed" }, t`The laboratory could not be opened: ${error.message}`));
});
