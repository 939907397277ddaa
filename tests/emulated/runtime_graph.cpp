// The part of the CUDA runtime that records streams into graphs, and launches these.
#include <cuda_runtime_api.h>

#include <utility>

#include "graph.h"
#include "stream.h"

namespace {

using emulated::SharedGraph;

SharedGraph& graph_of(void* handle) { return *static_cast<SharedGraph*>(handle); }

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr) return cudaErrorStreamCaptureUnsupported;
  return emulated::stream_of(stream).begin_capture() ? cudaSuccess : cudaErrorIllegalState;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  SharedGraph captured = emulated::stream_of(stream).end_capture();
  if (captured == nullptr) return cudaErrorIllegalState;
  *graph = reinterpret_cast<cudaGraph_t>(new SharedGraph(std::move(captured)));
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const bool capturing = emulated::stream_of(stream).captured() != nullptr;
  *status = capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  *ready = reinterpret_cast<cudaGraphExec_t>(new SharedGraph(graph_of(graph)));
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return emulated::sticky_error(); }

cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t stream) {
  if (emulated::sticky_error() != cudaSuccess) return emulated::sticky_error();
  if (ready == nullptr) return cudaErrorInvalidValue;
  emulated::stream_of(stream).enqueue([graph = graph_of(ready)] {
    for (const auto& work : graph->works) work();
  });
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete &graph_of(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready) {
  delete &graph_of(ready);
  return cudaSuccess;
}

bool peakline_emulated_at_end_of_graph(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const SharedGraph graph = emulated::stream_of(stream).captured();
  if (graph == nullptr) return false;
  graph->at_end.emplace_back([=] { function(data); });
  return true;
}

}  // extern "C"
