// mpirun -np N bare_allreduce BYTES: seconds of one MPI_Allreduce of float32 sums, slowest rank.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bare_loop.h"

namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int count = static_cast<int>((argc > 1 ? std::strtol(argv[1], nullptr, 10) : 8) / 4);
  const auto send = make_array(static_cast<std::size_t>(count), 0.25F);
  const auto receive = make_array(static_cast<std::size_t>(count), 0.0F);
  const auto step = [&] {
    MPI_Allreduce(send.get(), receive.get(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  };
  // Every rank must take the same number of steps, so all agree on how long one takes: first of a
  // few, then of as many as fill twenty milliseconds.
  double begin_s = 0;
  double step_s = 1e-3;
  for (int round = 0; round < 2; ++round) {
    const int warm_steps = std::max(20, static_cast<int>(0.02 / step_s));
    begin_s = now_s();
    for (int i = 0; i < warm_steps; ++i) step();
    step_s = (now_s() - begin_s) / warm_steps;
    MPI_Allreduce(MPI_IN_PLACE, &step_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  const int steps = std::max(1, static_cast<int>(1e-3 / step_s));
  const int samples = std::max(10, static_cast<int>(0.3 / (step_s * steps)));
  std::vector<double> times_s;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int sample = 0; sample < samples; ++sample) {
    begin_s = now_s();
    for (int i = 0; i < steps; ++i) step();
    times_s.push_back((now_s() - begin_s) / steps);
  }
  MPI_Allreduce(MPI_IN_PLACE, times_s.data(), samples, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%.9g\n", middle_of(times_s));
  MPI_Finalize();
}
