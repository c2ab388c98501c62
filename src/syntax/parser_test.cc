// SPDX-License-Identifier: Apache-2.0
//
// What the comparison with CPython (tests/syntax) does not see: fields of our own, the flat `if`,
// entry points, deep input. Trees and positions in general are that comparison's work.
#include "syntax/parser.h"

#include <gtest/gtest.h>

#include "syntax/printer.h"

namespace tirxcc::syntax {
namespace {

class ParserTest : public ::testing::Test {
 protected:
  const Module& parse(std::string text) {
    file_ = &sources_.add("k.py", std::move(text));
    const Module* module = parse_module(*file_, arena_, diags_);
    EXPECT_EQ(diags_.render(), "");
    return *module;
  }
  // The first statement, which must be a T.
  template <typename T>
  const T& stmt(std::string text) {
    const T* node = as<T>(parse(std::move(text)).body.front());
    EXPECT_NE(node, nullptr);
    return *node;
  }
  // The expression on the first line, which must be a T.
  template <typename T>
  const T& expr(std::string text) {
    const T* node = as<T>(stmt<ExprStmt>(std::move(text)).value);
    EXPECT_NE(node, nullptr);
    return *node;
  }
  std::string_view text(Span span) const { return sources_.text_of(span); }
  std::string_view text(const Node* node) const { return text(node->span); }

