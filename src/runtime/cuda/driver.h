// SPDX-License-Identifier: Apache-2.0
//
// The CUDA driver of this machine: found at run time, initialised once, with its devices and their
// primary contexts. Errors become sentences that name what was being done.
//
//   Result<Driver*> driver = Driver::instance();   // "no CUDA driver: libcuda.so.1 not found; ..."
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/cuda/driver_api.h"

namespace tirxcc::cuda {

// One GPU as the driver describes it.
struct DeviceInfo {
  int index = 0;
  int handle = 0;  // CUdevice
  std::string name;
  int major = 0;  // compute capability
  int minor = 0;
  int multiprocessors = 0;
  int max_threads = 0;       // resident on a multiprocessor
  int max_shared_bytes = 0;  // of a block, static and dynamic together, after opting in
  int l2_bytes = 0;
  std::uint64_t memory_bytes = 0;

  // "sm_90a": the architecture to compile for; the a is for the chips whose own instructions need
  // it (9.0 and later majors).
  std::string arch() const;
};

class Driver {
 public:
  // The driver of this process: TIRXCC_LIBCUDA, else libcuda.so.1. Found and initialised at the
  // first call; every later call gives the same answer.
  static Result<Driver*> instance();

  // A driver from a given library (tests).
  static Result<std::unique_ptr<Driver>> open(const std::string& library);

  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  const DriverApi& api() const { return api_; }
  const std::string& path() const { return path_; }
  int version() const { return version_; }  // 13000 for CUDA 13.0
  std::string version_text() const;         // "13.0"
  const std::vector<DeviceInfo>& devices() const { return devices_; }

  // The primary context of a device, retained at first use and kept.
  Result<CuContext> primary_context(int device);

  // What happened, in words, for the status of a failed call: "what: driver's words (NAME)", and
  // what to do about it. Remembers an error after which the device's context is lost; `device` -1:
  // that of the current context.
  Failure failure(int status, std::string_view what, int device = -1) const;

  // Status as Result: nothing on success.
  Result<void> check(int status, std::string_view what) const {
    if (status == kCudaSuccess) [[likely]]
      return {};
    return tl::unexpected(failure(status, what));
  }

  // True once an error has been seen after which every further call of this process on that device
  // fails.
  bool is_lost(int device) const;

  // The name of a status, "CUDA_ERROR_ILLEGAL_ADDRESS".
  std::string status_name(int status) const;

 private:
  Driver() = default;
  Result<void> read_devices();
  // Where the error that ended a device's context is kept; null if there is no such device.
  std::atomic<int>* lost_status(int device) const;

  DriverApi api_;
  std::string path_;
  int version_ = 0;
  std::vector<DeviceInfo> devices_;
  std::mutex context_mutex_;
  std::unique_ptr<std::atomic<CuContext>[]> primary_contexts_;
  std::unique_ptr<std::atomic<int>[]> lost_status_;  // by device; kCudaSuccess: none
};

// Whether this machine has NVIDIA's device files (or TIRXCC_LIBCUDA names a driver): cheap, and
// without touching the driver.
bool has_device_file();

// Makes a context of `device` current on this thread for the scope, if none of that device is.
// Where no context was current the primary one stays current afterwards (as the CUDA runtime does
// it); another device's context is put back.
class ContextScope {
 public:
  static Result<ContextScope> enter(Driver& driver, int device);
  ContextScope(ContextScope&& other) noexcept
      : driver_(other.driver_), restore_(std::exchange(other.restore_, nullptr)) {}
  ContextScope& operator=(ContextScope&&) = delete;
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  ~ContextScope() {
    if (restore_ != nullptr) driver_->api().CtxSetCurrent(restore_);
  }

 private:
  ContextScope(Driver& driver, CuContext restore) : driver_(&driver), restore_(restore) {}

  Driver* driver_;
  CuContext restore_;
};

}  // namespace tirxcc::cuda
