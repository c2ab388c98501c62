// SPDX-License-Identifier: Apache-2.0
//
// Many runs of `tirxcc run` in one process. A process under compute-sanitizer takes seconds to get
// ready, however short its kernel is; tests/tools/run_case.py gives each a list.
//
//   tirxcc_run_list LIST     LIST: a command line of `tirxcc` on each line, its words separated by
//                            tabs; the exit statuses go to LIST.status, a line each
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "usage.h"

namespace {

int run_line(const std::string& text) {
  std::vector<std::string> words = {"tirxcc"};
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, '\t');)
    words.push_back(word);
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  CLI::App app;
  tirxcc::tool::CommandLine line;
  tirxcc::tool::define_options(app, line);
  try {
    app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& error) {
    std::fputs(tirxcc::tool::usage_message(app, error, {words.begin() + 1, words.end()}).c_str(),
               stderr);
    return tirxcc::tool::kUsage;
  }
  return tirxcc::tool::run(line.run);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: tirxcc_run_list LIST\n", stderr);
    return tirxcc::tool::kUsage;
  }
  std::ifstream list(argv[1]);
  std::ofstream statuses(std::string(argv[1]) + ".status");
  for (std::string text; std::getline(list, text);)
    statuses << run_line(text) << std::endl;
  return statuses.good() ? 0 : 1;
}
