<#--
  Statements beside queries and INSERT. Each production builds a StatementNode around a
  ParsedStatement.
-->

/** CREATE [OR REPLACE] TABLE | VIEW name AS query, CREATE FUNCTION name AS 'class' USING JAR. */
SqlNode CreateStatement() :
{
    final Span s;
    boolean replace = false;
    boolean ifNotExists = false;
    final SqlIdentifier name;
    final SqlNode query;
    final String className;
    String jar = null;
}
{
    <CREATE> { s = span(); }
    [ <OR> <REPLACE> { replace = true; } ]
    [ <TEMP> | <TEMPORARY> ]
    (
        <TABLE>
        ifNotExists = IfNotExistsOption()
        name = CompoundIdentifier()
        <AS>
        query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) {
            return new StatementNode(s.end(this),
                new ParsedStatement.CreateTableAs(name, replace, ifNotExists, query));
        }
    |
        <VIEW>
        ifNotExists = IfNotExistsOption()
        name = CompoundIdentifier()
        <AS>
        query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) {
            return new StatementNode(s.end(this),
                new ParsedStatement.CreateView(name, replace, ifNotExists, query));
        }
    |
        <FUNCTION>
        ifNotExists = IfNotExistsOption()
        name = SimpleIdentifier()
        <AS>
        className = SimpleStringLiteral()
        [ <USING> <JAR> jar = SimpleStringLiteral() ]
        {
            return new StatementNode(s.end(this),
                new ParsedStatement.CreateFunction(name, replace, ifNotExists, className,
                    java.util.Optional.ofNullable(jar)));
        }
    )
}

boolean IfNotExistsOption() :
{
}
{
    LOOKAHEAD(2)
    <IF> <NOT> <EXISTS> { return true; }
|
    { return false; }
}

/** DROP TABLE | VIEW | FUNCTION [IF EXISTS] name. */
SqlNode DropStatement() :
{
    final Span s;
    final ParsedStatement.ObjectKind kind;
    boolean ifExists = false;
    final SqlIdentifier name;
}
{
    <DROP> { s = span(); }
    (
        <TABLE> { kind = ParsedStatement.ObjectKind.TABLE; }
    |
        <VIEW> { kind = ParsedStatement.ObjectKind.VIEW; }
    |
        <FUNCTION> { kind = ParsedStatement.ObjectKind.FUNCTION; }
    )
    [ LOOKAHEAD(2) <IF> <EXISTS> { ifExists = true; } ]
    name = CompoundIdentifier() {
        return new StatementNode(s.end(this),
            new ParsedStatement.Drop(kind, name, ifExists));
    }
}

/** COPY (query) | table TO 'path' [[WITH] (option value, …)]. */
SqlNode CopyStatement() :
{
    final Span s;
    final SqlNode query;
    final SqlNode table;
    final String target;
    final SqlParserPos targetPosition;
    final List<ParsedStatement.Option> options = new ArrayList<ParsedStatement.Option>();
}
{
    <COPY> { s = span(); }
    (
        LOOKAHEAD({ getToken(1).kind == LPAREN })
        <LPAREN> query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) <RPAREN>
    |
        table = TableRef() { query = tableReferences.selectAll(table); }
    )
    <TO> target = SimpleStringLiteral() { targetPosition = getPos(); }
    [
        [ <WITH> ]
        <LPAREN> CopyOption(options) ( <COMMA> CopyOption(options) )* <RPAREN>
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.Copy(query, target, targetPosition, options));
    }
}

void CopyOption(List<ParsedStatement.Option> options) :
{
    final String name;
    SqlNode value = null;
    final SqlParserPos position;
}
{
    name = WordToken() { position = getPos(); }
    [
        [ <EQ> | <NAMED_ARGUMENT_ASSIGNMENT> ]
        (
            value = Literal()
        |
            value = DynamicParam()
        |
            value = SimpleIdentifier()
        |
            <LPAREN> value = SimpleIdentifierOrLiteralList() <RPAREN>
        )
    ]
    {
        options.add(new ParsedStatement.Option(name, java.util.Optional.ofNullable(value), position));
    }
}

SqlNode SimpleIdentifierOrLiteralList() :
{
    final List<SqlNode> list = new ArrayList<SqlNode>();
    SqlNode element;
    final Span s;
}
{
    { s = Span.of(); }
    ( element = SimpleIdentifier() | element = Literal() ) { list.add(element); s.add(element); }
    (
        <COMMA>
        ( element = SimpleIdentifier() | element = Literal() ) { list.add(element); s.add(element); }
    )*
    {
        return new SqlNodeList(list, s.pos());
    }
}

