// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "background.h"
#include "errors.h"
#include "inline_array.h"

namespace tirxcc::python {
namespace {

// A call that took longer than this lets other Python threads run during the next one; so does one
// with this many bytes of arguments. Giving the GIL away and taking it back costs about 0.1 us.
constexpr std::int64_t kLongCallNs = 5000;
constexpr std::int64_t kManyBytes = 64 * 1024;
// A call below this needs no answer to Ctrl-C before it ends.
constexpr std::int64_t kQuickCallNs = 1'000'000;
constexpr std::size_t kStackArguments = 20;

std::string join_names(const Callee& callee) {
  std::string text;
  for (const ParameterInfo& parameter : callee.kernel.parameters())
    text += (text.empty() ? "" : ", ") + parameter.name;
  return text.empty() ? "no arguments" : text;
}

std::string function_name(const Callee& callee) {
  return std::string(callee.kernel.name());
}

PyObject* to_python(const Scalar& scalar) {
  if (!scalar.has_value) Py_RETURN_NONE;
  switch (scalar.type) {
    case ElementType::Bool: return PyBool_FromLong(scalar.int_value != 0);
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64:
    case ElementType::UInt8:
    case ElementType::UInt16:
    case ElementType::UInt32: return PyLong_FromLongLong(scalar.int_value);
    case ElementType::UInt64:
      return PyLong_FromUnsignedLongLong(static_cast<std::uint64_t>(scalar.int_value));
    case ElementType::Float16:
    case ElementType::BFloat16:
    case ElementType::Float32:
    case ElementType::Float64: return PyFloat_FromDouble(scalar.float_value);
  }
  Py_RETURN_NONE;
}

std::size_t count_keywords(PyObject* keywords) {
  return keywords == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(keywords));
}

std::int64_t bytes_of(const Argument& argument) {
  constexpr std::array<std::uint8_t, 13> kSizes = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  std::int64_t bytes = kSizes[static_cast<std::size_t>(argument.tensor().type)];
  for (const std::int64_t extent : argument.shape())
    bytes *= extent;
  return bytes;
}

// The arguments in the order of the parameters, held until it is destroyed.
class Call {
 public:
  // `count` arguments by position and `keywords` after them.
  Call(Callee& callee, std::size_t count)
      : callee_(callee),
        parameters_(callee.kernel.parameters()),
        count_(std::max(callee.names.size(), count)),
        arguments_(count_),
        held_(count_) {
    options_.remark = &remark_;
  }

  // For a call that may outlive the caller's own hold on its arguments.
  void keep(PyObject* const* args, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      kept_.push_back(Py_NewRef(args[i]));
  }
  ~Call() {
    for (PyObject* object : kept_)
      Py_DECREF(object);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // False with an error set.
  bool bind(PyObject* const* args, std::size_t count, PyObject* keywords) {
    if (count > callee_.names.size()) return refuse_count(count);
    stream_.is_wanted = callee_.is_cuda;
    stream_.is_for_gpu = callee_.is_cuda;
    const std::size_t keyword_count = count_keywords(keywords);
    if (callee_.is_cuda && keyword_count > 0 && !find_stream(args, count, keywords)) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!set(i, args[i])) return false;
    }
    for (std::size_t i = count; i < count_; ++i)
      arguments_.make(i);
    for (std::size_t k = 0; k < keyword_count; ++k) {
      PyObject* name = PyTuple_GetItem(keywords, static_cast<Py_ssize_t>(k));
      if (!set_keyword(name, args[count + k], count)) return false;
    }
    return !callee_.is_cuda || choose_stream();
  }

  // Whether it is no larger than a call that was quick, and the last call was quick too.
  bool is_known_quick() const {
    const CallHistory& history = callee_.history;
    return history.last_ns.load(std::memory_order_relaxed) < kQuickCallNs &&
           bytes_ <= history.quick_bytes.load(std::memory_order_relaxed) &&
           largest_ <= history.quick_scalar.load(std::memory_order_relaxed);
  }

  // Runs the kernel; touches no Python object.
  void launch(const std::atomic<bool>* stop) {
    options_.stop = stop;
    const auto start = std::chrono::steady_clock::now();
    result_ = callee_.kernel.launch(view(), options_);
    note_time((std::chrono::steady_clock::now() - start).count());
  }
  void prepare() {
    if (Expected<void> done = callee_.kernel.prepare(view()); !done) {
      result_ = tl::unexpected<Error>(done.error());
    }
  }

  // Enqueues the kernel on a GPU. Other Python threads may go on meanwhile: a launch waits when the
  // queue is full, perhaps for a callback that needs Python.
  PyObject* enqueue() {
    Py_BEGIN_ALLOW_THREADS;
    result_ = callee_.kernel.launch(view(), options_);
    sleep_if_exiting();
    Py_END_ALLOW_THREADS;
    return result();
  }

