// SPDX-License-Identifier: Apache-2.0
#include "source/source.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tirxcc::source {
namespace {

// A file in the temporary folder that goes away with the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content)
      : path_(std::filesystem::temp_directory_path() /
              ("tirxcc_source_test_" + std::to_string(::getpid()) + ".py")) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string refusal(std::string_view content) {
  const TemporaryFile file(content);
  SourceManager sources;
  const auto loaded = sources.load(file.path());
  if (loaded) return "accepted";
  std::string message = loaded.error().message;
  const std::size_t at = message.find(file.path());
  if (at != std::string::npos) message.replace(at, file.path().size(), "FILE");
  return message;
}

TEST(Source, CountsLinesAndColumnsInCodePoints) {
  SourceManager sources;
  const SourceFile& file = sources.add("a.py", "x\n\u00e9\u20ac y\r\nz\rw");
  const auto at = [&](std::uint32_t offset) {
    const LineColumn place = sources.position({file.base + offset, file.base + offset});
    return std::pair(place.line, place.column);
  };
  EXPECT_EQ(at(0), std::pair(1u, 1u));
  EXPECT_EQ(at(2), std::pair(2u, 1u));
  EXPECT_EQ(at(8), std::pair(2u, 4u));
  EXPECT_EQ(at(11), std::pair(3u, 1u));
  EXPECT_EQ(at(13), std::pair(4u, 1u));
  EXPECT_EQ(at(14), std::pair(4u, 2u));
  EXPECT_EQ(sources.line_of({file.base + 8, file.base + 9}), "\u00e9\u20ac y");
}

TEST(Source, TellsFilesApart) {
  SourceManager sources;
  const SourceFile& first = sources.add("a.py", "aaa");
  const SourceFile& empty = sources.add("empty.py", "");
  const SourceFile& second = sources.add("b.py", "bbb", 10);
  EXPECT_EQ(sources.file_of({first.base, first.base}), &first);
  // The end of a file is still that file.
  EXPECT_EQ(sources.file_of({first.base + 3, first.base + 3}), &first);
  EXPECT_EQ(sources.file_of({empty.base, empty.base}), &empty);
  EXPECT_EQ(sources.file_of({second.base + 1, second.base + 2}), &second);
  EXPECT_EQ(sources.text_of({second.base + 1, second.base + 3}), "bb");
  EXPECT_EQ(sources.position({second.base, second.base}).line, 10u);
}

TEST(Source, HasNoPlaceForNowhere) {
  SourceManager sources;
  sources.add("a.py", "aaa");
  EXPECT_EQ(sources.file_of({}), nullptr);
  EXPECT_EQ(sources.position({}).line, 0u);
  EXPECT_EQ(sources.text_of({}), "");
  EXPECT_EQ(sources.line_of({}), "");
  EXPECT_EQ(sources.file_of({1'000'000, 1'000'001}), nullptr);
}

TEST(Source, CoversBothSpans) {
  EXPECT_EQ(cover({5, 7}, {2, 6}), (Span{2, 7}));
  EXPECT_EQ(cover({}, {2, 6}), (Span{2, 6}));
  EXPECT_EQ(cover({5, 7}, {}), (Span{5, 7}));
}

TEST(Source, LoadsTextAndSkipsTheByteOrderMark) {
  const TemporaryFile file("\xEF\xBB\xBFx = 1\n");
  SourceManager sources;
  const auto loaded = sources.load(file.path());
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ((*loaded)->text, "x = 1\n");
  EXPECT_EQ((*loaded)->path, file.path());
}

TEST(Source, AcceptsAnEmptyFile) {
  EXPECT_EQ(refusal(""), "accepted");
}

TEST(Source, RefusesWhatIsNoText) {
  EXPECT_EQ(refusal(std::string_view("x\0y", 3)),
            "cannot read 'FILE': it holds NUL bytes and looks like a binary file");
  EXPECT_EQ(refusal("x = 1\n\u00e9 = \xE9\n"),
            "FILE:2:5: error: byte 0xe9 is not UTF-8; save the file as UTF-8");
}

TEST(Source, RefusesWhatCannotBeRead) {
  SourceManager sources;
  EXPECT_EQ(sources.load("/nowhere/a.py").error().message,
            "cannot read '/nowhere/a.py': No such file or directory");
  EXPECT_EQ(sources.load("/").error().message, "cannot read '/': Is a directory");
}

TEST(Source, RefusesHugeFilesWithoutReadingThem) {
  const TemporaryFile file("x");
  std::filesystem::resize_file(file.path(), std::uintmax_t{100} << 20);
  SourceManager sources;
  EXPECT_EQ(sources.load(file.path()).error().message,
            "cannot read '" + file.path() + "': larger than 64 MiB");
}

}  // namespace
}  // namespace tirxcc::source
