// SPDX-License-Identifier: Apache-2.0
//
// The public C++ API (include/tirxcc) over Compilation.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "abi/half.h"
#include "abi/scalar.h"
#include "base/arena.h"
#include "driver/bound_arguments.h"
#include "driver/call_memo.h"
#include "driver/compilation.h"
#include "driver/cpu_export.h"
#include "driver/cpu_target.h"
#include "driver/cuda_target.h"
#include "driver/device_copy.h"
#include "driver/empty_launch.h"
#include "driver/kernel_impl.h"
#include "driver/kernel_info.h"
#include "driver/machine.h"
#include "ir/printer.h"
#include "runtime/cpu/thread_pool.h"
#include "runtime/cuda/doctor.h"
#include "sema/suggest.h"
#include "syntax/parser.h"
#include "syntax/printer.h"
#include "tirxcc/compiler.h"

namespace tirxcc {

using driver::BoundArguments;
using driver::CallMemo;
using driver::Compilation;
using driver::Unit;

struct Module::Impl {
  std::shared_ptr<Compilation> compilation;
  std::vector<Diagnostic> remarks;
};

namespace {

struct VariantName {
  std::string_view name;
  std::uint8_t bit;
};
constexpr std::array kVariantNames = {
    VariantName{"index64", abi::kIndex64}, VariantName{"alias", abi::kAlias},
    VariantName{"scalar", abi::kScalar}, VariantName{"big_grid", abi::kBigGrid},
    VariantName{"streaming", abi::kStreaming}};

std::string variant_text(std::uint32_t variant) {
  std::string text;
  for (const VariantName& named : kVariantNames) {
    if ((variant & named.bit) != 0)
      text += fmt::format("{}{}", text.empty() ? "" : "+", named.name);
  }
  return text.empty() ? "default" : text;
}

Expected<std::uint8_t> parse_variant(std::string_view text) {
  std::uint8_t variant = 0;
  while (!text.empty()) {
    std::size_t plus = text.find('+');
    std::string_view name = text.substr(0, plus);
    std::uint8_t bit = 0;
    for (const VariantName& named : kVariantNames) {
      if (named.name == name) bit = named.bit;
    }
    if (bit == 0 && name != "default") {
      return tl::unexpected<Error>(
          Error{fmt::format("'{}' is no variant; use index64, alias, scalar, big_grid or streaming",
                            name),
                ErrorKind::Value,
                {}});
    }
    variant |= bit;
    text = plus == std::string_view::npos ? "" : text.substr(plus + 1);
  }
  return variant;
}

Scalar to_scalar(std::uint64_t bits, DType type) {
  Scalar scalar;
  if (type.is_void()) return scalar;
  scalar.has_value = true;
  scalar.type = driver::element_type(type);
  if (type.is_float32()) {
    scalar.float_value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else if (type.is_float64()) {
    scalar.float_value = std::bit_cast<double>(bits);
  } else if (type.is_float()) {
    scalar.float_value = abi::half_value(type, static_cast<std::uint16_t>(bits));
  } else {
    scalar.int_value = static_cast<std::int64_t>(wrap_int(type, static_cast<std::int64_t>(bits)));
  }
  return scalar;
}

Error wrong_target(std::string_view what) {
  return {std::string(what), ErrorKind::Value, {}};
}

Expected<Scalar> to_scalar(const Result<void>& done, std::uint64_t bits, const Unit& unit) {
  if (!done) return tl::unexpected<Error>(driver::to_error(done.error()));
  return to_scalar(bits, unit.plan.result);
}

// On copies of host tensors.
Expected<Scalar> launch_copies(Unit& unit, std::span<const abi::Argument> args,
                               const abi::RunOptions& run_options) {
  std::uint64_t result = 0;
  Expected<driver::DeviceCopy> copy = driver::DeviceCopy::upload(args);
  if (!copy) return tl::unexpected<Error>(copy.error());
  Result<void> done = unit.cuda->launch(copy->args(), nullptr, run_options, result);
  if (!done) return tl::unexpected<Error>(driver::to_error(done.error()));
  Expected<void> downloaded = copy->download(unit.plan);
  if (!downloaded) return tl::unexpected<Error>(downloaded.error());
  return to_scalar(result, unit.plan.result);
}

// Checks the arguments and runs the plan; `memo` null: the call is not remembered.
Expected<Scalar> launch_checked(const Compilation& compilation, Unit& unit,
                                std::span<const Argument> args, const LaunchOptions& options,
                                std::uint8_t variant, CallMemo* memo) {
  BoundArguments bound(args);
  abi::EmptyLaunch empty;
  abi::RunOptions run_options;
  run_options.force_variant = variant;
  run_options.empty = &empty;
  if (unit.cuda != nullptr && options.copy_host_tensors) {
    return launch_copies(unit, bound.get(), run_options);
  }
  std::uint64_t result = 0;
  Result<void> done;
  if (unit.cuda != nullptr) {
    done = unit.cuda->launch(bound.get(), options.stream, run_options, result, memo);
  } else {
    const runtime_cpu::StopScope scope(options.stop);
    driver::NotingLauncher launcher(*unit.cpu, memo);
    Result<std::uint64_t> ran = abi::run(unit.plan, bound.get(), launcher, run_options);
    if (!ran) return tl::unexpected<Error>(driver::to_error(ran.error()));
    result = *ran;
  }
  if (empty.is_set && done && options.remark != nullptr) [[unlikely]] {
    if (auto remark = driver::remark_on(empty, bound.get(), compilation, unit)) {
      *options.remark = std::move(remark);
    }
  }
  // What has a remark has it at every call.
  if (done && memo != nullptr && !empty.is_set) memo->finish(unit.plan, args);
  return to_scalar(done, result, unit);
}

Expected<Scalar> repeat(Unit& unit, CallMemo& memo, const LaunchOptions& options) {
  std::uint64_t result = 0;
  if (unit.cuda != nullptr) {
    return to_scalar(driver::CudaTarget::repeat(memo, options.stream), result, unit);
  }
  const runtime_cpu::StopScope scope(options.stop);
  return to_scalar(unit.cpu->repeat(memo, result), result, unit);
}

// Runs a plan without its kernels: each is only compiled.
class Preparing final : public abi::Launcher {
 public:
  explicit Preparing(Unit& unit) : unit_(unit) {}

  Result<void> launch(const abi::LaunchRequest& request) override {
    if (unit_.cpu != nullptr) return unit_.cpu->prepare(request);
    Result<cuda::LoadedKernel*> kernel = unit_.cuda->kernel(request.region, request.variant);
    if (!kernel) return tl::unexpected<Failure>(kernel.error());
    return {};
  }

 private:
  Unit& unit_;
};

}  // namespace

std::string_view Kernel::name() const {
  return impl_->unit->function->name;
}
std::string_view Kernel::signature() const {
  return impl_->unit->plan.signature;
}
const std::vector<ParameterInfo>& Kernel::parameters() const {
  return impl_->unit->parameters;
}

Expected<Scalar> Kernel::launch(std::span<const Argument> args,
                                const LaunchOptions& options) const {
  Unit& unit = *impl_->unit;
  if (options.force_variant.empty() && !options.copy_host_tensors) {
    CallMemo* memo = CallMemo::find(unit.number, args);
    if (memo != nullptr) return repeat(unit, *memo, options);
    return launch_checked(*impl_->compilation, unit, args, options, 0,
                          CallMemo::place(unit.number, args));
  }
  Expected<std::uint8_t> variant = parse_variant(options.force_variant);
  if (!variant) return tl::unexpected<Error>(variant.error());
  return launch_checked(*impl_->compilation, unit, args, options, *variant, nullptr);
}

Expected<void> Kernel::prepare() const {
  Unit& unit = *impl_->unit;
  return unit.cpu != nullptr ? unit.cpu->prepare() : unit.cuda->prepare();
}

Expected<void> Kernel::prepare(std::span<const Argument> args) const {
  Unit& unit = *impl_->unit;
  if (Expected<void> ready = prepare(); !ready) return ready;
  BoundArguments bound(args);
  Preparing preparing(unit);
  const abi::Device device =
      unit.cpu != nullptr ? abi::Device{} : driver::CudaTarget::device_of(bound.get());
  Result<std::uint64_t> done = abi::run(unit.plan, bound.get(), preparing, {.device = device});
  if (!done) return tl::unexpected<Error>(driver::to_error(done.error()));
  return {};
}

Expected<std::string> Kernel::cuda_source() const {
  const Unit* units[] = {impl_->unit};
  Expected<driver::CudaCode> code = impl_->compilation->cuda_code(units, abi::kDefaultVariant);
  if (!code) return tl::unexpected<Error>(code.error());
  return std::move(code->text.text);
}

Expected<std::string> Kernel::llvm_ir() const {
  if (impl_->unit->cpu == nullptr) {
    return tl::unexpected<Error>(
        wrong_target("LLVM IR belongs to the CPU target; compile with target 'cpu'"));
  }
  return impl_->unit->cpu->llvm_ir();
}

Expected<std::string> Kernel::explain() const {
  if (impl_->unit->cpu == nullptr) {
    return tl::unexpected<Error>(
        wrong_target("only the CPU target explains its schemes; compile with target 'cpu'"));
  }
  return impl_->unit->cpu->explain();
}

std::string Kernel::ir() const {
  return ir::print(*impl_->unit->function);
}

Expected<std::string> Kernel::ptx() const {
  if (impl_->unit->cuda != nullptr) return impl_->unit->cuda->binary(cuda::OutputKind::Ptx);
  return driver::CudaTarget(*impl_->compilation, *impl_->unit).binary(cuda::OutputKind::Ptx);
}
Expected<std::string> Kernel::cubin() const {
  if (impl_->unit->cuda != nullptr) return impl_->unit->cuda->binary(cuda::OutputKind::Cubin);
  return driver::CudaTarget(*impl_->compilation, *impl_->unit).binary(cuda::OutputKind::Cubin);
}

std::vector<KernelInfo> Kernel::kernels() const {
  return driver::describe_kernels(*impl_->unit);
}

std::vector<std::string> Kernel::variants_run() const {
  std::vector<std::string> names;
  std::uint32_t bits = impl_->unit->variants_run.load();
  for (std::uint32_t variant = 0; variant < 32; ++variant) {
    if ((bits >> variant & 1) != 0) names.push_back(variant_text(variant));
  }
  return names;
}

CompileTimes Kernel::times() const {
  CompileTimes times;
  times.front_end_ms = impl_->compilation->front_end_ms();
  if (impl_->unit->cpu != nullptr) {
    times.passes_ms = impl_->unit->cpu->passes_ms();
    times.code_ms = impl_->unit->cpu->code_ms();
  }
  return times;
}

Expected<Kernel> Module::kernel(std::string_view name) const {
  Unit* unit = impl_->compilation->find(name);
  if (unit == nullptr) {
    std::string list;
    for (const std::string& other : names()) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", other);
    }
    return tl::unexpected<Error>(
        Error{fmt::format("there is no kernel '{}'; the file defines {}", name, list),
              ErrorKind::Name,
              {}});
  }
  return Kernel(std::make_shared<Kernel::Impl>(Kernel::Impl{impl_->compilation, unit}));
}

std::vector<std::string> Module::names() const {
  std::vector<std::string> names;
  for (const auto& unit : impl_->compilation->units())
    names.emplace_back(unit->function->name);
  return names;
}

std::vector<Diagnostic> Module::remarks() const {
  return impl_->compilation->remarks();
}
std::string Module::pass_output() const {
  return impl_->compilation->pass_output();
}

Expected<Module> Module::compile_again(const CompileOptions& options) const {
  auto compilation = std::make_shared<Compilation>(options, *impl_->compilation);
  Expected<void> loaded = compilation->load_again();
  if (!loaded) return tl::unexpected<Error>(loaded.error());
  return Module(std::make_shared<Module::Impl>(Module::Impl{std::move(compilation), {}}));
}

Expected<std::string> Module::object(std::string_view cpu) const {
  return driver::export_object(*impl_->compilation, cpu);
}
Expected<std::string> Module::c_header() const {
  return driver::export_header(*impl_->compilation);
}

Expected<std::string> Module::cuda_source() const {
  std::vector<const Unit*> units;
  for (const auto& unit : impl_->compilation->units())
    units.push_back(unit.get());
  Expected<driver::CudaCode> code = impl_->compilation->cuda_code(units, abi::kDefaultVariant);
  if (!code) return tl::unexpected<Error>(code.error());
  return std::move(code->text.text);
}

Expected<Module> compile_file(const std::string& path, const CompileOptions& options) {
  auto compilation = std::make_shared<Compilation>(options);
  Expected<void> loaded = compilation->load(path);
  if (!loaded) return tl::unexpected<Error>(loaded.error());
  return Module(std::make_shared<Module::Impl>(Module::Impl{std::move(compilation), {}}));
}

Expected<Module> compile_text(std::string text, const std::string& path,
                              const CompileOptions& options) {
  auto compilation = std::make_shared<Compilation>(options);
  Expected<void> loaded = compilation->load_text(std::move(text), path);
  if (!loaded) return tl::unexpected<Error>(loaded.error());
  return Module(std::make_shared<Module::Impl>(Module::Impl{std::move(compilation), {}}));
}

Expected<Module> compile_function(std::string text, const std::string& path, int first_line,
                                  std::string_view name, std::shared_ptr<Scope> scope,
                                  const CompileOptions& options) {
  auto compilation = std::make_shared<Compilation>(options);
  Expected<void> loaded =
      compilation->load_function({std::move(text), path, first_line, name}, std::move(scope));
  if (!loaded) return tl::unexpected<Error>(loaded.error());
  return Module(std::make_shared<Module::Impl>(Module::Impl{std::move(compilation), {}}));
}

Expected<std::string> dump_syntax_tree(const std::string& path) {
  source::SourceManager sources;
  Result<const source::SourceFile*> file = sources.load(path);
  if (!file) return tl::unexpected<Error>(driver::to_error(file.error()));
  Arena arena;
  source::Diagnostics diags(sources);
  const syntax::Module* tree = syntax::parse_module(**file, arena, diags);
  if (diags.has_errors()) {
    return tl::unexpected<Error>(Compilation(CompileOptions{}).error_of(diags));
  }
  return syntax::dump(*tree, **file);
}

Target Target::best() {
  Result<cuda::Driver*> driver = cuda::Driver::instance();
  return driver && !(*driver)->devices().empty() ? Target::cuda() : Target::cpu();
}

Expected<Target> Target::parse(std::string_view text) {
  if (text == "cpu" || text == "llvm" || text == "c") return Target::cpu();
  if (text == "cuda") return Target::cuda();
  std::string_view arch = text.starts_with("cuda:") ? text.substr(5) : text;
  if (driver::parse_arch(arch)) return Target::cuda(std::string(arch));
  return tl::unexpected<Error>(Error{
      fmt::format("'{}' is no target; use cpu, cuda, or an architecture such as sm_90a", text),
      ErrorKind::Value,
      {}});
}

std::string describe_passes() {
  return driver::describe_passes();
}

std::string describe_machine() {
  std::vector<cuda::Finding> findings = {driver::examine_cpu()};
  for (cuda::Finding& finding :
       cuda::examine(cuda::Driver::instance(), cuda::CubinCache::instance()))
    findings.push_back(std::move(finding));
  for (cuda::Finding& finding : driver::examine_variables())
    findings.push_back(std::move(finding));
  return cuda::render(findings);
}

std::uint16_t to_half(ElementType type, double value) {
  return abi::half_bits(type == ElementType::BFloat16 ? kBFloat16 : kFloat16, value);
}

double from_half(ElementType type, std::uint16_t bits) {
  return abi::half_value(type == ElementType::BFloat16 ? kBFloat16 : kFloat16, bits);
}

std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> known) {
  sema::NearestName nearest(wanted);
  for (const std::string_view name : known)
    nearest.offer(name);
  return nearest.result();
}

std::string_view version() {
  return TIRXCC_VERSION;
}

}  // namespace tirxcc
