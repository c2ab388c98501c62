// SPDX-License-Identifier: Apache-2.0
//
// The rows of barriers for other threads than all of a block: named barriers, mbarriers, that of
// the grid (language.md 7.1, 7.3 and 7.4). On the CPU the threads of such kernels are fibers.
#pragma once

#include <array>

#include "intrinsics/intrinsics.h"

namespace tirxcc::intrinsics {

inline constexpr TypeSet kMbarrierWord = types_of({kUInt64});

inline constexpr std::array kBarrierRows = {
    // Named barriers
    Intrinsic{.name = "cuda.warpgroup_sync",
              .doc = "waits at the named barrier until 128 threads have come",
              .params = {Shape::Int32},
              .cuda = "warpgroup_sync({0})",
              .helper = R"(void warpgroup_sync(int barrier) {
  asm volatile("bar.sync %0, 128;" : : "r"(barrier) : "memory");
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier},
    Intrinsic{.name = "ptx.bar.arrive",
              .doc = "counts at the named barrier, for so many threads, without waiting",
              .params = {Shape::Int32, Shape::Int32},
              .cuda = "bar_arrive({0}, {1})",
              .helper = R"(void bar_arrive(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" : : "r"(barrier), "r"(threads) : "memory");
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier},
    Intrinsic{.name = "ptx.bar.sync",
              .doc = "waits at the named barrier until so many threads have come; 0: all",
              .params = {Shape::Int32, Shape::Int32},
              .cuda = "bar_sync({0}, {1})",
              .helper = R"(void bar_sync(int barrier, int threads) {
  if (threads == 0) {
    asm volatile("bar.sync %0;" : : "r"(barrier) : "memory");
  } else {
    asm volatile("bar.sync %0, %1;" : : "r"(barrier), "r"(threads) : "memory");
  }
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier,
              .last_if_left_out = 0},

    // The whole grid: as cooperative groups do it, whose counter the driver names in two registers
    Intrinsic{.name = "cuda.grid_sync",
              .doc = "barrier of all blocks of a cooperative launch",
              .cuda = "grid_sync()",
              .helper = R"(void grid_sync() {
  unsigned high;
  unsigned low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  unsigned* arrived = (unsigned*)((unsigned long long)high << 32 | low) + 1;
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
    unsigned others = gridDim.x * gridDim.y * gridDim.z - 1;
    unsigned add = blockIdx.x + blockIdx.y + blockIdx.z == 0 ? 0x80000000 - others : 1;
    unsigned before;
    unsigned now;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                 : "=r"(before) : "l"(arrived), "r"(add) : "memory");
    do {
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
    } while (((before ^ now) & 0x80000000) == 0);
  }
  __syncthreads();
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Block,
              .effect = Effect::Barrier,
              .min_sm = 70},

    // mbarriers: a word of shared memory that counts arrivals, phase by phase
    Intrinsic{.name = "cuda.mbarrier_wait",
              .doc = "waits until the phase of that parity has ended",
              .params = {Shape::Pointer, Shape::Int32},
              .types = kMbarrierWord,
              .cuda = "mbarrier_wait({0}, {1})",
              .helper = R"(void mbarrier_wait(unsigned long long* barrier, int parity) {
  unsigned address = (unsigned)__cvta_generic_to_shared(barrier);
  unsigned done = 0;
  while (!done) {
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "  selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(done) : "r"(address), "r"(parity) : "memory");
  }
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier,
              .min_sm = 90},
    Intrinsic{.name = "ptx.mbarrier.arrive",
              .doc = "so many arrivals, one by default",
              .params = {Shape::Pointer, Shape::Int32},
              .types = kMbarrierWord,
              .cuda = "mbarrier_arrive({0}, {1})",
              .helper = R"(void mbarrier_arrive(unsigned long long* barrier, int count) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(count) : "memory");
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier,
              .min_sm = 90,
              .last_if_left_out = 1},
    Intrinsic{.name = "ptx.mbarrier.arrive.expect_tx",
              .doc = "one arrival; the phase also waits for so many bytes of transactions",
              .params = {Shape::Pointer, Shape::Int32},
              .types = kMbarrierWord,
              .cuda = "mbarrier_arrive_expect_tx({0}, {1})",
              .helper = R"(void mbarrier_arrive_expect_tx(unsigned long long* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(bytes) : "memory");
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier,
              .min_sm = 90},
    Intrinsic{.name = "ptx.mbarrier.complete_tx",
              .doc = "so many bytes of transactions are done",
              .params = {Shape::Pointer, Shape::Int32},
              .types = kMbarrierWord,
              .cuda = "mbarrier_complete_tx({0}, {1})",
              .helper = R"(void mbarrier_complete_tx(unsigned long long* barrier, int bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(bytes) : "memory");
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier,
              .min_sm = 90},
    Intrinsic{.name = "ptx.mbarrier.init",
              .doc = "makes an mbarrier whose phases wait for so many arrivals",
              .params = {Shape::Pointer, Shape::Int32},
              .types = kMbarrierWord,
              .cuda = "mbarrier_init({0}, {1})",
              .helper = R"(void mbarrier_init(unsigned long long* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(count) : "memory");
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier,
              .min_sm = 80},
    Intrinsic{.name = "ptx.mbarrier.inval",
              .doc = "ends an mbarrier, whose memory may then be used otherwise",
              .params = {Shape::Pointer},
              .types = kMbarrierWord,
              .cuda = "mbarrier_inval({0})",
              .helper = R"(void mbarrier_inval(unsigned long long* barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];"
               : : "r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
}
)",
              .cpu = "fiber",
              .convergence = Convergence::Warp,
              .effect = Effect::Barrier,
              .min_sm = 80},
    Intrinsic{.name = "ptx.fence.mbarrier_init",
              .doc = "shows new mbarriers to the cluster and to asynchronous copies",
              .cuda = "fence_mbarrier_init()",
              .helper = R"(void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}
)",
              .effect = Effect::Barrier,
              .min_sm = 90},

    // The same, written in full or by an older name
    Intrinsic{.name = "ptx.fence.mbarrier_init.release.cluster",
              .doc = "T.ptx.fence.mbarrier_init",
              .same_as = "ptx.fence.mbarrier_init"},
    Intrinsic{.name = "ptx.mbarrier.arrive.expect_tx.shared.b64",
              .doc = "T.ptx.mbarrier.arrive.expect_tx",
              .same_as = "ptx.mbarrier.arrive.expect_tx"},
    Intrinsic{.name = "ptx.mbarrier.arrive.shared.b64",
              .doc = "T.ptx.mbarrier.arrive",
              .same_as = "ptx.mbarrier.arrive"},
    Intrinsic{.name = "ptx.mbarrier.init.shared.b64",
              .doc = "T.ptx.mbarrier.init",
              .same_as = "ptx.mbarrier.init"},
    Intrinsic{.name = "ptx.mbarrier.try_wait",
              .doc = "T.cuda.mbarrier_wait",
              .same_as = "cuda.mbarrier_wait"},
};

}  // namespace tirxcc::intrinsics
