// SPDX-License-Identifier: Apache-2.0
//
// Numbers, strings and containers of exactly Python's own types are converted here; everything else
// (names of T, dtypes, NumPy scalars, decorated functions, host objects) is described by
// tirxcc/_capture.py, which is asked at most once per name and compilation.
#include "captured.h"

#include "background.h"

namespace tirxcc::python {
namespace {

namespace nb = nanobind;
using Kind = CapturedValue::Kind;

constexpr int kMaxDepth = 32;

std::string to_string(nb::handle text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    // A lone surrogate: no text that a kernel could print.
    PyErr_Clear();
    return {};
  }
  return {data, static_cast<std::size_t>(size)};
}

nb::str to_str(std::string_view text) {
  return nb::str(text.data(), text.size());
}

CapturedValue unavailable(std::string reason) {
  return CapturedValue::of_kind(Kind::Unavailable, std::move(reason));
}

CapturedValue of_int(nb::handle object) {
  CapturedValue value = CapturedValue::of_kind(Kind::Int);
  int overflow = 0;
  value.int_value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow == 0) return value;
  nb::object bits = object.attr("bit_length")();
  if (nb::cast<long>(bits) > 127) return unavailable("is an integer of more than 128 bits");
  value.text = to_string(nb::str(object));
  return value;
}

CapturedValue of_string(nb::handle object) {
  CapturedValue value = CapturedValue::of_kind(Kind::String, to_string(object));
  if (value.text.empty() && PyUnicode_GetLength(object.ptr()) != 0) {
    return unavailable("is a string with a lone surrogate, which is no text");
  }
  return value;
}

CapturedValue of_range(nb::handle object) {
  CapturedValue value = CapturedValue::of_kind(Kind::Range);
  for (const char* part : {"start", "stop", "step"})
    value.items.push_back(of_int(object.attr(part)));
  return value;
}

// "ValueError: text" of the error that is set or was caught.
std::string describe_failure(nb::python_error& failure) {
  std::string type = to_string(failure.type().attr("__name__"));
  std::string text = to_string(nb::str(failure.value()));
  return text.empty() ? type : type + ": " + text;
}

}  // namespace

PythonScope::PythonScope(nb::dict memo, nb::list chain, std::string path, int first_line,
                         bool takes_gil)
    : path_(std::move(path)),
      first_line_(first_line),
      takes_gil_(takes_gil),
      memo_(std::move(memo)),
      chain_(std::move(chain)) {}

PythonScope::~PythonScope() {
  const Gil gil(takes_gil_);
  memo_.reset();
  chain_.reset();
  hosts_.reset();
  for (PyObject* part : raised_)
    Py_XDECREF(part);
}

// In a compilation without the GIL the main thread waits and looks for signals itself.
bool PythonScope::is_interrupted() {
  if (takes_gil_) return false;
  if (raised_[0] != nullptr) return true;
  if (PyErr_CheckSignals() == 0) return false;
  PyErr_Fetch(&raised_[0], &raised_[1], &raised_[2]);
  return raised_[0] != nullptr;
}

bool PythonScope::restore_interruption(const std::string& note) {
  if (raised_[0] == nullptr) return false;
  PyErr_NormalizeException(&raised_[0], &raised_[1], &raised_[2]);
  PyObject* added = PyObject_CallMethod(raised_[1], "add_note", "s", note.c_str());
  if (added == nullptr) PyErr_Clear();
  Py_XDECREF(added);
  PyErr_Restore(std::exchange(raised_[0], nullptr), std::exchange(raised_[1], nullptr),
                std::exchange(raised_[2], nullptr));
  return true;
}

PythonScope::Gil::Gil(bool is_needed) {
  if (!is_needed) return;
  sleep_if_exiting();
  acquired_.emplace();
}

