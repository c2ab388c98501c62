// SPDX-License-Identifier: Apache-2.0
//
// See emit_export.h. The plan's instructions are turned into LLVM's one by one; the optimiser makes
// registers of the slots.
#include "codegen/llvm/emit_export.h"

#include "codegen/llvm/emit.h"

namespace tirxcc::cpu_codegen {
namespace {

using abi::HostOp;
using abi::kNoSlot;

constexpr std::int64_t kMostBlocksX = 0x7fffffff;
constexpr std::int64_t kMostBlocksYZ = 65535;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostThreadsZ = 64;
constexpr std::int64_t kMostSharedBytes = std::int64_t{1} << 30;
constexpr auto kBadLaunch = static_cast<std::int64_t>(abi::CpuExportStatus::BadLaunch);

// The type of a scalar in a C signature: bool is a byte, 16-bit floats are their bits.
llvm::Type* c_type(llvm::LLVMContext& context, DType type) {
  if (type.code == TypeCode::Handle) return llvm::PointerType::get(context, 0);
  if (type.is_bool()) return llvm::Type::getInt8Ty(context);
  if (type.is_float32()) return llvm::Type::getFloatTy(context);
  if (type.is_float64()) return llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, static_cast<unsigned>(type.bits));
}

bool is_symbol_of_scalar(const abi::Plan& plan, abi::Slot slot) {
  for (const abi::ParamSpec& param : plan.params) {
    if (param.slot == slot) return true;
  }
  return false;
}

}  // namespace

ExportEmitter::ExportEmitter(const abi::CpuExport& function, const abi::CpuCompileOptions& options,
                             llvm::Module& module)
    : export_(function),
      plan_(*function.plan),
      options_(options),
      module_(module),
      builder_(module.getContext()) {}

void ExportEmitter::run() {
  // The C names first: kernels of the same name get others.
  llvm::Function* whole = declare(Form::Whole);
  llvm::Function* count = export_.has_blocks ? declare(Form::Count) : nullptr;
  llvm::Function* part = export_.has_blocks ? declare(Form::Part) : nullptr;
  for (std::size_t i = 0; i < plan_.regions.size(); ++i) {
    Region region;
    region.kernel = export_.usual[i];
    region.usual = Emitter(*region.kernel, options_, module_).run();
    region.usual->setLinkage(llvm::Function::InternalLinkage);
    if (export_.large[i] != nullptr) {
      region.large = Emitter(*export_.large[i], options_, module_).run();
      region.large->setLinkage(llvm::Function::InternalLinkage);
    }
    region.first_status = statuses_;
    statuses_ += static_cast<std::int64_t>(region.kernel->asserts().size());
    regions_.push_back(region);
  }
  define(whole, Form::Whole);
  if (count != nullptr) define(count, Form::Count);
  if (part != nullptr) define(part, Form::Part);
}

llvm::Function* ExportEmitter::declare(Form form) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::SmallVector<llvm::Type*, 16> types;
  for (const abi::ParamSpec& param : plan_.params) {
    if (param.kind == abi::ParamKind::None) continue;
    types.push_back(param.kind == abi::ParamKind::Scalar ? c_type(context, param.dtype)
                                                         : builder_.getPtrTy());
  }
  for (const abi::SymbolSpec& symbol : plan_.symbols) {
    if (!is_symbol_of_scalar(plan_, symbol.slot)) types.push_back(builder_.getInt64Ty());
  }
  if (form == Form::Part) types.append(2, builder_.getInt64Ty());
  if (form == Form::Whole && !plan_.result.is_void()) types.push_back(builder_.getPtrTy());
  llvm::Type* result = form == Form::Count ? builder_.getInt64Ty() : builder_.getInt32Ty();
  const std::string name = std::string(export_.name) + (form == Form::Count  ? "_block_count"
                                                        : form == Form::Part ? "_blocks"
                                                                             : "");
  auto* function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                          llvm::Function::ExternalLinkage, name, module_);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

llvm::BasicBlock* ExportEmitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(module_.getContext(), name, function_);
}

