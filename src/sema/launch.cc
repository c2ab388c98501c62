// SPDX-License-Identifier: Apache-2.0
//
// T.device_entry and what it launches: regions, T.cuda.LaunchConfig, T.cuda.KernelAttributes
// (language.md 2.1). Everything in a list after T.device_entry(...) is one kernel; sizes are host
// formulas in 64 bits (rule 25).
#include <algorithm>
#include <array>

#include "base/overloaded.h"
#include "ir/traverse.h"
#include "sema/expr_internal.h"
#include "sema/foreign_names.h"
#include "sema/function_sema.h"
#include "sema/suggest.h"

namespace tirxcc::sema {
namespace {

using source::Diagnostic;
using source::Severity;

constexpr Diagnostic kKeywordsOnly{"keywords-only", Severity::Error, ErrorClass::Type,
                                   "{} takes keyword arguments only"};
constexpr Diagnostic kSizesOfEntry{
    "sizes-of-device-entry", Severity::Error, ErrorClass::Type,
    "'{}' belongs to the launch: 'T.device_entry(launch=T.cuda.LaunchConfig(grid=..., "
    "block=...))'"};
constexpr Diagnostic kUnknownField{"unknown-field", Severity::Error, ErrorClass::Type,
                                   "{} has no field '{}'"};
constexpr Diagnostic kFieldTwice{"field-twice", Severity::Error, ErrorClass::Type,
                                 "{} gets '{}' twice"};
constexpr Diagnostic kMissingField{"missing-field", Severity::Error, ErrorClass::Type,
                                   "T.cuda.LaunchConfig needs '{}'"};
constexpr Diagnostic kNotAConfig{"not-a-launch-config", Severity::Error, ErrorClass::Type,
                                 "launch must be a T.cuda.LaunchConfig(...), got {}"};
constexpr Diagnostic kNotAttributes{"not-kernel-attributes", Severity::Error, ErrorClass::Type,
                                    "kernel_attrs must be a T.cuda.KernelAttributes(...), got {}"};
constexpr Diagnostic kPositive{"launch-size-range", Severity::Error, ErrorClass::Value,
                               "{} dimensions must be positive uint32 values"};
constexpr Diagnostic kDimensionCount{"launch-dimensions", Severity::Error, ErrorClass::Value,
                                     "{} expects one to three dimensions"};
constexpr Diagnostic kScalarInt{"launch-size-type", Severity::Error, ErrorClass::Type,
                                "{} must be a scalar int expression"};
constexpr Diagnostic kTooManyThreads{"too-many-threads", Severity::Error, ErrorClass::Value,
                                     "block must contain at most 1024 threads"};
constexpr Diagnostic kClusterDivides{"grid-cluster", Severity::Error, ErrorClass::Value,
                                     "grid must be divisible by cluster in every dimension"};
constexpr Diagnostic kReadsDevice{
    "launch-reads-device", Severity::Error, ErrorClass::Type,
    "{} reads the tensor '{}', whose memory is the device's; pass the size as a parameter"};
constexpr Diagnostic kReadsKernel{"launch-reads-kernel", Severity::Error, ErrorClass::Type,
                                  "{} depends on the running thread; it is evaluated on the host, "
                                  "before the launch"};
constexpr Diagnostic kStaticBlock{"block-static", Severity::Error, ErrorClass::Value,
                                  "{} requires static block dimensions"};
constexpr Diagnostic kStaticCluster{
    "cluster-static", Severity::Error, ErrorClass::Value,
    "{} requires static cluster dimensions: cluster=2, or a tuple of numbers"};
constexpr Diagnostic kPositiveInt{"attribute-value", Severity::Error, ErrorClass::Value,
                                  "{} must be a positive int, got {}"};
constexpr Diagnostic kNeedsOther{"attribute-needs", Severity::Error, ErrorClass::Value,
                                 "{} needs {}"};
constexpr Diagnostic kNotPreferred{"attribute-preferred-cluster", Severity::Error,
                                   ErrorClass::Value, "{} cannot go with preferred_cluster"};
constexpr Diagnostic kConflict{"attribute-conflict", Severity::Error, ErrorClass::Value,
                               "{} cannot go with the other attributes"};
constexpr Diagnostic kMustBeBool{"field-bool", Severity::Error, ErrorClass::Type,
                                 "{} must be True or False, got {}"};

constexpr std::array<std::string_view, 19> kConfigFields = {"grid",
                                                            "block",
                                                            "cluster",
                                                            "preferred_cluster",
                                                            "dynamic_smem_bytes",
                                                            "stream",
                                                            "cooperative",
                                                            "programmatic_stream_serialization",
                                                            "cluster_scheduling_policy",
                                                            "priority",
                                                            "mem_sync_domain",
                                                            "mem_sync_domain_map",
                                                            "access_policy_window",
                                                            "preferred_shared_memory_carveout",
                                                            "nvlink_util_centric_scheduling",
                                                            "portable_cluster_size_mode",
                                                            "shared_memory_mode",
                                                            "programmatic_event",
                                                            "launch_completion_event"};
constexpr std::array<std::string_view, 4> kAttributeFields = {
    "min_blocks_per_sm", "max_blocks_per_cluster", "max_registers_per_thread",
    "required_block_size"};

const ObjectField* find_field(const Object& object, std::string_view name) {
  for (const ObjectField& field : object.fields) {
    if (field.name == name && field.value->kind != ValueKind::None) return &field;
  }
  return nullptr;
}

// What people call grid=, block= and dynamic_smem_bytes= elsewhere, else the nearest field.
std::string note_for_field(std::string_view name, std::span<const std::string_view> known,
                           const syntax::Call& call) {
  std::string_view ours = launch_field_for(name);
  const auto is_given = [&](std::string_view field) {
    return std::any_of(call.keywords.begin(), call.keywords.end(),
                       [&](const syntax::Keyword* keyword) { return keyword->name == field; });
  };
  // `grid=..., blocks=256` means the block.
  if (ours == "grid" && is_given("grid")) {
    if (!is_given("block")) return "did you mean 'block=', the number of threads in a block?";
    return "'grid=' already gives the number of blocks";
  }
  const bool is_known = std::find(known.begin(), known.end(), ours) != known.end();
  if (is_known && ours == "grid") return "write 'grid=', the number of blocks";
  if (is_known && ours == "block") return "write 'block=', the number of threads in a block";
  if (is_known) return fmt::format("did you mean '{}'?", ours);
  NearestName near(name);
  for (const std::string_view field : known)
    near.offer(field);
  return near.result().empty() ? "" : fmt::format("did you mean '{}'?", near.result());
}

bool is_widened(ir::BinaryOp op) {
  return !ir::is_comparison(op) && !ir::is_logical(op) && op != ir::BinaryOp::Div;
}

}  // namespace

Value FunctionSema::make_object(std::string_view type, const syntax::Call& call) {
  const bool is_config = type == "cuda.LaunchConfig";
  const std::vector<std::string_view> parts = launch_structure_parts(type);
  const std::span<const std::string_view> known =
      is_config        ? std::span<const std::string_view>(kConfigFields)
      : !parts.empty() ? std::span<const std::string_view>(parts)
                       : std::span<const std::string_view>(kAttributeFields);
  if (!call.args.empty()) {
    auto message = diags_.report(call.args[0]->span, kKeywordsOnly, display_name(type));
    if (is_config) message.note("write 'grid=..., block=...'");
    return Value::error();
  }
  std::vector<ObjectField> fields;
  fields.reserve(call.keywords.size());
  bool is_good = true;
  for (const syntax::Keyword* keyword : call.keywords) {
    if (std::find(known.begin(), known.end(), keyword->name) == known.end()) {
      auto message =
          diags_.report(keyword->name_span, kUnknownField, display_name(type), keyword->name);
      if (const std::string note = note_for_field(keyword->name, known, call); !note.empty()) {
        message.note("{}", note);
      }
      is_good = false;
      continue;
    }
    for (const ObjectField& field : fields) {
      if (field.name != keyword->name) continue;
      diags_.report(keyword->name_span, kFieldTwice, display_name(type), keyword->name)
          .label(field.span, "it is given here");
      is_good = false;
    }
    const Value value = expr_.eval(*keyword->value);
    is_good = is_good && !value.is_error();
    fields.push_back({keyword->name, module_.arena.make<Value>(value), keyword->value->span});
  }
  if (!is_good) return Value::error();
  Value result;
  result.kind = ValueKind::Object;
  result.object = module_.arena.make<Object>(Object{type, module_.arena.copy(fields), call.span});
  return result;
}

void FunctionSema::translate_device_entry(const syntax::Call& call, syntax::Stmts body) {
  static constexpr ParamSpec kParams[] = {
      {"launch", false}, {"kernel_attrs", false}, {"backend_config", false}};
  Argument args[3];
  bool has_sizes = false;
  for (const syntax::Keyword* keyword : call.keywords) {
    const bool is_size = keyword->name == "grid" || keyword->name == "block" ||
                         !launch_field_for(keyword->name).empty();
    if (!is_size) continue;
    if (!has_sizes) diags_.report(keyword->name_span, kSizesOfEntry, keyword->name);
    has_sizes = true;
  }
  const bool is_bound =
      !has_sizes && bind_arguments(context_, call, "T.device_entry", kParams, args);
  Value config = Value::none();
  Value attributes = Value::none();
  // Still host code: sizes are evaluated before the launch.
  if (is_bound && args[0]) config = expr_.eval(*args[0].expr);
  if (is_bound && args[1]) attributes = expr_.eval(*args[1].expr);
  if (is_bound && args[2]) expr_.eval(*args[2].expr);
  begin_region(call.span);
  region_.has_config = !is_bound || config.kind != ValueKind::None;
  const bool is_config = !args[0] || read_launch_config(config, args[0].span());
  // `T.device_entry(grid, block)` is one mistake.
  if (args[1] && is_config) read_kernel_attributes(attributes, args[1].span());
  translate_block(body);
  end_region();
}

void FunctionSema::begin_region(Span span) {
  outer_names_.clear();
  for (NameEntry* entry : entries_)
    outer_names_.push_back({entry, entry->current, entry->variable});
  outer_loops_.swap(loops_);
  outer_mark_ = trail_.size();
  outer_reachable_ = is_reachable_;
  snapshots_.clear();

  auto* kernel = module_.arena.make<ir::Kernel>();
  kernel->dialect = context_.dialect;
  kernel->span = def_.name_span;
  kernel->launch.span = span;
  region_ = Region{};
  region_.number = ++regions_;
  region_.kernel = kernel;
  region_.span = span;
  open_frame();
  copy_assigned_at_entry();
}

void FunctionSema::end_region() {
  finish_extents();
  ir::Kernel* kernel = region_.kernel;
  close_frame(&kernel->body);
  region_ = Region{};
  forget_since(outer_mark_);
  is_reachable_ = outer_reachable_;
  outer_loops_.swap(loops_);
  outer_loops_.clear();
  for (NameEntry* entry : entries_)
    entry->current = entry->variable = nullptr;
  for (const OuterName& outer : outer_names_) {
    outer.entry->current = outer.current;
    outer.entry->variable = outer.variable;
  }
  for (const ir::Stmt* snapshot : snapshots_)
    emit(snapshot);
  kernels_.push_back(kernel);
  emit(
      context_.build.stmt<ir::Launch>(kernel->launch.span, static_cast<const ir::Kernel*>(kernel)));
}

// A signed 32-bit formula in 64 bits, so that no sum of it overflows.
const ir::Expr* FunctionSema::widen(const Expr* expr) {
  const ir::Builder& build = context_.build;
  if (expr->dtype == kInt64) return expr;
  if (const ir::IntImm* literal = ir::as_int(expr)) {
    if (!expr->dtype.is_bool()) {
      return build.int_imm(kInt64, literal->value, expr->span, literal->is_hex);
    }
  }
  if (expr->dtype == kInt32) {
    if (const auto* binary = ir::as<ir::Binary>(expr)) {
      if (is_widened(binary->op)) {
        return build.fold_binary(binary->op, widen(binary->a), widen(binary->b), expr->span);
      }
    }
    if (const auto* select = ir::as<ir::Select>(expr)) {
      return build.fold_select(select->condition, widen(select->a), widen(select->b), expr->span);
    }
    if (const auto* cast = ir::as<ir::Cast>(expr)) {
      if (!cast->is_bits && cast->a->dtype == kInt64) return cast->a;
    }
  }
  return build.fold_cast(kInt64, expr, expr->span);
}

// One size of a launch as a host expression of int64; null after an error.
const ir::Expr* FunctionSema::launch_size(const Value& value, Span span, std::string_view field) {
  if (value.is_error()) return nullptr;
  const DType type = expr_.type_of(value);
  if (!type.is_int() || !type.is_scalar()) {
    auto report = diags_.report(span, kScalarInt, field);
    if (value.kind == ValueKind::Function) {
      report.note("sizes of arguments are known by name: '{}=T.ceildiv(n, 256)'", field);
    }
    return nullptr;
  }
  if (const std::optional<int128> known = expr_.known_int(value)) {
    // A captured 0 launches nothing.
    const bool is_zero_written = *known == 0 && is_written_literal(diags_.sources().text_of(span));
    if (*known < 0 || *known > 0xffffffffLL || is_zero_written) {
      diags_.report(span, kPositive, field);
      return nullptr;
    }
    return context_.build.int_imm(kInt64, static_cast<std::int64_t>(*known), span);
  }
  const Expr* expr = expr_.to_expr(value, span);
  return expr == nullptr ? nullptr : host_formula(expr, span, field);
}

// In 64 bits; null if it is none that the host can compute.
const ir::Expr* FunctionSema::host_formula(const Expr* expr, Span span, std::string_view field) {
  const ir::Load* load = nullptr;
  bool reads_kernel = false;
  ir::walk_exprs(*expr, [&](const ir::Expr& e) {
    if (load == nullptr) load = ir::as<ir::Load>(&e);
    reads_kernel = reads_kernel || ir::is<ir::LaunchIndex>(&e);
  });
  if (load != nullptr) {
    diags_.report(load->span.is_valid() ? load->span : span, kReadsDevice, field,
                  load->tensor->name);
    return nullptr;
  }
  if (reads_kernel) {
    diags_.report(span, kReadsKernel, field);
    return nullptr;
  }
  return widen(expr);
}

// grid, block, cluster: one size or a tuple of one to three.
bool FunctionSema::read_dimensions(const ObjectField& field, const Expr** out) {
  Values items(field.value, 1);
  const bool is_sequence_value =
      field.value->kind == ValueKind::Tuple || field.value->kind == ValueKind::List;
  if (is_sequence_value) items = field.value->items;
  if (items.empty() || items.size() > 3) {
    diags_.report(field.span, kDimensionCount, field.name);
    return false;
  }
  bool is_good = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    out[i] = launch_size(items[i], field.span, field.name);
    is_good = is_good && out[i] != nullptr;
  }
  return is_good;
}

