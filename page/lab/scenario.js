// Scenarios with other values, as XML that the reader can save; and on another machine.

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
    // Where nothing is left to choose between there is no decision.
    const isChoice = param =>
        /[a-z_]+.*,/.test(param.getAttribute("value")) && !/^[0-9]/.test(param.getAttribute("value"));
    if (![...scenario.getElementsByTagName("param")].some(isChoice))
        for (const decision of [...scenario.getElementsByTagName("decision")]) decision.remove();
    if (platform) scenario.getElementsByTagName("platform")[0].setAttribute("file", platform);
    return new XMLSerializer().serializeToString(document) + "\n";
}

// The file of its platform, as the scenario names it.
export const platformOf = text => /<platform\s+file="([^"]*)"/.exec(text)?.[1] ?? null;

export const onPlatform = (text, platform) => text.replace(/(<platform\s+file=")[^"]*/, `$1${platform}`);
