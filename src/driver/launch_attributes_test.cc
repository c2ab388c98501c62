// SPDX-License-Identifier: Apache-2.0
//
// The launch attributes of language.md 2.1, from the kernel's text to what the driver is handed:
// the fake driver writes each down by its number in cuda.h. The CPU target has no use for them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cuda/dynamic_library.h"
#include "tirxcc/compiler.h"

namespace tirxcc {
namespace {

std::string kernel_text(const std::string& fields) {
  return fmt::format(R"(
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def put(A: T.Tensor((n, 4), T.float32), first: T.int32, ratio: T.float32, p: T.handle, q: T.uint64):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64, {}))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        A[i, 0] = 3.0
)",
                     fields);
}

class LaunchAttributesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    std::string fakes = (program.parent_path() / "tests/fake_cuda").string();
    setenv("TIRXCC_LIBCUDA", (fakes + "/libfake_cuda.so").c_str(), 1);
    setenv("TIRXCC_NVRTC", (fakes + "/libfake_nvrtc.so").c_str(), 1);
    setenv("TIRXCC_CACHE_DIR", "", 1);
    Result<cuda::DynamicLibrary> library = cuda::DynamicLibrary::open(fakes + "/libfake_cuda.so");
    ASSERT_TRUE(library) << library.error().message;
    library_ = std::make_unique<cuda::DynamicLibrary>(*library);
  }

  const char* log() const {
    return reinterpret_cast<const char* (*)()>(library_->symbol("fake_cuda_log"))();
  }

  // Four launches, of which the later ones are repeated from memory where they may be; a message,
  // or what the driver was told behind the kernel's sizes.
  struct Call {
    std::uintptr_t a = 0x10000;
    std::int64_t first = 0;
    double ratio = 0.25;
    std::uintptr_t p = 0x500;
    std::uint64_t q = 0x600;
    std::int64_t n = 256;
    const char* from = " stream=";  // where what is compared begins
  };
  std::string launch(const Kernel& kernel, const Call& call, void* stream = nullptr) const {
    const std::size_t before = std::strlen(log());
    const std::int64_t shape[] = {call.n, 4};
    TensorRef a;
    a.data = reinterpret_cast<void*>(call.a);
    a.shape = shape;
    a.device = DeviceType::Cuda;
    const std::vector<Argument> args = {a, call.first, call.ratio, reinterpret_cast<void*>(call.p),
                                        call.q};
    Expected<Scalar> done = kernel.launch(args, {.stream = stream});
    if (!done) return done.error().message;
    const std::string text = log() + before;
    const std::size_t begin = text.find(call.from);
    return begin == std::string::npos ? text : text.substr(begin, text.find('\n', begin) - begin);
  }
  static Expected<Kernel> compiled(const std::string& fields, const Target& target) {
    Expected<Module> module = compile_text(kernel_text(fields), "put.py", {.target = target});
    if (!module) return tl::unexpected<Error>(module.error());
    return module->kernel("put");
  }
  // The same at the second call and from memory.
  std::string launched(const std::string& fields, const Call& call) const {
    Expected<Kernel> kernel = compiled(fields, Target::cuda());
    if (!kernel) return kernel.error().message;
    std::string first = launch(*kernel, call);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(launch(*kernel, call), first);
    return first;
  }
  std::string launched(const std::string& fields) const { return launched(fields, Call{}); }

  std::unique_ptr<cuda::DynamicLibrary> library_;
};

constexpr const char* kNull = " stream=(nil) device=0";

