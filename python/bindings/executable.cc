// SPDX-License-Identifier: Apache-2.0
#include "executable.h"

#include <structmember.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "arrays.h"
#include "errors.h"

namespace tirxcc::python {
namespace {

// A call that took longer than this lets other Python threads run during the next one; so does one
// with this many bytes of arguments. Giving the GIL away and taking it back costs about 0.1 us.
constexpr std::int64_t kLongCallNs = 5000;
constexpr std::int64_t kManyBytes = 64 * 1024;
constexpr std::size_t kStackArguments = 16;

struct Executable {
  PyObject base;
  vectorcallfunc vectorcall;
  Module module;
  Kernel kernel;
  bool is_cuda;
  std::vector<PyObject*> names;      // interned
  std::atomic<bool> is_long = true;  // the first call compiles
};

Executable* self_of(PyObject* object) {
  return reinterpret_cast<Executable*>(object);
}

std::string join_names(const Executable& self) {
  std::string text;
  for (const ParameterInfo& parameter : self.kernel.parameters())
    text += (text.empty() ? "" : ", ") + parameter.name;
  return text.empty() ? "no arguments" : text;
}

std::string function_name(const Executable& self) {
  return std::string(self.kernel.name());
}

// The arguments of one call, in the order of the parameters.
class Call {
 public:
  explicit Call(Executable& self) : self_(self) {}

  bool bind(PyObject* const* args, std::size_t count, PyObject* keywords) {
    const std::size_t wanted = self_.names.size();
    const std::size_t total = std::max(wanted, count);
    if (total > kStackArguments) many_.resize(total);
    if (total > kStackArguments) many_held_ = std::make_unique<HeldArgument[]>(total);
    count_ = total;
    if (count > wanted) return refuse_count(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!set(i, args[i])) return false;
    }
    if (keywords == nullptr) return true;
    const auto keyword_count = static_cast<std::size_t>(PyTuple_GET_SIZE(keywords));
    for (std::size_t k = 0; k < keyword_count; ++k) {
      if (!set_keyword(PyTuple_GET_ITEM(keywords, k), args[count + k], count)) return false;
    }
    return true;
  }

  PyObject* run() {
    const bool gives_gil = self_.is_long.load(std::memory_order_relaxed) || bytes_ > kManyBytes;
    const std::span<const Argument> args(arguments(), count_);
    auto start = std::chrono::steady_clock::now();
    Expected<Scalar> result = Scalar{};
    if (gives_gil) {
      Py_BEGIN_ALLOW_THREADS;
      result = self_.kernel.launch(args, options_);
      Py_END_ALLOW_THREADS;
    } else {
      result = self_.kernel.launch(args, options_);
    }
    const std::int64_t taken = (std::chrono::steady_clock::now() - start).count();
    self_.is_long.store(taken > kLongCallNs, std::memory_order_relaxed);
    if (!result) {
      set_error(result.error());
      return nullptr;
    }
    return to_python(*result);
  }

 private:
  Argument* arguments() { return many_.empty() ? few_.data() : many_.data(); }
  HeldArgument& held(std::size_t i) { return many_held_ ? many_held_[i] : few_held_[i]; }

  bool set(std::size_t i, PyObject* object) {
    if (!held(i).set(object, self_.kernel.parameters()[i], arguments()[i])) return false;
    bytes_ += held(i).bytes();
    return true;
  }

  bool set_keyword(PyObject* name, PyObject* object, std::size_t positional) {
    const std::size_t i = find(name);
    if (i == self_.names.size() && self_.is_cuda &&
        PyUnicode_CompareWithASCIIString(name, "stream") == 0) {
      return set_stream(object);
    }
    if (i == self_.names.size()) {
      const char* text = PyUnicode_AsUTF8(name);
      set_error(ErrorKind::Type, function_name(self_) + "() has no parameter '" +
                                     (text == nullptr ? "?" : text) + "'; it takes " +
                                     join_names(self_));
      return false;
    }
    if (i < positional || arguments()[i].kind() != Argument::Kind::Missing) {
      set_error(ErrorKind::Type, function_name(self_) + "() got argument '" +
                                     self_.kernel.parameters()[i].name + "' twice");
      return false;
    }
    return set(i, object);
  }

  // A CUstream as an integer, or a stream object of torch or CuPy.
  bool set_stream(PyObject* object) {
    PyObject* address = nullptr;
    for (const char* attribute : {"cuda_stream", "ptr"}) {
      if (address == nullptr) address = PyObject_GetAttrString(object, attribute);
      PyErr_Clear();
    }
    options_.stream = PyLong_AsVoidPtr(address != nullptr ? address : object);
    Py_XDECREF(address);
    if (PyErr_Occurred() == nullptr) return true;
    PyErr_Clear();
    set_error(ErrorKind::Type, "stream is neither an integer nor a stream of torch or CuPy");
    return false;
  }

