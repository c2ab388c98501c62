// SPDX-License-Identifier: Apache-2.0
//
// Puts a text together: headers, helpers, then the kernels with their signatures. Headers and
// helpers are known only after the kernels are printed, so they are put in front at the end.
#include "codegen/cuda/codegen.h"

#include <algorithm>
#include <unordered_set>

#include "codegen/cuda/emission.h"
#include "codegen/cuda/stmt.h"
#include "codegen/cuda/types.h"
#include "intrinsics/intrinsics.h"
#include "ir/builder.h"

namespace tirxcc::codegen_cuda {

namespace {

constexpr std::size_t kLineWidth = 100;

// The suffixes of a variant's kernel, in one order.
std::string variant_suffix(unsigned variant) {
  std::string suffix;
  if ((variant & abi::kIndex64) != 0) suffix += "_64";
  if ((variant & abi::kAlias) != 0) suffix += "_alias";
  if ((variant & abi::kScalar) != 0) suffix += "_scalar";
  return suffix;
}

// `(256, 1, 1)`
std::string tuple_of(const ir::Expr* const (&sizes)[3]) {
  std::string text = "(";
  for (int axis = 0; axis < 3; ++axis) {
    const ir::IntImm* size = ir::as_int(sizes[axis]);
    if (axis > 0) text += ", ";
    text += std::to_string(size != nullptr ? static_cast<std::int64_t>(size->value) : 1);
  }
  return text + ")";
}

// ` __launch_bounds__(256)`, or what else the launch says about registers and sizes.
std::string launch_attribute(const ir::LaunchConfig& launch) {
  if (launch.max_registers_per_thread > 0)
    return " __maxnreg__(" + std::to_string(launch.max_registers_per_thread) + ")";
  std::int64_t threads = launch.static_threads();
  if (threads == 0) return "";
  if (launch.required_block_size)
    return " __block_size__(" + tuple_of(launch.block) + ", " + tuple_of(launch.cluster) + ")";
  std::string text = " __launch_bounds__(" + std::to_string(threads);
  if (launch.min_blocks_per_sm > 0) {
    text += ", " + std::to_string(launch.min_blocks_per_sm);
    if (launch.max_blocks_per_cluster > 0)
      text += ", " + std::to_string(launch.max_blocks_per_cluster);
  }
  return text + ")";
}

std::string tensor_parameter(const Emission& emission, const ir::Tensor& tensor,
                             std::string_view name) {
  std::string text;
  text.reserve(64);
  if (!emission.facts.written.contains(&tensor)) text += "const ";
  text.append(c_type(tensor.dtype)).append("* ");
  if ((emission.options.variant & abi::kAlias) == 0) text += "__restrict__ ";
  return text.append(name);
}

std::vector<std::string> parameters(Emission& emission) {
  std::vector<std::string> result;
  result.reserve(emission.kernel.params.size() + emission.kernel.symbols.size());
  auto add_value = [&](const ir::Var& var) {
    std::string text(c_type(var.dtype));
    result.push_back(text.append(" ").append(emission.names.declare(&var, var.name)));
  };
  for (const ir::Param& param : emission.kernel.params) {
    if (param.tensor != nullptr) {
      std::string_view name = emission.names.declare(param.tensor, param.tensor->name, "_ptr");
      result.push_back(tensor_parameter(emission, *param.tensor, name));
    } else if (param.var != nullptr) {
      add_value(*param.var);
    }
  }
  for (const ir::Var* symbol : emission.kernel.symbols)
    add_value(*symbol);
  return result;
}

// `relu_kernel(const float* __restrict__ A_ptr, int n) {`, one parameter a line if that is long.
void signature(Emission& emission, std::string_view name) {
  std::string& out = emission.out;
  out.append("extern \"C\" __global__ void").append(launch_attribute(emission.kernel.launch));
  out.append("\n").append(name).append("(");
  std::vector<std::string> list = parameters(emission);
  std::size_t width = name.size() + 4;
  for (const std::string& text : list)
    width += text.size() + 2;
  bool is_long = width - 2 > kLineWidth && !list.empty();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += is_long ? "," : ", ";
    if (is_long) out += "\n    ";
    out += list[i];
  }
  out += ") {\n";
}

class TextMaker {
 public:
  TextMaker(const CudaOptions& options, const source::SourceManager* sources)
      : options_(options), sources_(sources) {
    body_.reserve(2048);
    result_.lines.reserve(64);
  }