// False if it is something else.
bool FunctionSema::read_launch_config(const Value& config, Span span) {
  if (config.is_error() || config.kind == ValueKind::None) return true;
  if (config.kind != ValueKind::Object || config.object->type != "cuda.LaunchConfig") {
    diags_.report(span, kNotAConfig, describe(config))
        .note("write 'launch=T.cuda.LaunchConfig(grid=..., block=...)'");
    return false;
  }
  const Object& object = *config.object;
  ir::LaunchConfig& launch = region_.kernel->launch;
  launch.span = object.span;
  const ObjectField* grid = find_field(object, "grid");
  const ObjectField* block = find_field(object, "block");
  const ObjectField* cluster = find_field(object, "cluster");
  if (grid == nullptr) diags_.report(object.span, kMissingField, "grid");
  if (block == nullptr) diags_.report(object.span, kMissingField, "block");
  const bool has_grid = grid != nullptr && read_dimensions(*grid, launch.grid);
  const bool has_block = block != nullptr && read_dimensions(*block, launch.block);
  if (cluster != nullptr && read_dimensions(*cluster, launch.cluster)) {
    for (int axis = 0; axis < 3 && has_grid; ++axis) {
      const ir::IntImm* g = ir::as_int(launch.grid[axis]);
      const ir::IntImm* c = ir::as_int(launch.cluster[axis]);
      const bool is_one = launch.grid[axis] == nullptr;
      if (c == nullptr || c->value <= 1 || (g == nullptr && !is_one)) continue;
      if ((is_one ? 1 : g->value) % c->value == 0) continue;
      diags_.report(grid->span, kClusterDivides).label(cluster->span, "the cluster is here");
      break;
    }
  }
  if (has_block) check_block_size(block->span);
  read_launch_options(object);
  return true;
}

