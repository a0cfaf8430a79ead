#include "sim/scenario_json.h"

#include <fmt/format.h>

namespace rollover {
namespace {

using Json = nlohmann::ordered_json;

std::string_view DurabilityName(Durability durability) {
  return durability == Durability::kSync ? "sync" : "async";
}

Json JsonOf(const ContentSpec& spec) {
  if (spec.kind == ContentSpec::Kind::kText) return {{"text", spec.text}};
  if (spec.kind == ContentSpec::Kind::kJson) return {{"json", spec.text}};
  Json json{{"fill", FillName(spec.fill)}};
  switch (spec.base) {
    case SizeBase::kBytes:
      json["bytes"] = spec.amount;
      break;
    case SizeBase::kMessage:
      json["message"] = spec.amount;
      break;
    case SizeBase::kCap:
      json["alone"] = spec.amount == 0 ? "cap" : fmt::format("cap{:+}", spec.amount);
      break;
    case SizeBase::kLimit:
      json["alone"] = spec.amount == 0 ? "limit" : fmt::format("limit{:+}", spec.amount);
      break;
  }
  return json;
}

Json JsonOf(const Round& round) {
  if (round.compact) return {{"compact", {{"keep", round.keep}, {"summary", round.summary}}}};
  Json json{{"reply", JsonOf(round.reply)}};
  for (const ContentSpec& tool : round.tools) json["tools"].push_back(JsonOf(tool));
  return json;
}

Json JsonOf(const Anchor& anchor) {
  Json json{{"at", AnchorPlaceName(anchor.place)}};
  if (anchor.chunk != 0) json["chunk"] = anchor.chunk;
  if (anchor.offset != 0) json["offset"] = anchor.offset;
  return json;
}

Json JsonOf(const Read& read) {
  const bool list = read.rpc == Rpc::kListAgentMessages;
  Json json{{"rpc", list ? "list_agent_messages" : "get_agent_snapshot"}};
  if (read.after) json["after"] = JsonOf(*read.after);
  if (read.before) json["before"] = JsonOf(*read.before);
  if (list) json["limit"] = read.limit;
  return json;
}

Json JsonOf(const Operation& operation) {
  if (const auto* turn = std::get_if<Turn>(&operation)) {
    Json json{{"op", "turn"}, {"user", JsonOf(turn->user)}};
    for (const Round& round : turn->rounds) json["rounds"].push_back(JsonOf(round));
    return json;
  }
  if (const auto* read = std::get_if<Read>(&operation)) {
    Json json{{"op", "read"}};
    json.update(JsonOf(*read));
    return json;
  }
  if (const auto* restart = std::get_if<Restart>(&operation)) {
    Json json{{"op", "restart"}};
    if (restart->core) json["core"] = CoreKindName(*restart->core);
    if (restart->options) json["options"] = ToJson(*restart->options);
    return json;
  }
  const auto& change = std::get<ChangeLimits>(operation);
  return {{"op", "limits"},
          {"max_value_bytes", change.max_value_bytes},
          {"max_result_bytes", change.max_result_bytes}};
}

Json JsonOf(const Fault& fault) {
  Json json{{"fault", FaultName(fault.kind)}, {"turn", fault.turn}, {"step", StepName(fault.step)}};
  if (fault.occurrence != 1) json["occurrence"] = fault.occurrence;
  if (fault.attempt != 1) json["attempt"] = fault.attempt;
  switch (fault.kind) {
    case FaultKind::kKillMidCommit:
      json["entries"] = fault.entries;
      break;
    case FaultKind::kStall:
      json["late"] = LateName(fault.late);
      break;
    case FaultKind::kEngineCrash:
      json["at"] = PointName(fault.at);
      json["commits"] = fault.commits;
      break;
    case FaultKind::kValueLimit:
    case FaultKind::kResultLimit:
      json["at"] = PointName(fault.at);
      json["bytes"] = fault.bytes;
      break;
    case FaultKind::kOptionsChange:
      json["options"] = ToJson(fault.options);
      break;
    case FaultKind::kCoreSwap:
      json["core"] = CoreKindName(fault.core);
      if (fault.this_attempt_only) json["this_attempt_only"] = true;
      break;
    case FaultKind::kModelError:
    case FaultKind::kToolError:
      json["retryable"] = fault.retryable;
      break;
    case FaultKind::kControl:
      json["at"] = PointName(fault.at);
      json["control"] = fault.control == ControlKind::kSteer ? "steer" : "cancel";
      json["late"] = LateName(fault.late);
      break;
    case FaultKind::kReadRace:
      json["at"] = PointName(fault.at);
      json["read"] = JsonOf(fault.read);
      break;
    default:
      break;
  }
  return json;
}

}  // namespace

Json ToJson(const Options& options) {
  Json json{{"message_window_size", options.message_window_size},
            {"message_chunk_size", options.message_chunk_size},
            {"message_chunk_max_bytes", options.message_chunk_max_bytes},
            {"retained_message_limit", nullptr},
            {"compaction", options.compaction}};
  if (options.retained_message_limit) {
    json["retained_message_limit"] = *options.retained_message_limit;
  }
  if (options.commit_chunks_max != kCommitChunksMax) {
    json["commit_chunks_max"] = options.commit_chunks_max;
  }
  if (options.commit_moved_max_bytes != kCommitMovedBytesMax) {
    json["commit_moved_max_bytes"] = options.commit_moved_max_bytes;
  }
  if (options.value_max_bytes) json["value_max_bytes"] = *options.value_max_bytes;
  return json;
}

Json ToJson(const Limits& limits) {
  return {{"max_value_bytes", limits.max_value_bytes},
          {"max_result_bytes", limits.max_result_bytes},
          {"max_flow_state_bytes", limits.max_flow_state_bytes},
          {"history_commits", limits.history_commits},
          {"durability", DurabilityName(limits.durability)}};
}

std::string WriteScenario(const ScenarioFile& file) {
  const Scenario& scenario = file.scenario;
  Json json{{"version", kScenarioVersion},
            {"core", CoreKindName(scenario.core)},
            {"options", ToJson(scenario.options)},
            {"limits", ToJson(scenario.limits)}};
  json["operations"] = Json::array();
  for (const Operation& operation : scenario.operations) {
    json["operations"].push_back(JsonOf(operation));
  }
  json["faults"] = Json::array();
  for (const Fault& fault : scenario.faults) json["faults"].push_back(JsonOf(fault));
  if (file.failure) {
    json["failure"] = {{"rule", file.failure->rule},
                       {"what", file.failure->what},
                       {"core", file.failure->core},
                       {"found_by", file.failure->found_by},
                       {"trace_hash", file.failure->trace_hash}};
  }
  // Contents are valid UTF-8; what a failing core says of itself need not be.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rollover
