// SPDX-License-Identifier: Apache-2.0
//
// One function per kind of statement. See stmt.h.
#include "codegen/cuda/stmt.h"

#include <filesystem>

#include "codegen/cuda/literals.h"
#include "codegen/cuda/types.h"

namespace tirxcc::codegen_cuda {

namespace {

// The constant number of elements of an array.
std::int64_t element_count(const ir::Tensor& tensor) {
  std::int64_t count = 1;
  for (const ir::Expr* extent : tensor.shape) {
    const auto* literal = ir::as<ir::IntImm>(extent);
    TIRXCC_CHECK(literal != nullptr, "the size of array '{}' is no constant", tensor.name);
    count *= literal->value;
  }
  return count;
}

bool is_zero(const ir::Expr* expr) {
  const auto* literal = ir::as<ir::IntImm>(expr);
  return expr == nullptr || (literal != nullptr && literal->value == 0);
}

// `++i`, `i += 3`, `i += -1` (language.md, "Steps"); unsigned ones count down by `--i`, `i -= 7u`.
void append_increment(std::string& out, std::string_view name, DType type, std::int64_t step) {
  const bool is_down = step < 0 && type.is_unsigned_int();
  if (step == 1 || (is_down && step == -1)) {
    out.append(is_down ? "--" : "++").append(name);
    return;
  }
  out.append(name).append(is_down ? " -= " : " += ");
  append_int(out, type, is_down ? -step : step, false);
}

// The step as a signed number: 4294967289u counts down by 7.
std::int64_t signed_step(const ir::IntImm& step) {
  const bool is_wrapped = step.dtype == kUInt32 && step.value > 0x7fffffff;
  return is_wrapped ? step.value - (std::int64_t{1} << 32) : step.value;
}

// A literal true, as in `while True`.
bool is_true(const ir::Expr& expr) {
  const auto* literal = ir::as<ir::IntImm>(&expr);
  return literal != nullptr && literal->value != 0;
}

}  // namespace

void StmtPrinter::begin(const ir::Stmt& stmt) {
  if (emission_.options.line_directives) line_directive(stmt.span);
  if (stmt.span.is_valid()) text_.lines.push_back({line_, stmt.span});
  indent();
}

void StmtPrinter::line_directive(ir::Span span) {
  const source::SourceFile* file =
      emission_.sources != nullptr && span.is_valid() ? emission_.sources->file_of(span) : nullptr;
  if (file == nullptr) return;
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(file->path, error);
  out_.append("#line ").append(std::to_string(emission_.sources->position(span).line)).append(" ");
  append_string(out_, error ? file->path : path.string());
  end_line();
}

void StmtPrinter::body(ir::StmtList list) {
  emission_.names.open_scope();
  if (emission_.facts.uses_warp_id) warp_id_at_top(list);
  if (emission_.facts.arena_align > 0) {
    indent();
    out_.append("extern __shared__ __align__(");
    out_.append(std::to_string(emission_.facts.arena_align)).append(") unsigned char smem[];");
    end_line();
  }
  this->list(list);
  emission_.names.close_scope();
}

// The shuffle that makes the warp id uniform needs all lanes, so it stands at the top. Where the
// kernel itself names the warp id among its first values, that name serves.
void StmtPrinter::warp_id_at_top(ir::StmtList list) {
  for (const ir::Stmt* stmt : list) {
    const auto* let = ir::as<ir::Let>(stmt);
    if (let == nullptr) break;
    const auto* index = ir::as<ir::LaunchIndex>(let->value);
    if (index != nullptr && index->index == ir::LaunchIndexKind::WarpId) return;
    bool uses_it = false;
    // Anything else that needs the warp id before: it must have a name of its own.
    ir::visit(*let->value, [&](const auto& node) {
      uses_it = !std::is_same_v<std::decay_t<decltype(node)>, ir::LaunchIndex>;
    });
    if (uses_it) break;
  }
  emission_.warp_id = emission_.names.declare_temporary("warp_id", "");
  indent();
  out_.append("int ").append(emission_.warp_id).append(" = ");
  expr_.warp_id_formula();
  out_ += ';';
  end_line();
}

void StmtPrinter::scope(ir::StmtList list) {
  emission_.names.open_scope();
  this->list(list);
  emission_.names.close_scope();
}

void StmtPrinter::list(ir::StmtList list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto* declared = ir::as<ir::DeclareLocal>(list[i]);
    const ir::Stmt* next = i + 1 < list.size() ? list[i + 1] : nullptr;
    if (declared != nullptr && declare_with_value(*declared, next)) {
      ++i;
      continue;
    }
    statement(*list[i]);
  }
}

