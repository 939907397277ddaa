#include "mpi/session.h"

#include <mpi.h>

#include <array>
#include <cstdlib>

#include "mpi/check.h"
#include "mpi/mpi_world.h"

namespace peakline::mpi {

Session::Session() {
  // One thread alone calls MPI. Asking for more support, even MPI_THREAD_FUNNELED, makes Open MPI
  // take locks in every call, which small messages feel: a measurement of them would be one of the
  // locks.
  check(MPI_Init(nullptr, nullptr));
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  world_ = std::make_unique<MpiWorld>(MPI_COMM_WORLD, MpiWorld::Ownership::borrowed);
}

Session::~Session() {
  world_.reset();
  MPI_Finalize();
}

void Session::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

std::string Session::library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length));
  const std::string all(text.data(), static_cast<std::size_t>(length));
  return all.substr(0, all.find(','));  // Open MPI goes on with who packaged it, and when
}

}  // namespace peakline::mpi
