#include <iostream>

#include "app/agreed.h"
#include "app/run_command.h"
#include "app/run_options.h"
#include "app/version.h"
#include "bench/registry.h"
#include "bench/suites.h"
#include "mpi/session.h"

namespace peakline {
namespace {

void print_list() {
  std::cout << "Benchmarks (--bench):\n";
  for (const BenchmarkInfo& info : all_benchmarks()) {
    std::cout << "  " << info.name << ": " << info.summary << '\n';
  }
  std::cout << "Suites (--suite):\n";
  for (const Suite& suite : all_suites()) {
    std::cout << "  " << suite.name << ": " << suite.summary << '\n';
  }
}

ExitStatus perform(const RunOptions& options, World& world) {
  if (options.action == RunOptions::Action::run) return run_command(options, world);
  if (!world.is_root()) return ExitStatus::ok;
  switch (options.action) {
    case RunOptions::Action::help: std::cout << options.help; break;
    case RunOptions::Action::version:
      std::cout << "peakline-run " << program_version() << '\n';
      break;
    case RunOptions::Action::list: print_list(); break;
    case RunOptions::Action::run: break;
  }
  return ExitStatus::ok;
}

/// Errors end here, inside the MPI session: outside of it the job would hang in MPI_Finalize.
ExitStatus run_in(mpi::Session& session, int argc, const char* const* argv) {
  World& world = session.world();
  ExitStatus status = ExitStatus::run_failed;
  try {
    RunOptions options;
    on_every_rank(world, [&] { options = parse_run_options(argc, argv); });
    return perform(options, world);
  } catch (const AgreedError& error) {
    if (world.is_root()) std::cerr << "peakline-run: " << error.what() << std::endl;
    return error.status();
  } catch (const Error& error) {
    status = error.status();
    std::cerr << "peakline-run: rank " << world.rank() << " on " << world.host() << ": "
              << error.what() << " (" << error.place().file_name() << ":" << error.place().line()
              << ")" << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "peakline-run: rank " << world.rank() << " on " << world.host() << ": "
              << error.what() << std::endl;
  }
  session.abort(to_int(status));
}

}  // namespace
}  // namespace peakline

int main(int argc, char** argv) {
  peakline::mpi::Session session;
  return peakline::to_int(peakline::run_in(session, argc, argv));
}
