// SPDX-License-Identifier: Apache-2.0
//
// The command `tirxcc`: 0 for success, 1 when a kernel, file or run is refused, 2 for wrong usage.
#include <cstdio>

#include "options.h"

int main(int argc, char** argv) {
  CLI::App app;
  tirxcc::tool::CommandLine line;
  tirxcc::tool::define_options(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? tirxcc::tool::kSuccess : tirxcc::tool::kUsage;
  }
  if (line.build_command->parsed()) return tirxcc::tool::build(line.build);
  if (line.doctor_command->parsed()) {
    std::fputs(tirxcc::describe_machine().c_str(), stdout);
    return tirxcc::tool::kSuccess;
  }
  if (line.cache_command->parsed()) return tirxcc::tool::cache(line.cache);
  return tirxcc::tool::run(line.run);
}