CapturedValue PythonScope::lookup(std::string_view name) {
  const Gil gil(takes_gil_);
  try {
    nb::str key = to_str(name);
    PyObject* found = PyDict_GetItemWithError(memo_.ptr(), key.ptr());
    for (std::size_t i = 0; found == nullptr && i < chain_.size(); ++i) {
      found = PyDict_GetItemWithError(chain_[i].ptr(), key.ptr());
      if (found != nullptr) PyDict_SetItem(memo_.ptr(), key.ptr(), found);
    }
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return found == nullptr ? missing(name) : to_captured(found, 0);
  } catch (nb::python_error& failure) {
    return unavailable("could not be looked at (" + describe_failure(failure) + ")");
  }
}

// A name that has no value yet: the file may give it one below the function.
CapturedValue PythonScope::missing(std::string_view name) {
  nb::object find = nb::module_::import_("tirxcc._capture").attr("defined_later");
  const int line = nb::cast<int>(find(to_str(path_), first_line_, to_str(name)));
  if (line == 0) return {};
  return unavailable("is defined further down, in line " + std::to_string(line) +
                     "; move it above the kernel, which sees what is there when it is defined");
}

std::vector<std::string> PythonScope::names() {
  const Gil gil(takes_gil_);
  std::vector<std::string> names;
  for (nb::handle scope : chain_) {
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(scope.ptr(), &at, &key, &value) != 0) {
      if (PyUnicode_Check(key)) names.push_back(to_string(key));
    }
  }
  return names;
}

CapturedValue PythonScope::attribute(const void* handle, std::string_view name) {
  const Gil gil(takes_gil_);
  auto* object = static_cast<PyObject*>(const_cast<void*>(handle));
  try {
    PyObject* found = PyObject_GetAttr(object, to_str(name).ptr());
    if (found == nullptr) throw nb::python_error();
    return to_captured(nb::steal(found), 0);
  } catch (nb::python_error& failure) {
    if (failure.matches(PyExc_AttributeError)) return {};
    return CapturedValue::of_kind(Kind::Failed, describe_failure(failure));
  }
}

CapturedValue PythonScope::call(const void* handle, const std::vector<CapturedValue>& args) {
  const Gil gil(takes_gil_);
  auto* object = static_cast<PyObject*>(const_cast<void*>(handle));
  if (PyCallable_Check(object) == 0) return {};
  try {
    nb::list list;
    for (const CapturedValue& arg : args)
      list.append(to_python(arg));
    PyObject* result = PyObject_CallObject(object, nb::tuple(list).ptr());
    if (result == nullptr) throw nb::python_error();
    CapturedValue value = to_captured(nb::steal(result), 0);
    if (value.kind == Kind::Unavailable) {
      return CapturedValue::of_kind(Kind::Failed, "the result of the call " + value.text);
    }
    return value;
  } catch (nb::python_error& failure) {
    return CapturedValue::of_kind(Kind::Failed, describe_failure(failure));
  }
}

CapturedValue PythonScope::items_to_captured(nb::handle items, Kind kind, int depth) {
  CapturedValue value = CapturedValue::of_kind(kind);
  for (nb::handle item : items) {
    value.items.push_back(to_captured(item, depth + 1));
    if (value.items.back().kind == Kind::Unavailable) return value.items.back();
    if (kind == Kind::Dict) {
      value.items.push_back(to_captured(nb::object(items[item]), depth + 1));
      if (value.items.back().kind == Kind::Unavailable) return value.items.back();
    }
  }
  return value;
}

CapturedValue PythonScope::to_captured(nb::handle object, int depth) {
  if (depth > kMaxDepth) return unavailable("is nested too deeply");
  PyObject* raw = object.ptr();
  if (raw == Py_None) return CapturedValue::of_kind(Kind::None);
  if (raw == Py_Ellipsis) return CapturedValue::of_kind(Kind::Ellipsis);
  CapturedValue value;
  if (PyBool_Check(raw)) {
    value.kind = Kind::Bool;
    value.bool_value = raw == Py_True;
    return value;
  }
  if (PyLong_CheckExact(raw)) return of_int(object);
  if (PyFloat_CheckExact(raw)) {
    value.kind = Kind::Float;
    value.float_value = PyFloat_AsDouble(raw);
    return value;
  }
  if (PyUnicode_Check(raw)) return of_string(object);
  if (PyTuple_Check(raw)) return items_to_captured(object, Kind::Tuple, depth);
  if (PyList_Check(raw)) return items_to_captured(object, Kind::List, depth);
  if (PyDict_CheckExact(raw)) return items_to_captured(object, Kind::Dict, depth);
  if (PyRange_Check(raw)) return of_range(object);
  return describe(object);
}

