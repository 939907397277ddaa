// The part of the CUDA runtime that knows streams and events.
#include <cuda_runtime_api.h>

#include <mutex>
#include <set>

#include "stream.h"

namespace {

std::mutex streams_mutex;
std::set<emulated::Stream*> live_streams;

emulated::Event& event_of(cudaEvent_t handle) {
  return *reinterpret_cast<emulated::Event*>(handle);
}

cudaError_t ready_or_not(bool ready) {
  if (emulated::sticky_error() != cudaSuccess) return emulated::sticky_error();
  return ready ? cudaSuccess : cudaErrorNotReady;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
  auto* made = new emulated::Stream;
  const std::lock_guard lock(streams_mutex);
  live_streams.insert(made);
  *stream = reinterpret_cast<cudaStream_t>(made);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  auto* destroyed = reinterpret_cast<emulated::Stream*>(stream);
  {
    const std::lock_guard lock(streams_mutex);
    if (live_streams.erase(destroyed) == 0) return cudaErrorInvalidValue;
  }
  delete destroyed;
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (emulated::stream_of(stream).captured() != nullptr) return cudaErrorStreamCaptureUnsupported;
  return ready_or_not(emulated::stream_of(stream).is_idle());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (emulated::stream_of(stream).captured() != nullptr) return cudaErrorStreamCaptureUnsupported;
  emulated::stream_of(stream).wait();
  return emulated::sticky_error();
}

cudaError_t cudaDeviceSynchronize() {
  const std::lock_guard lock(streams_mutex);
  for (emulated::Stream* stream : live_streams) stream->wait();
  emulated::stream_of(nullptr).wait();
  return emulated::sticky_error();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) {
  *event = reinterpret_cast<cudaEvent_t>(new emulated::Event);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete &event_of(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (emulated::sticky_error() != cudaSuccess) return emulated::sticky_error();
  event_of(event).record_in(emulated::stream_of(stream));
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (emulated::sticky_error() != cudaSuccess) return emulated::sticky_error();
  event_of(event).hold_up(emulated::stream_of(stream));
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return ready_or_not(event_of(event).is_reached()); }

cudaError_t cudaEventElapsedTime(float* elapsed_ms, cudaEvent_t begin, cudaEvent_t end) {
  if (!event_of(begin).is_reached() || !event_of(end).is_reached()) return cudaErrorNotReady;
  const std::chrono::duration<float, std::milli> elapsed =
      event_of(end).time() - event_of(begin).time();
  *elapsed_ms = elapsed.count();
  return cudaSuccess;
}

}  // extern "C"
