#include "loader/pipeline.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/units.h"
#include "loader/record_content.h"

namespace peakline {
namespace {

LoaderOptions checked(const LoaderOptions& options) {
  check_spec(options.dataset);
  if (options.threads < 1 || options.queue_batches < 1) {
    throw usage_error("A loader cannot run with " + std::to_string(options.threads) +
                      " threads and a queue of " + std::to_string(options.queue_batches) +
                      " batches: it needs at least one of each.");
  }
  return options;
}

}  // namespace

Loader::Loader(const LoaderOptions& options, const MakeReader& make_reader)
    : options_(checked(options)),
      order_{options.dataset.records, options.batch_size, options.rank, options.ranks,
             options.shuffle_seed},
      parts_(static_cast<std::size_t>(std::min(options.threads, options.batch_size))),
      free_(static_cast<std::size_t>(options.batch_buffers())),
      ready_(static_cast<std::size_t>(options.queue_batches)) {
  order_.check();
  allocate_slots();
  start_threads(make_reader);
}

Loader::~Loader() { close_queues(); }

const Batch& Loader::next() {
  if (lent_ != nullptr) free_.push(std::exchange(lent_, nullptr));
  const auto begin = std::chrono::steady_clock::now();
  lent_ = ready_.pop().value();
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  lent_->batch.wait_s = waited.count();
  return lent_->batch;
}

void Loader::allocate_slots() {
  const auto batch_size = static_cast<std::size_t>(options_.batch_size);
  try {
    slots_.resize(static_cast<std::size_t>(options_.batch_buffers()));
    for (Slot& slot : slots_) {
      slot.batch.records.resize(batch_size);
      slot.batch.data.resize(batch_size * static_cast<std::size_t>(options_.dataset.record_bytes));
      free_.push(&slot);
    }
  } catch (const std::exception&) {
    throw OutOfMemory("There is no memory for " + std::to_string(slots_.size()) + " batches of " +
                      std::to_string(batch_size) + " records of " +
                      format_si(static_cast<double>(options_.dataset.record_bytes), "B") +
                      ": choose smaller batches or a shorter queue.");
  }
}

void Loader::start_threads(const MakeReader& make_reader) {
  try {
    for (std::int64_t thread = 0; thread < options_.threads; ++thread) {
      threads_.emplace_back([this, reader = make_reader()] { read_parts(*reader); });
    }
  } catch (...) {
    // The destructor will not run, and threads that have started would wait for it for ever.
    close_queues();
    throw;
  }
}

void Loader::close_queues() {
  free_.close();
  ready_.close();
}

void Loader::read_parts(RecordReader& reader) {
  try {
    while (const std::optional<Part> part = take_part()) {
      const bool finished = finish_part(*part->slot, read_part(*part, reader));
      if (finished && !ready_.push(part->slot)) return;
    }
  } catch (...) {
    free_.close();
    ready_.fail(std::current_exception());
  }
}

/// The next part of the batch that is being filled, or of a new one; empty at the end.
std::optional<Loader::Part> Loader::take_part() {
  const std::scoped_lock lock(hand_out_mutex_);
  if (filling_ == nullptr) {
    const std::optional<Slot*> slot = free_.pop();
    if (!slot) return std::nullopt;
    begin_batch(**slot);
    filling_ = *slot;
    next_part_ = 0;
  }
  const auto batch_size = static_cast<std::size_t>(options_.batch_size);
  const Part part{filling_, next_part_ * batch_size / parts_,
                  (next_part_ + 1) * batch_size / parts_};
  if (++next_part_ == parts_) filling_ = nullptr;
  return part;
}

void Loader::begin_batch(Slot& slot) {
  Batch& batch = slot.batch;
  const std::int64_t number = next_batch_++;
  batch.epoch = number / order_.batches_per_epoch();
  batch.index = number % order_.batches_per_epoch();
  order_.records_of(number, batch.records);
  batch.bytes_read = 0;
  batch.wrong = 0;
  batch.first_wrong.reset();
  slot.parts_left = parts_;
}

Loader::Findings Loader::read_part(const Part& part, RecordReader& reader) const {
  const auto record_bytes = static_cast<std::size_t>(options_.dataset.record_bytes);
  Batch& batch = part.slot->batch;
  const std::span records = std::span(batch.records).subspan(part.begin, part.end - part.begin);
  const std::span data =
      std::span(batch.data).subspan(part.begin * record_bytes, records.size() * record_bytes);
  Findings findings;
  findings.bytes_read = reader.read(records, data);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::int64_t record = records[i];
    const std::span bytes = data.subspan(i * record_bytes, record_bytes);
    if (is_record(options_.dataset.seed, record, bytes)) continue;
    ++findings.wrong;
    findings.first_wrong = std::min(findings.first_wrong.value_or(record), record);
  }
  return findings;
}

/// Whether it was the batch's last part.
bool Loader::finish_part(Slot& slot, const Findings& findings) {
  const std::scoped_lock lock(findings_mutex_);
  Batch& batch = slot.batch;
  batch.bytes_read += findings.bytes_read;
  batch.wrong += findings.wrong;
  if (findings.first_wrong) {
    batch.first_wrong =
        std::min(batch.first_wrong.value_or(*findings.first_wrong), *findings.first_wrong);
  }
  return --slot.parts_left == 0;
}

}  // namespace peakline
