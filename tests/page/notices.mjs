// A page shows the notices of all that it embeds: of each package of npm from which the bundler reads a file; of the
// laboratory, of each source that was compiled for it and is not simrun's.
//     node notices.mjs PACKAGES PAGE SCRIPT...                    SCRIPT: the page's, in the folder page/
//     node notices.mjs PACKAGES PAGE --wasm FOLDER SCRIPT...      FOLDER: the build of simrun as WebAssembly
// SPDX-License-Identifier: BSD-3-Clause
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inflateSync } from "node:zlib";
import { folder as pages } from "../../page/bundle.mjs";
import { check, finish } from "./checks.mjs";

const [, , packages, file, ...rest] = process.argv;
const wasm = rest[0] === "--wasm" ? rest.splice(0, 2)[1] : null;
const root = join(pages, "..");
const words = text => text.replaceAll(/[\s*#]+/g, " ").trim();

const html = readFileSync(file, "utf8"),
    [, packed] = /<script type="application\/octet-stream" id="licenses">([^<]*)</.exec(html) ?? [];
check("there are notices", packed && /<summary>Licenses</.test(html));
const notices = words(packed ? inflateSync(Buffer.from(packed, "base64")).toString() : "");
const has = (name, text) => check(name, notices.includes(words(text)), "it is not among the notices");
has("simrun's own license", readFileSync(join(root, "LICENSE"), "utf8"));

const listed = readFileSync(join(root, "NOTICE"), "utf8");
const isListed = name => check(`${name} in NOTICE`, listed.includes(` ${name} `), "it is not listed");
const esbuild = createRequire(join(packages, "package.json"))("esbuild");
const { metafile } = await esbuild.build({
    entryPoints: rest.map(script => join(pages, script)),
    bundle: true,
    write: false,
    metafile: true,
    outdir: ".",
    nodePaths: [join(packages, "node_modules")],
    external: ["glossary", "words"], // made of documents and sources by the build
    logLevel: "error",
});
const inputs = Object.keys(metafile.inputs).map(input => /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input)),
    homes = new Map(inputs.filter(Boolean).map(([, home, name]) => [name, home]));
check("some packages are embedded", homes.size > 0);
for (const [name, home] of homes) {
    const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")),
        files = readdirSync(home).filter(name => /^(licen[cs]e|copying|notice|copyright)[^/]*$/i.test(name)),
        text = name => words(readFileSync(join(home, name), "utf8"));
    has(`${name} ${version}`, `${name} ${version} (`);
    isListed(name);
    const licenses = files.filter(name => /^(licen[cs]e|copying)/i.test(name) && name !== "licenses");
    check(
        `a license of ${name}`,
        licenses.some(file => notices.includes(text(file))),
        licenses.join(", "),
    );
    for (const file of files.filter(name => /^(notice|copyright)/i.test(name))) has(`${name}: ${file}`, text(file));
    if (files.includes("licenses"))
        for (const file of readdirSync(join(home, "licenses"))) has(`${name}: ${file}`, text(`licenses/${file}`));
}

// Every line with a copyright at the beginning of other people's sources, and the license of their folder.
const copyrights = source =>
    (source.slice(0, 4000).match(/^.*copyright \(c\).*$/gim) ?? []).map(line => line.replace(/\*\/\s*$/, ""));
if (wasm !== null) {
    const compiled = JSON.parse(readFileSync(join(wasm, "compile_commands.json"), "utf8")).map(({ file }) => file),
        others = compiled.filter(file => !["src", "tests"].some(name => file.startsWith(join(root, name) + "/"))),
        foreign = others.filter(file => !file.startsWith(wasm + "/")), // what is made there is simrun's
        folders = [...new Set(foreign.map(dirname))];
    check("some sources of others are embedded", foreign.length > 0);
    for (const file of foreign)
        for (const line of copyrights(readFileSync(file, "utf8"))) has(`${file}: ${line.trim()}`, line);
    for (const folder of folders) {
        const license = ["Copyright", "COPYING", "LICENSE"].find(name => existsSync(join(folder, name)));
        check(`${folder} has a license`, license);
        if (license) has(`${folder}/${license}`, readFileSync(join(folder, license), "utf8"));
    }
    for (const [name, holder] of [
        ["wasi-libc", "Rich Felker"],
        ["compiler-rt", "University of Illinois"],
    ]) {
        isListed(name);
        check(`${name}: ${holder}`, notices.includes(`${name} (`) && notices.includes(holder));
    }
    isListed("libxml2");
}
finish();
