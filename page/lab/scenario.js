// Scenarios with other values: the XML that is simulated, and that the reader can save.

// text: the scenario's XML. settings: [[name, value]]; each takes the place of what the scenario says of it.
export function withSettings(text, settings, platform = null) {
    const document = new DOMParser().parseFromString(text, "application/xml"),
        scenario = document.documentElement;
    for (const [name, value] of settings) {
        const known = [...scenario.getElementsByTagName("param")].find(param => param.getAttribute("name") === name);
        const param = known ?? document.createElement("param");
        param.setAttribute("name", name);
        param.setAttribute("value", value);
        if (known) continue;
        const application = scenario.getElementsByTagName("application")[0];
        application.after("\n  ", param);
    }
    if (platform) scenario.getElementsByTagName("platform")[0].setAttribute("file", platform);
    return new XMLSerializer().serializeToString(document) + "\n";
}

// The file of its platform, as the scenario names it.
export const platformOf = text => /<platform\s+file="([^"]*)"/.exec(text)?.[1] ?? null;
