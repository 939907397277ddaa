// bare_triad BYTES: seconds of one a = b + 3 c over arrays of BYTES bytes each.
#include <cstdio>
#include <cstdlib>

#include "bare_loop.h"

int main(int argc, char** argv) {
  const std::size_t size_bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 64U << 20U;
  const std::size_t count = size_bytes / sizeof(double);
  const auto a = make_array(count, 0.0);
  const auto b = make_array(count, 1.5);
  const auto c = make_array(count, 2.5);
  const auto step = [&] {
    double* to = a.get();
    const double* from_b = b.get();
    const double* from_c = c.get();
    for (std::size_t i = 0; i < count; ++i) to[i] = from_b[i] + 3.0 * from_c[i];
  };
  std::printf("%.9g\n", middle_of(time_bare_loop(step)));
}
