// Sizes: what is measured, and on which side of the cap it falls.
#include <algorithm>
#include <string_view>

#include "model/codec.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

// What is found to fit goes to the window. `measured` stands in for the encoded content's bytes.
void KeepWhatSeemsToFit(Draft& draft, std::uint64_t (*measured)(const Message& message)) {
  for (const ValueRef& message : draft.OversizedStores()) {
    const std::uint64_t bytes = message->encoded_bytes() -
                                message->message().content.encoded().size() +
                                measured(message->message());
    if (AloneBytes(bytes) > draft.options().message_chunk_max_bytes) continue;
    const Sequence sequence = message->message().sequence;
    draft.Drop(Name::kChunks, sequence);
    draft.Put(Name::kMessages, sequence, message);
    Index index = draft.IndexAfter();
    std::erase(index.chunks, ChunkRange{sequence, sequence});
    draft.Settle(std::move(index));
  }
}

void MeasureBeforeEscaping(Draft& draft) {
  KeepWhatSeemsToFit(draft, [](const Message& message) {
    const std::string_view content = message.content.encoded();
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < content.size(); ++i, ++bytes) {
      if (content[i] == '\\') i += content[i + 1] == 'u' ? 5 : 1;
    }
    return bytes;
  });
}

void MeasureInCodePoints(Draft& draft) {
  KeepWhatSeemsToFit(draft, [](const Message& message) {
    const std::string_view content = message.content.encoded();
    return static_cast<std::uint64_t>(std::count_if(content.begin(), content.end(), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
  });
}

void MeasureToolResultsOnly(Draft& draft) {
  KeepWhatSeemsToFit(draft, [](const Message& message) -> std::uint64_t {
    return message.role == Role::kTool ? message.content.encoded().size() : 0;
  });
}

void ForgetWrapperAndCommas(Draft& draft) {
  draft.RollOverAgain([](const InstanceMap& window, const Options& options) {
    std::vector<ValueRef> run;
    std::uint64_t bytes = 0;
    for (const auto& instance : window) {
      bytes += instance.value->encoded_bytes();
      const bool neighbour = instance.key == window.front().key + run.size();
      const bool fits = run.empty() || bytes <= options.message_chunk_max_bytes;
      if (!neighbour || !fits || run.size() == options.message_chunk_size) break;
      run.push_back(instance.value);
    }
    return run;
  });
}

void TakeExactlyFullForOversized(Draft& draft) {
  if (!draft.MovedChunks().empty()) return;
  for (const auto& instance : draft.WindowAfter()) {
    const std::uint64_t alone = AloneBytes(instance.value->encoded_bytes());
    const bool stored = draft.Writes(Name::kMessages, instance.key);
    if (!stored || alone != draft.options().message_chunk_max_bytes) continue;
    draft.MoveRun({instance.value});
    return;
  }
}

}  // namespace

std::span<const PlantedBug> SizeBugs() {
  static constexpr PlantedBug bugs[] = {
      {"size-before-escaping",
       "Whether a new message is oversized is decided before its content is escaped.",
       Rule::kWindowWriteOnce, "bytes vs characters: aws/amazon-mwaa-docker-images#510",
       WithResult<MeasureBeforeEscaping>},
      {"size-in-code-points",
       "Whether a new message is oversized is decided by its characters, not by its bytes.",
       Rule::kWindowWriteOnce, "bytes vs characters: Expensify/App#13988",
       WithResult<MeasureInCodePoints>},
      {"wrapper-and-commas-forgotten",
       "A run is measured as the sum of its messages, without what holds them together.",
       Rule::kChunkCaps, "limit wedges: restatedev/restate#4141",
       WithResult<ForgetWrapperAndCommas>},
      {"exactly-full-is-oversized",
       "A message that fills a chunk to the last byte takes the path of those that do not fit.",
       Rule::kFullRuns, "limit wedges: restatedev/restate#4141",
       WithResult<TakeExactlyFullForOversized>},
      {"only-tool-results-are-measured",
       "Tool results can take the path of oversized messages; user and model messages cannot.",
       Rule::kWindowWriteOnce, "two caps, two answers: the check sits in one of three callers",
       WithResult<MeasureToolResultsOnly>},
  };
  return bugs;
}

}  // namespace rollover
