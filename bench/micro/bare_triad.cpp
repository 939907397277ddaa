// bare_triad BYTES: seconds of one a = b + 3 c over arrays of BYTES bytes each.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bare_loop.h"

int main(int argc, char** argv) {
  const std::size_t count = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 64U << 20U) / sizeof(double);
  std::vector<double> a(count, 0.0);
  std::vector<double> b(count, 1.5);
  std::vector<double> c(count, 2.5);
  const auto step = [&] {
    double* to = a.data();
    const double* from_b = b.data();
    const double* from_c = c.data();
    for (std::size_t i = 0; i < count; ++i) to[i] = from_b[i] + 3.0 * from_c[i];
  };
  std::printf("%.9g\n", middle_of(time_bare_loop(step)));
}
