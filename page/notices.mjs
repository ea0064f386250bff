// The notices of what a page embeds: simrun's license, and those of npm packages, of libxml2, and of the libraries of
// WebAssembly, each as its authors give it. A text that several have stands once.
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { folder } from "./bundle.mjs";

const read = file => readFileSync(file, "utf8").trim();

// If there is a choice of licenses, MIT is taken.
function filesOf(names) {
    const all = names.filter(name => /^(licen[cs]e(?!s$)|notice|copying|copyright)/i.test(name));
    return all.includes("LICENSE-MIT") ? ["LICENSE-MIT"] : all;
}

// A package of npm, as its folder has it.
export function noticeOfPackage(packages, name) {
    const home = join(packages, "node_modules", name),
        about = JSON.parse(read(join(home, "package.json"))),
        names = readdirSync(home),
        more = names.includes("licenses") ? readdirSync(join(home, "licenses")).map(file => "licenses/" + file) : [],
        texts = [...filesOf(names), ...more].map(file => read(join(home, file)));
    if (texts.length === 0) throw new Error(`${name} has no license in its package: it cannot be part of a page`);
    return { name: `${name} ${about.version}`, license: about.license, texts };
}

// Comments at the beginning of a source that state its own copyright.
export const copyrightsIn = source =>
    [...source.slice(0, 4000).matchAll(/\/\*[\s\S]*?\*\//g)]
        .map(([comment]) => comment.replaceAll(/^\s*\/?\*+\/?[ \t]?|\*+\/$/gm, "").trim())
        .filter(text => /copyright \([cC]\)/i.test(text));

// libxml2: its Copyright, and sources of it that have notices of their own, among which headers are.
export function noticeOfLibxml2(home, version, sources) {
    const own = sources.flatMap(file => copyrightsIn(read(file)).map(text => `In ${basename(file)}:\n\n${text}`));
    return { name: `libxml2 ${version}`, license: "MIT", texts: [read(join(home, "Copyright")), ...new Set(own)] };
}

// A package's copyright file, in Debian's format (debian.org/doc/packaging-manuals/copyright-format/1.0): the holders
// of copyrights for files that isEmbedded takes, and their licenses. The license of whole files is a paragraph of its
// own.
export function noticeOfDebian(name, file, isEmbedded = files => !files.startsWith("debian/")) {
    const paragraphs = read(file)
        .split(/\n\s*\n/)
        .map(text => text.replaceAll(/^#.*\n?/gm, ""));
    const field = (text, key) => new RegExp(`^${key}:[ \\t]*((?:.*)(?:\\n[ \\t].*)*)`, "m").exec(text)?.[1].trim();
    const embedded = paragraphs.filter(text => /^Files:/m.test(text) && isEmbedded(field(text, "Files")));
    const licenses = new Set(embedded.map(text => field(text, "License").split("\n")[0].trim()));
    const holders = new Set(
        embedded.map(text => {
            const who = field(text, "Copyright").replaceAll(/\s*\n\s*/g, ", ");
            return `Copyright ${who}\nLicense: ${field(text, "License").replaceAll(/\s+$/gm, "")}`;
        }),
    );
    const own = paragraphs.filter(
        text => /^License:/.test(text) && licenses.has(field(text, "License").split("\n")[0]),
    );
    const texts = [...holders, ...own].map(text => text.replaceAll(/^ \.$/gm, ""));
    return { name, license: [...licenses].join(", "), texts: [texts.join("\n\n")] };
}

// notices: of { name, license, texts }.
export function writeNotices(notices) {
    const own = { name: "simrun", license: "BSD-3-Clause", texts: [read(join(folder, "../LICENSE"))] },
        all = [own, ...notices],
        said = new Set();
    const bodyOf = ({ name, license, texts }) => {
        const fresh = texts.filter(text => !said.has(text));
        for (const text of texts) said.add(text);
        const title = `${name} (${license})`;
        return [title, "=".repeat(title.length), ...fresh].join("\n\n").replace("\n\n=", "\n=");
    };
    const list = notices.map(({ name, license }) => `- ${name}: ${license}`).join("\n");
    const head = `This page is made by simrun (BSD-3-Clause). Part of it are:\n\n${list}`;
    return [head, ...all.map(bodyOf)].join("\n\n\n") + "\n";
}
