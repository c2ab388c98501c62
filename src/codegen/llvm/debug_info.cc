// SPDX-License-Identifier: Apache-2.0
//
// See debug_info.h.
#include "codegen/llvm/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include "ir/builder.h"

namespace tirxcc::cpu_codegen {
namespace {

constexpr unsigned kDwarfVersion = 4;

llvm::StringRef to_ref(std::string_view text) {
  return {text.data(), text.size()};
}

unsigned encoding_of(DType type) {
  if (type.is_bool()) return llvm::dwarf::DW_ATE_boolean;
  if (type.is_float() && !type.is_bfloat16()) return llvm::dwarf::DW_ATE_float;
  return type.is_signed_int() ? llvm::dwarf::DW_ATE_signed : llvm::dwarf::DW_ATE_unsigned;
}

}  // namespace

DebugInfo::DebugInfo(llvm::Module& module, const ir::Kernel& kernel,
                     const source::SourceManager& sources)
    : module_(module), sources_(sources), builder_(module), last_(kernel.span) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                       static_cast<std::uint32_t>(llvm::DEBUG_METADATA_VERSION));
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", kDwarfVersion);
  unit_ = builder_.createCompileUnit(llvm::dwarf::DW_LANG_C99, file_of(kernel.span), "tirxcc",
                                     /*isOptimized=*/false, /*Flags=*/"", /*RV=*/0);
}

llvm::DIFile* DebugInfo::file_of(ir::Span span) {
  const source::SourceFile* file = sources_.file_of(span);
  llvm::DIFile*& made = files_[file];
  if (made != nullptr) return made;
  llvm::SmallString<256> path(file == nullptr ? "<none>" : file->path);
  if (file != nullptr) llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  made = builder_.createFile(llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
  return made;
}

void DebugInfo::begin_function(llvm::Function& function, std::string_view name, ir::Span span) {
  llvm::DIFile* file = file_of(span);
  const unsigned line = sources_.position(span).line;
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  llvm::DISubprogram* subprogram = builder_.createFunction(
      file, to_ref(name), function.getName(), file, line, type, line, llvm::DINode::FlagPrototyped,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagLocalToUnit);
  function.setSubprogram(subprogram);
  function.addFnAttr("frame-pointer", "all");
  function.setUWTableKind(llvm::UWTableKind::Default);
  scopes_.assign(1, subprogram);
  last_ = span;
}

// The passes' own statements have no place; they belong to what came before.
llvm::DILocation* DebugInfo::location(ir::Span span) {
  if (sources_.file_of(span) != nullptr) last_ = span;
  const source::LineColumn place = sources_.position(last_);
  llvm::DIScope* scope = scopes_.back();
  if (scope->getFile() != file_of(last_)) {
    scope = builder_.createLexicalBlockFile(scope, file_of(last_));
  }
  return llvm::DILocation::get(module_.getContext(), place.line, place.column, scope);
}

void DebugInfo::locate(llvm::IRBuilder<>& builder, ir::Span span) {
  builder.SetCurrentDebugLocation(location(span));
}

void DebugInfo::enter(ir::Span span) {
  if (sources_.file_of(span) == nullptr) span = last_;
  const source::LineColumn place = sources_.position(span);
  scopes_.push_back(
      builder_.createLexicalBlock(scopes_.back(), file_of(span), place.line, place.column));
}

llvm::DIType* DebugInfo::scalar(DType type) {
  const auto key =
      static_cast<std::uint32_t>(type.code) << 16U | static_cast<std::uint32_t>(type.bits);
  llvm::DIType*& made = types_[key];
  if (made != nullptr) return made;
  if (type.code == TypeCode::Handle) {
    made = builder_.createPointerType(nullptr, 64);
  } else {
    const auto bits = static_cast<std::uint64_t>(std::max<int>(8, type.bits));
    made = builder_.createBasicType(to_string(type), bits, encoding_of(type));
  }
  return made;
}

llvm::DIType* DebugInfo::pointer_to(DType type) {
  return builder_.createPointerType(scalar(type.lane()), 64);
}

llvm::DIType* DebugInfo::array(const ir::Tensor& tensor) {
  std::vector<llvm::Metadata*> ranges;
  std::uint64_t bits = static_cast<std::uint64_t>(std::max<int>(8, tensor.dtype.bits));
  for (const ir::Expr* extent : tensor.shape) {
    const ir::IntImm* known = ir::as_int(extent);
    const std::int64_t count = known == nullptr ? 1 : std::max<std::int64_t>(1, known->value);
    ranges.push_back(builder_.getOrCreateSubrange(0, count));
    bits *= static_cast<std::uint64_t>(count);
  }
  return builder_.createArrayType(bits, 0, scalar(tensor.dtype.lane()),
                                  builder_.getOrCreateArray(ranges));
}

void DebugInfo::declare_parameter(llvm::IRBuilder<>& builder, llvm::Value* address,
                                  std::string_view name, llvm::DIType* type, ir::Span span,
                                  unsigned number) {
  const unsigned line = sources_.position(span).line;
  llvm::DILocalVariable* variable = builder_.createParameterVariable(
      scopes_.back(), to_ref(name), number, file_of(span), line, type, /*AlwaysPreserve=*/true);
  builder_.insertDeclare(address, variable, builder_.createExpression(), location(span),
                         builder.GetInsertBlock());
}

void DebugInfo::declare(llvm::IRBuilder<>& builder, llvm::Value* address, std::string_view name,
                        llvm::DIType* type, ir::Span span, bool is_reference) {
  const unsigned line = sources_.position(span).line;
  llvm::DILocalVariable* variable = builder_.createAutoVariable(
      scopes_.back(), to_ref(name), file_of(span), line, type, /*AlwaysPreserve=*/true);
  const std::uint64_t follow[] = {llvm::dwarf::DW_OP_deref};
  llvm::DIExpression* expression =
      is_reference ? builder_.createExpression(follow) : builder_.createExpression();
  builder_.insertDeclare(address, variable, expression, location(span), builder.GetInsertBlock());
}

}  // namespace tirxcc::cpu_codegen
