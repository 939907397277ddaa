#include "mpi/mpi_world.h"

#include <unistd.h>

#include <array>
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
  if (ownership_ == Ownership::owned) MPI_Comm_free(&communicator_);
}

void MpiWorld::barrier() { check(MPI_Barrier(communicator_)); }

std::vector<double> MpiWorld::gather(double value) {
  std::vector<double> values(is_root() ? static_cast<std::size_t>(size_) : 0);
  check(MPI_Gather(&value, 1, MPI_DOUBLE, values.data(), 1, MPI_DOUBLE, 0, communicator_));
  return values;
}

std::vector<std::string> MpiWorld::gather(const std::string& text) {
  const int length = count_of(text.size());
  std::vector<int> lengths(is_root() ? static_cast<std::size_t>(size_) : 0);
  check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, communicator_));
  std::vector<int> offsets(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  std::string all(is_root() ? static_cast<std::size_t>(offsets.back() + lengths.back()) : 0, '\0');
  check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(),
                    MPI_CHAR, 0, communicator_));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    texts.push_back(all.substr(static_cast<std::size_t>(offsets[i]),
                               static_cast<std::size_t>(lengths[i])));
  }
  return texts;
}

void MpiWorld::maximum(std::span<double> values) {
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_DOUBLE, MPI_MAX,
                      communicator_));
}

std::int64_t MpiWorld::agree(std::int64_t decision_of_rank_0) {
  check(MPI_Bcast(&decision_of_rank_0, 1, MPI_INT64_T, 0, communicator_));
  return decision_of_rank_0;
}

std::string MpiWorld::agree(const std::string& text_of_rank_0) {
  std::string text = text_of_rank_0;
  text.resize(static_cast<std::size_t>(agree(static_cast<std::int64_t>(text.size()))));
  check(MPI_Bcast(text.data(), count_of(text.size()), MPI_CHAR, 0, communicator_));
  return text;
}

std::unique_ptr<World> MpiWorld::split(int group) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(communicator_, group, rank_, &part));
  return std::make_unique<MpiWorld>(part, Ownership::owned);
}

}  // namespace peakline::mpi
