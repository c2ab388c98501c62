// SPDX-License-Identifier: Apache-2.0
//
// The C entry of the CPU plugin. LLVM is linked statically into a shared library of its own, so
// that a process which never runs a kernel on the CPU does not pay for loading it. The library
// exports one function, tirxcc_cpu_plugin, which hands out a table of functions. Both sides come
// from one build (they exchange pointers to IR nodes), which the build id in the call makes sure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tirxcc::ir {
struct CpuKernel;
}

namespace tirxcc::source {
class SourceManager;
}

namespace tirxcc::abi {

// The machine code of one kernel: runs the blocks [first_block, last_block) of a launch, or a host
// function once.
//
// `args` holds one 64-bit word per parameter that has a tensor (its address) or a scalar, in
// source order, then one per entry of Kernel::symbols; scalars in the slot representation of
// abi/plan.h. `launch` is grid x, y, z, block x, y, z, bytes of dynamic shared memory. `result`
// receives the scalar result of a host function (slot representation). Returns 0, or 1 + the index
// of the assert that failed.
//
// For fibers (ir::CpuKernel::is_fibers) it runs thread `last_block` of block `first_block`, whose
// shared memory is at `result`; with a negative `last_block` it returns how many bytes that has.
using CpuEntry = std::int64_t (*)(const std::uint64_t* args, const std::int64_t* launch,
                                  std::int64_t first_block, std::int64_t last_block,
                                  std::uint64_t* result);

// Runs body(context, first, last) over disjoint parts of [0, count), on several threads when that
// pays; returns the first value that is not 0, or 0.
using CpuParallelBody = std::int64_t (*)(void* context, std::int64_t first, std::int64_t last);
using CpuParallelFor = std::int64_t (*)(CpuParallelBody body, void* context, std::int64_t count);

// Memory of the calling thread for the arrays of one block at a time, at least so many bytes, at
// the start of a page. What is in it is undefined.
using CpuBlockMemory = void* (*)(std::int64_t bytes);

// What threads that run as fibers do together, with the operands of CpuMeet.
enum class CpuMeeting : std::int32_t {
  BlockBarrier,
  BlockAnd,  // a: condition
  BlockOr,
  WarpBarrier,
  ActiveMask,
  Elect,
  Shuffle,  // a: bits of the value, b: the other lane's number or distance,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,  // c: mask | width << 32
  All,         // a: condition or number, c: mask
  Any,
  Ballot,
  ReduceAdd,
  ReduceMin,
  NamedSync,    // a: number of the barrier, b: threads that it waits for; 0: all
  NamedArrive,  // does not wait
  MbarInit,     // a: address, b: arrivals of a phase
  MbarInval,
  MbarArrive,      // b: how many
  MbarArriveDrop,  // and one less from the next phase on
  MbarExpect,      // b: bytes of transactions that the phase waits for as well
  MbarComplete,    // b: bytes that have come
  MbarTest,        // b: parity; whether that phase has ended
  MbarWait,
  GridBarrier,
  Spin,  // lets others run
};

// `site`: number of the place in the kernel. Returns what the operation gives.
using CpuMeet = std::uint64_t (*)(std::int32_t meeting, std::int32_t site, std::uint64_t a,
                                  std::uint64_t b, std::uint64_t c);

// What the runtime provides to generated code.
struct CpuServices {
  CpuParallelFor parallel_for = nullptr;
  CpuBlockMemory block_memory = nullptr;
  CpuMeet meet = nullptr;
};

struct CpuCompileOptions {
  int opt_level = 2;          // 0: FastISel without passes; else the optimised pipeline
  std::uint32_t variant = 0;  // abi::Variant bits: kAlias drops noalias
  bool contract = false;      // a * b + c may become one fused operation
  bool non_temporal = false;  // stores to write-only tensors bypass the caches
  const char* cpu = "";       // LLVM's name of a processor; "": this host with its features
  // Lines and names of these files for debuggers, and opt_level 0; null: none.
  const source::SourceManager* debug_sources = nullptr;
  std::int32_t vector_width = 0;   // preferred width in bits; 0: the target's own choice
  bool wants_stack_bytes = false;  // CpuPlugin::stack_bytes will be asked for
};

struct Plan;

// What an exported function returns apart from 0 and the numbers of failed asserts.
enum class CpuExportStatus : std::int64_t {
  BadLaunch = -1,  // a size overflows or is not allowed
  NoMemory = -2,
};

// A function of an exported object: C code around the plan's kernels, which run serially.
struct CpuExport {
  const char* name;
  const Plan* plan;
  // By region of the plan: the kernel for usual launches and that for launches beyond its limits
  // (null: there can be none).
  const ir::CpuKernel* const* usual;
  const ir::CpuKernel* const* large;
  bool has_blocks;  // one launch: `<name>_block_count` and `<name>_blocks` as well
};

struct CpuCode;  // opaque; made by compile, ended by release

enum class CpuText : std::uint8_t {
  Ir,           // LLVM IR as emitted
  OptimizedIr,  // after the passes
  Assembly,
  Object,   // an ELF object
  Symbols,  // undefined symbols of the object, one a line
};

// Receives a text; `user` is handed through.
using CpuTextSink = void (*)(void* user, const char* data, std::size_t size);

struct CpuPlugin {
  const char* build_id;
  const char* host_cpu;  // "znver3"
  // Compiles; null on failure, after `error` has received one line. Safe from many threads.
  CpuCode* (*compile)(const ir::CpuKernel* kernel, const CpuCompileOptions* options,
                      CpuTextSink error, void* user);
  CpuEntry (*entry)(const CpuCode* code);
  std::int64_t (*compile_ns)(const CpuCode* code);
  // Bytes of stack that the code needs at most, but for what the C library does; if wanted.
  std::int64_t (*stack_bytes)(const CpuCode* code);
  // Compiles again only to show the text (compile keeps no text). False after an error.
  bool (*print)(const ir::CpuKernel* kernel, const CpuCompileOptions* options, CpuText what,
                CpuTextSink out, void* user);
  // An object file of C functions that needs nothing but the C library. False after an error.
  bool (*export_object)(const CpuExport* functions, std::size_t count,
                        const CpuCompileOptions* options, CpuTextSink out, void* user);
  // Whether generated code may call a function of the C library by this name.
  bool (*is_library_name)(const char* name);
  // Frees the machine code; no launch may be running in it.
  void (*release)(CpuCode* code);
};

// The one exported function; null if `build_id` is not the plugin's own.
using CpuPluginEntry = const CpuPlugin* (*)(const char* build_id, const CpuServices* services);

}  // namespace tirxcc::abi
