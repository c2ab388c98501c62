// SPDX-License-Identifier: Apache-2.0
//
// `tirxcc run`: compile a kernel for the CPU, make its arguments, run it, show and save results.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "array.h"
#include "commands.h"
#include "crash.h"
#include "files.h"
#include "usage.h"

namespace tirxcc::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTimingBudgetMs = 1000;  // repeat a timed run for about this long
constexpr int kMinRepeat = 3;
constexpr int kMaxRepeat = 1000;

double elapsed_ms(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct NamedText {
  std::string name;
  std::string text;
};

// What is wrong with a name that no parameter has: a symbol, or a slip of the fingers.
std::string about_unknown_name(const std::string& name, const Kernel& kernel) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : kernel.parameters()) {
    names.push_back(parameter.name);
    for (const std::string& extent : parameter.shape) {
      if (extent != name) continue;
      return fmt::format("'{}' is a size, which comes from the shape of {}; give '--arg {}'", name,
                         parameter.name, example_spec(parameter));
    }
  }
  return fmt::format("there is no parameter '{}' in {}{}", name, kernel.signature(),
                     did_you_mean(name, names));
}

// "NAME=TEXT" items, each name at most once and known to the kernel.
Expected<std::vector<NamedText>> split_items(const std::vector<std::string>& items,
                                             std::string_view option, const Kernel& kernel) {
  std::vector<NamedText> result;
  for (const std::string& item : items) {
    std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0) {
      return usage_error(fmt::format("{} {}: expected NAME={}, for example '{}'", option, item,
                                     option == "--arg" ? "SPEC" : "FILE",
                                     option == "--save" || kernel.parameters().empty()
                                         ? "B=out.npy"
                                         : example_spec(kernel.parameters()[0])));
    }
    std::string name = item.substr(0, equals);
    const std::vector<ParameterInfo>& parameters = kernel.parameters();
    bool is_known = std::any_of(parameters.begin(), parameters.end(),
                                [&](const ParameterInfo& p) { return p.name == name; });
    if (!is_known) {
      return usage_error(fmt::format("{} {}: {}", option, item, about_unknown_name(name, kernel)));
    }
    for (const NamedText& other : result) {
      if (other.name == name) {
        return usage_error(fmt::format("{} {}: '{}' is given twice", option, item, name));
      }
    }
    result.push_back({name, item.substr(equals + 1)});
  }
  return result;
}

LaunchOptions launch_options(const RunFlags& flags, std::optional<Diagnostic>* remark = nullptr) {
  return {.copy_host_tensors = true, .remark = remark, .force_variant = flags.force_variant};
}

// The arguments of one run, with the arrays they refer to.
struct Inputs {
  std::vector<ArgumentValue> values;  // in the order of the parameters

  std::vector<Argument> arguments() const {
    std::vector<Argument> result;
    for (const ArgumentValue& value : values) {
      result.push_back(value.is_array ? Argument(value.array.ref()) : value.scalar);
    }
    return result;
  }
};

constexpr std::string_view kGuardHint =
    "an index is too large, or negative, or lacks a guard such as 'if i < n:'";

// An error if the kernel wrote beside one of the arrays. What it writes to is looked at first: a
// strip beside another array may have been hit from there.
Expected<void> check_outside(const Kernel& kernel, const Inputs& inputs) {
  const std::vector<ParameterInfo>& parameters = kernel.parameters();
  for (const bool is_written : {true, false}) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const ArgumentValue& value = inputs.values[i];
      if (!value.is_array || parameters[i].is_written != is_written) continue;
      const Damage damage = find_damage(value.array);
      if (!damage.is_any()) continue;
      const std::string where = damage.behind > 0
                                    ? fmt::format("up to {} bytes behind its end", damage.behind)
                                    : fmt::format("from {} bytes before its start", damage.before);
      return error(fmt::format("kernel '{}' wrote outside '{}' ({}), {}; {}", kernel.name(),
                               parameters[i].name, type_text(value.array), where, kGuardHint),
                   ErrorKind::Runtime);
    }
  }
  return {};
}

Expected<Inputs> make_inputs(const Kernel& kernel, const RunFlags& flags) {
  Expected<std::vector<NamedText>> items = split_items(flags.args, "--arg", kernel);
  if (!items) return tl::unexpected<Error>(items.error());
  Inputs inputs;
  std::string missing;
  std::string example;
  for (const ParameterInfo& parameter : kernel.parameters()) {
    auto item = std::find_if(items->begin(), items->end(),
                             [&](const NamedText& i) { return i.name == parameter.name; });
    if (item != items->end()) {
      Expected<ArgumentValue> value = make_argument(item->text, parameter, flags.seed);
      if (!value) return tl::unexpected<Error>(value.error());
      inputs.values.push_back(std::move(*value));
    } else if (parameter.has_default) {
      inputs.values.emplace_back();
    } else {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", parameter.name);
      example += fmt::format(" --arg {}", example_spec(parameter));
    }
  }
  if (!missing.empty()) {
    return usage_error(fmt::format("no --arg for {} of {}; add for example '{}'", missing,
                                   kernel.signature(), example.substr(1)));
  }
  return inputs;
}

