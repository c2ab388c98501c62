// SPDX-License-Identifier: Apache-2.0
//
// What the user did wrong, told with place and cure. A diagnostic is declared beside its one use:
//
//   constexpr Diagnostic kBreakOutsideLoop{"break-outside-loop", Severity::Error,
//                                          ErrorClass::Syntax, "'break' outside a loop"};
//   diags.report(span, kBreakOutsideLoop);
//   diags.report(span, kUnknownName, name).note("did you mean '{}'?", near);
//
// and prints
//
//   relu.py:12:9: error: 'break' outside a loop [break-outside-loop]
//      12 |         break
//         |         ^~~~~
//
// Wording: lower case, no full stop, quote code in '...', what was seen and where it came from; a
// hint after a semicolon or as a note.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "source/source.h"

namespace tirxcc::source {

enum class Severity : unsigned char { Error, Warning, Note };

// The kind of a message. `text` is an fmt format string whose arguments report() takes.
struct Diagnostic {
  std::string_view id;  // kebab-case, unique in the program
  Severity severity = Severity::Error;
  ErrorClass error_class = ErrorClass::Syntax;
  std::string_view text;
};

// A second place of a message, with its own words.
struct Label {
  Span span;
  std::string text;
};

// One message that was reported.
struct Message {
  std::string_view id;
  Severity severity = Severity::Error;
  ErrorClass error_class = ErrorClass::Syntax;
  Span span;
  std::string text;
  std::vector<Label> labels;
  std::vector<std::string> notes;
};

class Diagnostics;

// Returned by report() to chain further words onto the message. Valid until the next report().
// Messages are rare: what makes them is marked cold, which keeps it out of the code around.
class MessageBuilder {
 public:
  explicit MessageBuilder(Message* message) : message_(message) {}
  template <typename... Args>
  [[gnu::cold]] MessageBuilder& label(Span span, fmt::format_string<Args...> text, Args&&... args) {
    if (message_)
      message_->labels.push_back({span, fmt::format(text, std::forward<Args>(args)...)});
    return *this;
  }
  template <typename... Args>
  [[gnu::cold]] MessageBuilder& note(fmt::format_string<Args...> text, Args&&... args) {
    if (message_) message_->notes.push_back(fmt::format(text, std::forward<Args>(args)...));
    return *this;
  }

 private:
  Message* message_;  // null once the limit is reached
};

// Collects messages. Not thread-safe: one per compilation.
class Diagnostics {
 public:
  static constexpr int kErrorLimit = 20;

  explicit Diagnostics(const SourceManager& sources) : sources_(&sources) {}

  template <typename... Args>
  [[gnu::cold]] MessageBuilder report(Span span, const Diagnostic& kind, const Args&... args) {
    return add(span, kind, fmt::vformat(kind.text, fmt::make_format_args(args...)));
  }

  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }
  // True once kErrorLimit errors are there; stages stop early then.
  bool is_full() const { return errors_ >= kErrorLimit; }
  const std::vector<Message>& messages() const { return messages_; }
  // Class of the first error; Runtime when there is none.
  ErrorClass first_error_class() const;
  void clear();
  // Forgets the messages after the first `count` (sema translates a body again with better types).
  void truncate(std::size_t count);

  const SourceManager& sources() const { return *sources_; }

  // All messages of at least this severity as text in source order, each ending in a newline. With
  // `color`, ANSI escapes for terminals.
  std::string render(Severity least = Severity::Note, bool color = false) const;
  std::string render(const Message& message, bool color = false) const;

 private:
  [[gnu::cold]] MessageBuilder add(Span span, const Diagnostic& kind, std::string text);

  const SourceManager* sources_;
  std::vector<Message> messages_;
  // Hashes of place and text of the messages: the same one is reported once.
  std::unordered_set<std::size_t> seen_;
  int errors_ = 0;
};

}  // namespace tirxcc::source
