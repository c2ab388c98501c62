// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/memory.h"

#include <fmt/format.h>

namespace tirxcc::cuda {
namespace {

// Events of one measurement, destroyed with the scope.
class Events {
 public:
  explicit Events(Driver& driver) : driver_(driver) {}
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() {
    for (CuEvent event : events_)
      driver_.api().EventDestroy(event);
  }

  Result<void> create(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      CuEvent event = nullptr;
      Result<void> made = driver_.check(driver_.api().EventCreate(&event, 0), "making an event");
      if (!made) return made;
      events_.push_back(event);
    }
    return {};
  }

  Result<void> record(std::size_t index, CuStream stream) {
    return driver_.check(driver_.api().EventRecord(events_[index], stream), "recording an event");
  }

  Result<float> between(std::size_t begin, std::size_t end) {
    float milliseconds = 0;
    Result<void> read =
        driver_.check(driver_.api().EventElapsedTime(&milliseconds, events_[begin], events_[end]),
                      "reading an event");
    if (!read) return tl::unexpected(read.error());
    return milliseconds;
  }

 private:
  Driver& driver_;
  std::vector<CuEvent> events_;
};

}  // namespace

Result<DeviceBuffer> DeviceBuffer::allocate(Driver& driver, int device, std::size_t bytes) {
  Result<ContextScope> scope = ContextScope::enter(driver, device);
  if (!scope) return tl::unexpected(scope.error());
  DevicePointer pointer = 0;
  if (bytes > 0) {
    int status = driver.api().MemAlloc(&pointer, bytes);
    if (status != kCudaSuccess) {
      std::string what = fmt::format("allocating {} bytes on CUDA device {}", bytes, device);
      std::size_t left = 0;
      std::size_t total = 0;
      if (status == kCudaOutOfMemory && driver.api().MemGetInfo(&left, &total) == kCudaSuccess) {
        what += fmt::format(", which has {} of {} MiB left", left >> 20, total >> 20);
      }
      return tl::unexpected(driver.failure(status, what, device));
    }
  }
  return DeviceBuffer(driver, device, pointer, bytes);
}

DeviceBuffer::~DeviceBuffer() {
  if (pointer_ == 0) return;
  // After a lost context there is nothing left to free.
  if (Result<ContextScope> scope = ContextScope::enter(*driver_, device_)) {
    driver_->api().MemFree(pointer_);
  }
}

Result<void> DeviceBuffer::upload(const void* from) {
  if (bytes_ == 0) return {};
  Result<ContextScope> scope = ContextScope::enter(*driver_, device_);
  if (!scope) return tl::unexpected(scope.error());
  return driver_->check(driver_->api().MemcpyHtoD(pointer_, from, bytes_), "copying to the GPU");
}

Result<void> DeviceBuffer::download(void* to) const {
  if (bytes_ == 0) return {};
  Result<ContextScope> scope = ContextScope::enter(*driver_, device_);
  if (!scope) return tl::unexpected(scope.error());
  return driver_->check(driver_->api().MemcpyDtoH(to, pointer_, bytes_), "copying from the GPU");
}

Result<void> synchronize(Driver& driver, int device, CuStream stream, std::string_view what) {
  Result<ContextScope> scope = ContextScope::enter(driver, device);
  if (!scope) return tl::unexpected(scope.error());
  int status = driver.api().StreamSynchronize(stream);
  if (status != kCudaSuccess) return tl::unexpected(driver.failure(status, what, device));
  return {};
}

Result<std::vector<float>> time_on_device(Driver& driver, int device, CuStream stream,
                                          const std::function<Result<void>()>& launch,
                                          const TimingOptions& options) {
  Result<ContextScope> scope = ContextScope::enter(driver, device);
  if (!scope) return tl::unexpected(scope.error());
  for (int i = 0; i < options.warm_up; ++i) {
    if (Result<void> done = launch(); !done) return tl::unexpected(done.error());
  }
  const DeviceInfo& info = driver.devices()[static_cast<std::size_t>(device)];
  std::size_t flushed = options.cold_cache ? static_cast<std::size_t>(info.l2_bytes) * 2 : 0;
  Result<DeviceBuffer> other = DeviceBuffer::allocate(driver, device, flushed);
  if (!other) return tl::unexpected(other.error());
  auto repeats = static_cast<std::size_t>(options.repeats);
  Events events(driver);
  if (Result<void> made = events.create(2 * repeats); !made) return tl::unexpected(made.error());
  for (std::size_t i = 0; i < repeats; ++i) {
    if (flushed > 0) {
      int status = driver.api().MemsetD8Async(other->pointer(), 0, flushed, stream);
      if (Result<void> set = driver.check(status, "clearing the L2 cache"); !set) {
        return tl::unexpected(set.error());
      }
    }
    if (Result<void> begun = events.record(2 * i, stream); !begun) {
      return tl::unexpected(begun.error());
    }
    if (Result<void> done = launch(); !done) return tl::unexpected(done.error());
    if (Result<void> ended = events.record(2 * i + 1, stream); !ended) {
      return tl::unexpected(ended.error());
    }
  }
  if (Result<void> done = synchronize(driver, device, stream, "waiting for the timed runs");
      !done) {
    return tl::unexpected(done.error());
  }
  std::vector<float> times;
  for (std::size_t i = 0; i < repeats; ++i) {
    Result<float> time = events.between(2 * i, 2 * i + 1);
    if (!time) return tl::unexpected(time.error());
    times.push_back(*time);
  }
  return times;
}

}  // namespace tirxcc::cuda
