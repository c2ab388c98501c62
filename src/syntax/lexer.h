// SPDX-License-Identifier: Apache-2.0
//
// Text -> tokens, for a whole file at once: logical lines, indentation, f-strings by the lexical
// grammar of Python 3.12 (quotes and line ends may be used inside replacement fields).
//
// The lexer also pairs brackets, because inside them line ends mean nothing: a bracket that is
// never closed would swallow the rest of the file. It reports such a bracket itself, puts one Error
// token behind it, and goes on with the first following line that is indented no further than the
// statement with the bracket. The parser says nothing about Error tokens.
#pragma once

#include <vector>

#include "source/diagnostics.h"
#include "source/source.h"
#include "syntax/token.h"

namespace tirxcc::syntax {

enum class LexMode : std::uint8_t {
  File,
  // The first line may be indented; its indentation counts as none.
  Indented,
  // One expression: line ends mean nothing.
  Expression,
};

// The last token is EndOfFile; open blocks are closed before it by Dedents.
std::vector<Token> lex(const source::SourceFile& file, source::Diagnostics& diags,
                       LexMode mode = LexMode::File);

}  // namespace tirxcc::syntax
