// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nvrtc_search.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tirxcc::cuda {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The N of "libnvrtc.so.N", or -1 for another file. "libnvrtc.alt.so.13", a smaller build for
// machines with little memory, is another file.
int library_version(const fs::path& file) {
  constexpr std::string_view kStem = "libnvrtc.so.";
  std::string name = file.filename().string();
  if (name.compare(0, kStem.size(), kStem) != 0) return -1;
  int version = -1;
  std::from_chars(name.data() + kStem.size(), name.data() + name.size(), version);
  return version;
}

// Adds the libraries of one folder, newest first.
void add_folder(const fs::path& folder, std::vector<std::string>& out) {
  std::vector<std::pair<int, std::string>> found;
  for (const fs::path& file : entries(folder)) {
    int version = library_version(file);
    if (version >= 0) found.emplace_back(-version, file.string());
  }
  std::sort(found.begin(), found.end());
  for (auto& [version, file] : found) {
    // A toolkit has libnvrtc.so.13 and libnvrtc.so.13.0.88, the same file.
    if (std::find(out.begin(), out.end(), file) == out.end()) out.push_back(file);
  }
}

std::vector<fs::path> site_packages(const fs::path& prefix) {
  std::vector<fs::path> found;
  for (const fs::path& python : entries(prefix / "lib")) {
    if (python.filename().string().rfind("python3", 0) != 0) continue;
    for (const char* folder : {"site-packages", "dist-packages"}) {
      if (fs::path site = python / folder; fs::is_directory(site)) found.push_back(site);
    }
  }
  return found;
}

// nvidia/cu13/lib before nvidia/cuda_nvrtc/lib (CUDA 12): newer wheels first.
void add_wheels(const fs::path& site, std::vector<std::string>& out) {
  std::vector<fs::path> packages = entries(site / "nvidia");
  std::vector<fs::path> unified;
  std::vector<fs::path> single;
  for (const fs::path& package : packages) {
    bool is_unified = package.filename().string().rfind("cu1", 0) == 0;
    (is_unified ? unified : single).push_back(package);
  }
  std::reverse(unified.begin(), unified.end());
  for (const fs::path& package : unified)
    add_folder(package / "lib", out);
  for (const fs::path& package : single)
    add_folder(package / "lib", out);
}

bool is_private(const fs::path& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) == 0;
}

bool has_headers(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "cuda_fp16.h", error);
}

}  // namespace

std::vector<std::string> prefixes_around(const std::string& executable) {
  std::vector<std::string> prefixes;
  fs::path folder = fs::path(executable).parent_path();
  // bin -> prefix; build/release/tools/tirxcc -> the repository: five steps up are enough.
  for (int level = 0; level < 6 && folder.has_relative_path(); ++level) {
    if (is_private(folder)) {
      for (const fs::path& prefix : {folder, folder / ".venv"}) {
        std::error_code error;
        if (fs::is_directory(prefix / "lib", error)) prefixes.push_back(prefix.string());
      }
    }
    folder = folder.parent_path();
  }
  return prefixes;
}

NvrtcSearch NvrtcSearch::from_environment(std::string given) {
  NvrtcSearch search;
  search.library = environment("TIRXCC_NVRTC");
  search.given = std::move(given);
  if (std::string active = environment("VIRTUAL_ENV"); !active.empty()) {
    search.prefixes.push_back(active);
  }
  std::error_code error;
  fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    for (std::string& prefix : prefixes_around(executable.string())) {
      search.prefixes.push_back(std::move(prefix));
    }
  }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (std::string folder = environment(name); !folder.empty()) search.toolkits.push_back(folder);
  }
  search.toolkits.emplace_back("/usr/local/cuda");
  return search;
}

std::vector<std::string> nvrtc_candidates(const NvrtcSearch& search) {
  std::vector<std::string> found;
  std::error_code error;
  if (fs::is_directory(search.given, error)) {
    for (const char* folder : {"", "lib", "lib64"}) {
      add_folder(fs::path(search.given) / folder, found);
    }
    add_wheels(search.given, found);
  } else if (!search.given.empty()) {
    found.push_back(search.given);
  }
  for (const std::string& prefix : search.prefixes) {
    for (const fs::path& site : site_packages(prefix))
      add_wheels(site, found);
  }
  for (const std::string& toolkit : search.toolkits) {
    add_folder(fs::path(toolkit) / "lib64", found);
  }
  return found;
}

std::string find_cuda_headers(const std::string& library, const NvrtcSearch& search) {
  std::vector<fs::path> places;
  // The wheel's lib folder has its include folder beside it; CUDA 12 keeps the headers in another
  // wheel, nvidia/cuda_runtime.
  fs::path package = fs::path(library).parent_path().parent_path();
  places.push_back(package / "include");
  places.push_back(package.parent_path() / "cuda_runtime" / "include");
  for (const std::string& prefix : search.prefixes) {
    for (const fs::path& site : site_packages(prefix)) {
      for (const fs::path& wheel : entries(site / "nvidia"))
        places.push_back(wheel / "include");
    }
  }
  for (const std::string& toolkit : search.toolkits) {
    places.push_back(fs::path(toolkit) / "include");
  }
  for (const fs::path& place : places) {
    if (has_headers(place)) return place.string();
  }
  return "";
}

}  // namespace tirxcc::cuda
