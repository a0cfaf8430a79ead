// Scenario to bytes: a record at a time, in the order in which the decoder wants them.
#include <fmt/format.h>

#include <vector>

#include "sim/record.h"
#include "sim/scenario_bytes.h"

namespace rollover {
namespace {

class Encoder {
 public:
  explicit Encoder(const Scenario& scenario) : scenario_(scenario) {}

  Result<std::string> Encode() {
    AddHeader();
    std::vector<std::vector<const Fault*>> faults(CountTurns(scenario_) + 1);
    for (const Fault& fault : scenario_.faults) faults.at(fault.turn).push_back(&fault);
    std::size_t turn = 0;
    for (std::size_t i = 0; i < scenario_.operations.size(); ++i) {
      place_ = fmt::format("operations[{}]", i);
      Add(scenario_.operations[i]);
      if (!std::holds_alternative<Turn>(scenario_.operations[i])) continue;
      ++turn;
      for (const Fault* fault : faults[turn]) {
        place_ = fmt::format("faults of turn {}", turn);
        Add(*fault);
      }
    }
    if (!misfit_.empty()) return Error{misfit_ + " has a value that version 1 cannot hold", 0};
    return std::move(out_);
  }

 private:
  void Push(const Record& record) { out_.append(record.bytes().begin(), record.bytes().end()); }

  template <typename Enum>
  static bool Knows(Enum value, std::size_t count) {
    return static_cast<std::size_t>(value) < count;
  }

  void Fits(bool fits) {
    if (!fits && misfit_.empty()) misfit_ = place_;
  }

  void AddHeader() {
    const Limits& limits = scenario_.limits;
    Record first;
    first.Put(0, 1, kScenarioBytesVersion);
    first.Put(1, 1, static_cast<std::uint64_t>(scenario_.core));
    first.Put(2, 1, static_cast<std::uint64_t>(limits.durability));
    place_ = "limits";
    Fits(first.Put(3, 3, limits.history_commits));
    Fits(first.Put(6, 5, limits.max_value_bytes));
    Fits(first.Put(11, 5, limits.max_result_bytes));
    Push(first);
    Record second;
    Fits(second.Put(0, 5, limits.max_flow_state_bytes));
    Push(second);
    place_ = "options";
    Add(scenario_.options);
  }

  void Add(const Options& options) {
    Record record(RecordKind::kOptions);
    Fits(!options.amended());
    Fits(record.Put(1, 4, options.message_window_size));
    Fits(record.Put(5, 4, options.message_chunk_size));
    record.Put(9, 3,
               (options.message_chunk_max_bytes - kChunkBytesFloor) |
                   (options.compaction ? kCompactionBit : 0));
    const std::uint64_t limit = options.retained_message_limit.value_or(kKeepsAll);
    Fits(record.Put(12, 4, limit) && (limit != kKeepsAll || !options.retained_message_limit));
    Push(record);
  }

  void Add(RecordKind kind, const ContentSpec& spec) {
    Record record(kind);
    const bool fill = spec.kind == ContentSpec::Kind::kFill;
    Fits(Knows(spec.kind, kContentKinds1) && Knows(spec.fill, kFills1));
    record.Put(1, 1,
               static_cast<std::uint64_t>(spec.kind) |
                   (fill ? static_cast<std::uint64_t>(spec.fill) << 2 |
                               static_cast<std::uint64_t>(spec.base) << 5
                         : 0));
    if (fill) Fits(record.PutSigned(2, 4, spec.amount));
    Push(record);
    if (!fill) AddText(spec.text);
  }

  void AddText(std::string_view text) {
    constexpr std::size_t room = kRecordBytes - 2;
    for (; !text.empty(); text.remove_prefix(std::min(room, text.size()))) {
      const std::string_view part = text.substr(0, room);
      Record record(RecordKind::kText);
      record.Put(1, 1, part.size());
      for (std::size_t i = 0; i < part.size(); ++i) {
        record.Put(2 + i, 1, static_cast<unsigned char>(part[i]));
      }
      Push(record);
    }
  }

