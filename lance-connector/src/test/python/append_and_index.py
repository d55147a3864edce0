"""Appends rows to a dataset with Lance's own Python package, or makes one with an index.

    python append_and_index.py append DATASET.lance    adds rows with id 1000, 1001 to a table (id, name)
    python append_and_index.py index DATASET.lance     makes a table with stable row ids and a BTREE index
"""

import sys

import lance
import pyarrow as pa


def main():
    action, uri = sys.argv[1:]
    if action == "append":
        schema = lance.dataset(uri).schema
        rows = pa.table({"id": [1000, 1001], "name": ["from python", None]}, schema=schema)
        lance.write_dataset(rows, uri, mode="append")
    elif action == "index":
        rows = pa.table({"id": pa.array(range(100), pa.int64()), "name": [str(i) for i in range(100)]})
        dataset = lance.write_dataset(rows, uri, enable_stable_row_ids=True)
        dataset.create_scalar_index("id", "BTREE")
    else:
        sys.exit(f"unknown action {action}")


if __name__ == "__main__":
    main()
