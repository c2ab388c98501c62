// SPDX-License-Identifier: Apache-2.0
//
// What a public Kernel points to.
#pragma once

#include <memory>

#include "driver/compilation.h"
#include "tirxcc/kernel.h"

namespace tirxcc {

struct Kernel::Impl {
  std::shared_ptr<driver::Compilation> compilation;
  driver::Unit* unit = nullptr;
};

}  // namespace tirxcc
