// SPDX-License-Identifier: Apache-2.0
//
// For unit tests of passes: runs one pass on a kernel made by hand and checks the result with the
// verifier.
#pragma once

#include "ir/testing.h"
#include "passes/pass.h"

namespace tirxcc::passes {

class PassTest : public ir::KernelTest {
 protected:
  // The body of the kernel after the pass.
  template <typename Pass>
  std::string run(Pass pass, const ir::Kernel& before, PassOptions options = {}) {
    EXPECT_EQ(ir::verify(before), "");
    source::SourceManager sources;
    source::Diagnostics diags(sources);
    PassContext context{arena, diags, options};
    after_ = &pass(before, context);
    EXPECT_EQ(ir::verify(*after_), "");
    return body_text(*after_);
  }

  const ir::Kernel* after_ = nullptr;
};

}  // namespace tirxcc::passes
