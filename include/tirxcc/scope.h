// SPDX-License-Identifier: Apache-2.0
//
// Compiling a function of an embedding program: its text, and a Scope that is asked for the names
// that the text does not define. The Python package is built on this; nothing here knows Python.
//
//   auto module = tirxcc::compile_function(text, "kernels.py", 12, "relu", scope, options);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tirxcc/compiler.h"

namespace tirxcc {

class Scope;
struct CapturedFunction;

// T.dynamic("n"): two symbols are the same size if their keys are equal.
struct CapturedSymbol {
  const void* key = nullptr;
  std::string name;
  std::string dtype = "int32";
};

// What a captured name stands for while a kernel is compiled.
struct CapturedValue {
  enum class Kind : std::uint8_t {
    Unknown,      // there is no such name
    Unavailable,  // there is one, and no kernel can use it; text: why ("is a class")
    None,
    Ellipsis,
    Bool,
    Int,       // int_value, or `text` in decimal when it takes more than 64 bits
    Float,     // float_value
    String,    // text, UTF-8
    Type,      // a dtype; text: "float32"
    Tuple,     // items
    List,      // items
    Dict,      // items: key, value, key, value, ...
    Range,     // items: begin, end, step (Int each)
    Symbol,    // symbol
    Language,  // text: path below T ("cuda.thread_idx", "" for T), "py.range", "math.sqrt"
    Function,  // function
    Host,      // handle, text: how messages call it
    Failed,    // the embedding program's own code failed; text: what it said
  };

  Kind kind = Kind::Unknown;
  bool bool_value = false;
  std::int64_t int_value = 0;
  double float_value = 0;
  std::string text;
  std::vector<CapturedValue> items;
  CapturedSymbol symbol;
  std::shared_ptr<const CapturedFunction> function;
  const void* handle = nullptr;

  static CapturedValue of_kind(Kind kind, std::string text = {}) {
    CapturedValue value;
    value.kind = kind;
    value.text = std::move(text);
    return value;
  }
};

// A function that kernels may call: decorated with @T.inline, @T.function and the like.
struct CapturedFunction {
  const void* key = nullptr;  // the same function has the same key
  std::string text;           // with its decorators; may be indented
  std::string path;
  int first_line = 1;
  std::string name;
  std::shared_ptr<Scope> scope;
};

// The names around a function. Asked during compile_function only, on its thread.
class Scope {
 public:
  virtual ~Scope() = default;

  // A free name of the function; at most once per name and compilation.
  virtual CapturedValue lookup(std::string_view name) = 0;
  // All names it knows, for "did you mean".
  virtual std::vector<std::string> names() = 0;
  // An attribute of a Host value, or Unknown.
  virtual CapturedValue attribute(const void* handle, std::string_view name) = 0;
  // A call of a Host value with values known while compiling. Unknown: it cannot be called.
  virtual CapturedValue call(const void* handle, const std::vector<CapturedValue>& args) = 0;
  // Asked now and then while a compilation may take long; it fails soon after a true.
  virtual bool is_interrupted() { return false; }
};

// `text` holds one decorated function, possibly indented, whose first line is line `first_line` of
// the file `path`; messages speak of that file. `name` chooses when the text defines several.
Expected<Module> compile_function(std::string text, const std::string& path, int first_line,
                                  std::string_view name, std::shared_ptr<Scope> scope,
                                  const CompileOptions& options = {});

// A name that the language gives meaning to.
struct LanguageName {
  std::string_view path;  // "cuda.thread_idx", "py.range", "math.sqrt"
  std::string_view doc;   // one line, or empty
  bool is_type = false;
};

// All of them, sorted within each group; device functions last.
std::vector<LanguageName> language_names();

// What to write instead of a name that T (owner empty) or the namespace `owner` ("cuda") does not
// have: "in a kernel, write 'T.cuda.cta_sync()'", "did you mean 'T.floor'?", or nothing.
std::string note_for_unknown_name(std::string_view owner, std::string_view name);

}  // namespace tirxcc