// _capture.describe gives (kind, ...).
CapturedValue PythonScope::describe(nb::handle object) {
  static PyObject* function =
      nb::object(nb::module_::import_("tirxcc._capture").attr("describe")).release().ptr();
  nb::tuple parts = nb::cast<nb::tuple>(nb::handle(function)(object));
  std::string kind = to_string(parts[0]);
  if (kind == "value") return to_captured(nb::object(parts[1]), 0);
  if (kind == "language") return CapturedValue::of_kind(Kind::Language, to_string(parts[1]));
  if (kind == "type") return CapturedValue::of_kind(Kind::Type, to_string(parts[1]));
  if (kind == "unavailable") return unavailable(to_string(parts[1]));
  CapturedValue value;
  if (kind == "symbol") {
    value.kind = Kind::Symbol;
    value.symbol = {object.ptr(), to_string(parts[1]), to_string(parts[2])};
    return value;
  }
  if (kind == "function") {
    auto made = std::make_shared<CapturedFunction>();
    made->key = object.ptr();
    made->text = to_string(parts[1]);
    made->path = to_string(parts[2]);
    made->first_line = nb::cast<int>(nb::object(parts[3]));
    made->name = to_string(parts[4]);
    made->scope = std::make_shared<PythonScope>(nb::cast<nb::dict>(nb::object(parts[5])),
                                                nb::cast<nb::list>(nb::object(parts[6])),
                                                made->path, made->first_line, takes_gil_);
    value.kind = Kind::Function;
    value.function = std::move(made);
    return value;
  }
  value.kind = Kind::Host;
  value.handle = object.ptr();
  value.text = to_string(parts[1]);
  hosts_.append(object);
  return value;
}

nb::object PythonScope::to_python(const CapturedValue& value) {
  switch (value.kind) {
    case Kind::Unknown:
    case Kind::Unavailable:
    case Kind::Failed:
    case Kind::Symbol:
    case Kind::Function:
    case Kind::None: return nb::none();
    case Kind::Ellipsis: return nb::ellipsis();
    case Kind::Bool: return nb::bool_(value.bool_value);
    case Kind::Int:
      if (!value.text.empty()) return nb::steal(PyLong_FromString(value.text.c_str(), nullptr, 10));
      return nb::int_(value.int_value);
    case Kind::Float: return nb::float_(value.float_value);
    case Kind::String: return to_str(value.text);
    case Kind::Type:
    case Kind::Language:
      return nb::module_::import_("tirxcc._language").attr("name_of")(to_str(value.text));
    case Kind::Tuple:
    case Kind::List: {
      nb::list list;
      for (const CapturedValue& item : value.items)
        list.append(to_python(item));
      if (value.kind == Kind::Tuple) return nb::tuple(list);
      return list;
    }
    case Kind::Dict: {
      nb::dict dict;
      for (std::size_t i = 0; i + 1 < value.items.size(); i += 2)
        dict[to_python(value.items[i])] = to_python(value.items[i + 1]);
      return dict;
    }
    case Kind::Range:
      return nb::handle(reinterpret_cast<PyObject*>(&PyRange_Type))(
          value.items[0].int_value, value.items[1].int_value, value.items[2].int_value);
    case Kind::Host: return nb::borrow(static_cast<PyObject*>(const_cast<void*>(value.handle)));
  }
  return nb::none();
}

}  // namespace tirxcc::python
