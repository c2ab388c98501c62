// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nvrtc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>

#include "runtime/cuda/dynamic_library.h"
#include "runtime/cuda/headers.h"
#include "runtime/cuda/nvrtc_api.h"

namespace tirxcc::cuda {

struct Nvrtc::Library {
  NvrtcApi api;
  std::string path = {};
  std::string version = {};
  NvrtcSearch search;
  // Older versions do not know --minimal; learnt from the first refusal.
  std::atomic<bool> has_minimal{true};
};

namespace {

constexpr std::string_view kHowToInstall =
    "install it with 'pip install nvidia-cuda-nvrtc', or set TIRXCC_NVRTC to the path of "
    "libnvrtc.so";

// Fills the table; the name of the first missing function, or null.
const char* load_functions(const DynamicLibrary& library, NvrtcApi& api) {
#define TIRXCC_NVRTC_LOAD(name, type)                                                   \
  api.name = reinterpret_cast<NvrtcApi::name##Function>(library.symbol("nvrtc" #name)); \
  if (api.name == nullptr) return "nvrtc" #name;
  TIRXCC_NVRTC_FUNCTIONS(TIRXCC_NVRTC_LOAD)
#undef TIRXCC_NVRTC_LOAD
  return nullptr;
}

Result<std::shared_ptr<Nvrtc::Library>> open_library(const std::string& name) {
  Result<DynamicLibrary> file = DynamicLibrary::open(name);
  if (!file) return tl::unexpected(file.error());
  auto library = std::make_shared<Nvrtc::Library>();
  library->path = file->path();
  if (const char* missing = load_functions(*file, library->api)) {
    return fail(fmt::format("{}: not an NVRTC of CUDA 11.2 or later ({} is missing)", library->path,
                            missing));
  }
  int major = 0;
  int minor = 0;
  library->api.Version(&major, &minor);
  library->version = fmt::format("{}.{}", major, minor);
  return library;
}

// The files that #include lines of a text name. Lines that a comment or a macro hides are taken
// too: the worst that can follow is the slower mode.
std::vector<std::string_view> included_files(std::string_view text) {
  std::vector<std::string_view> files;
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    std::string_view rest = text.substr(at + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    constexpr std::string_view kInclude = "include";
    if (rest.substr(0, kInclude.size()) != kInclude) continue;
    std::size_t open = rest.find_first_of("<\"\n", kInclude.size());
    if (open == std::string_view::npos || rest[open] == '\n') continue;
    std::size_t close = rest.find_first_of(">\"\n", open + 1);
    if (close == std::string_view::npos || rest[close] == '\n') continue;
    files.push_back(rest.substr(open + 1, close - open - 1));
  }
  return files;
}

// The in-memory headers of one compilation.
struct HeaderSet {
  std::vector<const char*> names;
  std::vector<const char*> texts;
  bool needs_disk = false;  // an #include that none of them answers
};

HeaderSet headers_for(const CompileRequest& request) {
  HeaderSet set;
  for (const auto& [name, text] : request.headers) {
    set.names.push_back(name.c_str());
    set.texts.push_back(text.c_str());
  }
  for (std::string_view file : included_files(request.text)) {
    auto has_name = [&](const auto& header) { return file == header.first; };
    if (std::any_of(request.headers.begin(), request.headers.end(), has_name)) continue;
    auto own = std::find_if(own_headers().begin(), own_headers().end(),
                            [&](const InMemoryHeader& header) { return header.name == file; });
    if (own == own_headers().end() || !request.own_half_headers) {
      set.needs_disk = true;
      continue;
    }
    set.names.push_back(own->name.data());
    set.texts.push_back(own->text.data());
  }
  return set;
}

std::vector<std::string> options_for(const CompileRequest& request) {
  std::string arch = request.arch;
  // PTX is made for a virtual architecture, sm_90a's is compute_90a.
  if (request.output == OutputKind::Ptx && arch.rfind("sm_", 0) == 0) {
    arch.replace(0, 3, "compute_");
  }
  std::vector<std::string> options = {"--gpu-architecture=" + arch, "-std=c++17"};
  if (request.fast_math) options.emplace_back("--use_fast_math");
  if (!request.fma) options.emplace_back("--fmad=false");
  if (request.line_info) options.emplace_back("--generate-line-info");
  options.insert(options.end(), request.options.begin(), request.options.end());
  return options;
}

// One nvrtcProgram, destroyed with the scope.
class Program {
 public:
  Program(const NvrtcApi& api, NvrtcProgram program) : api_(api), program_(program) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { api_.DestroyProgram(&program_); }

