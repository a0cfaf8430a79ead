// Bytes to scenario: total. Each record does what it can where it stands.
#include <algorithm>

#include "model/json_text.h"
#include "sim/record.h"
#include "sim/scenario_bytes.h"
#include "sim/scenario_parts.h"

namespace rollover {
namespace {

std::uint64_t Within(std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  return std::clamp(value, low, high);
}

template <typename Enum>
Enum Choice(std::uint64_t value, std::size_t count) {
  return static_cast<Enum>(value % count);
}

Options OptionsOf(const Record& record) {
  Options options;
  options.message_window_size = std::max<std::uint64_t>(record.Get(1, 4), 1);
  options.message_chunk_size = Within(record.Get(5, 4), 1, options.message_window_size);
  const std::uint64_t cap = record.Get(9, 3);
  options.message_chunk_max_bytes =
      std::min((cap & ~kCompactionBit) + kChunkBytesFloor, kChunkBytesCeiling);
  options.compaction = (cap & kCompactionBit) != 0;
  options.retained_message_limit = record.Get(12, 4);
  if (options.retained_message_limit == kKeepsAll) options.retained_message_limit.reset();
  return options;
}

ContentSpec ContentOf(const Record& record) {
  const std::uint64_t shape = record.Get(1, 1);
  const auto kind = Choice<ContentSpec::Kind>(shape & 3, kContentKinds1);
  if (kind != ContentSpec::Kind::kFill) return {.kind = kind};
  constexpr auto most = static_cast<std::int64_t>(kContentBytesMax);
  return {.fill = Choice<Fill>((shape >> 2) & 7, kFills1),
          .base = static_cast<SizeBase>((shape >> 5) & 3),
          .amount = std::clamp(record.GetSigned(2, 4), -most, most)};
}

Read ReadOf(const Record& record) {
  const std::uint64_t flags = record.Get(1, 1);
  if ((flags & kReadLists) == 0) return Read{.rpc = Rpc::kGetAgentSnapshot};
  const std::uint64_t places = record.Get(2, 1);
  Read read{.rpc = Rpc::kListAgentMessages, .limit = record.GetSigned(13, 2)};
  if ((flags & kReadAfter) != 0) {
    read.after = Anchor{.place = Choice<AnchorPlace>(places & 15, kAnchorPlaces1),
                        .chunk = record.Get(3, 1),
                        .offset = record.GetSigned(5, 4)};
  }
  if ((flags & kReadBefore) != 0) {
    read.before = Anchor{.place = Choice<AnchorPlace>(places >> 4, kAnchorPlaces1),
                         .chunk = record.Get(4, 1),
                         .offset = record.GetSigned(9, 4)};
  }
  return read;
}

// The fields that count for its kind; the others keep their defaults.
Fault FaultOf(const Record& record, std::uint64_t turn) {
  Fault fault{.kind = Choice<FaultKind>(record.Get(1, 1), kFaultKinds1),
              .turn = turn,
              .step = Choice<StepKind>(record.Get(2, 1), kStepKinds1),
              .occurrence = record.Get(3, 1) + 1,
              .attempt = record.Get(4, 1) + 1};
  const std::uint64_t flags = record.Get(5, 1);
  const auto at = static_cast<Point>(flags & 3);
  const auto late = Choice<Late>((flags >> 2) & 3, kLates1);
  const std::uint64_t more = record.Get(6, 1);
  switch (fault.kind) {
    case FaultKind::kKillMidCommit:
      fault.entries = record.Get(7, 1);
      break;
    case FaultKind::kStall:
      fault.late = late;
      break;
    case FaultKind::kEngineCrash:
      fault.at = at;
      fault.commits = std::min(record.Get(8, 1), kRollbackCommitsMax);
      break;
    case FaultKind::kValueLimit:
    case FaultKind::kResultLimit:
      fault.at = at;
      fault.bytes = Within(record.Get(9, 5), 1, kSettingMax);
      break;
    case FaultKind::kCoreSwap:
      fault.core = Choice<CoreKind>(more & 3, kCoreKinds1);
      fault.this_attempt_only = (more & kFaultThisAttempt) != 0;
      break;
    case FaultKind::kModelError:
    case FaultKind::kToolError:
      fault.retryable = (flags & kFaultRetryable) != 0;
      break;
    case FaultKind::kControl:
      fault.at = at == Point::kAfterCommit ? Point::kBeforeCommit : at;
      fault.late = late;
      fault.control = (flags & kFaultCancels) != 0 ? ControlKind::kCancel : ControlKind::kSteer;
      break;
    case FaultKind::kReadRace:
      fault.at = at;
      break;
    default:
      break;
  }
  return fault;
}

std::string WithoutBrokenText(std::string text) {
  if (ValidUtf8(text)) return text;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return text;
}

void MakeValid(ContentSpec& spec) {
  if (spec.kind == ContentSpec::Kind::kJson && NotOneJsonValue(spec.text)) {
    spec.kind = ContentSpec::Kind::kText;
  }
  if (spec.kind == ContentSpec::Kind::kText) spec.text = WithoutBrokenText(std::move(spec.text));
}

class Decoder {
 public:
  Scenario Decode(std::span<const std::uint8_t> bytes) {
    std::array<Record, kHeaderRecords> header;
    for (Record& record : header) record = Next(bytes);
    SetHeader(header);
    while (!bytes.empty()) Take(Next(bytes));
    ForEachContent(scenario_, [](ContentSpec& spec) { MakeValid(spec); });
    ForEachTurn(scenario_, [](Turn& turn) {
      for (Round& round : turn.rounds) {
        round.summary = WithoutBrokenText(std::move(round.summary));
      }
    });
    return std::move(scenario_);
  }