void StmtPrinter::statement(const ir::Stmt& stmt) {
  ir::visit(stmt, [&](const auto& node) { on(node); });
}

void StmtPrinter::on(const ir::Let& s) {
  begin(s);
  // The value first: it may mean an outer variable of the same name.
  std::size_t start = out_.size();
  const auto* index = ir::as<ir::LaunchIndex>(s.value);
  bool names_warp_id =
      index != nullptr && index->index == ir::LaunchIndexKind::WarpId && emission_.warp_id.empty();
  if (names_warp_id) {
    expr_.warp_id_formula();
  } else {
    expr_.value(*s.value);
  }
  std::string_view name = emission_.names.declare(s.var, s.var->name);
  if (names_warp_id) emission_.warp_id = name;
  std::string head = type_of_var(*s.var);
  head.append(" ").append(name).append(" = ");
  out_.insert(start, head);
  out_ += ';';
  end_line();
}

void StmtPrinter::declare(const ir::Local& local) {
  if (!local.dtype.is_scalar()) {
    out_.append(vector_type(local.dtype).name).append(" ");
    out_.append(emission_.names.declare(&local, local.name));
    return;
  }
  bool is_plain = emission_.options.plain_scalars;
  out_.append(c_type(local.dtype)).append(" ");
  out_.append(emission_.names.declare(&local, local.name, is_plain ? "" : "_ptr"));
  if (!is_plain) out_ += "[1]";
}

bool StmtPrinter::declare_with_value(const ir::DeclareLocal& declared, const ir::Stmt* next) {
  const auto* assign = ir::as<ir::Assign>(next);
  bool is_first_value = assign != nullptr && assign->local == declared.local;
  bool is_one_line = emission_.options.plain_scalars || !declared.local->dtype.is_scalar();
  if (!is_first_value || !is_one_line) return false;
  begin(declared);
  declare(*declared.local);
  out_ += " = ";
  expr_.value(*assign->value);
  out_ += ';';
  end_line();
  return true;
}

void StmtPrinter::on(const ir::DeclareLocal& s) {
  begin(s);
  declare(*s.local);
  out_ += ';';
  end_line();
}

void StmtPrinter::on(const ir::Assign& s) {
  begin(s);
  expr_.local(*s.local);
  out_ += " = ";
  expr_.value(*s.value);
  out_ += ';';
  end_line();
}

void StmtPrinter::on(const ir::Store& s) {
  TIRXCC_CHECK(s.indices.size() == 1, "a store to '{}' was not flattened", s.tensor->name);
  begin(s);
  expr_.element(*s.tensor, *s.indices[0]);
  out_ += " = ";
  expr_.value(*s.value);
  out_ += ';';
  end_line();
}

void StmtPrinter::on(const ir::VectorStore& s) {
  begin(s);
  out_.append("*(").append(vector_type(s.vector->dtype).name).append("*)&");
  expr_.element(*s.tensor, *s.offset);
  out_ += " = ";
  expr_.local(*s.vector);
  out_ += ';';
  end_line();
}

void StmtPrinter::on(const ir::LaneStore& s) {
  begin(s);
  expr_.lane(*s.vector, s.lane, true);
  out_ += " = ";
  expr_.value(*s.value);
  out_ += ';';
  end_line();
}

void StmtPrinter::on(const ir::Evaluate& s) {
  begin(s);
  expr_.call(*s.value);
  out_ += ';';
  end_line();
}

