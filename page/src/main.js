// The page: unpacks the data, and draws the panels for which there is something to draw.
// SPDX-License-Identifier: BSD-3-Clause
import { followAddress } from "./address.js";
import { Again, chooseAgain, drawPanel, paired, readChoices } from "./again.js";
import { element, save } from "./dom.js";
import { panels } from "./panels/list.js";
import { drawReportItems } from "./report_items.js";
import { loadSaid, sayWord } from "./said.js";
import { readStudy, withDetails } from "./study.js";
import { chooseTheme, forgetTheme, isDark, startTheme } from "./theme.js";
import { makeModel } from "./timeline/model.js";
import { forgetTimelines } from "./timeline/store.js";
import { language, makeLanguageMenu, t } from "./texts/index.js";
import { decodeTimeline } from "./timeline_data.js";
import { forgetWindow } from "./window.js";

async function unpackText(id) {
    return new TextDecoder().decode(await window.simrunUnpack(id));
}

const titleOf = ({ said, data }) => said.title || data.scenario || sayWord(said.name) || "simrun";

function head(said, data, text) {
    const flip = element(
        "button",
        { type: "button", onclick: () => chooseTheme(isDark() ? "light" : "dark") },
        t("Light / dark"),
    );
    return element(
        "header",
        { class: "top" },
        element("h1", {}, titleOf({ said, data })),
        element(
            "div",
            { class: "buttons" },
            makeLanguageMenu(),
            flip,
            element(
                "button",
                { type: "button", onclick: () => save((said.name || "simrun") + ".json", "application/json", text) },
                "JSON",
            ),
            element("button", { type: "button", onclick: () => print() }, t("Print")),
        ),
    );
}

// A link to the report opens it.
function openTarget() {
    const open = () => document.querySelector("details:target")?.setAttribute("open", "");
    addEventListener("hashchange", open);
    open();
}

// The answer as the command, or the simulator in the page, has written it: the JSON, what text says of it, and the
// run that is drawn.
async function readAnswer() {
    await loadSaid();
    const text = await unpackText("data"),
        data = JSON.parse(text),
        said = JSON.parse(await unpackText("said")),
        drawn = JSON.parse(await unpackText("drawn")),
        study = readStudy(withDetails(data, drawn));
    study.said = said;
    study.source = drawn.source ?? [];
    Object.assign(window, { simrunData: data, simrunDrawn: drawn, simrunSaid: said });
    return { text, data, said, study };
}

async function main() {
    const { text, data, said, study } = await readAnswer();
    document.documentElement.lang = language;
    document.querySelector(".licenses summary").textContent = t("Licenses");
    startTheme();
    const page = document.getElementById("page");
    document.title = `${said.title || sayWord(said.name) || "simrun"} - simrun`;
    const wanted = panels.filter(panel => panel.wants(study));
    page.replaceChildren(head(said, data, text));
    const menu = element(
        "nav",
        { "aria-label": t("Panels") },
        wanted.map(panel => element("a", { href: "#" + panel.id }, panel.title)),
        element("a", { href: "#report" }, t("Report")),
    );
    if (wanted.length > 1) page.append(menu);
    const grid = element("div", { class: "panels" });
    page.append(grid);
    for (const panel of paired(wanted, study)) grid.append(drawPanel(panel, study));
    page.append(drawReportItems(said, wanted.length < 2));
    openTarget();
    followAddress(study);
    if (window.simrunHas("live")) simulate(grid, study);
    document.documentElement.dataset.ready = "yes";
}

const forget = () => {
    forgetTheme();
    forgetWindow();
    forgetTimelines();
    startTheme();
};

// The timeline of the first answer, beside which others are drawn; null where there is none.
function firstTimeline({ best }) {
    const { simrunUnpack, simrunHas } = window;
    if (!best || !simrunHas(`timeline-${best.index}`)) return null;
    let model = null;
    const open = async () => makeModel(decodeTimeline(new Uint8Array(await simrunUnpack(`timeline-${best.index}`))));
    return { time_s: best.time_s, open: () => (model ??= open()) };
}

// Start the script with which the page simulates, and draw what it finds in place of what is there.
async function simulate(grid, first) {
    const again = new Again(grid, first),
        before = firstTimeline(first);
    window.simrunDrawAgain = async isOther => {
        const { said, study } = await readAnswer(),
            report = document.getElementById("report");
        if (isOther) study.first = before;
        forget();
        document.querySelector("#page > header h1").textContent = titleOf(study);
        if (await again.draw(study, isOther)) report.replaceWith(drawReportItems(said, report.open));
    };
    const script = new Blob([await window.simrunUnpack("live")], { type: "text/javascript" });
    document.head.append(element("script", { src: URL.createObjectURL(script) }));
}

// In the laboratory: some panels of an answer, in place of those of the one before it.
window.simrunShow = async names => {
    const { study } = await readAnswer(),
        page = document.getElementById("page"),
        choices = readChoices(page);
    forget();
    const grid = element("div", { class: "panels" });
    page.style.minHeight = `${page.offsetHeight}px`; // so that what is below does not jump meanwhile
    page.replaceChildren(grid);
    const wanted = panels.filter(({ id, wants }) => names.includes(id) && wants(study));
    for (const panel of paired(wanted, study)) grid.append(drawPanel(panel, study));
    chooseAgain(page, choices);
    page.style.minHeight = "";
};

if (!window.simrunIsView)
    main().catch(error => {
        console.error(error.stack);
        document
            .getElementById("page")
            .replaceChildren(element("p", { class: "failed" }, t`The page could not be drawn: ${error.message}`));
    });
