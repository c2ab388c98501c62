// SPDX-License-Identifier: Apache-2.0
//
// The two functions of a kernel: the entry with the C signature abi::CpuEntry, which loads the
// argument words, and the body, whose parameters are those words with their types.
#include <llvm/ADT/SmallVector.h>

#include "abi/plan.h"
#include "codegen/llvm/emit.h"
#include "ir/traverse.h"

namespace tirxcc::cpu_codegen {
namespace {

// Tensors that some statement of the body stores to, or may: by a pointer.
std::unordered_set<const ir::Tensor*> written_tensors(const ir::Kernel& kernel) {
  std::unordered_set<const ir::Tensor*> written;
  ir::walk_stmts(kernel.body, [&](const ir::Stmt& stmt) {
    if (const auto* store = ir::as<ir::Store>(&stmt)) written.insert(store->tensor);
    if (const auto* store = ir::as<ir::VectorStore>(&stmt)) written.insert(store->tensor);
  });
  ir::walk_exprs(kernel.body, [&](const ir::Expr& expr) {
    if (const auto* address = ir::as<ir::AddressOf>(&expr)) written.insert(address->tensor);
  });
  return written;
}

llvm::StringRef to_ref(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

std::string entry_name(const ir::CpuKernel& kernel) {
  return std::string(kernel.kernel->name) + "_kernel";
}

Emitter::Emitter(const ir::CpuKernel& kernel, const abi::CpuCompileOptions& options,
                 llvm::Module& module)
    : kernel_(kernel),
      options_(options),
      module_(module),
      context_(module.getContext()),
      builder_(module.getContext()),
      ranges_(kernel) {
  innermost_.insert(kernel.innermost_loops.begin(), kernel.innermost_loops.end());
  differing_.insert(kernel.lane_locals.begin(), kernel.lane_locals.end());
  std::int64_t number = 0;
  for (const ir::Assert* stmt : kernel.asserts())
    asserts_[stmt] = ++number;
  if (options.contract) {
    llvm::FastMathFlags flags;
    flags.setAllowContract();
    builder_.setFastMathFlags(flags);
  }
}

llvm::Function* Emitter::run() {
  written_ = written_tensors(*kernel_.kernel);
  llvm::Function* body = make_body_function();
  function_ = body;
  builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", body));
  start_debug_info(body);
  bind_parameters(body);
  debug_parameters(body);
  // Stack slots go into the entry block, which ends only when the body is complete.
  llvm::BasicBlock* start = new_block("start");
  llvm::BasicBlock* entry = builder_.GetInsertBlock();
  builder_.SetInsertPoint(start);
  if (kernel_.is_fibers) answer_bytes();
  emit_list(kernel_.kernel->body);
  if (!is_terminated()) builder_.CreateRet(wide_constant(0));
  set_block_bytes();
  builder_.SetInsertPoint(entry);
  builder_.CreateBr(start);
  finish_debug_info();
  return emit_entry(body);
}

// The int64 variables of the launch that the body uses, in the order of its parameters.
std::vector<const ir::Var*> Emitter::launch_vars() const {
  std::vector<const ir::Var*> vars = {kernel_.first_block, kernel_.last_block};
  vars.insert(vars.end(), kernel_.grid, kernel_.grid + 3);
  vars.insert(vars.end(), kernel_.block, kernel_.block + 3);
  vars.push_back(kernel_.shared_bytes);
  return vars;
}

llvm::Function* Emitter::make_body_function() {
  llvm::SmallVector<llvm::Type*, 16> types;
  for (const ir::Param& param : kernel_.kernel->params) {
    if (param.tensor != nullptr) types.push_back(builder_.getPtrTy());
    if (param.var != nullptr) types.push_back(type_of(param.var->dtype));
  }
  for (const ir::Var* symbol : kernel_.symbols())
    types.push_back(type_of(symbol->dtype));
  for (const ir::Var* var : launch_vars()) {
    if (var != nullptr) types.push_back(builder_.getInt64Ty());
  }
  types.push_back(builder_.getPtrTy());
  auto* type = llvm::FunctionType::get(builder_.getInt64Ty(), types, false);
  auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                          to_ref(kernel_.kernel->name), module_);
  set_common_attributes(function);
  return function;
}

void Emitter::set_common_attributes(llvm::Function* function) const {
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::NonLazyBind);
  if (options_.vector_width > 0) {
    function->addFnAttr("prefer-vector-width", std::to_string(options_.vector_width));
  }
}

void Emitter::set_pointer_attributes(llvm::Function* body, unsigned index,
                                     const ir::Tensor& tensor) {
  llvm::AttrBuilder attributes(context_);
  const auto natural = static_cast<std::uint64_t>(std::max(1, tensor.dtype.lane().bits / 8));
  const auto align = tensor.align > 0 ? static_cast<std::uint64_t>(tensor.align) : natural;
  attributes.addAlignmentAttr(llvm::Align(align));
  // While a fiber waits, others write the memory.
  const bool is_alone =
      (options_.variant & abi::kAlias) == 0 && !tensor.escapes && !kernel_.is_fibers;
  if (is_alone) attributes.addAttribute(llvm::Attribute::NoAlias);
  if (!tensor.escapes && !kernel_.is_fibers) attributes.addAttribute(llvm::Attribute::NoCapture);
  if (is_alone && !written_.contains(&tensor)) {
    attributes.addAttribute(llvm::Attribute::ReadOnly);
  }
  body->addParamAttrs(index, attributes);
}

void Emitter::bind_parameters(llvm::Function* body) {
  unsigned index = 0;
  const auto bind_var = [&](const ir::Var* var) {
    llvm::Argument* argument = body->getArg(index++);
    argument->setName(to_ref(var->name));
    vars_[var] = {argument, nullptr};
  };
  for (const ir::Param& param : kernel_.kernel->params) {
    if (param.tensor != nullptr) {
      set_pointer_attributes(body, index, *param.tensor);
      body->getArg(index)->setName(to_ref(param.name));
      tensors_[param.tensor] = body->getArg(index++);
    }
    if (param.var != nullptr) bind_var(param.var);
  }
  for (const ir::Var* symbol : kernel_.symbols())
    bind_var(symbol);
  for (const ir::Var* var : launch_vars()) {
    if (var == nullptr) continue;
    bind_var(var);
    vars_[var].wide = vars_[var].value;
  }
  result_ = body->getArg(index);
}

llvm::Value* Emitter::load_word(llvm::Value* words, unsigned index, DType type) {
  llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), words, index);
  llvm::Value* value =
      builder_.CreateAlignedLoad(memory_type_of(type), address, llvm::Align(8), "word");
  return from_memory(value, type);
}