void FunctionSema::check_block_size(Span span) {
  int128 threads = 1;
  for (const Expr* size : region_.kernel->launch.block) {
    const ir::IntImm* literal = ir::as_int(size);
    if (literal != nullptr) threads *= std::max<std::int64_t>(literal->value, 1);
  }
  if (threads > 1024) diags_.report(span, kTooManyThreads);
}

void FunctionSema::read_launch_options(const Object& object) {
  ir::LaunchConfig& launch = region_.kernel->launch;
  for (const ObjectField& field : object.fields) {
    const Value& value = *field.value;
    if (value.kind == ValueKind::None || field.name == "grid" || field.name == "block" ||
        field.name == "cluster") {
      continue;
    }
    if (field.name == "dynamic_smem_bytes" || field.name == "priority") {
      const Expr* size = field.name == "priority" && expr_.type_of(value).is_int()
                             ? expr_.convert(value, kInt64, field.span, Conversion::Explicit)
                             : launch_size(value, field.span, field.name);
      (field.name == "priority" ? launch.priority : launch.dynamic_smem_bytes) = size;
    } else if (field.name == "cooperative" || field.name == "programmatic_stream_serialization") {
      const std::optional<bool> truth = expr_.known_truth(value);
      if (!truth.has_value() || value.kind == ValueKind::String) {
        diags_.report(field.span, kMustBeBool, field.name, describe(value));
        continue;
      }
      const Expr* flag = context_.build.bool_imm(*truth, field.span);
      (field.name == "cooperative" ? launch.cooperative
                                   : launch.programmatic_stream_serialization) = flag;
    } else {
      read_launch_option(field, find_field(object, "cluster"));
    }
  }
}

