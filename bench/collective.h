#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/rotation.h"
#include "core/benchmark.h"

namespace peakline {

/// What the collectives have in common: buffers, verification by pattern, metrics. A collective
/// says how it is enqueued and what its exact result is.
class CollectiveBenchmark : public Benchmark {
 public:
  CollectiveBenchmark(Context& context, const CaseId& id);

  CallChoice first_step() override;
  void step() override;
  std::int64_t operations_per_step() const override;
  TimingMode mode() const override { return mode_; }
  void prepare_check(std::uint64_t seed) override;
  Verification verify(std::uint64_t seed) override;
  Notes take_notes() override;
  std::vector<Result> results(const Observations& observations, Result measured) const override;

 protected:
  virtual void enqueue(const Buffer& send, Buffer& receive) = 0;

  /// The pattern whose reduced result every rank must hold afterwards.
  virtual PatternSpec pattern(std::uint64_t seed) const = 0;

  /// Whether this rank's send buffer holds input, and as which rank of the pattern.
  virtual bool gives_input() const = 0;
  virtual std::int64_t pattern_rank() const = 0;

  Context& context() const { return *context_; }
  const CaseId& id() const { return id_; }
  DataType type() const { return type_; }
  std::int64_t count() const { return count_; }

 private:
  std::unique_ptr<Buffer> allocate(std::size_t size_bytes);
  void enqueue_next();
  void record_graphs();

  Context* context_;
  CaseId id_;
  DataType type_;
  Placement placement_;
  TimingMode mode_;
  BufferKind buffers_;
  LaunchKind launch_;
  std::int64_t count_;
  Rotation rotation_;
  std::size_t slice_ = 0;         ///< of the next operation
  std::unique_ptr<Buffer> send_;  ///< all slices; null when in place
  std::unique_ptr<Buffer> receive_;
  std::unique_ptr<Buffer> ring_partner_;  ///< for the ring's probe when there is no send_
  std::unique_ptr<Buffer> fresh_send_;    ///< of the next verify()
  std::unique_ptr<Buffer> fresh_receive_;
  std::vector<std::unique_ptr<Operation>> graphs_;  ///< go before the buffers that they use
  std::size_t next_graph_ = 0;
};

}  // namespace peakline