void ExportEmitter::define(llvm::Function* function, Form form) {
  function_ = function;
  builder_.SetInsertPoint(new_block("entry"));
  slots_.clear();
  for (int i = 0; i < plan_.slot_count; ++i)
    slots_.push_back(builder_.CreateAlloca(builder_.getInt64Ty()));
  result_word_ = builder_.CreateAlloca(builder_.getInt64Ty());
  builder_.CreateStore(wide(0), result_word_);
  bind_arguments(function);
  std::vector<llvm::BasicBlock*> places;
  for (std::size_t i = 0; i < plan_.code.size(); ++i)
    places.push_back(new_block("at"));
  places.push_back(new_block("end"));
  builder_.CreateBr(places[0]);
  for (std::size_t i = 0; i < plan_.code.size(); ++i) {
    builder_.SetInsertPoint(places[i]);
    emit(plan_.code[i], places, i + 1, form);
  }
  builder_.SetInsertPoint(places.back());
  emit_return({}, form);
}

llvm::Value* ExportEmitter::word_of(llvm::Value* value, DType type) {
  if (type.is_float32() || type.is_float64()) {
    value = builder_.CreateBitCast(value, builder_.getIntNTy(static_cast<unsigned>(type.bits)));
  }
  if (type.is_bool()) {
    value = builder_.CreateICmpNE(value, builder_.getInt8(0));
  }
  return type.is_signed_int() ? builder_.CreateSExt(value, builder_.getInt64Ty())
                              : builder_.CreateZExt(value, builder_.getInt64Ty());
}

void ExportEmitter::check_fits(llvm::Value* word, DType type) {
  if (!type.is_int() || type.bits >= 64) return;
  llvm::Type* narrow = builder_.getIntNTy(static_cast<unsigned>(type.bits));
  llvm::Value* cut = builder_.CreateTrunc(word, narrow);
  llvm::Value* back = type.is_signed_int() ? builder_.CreateSExt(cut, builder_.getInt64Ty())
                                           : builder_.CreateZExt(cut, builder_.getInt64Ty());
  require(builder_.CreateICmpEQ(back, word), kBadLaunch);
}

void ExportEmitter::bind_arguments(llvm::Function* function) {
  unsigned next = 0;
  pointers_.assign(plan_.params.size(), nullptr);
  for (std::size_t i = 0; i < plan_.params.size(); ++i) {
    const abi::ParamSpec& param = plan_.params[i];
    if (param.kind == abi::ParamKind::None) continue;
    llvm::Argument* argument = function->getArg(next++);
    argument->setName(param.name);
    if (param.kind != abi::ParamKind::Scalar) {
      pointers_[i] = argument;
      if (param.slot != kNoSlot) {
        set(param.slot, builder_.CreatePtrToInt(argument, builder_.getInt64Ty()));
      }
      continue;
    }
    set(param.slot, word_of(argument, param.dtype));
  }
  for (const abi::SymbolSpec& symbol : plan_.symbols) {
    if (is_symbol_of_scalar(plan_, symbol.slot)) continue;
    llvm::Argument* argument = function->getArg(next++);
    argument->setName(symbol.name);
    check_fits(argument, symbol.dtype);
    set(symbol.slot, argument);
  }
  first_ = next < function->arg_size() ? function->getArg(next) : nullptr;
  last_ = next + 1 < function->arg_size() ? function->getArg(next + 1) : nullptr;
  result_ = first_;
}

llvm::Value* ExportEmitter::get(abi::Slot slot) {
  return slot == kNoSlot ? static_cast<llvm::Value*>(wide(0))
                         : builder_.CreateLoad(builder_.getInt64Ty(), slots_[slot]);
}

void ExportEmitter::set(abi::Slot slot, llvm::Value* value) {
  if (value->getType()->isIntegerTy(1)) value = builder_.CreateZExt(value, builder_.getInt64Ty());
  builder_.CreateStore(value, slots_[slot]);
}

void ExportEmitter::finish(llvm::Value* status) {
  builder_.CreateRet(builder_.CreateTrunc(status, function_->getReturnType()));
}

void ExportEmitter::require(llvm::Value* condition, std::int64_t status) {
  llvm::BasicBlock* fine = new_block("fine");
  llvm::BasicBlock* bad = new_block("bad");
  builder_.CreateCondBr(condition, fine, bad);
  builder_.SetInsertPoint(bad);
  finish(wide(status));
  builder_.SetInsertPoint(fine);
}