/** SHOW TABLES | FUNCTIONS | SETTINGS | ALL [LIKE 'pattern'], SHOW COLUMNS FROM t, SHOW key. */
SqlNode ShowStatement() :
{
    final Span s;
    final ParsedStatement.ShowKind kind;
    String word = null;
    SqlNode table = null;
    String pattern = null;
}
{
    <SHOW> { s = span(); }
    (
        <TABLES> { kind = ParsedStatement.ShowKind.TABLES; }
    |
        <FUNCTIONS> { kind = ParsedStatement.ShowKind.FUNCTIONS; }
    |
        ( <SETTINGS> | <ALL> ) { kind = ParsedStatement.ShowKind.SETTINGS; }
    |
        <COLUMNS> ( <FROM> | <IN> ) table = TableRef() {
            kind = ParsedStatement.ShowKind.COLUMNS;
        }
    |
        <TABLE> <HEALTH> table = TableRef() { kind = ParsedStatement.ShowKind.TABLE_HEALTH; }
    |
        word = DottedWords() { kind = ParsedStatement.ShowKind.SETTING; }
    )
    [ <LIKE> pattern = SimpleStringLiteral() ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.Show(kind, java.util.Optional.ofNullable(word),
                java.util.Optional.ofNullable(table == null ? null : tableReferences.selectAll(table)),
                java.util.Optional.ofNullable(pattern)));
    }
}

/** DESCRIBE [TABLE] t, DESCRIBE query. */
SqlNode DescribeStatement() :
{
    final Span s;
    final SqlNode query;
    final SqlNode table;
}
{
    ( <DESCRIBE> | <DESC> ) { s = span(); }
    (
        LOOKAHEAD({ startsQuery() })
        query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    |
        [ LOOKAHEAD({ getToken(1).kind == TABLE && getToken(2).kind != LPAREN }) <TABLE> ]
        table = TableRef() { query = tableReferences.selectAll(table); }
    )
    {
        return new StatementNode(s.end(this), new ParsedStatement.Describe(query));
    }
}

/** EXPLAIN [ANALYZE] [LOGICAL | OPTIMIZED | PHYSICAL | STAGES] statement. */
SqlNode ExplainStatement() :
{
    final Span s;
    boolean analyze = false;
    ParsedStatement.ExplainPhase phase = ParsedStatement.ExplainPhase.ALL;
    final SqlNode statement;
}
{
    <EXPLAIN> { s = span(); }
    [ LOOKAHEAD(1) <ANALYZE> { analyze = true; } ]
    [
        LOOKAHEAD(1)
        <LOGICAL> { phase = ParsedStatement.ExplainPhase.LOGICAL; }
    |
        LOOKAHEAD(1)
        <OPTIMIZED> { phase = ParsedStatement.ExplainPhase.OPTIMIZED; }
    |
        LOOKAHEAD(1)
        <PHYSICAL> { phase = ParsedStatement.ExplainPhase.PHYSICAL; }
    |
        LOOKAHEAD(1)
        <STAGES> { phase = ParsedStatement.ExplainPhase.STAGES; }
    |
        LOOKAHEAD(2)
        <PLAN> [ <FOR> ]
    ]
    (
        statement = CreateStatement()
    |
        LOOKAHEAD(2)
        statement = CopyStatement()
    |
        statement = SqlQueryOrDml()
    )
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.Explain(statement, analyze, phase));
    }
}

/** SET key = value, RESET key. */
SqlSetOption SettingStatement(Span s, String scope) :
{
    String key;
    SqlNode value;
    String word;
    final SqlParserPos keyPosition;
}
{
    (
        <SET> { s.add(this); }
        key = DottedWords() { keyPosition = getPos(); }
        ( <EQ> | <TO> )
        (
            value = Literal()
        |
            value = DynamicParam()
        |
            word = WordToken() { value = new SqlIdentifier(word, getPos()); }
        )
    |
        <RESET> { s.add(this); value = null; }
        key = DottedWords() { keyPosition = getPos(); }
    )
    {
        return new SqlSetOption(s.end(this), scope, new SqlIdentifier(key, keyPosition), value);
    }
}

/** Words joined by dots, reserved or not, in the written case. */
JAVACODE
String DottedWords() {
    final StringBuilder words = new StringBuilder(WordToken());
    while (getToken(1).kind == DOT) {
        getNextToken();
        words.append('.').append(WordToken());
    }
    return words.toString();
}

/** A word, reserved or not, in the written case. */
JAVACODE
String WordToken() {
    final String image = getToken(1).image;
    if (image.isEmpty() || !Character.isJavaIdentifierStart(image.charAt(0))) {
        throw generateParseException();
    }
    getNextToken();
    return image;
}
