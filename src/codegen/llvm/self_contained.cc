// SPDX-License-Identifier: Apache-2.0
//
// The last step of an exported object: what generated code would ask of our runtime or of a
// compiler's support library becomes part of the module. See emit_export.h.
#include <llvm/IR/InstIterator.h>

#include <algorithm>

#include "codegen/llvm/emit.h"
#include "codegen/llvm/emit_export.h"
#include "codegen/llvm/symbols.h"

namespace tirxcc::cpu_codegen {
namespace {

using llvm::IRBuilder;

// tirxcc_parallel_for(body, context, count): all turns here and now.
void define_parallel_for(llvm::Module& module) {
  llvm::Function* function = module.getFunction("tirxcc_parallel_for");
  if (function == nullptr || !function->isDeclaration()) return;
  function->setLinkage(llvm::Function::InternalLinkage);
  llvm::LLVMContext& context = module.getContext();
  IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
  llvm::Type* wide = builder.getInt64Ty();
  auto* type = llvm::FunctionType::get(wide, {builder.getPtrTy(), wide, wide}, false);
  builder.CreateRet(builder.CreateCall(
      type, function->getArg(0), {function->getArg(1), builder.getInt64(0), function->getArg(2)}));
}

// tirxcc_block_memory(bytes) in a kernel's first lines: memory of the C library, given back at each
// of its returns.
void own_block_memory(llvm::CallInst& call) {
  llvm::Function& function = *call.getFunction();
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  IRBuilder<> builder(&call);
  llvm::Type* wide = builder.getInt64Ty();
  llvm::FunctionCallee allocate = module.getOrInsertFunction(
      "aligned_alloc", llvm::FunctionType::get(builder.getPtrTy(), {wide, wide}, false));
  llvm::FunctionCallee release = module.getOrInsertFunction(
      "free", llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false));
  std::vector<llvm::Instruction*> returns;
  for (llvm::BasicBlock& block : function) {
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator()))
      returns.push_back(block.getTerminator());
  }
  constexpr std::uint64_t kPage = 4096;
  llvm::Value* bytes = builder.CreateAdd(call.getArgOperand(0), builder.getInt64(kPage - 1));
  bytes = builder.CreateAnd(bytes, builder.getInt64(-kPage));
  llvm::CallInst* memory = builder.CreateCall(allocate, {builder.getInt64(kPage), bytes});
  for (llvm::Instruction* end : returns)
    IRBuilder<>(end).CreateCall(release, {memory});
  llvm::BasicBlock* start = call.getParent();
  llvm::BasicBlock* rest = start->splitBasicBlock(&call, "rest");
  auto* none = llvm::BasicBlock::Create(context, "no_memory", &function);
  start->getTerminator()->eraseFromParent();
  IRBuilder<> end(start);
  end.CreateCondBr(end.CreateIsNull(memory), none, rest);
  IRBuilder<>(none).CreateRet(
      builder.getInt64(static_cast<std::uint64_t>(abi::CpuExportStatus::NoMemory)));
  call.replaceAllUsesWith(memory);
  call.eraseFromParent();
}

void own_all_block_memory(llvm::Module& module) {
  llvm::Function* function = module.getFunction("tirxcc_block_memory");
  if (function == nullptr) return;
  std::vector<llvm::CallInst*> calls;
  for (llvm::User* user : function->users())
    calls.push_back(llvm::cast<llvm::CallInst>(user));
  for (llvm::CallInst* call : calls)
    own_block_memory(*call);
  function->eraseFromParent();
}

bool uses_half(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (instruction.getType()->getScalarType()->isHalfTy()) return true;
      for (const llvm::Value* operand : instruction.operands()) {
        if (operand->getType()->getScalarType()->isHalfTy()) return true;
      }
    }
  }
  return false;
}

