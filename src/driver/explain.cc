// SPDX-License-Identifier: Apache-2.0
//
// See explain.h. One function for each topic; all of them only put words to CpuFacts and CpuKernel.
#include "driver/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "ir/builder.h"
#include "ir/traverse.h"

namespace tirxcc::driver {
namespace {

using passes::CpuFacts;
using passes::UnevenCause;

constexpr char kAxes[] = {'x', 'y', 'z'};

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string_view statement_word(ir::StmtKind kind) {
  if (kind == ir::StmtKind::If) return "if";
  if (kind == ir::StmtKind::While) return "while";
  if (kind == ir::StmtKind::Break) return "break";
  if (kind == ir::StmtKind::Continue) return "continue";
  if (kind == ir::StmtKind::ThreadReturn) return "return";
  if (kind == ir::StmtKind::Leave) return "jump";
  return "for";
}

std::int64_t bytes_of(const ir::Tensor& tensor) {
  std::int64_t bytes = tensor.dtype.bytes();
  for (const ir::Expr* extent : tensor.shape)
    bytes *= std::max<std::int64_t>(1, ir::as_int(extent)->value);
  return bytes;
}

// "the threads along x" for the counter of a thread loop.
std::string loop_words(std::string_view counter) {
  if (counter.size() == 2 && counter[0] == 't') {
    return fmt::format("the loop over the threads along {}", counter[1]);
  }
  if (counter == "lane_counter") return "the loop over the lanes of a warp";
  return counter == "row_x" ? "the loop along a row" : "the loop over the whole grid";
}

class Explanation {
 public:
  Explanation(const ir::CpuKernel& kernel, const CpuFacts& facts, const ExplainContext& context)
      : kernel_(kernel), facts_(facts), context_(context) {}

  std::string run() {
    const source::SourceFile* file = context_.sources.file_of(kernel_.kernel->span);
    text_ =
        fmt::format("{} ({}:{})\n", context_.kernel_name,
                    file == nullptr ? std::string("?") : file->path, line(kernel_.kernel->span));
    if (kernel_.kernel->kind == ir::KernelKind::Host) {
      explain_host();
      return std::move(text_);
    }
    say("launch", "{}", context_.launch);
    explain_grid();
    explain_block();
    explain_meetings();
    explain_controls();
    explain_kept();
    explain_stores();
    explain_guards();
    explain_streaming();
    explain_order();
    explain_lanes();
    explain_shared();
    explain_rows();
    explain_variants();
    return std::move(text_);
  }

 private:
  std::uint32_t line(ir::Span span) const { return context_.sources.position(span).line; }
  // What is written there; of several lines the first.
  std::string_view text(ir::Span span) const {
    const std::string_view all = context_.sources.text_of(span);
    return all.substr(0, all.find('\n'));
  }

  template <typename... Args>
  void say(std::string_view topic, fmt::format_string<Args...> words, Args&&... args) {
    const std::string made = fmt::format(words, std::forward<Args>(args)...);
    std::string row = fmt::format("  {}: {}\n", topic, made);
    // Unrolled copies of a statement all say the same.
    if (said_.insert(row).second) text_ += row;
  }

  void explain_host() {
    say("scheme", "a function for the CPU: one call, on the calling thread");
    ir::walk_stmts(kernel_.kernel->body, [&](const ir::Stmt& stmt) {
      const auto* loop = ir::as<ir::For>(&stmt);
      if (loop == nullptr || loop->loop != ir::ForKind::Parallel) return;
      say("parallel", "line {}: the turns of `for {}` are spread over the pool", line(loop->span),
          loop->var->name);
    });
  }

  void explain_grid() {
    if (kernel_.is_one_loop) {
      say("grid",
          "grid and block are one loop over all threads of the grid, its parts spread over "
          "the pool: the kernel asks for nothing but each thread's place in the grid");
      return;
    }
    std::string axes;
    for (int axis = 0; axis < 3; ++axis) {
      const ir::Expr* extent = kernel_.kernel->launch.grid[axis];
      if (extent == nullptr || ir::is_int_value(extent, 1)) continue;
      axes += fmt::format("{}{}", axes.empty() ? "" : ", ", kAxes[axis]);
    }
    if (axes.empty()) {
      say("grid", "one block");
    } else {
      const std::uint64_t dimensions = (axes.size() + 2) / 3;
      say("grid", "a loop over the blocks, {} ({}), its parts spread over the pool",
          counted(dimensions, "dimension"), axes);
    }
    if (kernel_.has_long_rows) {
      say("grid",
          "the blocks of a row are one loop along x: there the kernel asks for nothing but each "
          "thread's place in the grid");
    }
    if (facts_.index_blocker != nullptr) {
      say("grid",
          "not one loop with the block: line {}: `{}` asks for more than the thread's place "
          "in the grid",
          line(facts_.index_blocker->span), text(facts_.index_blocker->span));
    }
  }