llvm::Function* Emitter::emit_entry(llvm::Function* body) {
  llvm::Type* ptr = builder_.getPtrTy();
  llvm::Type* wide = builder_.getInt64Ty();
  auto* type = llvm::FunctionType::get(wide, {ptr, ptr, wide, wide, ptr}, false);
  auto* entry =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name(kernel_), module_);
  set_common_attributes(entry);
  // It loads a few words and calls: nothing that an optimiser could do better.
  entry->addFnAttr(llvm::Attribute::OptimizeNone);
  entry->addFnAttr(llvm::Attribute::NoInline);
  function_ = entry;
  builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", entry));
  llvm::SmallVector<llvm::Value*, 16> args;
  unsigned word = 0;
  for (const ir::Param& param : kernel_.kernel->params) {
    if (param.tensor != nullptr) args.push_back(load_word(entry->getArg(0), word++, kHandle));
    if (param.var != nullptr) {
      args.push_back(load_word(entry->getArg(0), word++, param.var->dtype));
    }
  }
  for (const ir::Var* symbol : kernel_.symbols())
    args.push_back(load_word(entry->getArg(0), word++, symbol->dtype));
  if (kernel_.first_block != nullptr) args.push_back(entry->getArg(2));
  if (kernel_.last_block != nullptr) args.push_back(entry->getArg(3));
  for (unsigned i = 0; i < 6; ++i) {
    if ((i < 3 ? kernel_.grid[i] : kernel_.block[i - 3]) == nullptr) continue;
    args.push_back(load_word(entry->getArg(1), i, kInt64));
  }
  if (kernel_.shared_bytes != nullptr) args.push_back(load_word(entry->getArg(1), 6, kInt64));
  args.push_back(entry->getArg(4));
  builder_.CreateRet(builder_.CreateCall(body, args));
  return entry;
}

}  // namespace tirxcc::cpu_codegen
