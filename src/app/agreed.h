#pragma once

#include <functional>

#include "core/error.h"
#include "core/world.h"

namespace peakline {

/// Thrown on every rank at once, with what the lowest failing rank had to say: the ranks can leave
/// in good order, and rank 0 prints the sentence.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// Does `work` on every rank (or on rank 0 alone), then finds out whether it succeeded everywhere.
/// If not, every rank throws the same AgreedError. Collective: for everything outside the
/// measurement.
void on_every_rank(World& world, const std::function<void()>& work);
void on_root(World& world, const std::function<void()>& work);

}  // namespace peakline