  void explain_block() {
    if (kernel_.is_one_loop) return;
    std::string sizes;
    std::int64_t threads = 1;
    bool is_known = true;
    for (int axis = 0; axis < 3; ++axis) {
      const ir::Expr* extent = kernel_.kernel->launch.block[axis];
      if (extent == nullptr || ir::is_int_value(extent, 1)) continue;
      const ir::IntImm* size = ir::as_int(extent);
      is_known = is_known && size != nullptr;
      threads *= size == nullptr ? 1 : size->value;
      sizes += fmt::format("{}{}", sizes.empty() ? "" : " x ",
                           size == nullptr ? "?" : std::to_string(size->value));
    }
    const std::string_view each = facts_.is_fibers ? "a fiber each" : "a loop in each dimension";
    if (sizes.empty()) {
      say("block", "one thread");
    } else if (is_known) {
      say("block", "{} threads ({}), {}", threads, sizes, each);
    } else {
      say("block", "its size is known at the launch only ({}), {}", sizes, each);
    }
  }

  void explain_fibers() {
    const passes::FiberReason& reason = facts_.fiber_reason;
    if (!reason) {
      say("scheme", "each thread is a fiber, on a stack of its own: so it was asked for");
    } else if (reason.name.empty()) {
      say("scheme",
          "each thread is a fiber, on a stack of its own: line {}: the loop waits for memory that "
          "others write",
          line(reason.span));
    } else {
      say("scheme",
          "each thread is a fiber, on a stack of its own: line {}: T.{} waits for some of the "
          "threads",
          line(reason.span), reason.name);
    }
    for (const ir::MeetingSite& site : kernel_.sites) {
      if (site.name.empty()) {
        say("yield", "line {}: lets other threads run", line(site.span));
      } else {
        say("meeting", "line {}: T.{}", line(site.span), site.name);
      }
    }
  }

  void explain_meetings() {
    if (facts_.is_fibers) return explain_fibers();
    if (!facts_.is_split) {
      say("scheme",
          "no barrier, warp operation or shared memory: threads run one after another, "
          "each from start to end");
      return;
    }
    say("scheme",
        "a block runs on one thread of the machine; its program is {}, each a loop over the "
        "threads "
        "of the block, split where these come together",
        counted(facts_.regions, "region"));
    for (const CpuFacts::Meeting& meeting : facts_.meetings) {
      std::string name(meeting.name);
      say(meeting.is_barrier ? "barrier" : "warp", "line {}: T.{}{}", line(meeting.span), name,
          !meeting.is_barrier  ? ": lanes put down what they give and read what they get after it"
          : meeting.is_watched ? ": counts its threads, for some may be elsewhere"
                               : ": every thread comes by, so nothing is left of it");
    }
  }

  std::string cause_words(const UnevenCause& cause) const {
    using Kind = UnevenCause::Kind;
    const std::uint32_t at = line(cause.span);
    switch (cause.kind) {
      case Kind::Name: return fmt::format("`{}` is not even (line {})", cause.name, at);
      case Kind::Turn:
        return fmt::format("`{}` counts turns of each thread's own (line {})", cause.name, at);
      case Kind::Scalar:
        return fmt::format("`{}` takes a value that is not even (line {})", cause.name, at);
      case Kind::Differs:
        return fmt::format("`{}` may differ from thread to thread (line {})", cause.name, at);
      case Kind::AddressTaken:
        return fmt::format("`{}` can change through a pointer (line {})", cause.name, at);
      case Kind::ThreadIndex: return fmt::format("`{}` is each thread's own", text(cause.span));
      case Kind::Memory:
        return fmt::format(
            "an element of `{}` may differ from thread to thread, or only some "
            "threads may come to read it (line {})",
            cause.name, at);
      case Kind::Division: return fmt::format("`{}` may divide by 0", text(cause.span));
      case Kind::Operation: return fmt::format("T.{} gives each thread its own", cause.name);
      case Kind::ByTurns: return "its step is not known when compiling";
    }
    return {};
  }

  bool is_by_warps(ir::Span span) const {
    return std::find(facts_.by_warps.begin(), facts_.by_warps.end(), span) != facts_.by_warps.end();
  }