void ExportEmitter::emit(const abi::HostInstr& instr, const std::vector<llvm::BasicBlock*>& places,
                         std::size_t next, Form form) {
  const auto target = static_cast<std::size_t>(instr.imm);
  switch (instr.op) {
    case HostOp::Jump: builder_.CreateBr(places[target]); return;
    case HostOp::JumpIfZero:
      builder_.CreateCondBr(builder_.CreateICmpEQ(get(instr.a), wide(0)), places[target],
                            places[next]);
      return;
    case HostOp::CheckRange: check_fits(get(instr.a), plan_.types[target]); break;
    case HostOp::Assert:
      require(builder_.CreateICmpNE(get(instr.a), wide(0)), statuses_ + instr.imm + 1);
      break;
    case HostOp::Launch: emit_launch(plan_.regions[target], regions_[target], form); break;
    case HostOp::Return: emit_return(instr, form); return;
    case HostOp::Const:
    case HostOp::Copy:
    case HostOp::Add:
    case HostOp::Sub:
    case HostOp::Mul:
    case HostOp::FloorDiv:
    case HostOp::FloorMod:
    case HostOp::TruncDiv:
    case HostOp::TruncMod:
    case HostOp::Min:
    case HostOp::Max:
    case HostOp::ShiftLeft:
    case HostOp::ShiftRight:
    case HostOp::BitAnd:
    case HostOp::BitOr:
    case HostOp::BitXor:
    case HostOp::Equal:
    case HostOp::NotEqual:
    case HostOp::Less:
    case HostOp::LessEqual:
    case HostOp::And:
    case HostOp::Or:
    case HostOp::Not:
    case HostOp::Select: set(instr.dst, arithmetic(instr)); break;
  }
  if (builder_.GetInsertBlock()->getTerminator() == nullptr) builder_.CreateBr(places[next]);
}

llvm::Value* ExportEmitter::checked(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b) {
  llvm::Value* pair = builder_.CreateBinaryIntrinsic(operation, a, b);
  require(builder_.CreateNot(builder_.CreateExtractValue(pair, 1)), kBadLaunch);
  return builder_.CreateExtractValue(pair, 0);
}

llvm::Value* ExportEmitter::division(HostOp op, llvm::Value* a, llvm::Value* b) {
  require(builder_.CreateICmpNE(b, wide(0)), kBadLaunch);
  llvm::Value* wraps = builder_.CreateAnd(builder_.CreateICmpEQ(a, wide(INT64_MIN)),
                                          builder_.CreateICmpEQ(b, wide(-1)));
  require(builder_.CreateNot(wraps), kBadLaunch);
  llvm::Value* quotient = builder_.CreateSDiv(a, b);
  llvm::Value* rest = builder_.CreateSRem(a, b);
  if (op == HostOp::TruncDiv) return quotient;
  if (op == HostOp::TruncMod) return rest;
  llvm::Value* signs_differ = builder_.CreateICmpSLT(builder_.CreateXor(rest, b), wide(0));
  llvm::Value* moves = builder_.CreateAnd(builder_.CreateICmpNE(rest, wide(0)), signs_differ);
  return op == HostOp::FloorDiv
             ? builder_.CreateSelect(moves, builder_.CreateSub(quotient, wide(1)), quotient)
             : builder_.CreateSelect(moves, builder_.CreateAdd(rest, b), rest);
}

// Shifts by the width and more give 0 or the sign.
llvm::Value* ExportEmitter::shift(HostOp op, llvm::Value* a, llvm::Value* b) {
  llvm::Value* is_huge = builder_.CreateICmpUGT(b, wide(63));
  if (op == HostOp::ShiftRight) {
    return builder_.CreateAShr(a, builder_.CreateSelect(is_huge, wide(63), b));
  }
  llvm::Value* shifted = builder_.CreateShl(a, builder_.CreateSelect(is_huge, wide(0), b));
  return builder_.CreateSelect(is_huge, wide(0), shifted);
}

