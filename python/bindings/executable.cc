// SPDX-License-Identifier: Apache-2.0
#include "executable.h"

#include <structmember.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "background.h"
#include "boundary.h"
#include "call.h"
#include "errors.h"

namespace tirxcc::python {
namespace {

// Compiled text of kernels whose front end took longer than this is made on another thread.
constexpr double kLongFrontEndMs = 5;

struct Executable {
  PyObject base;
  vectorcallfunc vectorcall;
  Module module;
  std::shared_ptr<Callee> callee;
  // Texts that were asked for once.
  PyObject* cuda_source;
  PyObject* llvm_ir;
  // How another process makes the same one, for pickle; strings and numbers alone, or null.
  PyObject* origin;
};

Executable* self_of(PyObject* object) {
  return reinterpret_cast<Executable*>(object);
}

const Kernel& kernel_of(PyObject* object) {
  return self_of(object)->callee->kernel;
}

PyObject* call_executable(PyObject* object, PyObject* const* args, std::size_t flags,
                          PyObject* keywords) {
  PyObject* result = call(self_of(object)->callee, args,
                          static_cast<std::size_t>(PyVectorcall_NARGS(flags)), keywords);
  if (result == nullptr) trim_error();
  return result;
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

// Makes a text or bytes of a kernel, which may compile.
class TextWork final : public Work {
 public:
  using Maker = Expected<std::string> (Kernel::*)() const;
  TextWork(Kernel kernel, Maker make) : kernel_(std::move(kernel)), make_(make) {}
  void run() override { text_ = (kernel_.*make_)(); }
  const Expected<std::string>& text() const { return text_; }

 private:
  Kernel kernel_;
  Maker make_;
  Expected<std::string> text_{std::string()};
};

std::shared_ptr<TextWork> make_text(PyObject* self, TextWork::Maker make) {
  auto work = std::make_shared<TextWork>(kernel_of(self), make);
  return run_long(work) ? work : nullptr;
}

PyObject* to_tuple(const std::vector<std::string>& texts) {
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(texts.size()));
  for (std::size_t i = 0; tuple != nullptr && i < texts.size(); ++i)
    PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), to_str(std::string_view(texts[i])));
  return tuple;
}

PyObject* get_name(PyObject* self, void*) {
  return to_str(kernel_of(self).name());
}
PyObject* get_signature(PyObject* self, void*) {
  return to_str(kernel_of(self).signature());
}
PyObject* get_cuda_source(PyObject* self, void*) {
  PyObject*& kept = self_of(self)->cuda_source;
  if (kept == nullptr) {
    if (kernel_of(self).times().front_end_ms < kLongFrontEndMs) {
      kept = to_str(kernel_of(self).cuda_source());
    } else if (auto work = make_text(self, &Kernel::cuda_source)) {
      kept = to_str(work->text());
    }
  }
  return Py_XNewRef(kept);
}
PyObject* get_llvm_ir(PyObject* self, void*) {
  PyObject*& kept = self_of(self)->llvm_ir;
  if (kept == nullptr) {
    if (auto work = make_text(self, &Kernel::llvm_ir)) kept = to_str(work->text());
  }
  return Py_XNewRef(kept);
}
PyObject* get_source(PyObject* self, void* closure) {
  return self_of(self)->callee->is_cuda ? get_cuda_source(self, closure)
                                        : get_llvm_ir(self, closure);
}
PyObject* get_target(PyObject* self, void*) {
  return to_str(std::string_view(self_of(self)->callee->is_cuda ? "cuda" : "cpu"));
}
PyObject* get_ir(PyObject* self, void*) {
  return to_str(std::string_view(kernel_of(self).ir()));
}
PyObject* explain_executable(PyObject* self, PyObject*) {
  auto work = make_text(self, &Kernel::explain);
  return work != nullptr ? to_str(work->text()) : nullptr;
}
PyObject* get_ptx(PyObject* self, void*) {
  auto work = make_text(self, &Kernel::ptx);
  return work != nullptr ? to_str(work->text()) : nullptr;
}
PyObject* get_cubin(PyObject* self, void*) {
  auto work = make_text(self, &Kernel::cubin);
  return work != nullptr ? to_bytes(work->text()) : nullptr;
}
// A new tuple of tirxcc.KernelInfo.
PyObject* get_kernels(PyObject* self, void*) {
  PyObject* rows = PyList_New(0);
  for (const KernelInfo& info : kernel_of(self).kernels()) {
    PyObject* row =
        Py_BuildValue("(sNNNLs)", info.name.c_str(), to_tuple(info.grid), to_tuple(info.block),
                      to_tuple(info.cluster), static_cast<long long>(info.shared_bytes),
                      info.dynamic_shared_bytes.c_str());
    if (row != nullptr) PyList_Append(rows, row);
    Py_XDECREF(row);
  }
  PyObject* module = PyImport_ImportModule("tirxcc._kernel_info");
  PyObject* made = module == nullptr ? nullptr : PyObject_CallMethod(module, "make", "O", rows);
  Py_XDECREF(module);
  Py_DECREF(rows);
  return made;
}
PyObject* get_parameters(PyObject* self, void*) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : kernel_of(self).parameters())
    names.push_back(parameter.name);
  return to_tuple(names);
}
PyObject* get_variants(PyObject* self, void*) {
  return to_tuple(kernel_of(self).variants_run());
}
PyObject* get_times(PyObject* self, void*) {
  const CompileTimes times = kernel_of(self).times();
  return Py_BuildValue("{sdsdsd}", "front_end_ms", times.front_end_ms, "passes_ms", times.passes_ms,
                       "code_ms", times.code_ms);
}
PyObject* get_pass_output(PyObject* self, void*) {
  return to_str(std::string_view(self_of(self)->module.pass_output()));
}

