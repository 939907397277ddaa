#include "cuda/nccl_handle.h"

#include <exception>
#include <utility>

namespace peakline::cuda {

NcclHandle::NcclHandle(ncclComm_t communicator)
    : communicator_(communicator), exceptions_before_(std::uncaught_exceptions()) {}

NcclHandle::~NcclHandle() {
  if (std::uncaught_exceptions() > exceptions_before_) abort();
  drop_graphs();
  if (communicator_ != nullptr) ncclCommDestroy(communicator_);
}

void NcclHandle::abort() noexcept {
  drop_graphs();
  if (communicator_ != nullptr) ncclCommAbort(std::exchange(communicator_, nullptr));
}

void NcclHandle::outlive(const std::shared_ptr<GraphExec>& graph) {
  std::erase_if(graphs_, [](const auto& other) { return other.expired(); });
  graphs_.push_back(graph);
}

void NcclHandle::drop_graphs() noexcept {
  for (const std::weak_ptr<GraphExec>& graph : graphs_) {
    if (const auto kept = graph.lock()) kept->reset();
  }
  graphs_.clear();
}

}  // namespace peakline::cuda
