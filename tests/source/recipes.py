"""Build simrun with what the recipes of docs/dev/extending*.md add to it, from their own blocks of code.

    recipes.py BUILD WORK     WORK/simrun, WORK/unit; WORK/added has a line SECTION<tab>FILE for each file that was added

The sources stay as they are. A folder that comes first among the includes has the lists, each with its line more. What includes one
of them and what is new is compiled anew, and linked with the libraries of the build."""
# SPDX-License-Identifier: BSD-3-Clause

import json
import os
import re
import shlex
import subprocess
import sys

build, work = sys.argv[1:]
source = os.environ["SOURCE_DIR"]
overlay = os.path.join(work, "overlay")
commands = {entry["file"]: entry["command"] for entry in json.load(open(os.path.join(build, "compile_commands.json"), encoding="utf-8"))}


def read(path):
    with open(os.path.join(source, path), encoding="utf-8") as text:
        return text.read()


def write(path, text):
    """Of a file of the sources, as it is included."""
    path = os.path.join(overlay, path.removeprefix("src/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


def blocks(section):
    return re.findall(r"^```c\n(.*?)^```$", section, re.S | re.M)


def compiled(like, path, name):
    """The object of a file, made by the command of another one. What includes a list by its path finds the longer one first."""
    words = shlex.split(commands[os.path.join(source, like)])
    words = words[1:] if os.path.basename(words[0]) == "ccache" else words
    out = os.path.join(work, name + ".o")
    words[words.index("-o") + 1] = out
    words[words.index("-c") + 1] = path
    first = next(i for i, word in enumerate(words) if word.startswith("-I"))
    subprocess.run(words[:first] + ["-I" + overlay, "-I" + os.path.join(overlay, "..")] + words[first:], cwd=build, check=True)
    return out


def link(target, out, objects, instead=()):
    """A program of the build, with these objects before its libraries, or instead of some of its own."""
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True, check=True).stdout
    words = [word for word in shlex.split(lines.splitlines()[-1]) if word not in (":", "&&")]
    words[words.index("-o") + 1] = out
    words = [word for word in words if not word.endswith(tuple(instead))] if instead else words
    at = next(i for i, word in enumerate(words) if word.endswith(".a"))
    subprocess.run(words[:at] + objects + words[at:], cwd=build, check=True)


def sibling(path):
    """A file of the same folder, which is compiled as this one would be."""
    folder = os.path.join(source, os.path.dirname(path))
    return next(file.removeprefix(source + "/") for file in sorted(commands) if os.path.dirname(file) == folder)


def includes(name):
    """The files that include a list, or go by the number of its tables."""
    for file in sorted(commands):
        if file.startswith(source + "/src/") and (f'#include "{name}"' in read(file) or
                                                  ("\nTABLE(" in lists["src/" + name] and "N_TABLES" in read(file))):
            yield file.removeprefix(source + "/")


objects, lists, added = [], {}, []
recipes = read("docs/dev/extending.md") + read("docs/dev/extending-reports.md")
for title, section in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", recipes, re.S | re.M):
    file = re.match(r"\s*One file `(src/[a-z_/]+\.c)`", section)
    if not file or not blocks(section):
        continue
    path, code = file[1], blocks(section)[0]
    for listed, line in re.findall(r"(?:one line|its lines)\s+in\s+`(src/[a-z_/]+\.def)`:\n\n((?:    .*\n)+)", section):
        text = lists.get(listed, read(listed))
        end = re.search(r"(?=^#undef )|\Z", text, re.M).start()
        lists[listed] = text[:end] + re.sub("^    ", "", line, flags=re.M) + text[end:]
        write(listed, lists[listed])
    written = write(path, code)
    header = path.removesuffix(".c") + ".h"
    if f'#include "{header.removeprefix("src/")}"' in code:  # its own: what others call
        write(header, "#pragma once\n#include \"study/sections/runs.h\"\n" +
              "".join(text + ";\n" for text in re.findall(r"^(?!static)([a-z][^=;{]*\))\n\{", code, re.M)))
    added.append((title, path, written, blocks(section)))

for title, path, written, _ in added:
    objects.append(compiled(sibling(path), written, os.path.basename(path)))
changed = sorted({file for listed in lists for file in includes(listed.removeprefix("src/"))})
for file in changed:
    if file.endswith(".c"):
        objects.append(compiled(file, os.path.join(source, file), file.replace("/", "_")))
link("simrun", os.path.join(work, "simrun"), objects)

# The row of the broadcast, among those of unit.collectives.
rows = "tests/sim/collective/collective_rows.h"
[code] = [block for title, _, _, all_blocks in added for block in all_blocks if "COLL_" in block and "static int64_t" in block]
function, row = code.rsplit("\n\n", 1)
text = read(rows)
table = text.index("static const struct collective_row collective_rows[]")
first = text.index("\n", table) + 1
write(rows, text[:table] + function + "\n\n" + text[table:first] + row + text[first:])
test = "tests/sim/collective/collectives.c"
objects.append(compiled(test, os.path.join(source, test), "collectives.c"))

# The answer, asked for as its recipe says, of a scenario's runs.
[make] = [block for title, _, _, all_blocks in added for block in all_blocks[1:] if "answer_output(" in block]
write("answer.c", '#include "study/sections/outliers.h"\n#include "simrun/answer.h"\n#include "tests/testing.h"\n#include <stdint.h>\n#include <stdio.h>\n' +
      make[:make.index("return answer_output(")] + """
static void test_answer(void)
{
    struct study study;
    struct machine machine = {0};
    testing_simulate(&study, &machine, testing_arguments[0]);
    FILE *stream = fopen(testing_arguments[1], "w");
    const struct options options = {.format = report_find("json")};
    answer_write(stream, &options, make_document, &study, NULL);
    fclose(stream);
}

int unit_answer(void);

int unit_answer(void)
{
    return testing_run("answer", (const struct test[]){{"outliers", test_answer}, {NULL, NULL}});
}
""")
objects.append(compiled("tests/testing.c", os.path.join(overlay, "answer.c"), "answer"))
for name, more in ("units.h", ""), ("units.def", "UNIT(answer)\n"):
    write(name, read(os.path.join(build, "tests", name)) + more)
objects.append(compiled("tests/unit.c", os.path.join(source, "tests/unit.c"), "unit"))
link("unit", os.path.join(work, "unit"), objects, ("/collectives.c.o", "/unit.c.o"))
with open(os.path.join(work, "added"), "w", encoding="utf-8") as out:
    out.writelines(f"{title}\t{path}\n" for title, path, _, _ in added)
