// SPDX-License-Identifier: Apache-2.0
//
// NumPy's file format (NEP 1): magic, version, a header that is a Python dict, the bytes.
#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>

#include "array.h"
#include "element.h"
#include "files.h"

namespace tirxcc::tool {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 1 << 20;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// The text behind `'key':`, or empty.
std::string_view value_of(std::string_view header, std::string_view key) {
  std::size_t at = header.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return {};
  at = header.find(':', at);
  if (at == std::string_view::npos) return {};
  at = header.find_first_not_of(' ', at + 1);
  return at == std::string_view::npos ? std::string_view{} : header.substr(at);
}

std::optional<Header> parse_header(std::string_view text) {
  Header header;
  std::string_view descr = value_of(text, "descr");
  std::string_view order = value_of(text, "fortran_order");
  std::string_view shape = value_of(text, "shape");
  if (descr.size() < 3 || descr[0] != '\'' || order.empty() || shape.empty() || shape[0] != '(') {
    return std::nullopt;
  }
  header.descr = descr.substr(1, descr.find('\'', 1) - 1);
  header.fortran_order = order.starts_with("True");
  std::size_t close = shape.find(')');
  if (close == std::string_view::npos) return std::nullopt;
  const char* at = shape.data() + 1;
  const char* end = shape.data() + close;
  while (at < end) {
    while (at < end && (*at == ' ' || *at == ','))
      ++at;
    if (at == end) break;
    std::int64_t extent = 0;
    auto [next, status] = std::from_chars(at, end, extent);
    if (status != std::errc() || extent < 0) return std::nullopt;
    header.shape.push_back(extent);
    at = next;
  }
  return header;
}

std::optional<ElementType> element_of(std::string_view descr, ElementType wanted) {
  if (descr.size() < 3) return std::nullopt;
  std::string_view kind = descr.substr(1);
  if (kind == "V2" && wanted == ElementType::BFloat16) return ElementType::BFloat16;
  constexpr std::pair<std::string_view, ElementType> kKinds[] = {
      {"b1", ElementType::Bool},    {"i1", ElementType::Int8},    {"i2", ElementType::Int16},
      {"i4", ElementType::Int32},   {"i8", ElementType::Int64},   {"u1", ElementType::UInt8},
      {"u2", ElementType::UInt16},  {"u4", ElementType::UInt32},  {"u8", ElementType::UInt64},
      {"f2", ElementType::Float16}, {"f4", ElementType::Float32}, {"f8", ElementType::Float64},
  };
  for (auto [name, type] : kKinds) {
    if (name == kind) return type;
  }
  return std::nullopt;
}

std::string_view descr_of(ElementType type) {
  constexpr std::string_view kDescr[] = {"|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2",
                                         "<u4", "<u8", "<f2", "<V2", "<f4", "<f8"};
  return kDescr[static_cast<std::size_t>(type)];
}

std::vector<std::int64_t> fortran_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides;
  std::int64_t stride = 1;
  for (std::int64_t extent : shape) {
    strides.push_back(stride);
    stride *= extent;
  }
  return strides;
}

Expected<std::string> read_header(std::FILE* file, const std::string& path) {
  unsigned char start[12];
  if (std::fread(start, 1, 10, file) != 10 || std::memcmp(start, kMagic.data(), 6) != 0) {
    return error(fmt::format("'{}' is not a .npy file", path));
  }
  std::size_t length = start[8] | static_cast<std::size_t>(start[9]) << 8;
  if (start[6] >= 2) {
    if (std::fread(start + 10, 1, 2, file) != 2) {
      return error(fmt::format("'{}' ends within its header", path));
    }
    length |= static_cast<std::size_t>(start[10]) << 16 | static_cast<std::size_t>(start[11]) << 24;
  }
  if (length > kMaxHeader) return error(fmt::format("'{}' has a damaged header", path));
  std::string text(length, '\0');
  if (std::fread(text.data(), 1, length, file) != length) {
    return error(fmt::format("'{}' ends within its header", path));
  }
  return text;
}

}  // namespace

Expected<Array> load_npy(const std::string& path, ElementType wanted) {
  File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return error(fmt::format("cannot read '{}': {}", path, errno_text()));
  Expected<std::string> text = read_header(file.get(), path);
  if (!text) return tl::unexpected<Error>(text.error());
  if (value_of(*text, "descr").starts_with('[')) {
    return error(fmt::format("'{}' holds records of several fields (a structured dtype); save the "
                             "field that is wanted, for example numpy.save('x.npy', a['x'])",
                             path),
                 ErrorKind::Type);
  }
  std::optional<Header> header = parse_header(*text);
  if (!header) return error(fmt::format("'{}' has a damaged header", path));
  std::optional<ElementType> type = element_of(header->descr, wanted);
  if (!type) {
    return error(fmt::format("'{}' holds elements of type '{}', which the language does not have",
                             path, header->descr),
                 ErrorKind::Type);
  }
  if (header->descr[0] == '>') {
    return error(
        fmt::format("'{}' is big-endian; save it with astype('{}')", path, element_name(*type)),
        ErrorKind::Type);
  }
  Expected<Array> array = make_array(*type, header->shape);
  if (!array) return error(fmt::format("'{}': {}", path, array.error().message));
  std::size_t got = std::fread(array->data.get(), 1, array->bytes, file.get());
  if (got != array->bytes) {
    return error(fmt::format("'{}' ends early: {} of {} bytes of data", path, got, array->bytes));
  }
  if (header->fortran_order && header->shape.size() > 1) {
    array->strides = fortran_strides(header->shape);
  }
  return array;
}

std::string npy_header(const Array& array) {
  std::string shape;
  for (std::int64_t extent : array.shape)
    shape += fmt::format("{}, ", extent);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.resize(shape.size() - 1);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", descr_of(array.type),
                  array.strides.empty() ? "False" : "True", shape);
  std::size_t total = (10 + text.size() + 1 + 63) / 64 * 64;
  text.append(total - 10 - text.size() - 1, ' ');
  text += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

Expected<void> save_array(const std::string& path, const Array& array) {
  std::string header = path.ends_with(".npy") ? npy_header(array) : std::string();
  std::string_view parts[] = {header,
                              {reinterpret_cast<const char*>(array.data.get()), array.bytes}};
  return write_file(path, parts);
}

}  // namespace tirxcc::tool
