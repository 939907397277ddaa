#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"

namespace peakline {

/// What the fakes of one rank did, in order: "mark", "step", "verify" and so on.
using CallLog = std::vector<std::string>;

/// A device whose clock stands still except when told to pass time, so its timelines return exactly
/// what a test scripts. Memory is host memory, up to a limit.
class FakeDevice final : public Device {
 public:
  FakeDevice(CallLog& log, std::size_t capacity_bytes);

  /// Belongs to the interval that the next mark ends.
  void pass_time(double time_s) { passed_s_ += time_s; }

  /// Gives it a gate, which gives up when it is closed for the time with this number (0: never).
  void add_gate(std::int64_t gives_up_at);

  /// Gives it telemetry, which reads this during every case.
  void add_telemetry(std::vector<Reading> readings);

  const DeviceInfo& info() const override { return info_; }
  DeviceInfo& editable_info() { return info_; }
  std::unique_ptr<Buffer> allocate(std::size_t size_bytes) override;
  std::size_t free_bytes() const override { return capacity_bytes_; }
  std::unique_ptr<Timeline> timeline() override;
  Gate* gate() override { return gate_.get(); }
  Telemetry* telemetry() override { return telemetry_.get(); }

  void synchronise() override;

  // What no test of the core needs throws std::logic_error.
  void upload(Buffer& to, const void* from, std::size_t size_bytes) override;
  void download(void* to, const Buffer& from, std::size_t size_bytes) override;
  void fill_random(Buffer& buffer, DataType type, std::uint64_t seed) override;
  void fill_bytes(Buffer& buffer, unsigned char byte) override;
  void fill_pattern(Buffer& buffer, DataType type, std::int64_t count, const PatternSpec& spec,
                    std::int64_t rank) override;
  PatternCheck check_reduced(const Buffer& buffer, DataType type, std::int64_t count,
                             const PatternSpec& spec) override;
  std::string why_no_gemm(const GemmShape&, Implementation) const override { return "fake"; }
  std::unique_ptr<Operation> gemm(const GemmShape& shape, Implementation, const Buffer& a,
                                  const Buffer& b, Buffer& c) override;
  std::unique_ptr<Operation> memory(MemoryKernel kernel, Buffer& a, const Buffer& b,
                                    const Buffer& c, std::int64_t count) override;
  std::optional<Ceiling> arithmetic_ceiling(DataType) override { return std::nullopt; }

 private:
  DeviceInfo info_;
  CallLog* log_;
  std::size_t capacity_bytes_;
  double passed_s_ = 0;
  std::unique_ptr<Gate> gate_;
  std::unique_ptr<Telemetry> telemetry_;
};

}  // namespace peakline
