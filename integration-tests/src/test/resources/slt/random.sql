-- The tables of RandomQueryTest, made by DuckDB; ${data} is a fresh folder.
COPY (
  SELECT i::INTEGER AS id,
         CASE WHEN i % 9 = 0 THEN NULL ELSE (i * 31 % 13 - 6)::INTEGER END AS part,
         CASE WHEN i % 17 = 0 THEN NULL ELSE (i * 7919 % 23)::BIGINT END AS big,
         CASE WHEN i % 40 = 0 THEN 'NaN'::DOUBLE WHEN i % 19 = 0 THEN NULL ELSE (i % 37 - 18) / 4.0 END AS score,
         CASE WHEN i % 12 = 0 THEN NULL ELSE ((i % 80) - 30) * 0.25 END::DECIMAL(10, 2) AS price,
         CASE WHEN i % 13 = 0 THEN NULL WHEN i % 14 = 0 THEN '' WHEN i % 15 = 0 THEN 'é' || i % 4 ELSE 'name ' || (i % 7) END AS name,
         CASE WHEN i % 7 = 0 THEN NULL ELSE i % 3 = 0 END AS flag,
         CASE WHEN i % 21 = 0 THEN NULL ELSE DATE '1995-01-15' + (i % 12 * 31)::INTEGER END AS day,
         TIMESTAMP '2020-02-28 23:55:30' + INTERVAL 1 MINUTE * (i % 25) AS moment
  FROM range(0, 240) t(i)
) TO '${data}/left.parquet' (FORMAT parquet);
COPY (
  SELECT (i * 3)::INTEGER AS id,
         CASE WHEN i % 5 = 0 THEN NULL ELSE (i % 11 - 4)::INTEGER END AS part,
         CASE WHEN i % 6 = 0 THEN NULL ELSE 'name ' || (i % 9) END AS name,
         DATE '1995-01-15' + (i % 5 * 31)::INTEGER AS day,
         CASE WHEN i % 8 = 0 THEN NULL ELSE (i % 9 - 4) / 4.0 END AS weight
  FROM range(0, 60) t(i)
) TO '${data}/right.parquet' (FORMAT parquet);
COPY (SELECT * FROM (VALUES (1::INTEGER, 'a'), (2, NULL)) t(id, name) WHERE id > 5) TO '${data}/empty.parquet' (FORMAT parquet);
