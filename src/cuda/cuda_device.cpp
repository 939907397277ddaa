#include "cuda/cuda_device.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "core/error.h"
#include "core/units.h"
#include "cuda/cuda_buffer.h"
#include "cuda/cuda_gate.h"
#include "cuda/cuda_link.h"
#include "cuda/cuda_timeline.h"
#include "cuda/device_info.h"
#include "cuda/gemm_kernel.h"
#include "cuda/gemm_library.h"
#include "cuda/gpu_telemetry.h"
#include "cuda/launch.h"
#include "cuda/memory_operation.h"

namespace peakline::cuda {
namespace {

/// A GPU that runs slower than at its full clock waits longer.
long long ticks_of(double time_s, const DeviceInfo& info) {
  const auto clock_khz = std::get<std::int64_t>(info.facts.at("sm_clock_khz"));
  return static_cast<long long>(time_s * 1e3 * static_cast<double>(clock_khz));
}

constexpr double gate_limit_s = 1;

/// What to do about a kernel that the GPU cannot run; empty for any other error.
std::string advice_on_missing_code(cudaError_t status) {
  constexpr const char* build = "build it with that architecture in CMAKE_CUDA_ARCHITECTURES";
  switch (status) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction: return build;
    case cudaErrorUnsupportedPtxVersion: return std::string(build) + ", or update the driver";
    default: return "";
  }
}

/// A kernel that this architecture has no code for would fail at its first launch, far from here.
void refuse_unknown_architecture(const DeviceInfo& info) {
  cudaFuncAttributes attributes{};
  const auto kernel = reinterpret_cast<const void*>(&kernels::copy);
  const cudaError_t status = cudaFuncGetAttributes(&attributes, kernel);
  const std::string advice = advice_on_missing_code(status);
  if (advice.empty()) {
    check(status);
    return;
  }
  cudaGetLastError();
  throw usage_error("this build has no code for " + info.model + " (compute capability " +
                    std::get<std::string>(info.facts.at("compute_capability")) + "): " + advice);
}

class RuntimeDevice final : public CudaDevice {
 public:
  explicit RuntimeDevice(int ordinal)
      : ordinal_(ordinal),
        info_(describe_gpu(ordinal)),
        gate_(stream_, ticks_of(gate_limit_s, info_)) {
    refuse_unknown_architecture(info_);
    multiprocessors_ = static_cast<int>(std::get<std::int64_t>(info_.facts.at("multiprocessors")));
    counters_ = allocate_device(sizeof(kernels::CheckCounters));
    gemm_library_ = std::make_unique<GemmLibrary>(stream_, compute_major());
    info_.math_library = gemm_library_->name();
    link_ = make_cuda_link(stream_, ordinal);
    telemetry_ = make_telemetry(bus_id_of(ordinal));
    info_.facts["telemetry"] = telemetry_.source;
    info_.facts.merge(telemetry_.facts);
  }

  CudaStream& stream() override { return stream_; }
  int ordinal() const override { return ordinal_; }
  int compute_major() const override {
    return std::stoi(std::get<std::string>(info_.facts.at("compute_capability")));
  }
  const DeviceInfo& info() const override { return info_; }

  std::unique_ptr<Buffer> allocate(std::size_t size_bytes) override {
    try {
      return std::make_unique<CudaBuffer>(size_bytes);
    } catch (const OutOfMemory&) {
      throw OutOfMemory("a buffer of " + format_si(static_cast<double>(size_bytes), "B") +
                        " does not fit into the memory of " + info_.model + ", which has " +
                        format_si(static_cast<double>(free_bytes()), "B") + " free");
    }
  }

  std::size_t free_bytes() const override {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    return free;
  }

  std::unique_ptr<Timeline> timeline() override { return make_cuda_timeline(stream_); }
  void synchronise() override { stream_.wait(); }
  Gate* gate() override { return &gate_; }

  void upload(Buffer& to, const void* from, std::size_t size_bytes) override {
    copy_to_device(to.data(), from, size_bytes);
    stream_.wait();
  }
  void download(void* to, const Buffer& from, std::size_t size_bytes) override {
    copy_to_host(to, from.data(), size_bytes);
  }

  void fill_random(Buffer& buffer, DataType type, std::uint64_t seed) override {
    const auto count = static_cast<std::int64_t>(buffer.size_bytes() / size_of(type));
    with_type(type, [&](auto zero) {
      using Number = decltype(zero);
      void (*kernel)(Number*, std::int64_t, std::uint64_t) = &kernels::fill_random;
      launch(stream_.get(), grid(count), kernel, static_cast<Number*>(buffer.data()), count, seed);
    });
  }

