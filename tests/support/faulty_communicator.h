#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "core/communicator.h"

namespace peakline {

/// A communicator that does its work and then spoils it, as broken hardware would.
class FaultyCommunicator final : public Communicator {
 public:
  /// Called after every allreduce with the received data; and before it with a copy of what is
  /// sent.
  struct Faults {
    std::function<void(int rank, float* received, std::int64_t count)> spoil_received;
    std::function<bool(int rank)> drops_contribution;
  };

  FaultyCommunicator(Communicator& real, Faults faults)
      : real_(&real), faults_(std::move(faults)) {}

  int rank() const override { return real_->rank(); }
  int size() const override { return real_->size(); }
  std::string name() const override { return "faulty " + real_->name(); }
  bool supports(CollectiveKind kind, DataType type, Placement placement,
                ReduceOp op) const override {
    return real_->supports(kind, type, placement, op);
  }

  /// For float32 sums on host memory only: a dropped contribution is one of zeros.
  void allreduce(const Buffer& send, Buffer& receive, std::int64_t count, DataType type,
                 ReduceOp op) override {
    if (faults_.drops_contribution && faults_.drops_contribution(rank())) {
      auto* input = static_cast<float*>(const_cast<void*>(send.data()));
      std::memset(input, 0, static_cast<std::size_t>(count) * sizeof(float));
    }
    real_->allreduce(send, receive, count, type, op);
    if (faults_.spoil_received) {
      faults_.spoil_received(rank(), static_cast<float*>(receive.data()), count);
    }
  }
  void broadcast(const Buffer& send, Buffer& receive, std::int64_t count, DataType type,
                 int root) override {
    real_->broadcast(send, receive, count, type, root);
  }
  void shift_ring(const Buffer& send, Buffer& receive, std::int64_t size_bytes) override {
    real_->shift_ring(send, receive, size_bytes);
  }
  std::unique_ptr<Communicator> split(int group) override { return real_->split(group); }
  void abort() noexcept override { real_->abort(); }

 private:
  Communicator* real_;
  Faults faults_;
};

}  // namespace peakline
