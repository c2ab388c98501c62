// SPDX-License-Identifier: Apache-2.0
#include "driver/compilation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "driver/cpu_target.h"
#include "driver/cuda_target.h"
#include "driver/plan_builder.h"
#include "driver/scope_adapter.h"
#include "ir/verifier.h"
#include "passes/coarsen.h"
#include "passes/launch_notes.h"
#include "passes/missing_barrier.h"
#include "passes/racing_store.h"
#include "passes/shared_size.h"
#include "passes/unguarded_access.h"
#include "passes/uninitialised_read.h"
#include "passes/vectorize.h"
#include "sema/sema.h"
#include "sema/suggest.h"
#include "syntax/parser.h"

namespace tirxcc::driver {
namespace {

using source::Severity;

constexpr source::Diagnostic kNoKernel{
    "no-kernel", Severity::Error, ErrorClass::Value,
    "the file defines no kernel; decorate a function with @T.function or @T.prim_func"};

tirxcc::Severity public_severity(Severity severity) {
  switch (severity) {
    case Severity::Error: return tirxcc::Severity::Error;
    case Severity::Warning: return tirxcc::Severity::Warning;
    case Severity::Note: return tirxcc::Severity::Note;
  }
  return tirxcc::Severity::Error;
}

ErrorKind public_kind(ErrorClass error_class) {
  return static_cast<ErrorKind>(error_class);
}

Diagnostic public_diagnostic(const source::Diagnostics& diags, const source::Message& message) {
  const source::SourceFile* file = diags.sources().file_of(message.span);
  source::LineColumn place = diags.sources().position(message.span);
  return {.severity = public_severity(message.severity),
          .kind = public_kind(message.error_class),
          .id = std::string(message.id),
          .path = file == nullptr ? std::string() : file->path,
          .line = static_cast<int>(place.line),
          .column = static_cast<int>(place.column),
          .text = message.text,
          .rendered = diags.render(message)};
}

std::string join(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::string_view name : names)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  return text;
}

// The name came from outside the file, so the message has no place in it.
Error no_such_kernel(std::string_view wanted, std::string_view path,
                     const std::vector<std::string_view>& names) {
  sema::NearestName nearest(wanted);
  for (const std::string_view name : names)
    nearest.offer(name);
  std::string text = fmt::format("there is no kernel '{}' in {}", wanted, path);
  if (!nearest.result().empty()) text += fmt::format("; did you mean '{}'?", nearest.result());
  text += fmt::format("\n  = note: the file defines {}", join(names));
  return {std::move(text), ErrorKind::Name, {}};
}

}  // namespace

std::optional<Arch> parse_arch(std::string_view name) {
  if (!name.starts_with("sm_")) return std::nullopt;
  Arch arch;
  const char* end = name.data() + name.size();
  auto [stop, status] = std::from_chars(name.data() + 3, end, arch.sm);
  if (status != std::errc() || arch.sm < 50 || arch.sm > 200) return std::nullopt;
  if (stop != end) arch.suffix = *stop++;
  bool is_known_suffix = arch.suffix == 0 || arch.suffix == 'a' || arch.suffix == 'f';
  if (stop != end || !is_known_suffix) return std::nullopt;
  return arch;
}

Error to_error(const Failure& failure) {
  return {failure.message, public_kind(failure.error_class), {}};
}

ElementType element_type(DType type) {
  if (type.is_bool()) return ElementType::Bool;
  if (type.is_bfloat16()) return ElementType::BFloat16;
  auto ordered = [&](ElementType first) {
    int step = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
    return static_cast<ElementType>(static_cast<int>(first) + step);
  };
  if (type.is_signed_int()) return ordered(ElementType::Int8);
  if (type.is_unsigned_int()) return ordered(ElementType::UInt8);
  if (type.is_float16()) return ElementType::Float16;
  return type.is_float64() ? ElementType::Float64 : ElementType::Float32;
}

Compilation::Compilation(const CompileOptions& options)
    : options_(options), front_(std::make_shared<FrontEnd>()) {}

Compilation::Compilation(const CompileOptions& options, const Compilation& other)
    : options_(options), front_(other.front_) {}

static std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

Unit::Unit() : number(next_number()) {}
Unit::~Unit() = default;

Compilation::~Compilation() = default;

Error Compilation::error_of(const source::Diagnostics& diags) const {
  Error error;
  error.message = diags.render(options_.warnings ? Severity::Note : Severity::Error);
  error.kind = public_kind(diags.first_error_class());
  for (const source::Message& message : diags.messages()) {
    error.diagnostics.push_back(public_diagnostic(diags, message));
  }
  return error;
}

void Compilation::add_remarks(const source::Diagnostics& diags) {
  std::lock_guard lock(mutex_);
  for (const source::Message& message : diags.messages()) {
    if (message.severity == Severity::Error || !options_.warnings) continue;
    // Each variant of a kernel, and each look at its code, brings them again.
    Diagnostic made = public_diagnostic(diags, message);
    const bool is_known =
        std::any_of(remarks_.begin(), remarks_.end(),
                    [&](const Diagnostic& other) { return other.rendered == made.rendered; });
    if (!is_known) remarks_.push_back(std::move(made));
  }
}

