// SPDX-License-Identifier: Apache-2.0
//
// visit helper: `visit(variant_like, Overloaded{[](const A&) {...}, [](const B&) {...}})`.
#pragma once

namespace tirxcc {

template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace tirxcc