struct Timing {
  double compile_ms = 0;
  double best_ms = 0;
  double median_ms = 0;
  int runs = 0;
  double bytes = 0;  // read and written arrays, once each
};

constexpr int kDeviceRepeat = 30;

void summarize_times(std::vector<double>& times, Timing& timing) {
  std::sort(times.begin(), times.end());
  timing.best_ms = times.front();
  timing.median_ms = times[times.size() / 2];
  timing.runs = static_cast<int>(times.size());
}

// On the GPU's own clock, without the copies to and from it.
Expected<Timing> time_on_device(const Kernel& kernel, const Inputs& inputs, const RunFlags& flags) {
  Timing timing;
  for (const ArgumentValue& value : inputs.values) {
    if (value.is_array) timing.bytes += static_cast<double>(value.array.bytes);
  }
  TimingOptions options;
  options.runs = flags.repeat > 0 ? flags.repeat : kDeviceRepeat;
  options.copy_host_tensors = true;
  const Expected<tirxcc::Timing> measured = kernel.time(inputs.arguments(), options);
  if (!measured) return tl::unexpected<Error>(measured.error());
  std::vector<double> times(measured->milliseconds.begin(), measured->milliseconds.end());
  summarize_times(times, timing);
  return timing;
}

// Runs on copies of what the kernel writes, so that the real run starts from the given values.
Expected<Timing> time_runs(const Kernel& kernel, const Inputs& inputs, const RunFlags& flags) {
  Timing timing;
  Inputs scratch = inputs;
  const std::vector<ParameterInfo>& parameters = kernel.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!scratch.values[i].is_array) continue;
    timing.bytes += static_cast<double>(scratch.values[i].array.bytes);
    if (!parameters[i].is_written) continue;
    Expected<Array> copy = inputs.values[i].array.clone();
    if (!copy) return tl::unexpected<Error>(copy.error());
    scratch.values[i].array = std::move(*copy);
  }
  std::vector<Argument> args = scratch.arguments();
  std::vector<double> times;
  Clock::time_point start = Clock::now();
  int wanted = flags.repeat > 0 ? flags.repeat : kMaxRepeat;
  while (static_cast<int>(times.size()) < wanted) {
    Clock::time_point begin = Clock::now();
    Expected<Scalar> done = kernel.launch(args, launch_options(flags));
    if (!done) return tl::unexpected<Error>(done.error());
    times.push_back(elapsed_ms(begin));
    bool is_enough = static_cast<int>(times.size()) >= kMinRepeat;
    if (flags.repeat == 0 && is_enough && elapsed_ms(start) > kTimingBudgetMs) break;
  }
  summarize_times(times, timing);
  Expected<void> inside = check_outside(kernel, scratch);
  if (!inside) return tl::unexpected<Error>(inside.error());
  return timing;
}

struct Report {
  std::string kernel;
  bool is_timed = false;
  Timing timing;
  Scalar result;
  std::vector<NamedText> outputs;  // name and summary of what was written
  std::vector<std::string> variants;
};

std::string scalar_text(const Scalar& scalar) {
  bool is_float = scalar.type == ElementType::Float32 || scalar.type == ElementType::Float64 ||
                  scalar.type == ElementType::Float16 || scalar.type == ElementType::BFloat16;
  return is_float ? fmt::format("{}", scalar.float_value) : fmt::format("{}", scalar.int_value);
}

void print_json(const Report& report) {
  nlohmann::ordered_json json;
  json["kernel"] = report.kernel;
  json["variants"] = report.variants;
  if (report.is_timed) {
    json["compile_ms"] = report.timing.compile_ms;
    json["run_ms"] = report.timing.best_ms;
    json["run_median_ms"] = report.timing.median_ms;
    json["runs"] = report.timing.runs;
    json["bytes"] = report.timing.bytes;
    json["gb_per_s"] = report.timing.bytes / report.timing.best_ms / 1e6;
  }
  if (report.result.has_value) json["result"] = scalar_text(report.result);
  for (const NamedText& output : report.outputs)
    json["outputs"][output.name] = output.text;
  fmt::print("{}\n", json.dump());
}

void print_report(const Report& report) {
  if (report.is_timed) {
    const Timing& t = report.timing;
    fmt::print("{}: compile {:.2f} ms, run {:.3f} ms (best of {}, median {:.3f}), {:.2f} GB/s\n",
               report.kernel, t.compile_ms, t.best_ms, t.runs, t.median_ms,
               t.bytes / t.best_ms / 1e6);
  }
  if (report.result.has_value) fmt::print("result = {}\n", scalar_text(report.result));
  for (const NamedText& output : report.outputs)
    fmt::print("{} = {}\n", output.name, output.text);
}

