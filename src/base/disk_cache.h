// SPDX-License-Identifier: Apache-2.0
//
// A folder of byte strings that are found by a hash of what they were made from: compiled kernels,
// kept between processes. Many processes may use one folder at once, and any of them may be killed
// at any point: an entry appears by rename, complete or not at all, and carries a checksum, so that
// a damaged file is a miss and nothing worse. The folder is bounded; what was not used for longest
// goes first.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tirxcc {

// The name of an entry: a 128-bit hash of everything that determines its content.
struct CacheKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const CacheKey&, const CacheKey&) = default;
  std::string hex() const;
};

// The key of a sequence of texts; ("ab", "c") and ("a", "bc") differ.
CacheKey content_key(std::initializer_list<std::string_view> parts);

class DiskCache {
 public:
  static constexpr std::uint64_t kDefaultLimit = std::uint64_t{512} << 20;

  // Entries live in `folder`/`kind`; an empty folder makes a cache that never holds anything.
  DiskCache(const std::string& folder, std::string_view kind, std::uint64_t limit = kDefaultLimit);

  // TIRXCC_CACHE_DIR (empty: no cache), XDG_CACHE_HOME/tirxcc, ~/.cache/tirxcc, or "".
  static std::string default_folder();

  // The bytes of an entry, and marks it as used now. A damaged entry is removed and not found.
  std::optional<std::string> find(const CacheKey& key) const;

  // Adds an entry. A failure (full disk, no permission) costs nothing but a later compilation.
  Result<void> store(const CacheKey& key, std::string_view bytes);

  // Makes the folder, and a file in it for a moment: whether entries can be added.
  Result<void> check_usable() const;

  struct Usage {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
  };
  Usage usage() const;

  // Removes all entries; what was removed.
  Usage clear();

  const std::string& folder() const { return folder_; }
  std::uint64_t limit() const { return limit_; }

 private:
  std::string path_of(const CacheKey& key) const;
  Result<void> write_entry(const CacheKey& key, std::string_view bytes);
  void keep_below_limit(std::uint64_t added);

  std::string folder_;
  std::uint64_t limit_;
  std::mutex mutex_;              // guards what follows
  std::uint64_t bytes_seen_ = 0;  // in the folder at the last look, plus what we added since
  std::uint32_t stores_since_look_ = 0;
  bool looked_ = false;
};

}  // namespace tirxcc
