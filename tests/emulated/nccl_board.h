#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace emulated {

/// What a rank says that it is doing. Ranks that say different things never meet.
struct Call {
  int kind = 0;
  int type = 0;
  int op = 0;
  int root = 0;
  std::uint64_t count = 0;
  bool operator==(const Call&) const = default;
};

inline constexpr std::size_t window_bytes = std::size_t{256} << 10U;

/// One rank's part of the board.
struct Seat {
  std::atomic<pid_t> process;
  std::array<char, 64> host;
  std::array<char, 32> bus_id;
  Call call;
  int peer_to;                     ///< of a ring: the rank that is sent to
  std::array<char, 64> new_board;  ///< of a split: the name of the part's board
  alignas(64) std::array<unsigned char, window_bytes> window;
};

/// Why waiting for the others ended.
enum class Meeting { met, aborted, peer_gone };

/// Makes the memory of a board and gives its name. It lies in no folder, so that nothing is left
/// behind, and nothing of another job is met, however the processes end.
std::string make_board();

/// Memory that the ranks of one communicator share: a seat for each, and a barrier.
class Board {
 public:
  /// All ranks that open what make_board() named get the same board.
  Board(const std::string& name, int rank, int ranks);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  Seat& seat(int rank) const { return seats_[rank]; }
  Seat& mine() const { return seats_[rank_]; }

  /// To be called when all ranks have opened the board: nobody else can from now on.
  void close_file() const;

  /// Waits until every rank is here, or `given_up` says so, or a rank's process is no more.
  Meeting meet(const std::atomic<bool>& given_up);

 private:
  struct Head {
    std::atomic<std::uint32_t> waiting;
    std::atomic<std::uint32_t> round;
  };

  bool a_peer_is_gone() const;

  std::string name_;
  int rank_;
  int ranks_;
  std::size_t size_bytes_;
  Head* head_;
  Seat* seats_;
};

}  // namespace emulated
