#include "app/judging.h"
namespace peakline {
Judging load_judging(const std::vector<std::string>&) { return {}; }
ExitStatus judge_and_print(const Record&, const Judging&) { return ExitStatus::ok; }
}
