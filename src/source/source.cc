// SPDX-License-Identifier: Apache-2.0
//
// Loading of source files and translation of offsets into lines and columns.
#include "source/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/check.h"
#include "base/utf8.h"

namespace tirxcc::source {
namespace {

constexpr std::size_t kMaxFileSize = std::size_t{64} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Line ends are "\n", "\r\n" and a lone "\r", as for Python.
std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  starts.reserve(text.size() / 32 + 8);
  const bool has_returns = text.find('\r') != std::string_view::npos;
  std::size_t offset = 0;
  while (true) {
    offset = has_returns ? text.find_first_of("\r\n", offset) : text.find('\n', offset);
    if (offset == std::string_view::npos) return starts;
    if (text[offset] == '\r' && offset + 1 < text.size() && text[offset + 1] == '\n') ++offset;
    ++offset;
    starts.push_back(static_cast<std::uint32_t>(offset));
  }
}

// Index of the line that holds the local offset.
std::size_t line_index(const SourceFile& file, std::uint32_t offset) {
  const auto next = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  return static_cast<std::size_t>(next - file.line_starts.begin()) - 1;
}

std::uint32_t local_offset(const SourceFile& file, std::uint32_t global) {
  return std::min(global - file.base, static_cast<std::uint32_t>(file.text.size()));
}

tl::unexpected<Failure> refuse(const std::string& path, int error) {
  std::string reason = std::generic_category().message(error);
  return fail(fmt::format("cannot read '{}': {}", path, reason));
}

// Closes the descriptor at the end of its scope.
struct FileDescriptor {
  int number;
  explicit FileDescriptor(int fd) : number(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number >= 0) close(number);
  }
};

tl::unexpected<Failure> refuse_as_too_large(const std::string& path) {
  return fail(fmt::format("cannot read '{}': larger than {} MiB", path, kMaxFileSize >> 20));
}

Result<std::string> read_all(const std::string& path) {
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.number < 0) return refuse(path, errno);
  struct stat status {};
  if (fstat(fd.number, &status) != 0) return refuse(path, errno);
  if (S_ISDIR(status.st_mode)) return refuse(path, EISDIR);
  if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > kMaxFileSize) {
    return refuse_as_too_large(path);
  }

  // The size is only a hint: pipes have none, and files may grow.
  std::string text(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1, '\0');
  std::size_t length = 0;
  while (true) {
    if (length == text.size()) text.resize(text.size() * 2 + 4096);
    const ssize_t count = read(fd.number, text.data() + length, text.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return refuse(path, errno);
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
    if (length > kMaxFileSize) return refuse_as_too_large(path);
  }
  text.resize(length);
  return text;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size(); ++count) {
    offset += decode_utf8(text, offset).length;
  }
  return count;
}

}  // namespace

const SourceFile& SourceManager::add(std::string path, std::string text, std::uint32_t first_line) {
  // One more than the text, so that "end of this file" is not "start of the next".
  const std::size_t next = next_base_ + text.size() + 1;
  TIRXCC_CHECK(next <= UINT32_MAX, "source texts of more than 4 GiB");
  auto file = std::make_unique<SourceFile>();
  file->path = std::move(path);
  file->text = std::move(text);
  file->base = next_base_;
  file->first_line = first_line;
  file->line_starts = find_line_starts(file->text);
  next_base_ = static_cast<std::uint32_t>(next);
  files_.push_back(std::move(file));
  return *files_.back();
}

Result<const SourceFile*> SourceManager::load(const std::string& path) {
  Result<std::string> text = read_all(path);
  if (!text) return tl::unexpected(std::move(text).error());
  if (text->starts_with(kByteOrderMark)) text->erase(0, kByteOrderMark.size());
  if (std::memchr(text->data(), 0, text->size()) != nullptr) {
    return fail(
        fmt::format("cannot read '{}': it holds NUL bytes and looks like a binary file", path),
        ErrorClass::Syntax);
  }
  if (const auto bad = find_ill_formed_utf8(*text)) {
    const std::string_view before(text->data(), *bad);
    const std::vector<std::uint32_t> lines = find_line_starts(before);
    return fail(fmt::format("{}:{}:{}: error: byte 0x{:02x} is not UTF-8; save the file as UTF-8",
                            path, lines.size(), count_code_points(before.substr(lines.back())) + 1,
                            static_cast<unsigned char>((*text)[*bad])),
                ErrorClass::Syntax);
  }
  if (next_base_ + text->size() + 1 > UINT32_MAX) {
    return fail(fmt::format("cannot read '{}': more than 4 GiB of sources", path));
  }
  return &add(path, *std::move(text));
}

const SourceFile* SourceManager::file_of(Span span) const {
  if (!span.is_valid()) return nullptr;
  const auto next =
      std::upper_bound(files_.begin(), files_.end(), span.begin,
                       [](std::uint32_t offset, const auto& file) { return offset < file->base; });
  if (next == files_.begin()) return nullptr;
  const SourceFile& file = **std::prev(next);
  return span.begin <= file.base + file.text.size() ? &file : nullptr;
}

LineColumn SourceManager::position(Span span) const {
  const SourceFile* file = file_of(span);
  if (file == nullptr) return {};
  const std::uint32_t offset = local_offset(*file, span.begin);
  const std::size_t index = line_index(*file, offset);
  const std::uint32_t start = file->line_starts[index];
  const std::string_view before = std::string_view(file->text).substr(start, offset - start);
  return {.line = file->first_line + static_cast<std::uint32_t>(index),
          .column = static_cast<std::uint32_t>(count_code_points(before)) + 1};
}

std::string_view SourceManager::text_of(Span span) const {
  const SourceFile* file = file_of(span);
  if (file == nullptr || span.end < span.begin) return {};
  const std::uint32_t begin = local_offset(*file, span.begin);
  const std::uint32_t end = local_offset(*file, span.end);
  return std::string_view(file->text).substr(begin, end - begin);
}

std::string_view SourceManager::line_of(Span span) const {
  const SourceFile* file = file_of(span);
  if (file == nullptr) return {};
  const std::size_t index = line_index(*file, local_offset(*file, span.begin));
  const std::string_view rest = std::string_view(file->text).substr(file->line_starts[index]);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

}  // namespace tirxcc::source