PyObject* prepare_executable(PyObject* self, PyObject* const* args, Py_ssize_t count,
                             PyObject* keywords) {
  if (!prepare(self_of(self)->callee, args, static_cast<std::size_t>(count), keywords)) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

// exe["relu"] and exe["main"], for programs written for libraries of several functions.
PyObject* get_item(PyObject* self, PyObject* key) {
  const std::string_view own = kernel_of(self).name();
  const char* text = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, nullptr) : nullptr;
  if (text != nullptr && (text == own || text == std::string_view("main"))) return Py_NewRef(self);
  PyErr_Clear();
  if (text == nullptr) {
    set_error(ErrorKind::Type, "'" + std::string(own) +
                                   "' is launched as its T.device_entry says, without '[...]'; "
                                   "call it: exe(...)");
    return nullptr;
  }
  set_error(ErrorKind::Name, "there is no such function; this one is '" + std::string(own) + "'");
  return nullptr;
}

// What tirxcc/_compile.py knows to make of an executable.
PyObject* get_library(PyObject* self, void*) {
  PyObject* module = PyImport_ImportModule("tirxcc._compile");
  if (module == nullptr) return nullptr;
  PyObject* made = PyObject_CallMethod(module, "RuntimeModule", "O", self);
  Py_DECREF(module);
  return made;
}

PyObject* get_self(PyObject* self, PyObject*) {
  return Py_NewRef(self);
}

PyObject* time_executable(PyObject* self, PyObject* const* args, Py_ssize_t count,
                          PyObject* keywords) {
  return time_calls(self_of(self)->callee, args, static_cast<std::size_t>(count), keywords);
}

// A list of dicts, one for each kernel.
PyObject* get_resources(PyObject* self, void*) {
  // Compiles with an answer to Ctrl-C, as a call does.
  if (!prepare(self_of(self)->callee, nullptr, 0, nullptr)) return nullptr;
  Expected<std::vector<KernelResources>> all = kernel_of(self).resources();
  if (!all) {
    set_error(all.error());
    return nullptr;
  }
  PyObject* list = PyList_New(0);
  for (const KernelResources& used : *all) {
    PyObject* dict = Py_BuildValue("{sssisisisisisisisd}", "kernel", used.kernel.c_str(),
                                   "registers", used.registers, "shared_bytes", used.shared_bytes,
                                   "spilled_bytes", used.spilled_bytes, "constant_bytes",
                                   used.constant_bytes, "max_block_threads", used.max_block_threads,
                                   "block_threads", used.block_threads, "blocks_per_multiprocessor",
                                   used.blocks_per_multiprocessor, "occupancy", used.occupancy);
    if (dict != nullptr) PyList_Append(list, dict);
    Py_XDECREF(dict);
  }
  return list;
}

