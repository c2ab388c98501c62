// SPDX-License-Identifier: Apache-2.0
#include "driver/plan_builder.h"

#include <string>

#include "abi/scalar.h"
#include "base/pointer_map.h"
#include "codegen/cuda/codegen.h"
#include "driver/host_compiler.h"
#include "ir/builder.h"
#include "ir/printer.h"
#include "ir/traverse.h"

namespace tirxcc::driver {
namespace {

using abi::DimSpec;
using abi::ParamSpec;
using abi::Slot;

struct Access {
  bool is_read = false;
  bool is_written = false;
  bool escapes = false;
};
using Accesses = PointerMap<Access>;  // of ir::Tensor

// How the kernels use each tensor. A pointer that leaves our sight may read and write.
void collect_accesses(const ir::Function& function, Accesses& accesses) {
  for (const ir::Kernel* kernel : function.kernels) {
    ir::walk_exprs(kernel->body, [&](const ir::Expr& expr) {
      if (const auto* load = ir::as<ir::Load>(&expr)) accesses[load->tensor].is_read = true;
      if (const auto* load = ir::as<ir::VectorLoad>(&expr)) accesses[load->tensor].is_read = true;
      if (const auto* address = ir::as<ir::AddressOf>(&expr)) {
        accesses[address->tensor] = {true, true, true};
      }
    });
    auto enter = [&](const ir::Stmt& stmt) {
      if (const auto* store = ir::as<ir::Store>(&stmt)) accesses[store->tensor].is_written = true;
      if (const auto* store = ir::as<ir::VectorStore>(&stmt)) {
        accesses[store->tensor].is_written = true;
      }
    };
    ir::walk_stmts(kernel->body, enter, [](const ir::Stmt&) {});
  }
}

// As in the source. Nearly all extents are names and literals, for which the IR printer's care
// about names is too much work. A formula is shown as it is written, T.ceildiv(n, 256), unless it
// is written elsewhere and has a name here.
std::string extent_text(const ir::Expr& value, const source::SourceManager& sources) {
  if (const auto* var = ir::as<ir::VarRef>(&value)) return std::string(var->var->name);
  if (const auto* literal = ir::as<ir::IntImm>(&value)) return std::to_string(literal->value);
  constexpr std::size_t kLongest = 60;
  const std::string_view text = value.span.is_valid() ? sources.text_of(value.span) : "";
  const bool is_formula = text.find_first_of("+-*/%(") != text.npos;
  const bool is_short = text.size() <= kLongest && text.find_first_of("\n#") == text.npos;
  return is_formula && is_short ? std::string(text) : ir::dump(&value);
}

class PlanBuilder {
 public:
  PlanBuilder(const ir::Function& function, source::Diagnostics& diags)
      : function_(function), sources_(diags.sources()), host_(plan_, diags) {
    collect_accesses(function, accesses_);
  }

  abi::Plan build() {
    plan_.function_name = function_.name;
    plan_.result = kVoid;
    plan_.params.reserve(function_.params.size());
    plan_.symbols.reserve(function_.symbols.size());
    plan_.regions.reserve(function_.kernels.size());
    plan_.code.reserve(16);
    scalars();
    symbols();
    for (std::size_t i = 0; i < function_.params.size(); ++i)
      plan_.params.push_back(param(i));
    plan_.signature = signature();
    for (const ir::Kernel* kernel : function_.kernels)
      region(*kernel);
    host_.statements(function_.host_body);
    plan_.code.push_back({.op = abi::HostOp::Return});
    note_what_is_only_passed();
    return std::move(plan_);
  }

 private:
  void scalars() {
    for (const ir::Param& param : function_.params) {
      if (param.var != nullptr) host_.bind(param.var, host_.new_slot(param.span));
    }
  }

  void symbols() {
    for (const ir::Symbol& symbol : function_.symbols) {
      const ir::Param& param = function_.params[symbol.param];
      Slot slot = symbol.from_scalar ? host_.slot_of(param.var) : host_.new_slot(symbol.var->span);
      host_.bind(symbol.var, slot);
      std::string origin(param.name);
      if (!symbol.from_scalar) {
        origin.append(symbol.from_stride ? ".strides[" : ".shape[");
        origin.append(std::to_string(symbol.dim)).append("]");
      }
      const std::int64_t largest = symbol.from_scalar            ? INT64_MAX
                                   : symbol.var->dtype == kInt32 ? abi::kMostElements32
                                                                 : abi::kMostElements64;
      plan_.symbols.push_back(
          {std::string(symbol.var->name), symbol.var->dtype, slot, std::move(origin), largest});
    }
  }

  const ir::Symbol* symbol_at(std::size_t param, std::size_t dim, bool is_stride) const {
    for (const ir::Symbol& symbol : function_.symbols) {
      if (!symbol.from_scalar && symbol.param == param && symbol.dim == dim &&
          symbol.from_stride == is_stride) {
        return &symbol;
      }
    }
    return nullptr;
  }

  DimSpec dim(const ir::Expr& value, std::size_t param, std::size_t index, bool is_stride) {
    DimSpec spec;
    spec.text = extent_text(value, sources_);
    if (const ir::IntImm* constant = ir::as_int(&value)) {
      spec.kind = DimSpec::Kind::Constant;
      spec.value = constant->value;
      return spec;
    }
    if (const ir::Symbol* symbol = symbol_at(param, index, is_stride)) {
      bool is_bare = symbol->scale == 1 && symbol->offset == 0;
      spec.kind = is_bare ? DimSpec::Kind::Bind : DimSpec::Kind::Linear;
      spec.slot = host_.slot_of(symbol->var);
      spec.value = symbol->scale;
      spec.offset = symbol->offset;
      return spec;
    }
    spec.kind = DimSpec::Kind::Formula;
    spec.code_begin = static_cast<std::uint32_t>(plan_.formulas.size());
    spec.slot = host_.expr(value, plan_.formulas);
    spec.code_end = static_cast<std::uint32_t>(plan_.formulas.size());
    return spec;
  }

