#include "kernel_table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "block.h"
#include "cpu_kernel.h"
#include "fault.h"
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

template <auto Kernel>
struct Bound;

template <typename... Params, void (*Kernel)(Params...)>
struct Bound<Kernel> {
  static KernelRun bind(const Launch& launch) {
    return bind_each(launch, std::index_sequence_for<Params...>());
  }

 private:
  template <std::size_t... Index>
  static KernelRun bind_each(const Launch& launch, std::index_sequence<Index...>) {
    const std::tuple<Params...> values(*static_cast<Params*>(launch.arguments[Index])...);
    return [=] { run_one_by_one(launch, [&] { std::apply(Kernel, values); }); };
  }
};

template <auto Kernel>
CpuKernel entry() {
  return {reinterpret_cast<const void*>(Kernel), &Bound<Kernel>::bind};
}

using namespace peakline;

/// Zeros in the last corner of C, as large as a fragment: what the fault wrong_tile does.
template <typename Number>
void spoil_tile(Number* c, const kernels::GemmExtents& extents) {
  constexpr std::int64_t edge = 16;
  for (std::int64_t row = std::max<std::int64_t>(extents.m - edge, 0); row < extents.m; ++row) {
    const std::int64_t first = std::max<std::int64_t>(extents.n - edge, 0);
    std::fill(c + row * extents.n + first, c + (row + 1) * extents.n, Number{});
  }
}

template <typename Number>
using FillRandom = void (*)(Number*, std::int64_t, std::uint64_t);
template <typename Number>
using FillPattern = void (*)(Number*, std::int64_t, PatternSpec, std::int64_t);
template <typename Number>
using CheckReduced = void (*)(const Number*, std::int64_t, PatternSpec, kernels::CheckCounters*);

/// A product, whose threads wait for each other.
template <typename Number>
KernelRun bind_multiply(const Launch& launch) {
  void (*kernel)(const Number*, const Number*, Number*, kernels::GemmExtents) = &kernels::multiply;
  const auto* a = *static_cast<const Number**>(launch.arguments[0]);
  const auto* b = *static_cast<const Number**>(launch.arguments[1]);
  auto* c = *static_cast<Number**>(launch.arguments[2]);
  const auto extents = *static_cast<kernels::GemmExtents*>(launch.arguments[3]);
  return [=] {
    run_in_blocks(launch.grid, launch.block, launch.shared_bytes,
                  [&] { kernel(a, b, c, extents); });
    if (strikes("wrong_tile")) spoil_tile(c, extents);
  };
}

template <typename... Numbers>
auto gemm_entries_for() {
  return std::array{CpuKernel{
      reinterpret_cast<const void*>(
          static_cast<void (*)(const Numbers*, const Numbers*, Numbers*, kernels::GemmExtents)>(
              kernels::multiply)),
      &bind_multiply<Numbers>}...};
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
