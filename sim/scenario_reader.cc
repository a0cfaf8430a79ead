// Reading scenario files: untrusted text, so every field is looked at, and the first that is wrong
// is named with its place and what would be right.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "sim/scenario_json.h"
#include "sim/scenario_text.h"

namespace rollover {
namespace {

using Json = nlohmann::json;

struct BadField {
  std::string reason;
};

[[noreturn]] void Refuse(const std::string& path, const std::string& reason) {
  throw BadField{path.empty() ? reason : fmt::format("{}: {}", path, reason)};
}

// One JSON object: each field is asked for once, and Done() refuses what nobody asked for.
class Fields {
 public:
  Fields(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) Refuse(path_, "must be an object");
  }

  std::string At(std::string_view name) const {
    return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
  }

  const Json* Find(const char* name) {
    known_.insert(name);
    const auto at = json_.find(name);
    return at == json_.end() ? nullptr : &*at;
  }
  const Json& Need(const char* name) {
    const Json* found = Find(name);
    if (found == nullptr) Refuse(At(name), "is missing");
    return *found;
  }
  bool Has(const char* name) { return Find(name) != nullptr; }

  void Number(const char* name, std::uint64_t& value) {
    const Json* found = Find(name);
    if (found == nullptr) return;
    if (!found->is_number_unsigned()) {
      Refuse(At(name), "must be a whole number; valid: 0 .. 18446744073709551615");
    }
    value = found->get<std::uint64_t>();
  }
  void Signed(const char* name, std::int64_t& value) {
    const Json* found = Find(name);
    if (found == nullptr) return;
    const bool fits = found->is_number_integer() &&
                      (!found->is_number_unsigned() ||
                       found->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
    if (!fits) Refuse(At(name), "must be a whole number of 64 bits, with a sign");
    value = found->get<std::int64_t>();
  }
  void Bool(const char* name, bool& value) {
    const Json* found = Find(name);
    if (found == nullptr) return;
    if (!found->is_boolean()) Refuse(At(name), "must be true or false");
    value = found->get<bool>();
  }
  void Text(const char* name, std::string& value) {
    const Json* found = Find(name);
    if (found == nullptr) return;
    if (!found->is_string()) Refuse(At(name), "must be a string");
    value = found->get<std::string>();
  }
  // One of a fixed set of names.
  template <typename Enum>
  void OneOf(const char* name, std::size_t count, std::string_view (*name_of)(Enum), Enum& value) {
    std::string text;
    Text(name, text);
    if (text.empty() && !Has(name)) return;
    std::string valid;
    for (std::size_t i = 0; i < count; ++i) {
      const auto candidate = static_cast<Enum>(i);
      if (name_of(candidate) == text) {
        value = candidate;
        return;
      }
      valid += fmt::format("{}{}", i > 0 ? ", " : "", name_of(candidate));
    }
    Refuse(At(name), fmt::format("unknown {}; valid: {}", Shown(text), valid));
  }

  void Done() const {
    for (const auto& [key, value] : json_.items()) {
      if (known_.count(key) > 0) continue;
      std::string valid;
      for (const std::string& name : known_) valid += (valid.empty() ? "" : ", ") + name;
      Refuse(path_, fmt::format("unknown field {}; valid: {}", Shown(key), valid));
    }
  }

 private:
  const Json& json_;
  std::string path_;
  std::set<std::string> known_;
};

const Json& Array(const Json& json, const std::string& path) {
  if (!json.is_array()) Refuse(path, "must be an array");
  return json;
}

Options ReadOptions(const Json& json, const std::string& path) {
  Options options;
  Fields fields(json, path);
  fields.Number("message_window_size", options.message_window_size);
  fields.Number("message_chunk_size", options.message_chunk_size);
  fields.Number("message_chunk_max_bytes", options.message_chunk_max_bytes);
  if (const Json* limit = fields.Find("retained_message_limit"); limit && limit->is_null()) {
    options.retained_message_limit = std::nullopt;
  } else if (limit != nullptr) {
    options.retained_message_limit = 0;
    fields.Number("retained_message_limit", *options.retained_message_limit);
  }
  fields.Bool("compaction", options.compaction);
  fields.Number("commit_chunks_max", options.commit_chunks_max);
  fields.Number("commit_moved_max_bytes", options.commit_moved_max_bytes);
  if (const Json* bytes = fields.Find("value_max_bytes"); bytes && !bytes->is_null()) {
    options.value_max_bytes = 0;
    fields.Number("value_max_bytes", *options.value_max_bytes);
  }
  fields.Done();
  if (const auto bad = Invalid(options)) Refuse(path, *bad);
  return options;
}

std::string_view NameOf(Durability durability) {
  return durability == Durability::kSync ? "sync" : "async";
}

Limits ReadLimits(const Json& json, const std::string& path) {
  Limits limits;
  Fields fields(json, path);
  fields.Number("max_value_bytes", limits.max_value_bytes);
  fields.Number("max_result_bytes", limits.max_result_bytes);
  fields.Number("max_flow_state_bytes", limits.max_flow_state_bytes);
  fields.Number("history_commits", limits.history_commits);
  fields.OneOf("durability", 2, NameOf, limits.durability);
  fields.Done();
  if (const auto bad = Invalid(limits)) Refuse(path, *bad);
  return limits;
}

// "cap", "cap-1", "limit+20"
void ReadAlone(const std::string& text, const std::string& path, ContentSpec& spec) {
  const bool cap = text.rfind("cap", 0) == 0;
  const bool limit = text.rfind("limit", 0) == 0;
  const std::size_t head = cap ? 3 : 5;
  if (cap || limit) {
    spec.base = cap ? SizeBase::kCap : SizeBase::kLimit;
    spec.amount = 0;
    if (text.size() == head) return;
    const char* begin = text.data() + head + (text[head] == '+' ? 1 : 0);
    const char* end = text.data() + text.size();
    const bool plus_minus = text[head] == '+' && text[head + 1] == '-';
    const bool sign = !plus_minus && (text[head] == '+' || text[head] == '-');
    const auto [stop, code] = std::from_chars(begin, end, spec.amount);
    if (sign && code == std::errc() && stop == end) return;
  }
  Refuse(path,
         fmt::format("{} is no size; valid: cap, cap-1, cap+1, limit, limit-1, ...", Shown(text)));
}

ContentSpec ReadContent(const Json& json, const std::string& path) {
  ContentSpec spec;
  Fields fields(json, path);
  if (fields.Has("text")) {
    spec.kind = ContentSpec::Kind::kText;
    fields.Text("text", spec.text);
  } else if (fields.Has("json")) {
    spec.kind = ContentSpec::Kind::kJson;
    fields.Text("json", spec.text);
  } else {
    fields.OneOf("fill", kFillCount, FillName, spec.fill);
    if (fields.Has("alone")) {
      std::string alone;
      fields.Text("alone", alone);
      ReadAlone(alone, fields.At("alone"), spec);
    } else if (fields.Has("message")) {
      spec.base = SizeBase::kMessage;
      fields.Signed("message", spec.amount);
    } else {
      fields.Signed("bytes", spec.amount);
    }
  }
  fields.Done();
  return spec;
}

Round ReadRound(const Json& json, const std::string& path) {
  Round round;
  Fields fields(json, path);
  if (const Json* compact = fields.Find("compact")) {
    round.compact = true;
    Fields inner(*compact, fields.At("compact"));
    inner.Number("keep", round.keep);
    inner.Text("summary", round.summary);
    inner.Done();
  } else {
    if (const Json* reply = fields.Find("reply")) {
      round.reply = ReadContent(*reply, fields.At("reply"));
    }
    if (const Json* tools = fields.Find("tools")) {
      const std::string at = fields.At("tools");
      for (const Json& tool : Array(*tools, at)) {
        round.tools.push_back(ReadContent(tool, fmt::format("{}[{}]", at, round.tools.size())));
      }
    }
  }
  fields.Done();
  return round;
}

Anchor ReadAnchor(const Json& json, const std::string& path) {
  Anchor anchor;
  Fields fields(json, path);
  fields.OneOf("at", kAnchorPlaceCount, AnchorPlaceName, anchor.place);
  fields.Number("chunk", anchor.chunk);
  fields.Signed("offset", anchor.offset);
  fields.Done();
  return anchor;
}

std::string_view NameOf(Rpc rpc) {
  return rpc == Rpc::kListAgentMessages ? "list_agent_messages" : "get_agent_snapshot";
}

Read ReadRead(Fields& fields) {
  Read read;
  fields.OneOf("rpc", 2, NameOf, read.rpc);
  if (read.rpc == Rpc::kListAgentMessages) {
    if (const Json* after = fields.Find("after"))
      read.after = ReadAnchor(*after, fields.At("after"));
    if (const Json* before = fields.Find("before")) {
      read.before = ReadAnchor(*before, fields.At("before"));
    }
    fields.Signed("limit", read.limit);
  }
  fields.Done();
  return read;
}

std::string_view KindName(CoreKind kind) { return CoreKindName(kind); }

Operation ReadOperation(const Json& json, const std::string& path) {
  Fields fields(json, path);
  std::string op;
  fields.Need("op");
  fields.Text("op", op);
  if (op == "turn") {
    Turn turn;
    if (const Json* user = fields.Find("user")) turn.user = ReadContent(*user, fields.At("user"));
    if (const Json* rounds = fields.Find("rounds")) {
      const std::string at = fields.At("rounds");
      for (const Json& round : Array(*rounds, at)) {
        turn.rounds.push_back(ReadRound(round, fmt::format("{}[{}]", at, turn.rounds.size())));
      }
    }
    fields.Done();
    return turn;
  }
  if (op == "read") return ReadRead(fields);
  if (op == "restart") {
    Restart restart;
    if (const Json* options = fields.Find("options")) {
      restart.options = ReadOptions(*options, fields.At("options"));
    }
    if (fields.Has("core")) {
      restart.core = CoreKind::kReference;
      fields.OneOf("core", 3, KindName, *restart.core);
    }
    fields.Done();
    return restart;
  }
  if (op != "limits") {
    Refuse(fields.At("op"),
           fmt::format("unknown {}; valid: turn, read, restart, limits", Shown(op)));
  }
  ChangeLimits change{.max_value_bytes = Limits{}.max_value_bytes,
                      .max_result_bytes = Limits{}.max_result_bytes};
  fields.Number("max_value_bytes", change.max_value_bytes);
  fields.Number("max_result_bytes", change.max_result_bytes);
  fields.Done();
  return change;
}

std::string_view NameOf(ControlKind control) {
  return control == ControlKind::kSteer ? "steer" : "cancel";
}

// The fields that count for its kind. Another one would be dropped in silence, so it is refused.
void ReadFaultDetails(Fields& fields, Fault& fault) {
  const FaultKind kind = fault.kind;
  const bool error = kind == FaultKind::kModelError || kind == FaultKind::kToolError;
  const bool limit = kind == FaultKind::kValueLimit || kind == FaultKind::kResultLimit;
  const bool control = kind == FaultKind::kControl;
  const bool crash = kind == FaultKind::kEngineCrash;
  const bool race = kind == FaultKind::kReadRace;
  if (crash || limit || control || race) {
    fields.OneOf("at", kPointCount, PointName, fault.at);
  }
  if (kind == FaultKind::kKillMidCommit) fields.Number("entries", fault.entries);
  if (kind == FaultKind::kStall || control) fields.OneOf("late", 3, LateName, fault.late);
  if (crash) fields.Number("commits", fault.commits);
  if (control) fields.OneOf("control", 2, NameOf, fault.control);
  if (error) fields.Bool("retryable", fault.retryable);
  if (limit) fields.Number("bytes", fault.bytes);
  if (kind == FaultKind::kOptionsChange) {
    const Json* options = fields.Find("options");
    if (options != nullptr) fault.options = ReadOptions(*options, fields.At("options"));
  }
  if (kind == FaultKind::kCoreSwap) {
    fields.OneOf("core", 3, KindName, fault.core);
    fields.Bool("this_attempt_only", fault.this_attempt_only);
  }
  if (race) {
    const Json* read = fields.Find("read");
    if (read == nullptr) return;
    Fields inner(*read, fields.At("read"));
    fault.read = ReadRead(inner);
  }
}

Fault ReadFault(const Json& json, const std::string& path) {
  Fault fault;
  Fields fields(json, path);
  fields.Need("fault");
  fields.OneOf("fault", kFaultKindCount, FaultName, fault.kind);
  fields.Need("turn");
  fields.Number("turn", fault.turn);
  fields.Need("step");
  fields.OneOf("step", kStepKindCount, StepName, fault.step);
  fields.Number("occurrence", fault.occurrence);
  fields.Number("attempt", fault.attempt);
  ReadFaultDetails(fields, fault);
  fields.Done();
  return fault;
}

KnownFailure ReadFailure(const Json& json, const std::string& path) {
  KnownFailure failure;
  Fields fields(json, path);
  fields.Text("rule", failure.rule);
  fields.Text("what", failure.what);
  fields.Text("core", failure.core);
  fields.Text("found_by", failure.found_by);
  fields.Text("trace_hash", failure.trace_hash);
  fields.Done();
  return failure;
}

ScenarioFile ReadFile(const Json& json) {
  ScenarioFile file;
  Scenario& scenario = file.scenario;
  Fields fields(json, "");
  std::uint64_t version = 0;
  fields.Need("version");
  fields.Number("version", version);
  if (version != kScenarioVersion) {
    Refuse("version", fmt::format("is {}; this build reads {}", version, kScenarioVersion));
  }
  fields.OneOf("core", 3, KindName, scenario.core);
  if (const Json* options = fields.Find("options")) {
    scenario.options = ReadOptions(*options, "options");
  }
  if (const Json* limits = fields.Find("limits")) scenario.limits = ReadLimits(*limits, "limits");
  for (const Json& operation : Array(fields.Need("operations"), "operations")) {
    scenario.operations.push_back(
        ReadOperation(operation, fmt::format("operations[{}]", scenario.operations.size())));
  }
  if (const Json* faults = fields.Find("faults")) {
    for (const Json& fault : Array(*faults, "faults")) {
      scenario.faults.push_back(
          ReadFault(fault, fmt::format("faults[{}]", scenario.faults.size())));
    }
  }
  if (const Json* failure = fields.Find("failure")) {
    file.failure = ReadFailure(*failure, "failure");
  }
  fields.Done();
  if (const auto bad = Invalid(scenario)) Refuse("", *bad);
  return file;
}

}  // namespace

Result<ScenarioFile> ReadScenario(std::string_view text) {
  if (const auto error = BadScenarioText(text)) {
    const std::size_t at = std::min(error->position, text.size());
    const std::string_view before = text.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return Error{fmt::format("line {}: {}", line, error->reason), at};
  }
  try {
    return ReadFile(Json::parse(text));
  } catch (const Json::exception&) {  // a text that only one of two parsers takes
    return Error{"line 1: not JSON", 0};
  } catch (const BadField& bad) {
    return Error{bad.reason, 0};
  }
}

}  // namespace rollover
