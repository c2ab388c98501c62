// SPDX-License-Identifier: Apache-2.0
//
// "did you mean": the known name that is nearest to one that is not known.
#pragma once

#include <string_view>

namespace tirxcc::sema {

// Offers candidates one by one and keeps the nearest that is near enough (about one edit in three
// letters, case counting half).
class NearestName {
 public:
  explicit NearestName(std::string_view wanted);
  void offer(std::string_view candidate);
  // Empty if nothing was near enough.
  std::string_view result() const { return best_; }

 private:
  std::string_view wanted_;
  std::string_view best_;
  int limit_;  // edits must stay below; in half edits
};

}  // namespace tirxcc::sema