void FunctionSema::read_kernel_attributes(const Value& attributes, Span span) {
  if (attributes.is_error() || attributes.kind == ValueKind::None) return;
  if (attributes.kind != ValueKind::Object || attributes.object->type != "cuda.KernelAttributes") {
    diags_.report(span, kNotAttributes, describe(attributes));
    return;
  }
  ir::LaunchConfig& launch = region_.kernel->launch;
  const ObjectField* alone = nullptr;  // one that goes with no other
  const ObjectField* other = nullptr;
  for (const ObjectField& field : attributes.object->fields) {
    const Value& value = *field.value;
    if (value.kind == ValueKind::None) continue;
    if (field.name == "required_block_size") {
      const std::optional<bool> truth = expr_.known_truth(value);
      if (!truth.has_value()) diags_.report(field.span, kMustBeBool, field.name);
      if (truth != true) continue;
      launch.required_block_size = true;
      (alone == nullptr ? alone : other) = &field;
      check_required_block(field);
      continue;
    }
    const std::optional<int128> count = expr_.known_int(value);
    if (!count.has_value() || *count < 1 || *count > 0x7fffffff) {
      diags_.report(field.span, kPositiveInt, field.name,
                    count.has_value() ? diags_.sources().text_of(field.span) : describe(value));
      continue;
    }
    const auto number = static_cast<std::int32_t>(*count);
    if (field.name == "min_blocks_per_sm") {
      launch.min_blocks_per_sm = number;
      other = &field;
      if (launch.block[0] != nullptr && launch.static_threads() == 0) {
        diags_.report(field.span, kStaticBlock, field.name);
      }
    } else if (field.name == "max_blocks_per_cluster") {
      launch.max_blocks_per_cluster = number;
      other = &field;
    } else {
      launch.max_registers_per_thread = number;
      (alone == nullptr ? alone : other) = &field;
    }
  }
  if (launch.max_blocks_per_cluster > 0 && launch.min_blocks_per_sm == 0) {
    diags_.report(other->span, kNeedsOther, "max_blocks_per_cluster", "min_blocks_per_sm");
  }
  if (alone != nullptr && other != nullptr) {
    diags_.report(alone->span, kConflict, alone->name).label(other->span, "this is set too");
  }
}

