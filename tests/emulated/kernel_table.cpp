#include "kernel_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "block.h"
#include "cpu_kernel.h"
#include "kernels/gemm.h"
#include "kernels/kernels.h"

namespace emulated {
namespace {

/// Of a kernel whose threads know nothing of each other: one after the other.
template <typename Call>
void run_one_by_one(const Launch& launch, const Call& call) {
  const auto& [grid, block, shared_bytes, arguments] = launch;
  Position& here = position();
  here.grid_size = grid;
  here.block_size = block;
  for (here.block.x = 0; here.block.x < grid.x; ++here.block.x) {
    for (here.thread.x = 0; here.thread.x < block.x; ++here.thread.x) call();
  }
}

/// Whether the threads of a block wait for each other.
enum class Threads { alone, together };

template <auto Kernel, Threads threads>
struct Bound;

template <typename... Params, void (*Kernel)(Params...), Threads threads>
struct Bound<Kernel, threads> {
  static KernelRun bind(const Launch& launch) {
    return bind_each(launch, std::index_sequence_for<Params...>());
  }

 private:
  template <std::size_t... Index>
  static KernelRun bind_each(const Launch& launch, std::index_sequence<Index...>) {
    const std::tuple<Params...> values(*static_cast<Params*>(launch.arguments[Index])...);
    return [=] {
      const auto call = [&] { std::apply(Kernel, values); };
      if constexpr (threads == Threads::alone) {
        run_one_by_one(launch, call);
      } else {
        run_in_blocks(launch.grid, launch.block, launch.shared_bytes, call);
      }
    };
  }
};

template <auto Kernel, Threads threads = Threads::alone>
CpuKernel entry() {
  return {reinterpret_cast<const void*>(Kernel), &Bound<Kernel, threads>::bind};
}

using namespace peakline;

template <typename Number>
using FillRandom = void (*)(Number*, std::int64_t, std::uint64_t);
template <typename Number>
using FillPattern = void (*)(Number*, std::int64_t, PatternSpec, std::int64_t);
template <typename Number>
using CheckReduced = void (*)(const Number*, std::int64_t, PatternSpec, kernels::CheckCounters*);

template <typename Number>
using Multiply = void (*)(const Number*, const Number*, Number*, kernels::GemmExtents);

template <typename... Numbers>
auto gemm_entries_for() {
  return std::array{
      entry<static_cast<Multiply<Numbers>>(kernels::multiply), Threads::together>()...};
}

const auto gemm_kernels = gemm_entries_for<Float16, BFloat16, float>();

template <typename... Numbers>
auto entries_for() {
  return std::array{entry<static_cast<FillRandom<Numbers>>(kernels::fill_random)>()...,
                    entry<static_cast<FillPattern<Numbers>>(kernels::fill_pattern)>()...,
                    entry<static_cast<CheckReduced<Numbers>>(kernels::check_reduced)>()...};
}

const auto typed_kernels =
    entries_for<float, double, Float16, BFloat16, Float8E4M3, Float8E5M2, std::int8_t, std::uint8_t,
                std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>();

const std::array other_kernels{
    entry<&kernels::do_nothing>(), entry<&kernels::copy>(),  entry<&kernels::scale>(),
    entry<&kernels::read>(),       entry<&kernels::triad>(), entry<&kernels::wait_at_gate>(),
};

}  // namespace
}  // namespace emulated

extern "C" const emulated::CpuKernel* emulated_find_cpu_kernel(const void* address) {
  using Kernels = std::span<const emulated::CpuKernel>;
  for (const Kernels kernels : {Kernels(emulated::typed_kernels), Kernels(emulated::gemm_kernels),
                                Kernels(emulated::other_kernels)}) {
    for (const emulated::CpuKernel& kernel : kernels) {
      if (kernel.address == address) return &kernel;
    }
  }
  return nullptr;
}
