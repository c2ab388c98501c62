// SPDX-License-Identifier: Apache-2.0
//
// The command `tirxcc`: 0 for success, 1 when a kernel, file or run is refused, 2 for wrong usage.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "files.h"
#include "usage.h"

namespace {

// Before std::bad_alloc: nothing in the compiler could go on from that.
[[noreturn]] void refuse_for_lack_of_memory() {
  std::fputs("tirxcc: error: out of memory\n", stderr);
  std::_Exit(tirxcc::tool::kFailure);
}

int run_command(int argc, char** argv) {
  CLI::App app;
  tirxcc::tool::CommandLine line;
  tirxcc::tool::define_options(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return tirxcc::tool::kSuccess;
    }
    const std::vector<std::string> words(argv + 1, argv + argc);
    std::fputs(tirxcc::tool::usage_message(app, error, words).c_str(), stderr);
    return tirxcc::tool::kUsage;
  }
  if (line.build_command->parsed()) return tirxcc::tool::build(line.build);
  if (line.doctor_command->parsed()) {
    std::fputs(tirxcc::tool::in_flags(tirxcc::describe_machine()).c_str(), stdout);
    return tirxcc::tool::kSuccess;
  }
  if (line.cache_command->parsed()) return tirxcc::tool::cache(line.cache);
  if (line.help_command->parsed()) return tirxcc::tool::print_help(line.topic);
  return tirxcc::tool::run(line.run);
}

}  // namespace

int main(int argc, char** argv) {
  std::set_new_handler(refuse_for_lack_of_memory);
  const int status = run_command(argc, argv);
  return tirxcc::tool::flush_output() || status != tirxcc::tool::kSuccess
             ? status
             : static_cast<int>(tirxcc::tool::kFailure);
}