// What __block_size__ needs: it stands in the text, so all sizes have to be known.
void FunctionSema::check_required_block(const ObjectField& field) {
  const ir::LaunchConfig& launch = region_.kernel->launch;
  if (launch.block[0] != nullptr && launch.static_threads() == 0) {
    diags_.report(field.span, kStaticBlock, field.name);
  }
  const auto is_dynamic = [](const Expr* size) {
    return size != nullptr && ir::as_int(size) == nullptr;
  };
  const bool is_static =
      launch.cluster[0] != nullptr &&
      std::none_of(std::begin(launch.cluster), std::end(launch.cluster), is_dynamic);
  if (!is_static) diags_.report(field.span, kStaticCluster, field.name);
  const Expr* preferred =
      launch.options[static_cast<std::size_t>(abi::LaunchOption::PreferredClusterX)];
  if (preferred != nullptr) diags_.report(field.span, kNotPreferred, field.name);
}

std::optional<std::int64_t> FunctionSema::static_extent(ir::LaunchIndexKind kind, int axis) {
  if (region_.kernel == nullptr) return std::nullopt;
  const bool is_block = kind == ir::LaunchIndexKind::BlockDim;
  const ir::LaunchConfig& launch = region_.kernel->launch;
  const Expr* size = nullptr;
  if (region_.has_config) {
    size = is_block ? launch.block[axis] : launch.grid[axis];
    if (size == nullptr && launch.block[0] == nullptr) return std::nullopt;
  } else {
    size = is_block ? region_.extents.block[axis] : region_.extents.grid[axis];
    // Ids of several dimensions come first; warp and lane ids alone make a flat block.
    if (size == nullptr && axis == 0) return std::nullopt;
    if (is_block && axis > 0) region_.assumed_flat = size == nullptr;
  }
  if (size == nullptr) return 1;
  const ir::IntImm* literal = ir::as_int(size);
  if (literal == nullptr) return std::nullopt;
  return literal->value;
}

bool FunctionSema::lacks_axis(ir::LaunchIndexKind kind, int axis) {
  if (region_.kernel == nullptr || !region_.has_config) return false;
  const ir::LaunchConfig& launch = region_.kernel->launch;
  const bool is_read = launch.grid[0] != nullptr && launch.block[0] != nullptr;
  const bool is_block = kind == ir::LaunchIndexKind::BlockDim;
  return is_read && (is_block ? launch.block : launch.grid)[axis] == nullptr;
}

}  // namespace tirxcc::sema