  int compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& option : options)
      pointers.push_back(option.c_str());
    return api_.CompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  std::string log() const { return text(api_.GetProgramLogSize, api_.GetProgramLog); }
  std::string ptx() const { return text(api_.GetPTXSize, api_.GetPTX); }
  std::string cubin() const { return bytes(api_.GetCUBINSize, api_.GetCUBIN); }

 private:
  std::string bytes(NvrtcApi::GetPTXSizeFunction size_of, NvrtcApi::GetPTXFunction get) const {
    std::size_t size = 0;
    if (size_of(program_, &size) != kNvrtcSuccess) return "";
    std::string result(size, '\0');
    if (get(program_, result.data()) != kNvrtcSuccess) return "";
    return result;
  }

  // NVRTC counts the final zero byte of texts.
  std::string text(NvrtcApi::GetPTXSizeFunction size_of, NvrtcApi::GetPTXFunction get) const {
    std::string result = bytes(size_of, get);
    constexpr std::string_view kNothing("\0\n ", 3);
    result.resize(result.find_last_not_of(kNothing) + 1);
    return result;
  }

  const NvrtcApi& api_;
  NvrtcProgram program_;
};

// One request on its way through NVRTC, maybe twice: first in the minimal mode, and what fails
// there once more with everything NVRTC has.
struct Attempt {
  const CompileRequest& request;
  const NvrtcApi& api;
  HeaderSet headers = {};
  std::vector<std::string> options = {};
  std::string text{request.text};  // zero-terminated
  std::string log = {};
  std::string binary = {};

  int run(const std::vector<std::string>& more_options) {
    NvrtcProgram raw = nullptr;
    int status = api.CreateProgram(&raw, text.c_str(), request.name.c_str(),
                                   static_cast<int>(headers.names.size()), headers.texts.data(),
                                   headers.names.data());
    if (status != kNvrtcSuccess) return status;
    Program program(api, raw);
    std::vector<std::string> all = options;
    all.insert(all.end(), more_options.begin(), more_options.end());
    status = program.compile(all);
    log = program.log();
    if (status != kNvrtcSuccess) return status;
    binary = request.output == OutputKind::Ptx ? program.ptx() : program.cubin();
    return status;
  }
};

// The number in "sm_90a" or "compute_90a".
std::optional<int> arch_number(std::string_view arch) {
  std::size_t digit = arch.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  int number = 0;
  std::from_chars(arch.data() + digit, arch.data() + arch.size(), number);
  return number;
}

}  // namespace

