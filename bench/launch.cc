// SPDX-License-Identifier: Apache-2.0
//
// The time of a launch on the host: bare loops over cuLaunchKernel and cuLaunchKernelEx (the floor)
// beside tirxcc's C++ API, in turns, on one GPU. A burst stays well below the length of the
// driver's queue, so that what is measured is the call and not the waiting for the GPU.
//
//   tirxcc_bench_launch launch_kernels.py [ROUNDS]      one line of JSON
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "runtime/cuda/driver.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/module.h"
#include "tirxcc/compiler.h"

namespace tirxcc {
namespace {

constexpr int kBurst = 400;
constexpr std::int64_t kElements = 256;

template <typename Value, typename Fault>
Value need(tl::expected<Value, Fault> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message);
    std::exit(1);
  }
  return std::move(*result);
}

// A kernel of the file, its machine code in the driver, and one set of arguments in every form.
struct Subject {
  Kernel kernel;
  cuda::CuFunction function = nullptr;
  std::array<cuda::DevicePointer, 10> pointers = {};
  std::array<std::int64_t, 1> shape = {kElements};
  int integer = 3;
  float real = 0.5F;
  int n = kElements;
  std::vector<void*> addresses = {};
  std::vector<Argument> arguments = {};
};

void add_tensor(Subject& subject, std::size_t index) {
  subject.addresses.push_back(&subject.pointers[index]);
  TensorRef tensor;
  tensor.data = reinterpret_cast<void*>(subject.pointers[index]);
  tensor.shape = subject.shape;
  tensor.device = DeviceType::Cuda;
  subject.arguments.emplace_back(tensor);
}

void fill(Subject& subject, cuda::DevicePointer memory, bool many) {
  for (std::size_t i = 0; i < subject.pointers.size(); ++i)
    subject.pointers[i] = memory + i * kElements * sizeof(float);
  add_tensor(subject, 0);
  for (std::size_t i = 1; many && i < 9; ++i) {
    if (i % 2 == 1) {
      subject.addresses.push_back(&subject.integer);
      subject.arguments.emplace_back(subject.integer);
    } else {
      subject.addresses.push_back(&subject.real);
      subject.arguments.emplace_back(subject.real);
    }
    add_tensor(subject, i);
  }
  if (many) {
    subject.addresses.push_back(&subject.integer);
    subject.arguments.emplace_back(subject.integer);
  }
  add_tensor(subject, 9);
  subject.addresses.push_back(&subject.n);
}

// Nanoseconds of one call: the fastest and the middle burst.
struct Time {
  std::vector<double> bursts;
  double best() const { return *std::min_element(bursts.begin(), bursts.end()); }
  double middle() {
    std::nth_element(bursts.begin(), bursts.begin() + static_cast<long>(bursts.size() / 2),
                     bursts.end());
    return bursts[bursts.size() / 2];
  }
};

struct Candidate {
  std::string name;
  std::function<void()> burst;
  Time time = {};
};

void measure(std::vector<Candidate>& candidates, const cuda::DriverApi& api, int rounds) {
  for (int round = -5; round < rounds; ++round) {
    for (Candidate& candidate : candidates) {
      api.CtxSynchronize();
      auto start = std::chrono::steady_clock::now();
      candidate.burst();
      std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
      if (round >= 0) candidate.time.bursts.push_back(taken.count() / kBurst);
    }
  }
  api.CtxSynchronize();
}

std::vector<Candidate> candidates_of(Subject& subject, const cuda::DriverApi& api,
                                     cuda::CuStream stream) {
  auto bare = [&subject, &api, stream] {
    for (int i = 0; i < kBurst; ++i) {
      api.LaunchKernel(subject.function, 1, 1, 1, 256, 1, 1, 0, stream, subject.addresses.data(),
                       nullptr);
    }
  };
  auto extended = [&subject, &api, stream] {
    for (int i = 0; i < kBurst; ++i) {
      cuda::CuLaunchConfig config{1, 1, 1, 256, 1, 1, 0, stream, nullptr, 0};
      api.LaunchKernelEx(&config, subject.function, subject.addresses.data(), nullptr);
    }
  };
  auto ours = [&subject, stream] {
    for (int i = 0; i < kBurst; ++i)
      need(subject.kernel.launch(subject.arguments, {.stream = stream}));
  };
  // No call is like one of the latest before it, so none is repeated from memory.
  auto changing = [&subject, stream, next = std::int64_t{0}]() mutable {
    for (int i = 0; i < kBurst; ++i) {
      subject.shape[0] = 1 + next++ % kElements;
      need(subject.kernel.launch(subject.arguments, {.stream = stream}));
    }
    subject.shape[0] = kElements;
  };
  return {{"cuLaunchKernel", bare},
          {"cuLaunchKernelEx", extended},
          {"tirxcc C++", ours},
          {"tirxcc C++, other sizes at each call", changing}};
}

int run(const std::string& path, int rounds) {
  Module module = need(compile_file(path, {.target = Target::cuda()}));
  cuda::Driver& driver = *need(cuda::Driver::instance());
  cuda::ContextScope scope = need(cuda::ContextScope::enter(driver, 0));
  cuda::DeviceBuffer memory =
      need(cuda::DeviceBuffer::allocate(driver, 0, std::size_t{10} * kElements * sizeof(float)));
  cuda::CuStream stream = nullptr;
  driver.api().StreamCreate(&stream, 1);
  std::string text;
  for (const char* name : {"two_tensors", "nineteen"}) {
    Subject subject{need(module.kernel(name))};
    fill(subject, memory.pointer(), subject.kernel.parameters().size() > 2);
    need(subject.kernel.launch(subject.arguments, {.stream = stream}));
    cuda::LoadedModule* loaded =
        need(need(cuda::Modules::instance())->load(need(subject.kernel.cubin()), "bench"));
    cuda::LoadedKernel* kernel = need(loaded->kernel(subject.kernel.kernels()[0].name));
    subject.function = need(kernel->prepare(0))->function;
    std::vector<Candidate> candidates = candidates_of(subject, driver.api(), stream);
    measure(candidates, driver.api(), rounds);
    text += fmt::format("{}\"{}\": {{", text.empty() ? "" : ", ", name);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Time& time = candidates[i].time;
      text += fmt::format("{}\"{}\": [{:.1f}, {:.1f}]", i == 0 ? "" : ", ", candidates[i].name,
                          time.middle(), time.best());
    }
    text += "}";
  }
  fmt::print("{{{}}}\n", text);
  return 0;
}

}  // namespace
}  // namespace tirxcc

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} launch_kernels.py [ROUNDS]\n", argv[0]);
    return 2;
  }
  return tirxcc::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 50);
}