  void explain_controls() {
    for (const CpuFacts::Control& control : facts_.controls) {
      const std::string_view word = statement_word(control.stmt->kind);
      if (control.why.empty()) {
        say("of the block", "line {}: {}: even, so the block decides once",
            line(control.stmt->span), word);
        continue;
      }
      if (is_by_warps(control.stmt->span)) {
        say("of the warps", "line {}: {}: the place in the block decides, so warps run it by turns",
            line(control.stmt->span), word);
        continue;
      }
      std::string why;
      for (const UnevenCause& cause : control.why)
        why += fmt::format("{}{}", why.empty() ? "" : ", for ", cause_words(cause));
      say("of the threads", "line {}: {}: each decides for itself: {}", line(control.stmt->span),
          word, why);
    }
    for (const CpuFacts::Jump& jump : facts_.jumps) {
      if (is_by_warps(jump.span)) {
        say("of the warps", "line {}: {}: the place in the block decides who goes on",
            line(jump.span), statement_word(jump.kind));
        continue;
      }
      say("of the threads", "line {}: {}: some may leave while others go on", line(jump.span),
          statement_word(jump.kind));
    }
    for (const ir::Local* local : facts_.block_scalars)
      say("of the block", "line {}: `{}` is one scalar for all threads", line(local->span),
          local->name);
  }

  void explain_kept() {
    for (const CpuFacts::Kept& kept : facts_.kept) {
      if (kept.array == nullptr) {
        say("kept", "line {}: `{}` is computed again where it is used", line(kept.span), kept.name);
      } else {
        say("kept", "line {}: `{}` is an array over the threads, {}", line(kept.span), kept.name,
            counted(static_cast<std::uint64_t>(bytes_of(*kept.array)), "byte"));
      }
    }
    if (facts_.heading != nullptr) {
      say("kept", "where each thread goes on, {}",
          counted(static_cast<std::uint64_t>(bytes_of(*facts_.heading)), "byte"));
    }
    std::int64_t bytes = 0;
    for (const ir::Tensor* array : facts_.exchanges)
      bytes += bytes_of(*array);
    if (bytes > 0) {
      say("kept", "what warp operations and votes exchange, {}",
          counted(static_cast<std::uint64_t>(bytes), "byte"));
    }
  }

  void explain_stores() {
    for (const ir::Span span : facts_.merged)
      say("stores", "line {}: the branches' stores are one store of a choice", line(span));
  }

  // Conditions that fission made are not the user's.
  bool is_written(const ir::Expr& condition) const {
    return facts_.heading == nullptr || !ir::any_expr(condition, [&](const ir::Expr& expr) {
             const auto* load = ir::as<ir::Load>(&expr);
             return load != nullptr && load->tensor == facts_.heading;
           });
  }

  void explain_guards() {
    using Fate = CpuFacts::GuardFate;
    for (const CpuFacts::Guard& guard : facts_.guards) {
      if (!is_written(*guard.condition)) continue;
      const std::string loop = loop_words(guard.loop);
      const auto tell = [&](std::string_view words) {
        say("guard", "line {}: `{}` {}", line(guard.condition->span), text(guard.condition->span),
            words);
      };
      switch (guard.fate) {
        case Fate::Bound: tell("is a bound of " + loop); break;
        case Fate::Outside: tell("is tested once before " + loop); break;
        case Fate::NoBound:
          tell("stays a test in " + loop + ": it does not bound the thread evenly, or may wrap");
          break;
        case Fate::HasEffect: tell("stays a test in " + loop + ": it has an effect"); break;
        case Fate::HasElse:
          tell("stays a test in " + loop + ": there is work on both sides");
          break;
        case Fate::NotLast:
          tell("stays a test in " + loop + ": statements behind it run in all threads");
          break;
      }
    }
  }

  std::string_view no_streaming_words() const {
    using No = CpuFacts::NoStreaming;
    switch (facts_.no_streaming) {
      case No::Unknown: return "nothing asked";
      case No::NotOneLoop:
        return kernel_.is_one_loop ? "each thread walks through memory in a loop of its own"
                                   : "grid and block are not one loop";
      case No::CanLeave: return "a jump or assert may leave a thread before its store";
      case No::NoStore: return "no store runs in every thread";
      case No::NotCompact: return "the tensor has several dimensions, strides or an offset";
      case No::NotParam: return "the tensor is no parameter, or a pointer into it is taken";
      case No::StoredTwice: return "a thread stores to the tensor more than once";
      case No::IsRead: return "the kernel reads the tensor";
      case No::OtherIndex: return "the index is not the thread's place in the grid";
    }
    return {};
  }

  void explain_streaming() {
    if (facts_.is_fibers) return;
    if (kernel_.streamed != nullptr && context_.streams) {
      say("streaming",
          "yes: `{}` is written past the caches when it is larger than the last of them",
          kernel_.streamed->name);
    } else if (kernel_.streamed != nullptr) {
      say("streaming", "no: opt_level is 0");
    } else if (facts_.store != nullptr) {
      say("streaming", "no: line {}: `{}`: {}", line(facts_.store->span),
          facts_.store->tensor->name, no_streaming_words());
    } else {
      say("streaming", "no: {}", no_streaming_words());
    }
  }