  std::size_t find(PyObject* name) const {
    for (std::size_t i = 0; i < self_.names.size(); ++i) {
      if (self_.names[i] == name) return i;
    }
    for (std::size_t i = 0; i < self_.names.size(); ++i) {
      if (PyUnicode_Compare(self_.names[i], name) == 0) return i;
    }
    return self_.names.size();
  }

  bool refuse_count(std::size_t count) {
    const std::size_t wanted = self_.names.size();
    set_error(ErrorKind::Type, function_name(self_) + "() takes " + std::to_string(wanted) +
                                   (wanted == 1 ? " argument" : " arguments") + ", " +
                                   std::to_string(count) + " given; the parameters are " +
                                   join_names(self_));
    return false;
  }

  static PyObject* to_python(const Scalar& scalar) {
    if (!scalar.has_value) Py_RETURN_NONE;
    switch (scalar.type) {
      case ElementType::Bool: return PyBool_FromLong(scalar.int_value != 0);
      case ElementType::Int8:
      case ElementType::Int16:
      case ElementType::Int32:
      case ElementType::Int64:
      case ElementType::UInt8:
      case ElementType::UInt16:
      case ElementType::UInt32: return PyLong_FromLongLong(scalar.int_value);
      case ElementType::UInt64:
        return PyLong_FromUnsignedLongLong(static_cast<std::uint64_t>(scalar.int_value));
      case ElementType::Float16:
      case ElementType::BFloat16:
      case ElementType::Float32:
      case ElementType::Float64: return PyFloat_FromDouble(scalar.float_value);
    }
    Py_RETURN_NONE;
  }

  Executable& self_;
  std::size_t count_ = 0;
  LaunchOptions options_;
  std::int64_t bytes_ = 0;
  std::array<Argument, kStackArguments> few_;
  std::array<HeldArgument, kStackArguments> few_held_;
  std::vector<Argument> many_;
  std::unique_ptr<HeldArgument[]> many_held_;
};

PyObject* call_executable(PyObject* object, PyObject* const* args, std::size_t flags,
                          PyObject* keywords) {
  Call call(*self_of(object));
  if (!call.bind(args, static_cast<std::size_t>(PyVectorcall_NARGS(flags)), keywords)) {
    return nullptr;
  }
  return call.run();
}

PyObject* to_str(std::string_view text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* to_str(const Expected<std::string>& text) {
  if (text) return to_str(std::string_view(*text));
  set_error(text.error());
  return nullptr;
}

PyObject* to_bytes(const Expected<std::string>& data) {
  if (data) {
    return PyBytes_FromStringAndSize(data->data(), static_cast<Py_ssize_t>(data->size()));
  }
  set_error(data.error());
  return nullptr;
}

PyObject* to_tuple(const std::vector<std::string>& texts) {
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(texts.size()));
  for (std::size_t i = 0; tuple != nullptr && i < texts.size(); ++i)
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), to_str(std::string_view(texts[i])));
  return tuple;
}

PyObject* get_name(PyObject* self, void*) {
  return to_str(self_of(self)->kernel.name());
}
PyObject* get_signature(PyObject* self, void*) {
  return to_str(self_of(self)->kernel.signature());
}
PyObject* get_cuda_source(PyObject* self, void*) {
  return to_str(self_of(self)->kernel.cuda_source());
}
PyObject* get_llvm_ir(PyObject* self, void*) {
  Expected<std::string> text{std::string()};
  Py_BEGIN_ALLOW_THREADS;
  text = self_of(self)->kernel.llvm_ir();
  Py_END_ALLOW_THREADS;
  return to_str(text);
}
PyObject* get_source(PyObject* self, void* closure) {
  return self_of(self)->is_cuda ? get_cuda_source(self, closure) : get_llvm_ir(self, closure);
}
PyObject* get_target(PyObject* self, void*) {
  return to_str(std::string_view(self_of(self)->is_cuda ? "cuda" : "cpu"));
}
PyObject* get_ir(PyObject* self, void*) {
  return to_str(std::string_view(self_of(self)->kernel.ir()));
}
PyObject* get_ptx(PyObject* self, void*) {
  Expected<std::string> text{std::string()};
  Py_BEGIN_ALLOW_THREADS;
  text = self_of(self)->kernel.ptx();
  Py_END_ALLOW_THREADS;
  return to_str(text);
}
PyObject* get_cubin(PyObject* self, void*) {
  Expected<std::string> data{std::string()};
  Py_BEGIN_ALLOW_THREADS;
  data = self_of(self)->kernel.cubin();
  Py_END_ALLOW_THREADS;
  return to_bytes(data);
}
PyObject* get_kernels(PyObject* self, void*) {
  return to_tuple(self_of(self)->kernel.kernel_names());
}
PyObject* get_parameters(PyObject* self, void*) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : self_of(self)->kernel.parameters())
    names.push_back(parameter.name);
  return to_tuple(names);
}
PyObject* get_variants(PyObject* self, void*) {
  return to_tuple(self_of(self)->kernel.variants_run());
}
PyObject* get_times(PyObject* self, void*) {
  const CompileTimes times = self_of(self)->kernel.times();
  return Py_BuildValue("{sdsdsd}", "front_end_ms", times.front_end_ms, "passes_ms", times.passes_ms,
                       "code_ms", times.code_ms);
}
PyObject* get_pass_output(PyObject* self, void*) {
  return to_str(std::string_view(self_of(self)->module.pass_output()));
}

