#include "bench/matrix.h"

#include <algorithm>
#include <vector>

#include "bench/rotation.h"

namespace peakline {
namespace {

std::size_t row_bytes(DataType type, std::int64_t columns) {
  return static_cast<std::size_t>(columns) * size_of(type);
}

std::int64_t rows_at_once(DataType type, std::int64_t columns) {
  constexpr std::size_t wanted_bytes = 16 << 20;
  return std::max<std::int64_t>(
      1,
      static_cast<std::int64_t>(wanted_bytes / std::max<std::size_t>(1, row_bytes(type, columns))));
}

}  // namespace

std::size_t DeviceMatrix::fetched_bytes(DataType type, std::int64_t columns) {
  return static_cast<std::size_t>(rows_at_once(type, columns)) * row_bytes(type, columns) +
         static_cast<std::size_t>(columns) * sizeof(double);
}

void DeviceMatrix::each_row(const VisitRow& visit) const {
  const std::int64_t most_rows = std::min(rows_, rows_at_once(type_, columns_));
  const std::size_t one_row_bytes = row_bytes(type_, columns_);
  with_type(type_, [&](auto zero) {
    std::vector<decltype(zero)> fetched(static_cast<std::size_t>(most_rows * columns_));
    std::vector<double> entries(static_cast<std::size_t>(columns_));
    for (std::int64_t first = 0; first < rows_; first += most_rows) {
      const std::int64_t rows = std::min(most_rows, rows_ - first);
      const std::size_t size_bytes = static_cast<std::size_t>(rows) * one_row_bytes;
      const BufferPart part(*buffer_, static_cast<std::size_t>(first) * one_row_bytes, size_bytes);
      device_->download(fetched.data(), part, size_bytes);
      for (std::int64_t row = 0; row < rows; ++row) {
        const auto* begin = &fetched[static_cast<std::size_t>(row * columns_)];
        std::transform(begin, begin + columns_, entries.begin(),
                       [](auto entry) { return static_cast<double>(entry); });
        visit(first + row, entries);
      }
    }
  });
}

}  // namespace peakline
