// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace tirxcc::tool {

std::string errno_text() {
  return std::generic_category().message(errno);
}

bool flush_output() {
  const bool has_failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!has_failed) return true;
  fmt::print(stderr, "tirxcc: error: cannot write standard output: {}\n", errno_text());
  std::clearerr(stdout);
  return false;
}

Expected<void> write_file(const std::string& path, std::span<const std::string_view> parts) {
  // Devices and pipes cannot be replaced by a rename.
  bool is_special = path.starts_with("/dev/") || path.starts_with("/proc/");
  std::string temporary = is_special ? path : fmt::format("{}.tmp-{}", path, getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) {
    return error(fmt::format("cannot write '{}': {}", path, errno_text()), ErrorKind::Runtime);
  }
  bool ok = true;
  for (std::string_view part : parts) {
    ok = ok && std::fwrite(part.data(), 1, part.size(), file) == part.size();
  }
  ok = std::fclose(file) == 0 && ok;
  if (ok && !is_special) ok = std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!ok) {
    std::string why = errno_text();
    if (!is_special) std::remove(temporary.c_str());
    return error(fmt::format("cannot write '{}': {}", path, why), ErrorKind::Runtime);
  }
  return {};
}

}  // namespace tirxcc::tool
