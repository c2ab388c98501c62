// SPDX-License-Identifier: Apache-2.0
//
// Translation of one function: statements, names, parameters and launch. One .cc file per
// construct (stmt_if.cc, stmt_for.cc, params.cc, ...); what they share is this class.
//
// Statement lists of the IR under construction are Frames on one stack. They are closed into the
// arena when their construct ends; declarations of mutable scalars are inserted at the very end of
// a round, when it is known which list holds all uses of each (place_declarations).
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/pointer_map.h"
#include "sema/context.h"
#include "sema/expr_internal.h"
#include "sema/expr_sema.h"
#include "sema/names.h"
#include "sema/sema.h"

namespace tirxcc::sema {

// The parts of a structure that a field of LaunchConfig takes, such as "cuda.MemSyncDomainMap";
// none if `type` is no such structure.
std::vector<std::string_view> launch_structure_parts(std::string_view type);

// A statement list of the IR under construction.
struct Frame {
  std::uint32_t parent = kNoFrame;
  std::uint32_t position = 0;  // in the parent, of the statement that holds this list
  std::uint32_t begin = 0;     // of its statements on the stack
  bool is_open = true;
  bool is_spliced = false;  // its statements went into the parent, from `position` on
  bool has_declarations = false;
  bool is_copy = false;  // of an unrolled body
  ir::StmtList* destination = nullptr;
};

// A loop around the present statement.
struct Loop {
  enum class Kind : std::uint8_t { RunTime, Unrolled, Vectorized };
  Kind kind = Kind::RunTime;
  std::string_view name = {};  // of the loop variable, for labels
  std::uint32_t started = 0;
  std::size_t mark = 0;
  bool has_break = false;
  Flow exits = {};      // states at `break`
  Flow continues = {};  // states at `continue`
  // Unrolled:
  std::uint32_t copy_frame = kNoFrame;
  std::uint32_t copy_started = 0;
  std::int64_t turn = 0;
  std::int64_t turns = 1;  // copies that are to be made
  const ir::Label* end_label = nullptr;
  const ir::Label* next_label = nullptr;
  bool is_ended = false;  // a `break` that is certain while compiling
};

struct LoopBounds;

// A labelled block of printed IR around the present statement.
struct OpenBlock {
  std::string_view name;
  const ir::Label* label = nullptr;
  std::size_t mark = 0;
  Flow exits = {};  // states at `T.leave`
};

// An inline function whose body is being translated in place of a call.
struct Expansion {
  const syntax::FunctionDef* def = nullptr;
  Span call = {};
  std::size_t loop_base = 0;  // loops around the call
  std::size_t mark = 0;
  std::uint32_t frame = kNoFrame;
  Value value = Value::none();       // of a return that is certain
  const ir::Label* label = nullptr;  // behind the body, for returns that the kernel decides
  Variable* result = nullptr;        // of those
  Flow exits = {};                   // states at them
  bool has_early_return = false;
  bool has_result = false;
  bool is_done = false;  // a return that is certain was seen
};

// Sizes that scope ids give (dialect B) and launch_thread.
struct ScopeExtents {
  const ir::Expr* grid[3] = {};
  const ir::Expr* block[3] = {};
  Span grid_span[3];
  Span block_span[3];
  const ir::Expr* warps = nullptr;
  const ir::Expr* lanes = nullptr;
  Span warps_span;
  Span lanes_span;
};

// The device region being translated.
struct Region {
  std::uint32_t number = 0;  // 0: host code
  ir::Kernel* kernel = nullptr;
  bool has_config = false;
  bool assumed_flat = false;  // a lane or warp id was made for a block of one dimension
  ScopeExtents extents;
  Span span;
};

// A symbolic size of the function.
struct SymbolInfo {
  const DynamicSymbol* symbol = nullptr;
  const ir::Var* var = nullptr;
  bool is_determined = false;
  ir::Symbol solution;
  Span first_use;
  std::uint32_t first_place = 0xffffffff;  // number of the first shape place that names it
};

// One extent of a tensor parameter, kept until all are known.
struct ShapePlace {
  std::uint16_t param = 0;
  std::uint16_t dim = 0;
  bool is_stride = false;
  const ir::Expr* expr = nullptr;
  Span span;
};

class FunctionSema final : public NameResolver {
 public:
  FunctionSema(const syntax::FunctionDef& def, CapturedScope& scope, ir::Module& module,
               source::Diagnostics& diags, const SemaOptions& options);

