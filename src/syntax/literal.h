// SPDX-License-Identifier: Apache-2.0
//
// Values of number and string literals. The lexer has already decided where a literal ends and that
// a number is well-formed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "source/diagnostics.h"
#include "syntax/ast.h"

namespace tirxcc::syntax {

struct NumberValue {
  ConstantKind kind = ConstantKind::Int;
  bool is_hex = false;
  bool is_too_wide = false;
  std::uint64_t int_value = 0;
  double float_value = 0;
};
NumberValue decode_number(std::string_view text);

// What the prefix of a string says.
struct StringPrefix {
  bool is_raw = false;
  bool is_bytes = false;
  bool is_unicode = false;
  std::uint32_t length = 0;
  // 1 or 3.
  std::uint32_t quotes = 1;
};
// `text` begins with the prefix; an f-string's opening is enough.
StringPrefix read_string_prefix(std::string_view text);

// Appends the value of the text between quotes, or of a piece of an f-string, to a string.
class StringDecoder {
 public:
  StringDecoder(source::Diagnostics& diags, StringPrefix prefix, bool is_fstring)
      : diags_(diags), prefix_(prefix), is_fstring_(is_fstring) {}

  // `begin` is the global offset of the body. False after a mistake, which has been reported.
  bool append(std::string& out, std::string_view body, std::uint32_t begin);
  bool has_named_escape() const { return has_named_escape_; }

 private:
  bool append_escape(std::string& out);
  bool append_hex_escape(std::string& out, std::size_t digits);
  void append_octal_escape(std::string& out);
  void append_line_end(std::string& out);
  void append_value(std::string& out, char32_t value) const;

  source::Diagnostics& diags_;
  StringPrefix prefix_;
  bool is_fstring_;
  bool has_named_escape_ = false;
  std::string_view body_;
  std::uint32_t begin_ = 0;
  std::size_t pos_ = 0;
};

}  // namespace tirxcc::syntax
