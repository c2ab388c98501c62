// SPDX-License-Identifier: Apache-2.0
//
// The command line: which options there are and what --help says about them.
#pragma once

#include <CLI/CLI.hpp>

#include "commands.h"

namespace tirxcc::tool {

struct CommandLine {
  BuildFlags build;
  RunFlags run;
  CacheFlags cache;
  CLI::App* build_command = nullptr;
  CLI::App* run_command = nullptr;
  CLI::App* doctor_command = nullptr;
  CLI::App* cache_command = nullptr;
  CLI::App* help_command = nullptr;
  std::string topic;
};

// Fills `app`; the flags are written when it parses.
void define_options(CLI::App& app, CommandLine& line);

}  // namespace tirxcc::tool