  // Null after an error.
  const ir::Function* translate();

  // NameResolver.
  Value lookup(const syntax::Name& name) override;
  const ir::Var* symbol_var(const DynamicSymbol& symbol, Span use) override;
  const void* names_here() override { return scope_; }
  const void* enter_names_of(const FunctionValue& function) override;
  void leave_names(const void* former) override;
  Value keep(const Value& value, std::string_view name, Span span) override;
  bool in_device_code() const override;
  std::optional<std::int64_t> static_extent(ir::LaunchIndexKind kind, int axis) override;
  bool lacks_axis(ir::LaunchIndexKind kind, int axis) override;
  Value call_statement_builtin(const Value& callee, const syntax::Call& call) override;
  Value call_function(const Value& callee, const syntax::Call& call) override;
  StatementMark mark() override;
  Value settle(const StatementMark& mark, const Value& value, Span span) override;

 private:
  using Expr = ir::Expr;

  // function_sema.cc: rounds.
  bool read_decorator();
  bool read_decorator_options(const syntax::Call& call, std::string_view name);
  bool read_result();
  void keep_namespace();
  void check_host_reads();
  void start_round();
  void translate_round();
  bool settle_facts();
  const ir::Function* finish();
  void finish_kernel(ir::Kernel& kernel);

  // frames.cc: statement lists.
  std::uint32_t open_frame();
  void close_frame(ir::StmtList* destination);
  // Puts the statements into the list around.
  void splice_frame();
  std::uint32_t list_size() const {
    return static_cast<std::uint32_t>(stack_.size()) - frames_[frame_].begin;
  }
  void emit(const ir::Stmt* stmt) { stack_.push_back(stmt); }
  const ir::Var* emit_let(std::string_view name, const Expr* value, Span span,
                          ir::VarKind kind = ir::VarKind::Let);
  void place_declarations();
  void dissolve_blocks();
  std::uint32_t list_of(std::uint32_t frame) const;
  template <typename T>
  T* make_stmt(Span span) {
    T* node = module_.arena.make<T>();
    node->kind = ir::KindOf<T>::kKind;
    node->span = span;
    return node;
  }
  std::string_view name_with(std::string_view name, std::string_view suffix);

  // scan.cc: which names the function assigns, before anything is translated.
  void scan(syntax::Stmts body);
  void scan_target(const syntax::Expr& target, bool is_counted);
  void scan_call(const syntax::Expr& expr);

  // flow.cc: definite assignment.
  void set_assigned(NameEntry& entry, Span span);
  void join_into(Flow& flow, std::size_t mark);
  void forget_since(std::size_t mark);
  void continue_from(const Flow& flow);

  // operand_order.cc
  void insert_statement(const StatementMark& mark, const ir::Stmt* stmt);

  // inline.cc: expansions of inline functions.
  NameScope& enter_scope(const FunctionValue& function, const syntax::Call& call);
  NameEntry& fresh_entry(std::string_view name);
  // What facts about a variable are kept under: the node, or a stand-in for it in an expansion.
  const void* key_of(const void* node);
  void scan_inline(const syntax::FunctionDef& def);
  bool bind_inline_arguments(const syntax::FunctionDef& def, const syntax::Call& call,
                             std::vector<Argument>& args);
  bool may_expand(const syntax::FunctionDef& def, const syntax::Call& call);
  Value expand_inline(const FunctionValue& function, const syntax::Call& call);
  Value default_of(const syntax::Param& param);
  void bind_inline_param(std::size_t index, const syntax::Param& param, const Value& value,
                         NameEntry* given, Span span);
  // An operand that the kernel evaluates later, or not at all.
  Value eval_lazy(const syntax::Expr& expr, bool is_lazy);
  void translate_inline_return(const syntax::Return& stmt);
  void store_result(Expansion& expansion, const Value& value, const syntax::Return& stmt);
  Value close_expansion(const syntax::Call& call);
  bool is_in_loop() const {
    return loops_.size() > (expansions_.empty() ? 0 : expansions_.back().loop_base);
  }