  void explain_order() {
    if (!kernel_.warp_regions.empty()) {
      say("warps", "{} of {} regions run warp by warp, for no barrier is between them",
          kernel_.warp_regions.size(), facts_.regions);
    }
    for (const ir::Span& span : facts_.turned) {
      say("turns", "line {}: all threads take a turn of the loop before any takes its next",
          line(span));
    }
  }

  static std::string_view no_lanes_words(CpuFacts::NoLanes why) {
    using No = CpuFacts::NoLanes;
    switch (why) {
      case No::None: return "nothing asked";
      case No::Short: return "fewer than 8 threads in a row";
      case No::Scattered: return "neighbouring threads are not at neighbouring elements";
      case No::Order: return "it would show in which order the threads run";
      case No::Pointer: return "a pointer is used as a value";
      case No::Scalar: return "the scalar is not one thread's alone";
      case No::Memory: return "the array of each thread is larger than 4096 bytes";
      case No::Step: return "the step differs from thread to thread";
      case No::Large: return "too many operations";
      case No::Other: return "nothing that lanes do";
    }
    return {};
  }

  void explain_lanes() {
    const std::size_t loops = kernel_.innermost_loops.size();
    const std::size_t in_lanes = kernel_.lane_loops.size();
    if (loops == 0) return;
    if (!context_.streams) return say("lanes", "no: opt_level is 0");
    if (in_lanes > 0) {
      say("lanes", "{} of {} loops over threads run {} threads in step", in_lanes, loops,
          kernel_.lane_loops[0].width);
    }
    for (const CpuFacts::LaneRefusal& refusal : facts_.no_lanes) {
      std::string place;
      if (refusal.span.is_valid()) {
        place = fmt::format("line {}: `{}`: ", line(refusal.span), text(refusal.span));
      }
      say("lanes", "{}: {}{}", in_lanes == 0 ? "no" : "not in all", place,
          no_lanes_words(refusal.why));
    }
  }

  void explain_shared() {
    std::unordered_set<const ir::Tensor*> ours(facts_.exchanges.begin(), facts_.exchanges.end());
    ours.insert(facts_.heading);
    for (const CpuFacts::Kept& kept : facts_.kept)
      ours.insert(kept.array);
    std::int64_t bytes = 0;
    std::string names;
    ir::walk_stmts(kernel_.kernel->body, [&](const ir::Stmt& stmt) {
      const auto* alloc = ir::as<ir::Alloc>(&stmt);
      if (alloc == nullptr || alloc->tensor->scope == ir::Scope::Local) return;
      const ir::Tensor* tensor = alloc->tensor;
      if (ours.contains(tensor)) return;
      if (ir::is_sized_at_launch(*tensor)) {
        say("shared", "`{}` has a size that the launch decides", tensor->name);
        return;
      }
      bytes += bytes_of(*tensor);
      names += fmt::format("{}{} {}", names.empty() ? "" : ", ", tensor->name, bytes_of(*tensor));
    });
    if (bytes > 0) {
      say("shared", "{} ({})", counted(static_cast<std::uint64_t>(bytes), "byte"), names);
    }
  }

  bool is_grid_known() const {
    const auto is_known = [](const ir::Expr* extent) {
      return extent == nullptr || ir::as_int(extent) != nullptr;
    };
    const ir::Expr* const* grid = kernel_.kernel->launch.grid;
    return std::all_of(grid, grid + 3, is_known);
  }

  void explain_rows() {
    if (kernel_.row_bytes == 0 || !context_.streams) return;
    say("rows", "of {} bytes, one a thread: when they exceed the caches, lanes run {} rows apart",
        kernel_.row_bytes, kernel_.lane_loops[0].distance);
  }

  void explain_variants() {
    if (is_grid_known()) {
      say("variant", "default: the grid is known");
    } else {
      std::string grid;
      for (const std::int64_t extent : kernel_.max_grid)
        grid += fmt::format("{}{}", grid.empty() ? "" : " x ", extent);
      say("variant", "default: for grids of up to {} blocks", grid);
      say("variant", "big_grid: compiled when a launch is larger");
    }
    say("variant", "alias: compiled when written memory overlaps another argument");
    if (kernel_.row_bytes > 0 && context_.streams) {
      say("variant", "streaming: compiled when what is read or written exceeds the caches");
    } else if (kernel_.streamed != nullptr && context_.streams) {
      say("variant", "streaming: compiled when `{}` is larger than the caches",
          kernel_.streamed->name);
    }
  }

  const ir::CpuKernel& kernel_;
  const CpuFacts& facts_;
  const ExplainContext& context_;
  std::string text_;
  std::unordered_set<std::string> said_;
};

}  // namespace

std::string explain(const ir::CpuKernel& kernel, const passes::CpuFacts& facts,
                    const ExplainContext& context) {
  return Explanation(kernel, facts, context).run();
}

}  // namespace tirxcc::driver
