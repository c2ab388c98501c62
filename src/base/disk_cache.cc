// SPDX-License-Identifier: Apache-2.0
//
// An entry file is a header (magic, key, size and checksum of the payload) and the payload. The
// time of last use is the file's modification time.
#include "base/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tirxcc {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'t', 'i', 'r', 'x', 'c', 'c', '-', '1'};
constexpr std::string_view kTemporaryPrefix = ".new-";
// A temporary file this old belongs to a process that was killed while writing.
constexpr std::chrono::minutes kTemporaryLife{10};
// Other processes add entries too: look at the folder again after so many of our own.
constexpr std::uint32_t kStoresBetweenLooks = 64;

struct Header {
  char magic[8];
  CacheKey key;
  std::uint64_t size;
  std::uint64_t checksum;
};
static_assert(sizeof(Header) == 40);

// A file descriptor that closes itself.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

bool read_all(int descriptor, void* memory, std::size_t size) {
  auto* bytes = static_cast<char*>(memory);
  while (size > 0) {
    ssize_t count = read(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int descriptor, const void* memory, std::size_t size) {
  const auto* bytes = static_cast<const char*>(memory);
  while (size > 0) {
    ssize_t count = write(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

Failure system_failure(const std::string& path) {
  return {fmt::format("{}: {}", path, std::strerror(errno))};
}

// A folder that only we can write to, made if it is not there: what lies in it is run later.
Result<void> make_private_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return tl::unexpected(system_failure(folder));
  }
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return tl::unexpected(system_failure(folder));
  if (!S_ISDIR(status.st_mode)) return fail(folder + ": not a folder");
  if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fail(folder + ": not used as a cache, because others may write to it");
  }
  return {};
}

bool is_private_folder(const std::string& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

struct Entry {
  std::string path;
  std::uint64_t size = 0;
  std::int64_t used = 0;  // nanoseconds
  bool is_temporary = false;
};

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool is_entry_name(std::string_view name) {
  return name.size() == CacheKey{}.hex().size() &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<Entry> list_entries(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct stat status {};
    if (lstat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    std::string name = it->path().filename().string();
    bool temporary = name.compare(0, kTemporaryPrefix.size(), kTemporaryPrefix) == 0;
    // Whoever names a folder of their own as the cache keeps their files.
    if (!temporary && !is_entry_name(name)) continue;
    entries.push_back({it->path().string(), static_cast<std::uint64_t>(status.st_size),
                       nanoseconds(status.st_mtim), temporary});
  }
  return entries;
}

bool is_abandoned(const Entry& entry) {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto age = now - std::chrono::nanoseconds(entry.used);
  return entry.is_temporary && age > kTemporaryLife;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::string CacheKey::hex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

CacheKey content_key(std::initializer_list<std::string_view> parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (std::string_view part : parts) {
    std::uint64_t size = part.size();
    XXH3_128bits_update(&state, &size, sizeof size);
    XXH3_128bits_update(&state, part.data(), part.size());
  }
  XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.high64, hash.low64};
}

DiskCache::DiskCache(const std::string& folder, std::string_view kind, std::uint64_t limit)
    : folder_(folder.empty() ? "" : (fs::path(folder) / kind).string()), limit_(limit) {}

std::string DiskCache::default_folder() {
  if (const char* chosen = std::getenv("TIRXCC_CACHE_DIR")) return chosen;
  // The XDG specification: a relative path is to be ignored.
  if (std::string base = environment("XDG_CACHE_HOME"); fs::path(base).is_absolute()) {
    return (fs::path(base) / "tirxcc").string();
  }
  if (std::string home = environment("HOME"); fs::path(home).is_absolute()) {
    return (fs::path(home) / ".cache" / "tirxcc").string();
  }
  return "";
}

std::string DiskCache::path_of(const CacheKey& key) const {
  return folder_ + "/" + key.hex();
}

std::optional<std::string> DiskCache::find(const CacheKey& key) const {
  if (folder_.empty() || !is_private_folder(folder_)) return std::nullopt;
  std::string path = path_of(key);
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return std::nullopt;
  struct stat status {};
  Header header{};
  std::string bytes;
  bool good = fstat(file.get(), &status) == 0 && read_all(file.get(), &header, sizeof header) &&
              std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.key == key &&
              header.size == static_cast<std::uint64_t>(status.st_size) - sizeof header;
  if (good) {
    bytes.resize(header.size);
    good = read_all(file.get(), bytes.data(), bytes.size()) &&
           XXH3_64bits(bytes.data(), bytes.size()) == header.checksum;
  }
  if (!good) {
    unlink(path.c_str());
    return std::nullopt;
  }
  timespec now[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, {.tv_sec = 0, .tv_nsec = UTIME_NOW}};
  futimens(file.get(), now);
  return bytes;
}

Result<void> DiskCache::write_entry(const CacheKey& key, std::string_view bytes) {
  std::string temporary = fmt::format("{}/{}XXXXXX", folder_, kTemporaryPrefix);
  Header header{.magic = {}, .key = key, .size = bytes.size(), .checksum = 0};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.checksum = XXH3_64bits(bytes.data(), bytes.size());
  bool written = false;
  {
    // Not named by the process's number: containers that share a folder count from one each.
    File file(mkostemp(temporary.data(), O_CLOEXEC));
    if (file.get() < 0) return tl::unexpected(system_failure(temporary));
    written = write_all(file.get(), &header, sizeof header) &&
              write_all(file.get(), bytes.data(), bytes.size());
  }
  if (!written || rename(temporary.c_str(), path_of(key).c_str()) != 0) {
    Failure failure = system_failure(temporary);
    unlink(temporary.c_str());
    return tl::unexpected(std::move(failure));
  }
  return {};
}

Result<void> DiskCache::store(const CacheKey& key, std::string_view bytes) {
  std::uint64_t size = sizeof(Header) + bytes.size();
  if (folder_.empty() || size > limit_) return {};
  Result<void> made = make_private_folder(folder_);
  if (!made) return made;
  keep_below_limit(size);
  return write_entry(key, bytes);
}

Result<void> DiskCache::check_usable() const {
  if (folder_.empty()) return {};
  if (Result<void> made = make_private_folder(folder_); !made) return made;
  std::string temporary = fmt::format("{}/{}XXXXXX", folder_, kTemporaryPrefix);
  const File file(mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return tl::unexpected(system_failure(folder_));
  unlink(temporary.c_str());
  return {};
}

void DiskCache::keep_below_limit(std::uint64_t added) {
  std::lock_guard lock(mutex_);
  bool must_look =
      !looked_ || bytes_seen_ + added > limit_ || ++stores_since_look_ >= kStoresBetweenLooks;
  bytes_seen_ += added;
  if (!must_look) return;
  looked_ = true;
  stores_since_look_ = 0;
  std::vector<Entry> entries = list_entries(folder_);
  std::uint64_t total = added;
  for (const Entry& entry : entries) {
    if (is_abandoned(entry)) {
      unlink(entry.path.c_str());
    } else {
      total += entry.size;
    }
  }
  bytes_seen_ = total;
  if (total <= limit_) return;
  // Down to three quarters, so that the next stores need not evict again.
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (bytes_seen_ <= limit_ / 4 * 3) break;
    if (entry.is_temporary) continue;
    if (unlink(entry.path.c_str()) == 0) bytes_seen_ -= std::min(bytes_seen_, entry.size);
  }
}

DiskCache::Usage DiskCache::usage() const {
  Usage usage;
  if (folder_.empty()) return usage;
  for (const Entry& entry : list_entries(folder_)) {
    if (entry.is_temporary) continue;
    ++usage.entries;
    usage.bytes += entry.size;
  }
  return usage;
}

DiskCache::Usage DiskCache::clear() {
  Usage removed;
  if (folder_.empty()) return removed;
  for (const Entry& entry : list_entries(folder_)) {
    if (entry.is_temporary && !is_abandoned(entry)) continue;
    if (unlink(entry.path.c_str()) != 0 || entry.is_temporary) continue;
    ++removed.entries;
    removed.bytes += entry.size;
  }
  std::lock_guard lock(mutex_);
  looked_ = false;
  return removed;
}

}  // namespace tirxcc
