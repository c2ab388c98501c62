// SPDX-License-Identifier: Apache-2.0
//
// DWARF for a kernel: its lines, and its names as the kernel file has them. Names become variables
// in memory, visible in the part of the body that they belong to. To the debugger the language is
// C: tensors are pointers, arrays are arrays.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include <string>
#include <string_view>
#include <vector>

#include "ir/cpu_kernel.h"
#include "source/source.h"

namespace tirxcc::cpu_codegen {

class DebugInfo {
 public:
  DebugInfo(llvm::Module& module, const ir::Kernel& kernel, const source::SourceManager& sources);

  // Everything located and declared from now on is of this function, which begins at `span`.
  void begin_function(llvm::Function& function, std::string_view name, ir::Span span);
  // The number of the function's parameter that the next declaration is; 0: it is none.
  void declare_parameter(llvm::IRBuilder<>& builder, llvm::Value* address, std::string_view name,
                         llvm::DIType* type, ir::Span span, unsigned number);
  // A name whose value is at `address`, from the builder's place on. `is_reference`: `address`
  // holds the value's address.
  void declare(llvm::IRBuilder<>& builder, llvm::Value* address, std::string_view name,
               llvm::DIType* type, ir::Span span, bool is_reference = false);

  // What is emitted from now on belongs to the line.
  void locate(llvm::IRBuilder<>& builder, ir::Span span);
  // Names declared inside are visible there only.
  void enter(ir::Span span);
  void leave() { scopes_.pop_back(); }

  llvm::DIType* scalar(DType type);
  llvm::DIType* pointer_to(DType type);
  llvm::DIType* array(const ir::Tensor& tensor);

  void finish() { builder_.finalize(); }

 private:
  llvm::DIFile* file_of(ir::Span span);
  llvm::DILocation* location(ir::Span span);

  llvm::Module& module_;
  const source::SourceManager& sources_;
  llvm::DIBuilder builder_;
  llvm::DICompileUnit* unit_ = nullptr;
  llvm::DenseMap<const source::SourceFile*, llvm::DIFile*> files_;
  llvm::DenseMap<std::uint32_t, llvm::DIType*> types_;
  std::vector<llvm::DIScope*> scopes_;
  ir::Span last_;  // the last place that is in a file
};

}  // namespace tirxcc::cpu_codegen