  // variables.cc: names.
  NameEntry& entry_of(std::string_view name);
  VariableFacts& facts_of(const void* key, const NameEntry& name);
  Variable* make_variable(NameEntry& name, const void* key, Span span);
  Variable* make_local(NameEntry& name, const void* key, Span span, DType type);
  Value read_variable(NameEntry& entry, Span span);
  Value read_captured(NameEntry& entry, Span span);
  Value read_host_variable(Variable& variable, Span span);
  const Expr* load_cell(const Variable& variable, Span span);
  void store_cell(const Variable& variable, const Value& value, Span value_span, Span span);
  void touch(Variable& variable);
  // `name = value` without annotation.
  void assign_name(const syntax::Name& target, const Value& value, Span value_span);
  void assign_scalar(const syntax::Name& target, NameEntry& entry, const Value& value,
                     Span value_span);
  Variable* variable_to_continue(const syntax::Name& target, NameEntry& entry, DType type);
  bool starts_new_variable(const NameEntry& entry, const Variable& variable, DType type) const;
  bool is_carried_by_loop(const Variable& variable) const;
  void raise_type(Variable& variable, DType type, Span span);
  void set_changed(bool& fact);
  void bind_value(Variable& variable, const Value& value, Span span);
  void store_local(Variable& variable, const Value& value, Span value_span, Span span);
  // A name for a compile-time value, tensor or list.
  Variable* bind_meta(NameEntry& entry, const void* key, const Value& value, Span span);
  void bind_loop_variable(const syntax::Expr& target, const Value& value);
  void copy_assigned_at_entry();
  Value materialize(const Value& value, std::string_view name, Span span);

  // stmt_*.cc.
  void translate_block(syntax::Stmts body);
  void translate_stmt(const syntax::Stmt& stmt);
  bool starts_region(const syntax::Stmt& stmt, syntax::Stmts rest);
  void translate_with_items(const syntax::With& stmt, std::size_t at);
  void translate(const syntax::Assign& stmt);
  void translate(const syntax::AugAssign& stmt);
  void translate(const syntax::AnnAssign& stmt);
  void translate(const syntax::If& stmt);
  void translate(const syntax::For& stmt);
  void translate(const syntax::While& stmt);
  void warn_if_endless(const syntax::While& stmt, const ir::While& node, const Loop& loop,
                       bool is_known);
  void translate(const syntax::With& stmt);
  void translate(const syntax::Return& stmt);
  // The value of a host function's return, null for none; false after an error.
  bool read_returned_value(const syntax::Return& stmt, const ir::Expr*& result);
  void translate(const syntax::Break& stmt);
  void translate(const syntax::Continue& stmt);
  void translate(const syntax::Assert& stmt);
  void translate(const syntax::ExprStmt& stmt);
  void translate(const syntax::Pass&) {}
  void translate(const syntax::FunctionDef& stmt);
  void translate(const syntax::ClassDef& stmt) { unsupported(stmt, "ClassDef", "class"); }
  void translate(const syntax::Delete& stmt) { unsupported(stmt, "Delete", "del"); }
  void translate(const syntax::TypeAlias& stmt) { unsupported(stmt, "TypeAlias", "type"); }
  void translate(const syntax::Match& stmt) { unsupported(stmt, "Match", "match"); }
  void translate(const syntax::Raise& stmt) { unsupported(stmt, "Raise", "raise"); }
  void translate(const syntax::Try& stmt) { unsupported(stmt, "Try", "try"); }
  void translate(const syntax::Import& stmt) { unsupported(stmt, "Import", "import"); }
  void translate(const syntax::ImportFrom& stmt) { unsupported(stmt, "ImportFrom", "from"); }
  void translate(const syntax::Global& stmt) { unsupported(stmt, "Global", "global"); }
  void translate(const syntax::Nonlocal& stmt);
  void note_shared_names(const syntax::FunctionDef& def, syntax::Stmts body);
  void note_shared_name(const syntax::FunctionDef& def, const syntax::Expr& target);
  void translate_branch(syntax::Stmts body, ir::StmtList* destination, Flow& after);
  void unsupported(const syntax::Stmt& stmt, std::string_view node, std::string_view keyword);

