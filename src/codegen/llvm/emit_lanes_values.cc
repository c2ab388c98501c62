// SPDX-License-Identifier: Apache-2.0
//
// Values that may differ between lanes are vectors, others stay scalars until they meet a vector.
// The emitter's arithmetic is the same for both; here are the few things that it asks for.
#include "codegen/llvm/emit.h"
#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::cpu_codegen {
namespace {

using ir::BinaryOp;

// Whether every load in the expression has happened already when `condition` is known.
bool is_read_by(const ir::Expr& expr, const ir::Expr& condition) {
  int loads = 0;
  constexpr int kMostLoads = 4;
  const bool reads_more = ir::any_expr(expr, [&](const ir::Expr& e) {
    if (ir::is<ir::Call>(&e)) return true;
    if (!ir::is<ir::Load>(&e)) return false;
    return ++loads > kMostLoads ||
           !ir::any_expr(condition, [&](const ir::Expr& c) { return ir::equal(&c, &e); });
  });
  return !reads_more;
}

}  // namespace

// Whether lanes that do not ask for the value may compute it.
bool Emitter::is_harmless(const ir::Expr& expr, const ir::Expr& condition) {
  return can_speculate(expr) || is_read_by(expr, condition) || reads_inside(expr);
}

// Whether all that the expression reads are elements of the block's arrays that are there.
bool Emitter::reads_inside(const ir::Expr& expr) {
  constexpr int kMostNodes = 24;
  int nodes = 0;
  return !ir::any_expr(expr, [&](const ir::Expr& e) {
    if (++nodes > kMostNodes || ir::is<ir::Call>(&e) || ir::is<ir::VectorLoad>(&e)) return true;
    const auto* load = ir::as<ir::Load>(&e);
    if (load == nullptr) return false;
    const ir::Tensor& tensor = *load->tensor;
    if (tensor.scope != ir::Scope::Shared || load->is_flat || !tensor.strides.empty()) return true;
    for (std::size_t i = 0; i < load->indices.size(); ++i) {
      const ir::IntImm* extent = ir::as_int(tensor.shape[i]);
      const ir::Range range = ranges_.of(*load->indices[i]);
      if (extent == nullptr || range.low < 0 || range.high >= extent->value) return true;
    }
    return false;
  });
}

// The scalar type in as many lanes as the model has.
llvm::Type* Emitter::like(llvm::Type* scalar, const llvm::Value* model) const {
  const auto* vector = llvm::dyn_cast<llvm::VectorType>(model->getType());
  if (vector == nullptr || scalar->isVectorTy()) return scalar;
  return llvm::VectorType::get(scalar, vector->getElementCount());
}

llvm::Value* Emitter::spread(llvm::Value* value) {
  if (is_vector(value) || lanes_ == nullptr) return value;
  return builder_.CreateVectorSplat(lanes_->width, value);
}

// 0, stride, 2 * stride ... of an integer type.
llvm::Value* Emitter::steps(llvm::Type* type, std::int64_t stride) {
  llvm::SmallVector<llvm::Constant*, 32> values;
  for (unsigned lane = 0; lane < lanes_->width; ++lane) {
    const auto value = static_cast<std::uint64_t>(stride) * lane;
    values.push_back(llvm::ConstantInt::get(
        type, llvm::APInt(64, value).sextOrTrunc(type->getIntegerBitWidth())));
  }
  return llvm::ConstantVector::get(values);
}

void Emitter::match(llvm::SmallVectorImpl<llvm::Value*>& values) {
  const bool any =
      llvm::any_of(values, [this](const llvm::Value* value) { return is_vector(value); });
  if (!any) return;
  for (llvm::Value*& value : values)
    value = spread(value);
}

std::pair<llvm::Value*, llvm::Value*> Emitter::matched(llvm::Value* a, llvm::Value* b) {
  if (is_vector(a) == is_vector(b)) return {a, b};
  return {spread(a), spread(b)};
}

std::pair<llvm::Value*, llvm::Value*> Emitter::emit_both(const ir::Expr& a, const ir::Expr& b) {
  llvm::Value* first = emit(a);
  return matched(first, emit(b));
}

// f of the operands, lane by lane if one of them is a vector.
llvm::Value* Emitter::in_each_lane(
    llvm::ArrayRef<llvm::Value*> operands,
    const std::function<llvm::Value*(llvm::ArrayRef<llvm::Value*>)>& f) {
  if (llvm::none_of(operands, [this](const llvm::Value* v) { return is_vector(v); })) {
    return f(operands);
  }
  llvm::Value* result = nullptr;
  for (unsigned lane = 0; lane < lanes_->width; ++lane) {
    llvm::SmallVector<llvm::Value*, 4> values;
    for (llvm::Value* operand : operands)
      values.push_back(lane_of(operand, lane));
    llvm::Value* made = f(values);
    if (result == nullptr) {
      result = llvm::PoisonValue::get(llvm::FixedVectorType::get(made->getType(), lanes_->width));
    }
    result = builder_.CreateInsertElement(result, made, std::uint64_t{lane});
  }
  return result;
}

