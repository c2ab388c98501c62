// SPDX-License-Identifier: Apache-2.0
//
// More than one dimension, scalars, and a stream: how a C++ program describes memory that is its
// own. Runs on the CPU; with a GPU the same call takes device memory and a stream, as below.
//
//   tirxcc_example_scale_rows examples/cpp/scale_rows.py
#include <tirxcc/compiler.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::int64_t kRows = 3;
constexpr std::int64_t kColumns = 5;

// A kernel compiled for Target::cuda(), on device memory: enqueued on the stream (a CUstream or
// cudaStream_t), and back before it has run.
tirxcc::Expected<tirxcc::Scalar> launch_on_gpu(const tirxcc::Kernel& kernel, float* a,
                                               float* weights, float* b, void* stream) {
  const std::int64_t shape[] = {kRows, kColumns};
  const auto on_device = [](float* data, std::span<const std::int64_t> extents) {
    return tirxcc::TensorRef{
        .data = data, .shape = extents, .device = tirxcc::DeviceType::Cuda, .device_index = 0};
  };
  return kernel.launch(
      {on_device(a, shape), on_device(weights, {shape, 1}), 0.5f, on_device(b, shape)},
      {.stream = stream});
}

int fail(const tirxcc::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "examples/cpp/scale_rows.py";
  auto module = tirxcc::compile_file(path, {.target = tirxcc::Target::cpu()});
  if (!module) return fail(module.error());
  auto kernel = module->kernel("scale_rows");
  if (!kernel) return fail(kernel.error());

  std::vector<float> a(kRows * kColumns, 1.0f);
  std::vector<float> weights = {1, 10, 100};
  std::vector<float> b(a.size());
  const std::int64_t shape[] = {kRows, kColumns};
  // float32, row by row without gaps; `.type` and `.strides` say otherwise.
  const tirxcc::TensorRef from{.data = a.data(), .shape = shape};
  const tirxcc::TensorRef to{.data = b.data(), .shape = shape};
  auto done = kernel->launch({from, weights, 0.5f, to});
  if (!done) return fail(done.error());
  for (std::int64_t row = 0; row < kRows; ++row)
    std::printf("row %d: %.1f\n", static_cast<int>(row), b[row * kColumns]);

  // On the CPU this is refused: it wants memory of a GPU.
  auto refused = launch_on_gpu(*kernel, a.data(), weights.data(), b.data(), nullptr);
  std::printf("refused: %s\n", refused ? "no" : refused.error().message.c_str());
  return 0;
}
