"""Runs the queries of a folder on another engine; needs only that engine's Python package.

peer.py run ENGINE DATA QUERIES REPEAT   JSON lines: query, seconds and CPU seconds of each run, rows of the last
peer.py generate DIR SCALE               TPC-H tables as DIR/*.parquet, with snappy and dictionaries
ENGINE: duckdb | polars | datafusion | daft
"""
import datetime
import decimal
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]


def runner(engine, data):
    """A function from SQL text to a list of tuples."""
    paths = {table: f"{data}/{table}.parquet" for table in TABLES}
    if engine == "duckdb":
        import duckdb
        connection = duckdb.connect()
        for table, path in paths.items():
            connection.execute(f"create view {table} as select * from '{path}'")
        return lambda sql: connection.execute(sql).fetchall()
    if engine == "polars":
        import polars
        context = polars.SQLContext({table: polars.scan_parquet(path) for table, path in paths.items()})
        return lambda sql: context.execute(sql).collect(engine="streaming").rows()
    if engine == "datafusion":
        import datafusion
        context = datafusion.SessionContext()
        for table, path in paths.items():
            context.register_parquet(table, path)
        return lambda sql: [tuple(row.values()) for b in context.sql(sql).collect() for row in b.to_pylist()]
    if engine == "daft":
        os.environ["DAFT_PROGRESS_BAR"] = "0"
        import daft
        frames = {table: daft.read_parquet(path) for table, path in paths.items()}
        return lambda sql: [tuple(row.values()) for row in daft.sql(sql, **frames).to_pylist()]
    sys.exit("ENGINE: duckdb | polars | datafusion | daft")


def plain(value):
    """Decimals keep their kind: {"decimal": text}; all else as JSON has it."""
    if isinstance(value, decimal.Decimal):
        return {"decimal": str(value)}
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    return value


def run(engine, data, queries, repeat):
    execute = runner(engine, data)
    for path in sorted(glob.glob(f"{queries}/*.sql")):
        with open(path) as file:
            sql = file.read().strip().rstrip(";")
        seconds, cpu, rows, error = [], [], None, None
        for _ in range(repeat):
            wall, used = time.perf_counter(), time.process_time()
            try:
                rows = execute(sql)
            except Exception as problem:
                error = str(problem)[:200].replace("\n", " ")
                break
            seconds.append(time.perf_counter() - wall)
            cpu.append(time.process_time() - used)
        if error is None:
            rows = [[plain(value) for value in row] for row in rows]
        print(json.dumps({"query": os.path.basename(path)[:-4], "seconds": seconds, "cpu": cpu,
                          "rows": rows if error is None else None, "error": error}), flush=True)


def generate(directory, scale):
    import duckdb
    os.makedirs(directory, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory) as raw:
        generator = os.path.join(os.path.dirname(sys.executable), "tpchgen-cli")
        subprocess.run([generator, "parquet", "-s", scale, "--output-dir", raw, "-q"], check=True)
        for table in TABLES:
            source, target = f"{raw}/{table}.parquet", f"{directory}/{table}.parquet"
            duckdb.sql(f"copy (select * from '{source}') to '{target}.part' (format parquet)")
            os.rename(f"{target}.part", target)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 6:
        run(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
    elif sys.argv[1:2] == ["generate"] and len(sys.argv) == 4:
        generate(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