  // stmt_assign.cc
  void assign_to(const syntax::Expr& target, const Value& value, Span value_span);
  void assign_sequence(syntax::Exprs targets, const Value& value, Span value_span);
  void assign_in_parallel(syntax::Exprs targets, std::vector<Value>& values,
                          const std::vector<Span>& spans);
  void store_element(const syntax::Subscript& target, const Value& value, Span value_span);
  const ir::Tensor* element_target(const syntax::Subscript& target,
                                   std::vector<const Expr*>& indices);
  bool assign_special_call(const syntax::Assign& stmt);
  void augment_name(const syntax::AugAssign& stmt, const syntax::Name& target);
  void augment_element(const syntax::AugAssign& stmt, const syntax::Subscript& target);

  // stmt_annotated.cc
  void declare_scalar(const syntax::Name& target, DType type, const syntax::Expr* value);
  void declare_let(const syntax::Name& target, std::optional<DType> type, const syntax::Expr* value,
                   Span type_span);
  void declare_array(const syntax::Name& target, DType type, const syntax::Subscript& annotation,
                     const syntax::Expr* value);
  Variable* start_declared(const syntax::Name& target, DType type);

  // alloc.cc
  Value allocate(std::string_view callee, const syntax::Call& call);
  void allocate_scalar(std::string_view callee, const syntax::Call& call,
                       const syntax::Name& target);
  // shared_memory.cc: where each array of dynamic shared memory lies.
  void place_shared_memory(ir::Kernel& kernel);
  const ir::Tensor* make_array(std::string_view name, DType type,
                               const std::vector<const Expr*>& shape,
                               const std::vector<Span>& spans, ir::Scope scope, std::int32_t align,
                               Span span);
  bool eval_shape(const syntax::Expr& shape, std::vector<const Expr*>& extents,
                  std::vector<Span>& spans);
  bool is_swapped(const syntax::Expr& shape, const syntax::Expr* dtype);
  std::optional<DType> eval_dtype(const syntax::Expr* expr, DType fallback);
  std::optional<ir::Scope> eval_scope(const syntax::Expr* expr, ir::Scope fallback);
  std::optional<std::int64_t> eval_constant(const syntax::Expr* expr, std::string_view what);

