#include "loader/batch_order.h"

#include <string>

#include "core/error.h"
#include "loader/shuffle.h"

namespace peakline {

void BatchOrder::check() const {
  if (batch_size < 1 || ranks < 1 || rank < 0 || rank >= ranks) {
    throw usage_error("Rank " + std::to_string(rank) + " of " + std::to_string(ranks) +
                      " cannot take batches of " + std::to_string(batch_size) +
                      " records: ranks count from 0 and a batch holds at least 1 record.");
  }
  if (batches_per_epoch() >= 1) return;
  throw usage_error("The data set of " + std::to_string(records) +
                    " records is too small for a batch of " + std::to_string(batch_size) +
                    " on each of " + std::to_string(ranks) + " ranks: it needs at least " +
                    std::to_string(batch_size * ranks) + ".");
}

void BatchOrder::records_of(std::int64_t batch, std::span<std::int64_t> into) const {
  const Permutation shuffled(records, seed, batch / batches_per_epoch());
  std::int64_t position = (batch % batches_per_epoch()) * batch_size * ranks + rank;
  for (std::int64_t& record : into) {
    record = shuffled(position);
    position += ranks;
  }
}

}  // namespace peakline
