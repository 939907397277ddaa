#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/world.h"

namespace peakline {

/// A world of any size in which only rank 0 is real. Every other rank says what rank 0 says, except
/// for its own host, and for its numbers when `number_of` is given.
class FakeWorld final : public World {
 public:
  using NumberOf = std::function<double(int rank, double of_rank_0)>;

  explicit FakeWorld(std::vector<std::string> hosts, NumberOf number_of = {});

  /// Called with the name of each function that a real world would communicate in.
  std::function<void(const char* name)> on_call = [](const char*) {};

  int rank() const override { return 0; }
  int size() const override { return static_cast<int>(hosts_.size()); }
  const std::string& host() const override { return hosts_.front(); }
  void barrier() override { on_call("barrier"); }
  std::vector<double> gather(double value) override;
  std::vector<std::string> gather(const std::string& text) override;
  void maximum(std::span<double> values) override;
  std::int64_t agree(std::int64_t decision_of_rank_0) override;
  std::string agree(const std::string& text_of_rank_0) override;
  std::unique_ptr<World> split(int group) override;

 private:
  std::vector<double> all_numbers(double of_rank_0) const;

  std::vector<std::string> hosts_;
  NumberOf number_of_;
};

/// Calls `body` on one thread for each host, each with its rank of one world whose ranks truly
/// disagree, wait for each other and agree. When a body throws, the ranks that wait for it are let
/// go, and the exception of the lowest rank that threw by itself leaves this function.
void run_ranks(const std::vector<std::string>& hosts, const std::function<void(World&)>& body);

}  // namespace peakline
