// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

#include "usage.h"

namespace tirxcc::tool {
namespace {

constexpr const char* kAbout =
    "tirxcc - a compiler for the TIRx kernel language\n\n"
    "Reads a Python-syntax kernel file (it is never executed), shows the CUDA C++ it becomes, and\n"
    "runs it on the CPU with GPU semantics.\n\n"
    "  tirxcc build relu.py                              the CUDA C++ of every kernel\n"
    "  tirxcc build relu.py --emit=ptx --kernel relu     PTX by NVRTC\n"
    "  tirxcc build relu.py --explain                    how its kernels run on the CPU, and why\n"
    "  tirxcc build relu.py --emit=obj -o relu.o         C functions for programs without tirxcc;\n"
    "  tirxcc build relu.py --emit=header -o relu.h      and their header\n"
    "  tirxcc run relu.py --kernel relu --arg A=normal:float32[1000000] \\\n"
    "                     --arg B=zeros:float32[1000000] --save B=out.npy --time\n"
    "  tirxcc help                                       the language on one page\n"
    "  tirxcc help loops                                 one part of it\n";

constexpr const char* kRunSpecs =
    "SPEC of --arg NAME=SPEC is one of\n"
    "  normal:float32[1000,64]       standard normal numbers\n"
    "  uniform=-1..1:float32[8]      uniform=LOW..HIGH, without bounds [0, 1)\n"
    "  integers=0..63:int32[8]       inclusive bounds, without them 0..99 (bool: 0..1)\n"
    "  zeros:T[..] ones:T[..] arange:T[..] full=2.5:T[..]\n"
    "  data.npy                      a NumPy file\n"
    "  raw:data.bin:float32[1000]    bytes in this machine's order\n"
    "  3  -1.5  true  none           scalars\n"
    "The type may be left out (normal:[1000]): it is then the parameter's own.\n";

// Checks of option values: the complaint, or nothing. What fails here is wrong usage, status 2.
std::string complaint_about_target(const std::string& text) {
  Expected<Target> target = Target::parse(text);
  return target ? "" : target.error().message;
}

std::string complaint_about_arch(const std::string& text) {
  Expected<Target> target = Target::parse(text);
  if (target && target->kind == Target::Kind::Cuda && text.starts_with("sm_")) return "";
  return "'" + text + "' is no CUDA architecture; expected one such as sm_90a";
}

std::string complaint_about_pass(const std::string& text) {
  if (text == "all") return "";
  std::istringstream lines(describe_passes());
  std::string known;
  for (std::string line; std::getline(lines, line);) {
    std::string name = line.substr(0, line.find(' '));
    if (name == text) return "";
    known += (known.empty() ? "" : ", ") + name;
  }
  return "there is no pass '" + text + "'; the passes are " + known;
}

std::string complaint_about_choice(const std::string& text, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), text) != known.end()) return "";
  std::string list;
  for (const std::string& name : known)
    list += (list.empty() ? "" : ", ") + name;
  return "'" + text + "' is none of " + list + did_you_mean(text, known);
}

// Forms that other compilers have under these words.
std::string complaint_about_form(const std::string& text) {
  if (text == "asm" || text == "s" || text == "assembly") {
    return "'" + text +
           "' is no form of its own; 'obj' is the machine code of the CPU (objdump -d shows it), "
           "'llvm' what it is made of, 'ptx' the GPU's assembly";
  }
  return complaint_about_choice(text,
                                {"ast", "ir", "cuda", "ptx", "cubin", "llvm", "obj", "header"});
}

// CLI11's own checks of numbers name neither what was written nor what is possible.
CLI::Validator number_between(int low, int high) {
  return CLI::Validator(
      [low, high](const std::string& text) -> std::string {
        int value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, status] = std::from_chars(text.data(), end, value);
        if (status == std::errc() && stop == end && low <= value && value <= high) return "";
        return "'" + text + "' is no number from " + std::to_string(low) + " to " +
               std::to_string(high);
      },
      "", "");
}

// Options for who works on the compiler stand apart in --help.
constexpr const char* kInside = "To look into the compiler";

