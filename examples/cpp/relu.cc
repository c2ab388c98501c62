// SPDX-License-Identifier: Apache-2.0
//
// A C++ program that embeds a kernel: compiles a kernel file when it runs and calls it with its own
// vectors. There is no Python in the process.
//
//   tirxcc_example_relu examples/control_flow/relu.py
#include <tirxcc/compiler.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "examples/control_flow/relu.py";
  auto module = tirxcc::compile_file(path, {.target = tirxcc::Target::cpu()});
  if (!module) {
    std::fputs(module.error().message.c_str(), stderr);
    return 1;
  }
  auto kernel = module->kernel("relu");
  if (!kernel) {
    std::fprintf(stderr, "%s\n", kernel.error().message.c_str());
    return 1;
  }

  std::vector<float> a(1000);
  for (int i = 0; i < 1000; ++i)
    a[i] = static_cast<float>(i - 500);
  std::vector<float> b(1000);
  auto done = kernel->launch({a, b});
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return 1;
  }
  double sum = 0;
  for (float value : b)
    sum += value;
  std::printf("sum of relu = %.1f\n", sum);

  // What is wrong with a call is said before anything runs.
  std::vector<double> wrong(1000);
  auto refused = kernel->launch({a, wrong});
  std::printf("refused: %s\n", refused ? "no" : refused.error().message.c_str());
  return 0;
}
