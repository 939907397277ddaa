#include "cuda/registered_buffer.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/units.h"
#include "cuda/nccl_check.h"
#include "cuda/nccl_registration.h"

namespace peakline::cuda {
namespace {

using NcclMemory = std::unique_ptr<void, Closer<free_memory>>;

class RegisteredBuffer final : public Buffer {
 public:
  RegisteredBuffer(std::shared_ptr<const NcclHandle> communicator, NcclMemory memory,
                   std::size_t size_bytes)
      : communicator_(std::move(communicator)),
        memory_(std::move(memory)),
        size_bytes_(size_bytes) {
    check(register_memory(communicator_->get(), memory_.get(), std::max(size_bytes, one_byte),
                          &registration_),
          communicator_->get());
  }
  ~RegisteredBuffer() override {
    if (communicator_->get() != nullptr) deregister_memory(communicator_->get(), registration_);
  }
  RegisteredBuffer(const RegisteredBuffer&) = delete;
  RegisteredBuffer& operator=(const RegisteredBuffer&) = delete;

  void* data() override { return memory_.get(); }
  const void* data() const override { return memory_.get(); }
  std::size_t size_bytes() const override { return size_bytes_; }

  static constexpr std::size_t one_byte = 1;  // NCCL allocates and registers no less

 private:
  std::shared_ptr<const NcclHandle> communicator_;
  NcclMemory memory_;
  std::size_t size_bytes_;
  void* registration_ = nullptr;
};

/// NCCL's word for a full GPU is its word for every failure of CUDA.
NcclMemory allocate(const NcclHandle& communicator, const Device& device, std::size_t size_bytes) {
  void* memory = nullptr;
  const ncclResult_t status =
      allocate_memory(&memory, std::max(size_bytes, RegisteredBuffer::one_byte));
  if (status == ncclSuccess) return NcclMemory(memory);
  const std::size_t free_bytes = device.free_bytes();
  if (free_bytes <= size_bytes) {
    throw OutOfMemory("a registered buffer of " + format_si(static_cast<double>(size_bytes), "B") +
                      " does not fit into the memory of " + device.info().model + ", which has " +
                      format_si(static_cast<double>(free_bytes), "B") + " free");
  }
  check(status, communicator.get());
  return nullptr;
}

}  // namespace

std::unique_ptr<Buffer> make_registered_buffer(std::shared_ptr<const NcclHandle> communicator,
                                               const Device& device, std::size_t size_bytes) {
  NcclMemory memory = allocate(*communicator, device, size_bytes);
  return std::make_unique<RegisteredBuffer>(std::move(communicator), std::move(memory), size_bytes);
}

}  // namespace peakline::cuda
