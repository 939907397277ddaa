#include "nccl_board.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace emulated {
namespace {

constexpr std::size_t head_bytes = 64;

/// Where other processes find the files that this one has open.
std::string own_files() { return "/proc/" + std::to_string(getpid()) + "/fd/"; }

/// New shared memory is zero, which is how an empty board looks.
void* map_shared(const std::string& name, std::size_t size_bytes) {
  const int file = open(name.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size_bytes)) != 0) {
    std::perror(("emulated NCCL: shared memory " + name).c_str());
    std::abort();
  }
  void* memory = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) return memory;
  std::perror("emulated NCCL: mmap");
  std::abort();
}

}  // namespace

std::string make_board() {
  const int file = memfd_create("peakline-emulated-nccl", MFD_CLOEXEC);
  if (file >= 0) return own_files() + std::to_string(file);
  std::perror("emulated NCCL: memfd_create");
  std::abort();
}

Board::Board(const std::string& name, int rank, int ranks)
    : name_(name),
      rank_(rank),
      ranks_(ranks),
      size_bytes_(head_bytes + sizeof(Seat) * static_cast<std::size_t>(ranks)) {
  auto* memory = static_cast<unsigned char*>(map_shared(name_, size_bytes_));
  head_ = reinterpret_cast<Head*>(memory);
  seats_ = reinterpret_cast<Seat*>(memory + head_bytes);
  mine().process = getpid();
}

Board::~Board() { munmap(head_, size_bytes_); }

void Board::close_file() const {
  const std::string own = own_files();
  if (name_.starts_with(own)) close(std::atoi(name_.c_str() + own.size()));
}

Meeting Board::meet(const std::atomic<bool>& given_up) {
  const std::uint32_t round = head_->round;
  if (++head_->waiting == static_cast<std::uint32_t>(ranks_)) {
    head_->waiting = 0;
    ++head_->round;
    return Meeting::met;
  }
  for (std::uint64_t look = 1; head_->round == round; ++look) {
    if (given_up) return Meeting::aborted;
    if (look % 1024 == 0 && a_peer_is_gone()) return Meeting::peer_gone;
    std::this_thread::yield();
  }
  return Meeting::met;
}

bool Board::a_peer_is_gone() const {
  for (int rank = 0; rank < ranks_; ++rank) {
    const pid_t process = seats_[rank].process;
    if (process != 0 && kill(process, 0) != 0 && errno == ESRCH) return true;
  }
  return false;
}

}  // namespace emulated
