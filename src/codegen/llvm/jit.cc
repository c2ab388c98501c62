// SPDX-License-Identifier: Apache-2.0
//
// See jit.h.
#include "codegen/llvm/jit.h"

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <atomic>
#include <mutex>

#include "base/check.h"
#include "codegen/llvm/sanitize.h"
#include "codegen/llvm/symbols.h"

namespace tirxcc::cpu_codegen {
namespace {

namespace orc = llvm::orc;

struct Session {
  std::unique_ptr<orc::ExecutionSession> execution;
  std::unique_ptr<orc::ObjectLinkingLayer> layer;
  orc::JITDylib* symbols = nullptr;
  std::shared_ptr<SectionListener> sections = std::make_shared<SectionListener>();
  std::atomic<std::uint64_t> kernels = 0;
};

// Never destroyed: kernels may be released while the process ends.
Session* session = nullptr;

std::string text_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

}  // namespace

void start_session(const abi::CpuServices& services) {
  static std::once_flag once;
  std::call_once(once, [&] {
    auto control = orc::SelfExecutorProcessControl::Create();
    if (!control) {
      TIRXCC_CHECK(false, "ORC does not start: {}", text_of(control.takeError()));
    }
    auto* made = new Session;
    made->execution = std::make_unique<orc::ExecutionSession>(std::move(*control));
    // Failures come back from lookup; do not print them as well.
    made->execution->setErrorReporter(
        [](llvm::Error error) { llvm::consumeError(std::move(error)); });
    made->layer = std::make_unique<orc::ObjectLinkingLayer>(
        *made->execution, made->execution->getExecutorProcessControl().getMemMgr());
    made->layer->addPlugin(made->sections);
    made->symbols = &made->execution->createBareJITDylib("symbols");
    orc::SymbolMap map;
    for (const OutsideSymbol& symbol : outside_symbols(services)) {
      map[made->execution->intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                   llvm::JITSymbolFlags::Exported};
    }
    add_sanitizer_symbols(*made->symbols);
    llvm::cantFail(made->symbols->define(orc::absoluteSymbols(std::move(map))));
    session = made;
  });
}

LinkedCode::~LinkedCode() {
  // A debugger may have a breakpoint in the code and believe that it stays there. At an address
  // that came back with other code it would not stop; so such code keeps its memory.
  if (debugger_entry_ != nullptr) return;
  if (llvm::Error error = session->execution->removeJITDylib(*dylib_)) {
    TIRXCC_CHECK(false, "a kernel cannot be released: {}", text_of(std::move(error)));
  }
}

Result<std::unique_ptr<LinkedCode>> link_object(std::unique_ptr<llvm::MemoryBuffer> object,
                                                const std::string& entry, bool is_debugged) {
  const std::string name = "kernel" + std::to_string(session->kernels.fetch_add(1));
  orc::JITDylib& dylib = session->execution->createBareJITDylib(name);
  dylib.addToLinkOrder(*session->symbols);
  const std::string file = is_debugged ? object->getBuffer().str() : std::string();
  if (is_debugged) session->sections->watch(dylib);
  if (llvm::Error error = session->layer->add(dylib, std::move(object))) {
    return fail(text_of(std::move(error)));
  }
  auto found = session->execution->lookup({&dylib}, entry);
  if (!found) {
    std::string message = text_of(found.takeError());
    llvm::consumeError(session->execution->removeJITDylib(dylib));
    return fail(std::move(message));
  }
  auto linked = std::make_unique<LinkedCode>(dylib, found->getAddress().toPtr<abi::CpuEntry>());
  if (is_debugged) linked->show(file, session->sections->take(dylib));
  return linked;
}

}  // namespace tirxcc::cpu_codegen