std::vector<Diagnostic> Compilation::remarks() const {
  std::lock_guard lock(mutex_);
  return remarks_;
}

void Compilation::add_pass_output(const std::string& text) {
  if (text.empty()) return;
  std::lock_guard lock(mutex_);
  pass_output_ += text;
}

std::string Compilation::pass_output() const {
  std::lock_guard lock(mutex_);
  return pass_output_;
}

PipelineOptions Compilation::pipeline_options(std::string* output) const {
  return {.verify_each = options_.verify_each,
          .time_passes = options_.time_passes,
          .print_after = options_.print_after,
          .output = output};
}

Expected<void> Compilation::load(const std::string& path) {
  Result<const source::SourceFile*> file = front_->sources.load(path);
  if (!file) return tl::unexpected<Error>(to_error(file.error()));
  return translate(**file);
}

Expected<void> Compilation::load_text(std::string text, const std::string& path) {
  return translate(front_->sources.add(path, std::move(text)));
}

Expected<void> Compilation::translate(const source::SourceFile& file) {
  auto start = std::chrono::steady_clock::now();
  source::Diagnostics diags(front_->sources);
  // Names in the IR are those of the tree, so both live in one arena.
  const syntax::Module* tree = nullptr;
  {
    StageScope stage("the parser", file.path);
    tree = syntax::parse_module(file, front_->module.arena, diags);
  }
  if (!diags.has_errors()) {
    StageScope stage("sema", file.path);
    sema::translate_module(*tree, front_->module, diags,
                           {.only = options_.only, .warn_narrowing = options_.warnings});
    if (front_->module.functions.empty() && !diags.has_errors()) {
      std::vector<std::string_view> names = sema::function_names(*tree);
      source::Span top{file.base, file.base};
      if (names.empty()) {
        diags.report(top, kNoKernel);
      } else {
        return tl::unexpected<Error>(no_such_kernel(options_.only, file.path, names));
      }
    }
  }
  return finish(diags, start);
}

Expected<void> Compilation::load_function(FunctionText text, std::shared_ptr<Scope> scope) {
  auto start = std::chrono::steady_clock::now();
  StageScope stage("the front end", text.name);
  source::Diagnostics diags(front_->sources);
  ScopeAdapters adapters(front_->sources, front_->module.arena, diags);
  const syntax::FunctionDef* def = adapters.parse(std::move(text));
  if (def != nullptr) {
    const ir::Function* function =
        sema::translate_function(*def, adapters.adapter_of(std::move(scope)), front_->module, diags,
                                 {.only = {}, .warn_narrowing = options_.warnings});
    if (function != nullptr) front_->module.functions = front_->module.arena.copy({function});
  }
  return finish(diags, start);
}

// What is wrong with options that a program gives; the command and the package look at theirs
// before, in their own words.
static std::string fault_of(const CompileOptions& options) {
  if (options.coarsen != 1 && options.coarsen != 2 && options.coarsen != 4) {
    return fmt::format("coarsen is 1, 2 or 4, not {}", options.coarsen);
  }
  constexpr std::string_view kSchemes[] = {"", "fission", "lanes", "fibers"};
  if (std::find(std::begin(kSchemes), std::end(kSchemes), options.scheme) == std::end(kSchemes)) {
    return fmt::format("scheme is 'fission', 'lanes' or 'fibers', not '{}'", options.scheme);
  }
  const std::string& arch = options.target.arch;
  const bool has_arch = options.target.kind == Target::Kind::Cuda && !arch.empty();
  if (has_arch && !parse_arch(arch)) {
    return fmt::format("'{}' is no CUDA architecture; expected one such as sm_90a", arch);
  }
  return {};
}

Expected<void> Compilation::finish(source::Diagnostics& diags,
                                   std::chrono::steady_clock::time_point start) {
  if (options_.warnings && !diags.has_errors()) {
    add_notes(diags);
    front_->has_notes = true;
  }
  for (const source::Message& message : diags.messages())
    front_->remarks.push_back(public_diagnostic(diags, message));
  Expected<void> done = add_units(diags);
  front_->ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return done;
}

Expected<void> Compilation::load_again() {
  if (options_.warnings) remarks_ = front_->remarks;
  source::Diagnostics diags(front_->sources);
  if (options_.warnings && !front_->has_notes) add_notes(diags);
  return add_units(diags);
}

void Compilation::add_notes(source::Diagnostics& diags) const {
  for (const ir::Function* function : front_->module.functions) {
    const bool may_exchange = passes::note_unguarded_accesses(*function, diags);
    if (may_exchange) passes::warn_of_missing_barriers(*function, diags);
    passes::warn_of_racing_stores(*function, diags);
    passes::note_launch_mismatches(*function, diags);
    passes::warn_of_uninitialised_reads(*function, diags);
  }
}

