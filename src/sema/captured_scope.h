// SPDX-License-Identifier: Apache-2.0
//
// Where sema asks for names that the kernel does not define itself. Two implementations: module
// constants evaluated by sema (ModuleScope: the tool and the C++ API, no Python anywhere) and
// objects of a Python process (the package).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sema/value.h"

namespace tirxcc::sema {

class CapturedScope {
 public:
  virtual ~CapturedScope() = default;

  // The value of a free name, or nullopt. Called once per name and function; names of `T`, of
  // Python's built-in functions and of module math come back as Builtin values.
  virtual std::optional<Value> lookup(std::string_view name) = 0;

  // A name that is there and still has no value for a kernel: why ("is a plain Python function"),
  // and where it was made. nullopt: there is no such name.
  struct Unavailable {
    std::string_view reason;
    Span span;
    // The embedding program could have said more: this scope only read the file.
    bool is_for_lack_of_python = true;
  };
  virtual std::optional<Unavailable> unavailable(std::string_view) const { return std::nullopt; }

  // All names it knows, for "did you mean".
  virtual std::vector<std::string_view> names() const = 0;

  // Somebody wants the compilation to end. Asked now and then where it may take long.
  virtual bool is_interrupted() { return false; }

  // Host objects: an attribute, an item or a call with meta arguments. nullopt: it has none. The
  // object's own code failed, which is reported at the span, and the value is Error then.
  virtual std::optional<Value> attribute(const Value&, std::string_view, Span) {
    return std::nullopt;
  }
  virtual std::optional<Value> call(const Value&, Values, Span) { return std::nullopt; }
};

}  // namespace tirxcc::sema
