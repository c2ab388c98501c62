// SPDX-License-Identifier: Apache-2.0
//
// See target.h.
#include "codegen/llvm/target.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include <map>
#include <mutex>
#include <vector>

#include "base/check.h"
#include "codegen/llvm/analyses.h"
#include "codegen/llvm/emit.h"
#include "codegen/llvm/sanitize.h"

namespace tirxcc::cpu_codegen {

// The passes are run again for each module, as `llc -compile-twice` does.
struct Machine {
  std::unique_ptr<llvm::TargetMachine> target;
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream{object};
  llvm::legacy::PassManager passes;
  bool has_passes = false;
};

namespace {

struct Host {
  std::string triple;
  std::string cpu;
  std::string features;
};

const Host& host() {
  static const Host found = [] {
    Host h;
    h.triple = llvm::sys::getProcessTriple();
    h.cpu = llvm::sys::getHostCPUName().str();
    // Not AVX-512: there (Sapphire Rapids) a random program of the oracle got another result than
    // here, in half precision under a branch, and nobody has found out why.
    for (const auto& [name, is_on] : llvm::sys::getHostCPUFeatures()) {
      const bool is_used = is_on && !name.starts_with("avx512") && !name.starts_with("avx10");
      h.features += (h.features.empty() ? "" : ",") + std::string(is_used ? "+" : "-") + name.str();
    }
    return h;
  }();
  return found;
}

// Machines that no compilation uses now, by their options. Never destroyed: a thread may still be
// compiling while the process ends.
struct MachinePool {
  std::mutex mutex;
  std::multimap<std::string, std::unique_ptr<Machine>> idle;
};
MachinePool& machine_pool() {
  static auto* pool = new MachinePool;
  return *pool;
}

// Switches that LLVM has only as command-line options of the process. The plugin has its own copy
// of LLVM, so nobody else is affected.
void set_switch(const char* name, const char* value) {
  auto& options = llvm::cl::getRegisteredOptions();
  const auto found = options.find(name);
  TIRXCC_CHECK(found != options.end(), "LLVM has no option -{}", name);
  const bool failed = found->second->addOccurrence(0, name, value);
  TIRXCC_CHECK(!failed, "LLVM refused -{}={}", name, value);
}

std::unique_ptr<llvm::TargetMachine> make_machine(const abi::CpuCompileOptions& options) {
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(host().triple, error);
  TIRXCC_CHECK(target != nullptr, "no LLVM target for {}: {}", host().triple, error);
  llvm::TargetOptions target_options;
  target_options.AllowFPOpFusion =
      options.contract ? llvm::FPOpFusion::Standard : llvm::FPOpFusion::Strict;
  target_options.EnableFastISel = options.opt_level == 0;
  target_options.EmitStackSizeSection = options.wants_stack_bytes;
  const bool is_host = *options.cpu == '\0';
  const auto level =
      options.opt_level == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      host().triple, is_host ? host().cpu : options.cpu, is_host ? host().features : "",
      target_options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level, /*JIT=*/true));
  TIRXCC_CHECK(machine != nullptr, "LLVM cannot make code for {}", host().triple);
  machine->setFastISel(options.opt_level == 0);
  return machine;
}

// Vector stores of the groups in kStreamingGroups go past the caches. (On scalar stores LLVM would
// refuse to vectorise them, for it cannot know the alignment.)
struct StreamingStores : llvm::PassInfoMixin<StreamingStores> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const llvm::NamedMDNode* groups = function.getParent()->getNamedMetadata(kStreamingGroups);
    if (groups == nullptr) return llvm::PreservedAnalyses::all();
    llvm::LLVMContext& context = function.getContext();
    auto* one =
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1));
    llvm::MDNode* mark = llvm::MDNode::get(context, {one});
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr || !store->getValueOperand()->getType()->isVectorTy()) continue;
      const llvm::MDNode* group = store->getMetadata(llvm::LLVMContext::MD_access_group);
      if (group == nullptr || !llvm::is_contained(groups->operands(), group)) continue;
      const std::uint64_t bytes =
          function.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
      if (!llvm::isPowerOf2_64(bytes)) continue;
      store->setAlignment(llvm::Align(std::min(bytes, kLineBytes)));
      store->setMetadata(llvm::LLVMContext::MD_nontemporal, mark);
    }
    return llvm::PreservedAnalyses::all();
  }
};

std::string machine_key(const abi::CpuCompileOptions& options) {
  return std::string(options.opt_level == 0 ? "0" : "2") + (options.contract ? "c" : "-") +
         (options.wants_stack_bytes ? "s" : "-") + options.cpu;
}

}  // namespace