PyObject* represent(PyObject* self) {
  const std::string text = "<tirxcc.Executable " + std::string(kernel_of(self).signature()) + ">";
  return to_str(std::string_view(text));
}

void deallocate(PyObject* object) {
  Executable* self = self_of(object);
  PyTypeObject* type = Py_TYPE(object);
  for (PyObject* name : self->callee->names)
    Py_DECREF(name);
  Py_XDECREF(self->cuda_source);
  Py_XDECREF(self->llvm_ir);
  Py_XDECREF(self->origin);
  using CalleePointer = std::shared_ptr<Callee>;
  self->module.~Module();
  self->callee.~CalleePointer();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

PyGetSetDef kProperties[] = {
    {"name", get_name, nullptr, "The function's name.", nullptr},
    {"signature", get_signature, nullptr, "Name and parameters, as errors show them.", nullptr},
    {"parameters", get_parameters, nullptr, "Names of the parameters, in order.", nullptr},
    {"kernels", get_kernels, nullptr,
     "The kernels that a call launches: name, grid, block, shared bytes.", nullptr},
    {"target", get_target, nullptr, "cpu or cuda.", nullptr},
    {"source", get_source, nullptr, "The CUDA C++ (cuda) or LLVM IR (cpu).", nullptr},
    {"cuda_source", get_cuda_source, nullptr, "The CUDA C++ of the kernels.", nullptr},
    {"llvm_ir", get_llvm_ir, nullptr, "The LLVM IR (CPU target).", nullptr},
    {"ir", get_ir, nullptr, "The compiler's IR, in the kernel language.", nullptr},
    {"ptx", get_ptx, nullptr, "PTX, by NVRTC.", nullptr},
    {"cubin", get_cubin, nullptr, "Machine code of the target's architecture, by NVRTC.", nullptr},
    {"resources", get_resources, nullptr,
     "What each kernel uses on GPU 0: registers, shared memory, spills, occupancy.", nullptr},
    {"variants_run", get_variants, nullptr, "Variants of the kernels that calls have run.",
     nullptr},
    {"mod", get_library, nullptr,
     "For programs of other packages: mod.imports[0].inspect_source().", nullptr},
    {"times", get_times, nullptr, "Where the time of compiling went, in milliseconds.", nullptr},
    {"pass_output", get_pass_output, nullptr, "What print_after and time_passes asked for.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef kMethods[] = {
    {"prepare", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(prepare_executable)),
     METH_FASTCALL | METH_KEYWORDS,
     "prepare(*args): compiles now what a call with these arguments would compile."},
    {"explain", explain_executable, METH_NOARGS,
     "explain(): which scheme each kernel got on the CPU and why, as text."},
    {"__copy__", get_self, METH_NOARGS, "The executable itself: it never changes."},
    {"__deepcopy__", get_self, METH_O, "The executable itself: it never changes."},
    {"jit", get_self, METH_NOARGS, "For programs of other packages: the executable itself."},
    {"time", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(time_executable)),
     METH_FASTCALL | METH_KEYWORDS,
     "time(*args, runs=30, warm_up=3, cold_cache=True): a Timing of calls on the GPU's clock."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef kMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Executable, vectorcall), READONLY, nullptr},
    {"_origin", T_OBJECT, offsetof(Executable, origin), 0, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot kSlots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                        {Py_tp_repr, reinterpret_cast<void*>(represent)},
                        {Py_mp_subscript, reinterpret_cast<void*>(get_item)},
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

const Module* module_of(PyObject* object) {
  return Py_TYPE(object) == executable_type ? &self_of(object)->module : nullptr;
}

PyObject* make_executable(Module module, Kernel kernel, bool is_cuda) {
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(executable_type, Py_tp_alloc));
  PyObject* object = allocate(executable_type, 0);
  if (object == nullptr) return nullptr;
  Executable* self = self_of(object);
  self->vectorcall = call_executable;
  new (&self->module) Module(std::move(module));
  new (&self->callee)
      std::shared_ptr<Callee>(new Callee{std::move(kernel), is_cuda, {}, false, {}});
  for (const ParameterInfo& parameter : self->callee->kernel.parameters())
    self->callee->names.push_back(PyUnicode_InternFromString(parameter.name.c_str()));
  return object;
}

}  // namespace tirxcc::python
