// SPDX-License-Identifier: Apache-2.0
//
// An NVRTC that compiles nothing: what a test of caches, processes and messages needs of one,
// without its 100 MB and its time. The "machine code" is a bare ELF header with the text's
// checksum, so that different texts give different code and equal texts the same.
//
//   TIRXCC_NVRTC=.../libfake_nvrtc.so tirxcc build relu.py --emit=cubin
//
// Environment:
//   FAKE_NVRTC_LOG    a file to which the name of every compiled text is appended
//   FAKE_NVRTC_MS     how long a compilation takes (0)
//   FAKE_NVRTC_ERROR  "4: identifier \"x\" is undefined": every text is refused, for this reason,
//   at
//                     this line; "relu.py:4: ..." names another file, as #line makes NVRTC do
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Status { kSuccess = 0, kCompilation = 6 };

struct Program {
  std::string text;
  std::string name;
  std::string options;
  std::string log;
  std::string binary;
};

// An ELF header that the fake driver takes for a cubin, and all that went in.
std::string machine_code(const Program& program) {
  std::string elf(64, '\0');
  elf.replace(0, 4, "\177ELF");
  elf += program.text + program.options;
  std::uint64_t size = elf.size();
  std::memcpy(elf.data() + 40, &size, sizeof size);
  return elf;
}

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// "relu.cu(4): error: ..." of FAKE_NVRTC_ERROR.
std::string refusal(const Program& program, const std::string& error) {
  std::size_t colon = error.find(": ");
  std::string place = error.substr(0, colon);
  std::size_t before_line = place.find(':');
  std::string file = before_line == std::string::npos ? program.name : place.substr(0, before_line);
  std::string line = before_line == std::string::npos ? place : place.substr(before_line + 1);
  return file + "(" + line + "): error: " + error.substr(colon + 2) + "\n    x = 1;\n    ^\n\n" +
         "1 error detected in the compilation of \"" + program.name + "\".\n";
}

int give(const std::string& text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return kSuccess;
}

}  // namespace

EXPORT int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return kSuccess;
}

EXPORT const char* nvrtcGetErrorString(int) {
  return "a fake error";
}

EXPORT int nvrtcGetNumSupportedArchs(int* count) {
  *count = 1;
  return kSuccess;
}

EXPORT int nvrtcGetSupportedArchs(int* archs) {
  *archs = 90;
  return kSuccess;
}

EXPORT int nvrtcCreateProgram(Program** program, const char* text, const char* name, int,
                              const char* const*, const char* const*) {
  *program = new Program{text, name, {}, {}, {}};
  return kSuccess;
}

EXPORT int nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return kSuccess;
}

EXPORT int nvrtcCompileProgram(Program* program, int count, const char* const* options) {
  for (int i = 0; i < count; ++i)
    program->options += options[i];
  if (std::string file = setting("FAKE_NVRTC_LOG"); !file.empty()) {
    if (std::FILE* out = std::fopen(file.c_str(), "a")) {
      std::fprintf(out, "%s\n", program->name.c_str());
      std::fclose(out);
    }
  }
  std::this_thread::sleep_for(
      std::chrono::milliseconds(std::atoi(("0" + setting("FAKE_NVRTC_MS")).c_str())));
  if (std::string error = setting("FAKE_NVRTC_ERROR"); !error.empty()) {
    program->log = refusal(*program, error);
    return kCompilation;
  }
  program->binary = machine_code(*program);
  return kSuccess;
}

EXPORT int nvrtcGetProgramLogSize(Program* program, std::size_t* size) {
  *size = program->log.size() + 1;
  return kSuccess;
}

EXPORT int nvrtcGetProgramLog(Program* program, char* out) {
  out[program->log.size()] = '\0';
  return give(program->log, out);
}

EXPORT int nvrtcGetPTXSize(Program* program, std::size_t* size) {
  *size = program->binary.size() + 1;
  return kSuccess;
}

EXPORT int nvrtcGetPTX(Program* program, char* out) {
  out[program->binary.size()] = '\0';
  return give(program->binary, out);
}

EXPORT int nvrtcGetCUBINSize(Program* program, std::size_t* size) {
  *size = program->binary.size();
  return kSuccess;
}

EXPORT int nvrtcGetCUBIN(Program* program, char* out) {
  return give(program->binary, out);
}
