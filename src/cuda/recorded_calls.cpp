#include "cuda/recorded_calls.h"

#include <utility>

#include "cuda/check.h"

namespace peakline::cuda {
namespace {

/// A stream that records instead of running, and runs again at the latest when an exception passes.
class Capture {
 public:
  explicit Capture(cudaStream_t stream) : stream_(stream) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  }
  ~Capture() {
    cudaGraph_t abandoned = nullptr;
    if (stream_ == nullptr || cudaStreamEndCapture(stream_, &abandoned) != cudaSuccess) return;
    cudaGraphDestroy(abandoned);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  Graph end() {
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(std::exchange(stream_, nullptr), &graph));
    return Graph(graph);
  }

 private:
  cudaStream_t stream_;
};

class RecordedCalls final : public Operation {
 public:
  RecordedCalls(std::shared_ptr<GraphExec> graph, cudaStream_t stream)
      : graph_(std::move(graph)), stream_(stream) {}
  void enqueue() override { check(cudaGraphLaunch(graph_->get(), stream_)); }

 private:
  std::shared_ptr<GraphExec> graph_;
  cudaStream_t stream_;
};

}  // namespace

std::unique_ptr<Operation> record_calls(cudaStream_t stream, NcclHandle& communicator,
                                        const std::function<void()>& calls) {
  Capture capture(stream);
  calls();
  const Graph graph = capture.end();
  cudaGraphExec_t ready = nullptr;
  check(cudaGraphInstantiate(&ready, graph.get(), 0));
  auto kept = std::make_shared<GraphExec>(ready);
  check(cudaGraphUpload(ready, stream));  // or the first launch would
  communicator.outlive(kept);
  return std::make_unique<RecordedCalls>(std::move(kept), stream);
}

}  // namespace peakline::cuda
