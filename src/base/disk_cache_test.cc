// SPDX-License-Identifier: Apache-2.0
#include "base/disk_cache.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace tirxcc {
namespace {

namespace fs = std::filesystem;

class DiskCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tirxcc-cache-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string file_of(const CacheKey& key) const { return root_ + "/cubin/" + key.hex(); }

  static CacheKey key(int number) { return content_key({"key", std::to_string(number)}); }

  // Sets the time of last use, in seconds before now.
  void age(const CacheKey& of, int seconds) const {
    fs::last_write_time(file_of(of),
                        fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
  }

  std::string root_;
};

TEST_F(DiskCacheTest, KeysDependOnEveryPartAndItsBorders) {
  EXPECT_EQ(content_key({"a", "b"}), content_key({"a", "b"}));
  EXPECT_NE(content_key({"ab", "c"}), content_key({"a", "bc"}));
  EXPECT_NE(content_key({"a"}), content_key({"a", ""}));
  EXPECT_EQ(content_key({"a"}).hex().size(), 32u);
}

TEST_F(DiskCacheTest, FindsWhatAnotherInstanceStored) {
  std::string bytes("\0binary\xff", 8);
  DiskCache writer(root_, "cubin");
  EXPECT_FALSE(writer.find(key(1)));
  ASSERT_TRUE(writer.store(key(1), bytes));
  DiskCache reader(root_, "cubin");
  EXPECT_EQ(reader.find(key(1)), bytes);
  EXPECT_FALSE(reader.find(key(2)));
  EXPECT_FALSE(DiskCache(root_, "object").find(key(1)));
  EXPECT_EQ(reader.usage().entries, 1u);
}

TEST_F(DiskCacheTest, AnyDamageIsAMissAndIsCleanedUp) {
  DiskCache cache(root_, "cubin");
  ASSERT_TRUE(cache.store(key(1), std::string(100, 'x')));
  std::uintmax_t size = fs::file_size(file_of(key(1)));
  for (std::uintmax_t at = 0; at < size; at += 7) {
    ASSERT_TRUE(cache.store(key(1), std::string(100, 'x')));
    std::fstream file(file_of(key(1)), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    char byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
    file.close();
    EXPECT_FALSE(cache.find(key(1))) << "byte " << at << " was flipped";
    EXPECT_FALSE(fs::exists(file_of(key(1))));
  }
  for (std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{17}, size - 1, size + 1}) {
    ASSERT_TRUE(cache.store(key(1), std::string(100, 'x')));
    fs::resize_file(file_of(key(1)), length);
    EXPECT_FALSE(cache.find(key(1))) << "length " << length;
  }
}

TEST_F(DiskCacheTest, AnEntryUnderAnotherNameIsAMiss) {
  DiskCache cache(root_, "cubin");
  ASSERT_TRUE(cache.store(key(1), "one"));
  fs::rename(file_of(key(1)), file_of(key(2)));
  EXPECT_FALSE(cache.find(key(2)));
}

TEST_F(DiskCacheTest, EvictsWhatWasUnusedLongest) {
  DiskCache cache(root_, "cubin", 1000);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(cache.store(key(i), std::string(160, 'x')));
    age(key(i), 100 - i);
  }
  EXPECT_TRUE(cache.find(key(0)));  // used now
  ASSERT_TRUE(cache.store(key(4), std::string(200, 'x')));
  EXPECT_TRUE(cache.store(key(5), std::string(160, 'x')));
  EXPECT_LE(cache.usage().bytes, 1000u);
  EXPECT_TRUE(cache.find(key(0)));
  EXPECT_FALSE(cache.find(key(1)));
  EXPECT_FALSE(cache.find(key(2)));
  EXPECT_TRUE(cache.find(key(5)));
}

TEST_F(DiskCacheTest, TooLargeForTheCacheIsNotStored) {
  DiskCache cache(root_, "cubin", 100);
  EXPECT_TRUE(cache.store(key(1), std::string(100, 'x')));
  EXPECT_FALSE(cache.find(key(1)));
}

