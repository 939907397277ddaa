#pragma once

#include <cstdint>
#include <span>

namespace peakline {

/// Which records make each batch of one rank: a pure function of these values and the batch's
/// number. Rank r takes the shuffled positions r, r + ranks, r + 2 ranks, ... of an epoch. What
/// does not fill a batch on every rank is left out of that epoch, so that all ranks take the same
/// number.
struct BatchOrder {
  std::int64_t records = 0;  ///< in the data set
  std::int64_t batch_size = 0;
  std::int64_t rank = 0;
  std::int64_t ranks = 1;
  std::uint64_t seed = 0;

  /// A usage Error when the records do not make one batch for each rank.
  void check() const;

  std::int64_t batches_per_epoch() const { return records / (batch_size * ranks); }

  /// The records of a batch; batches are numbered from 0 through all epochs. `into` holds one
  /// batch.
  void records_of(std::int64_t batch, std::span<std::int64_t> into) const;
};

}  // namespace peakline
