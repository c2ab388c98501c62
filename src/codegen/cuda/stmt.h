// SPDX-License-Identifier: Apache-2.0
//
// Printing statements: one a line, braces always, two blanks a level. Jumps out of nesting are
// gotos to a label behind the block that they leave.
#pragma once

#include <string>
#include <string_view>

#include "codegen/cuda/emission.h"
#include "codegen/cuda/expr.h"

namespace tirxcc::codegen_cuda {

class StmtPrinter {
 public:
  // The text of `emission` stands at the beginning of line `line` (1-based).
  StmtPrinter(Emission& emission, CudaText& text, std::uint32_t line)
      : emission_(emission), out_(emission.out), text_(text), expr_(emission), line_(line) {}

  // The body of the kernel, between its braces.
  void body(ir::StmtList list);
  // The line at which the text stands now.
  std::uint32_t line() const { return line_; }

 private:
  // A statement list in braces of its own or of its owner: names made in it end with it.
  void scope(ir::StmtList list);
  void list(ir::StmtList list);
  void statement(const ir::Stmt& stmt);

  void on(const ir::Let& s);
  void on(const ir::DeclareLocal& s);
  void on(const ir::Assign& s);
  void on(const ir::Store& s);
  void on(const ir::VectorStore& s);
  void on(const ir::LaneStore& s);
  void on(const ir::Evaluate& s);
  void on(const ir::Alloc& s);
  void on(const ir::If& s);
  void on(const ir::For& s);
  void on(const ir::CountedFor& s);
  void on(const ir::While& s);
  void on(const ir::Break&);
  void on(const ir::Continue&);
  void on(const ir::Block& s);
  void on(const ir::Leave& s);
  void on(const ir::ThreadReturn&);
  void on(const ir::Return& s);
  void on(const ir::Assert& s);
  void on(const ir::Launch& s);

  void declare(const ir::Local& local);
  // `int i = 0;` for a declaration and the assignment behind it; false if they stay two.
  bool declare_with_value(const ir::DeclareLocal& declared, const ir::Stmt* next);
  void warp_id_at_top(ir::StmtList list);
  void in_arena(const ir::Tensor& tensor);

  // Line structure.
  void begin(const ir::Stmt& stmt);  // notes the line's source, indents
  void indent() { out_.append(static_cast<std::size_t>(depth_) * 2, ' '); }
  void end_line() {
    out_ += '\n';
    ++line_;
  }
  void open_brace() {
    out_ += " {";
    end_line();
    ++depth_;
  }
  void close_brace() {
    --depth_;
    indent();
    out_ += '}';
  }
  void line_directive(ir::Span span);

  Emission& emission_;
  std::string& out_;
  CudaText& text_;
  ExprPrinter expr_;
  int depth_ = 1;
  std::uint32_t line_;
};

}  // namespace tirxcc::codegen_cuda