llvm::Value* ExportEmitter::arithmetic(const abi::HostInstr& instr) {
  llvm::Value* a = get(instr.a);
  llvm::Value* b = get(instr.b);
  const auto is_true = [&](llvm::Value* v) { return builder_.CreateICmpNE(v, wide(0)); };
  switch (instr.op) {
    case HostOp::Const: return wide(instr.imm);
    case HostOp::Copy: return a;
    case HostOp::Add: return checked(llvm::Intrinsic::sadd_with_overflow, a, b);
    case HostOp::Sub: return checked(llvm::Intrinsic::ssub_with_overflow, a, b);
    case HostOp::Mul: return checked(llvm::Intrinsic::smul_with_overflow, a, b);
    case HostOp::FloorDiv:
    case HostOp::FloorMod:
    case HostOp::TruncDiv:
    case HostOp::TruncMod: return division(instr.op, a, b);
    case HostOp::Min: return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
    case HostOp::Max: return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
    case HostOp::ShiftLeft:
    case HostOp::ShiftRight: return shift(instr.op, a, b);
    case HostOp::BitAnd: return builder_.CreateAnd(a, b);
    case HostOp::BitOr: return builder_.CreateOr(a, b);
    case HostOp::BitXor: return builder_.CreateXor(a, b);
    case HostOp::Equal: return builder_.CreateICmpEQ(a, b);
    case HostOp::NotEqual: return builder_.CreateICmpNE(a, b);
    case HostOp::Less: return builder_.CreateICmpSLT(a, b);
    case HostOp::LessEqual: return builder_.CreateICmpSLE(a, b);
    case HostOp::And: return builder_.CreateAnd(is_true(a), is_true(b));
    case HostOp::Or: return builder_.CreateOr(is_true(a), is_true(b));
    case HostOp::Not: return builder_.CreateNot(is_true(a));
    case HostOp::Select:
      return builder_.CreateSelect(is_true(a), b, get(static_cast<abi::Slot>(instr.imm)));
    case HostOp::Jump:
    case HostOp::JumpIfZero:
    case HostOp::CheckRange:
    case HostOp::Assert:
    case HostOp::Launch:
    case HostOp::Return: break;
  }
  TIRXCC_CHECK(false, "no arithmetic: {}", static_cast<int>(instr.op));
}

// Fills the extents and the bytes of shared memory, checks them, and gives the number of blocks.
llvm::Value* ExportEmitter::extents(const abi::RegionSpec& spec, llvm::AllocaInst* sizes) {
  llvm::Value* blocks = wide(1);
  llvm::Value* threads = wide(1);
  for (unsigned i = 0; i < 6; ++i) {
    const bool is_grid = i < 3;
    const unsigned axis = is_grid ? i : i - 3;
    const abi::Slot slot = is_grid ? spec.grid[axis] : spec.block[axis];
    const std::int64_t most = is_grid     ? (axis == 0 ? kMostBlocksX : kMostBlocksYZ)
                              : axis == 2 ? kMostThreadsZ
                                          : kMostThreads;
    llvm::Value* extent = slot == kNoSlot ? wide(1) : get(slot);
    // One comparison: what is below the least is huge without a sign.
    llvm::Value* above = builder_.CreateSub(extent, wide(is_grid ? 0 : 1));
    require(builder_.CreateICmpULE(above, wide(is_grid ? most : most - 1)), kBadLaunch);
    builder_.CreateStore(extent,
                         builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), sizes, i));
    if (is_grid) {
      blocks = checked(llvm::Intrinsic::smul_with_overflow, blocks, extent);
    } else {
      threads = builder_.CreateMul(threads, extent);
    }
  }
  require(builder_.CreateICmpULE(threads, wide(kMostThreads)), kBadLaunch);
  const abi::Slot shared = spec.attributes.dynamic_smem_bytes;
  llvm::Value* bytes = shared == kNoSlot ? wide(0) : get(shared);
  require(builder_.CreateICmpULE(bytes, wide(kMostSharedBytes)), kBadLaunch);
  builder_.CreateStore(bytes, builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), sizes, 6));
  return blocks;
}

