// bare_gemm EDGE: seconds of one cblas_sgemm of EDGE x EDGE matrices.
#include <cblas.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "bare_loop.h"

int main(int argc, char** argv) {
  const int edge = argc > 1 ? std::atoi(argv[1]) : 512;
  const auto count = static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const auto a = make_array(count, 0.0F);
  const auto b = make_array(count, 0.0F);
  const auto c = make_array(count, 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = normal(random);
    b[i] = normal(random);
  }
  const auto step = [&] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, edge, edge, edge, 1.0F, a.get(), edge,
                b.get(), edge, 0.0F, c.get(), edge);
  };
  std::printf("%.9g\n", middle_of(time_bare_loop(step)));
}
