#pragma once

#include <memory>
#include <string>

#include "core/world.h"

namespace peakline::mpi {

/// MPI from Init to Finalize. Errors must be caught while it is alive: MPI_Finalize waits for every
/// rank, so unwinding past it would hang the job.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// All ranks.
  World& world() { return *world_; }

  /// Ends every rank of the job at once with this status; does not return.
  [[noreturn]] void abort(int status);

  /// Name and version of the MPI library.
  static std::string library();

 private:
  std::unique_ptr<World> world_;
};

}  // namespace peakline::mpi
