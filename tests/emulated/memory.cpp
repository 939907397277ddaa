#include "memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

#include "gpu_model.h"

namespace emulated {
namespace {

constexpr std::size_t zone_bytes = 4096;  // also the alignment of what is handed out
constexpr unsigned char zone_mark = 0xFD;
constexpr unsigned char released_mark = 0xDD;
constexpr std::size_t quarantine_limit_bytes = std::size_t{64} << 20U;
constexpr int damage_status = 86;

struct Block {
  unsigned char* base = nullptr;
  std::size_t size_bytes = 0;
  int device = 0;
  bool live = true;

  unsigned char* data() const { return base + zone_bytes; }
};

bool all_are(const unsigned char* bytes, std::size_t count, unsigned char mark) {
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes[i] != mark) return false;
  }
  return true;
}

/// Blocks by the address handed out. Released ones stay for a while, so that their use shows.
class Heap {
 public:
  ~Heap() {
    for (auto& [data, block] : blocks_) {
      if (block.live) {
        report("a leak", block);
      } else {
        inspect_released(block);
      }
    }
    if (damages_ == 0) return;
    std::fprintf(stderr, "emulated GPU: %d faults in the use of memory\n", damages_);
    std::fflush(nullptr);
    std::_Exit(damage_status);
  }

  void* allocate(int device, std::size_t size_bytes) {
    const std::lock_guard lock(mutex_);
    if (in_use_[device] + size_bytes > node().memory_bytes) return nullptr;
    Block block{new_memory(size_bytes), size_bytes, device, true};
    std::memset(block.base, zone_mark, zone_bytes);
    std::memset(block.data() + size_bytes, zone_mark, zone_bytes);
    in_use_[device] += size_bytes;
    blocks_[block.data()] = block;
    return block.data();
  }

  bool release(void* memory) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(static_cast<unsigned char*>(memory));
    if (found == blocks_.end() || !found->second.live) return false;
    Block& block = found->second;
    inspect_zones(block);
    std::memset(block.data(), released_mark, block.size_bytes);
    block.live = false;
    in_use_[block.device] -= block.size_bytes;
    quarantined_bytes_ += block.size_bytes;
    if (quarantined_bytes_ > quarantine_limit_bytes) empty_quarantine();
    return true;
  }

  bool may_touch(const void* begin, std::size_t size_bytes) {
    const std::lock_guard lock(mutex_);
    const auto* first = static_cast<const unsigned char*>(begin);
    auto after = blocks_.upper_bound(const_cast<unsigned char*>(first));
    if (after == blocks_.begin()) return true;  // host memory
    const Block& block = std::prev(after)->second;
    const unsigned char* end = block.data() + block.size_bytes;
    if (first >= end + zone_bytes) return true;  // host memory
    return block.live && first + size_bytes <= end;
  }

  std::size_t in_use(int device) {
    const std::lock_guard lock(mutex_);
    return in_use_[device];
  }

 private:
  static unsigned char* new_memory(std::size_t size_bytes) {
    const std::size_t bytes =
        (size_bytes + 3 * zone_bytes - 1) / zone_bytes * zone_bytes;  // a whole number of pages
    auto* memory = static_cast<unsigned char*>(std::aligned_alloc(zone_bytes, bytes));
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }

  void report(const char* what, const Block& block) {
    ++damages_;
    std::fprintf(stderr, "emulated GPU: %s: %zu bytes on device %d\n", what, block.size_bytes,
                 block.device);
  }

  void inspect_zones(const Block& block) {
    if (!all_are(block.base, zone_bytes, zone_mark)) report("written before its begin", block);
    if (!all_are(block.data() + block.size_bytes, zone_bytes, zone_mark)) {
      report("written behind its end", block);
    }
  }

  void inspect_released(const Block& block) {
    if (!all_are(block.data(), block.size_bytes, released_mark)) {
      report("written after it was freed", block);
    }
    std::free(block.base);
  }

  void empty_quarantine() {
    for (auto block = blocks_.begin(); block != blocks_.end();) {
      if (block->second.live) {
        ++block;
      } else {
        inspect_released(block->second);
        block = blocks_.erase(block);
      }
    }
    quarantined_bytes_ = 0;
  }

  std::mutex mutex_;
  std::map<unsigned char*, Block> blocks_;
  std::map<int, std::size_t> in_use_;
  std::size_t quarantined_bytes_ = 0;
  int damages_ = 0;
};

Heap& heap() {
  static Heap the_heap;
  return the_heap;
}

}  // namespace

void* allocate(int device, std::size_t size_bytes) { return heap().allocate(device, size_bytes); }
bool release(void* memory) { return heap().release(memory); }
bool may_touch(const void* begin, std::size_t size_bytes) {
  return heap().may_touch(begin, size_bytes);
}
std::size_t bytes_in_use(int device) { return heap().in_use(device); }

}  // namespace emulated
