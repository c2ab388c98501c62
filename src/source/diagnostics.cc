// SPDX-License-Identifier: Apache-2.0
//
// Collecting messages, and rendering them: the header line, then every source line that the message
// points at, in order, each with one row of underlining per mark. The main place is underlined
// `^~~~`, labels `----` with their words behind.
//
//   k.py:4:13: error: cannot add 'int32' and 'handle' [bad-operands]
//       2 |     p = T.handle()
//         |     - 'p' is made here
//     ...
//       4 |     x = a + p
//         |             ^
//         = note: read the handle first
//
// Tabs are shown as spaces, unprintable characters as U+FFFD, and lines that are too long are cut
// to a window around the mark, so a caret stands where the reader sees the character.
#include "source/diagnostics.h"

#include <utf8proc.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include "base/utf8.h"

namespace tirxcc::source {
namespace {

constexpr int kTabWidth = 4;
constexpr int kMaxLineWidth = 120;
// Columns shown before the mark when the line is cut.
constexpr int kContext = 40;
constexpr std::string_view kCut = "...";

struct Colors {
  std::string_view bold;
  std::string_view mark;
  std::string_view label;
  std::string_view off;
};

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  __builtin_unreachable();
}

Colors colors_for(Severity severity, bool color) {
  if (!color) return {};
  std::string_view mark = "\033[1;36m";
  if (severity == Severity::Error) mark = "\033[1;31m";
  if (severity == Severity::Warning) mark = "\033[1;35m";
  return {.bold = "\033[1m", .mark = mark, .label = "\033[1;34m", .off = "\033[0m"};
}

// A character may not be shown as it is: control characters (a file could carry escape sequences)
// and those that reorder the text around them.
bool is_unprintable(char32_t value) {
  return value < 0x20 || (value >= 0x7F && value < 0xA0) || (value >= 0x202A && value <= 0x202E) ||
         (value >= 0x2066 && value <= 0x2069) || value == 0x2028 || value == 0x2029;
}

// A line as it appears on the screen. columns[i] is the first column of byte i; there is one more
// entry for the end.
struct ShownLine {
  struct Glyph {
    int column;
    int width;
    std::string text;
  };
  std::vector<Glyph> glyphs;
  std::vector<int> columns;
  int width = 0;
};

ShownLine lay_out(std::string_view line) {
  ShownLine shown;
  for (std::size_t offset = 0; offset < line.size();) {
    const CodePoint point = decode_utf8(line, offset);
    ShownLine::Glyph glyph{.column = shown.width, .width = 1, .text = {}};
    if (point.value == '\t') {
      glyph.width = kTabWidth - shown.width % kTabWidth;
      glyph.text.assign(static_cast<std::size_t>(glyph.width), ' ');
    } else if (!point.is_valid || is_unprintable(point.value)) {
      append_utf8(glyph.text, 0xFFFD);
    } else {
      glyph.width = utf8proc_charwidth(static_cast<utf8proc_int32_t>(point.value));
      glyph.text = line.substr(offset, point.length);
    }
    shown.columns.insert(shown.columns.end(), point.length, shown.width);
    shown.width += glyph.width;
    shown.glyphs.push_back(std::move(glyph));
    offset += point.length;
  }
  shown.columns.push_back(shown.width);
  return shown;
}

// A stretch of one line to underline; byte offsets within the line.
struct Mark {
  std::uint32_t line = 0;  // index in line_starts
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool is_main = false;
  // The last line of a span of several lines.
  bool is_continued = false;
  std::string_view text = {};
};

std::string_view line_text(const SourceFile& file, std::uint32_t index) {
  const std::string_view rest = std::string_view(file.text).substr(file.line_starts[index]);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

// The marks of one span: one for its first line, and one for its last if that is another.
void add_marks(std::vector<Mark>& marks, const SourceFile& file, Span span, bool is_main,
               std::string_view text) {
  const auto local = [&](std::uint32_t offset) {
    return std::min(std::max(offset, file.base) - file.base,
                    static_cast<std::uint32_t>(file.text.size()));
  };
  const auto line_of = [&](std::uint32_t offset) {
    const auto& starts = file.line_starts;
    return static_cast<std::uint32_t>(std::upper_bound(starts.begin(), starts.end(), offset) -
                                      starts.begin() - 1);
  };
  const std::uint32_t begin = local(span.begin);
  const std::uint32_t end = std::max(begin, local(span.end));
  const std::uint32_t first = line_of(begin);
  // A span that ends behind a line end does not reach into the next line.
  const std::uint32_t last = end > begin ? line_of(end - 1) : first;
  const std::uint32_t start = file.line_starts[first];
  Mark mark{.line = first, .begin = begin - start, .end = end - start, .is_main = is_main};
  if (first == last) {
    mark.text = text;
    marks.push_back(mark);
    return;
  }
  mark.end = static_cast<std::uint32_t>(line_text(file, first).size());
  marks.push_back(mark);
  const std::string_view tail = line_text(file, last);
  const std::size_t indent = std::min(tail.find_first_not_of(" \t\f"), tail.size());
  marks.push_back({.line = last,
                   .begin = static_cast<std::uint32_t>(indent),
                   .end = end - file.line_starts[last],
                   .is_main = is_main,
                   .is_continued = true,
                   .text = text});
}

class SnippetPrinter {
 public:
  SnippetPrinter(std::string& out, const SourceFile& file, Colors colors)
      : out_(out), file_(file), colors_(colors) {}

  // `marks` are in the order in which they are to be printed under each line.
  void print(std::vector<Mark> marks) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.line < b.line; });
    gutter_ = std::max<std::size_t>(5, fmt::formatted_size("{}", line_number(marks.back())));
    for (std::size_t i = 0; i < marks.size();) {
      std::size_t next = i;
      while (next < marks.size() && marks[next].line == marks[i].line)
        ++next;
      if (i > 0 && marks[i].line > marks[i - 1].line + 1) out_ += "  ...\n";
      print_line({marks.data() + i, next - i});
      i = next;
    }
  }

 private:
  std::uint32_t line_number(const Mark& mark) const { return file_.first_line + mark.line; }

  void print_line(std::span<const Mark> marks) {
    // Bytes far from the first mark are not even looked at.
    constexpr std::uint32_t kMaxBytes = 16 << 10;
    std::string_view line = line_text(file_, marks.front().line);
    std::uint32_t skipped = 0;
    if (line.size() > 2 * kMaxBytes && marks.front().begin > kMaxBytes) {
      skipped = marks.front().begin - kMaxBytes;
      while (skipped > 0 && (static_cast<unsigned char>(line[skipped]) & 0xC0u) == 0x80u)
        --skipped;
    }
    line = line.substr(skipped, 2 * static_cast<std::size_t>(kMaxBytes));
    const ShownLine shown = lay_out(line);

    const int first_column = column_of(shown, marks.front().begin, skipped);
    int from = 0;
    if (shown.width > kMaxLineWidth && first_column > kMaxLineWidth - kContext) {
      from = first_column - kContext;
    }
    const int to = from + kMaxLineWidth;
    const bool is_cut_left = from > 0 || skipped > 0;
    const int shift = (is_cut_left ? static_cast<int>(kCut.size()) : 0) - from;

    fmt::format_to(std::back_inserter(out_), "{:>{}} | {}", line_number(marks.front()), gutter_,
                   is_cut_left ? kCut : "");
    // A wide character that the window cuts in half would shift the rest.
    int column = from;
    for (const ShownLine::Glyph& glyph : shown.glyphs) {
      if (glyph.column < from || glyph.column + glyph.width > to) continue;
      for (; column < glyph.column; ++column)
        out_ += ' ';
      out_ += glyph.text;
      column = glyph.column + glyph.width;
    }
    if (shown.width > to) out_ += kCut;
    while (out_.back() == ' ')
      out_.pop_back();
    out_ += '\n';

    for (const Mark& mark : marks) {
      const int begin = std::max(column_of(shown, mark.begin, skipped), from);
      const int end = std::min(column_of(shown, mark.end, skipped), to);
      print_underline(mark, std::max(begin + shift, 0), std::max(end - begin, 1));
    }
  }

  static int column_of(const ShownLine& shown, std::uint32_t byte, std::uint32_t skipped) {
    const std::size_t index = byte > skipped ? byte - skipped : 0;
    if (index < shown.columns.size()) return shown.columns[index];
    return shown.width;
  }

  void print_underline(const Mark& mark, int column, int width) {
    std::string line(static_cast<std::size_t>(width), mark.is_main ? '~' : '-');
    if (mark.is_main && !mark.is_continued) line[0] = '^';
    fmt::format_to(std::back_inserter(out_), "{:{}} | {:{}}{}{}{}", "", gutter_, "", column,
                   mark.is_main ? colors_.mark : colors_.label, line, colors_.off);
    if (!mark.text.empty()) {
      fmt::format_to(std::back_inserter(out_), " {}{}{}", colors_.label, mark.text, colors_.off);
    }
    out_ += '\n';
  }

  std::string& out_;
  const SourceFile& file_;
  Colors colors_;
  // Width of the line numbers.
  std::size_t gutter_ = 5;
};

