#include "sim/scenario_mutator.h"

#include <algorithm>
#include <vector>

#include "sim/random.h"
#include "sim/record.h"

namespace rollover {
namespace {

using Records = std::vector<Record>;

Records Split(std::span<const std::uint8_t> bytes) {
  Records records;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kRecordBytes))) {
    records.emplace_back(bytes.first(std::min(bytes.size(), kRecordBytes)));
  }
  records.resize(std::max(records.size(), kHeaderRecords));
  return records;
}

std::string Join(const Records& records, std::size_t bytes_max) {
  std::string bytes;
  for (const Record& record : records) {
    if (bytes.size() + kRecordBytes > bytes_max) break;
    bytes.append(record.bytes().begin(), record.bytes().end());
  }
  return bytes;
}

class Mutator {
 public:
  Mutator(Records records, Random& random) : records_(std::move(records)), random_(random) {}

  Records Mutate() {
    for (std::uint64_t edits = random_.Between(1, 4); edits > 0; --edits) Edit();
    return std::move(records_);
  }

 private:
  // A place for a record; the header stays where it is.
  std::size_t Gap() { return random_.Between(kHeaderRecords, records_.size()); }

  void Edit() {
    const bool empty = records_.size() == kHeaderRecords;
    const std::uint64_t draw = empty ? 0 : random_.Below(100);
    if (draw < 25) {
      Insert(Gap(), DrawRecord());
    } else if (draw < 40) {
      Drop();
    } else if (draw < 55) {
      Double();
    } else if (draw < 62) {
      std::swap(records_[PickRecord()], records_[PickRecord()]);
    } else if (draw < 70) {
      SetHeader();
    } else if (draw < 90) {
      SetField(records_[PickRecord()]);
    } else {
      records_[random_.Below(records_.size())].Put(random_.Below(kRecordBytes), 1,
                                                   random_.Below(256));
    }
  }

  std::size_t PickRecord() { return random_.Between(kHeaderRecords, records_.size() - 1); }

  void Insert(std::size_t at, const Record& record) {
    records_.insert(records_.begin() + static_cast<std::ptrdiff_t>(at), record);
    const bool fault = record.kind() == RecordKind::kFault;
    const auto completes = [&](FaultKind wanted) {
      return fault && static_cast<FaultKind>(record.Get(1, 1)) == wanted;
    };
    const bool options =
        record.kind() == RecordKind::kRestart || completes(FaultKind::kOptionsChange);
    if (options) Insert(at + 1, DrawOptionsRecord());
    if (completes(FaultKind::kReadRace)) Insert(at + 1, DrawRecord(RecordKind::kRead));
  }

  void Drop() {
    const std::size_t first = PickRecord();
    const std::size_t count = std::min(random_.Skewed(1, 8), records_.size() - first);
    const auto at = records_.begin() + static_cast<std::ptrdiff_t>(first);
    records_.erase(at, at + static_cast<std::ptrdiff_t>(count));
  }

  // Copies a few records to another place.
  void Double() {
    const std::size_t first = PickRecord();
    const std::size_t count = std::min(random_.Skewed(1, 8), records_.size() - first);
    const Records copy(records_.begin() + static_cast<std::ptrdiff_t>(first),
                       records_.begin() + static_cast<std::ptrdiff_t>(first + count));
    records_.insert(records_.begin() + static_cast<std::ptrdiff_t>(Gap()), copy.begin(),
                    copy.end());
  }

  void SetHeader() {
    const std::uint64_t draw = random_.Below(8);
    if (draw == 0) {
      records_[0].Put(1, 1, random_.Below(3));
    } else if (draw == 1) {
      records_[0].Put(2, 1, random_.Below(2));
    } else if (draw == 2) {
      records_[1].Put(kSpareByte - kRecordBytes, 2, random_.Below(1 << 16));
    } else {
      records_[2] = DrawOptionsRecord();
    }
  }

  Record DrawRecord() {
    // Texts and lone options rarely help; turns, their parts and faults do.
    constexpr std::array<RecordKind, 16> kinds = {
        RecordKind::kTurn,    RecordKind::kTurn,    RecordKind::kTurn,  RecordKind::kRound,
        RecordKind::kRound,   RecordKind::kTool,    RecordKind::kTool,  RecordKind::kCompact,
        RecordKind::kCompact, RecordKind::kFault,   RecordKind::kFault, RecordKind::kFault,
        RecordKind::kFault,   RecordKind::kRestart, RecordKind::kRead,  RecordKind::kLimits};
    return DrawRecord(random_.Pick(kinds));
  }

