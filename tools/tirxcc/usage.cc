// SPDX-License-Identifier: Apache-2.0
//
// See usage.h. CLI11 says that something is wrong; which word it is, we look up ourselves, because
// its messages name neither the word nor the cure.
#include "usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "commands.h"
#include "language_page.h"

namespace tirxcc::tool {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

// "--kernel" and "-k" of every option of the command.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

const CLI::App* chosen_command(const CLI::App& app, const std::vector<std::string>& words) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!words.empty() && words[0] == command->get_name()) return command;
  }
  return nullptr;
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("'{} {}': there is no such option{}", command.get_name(), name,
                     did_you_mean(name, option_names(command)));
}

// The words that the command did not know, told by CLI11 after the last colon.
std::string unexpected_words(const CLI::App& command, const std::string& what) {
  const std::size_t colon = what.rfind(": ");
  const std::string words = colon == std::string::npos ? what : what.substr(colon + 2);
  // CLI11 lists them in order and separated by blanks; the first option among them is the culprit.
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words[at] == '-') return unknown_option(command, words.substr(at, end - at));
    at = end + 1;
  }
  const bool has_args = command.get_option_no_throw("--arg") != nullptr;
  return fmt::format("'{}': one kernel file is expected, and '{}' is one word too many{}",
                     command.get_name(), words,
                     has_args ? "; a value for the kernel is given as --arg NAME=VALUE" : "");
}

std::string value_missing(const CLI::App& command, const std::string& what) {
  const std::string name = what.substr(0, what.find(':'));
  const CLI::Option* option = command.get_option_no_throw(name);
  std::string text = fmt::format("'{} {}': a value is missing", command.get_name(), name);
  if (option != nullptr) text += "; " + option->get_description();
  return text;
}

// What somebody meant who began with this word.
std::string meant_command(const CLI::App& app, const std::string& word) {
  if (word.ends_with(".py")) {
    return fmt::format("; did you mean 'tirxcc build {0}' or 'tirxcc run {0}'?", word);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMeant = {{
      {"compile", "build"},
      {"emit", "build"},
      {"translate", "build"},
      {"exec", "run"},
      {"execute", "run"},
      {"launch", "run"},
      {"version", "--version"},
  }};
  for (const auto& [foreign, ours] : kMeant) {
    if (word == foreign) return fmt::format("; did you mean '{}'?", ours);
  }
  if (word == "check") return "; checked runs are not supported yet";
  return did_you_mean(word, command_names(app));
}

std::string about(const CLI::App& app, const CLI::ParseError& error,
                  const std::vector<std::string>& words) {
  const CLI::App* command = chosen_command(app, words);
  if (words.empty()) return "a command is missing: " + joined(command_names(app));
  if (command == nullptr && words[0][0] == '-') {
    return fmt::format("'{}': a command comes first: {}", words[0], joined(command_names(app)));
  }
  if (command == nullptr) {
    return fmt::format("there is no command '{}'{}", words[0], meant_command(app, words[0]));
  }
  const std::vector<std::string> inner = command_names(*command);
  if (!inner.empty()) {
    const std::string word = words.size() > 1 ? words[1] : "";
    return fmt::format("'{} {}': expected {}{}", command->get_name(), word, joined(inner),
                       did_you_mean(word, inner));
  }
  // By the code: the name of some errors is that of the command.
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  const std::string what = error.what();
  if (code == CLI::ExitCodes::ExtrasError) return unexpected_words(*command, what);
  if (code == CLI::ExitCodes::RequiredError) {
    return fmt::format("'{0}' needs a kernel file, for example 'tirxcc {0} relu.py'",
                       command->get_name());
  }
  if (code == CLI::ExitCodes::ArgumentMismatch) return value_missing(*command, what);
  // Our own checks: "--emit: no form is called 'fortran'".
  const std::size_t colon = std::min(what.find(": "), what.size());
  return fmt::format("'{} {}'{}", command->get_name(), what.substr(0, colon), what.substr(colon));
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// The parts of a page, which begin with "## Title".
std::vector<std::string_view> parts_of(std::string_view page) {
  constexpr std::string_view kStart = "\n## ";
  std::vector<std::string_view> parts;
  for (std::size_t at = page.find(kStart); at != std::string_view::npos;) {
    const std::size_t next = page.find(kStart, at + 1);
    parts.push_back(page.substr(at + 1, next == std::string_view::npos ? next : next - at));
    at = next;
  }
  return parts;
}

// The rows of a page's tables in which the word occurs.
std::string lines_about(std::string_view page, std::string_view wanted) {
  std::string found;
  while (!page.empty() && wanted.size() > 1) {
    const std::string_view line = page.substr(0, page.find('\n'));
    if (line.starts_with("| `") && lowered(line).find(wanted) != std::string::npos)
      found.append(line).append("\n");
    page.remove_prefix(std::min(line.size() + 1, page.size()));
  }
  return found;
}

// The parts of a page in whose title the word occurs: "warp" in "Lanes of a warp".
std::string parts_titled(std::string_view page, std::string_view wanted) {
  std::string found;
  for (const std::string_view part : parts_of(page)) {
    const std::string title = lowered(part.substr(3, part.find('\n') - 3));
    if (wanted.size() > 2 && title.find(wanted) != std::string::npos) found.append(part);
  }
  return found;
}

}  // namespace

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view nearest = nearest_name(wanted, names);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words) {
  const CLI::App* command = chosen_command(app, words);
  return fmt::format("tirxcc: error: {}\n  = note: 'tirxcc{} --help' tells what there is\n",
                     about(app, error, words), command == nullptr ? "" : " " + command->get_name());
}

int print_help(const std::string& topic) {
  if (topic.empty() || topic == "intrinsics") {
    std::fputs(topic.empty() ? kLanguagePage.data() : kIntrinsicsPage.data(), stdout);
    return kSuccess;
  }
  const std::string wanted = lowered(topic);
  std::vector<std::string> words;
  std::string mentions;
  for (const std::string_view part : parts_of(kLanguagePage)) {
    const std::string title = lowered(part.substr(3, part.find('\n') - 3));
    words.push_back(title.substr(0, title.find_first_of(" ,")));
    if (wanted == words.back() || wanted == title) {
      std::fwrite(part.data(), 1, part.size(), stdout);
      return kSuccess;
    }
    if (wanted.size() > 1 && lowered(part).find(wanted) != std::string::npos) mentions += part;
  }
  if (const std::string titled = parts_titled(kIntrinsicsPage, wanted); !titled.empty()) {
    std::fputs(titled.c_str(), stdout);
    return kSuccess;
  }
  mentions += lines_about(kIntrinsicsPage, wanted);
  if (!mentions.empty()) {
    std::fputs(mentions.c_str(), stdout);
    return kSuccess;
  }
  words.emplace_back("intrinsics");
  std::fputs(fmt::format("tirxcc: error: there is no help about '{}'{}\n  = note: topics are {}\n",
                         topic, did_you_mean(topic, words), joined(words))
                 .c_str(),
             stderr);
  return kUsage;
}

}  // namespace tirxcc::tool
