// Shape: what a chunk, a run or a page may span.
#include <algorithm>

#include "model/codec.h"
#include "sim/cores/bugs/decorators.h"
#include "sim/cores/bugs/families.h"

namespace rollover {
namespace {

// The chunk that holds a sequence, among those that the request loaded; null: none.
ValueRef ChunkWith(const ReadRequest& request, Sequence sequence) {
  for (const ValueRef& chunk : request.state.Chunks()) {
    if (RangeOf(chunk).first <= sequence && sequence <= RangeOf(chunk).last) return chunk;
  }
  return nullptr;
}

void EndWithTheChunk(const ReadRequest& request, const Options&, Page& page) {
  if (page.messages.empty()) return;
  const ValueRef chunk = ChunkWith(request, page.messages.front()->message().sequence);
  if (!chunk) return;
  std::erase_if(page.messages, [&](const ValueRef& message) {
    return message->message().sequence > RangeOf(chunk).last;
  });
}

void StayInTheAnchorsChunk(const ReadRequest& request, const Options&, Page& page) {
  const auto& after = request.arguments.after_sequence;
  if (!after) return;
  const ValueRef chunk = ChunkWith(request, static_cast<Sequence>(*after));
  if (chunk && RangeOf(chunk).last == static_cast<Sequence>(*after)) page.messages.clear();
}

void SayNothingOfTheGap(const ReadRequest& request, const Options&, Page& page) {
  const auto& after = request.arguments.after_sequence;
  if (!after || !page.deleted_before_sequence) return;
  if (static_cast<Sequence>(*after) + 1 < *page.deleted_before_sequence) page = {};
}

void CrossTheGap(Draft& draft) {
  draft.RollOverAgain([](const InstanceMap& window, const Options& options) {
    std::vector<ValueRef> run;
    std::uint64_t bytes = 0;
    for (const auto& instance : window) {
      bytes += instance.value->encoded_bytes() + (run.empty() ? kChunkWrapperBytes : 1);
      const bool fits = run.empty() || bytes <= options.message_chunk_max_bytes;
      if (!fits || run.size() == options.message_chunk_size) break;
      run.push_back(instance.value);
    }
    return run;
  });
}

void WriteSecondUnderTheFirstsKey(Draft& draft) {
  const auto moved = draft.MovedChunks();
  if (moved.size() < 2 || RangeOf(moved[0]).last >= draft.NextBefore()) return;
  draft.Drop(Name::kChunks, RangeOf(moved[1]).first);
  draft.Put(Name::kChunks, RangeOf(moved[0]).first, moved[1]);
}

}  // namespace

std::span<const PlantedBug> ShapeBugs() {
  static constexpr PlantedBug bugs[] = {
      {"page-reads-one-chunk", "A page ends where the chunk ends that holds its first message.",
       Rule::kPageExact, "paging: mastra-ai/mastra#19550", WithPage<EndWithTheChunk>},
      {"page-anchor-on-chunk-edge",
       "A page after the last message of a chunk is looked for in that chunk, and is empty.",
       Rule::kPageExact, "off by one: the anchor's segment taken for the page's",
       WithPage<StayInTheAnchorsChunk>},
      {"page-below-oldest-kept-is-empty",
       "A reader whose anchor was deleted gets an empty page that does not tell of the gap.",
       Rule::kPageExact, "dedupe from live data: apache/kafka#7388", WithPage<SayNothingOfTheGap>},
      {"run-crosses-gap",
       "A run goes on behind an oversized message that sits in a chunk of its own.", Rule::kInOrder,
       "retention: redis/redis#9410", WithResult<CrossTheGap>},
      {"second-chunk-under-first-key",
       "The second chunk of a commit is written under the key of the first.", Rule::kNothingLost,
       "a loop that reads its key before it advances", WithResult<WriteSecondUnderTheFirstsKey>},
  };
  return bugs;
}

}  // namespace rollover
