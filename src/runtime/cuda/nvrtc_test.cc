// SPDX-License-Identifier: Apache-2.0
//
// Finding NVRTC, and compiling with it where there is one (the wheel in .venv is enough).
#include "runtime/cuda/nvrtc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "runtime/cuda/headers.h"
#include "runtime/cuda/test_support.h"

namespace tirxcc::cuda {
namespace {

namespace fs = std::filesystem;

bool has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

TEST(NvrtcSearch, WheelsBeforeToolkitsAndNewestFirst) {
  TemporaryFolder root;
  std::string site = "venv/lib/python3.11/site-packages/nvidia/";
  std::string old_wheel = root.touch(site + "cuda_nvrtc/lib/libnvrtc.so.12");
  root.touch(site + "cuda_nvrtc/lib/libnvrtc.alt.so.12");
  root.touch(site + "cuda_nvrtc/lib/libnvrtc-builtins.so.12.9");
  std::string new_wheel = root.touch(site + "cu13/lib/libnvrtc.so.13");
  std::string toolkit = root.touch("cuda/lib64/libnvrtc.so.13");
  std::string toolkit_12 = root.touch("cuda/lib64/libnvrtc.so.12");
  std::string given = root.touch("given/libnvrtc.so.13");
  NvrtcSearch search{.given = (root / "given").string(),
                     .prefixes = {(root / "venv").string()},
                     .toolkits = {(root / "cuda").string()}};
  std::vector<std::string> expected = {given, new_wheel, old_wheel, toolkit, toolkit_12};
  EXPECT_EQ(nvrtc_candidates(search), expected);
  search.given = given;
  EXPECT_EQ(nvrtc_candidates(search).front(), given);
}

TEST(NvrtcSearch, FindsTheEnvironmentAroundAnExecutable) {
  TemporaryFolder root;
  root.touch("project/.venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  std::string venv = (root / "project/.venv").string();
  EXPECT_TRUE(has(prefixes_around(venv + "/bin/tirxcc"), venv));
  std::string built = (root / "project/build/release/tools/tirxcc/tirxcc").string();
  fs::create_directories(fs::path(built).parent_path());
  EXPECT_TRUE(has(prefixes_around(built), venv));
  // Whoever may write to the folder could plant a library there.
  fs::permissions(root / "project", fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(has(prefixes_around(built), venv));
}

TEST(NvrtcSearch, FindsHeadersOfBothWheelLayouts) {
  TemporaryFolder root;
  std::string old_library = root.touch("site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
  std::string new_library = root.touch("site/nvidia/cu13/lib/libnvrtc.so.13");
  EXPECT_EQ(find_cuda_headers(old_library, {}), "");
  root.touch("site/nvidia/cuda_runtime/include/cuda_fp16.h");
  EXPECT_EQ(find_cuda_headers(old_library, {}), root / "site/nvidia/cuda_runtime/include");
  root.touch("site/nvidia/cu13/include/cuda_fp16.h");
  EXPECT_EQ(find_cuda_headers(new_library, {}), root / "site/nvidia/cu13/include");
}

TEST(Nvrtc, MissingEverywhereSaysHowToInstall) {
  Result<Nvrtc> nvrtc = Nvrtc::find({.ask_loader = false});
  ASSERT_FALSE(nvrtc);
  EXPECT_EQ(nvrtc.error().message,
            "NVRTC, the CUDA compiler library, was not found; install it with 'pip install "
            "nvidia-cuda-nvrtc', or set TIRXCC_NVRTC to the path of libnvrtc.so");
}

TEST(Nvrtc, TheNamedLibraryIsTheOnlyOneTried) {
  TemporaryFolder root;
  std::string broken = root.touch("libnvrtc.so.13");
  Result<Nvrtc> nvrtc = Nvrtc::find({.library = broken});
  ASSERT_FALSE(nvrtc);
  EXPECT_TRUE(contains(nvrtc.error().message,
                       "TIRXCC_NVRTC names a library that does not work:\n  " + broken));
}

TEST(Nvrtc, AnotherLibraryIsRefused) {
  Result<Nvrtc> nvrtc = Nvrtc::find({.library = "libm.so.6"});
  ASSERT_FALSE(nvrtc);
  EXPECT_TRUE(contains(nvrtc.error().message, "not an NVRTC of CUDA 11.2 or later"));
}

// The tests below compile; they skip where this machine has no NVRTC.
class NvrtcCompile : public testing::Test {
 protected:
  void SetUp() override {
    static const Result<Nvrtc>* found =
        new Result<Nvrtc>(Nvrtc::find(NvrtcSearch::from_environment()));
    if (!*found) GTEST_SKIP() << found->error().message;
    nvrtc_ = &**found;
  }

  const Nvrtc* nvrtc_ = nullptr;
};

constexpr const char* kScale =
    "extern \"C\" __global__ void scale(float* a, float b) {\n"
    "  a[threadIdx.x] = a[threadIdx.x] * b + 1.0f;\n"
    "}\n";

TEST_F(NvrtcCompile, MakesCubinsAndPtx) {
  Result<Compiled> cubin = nvrtc_->compile({.text = kScale});
  ASSERT_TRUE(cubin) << cubin.error().message;
  EXPECT_EQ(cubin->binary.substr(1, 3), "ELF");
  EXPECT_EQ(cubin->log, "");
  Result<Compiled> ptx = nvrtc_->compile({.text = kScale, .output = OutputKind::Ptx});
  ASSERT_TRUE(ptx) << ptx.error().message;
  EXPECT_TRUE(contains(ptx->binary, ".target sm_90a"));
  EXPECT_EQ(ptx->binary.back(), '}');
}

TEST_F(NvrtcCompile, OptionsReachTheCompiler) {
  auto ptx = [&](CompileRequest request) {
    request.text = kScale;
    request.output = OutputKind::Ptx;
    Result<Compiled> compiled = nvrtc_->compile(request);
    EXPECT_TRUE(compiled) << compiled.error().message;
    return compiled ? compiled->binary : "";
  };
  std::string plain = ptx({});
  EXPECT_TRUE(contains(plain, "fma.rn.f32"));
  EXPECT_FALSE(contains(ptx({.fma = false}), "fma.rn.f32"));
  EXPECT_TRUE(contains(ptx({.fast_math = true}), "fma.rn.ftz.f32"));
  EXPECT_TRUE(contains(ptx({.line_info = true}), ".loc"));
  EXPECT_TRUE(contains(ptx({.options = {"-DthreadIdx=blockIdx"}}), "%ctaid.x"));
}

TEST_F(NvrtcCompile, FailureCarriesTheLog) {
  Result<Compiled> result =
      nvrtc_->compile({.text = "__global__ void f() {\n  x = 1;\n}\n", .name = "bad.cu"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "NVRTC " + nvrtc_->version() +
                                        " refused the CUDA text of bad.cu for sm_90a:\n"
                                        "bad.cu(2): error: identifier \"x\" is undefined\n"
                                        "    x = 1;\n"
                                        "    ^\n\n"
                                        "1 error detected in the compilation of \"bad.cu\".");
}

TEST_F(NvrtcCompile, UnknownArchListsTheKnownOnes) {
  Result<Compiled> result = nvrtc_->compile({.text = kScale, .arch = "sm_20"});
  ASSERT_FALSE(result);
  EXPECT_TRUE(contains(result.error().message, "cannot compile for sm_20; it knows sm_"));
  EXPECT_TRUE(contains(result.error().message, ", sm_90, "));
  EXPECT_EQ(result.error().error_class, ErrorClass::Value);
  // The refusal must not have been taken for an NVRTC without the minimal mode.
  EXPECT_TRUE(nvrtc_->compile({.text = kScale}));
}

TEST_F(NvrtcCompile, UnknownOptionIsNamed) {
  Result<Compiled> result = nvrtc_->compile({.text = kScale, .options = {"--no-such-option"}});
  ASSERT_FALSE(result);
  EXPECT_TRUE(contains(result.error().message, "does not know one of the options"));
  EXPECT_TRUE(contains(result.error().message, "--no-such-option"));
}

TEST_F(NvrtcCompile, HalfAndBfloat16NeedNoHeaderFromDisk) {
  std::string text =
      "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
      "extern \"C\" __global__ void convert(const half* a, nv_bfloat16* b) {\n"
      "  b[threadIdx.x] = (nv_bfloat16)(float)hsqrt(a[threadIdx.x] + a[0]);\n"
      "}\n";
  for (const char* arch : {"sm_80", "sm_90a"}) {
    Result<Compiled> result = nvrtc_->compile({.text = text, .arch = arch});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->log, "");
  }
  ASSERT_EQ(own_headers().size(), 2u);
  EXPECT_TRUE(contains(own_headers()[0].text.data(), "__float2half_rn"));
}

TEST_F(NvrtcCompile, HeadersOfTheRequestComeFirst) {
  CompileRequest request{.text =
                             "#include \"mine.h\"\n#include <cuda_fp16.h>\n"
                             "extern \"C\" __global__ void f(int* a) { *a = MINE + THEIRS; }\n"};
  request.headers = {{"mine.h", "#define MINE 1\n"}, {"cuda_fp16.h", "#define THEIRS 2\n"}};
  Result<Compiled> result = nvrtc_->compile(request);
  EXPECT_TRUE(result) << result.error().message;
}

TEST_F(NvrtcCompile, RawCudaGetsTheHeadersFromDisk) {
  NvrtcSearch search = NvrtcSearch::from_environment();
  if (find_cuda_headers(nvrtc_->path(), search).empty()) {
    GTEST_SKIP() << "no cuda_fp16.h of NVIDIA's: pip install nvidia-cuda-runtime";
  }
  // half2 is in NVIDIA's header only.
  std::string text =
      "#include <cuda_fp16.h>\n"
      "extern \"C\" __global__ void f(half2* a) { *a = __hadd2(*a, *a); }\n";
  Result<Compiled> result = nvrtc_->compile({.text = text, .own_half_headers = false});
  EXPECT_TRUE(result) << result.error().message;
}

TEST(Fingerprint, TellsEverythingButTextAndNameApart) {
  std::string plain = fingerprint({});
  EXPECT_EQ(plain, fingerprint({.name = "other.cu"}));
  EXPECT_NE(plain, fingerprint({.arch = "sm_80"}));
  EXPECT_NE(plain, fingerprint({.output = OutputKind::Ptx}));
  EXPECT_NE(plain, fingerprint({.fast_math = true}));
  EXPECT_NE(plain, fingerprint({.fma = false}));
  EXPECT_NE(plain, fingerprint({.line_info = true}));
  EXPECT_NE(plain, fingerprint({.options = {"-DX"}}));
  EXPECT_NE(plain, fingerprint({.headers = {{"a.h", ""}}}));
  EXPECT_NE(plain, fingerprint({.text = "#include <cuda_fp16.h>\n"}));
}

}  // namespace
}  // namespace tirxcc::cuda
