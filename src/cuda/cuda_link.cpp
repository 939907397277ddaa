#include "cuda/cuda_link.h"

#include <optional>
#include <vector>

#include "core/device.h"
#include "core/error.h"
#include "cuda/cuda_buffer.h"
#include "cuda/device_info.h"
#include "cuda/handles.h"
#include "cuda/launch.h"
#include "cuda/numa.h"

namespace peakline::cuda {
namespace {

/// Keeps pages pinned for as long as it lives.
class Pinning {
 public:
  explicit Pinning(const HostPages& pages) : data_(pages.data()) {
    check(cudaHostRegister(data_, pages.size_bytes(), cudaHostRegisterPortable));
  }
  ~Pinning() { static_cast<void>(cudaHostUnregister(data_)); }
  Pinning(const Pinning&) = delete;
  Pinning& operator=(const Pinning&) = delete;

 private:
  void* data_;
};

class HostBuffer final : public Buffer {
 public:
  HostBuffer(std::size_t size_bytes, HostMemory memory, std::optional<int> numa_node)
      : pages_(size_bytes, numa_node), size_bytes_(size_bytes) {
    if (memory == HostMemory::pinned) pinning_.emplace(pages_);
  }
  void* data() override { return pages_.data(); }
  const void* data() const override { return pages_.data(); }
  std::size_t size_bytes() const override { return size_bytes_; }

 private:
  HostPages pages_;
  std::size_t size_bytes_;
  std::optional<Pinning> pinning_;
};

/// Another GPU is the current one while this lives.
class OtherGpu {
 public:
  OtherGpu(int other, int own) : own_(own) { check(cudaSetDevice(other)); }
  ~OtherGpu() { static_cast<void>(cudaSetDevice(own_)); }
  OtherGpu(const OtherGpu&) = delete;
  OtherGpu& operator=(const OtherGpu&) = delete;

 private:
  int own_;
};

/// The first part in the device's stream, the others in streams of their own, which begin when the
/// device's gets there and which it waits for.
class Copies final : public Operation {
 public:
  Copies(const std::vector<CopyPart>& parts, const CudaStream& stream)
      : parts_(parts), stream_(&stream), begin_(make_event()) {
    while (others_.size() + 1 < parts_.size()) others_.push_back({make_stream(), make_event()});
  }

  void enqueue() override {
    if (!others_.empty()) check(cudaEventRecord(begin_.get(), stream_->get()));
    copy(parts_.front(), stream_->get());
    for (std::size_t i = 0; i < others_.size(); ++i) {
      const auto& [stream, end] = others_[i];
      check(cudaStreamWaitEvent(stream.get(), begin_.get(), 0));
      copy(parts_[i + 1], stream.get());
      check(cudaEventRecord(end.get(), stream.get()));
      check(cudaStreamWaitEvent(stream_->get(), end.get(), 0));
    }
  }

 private:
  struct Other {
    Stream stream;
    Event end;
  };

  static void copy(const CopyPart& part, cudaStream_t stream) {
    check(cudaMemcpyAsync(part.to->data(), part.from->data(), part.to->size_bytes(),
                          cudaMemcpyDefault, stream));
  }

  std::vector<CopyPart> parts_;
  const CudaStream* stream_;
  Event begin_;
  std::vector<Other> others_;
};

class EmptyKernel final : public Operation {
 public:
  explicit EmptyKernel(cudaStream_t stream) : stream_(stream) {}
  void enqueue() override { launch(stream_, Grid{}, &kernels::do_nothing); }

 private:
  cudaStream_t stream_;
};

class CudaLink final : public DeviceLink {
 public:
  CudaLink(const CudaStream& stream, int ordinal)
      : stream_(&stream),
        ordinal_(ordinal),
        numa_nodes_(find_numa_nodes("/sys", bus_id_of(ordinal))) {}

  std::unique_ptr<Buffer> allocate_on_host(std::size_t size_bytes, HostMemory memory,
                                           NumaPlace place) override {
    return std::make_unique<HostBuffer>(size_bytes, memory, numa_nodes_.at(place));
  }

  std::unique_ptr<Buffer> allocate_on_peer(const std::string& label,
                                           std::size_t size_bytes) override {
    int visible = 0;
    check(cudaGetDeviceCount(&visible));
    for (int peer = 0; peer < visible; ++peer) {
      if (gpu_label(peer) != label) continue;
      enable_peer(peer);
      const OtherGpu current(peer, ordinal_);
      return std::make_unique<CudaBuffer>(size_bytes);
    }
    throw usage_error("this process does not see " + label + ", so that it cannot copy to it");
  }

  std::unique_ptr<Operation> copy(const std::vector<CopyPart>& parts) override {
    return std::make_unique<Copies>(parts, *stream_);
  }

  std::unique_ptr<Operation> empty_kernel() override {
    return std::make_unique<EmptyKernel>(stream_->get());
  }

 private:
  /// Without it the driver takes copies through the host.
  void enable_peer(int peer) const {
    int possible = 0;
    check(cudaDeviceCanAccessPeer(&possible, ordinal_, peer));
    if (possible == 0 || peer == ordinal_) return;
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
    } else {
      check(status);
    }
  }

  const CudaStream* stream_;
  int ordinal_;
  NumaNodes numa_nodes_;
};

}  // namespace

std::unique_ptr<DeviceLink> make_cuda_link(const CudaStream& stream, int ordinal) {
  return std::make_unique<CudaLink>(stream, ordinal);
}

}  // namespace peakline::cuda
