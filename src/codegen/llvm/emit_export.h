// SPDX-License-Identifier: Apache-2.0
//
// Functions with a plain C signature around the kernels of an exported object: they do what the
// launch plan says (sizes, grid, blocks) without checking the arguments, and need nothing of our
// runtime. `int relu(const float* A, float* B, int64_t n)` returns 0, the number of the assert that
// failed, or one of the negative values of abi::CpuExportStatus.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "abi/cpu_plugin.h"
#include "abi/plan.h"

namespace tirxcc::cpu_codegen {

class ExportEmitter {
 public:
  enum class Form { Whole, Count, Part };
  ExportEmitter(const abi::CpuExport& function, const abi::CpuCompileOptions& options,
                llvm::Module& module);

  // Adds the function, and where it is one launch `<name>_block_count` and `<name>_blocks`.
  void run();

 private:
  // A kernel of the plan: code for ordinary launches and for large ones (null: never needed).
  struct Region {
    const ir::CpuKernel* kernel = nullptr;
    llvm::Function* usual = nullptr;
    llvm::Function* large = nullptr;
    std::int64_t first_status = 0;  // of its asserts, less 1
  };

  llvm::Function* declare(Form form);
  void define(llvm::Function* function, Form form);
  void bind_arguments(llvm::Function* function);
  llvm::Value* word_of(llvm::Value* value, DType type);
  void check_fits(llvm::Value* word, DType type);
  void emit(const abi::HostInstr& instr, const std::vector<llvm::BasicBlock*>& places,
            std::size_t next, Form form);
  llvm::Value* arithmetic(const abi::HostInstr& instr);
  llvm::Value* checked(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b);
  llvm::Value* division(abi::HostOp op, llvm::Value* a, llvm::Value* b);
  llvm::Value* shift(abi::HostOp op, llvm::Value* a, llvm::Value* b);
  void emit_launch(const abi::RegionSpec& spec, const Region& region, Form form);
  llvm::Value* extents(const abi::RegionSpec& spec, llvm::AllocaInst* sizes);
  void call_kernel(const abi::RegionSpec& spec, const Region& region, llvm::AllocaInst* sizes,
                   llvm::Value* first, llvm::Value* last);
  llvm::Value* is_large(const ir::CpuKernel& kernel, llvm::AllocaInst* sizes);
  void emit_return(const abi::HostInstr& instr, Form form);
  void store_result(llvm::Value* word);
  // Goes on only where the condition holds; else the function ends with the status.
  void require(llvm::Value* condition, std::int64_t status);
  void finish(llvm::Value* status);

  llvm::Value* get(abi::Slot slot);
  void set(abi::Slot slot, llvm::Value* value);
  llvm::ConstantInt* wide(std::int64_t value) { return builder_.getInt64(value); }
  llvm::BasicBlock* new_block(const char* name);

  const abi::CpuExport& export_;
  const abi::Plan& plan_;
  const abi::CpuCompileOptions& options_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  std::vector<Region> regions_;
  std::int64_t statuses_ = 0;  // asserts of all kernels
  // Of the function being defined:
  llvm::Function* function_ = nullptr;
  std::vector<llvm::AllocaInst*> slots_;
  std::vector<llvm::Value*> pointers_;  // by parameter
  llvm::Value* first_ = nullptr;
  llvm::Value* last_ = nullptr;
  llvm::Value* result_ = nullptr;
  llvm::AllocaInst* result_word_ = nullptr;
};

// Makes the module stand on its own: a serial T.parallel, memory for large blocks from the C
// library, and conversions of float16 where the processor has none. After optimising.
void make_self_contained(llvm::Module& module);
// What an exported object may ask of its surroundings: functions of the C library.
bool is_exportable_symbol(const std::string& name);

}  // namespace tirxcc::cpu_codegen
