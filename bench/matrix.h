#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/device.h"

namespace peakline {

/// A dense matrix that is read row by row, each entry as float64.
class Matrix {
 public:
  using VisitRow = std::function<void(std::int64_t row, std::span<const double> entries)>;

  virtual ~Matrix() = default;
  virtual std::int64_t rows() const = 0;
  virtual std::int64_t columns() const = 0;
  virtual void each_row(const VisitRow& visit) const = 0;
};

/// One in the memory of a device, fetched a few rows at a time: it may be larger than the host's
/// share of memory. Device and buffer must outlive it.
class DeviceMatrix final : public Matrix {
 public:
  DeviceMatrix(Device& device, Buffer& buffer, DataType type, std::int64_t rows,
               std::int64_t columns)
      : device_(&device), buffer_(&buffer), type_(type), rows_(rows), columns_(columns) {}

  std::int64_t rows() const override { return rows_; }
  std::int64_t columns() const override { return columns_; }
  void each_row(const VisitRow& visit) const override;

  /// Host memory that each_row() takes.
  static std::size_t fetched_bytes(DataType type, std::int64_t columns);

 private:
  Device* device_;
  Buffer* buffer_;
  DataType type_;
  std::int64_t rows_;
  std::int64_t columns_;
};

}  // namespace peakline
