<#--
  Table references that Calcite's grammar lacks: a path in quotes, and a pinned version.
-->

/** A quoted path or URI in the place of a table name. */
SqlIdentifier PathReference() :
{
    final String path;
}
{
    path = SimpleStringLiteral() {
        return tableReferences.path(path, getPos());
    }
}

/** VERSION AS OF n, TIMESTAMP AS OF t or TAG AS OF 'name' after a table. */
SqlNode TableVersion(SqlNode table) :
{
    final TableReferences.VersionKind kind;
    final SqlNode value;
}
{
    (
        <VERSION> { kind = TableReferences.VersionKind.VERSION; }
    |
        <TIMESTAMP> { kind = TableReferences.VersionKind.TIMESTAMP; }
    |
        <TAG> { kind = TableReferences.VersionKind.TAG; }
    )
    <AS> <OF>
    value = AtomicRowExpression() {
        return tableReferences.versioned(table, kind, value, Span.of(table, value).pos());
    }
}

/** An array written without the word ARRAY: [1, 2]. */
SqlNode BracketedArray() :
{
    SqlNodeList elements = SqlNodeList.EMPTY;
    final Span s;
}
{
    <LBRACKET> { s = span(); }
    [ elements = ExpressionCommaList(s, ExprContext.ACCEPT_SUB_QUERY) ]
    <RBRACKET> {
        return SqlStdOperatorTable.ARRAY_VALUE_CONSTRUCTOR.createCall(
            s.end(this), elements.getList());
    }
}
