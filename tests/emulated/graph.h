#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <vector>

namespace emulated {

using Works = std::vector<std::function<void()>>;

/// What a stream recorded, and what holds on to it: NCCL's calls must not lose their communicator.
struct Graph {
  Works works;
  std::vector<std::function<void()>> at_end;  ///< called when the last copy has gone

  Graph() = default;
  ~Graph() {
    for (const auto& call : at_end) call();
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
};

/// What cudaGraph_t and cudaGraphExec_t stand for. A launch keeps the graph until it is done.
using SharedGraph = std::shared_ptr<Graph>;

}  // namespace emulated

/// For the emulated NCCL, in the place of the CUDA runtime's user objects: `function` is called
/// with `data` when the graph that `stream` records, and all that was made of it, is gone. False
/// when nothing is recorded.
extern "C" bool peakline_emulated_at_end_of_graph(cudaStream_t stream, cudaHostFn_t function,
                                                  void* data);
