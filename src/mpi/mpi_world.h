#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/world.h"

namespace peakline::mpi {

/// The control plane over an MPI communicator. It talks in both directions alike, where one would
/// do (Allgather for a gather, Allreduce for a decision): after one-sided traffic Open MPI's shared
/// memory carries the small messages that are measured next more slowly, and
/// scripts/bench_fidelity.sh would show it.
class MpiWorld final : public World {
 public:
  enum class Ownership { owned, borrowed };

  MpiWorld(MPI_Comm communicator, Ownership ownership);
  ~MpiWorld() override;
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;

  using World::maximum;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  const std::string& host() const override { return host_; }
  void barrier() override;
  std::vector<double> gather(double value) override;
  std::vector<std::string> gather(const std::string& text) override;
  void maximum(std::span<double> values) override;
  std::int64_t agree(std::int64_t decision_of_rank_0) override;
  std::string agree(const std::string& text_of_rank_0) override;
  std::unique_ptr<World> split(int group) override;

  MPI_Comm communicator() const { return communicator_; }

 private:
  MPI_Comm communicator_;
  Ownership ownership_;
  int rank_ = 0;
  int size_ = 1;
  std::string host_;
};

}  // namespace peakline::mpi
