"""Reads a dataset that Millrace wrote with Lance's own Python package and compares it with expected rows.

    pip install pylance==14.0.2 pyarrow
    python check_written.py DATASET.lance EXPECTED.json [--version N] [--expected-version N] [--key id]

EXPECTED.json has the form of the fixtures (see ../resources/fixtures/make_fixtures.py). Rows are compared
by the key column, so their order does not matter; `_rowaddr` and `_rowid` are not compared. Only
columns that the expected rows have are compared, and each must exist. Exit code 0: equal; 1: not.
"""

import argparse
import importlib.util
import json
import pathlib
import sys

import lance

FIXTURES = pathlib.Path(__file__).parent.parent / "resources" / "fixtures" / "make_fixtures.py"


def expected_value():
    spec = importlib.util.spec_from_file_location("make_fixtures", FIXTURES)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.expected_value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dataset")
    parser.add_argument("expected")
    parser.add_argument("--version", type=int)
    parser.add_argument("--expected-version")
    parser.add_argument("--key", default="id")
    arguments = parser.parse_args()

    versions = json.loads(pathlib.Path(arguments.expected).read_text())["versions"]
    wanted = versions[arguments.expected_version or max(versions, key=int)]["rows"]
    wanted = {row[arguments.key]: {k: v for k, v in row.items() if not k.startswith("_row")} for row in wanted}

    dataset = lance.dataset(arguments.dataset, version=arguments.version)
    dataset.validate()
    convert = expected_value()
    found, faults = {}, []
    for row in dataset.to_table().to_pylist():
        key = row[arguments.key]
        if key in found:
            faults.append(f"key {key} stands twice")
        found[key] = {name: json.loads(json.dumps(convert(name, value))) for name, value in row.items()}

    faults += [f"key {key} is missing" for key in wanted.keys() - found.keys()]
    faults += [f"key {key} is too much" for key in found.keys() - wanted.keys()]
    for key in wanted.keys() & found.keys():
        for name, value in wanted[key].items():
            if name not in found[key]:
                faults.append(f"key {key}: column {name} is missing")
            elif repr(found[key][name]) != repr(value):
                faults.append(f"key {key}, {name}: expected {value!r}, found {found[key][name]!r}")
    for fault in faults[:20]:
        print(fault)
    print(f"{len(found)} rows, format {dataset.data_storage_version}, {len(faults)} differences")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
