// SPDX-License-Identifier: Apache-2.0
//
// Choosing names. See names.h.
#include "codegen/cuda/names.h"

#include <fmt/format.h>

#include <array>

#include "base/check.h"
#include "base/utf8.h"

namespace tirxcc::codegen_cuda {

namespace {

// Compilers accept far longer ones, but mangled names and debuggers grow with them.
constexpr std::size_t kLongestName = 200;

bool is_ascii(std::string_view text) {
  for (char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

constexpr std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261u;  // FNV-1a: the same on every machine
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

// Names that a text may mean something else by, all in one place; grouped as CUDA's manuals are.
constexpr std::string_view kReserved =
    // C++20 keywords and alternative operators
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t"
    " char32_t class compl concept const consteval constexpr constinit const_cast continue co_await"
    " co_return co_yield decltype default delete do double dynamic_cast else enum explicit export"
    " extern false float for friend goto if inline int long mutable namespace new noexcept not"
    " not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires"
    " restrict return short signed sizeof static static_assert static_cast struct switch template"
    " this thread_local throw true try typedef typeid typename typeof union unsigned using virtual"
    " void volatile wchar_t while xor xor_eq final override import module main std linux unix"
    // what standard headers define
    " NULL NAN INFINITY HUGE_VAL EOF FILE INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN LLONG_MAX"
    " LLONG_MIN FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON M_PI M_E size_t ptrdiff_t"
    " nullptr_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t "
    "uint64_t"
    " wint_t va_list assert errno stdin stdout stderr"
    // built-in variables
    " threadIdx blockIdx blockDim gridDim warpSize clusterIdx clusterDim"
    // types
    " char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short1 short2 short3 short4 ushort1 "
    "ushort2"
    " ushort3 ushort4 int1 int2 int3 int4 uint1 uint2 uint3 uint4 long1 long2 long3 long4 ulong1"
    " ulong2 ulong3 ulong4 longlong1 longlong2 longlong3 longlong4 ulonglong1 ulonglong2 ulonglong3"
    " ulonglong4 float1 float2 float3 float4 double1 double2 double3 double4 dim3 uchar ushort uint"
    " ulong half half2 nv_half nv_half2 nv_bfloat16 nv_bfloat162 CUtensorMap cudaStream_t"
    " cudaError_t cudaTextureObject_t cudaSurfaceObject_t cooperative_groups"
    // functions that texts use without the kernel naming them
    " min max abs llabs printf malloc free memcpy memset isnan isinf isfinite floorf floor hfloor "
    "fmodf "
    "fmod"
    " copysignf copysign fabsf fabs expf exp"
    // our helpers and the shared-memory arena
    " floordiv floormod max_nan min_nan elect_sync to_int8 to_int16 to_int32 to_int64 to_uint8"
    " to_uint16 to_uint32 to_uint64 smem ";

// Open addressing, made by the compiler: where in kReserved the word of a slot begins (after a
// blank, so never 0), and how long it is.
struct ReservedSlot {
  std::uint16_t begin = 0;
  std::uint16_t size = 0;
};
constexpr std::size_t kReservedSlots = 1024;

constexpr std::array<ReservedSlot, kReservedSlots> make_reserved_table() {
  std::array<ReservedSlot, kReservedSlots> table{};
  std::size_t begin = kReserved.find_first_not_of(' ');
  while (begin != std::string_view::npos) {
    const std::size_t size = kReserved.find(' ', begin) - begin;
    std::size_t at = hash_of(kReserved.substr(begin, size)) % kReservedSlots;
    while (table[at].begin != 0)
      at = (at + 1) % kReservedSlots;
    table[at] = {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(size)};
    begin = kReserved.find_first_not_of(' ', begin + size);
  }
  return table;
}
constexpr std::array<ReservedSlot, kReservedSlots> kReservedTable = make_reserved_table();

bool is_reserved_word(std::string_view name, std::uint32_t hash) {
  for (std::size_t at = hash % kReservedSlots; kReservedTable[at].begin != 0;
       at = (at + 1) % kReservedSlots) {
    if (kReserved.substr(kReservedTable[at].begin, kReservedTable[at].size) == name) return true;
  }
  return false;
}

}  // namespace

std::string identifier(std::string_view base) {
  std::string result;
  if (is_ascii(base)) {
    result = base;
  } else {
    for (std::size_t i = 0; i < base.size();) {
      CodePoint letter = decode_utf8(base, i);
      if (letter.value < 0x80) {
        result += static_cast<char>(letter.value);
      } else {
        fmt::format_to(std::back_inserter(result), "_u{:04x}",
                       static_cast<std::uint32_t>(letter.value));
      }
      i += letter.length;
    }
  }
  if (result.size() <= kLongestName) return result;
  std::uint32_t hash = hash_of(result);
  result.resize(kLongestName - 9);
  return fmt::format("{}_{:08x}", result, hash);
}

bool is_reserved(std::string_view name) {
  return is_reserved_word(name, hash_of(name));
}

Names::Names() {
  words_.reserve(32);
  log_.reserve(32);
  scopes_.reserve(16);
}

std::uint32_t Names::look_up(std::string_view text) {
  const std::uint32_t hash = hash_of(text);
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    const Word& word = words_[slots_[at] - 1];
    if (word.hash == hash && word.text == text) return slots_[at] - 1;
  }
  words_.push_back({.text = arena_.copy_string(text),
                    .hash = hash,
                    .is_reserved = is_reserved_word(text, hash)});
  slots_[at] = static_cast<std::uint32_t>(words_.size());
  if (words_.size() * 2 > slots_.size()) grow();
  return static_cast<std::uint32_t>(words_.size() - 1);
}

void Names::grow() {
  std::vector<std::uint32_t> larger(slots_.size() * 4);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    std::size_t at = words_[i].hash & (larger.size() - 1);
    while (larger[at] != 0)
      at = (at + 1) & (larger.size() - 1);
    larger[at] = static_cast<std::uint32_t>(i + 1);
  }
  many_slots_.swap(larger);
  slots_ = many_slots_;
}

void Names::reserve(std::string_view name) {
  words_[look_up(name)].is_taken = true;
}

std::string_view Names::take(std::string_view wanted) {
  const std::uint32_t index = look_up(wanted);
  Word& word = words_[index];
  // Names of two underscores belong to the implementation; with a number behind they clash less. A
  // reserved word counts like a name that somebody has.
  if (!word.is_taken && !word.is_reserved && !wanted.starts_with("__")) {
    word.is_taken = true;
    word.count = 0;
    log_.push_back({.word = index, .appeared = true});
    return word.text;
  }
  word.is_taken = true;
  log_.push_back({.word = index, .old_count = word.count});
  std::uint32_t count = word.count;
  std::uint32_t made = 0;
  do {
    made = look_up(fmt::format("{}_{}", wanted, ++count));
  } while (words_[made].is_taken || words_[made].is_reserved);
  words_[index].count = count;
  words_[made].is_taken = true;
  words_[made].count = 0;
  log_.push_back({.word = made, .appeared = true});
  return words_[made].text;
}

std::string_view Names::declare(const void* object, std::string_view base,
                                std::string_view suffix) {
  std::string_view name = declare_temporary(base, suffix);
  names_[object] = name;
  return name;
}

std::string_view Names::declare_temporary(std::string_view base, std::string_view suffix) {
  std::string wanted = identifier(base);
  wanted += suffix;
  return take(wanted);
}

std::string_view Names::of(const void* object) const {
  const std::string_view* name = names_.find(object);
  TIRXCC_CHECK(name != nullptr, "a variable is used outside the scope of its declaration");
  return *name;
}

std::string_view Names::declare_label(const void* label, std::string_view base) {
  std::string wanted = identifier(base);
  if (is_reserved(wanted)) wanted += "_";
  const std::uint32_t index = look_up(wanted);
  std::uint32_t made = index;
  while (words_[made].is_label)
    made = look_up(fmt::format("{}_{}", wanted, ++words_[index].labels));
  words_[made].is_label = true;
  names_[label] = words_[made].text;
  return words_[made].text;
}

void Names::close_scope() {
  std::size_t start = scopes_.back();
  scopes_.pop_back();
  while (log_.size() > start) {
    const Change& change = log_.back();
    Word& word = words_[change.word];
    if (change.appeared) {
      word.is_taken = false;
    } else {
      word.count = change.old_count;
    }
    log_.pop_back();
  }
}

}  // namespace tirxcc::codegen_cuda
