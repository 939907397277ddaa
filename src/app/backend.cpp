#include "app/backend.h"

#include "core/error.h"
#include "host/binding.h"
#include "host/host_device.h"
#include "mpi/host_communicator.h"

namespace peakline {
namespace {

constexpr const char* no_cuda = "this build has no CUDA backend";

Backend make_host_backend(World& world, std::string why) {
  Backend backend{"host", std::move(why), nullptr, nullptr};
  backend.device = host::make_host_device(host::threads_per_rank(world));
  backend.communicator = mpi::make_host_communicator(world);
  return backend;
}

}  // namespace

Backend make_backend(DeviceChoice choice, World& world) {
  switch (choice) {
    case DeviceChoice::cuda:
      throw usage_error(std::string("--device cuda cannot be had: ") + no_cuda +
                        "; use --device host.");
    case DeviceChoice::automatic:
      return make_host_backend(world, std::string("host, because ") + no_cuda);
    case DeviceChoice::host: break;
  }
  return make_host_backend(world, "host, as asked for");
}

}  // namespace peakline
