// SPDX-License-Identifier: Apache-2.0
//
// The rows of what only a GPU's threads do: barriers, fences, exchange between lanes, atomics
// (language.md 7.1 and 7.4). To add one, add a row; what the columns mean stands in intrinsics.h.
#pragma once

#include <array>

#include "intrinsics/intrinsics.h"

namespace tirxcc::intrinsics {

inline constexpr TypeSet kAtomicInts = types_of({kInt32, kUInt32, kInt64, kUInt64});
inline constexpr TypeSet kAtomicNumbers =
    types_of({kInt32, kUInt32, kInt64, kUInt64, kFloat16, kBFloat16, kFloat32, kFloat64});
inline constexpr TypeSet kAtomicWords =
    types_of({kInt32, kUInt32, kInt64, kUInt64, kFloat32, kFloat64});
inline constexpr TypeSet kLaneNumbers =
    types_of({kInt32, kUInt32, kInt64, kUInt64, kFloat16, kBFloat16, kFloat32, kFloat64});

// Signed 64-bit words go by CUDA's unsigned functions: adding and bit patterns are the same.
inline constexpr std::array kCudaRows = {
    // Barriers and fences
    Intrinsic{.name = "cuda.cta_sync",
              .doc = "barrier of all threads of the block",
              .cuda = "__syncthreads()",
              .convergence = Convergence::Block,
              .effect = Effect::Barrier},
    Intrinsic{.name = "cuda.syncthreads_and",
              .doc = "barrier of the block; 1 if the condition holds in all its threads, else 0",
              .params = {Shape::Bool},
              .result = Result::Int32,
              .cuda = "__syncthreads_and({0})",
              .convergence = Convergence::Block,
              .effect = Effect::Barrier,
              .gathers = 0},
    Intrinsic{.name = "cuda.syncthreads_or",
              .doc = "barrier of the block; 1 if the condition holds in any of its threads, else 0",
              .params = {Shape::Bool},
              .result = Result::Int32,
              .cuda = "__syncthreads_or({0})",
              .convergence = Convergence::Block,
              .effect = Effect::Barrier,
              .gathers = 0},
    Intrinsic{.name = "cuda.warp_sync",
              .doc = "barrier of all threads of the warp",
              .cuda = "__syncwarp()",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier},
    Intrinsic{.name = "cuda.thread_fence",
              .doc = "orders this thread's memory accesses for the whole device",
              .cuda = "__threadfence()",
              .effect = Effect::Barrier},
    Intrinsic{.name = "cuda.thread_fence_block",
              .doc = "orders this thread's memory accesses for its block",
              .cuda = "__threadfence_block()",
              .effect = Effect::Barrier},
    Intrinsic{.name = "cuda.thread_fence_system",
              .doc = "orders this thread's memory accesses for all devices and the host",
              .cuda = "__threadfence_system()",
              .effect = Effect::Barrier},

    // Exchange between lanes
    Intrinsic{.name = "cuda.__activemask",
              .doc = "the lanes of the warp that arrive here together",
              .result = Result::UInt32,
              .cuda = "__activemask()",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads},
    Intrinsic{.name = "cuda.__shfl_down_sync",
              .doc = "the value of the lane that is so many further; beyond the group its own",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width},
              .result = Result::SameAsFirst,
              .typed_by = 1,
              .types = kLaneNumbers,
              .cuda = "__shfl_down_sync({0}, {1}, {2}, {3})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .last_if_left_out = 32},
    Intrinsic{.name = "cuda.__shfl_sync",
              .doc = "the value of one lane of the group",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width},
              .result = Result::SameAsFirst,
              .typed_by = 1,
              .types = kLaneNumbers,
              .cuda = "__shfl_sync({0}, {1}, {2}, {3})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .gathers = 1,
              .last_if_left_out = 32},
    Intrinsic{.name = "cuda.__shfl_up_sync",
              .doc = "the value of the lane that is so many before; before the group its own",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width},
              .result = Result::SameAsFirst,
              .typed_by = 1,
              .types = kLaneNumbers,
              .cuda = "__shfl_up_sync({0}, {1}, {2}, {3})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .last_if_left_out = 32},
    Intrinsic{.name = "cuda.__shfl_xor_sync",
              .doc = "the value of the lane whose number differs in the given bits",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width},
              .result = Result::SameAsFirst,
              .typed_by = 1,
              .types = kLaneNumbers,
              .cuda = "__shfl_xor_sync({0}, {1}, {2}, {3})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .last_if_left_out = 32},
    Intrinsic{.name = "cuda.all_sync",
              .doc = "1 if the condition holds in all lanes of the mask, else 0",
              .params = {Shape::Mask, Shape::Bool},
              .result = Result::Int32,
              .cuda = "__all_sync({0}, {1})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .gathers = 1},
    Intrinsic{.name = "cuda.any_sync",
              .doc = "1 if the condition holds in any lane of the mask, else 0",
              .params = {Shape::Mask, Shape::Bool},
              .result = Result::Int32,
              .cuda = "__any_sync({0}, {1})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .gathers = 1},
    Intrinsic{.name = "cuda.ballot_sync",
              .doc = "the lanes of the mask in which the condition holds, one bit each",
              .params = {Shape::Mask, Shape::Bool},
              .result = Result::UInt32,
              .cuda = "__ballot_sync({0}, {1})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .gathers = 1},
    Intrinsic{.name = "cuda.elect_sync",
              .doc = "true in exactly one lane of the warp",
              .result = Result::Bool,
              .cuda = "elect_sync()",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .special = Special::ElectSync},
    Intrinsic{.name = "cuda.reduce_add_sync_u32",
              .doc = "the sum over the lanes of the mask",
              .params = {Shape::Mask, Shape::UInt32},
              .result = Result::UInt32,
              .cuda = "__reduce_add_sync({0}, {1})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .min_sm = 80,
              .gathers = 1},
    Intrinsic{.name = "cuda.reduce_min_sync_u32",
              .doc = "the least value of the lanes of the mask",
              .params = {Shape::Mask, Shape::UInt32},
              .result = Result::UInt32,
              .cuda = "__reduce_min_sync({0}, {1})",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .min_sm = 80,
              .gathers = 1},
    Intrinsic{.name = "ptx.elect_sync",
              .doc = "true in exactly one lane of the warp",
              .result = Result::Bool,
              .cuda = "elect_sync()",
              .convergence = Convergence::Warp,
              .effect = Effect::Reads,
              .special = Special::ElectSync},

    // The same by the names of other versions of the language
    Intrinsic{.name = "cuda._shfl_down_sync",
              .doc = "T.cuda.__shfl_down_sync",
              .same_as = "cuda.__shfl_down_sync"},
    Intrinsic{
        .name = "cuda._shfl_sync", .doc = "T.cuda.__shfl_sync", .same_as = "cuda.__shfl_sync"},
    Intrinsic{.name = "cuda._shfl_up_sync",
              .doc = "T.cuda.__shfl_up_sync",
              .same_as = "cuda.__shfl_up_sync"},
    Intrinsic{.name = "cuda._shfl_xor_sync",
              .doc = "T.cuda.__shfl_xor_sync",
              .same_as = "cuda.__shfl_xor_sync"},
    Intrinsic{.name = "gpu_warp_shuffle",
              .doc = "T.cuda.__shfl_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_sync"},
    Intrinsic{.name = "gpu_warp_shuffle_down",
              .doc = "T.cuda.__shfl_down_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_down_sync"},
    Intrinsic{.name = "gpu_warp_shuffle_up",
              .doc = "T.cuda.__shfl_up_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_up_sync"},
    Intrinsic{.name = "gpu_warp_shuffle_xor",
              .doc = "T.cuda.__shfl_xor_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_xor_sync"},
    Intrinsic{.name = "tvm_warp_shuffle",
              .doc = "T.cuda.__shfl_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_sync"},
    Intrinsic{.name = "tvm_warp_shuffle_down",
              .doc = "T.cuda.__shfl_down_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_down_sync"},
    Intrinsic{.name = "tvm_warp_shuffle_up",
              .doc = "T.cuda.__shfl_up_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_up_sync"},
    Intrinsic{.name = "tvm_warp_shuffle_xor",
              .doc = "T.cuda.__shfl_xor_sync with the size of a warp",
              .params = {Shape::Mask, Shape::AnyLane, Shape::Int32, Shape::Width, Shape::WarpSize},
              .same_as = "cuda.__shfl_xor_sync"},

    // Atomics: read, change and write one element as one step; the value is the old one
    Intrinsic{.name = "cuda.atomic_add",
              .doc = "adds to an element as one step; the value is the old one",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicNumbers,
              .cuda = "atomicAdd({0}, {1})",
              .cuda_s64 = "(long long)atomicAdd((unsigned long long*){0}, {1})",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_and",
              .doc = "bitwise and with an element as one step; the value is the old one",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicInts,
              .cuda = "atomicAnd({0}, {1})",
              .cuda_s64 = "(long long)atomicAnd((unsigned long long*){0}, {1})",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_cas",
              .doc = "stores the last operand if the element equals the second, as one step; the "
                     "value is the old one. Floats are compared bit by bit",
              .params = {Shape::Pointer, Shape::Element, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicWords,
              .cuda = "atomicCAS({0}, {1}, {2})",
              .cuda_f32 = "__int_as_float(atomicCAS((int*){0}, __float_as_int({1}), "
                          "__float_as_int({2})))",
              .cuda_f64 = "__longlong_as_double(atomicCAS((unsigned long long*){0}, "
                          "__double_as_longlong({1}), __double_as_longlong({2})))",
              .cuda_s64 = "(long long)atomicCAS((unsigned long long*){0}, {1}, {2})",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_exch",
              .doc = "stores into an element as one step; the value is the old one",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicWords,
              .cuda = "atomicExch({0}, {1})",
              .cuda_f64 = "__longlong_as_double(atomicExch((unsigned long long*){0}, "
                          "__double_as_longlong({1})))",
              .cuda_s64 = "(long long)atomicExch((unsigned long long*){0}, {1})",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_max",
              .doc =
                  "keeps the greater of an element and a value as one step; the value is the old "
                  "one. A float that is NaN changes nothing",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicWords,
              .cuda = "atomicMax({0}, {1})",
              .cuda_f32 = "atomic_max({0}, {1})",
              .cuda_f64 = "atomic_max({0}, {1})",
              .helper = R"(float atomic_max(float* p, float value) {
  int old = *(volatile int*)p;
  while (value > __int_as_float(old)) {
    int seen = atomicCAS((int*)p, old, __float_as_int(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __int_as_float(old);
}
)",
              .helper_f64 = R"(double atomic_max(double* p, double value) {
  unsigned long long old = *(volatile unsigned long long*)p;
  while (value > __longlong_as_double(old)) {
    unsigned long long seen =
        atomicCAS((unsigned long long*)p, old, __double_as_longlong(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __longlong_as_double(old);
}
)",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_min",
              .doc = "keeps the lesser of an element and a value as one step; the value is the old "
                     "one. A float that is NaN changes nothing",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicWords,
              .cuda = "atomicMin({0}, {1})",
              .cuda_f32 = "atomic_min({0}, {1})",
              .cuda_f64 = "atomic_min({0}, {1})",
              .helper = R"(float atomic_min(float* p, float value) {
  int old = *(volatile int*)p;
  while (value < __int_as_float(old)) {
    int seen = atomicCAS((int*)p, old, __float_as_int(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __int_as_float(old);
}
)",
              .helper_f64 = R"(double atomic_min(double* p, double value) {
  unsigned long long old = *(volatile unsigned long long*)p;
  while (value < __longlong_as_double(old)) {
    unsigned long long seen =
        atomicCAS((unsigned long long*)p, old, __double_as_longlong(value));
    if (seen == old) {
      break;
    }
    old = seen;
  }
  return __longlong_as_double(old);
}
)",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_or",
              .doc = "bitwise or with an element as one step; the value is the old one",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicInts,
              .cuda = "atomicOr({0}, {1})",
              .cuda_s64 = "(long long)atomicOr((unsigned long long*){0}, {1})",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_sub",
              .doc = "subtracts from an element as one step; the value is the old one",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicNumbers,
              .cuda = "atomicSub({0}, {1})",
              .effect = Effect::Atomic},
    Intrinsic{.name = "cuda.atomic_xor",
              .doc = "bitwise exclusive or with an element as one step; the value is the old one",
              .params = {Shape::Pointer, Shape::Element},
              .result = Result::SameAsFirst,
              .types = kAtomicInts,
              .cuda = "atomicXor({0}, {1})",
              .cuda_s64 = "(long long)atomicXor((unsigned long long*){0}, {1})",
              .effect = Effect::Atomic},

    // Time and messages
    Intrinsic{.name = "cuda.clock64",
              .doc = "cycle counter of the multiprocessor",
              .result = Result::Int64,
              .cuda = "clock64()",
              .cpu = "llvm.readcyclecounter",
              .effect = Effect::Reads},
    Intrinsic{.name = "cuda.nano_sleep",
              .doc = "suspends the thread for about so many nanoseconds",
              .params = {Shape::UInt32},
              .cuda = "__nanosleep({0})",
              .cpu = "nothing",
              .effect = Effect::Writes,
              .min_sm = 70},
    Intrinsic{.name = "cuda.printf",
              .doc = "writes a line of text; the format is C's and a literal",
              .params = {Shape::Text},
              .cuda = "printf({0})",
              .effect = Effect::Writes,
              .special = Special::Printf,
              .is_variadic = true},
    Intrinsic{.name = "cuda.trap_when_assert_failed",
              .doc = "stops the kernel if the condition does not hold",
              .params = {Shape::Bool},
              .cuda = "trap_when_assert_failed({0})",
              .helper = R"(void trap_when_assert_failed(bool condition) {
  if (!condition) {
    __trap();
  }
}
)",
              .cpu = "assert",
              .effect = Effect::Writes},
};

}  // namespace tirxcc::intrinsics