TEST_F(LaunchAttributesTest, EachReachesTheDriver) {
  const std::pair<const char*, const char*> cases[] = {
      {"cluster=2, preferred_cluster=4", " 4=(2,1,1) 11=(4,1,1)"},
      {"cluster=(2, 1), preferred_cluster=(4, 1, 1)", " 4=(2,1,1) 11=(4,1,1)"},
      {"cluster_scheduling_policy='default'", " 5=0"},
      {"cluster_scheduling_policy='spread'", " 5=1"},
      {"cluster_scheduling_policy='load_balancing'", " 5=2"},
      {"cooperative=True", " 2=1"},
      {"programmatic_stream_serialization=True", " 6=1"},
      {"priority=-2", " 8=-2"},
      {"mem_sync_domain='default'", " 10=0"},
      {"mem_sync_domain='remote'", " 10=1"},
      {"mem_sync_domain_map=T.cuda.MemSyncDomainMap()", " 9=(0,1)"},
      {"mem_sync_domain_map=T.cuda.MemSyncDomainMap(default=3, remote=255)", " 9=(3,255)"},
      {"preferred_shared_memory_carveout=40", " 14=40"},
      {"preferred_shared_memory_carveout=first + 1", " 14=1"},
      {"nvlink_util_centric_scheduling=True", " 16=1"},
      {"nvlink_util_centric_scheduling=False", " 16=0"},
      {"portable_cluster_size_mode='allow_non_portable'", " 17=2"},
      {"shared_memory_mode='allow_oversized'", " 18=3"},
      {"shared_memory_mode='prefer_oversized'", " 18=4"},
      {"programmatic_event=T.cuda.ProgrammaticEvent(event=p, flags=2)", " 7=(0x500,2,0)"},
      {"programmatic_event=T.cuda.ProgrammaticEvent(event=q, trigger_at_block_start=True)",
       " 7=(0x600,0,1)"},
      {"launch_completion_event=T.cuda.LaunchCompletionEvent(event=p)", " 12=(0x500,0)"},
      {"cluster=None, preferred_cluster=None, mem_sync_domain=None, stream=None", ""},
  };
  for (const auto& [fields, expected] : cases)
    EXPECT_EQ(launched(fields), std::string(kNull) + expected) << fields;
}

TEST_F(LaunchAttributesTest, AWindowIsWhereTheMemoryIsInThisCall) {
  Expected<Kernel> kernel = compiled(
      "access_policy_window=T.cuda.AccessPolicyWindow(base_ptr=A.ptr_to([first, 1]), "
      "num_bytes=n * 16 - first * 16, hit_ratio=ratio, hit_prop='streaming')",
      Target::cuda());
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(launch(*kernel, {}), std::string(kNull) + " 1=(0x10004,4096,0.25,1,0)");
    EXPECT_EQ(launch(*kernel, {.a = 0x20000}), std::string(kNull) + " 1=(0x20004,4096,0.25,1,0)");
    EXPECT_EQ(launch(*kernel, {.first = 2, .ratio = 1.0}),
              std::string(kNull) + " 1=(0x10024,4064,1,1,0)");
    EXPECT_EQ(launch(*kernel, {.ratio = 1.5}),
              "access_policy_window.hit_ratio is 1.5; it must be between 0 and 1; when calling "
              "put(A: Tensor([n, 4], float32), first: int32, ratio: float32, p: handle, q: "
              "uint64)");
  }
  EXPECT_EQ(launched("access_policy_window=T.cuda.AccessPolicyWindow(base_ptr=A.data, "
                     "num_bytes=64)"),
            std::string(kNull) + " 1=(0x10000,64,1,2,0)");
  // A number is compared from call to call like any other.
  Expected<Kernel> number = compiled(
      "access_policy_window=T.cuda.AccessPolicyWindow(base_ptr=q, num_bytes=64)", Target::cuda());
  ASSERT_TRUE(number) << number.error().message;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(launch(*number, {}), std::string(kNull) + " 1=(0x600,64,1,2,0)");
    EXPECT_EQ(launch(*number, {.q = 0x700}), std::string(kNull) + " 1=(0x700,64,1,2,0)");
  }
}

TEST_F(LaunchAttributesTest, AHandleIsTheOneOfThisCall) {
  Expected<Kernel> kernel =
      compiled("launch_completion_event=T.cuda.LaunchCompletionEvent(event=p)", Target::cuda());
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(launch(*kernel, {}), std::string(kNull) + " 12=(0x500,0)");
    EXPECT_EQ(launch(*kernel, {.p = 0x900}), std::string(kNull) + " 12=(0x900,0)");
  }
}

