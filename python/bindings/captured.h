// SPDX-License-Identifier: Apache-2.0
//
// Python objects as captured values: the Scope of a decorated function (tirxcc/scope.h).
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "tirxcc/scope.h"

namespace tirxcc::python {

// The names that one Python function sees. `chain` is a list of dicts, innermost first; what was
// found is kept in `memo`, so that a later compilation for another target sees what the decorator
// saw although a global has changed since.
class PythonScope final : public Scope {
 public:
  // The function begins at that line of the file; a name that it lacks may follow there.
  // `takes_gil`: the compilation runs without the GIL.
  PythonScope(nanobind::dict memo, nanobind::list chain, std::string path, int first_line,
              bool takes_gil);
  ~PythonScope() override;

  CapturedValue lookup(std::string_view name) override;
  std::vector<std::string> names() override;
  CapturedValue attribute(const void* handle, std::string_view name) override;
  CapturedValue call(const void* handle, const std::vector<CapturedValue>& args) override;
  bool is_interrupted() override;
  // Raises again what a signal raised while compiling, with a note; false: nothing did.
  bool restore_interruption(const std::string& note);

 private:
  CapturedValue missing(std::string_view name);
  CapturedValue to_captured(nanobind::handle object, int depth);
  CapturedValue items_to_captured(nanobind::handle items, CapturedValue::Kind kind, int depth);
  CapturedValue describe(nanobind::handle object);
  nanobind::object to_python(const CapturedValue& value);

  // The GIL for a scope of C++, if the compilation does not have it.
  class Gil {
   public:
    explicit Gil(bool is_needed);

   private:
    std::optional<nanobind::gil_scoped_acquire> acquired_;
  };

  std::string path_;
  int first_line_;
  bool takes_gil_;
  nanobind::dict memo_;
  nanobind::list chain_;
  // Keeps the objects alive that Host values point to.
  nanobind::list hosts_;
  // The exception of a signal that came while compiling.
  PyObject* raised_[3] = {};
};

}  // namespace tirxcc::python
