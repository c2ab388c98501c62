// SPDX-License-Identifier: Apache-2.0
//
// The front end as a program of its own, for tests that need many files in one process:
//
//   tirxcc_syntax_tool dump           for each path on standard input: "== ok PATH LINES" and the
//                                     tree, or "== error PATH LINES" and the messages
//   tirxcc_syntax_tool time FILE...   parses each file for a while; speed and time of one parse
//   tirxcc_syntax_tool fuzz SEED COUNT FILE...
//                                     parses COUNT damaged copies of the files; nothing may crash
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "base/arena.h"
#include "source/diagnostics.h"
#include "syntax/parser.h"
#include "syntax/printer.h"

namespace tirxcc {
namespace {

void print_block(std::string_view verdict, std::string_view path, const std::string& text) {
  const auto lines = std::count(text.begin(), text.end(), '\n');
  fmt::print("== {} {} {}\n{}", verdict, path, lines, text);
}

void dump_file(const std::string& path, bool show_fstring_parts) {
  source::SourceManager sources;
  const Result<const source::SourceFile*> file = sources.load(path);
  if (!file) return print_block("error", path, file.error().message + "\n");
  Arena arena;
  source::Diagnostics diags(sources);
  const syntax::Module* module = syntax::parse_module(**file, arena, diags);
  if (diags.has_errors()) return print_block("error", path, diags.render());
  print_block("ok", path,
              syntax::dump(*module, **file, {.show_fstring_parts = show_fstring_parts}));
}

int dump_files(bool show_fstring_parts) {
  std::string path;
  while (std::getline(std::cin, path))
    dump_file(path, show_fstring_parts);
  return 0;
}

int time_files(const std::vector<std::string>& paths) {
  using Clock = std::chrono::steady_clock;
  double bytes = 0;
  double seconds = 0;
  for (const std::string& path : paths) {
    source::SourceManager sources;
    const Result<const source::SourceFile*> file = sources.load(path);
    if (!file) continue;
    double best = 1e9;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(100);
    do {
      const Clock::time_point start = Clock::now();
      Arena arena;
      source::Diagnostics diags(sources);
      syntax::parse_module(**file, arena, diags);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    } while (Clock::now() < end);
    bytes += static_cast<double>((*file)->text.size());
    seconds += best;
    if (paths.size() < 10) {
      fmt::print("{}: {} bytes, {:.1f} us\n", path, (*file)->text.size(), best * 1e6);
    }
  }
  fmt::print("{:.0f} bytes, {:.1f} MB/s\n", bytes, bytes / seconds / 1e6);
  return 0;
}

// One to four small accidents.
std::string damage(std::string text, std::mt19937& random) {
  static constexpr std::string_view kPieces[]{"(",
                                              ")",
                                              "[",
                                              "]",
                                              "{",
                                              "}",
                                              "\"",
                                              "'",
                                              "\\",
                                              "\n",
                                              "\t",
                                              "f'",
                                              "{x",
                                              ":",
                                              "=",
                                              "\"\"\"",
                                              " ",
                                              "if ",
                                              "lambda ",
                                              "\r",
                                              "#",
                                              "\xC3",
                                              "\xF0\x9F\x98\x80",
                                              "@",
                                              "def ",
                                              "0x"};
  const auto below = [&](std::size_t limit) {
    return limit == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  for (std::size_t i = below(4) + 1; i > 0; --i) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0: text.erase(at, below(20) + 1); break;
      case 1: text.insert(at, kPieces[below(std::size(kPieces))]); break;
      case 2: text.resize(at); break;
      case 3:
        if (!text.empty()) text[at] = static_cast<char>(below(256));
        break;
      case 4: text.insert(at, text.substr(below(text.size()), below(200))); break;
      default: text.erase(at, below(2000)); break;
    }
  }
  return text;
}

int fuzz(unsigned seed, int count, const std::vector<std::string>& paths) {
  std::mt19937 random(seed);
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    source::SourceManager sources;
    const Result<const source::SourceFile*> file = sources.load(path);
    if (file && (*file)->text.size() < 200'000) texts.push_back((*file)->text);
  }
  int rejected = 0;
  for (int i = 0; i < count; ++i) {
    source::SourceManager sources;
    const std::string& text =
        texts[std::uniform_int_distribution<std::size_t>(0, texts.size() - 1)(random)];
    const source::SourceFile& file = sources.add("damaged.py", damage(text, random));
    Arena arena;
    source::Diagnostics diags(sources);
    const syntax::Module* module = syntax::parse_module(file, arena, diags);
    if (diags.has_errors()) {
      ++rejected;
      if (diags.render().empty()) return 1;
    } else if (syntax::dump(*module, file).empty()) {
      return 1;
    }
  }
  fmt::print("{} damaged files, {} rejected\n", count, rejected);
  return 0;
}

int run(const std::vector<std::string>& args) {
  const std::string mode = args.empty() ? "" : args[0];
  if (mode == "dump") return dump_files(args.size() < 2 || args[1] != "--no-fstring-parts");
  if (mode == "time") return time_files({args.begin() + 1, args.end()});
  if (mode == "fuzz" && args.size() > 3) {
    return fuzz(static_cast<unsigned>(std::stoul(args[1])), std::stoi(args[2]),
                {args.begin() + 3, args.end()});
  }
  fmt::print(stderr, "usage: tirxcc_syntax_tool dump | time FILE... | fuzz SEED COUNT FILE...\n");
  return 2;
}

}  // namespace
}  // namespace tirxcc

int main(int argc, char** argv) {
  return tirxcc::run({argv + 1, argv + argc});
}