  // stmt_for.cc, stmt_unroll.cc, stmt_grid.cc
  bool read_range(const syntax::Call& call, LoopBounds& bounds);
  bool read_loop_call(const syntax::Call& call, LoopBounds& bounds);
  bool read_bound(const syntax::Expr& expr, Value& value, Span& span);
  bool read_loop_options(const syntax::Expr* unroll, const syntax::Expr* dtype, LoopBounds& bounds);
  bool settle_bounds(LoopBounds& bounds);
  void warn_if_empty(const LoopBounds& bounds);
  void translate_loop(const syntax::For& stmt, LoopBounds& bounds);
  std::optional<int128> largest(const Value& value) const;
  void translate_counted(const syntax::For& stmt, const LoopBounds& bounds, const ir::Var* var);
  const Expr* named_once(const Expr* expr, std::string_view name, Span span);
  const ir::Var* loop_var(const syntax::Expr& target, DType type);
  void translate_unroll(const syntax::For& stmt, LoopBounds& bounds);
  bool translate_loop_builtin(const syntax::For& stmt, const syntax::Call& call,
                              std::string_view callee);
  void translate_grid(const syntax::For& stmt, const syntax::Call& call);
  void translate_thread_binding(const syntax::For& stmt, const syntax::Call& call);
  void translate_sequence(const syntax::For& stmt, const Value& sequence);
  void translate_vectorized(const syntax::For& stmt, LoopBounds& bounds);
  bool translate_copy(const syntax::For& stmt, const Value& element);
  bool copies_fit(const syntax::For& stmt, std::string_view callee, std::int64_t turns);
  void begin_unrolled(const syntax::For& stmt, std::int64_t turns);
  void end_unrolled(const syntax::For& stmt);
  bool holds_local(std::uint32_t frame) const;
  struct GridLevel;
  bool read_grid_extent(const syntax::Expr& arg, GridLevel& level);
  // Body of a run-time loop; the caller has made the node and says what the target is bound to.
  void translate_loop_body(const syntax::For& stmt, const Value& element, ir::StmtList* body,
                           Loop::Kind kind, bool runs_surely);

  // stmt_jump.cc
  void end_thread(Span span);
  // stmt_printed.cc
  void translate_printed_block(const syntax::Call& call, const syntax::With& stmt, std::size_t at);
  void translate_leave(const syntax::Call& call);
  void translate_printed_counted(const syntax::For& stmt, const syntax::Call& call);
  void leave_unrolled(Loop& loop, bool is_break, Span span);

  // stmt_call.cc
  bool translate_call_stmt(std::string_view callee, const syntax::Call& call);
  void translate_static_assert(const syntax::Call& call);
  void translate_attributes(std::string_view callee, const syntax::Call& call);
  void evaluate_for_effect(const syntax::Expr& expr);
  void warn_no_effect(const syntax::Expr& expr, const Value& value);
  std::string_view builtin_callee(const syntax::Expr& expr);
  void bind_scope_id(const syntax::Expr& target, const Value& value, Span span);

  // params.cc, symbols.cc
  void translate_signature();
  void reject_param(const syntax::Param& param);
  Variable* bind_param(const syntax::Param& param, const Value& value);
  void translate_param(const syntax::Param& param, std::uint16_t index,
                       const syntax::Expr& annotation);
  void translate_scalar_param(const syntax::Param& param, std::uint16_t index, DType type);
  const syntax::Expr* read_annotation(const syntax::Expr* annotation);
  const ir::Tensor* make_param_tensor(std::string_view name, Span name_span, std::uint16_t index,
                                      std::span<const Argument> args, Span span);
  void read_strides(ir::Tensor& tensor, std::uint16_t index, std::span<const Argument> args);
  Value match_buffer(const syntax::Call& call);
  void declare_symbol(const syntax::Name& target, DType type);
  SymbolInfo& symbol_info(const DynamicSymbol& symbol, Span use);
  void solve_symbols();
  void order_symbols();
  void report_undefined_symbols();

  // launch.cc, scope_ids.cc
  void translate_device_entry(const syntax::Call& call, syntax::Stmts body);
  void begin_region(Span span);
  void end_region();
  Value make_object(std::string_view type, const syntax::Call& call);
  bool read_launch_config(const Value& config, Span span);
  void read_kernel_attributes(const Value& attributes, Span span);
  bool read_dimensions(const ObjectField& field, const Expr** out);
  void read_launch_options(const Object& object);
  void check_block_size(Span span);
  void check_required_block(const ObjectField& field);
  const Expr* launch_size(const Value& value, Span span, std::string_view field);
  const Expr* host_formula(const Expr* expr, Span span, std::string_view field);
  const Expr* widen(const Expr* expr);
  // launch_options.cc
  void read_launch_option(const ObjectField& field, const ObjectField* cluster);
  void read_option_structure(const ObjectField& field, std::string_view type);
  void read_preferred_cluster(const ObjectField& field, const ObjectField* cluster);
  const Expr* launch_option(const abi::LaunchOptionInfo& info, const Value& value, Span span);
  const Expr* option_word(const abi::LaunchOptionInfo& info, const Value& value, Span span);
  const Expr* option_number(const abi::LaunchOptionInfo& info, const Value& value, Span span);
  const Expr* option_ratio(const abi::LaunchOptionInfo& info, const Value& value, Span span);
  const Expr* option_address(const abi::LaunchOptionInfo& info, const Value& value, Span span);

