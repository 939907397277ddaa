#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/case_id.h"

namespace peakline {

/// The control plane: how the ranks of one run agree. Every function is called by all ranks.
class World {
 public:
  virtual ~World() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual const std::string& host() const = 0;  ///< of this rank

  virtual void barrier() = 0;

  /// One item of each rank, in rank order, on rank 0; empty on the others.
  virtual std::vector<double> gather(double value) = 0;
  virtual std::vector<std::string> gather(const std::string& text) = 0;

  /// Replaces each element by its maximum over the ranks, on every rank.
  virtual void maximum(std::span<double> values) = 0;

  /// What rank 0 says, on every rank.
  virtual std::int64_t agree(std::int64_t decision_of_rank_0) = 0;
  virtual std::string agree(const std::string& text_of_rank_0) = 0;

  /// The ranks that name the same group, as a world of their own, in rank order.
  virtual std::unique_ptr<World> split(int group) = 0;

  double maximum(double value) {
    maximum(std::span(&value, 1));
    return value;
  }
  bool is_root() const { return rank() == 0; }
};

/// How many ranks of lower number are on the same node. Collective.
int local_rank_of(World& world);

/// One line of text of each rank of this rank's node, in rank order. Collective.
std::vector<std::string> gather_on_node(World& world, const std::string& line);

/// Ranks, nodes and ranks per node, told from the host names; the same on every rank.
Scope scope_of(World& world);

}  // namespace peakline