  void Add(const Turn& turn) {
    Add(RecordKind::kTurn, turn.user);
    for (const Round& round : turn.rounds) {
      if (round.compact) {
        Record record(RecordKind::kCompact);
        Fits(record.Put(1, 4, round.keep));
        Push(record);
        AddText(round.summary);
        continue;
      }
      Add(RecordKind::kRound, round.reply);
      for (const ContentSpec& tool : round.tools) Add(RecordKind::kTool, tool);
    }
  }

  void Add(const Read& read) {
    Record record(RecordKind::kRead);
    const bool lists = read.rpc == Rpc::kListAgentMessages;
    const Anchor after = read.after.value_or(Anchor{});
    const Anchor before = read.before.value_or(Anchor{});
    record.Put(
        1, 1,
        (lists ? kReadLists : 0) | (read.after ? kReadAfter : 0) | (read.before ? kReadBefore : 0));
    Fits(Knows(after.place, kAnchorPlaces1) && Knows(before.place, kAnchorPlaces1));
    record.Put(2, 1,
               static_cast<std::uint64_t>(after.place) | static_cast<std::uint64_t>(before.place)
                                                             << 4);
    Fits(record.Put(3, 1, after.chunk));
    Fits(record.Put(4, 1, before.chunk));
    Fits(record.PutSigned(5, 4, after.offset));
    Fits(record.PutSigned(9, 4, before.offset));
    Fits(record.PutSigned(13, 2, read.limit));
    Push(record);
  }

  void Add(const Restart& restart) {
    Record record(RecordKind::kRestart);
    if (restart.core) {
      record.Put(1, 1, kRestartSetsCore | static_cast<std::uint64_t>(*restart.core) << 1);
    }
    Push(record);
    if (restart.options) Add(*restart.options);
  }

  void Add(const ChangeLimits& change) {
    Record record(RecordKind::kLimits);
    Fits(record.Put(1, 5, change.max_value_bytes));
    Fits(record.Put(6, 5, change.max_result_bytes));
    Push(record);
  }

  void Add(const Operation& operation) {
    std::visit([this](const auto& alternative) { Add(alternative); }, operation);
  }

  void Add(const Fault& fault) {
    Record record(RecordKind::kFault);
    Fits(Knows(fault.kind, kFaultKinds1) && Knows(fault.step, kStepKinds1));
    record.Put(1, 1, static_cast<std::uint64_t>(fault.kind));
    record.Put(2, 1, static_cast<std::uint64_t>(fault.step));
    Fits(record.Put(3, 1, fault.occurrence - 1));
    Fits(record.Put(4, 1, fault.attempt - 1));
    const bool cancels = fault.control == ControlKind::kCancel;
    record.Put(5, 1,
               static_cast<std::uint64_t>(fault.at) | static_cast<std::uint64_t>(fault.late) << 2 |
                   (cancels ? kFaultCancels : 0) | (fault.retryable ? kFaultRetryable : 0));
    record.Put(
        6, 1,
        static_cast<std::uint64_t>(fault.core) | (fault.this_attempt_only ? kFaultThisAttempt : 0));
    Fits(record.Put(7, 1, fault.entries));
    Fits(record.Put(8, 1, fault.commits));
    Fits(record.Put(9, 5, fault.bytes));
    Push(record);
    if (fault.kind == FaultKind::kOptionsChange) Add(fault.options);
    if (fault.kind == FaultKind::kReadRace) Add(fault.read);
  }

  const Scenario& scenario_;
  std::string out_;
  std::string place_;
  std::string misfit_;
};

}  // namespace

Result<std::string> EncodeScenario(const Scenario& scenario) { return Encoder(scenario).Encode(); }

}  // namespace rollover