TEST_F(DiskCacheTest, RemovesTemporaryFilesOfKilledProcesses) {
  DiskCache cache(root_, "cubin");
  ASSERT_TRUE(cache.store(key(1), "one"));
  std::string dead = root_ + "/cubin/.new-1-1";
  std::string alive = root_ + "/cubin/.new-1-2";
  std::ofstream(dead) << "half";
  std::ofstream(alive) << "half";
  fs::last_write_time(dead, fs::file_time_type::clock::now() - std::chrono::hours(1));
  DiskCache next(root_, "cubin");
  ASSERT_TRUE(next.store(key(2), "two"));
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_EQ(next.usage().entries, 2u);
}

TEST_F(DiskCacheTest, ClearRemovesAllEntries) {
  DiskCache cache(root_, "cubin");
  ASSERT_TRUE(cache.store(key(1), "one"));
  ASSERT_TRUE(cache.store(key(2), "two"));
  EXPECT_EQ(cache.clear().entries, 2u);
  EXPECT_EQ(cache.usage().entries, 0u);
  ASSERT_TRUE(cache.store(key(1), "one"));
  EXPECT_TRUE(cache.find(key(1)));
}

TEST_F(DiskCacheTest, AFolderThatOthersMayWriteToIsNotUsed) {
  DiskCache cache(root_, "cubin");
  ASSERT_TRUE(cache.store(key(1), "one"));
  chmod((root_ + "/cubin").c_str(), 0777);
  EXPECT_FALSE(cache.find(key(1)));
  Result<void> stored = cache.store(key(2), "two");
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().message,
            root_ + "/cubin: not used as a cache, because others may write to it");
}

TEST_F(DiskCacheTest, WithoutAFolderNothingHappens) {
  DiskCache cache("", "cubin");
  EXPECT_TRUE(cache.store(key(1), "one"));
  EXPECT_FALSE(cache.find(key(1)));
}

TEST_F(DiskCacheTest, DefaultFolderFollowsTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(DiskCache::default_folder(), "/somewhere/tirxcc");
  setenv("XDG_CACHE_HOME", "relative", 1);
  std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  setenv("HOME", "/someone", 1);
  EXPECT_EQ(DiskCache::default_folder(), "/someone/.cache/tirxcc");
  setenv("TIRXCC_CACHE_DIR", "", 1);
  EXPECT_EQ(DiskCache::default_folder(), "");
  unsetenv("TIRXCC_CACHE_DIR");
  setenv("HOME", home.c_str(), 1);
  unsetenv("XDG_CACHE_HOME");
}

// 20 processes store and read the same 30 keys in one small folder, every third is killed while it
// works. Whatever is found must be right.
TEST_F(DiskCacheTest, ManyProcessesSomeKilled) {
  auto content = [](int i) { return std::string(2000 + static_cast<std::size_t>(i) * 37, 'a'); };
  std::vector<pid_t> children;
  for (int child = 0; child < 20; ++child) {
    pid_t pid = fork();
    if (pid == 0) {
      DiskCache cache(root_, "cubin", 40'000);
      bool wrong = false;
      for (int round = 0; round < 400; ++round) {
        int i = (round * 7 + child) % 30;
        std::optional<std::string> found = cache.find(key(i));
        wrong = wrong || (found && *found != content(i));
        if (!found) static_cast<void>(cache.store(key(i), content(i)));
      }
      _exit(wrong ? 1 : 0);
    }
    children.push_back(pid);
  }
  while (DiskCache(root_, "cubin").usage().entries < 5)
    std::this_thread::yield();
  for (std::size_t i = 0; i < children.size(); i += 3)
    kill(children[i], SIGKILL);
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  }
  DiskCache cache(root_, "cubin", 40'000);
  ASSERT_TRUE(cache.store(key(99), content(1)));
  EXPECT_EQ(cache.find(key(99)), content(1));
  for (int i = 0; i < 30; ++i) {
    std::optional<std::string> found = cache.find(key(i));
    EXPECT_TRUE(!found || *found == content(i));
  }
}

}  // namespace
}  // namespace tirxcc