  source::SourceManager sources_;
  source::Diagnostics diags_{sources_};
  Arena arena_;
  const source::SourceFile* file_ = nullptr;
};

TEST_F(ParserTest, KeepsPlacesOfOperators) {
  const BinOp& sum = expr<BinOp>("(a * b) + c\n");
  EXPECT_EQ(text(sum.op_span), "+");
  EXPECT_EQ(text(as<BinOp>(sum.left)->op_span), "*");
  EXPECT_EQ(text(sum.left), "a * b");
  EXPECT_EQ(text(&sum), "(a * b) + c");
  EXPECT_EQ(text(expr<BinOp>("a ** b\n").op_span), "**");
  EXPECT_EQ(text(expr<UnaryOp>("not a\n").op_span), "not");

  const BoolOp& any = expr<BoolOp>("a or b or c\n");
  ASSERT_EQ(any.op_spans.size(), 2u);
  EXPECT_EQ(any.op_spans[1].begin, file_->base + 7);

  const Compare& chain = expr<Compare>("a < b is not c not  in d\n");
  ASSERT_EQ(chain.op_spans.size(), 3u);
  EXPECT_EQ(text(chain.op_spans[0]), "<");
  EXPECT_EQ(text(chain.op_spans[1]), "is not");
  EXPECT_EQ(text(chain.op_spans[2]), "not  in");
  EXPECT_EQ(spelling(chain.ops[2]), "not in");

  EXPECT_EQ(text(stmt<AugAssign>("a //= b\n").op_span), "//=");
  EXPECT_EQ(text(stmt<Assign>("a = b = c\n").op_span), "=");
}

TEST_F(ParserTest, KeepsPlacesOfNames) {
  EXPECT_EQ(text(expr<Attribute>("a . b\n").attr_span), "b");
  const Call& call = expr<Call>("f(x, key=1, **rest)\n");
  EXPECT_EQ(text(call.keywords[0]->name_span), "key");
  EXPECT_EQ(text(call.keywords[0]->span), "key=1");
  EXPECT_EQ(call.keywords[1]->name, "");
  EXPECT_EQ(text(call.keywords[1]->name_span), "**");

  const FunctionDef& function = stmt<FunctionDef>("@d\ndef name(p: int = 3, *a) -> x:\n  pass\n");
  EXPECT_EQ(text(function.name_span), "name");
  EXPECT_EQ(text(function.params_span), "(p: int = 3, *a)");
  EXPECT_EQ(text(function.params[0]->span), "p: int");
  EXPECT_EQ(text(function.params[0]->name_span), "p");
  EXPECT_EQ(function.params[1]->kind, ParamKind::VarPositional);
  EXPECT_EQ(text(function.span).substr(0, 8), "def name");
  EXPECT_EQ(text(stmt<ClassDef>("class C(B): pass\n").name_span), "C");
}

TEST_F(ParserTest, KeepsPlacesOfKeywords) {
  const For& loop = stmt<For>("for i in x:\n  break\nelse:\n  pass\n");
  EXPECT_EQ(text(loop.keyword_span), "for");
  EXPECT_EQ(text(loop.else_span), "else");
  EXPECT_EQ(text(loop.body[0]), "break");
  EXPECT_EQ(text(stmt<While>("while x: pass\n").keyword_span), "while");
  EXPECT_EQ(text(stmt<Return>("return 1\n").keyword_span), "return");
  EXPECT_EQ(text(stmt<Try>("try: pass\nfinally: pass\n").keyword_span), "try");
  EXPECT_FALSE(stmt<While>("while x: pass\n").else_span.is_valid());
}

TEST_F(ParserTest, KeepsElifsFlat) {
  const If& node = stmt<If>("if a:\n  x\nelif b:\n  y\nelif c:\n  z\nelse:\n  w\n");
  ASSERT_EQ(node.clauses.size(), 3u);
  EXPECT_EQ(text(node.clauses[1].keyword_span), "elif");
  EXPECT_EQ(text(node.clauses[1].condition), "b");
  EXPECT_EQ(text(node.clauses[1].span), "elif b:\n  y");
  EXPECT_EQ(text(node.else_span), "else");
  EXPECT_EQ(node.orelse.size(), 1u);
}

TEST_F(ParserTest, KeepsHowNumbersWereWritten) {
  const Constant& mask = expr<Constant>("0xFFFF_0000\n");
  EXPECT_TRUE(mask.is_hex);
  EXPECT_EQ(mask.int_value, 0xFFFF0000u);
  EXPECT_EQ(mask.text, "0xFFFF_0000");
  EXPECT_FALSE(expr<Constant>("65535\n").is_hex);
  EXPECT_TRUE(expr<Constant>("99999999999999999999\n").is_too_wide);
  EXPECT_EQ(expr<Constant>("2.50\n").text, "2.50");
  EXPECT_EQ(expr<Constant>("2.50\n").float_value, 2.5);
}

TEST_F(ParserTest, InternsNamesInNormalForm) {
  const BinOp& sum = expr<BinOp>("\ufb01x + fix\n");
  const Name* left = as<Name>(sum.left);
  const Name* right = as<Name>(sum.right);
  EXPECT_EQ(left->id, "fix");
  EXPECT_EQ(left->id.data(), right->id.data());
}

TEST_F(ParserTest, KeepsTheTreeWhenTheTextIsGone) {
  const Module* module = nullptr;
  {
    source::SourceManager sources;
    source::Diagnostics diags(sources);
    module = parse_module(sources.add("k.py", "name = 'text'\n"), arena_, diags);
  }
  const Assign* node = as<Assign>(module->body[0]);
  EXPECT_EQ(as<Name>(node->targets[0])->id, "name");
  EXPECT_EQ(as<Constant>(node->value)->text, "text");
}

TEST_F(ParserTest, MarksWhatIsDoneToAPlace) {
  const Assign& node = stmt<Assign>("a, *b[0], (c.d, [e]) = x\n");
  const Tuple* targets = as<Tuple>(node.targets[0]);
  EXPECT_EQ(targets->ctx, ExprContext::Store);
  EXPECT_FALSE(targets->is_parenthesized);
  const Subscript* element = as<Subscript>(as<Starred>(targets->elements[1])->value);
  EXPECT_EQ(element->ctx, ExprContext::Store);
  EXPECT_EQ(as<Name>(element->value)->ctx, ExprContext::Load);
  EXPECT_TRUE(as<Tuple>(targets->elements[2])->is_parenthesized);
  EXPECT_EQ(as<Name>(stmt<Delete>("del x\n").targets[0])->ctx, ExprContext::Del);
}

TEST_F(ParserTest, TellsSimpleAnnotationsFromOthers) {
  EXPECT_TRUE(stmt<AnnAssign>("x: int\n").is_simple);
  EXPECT_FALSE(stmt<AnnAssign>("(x): int\n").is_simple);
  EXPECT_FALSE(stmt<AnnAssign>("x.y: int = 3\n").is_simple);
}

TEST_F(ParserTest, TakesSoftKeywordsForNames) {
  EXPECT_EQ(
      parse("match = case = type = _ = 1\nmatch(x)\nmatch[0]\ntype(x)\nmatch * x\n").body.size(),
      5u);
  EXPECT_TRUE(is<Match>(parse("match x, *y:\n  case [1, *_]: pass\n").body[0]));
  EXPECT_TRUE(is<TypeAlias>(parse("type X[T: int = str, *Ts, **P] = list[T]\n").body[0]));
}

TEST_F(ParserTest, TellsItemsOfWithFromATuple) {
  EXPECT_EQ(stmt<With>("with (a as b, c as d,): pass\n").items.size(), 2u);
  EXPECT_EQ(stmt<With>("with (a, b): pass\n").items.size(), 2u);
  EXPECT_EQ(stmt<With>("with (a, b) as c: pass\n").items.size(), 1u);
  EXPECT_EQ(stmt<With>("with (a), b: pass\n").items.size(), 2u);
  EXPECT_EQ(stmt<With>("with (x for x in y): pass\n").items.size(), 1u);
}

TEST_F(ParserTest, ReadsPartsOfFStrings) {
  const JoinedStr& joined = expr<JoinedStr>("'a' f'b{x!r:>{n}}{y = }' 'c'\n");
  ASSERT_EQ(joined.values.size(), 5u);
  EXPECT_EQ(as<Constant>(joined.values[0])->text, "ab");
  const FormattedValue* field = as<FormattedValue>(joined.values[1]);
  EXPECT_EQ(field->conversion, 'r');
  EXPECT_EQ(as<JoinedStr>(field->format_spec)->values.size(), 2u);
  EXPECT_EQ(as<Constant>(joined.values[2])->text, "y = ");
  EXPECT_EQ(as<FormattedValue>(joined.values[3])->conversion, 'r');
  EXPECT_EQ(as<Constant>(joined.values[4])->text, "c");
}

TEST_F(ParserTest, ReadsAnIndentedFunction) {
  const source::SourceFile& file =
      sources_.add("k.py", "    @T.function\n    def f():\n        pass\n", 40);
  const Module* module = parse_indented(file, arena_, diags_);
  EXPECT_EQ(diags_.render(), "");
  ASSERT_TRUE(is<FunctionDef>(module->body[0]));
  EXPECT_EQ(sources_.position(module->body[0]->span).line, 41u);
}

TEST_F(ParserTest, ReadsASingleExpression) {
  const Expr* sum = parse_expression(sources_.add("e", "\n a +\n b\n"), arena_, diags_);
  EXPECT_TRUE(is<BinOp>(sum));
  EXPECT_EQ(parse_expression(sources_.add("e", "a b"), arena_, diags_), nullptr);
  EXPECT_EQ(parse_expression(sources_.add("e", " \n"), arena_, diags_), nullptr);
  EXPECT_EQ(diags_.render(),
            "e:1:3: error: invalid syntax: unexpected name 'b' [invalid-syntax]\n"
            "    1 | a b\n"
            "      |   ^\n"
            "e:2:1: error: expected an expression, not an empty text [empty-expression]\n"
            "    2 |\n"
            "      | ^\n");
}

TEST_F(ParserTest, PrintsTheTree) {
  const Module& module = parse("x = -1 if a else 'b'\n");
  EXPECT_EQ(dump(module, *file_),
            "Module\n"
            "  body[0]: Assign 1:0-1:20\n"
            "    targets[0]: Name 1:0-1:1\n"
            "      id: \"x\"\n"
            "      ctx: Store\n"
            "    value: IfExp 1:4-1:20\n"
            "      test: Name 1:10-1:11\n"
            "        id: \"a\"\n"
            "        ctx: Load\n"
            "      body: UnaryOp 1:4-1:6\n"
            "        op: USub\n"
            "        operand: Constant 1:5-1:6\n"
            "          value: int 1\n"
            "      orelse: Constant 1:17-1:20\n"
            "        value: str \"b\"\n");
}

std::string repeat(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += piece;
  return text;
}

TEST_F(ParserTest, ReadsDeepInput) {
  std::string blocks;
  for (int i = 0; i < 500; ++i)
    blocks += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  parse(blocks + std::string(500, ' ') + "pass\n");
  parse(repeat("(", 900) + "x" + repeat(")", 900) + "\n");
  parse(repeat("-", 900) + "x\n");
  parse("x" + repeat(" + x", 2000) + "\n");
  parse("x" + repeat(".y", 2000) + "\n");
  parse("x" + repeat(" and x", 100'000) + "\n");
  parse("f(" + repeat("x, ", 100'000) + ")\n");
  EXPECT_EQ(stmt<If>("if x: pass\n" + repeat("elif x: pass\n", 3000)).clauses.size(), 3001u);
}

TEST_F(ParserTest, PrintsDeepInputInLinearSpace) {
  const Module& module = parse("if x: pass\n" + repeat("elif x: pass\n", 3000));
  EXPECT_LT(dump(module, *file_).size(), 3000u * 1000u);
}

// Every one of these must end in a message, not in a stack overflow.
TEST_F(ParserTest, RefusesBottomlessInput) {
  std::string blocks;
  for (int i = 0; i < 4000; ++i)
    blocks += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  const std::vector<std::string> texts{
      repeat("(", 100'000),
      repeat("(", 100'000) + "x" + repeat(")", 100'000),
      repeat("[", 100'000) + repeat("]", 100'000),
      repeat("{1:", 100'000) + "1" + repeat("}", 100'000),
      repeat("f(", 100'000) + repeat(")", 100'000),
      repeat("x[", 100'000) + repeat("]", 100'000),
      repeat("-", 100'000) + "x",
      repeat("not ", 100'000) + "x",
      repeat("lambda: ", 100'000) + "x",
      "x" + repeat(" ** x", 100'000),
      "x" + repeat(" if x else x", 100'000),
      "x" + repeat(" + x", 100'000),
      "x" + repeat(".x", 100'000),
      "x" + repeat("()", 100'000),
      "x" + repeat("[0]", 100'000),
      repeat("await ", 100'000) + "x",
      repeat("f'{", 5'000) + "x" + repeat("}'", 5'000),
      repeat("(yield ", 100'000) + repeat(")", 100'000),
      "match x:\n case " + repeat("[", 100'000) + repeat("]", 100'000) + ": pass",
      "match x:\n case " + repeat("{1:", 100'000) + "1" + repeat("}", 100'000) + ": pass",
      "match x:\n case x" + repeat(".x", 100'000) + ": pass",
      "for " + repeat("(", 100'000) + "x" + repeat(")", 100'000) + " in x: pass",
      blocks,
  };
  for (const std::string& text : texts) {
    diags_.clear();
    Arena arena;
    parse_module(sources_.add("k.py", text), arena, diags_);
    EXPECT_TRUE(diags_.has_errors()) << text.substr(0, 30);
  }
}

}  // namespace
}  // namespace tirxcc::syntax
