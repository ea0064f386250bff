#!/usr/bin/env bash
# .github: forms for issues, and the workflow that runs the tests, are YAML, with what a forge asks of them. The
# citation has the version.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "Python's yaml" python3 -c 'import yaml'
python3 - "$SOURCE_DIR" >"$work/out" 2>"$work/err" <<'END'
import os
import re
import sys
import yaml

root = sys.argv[1]


def load(path):
    with open(f"{root}/{path}", encoding="utf-8") as stream:
        text = stream.read()
    assert "secrets." not in text, path
    return yaml.safe_load(text)


forms = ".github/ISSUE_TEMPLATE"
names = sorted(os.listdir(f"{root}/{forms}"))
assert names == ["accuracy.yml", "bug.yml", "question.yml"], names
for name in names:
    form = load(f"{forms}/{name}")
    assert set(form) == {"name", "description", "labels", "body"}, name
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids)), name
    for field in form["body"]:
        assert field["type"] == "textarea" and field["attributes"]["label"], name
        assert set(field["attributes"]) <= {"label", "description", "render"}, name

workflow = load(".github/workflows/check.yml")
assert workflow["permissions"] == {"contents": "read"}
job = workflow["jobs"]["check"]
assert job["strategy"]["matrix"]["debian"] == ["bookworm", "trixie"]
runs = [step["run"] for step in job["steps"] if "run" in step]
with open(f"{root}/check", encoding="utf-8") as stream:
    packages = re.search(r"^tools/install-packages .*", stream.read(), re.M).group()
assert packages in runs and ".ci/run" in runs, runs
for step in job["steps"]:
    assert re.fullmatch(r"actions/[a-z-]+@v\d+", step.get("uses", "actions/x@v1")), step
END
note $? '.github'
version=$(sed -n 's/^project(simrun VERSION \([0-9.]*\).*/\1/p' "$SOURCE_DIR/CMakeLists.txt")
check 'CITATION.cff has the version' grep -qx "version: $version" "$SOURCE_DIR/CITATION.cff"
finish
