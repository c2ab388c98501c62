// SPDX-License-Identifier: Apache-2.0
#include "driver/nvrtc_errors.h"

#include <algorithm>

#include "runtime/cuda/nvrtc_log.h"
#include "source/diagnostics.h"

namespace tirxcc::driver {
namespace {

constexpr source::Diagnostic kCudaText{"cuda-text", source::Severity::Error, ErrorClass::Runtime,
                                       "NVRTC refused the CUDA text of this statement: {}"};

// The statement that a line of the text belongs to: the last one that begins at it or before.
source::Span span_of_line(const Unit& unit, const CudaCode& code, int line) {
  source::Span span = unit.function->span;
  for (const codegen_cuda::LineMapEntry& entry : code.text.lines) {
    if (entry.line <= static_cast<std::uint32_t>(line)) span = entry.span;
  }
  return span;
}

// The same where #line directives made NVRTC speak of the kernel file.
source::Span span_in_file(const Compilation& compilation, const Unit& unit, const CudaCode& code,
                          int line) {
  for (const codegen_cuda::LineMapEntry& entry : code.text.lines) {
    source::LineColumn place = compilation.sources().position(entry.span);
    if (place.line == static_cast<std::uint32_t>(line)) return entry.span;
  }
  return unit.function->span;
}

}  // namespace

Error nvrtc_error(const Compilation& compilation, const Unit& unit, const CudaCode& code,
                  const Failure& failure) {
  source::Diagnostics diags(compilation.sources());
  for (const cuda::LogMessage& message : cuda::parse_log(failure.message)) {
    if (!message.is_error || message.line <= 0) continue;
    source::Span span = compilation.options().line_directives
                            ? span_in_file(compilation, unit, code, message.line)
                            : span_of_line(unit, code, message.line);
    source::MessageBuilder report = diags.report(span, kCudaText, message.text);
    if (!message.source.empty()) report.note("the CUDA text is: {}", message.source);
  }
  if (!diags.has_errors()) return to_error(failure);
  return compilation.error_of(diags);
}

}  // namespace tirxcc::driver