  void add(const ir::Kernel& kernel) {
    if (kernel.kind == ir::KernelKind::Host) {
      result_.kernel_names.emplace_back();
      return;
    }
    std::size_t start = body_.size();
    if (!body_.empty()) body_ += '\n';
    KernelFacts facts;
    gather_facts(kernel, facts);
    result_.needs_fp16 |= facts.uses_fp16;
    result_.needs_bf16 |= facts.uses_bf16;
    Emission emission{.out = body_,
                      .options = options_,
                      .kernel = kernel,
                      .facts = facts,
                      .helpers = helpers_,
                      .sources = sources_};
    for (const intrinsics::Intrinsic* callee : facts.callees) {
      for (std::string_view spelling : {callee->cuda, callee->cuda_f32, callee->cuda_f64,
                                        callee->cuda_f16, callee->cuda_bf16, callee->cuda_i64}) {
        std::string_view called = called_name(spelling);
        if (!called.empty()) emission.names.reserve(called);
      }
    }
    std::string name = kernel_name(kernel);
    signature(emission, name);
    auto head_lines =
        std::count(body_.begin() + static_cast<std::ptrdiff_t>(start), body_.end(), '\n');
    StmtPrinter printer(emission, result_, line_ + static_cast<std::uint32_t>(head_lines));
    printer.body(kernel.body);
    body_ += "}\n";
    line_ = printer.line() + 1;
    result_.kernel_names.push_back(std::move(name));
  }

  CudaText finish() {
    std::string head;
    if (result_.needs_fp16) head += "#include <cuda_fp16.h>\n";
    if (result_.needs_bf16) head += "#include <cuda_bf16.h>\n";
    if (!head.empty()) head += '\n';
    head += helpers_.texts(options_.arch);
    auto lines = static_cast<std::uint32_t>(std::count(head.begin(), head.end(), '\n'));
    for (LineMapEntry& entry : result_.lines)
      entry.line += lines;
    result_.text = head.empty() ? std::move(body_) : head + body_;
    return std::move(result_);
  }

 private:
  // The symbol; another one of the same name in the same text counts on.
  std::string kernel_name(const ir::Kernel& kernel) {
    std::size_t index = result_.kernel_names.size();
    std::string base =
        index < options_.symbols.size() ? options_.symbols[index] : kernel_symbol(kernel.name, 0);
    std::string name = base;
    for (int i = 1; !used_names_.insert(name).second; ++i)
      name = base + "_" + std::to_string(i);
    return name + variant_suffix(options_.variant);
  }

  const CudaOptions& options_;
  const source::SourceManager* sources_;
  CudaText result_;
  std::string body_;
  std::uint32_t line_ = 1;  // at the end of body_
  HelperSet helpers_;
  std::unordered_set<std::string> used_names_;
};

}  // namespace

std::string kernel_symbol(std::string_view function, std::size_t region) {
  std::string symbol = identifier(function) + "_kernel";
  if (region > 0) symbol += "_" + std::to_string(region);
  return symbol;
}

CudaText emit_cuda(std::span<const ir::Kernel* const> kernels, const CudaOptions& options,
                   const source::SourceManager* sources) {
  TextMaker maker(options, sources);
  for (const ir::Kernel* kernel : kernels)
    maker.add(*kernel);
  return maker.finish();
}

}  // namespace tirxcc::codegen_cuda