void define_compile_options(CLI::App* command, CompileFlags& flags, const char* target_words) {
  command->add_option("file", flags.file, "kernel file (.py); only read, never executed")
      ->required();
  command->add_option("-k,--kernel", flags.kernel, "only this function of the file");
  command->add_option("--target", flags.target, target_words)->check(complaint_about_target);
  command
      ->add_option("--arch", flags.arch,
                   "CUDA architecture such as sm_80; else sm_90a, or the GPU's")
      ->check(complaint_about_arch);
  command
      ->add_option("-O,--opt-level", flags.opt_level,
                   "CPU code: 0 compiles fastest, 2 (default) runs fastest")
      ->check(number_between(0, 3));
  command
      ->add_option("--coarsen", flags.coarsen,
                   "CUDA: each thread does the work of 2 or 4 neighbours in x, by wide accesses")
      ->check(CLI::IsMember({1, 2, 4}));
  command->add_flag("--no-fma", flags.no_fma, "CUDA: a * b + c rounds twice");
  command->add_flag("--debug", flags.debug,
                    "CPU: code for gdb and lldb, with the kernel file's lines and names");
  command->add_flag("--fast-math", flags.fast_math, "allow inexact floating-point shortcuts");
  command->add_flag("-w,--no-warnings", flags.no_warnings, "no warnings");
  command->add_flag("--verify-each", flags.verify_each, "check the IR after every pass")
      ->group(kInside);
  command->add_flag("--line-directives", flags.line_directives,
                    "CUDA: #line before every statement, for profilers and debuggers");
  command->add_flag("--time-passes", flags.time_passes, "print the time of every pass")
      ->group(kInside);
  command->add_option("--print-after", flags.print_after, "print the IR after a pass, or 'all'")
      ->check(complaint_about_pass)
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group(kInside);
}

}  // namespace

void define_options(CLI::App& app, CommandLine& line) {
  app.description(kAbout);
  app.set_version_flag("--version", std::string("tirxcc ") + std::string(version()));
  app.require_subcommand(1);

  line.build_command = app.add_subcommand("build", "Show or save one form of a kernel file.");
  line.build_command
      ->add_option("--emit", line.build.emit,
                   "cuda (default), ptx, cubin; llvm, obj, header (CPU); ast, ir")
      ->check(complaint_about_form);
  line.build_command->add_option(
      "--cpu", line.build.cpu,
      "--emit=obj: x86-64 (the default: runs everywhere), x86-64-v2, -v3, -v4, or native");
  line.build_command->add_option("-o,--output", line.build.output, "file instead of stdout");
  line.build_command->add_flag("--plain-scalars", line.build.plain_scalars,
                               "print mutable scalars as 'int i = 0;' and loops as 'while (c)'");

  line.build_command->add_flag("--explain", line.build.explain,
                               "CPU: instead of code, say how each kernel runs and why");
  define_compile_options(line.build_command, line.build,
                         "cuda, cuda:ARCH or cpu (default: what --emit is for)");

  line.run_command =
      app.add_subcommand("run", "Compile a kernel and run it on generated, .npy or raw arrays.");
  line.run_command->footer(kRunSpecs);
  line.run_command->add_option("-a,--arg", line.run.args, "NAME=SPEC, once per parameter")
      ->type_name("NAME=SPEC")
      ->allow_extra_args(false);
  line.run_command
      ->add_option("-s,--save", line.run.saves,
                   "save a tensor: NAME=FILE (.npy; raw bytes to .bin, .raw, .dat or raw:FILE)")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  line.run_command->add_flag("--time", line.run.time, "time compilation and repeated runs");
  line.run_command->add_option("--repeat", line.run.repeat, "with --time: exactly this many runs")
      ->check(number_between(1, 1'000'000));
  line.run_command->add_flag("--json", line.run.json, "one line of JSON for machines");
  line.run_command->add_option("--seed", line.run.seed, "seed of generated numbers");
  line.run_command
      ->add_option("--force-variant", line.run.force_variant,
                   "run index64, alias, scalar, big_grid or streaming although nothing asks for it")
      ->check([](const std::string& text) {
        return complaint_about_choice(text,
                                      {"index64", "alias", "scalar", "big_grid", "streaming"});
      })
      ->group(kInside);
  define_compile_options(line.run_command, line.run, "cpu (default), cuda, or cuda:ARCH");

  line.help_command = app.add_subcommand("help", "The language on one page, or a part of it.");
  line.help_command->add_option("topic", line.topic, "launch, loops, ...; without one, all");

  line.doctor_command = app.add_subcommand(
      "doctor", "Say what this machine has for GPUs: driver, devices, NVRTC, cache.");

  line.cache_command =
      app.add_subcommand("cache", "The folder in which compiled kernels are kept.");
  line.cache_command->require_subcommand(1);
  line.cache_command->add_subcommand("info", "Say where it is and what it holds.");
  line.cache_command->add_subcommand("clear", "Remove what it holds.")->callback([&line] {
    line.cache.clear = true;
  });
}

}  // namespace tirxcc::tool