llvm::Value* Emitter::lane_of(llvm::Value* value, unsigned lane) {
  return is_vector(value) ? builder_.CreateExtractElement(value, std::uint64_t{lane}) : value;
}

// The value where it is asked for by lanes of the mask only; if there are none it is not computed.
llvm::Value* Emitter::emit_under(llvm::Value* mask, const ir::Expr& expr) {
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* some = new_block("side");
  llvm::BasicBlock* end = new_block("side.end");
  builder_.CreateCondBr(any_of(mask), some, end);
  builder_.SetInsertPoint(some);
  llvm::Value* const outer = lanes_->mask;
  lanes_->mask = mask;
  llvm::Value* value = spread(emit(expr));
  lanes_->mask = outer;
  some = builder_.GetInsertBlock();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode* joined = builder_.CreatePHI(value->getType(), 2);
  joined->addIncoming(value, some);
  joined->addIncoming(llvm::Constant::getNullValue(value->getType()), before);
  return joined;
}

llvm::Value* Emitter::emit_lane_select(const ir::Select& select) {
  llvm::Value* condition = emit(*select.condition);
  const auto side = [&](const ir::Expr& expr, llvm::Value* mask, bool truth) {
    const ir::Ranges::Mark before = ranges_.mark();
    ranges_.assume(*select.condition, truth);
    llvm::Value* value = mask == nullptr ? emit(expr) : emit_under(mask, expr);
    ranges_.restore(before);
    return value;
  };
  if (is_harmless(*select.a, *select.condition) && is_harmless(*select.b, *select.condition)) {
    llvm::SmallVector<llvm::Value*, 2> sides = {emit(*select.a), emit(*select.b)};
    match(sides);
    if (is_vector(condition)) sides = {spread(sides[0]), spread(sides[1])};
    return builder_.CreateSelect(condition, sides[0], sides[1]);
  }
  if (is_vector(condition)) {
    llvm::Value* others = builder_.CreateNot(condition);
    llvm::Value* a = side(*select.a, both_masks(lanes_->mask, condition), true);
    llvm::Value* b = side(*select.b, both_masks(lanes_->mask, others), false);
    return builder_.CreateSelect(condition, a, b);
  }
  llvm::BasicBlock* yes = new_block("select.yes");
  llvm::BasicBlock* no = new_block("select.no");
  llvm::BasicBlock* end = new_block("select.end");
  builder_.CreateCondBr(condition, yes, no);
  builder_.SetInsertPoint(yes);
  llvm::Value* a = side(*select.a, nullptr, true);
  yes = builder_.GetInsertBlock();
  builder_.SetInsertPoint(no);
  llvm::Value* b = side(*select.b, nullptr, false);
  no = builder_.GetInsertBlock();
  // The same in all lanes if both sides are.
  const bool is_one_value = !is_vector(a) && !is_vector(b);
  if (!is_one_value) b = spread(b);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(yes);
  if (!is_one_value) a = spread(a);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode* value = builder_.CreatePHI(a->getType(), 2);
  value->addIncoming(a, yes);
  value->addIncoming(b, no);
  return value;
}

llvm::Value* Emitter::emit_lane_logical(const ir::Binary& expr) {
  const bool is_and = expr.op == BinaryOp::And;
  const auto join = [&](llvm::Value* a, llvm::Value* b) {
    const auto [x, y] = matched(a, b);
    return is_and ? builder_.CreateAnd(x, y) : builder_.CreateOr(x, y);
  };
  llvm::Value* a = emit(*expr.a);
  if (is_harmless(*expr.b, *expr.a)) return join(a, emit(*expr.b));
  const ir::Ranges::Mark before_b = ranges_.mark();
  ranges_.assume(*expr.a, is_and);
  llvm::Value* asks = is_and ? a : builder_.CreateNot(a);
  if (is_vector(a)) {
    llvm::Value* b = emit_under(both_masks(lanes_->mask, asks), *expr.b);
    ranges_.restore(before_b);
    return join(a, b);
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* rest = new_block("logic.rest");
  llvm::BasicBlock* end = new_block("logic.end");
  builder_.CreateCondBr(asks, rest, end);
  builder_.SetInsertPoint(rest);
  llvm::Value* b = emit(*expr.b);
  ranges_.restore(before_b);
  rest = builder_.GetInsertBlock();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode* value = builder_.CreatePHI(b->getType(), 2);
  value->addIncoming(b, rest);
  value->addIncoming(is_and ? llvm::Constant::getNullValue(b->getType())
                            : llvm::Constant::getAllOnesValue(b->getType()),
                     before);
  return value;
}

}  // namespace tirxcc::cpu_codegen
