// The session is alive around all tests; they reach it through session_world().
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include "mpi/session.h"
#include "session_world.h"

namespace {

peakline::mpi::Session*& current_session() {
  static peakline::mpi::Session* session = nullptr;
  return session;
}

}  // namespace

peakline::World& session_world() { return current_session()->world(); }

int main(int argc, char** argv) {
  peakline::mpi::Session session;
  current_session() = &session;
  return Catch::Session().run(argc, argv);
}