  // Runs the kernel on this thread.
  PyObject* run() {
    const std::int64_t last_ns = callee_.history.last_ns.load(std::memory_order_relaxed);
    if (last_ns > kLongCallNs || bytes_ > kManyBytes) {
      Py_BEGIN_ALLOW_THREADS;
      launch(nullptr);
      sleep_if_exiting();
      Py_END_ALLOW_THREADS;
    } else {
      launch(nullptr);
    }
    return result();
  }

  Expected<Timing> time(TimingOptions options) {
    options.stream = options_.stream;
    return callee_.kernel.time(view(), options);
  }

  PyObject* result() const {
    if (remark_ && !warn({*remark_})) return nullptr;
    if (result_) return to_python(*result_);
    set_error(result_.error());
    return nullptr;
  }

 private:
  std::span<const Argument> view() const { return {arguments_.data(), count_}; }

  void note_time(std::int64_t taken) {
    CallHistory& history = callee_.history;
    history.last_ns.store(taken, std::memory_order_relaxed);
    if (taken >= kQuickCallNs) return;
    if (bytes_ > history.quick_bytes.load(std::memory_order_relaxed)) {
      history.quick_bytes.store(bytes_, std::memory_order_relaxed);
    }
    if (largest_ > history.quick_scalar.load(std::memory_order_relaxed)) {
      history.quick_scalar.store(largest_, std::memory_order_relaxed);
    }
  }

  // Argument i, which is not made yet or missing.
  bool set(std::size_t i, PyObject* object) {
    if (set_value(i, object)) return true;
    complete_argument_error(i, callee_.kernel.signature());
    return false;
  }

  bool set_value(std::size_t i, PyObject* object) {
    const ParameterInfo& parameter = parameters_[i];
    Argument& argument = arguments_[i];
    if (parameter.is_tensor) {
      const ArrayType& type = array_type_of(object);
      const bool is_set = type.lends()
                              ? borrow(object, type, parameter, argument, stream_)
                              : held_.add().set(object, parameter, arguments_.make(i), stream_);
      if (is_set && !callee_.is_cuda && argument.kind() == Argument::Kind::Tensor) {
        bytes_ += bytes_of(argument);
      }
      return is_set;
    }
    arguments_.make(i);
    if (PyFloat_CheckExact(object)) {
      argument = Argument(PyFloat_AsDouble(object));
      return true;
    }
    const bool is_set = PyLong_CheckExact(object)
                            ? set_integer(object, parameter, argument)
                            : held_.add().set(object, parameter, argument, stream_);
    if (is_set) note_scalar(argument);
    return is_set;
  }

  void note_scalar(const Argument& argument) {
    if (argument.kind() == Argument::Kind::Int || argument.kind() == Argument::Kind::UInt) {
      const std::uint64_t value = argument.uint_value();
      const bool is_negative = argument.kind() == Argument::Kind::Int && argument.int_value() < 0;
      largest_ = std::max(largest_, is_negative ? 0 - value : value);
    }
  }

  bool is_stream(PyObject* name) const {
    return callee_.is_cuda && PyUnicode_CompareWithASCIIString(name, "stream") == 0 &&
           find(name) == callee_.names.size();
  }

  bool set_keyword(PyObject* name, PyObject* object, std::size_t positional) {
    const std::size_t i = find(name);
    if (i == callee_.names.size() && is_stream(name)) return true;
    if (i == callee_.names.size()) {
      const char* text = PyUnicode_AsUTF8AndSize(name, nullptr);
      if (text == nullptr) PyErr_Clear();
      set_error(ErrorKind::Type, function_name(callee_) + "() has no parameter '" +
                                     (text == nullptr ? "?" : text) + "'; it takes " +
                                     join_names(callee_));
      return false;
    }
    if (i < positional || arguments_[i].kind() != Argument::Kind::Missing) {
      set_error(ErrorKind::Type, function_name(callee_) + "() got argument '" +
                                     callee_.kernel.parameters()[i].name + "' twice");
      return false;
    }
    return set(i, object);
  }

  // stream= must be known before the arrays: producers are told it.
  bool find_stream(PyObject* const* args, std::size_t count, PyObject* keywords) {
    const Py_ssize_t keyword_count = PyTuple_Size(keywords);
    for (Py_ssize_t k = 0; k < keyword_count; ++k) {
      PyObject* object = args[count + static_cast<std::size_t>(k)];
      if (is_stream(PyTuple_GetItem(keywords, k)) && object != Py_None) return set_stream(object);
    }
    return true;
  }

