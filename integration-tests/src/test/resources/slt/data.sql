-- The tables of all SLT files, made by DuckDB; ${data} is a fresh folder.
COPY (
  SELECT i::INTEGER AS id,
         (i * 7919 % 101)::BIGINT AS key,
         CASE WHEN i % 11 = 0 THEN NULL ELSE (i * 31 % 17)::INTEGER END AS part,
         CASE WHEN i % 13 = 0 THEN NULL ELSE 'name ' || (i % 23) END AS name,
         (i * 3.25)::DECIMAL(15, 2) AS price,
         CASE WHEN i % 50 = 0 THEN 'NaN'::DOUBLE WHEN i % 19 = 0 THEN NULL ELSE i / 8.0 END AS score,
         DATE '1995-01-01' + (i % 400)::INTEGER AS day,
         TIMESTAMP '2020-02-28 23:59:59' + INTERVAL 1 SECOND * i AS moment,
         i % 3 = 0 AS flag
  FROM range(0, 3000) t(i)
) TO '${data}/facts.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048);
COPY (
  SELECT i::BIGINT AS key,
         'kind ' || (i % 5) AS kind,
         CASE WHEN i % 7 = 0 THEN NULL ELSE (i * 1.5)::DOUBLE END AS weight
  FROM range(0, 90) t(i)
  UNION ALL SELECT NULL, 'nothing', 0.5
  UNION ALL SELECT 5, 'again', 9.5
) TO '${data}/kinds.parquet' (FORMAT parquet);
COPY (SELECT * FROM (VALUES (1, 'a'), (2, NULL)) t(x, y) WHERE x > 5) TO '${data}/nothing.parquet' (FORMAT parquet);
COPY (
  SELECT i::BIGINT AS id, 'text, "quoted" ' || i AS text, i / 4.0 AS value,
         CASE WHEN i % 4 = 0 THEN NULL ELSE i % 2 = 0 END AS flag
  FROM range(0, 500) t(i)
) TO '${data}/lines.csv' (FORMAT csv, HEADER);
COPY (
  SELECT i::BIGINT AS id, 'näme ' || i AS name, CASE WHEN i % 3 = 0 THEN NULL ELSE i * 2 END AS two
  FROM range(0, 200) t(i)
) TO '${data}/lines.jsonl' (FORMAT json);
COPY (
  SELECT i::INTEGER AS id, (i % 3)::INTEGER AS year,
         CASE WHEN i % 4 = 0 THEN NULL ELSE 'r/é=%' || (i % 4) END AS region,
         DATE '2024-01-01' + (i % 2)::INTEGER AS day, i / 4.0 AS value
  FROM range(0, 300) t(i)
) TO '${data}/parts' (FORMAT parquet, PARTITION_BY (year, region, day));
COPY (SELECT i::BIGINT AS id, (i % 3)::INTEGER AS year, 'x' || i AS name FROM range(0, 60) t(i))
  TO '${data}/csvparts' (FORMAT csv, PARTITION_BY (year), WRITE_PARTITION_COLUMNS true);
COPY (SELECT i::INTEGER AS id, 'a' || i AS one FROM range(0, 20) t(i)) TO '${data}/wide1.parquet';
COPY (SELECT (i * 10000000000)::BIGINT AS id, i / 2.0::DOUBLE AS two FROM range(0, 20) t(i)) TO '${data}/wide2.parquet';
COPY (SELECT i::BIGINT AS id, {'a': i, 'b': [i, NULL]} AS s FROM range(0, 50) t(i)) TO '${data}/array.json' (FORMAT json, ARRAY true);
COPY (SELECT i::BIGINT AS id, 'a "b" ' || i AS t FROM range(0, 50) t(i)) TO '${data}/lines.csv.gz' (FORMAT csv, HEADER, COMPRESSION gzip);
COPY (SELECT i::BIGINT AS id, 'z ' || i AS t FROM range(0, 50) t(i)) TO '${data}/lines.jsonl.zst' (FORMAT json, COMPRESSION zstd);
