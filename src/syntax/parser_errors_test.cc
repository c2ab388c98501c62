// SPDX-License-Identifier: Apache-2.0
//
// What the parser says about mistakes, word for word: one case a rule. Messages of the lexer are in
// lexer_test.cc.
#include <gtest/gtest.h>

#include "syntax/parser.h"

namespace tirxcc::syntax {
namespace {

// All messages about this text, as a user sees them.
std::string complaints(std::string text) {
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  Arena arena;
  parse_module(sources.add("k.py", std::move(text)), arena, diags);
  return diags.render();
}

// "LINE:COLUMN TEXT" of each message.
std::string brief(std::string text) {
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  Arena arena;
  parse_module(sources.add("k.py", std::move(text)), arena, diags);
  std::string out;
  for (const source::Message& message : diags.messages()) {
    const source::LineColumn at = sources.position(message.span);
    out += fmt::format("{}:{} {}\n", at.line, at.column, message.text);
  }
  return out;
}

TEST(ParserErrors, WantsAColonAfterAHeader) {
  EXPECT_EQ(complaints("if x\n    y = 1\n"),
            "k.py:1:5: error: expected ':' [expected-colon]\n"
            "    1 | if x\n"
            "      |     ^\n");
  EXPECT_EQ(complaints("while True print(1)\n"),
            "k.py:1:12: error: invalid syntax: unexpected name 'print' [invalid-syntax]\n"
            "    1 | while True print(1)\n"
            "      |            ^~~~~\n"
            "      = note: expected ':' here\n");
  EXPECT_EQ(brief("def f()\n  pass\nclass C\n  pass\ntry\n  pass\nelse\n  pass\n"),
            "1:8 expected ':'\n3:8 expected ':'\n5:4 expected ':'\n");
}

TEST(ParserErrors, WantsABlockAfterAHeader) {
  EXPECT_EQ(complaints("if x:\ny = 1\n"),
            "k.py:1:5: error: expected an indented block after 'if' [expected-block]\n"
            "    1 | if x:\n"
            "      |     ^\n");
  EXPECT_EQ(brief("def f():"), "1:8 expected an indented block after a function's header\n");
  EXPECT_EQ(brief("if x:\n  pass\nelif y:\nelse:\nfor i in x:\n"),
            "3:7 expected an indented block after 'elif'\n"
            "4:5 expected an indented block after 'else'\n"
            "5:11 expected an indented block after 'for'\n");
}

TEST(ParserErrors, WantsNoBlockElsewhere) {
  EXPECT_EQ(complaints("x = 1\n    y = 2\nz = 3\n"),
            "k.py:2:1: error: unexpected indent [unexpected-indent]\n"
            "    2 |     y = 2\n"
            "      | ^~~~\n");
}

TEST(ParserErrors, TellsAssignmentFromComparison) {
  EXPECT_EQ(complaints("if x = 3:\n    pass\n"),
            "k.py:1:6: error: '=' cannot stand here; write '==' to compare "
            "[assignment-in-expression]\n"
            "    1 | if x = 3:\n"
            "      |      ^\n");
  EXPECT_EQ(brief("x = = 1\n"), "1:5 invalid syntax: unexpected '='\n");
}

TEST(ParserErrors, NamesWhatCannotBeAssigned) {
  EXPECT_EQ(complaints("f(x) = 3\n"),
            "k.py:1:1: error: cannot assign to function call here; maybe you meant '==' instead of "
            "'=' [cannot-assign-here]\n"
            "    1 | f(x) = 3\n"
            "      | ^~~~\n");
  EXPECT_EQ(brief("(a, 1) = x\nNone = 1\n[a, b + c] = x\n-x = 1\n"),
            "1:5 cannot assign to literal here; maybe you meant '==' instead of '='\n"
            "2:1 cannot assign to None here; maybe you meant '==' instead of '='\n"
            "3:5 cannot assign to expression here; maybe you meant '==' instead of '='\n"
            "4:1 cannot assign to expression here; maybe you meant '==' instead of '='\n");
  EXPECT_EQ(brief("for f() in x: pass\nwith x as 3: pass\ndel f()\n[x for 1 in y]\n"),
            "1:5 cannot assign to function call\n2:11 cannot assign to literal\n"
            "3:5 cannot delete function call\n4:8 cannot assign to literal\n");
  EXPECT_EQ(brief("x + 1 += 2\n(a, b): int\n(a.b := 1)\n"),
            "1:1 expression cannot be the target of '+='\n"
            "2:1 only a single name, attribute or element can be annotated, not tuple\n"
            "3:2 ':=' can only assign to a name\n");
}

TEST(ParserErrors, SeesAMissingComma) {
  EXPECT_EQ(complaints("f(a b)\n"),
            "k.py:1:5: error: invalid syntax: unexpected name 'b'; perhaps you forgot a comma "
            "[forgotten-comma]\n"
            "    1 | f(a b)\n"
            "      |     ^\n");
  EXPECT_EQ(brief("a b\n"), "1:3 invalid syntax: unexpected name 'b'\n");
}

TEST(ParserErrors, KnowsTheOrderOfArguments) {
  EXPECT_EQ(
      complaints("f(a=1, b)\n"),
      "k.py:1:8: error: positional argument follows a keyword argument [positional-after-keyword]\n"
      "    1 | f(a=1, b)\n"
      "      |        ^\n"
      "      |   --- keyword argument\n");
  EXPECT_EQ(
      brief("f(**k, a)\nf(**k, *a)\nf(a.b=1)\nf(a=)\nf(x for x in y, 1)\nf(1, x for x in y)\n"),
      "1:8 positional argument follows a '**' argument\n"
      "2:8 '*' argument follows a '**' argument\n"
      "3:3 the left side of '=' in a call is a parameter's name, not attribute; perhaps you "
      "meant '=='\n"
      "4:3 expected a value after 'a='\n"
      "5:3 a generator expression needs parentheses unless it is the only argument\n"
      "6:6 a generator expression needs parentheses unless it is the only argument\n");
}

TEST(ParserErrors, KnowsTheOrderOfParameters) {
  EXPECT_EQ(complaints("def f(a=1, b): pass\n"),
            "k.py:1:12: error: parameter 'b' without a default follows one with a default "
            "[missing-default]\n"
            "    1 | def f(a=1, b): pass\n"
            "      |            ^\n");
  EXPECT_EQ(
      brief("def f(*): pass\ndef f(*, **k): pass\ndef f(**k, a): pass\ndef f(*a, *b): pass\n"),
      "1:8 named parameters must follow a bare '*'\n"
      "2:10 named parameters must follow a bare '*'\n"
      "3:12 a parameter cannot follow '**k'\n"
      "4:11 '*' stands twice in this parameter list\n");
  EXPECT_EQ(brief("def f(/): pass\ndef f(*a=1): pass\ndef f((a)): pass\ndef f(a=): pass\n"
                  "def f(1): pass\ndef f[](): pass\n"),
            "1:7 '/' must follow a positional parameter and stand once, before '*'\n"
            "2:9 a '*' parameter cannot have a default\n"
            "3:7 a parameter cannot be in parentheses\n"
            "4:8 expected a default value after '='\n"
            "5:7 expected a name, not number '1'\n"
            "6:7 a type parameter list cannot be empty\n");
}

TEST(ParserErrors, KnowsHabitsOfOtherLanguages) {
  EXPECT_EQ(complaints("x = a && b\n"),
            "k.py:1:7: error: '&&' is not an operator; write 'and' [foreign-operator]\n"
            "    1 | x = a && b\n"
            "      |       ^~\n");
  EXPECT_EQ(brief("x = a || b\nx = !a\nx = a <> b\nx++\nx--\n"),
            "1:7 '||' is not an operator; write 'or'\n2:5 '!' is not an operator; write 'not'\n"
            "3:7 '<>' is not an operator; write '!='\n4:2 '++' is not an operator; write '+= 1'\n"
            "5:2 '--' is not an operator; write '-= 1'\n");
  EXPECT_EQ(brief("if a:\n  pass\nelse if b:\n  pass\nprint 'x'\nx = a ? b : c\n"),
            "6:7 invalid character '?' (U+003F)\n3:1 'else if' is written 'elif' in Python\n"
            "5:1 missing parentheses in the call of 'print'; write 'print(...)'\n");
}

TEST(ParserErrors, WantsCompleteExpressions) {
  EXPECT_EQ(brief("x = 1 if y\nx = (*a)\nx = [a, b for a in c]\nx = {a: }\nx = {a: 1, b}\nx = a[]\n"
                  "x = [*a for a in b]\nx = a not b\nx = 1 +\n"),
            "1:7 expected 'else' after the condition of this 'if' expression\n"
            "2:6 a starred expression cannot stand here; write '(*x,)' for a tuple\n"
            "3:6 the tuple before 'for' needs parentheses in a comprehension\n"
            "4:7 expected an expression after the ':' of this dict entry\n"
            "5:13 invalid syntax: unexpected '}'\n"
            "6:7 expected an index between '[' and ']'\n"
            "7:6 '*' cannot stand in a comprehension\n"
            "8:7 invalid syntax: unexpected keyword 'not'\n"
            "9:8 invalid syntax: unexpected end of line\n");
}

TEST(ParserErrors, WantsCompleteStatements) {
  EXPECT_EQ(brief("import\nfrom x import a,\nfrom x import\ndel\nclass = 4\nasync x\nreturn = 3\n"
                  "global 1\n@d\nx = 1\n"),
            "1:7 expected one or more names after 'import'\n"
            "2:16 a trailing comma needs parentheses around the names\n"
            "3:14 expected one or more names after 'import'\n"
            "4:1 expected what to delete after 'del'\n"
            "5:7 expected a name, not '='\n"
            "6:7 expected 'def', 'for' or 'with' after 'async', not name 'x'\n"
            "7:8 invalid syntax: unexpected '='\n"
            "8:8 expected a name, not number '1'\n"
            "10:1 expected a function or class after a decorator, not name 'x'\n");
  EXPECT_EQ(brief("for x of y: pass\n"), "1:7 expected 'in', not name 'of'\n");
}

TEST(ParserErrors, KnowsClausesOfTry) {
  EXPECT_EQ(brief("try:\n  pass\nx = 1\nelse:\n  pass\n"),
            "1:1 expected an 'except' or 'finally' block after 'try'\n"
            "4:1 'else' does not continue any statement at this indentation\n");
  EXPECT_EQ(brief("try:\n  pass\nexcept a, b:\n  pass\n"),
            "3:8 several exception types need parentheses\n");
  EXPECT_EQ(brief("try:\n  pass\nexcept a:\n  pass\nexcept* b:\n  pass\n"),
            "5:1 'except' and 'except*' cannot stand on the same 'try'\n");
  EXPECT_EQ(brief("try:\n  pass\nexcept*:\n  pass\n"),
            "3:7 expected one or more exception types after 'except*'\n");
}

TEST(ParserErrors, KnowsPatterns) {
  EXPECT_EQ(
      brief("match x:\n  case a(b=1, c):\n    pass\n  y = 3\n  case _ as _:\n    pass\n"
            "  case {**r, 'k': 1}:\n    pass\n  case 1 + 2:\n    pass\n  case a + 1:\n    pass\n"),
      "2:15 positional patterns must stand before keyword patterns\n"
      "4:3 expected 'case' in a match statement, not name 'y'\n"
      "5:13 '_' cannot be the name after 'as'\n"
      "7:14 nothing can follow '**r' in a mapping pattern\n"
      "9:12 a complex number in a pattern is a real number and an imaginary one\n"
      "11:10 invalid syntax: unexpected '+'\n");
}

TEST(ParserErrors, KnowsFieldsOfFStrings) {
  EXPECT_EQ(brief("f'{}'\nf'{a!x}'\nf'{a b}'\nf'{a!r b}'\nf'{=}'\n"),
            "1:4 f-string: expected an expression before '}'\n"
            "2:6 f-string: a conversion is 's', 'r' or 'a', not name 'x'\n"
            "3:6 f-string: expected '=', '!', ':' or '}' after the expression, not name 'b'\n"
            "4:8 f-string: expected ':' or '}', not name 'b'\n"
            "5:4 f-string: expected an expression before '='\n");
  EXPECT_EQ(complaints("x = 'a' b'c'\n"),
            "k.py:1:9: error: bytes and text literals cannot be joined [mixed-bytes]\n"
            "    1 | x = 'a' b'c'\n"
            "      |         ^~~~\n"
            "      |     --- joined with this\n");
  EXPECT_EQ(brief("f'\\x1{a}'\n"), "1:3 '\\x' needs 2 hexadecimal digits\n");
}

TEST(ParserErrors, LimitsNesting) {
  const std::string opening(1001, '(');
  const std::string closing(1001, ')');
  EXPECT_EQ(brief("x = " + opening + "y" + closing + "\n"),
            "1:1005 expressions are nested more than 1000 deep\n");
  std::string sum = "x = a";
  for (int i = 0; i < 3000; ++i)
    sum += " + a";
  EXPECT_EQ(brief(sum + "\n"),
            "1:5 this expression has more than 3000 operations one upon the other; split it into "
            "statements\n");
}

TEST(ParserErrors, FindsSeveralMistakes) {
  EXPECT_EQ(brief("def f(a:\n    x = 1\n\ndef g():\n    y = (1\n    return 2 +\n\nz = 3 3\nif z\n"
                  "    w = = 1\n"),
            "1:6 '(' was never closed\n5:9 '(' was never closed\n"
            "6:15 invalid syntax: unexpected end of line\n"
            "8:7 invalid syntax: unexpected number '3'\n9:5 expected ':'\n"
            "10:9 invalid syntax: unexpected '='\n");
}

TEST(ParserErrors, KeepsWhatItUnderstood) {
  source::SourceManager sources;
  source::Diagnostics diags(sources);
  Arena arena;
  const Module* module = parse_module(sources.add("k.py", "a = 1\nb = = 2\nc = 3\n"), arena, diags);
  EXPECT_EQ(diags.error_count(), 1);
  EXPECT_EQ(module->body.size(), 2u);
}

TEST(ParserErrors, StopsAtTheLimit) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "x = = 1\n";
  EXPECT_TRUE(complaints(text).ends_with("stopped after 20 errors\n"));
}

}  // namespace
}  // namespace tirxcc::syntax
