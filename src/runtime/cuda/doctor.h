// SPDX-License-Identifier: Apache-2.0
//
// What this machine has of CUDA, for `tirxcc doctor`: a few lines for people, each naming what was
// found and where, or what is missing and how to get it.
#pragma once

#include <string>
#include <vector>

#include "runtime/cuda/cubin_cache.h"
#include "runtime/cuda/driver.h"

namespace tirxcc::cuda {

struct Finding {
  bool is_good = false;
  std::string subject;  // "driver", "GPU 0", "NVRTC", "CUDA headers", "cache"
  std::string text;
};

// `driver` is Driver::instance() in the tool and a fake one in tests.
std::vector<Finding> examine(const Result<Driver*>& driver, CubinCache& cache);

// The findings as lines, "ok       driver    CUDA 13.0, /usr/lib/.../libcuda.so.1".
std::string render(const std::vector<Finding>& findings);

}  // namespace tirxcc::cuda