llvm::Function* make_helper(llvm::Module& module, const char* name, llvm::Type* result,
                            llvm::Type* operand) {
  if (llvm::Function* declared = module.getFunction(name)) return declared;
  auto* function = llvm::Function::Create(llvm::FunctionType::get(result, {operand}, false),
                                          llvm::Function::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

// float16 to float32, as IEEE has it: the exponent is rebased; what was subnormal becomes normal by
// one subtraction of floats; NaN stays NaN and becomes quiet.
void define_extension(llvm::Module& module) {
  IRBuilder<> b(module.getContext());
  llvm::Function* function = make_helper(module, "__extendhfsf2", b.getFloatTy(), b.getHalfTy());
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  llvm::Value* bits =
      b.CreateZExt(b.CreateBitCast(function->getArg(0), b.getInt16Ty()), b.getInt32Ty());
  llvm::Value* sign = b.CreateShl(b.CreateAnd(bits, 0x8000), 16);
  llvm::Value* magnitude = b.CreateShl(b.CreateAnd(bits, 0x7fff), 13);
  llvm::Value* exponent = b.CreateAnd(magnitude, 0x0f800000);
  llvm::Value* rebased = b.CreateAdd(magnitude, b.getInt32((127 - 15) << 23));
  llvm::Value* special = b.CreateAdd(rebased, b.getInt32((128 - 16) << 23));
  llvm::Value* is_nan = b.CreateICmpUGT(magnitude, b.getInt32(0x0f800000));
  special = b.CreateSelect(is_nan, b.CreateOr(special, 0x00400000), special);
  llvm::Value* shifted = b.CreateAdd(rebased, b.getInt32(1 << 23));
  llvm::Value* least = b.CreateBitCast(b.getInt32(113 << 23), b.getFloatTy());
  llvm::Value* small = b.CreateBitCast(
      b.CreateFSub(b.CreateBitCast(shifted, b.getFloatTy()), least), b.getInt32Ty());
  llvm::Value* result = b.CreateSelect(b.CreateICmpEQ(exponent, b.getInt32(0)), small, rebased);
  result = b.CreateSelect(b.CreateICmpEQ(exponent, b.getInt32(0x0f800000)), special, result);
  b.CreateRet(b.CreateBitCast(b.CreateOr(result, sign), b.getFloatTy()));
}

// float32 to float16, to the nearest, ties to even. Small results: adding 0.5 as a float shifts the
// mantissa into place and rounds it.
void define_truncation(llvm::Module& module) {
  IRBuilder<> b(module.getContext());
  llvm::Function* function = make_helper(module, "__truncsfhf2", b.getHalfTy(), b.getFloatTy());
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  llvm::Value* bits = b.CreateBitCast(function->getArg(0), b.getInt32Ty());
  llvm::Value* sign = b.CreateAnd(bits, 0x80000000U);
  llvm::Value* magnitude = b.CreateXor(bits, sign);
  // NaN keeps the top of its payload.
  llvm::Value* payload = b.CreateAnd(b.CreateLShr(magnitude, 13), 0x1ff);
  llvm::Value* is_nan = b.CreateICmpUGT(magnitude, b.getInt32(0x7f800000));
  llvm::Value* huge = b.CreateSelect(is_nan, b.CreateOr(payload, 0x7e00), b.getInt32(0x7c00));
  llvm::Value* half = b.CreateBitCast(b.getInt32(126 << 23), b.getFloatTy());
  llvm::Value* small =
      b.CreateSub(b.CreateBitCast(b.CreateFAdd(b.CreateBitCast(magnitude, b.getFloatTy()), half),
                                  b.getInt32Ty()),
                  b.getInt32(126 << 23));
  llvm::Value* is_odd = b.CreateAnd(b.CreateLShr(magnitude, 13), 1);
  llvm::Value* rounded =
      b.CreateAdd(b.CreateSub(magnitude, b.getInt32((127 - 15) << 23)), b.getInt32(0xfff));
  llvm::Value* normal = b.CreateLShr(b.CreateAdd(rounded, is_odd), 13);
  llvm::Value* result =
      b.CreateSelect(b.CreateICmpULT(magnitude, b.getInt32(113 << 23)), small, normal);
  // From 65520 on the nearest is infinity; rounding above already gives it.
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, b.getInt32(143 << 23)), huge, result);
  result = b.CreateOr(result, b.CreateLShr(sign, 16));
  b.CreateRet(b.CreateBitCast(b.CreateTrunc(result, b.getInt16Ty()), b.getHalfTy()));
}

}  // namespace

void make_self_contained(llvm::Module& module) {
  define_parallel_for(module);
  own_all_block_memory(module);
  if (!uses_half(module)) return;
  // The code generator calls these by name where the processor has no instruction.
  define_extension(module);
  define_truncation(module);
}

bool is_exportable_symbol(const std::string& name) {
  if (name == "aligned_alloc" || name == "free") return true;
  if (name.starts_with("__") || name.starts_with("tirxcc_")) return false;
  const std::vector<OutsideSymbol> known = outside_symbols({});
  return std::any_of(known.begin(), known.end(),
                     [&](const OutsideSymbol& symbol) { return name == symbol.name; });
}

}  // namespace tirxcc::cpu_codegen