// `float* a_ptr = (float*)&smem[256];`
void StmtPrinter::in_arena(const ir::Tensor& tensor) {
  std::string type = std::string(c_type(tensor.dtype)) + "*";
  std::string_view name = emission_.names.declare(&tensor, tensor.name, "_ptr");
  out_.append(type).append(" ").append(name).append(" = (").append(type).append(")");
  if (is_zero(tensor.elem_offset)) {
    out_ += "smem;";
  } else {
    out_ += "&smem[";
    expr_.value(*tensor.elem_offset);
    out_ += "];";
  }
  end_line();
}

void StmtPrinter::on(const ir::Alloc& s) {
  const ir::Tensor& tensor = *s.tensor;
  begin(s);
  if (tensor.scope == ir::Scope::SharedDyn) {
    in_arena(tensor);
    return;
  }
  bool is_shared = tensor.scope == ir::Scope::Shared;
  TIRXCC_CHECK(is_shared || tensor.scope == ir::Scope::Local,
               "'{}' is in a memory that is not allocated here", tensor.name);
  // Shared arrays start at 16 bytes, so that wide accesses and copies by the hardware may use them.
  std::int32_t align = tensor.align != 0 ? tensor.align : is_shared ? 16 : 0;
  if (is_shared) out_ += "__shared__ ";
  if (align > tensor.dtype.bytes()) {
    out_.append("alignas(").append(std::to_string(align)).append(") ");
  }
  out_.append(c_type(tensor.dtype)).append(" ");
  out_.append(emission_.names.declare(&tensor, tensor.name, "_ptr")).append("[");
  out_.append(std::to_string(element_count(tensor))).append("];");
  end_line();
}

void StmtPrinter::on(const ir::If& s) {
  begin(s);
  for (std::size_t i = 0; i < s.clauses.size(); ++i) {
    out_ += i == 0 ? "if (" : " else if (";
    expr_.condition(*s.clauses[i].condition);
    out_ += ')';
    open_brace();
    scope(s.clauses[i].body);
    close_brace();
  }
  if (!s.else_body.empty()) {
    out_ += " else";
    open_brace();
    scope(s.else_body);
    close_brace();
  }
  end_line();
}

void StmtPrinter::on(const ir::For& s) {
  if (s.unroll_pragma >= 0) {
    indent();
    out_ += "#pragma unroll";
    if (s.unroll_pragma > 0) out_.append(" ").append(std::to_string(s.unroll_pragma));
    end_line();
  }
  begin(s);
  out_.append("for (").append(c_type(s.var->dtype)).append(" ");
  // The bounds are outside the scope of the variable: they are printed before it gets its name.
  std::size_t start = out_.size();
  expr_.value(*s.begin);
  std::size_t middle = out_.size();
  if (s.copy_end) {
    expr_.value(*s.end);
  } else {
    expr_.loop_bound(*s.end);
  }
  std::string begin_text = out_.substr(start, middle - start);
  std::string end_text = out_.substr(middle);
  out_.resize(start);
  emission_.names.open_scope();
  std::string_view name = emission_.names.declare(s.var, s.var->name);
  out_.append(name).append(" = ").append(begin_text);
  if (s.copy_end) {
    std::string_view copy = emission_.names.declare_temporary(s.var->name, "_end");
    out_.append(", ").append(copy).append(" = ").append(end_text);
    end_text = copy;
  }
  out_.append("; ").append(name).append(s.step > 0 ? " < " : " > ").append(end_text).append("; ");
  append_increment(out_, name, s.var->dtype, s.step);
  out_ += ')';
  open_brace();
  list(s.body);
  emission_.names.close_scope();
  close_brace();
  end_line();
}

