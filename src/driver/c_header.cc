// SPDX-License-Identifier: Apache-2.0
//
// See c_header.h. For a kernel `relu(A: Tensor([n], float32), B: Tensor([n], float32))`:
//
//   int relu(const float* A, float* B, int64_t n);
//   int64_t relu_block_count(const float* A, float* B, int64_t n);
//   int relu_blocks(const float* A, float* B, int64_t n, int64_t begin, int64_t end);
#include "driver/c_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <unordered_set>

namespace tirxcc::driver {
namespace {

constexpr std::string_view kAbout = R"( *
 * The object file that `tirxcc build --emit=obj` makes of the same kernels needs the C library and
 * its mathematics (-lm), and nothing else.
 *
 * Nothing is checked. Pointers must lead to arrays of the shape that is stated, aligned as their
 * type or as stated; arrays are row-major without gaps unless strides are stated (in elements).
 * Memory that is written must not overlap that of another argument. bool arrays hold 0 and 1, one
 * a byte; float16 and bfloat16 are passed as their bits, in uint16_t.
 *
 * A function runs all blocks of its launch on the calling thread and returns
 *    0  when it is done,
 *   -1  when a size does not fit its type or leads to a launch that is not possible,
 *   -2  when there is no memory for the arrays of a block,
 *   or the number of the assert that failed; each function lists its own.
 *
 * To use several threads: F_block_count gives the number of blocks of the launch (or -1), and
 * F_blocks runs those from `begin` to `end` - 1. Blocks do not wait for each other: parts may run
 * at the same time and in any order.
)";

constexpr std::string_view kWords[] = {
    "alignas", "alignof",  "and",     "asm",      "auto",      "bitand",  "bitor",     "bool",
    "case",    "catch",    "char",    "class",    "compl",     "const",   "default",   "delete",
    "do",      "double",   "enum",    "explicit", "export",    "extern",  "false",     "float",
    "friend",  "goto",     "inline",  "int",      "long",      "mutable", "namespace", "new",
    "not",     "operator", "or",      "private",  "protected", "public",  "register",  "restrict",
    "short",   "signed",   "sizeof",  "static",   "struct",    "switch",  "template",  "this",
    "throw",   "true",     "typedef", "typeid",   "typename",  "typeof",  "union",     "unsigned",
    "using",   "virtual",  "void",    "volatile", "xor"};

std::string c_type(DType type) {
  if (type.code == TypeCode::Handle) return "void*";
  if (type.is_bool()) return "bool";
  if (type.is_float32()) return "float";
  if (type.is_float64()) return "double";
  if (type.is_half_like()) return "uint16_t";
  return fmt::format("{}int{}_t", type.is_signed_int() ? "" : "u", type.bits);
}

// Elements in memory: a bool is a byte of 0 or 1.
std::string element_type(DType type) {
  return type.is_bool() ? "uint8_t" : c_type(type.lane());
}

std::string joined(const std::vector<abi::DimSpec>& dims) {
  std::string text;
  for (const abi::DimSpec& dim : dims)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", dim.text);
  return text;
}

// One parameter of the C function.
struct CParameter {
  std::string type;  // with a space or '*' at its end
  std::string name;
  std::string about;
};

class Names {
 public:
  std::string add(std::string_view wanted) {
    std::string name;
    for (const char c : wanted) {
      const bool is_plain = (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_';
      name += is_plain ? std::string(1, c) : fmt::format("u{:02x}", static_cast<unsigned char>(c));
    }
    const bool is_word = is_c_word(name);
    if (is_word) name += '_';
    while (!used_.insert(name).second)
      name += '_';
    return name;
  }

 private:
  // What a declaration adds to the parameters.
  std::unordered_set<std::string> used_ = {"begin", "end", "result"};
};

CParameter tensor(const abi::ParamSpec& param, Names& names) {
  CParameter made;
  made.type = fmt::format("{}{}*", param.is_written ? "" : "const ", element_type(param.dtype));
  made.name = names.add(param.name);
  made.about = fmt::format("[{}] of {}", joined(param.shape), to_string(param.dtype));
  if (!param.strides.empty()) made.about += fmt::format(", strides [{}]", joined(param.strides));
  if (param.align > 0) made.about += fmt::format(", {}-byte aligned", param.align);
  made.about += param.is_written && param.is_read ? ", read and written"
                : param.is_written                ? ", written"
                : param.is_read                   ? ", read"
                                                  : ", not used";
  return made;
}

std::vector<CParameter> parameters(const abi::Plan& plan) {
  std::vector<CParameter> all;
  Names names;
  for (const abi::ParamSpec& param : plan.params) {
    if (param.kind == abi::ParamKind::None) continue;
    if (param.kind == abi::ParamKind::Tensor) {
      all.push_back(tensor(param, names));
    } else {
      const bool is_pointer = param.kind == abi::ParamKind::Pointer;
      all.push_back({is_pointer ? "void*" : c_type(param.dtype), names.add(param.name),
                     is_pointer ? "a pointer" : to_string(param.dtype)});
    }
  }
  for (const abi::SymbolSpec& symbol : plan.symbols) {
    const bool is_param =
        std::any_of(plan.params.begin(), plan.params.end(),
                    [&](const abi::ParamSpec& param) { return param.slot == symbol.slot; });
    if (is_param) continue;
    all.push_back({"int64_t", names.add(symbol.name),
                   fmt::format("{}; must fit {}", symbol.origin, to_string(symbol.dtype))});
  }
  return all;
}

// On one line, or with a line for each parameter.
std::string declaration(std::string_view result, const std::string& name,
                        const std::vector<CParameter>& parameters) {
  constexpr std::size_t kWidth = 100;
  std::string line = fmt::format("{} {}(", result, name);
  std::string lines = line;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string one = fmt::format("{} {}", parameters[i].type, parameters[i].name);
    line += (i == 0 ? "" : ", ") + one;
    lines += (i == 0 ? "\n    " : ",\n    ") + one;
  }
  const std::string& text = line.size() + 2 > kWidth ? lines : line;
  return text + (parameters.empty() ? "void);\n" : ");\n");
}

// Texts of the kernel file must not end the comment that they are in.
void defuse(std::string& comment) {
  for (std::size_t at = comment.find("*/"); at != std::string::npos; at = comment.find("*/", at))
    comment.replace(at, 2, "* /");
}

std::string function_text(const CFunction& function) {
  const abi::Plan& plan = *function.plan;
  std::string text = fmt::format("/* {}\n", plan.function_name);
  std::vector<CParameter> params = parameters(plan);
  if (!params.empty() || !function.failures.empty()) text += " *\n";
  for (const CParameter& param : params)
    text += fmt::format(" *   {}: {}\n", param.name, param.about);
  for (std::size_t i = 0; i < function.failures.size(); ++i)
    text += fmt::format(" *   returns {}: {}\n", i + 1, function.failures[i]);
  defuse(text);
  text += " */\n";
  std::vector<CParameter> whole = params;
  if (!plan.result.is_void()) whole.push_back({c_type(plan.result) + "*", "result", {}});
  text += declaration("int", plan.function_name, whole);
  if (!function.has_blocks) return text;
  text += declaration("int64_t", plan.function_name + "_block_count", params);
  params.push_back({"int64_t", "begin", {}});
  params.push_back({"int64_t", "end", {}});
  return text + declaration("int", plan.function_name + "_blocks", params);
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string guard_of(std::string_view file) {
  std::string guard = "TIRXCC_";
  for (const char c : file.substr(0, file.rfind('.'))) {
    const auto letter = static_cast<unsigned char>(c);
    guard += std::isalnum(letter) != 0 ? static_cast<char>(std::toupper(letter)) : '_';
  }
  return guard + "_H";
}

}  // namespace

bool is_c_word(std::string_view name) {
  return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
}

std::string c_header(std::span<const CFunction> functions, std::string_view path) {
  const std::string_view file = file_name(path);
  const std::string guard = guard_of(file);
  std::string text = fmt::format("/* The kernels of {} as C functions; made by tirxcc.\n", file);
  text += kAbout;
  text += fmt::format(
      " */\n#ifndef {0}\n#define {0}\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
      guard);
  for (const CFunction& function : functions)
    text += '\n' + function_text(function);
  text += fmt::format("\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {} */\n", guard);
  return text;
}

}  // namespace tirxcc::driver
