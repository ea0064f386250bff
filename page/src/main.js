// The page: unpacks the data, and draws the panels for which there is something to draw.
// SPDX-License-Identifier: BSD-3-Clause
import { followAddress } from "./address.js";
import { element, save } from "./dom.js";
import { makeFrame } from "./panel.js";
import { panels } from "./panels/list.js";
import { drawReportItems } from "./report_items.js";
import { readStudy, withDetails } from "./study.js";
import { chooseTheme, forgetTheme, isDark, startTheme } from "./theme.js";
import { forgetTimelines } from "./timeline/store.js";
import { forgetWindow } from "./window.js";

async function unpackText(id) {
    return new TextDecoder().decode(await window.simrunUnpack(id));
}

function head(said, data, text) {
    const flip = element(
        "button",
        { type: "button", onclick: () => chooseTheme(isDark() ? "light" : "dark") },
        "Light / dark",
    );
    return element(
        "header",
        { class: "top" },
        element("h1", {}, said.title || data.scenario || said.name || "simrun"),
        element(
            "div",
            { class: "buttons" },
            flip,
            element(
                "button",
                { type: "button", onclick: () => save((said.name || "simrun") + ".json", "application/json", text) },
                "JSON",
            ),
            element("button", { type: "button", onclick: () => print() }, "Print"),
        ),
    );
}

// A link to the report opens it.
function openTarget() {
    const open = () => document.querySelector("details:target")?.setAttribute("open", "");
    addEventListener("hashchange", open);
    open();
}

function drawPanel(panel, study) {
    const frame = makeFrame(panel);
    try {
        panel.draw(frame, study);
    } catch (error) {
        // one panel that fails takes no other with it; the test sees the message
        console.error(`${panel.id}: ${error.stack}`);
        frame.body.append(element("p", { class: "failed" }, `This panel could not be drawn: ${error.message}`));
    }
    return frame.root;
}

// What the command has written: the JSON, what text says of it, and the run that is drawn.
async function readAnswer() {
    const text = await unpackText("data"),
        data = JSON.parse(text),
        said = JSON.parse(await unpackText("said")),
        drawn = JSON.parse(await unpackText("drawn")),
        study = readStudy(withDetails(data, drawn));
    study.said = said;
    study.source = drawn.source ?? [];
    Object.assign(window, { simrunData: data, simrunDrawn: drawn });
    return { text, data, said, study };
}

// Narrow ones stand in pairs; one that is left over takes the whole width.
function drawPanels(grid, wanted, study) {
    const narrow = wanted.filter(({ wide }) => !wide),
        last = narrow.length % 2 === 1 ? narrow.at(-1) : null;
    for (const panel of wanted) grid.append(drawPanel({ ...panel, wide: panel.wide || panel === last }, study));
}

async function main() {
    const { text, data, said, study } = await readAnswer();
    startTheme();
    const page = document.getElementById("page");
    document.title = `${said.title || said.name || "simrun"} - simrun`;
    const wanted = panels.filter(panel => panel.wants(study));
    page.replaceChildren(head(said, data, text));
    const menu = element(
        "nav",
        { "aria-label": "Panels" },
        wanted.map(panel => element("a", { href: "#" + panel.id }, panel.title)),
        element("a", { href: "#report" }, "Report"),
    );
    if (wanted.length > 1) page.append(menu);
    const grid = element("div", { class: "panels" });
    page.append(grid);
    drawPanels(grid, wanted, study);
    page.append(drawReportItems(said, wanted.length < 2));
    openTarget();
    followAddress(study);
    document.documentElement.dataset.ready = "yes";
}

// What is chosen in the panels, to be chosen again in those of another answer.
const listsIn = page => [...page.querySelectorAll(".panel label:has(select)")];
const nameOf = label => `${label.closest(".panel").id} ${label.firstChild.textContent}`;
const readChoices = page =>
    new Map(listsIn(page).map(label => [nameOf(label), label.querySelector("select").selectedOptions[0]?.text]));
function chooseAgain(page, choices) {
    for (const label of listsIn(page)) {
        const list = label.querySelector("select"),
            place = [...list.options].findIndex(({ text }) => text === choices.get(nameOf(label)));
        if (place < 0 || place === list.selectedIndex) continue;
        list.selectedIndex = place;
        list.dispatchEvent(new Event("change"));
    }
}

// In the laboratory: some panels of an answer, in place of those of the one before it.
window.simrunShow = async names => {
    const { study } = await readAnswer(),
        page = document.getElementById("page"),
        choices = readChoices(page);
    forgetTheme();
    forgetWindow();
    forgetTimelines();
    startTheme();
    const grid = element("div", { class: "panels" });
    page.style.minHeight = `${page.offsetHeight}px`; // so that what is below does not jump meanwhile
    page.replaceChildren(grid);
    const wanted = panels.filter(({ id, wants }) => names.includes(id) && wants(study));
    drawPanels(grid, wanted, study);
    chooseAgain(page, choices);
    page.style.minHeight = "";
};

if (!window.simrunIsView)
    main().catch(error => {
        console.error(error.stack);
        document
            .getElementById("page")
            .replaceChildren(element("p", { class: "failed" }, `The page could not be drawn: ${error.message}`));
    });
