// SPDX-License-Identifier: Apache-2.0
//
// String literals: neighbours are joined, escapes decoded, and f-strings become a JoinedStr of text
// and fields. `"a" f"b{x!r:>{n}}"` is
//
//   JoinedStr
//     Constant 'ab'
//     FormattedValue x, conversion r, format_spec JoinedStr('>', FormattedValue n)
#include "syntax/parser_impl.h"

namespace tirxcc::syntax {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kMixedBytes{"mixed-bytes", Severity::Error, ErrorClass::Syntax,
                                 "bytes and text literals cannot be joined"};
constexpr Diagnostic kEmptyField{"f-string-empty", Severity::Error, ErrorClass::Syntax,
                                 "f-string: expected an expression before {}"};
constexpr Diagnostic kBadConversion{"f-string-conversion", Severity::Error, ErrorClass::Syntax,
                                    "f-string: a conversion is 's', 'r' or 'a', not {}"};
constexpr Diagnostic kFieldEnd{"f-string-end", Severity::Error, ErrorClass::Syntax,
                               "f-string: expected {}, not {}"};

}  // namespace

// The pieces of one literal while they are read. Text is gathered until a field or the end.
struct Parser::StringParts {
  std::string text = {};
  Span text_span = {};
  bool has_named_escape = false;
  bool is_fstring = false;
  bool is_bytes = false;
  bool is_unicode = false;
  // collect() mark of the values of the JoinedStr.
  std::size_t from = 0;
};

void Parser::append_piece(StringParts& parts, StringPrefix prefix, Span body, bool is_fstring) {
  StringDecoder decoder(diags_, prefix, is_fstring);
  if (!decoder.append(parts.text, text_of(body), body.begin)) panic();
  parts.has_named_escape |= decoder.has_named_escape();
}

Expr* Parser::make_text(const StringParts& parts, Span span) {
  Constant* node = make<Constant>(span);
  node->constant_kind = parts.is_bytes ? ConstantKind::Bytes : ConstantKind::String;
  node->has_u_prefix = parts.is_unicode;
  node->has_named_escape = parts.has_named_escape;
  node->text = arena_.copy_string(parts.text);
  node->height = 1;
  return node;
}

// The text so far becomes a Constant of the JoinedStr.
void Parser::flush_text(StringParts& parts) {
  if (!parts.text.empty()) collect(make_text(parts, parts.text_span));
  parts.text.clear();
  parts.text_span = {};
  parts.has_named_escape = false;
}

// strings: (STRING | fstring)+
Expr* Parser::parse_strings() {
  const std::uint32_t start = begin();
  StringParts parts{.from = mark()};
  const StringPrefix first = read_string_prefix(token_text());
  parts.is_bytes = first.is_bytes;
  parts.is_unicode = first.is_unicode;
  while (at(TokenKind::String) || at(TokenKind::FStringStart)) {
    const bool is_bytes = at(TokenKind::String) && read_string_prefix(token_text()).is_bytes;
    if (is_bytes != parts.is_bytes) {
      fail(here(), kMixedBytes).label(tokens_[index_ - 1].span, "joined with this");
    } else if (at(TokenKind::String)) {
      parse_plain_string(parts);
    } else {
      parse_fstring(parts);
    }
  }
  if (!parts.is_fstring) return make_text(parts, since(start));
  flush_text(parts);
  JoinedStr* joined = make_since<JoinedStr>(start);
  joined->values = take<Expr>(parts.from);
  return with_height(joined, {height(joined->values)});
}

void Parser::parse_plain_string(StringParts& parts) {
  const StringPrefix prefix = read_string_prefix(token_text());
  const Span body{here().begin + prefix.length + prefix.quotes, here().end - prefix.quotes};
  if (body.begin < body.end) parts.text_span = source::cover(parts.text_span, here());
  append_piece(parts, prefix, body, false);
  advance();
}

// fstring: FSTRING_START fstring_middle* FSTRING_END
void Parser::parse_fstring(StringParts& parts) {
  const Nesting nesting(*this);
  const StringPrefix prefix = read_string_prefix(token_text());
  parts.is_fstring = true;
  advance();
  parse_fstring_pieces(parts, prefix, TokenKind::FStringEnd);
  if (!accept(TokenKind::FStringEnd)) fail_unexpected();
}

// fstring_middle: FSTRING_MIDDLE | replacement_field
void Parser::parse_fstring_pieces(StringParts& parts, StringPrefix prefix, TokenKind end) {
  while (!at(end)) {
    if (at(TokenKind::FStringMiddle)) {
      parts.text_span = source::cover(parts.text_span, here());
      append_piece(parts, prefix, here(), true);
      advance();
    } else if (at(TokenKind::LeftBrace)) {
      parse_replacement_field(parts, prefix);
    } else {
      return;
    }
  }
}

// conversion: '!' NAME
char Parser::parse_conversion() {
  if (!accept(TokenKind::Exclamation)) return 0;
  const std::string_view name = token_text();
  if (!at(TokenKind::Name) || (name != "s" && name != "r" && name != "a")) {
    fail(seen(), kBadConversion, describe_token());
    return 0;
  }
  advance();
  return name[0];
}

// replacement_field: '{' (yield | star_expressions) ['='] [conversion] [format_spec] '}'
void Parser::parse_replacement_field(StringParts& parts, StringPrefix prefix) {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  advance();
  if (at(TokenKind::RightBrace) || at(TokenKind::Exclamation) || at(TokenKind::Colon) ||
      at(TokenKind::Equal)) {
    fail(here(), kEmptyField, describe_token());
  }
  FormattedValue* field = make<FormattedValue>(here());
  field->value = parse_yield_or_star_expressions();
  // `{x = }` shows its own text.
  const bool is_debug = accept(TokenKind::Equal);
  if (is_debug) {
    const Span shown{start + 1, here().begin};
    parts.text_span = source::cover(parts.text_span, shown);
    parts.text += text_of(shown);
  }
  field->conversion = parse_conversion();
  if (at(TokenKind::Colon)) field->format_spec = parse_format_spec(prefix);
  if (is_debug && field->conversion == 0 && field->format_spec == nullptr) field->conversion = 'r';
  if (!at(TokenKind::RightBrace)) {
    const std::string_view wanted = field->conversion != 0 || is_debug
                                        ? "':' or '}'"
                                        : "'=', '!', ':' or '}' after the expression";
    fail(seen(), kFieldEnd, wanted, describe_token());
  }
  advance();
  field->span = since(start);
  flush_text(parts);
  collect(with_height(field, {height(field->value), height(field->format_spec)}));
}

// format_spec: ':' (FSTRING_MIDDLE | replacement_field)*
const Expr* Parser::parse_format_spec(StringPrefix prefix) {
  const std::uint32_t start = begin();
  advance();
  StringParts parts{.is_fstring = true, .from = mark()};
  parse_fstring_pieces(parts, prefix, TokenKind::RightBrace);
  flush_text(parts);
  JoinedStr* spec = make_since<JoinedStr>(start);
  spec->values = take<Expr>(parts.from);
  return with_height(spec, {height(spec->values)});
}

}  // namespace tirxcc::syntax