// The messages of the front end, if any, are among those of `diags`.
Expected<void> Compilation::add_units(source::Diagnostics& diags) {
  if (std::string fault = fault_of(options_); !fault.empty()) {
    return tl::unexpected<Error>(Error{std::move(fault), ErrorKind::Value, {}});
  }
  if (!diags.has_errors()) {
    for (const ir::Function* function : front_->module.functions)
      add_unit(*function, diags);
  }
  if (diags.has_errors()) return tl::unexpected<Error>(error_of(diags));
  if (!diags.messages().empty()) add_remarks(diags);
  return {};
}

const ir::Function& Compilation::coarsened(const ir::Function& function,
                                           source::Diagnostics& diags) {
  if (options_.coarsen <= 1) return function;
  passes::PassContext context{arena_, diags};
  const ir::Function& made = passes::coarsen(function, options_.coarsen, context);
  if (options_.verify_each) {
    std::string faults = ir::verify(made);
    TIRXCC_CHECK(faults.empty(), "the IR is wrong after coarsen:\n{}", faults);
  }
  return made;
}

void Compilation::add_unit(const ir::Function& function, source::Diagnostics& diags) {
  if (options_.verify_each) {
    std::string faults = ir::verify(function);
    TIRXCC_CHECK(faults.empty(), "the IR is wrong after sema:\n{}", faults);
  }
  auto unit = std::make_unique<Unit>();
  unit->function = &coarsened(function, diags);
  unit->plan = build_plan(*unit->function, diags);
  unit->parameters.reserve(unit->plan.params.size());
  for (const abi::ParamSpec& spec : unit->plan.params) {
    ParameterInfo info;
    info.shape.reserve(spec.shape.size());
    info.name = spec.name;
    info.is_tensor = spec.kind == abi::ParamKind::Tensor;
    info.type = element_type(spec.dtype);
    info.is_written = spec.is_written;
    info.has_default = spec.has_default;
    for (const abi::DimSpec& dim : spec.shape)
      info.shape.push_back(dim.text);
    unit->parameters.push_back(std::move(info));
  }
  if (options_.target.kind == Target::Kind::Cpu) {
    unit->cpu = std::make_unique<CpuTarget>(*this, *unit);
  } else {
    unit->cuda = std::make_unique<CudaTarget>(*this, *unit);
  }
  units_.push_back(std::move(unit));
}

Unit* Compilation::find(std::string_view name) {
  for (const std::unique_ptr<Unit>& unit : units_) {
    if (unit->function->name == name) return unit.get();
  }
  return nullptr;
}

Expected<CudaCode> Compilation::cuda_code(std::span<const Unit* const> units, std::uint8_t variant,
                                          std::string_view arch_name) {
  if (arch_name.empty()) arch_name = options_.target.arch;
  Arch arch = parse_arch(arch_name).value_or(Arch{90, 'a'});
  Arena arena;
  source::Diagnostics diags(front_->sources);
  passes::PassContext context{arena, diags, {}};
  context.options.sm = arch.sm;
  context.options.index64 = (variant & abi::kIndex64) != 0;
  context.options.no_restrict = (variant & abi::kAlias) != 0;
  context.options.scalar = (variant & abi::kScalar) != 0;
  context.options.plain_scalars = options_.plain_scalars;
  std::string output;
  std::vector<const ir::Kernel*> kernels;
  std::vector<std::string> symbols;
  CudaCode code;
  for (const Unit* unit : units) {
    std::size_t first = kernels.size();
    for (const ir::Kernel* kernel : unit->function->kernels) {
      if (!passes::check_shared_size(*kernel, context)) continue;
      const ir::Kernel& lowered = run_passes(*kernel, context, pipeline_options(&output));
      symbols.push_back(unit->plan.regions[kernels.size() - first].kernel_name);
      kernels.push_back(&lowered);
      std::vector<int>& widths = code.wide_alignment.emplace_back();
      widths.reserve(lowered.params.size());
      for (const ir::Param& param : lowered.params) {
        widths.push_back(param.tensor == nullptr ? 0
                                                 : passes::wide_alignment(lowered, *param.tensor));
      }
    }
  }
  add_pass_output(output);
  if (diags.has_errors()) return tl::unexpected<Error>(error_of(diags));
  if (!diags.messages().empty()) add_remarks(diags);
  StageScope stage("the CUDA back end", units.empty() ? "" : units[0]->function->name);
  code.text = codegen_cuda::emit_cuda(kernels,
                                      {.plain_scalars = options_.plain_scalars,
                                       .line_directives = options_.line_directives,
                                       .arch = arch.sm,
                                       .arch_suffix = arch.suffix,
                                       .variant = variant,
                                       .symbols = symbols},
                                      &front_->sources);
  return code;
}

}  // namespace tirxcc::driver
