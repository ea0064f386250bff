// Makes the page: bundles the scripts with the chart library, compresses them, and puts them into one HTML file, in
// which <!--data--> stands where the data go.
//     node build.mjs FOLDER-WITH-NODE_MODULES OUTPUT
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const [, , packages, output] = process.argv;
const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const esbuild = createRequire(join(packages, "package.json"))("esbuild");

// The tables of docs/glossary.md: of each line the words, which commas part, and what they mean, without marks.
const plain = text =>
    text
        .replaceAll(/[`*]/g, "")
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .trim();
const glossary = readFileSync(join(source, "../../docs/glossary.md"), "utf8")
    .split("\n")
    .filter(line => line.startsWith("| ") && !line.startsWith("| word |"))
    .map(line => line.slice(1, -1).split("|"))
    .map(([words, ...text]) => ({ words: plain(words).split(", "), text: text.map(plain).filter(Boolean).join("; ") }));

const glossaryModule = {
    name: "glossary",
    setup(build) {
        build.onResolve({ filter: /^glossary$/ }, () => ({ path: "glossary", namespace: "glossary" }));
        build.onLoad({ filter: /.*/, namespace: "glossary" }, () => ({
            contents: JSON.stringify(glossary),
            loader: "json",
        }));
    },
};

const bundle = await esbuild.build({
    entryPoints: [join(source, "main.js")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2021",
    nodePaths: [join(packages, "node_modules")],
    legalComments: "none",
    write: false,
    plugins: [glossaryModule],
});
const style = esbuild.buildSync({ entryPoints: [join(source, "page.css")], bundle: true, minify: true, write: false });
const script = deflateSync(bundle.outputFiles[0].contents, { level: 9 }).toString("base64");
const shell = readFileSync(join(source, "shell.html"), "utf8");
const page = shell.replace("/*style*/", () => style.outputFiles[0].text.trim()).replace("/*script*/", () => script);
writeFileSync(output + ".partial", page);
renameSync(output + ".partial", output);
