"""validate.py SCHEMA FILE...: whether JSON files are as a JSON Schema says. Of an array the first and last items are looked at, since its
rows are alike. A line for each kind of mistake; status 1 if there is any, 77 without the package jsonschema."""
# SPDX-License-Identifier: BSD-3-Clause

import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

FIRST, LAST = 16, 8


def shorten(value):
    if isinstance(value, dict):
        return {key: shorten(of) for key, of in value.items()}
    if isinstance(value, list):
        return [shorten(of) for of in (value if len(value) <= FIRST + LAST else value[:FIRST] + value[-LAST:])]
    return value


def main(schema_file, files):
    with open(schema_file, encoding="utf8") as stream:
        schema = json.load(stream)
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    validator = validator(schema)
    known = set()
    for file in files:
        with open(file, encoding="utf8") as stream:
            document = shorten(json.load(stream))
        for error in validator.iter_errors(document):
            place = ".".join(str(part) for part in error.absolute_path if not isinstance(part, int))
            if (place, error.message) not in known:
                known.add((place, error.message))
                print(f"{file.rsplit('/', 1)[-1]}: {place}: {error.message[:200]}")
    print(f"{len(files)} files are looked at")
    return 1 if known or not files else 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
