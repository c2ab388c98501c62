// SPDX-License-Identifier: Apache-2.0
//
// How long compiling takes: the seed kernels from text to CUDA text and to CPU machine code, and
// how the cost grows with the size of the input (Google Benchmark fits the complexity).
//
//   build/release/bench/tirxcc_bench_compile --benchmark_filter=Seed
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tirxcc/compiler.h"

namespace {

using tirxcc::CompileOptions;
using tirxcc::Target;

constexpr const char* kSeeds[] = {"relu", "row_sum", "transpose", "binary_search", "early_exit"};

constexpr std::string_view kHead =
    "from tirxcc.script import tirx as T\n\n"
    "n = T.dynamic(\"n\")\n";

std::string kernel(std::string_view name, std::string_view body) {
  return fmt::format(
      "\n\n@T.function\n"
      "def {}(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):\n"
      "    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))\n"
      "    i = T.cuda.block_idx(\"x\") * 256 + T.cuda.thread_idx(\"x\")\n{}",
      name, body);
}

// The text of one seed kernel with the file's head, as a file of its own.
std::string seed_text(std::string_view name) {
  // On another machine the tests lie elsewhere.
  const char* elsewhere = std::getenv("TIRXCC_TWINS");
  std::ifstream file(elsewhere == nullptr ? TIRXCC_TWINS : elsewhere);
  std::stringstream all;
  all << file.rdbuf();
  std::string text = all.str();
  std::size_t def = text.find(fmt::format("def {}(", name));
  if (def == text.npos) {
    fmt::print(stderr, "no {} in {}\n", name, elsewhere == nullptr ? TIRXCC_TWINS : elsewhere);
    std::exit(1);
  }
  std::size_t begin = text.rfind("@T.function", def);
  std::size_t end = text.find("\n\n\n", def);
  return fmt::format("{}\n\n{}\n", kHead, text.substr(begin, end - begin));
}

void compile_to_cuda(benchmark::State& state, const std::string& text) {
  CompileOptions options;
  options.target = Target::cuda();
  for (auto _ : state) {
    tirxcc::Expected<tirxcc::Module> module = tirxcc::compile_text(text, "bench.py", options);
    if (!module) return state.SkipWithError(module.error().message.c_str());
    tirxcc::Expected<std::string> cuda = module->cuda_source();
    if (!cuda) return state.SkipWithError(cuda.error().message.c_str());
    benchmark::DoNotOptimize(cuda->data());
  }
  state.SetComplexityN(state.range(0));
}

void compile_for_cpu(benchmark::State& state, const std::string& text, int opt_level) {
  CompileOptions options;
  options.target = Target::cpu();
  options.opt_level = opt_level;
  for (auto _ : state) {
    tirxcc::Expected<tirxcc::Module> module = tirxcc::compile_text(text, "bench.py", options);
    if (!module) return state.SkipWithError(module.error().message.c_str());
    tirxcc::Expected<void> ready = module->kernel(module->names()[0])->prepare();
    if (!ready) return state.SkipWithError(ready.error().message.c_str());
  }
}

void SeedToCuda(benchmark::State& state) {
  state.SetLabel(kSeeds[state.range(0)]);
  compile_to_cuda(state, seed_text(kSeeds[state.range(0)]));
}
BENCHMARK(SeedToCuda)->DenseRange(0, 4)->Unit(benchmark::kMicrosecond);

void SeedToCpuO2(benchmark::State& state) {
  state.SetLabel(kSeeds[state.range(0)]);
  compile_for_cpu(state, seed_text(kSeeds[state.range(0)]), 2);
}
BENCHMARK(SeedToCpuO2)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

void SeedToCpuO0(benchmark::State& state) {
  state.SetLabel(kSeeds[state.range(0)]);
  compile_for_cpu(state, seed_text(kSeeds[state.range(0)]), 0);
}
BENCHMARK(SeedToCpuO0)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

void Statements(benchmark::State& state) {
  std::string body;
  for (std::int64_t k = 0; k < state.range(0); ++k) {
    body += fmt::format("    B[i] = B[i] * 0.5 + A[i + {}]\n", k);
  }
  compile_to_cuda(state, std::string(kHead) + kernel("f", body));
}
BENCHMARK(Statements)
    ->Arg(1250)
    ->Arg(2500)
    ->Arg(5000)
    ->Arg(10000)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);

void Nesting(benchmark::State& state) {
  std::string body;
  std::string indent = "    ";
  for (std::int64_t k = 0; k < state.range(0); ++k) {
    body += fmt::format("{}if A[i] > {}.0:\n", indent, k);
    indent += ' ';
  }
  body += indent + "B[i] = 1.0\n";
  compile_to_cuda(state, std::string(kHead) + kernel("f", body));
}
BENCHMARK(Nesting)->Arg(125)->Arg(250)->Arg(500)->Complexity()->Unit(benchmark::kMillisecond);

void Elifs(benchmark::State& state) {
  std::string body = "    if i == 0:\n        B[i] = 0.0\n";
  for (std::int64_t k = 1; k <= state.range(0); ++k) {
    body += fmt::format("    elif i == {}:\n        B[i] = {}.0\n", k, k);
  }
  compile_to_cuda(state, std::string(kHead) + kernel("f", body));
}
BENCHMARK(Elifs)->Arg(375)->Arg(750)->Arg(1500)->Arg(3000)->Complexity()->Unit(
    benchmark::kMillisecond);

void Unroll(benchmark::State& state) {
  std::string body =
      fmt::format("    for k in T.unroll({}):\n        B[i] = B[i] + A[i + k]\n", state.range(0));
  compile_to_cuda(state, std::string(kHead) + kernel("f", body));
}
BENCHMARK(Unroll)->Arg(2500)->Arg(5000)->Arg(10000)->Arg(20000)->Complexity()->Unit(
    benchmark::kMillisecond);

void Kernels(benchmark::State& state) {
  std::string text(kHead);
  for (std::int64_t k = 0; k < state.range(0); ++k) {
    text += kernel(fmt::format("f{}", k), "    if i < n:\n        B[i] = A[i] * 2.0\n");
  }
  compile_to_cuda(state, text);
}
BENCHMARK(Kernels)->Arg(125)->Arg(250)->Arg(500)->Arg(1000)->Complexity()->Unit(
    benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
