#include "host/host_device.h"

#include <cblas.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "core/error.h"
#include "core/host_timeline.h"
#include "core/units.h"
#include "host/binding.h"
#include "host/blas_threads.h"
#include "host/cpu.h"
#include "host/fma_ceiling.h"
#include "host/fma_kernel.h"
#include "host/host_kernels.h"

namespace peakline::host {
namespace {

constexpr std::size_t page_bytes = 4096;

class HostBuffer final : public Buffer {
 public:
  explicit HostBuffer(std::size_t size_bytes) : size_bytes_(size_bytes) {
    const std::size_t pages = (size_bytes + page_bytes - 1) / page_bytes;
    data_.reset(std::aligned_alloc(page_bytes, std::max<std::size_t>(pages, 1) * page_bytes));
  }
  void* data() override { return data_.get(); }
  const void* data() const override { return data_.get(); }
  std::size_t size_bytes() const override { return size_bytes_; }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> data_;
  std::size_t size_bytes_;
};

template <typename Number>
class HostGemm final : public Operation {
 public:
  HostGemm(const GemmShape& shape, const Buffer& a, const Buffer& b, Buffer& c)
      : m_(static_cast<int>(shape.m)),
        n_(static_cast<int>(shape.n)),
        k_(static_cast<int>(shape.k)),
        a_(static_cast<const Number*>(a.data())),
        b_(static_cast<const Number*>(b.data())),
        c_(static_cast<Number*>(c.data())) {}

  void enqueue() override {
    if constexpr (std::is_same_v<Number, float>) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m_, n_, k_, 1.0F, a_, k_, b_, n_, 0.0F,
                  c_, n_);
    } else {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m_, n_, k_, 1.0, a_, k_, b_, n_, 0.0,
                  c_, n_);
    }
  }

 private:
  int m_;
  int n_;
  int k_;
  const Number* a_;
  const Number* b_;
  Number* c_;
};

class HostMemoryKernel final : public Operation {
 public:
  HostMemoryKernel(MemoryKernel kernel, Buffer& a, const Buffer& b, const Buffer& c,
                   std::int64_t count, int threads)
      : kernel_(kernel),
        a_(static_cast<double*>(a.data())),
        b_(static_cast<const double*>(b.data())),
        c_(static_cast<const double*>(c.data())),
        count_(count),
        threads_(threads) {}

  void enqueue() override {
    switch (kernel_) {
      case MemoryKernel::copy: copy(a_, b_, count_, threads_); break;
      case MemoryKernel::scale: scale(a_, b_, count_, threads_); break;
      case MemoryKernel::triad: triad(a_, b_, c_, count_, threads_); break;
      case MemoryKernel::read: read(a_, b_, count_, threads_); break;
      case MemoryKernel::memcpy: copy_by_library(a_, b_, count_, threads_); break;
    }
  }

 private:
  MemoryKernel kernel_;
  double* a_;
  const double* b_;
  const double* c_;
  std::int64_t count_;
  int threads_;
};

class HostDevice final : public Device {
 public:
  explicit HostDevice(std::int64_t threads) : threads_(static_cast<int>(threads)) {
    info_.facts["blas_threads"] =
        set_blas_threads(threads_) ? ParamValue(threads) : ParamValue("chosen by the library");
    info_.model = cpu_model();
    info_.label = "cpu" + format_cpus(bound_cpus());
    info_.devices_per_node = online_cpus();
    info_.threads = threads;
    info_.timer = host_timer;
    info_.math_library = blas_description();
    if (const auto quota = cpu_quota()) {
      info_.facts["cpu_quota_percent"] = static_cast<std::int64_t>(*quota * 100);
    }
    info_.facts["vector_instructions"] = std::string(fma_kernel(DataType::float32).instruction_set);
  }

  const DeviceInfo& info() const override { return info_; }

  std::unique_ptr<Buffer> allocate(std::size_t size_bytes) override {
    // Linux promises more than it has, so a size that cannot be kept is refused here, not by a
    // signal.
    auto buffer = size_bytes < free_bytes() ? std::make_unique<HostBuffer>(size_bytes) : nullptr;
    if (buffer && buffer->data() != nullptr) return buffer;
    throw OutOfMemory("a buffer of " + format_si(static_cast<double>(size_bytes), "B") +
                      " does not fit into host memory");
  }
  std::size_t free_bytes() const override { return available_memory_bytes(); }

  std::unique_ptr<Timeline> timeline() override { return make_host_timeline(); }
  void synchronise() override {}

  void upload(Buffer& to, const void* from, std::size_t size_bytes) override {
    std::memcpy(to.data(), from, size_bytes);
  }
  void download(void* to, const Buffer& from, std::size_t size_bytes) override {
    std::memcpy(to, from.data(), size_bytes);
  }
  void fill_random(Buffer& buffer, DataType type, std::uint64_t seed) override {
    const auto count = static_cast<std::int64_t>(buffer.size_bytes() / size_of(type));
    host::fill_random(buffer.data(), type, count, seed, threads_);
  }
  void fill_bytes(Buffer& buffer, unsigned char byte) override {
    std::memset(buffer.data(), byte, buffer.size_bytes());
  }
  void fill_pattern(Buffer& buffer, DataType type, std::int64_t count, const PatternSpec& spec,
                    std::int64_t rank) override {
    host::fill_pattern(buffer.data(), type, count, spec, rank, threads_);
  }
  PatternCheck check_reduced(const Buffer& buffer, DataType type, std::int64_t count,
                             const PatternSpec& spec) override {
    return host::check_reduced(buffer.data(), type, count, spec, threads_);
  }

  std::string why_no_gemm(const GemmShape& shape, Implementation maker) const override {
    if (maker == Implementation::kernel) return "there is a kernel of Peakline's own for GPUs only";
    if (has_gemm(shape.type)) return "";
    return info_.math_library + " has no GEMM of " + std::string(name_of(shape.type));
  }
  std::unique_ptr<Operation> gemm(const GemmShape& shape, Implementation, const Buffer& a,
                                  const Buffer& b, Buffer& c) override {
    if (shape.type == DataType::float64) return std::make_unique<HostGemm<double>>(shape, a, b, c);
    return std::make_unique<HostGemm<float>>(shape, a, b, c);
  }
  std::unique_ptr<Operation> memory(MemoryKernel kernel, Buffer& a, const Buffer& b,
                                    const Buffer& c, std::int64_t count) override {
    return std::make_unique<HostMemoryKernel>(kernel, a, b, c, count, threads_);
  }

  std::optional<Ceiling> arithmetic_ceiling(DataType type) override {
    if (!has_gemm(type)) return std::nullopt;
    constexpr double duration_s = 0.02;
    return Ceiling{fma_flops(type, threads_, duration_s),
                   std::string("register-only multiply-adds, ") + fma_kernel(type).instruction_set +
                       ", " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads")};
  }

 private:
  static bool has_gemm(DataType type) {
    return type == DataType::float32 || type == DataType::float64;
  }

  int threads_;
  DeviceInfo info_;
};

}  // namespace

std::unique_ptr<Device> make_host_device(std::int64_t threads) {
  return std::make_unique<HostDevice>(threads);
}

}  // namespace peakline::host