void ExportEmitter::emit_launch(const abi::RegionSpec& spec, const Region& region, Form form) {
  llvm::IRBuilder<> top(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  llvm::AllocaInst* sizes =
      top.CreateAlloca(llvm::ArrayType::get(builder_.getInt64Ty(), 7), nullptr, "sizes");
  if (spec.is_host) {
    for (unsigned i = 0; i < 7; ++i) {
      builder_.CreateStore(wide(i < 6 ? 1 : 0),
                           builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), sizes, i));
    }
    return call_kernel(spec, region, sizes, wide(0), wide(1));
  }
  llvm::Value* blocks = extents(spec, sizes);
  if (form == Form::Count) return finish(blocks);
  llvm::Value* first = form == Form::Part ? first_ : wide(0);
  llvm::Value* last = form == Form::Part ? last_ : blocks;
  if (form == Form::Part) {
    first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, first, wide(0));
    last = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, last, blocks);
  }
  llvm::BasicBlock* some = new_block("some");
  llvm::BasicBlock* done = new_block("done");
  builder_.CreateCondBr(builder_.CreateICmpSLT(first, last), some, done);
  builder_.SetInsertPoint(some);
  call_kernel(spec, region, sizes, first, last);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

llvm::Value* ExportEmitter::is_large(const ir::CpuKernel& kernel, llvm::AllocaInst* sizes) {
  llvm::Value* any = builder_.getFalse();
  for (unsigned i = 0; i < 6; ++i) {
    const std::int64_t most = i < 3 ? kernel.max_grid[i] : kernel.max_block[i - 3];
    llvm::Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), sizes, i);
    llvm::Value* extent = builder_.CreateLoad(builder_.getInt64Ty(), place);
    any = builder_.CreateOr(any, builder_.CreateICmpSGT(extent, wide(most)));
  }
  return any;
}

void ExportEmitter::call_kernel(const abi::RegionSpec& spec, const Region& region,
                                llvm::AllocaInst* sizes, llvm::Value* first, llvm::Value* last) {
  llvm::IRBuilder<> top(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  auto* words_type =
      llvm::ArrayType::get(builder_.getInt64Ty(), std::max<std::size_t>(1, spec.args.size()));
  llvm::AllocaInst* words = top.CreateAlloca(words_type, nullptr, "words");
  for (unsigned i = 0; i < spec.args.size(); ++i) {
    const abi::KernelArgSpec& arg = spec.args[i];
    llvm::Value* value =
        arg.kind == abi::KernelArgSpec::Kind::Tensor ? pointers_[arg.index] : get(arg.index);
    builder_.CreateStore(value,
                         builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), words, i));
  }
  llvm::Value* code = region.usual;
  if (!spec.is_host && region.large != nullptr) {
    code = builder_.CreateSelect(is_large(*region.kernel, sizes), region.large, region.usual);
  } else if (!spec.is_host) {
    require(builder_.CreateNot(is_large(*region.kernel, sizes)), kBadLaunch);
  }
  llvm::Value* status = builder_.CreateCall(region.usual->getFunctionType(), code,
                                            {words, sizes, first, last, result_word_});
  llvm::BasicBlock* failed = new_block("failed");
  llvm::BasicBlock* passed = new_block("passed");
  builder_.CreateCondBr(builder_.CreateICmpEQ(status, wide(0)), passed, failed);
  builder_.SetInsertPoint(failed);
  llvm::Value* numbered = builder_.CreateAdd(status, wide(region.first_status));
  finish(builder_.CreateSelect(builder_.CreateICmpSGT(status, wide(0)), numbered, status));
  builder_.SetInsertPoint(passed);
}

void ExportEmitter::emit_return(const abi::HostInstr& instr, Form form) {
  if (form == Form::Whole && !plan_.result.is_void()) {
    store_result(instr.a == kNoSlot ? builder_.CreateLoad(builder_.getInt64Ty(), result_word_)
                                    : get(instr.a));
  }
  finish(wide(0));
}

void ExportEmitter::store_result(llvm::Value* word) {
  const unsigned bits = plan_.result.is_bool() ? 8U : static_cast<unsigned>(plan_.result.bits);
  llvm::Value* value = builder_.CreateTrunc(word, builder_.getIntNTy(bits));
  builder_.CreateAlignedStore(value, result_, llvm::Align(bits / 8));
}

}  // namespace tirxcc::cpu_codegen