void initialize_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // Up to 80 % of the time of code generation, for nothing: our loops count in 64 bits already.
    set_switch("disable-lsr", "true");
    // Groups of accesses with gaps move loads and stores past each other. In a loop whose turns are
    // said to be parallel the vectoriser takes that for harmless inside of a turn too, which it is
    // not: A[t, 4] = A[t, 0] after A[t, 0] = A[t, 4] took the old A[t, 0].
    set_switch("enable-interleaved-mem-accesses", "false");
  });
}

const char* host_cpu_name() {
  return host().cpu.c_str();
}

bool has_avx2(const abi::CpuCompileOptions& options) {
  static const bool is_there =
      llvm::Triple(host().triple).isX86() && llvm::sys::getHostCPUFeatures().lookup("avx2");
  return is_there && options.cpu[0] == '\0';
}

Target::Target(const abi::CpuCompileOptions& options)
    : options_(options), key_(machine_key(options)) {
  {
    const std::lock_guard lock(machine_pool().mutex);
    const auto found = machine_pool().idle.find(key_);
    if (found != machine_pool().idle.end()) {
      machine_ = std::move(found->second);
      machine_pool().idle.erase(found);
    }
  }
  if (machine_ != nullptr) return;
  machine_ = std::make_unique<Machine>();
  machine_->target = make_machine(options);
}

Target::~Target() {
  const std::lock_guard lock(machine_pool().mutex);
  machine_pool().idle.emplace(key_, std::move(machine_));
}

void Target::prepare(llvm::Module& module) const {
  module.setTargetTriple(host().triple);
  module.setDataLayout(machine_->target->createDataLayout());
}

void Target::mark(llvm::Module& module) const {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine_->target->getTargetCPU());
    function.addFnAttr("target-features", machine_->target->getTargetFeatureString());
  }
}

void Target::optimize(llvm::Module& module) {
  mark(module);
  if (options_.opt_level > 0) run_pipeline(module);
}

void Target::watch(llvm::Module& module) {
  instrument(module, *machine_->target);
}

// Made for what the emitter produces: loops that test at their end and count in 64 bits, guarded
// memory accesses, stack slots for mutable scalars. Much shorter than O3 for the same code.
void Target::run_pipeline(llvm::Module& module) {
  Analyses analyses(*machine_->target);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass(
      llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true).hoistCommonInsts(true)));
  passes.addPass(llvm::InstCombinePass());
  {
    llvm::LoopPassManager inner;
    inner.addPass(llvm::LICMPass(llvm::LICMOptions()));
    inner.addPass(llvm::SimpleLoopUnswitchPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(inner), /*UseMemorySSA=*/true));
  }
  // Without IndVarSimplify: it took a tenth of the time, and the loops count in 64 bits already.
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass()));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  // LLVM 19: where the vectoriser makes run-time checks and drops them again, values of other loops
  // that these use, and that no phi carries out of their loop, are poison from then on.
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(llvm::LoopVectorizePass());
  if (options_.non_temporal) passes.addPass(StreamingStores());
  passes.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                           .forwardSwitchCondToPhi(true)
                                           .needCanonicalLoops(false)
                                           .hoistCommonInsts(true)
                                           .sinkCommonInsts(true)));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::EarlyCSEPass());
  // Arrays of the block end with it; elsewhere there is next to nothing that it finds.
  if (module.getFunction("llvm.lifetime.end.p0") != nullptr) passes.addPass(llvm::DSEPass());
  passes.addPass(llvm::ADCEPass());
  // Accesses that differ by a constant share an address: what unrolled loops have. The code
  // generator would find them one by one, which takes it much longer.
  passes.addPass(llvm::SeparateConstOffsetFromGEPPass());
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && !function.hasOptNone())
      passes.run(function, analyses.functions);
  }
}

void Target::emit_object(llvm::Module& module, llvm::SmallVectorImpl<char>& out) {
  if (!machine_->has_passes) {
    llvm::MCContext* context = nullptr;
    const bool failed =
        machine_->target->addPassesToEmitMC(machine_->passes, context, machine_->stream);
    TIRXCC_CHECK(!failed, "LLVM cannot emit objects for {}", host().triple);
    machine_->has_passes = true;
  }
  machine_->object.clear();
  machine_->passes.run(module);
  out.append(machine_->object.begin(), machine_->object.end());
}

void Target::emit_assembly(llvm::Module& module, llvm::SmallVectorImpl<char>& out) {
  llvm::legacy::PassManager passes;
  llvm::raw_svector_ostream stream(out);
  const bool failed = machine_->target->addPassesToEmitFile(passes, stream, nullptr,
                                                            llvm::CodeGenFileType::AssemblyFile);
  TIRXCC_CHECK(!failed, "LLVM cannot print assembly for {}", host().triple);
  passes.run(module);
}

}  // namespace tirxcc::cpu_codegen
