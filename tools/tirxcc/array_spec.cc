// SPDX-License-Identifier: Apache-2.0
//
// `--arg` specifications (array.h has the forms).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <random>

#include "array.h"
#include "element.h"
#include "files.h"
#include "usage.h"

namespace tirxcc::tool {
namespace {

const std::vector<std::string> kKinds = {"normal", "uniform", "integers", "zeros",
                                         "ones",   "arange",  "full",     "raw"};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

// "float32[1000,64]", "[8]".
struct TypeAndShape {
  ElementType type = ElementType::Float32;
  std::vector<std::int64_t> shape;
};

Expected<TypeAndShape> parse_type(std::string_view text, const ParameterInfo& parameter) {
  TypeAndShape result{parameter.type, {}};
  std::size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) {
    return usage_error(
        fmt::format("'{}' is no TYPE[SHAPE]; for example '{}'", text, example_spec(parameter)));
  }
  if (open > 0) {
    std::optional<ElementType> type = parse_element(text.substr(0, open));
    if (!type) {
      return usage_error(fmt::format("'{}' is no element type; the types are {}{}",
                                     text.substr(0, open), joined(element_names()),
                                     did_you_mean(text.substr(0, open), element_names())));
    }
    result.type = *type;
  }
  std::string_view dims = text.substr(open + 1, text.size() - open - 2);
  while (!dims.empty()) {
    std::size_t comma = dims.find(',');
    std::string_view word = dims.substr(0, comma);
    while (!word.empty() && word.front() == ' ')
      word.remove_prefix(1);
    std::optional<std::int64_t> extent = parse_number<std::int64_t>(word);
    if (!extent || *extent < 0) {
      return usage_error(fmt::format("'{}' in '{}' is no size; for example '{}'", word, text,
                                     example_spec(parameter)));
    }
    result.shape.push_back(*extent);
    dims = comma == std::string_view::npos ? "" : dims.substr(comma + 1);
  }
  return result;
}

struct Bounds {
  double low;
  double high;
};

std::optional<Bounds> parse_bounds(std::string_view text) {
  std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {};
  std::optional<double> low = parse_number<double>(text.substr(0, dots));
  std::optional<double> high = parse_number<double>(text.substr(dots + 2));
  if (!low || !high || *low > *high) return {};
  return Bounds{*low, *high};
}

using Generator = std::mt19937_64;

Expected<void> fill_random(const Array& array, std::string_view kind, std::string_view setting,
                           Generator& random) {
  const bool is_wide = kind == "integers" && array.type != ElementType::Bool;
  Bounds bounds = is_wide ? Bounds{0, 99} : Bounds{0, 1};
  if (!setting.empty()) {
    std::optional<Bounds> given = parse_bounds(setting);
    if (!given || kind == "normal") {
      return usage_error(
          kind == "normal"
              ? fmt::format("'normal={}': normal takes no setting; uniform=LOW..HIGH does", setting)
              : fmt::format("'{0}={1}': expected {0}=LOW..HIGH, for example {0}=-1..1", kind,
                            setting));
    }
    bounds = *given;
  }
  std::int64_t count = array.size();
  if (kind == "normal") {
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < count; ++i)
      set_float(array, i, normal(random));
  } else if (kind == "uniform") {
    std::uniform_real_distribution<double> uniform(bounds.low, bounds.high);
    for (std::int64_t i = 0; i < count; ++i)
      set_float(array, i, uniform(random));
  } else {
    std::uniform_int_distribution<std::int64_t> integers(static_cast<std::int64_t>(bounds.low),
                                                         static_cast<std::int64_t>(bounds.high));
    for (std::int64_t i = 0; i < count; ++i)
      set_int(array, i, integers(random));
  }
  return {};
}

Expected<void> fill(const Array& array, std::string_view kind, std::string_view setting,
                    Generator& random) {
  std::int64_t count = array.size();
  if (kind == "normal" || kind == "uniform" || kind == "integers") {
    return fill_random(array, kind, setting, random);
  }
  if (kind == "zeros") return {};
  if (kind == "arange") {
    for (std::int64_t i = 0; i < count; ++i)
      set_int(array, i, i);
    return {};
  }
  if (kind == "ones" || kind == "full") {
    std::optional<double> value = kind == "ones" ? 1.0 : parse_number<double>(setting);
    if (!value) {
      return usage_error(
          fmt::format("'full={}': expected a number, for example full=2.5", setting));
    }
    for (std::int64_t i = 0; i < count; ++i)
      set_float(array, i, *value);
    return {};
  }
  return usage_error(fmt::format("'{}' is no way to make an array; there are {}{}", kind,
                                 joined(kKinds), did_you_mean(kind, kKinds)));
}

