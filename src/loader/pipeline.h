#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "loader/batch_order.h"
#include "loader/bounded_queue.h"
#include "loader/dataset.h"
#include "loader/reader.h"

namespace peakline {

struct LoaderOptions {
  DatasetSpec dataset;
  std::int64_t batch_size = 1;
  std::int64_t threads = 1;        ///< that read and check
  std::int64_t queue_batches = 1;  ///< finished batches that may wait for the consumer
  std::int64_t rank = 0;
  std::int64_t ranks = 1;
  std::uint64_t shuffle_seed = 0;

  /// How many batches there is memory for: those queued, one being filled, one lent.
  std::int64_t batch_buffers() const { return queue_batches + 2; }

  /// Memory of all batches together; it never grows.
  std::int64_t buffer_bytes() const { return batch_buffers() * batch_size * dataset.record_bytes; }
};

/// Some records of one epoch, one behind the other in `data`.
struct Batch {
  std::int64_t epoch = 0;
  std::int64_t index = 0;             ///< within the epoch
  std::vector<std::int64_t> records;  ///< their numbers
  std::vector<std::byte> data;
  std::int64_t bytes_read = 0;              ///< truly read from files
  std::int64_t wrong = 0;                   ///< records that do not hold what was written
  std::optional<std::int64_t> first_wrong;  ///< lowest number among them
  double wait_s = 0;                        ///< that the consumer waited for this batch
};

/// Reads a data set in shuffled order, epoch after epoch without end. The threads read and check
/// each batch together, a part each, so that batches come evenly and not in bursts of one for each
/// thread. Batches go round between threads and consumer. Which records make a batch follows from
/// the options alone; which of two batches is finished first does not.
class Loader {
 public:
  /// Makes the reader of one thread; called within the constructor, on the caller's thread.
  using MakeReader = std::function<std::unique_ptr<RecordReader>()>;

  /// Throws a usage Error for options that make no batch, OutOfMemory, or what `make_reader`
  /// throws.
  Loader(const LoaderOptions& options, const MakeReader& make_reader);
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// Waits for the reads that are under way, but for nothing else.
  ~Loader();

  /// The next batch, valid until the next call. Throws what a reader threw, at every call from then
  /// on.
  const Batch& next();

 private:
  struct Slot {
    Batch batch;
    std::size_t parts_left = 0;
  };
  struct Part {
    Slot* slot = nullptr;
    std::size_t begin = 0;  ///< its first record within the batch
    std::size_t end = 0;
  };
  struct Findings {
    std::int64_t bytes_read = 0;
    std::int64_t wrong = 0;
    std::optional<std::int64_t> first_wrong;
  };

  void allocate_slots();
  void start_threads(const MakeReader& make_reader);
  void close_queues();

  void read_parts(RecordReader& reader);
  std::optional<Part> take_part();
  void begin_batch(Slot& slot);
  Findings read_part(const Part& part, RecordReader& reader) const;
  bool finish_part(Slot& slot, const Findings& findings);

  LoaderOptions options_;
  BatchOrder order_;
  std::size_t parts_;  ///< of each batch
  std::vector<Slot> slots_;
  BoundedQueue<Slot*> free_;
  BoundedQueue<Slot*> ready_;
  Slot* lent_ = nullptr;  ///< what the consumer holds

  std::mutex hand_out_mutex_;  ///< guards what follows; held while waiting for a free slot
  Slot* filling_ = nullptr;
  std::size_t next_part_ = 0;
  std::int64_t next_batch_ = 0;

  std::mutex findings_mutex_;  ///< guards what threads add up in a slot; never held while waiting

  std::vector<std::jthread> threads_;  ///< last, so that it ends before what it uses
};

}  // namespace peakline
