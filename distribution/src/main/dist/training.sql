SELECT 1;
SELECT a, b, a + 1 AS c FROM (VALUES (1, 'x'), (2, 'y'), (3, NULL)) AS t(a, b) WHERE a > 1 ORDER BY b DESC LIMIT 10;
SELECT b, count(*) AS n, sum(a) AS s FROM (VALUES (1, 'x'), (2, 'y'), (3, 'x')) AS t(a, b) GROUP BY b;
SELECT l.a, r.c FROM (VALUES (1, 'x'), (2, 'y')) AS l(a, b) JOIN (VALUES (1, 2.5), (2, 3.5)) AS r(a, c) ON l.a = r.a;