  ParamSpec param(std::size_t index) {
    const ir::Param& param = function_.params[index];
    ParamSpec spec;
    spec.name = param.name;
    if (param.tensor != nullptr) {
      tensor(*param.tensor, index, spec);
    } else if (param.var != nullptr) {
      scalar(param, spec);
    } else {
      spec.kind = abi::ParamKind::None;
      spec.type_text = "None";
    }
    return spec;
  }

  void tensor(const ir::Tensor& tensor, std::size_t index, ParamSpec& spec) {
    spec.dtype = tensor.dtype;
    spec.align = tensor.align;
    const Access& access = accesses_[&tensor];
    spec.is_read = access.is_read;
    spec.is_written = access.is_written;
    spec.escapes = access.escapes || tensor.escapes;
    spec.shape.reserve(tensor.shape.size());
    spec.strides.reserve(tensor.strides.size());
    spec.type_text.reserve(64);
    spec.type_text = "Tensor([";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
      spec.shape.push_back(dim(*tensor.shape[i], index, i, false));
      if (i > 0) spec.type_text += ", ";
      spec.type_text += spec.shape.back().text;
    }
    spec.type_text.append("], ").append(to_string(tensor.dtype)).append(")");
    for (std::size_t i = 0; i < tensor.strides.size(); ++i) {
      spec.strides.push_back(dim(*tensor.strides[i], index, i, true));
    }
  }

  void scalar(const ir::Param& param, ParamSpec& spec) {
    spec.dtype = param.var->dtype;
    spec.type_text = to_string(spec.dtype);
    if (spec.dtype.code == TypeCode::Handle) spec.kind = abi::ParamKind::Pointer;
    if (spec.kind != abi::ParamKind::Pointer) spec.kind = abi::ParamKind::Scalar;
    spec.slot = host_.slot_of(param.var);
    spec.has_default = param.default_value != nullptr;
    if (const auto* value = ir::as<ir::IntImm>(param.default_value)) {
      spec.default_bits = value->value;
    } else if (const auto* real = ir::as<ir::FloatImm>(param.default_value)) {
      spec.default_bits = static_cast<std::int64_t>(abi::float_bits(spec.dtype, real->value));
    }
  }

  // Scalars whose slot nothing on the host touches.
  void note_what_is_only_passed() {
    std::vector<bool> is_used(plan_.slot_count, false);
    auto use = [&](Slot slot) {
      if (slot < is_used.size()) is_used[slot] = true;
    };
    for (const std::vector<abi::HostInstr>* code : {&plan_.code, &plan_.formulas}) {
      for (const abi::HostInstr& instr : *code) {
        for (Slot slot : {instr.dst, instr.a, instr.b})
          use(slot);
        if (instr.op == abi::HostOp::Select) use(static_cast<Slot>(instr.imm));
      }
    }
    for (const abi::SymbolSpec& symbol : plan_.symbols)
      use(symbol.slot);
    for (const ParamSpec& param : plan_.params) {
      for (const std::vector<DimSpec>* dims : {&param.shape, &param.strides}) {
        for (const DimSpec& dim : *dims)
          use(dim.slot);
      }
    }
    for (const abi::RegionSpec& region : plan_.regions)
      abi::for_each_slot(region, use);
    for (ParamSpec& param : plan_.params)
      param.is_only_passed = param.kind == abi::ParamKind::Scalar && !is_used[param.slot];
  }

  std::string signature() const {
    std::string text;
    text.reserve(256);
    text.append(function_.name).append("(");
    for (std::size_t i = 0; i < plan_.params.size(); ++i) {
      if (i > 0) text += ", ";
      text.append(plan_.params[i].name).append(": ").append(plan_.params[i].type_text);
    }
    text += ')';
    return text;
  }

  // A region's sizes and symbol arguments are filled in where the host code launches it.
  void region(const ir::Kernel& kernel) {
    abi::RegionSpec spec;
    spec.args.reserve(kernel.params.size() + kernel.symbols.size());
    spec.kernel_name = codegen_cuda::kernel_symbol(function_.name, plan_.regions.size());
    spec.is_host = kernel.kind == ir::KernelKind::Host;
    if (spec.is_host) plan_.result = kernel.result;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
      const ir::Param& param = kernel.params[i];
      if (param.tensor != nullptr) {
        spec.args.push_back(
            {abi::KernelArgSpec::Kind::Tensor, static_cast<std::uint16_t>(i), param.tensor->dtype});
      } else if (param.var != nullptr && param.var->dtype.code == TypeCode::Handle) {
        spec.args.push_back(
            {abi::KernelArgSpec::Kind::Tensor, static_cast<std::uint16_t>(i), kHandle});
      } else if (param.var != nullptr) {
        spec.args.push_back(
            {abi::KernelArgSpec::Kind::Value, host_.slot_of(param.var), param.var->dtype});
      }
    }
    host_.add_region(&kernel, static_cast<std::uint32_t>(plan_.regions.size()));
    plan_.regions.push_back(std::move(spec));
  }

  const ir::Function& function_;
  const source::SourceManager& sources_;
  abi::Plan plan_;
  HostCompiler host_;
  Accesses accesses_;
};

}  // namespace

abi::Plan build_plan(const ir::Function& function, source::Diagnostics& diags) {
  return PlanBuilder(function, diags).build();
}

}  // namespace tirxcc::driver
