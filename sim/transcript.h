// Transcripts: real conversations as the workload of a simulated session.
//
//   file         = [BOM] conversation | [BOM] (conversation "\n")…      JSON, or JSONL
//   conversation = [message, …] | {"messages": [message, …], "id": …}
//   message      = chat_message.h
//
// Which of the forms a file has is told by its content. How messages become turns:
//
//   user         begins a turn. If the turn before it has not completed, that one is steered.
//   assistant    is a round of the turn. Without tool calls its content is the reply as it stands;
//                with them the reply is an array of parts, the text first:
//                  [{"type":"text","text":…},{"type":"tool_call","id":…,"name":…,"arguments":…}]
//                The first round without tool calls completes the turn. Assistant messages with no
//                user message or tool result between them came from one model call as far as a
//                session can tell, and are joined into one reply, its parts in their order.
//   tool         is the result of the newest round's first open call of that id (or, if it names
//                no id, of the first open call). Results are stored in the order of the calls. A
//                call without a result gets the content null; a result without a call is skipped.
//   system, developer, and what comes before the first user message are skipped.
//
// A turn that the conversation leaves open is completed by the model's default reply (scenario.h).
// Not here: options, faults other than the steers, and how files are found and read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.h"
#include "sim/scenario.h"

namespace rollover {

inline constexpr std::size_t kTranscriptBytesMax = 256 * kMebibyte;
inline constexpr std::size_t kConversationsMax = 1'000'000;  // of one file

struct Conversation {
  std::string id{};  // its own; or "line N", where it begins
  std::vector<Turn> turns{};
  std::vector<std::size_t> steered{};  // indices into turns, ascending

  // Skipped messages.
  std::uint64_t system = 0;
  std::uint64_t developer = 0;
  std::uint64_t early = 0;    // of the other roles, before the first user message
  std::uint64_t orphans = 0;  // tool results that answer no open call

  std::uint64_t joined = 0;      // assistant messages that went into the reply before them
  std::uint64_t unanswered = 0;  // tool calls without a result
};

// Error, in one line that begins "line N, byte M: " (both from 1, the byte within the line), when
// any conversation is malformed, holds a content above kContentBytesMax, or the whole file has no
// turn to replay; one conversation among others may have none. A file above kTranscriptBytesMax is
// refused without a line.
Result<std::vector<Conversation>> ReadTranscripts(std::string_view text);

// Its turns as operations, and nothing else.
Scenario ScenarioFrom(const Conversation& conversation);

// The user's next message arrives while the model is at work on the first reply that the transcript
// does not have. `turns_before` are those that precede the conversation's in the session.
std::vector<Fault> SteerFaults(const Conversation& conversation, std::uint64_t turns_before = 0);

}  // namespace rollover
