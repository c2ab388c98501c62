// SPDX-License-Identifier: Apache-2.0
#include "ir/names.h"

namespace tirxcc::ir {
namespace {

// Python's keywords and the names that the printed text itself uses.
constexpr std::string_view kReserved[] = {
    "False",   "None",     "True",     "and",    "as",   "assert", "async",  "await",
    "break",   "class",    "continue", "def",    "del",  "elif",   "else",   "except",
    "finally", "for",      "from",     "global", "if",   "import", "in",     "is",
    "lambda",  "nonlocal", "not",      "or",     "pass", "raise",  "return", "try",
    "while",   "with",     "yield",    "T",      "range"};

bool is_name_char(unsigned char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c >= 0x80;
}

std::string as_identifier(std::string_view wanted) {
  std::string name;
  for (char c : wanted)
    name += is_name_char(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, 1, '_');
  return name;
}

}  // namespace

Names::Names() {
  for (std::string_view name : kReserved)
    reserve(name);
}

std::string_view Names::name_of(const void* variable, std::string_view wanted) {
  auto found = names_.find(variable);
  if (found != names_.end()) return found->second;
  std::string base = as_identifier(wanted);
  std::string name = base;
  while (!taken_.insert(name).second)
    name = base + "_" + std::to_string(++next_suffix_[base]);
  return names_[variable] = name;
}

}  // namespace tirxcc::ir
