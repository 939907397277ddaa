#include "kernel_table.h"

#include <array>
#include <tuple>

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

const std::array all_kernels{
    entry<static_cast<FillRandom<float>>(kernels::fill_random)>(),
    entry<static_cast<FillRandom<double>>(kernels::fill_random)>(),
    entry<static_cast<FillRandom<std::int32_t>>(kernels::fill_random)>(),
    entry<static_cast<FillPattern<float>>(kernels::fill_pattern)>(),
    entry<static_cast<FillPattern<double>>(kernels::fill_pattern)>(),
    entry<static_cast<FillPattern<std::int32_t>>(kernels::fill_pattern)>(),
    entry<static_cast<CheckReduced<float>>(kernels::check_reduced)>(),
    entry<static_cast<CheckReduced<double>>(kernels::check_reduced)>(),
    entry<static_cast<CheckReduced<std::int32_t>>(kernels::check_reduced)>(),
    entry<&kernels::copy>(),
    entry<&kernels::triad>(),
    entry<&kernels::gate>(),
};

}  // namespace
}  // namespace emulated

extern "C" const emulated::CpuKernel* emulated_find_cpu_kernel(const void* address) {
  for (const emulated::CpuKernel& kernel : emulated::all_kernels) {
    if (kernel.address == address) return &kernel;
  }
  return nullptr;
}