Expected<void> save_outputs(const Kernel& kernel, const Inputs& inputs,
                            const std::vector<NamedText>& saves) {
  const std::vector<ParameterInfo>& parameters = kernel.parameters();
  for (const NamedText& save : saves) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].name != save.name) continue;
      Expected<void> saved = save_array(save.text, inputs.values[i].array);
      if (!saved) return saved;
    }
  }
  return {};
}

// Raw bytes go only into files whose names promise nothing else.
bool is_for_raw(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view file = slash == path.npos ? path : path.substr(slash + 1);
  const std::size_t dot = file.rfind('.');
  if (dot == file.npos || dot == 0) return true;
  const std::string_view suffix = file.substr(dot);
  constexpr std::string_view kRaw[] = {".raw", ".bin", ".dat"};
  return std::find(std::begin(kRaw), std::end(kRaw), suffix) != std::end(kRaw);
}

Expected<void> check_saves(const Kernel& kernel, std::vector<NamedText>& saves) {
  for (NamedText& save : saves) {
    for (const ParameterInfo& p : kernel.parameters()) {
      if (p.name == save.name && !p.is_tensor) {
        return usage_error(fmt::format("--save {}: '{}' is not a tensor", save.name, save.name));
      }
    }
    constexpr std::string_view kRaw = "raw:";
    if (save.text.starts_with(kRaw)) {
      save.text.erase(0, kRaw.size());
    } else if (!save.text.ends_with(".npy") && !is_for_raw(save.text)) {
      return usage_error(fmt::format(
          "--save {0}={1}: arrays are saved as .npy, or as raw bytes to .bin, .raw, .dat or a name "
          "without suffix; '{0}=raw:{1}' writes raw bytes there",
          save.name, save.text));
    }
    if (save.text.empty()) {
      return usage_error(
          fmt::format("--save {0}: expected a file's name, '{0}=out.npy'", save.name));
    }
  }
  return {};
}

Expected<Report> run_kernel(const RunFlags& flags) {
  Expected<CompileOptions> options = compile_options(flags, Target::Kind::Cpu);
  if (!options) return tl::unexpected<Error>(options.error());
  if (flags.repeat > 0 && !flags.time) {
    return usage_error("'run --repeat' only counts the runs of --time; give both");
  }
  Clock::time_point start = Clock::now();
  Expected<Module> module = compile_for(flags, *options);
  if (!module) return tl::unexpected<Error>(module.error());
  Expected<Kernel> kernel = select_kernel(*module, flags);
  if (!kernel) return tl::unexpected<Error>(kernel.error());
  Expected<std::vector<NamedText>> saves = split_items(flags.saves, "--save", *kernel);
  if (!saves) return tl::unexpected<Error>(saves.error());
  if (Expected<void> good = check_saves(*kernel, *saves); !good) {
    return tl::unexpected<Error>(good.error());
  }
  Expected<void> prepared = kernel->prepare();
  if (!prepared) return tl::unexpected<Error>(prepared.error());
  double compile_ms = elapsed_ms(start);
  print_remarks(*module);
  Expected<Inputs> inputs = make_inputs(*kernel, flags);
  if (!inputs) return tl::unexpected<Error>(inputs.error());

  Report report;
  report.kernel = kernel->name();
  report.is_timed = flags.time;
  const bool is_gpu = options->target.kind == Target::Kind::Cuda;
  std::optional<CrashWatch> watch;
  if (!is_gpu) {
    watch.emplace(
        fmt::format("tirxcc: error: kernel '{}' went outside its arrays and the operating system "
                    "stopped it; {}\n",
                    kernel->name(), kGuardHint));
  }
  if (flags.time) {
    Expected<Timing> timing =
        is_gpu ? time_on_device(*kernel, *inputs, flags) : time_runs(*kernel, *inputs, flags);
    if (!timing) return tl::unexpected<Error>(timing.error());
    report.timing = *timing;
    report.timing.compile_ms = compile_ms;
  }
  std::optional<Diagnostic> remark;
  Expected<Scalar> done = kernel->launch(inputs->arguments(), launch_options(flags, &remark));
  if (remark) std::fputs(remark->rendered.c_str(), stderr);
  if (!done) return tl::unexpected<Error>(done.error());
  Expected<void> inside = check_outside(*kernel, *inputs);
  if (!inside) return tl::unexpected<Error>(inside.error());
  report.result = *done;
  report.variants = kernel->variants_run();
  for (std::size_t i = 0; i < inputs->values.size(); ++i) {
    if (!inputs->values[i].is_array || !kernel->parameters()[i].is_written) continue;
    report.outputs.push_back({kernel->parameters()[i].name, summarize(inputs->values[i].array)});
  }
  Expected<void> saved = save_outputs(*kernel, *inputs, *saves);
  if (!saved) return tl::unexpected<Error>(saved.error());
  return report;
}

}  // namespace

int run(const RunFlags& flags) {
  Expected<Report> report = run_kernel(flags);
  if (!report) return print_error(report.error());
  if (flags.json) {
    print_json(*report);
  } else {
    print_report(*report);
  }
  return std::fflush(stdout) == 0 ? kSuccess : kFailure;
}

}  // namespace tirxcc::tool