// unsigned int i_turns = ...;
// for (int i = i_start; i_turns > 0u; --i_turns, i += i_step) {
void StmtPrinter::on(const ir::CountedFor& s) {
  begin(s);
  out_.append(c_type(s.turns->dtype)).append(" ");
  std::string_view turns = emission_.names.declare_temporary(s.var->name, "_turns");
  out_.append(turns).append(" = ");
  expr_.value(*s.turns);
  out_ += ';';
  end_line();
  begin(s);
  out_.append("for (").append(c_type(s.var->dtype)).append(" ");
  std::size_t start = out_.size();
  expr_.value(*s.start);
  emission_.names.open_scope();
  std::string_view name = emission_.names.declare(s.var, s.var->name);
  out_.insert(start, std::string(name) + " = ");
  out_.append("; ").append(turns).append(" > ");
  append_int(out_, s.turns->dtype, 0, false);
  out_.append("; --").append(turns).append(", ");
  if (const auto* step = ir::as<ir::IntImm>(s.step)) {
    append_increment(out_, name, s.var->dtype, signed_step(*step));
  } else {
    out_.append(name).append(" += ");
    expr_.value(*s.step);
  }
  out_ += ')';
  open_brace();
  list(s.body);
  emission_.names.close_scope();
  close_brace();
  end_line();
}

void StmtPrinter::on(const ir::While& s) {
  begin(s);
  if (emission_.options.plain_scalars) {
    out_ += "while (";
    expr_.condition(*s.condition);
    out_ += ')';
    open_brace();
  } else {
    out_ += "while (1)";
    open_brace();
    if (!is_true(*s.condition)) {
      begin(s);
      out_ += "if (!(";
      expr_.condition(*s.condition);
      out_ += "))";
      open_brace();
      indent();
      out_ += "break;";
      end_line();
      close_brace();
      end_line();
    }
  }
  scope(s.body);
  close_brace();
  end_line();
}

void StmtPrinter::on(const ir::Break& s) {
  begin(s);
  out_ += "break;";
  end_line();
}

void StmtPrinter::on(const ir::Continue& s) {
  begin(s);
  out_ += "continue;";
  end_line();
}

// A copy of an unrolled body stands in braces only if it makes a name or is jumped out of.
void StmtPrinter::on(const ir::Block& s) {
  bool is_left = s.label != nullptr && emission_.facts.left.contains(s.label);
  std::string_view label;
  if (is_left) label = emission_.names.declare_label(s.label, s.label->name);
  if (declares_name(s.body) || emission_.facts.jumped_from.contains(&s)) {
    begin(s);
    out_ += '{';
    end_line();
    ++depth_;
    scope(s.body);
    close_brace();
    end_line();
  } else {
    list(s.body);
  }
  if (!is_left) return;
  indent();
  out_.append(label).append(":;");
  end_line();
}

void StmtPrinter::on(const ir::Leave& s) {
  begin(s);
  out_.append("goto ").append(emission_.names.of(s.label)).append(";");
  end_line();
}

void StmtPrinter::on(const ir::ThreadReturn& s) {
  begin(s);
  out_ += "return;";
  end_line();
}

void StmtPrinter::on(const ir::Return& s) {
  begin(s);
  out_ += "return";
  if (s.value != nullptr) {
    out_ += ' ';
    expr_.value(*s.value);
  }
  out_ += ';';
  end_line();
}

// Says where and which thread, then stops the kernel.
void StmtPrinter::on(const ir::Assert& s) {
  begin(s);
  out_ += "if (!(";
  expr_.condition(*s.condition);
  out_ += "))";
  open_brace();
  std::string text(s.text);
  const source::SourceFile* file =
      emission_.sources != nullptr ? emission_.sources->file_of(s.span) : nullptr;
  if (file != nullptr) {
    text =
        file->path + ":" + std::to_string(emission_.sources->position(s.span).line) + ": " + text;
  }
  std::string format;
  for (char c : text)
    format.append(c == '%' ? 2 : 1, c);
  format += " (block %u, %u, %u, thread %u, %u, %u)\n";
  indent();
  out_ += "printf(";
  append_string(out_, format);
  out_ += ", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);";
  end_line();
  indent();
  out_ += "__trap();";
  end_line();
  close_brace();
  end_line();
}

void StmtPrinter::on(const ir::Launch&) {
  internal_error(__FILE__, __LINE__, "a launch inside a kernel");
}

}  // namespace tirxcc::codegen_cuda
