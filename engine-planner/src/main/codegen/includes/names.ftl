<#--
  Words that the standard reserves and that people name columns after. They stay syntax where
  a parenthesis or a text in quotes follows, as in YEAR(x) and DATE '2026-01-01'.
-->

void ReservedWordAsName() :
{
}
{
    <ALLOCATE> | <ALLOW> | <ARE> | <ASENSITIVE> | <ATOMIC> | <AUTHORIZATION> | <AVG> | <BEGIN>
|   <BLOB> | <CALLED> | <CASCADED> | <CHECK> | <CLOSE> | <COLUMN> | <COMMIT> | <CONDITION>
|   <CONNECT> | <CONSTRAINT> | <CORR> | <COUNT> | <CYCLE> | <DATE> | <DATETIME> | <DAY>
|   <DECLARE> | <DYNAMIC> | <EACH> | <ELEMENT> | <EVERY> | <EXECUTE> | <EXTERNAL> | <FREE>
|   <FRIDAY> | <FUNCTION> | <FUSION> | <GET> | <GLOBAL> | <HOLD> | <HOUR> | <IDENTITY>
|   <IMPORT> | <INDICATOR> | <INITIAL> | <INOUT> | <LAG> | <LARGE> | <LEAD> | <LOCAL> | <LOWER>
|   <MATCH> | <MATCHES> | <MAX> | <MIN> | <MINUTE> | <MODULE> | <MONDAY> | <MONTH> | <NEW>
|   <NEXT> | <NO> | <NONE> | <OLD> | <ONE> | <OPEN> | <OUT> | <PARAMETER> | <PATTERN> | <PER> | <PERCENT>
|   <PERIOD> | <PORTION> | <POSITION> | <PREPARE> | <PREV> | <PRIMARY> | <PROCEDURE> | <RANK>
|   <READS> | <REF> | <RELEASE> | <RETURN> | <RETURNS> | <ROLLBACK> | <RUNNING> | <SATURDAY>
|   <SAVEPOINT> | <SCOPE> | <SCROLL> | <SEARCH> | <SECOND> | <SENSITIVE> | <SQL> | <STATIC>
|   <SUBSET> | <SUM> | <SUNDAY> | <SYSTEM> | <THURSDAY> | <TIME> | <TIMESTAMP> | <TRANSLATION>
|   <TRIGGER> | <TUESDAY> | <UPPER> | <USER> | <VALUE> | <VERSIONING> | <WEDNESDAY> | <YEAR>
}