  // A CUstream as an integer, or a stream object of torch or CuPy.
  bool set_stream(PyObject* object) {
    PyObject* address = nullptr;
    for (const char* attribute : {"cuda_stream", "ptr"}) {
      if (address == nullptr) address = PyObject_GetAttrString(object, attribute);
      PyErr_Clear();
    }
    options_.stream = PyLong_AsVoidPtr(address != nullptr ? address : object);
    Py_XDECREF(address);
    stream_.is_wanted = false;
    stream_.chosen = options_.stream;
    if (PyErr_Occurred() == nullptr) return true;
    PyErr_Clear();
    set_error(ErrorKind::Type, "stream is neither an integer nor a stream of torch or CuPy");
    return false;
  }

  bool choose_stream() {
    if (!stream_.is_wanted) return true;
    if (stream_.disagree()) {
      set_error(ErrorKind::Value,
                function_name(callee_) +
                    "(): the arrays come from libraries that work on different streams; say which "
                    "one to use with stream=");
      return false;
    }
    options_.stream = stream_.stream();
    return true;
  }

  std::size_t find(PyObject* name) const {
    for (std::size_t i = 0; i < callee_.names.size(); ++i) {
      if (callee_.names[i] == name) return i;
    }
    for (std::size_t i = 0; i < callee_.names.size(); ++i) {
      if (PyUnicode_Compare(callee_.names[i], name) == 0) return i;
    }
    return callee_.names.size();
  }

  bool refuse_count(std::size_t count) {
    const std::size_t wanted = callee_.names.size();
    set_error(ErrorKind::Type, function_name(callee_) + "() takes " + std::to_string(wanted) +
                                   (wanted == 1 ? " argument" : " arguments") + ", " +
                                   std::to_string(count) + " given; the parameters are " +
                                   join_names(callee_));
    return false;
  }

  Callee& callee_;
  std::span<const ParameterInfo> parameters_;
  std::size_t count_;
  LaunchOptions options_;
  ProducerStream stream_;
  std::int64_t bytes_ = 0;
  std::uint64_t largest_ = 0;
  Expected<Scalar> result_ = Scalar{};
  std::optional<Diagnostic> remark_;
  InlineArray<Argument, kStackArguments> arguments_;
  InlineArray<HeldArgument, kStackArguments> held_;
  std::vector<PyObject*> kept_;
};

// A call, or what it compiles, as work of its own: it holds the arguments for as long as it runs.
class CallWork final : public Work {
 public:
  CallWork(std::shared_ptr<Callee> callee, std::size_t count, bool only_prepares)
      : callee_(std::move(callee)),
        call_(new Call(*callee_, count)),
        only_prepares_(only_prepares) {}
  ~CallWork() override {
    sleep_if_exiting();
    const PyGILState_STATE state = PyGILState_Ensure();
    delete call_;
    PyGILState_Release(state);
  }

  Call& call() { return *call_; }
  void run() override {
    if (only_prepares_) {
      call_->prepare();
    } else {
      call_->launch(&stop);
    }
  }

 private:
  std::shared_ptr<Callee> callee_;
  Call* call_;
  bool only_prepares_;
};

// Compiles the default variant.
class PrepareWork final : public Work {
 public:
  explicit PrepareWork(std::shared_ptr<Callee> callee) : callee_(std::move(callee)) {}
  void run() override { done_ = callee_->kernel.prepare(); }
  const Expected<void>& done() const { return done_; }

 private:
  std::shared_ptr<Callee> callee_;
  Expected<void> done_;
};

bool prepare_default(const std::shared_ptr<Callee>& callee) {
  if (callee->is_prepared.load(std::memory_order_acquire)) return true;
  auto work = std::make_shared<PrepareWork>(callee);
  if (!run_long(work)) return false;
  if (!work->done()) {
    set_error(work->done().error());
    return false;
  }
  callee->is_prepared.store(true, std::memory_order_release);
  return true;
}

// A launch on a GPU does not wait for the kernel, and belongs to this thread's CUDA context; only
// compiling takes long.
PyObject* call_cuda(const std::shared_ptr<Callee>& callee, Call& call) {
  if (!prepare_default(callee)) return nullptr;
  return call.enqueue();
}

