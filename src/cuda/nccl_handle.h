#pragma once

#include <nccl.h>

#include <memory>
#include <vector>

#include "cuda/handles.h"

namespace peakline::cuda {

/// A communicator of NCCL. It is given up instead of ended while an exception is on its way,
/// because a peer may be gone and a proper end would wait for it. Either way NCCL waits until no
/// graph holds calls of it any more (2.28 src/init.cc, commDestroySync), so these go first.
class NcclHandle {
 public:
  explicit NcclHandle(ncclComm_t communicator);
  ~NcclHandle();
  NcclHandle(const NcclHandle&) = delete;
  NcclHandle& operator=(const NcclHandle&) = delete;

  /// Null once it was given up.
  ncclComm_t get() const { return communicator_; }
  void abort() noexcept;

  /// The graph behind `graph`, which is emptied when the communicator goes.
  void outlive(const std::shared_ptr<GraphExec>& graph);

 private:
  void drop_graphs() noexcept;

  ncclComm_t communicator_;
  int exceptions_before_;
  std::vector<std::weak_ptr<GraphExec>> graphs_;
};

}  // namespace peakline::cuda
