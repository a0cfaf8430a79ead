// The wire protocol (docs/wire.md): what the harness asks, what a core answers. One JSON object a
// line; persisted values and contents travel as strings that hold their encoded JSON.
//
//   {"type":"hello","protocol":1}             {"type":"hello","protocol":1,"core":s,"compaction":b}
//   {"type":"open","session":s,"options":{}}  {"type":"opened","session":s}
//   {"type":"invoke","id":n,"session":s,      {"type":"result","id":n,"writes":[],"events":[],
//    "step":s,"attempt":n,"input":{},          "next":{} or null,"model_input":[]}
//    "state":{}}
//   {"type":"read","id":n,"session":s,        {"type":"page","id":n,"messages":[],"has_more":b,
//    "rpc":s,"args":{},"state":{}}             "deleted_before_sequence":n}
//   any                                       {"type":"failure","id":n,"error":s,"retryable":b}
//
// Requests are appended without their line feed. Replies are read strictly: fields in any order,
// each known and at most once. The error of a reply says what is wrong with it, in one line; it
// does not quote the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/protocol/core.h"
#include "model/result.h"

namespace rollover {

inline constexpr std::uint64_t kWireProtocol = 1;
inline constexpr std::size_t kWireLineBytesMax = 64 * kMebibyte;

void AppendHello(std::string& out);
void AppendOpen(std::string_view session, const Options& options, std::string& out);
void AppendInvoke(std::uint64_t id, std::string_view session, const Invocation& invocation,
                  std::string& out);
void AppendRead(std::uint64_t id, std::string_view session, const ReadRequest& request,
                std::string& out);

struct HelloReply {
  std::string core{};  // its name and version
  bool compaction = true;

  friend bool operator==(const HelloReply&, const HelloReply&) = default;
};
Result<HelloReply> DecodeHello(std::string_view line);
// The session that was opened.
Result<std::string> DecodeOpened(std::string_view line);
// `id` is the request's. A value that is written must be spelt as codec.h spells it.
Result<StepOutcome> DecodeResult(std::string_view line, std::uint64_t id);
// A core may re-encode what it returns: any spelling of a message will do.
Result<ReadOutcome> DecodePage(std::string_view line, std::uint64_t id);

}  // namespace rollover
