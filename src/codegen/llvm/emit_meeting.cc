// SPDX-License-Identifier: Apache-2.0
//
// What threads that are fibers do together: each is one call of the runtime, which comes back when
// the thread may go on. The last operand is the number of the place (passes/fibers.h).
#include "codegen/llvm/emit.h"
#include "intrinsics/intrinsics.h"

namespace tirxcc::cpu_codegen {
namespace {

using abi::CpuMeeting;

struct Row {
  std::string_view name;
  CpuMeeting kind;
};
constexpr Row kRows[] = {
    {"cuda.__activemask", CpuMeeting::ActiveMask},
    {"cuda.__shfl_down_sync", CpuMeeting::ShuffleDown},
    {"cuda.__shfl_sync", CpuMeeting::Shuffle},
    {"cuda.__shfl_up_sync", CpuMeeting::ShuffleUp},
    {"cuda.__shfl_xor_sync", CpuMeeting::ShuffleXor},
    {"cuda.all_sync", CpuMeeting::All},
    {"cuda.any_sync", CpuMeeting::Any},
    {"cuda.ballot_sync", CpuMeeting::Ballot},
    {"cuda.cta_sync", CpuMeeting::BlockBarrier},
    {"cuda.elect_sync", CpuMeeting::Elect},
    {"cuda.grid_sync", CpuMeeting::GridBarrier},
    {"cuda.mbarrier_wait", CpuMeeting::MbarWait},
    {"cuda.nano_sleep", CpuMeeting::Spin},
    {"cuda.reduce_add_sync_u32", CpuMeeting::ReduceAdd},
    {"cuda.reduce_min_sync_u32", CpuMeeting::ReduceMin},
    {"cuda.syncthreads_and", CpuMeeting::BlockAnd},
    {"cuda.syncthreads_or", CpuMeeting::BlockOr},
    {"cuda.warp_sync", CpuMeeting::WarpBarrier},
    {"cuda.warpgroup_sync", CpuMeeting::NamedSync},
    {"ptx.bar.arrive", CpuMeeting::NamedArrive},
    {"ptx.bar.sync", CpuMeeting::NamedSync},
    {"ptx.elect_sync", CpuMeeting::Elect},
    {"ptx.mbarrier.arrive", CpuMeeting::MbarArrive},
    {"ptx.mbarrier.arrive.expect_tx", CpuMeeting::MbarExpect},
    {"ptx.mbarrier.complete_tx", CpuMeeting::MbarComplete},
    {"ptx.mbarrier.init", CpuMeeting::MbarInit},
    {"ptx.mbarrier.inval", CpuMeeting::MbarInval},
};

CpuMeeting kind_of(const ir::Call& call) {
  for (const Row& row : kRows) {
    if (row.name == call.callee->name) return row.kind;
  }
  TIRXCC_CHECK(false, "fibers cannot meet at {}", call.callee->name);
  return CpuMeeting::Spin;
}

}  // namespace

// The bits of a scalar or pointer, in 64.
llvm::Value* Emitter::to_word(llvm::Value* value) {
  llvm::Type* wide = builder_.getInt64Ty();
  if (value->getType()->isPointerTy()) return builder_.CreatePtrToInt(value, wide);
  if (value->getType()->isIntegerTy()) return builder_.CreateZExt(value, wide);
  const unsigned bits = value->getType()->getScalarSizeInBits();
  return builder_.CreateZExt(builder_.CreateBitCast(value, builder_.getIntNTy(bits)), wide);
}

llvm::Value* Emitter::meet(CpuMeeting kind, llvm::Value* site, llvm::Value* a, llvm::Value* b,
                           llvm::Value* c) {
  llvm::Type* wide = builder_.getInt64Ty();
  llvm::Type* narrow = builder_.getInt32Ty();
  llvm::FunctionCallee callee = module_.getOrInsertFunction(
      "tirxcc_meet", llvm::FunctionType::get(wide, {narrow, narrow, wide, wide, wide}, false));
  llvm::Value* none = wide_constant(0);
  return builder_.CreateCall(
      callee, {builder_.getInt32(static_cast<std::uint32_t>(kind)), site, a != nullptr ? a : none,
               b != nullptr ? b : none, c != nullptr ? c : none});
}

llvm::Value* Emitter::emit_meeting(const ir::Call& call) {
  const CpuMeeting kind = kind_of(call);
  llvm::SmallVector<llvm::Value*, 5> args;
  for (const ir::Expr* arg : call.args)
    args.push_back(emit(*arg));
  llvm::Value* site = args.pop_back_val();
  if (kind >= CpuMeeting::Shuffle && kind <= CpuMeeting::ShuffleXor) {
    llvm::Value* mask = to_word(args[0]);
    llvm::Value* width = builder_.CreateShl(to_word(args[3]), 32);
    llvm::Value* got =
        meet(kind, site, to_word(args[1]), to_word(args[2]), builder_.CreateOr(mask, width));
    llvm::Type* type = type_of(call.dtype);
    llvm::Value* bits = builder_.CreateTrunc(got, builder_.getIntNTy(call.dtype.bits));
    return type->isIntegerTy() ? bits : builder_.CreateBitCast(bits, type);
  }
  if (kind >= CpuMeeting::All && kind <= CpuMeeting::ReduceMin) {
    llvm::Value* got = meet(kind, site, to_word(args[1]), nullptr, to_word(args[0]));
    return builder_.CreateTrunc(got, type_of(call.dtype));
  }
  if (call.callee->name == "cuda.warpgroup_sync") {
    constexpr std::int64_t kWarpgroup = 128;
    return meet(kind, site, to_word(args[0]), wide_constant(kWarpgroup));
  }
  if (kind == CpuMeeting::MbarExpect) {
    llvm::Value* barrier = to_word(args[0]);
    meet(kind, site, barrier, to_word(args[1]));
    return meet(CpuMeeting::MbarArrive, site, barrier, wide_constant(1));
  }
  llvm::Value* got = meet(kind, site, args.empty() ? nullptr : to_word(args[0]),
                          args.size() < 2 ? nullptr : to_word(args[1]));
  return call.dtype.is_void() ? got : builder_.CreateTrunc(got, type_of(call.dtype));
}

}  // namespace tirxcc::cpu_codegen