// Compiles what a call with these arguments would need; the arguments are optional.
PyObject* prepare(PyObject* self, PyObject*, PyObject*) {
  Expected<void> done;
  Py_BEGIN_ALLOW_THREADS;
  done = self_of(self)->kernel.prepare();
  Py_END_ALLOW_THREADS;
  if (!done) {
    set_error(done.error());
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyObject* represent(PyObject* self) {
  const std::string text =
      "<tirxcc.Executable " + std::string(self_of(self)->kernel.signature()) + ">";
  return to_str(std::string_view(text));
}

void deallocate(PyObject* object) {
  Executable* self = self_of(object);
  PyTypeObject* type = Py_TYPE(object);
  for (PyObject* name : self->names)
    Py_DECREF(name);
  self->module.~Module();
  self->kernel.~Kernel();
  using Names = std::vector<PyObject*>;
  self->names.~Names();
  type->tp_free(object);
  Py_DECREF(type);
}

PyGetSetDef kProperties[] = {
    {"name", get_name, nullptr, "The function's name.", nullptr},
    {"signature", get_signature, nullptr, "Name and parameters, as errors show them.", nullptr},
    {"parameters", get_parameters, nullptr, "Names of the parameters, in order.", nullptr},
    {"kernels", get_kernels, nullptr, "Names of the kernels that a call launches.", nullptr},
    {"target", get_target, nullptr, "cpu or cuda.", nullptr},
    {"source", get_source, nullptr, "The CUDA C++ (cuda) or LLVM IR (cpu).", nullptr},
    {"cuda_source", get_cuda_source, nullptr, "The CUDA C++ of the kernels.", nullptr},
    {"llvm_ir", get_llvm_ir, nullptr, "The LLVM IR (CPU target).", nullptr},
    {"ir", get_ir, nullptr, "The compiler's IR, in the kernel language.", nullptr},
    {"ptx", get_ptx, nullptr, "PTX, by NVRTC.", nullptr},
    {"cubin", get_cubin, nullptr, "Machine code of the target's architecture, by NVRTC.", nullptr},
    {"variants_run", get_variants, nullptr, "Variants of the kernels that calls have run.",
     nullptr},
    {"times", get_times, nullptr, "Where the time of compiling went, in milliseconds.", nullptr},
    {"pass_output", get_pass_output, nullptr, "What print_after and time_passes asked for.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef kMethods[] = {
    {"prepare", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(prepare)),
     METH_VARARGS | METH_KEYWORDS,
     "prepare(*args): compiles now what else the first call would compile."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef kMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Executable, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot kSlots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                        {Py_tp_repr, reinterpret_cast<void*>(represent)},
                        {Py_tp_getset, kProperties},
                        {Py_tp_methods, kMethods},
                        {Py_tp_members, kMembers},
                        {Py_tp_doc, const_cast<char*>("A compiled function; calling it runs it.")},
                        {0, nullptr}};

PyType_Spec kSpec = {
    "tirxcc.Executable", sizeof(Executable), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, kSlots};

PyTypeObject* executable_type = nullptr;

}  // namespace

bool add_executable_type(PyObject* module) {
  executable_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&kSpec));
  return executable_type != nullptr && PyModule_AddType(module, executable_type) == 0;
}

PyObject* make_executable(Module module, Kernel kernel, bool is_cuda) {
  PyObject* object = executable_type->tp_alloc(executable_type, 0);
  if (object == nullptr) return nullptr;
  Executable* self = self_of(object);
  self->vectorcall = call_executable;
  self->is_cuda = is_cuda;
  new (&self->module) Module(std::move(module));
  new (&self->kernel) Kernel(std::move(kernel));
  new (&self->names) std::vector<PyObject*>();
  new (&self->is_long) std::atomic<bool>(true);
  for (const ParameterInfo& parameter : self->kernel.parameters())
    self->names.push_back(PyUnicode_InternFromString(parameter.name.c_str()));
  return object;
}

}  // namespace tirxcc::python
