"""The manual pages of the library, against the headers: manual.py SOURCE_DIR FOLDER [MPICC].

FOLDER has the pages as plain text. Prototypes in a page are those of its headers, all of the first one; names of the
headers are in the page, and no others; examples are those of the headers, or compile, and print what the page says."""
# SPDX-License-Identifier: BSD-3-Clause
import re
import subprocess
import sys

source, folder = sys.argv[1:3]
compilers = sys.argv[3:]
failures = []


def note(holds, what):
    if not holds:
        failures.append(what)


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def code_of(header):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", read(f"{source}/src/{header}"), flags=re.S)
    text = re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.M)
    return re.sub(r'extern "C" \{', "", text)


def prototypes_of(code):
    while re.search(r"\{[^{}]*\}", code):  # what has a body is declared, too
        code = re.sub(r"\{[^{}]*\}", ";", code)
    found = (re.sub(r"\s+", " ", part).strip() for part in code.split(";"))
    return {re.sub(r"^static inline ", "", part) for part in found if re.match(r"[\w *]+\w\(.*\)$", part)}


def sections_of(page):
    parts = re.split(r"^([A-Z][A-Z ]+)$", read(f"{folder}/{page}"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def unindented(section):
    return "\n".join(line[7:] for line in section.split("\n")).strip("\n")


def example_of(header):
    text = read(f"{source}/src/{header}")
    text = re.search(r"^ \* Example.*?(?=^ \* It is compiled)", text, re.S | re.M).group()
    return "\n".join(line[7:] for line in text.split("\n") if line.startswith(" *     ") or line == " *").strip("\n")


pages = [
    ("simrun.3", ["core/simrun.h", "metrics/result.h", "base/error.h"], "simrun|SIM", "example", ()),
    ("fast.3", ["core/fast.h", "base/error.h"], "fast|FAST", "fast_example", ()),
    ("libeppa.3", ["eppa/eppa.h"], "eppa|EPPA", None, ("eppa_calls", "eppa_calls_find", "EPPA_H")),
]
for page, headers, prefixes, example, hidden in pages:
    sections = sections_of(page)
    codes = [code_of(header) for header in headers]
    declared = prototypes_of(sections["SYNOPSIS"].replace("\n\n", "; ").split("#include", 1)[1].split(">", 1)[1])
    own = {one for one in prototypes_of(codes[0]) if not any(f" {name}(" in one.replace("*", " ") for name in hidden)}
    every = set().union(*map(prototypes_of, codes))
    note(len(own) >= 10, f"{headers[0]} has only {len(own)} functions")
    for one in sorted(own - declared):
        note(False, f"{page} lacks {one}")
    for one in sorted(declared - every):
        note(False, f"{page} has {one}, which no header has")

    text = re.sub(r"-\s*\n\s*", "", "".join(sections.values()))
    names = re.compile(rf"\b(?:{prefixes})_\w+")
    settings = set(re.findall(r'"(EPPA_\w+)"', read(f"{source}/src/eppa/record/settings.c"))) - {"EPPA_"}
    expected = set(names.findall(codes[0])) - set(hidden)
    known = set().union(*(names.findall(code) for code in codes)) - set(hidden)
    if page == "libeppa.3":
        expected, known = expected | settings, known | settings
    for name in sorted(expected - set(names.findall(text))):
        note(False, f"{page} does not name {name}")
    for name in sorted(set(names.findall(text)) - known - {"EPPA_"}):
        note(False, f"{page} names {name}, which is not in {headers}")
    said = sections["DESCRIPTION"]
    for function in re.findall(r"(\w+)\(", " ".join(own)):
        note(f"{function}()" in said, f"the description of {page} does not explain {function}()")

    shown = unindented(sections["EXAMPLES"])
    if example:
        code = example_of(headers[0])
        output = read(f"{source}/tests/core/{example}.expected").strip("\n")
        note(f"\n\n{code}\n\nIt prints\n\n{output}" in shown, f"the example of {page} is not that of {headers[0]}")
    elif compilers:
        code = shown[shown.index("#include") :]
        call = [compilers[0], "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{source}/src/eppa"]
        done = subprocess.run(call + ["-x", "c", "-fsyntax-only", "-"], input=code, text=True, capture_output=True)
        note(done.returncode == 0, f"the example of {page}: {done.stderr}")

print("\n".join(failures))
sys.exit(len(failures) > 0)
