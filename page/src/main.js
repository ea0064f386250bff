// The page: unpacks the data, and draws the panels for which there is something to draw.
import { element, save } from "./dom.js";
import { makeFrame } from "./panel.js";
import { panels } from "./panels/list.js";
import { drawSaid } from "./said.js";
import { readStudy, withDetails } from "./study.js";
import { chooseTheme, isDark, startTheme } from "./theme.js";

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

async function main() {
    const text = await unpackText("data"),
        data = JSON.parse(text),
        said = JSON.parse(await unpackText("said"));
    const drawn = JSON.parse(await unpackText("drawn"));
    startTheme();
    const study = readStudy(withDetails(data, drawn)),
        page = document.getElementById("page");
    study.said = said;
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
    for (const panel of wanted) grid.append(drawPanel(panel, study));
    page.append(drawSaid(said, wanted.length < 2));
    openTarget();
    Object.assign(window, { simrunData: data, simrunDrawn: drawn });
    document.documentElement.dataset.ready = "yes";
}

main().catch(error => {
    console.error(error.stack);
    document
        .getElementById("page")
        .replaceChildren(element("p", { class: "failed" }, `The page could not be drawn: ${error.message}`));
});