std::size_t hash_of(Span span, std::string_view text) {
  const std::uint64_t place = (std::uint64_t{span.begin} << 32) | span.end;
  return std::hash<std::string_view>{}(text) ^ (place * 0x9E3779B97F4A7C15u);
}

}  // namespace

MessageBuilder Diagnostics::add(Span span, const Diagnostic& kind, std::string text) {
  // A body that is unrolled or translated twice makes the same mistake again.
  if (is_full() || !seen_.insert(hash_of(span, text)).second) return MessageBuilder(nullptr);
  if (kind.severity == Severity::Error) ++errors_;
  messages_.push_back({.id = kind.id,
                       .severity = kind.severity,
                       .error_class = kind.error_class,
                       .span = span,
                       .text = std::move(text),
                       .labels = {},
                       .notes = {}});
  return MessageBuilder(&messages_.back());
}

ErrorClass Diagnostics::first_error_class() const {
  const Message* first = nullptr;
  for (const Message& message : messages_) {
    if (message.severity != Severity::Error) continue;
    if (first == nullptr || message.span.begin < first->span.begin) first = &message;
  }
  return first != nullptr ? first->error_class : ErrorClass::Runtime;
}

void Diagnostics::clear() {
  truncate(0);
}

void Diagnostics::truncate(std::size_t count) {
  while (messages_.size() > count) {
    const Message& last = messages_.back();
    if (last.severity == Severity::Error) --errors_;
    seen_.erase(hash_of(last.span, last.text));
    messages_.pop_back();
  }
}