  Value scope_id(std::string_view callee, const syntax::Call& call);
  Value dimension_ids(bool is_block, Values extents, std::span<const Span> spans, Span span);
  Value warp_level_id(std::string_view callee, const Value& extent, Span extent_span, Span span);
  Value launch_thread(const syntax::Expr* tag, const syntax::Expr* extent,
                      const syntax::Call& call);
  bool set_extent(const Expr*& slot, Span& slot_span, const Expr* extent, Span span);
  void finish_extents();
  void check_warps_against_block(const Expr* threads, Span span);
  const Expr* host_extent(const Value& value, Span span, bool is_block);

  const syntax::FunctionDef& def_;
  ir::Module& module_;
  source::Diagnostics& diags_;
  Context context_;
  ExprSema expr_;

  // Kept over the rounds.
  NameScope root_scope_;
  NameScope* scope_ = &root_scope_;
  std::vector<std::unique_ptr<NameScope>> name_scopes_;  // of expansions
  std::vector<NameEntry*> entries_;
  PointerMap<VariableFacts> facts_;
  std::unordered_map<const void*, const syntax::Expr*> parsed_annotations_;
  std::vector<std::unique_ptr<source::SourceFile>> annotation_files_;
  bool has_device_code_ = false;
  bool is_changed_ = false;
  DType result_type_ = kVoid;
  bool has_result_ = false;

  // Of the present round.
  std::vector<const ir::Stmt*> stack_;
  std::vector<Frame> frames_;
  std::uint32_t frame_ = kNoFrame;
  // Blocks made for a mutable scalar that may come to be declared further out.
  struct DoubtfulBlock {
    std::uint32_t frame;
    const ir::Block* block;
  };
  std::vector<DoubtfulBlock> doubtful_blocks_;
  std::vector<Variable*> variables_;
  std::vector<NameEntry*> trail_;
  std::vector<Loop> loops_;
  std::vector<OpenBlock> blocks_;
  std::vector<Expansion> expansions_;
  PointerMap<NameScope*> nested_scopes_;  // around functions that are inside the kernel
  std::vector<ir::Param> params_;
  std::vector<SymbolInfo> symbols_;
  std::vector<ShapePlace> places_;
  std::vector<const ir::Kernel*> kernels_;
  Region region_;
  // What the host knows while a kernel is translated.
  struct OuterName {
    NameEntry* entry;
    Variable* current;
    Variable* variable;
  };
  std::vector<OuterName> outer_names_;
  std::vector<Loop> outer_loops_;
  std::size_t outer_mark_ = 0;
  bool outer_reachable_ = true;
  std::uint32_t regions_ = 0;
  std::vector<const ir::Stmt*> snapshots_;  // host values of mutable scalars, for the next launch
  std::uint32_t clock_ = 0;
  std::int64_t copies_ = 0;    // of bodies of unrolled loops
  std::int64_t expanded_ = 0;  // inline functions
  bool is_reachable_ = true;
  bool is_static_jump_ = false;
  bool in_signature_ = false;
  ir::StmtList body_;
  // The call whose value is about to get a name, and the name.
  const syntax::Call* named_call_ = nullptr;
  std::string_view call_name_;
  Span call_name_span_;
  std::string_view global_symbol_;
};

}  // namespace tirxcc::sema
