// Makes the laboratory: the page's scripts, simrun as WebAssembly, machines, scenarios and labs in one HTML file; and
// beside it engine.html, the blocks that a page that simulates has behind its own.
//     node build_lab.mjs FOLDER-WITH-NODE_MODULES FOLDER-WITH-SIMRUN.wasm SOURCES-OF-LIBXML2 OUTPUT NOTICE...
// A NOTICE is NAME=FILE: Debian's file on the copyright of a library that WebAssembly is linked with.
// SPDX-License-Identifier: BSD-3-Clause
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bundleScript, bundleStyle, folder, german, pack } from "./bundle.mjs";
import { readExperiment, readPrediction, readQuestion } from "./lab/spec.js";
import { noticeOfDebian, noticeOfLibxml2, noticeOfPackage, writeNotices } from "./notices.mjs";

const [, , packages, wasm, libxml2, output, ...libraries] = process.argv;
const root = join(folder, "..");

// Files that the simulator reads, by their names there.
const filesIn = (name, ending) =>
    readdirSync(join(root, name))
        .filter(file => file.endsWith(ending))
        .map(file => [`/${name}/${file}`, readFileSync(join(root, name, file), "utf8")]);
const files = {
    ...Object.fromEntries([
        ...filesIn("scenarios", ".xml"),
        ...filesIn("scenarios/own", ".txt"),
        ...filesIn("scenarios/own", ".xml"),
        ...filesIn("scenarios/own", ".csv"),
        ...filesIn("scenarios/traces", ".ti"),
        ...filesIn("scenarios/reference", ".csv"),
        ...filesIn("platforms", ".xml"),
        ...filesIn("labs/programs", ".c"),
    ]),
    "/page.html": "<!--data-->",
};

// labs/NAME.md: NAME is a number and words. The page reads the text; a block that is wrong stops the build.
const readers = { experiment: readExperiment, question: readQuestion, predict: readPrediction };
function readLab(file) {
    const text = readFileSync(join(root, "labs", file), "utf8");
    for (const [, kind, block] of text.matchAll(/^```(experiment|question|predict)\n([\s\S]*?)^```$/gm))
        try {
            readers[kind](block);
        } catch (error) {
            throw new Error(`labs/${file}: ${error.message}`);
        }
    return text;
}

// LANG/NAME.md beside a file NAME.md is the same in another language; { de: its text }.
const languages = ["de"];
const readTexts = (home, file, read) =>
    Object.fromEntries(
        languages
            .filter(language => existsSync(join(root, home, language, file)))
            .map(language => [language, read(`${language}/${file}`)]),
    );
const filesOf = home => readdirSync(join(root, home)).filter(file => file.endsWith(".md"));
const labs = filesOf("labs").map(file => ({
    name: basename(file, ".md"),
    text: readLab(file),
    texts: readTexts("labs", file, readLab),
}));

// labs/solutions/NAME.md, for who asks for them.
const sheets = "labs/solutions",
    readSheet = file => readFileSync(join(root, sheets, file), "utf8");
const solutions = Object.fromEntries(
    filesOf(sheets).map(file => [
        basename(file, ".md"),
        { solution: readSheet(file), solutions: readTexts(sheets, file, readSheet) },
    ]),
);

// The files of libxml2 that were compiled, and its headers.
const filesBelow = home =>
    readdirSync(home, { withFileTypes: true }).flatMap(entry =>
        entry.isDirectory() ? filesBelow(join(home, entry.name)) : [join(home, entry.name)],
    );
const compiled = JSON.parse(readFileSync(join(wasm, "compile_commands.json"), "utf8"))
    .map(({ file }) => file)
    .filter(file => file.startsWith(libxml2 + "/"));
const versionFile = join(libxml2, "../version"),
    header = readFileSync(join(wasm, "libxml2/include/libxml/xmlversion.h"), "utf8"),
    version = existsSync(versionFile)
        ? readFileSync(versionFile, "utf8").trim() + " of Debian"
        : /LIBXML_DOTTED_VERSION "(.*)"/.exec(header)[1];
const noticeOfLibrary = text => {
    const [name, file] = text.split("=");
    // Only the paragraph about all of LLVM: its other parts are not embedded.
    return noticeOfDebian(name, file, name === "compiler-rt" ? files => files === "*" : undefined);
};

const embedded = new Set();
const blocks = {
    wasm: readFileSync(join(wasm, "simrun.wasm")),
    files: JSON.stringify(files),
    labs: JSON.stringify(labs),
    ...german,
    worker: await bundleScript(packages, "lab/worker.js", embedded),
    style: bundleStyle(packages, "src/page.css"),
    panels:
        (await bundleScript(packages, "lab/frame.js", embedded)) +
        (await bundleScript(packages, "src/main.js", embedded)),
};
const blockOf = ([id, content]) => `<script type="application/octet-stream" id="${id}">${pack(content)}</script>`;
const data = Object.entries(blocks).map(blockOf).join("\n");
const script = pack(await bundleScript(packages, "lab/main.js", embedded)),
    style = bundleStyle(packages, "lab/lab.css");
const noticesOf = names =>
    writeNotices([
        ...[...names].sort().map(name => noticeOfPackage(packages, name)),
        noticeOfLibxml2(libxml2, version, [...compiled, ...filesBelow(join(wasm, "libxml2"))]),
        ...libraries.map(noticeOfLibrary),
    ]);
const page = readFileSync(join(folder, "lab/shell.html"), "utf8")
    .replace("/*style*/", () => style)
    .replace("/*licenses*/", () => pack(noticesOf(embedded)))
    .replace("<!--data-->", () => data)
    .replace("/*script*/", () => script);
const write = (name, text) => {
    writeFileSync(name + ".partial", text);
    renameSync(name + ".partial", name);
};
const live = new Set(),
    engine = {
        wasm: blocks.wasm,
        worker: await bundleScript(packages, "lab/worker.js", live),
        live: await bundleScript(packages, "lab/live.js", live),
        "german-refusals": german["german-refusals"],
        "live-style": bundleStyle(packages, "lab/live.css"),
        "engine-licenses": noticesOf(live),
    };
write(join(dirname(output), "engine.html"), Object.entries(engine).map(blockOf).join("\n") + "\n");
write(output.replace(/\.html$/, "-solutions.html"), blockOf(["solutions", JSON.stringify(solutions)]) + "\n");
write(output, page);
