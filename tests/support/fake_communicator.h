#pragma once

#include <stdexcept>

#include "core/communicator.h"
#include "support/fake_device.h"

namespace peakline {

/// Stands where a Context needs a communicator and the benchmark under test uses none.
class FakeCommunicator final : public Communicator {
 public:
  FakeCommunicator(int rank, int size, CallLog& log) : rank_(rank), size_(size), log_(&log) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name() const override { return "fake communicator"; }
  bool supports(CollectiveKind, DataType, Placement, ReduceOp) const override { return false; }
  void allreduce(const Buffer&, Buffer&, std::int64_t, DataType, ReduceOp) override { refuse(); }
  void broadcast(const Buffer&, Buffer&, std::int64_t, DataType, int) override { refuse(); }
  void shift_ring(const Buffer&, Buffer&, std::int64_t) override { refuse(); }
  std::unique_ptr<Communicator> split(int) override { refuse(); }
  void abort() noexcept override { log_->push_back("abort"); }

 private:
  [[noreturn]] static void refuse() { throw std::logic_error("FakeCommunicator moves no data"); }

  int rank_;
  int size_;
  CallLog* log_;
};

}  // namespace peakline
