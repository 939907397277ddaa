#include "support/fake_device.h"

#include <stdexcept>
#include <utility>

#include "core/error.h"

namespace peakline {
namespace {

class FakeBuffer final : public Buffer {
 public:
  explicit FakeBuffer(std::size_t size_bytes) : bytes_(size_bytes) {}
  void* data() override { return bytes_.data(); }
  const void* data() const override { return bytes_.data(); }
  std::size_t size_bytes() const override { return bytes_.size(); }

 private:
  std::vector<unsigned char> bytes_;
};

class FakeTimeline final : public Timeline {
 public:
  FakeTimeline(CallLog& log, double& passed_s) : log_(&log), passed_s_(&passed_s) {}

  void mark() override {
    log_->push_back("mark");
    const double interval_s = std::exchange(*passed_s_, 0);
    if (started_) intervals_s_.push_back(interval_s);
    started_ = true;
  }

  std::vector<double> intervals_s() override {
    log_->push_back("read clock");
    started_ = false;
    return std::exchange(intervals_s_, {});
  }

 private:
  CallLog* log_;
  double* passed_s_;
  bool started_ = false;
  std::vector<double> intervals_s_;
};

class FakeTelemetry final : public Telemetry {
 public:
  FakeTelemetry(CallLog& log, std::vector<Reading> readings)
      : log_(&log), readings_(std::move(readings)) {}
  void begin() override { log_->push_back("begin reading"); }
  std::vector<Reading> end() override {
    log_->push_back("end reading");
    return readings_;
  }

 private:
  CallLog* log_;
  std::vector<Reading> readings_;
};

class FakeGate final : public Gate {
 public:
  FakeGate(CallLog& log, std::int64_t gives_up_at) : log_(&log), gives_up_at_(gives_up_at) {}
  void hold() override {
    log_->push_back("hold");
    if (++holds_ == gives_up_at_) gave_up_ = true;
  }
  void release() noexcept override { log_->push_back("release"); }
  bool gave_up() override { return std::exchange(gave_up_, false); }

 private:
  CallLog* log_;
  std::int64_t gives_up_at_;
  std::int64_t holds_ = 0;
  bool gave_up_ = false;
};

[[noreturn]] void not_faked(const char* function) {
  throw std::logic_error(std::string("FakeDevice has no ") + function);
}

}  // namespace

FakeDevice::FakeDevice(CallLog& log, std::size_t capacity_bytes)
    : log_(&log), capacity_bytes_(capacity_bytes) {
  info_.model = "fake device";
  info_.label = "fake0";
  info_.devices_per_node = 1;
  info_.timer = "fake_clock";
}

void FakeDevice::add_telemetry(std::vector<Reading> readings) {
  telemetry_ = std::make_unique<FakeTelemetry>(*log_, std::move(readings));
}

void FakeDevice::add_gate(std::int64_t gives_up_at) {
  gate_ = std::make_unique<FakeGate>(*log_, gives_up_at);
}

std::unique_ptr<Buffer> FakeDevice::allocate(std::size_t size_bytes) {
  if (size_bytes > capacity_bytes_) {
    throw OutOfMemory("a buffer of " + std::to_string(size_bytes) + " B does not fit");
  }
  return std::make_unique<FakeBuffer>(size_bytes);
}

std::unique_ptr<Timeline> FakeDevice::timeline() {
  return std::make_unique<FakeTimeline>(*log_, passed_s_);
}

void FakeDevice::synchronise() { log_->push_back("synchronise"); }
void FakeDevice::upload(Buffer&, const void*, std::size_t) { not_faked("upload"); }
void FakeDevice::download(void*, const Buffer&, std::size_t) { not_faked("download"); }
void FakeDevice::fill_random(Buffer&, DataType, std::uint64_t) { not_faked("fill_random"); }
void FakeDevice::fill_bytes(Buffer&, unsigned char) { not_faked("fill_bytes"); }
void FakeDevice::fill_pattern(Buffer&, DataType, std::int64_t, const PatternSpec&, std::int64_t) {
  not_faked("fill_pattern");
}
PatternCheck FakeDevice::check_reduced(const Buffer&, DataType, std::int64_t, const PatternSpec&) {
  not_faked("check_reduced");
}
std::unique_ptr<Operation> FakeDevice::gemm(const GemmShape&, Implementation, const Buffer&,
                                            const Buffer&, Buffer&) {
  not_faked("gemm");
}
std::unique_ptr<Operation> FakeDevice::memory(MemoryKernel, Buffer&, const Buffer&, const Buffer&,
                                              std::int64_t) {
  not_faked("memory");
}

}  // namespace peakline
