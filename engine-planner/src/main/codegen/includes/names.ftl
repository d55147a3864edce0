<#--
  Words that the standard reserves and that people name columns after. They stay syntax where
  a parenthesis or a text in quotes follows, as in YEAR(x) and DATE '2026-01-01'.
-->

void ReservedWordAsName() :
{
}
{
    <CONDITION> | <DATE> | <DAY> | <EACH> | <ELEMENT> | <FREE> | <HOLD> | <HOUR> | <LARGE> | <MATCH>
|   <MINUTE> | <MODULE> | <MONTH> | <OPEN> | <PARAMETER> | <POSITION> | <RANK> | <RELEASE> | <SCOPE>
|   <SEARCH> | <SECOND> | <TIME> | <TIMESTAMP> | <TRIGGER> | <VALUE> | <YEAR>
}
