// Encodings: what is written is read back, and nothing else is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/codec.h"
#include "properties/arbitrary.h"
#include "properties/property.h"
#include "sim/scenario_bytes.h"

namespace rollover {

// A persisted value, by its kind and encoding: values do not leave the property that made them.
struct Written {
  ValueKind kind = ValueKind::kMessage;
  std::string encoded{};
};
static std::string ToText(const Written& written) { return written.encoded; }

namespace {

ValueRef DrawMessage(Random& random, Sequence sequence) {
  return MakeValue(Message{sequence, DrawText(random), static_cast<Role>(random.Below(3)),
                           Content(DrawJson(random))});
}

ValueRef DrawValue(ValueKind kind, Random& random) {
  const Sequence sequence = random.Skewed(1, std::uint64_t{1} << 62);
  switch (kind) {
    case ValueKind::kMessage:
      return DrawMessage(random, sequence);
    case ValueKind::kChunk: {
      Chunk chunk;
      const std::uint64_t count = random.Skewed(1, 8);
      for (std::uint64_t i = 0; i < count; ++i) {
        chunk.messages.push_back(DrawMessage(random, sequence + i));
      }
      return MakeValue(std::move(chunk));
    }
    case ValueKind::kIndex: {
      Index index;
      index.oldest_kept = sequence;
      Sequence next = sequence;
      for (std::uint64_t i = random.Skewed(0, 8); i > 0; --i) {
        const Sequence last = next + random.Skewed(0, 40);
        index.chunks.push_back({next, last});
        next = last + 1 + random.Below(3);
      }
      index.window_start = next;
      return MakeValue(std::move(index));
    }
    case ValueKind::kTurnReply:
      return MakeValue(TurnReply{DrawText(random), sequence});
    case ValueKind::kSummary:
      return MakeValue(Summary{sequence, DrawText(random)});
    case ValueKind::kSession:
      break;
  }
  if (random.Chance({1, 2})) return MakeValue(Session{sequence, std::nullopt});
  return MakeValue(Session{sequence, DrawText(random)});
}

rc::Gen<Written> WrittenValues() {
  return Drawn<Written>(
      [](Random& random, int) {
        const auto kind = static_cast<ValueKind>(random.Below(6));
        return Written{kind, Encode(*DrawValue(kind, random))};
      },
      [](const Written&) { return std::vector<Written>{}; });
}

TEST(Encodings, OfValuesAreReadBack) {
  ForAll<Written>(
      WrittenValues(),
      [](const Written& written) {
        const auto value = Decode(written.kind, written.encoded);
        if (!value) return Broken("refused", value.error().reason);
        const std::uint64_t bytes = value.value()->encoded_bytes();
        if (bytes != written.encoded.size()) return Broken("size", fmt::format("{} bytes", bytes));
        if (Encode(*value.value()) != written.encoded)
          return Broken("other", Encode(*value.value()));
        return Held();
      },
      2000);
}

TEST(Encodings, OfValuesAreRefusedWhenCutShort) {
  ForAll<Written>(
      WrittenValues(),
      [](const Written& written) {
        for (std::size_t length = 0; length < written.encoded.size(); ++length) {
          const std::string_view cut = std::string_view(written.encoded).substr(0, length);
          if (Decode(written.kind, cut)) return Broken("accepted", std::string(cut));
        }
        return Held();
      },
      2000);
}

TEST(Encodings, OfScenariosAsJsonAreReadBack) {
  ForAll<Scenario>(
      Scenarios(EverythingHappens()),
      [](const Scenario& scenario) {
        const auto read = ReadScenario(WriteScenario({.scenario = scenario}));
        if (!read) return Broken("refused", read.error().reason);
        return read.value().scenario == scenario ? Held() : Broken("other", "another scenario");
      },
      2000);
}

TEST(Encodings, OfScenariosAsBytesAreReadBack) {
  ForAll<Scenario>(
      Scenarios(EverythingHappens()),
      [](const Scenario& scenario) {
        const auto bytes = EncodeScenario(scenario);
        if (!bytes) return Broken("refused", bytes.error().reason);
        const Scenario read = DecodeScenario(bytes.value());
        return read == scenario ? Held() : Broken("other", ToText(read));
      },
      2000);
}

}  // namespace
}  // namespace rollover
