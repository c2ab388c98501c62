// SPDX-License-Identifier: Apache-2.0
#include "driver/device_copy.h"

#include <memory>

#include "driver/compilation.h"

namespace tirxcc::driver {
namespace {

// Bytes from the lowest to behind the highest element, and how far below data the lowest lies.
struct Footprint {
  std::int64_t below = 0;
  std::int64_t bytes = 0;
};

Footprint footprint(const abi::TensorView& tensor) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t stride = 1;
  for (std::int32_t dim = tensor.rank - 1; dim >= 0; --dim) {
    if (tensor.shape[dim] == 0) return {};
    std::int64_t step = tensor.strides == nullptr ? stride : tensor.strides[dim];
    std::int64_t reach = (tensor.shape[dim] - 1) * step;
    (reach < 0 ? low : high) += reach;
    stride *= tensor.shape[dim];
  }
  std::int64_t size = tensor.dtype.bytes();
  return {-low * size, (high - low + 1) * size};
}

}  // namespace

Expected<DeviceCopy> DeviceCopy::upload(std::span<const abi::Argument> args) {
  Result<cuda::Driver*> driver = cuda::Driver::instance();
  if (!driver) return tl::unexpected<Error>(to_error(driver.error()));
  DeviceCopy copy;
  copy.driver_ = *driver;
  copy.args_.assign(args.begin(), args.end());
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind != abi::ArgumentKind::Tensor) continue;
    const abi::TensorView& tensor = *args[i].tensor;
    if (tensor.device.kind != abi::DeviceKind::Cpu) continue;
    Footprint span = footprint(tensor);
    auto* host = static_cast<std::byte*>(tensor.data) - span.below;
    Result<cuda::DeviceBuffer> buffer =
        cuda::DeviceBuffer::allocate(**driver, 0, static_cast<std::size_t>(span.bytes));
    if (!buffer) return tl::unexpected<Error>(to_error(buffer.error()));
    Result<void> uploaded = buffer->upload(host);
    if (!uploaded) return tl::unexpected<Error>(to_error(uploaded.error()));
    auto view = std::make_unique<abi::TensorView>(tensor);
    view->device = {abi::DeviceKind::Cuda, 0};
    view->data =
        reinterpret_cast<void*>(buffer->pointer() + static_cast<std::uint64_t>(span.below));
    copy.args_[i].tensor = view.get();
    copy.views_.push_back(std::move(view));
    copy.copies_.push_back({i, host, std::move(*buffer)});
  }
  return copy;
}

Expected<void> DeviceCopy::download(const abi::Plan& plan) {
  Result<void> done = cuda::synchronize(*driver_, 0, nullptr, plan.function_name);
  if (!done) return tl::unexpected<Error>(to_error(done.error()));
  for (Copied& copied : copies_) {
    if (!plan.params[copied.index].is_written) continue;
    Result<void> downloaded = copied.buffer.download(copied.host);
    if (!downloaded) return tl::unexpected<Error>(to_error(downloaded.error()));
  }
  return {};
}

}  // namespace tirxcc::driver
