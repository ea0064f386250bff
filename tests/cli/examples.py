#!/usr/bin/env python3
"""The commands of documents, and what the documents show of their output.

    examples.py FOLDER DOCUMENT...     FOLDER has simrun; the commands run there

A command is a line of a block ```sh that begins with ./simrun; a backslash at its end continues it. A block ```text right behind
shows output of the block's last command: each of its lines must come out of it, as it stands and in that order, but for lines of
dots, which stand for what is left out. The same command runs once, with smaller problems where it would take long. Each command
must end with status 0 and say nothing on standard error, unless the output that is shown says so. Prints what failed, then
"COUNT commands, COUNT lines"; status 1 if anything failed."""
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
import subprocess
import sys

SMALLER = [(r"--set n=256 (scenarios/)?(gj-topologies)", r"--set n=16 \1\2"), (r"((scenarios/)?hpl-icluster)", r"--set n=8000 \1")]
LAB = "./simrun lab "


def blocks(document):
    """(language, lines) of each block, and whether it follows the one before with nothing but blank lines between."""
    language, lines, last_end, result = None, [], None, []
    with open(document, encoding="utf-8") as file:
        for number, line in enumerate(file):
            line = line.rstrip("\n")
            fence = re.match(r"^```(\w*)$", line)
            if fence and language is None:
                language, lines, begins = fence[1], [], number
            elif fence:
                result.append((language, lines, last_end is not None and between == ""))
                language, last_end, between = None, number, ""
            elif language is not None:
                lines.append(line)
            elif last_end is not None:
                between += line.strip()
    return result


def commands(lines):
    """The commands of a block, continued lines joined."""
    for line in "\n".join(lines).replace("\\\n", " ").split("\n"):
        if line.startswith("./simrun"):
            yield re.sub(r"\s+#.*", "", line)


def run(folder, command):
    smaller = command
    for pattern, instead in SMALLER:
        smaller = re.sub(pattern, instead, smaller)
    done = subprocess.run(["bash", "-c", "set -o pipefail; " + smaller], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr, smaller != command


def check(folder, documents):
    results, shown, n_lines, failed = {}, set(), 0, 0
    for document in documents:
        last = None
        for language, lines, follows in blocks(document):
            if language == "sh":
                last = None
                for command in commands(lines):
                    if command.startswith(LAB) and not os.path.exists(os.path.join(os.environ["BUILD_DIR"], "lab/lab.html")):
                        print("NOT COMPARED: the laboratory has not been built")
                        continue
                    results.setdefault(command, None)
                    if results[command] is None:
                        results[command] = run(folder, command)
                        status, _, err, _ = results[command]
                        if status not in (0, 3) and "|| true" not in command:
                            failed += 1
                            print(f"FAILED: {document}: {command}: status {status}: {err.strip()[:300]}")
                    last = command
            elif language == "text" and follows and last is not None:
                status, out, err, is_smaller = results[last]
                shown.add(last)
                if is_smaller:
                    continue
                said = (out + err).split("\n")
                at = 0
                for line in lines:
                    if line.strip() in ("", "...", "…"):
                        continue
                    n_lines += 1
                    stripped = line.rstrip()
                    found = next((i for i in range(at, len(said)) if said[i].rstrip() == stripped), None)
                    if found is None:
                        failed += 1
                        print(f"FAILED: {document}: {last} does not print, or not there: {line}")
                    else:
                        at = found + 1
    for command, (_, _, err, _) in results.items():
        if err and command not in shown:
            failed += 1
            print(f"FAILED: {command} says: {err.strip()[:300]}")
    return results, n_lines, failed


def main():
    results, n_lines, failed = check(sys.argv[1], sys.argv[2:])
    print(f"{len(results)} commands, {n_lines} lines")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
