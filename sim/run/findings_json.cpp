// SPDX-License-Identifier: MIT
#include "sim/run/findings_json.h"

namespace paws {
namespace {

nlohmann::json to_json(const exec::Dim3& at) { return {at.x, at.y, at.z}; }

void add(nlohmann::json& json, const sanitize::Place& place) {
  json["line"] = place.line;
  if (place.source_line == 0) return;
  json["source_file"] = place.source_file;
  json["source_line"] = place.source_line;
}

nlohmann::json to_json(const sanitize::Finding& finding) {
  nlohmann::json json{{"kind", sanitize::to_string(finding.kind)},
                      {"kernel", finding.kernel},
                      {"file", finding.file},
                      {"launch", finding.launch},
                      {"block", to_json(finding.block)},
                      {"thread", to_json(finding.thread)},
                      {"cause", finding.cause},
                      {"count", finding.count}};
  add(json, finding.place);
  if (finding.address) json["address"] = *finding.address;
  if (finding.other) {
    nlohmann::json& other = json["other"];
    other["thread"] = to_json(finding.other->thread);
    if (finding.other->block) other["block"] = to_json(*finding.other->block);
    add(other, finding.other->place);
  }
  return json;
}

}  // namespace

nlohmann::json to_json(const sanitize::Report& report) {
  nlohmann::json findings = nlohmann::json::array();
  for (const sanitize::Finding& finding : report.findings) findings.push_back(to_json(finding));
  return {{"findings", std::move(findings)}};
}

}  // namespace paws