 private:
  // What the next record may complete.
  enum class Open : std::uint8_t { kNothing, kContent, kSummary, kRestart, kOptions, kRead };

  static Record Next(std::span<const std::uint8_t>& bytes) {
    const std::size_t size = std::min(bytes.size(), kRecordBytes);
    const Record record(bytes.first(size));
    bytes = bytes.subspan(size);
    return record;
  }

  void SetHeader(const std::array<Record, kHeaderRecords>& header) {
    scenario_.core = Choice<CoreKind>(header[0].Get(1, 1), kCoreKinds1);
    Limits& limits = scenario_.limits;
    limits.durability = static_cast<Durability>(header[0].Get(2, 1) & 1);
    limits.history_commits = std::min<std::uint64_t>(header[0].Get(3, 3), 1'000'000);
    limits.max_value_bytes = Within(header[0].Get(6, 5), 1, kSettingMax);
    limits.max_result_bytes = Within(header[0].Get(11, 5), 1, kSettingMax);
    limits.max_flow_state_bytes = Within(header[1].Get(0, 5), 1, kSettingMax);
    scenario_.options = OptionsOf(header[2]);
  }

  void Take(const Record& record) {
    const Open open = open_;
    open_ = Open::kNothing;
    switch (record.kind()) {
      case RecordKind::kTurn:
        return AddTurn(record);
      case RecordKind::kRound:
      case RecordKind::kCompact:
      case RecordKind::kTool:
        return AddToTurn(record);
      case RecordKind::kText:
        open_ = open;
        return AddText(record);
      case RecordKind::kRead:
        if (open == Open::kRead) {
          scenario_.faults.back().read = ReadOf(record);
        } else {
          scenario_.operations.push_back(ReadOf(record));
        }
        return;
      case RecordKind::kRestart:
        return AddRestart(record);
      case RecordKind::kLimits:
        scenario_.operations.push_back(
            ChangeLimits{.max_value_bytes = Within(record.Get(1, 5), 1, kSettingMax),
                         .max_result_bytes = Within(record.Get(6, 5), 1, kSettingMax)});
        return;
      case RecordKind::kFault:
        return AddFault(record);
      case RecordKind::kOptions:
        if (open == Open::kRestart) {
          std::get<Restart>(scenario_.operations.back()).options = OptionsOf(record);
        } else if (open == Open::kOptions) {
          scenario_.faults.back().options = OptionsOf(record);
        }
        return;
      default:
        return;
    }
  }

  Turn* LastTurn() {
    return turns_ == 0 ? nullptr : &std::get<Turn>(scenario_.operations[last_turn_]);
  }

  void AddTurn(const Record& record) {
    last_turn_ = scenario_.operations.size();
    ++turns_;
    scenario_.operations.push_back(Turn{.user = ContentOf(record)});
    Write(&std::get<Turn>(scenario_.operations.back()).user);
  }

  void AddToTurn(const Record& record) {
    Turn* turn = LastTurn();
    if (turn == nullptr) return;
    if (record.kind() == RecordKind::kTool) {
      if (turn->rounds.empty() || turn->rounds.back().compact) return;
      turn->rounds.back().tools.push_back(ContentOf(record));
      return Write(&turn->rounds.back().tools.back());
    }
    turn->rounds.emplace_back();
    Round& round = turn->rounds.back();
    if (record.kind() == RecordKind::kRound) {
      round.reply = ContentOf(record);
      return Write(&round.reply);
    }
    round.compact = true;
    round.keep = record.Get(1, 4);
    open_ = Open::kSummary;
    text_ = &round.summary;
  }

  // Text records that follow belong to this content, if it has any. The pointer holds until the
  // next record that is not text, and only such a record moves anything.
  void Write(ContentSpec* spec) {
    if (spec->kind == ContentSpec::Kind::kFill) return;
    open_ = Open::kContent;
    text_ = &spec->text;
  }

  void AddText(const Record& record) {
    if (open_ != Open::kContent && open_ != Open::kSummary) return;
    const std::uint64_t size = std::min<std::uint64_t>(record.Get(1, 1), kRecordBytes - 2);
    for (std::size_t i = 0; i < size; ++i) {
      *text_ += static_cast<char>(record.bytes()[2 + i]);
    }
  }

  void AddRestart(const Record& record) {
    const std::uint64_t flags = record.Get(1, 1);
    Restart restart;
    if ((flags & kRestartSetsCore) != 0)
      restart.core = Choice<CoreKind>((flags >> 1) & 3, kCoreKinds1);
    scenario_.operations.push_back(restart);
    open_ = Open::kRestart;
  }

  void AddFault(const Record& record) {
    if (turns_ == 0) return;
    const Fault fault = FaultOf(record, turns_);
    if (!CanHit(fault.kind, fault.step)) return;
    scenario_.faults.push_back(fault);
    if (fault.kind == FaultKind::kOptionsChange) open_ = Open::kOptions;
    if (fault.kind == FaultKind::kReadRace) open_ = Open::kRead;
  }

  Scenario scenario_;
  std::uint64_t turns_ = 0;
  std::size_t last_turn_ = 0;  // its operation, if there is a turn
  Open open_ = Open::kNothing;
  std::string* text_ = nullptr;
};

}  // namespace

Scenario DecodeScenario(std::span<const std::uint8_t> bytes) { return Decoder().Decode(bytes); }

}  // namespace rollover
