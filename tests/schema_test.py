#!/usr/bin/env python3
"""Checks JSON files of Peakline's against the schemas in baselines/schema.

schema_test.py FILE...                     each file is valid by the schema that it names
schema_test.py --mutations TABLE RECORD    the schema accepts and rejects what TABLE says of RECORD

Exit status: 0 when all is as it should be, 5 when not, 2 for a file that cannot be read.
"""

import argparse
import copy
import json
import math
import pathlib
import sys

from jsonschema import Draft7Validator, RefResolver
from jsonschema.exceptions import best_match

SCHEMA_DIR = pathlib.Path(__file__).resolve().parent.parent / "baselines" / "schema"


def parse(text):
    """JSON as the C++ reader takes it: no key twice, no number that is not finite."""

    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ValueError("a key is there twice: " + ", ".join(names))
        return dict(pairs)

    def finite(digits):
        value = float(digits)
        if not math.isfinite(value):
            raise ValueError(digits + " is too large for a number")
        return value

    def refuse(word):
        raise ValueError(word + " is not JSON")

    return json.loads(
        text, object_pairs_hook=members, parse_float=finite, parse_constant=refuse
    )


def load_schemas():
    schemas = {}
    for path in SCHEMA_DIR.glob("*.schema.json"):
        schema = parse(path.read_text(encoding="utf-8"))
        Draft7Validator.check_schema(schema)
        schemas[path.name] = schema
    return schemas


def validator(schemas, name):
    """`name` as in the field "schema" of a file: peakline.record."""
    schema = schemas.get(str(name).replace("peakline.", "", 1) + ".schema.json")
    if schema is None:
        raise ValueError(f"there is no schema for {name!r} in baselines/schema")
    return Draft7Validator(schema, resolver=RefResolver.from_schema(schema, store=schemas))


def fault(checker, document):
    """The most telling fault as a sentence; empty when the document is valid."""
    error = best_match(checker.iter_errors(document))
    if error is None:
        return ""
    place = "/" + "/".join(str(step) for step in error.absolute_path)
    return f"{place}: {error.message[:200]}"


def documents(text):
    """One for a file of JSON, one a line for a journal."""
    first_line = text.split("\n", 1)[0]
    if first_line.startswith('{"schema":"peakline.journal"'):
        return [parse(line) for line in text.splitlines()]
    return [parse(text)]


def check_files(schemas, paths):
    failures = 0
    for path in paths:
        parts = documents(pathlib.Path(path).read_text(encoding="utf-8"))
        checker = validator(schemas, parts[0].get("schema"))
        found = next(filter(None, (fault(checker, part) for part in parts)), "")
        print(f"{path}: {found or 'valid'}")
        failures += found != ""
    return failures


def mutate(document, entry):
    """`document` with the value at the entry's JSON pointer set or removed."""
    changed = copy.deepcopy(document)
    *steps, last = entry["path"].split("/")[1:]
    parent = changed
    for step in steps:
        parent = parent[int(step)] if isinstance(parent, list) else parent[step]
    last = int(last) if isinstance(parent, list) else last
    if entry["op"] == "remove":
        del parent[last]
    else:
        parent[last] = entry["value"]
    return changed


def check_mutations(schemas, table, record):
    document = parse(pathlib.Path(record).read_text(encoding="utf-8"))
    checker = validator(schemas, document["schema"])
    entries = parse(pathlib.Path(table).read_text(encoding="utf-8"))
    failures = 0
    for entry in entries:
        expected = "accept" if entry.get("beyond_schema") else entry["expect"]
        found = "reject" if fault(checker, mutate(document, entry)) else "accept"
        if found != expected:
            failures += 1
            print(f"{entry['name']} ({entry['path']}): {found}, expected {expected}")
    print(f"{len(entries) - failures} of {len(entries)} mutations as expected")
    return failures + (not entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--mutations", metavar="TABLE")
    parser.add_argument("files", metavar="FILE", nargs="+")
    options = parser.parse_args()
    try:
        schemas = load_schemas()
        if options.mutations:
            failures = sum(
                check_mutations(schemas, options.mutations, record) for record in options.files
            )
        else:
            failures = check_files(schemas, options.files)
    except (OSError, ValueError) as error:
        print(f"schema_test.py: {error}", file=sys.stderr)
        return 2
    return 5 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
