// Scenarios with other values, as XML that the reader can save; and on another machine.
// SPDX-License-Identifier: BSD-3-Clause

// The platforms that `names` keeps of those that the file names, or files beside the first of these.
const nameOf = file => file.replace(/^.*\//, "").replace(/\.xml$/, "");
const filesOf = (files, names) =>
    names
        .split(",")
        .map(name => files.find(file => nameOf(file) === name) ?? files[0].replace(/[^/]*$/, `${name}.xml`));

function keepPlatforms(scenario, names) {
    const node = scenario.getElementsByTagName("platform")[0];
    node.setAttribute("file", filesOf(node.getAttribute("file").split(","), names).join(","));
}

// text: the scenario's XML. settings: [[name, value]]; each takes the place of what the scenario says of it.
export function withSettings(text, settings, { isWhatIf = false } = {}) {
    const document = new DOMParser().parseFromString(text, "application/xml"),
        scenario = document.documentElement;
    for (const [name, value] of settings) {
        if (name === "platform") {
            keepPlatforms(scenario, value);
            continue;
        }
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
    if (isWhatIf && scenario.getElementsByTagName("what-if").length === 0)
        scenario.append("  ", document.createElement("what-if"), "\n");
    return new XMLSerializer().serializeToString(document).replace("?><", "?>\n<") + "\n";
}

// The files that the scenario names, as it names them.
const filePattern = /(<[a-z-]+\s[^>]*?\bfile=")([^"]*)/g;
export const namedIn = text => [...text.matchAll(filePattern)].flatMap(([, , files]) => files.split(","));

// The same with all files beside it, as one saves them.
const beside = file => file.replace(/^.*\//, "");
export const withFilesBeside = text =>
    text.replace(filePattern, (_, before, files) => before + files.split(",").map(beside).join(","));

// The files of its platforms, as the scenario names them: those that are kept.
export function platformsOf(text, settings = []) {
    const files = (/<platform\s+file="([^"]*)"/.exec(text)?.[1] ?? "").split(",");
    const kept = settings.find(([name]) => name === "platform")?.[1];
    return kept ? filesOf(files, kept) : files;
}

// On machines that nobody has measured.
export const onPlatforms = (text, platforms) =>
    text.replace(/(<platform\s+file=")[^"]*/, `$1${platforms.join(",")}`).replace(/\n *<reference\s[^>]*\/>/g, "");

// The file with the lines of the reader's own broadcast, and the scenario with another such file.
export const linesOf = text => /<broadcast\s+file="([^"]*)"/.exec(text)?.[1];
export const onLines = (text, file) => text.replace(/(<broadcast\s+file=")[^"]*/, `$1${file}`);