  void fill_bytes(Buffer& buffer, unsigned char byte) override {
    check(cudaMemsetAsync(buffer.data(), byte, buffer.size_bytes(), stream_.get()));
  }

  void fill_pattern(Buffer& buffer, DataType type, std::int64_t count, const PatternSpec& spec,
                    std::int64_t rank) override {
    with_type(type, [&](auto zero) {
      using Number = decltype(zero);
      void (*kernel)(Number*, std::int64_t, PatternSpec, std::int64_t) = &kernels::fill_pattern;
      launch(stream_.get(), grid(count), kernel, static_cast<Number*>(buffer.data()), count, spec,
             rank);
    });
  }

  PatternCheck check_reduced(const Buffer& buffer, DataType type, std::int64_t count,
                             const PatternSpec& spec) override {
    kernels::CheckCounters found{0, kernels::no_index};
    auto* counters = static_cast<kernels::CheckCounters*>(counters_.get());
    copy_to_device(counters, &found, sizeof found);
    with_type(type, [&](auto zero) {
      using Number = decltype(zero);
      void (*kernel)(const Number*, std::int64_t, PatternSpec, kernels::CheckCounters*) =
          &kernels::check_reduced;
      launch(stream_.get(), grid(count), kernel, static_cast<const Number*>(buffer.data()), count,
             spec, counters);
    });
    copy_to_host(&found, counters, sizeof found);
    PatternCheck result;
    result.checked = count;
    result.wrong = static_cast<std::int64_t>(found.wrong);
    if (found.wrong > 0) {
      result.first = mismatch_at(buffer, type, static_cast<std::int64_t>(found.first), spec);
    }
    return result;
  }

  std::string why_no_gemm(const GemmShape& shape, Implementation maker) const override {
    if (maker == Implementation::kernel) return why_no_kernel(shape, compute_major());
    return gemm_library_->why_not(shape);
  }
  std::unique_ptr<Operation> gemm(const GemmShape& shape, Implementation maker, const Buffer& a,
                                  const Buffer& b, Buffer& c) override {
    if (maker == Implementation::kernel) {
      return make_gemm_kernel(shape, a.data(), b.data(), c.data(), stream_.get());
    }
    return gemm_library_->product(shape, a, b, c);
  }

  std::unique_ptr<Operation> memory(MemoryKernel kernel, Buffer& a, const Buffer& b,
                                    const Buffer& c, std::int64_t count) override {
    return make_memory_operation(
        kernel,
        {static_cast<double*>(a.data()), static_cast<const double*>(b.data()),
         static_cast<const double*>(c.data()), count},
        stream_.get(), multiprocessors_);
  }

  DeviceLink* link() override { return link_.get(); }
  Telemetry* telemetry() override { return telemetry_.telemetry.get(); }

  std::optional<Ceiling> arithmetic_ceiling(DataType) override { return std::nullopt; }

 private:
  Grid grid(std::int64_t count) const { return grid_for(count, multiprocessors_); }

  /// Waits before as well: a copy of pageable memory waits within CUDA for all that comes before
  /// it in the stream (CUDA Runtime API, API synchronization behavior), where nobody watches.
  void copy_to_device(void* to, const void* from, std::size_t size_bytes) {
    stream_.wait();
    check(cudaMemcpyAsync(to, from, size_bytes, cudaMemcpyHostToDevice, stream_.get()));
  }

  void copy_to_host(void* to, const void* from, std::size_t size_bytes) {
    stream_.wait();  // as in copy_to_device
    check(cudaMemcpyAsync(to, from, size_bytes, cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
  }

  Mismatch mismatch_at(const Buffer& buffer, DataType type, std::int64_t index,
                       const PatternSpec& spec) {
    Mismatch mismatch{index, 0, pattern_expected(spec, index), {}};
    with_type(type, [&](auto found) {
      copy_to_host(&found, static_cast<const decltype(found)*>(buffer.data()) + index,
                   sizeof found);
      const auto value = static_cast<double>(found);
      if (std::isfinite(value)) mismatch.found = value;
    });
    return mismatch;
  }

  int ordinal_;
  DeviceInfo info_;
  CudaStream stream_;
  CudaGate gate_;
  int multiprocessors_ = 1;
  DeviceMemory counters_;
  std::unique_ptr<GemmLibrary> gemm_library_;
  std::unique_ptr<DeviceLink> link_;
  GpuTelemetry telemetry_;
};

}  // namespace

std::unique_ptr<CudaDevice> make_cuda_device(int ordinal) {
  check(cudaSetDevice(ordinal));
  return std::make_unique<RuntimeDevice>(ordinal);
}

}  // namespace peakline::cuda
