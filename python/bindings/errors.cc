// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

namespace tirxcc::python {
namespace {

namespace nb = nanobind;

nb::tuple to_python(const Diagnostic& diagnostic) {
  static constexpr const char* kSeverities[] = {"error", "warning", "note"};
  return nb::make_tuple(kSeverities[static_cast<int>(diagnostic.severity)],
                        nb::str(diagnostic.id.c_str(), diagnostic.id.size()),
                        nb::str(diagnostic.path.c_str(), diagnostic.path.size()), diagnostic.line,
                        diagnostic.column, nb::str(diagnostic.text.c_str(), diagnostic.text.size()),
                        nb::str(diagnostic.rendered.c_str(), diagnostic.rendered.size()));
}

nb::list to_python(const std::vector<Diagnostic>& diagnostics) {
  nb::list list;
  for (const Diagnostic& diagnostic : diagnostics)
    list.append(to_python(diagnostic));
  return list;
}

}  // namespace

void set_error(const Error& error) {
  try {
    nb::object make = nb::module_::import_("tirxcc._errors").attr("make");
    std::string_view text = error.message;
    while (text.ends_with('\n'))
      text.remove_suffix(1);
    nb::object exception = make(static_cast<int>(error.kind), nb::str(text.data(), text.size()),
                                to_python(error.diagnostics));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  } catch (nb::python_error& failure) {
    failure.restore();
  }
}

void set_error(ErrorKind kind, const std::string& message) {
  set_error(Error{message, kind, {}});
}

void raise_error(const Error& error) {
  set_error(error);
  throw nb::python_error();
}

std::string take_error_text() {
  nb::python_error failure;
  return nb::str(failure.value()).c_str();
}

void complete_argument_error(std::size_t index, std::string_view signature) {
  const bool is_value = PyErr_ExceptionMatches(PyExc_ValueError) != 0;
  if (!is_value && PyErr_ExceptionMatches(PyExc_TypeError) == 0) return;
  const ErrorKind kind = is_value ? ErrorKind::Value : ErrorKind::Type;
  constexpr std::string_view kStart = "argument '";
  const std::string text = take_error_text();
  if (!text.starts_with(kStart)) return set_error(kind, text);
  set_error(kind, "argument #" + std::to_string(index + 1) + " '" + text.substr(kStart.size()) +
                      "; when calling " + std::string(signature));
}

bool warn(const std::vector<Diagnostic>& remarks) {
  if (remarks.empty()) return true;
  try {
    nb::module_::import_("tirxcc._errors").attr("warn")(to_python(remarks));
    return true;
  } catch (nb::python_error& failure) {
    failure.restore();
    return false;
  }
}

}  // namespace tirxcc::python