TEST_F(LaunchAttributesTest, TheKernelsStreamGoesBeforeTheCallers) {
  // The fake driver knows which streams there are.
  void* streams[2] = {};
  for (void*& stream : streams) {
    ASSERT_EQ(
        reinterpret_cast<int (*)(void**, unsigned)>(library_->symbol("cuStreamCreate"))(&stream, 0),
        0);
  }
  for (const char* field : {"stream=p", "stream=q"}) {
    Expected<Kernel> kernel = compiled(field, Target::cuda());
    ASSERT_TRUE(kernel) << kernel.error().message;
    for (int round = 0; round < 3; ++round) {
      for (void* stream : streams) {
        const auto number = reinterpret_cast<std::uintptr_t>(stream);
        EXPECT_EQ(launch(*kernel, {.p = number, .q = number}, streams[0]),
                  fmt::format(" stream={} device=0", stream));
      }
    }
  }
}

TEST_F(LaunchAttributesTest, WhatIsKnownOnlyAtTheCallIsCheckedThere) {
  Expected<Kernel> kernel =
      compiled("cluster=2, preferred_cluster=first, preferred_shared_memory_carveout=first * 10",
               Target::cuda());
  ASSERT_TRUE(kernel) << kernel.error().message;
  const std::string where =
      "; when calling put(A: Tensor([n, 4], float32), first: int32, ratio: float32, p: handle, q: "
      "uint64)";
  EXPECT_EQ(launch(*kernel, {.first = 4}), std::string(kNull) + " 4=(2,1,1) 11=(4,1,1) 14=40");
  EXPECT_EQ(launch(*kernel, {.first = 5}),
            "preferred_cluster.x is 5, but cluster.x is 2; it must be a multiple of it" + where);
  EXPECT_EQ(launch(*kernel, {.first = 4, .n = 128}),
            "grid.x is 2, which preferred_cluster.x = 4 does not divide" + where);
  EXPECT_EQ(launch(*kernel, {.first = 12}),
            "preferred_shared_memory_carveout is 120; it must be between 0 and 100" + where);
  EXPECT_EQ(launch(*kernel, {.first = 0}),
            "preferred_cluster.x is 0; it must be between 1 and 1024" + where);
}

TEST_F(LaunchAttributesTest, TheCpuRunsTheKernelWithoutThem) {
  Expected<Kernel> kernel = compiled(
      "cluster=1, preferred_cluster=1, mem_sync_domain='remote', stream=q, priority=3, "
      "access_policy_window=T.cuda.AccessPolicyWindow(base_ptr=A.ptr_to([first, 0]), num_bytes=n)",
      Target::cpu());
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (int round = 0; round < 3; ++round) {
    std::vector<float> memory(400, 1.0F);
    const std::int64_t shape[] = {100, 4};
    TensorRef a;
    a.data = memory.data();
    a.shape = shape;
    const std::vector<Argument> args = {a, std::int64_t{0}, 0.5, static_cast<void*>(nullptr),
                                        std::uint64_t{7}};
    Expected<Scalar> done = kernel->launch(args, {});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(memory[0], 3.0F);
    EXPECT_EQ(memory[1], 1.0F);
    EXPECT_EQ(memory[396], 3.0F);
  }
}

// The machine code says how many blocks a cluster has, and the driver counts in clusters.
TEST_F(LaunchAttributesTest, GridInClusters) {
  Call call;
  call.from = " grid=";
  EXPECT_EQ(
      launched("cluster=2), kernel_attrs=T.cuda.KernelAttributes(required_block_size=True", call),
      " grid=2,1,1 block=64,1,1 shared=0 stream=(nil) device=0");
  EXPECT_EQ(
      launched("cluster=2), kernel_attrs=T.cuda.KernelAttributes(required_block_size=False", call),
      " grid=4,1,1 block=64,1,1 shared=0 stream=(nil) device=0 4=(2,1,1)");
}

}  // namespace
}  // namespace tirxcc
