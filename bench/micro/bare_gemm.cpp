// bare_gemm EDGE: seconds of one cblas_sgemm of EDGE x EDGE matrices.
#include <cblas.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "bare_loop.h"

int main(int argc, char** argv) {
  const int edge = argc > 1 ? std::atoi(argv[1]) : 512;
  const auto count = static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> a(count);
  std::vector<float> b(count);
  std::vector<float> c(count);
  for (float& value : a) value = normal(random);
  for (float& value : b) value = normal(random);
  const auto step = [&] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, edge, edge, edge, 1.0F, a.data(), edge,
                b.data(), edge, 0.0F, c.data(), edge);
  };
  std::printf("%.9g\n", middle_of(time_bare_loop(step)));
}
