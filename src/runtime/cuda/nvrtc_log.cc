// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nvrtc_log.h"

#include <charconv>
#include <optional>

namespace tirxcc::cuda {
namespace {

std::string_view next_line(std::string_view& rest) {
  std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

std::string_view trim(std::string_view text) {
  std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// "error: text" or "warning #177-D: text"; NVRTC writes "catastrophic error" too.
std::optional<LogMessage> parse_severity(std::string_view text) {
  for (std::string_view word : {"error", "catastrophic error", "warning"}) {
    if (text.substr(0, word.size()) != word) continue;
    std::size_t colon = text.find(": ", word.size());
    std::string_view between = text.substr(word.size(), colon - word.size());
    bool is_number = between.empty() || between.substr(0, 2) == " #";
    if (colon == std::string_view::npos || !is_number) continue;
    LogMessage message;
    message.is_error = word != "warning";
    message.text = text.substr(colon + 2);
    return message;
  }
  return std::nullopt;
}

// "file(3): error: text", or a line that starts with the severity.
std::optional<LogMessage> parse_heading(std::string_view line) {
  if (std::optional<LogMessage> message = parse_severity(line)) return message;
  std::size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  std::size_t open = line.rfind('(', close);
  if (open == std::string_view::npos) return std::nullopt;
  int number = 0;
  auto [end, error] = std::from_chars(line.data() + open + 1, line.data() + close, number);
  if (error != std::errc{} || end != line.data() + close) return std::nullopt;
  std::optional<LogMessage> message = parse_severity(line.substr(close + 3));
  if (!message) return std::nullopt;
  message->file = line.substr(0, open);
  message->line = number;
  return message;
}

}  // namespace

std::vector<LogMessage> parse_log(std::string_view log) {
  std::vector<LogMessage> messages;
  bool expects_source = false;
  while (!log.empty()) {
    std::string_view line = next_line(log);
    if (std::optional<LogMessage> message = parse_heading(line)) {
      messages.push_back(*std::move(message));
      expects_source = true;
    } else if (expects_source && line.substr(0, 2) == "  ") {
      std::string_view content = trim(line);
      if (content.find_first_not_of("^ ~") == std::string_view::npos) {
        expects_source = false;
      } else if (messages.back().source.empty()) {
        messages.back().source = content;
      }
    } else {
      expects_source = false;
    }
  }
  return messages;
}

}  // namespace tirxcc::cuda
