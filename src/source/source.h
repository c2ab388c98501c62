// SPDX-License-Identifier: Apache-2.0
//
// Source files and positions in them. Every file of a compilation gets a range of one global
// 32-bit offset space, so a Span is eight bytes and knows its file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tirxcc::source {

// Half-open byte range [begin, end) in the global offset space. {0, 0} is "nowhere".
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool is_valid() const { return begin != 0 || end != 0; }
  friend bool operator==(Span, Span) = default;
};

// The smallest span that holds both.
inline Span cover(Span a, Span b) {
  if (!a.is_valid()) return b;
  if (!b.is_valid()) return a;
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

// One file. `text` is UTF-8 with '\n' line ends kept as they are in the file.
struct SourceFile {
  std::string path;  // as the user named it
  std::string text;
  std::uint32_t base = 1;        // global offset of text[0]
  std::uint32_t first_line = 1;  // line number of the first line (kernels cut out of a file)
  std::vector<std::uint32_t> line_starts;  // local offsets
};

// A position for people: 1-based line, 1-based column counted in code points, as editors count.
struct LineColumn {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class SourceManager {
 public:
  // Takes a text; the file's offsets follow those of the files before it. The total of all texts
  // must stay below 4 GiB (the loader refuses larger files before).
  const SourceFile& add(std::string path, std::string text, std::uint32_t first_line = 1);

  // Reads a file: missing, unreadable, a directory, larger than 64 MiB, not UTF-8 or holding NUL
  // bytes ("looks like a binary file") are failures with one clear line. A UTF-8 byte order mark
  // is skipped. An empty file is fine here.
  Result<const SourceFile*> load(const std::string& path);

  const SourceFile* file_of(Span span) const;
  LineColumn position(Span span) const;  // of span.begin; {0,0} for nowhere
  std::string_view text_of(Span span) const;
  // The line that holds span.begin, without its line end.
  std::string_view line_of(Span span) const;

 private:
  std::vector<std::unique_ptr<SourceFile>> files_;
  std::uint32_t next_base_ = 1;
};

}  // namespace tirxcc::source
