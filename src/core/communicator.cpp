#include "core/communicator.h"

#include <stdexcept>

namespace peakline {

std::unique_ptr<Buffer> Communicator::allocate_registered(std::size_t) {
  throw std::logic_error(name() + " has no registered buffers, and was asked for one");
}

std::unique_ptr<Operation> Communicator::record(const std::function<void()>&) {
  throw std::logic_error(name() + " cannot record calls, and was asked to");
}

}  // namespace peakline
