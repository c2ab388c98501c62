// SPDX-License-Identifier: Apache-2.0
//
// A reference to something that can be called, for parameters: FunctionRef<void(const Expr&)>. Two
// words, no allocation; it must not outlive what it refers to. A function that takes one is
// compiled once, where a template would be compiled for each lambda it is given.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace tirxcc {

template <typename Signature>
class FunctionRef;

template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<R, F&, Args...>)
      FunctionRef(F&& callee)  // an object with operator(), such as a lambda
      : callee_(const_cast<void*>(static_cast<const void*>(std::addressof(callee)))),
        call_([](void* erased, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(erased))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(callee_, std::forward<Args>(args)...); }

 private:
  void* callee_;
  R (*call_)(void*, Args...);
};

}  // namespace tirxcc
