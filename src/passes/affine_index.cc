// SPDX-License-Identifier: Apache-2.0
//
// See affine_index.h. Only signed arithmetic is read: unsigned sums may rightly wrap.
#include "passes/affine_index.h"

#include <algorithm>

#include "ir/builder.h"

namespace tirxcc::passes {

using namespace ir;

namespace {

// Names behind names that are followed: nobody writes more, and programs that do are not for us.
constexpr int kMostSteps = 8;
constexpr int kMostDepth = 16;
constexpr std::int64_t kLargest = std::int64_t{1} << 31;

bool is_moderate(std::int64_t value) {
  return -kLargest < value && value < kLargest;
}

bool keeps_value(const Cast& cast) {
  return cast.a->dtype.is_signed_int() && cast.dtype.is_signed_int() && !cast.is_bits &&
         cast.dtype.bits >= cast.a->dtype.bits;
}

}  // namespace

const Term* Affine::find(const Counter& counter) const {
  for (const Term& term : *this) {
    if (term.counter == counter) return &term;
  }
  return nullptr;
}

void Affine::remove(const Counter& counter) {
  for (int i = 0; i < count_; ++i) {
    if (terms_[i].counter != counter) continue;
    terms_[i] = terms_[--count_];
    return;
  }
}

bool Affine::add(const Counter& counter, std::int64_t factor) {
  for (int i = 0; i < count_; ++i) {
    if (terms_[i].counter != counter) continue;
    terms_[i].factor += factor;
    if (terms_[i].factor == 0) remove(counter);
    return true;
  }
  if (factor == 0) return true;
  if (count_ == kMostTerms || !is_moderate(factor)) return false;
  terms_[count_++] = {counter, factor};
  return true;
}

bool Affine::add(const Affine& other, std::int64_t factor) {
  shift += factor * other.shift;
  bool is_good = is_moderate(shift);
  for (const Term& term : other)
    is_good = is_good && add(term.counter, factor * term.factor);
  return is_good;
}

std::int64_t AffineReader::constant_size(const Expr* size) {
  if (size == nullptr) return 1;
  const IntImm* literal = as_int(size);
  return literal == nullptr ? 0 : literal->value;
}

const Expr* AffineReader::value_of(const Expr* expr) const {
  for (int step = 0; step < kMostSteps; ++step) {
    while (is<Cast>(expr) && keeps_value(*as<Cast>(expr)))
      expr = as<Cast>(expr)->a;
    const auto* ref = as<VarRef>(expr);
    const Expr* const* value = ref == nullptr ? nullptr : values_.find(ref->var);
    if (value == nullptr) break;
    expr = *value;
  }
  return expr;
}

std::optional<Affine> AffineReader::read(const Expr* expr) const {
  const auto* name = as<VarRef>(expr);
  if (name != nullptr && name->var == last_name_) return last_sum_;
  std::optional<Affine> sum(std::in_place);
  if (read_into(expr, 1, *sum, 0)) {
    join_axes(*sum);
  } else {
    sum.reset();
  }
  if (name != nullptr) {
    last_name_ = name->var;
    last_sum_ = sum;
  }
  return sum;
}

bool AffineReader::read_into(const Expr* expr, std::int64_t factor, Affine& sum, int depth) const {
  if (depth > kMostDepth || !is_moderate(factor)) return false;
  expr = value_of(expr);
  if (!expr->dtype.is_signed_int()) return false;
  if (const IntImm* literal = as_int(expr)) {
    if (!is_moderate(literal->value)) return false;
    sum.shift += factor * literal->value;
    return is_moderate(sum.shift);
  }
  if (const auto* index = as<LaunchIndex>(expr)) return add_launch_index(*index, factor, sum);
  if (const auto* ref = as<VarRef>(expr)) {
    const VarKind kind = ref->var->kind;
    if (kind == VarKind::Let) return false;
    return sum.add({kind == VarKind::Loop ? CounterKind::Loop : CounterKind::Size, 0, ref->var},
                   factor);
  }
  if (const auto* unary = as<Unary>(expr)) {
    return unary->op == UnaryOp::Neg && read_into(unary->a, -factor, sum, depth + 1);
  }
  const auto* binary = as<Binary>(expr);
  if (binary == nullptr) return false;
  if (binary->op == BinaryOp::Mul) return read_product(*binary, factor, sum, depth);
  if (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub) return false;
  const std::int64_t second = binary->op == BinaryOp::Add ? factor : -factor;
  return read_into(binary->a, factor, sum, depth + 1) &&
         read_into(binary->b, second, sum, depth + 1);
}

bool AffineReader::read_product(const Binary& product, std::int64_t factor, Affine& sum,
                                int depth) const {
  if (const IntImm* literal = as_int(product.b)) {
    const std::int64_t times = literal->value;
    return is_moderate(times) && is_moderate(times * factor) &&
           read_into(product.a, times * factor, sum, depth + 1);
  }
  if (const LaunchIndex* block = first_thread(product.a, product.b)) {
    return sum.add({CounterKind::FirstThread, block->axis, nullptr}, factor);
  }
  Affine parts[2];
  if (!read_into(product.a, 1, parts[0], depth + 1)) return false;
  if (!read_into(product.b, 1, parts[1], depth + 1)) return false;
  const int constant = parts[0].is_constant() ? 0 : 1;
  if (!parts[constant].is_constant()) return false;
  const std::int64_t times = parts[constant].shift;
  return is_moderate(times) && is_moderate(times * factor) &&
         sum.add(parts[1 - constant], times * factor);
}

const LaunchIndex* AffineReader::first_thread(const Expr* a, const Expr* b) const {
  const auto* first = as<LaunchIndex>(value_of(a));
  const auto* second = as<LaunchIndex>(value_of(b));
  if (first == nullptr || second == nullptr || first->axis != second->axis) return nullptr;
  if (block_size(first->axis) != 0) return nullptr;
  if (first->index == LaunchIndexKind::BlockDim) std::swap(first, second);
  const bool is_product =
      first->index == LaunchIndexKind::BlockIdx && second->index == LaunchIndexKind::BlockDim;
  return is_product ? first : nullptr;
}

bool AffineReader::add_launch_index(const LaunchIndex& index, std::int64_t factor,
                                    Affine& sum) const {
  switch (index.index) {
    case LaunchIndexKind::BlockIdx:
      return sum.add({CounterKind::Block, index.axis, nullptr}, factor);
    case LaunchIndexKind::ThreadIdx:
      return sum.add({CounterKind::Thread, index.axis, nullptr}, factor);
    case LaunchIndexKind::BlockDim:
    case LaunchIndexKind::GridDim: {
      const bool is_block = index.index == LaunchIndexKind::BlockDim;
      const std::int64_t size =
          constant_size((is_block ? launch_->block : launch_->grid)[index.axis]);
      sum.shift += factor * size;
      return size != 0 && is_moderate(sum.shift);
    }
    case LaunchIndexKind::WarpId: return false;
  }
  return false;
}

// `block_idx * size + thread_idx` counts the threads of the grid.
void AffineReader::join_axes(Affine& sum) const {
  const bool has_threads = std::any_of(sum.begin(), sum.end(), [](const Term& term) {
    return term.counter.kind == CounterKind::Thread;
  });
  if (!has_threads) return;
  for (std::uint8_t axis = 0; axis < 3; ++axis) {
    const Term* thread = sum.find({CounterKind::Thread, axis, nullptr});
    if (thread == nullptr) continue;
    const std::int64_t factor = thread->factor;
    const std::int64_t size = block_size(axis);
    const Counter block{size == 0 ? CounterKind::FirstThread : CounterKind::Block, axis, nullptr};
    const Term* first = sum.find(block);
    if (first == nullptr || first->factor != factor * (size == 0 ? 1 : size)) continue;
    sum.remove(block);
    sum.remove({CounterKind::Thread, axis, nullptr});
    sum.add({CounterKind::Global, axis, nullptr}, factor);
  }
}

}  // namespace tirxcc::passes