Result<Nvrtc> Nvrtc::find(const NvrtcSearch& search) {
  std::vector<std::string> names;
  if (!search.library.empty()) {
    names.push_back(search.library);
  } else {
    names = nvrtc_candidates(search);
    if (search.ask_loader) {
      names.insert(names.end(), {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
    }
  }
  std::string tried;
  for (const std::string& name : names) {
    Result<std::shared_ptr<Library>> library = open_library(name);
    if (library) {
      (*library)->search = search;
      return Nvrtc(*std::move(library));
    }
    tried += "\n  " + library.error().message;
  }
  if (!search.library.empty()) {
    return fail(fmt::format("TIRXCC_NVRTC names a library that does not work:{}", tried));
  }
  return fail(fmt::format("NVRTC, the CUDA compiler library, was not found; {}{}{}", kHowToInstall,
                          tried.empty() ? "" : "\ntried:", tried));
}

const std::string& Nvrtc::path() const {
  return library_->path;
}
const std::string& Nvrtc::version() const {
  return library_->version;
}

std::vector<int> Nvrtc::supported_archs() const {
  int count = 0;
  if (library_->api.GetNumSupportedArchs(&count) != kNvrtcSuccess || count <= 0) return {};
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (library_->api.GetSupportedArchs(archs.data()) != kNvrtcSuccess) return {};
  return archs;
}

std::string fingerprint(const CompileRequest& request) {
  std::string key = request.output == OutputKind::Ptx ? "ptx" : "cubin";
  for (const std::string& option : options_for(request))
    key += '\n' + option;
  HeaderSet headers = headers_for(request);
  for (std::size_t i = 0; i < headers.names.size(); ++i) {
    key += fmt::format("\n{}\n{}", headers.names[i], headers.texts[i]);
  }
  if (headers.needs_disk) key += "\nheaders from disk";
  return key;
}

namespace {

std::string with_log(std::string message, const std::string& log) {
  return log.empty() ? message : message + ":\n" + log;
}

// What a failed compilation is called, with what to do about it.
Failure describe_failure(int status, const CompileRequest& request, const Nvrtc& nvrtc,
                         const NvrtcApi& api, const std::string& log) {
  std::string where = fmt::format("NVRTC {} ({})", nvrtc.version(), nvrtc.path());
  std::vector<int> archs = nvrtc.supported_archs();
  std::optional<int> wanted = arch_number(request.arch);
  if (status == kNvrtcInvalidOption && wanted && !archs.empty() &&
      std::find(archs.begin(), archs.end(), *wanted) == archs.end()) {
    return {fmt::format("{} cannot compile for {}; it knows sm_{}", where, request.arch,
                        fmt::join(archs, ", sm_")),
            ErrorClass::Value};
  }
  switch (status) {
    case kNvrtcCompilation:
      return {with_log(fmt::format("NVRTC {} refused the CUDA text of {} for {}", nvrtc.version(),
                                   request.name, request.arch),
                       log)};
    case kNvrtcInvalidOption:
      return {with_log(fmt::format("{} does not know one of the options {}", where,
                                   fmt::join(options_for(request), " ")),
                       log),
              ErrorClass::Value};
    case kNvrtcBuiltinOperationFailure:
      return {with_log(fmt::format("{} cannot load its libnvrtc-builtins, which belongs beside it; "
                                   "reinstall nvidia-cuda-nvrtc",
                                   where),
                       log)};
    case kNvrtcOutOfMemory:
      return {fmt::format("{}: out of memory while compiling {}", where, request.name),
              ErrorClass::Memory};
    default:
      return {with_log(
          fmt::format("{} failed on {}: {}", where, request.name, api.GetErrorString(status)),
          log)};
  }
}

}  // namespace

Result<Compiled> Nvrtc::compile(const CompileRequest& request) const {
  Attempt attempt{.request = request, .api = library_->api, .headers = headers_for(request)};
  attempt.options = options_for(request);
  if (attempt.headers.needs_disk) {
    std::string folder = find_cuda_headers(library_->path, library_->search);
    if (!folder.empty()) attempt.options.push_back("-I" + folder);
  }
  bool minimal = !attempt.headers.needs_disk && library_->has_minimal.load();
  int first = minimal ? attempt.run({"--minimal"}) : kNvrtcSuccess;
  if (!minimal || first != kNvrtcSuccess) {
    int status = attempt.run({});
    if (status != kNvrtcSuccess) {
      return tl::unexpected(describe_failure(status, request, *this, library_->api, attempt.log));
    }
    if (first == kNvrtcInvalidOption) library_->has_minimal.store(false);
  }
  // Copies, made after NVRTC has given back its megabytes: what is kept for long must not lie
  // behind them in the heap, where it would leave them in pieces for the next compilation.
  return Compiled{std::string(attempt.binary), std::string(attempt.log)};
}

}  // namespace tirxcc::cuda
