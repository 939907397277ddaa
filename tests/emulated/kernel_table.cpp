#include "kernel_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "cpu_kernel.h"
#include "kernels/kernels.h"

namespace emulated {
namespace {

/// Every thread of every block, one after the other.
template <typename Call>
void run_grid(dim3 grid, dim3 block, const Call& call) {
  Position& here = position();
  here.grid_size = grid;
  here.block_size = block;
  for (here.block.x = 0; here.block.x < grid.x; ++here.block.x) {
    for (here.thread.x = 0; here.thread.x < block.x; ++here.thread.x) call();
  }
}

template <auto Kernel>
struct Bound;

template <typename... Params, void (*Kernel)(Params...)>
struct Bound<Kernel> {
  static KernelRun bind(dim3 grid, dim3 block, void** arguments) {
    return bind_each(grid, block, arguments, std::index_sequence_for<Params...>());
  }

 private:
  template <std::size_t... Index>
  static KernelRun bind_each(dim3 grid, dim3 block, void** arguments,
                             std::index_sequence<Index...>) {
    const std::tuple<Params...> values(*static_cast<Params*>(arguments[Index])...);
    return [=] { run_grid(grid, block, [&] { std::apply(Kernel, values); }); };
  }
};

template <auto Kernel>
CpuKernel entry() {
  return {reinterpret_cast<const void*>(Kernel), &Bound<Kernel>::bind};
}

using namespace peakline;

template <typename Number>
using FillRandom = void (*)(Number*, std::int64_t, std::uint64_t);
template <typename Number>
using FillPattern = void (*)(Number*, std::int64_t, PatternSpec, std::int64_t);
template <typename Number>
using CheckReduced = void (*)(const Number*, std::int64_t, PatternSpec, kernels::CheckCounters*);

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
  for (const std::span<const emulated::CpuKernel> kernels :
       {std::span<const emulated::CpuKernel>(emulated::typed_kernels),
        std::span<const emulated::CpuKernel>(emulated::other_kernels)}) {
    for (const emulated::CpuKernel& kernel : kernels) {
      if (kernel.address == address) return &kernel;
    }
  }
  return nullptr;
}
