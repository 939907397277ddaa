#pragma once

#include <cstddef>

#include "core/device.h"

namespace peakline {

/// Where successive steps find their data: in neighbouring slices of one buffer, so many that the
/// first has left the device's cache when its turn comes again. One slice of the whole buffer where
/// there is no cache to leave.
struct Rotation {
  std::size_t size_bytes = 0;    ///< of a slice
  std::size_t stride_bytes = 0;  ///< from one slice to the next
  std::size_t slices = 1;

  std::size_t total_bytes() const { return stride_bytes * slices; }
  std::size_t first_byte(std::size_t slice) const { return slice * stride_bytes; }
};

/// For steps over `size_bytes` each on a device with this much cache (DeviceInfo::cache_bytes).
Rotation rotation_of(std::size_t size_bytes, std::size_t cache_bytes);

/// A part of another buffer, which must outlive it.
class BufferPart final : public Buffer {
 public:
  BufferPart(Buffer& whole, std::size_t first_byte, std::size_t size_bytes)
      : data_(static_cast<unsigned char*>(whole.data()) + first_byte), size_bytes_(size_bytes) {}

  void* data() override { return data_; }
  const void* data() const override { return data_; }
  std::size_t size_bytes() const override { return size_bytes_; }

 private:
  unsigned char* data_;
  std::size_t size_bytes_;
};

}  // namespace peakline
