#!/usr/bin/env python3
"""Runs the TPC-H queries on Millrace and on other engines over the same files, checks that Millrace's rows
equal DuckDB's, and prints the time of each query with its ratio to the first engine's.

    compare.py DATA [--engines duckdb,polars,datafusion,daft] [--queries DIR] [--repeat 5]
               [--option=--threads=2 …] [--json FILE]

MILLRACE_PEERS_PYTHON names the Python interpreter that has the engines' packages (default: this one). Tables
come from `peer.py generate DIR SCALE`. Decimals must be equal exactly, doubles to 1e-9 relative (a decimal
against a double: also half a unit of the decimal's last place); rows are compared in sorted order.
Exit status 1 when a result differs or a query fails.
"""
import argparse
import decimal
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]
TOLERANCE = 1e-9


def peer(engine, arguments):
    python = os.environ.get("MILLRACE_PEERS_PYTHON", sys.executable)
    command = [python, f"{HERE}/peer.py", "run", engine, arguments.data, arguments.queries, str(arguments.repeat)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{engine} does not run: MILLRACE_PEERS_PYTHON names the interpreter that has its package")
    results = {}
    for line in done.stdout.splitlines():
        result = json.loads(line)
        if result["error"]:
            print(f"{engine} {result['query']}: {result['error']}", file=sys.stderr)
        else:
            result["best"] = min(result["seconds"])
            results[result["query"]] = result
    return results


def millrace(arguments):
    """One process for all queries, as the launcher starts it; each query is planned anew in every run."""
    names = sorted(name[:-4] for name in os.listdir(arguments.queries) if name.endswith(".sql"))
    with tempfile.TemporaryDirectory() as folder:
        script = f"{folder}/all.sql"
        with open(script, "w") as file:
            for table in TABLES:
                file.write(f"create or replace view {table} as select * from '{arguments.data}/{table}.parquet';\n")
            for name in names:
                with open(f"{arguments.queries}/{name}.sql") as query:
                    file.write(query.read().strip().rstrip(";") + ";\n")
                # Marks where the rows of a query end.
                file.write("select 'end' as millrace_end;\n")
        command = [f"{HERE}/../millrace", "sql", "-f", script, "--format", "json", "--repeat", str(arguments.repeat),
                   "--timings", f"{folder}/timings", *arguments.option]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            print(done.stderr[-2000:], file=sys.stderr)
            sys.exit(f"millrace ended with status {done.returncode}")
        seconds, plan = {}, {}
        with open(f"{folder}/timings") as file:
            for line in file:
                timing = json.loads(line)
                position = timing["statement"] - 1 - len(TABLES)
                if position >= 0 and position % 2 == 0:
                    name = names[position // 2]
                    seconds.setdefault(name, []).append((timing["plan_ms"] + timing["exec_ms"]) / 1000)
                    plan.setdefault(name, []).append(timing["plan_ms"])
    results, rows = {}, []
    for line in done.stdout.splitlines():
        row = json.loads(line, parse_float=decimal.Decimal)
        if "millrace_end" in row:
            name = names[len(results)]
            results[name] = {"query": name, "seconds": seconds[name], "best": min(seconds[name]),
                             "plan": min(plan[name]), "rows": rows}
            rows = []
        else:
            rows.append(list(row.values()))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return results, cpu


def comparable(value):
    """(kind, value): text as it is, exact numbers as Decimal, doubles as float."""
    if isinstance(value, dict) and "decimal" in value:
        return decimal.Decimal(value["decimal"])
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return decimal.Decimal(value)
    return value


def same(expected, actual):
    if isinstance(expected, decimal.Decimal) and isinstance(actual, decimal.Decimal):
        return expected == actual
    if isinstance(expected, float) and isinstance(actual, (float, decimal.Decimal)):
        given = float(actual)
        slack = TOLERANCE * max(abs(expected), abs(given))
        if isinstance(actual, decimal.Decimal):
            slack += 0.5000001 * 10.0 ** actual.as_tuple().exponent
        return math.isclose(expected, given, rel_tol=0, abs_tol=slack)
    return expected == actual


def order(row):
    """Sorts numbers coarsely, so that values within the tolerance keep their place."""
    return [(0, "") if v is None else (1, f"{float(v):+.6e}") if isinstance(v, (float, decimal.Decimal)) else (2, str(v))
            for v in row]


def difference(expected, actual):
    """Text of the first difference; None when equal."""
    expected = sorted(([comparable(v) for v in row] for row in expected), key=order)
    actual = sorted(([comparable(v) for v in row] for row in actual), key=order)
    if len(expected) != len(actual):
        return f"{len(actual)} rows instead of {len(expected)}"
    for number, (left, right) in enumerate(zip(expected, actual)):
        if len(left) != len(right) or not all(map(same, left, right)):
            return f"row {number}: {right} instead of {left}"
    return None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--engines", default="duckdb")
    parser.add_argument("--queries", default=f"{HERE}/tpch")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--option", action="append", default=[], help="a further option of millrace sql")
    parser.add_argument("--json", help="writes all figures there")
    arguments = parser.parse_args()
    arguments.data = os.path.abspath(arguments.data)
    engines = arguments.engines.split(",")
    peers = {engine: peer(engine, arguments) for engine in engines}
    own, cpu = millrace(arguments)
    print("query  millrace  (plan)" + "".join(f"{engine:>12}    ratio" for engine in engines) + "  equal")
    wrong = 0
    for name, result in own.items():
        line = f"{name:5} {1000 * result['best']:8.0f} {result['plan']:7.1f}"
        for engine in engines:
            other = peers[engine].get(name)
            line += f"{1000 * other['best']:12.0f} {result['best'] / other['best']:8.2f}" if other else " " * 12 + "        -"
        if "duckdb" in peers:
            text = difference(peers["duckdb"][name]["rows"], result["rows"])
            wrong += text is not None
            line += f"  {text or 'yes'}"
        print(line)
    for engine in engines:
        ratios = {name: own[name]["best"] / other["best"] for name, other in peers[engine].items() if name in own}
        worst = max(ratios, key=ratios.get)
        total = sum(own[name]["best"] for name in ratios), sum(peers[engine][name]["best"] for name in ratios)
        print(f"{engine}: {len(ratios)} queries, {total[0]:.2f} s against {total[1]:.2f} s, geometric mean of ratios "
              f"{geometric_mean(list(ratios.values())):.2f}, largest {ratios[worst]:.2f} ({worst}); "
              f"its CPU {sum(sum(r['cpu']) for r in peers[engine].values()):.1f} s")
    print(f"millrace: CPU {cpu:.1f} s of the whole process, {arguments.repeat} runs of each query")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"millrace": {n: r["seconds"] for n, r in own.items()},
                       **{e: {n: r["seconds"] for n, r in p.items()} for e, p in peers.items()}}, file, indent=1)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
