<#--
  Type names: the text form of DataType and the usual SQL spellings, by one rule. What a name means
  is decided in TypeNameSpec, not here.
-->

/** The cast x::type. */
void InfixCast(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlDataTypeSpec type;
}
{
    <INFIX_CAST> {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, getPos()));
    }
    type = DataType() {
        list.add(type);
    }
}

TypeNameSpec MillraceTypeName() :
{
    final String word;
    final TypeNameSpec.Builder type;
    final Span s = Span.of();
}
{
    word = TypeWord() {
        s.add(this);
        type = TypeNameSpec.builder(word);
    }
    [
        <PRECISION> { type.suffix("PRECISION"); }
    |
        <VARYING> { type.suffix("VARYING"); }
    |
        <UNSIGNED> { type.suffix("UNSIGNED"); }
    ]
    [
        LOOKAHEAD(1, { afterStruct() })
        (
            <LPAREN> TypeMember(type) ( <COMMA> TypeMember(type) )* <RPAREN>
        |
            <LT> TypeMember(type) ( <COMMA> TypeMember(type) )* <GT>
        )
    |
        LOOKAHEAD(1, { afterNestedType() })
        (
            <LPAREN> TypeArgument(type) ( <COMMA> TypeArgument(type) )* <RPAREN>
        |
            <LT> TypeArgument(type) ( <COMMA> TypeArgument(type) )* <GT>
        )
    |
        LOOKAHEAD(2)
        <LPAREN> TypeArgument(type) ( <COMMA> TypeArgument(type) )* <RPAREN>
    ]
    [
        LOOKAHEAD(2)
        <WITHOUT> <TIME> <ZONE>
    |
        LOOKAHEAD(3)
        <WITH> [ <LOCAL> ] <TIME> <ZONE> { type.suffix("WITH TIME ZONE"); }
    ]
    (
        LOOKAHEAD(2)
        <LBRACKET>
        (
            <RBRACKET> { type.array(); }
        |
            <UNSIGNED_INTEGER_LITERAL> { type.fixedArray(token.image, getPos()); }
            <RBRACKET>
        )
    )*
    {
        return type.build(s.end(this));
    }
}

/** A number, a quoted word or a type. */
void TypeArgument(TypeNameSpec.Builder type) :
{
    final String text;
    final SqlDataTypeSpec argument;
}
{
    <UNSIGNED_INTEGER_LITERAL> { type.number(token.image, getPos()); }
|
    text = SimpleStringLiteral() { type.text(text); }
|
    argument = DataType() { type.type(argument); }
}

/** The name and type of a struct's member. */
void TypeMember(TypeNameSpec.Builder type) :
{
    final SqlIdentifier name;
    final SqlDataTypeSpec member;
    final boolean nullable;
}
{
    name = SimpleIdentifier()
    [ <COLON> ]
    member = DataType()
    nullable = NullableOptDefaultTrue() {
        type.member(name.getSimple(), member, nullable);
    }
}

/** The first word of a type. */
String TypeWord() :
{
    String word;
}
{
    (
        <BIGINT> | <BINARY> | <BOOLEAN> | <CHAR> | <CHARACTER> | <DATE> | <DEC> | <DECIMAL>
    |   <DOUBLE> | <FLOAT> | <INT> | <INTEGER> | <INTERVAL> | <NUMERIC> | <REAL> | <ROW>
    |   <SMALLINT> | <TIME> | <TIMESTAMP> | <TINYINT> | <UUID> | <VARBINARY> | <VARCHAR>
    ) {
        return token.image;
    }
|
    word = Identifier() { return word; }
}
