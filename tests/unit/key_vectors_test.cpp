#include <nlohmann/json.hpp>
#include <string>

#include "core/case_id.h"
#include "core/fingerprint.h"
#include "report/atomic_file.h"
#include "support/catch.h"

using namespace peakline;
using Json = nlohmann::json;

namespace {

/// The block of JSON that follows `heading` in the description of the format, so that what users
/// read is what the program does.
Json vectors_under(const std::string& heading) {
  const std::string text = read_file(PEAKLINE_SOURCE_DIR "/docs/result_format.md");
  const std::size_t section = text.find("\n" + heading + "\n");
  REQUIRE(section != std::string::npos);
  const std::string fence = "```json\n";
  const std::size_t begin = text.find(fence, section) + fence.size();
  return Json::parse(text.substr(begin, text.find("```", begin) - begin));
}

Params params_of(const Json& json) {
  Params params;
  for (const auto& [name, value] : json.items()) {
    if (value.is_string()) {
      params[name] = value.get<std::string>();
    } else {
      params[name] = value.get<std::int64_t>();
    }
  }
  return params;
}

}  // namespace

TEST_CASE("keys are those of the documented test vectors") {
  const Json vectors = vectors_under("### Test vectors of the key");
  CHECK(vectors.size() >= 4);
  for (const Json& vector : vectors) {
    const Json& scope = vector.at("scope");
    const CaseId id{vector.at("benchmark"),
                    params_of(vector.at("params")),
                    {scope.at("ranks"), scope.at("nodes"), scope.at("ranks_per_node")}};
    CHECK(id.key() == vector.at("key").get<std::string>());
  }
}

TEST_CASE("fingerprints are those of the documented test vectors") {
  const Json vectors = vectors_under("### Test vectors of the fingerprint");
  CHECK(vectors.size() >= 4);
  for (const Json& vector : vectors) {
    const MachineKind kind{vector.at("backend"), vector.at("device_model"),
                           vector.at("mig_profile"), vector.at("devices_per_node"),
                           vector.at("method_version")};
    CHECK(kind.canonical_line() == vector.at("line").get<std::string>());
    CHECK(kind.fingerprint() == vector.at("fingerprint").get<std::string>());
  }
}
