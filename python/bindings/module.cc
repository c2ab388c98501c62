// SPDX-License-Identifier: Apache-2.0
//
// The extension module tirxcc._core: what the package's Python files call. Nothing here is public.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>

#include "background.h"
#include "boundary.h"
#include "captured.h"
#include "errors.h"
#include "executable.h"
#include "tirxcc/compiler.h"

namespace tirxcc::python {
namespace {

namespace nb = nanobind;

// Texts from this size on are compiled without the GIL; looking up a name takes it back.
constexpr std::size_t kLongText = 16 * 1024;

// Options that tirxcc.compile takes besides the target, by the names of CompileOptions.
CompileOptions read_options(const std::string& target, const nb::dict& options) {
  CompileOptions result;
  Expected<Target> parsed = Target::parse(target);
  if (!parsed) raise_error(parsed.error());
  result.target = std::move(*parsed);
  for (auto [key, value] : options) {
    const auto name = nb::cast<std::string>(nb::handle(key));
    const nb::handle given(value);
    if (name == "opt_level") {
      result.opt_level = nb::cast<int>(given);
    } else if (name == "print_after") {
      result.print_after = nb::cast<std::vector<std::string>>(given);
    } else if (name == "coarsen") {
      result.coarsen = nb::cast<int>(given);
    } else if (name == "scheme") {
      result.scheme = nb::cast<std::string>(given);
    } else if (name == "fma") {
      result.fma = nb::cast<bool>(given);
    } else if (name == "fast_math") {
      result.fast_math = nb::cast<bool>(given);
    } else if (name == "debug") {
      result.debug = nb::cast<bool>(given);
    } else if (name == "plain_scalars") {
      result.plain_scalars = nb::cast<bool>(given);
    } else if (name == "line_directives") {
      result.line_directives = nb::cast<bool>(given);
    } else if (name == "warnings") {
      result.warnings = nb::cast<bool>(given);
    } else if (name == "verify_each") {
      result.verify_each = nb::cast<bool>(given);
    } else if (name == "time_passes") {
      result.time_passes = nb::cast<bool>(given);
    }
  }
  return result;
}

nb::object to_executable(Expected<Module> module, const CompileOptions& options) {
  if (!module) raise_error(module.error());
  if (!warn(module->remarks())) throw nb::python_error();
  const std::vector<std::string> names = module->names();
  if (names.size() != 1) {
    std::string list;
    for (const std::string& name : names)
      list += (list.empty() ? "" : ", ") + name;
    raise_error(
        {"the text defines several functions; say which one: " + list, ErrorKind::Value, {}});
  }
  Expected<Kernel> kernel = module->kernel(names[0]);
  if (!kernel) raise_error(kernel.error());
  const bool is_cuda = options.target.kind == Target::Kind::Cuda;
  PyObject* executable = make_executable(std::move(*module), std::move(*kernel), is_cuda);
  if (executable == nullptr) throw nb::python_error();
  return nb::steal(executable);
}

// A compilation as work of its own.
class CompileWork final : public Work {
 public:
  explicit CompileWork(std::function<Expected<Module>()> compile) : compile_(std::move(compile)) {}
  void run() override { result_ = compile_(); }
  Expected<Module>& result() { return *result_; }

 private:
  std::function<Expected<Module>()> compile_;
  std::optional<Expected<Module>> result_;
};

Expected<Module> compile_in_background(std::function<Expected<Module>()> compile) {
  auto work = std::make_shared<CompileWork>(std::move(compile));
  if (!run_long(work)) throw nb::python_error();
  return std::move(work->result());
}

// Whether what is unrolled may be much: all but numbers in `unroll(4)`, with a small product.
bool may_unroll_much(std::string_view text) {
  constexpr std::string_view kWord = "unroll";
  constexpr std::int64_t kMuch = 256;
  std::int64_t copies = 1;
  for (std::size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at)) {
    at += kWord.size();
    const char next = at < text.size() ? text[at] : ' ';
    // Part of a longer name, or the option of a loop.
    if (std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '_' || next == '=') continue;
    std::int64_t count = 0;
    const char* first = text.data() + std::min(at + 1, text.size());
    const char* end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(first, end, count);
    const bool is_number = next == '(' && status == std::errc() && stop != end && *stop == ')';
    if (!is_number || count > kMuch) return true;
    copies *= std::max<std::int64_t>(count, 1);
    if (copies > kMuch) return true;
  }
  return false;
}

// Short texts are compiled before another thread would have heard of them, unless they unroll.
bool may_take_long(std::string_view text) {
  return text.size() >= kLongText || may_unroll_much(text);
}

nb::object compile(std::string text, const std::string& path, int first_line,
                   const std::string& name, nb::dict memo, nb::list chain,
                   const std::string& target, const nb::dict& options) {
  const CompileOptions read = read_options(target, options);
  const bool is_long = may_take_long(text);
  auto scope =
      std::make_shared<PythonScope>(std::move(memo), std::move(chain), path, first_line, is_long);
  if (!is_long) {
    Expected<Module> module =
        compile_function(std::move(text), path, first_line, name, scope, read);
    if (!module && scope->restore_interruption(module.error().message)) throw nb::python_error();
    return to_executable(std::move(module), read);
  }
  return to_executable(compile_in_background([=] {
                         return compile_function(text, path, first_line, name, scope, read);
                       }),
                       read);
}

// A whole file, read without Python; `name` may be empty if it defines one function.
nb::object compile_file_text(std::string text, const std::string& path, const std::string& name,
                             const std::string& target, const nb::dict& options) {
  CompileOptions read = read_options(target, options);
  read.only = name;
  const bool is_long = may_take_long(text) || text.find("inline") != std::string::npos;
  if (!is_long) return to_executable(compile_text(std::move(text), path, read), read);
  return to_executable(compile_in_background([=] { return compile_text(text, path, read); }), read);
}

// The function of an executable, by another target and options.
nb::object compile_again(nb::handle executable, const std::string& target,
                         const nb::dict& options) {
  const Module* module = module_of(executable.ptr());
  if (module == nullptr) throw nb::type_error("no executable");
  const CompileOptions read = read_options(target, options);
  return to_executable(module->compile_again(read), read);
}

nb::list names_of_language() {
  nb::list list;
  for (const LanguageName& name : language_names()) {
    list.append(nb::make_tuple(nb::str(name.path.data(), name.path.size()),
                               nb::str(name.doc.data(), name.doc.size()), name.is_type));
  }
  return list;
}

}  // namespace

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);
  module.def("compile", &compile);
  module.def("compile_text", &compile_file_text);
  module.def("compile_again", &compile_again);
  module.def("language_names", &names_of_language);
  module.def("note_for_unknown_name", [](const std::string& owner, const std::string& name) {
    return note_for_unknown_name(owner, name);
  });
  module.def("note_interpreter_exit", &note_interpreter_exit);
  module.def("preload", &preload);
  module.def("finish_preload", [] {
    nb::gil_scoped_release unlocked;
    finish_preload();
  });
  module.def("has_gpu", [] {
    nb::gil_scoped_release unlocked;  // the first look initialises the driver
    return Target::best().kind == Target::Kind::Cuda;
  });
  module.def("version", [] { return std::string(version()); });
  if (!add_executable_type(module.ptr()) || !add_boundary_type(module.ptr()))
    throw nb::python_error();
}

}  // namespace tirxcc::python
