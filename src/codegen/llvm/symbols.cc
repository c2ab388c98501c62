// SPDX-License-Identifier: Apache-2.0
//
// See symbols.h. Three groups: what the optimiser makes of loops (memset and friends), the C
// library's mathematics, conversions of float16 for processors without them, and our runtime.
#include "codegen/llvm/symbols.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// From the compiler's support library; the argument types do not matter, only addresses are taken.
extern "C" {
void __extendhfsf2();  // NOLINT(bugprone-reserved-identifier): the name is the compiler's
void __truncsfhf2();   // NOLINT(bugprone-reserved-identifier)
void __truncdfhf2();   // NOLINT(bugprone-reserved-identifier)
}

namespace tirxcc::cpu_codegen {
namespace {

template <typename F>
void* address_of(F* function) {
  return reinterpret_cast<void*>(function);
}

using OneFloat = float(float);
using OneDouble = double(double);
using TwoFloats = float(float, float);
using TwoDoubles = double(double, double);

}  // namespace

std::vector<OutsideSymbol> outside_symbols(const abi::CpuServices& services) {
  std::vector<OutsideSymbol> symbols = {
      {"memset", address_of(&::memset)},
      {"memcpy", address_of(&::memcpy)},
      {"memmove", address_of(&::memmove)},
      {"ldexpf", address_of<float(float, int)>(&::ldexpf)},
      {"ldexp", address_of<double(double, int)>(&::ldexp)},
      {"fmaf", address_of<float(float, float, float)>(&::fmaf)},
      {"fma", address_of<double(double, double, double)>(&::fma)},
      // The optimiser makes one call of sin(x) and cos(x).
      {"sincosf", address_of<void(float, float*, float*)>(&::sincosf)},
      {"sincos", address_of<void(double, double*, double*)>(&::sincos)},
      {"__extendhfsf2", address_of(&__extendhfsf2)},
      {"__truncsfhf2", address_of(&__truncsfhf2)},
      {"__truncdfhf2", address_of(&__truncdfhf2)},
      {"printf", reinterpret_cast<void*>(&::printf)},
      {"tirxcc_parallel_for", reinterpret_cast<void*>(services.parallel_for)},
      {"tirxcc_block_memory", reinterpret_cast<void*>(services.block_memory)},
      {"tirxcc_meet", reinterpret_cast<void*>(services.meet)},
  };
#define TIRXCC_ONE(name)                                            \
  symbols.push_back({#name "f", address_of<OneFloat>(&::name##f)}); \
  symbols.push_back({#name, address_of<OneDouble>(&::name)});
#define TIRXCC_TWO(name)                                             \
  symbols.push_back({#name "f", address_of<TwoFloats>(&::name##f)}); \
  symbols.push_back({#name, address_of<TwoDoubles>(&::name)});
  TIRXCC_ONE(acos)
  TIRXCC_ONE(acosh)
  TIRXCC_ONE(asin)
  TIRXCC_ONE(asinh)
  TIRXCC_ONE(atan)
  TIRXCC_ONE(atanh)
  TIRXCC_ONE(cbrt)
  TIRXCC_ONE(ceil)
  TIRXCC_ONE(cos)
  TIRXCC_ONE(cosh)
  TIRXCC_ONE(erf)
  TIRXCC_ONE(exp)
  TIRXCC_ONE(exp10)
  TIRXCC_ONE(exp2)
  TIRXCC_ONE(floor)
  TIRXCC_ONE(log)
  TIRXCC_ONE(log10)
  TIRXCC_ONE(log1p)
  TIRXCC_ONE(log2)
  TIRXCC_ONE(nearbyint)
  TIRXCC_ONE(rint)
  TIRXCC_ONE(round)
  TIRXCC_ONE(roundeven)
  TIRXCC_ONE(sin)
  TIRXCC_ONE(sinh)
  TIRXCC_ONE(sqrt)
  TIRXCC_ONE(tan)
  TIRXCC_ONE(tanh)
  TIRXCC_ONE(trunc)
  TIRXCC_TWO(atan2)
  TIRXCC_TWO(fmax)
  TIRXCC_TWO(fmin)
  TIRXCC_TWO(fmod)
  TIRXCC_TWO(hypot)
  TIRXCC_TWO(nextafter)
  TIRXCC_TWO(pow)
#undef TIRXCC_ONE
#undef TIRXCC_TWO
  return symbols;
}

}  // namespace tirxcc::cpu_codegen
