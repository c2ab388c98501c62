// SPDX-License-Identifier: Apache-2.0
//
// A user's program, with a variable that it does not use and a header of its own that has the name
// of one of ours.
#include "base/check.h"

#include <tirxcc/compiler.h>

#include <cstdio>
#include <vector>

int main() {
  int not_used;
  auto module = tirxcc::compile_text(R"(
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def double_it(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] *= 2.0
)",
                                     "double_it.py");
  if (!module) {
    std::fputs(module.error().message.c_str(), stderr);
    return 1;
  }
  std::vector<float> a(1000, 21.0f);
  auto done = module->kernel("double_it")->launch({a});
  if (!done) {
    std::fputs(done.error().message.c_str(), stderr);
    return 1;
  }
  std::printf("%s %g\n", own_check(), a[999]);
  return 0;
}
