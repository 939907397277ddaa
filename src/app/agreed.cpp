#include "app/agreed.h"

#include <optional>

namespace peakline {
namespace {

struct Failure {
  ExitStatus status;
  std::string sentence;
};

std::optional<Failure> attempt(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    return Failure{error.status(), error.what()};
  } catch (const std::exception& error) {
    return Failure{ExitStatus::run_failed, error.what()};
  }
}

}  // namespace

void on_every_rank(World& world, const std::function<void()>& work) {
  const std::optional<Failure> mine = attempt(work);
  const auto statuses = world.gather(mine ? static_cast<double>(to_int(mine->status)) : 0.0);
  const auto sentences = world.gather(mine ? mine->sentence : std::string());
  std::int64_t status = 0;
  std::string sentence;
  for (std::size_t rank = 0; rank < statuses.size() && status == 0; ++rank) {
    status = static_cast<std::int64_t>(statuses[rank]);
    if (status != 0) sentence = sentences[rank];
  }
  status = world.agree(status);
  sentence = world.agree(sentence);
  if (status != 0) throw AgreedError(static_cast<ExitStatus>(status), sentence);
}

void on_root(World& world, const std::function<void()>& work) {
  on_every_rank(world, [&] {
    if (world.is_root()) work();
  });
}

}  // namespace peakline
