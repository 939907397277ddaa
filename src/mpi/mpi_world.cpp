#include "mpi/mpi_world.h"

#include <unistd.h>

#include <array>
#include <exception>
#include <numeric>

#include "mpi/check.h"

namespace peakline::mpi {
namespace {

/// gethostname and not MPI_Get_processor_name: test hosts in namespaces differ in the first only.
std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

int count_of(std::size_t items) { return static_cast<int>(items); }

}  // namespace

MpiWorld::MpiWorld(MPI_Comm communicator, Ownership ownership)
    : communicator_(communicator), ownership_(ownership), host_(host_name()) {
  check(MPI_Comm_rank(communicator_, &rank_));
  check(MPI_Comm_size(communicator_, &size_));
}

MpiWorld::~MpiWorld() {
  // Freeing waits for the other ranks, which know nothing of an error on this one.
  if (ownership_ == Ownership::owned && std::uncaught_exceptions() == 0) {
    MPI_Comm_free(&communicator_);
  }
}

void MpiWorld::barrier() { check(MPI_Barrier(communicator_)); }

std::vector<double> MpiWorld::gather(double value) {
  std::vector<double> values(static_cast<std::size_t>(size_));
  check(MPI_Allgather(&value, 1, MPI_DOUBLE, values.data(), 1, MPI_DOUBLE, communicator_));
  return is_root() ? values : std::vector<double>{};
}

std::vector<std::string> MpiWorld::gather(const std::string& text) {
  const int length = count_of(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(size_));
  check(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, communicator_));
  std::vector<int> offsets(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  std::string all(static_cast<std::size_t>(offsets.back() + lengths.back()), '\0');
  if (all.empty()) return std::vector<std::string>(is_root() ? lengths.size() : 0);
  check(MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(),
                       MPI_CHAR, communicator_));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lengths.size() && is_root(); ++i) {
    texts.push_back(
        all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
  }
  return texts;
}

void MpiWorld::maximum(std::span<double> values) {
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_DOUBLE, MPI_MAX,
                      communicator_));
}

std::int64_t MpiWorld::agree(std::int64_t decision_of_rank_0) {
  std::int64_t decision = is_root() ? decision_of_rank_0 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &decision, 1, MPI_INT64_T, MPI_SUM, communicator_));
  return decision;
}

std::string MpiWorld::agree(const std::string& text_of_rank_0) {
  const std::int64_t length = agree(static_cast<std::int64_t>(text_of_rank_0.size()));
  std::string text =
      is_root() ? text_of_rank_0 : std::string(static_cast<std::size_t>(length), '\0');
  if (text.empty()) return text;
  check(MPI_Allreduce(MPI_IN_PLACE, text.data(), count_of(text.size()), MPI_BYTE, MPI_BOR,
                      communicator_));
  return text;
}

std::unique_ptr<World> MpiWorld::split(int group) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(communicator_, group, rank_, &part));
  return std::make_unique<MpiWorld>(part, Ownership::owned);
}

}  // namespace peakline::mpi