  Record DrawRecord(RecordKind kind) {
    Record record(kind);
    // A fault has groups of fields, and limits have bytes, of which an edit sets one.
    const bool groups = kind == RecordKind::kFault || kind == RecordKind::kLimits;
    for (int i = 0; i < (groups ? 4 : 1); ++i) SetField(record);
    return record;
  }

  Record DrawOptionsRecord() {
    Record record(RecordKind::kOptions);
    const std::uint64_t window = random_.Skewed(1, 12);
    record.Put(1, 4, window);
    record.Put(5, 4, random_.Between(1, window));
    const std::uint64_t cap = random_.Chance({1, 2}) ? 0 : random_.Skewed(0, 4096);
    record.Put(9, 3, cap | (random_.Chance({1, 12}) ? 0 : kCompactionBit));
    record.Put(12, 4, random_.Chance({1, 12}) ? kKeepsAll : random_.Skewed(0, 16));
    return record;
  }

  void SetField(Record& record) {
    switch (record.kind()) {
      case RecordKind::kTurn:
      case RecordKind::kRound:
      case RecordKind::kTool:
        return SetContent(record);
      case RecordKind::kCompact:
        record.Put(1, 4, random_.Skewed(0, 24));
        return;
      case RecordKind::kText:
        record.Put(random_.Between(1, kRecordBytes - 1), 1, random_.Below(128));
        return;
      case RecordKind::kRead:
        return SetRead(record);
      case RecordKind::kRestart:
        record.Put(1, 1, random_.Below(8));
        return;
      case RecordKind::kFault:
        return SetFault(record);
      case RecordKind::kOptions:
        record = DrawOptionsRecord();
        return;
      default:
        record.Put(random_.Between(1, kRecordBytes - 1), 1, random_.Below(256));
        return;
    }
  }

  void SetContent(Record& record) {
    const std::uint64_t fill = random_.Below(kFillCount) << 2;
    const std::uint64_t draw = random_.Below(10);
    if (draw < 4) {  // about a cap, or the value limit
      const auto base = static_cast<std::uint64_t>(draw < 3 ? SizeBase::kCap : SizeBase::kLimit);
      record.Put(1, 1, fill | base << 5);
      record.PutSigned(2, 4, static_cast<std::int64_t>(random_.Below(5)) - 2);
    } else {
      record.Put(1, 1, fill);
      record.PutSigned(2, 4, static_cast<std::int64_t>(random_.Skewed(2, 4096)));
    }
  }

  void SetRead(Record& record) {
    record.Put(1, 1, random_.Below(8));
    record.Put(2, 1, random_.Below(kAnchorPlaceCount) | random_.Below(kAnchorPlaceCount) << 4);
    record.Put(3, 1, random_.Below(8));
    record.Put(4, 1, random_.Below(8));
    record.PutSigned(5, 4, static_cast<std::int64_t>(random_.Skewed(0, 64)) - 1);
    record.PutSigned(9, 4, static_cast<std::int64_t>(random_.Skewed(0, 64)) - 1);
    constexpr std::array<std::int64_t, 8> limits = {0, -1, 1, 2, 3, 199, 200, 201};
    record.PutSigned(13, 2, random_.Pick(limits));
  }

  void SetFault(Record& record) {
    switch (random_.Below(4)) {
      case 0:
        record.Put(1, 1, random_.Below(kFaultKindCount));
        return;
      case 1:
        record.Put(2, 1, random_.Below(kStepKindCount));
        return;
      case 2:
        record.Put(3, 1, random_.Skewed(0, 3));
        record.Put(4, 1, random_.Skewed(0, 3));
        return;
      default:
        record.Put(5, 1, random_.Below(64));
        record.Put(6, 1, random_.Below(8));
        record.Put(7, 1, random_.Skewed(0, 8));
        record.Put(8, 1, random_.Skewed(0, kRollbackCommitsMax));
        record.Put(9, 5, random_.Skewed(1, 1 << 16));
        return;
    }
  }

  Records records_;
  Random& random_;
};

}  // namespace

std::string MutateScenario(std::span<const std::uint8_t> bytes, std::uint64_t seed,
                           std::size_t bytes_max) {
  Random random(seed, "mutate");
  return Join(Mutator(Split(bytes), random).Mutate(), bytes_max);
}

std::string SpliceScenarios(std::span<const std::uint8_t> first,
                            std::span<const std::uint8_t> second, std::uint64_t seed,
                            std::size_t bytes_max) {
  Random random(seed, "splice");
  Records records = Split(first);
  const Records other = Split(second);
  records.resize(random.Between(kHeaderRecords, records.size()));
  const std::size_t from = random.Between(kHeaderRecords, other.size());
  records.insert(records.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
  return Join(records, bytes_max);
}

}  // namespace rollover