Expected<Array> load_raw(std::string_view rest, const ParameterInfo& parameter) {
  std::size_t colon = rest.rfind(':');
  if (rest.substr(0, colon).ends_with(".npy")) {
    return usage_error(fmt::format("a .npy file tells its type and shape itself; write '{}={}'",
                                   parameter.name, rest.substr(0, colon)));
  }
  if (colon == std::string_view::npos) {
    return usage_error("expected raw:FILE:TYPE[SHAPE], for example raw:data.bin:float32[1000]");
  }
  std::string path(rest.substr(0, colon));
  Expected<TypeAndShape> type = parse_type(rest.substr(colon + 1), parameter);
  if (!type) return tl::unexpected<Error>(type.error());
  Expected<Array> array = make_array(type->type, type->shape);
  if (!array) return array;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return error(fmt::format("cannot read '{}': {}", path, errno_text()));
  std::size_t got = std::fread(array->data.get(), 1, array->bytes, file);
  bool is_longer = got == array->bytes && std::fgetc(file) != EOF;
  std::fclose(file);
  if (got != array->bytes || is_longer) {
    return error(fmt::format("'{}' holds {} {} bytes that {} needs", path,
                             is_longer ? "more than the" : fmt::format("{} of the", got),
                             array->bytes, rest.substr(colon + 1)));
  }
  return array;
}

std::optional<Argument> parse_scalar(std::string_view text) {
  if (text == "true" || text == "True") return Argument(true);
  if (text == "false" || text == "False") return Argument(false);
  if (text == "none" || text == "None") return Argument(nullptr);
  if (auto value = parse_number<std::int64_t>(text)) return Argument(*value);
  if (auto value = parse_number<std::uint64_t>(text)) return Argument(*value);
  if (auto value = parse_number<double>(text)) return Argument(*value);
  return {};
}

// What is wrong with a word that is neither a number nor a file nor KIND:TYPE[SHAPE].
std::string about_word(std::string_view word, const ParameterInfo& parameter) {
  const std::string example = example_spec(parameter);
  if (!parameter.is_tensor) {
    return fmt::format("'{}' is not a number; {} is {}, give for example '{}'", word,
                       parameter.name, element_name(parameter.type), example);
  }
  const std::string_view kind = word.substr(0, word.find_first_of("=["));
  if (std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end()) {
    return fmt::format("'{}' lacks type and shape; for example '{}={}:{}'", word, parameter.name,
                       word.substr(0, word.find('[')), example.substr(example.find(':') + 1));
  }
  return fmt::format("'{}' is neither a .npy file nor KIND:TYPE[SHAPE], for example '{}'{}", word,
                     example, did_you_mean(kind, kKinds));
}

Expected<Array> make_from(std::string_view spec, const ParameterInfo& parameter,
                          std::uint64_t seed) {
  if (spec.starts_with("raw:")) return load_raw(spec.substr(4), parameter);
  if (spec.ends_with(".npy")) return load_npy(std::string(spec), parameter.type);
  std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos) {
    return usage_error(about_word(spec, parameter));
  }
  std::string_view kind = spec.substr(0, colon);
  std::string_view setting;
  if (std::size_t equals = kind.find('='); equals != std::string_view::npos) {
    setting = kind.substr(equals + 1);
    kind = kind.substr(0, equals);
  }
  Expected<TypeAndShape> type = parse_type(spec.substr(colon + 1), parameter);
  if (!type) return tl::unexpected<Error>(type.error());
  Expected<Array> array = make_array(type->type, type->shape);
  if (!array) return array;
  Generator random(seed ^ std::hash<std::string>{}(parameter.name));
  Expected<void> filled = fill(*array, kind, setting, random);
  if (!filled) return tl::unexpected<Error>(filled.error());
  return array;
}

}  // namespace

std::string example_spec(const ParameterInfo& parameter) {
  if (!parameter.is_tensor) {
    return fmt::format("{}={}", parameter.name, parameter.type == ElementType::Bool ? "true" : "1");
  }
  std::string shape;
  for (const std::string& extent : parameter.shape) {
    const bool is_number = parse_number<std::int64_t>(extent).has_value();
    shape += fmt::format("{}{}", shape.empty() ? "" : ",", is_number ? extent : "1000");
  }
  return fmt::format("{}={}:{}[{}]", parameter.name,
                     parameter.is_written       ? "zeros"
                     : is_float(parameter.type) ? "normal"
                                                : "integers",
                     element_name(parameter.type), shape);
}

Expected<ArgumentValue> make_argument(std::string_view spec, const ParameterInfo& parameter,
                                      std::uint64_t seed) {
  ArgumentValue value;
  if (std::optional<Argument> scalar = parse_scalar(spec)) {
    value.scalar = *scalar;
    return value;
  }
  Expected<Array> array = make_from(spec, parameter, seed);
  if (!array) {
    Error failure = array.error();
    failure.message = fmt::format("--arg {}={}: {}", parameter.name, spec, failure.message);
    return tl::unexpected<Error>(std::move(failure));
  }
  value.is_array = true;
  value.array = std::move(*array);
  return value;
}

}  // namespace tirxcc::tool
