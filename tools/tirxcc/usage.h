// SPDX-License-Identifier: Apache-2.0
//
// What is said about a command line that does not parse, and what `tirxcc help` prints.
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace tirxcc::tool {

// The nearest of the names, as "; did you mean 'build'?", or nothing.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known);

// The message for a parse that failed: the word that is wrong, the nearest right one, where help
// is.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words);

// Prints the page about the language, or one part of it. Gives the exit status.
int print_help(const std::string& topic);

}  // namespace tirxcc::tool
