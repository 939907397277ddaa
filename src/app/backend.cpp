#include "app/backend.h"

#include <functional>
#include <map>

#include "app/accelerator_module.h"
#include "app/agreed.h"
#include "core/error.h"
#include "host/binding.h"
#include "host/host_device.h"
#include "mpi/host_communicator.h"

namespace peakline {
namespace {

Backend make_host_backend(World& world, std::string why) {
  Backend backend;
  backend.name = "host";
  backend.why = std::move(why);
  const std::int64_t threads = host::threads_per_rank(world);
  on_every_rank(world, [&] { backend.device = host::make_host_device(threads); });
  backend.communicator = mpi::make_host_communicator(world);
  return backend;
}

/// On rank 0, from the host and GPU of every rank. NCCL would refuse the same two, with fewer
/// words.
void refuse_shared_gpus(const std::vector<std::string>& hosts,
                        const std::vector<std::string>& bus_ids) {
  std::map<std::string, std::size_t> rank_on;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const auto [entry, is_new] = rank_on.emplace(hosts[rank] + " " + bus_ids[rank], rank);
    if (is_new) continue;
    throw usage_error("ranks " + std::to_string(entry->second) + " and " + std::to_string(rank) +
                      " on " + hosts[rank] + " both have the GPU " + bus_ids[rank] +
                      ": start as many ranks on each node as it has GPUs, and show each rank its "
                      "own or all of them (CUDA_VISIBLE_DEVICES)");
  }
}

/// What fails on one rank of many has a place.
void with_rank_and_host(const World& world, const std::function<void()>& work) {
  const std::string where = " (rank " + std::to_string(world.rank()) + " on " + world.host() + ")";
  try {
    work();
  } catch (const Error& failure) {
    throw Error(failure.status(), failure.what() + where, failure.place());
  } catch (const std::exception& failure) {
    throw Error(ExitStatus::run_failed, failure.what() + where);
  }
}

/// Throws an AgreedError on every rank when the GPUs cannot be used on any of them: a usage error
/// when there is none, or none that fits, and run_failed when one does not work.
Backend make_cuda_backend(World& world, double connect_limit_s) {
  Backend backend;
  backend.name = "cuda";
  const int local_rank = local_rank_of(world);
  AcceleratorIdentity identity;
  const auto on_each = [&](const std::function<void()>& work) {
    on_every_rank(world, [&] { with_rank_and_host(world, work); });
  };
  on_each([&] {
    backend.accelerator = load_accelerator();
    identity = backend.accelerator->choose(local_rank);
  });
  const std::vector<std::string> hosts = world.gather(world.host());
  const std::vector<std::string> bus_ids = world.gather(identity.bus_id);
  on_root(world, [&] { refuse_shared_gpus(hosts, bus_ids); });
  on_each([&] { backend.device = backend.accelerator->open_device(); });
  backend.communicator = backend.accelerator->connect(world, *backend.device, connect_limit_s);
  backend.why = "cuda, " + identity.model;
  return backend;
}

}  // namespace

Backend make_backend(DeviceChoice choice, World& world, double connect_limit_s) {
  if (choice == DeviceChoice::host) return make_host_backend(world, "host, as asked for");
  try {
    return make_cuda_backend(world, connect_limit_s);
  } catch (const AgreedError& obstacle) {
    if (obstacle.status() != ExitStatus::usage) throw;  // a broken GPU is no missing GPU
    if (choice == DeviceChoice::cuda) {
      throw AgreedError(ExitStatus::usage, std::string("--device cuda cannot be had: ") +
                                               obstacle.what() + ". Or use --device host.");
    }
    return make_host_backend(world,
                             std::string("host; no GPU is used, because ") + obstacle.what());
  }
}

}  // namespace peakline