// Takes the keywords that are options of a measurement out of a call's arguments.
class TimedCall {
 public:
  bool split(const Callee& callee, PyObject* const* args, std::size_t count, PyObject* keywords) {
    args_.assign(args, args + count);
    keywords_ = PyList_New(0);
    const Py_ssize_t keyword_count = keywords == nullptr ? 0 : PyTuple_Size(keywords);
    for (Py_ssize_t k = 0; k < keyword_count; ++k) {
      PyObject* name = PyTuple_GetItem(keywords, k);
      PyObject* value = args[count + static_cast<std::size_t>(k)];
      if (is_parameter(callee, name) || !set_option(name, value)) {
        args_.push_back(value);
        PyList_Append(keywords_, name);
      }
      if (PyErr_Occurred() != nullptr) return false;
    }
    PyObject* list = std::exchange(keywords_, PyList_AsTuple(keywords_));
    Py_DECREF(list);  // the stable ABI has no Py_SETREF
    return true;
  }
  TimedCall() = default;
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;
  ~TimedCall() { Py_XDECREF(keywords_); }

  PyObject* const* args() const { return args_.data(); }
  PyObject* keywords() const { return keywords_; }
  const TimingOptions& options() const { return options_; }

 private:
  static bool is_parameter(const Callee& callee, PyObject* name) {
    return std::any_of(callee.names.begin(), callee.names.end(),
                       [&](PyObject* known) { return PyUnicode_Compare(known, name) == 0; });
  }

  bool set_option(PyObject* name, PyObject* value) {
    if (PyUnicode_CompareWithASCIIString(name, "runs") == 0) {
      options_.runs = static_cast<int>(PyLong_AsLong(value));
      if (PyErr_Occurred() == nullptr && options_.runs < 1) {
        set_error(ErrorKind::Value, "runs must be at least 1");
      }
    } else if (PyUnicode_CompareWithASCIIString(name, "warm_up") == 0) {
      options_.warm_up = static_cast<int>(PyLong_AsLong(value));
    } else if (PyUnicode_CompareWithASCIIString(name, "cold_cache") == 0) {
      options_.cold_cache = PyObject_IsTrue(value) == 1;
    } else {
      return false;
    }
    return true;
  }

  std::vector<PyObject*> args_;
  PyObject* keywords_ = nullptr;
  TimingOptions options_;
};

PyObject* to_python(const Timing& timing) {
  PyObject* list = PyList_New(0);
  for (float value : timing.milliseconds) {
    PyObject* number = PyFloat_FromDouble(value);
    PyList_Append(list, number);
    Py_XDECREF(number);
  }
  PyObject* module = PyImport_ImportModule("tirxcc._timing");
  PyObject* made =
      module == nullptr ? nullptr : PyObject_CallMethod(module, "make", "Od", list, timing.bytes);
  Py_XDECREF(module);
  Py_DECREF(list);
  return made;
}

PyObject* call_in_background(const std::shared_ptr<Callee>& callee, PyObject* const* args,
                             std::size_t count, PyObject* keywords) {
  auto work = std::make_shared<CallWork>(callee, count, false);
  work->call().keep(args, count + count_keywords(keywords));
  if (!work->call().bind(args, count, keywords)) return nullptr;
  if (!run_interruptibly(work)) return nullptr;
  return work->call().result();
}

}  // namespace

PyObject* call(const std::shared_ptr<Callee>& callee, PyObject* const* args, std::size_t count,
               PyObject* keywords) {
  {
    Call call(*callee, count);
    if (!call.bind(args, count, keywords)) return nullptr;
    if (callee->is_cuda) return call_cuda(callee, call);
    if (call.is_known_quick() || !can_be_interrupted()) return call.run();
  }
  return call_in_background(callee, args, count, keywords);
}

PyObject* time_calls(const std::shared_ptr<Callee>& callee, PyObject* const* args,
                     std::size_t count, PyObject* keywords) {
  TimedCall timed;
  if (!timed.split(*callee, args, count, keywords)) return nullptr;
  if (callee->is_cuda && !prepare_default(callee)) return nullptr;
  Call call(*callee, count);
  if (!call.bind(timed.args(), count, timed.keywords())) return nullptr;
  Expected<Timing> timing = Timing{};
  Py_BEGIN_ALLOW_THREADS;
  timing = call.time(timed.options());
  sleep_if_exiting();
  Py_END_ALLOW_THREADS;
  if (timing) return to_python(*timing);
  set_error(timing.error());
  return nullptr;
}

bool prepare(const std::shared_ptr<Callee>& callee, PyObject* const* args, std::size_t count,
             PyObject* keywords) {
  if (count == 0 && keywords == nullptr) return prepare_default(callee);
  auto work = std::make_shared<CallWork>(callee, count, true);
  work->call().keep(args, count + count_keywords(keywords));
  if (!work->call().bind(args, count, keywords)) return false;
  if (!run_long(work)) return false;
  PyObject* none = work->call().result();
  Py_XDECREF(none);
  return none != nullptr;
}

}  // namespace tirxcc::python
