// The text of a lab, Markdown, as HTML. Its blocks of experiments, questions and predictions stay text, which
// main.js puts to life.
// SPDX-License-Identifier: BSD-3-Clause
import { marked } from "marked";

const base64Of = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));

// Code whose lines break between words alone, and not before a backslash that ends one; language-text has tables, whose
// lines do not break.
const breakableLine = line =>
    `<span class="line">${line.replaceAll(/\S+(?: \\$)?/g, word => `<span>${word}</span>`) || "<br>"}</span>`;
const breakable = code => code.replace(/\n$/, "").split("\n").map(breakableLine).join("");

// Links to other labs go there; programs, which are among the files, come along.
export const htmlOf = (text, files) =>
    marked
        .parse(text, { gfm: true })
        .replaceAll(
            /<pre><code class="language-(experiment|question|predict)">([\s\S]*?)<\/code><\/pre>/g,
            (_, kind, block) => `<pre class="${kind}">${block}</pre>`,
        )
        .replaceAll(
            /(<pre><code(?: class="language-(?!text")[^"]*")?>)([\s\S]*?)(?=<\/code><\/pre>)/g,
            (_, begin, code) => begin + breakable(code),
        )
        .replaceAll(/<a href="(?:\.\.\/)?([^"#:/]*)\.md">/g, '<a href="#$1">') // another lab, in whatever language
        .replaceAll(/<a href="(?:\.\.\/)?(programs\/([^"]*))">/g, (link, file, name) => {
            const bytes = files.get(`/labs/${file}`);
            return bytes ? `<a download="${name}" href="data:text/x-c;base64,${base64Of(bytes)}">` : link;
        });

// A lab, { name, text, solution, texts: { de }, solutions: { de } }, with its text and solutions in that language where
// it has them.
export const inLanguage = ({ texts = {}, solutions = {}, ...lab }, language) => ({
    ...lab,
    text: texts[language] ?? lab.text,
    solution: solutions[language] ?? lab.solution,
});

// A lab's title is its heading; what stands before the colon of that is its short name.
const titleOf = ({ name, text }) => /^# (.*)$/m.exec(text)?.[1] ?? name;

// labs: [{ name, text }]. The one called README is the first page; the others come in the order of their numbers.
export const sortLabs = labs =>
    labs
        .map(lab => ({ ...lab, name: lab.name === "README" ? "" : lab.name, title: titleOf(lab) }))
        .map(lab => ({ ...lab, short: lab.title.split(":")[0] }))
        .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