std::string Diagnostics::render(Severity least, bool color) const {
  std::vector<const Message*> sorted;
  for (const Message& message : messages_) {
    if (message.severity <= least) sorted.push_back(&message);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Message* a, const Message* b) {
    return a->span.begin < b->span.begin;
  });
  std::string out;
  for (const Message* message : sorted)
    out += render(*message, color);
  if (is_full()) out += fmt::format("stopped after {} errors\n", kErrorLimit);
  return out;
}

std::string Diagnostics::render(const Message& message, bool color) const {
  const Colors colors = colors_for(message.severity, color);
  const SourceFile* file = sources_->file_of(message.span);
  std::string out;
  if (file != nullptr) {
    const LineColumn at = sources_->position(message.span);
    out = fmt::format("{}{}:{}:{}:{} ", colors.bold, file->path, at.line, at.column, colors.off);
  }
  fmt::format_to(std::back_inserter(out), "{}{}:{} {}{}{} [{}]\n", colors.mark,
                 severity_name(message.severity), colors.off, colors.bold, message.text, colors.off,
                 message.id);

  // The lines of the message's own file first, then other files, each under its own name.
  std::vector<Mark> marks;
  if (file != nullptr) add_marks(marks, *file, message.span, true, {});
  for (const Label& label : message.labels) {
    if (file != nullptr && sources_->file_of(label.span) == file) {
      add_marks(marks, *file, label.span, false, label.text);
    }
  }
  if (file != nullptr) SnippetPrinter(out, *file, colors).print(std::move(marks));
  for (const Label& label : message.labels) {
    const SourceFile* other = sources_->file_of(label.span);
    if (other == file || other == nullptr) continue;
    const LineColumn at = sources_->position(label.span);
    fmt::format_to(std::back_inserter(out), "  {}:{}:{}:\n", other->path, at.line, at.column);
    std::vector<Mark> foreign;
    add_marks(foreign, *other, label.span, false, label.text);
    SnippetPrinter(out, *other, colors).print(std::move(foreign));
  }
  for (const std::string& note : message.notes) {
    out += "      = note: ";
    for (const char c : note)
      out += c == '\n' ? "\n              " : std::string(1, c);
    out += '\n';
  }
  return out;
}

}  // namespace tirxcc::source
