// What the harness asks. Speed matters: a request carries the whole window.
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/json_text.h"
#include "sim/wire/wire_message.h"

namespace rollover {
namespace {

void AppendNumber(std::uint64_t number, std::string& out) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void AppendSigned(std::int64_t number, std::string& out) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

constexpr std::array<bool, 256> kEscaped = [] {
  std::array<bool, 256> escaped{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) escaped[byte] = true;
  escaped['"'] = true;
  escaped['\\'] = true;
  return escaped;
}();

// The same text as AppendJsonString. Byte by byte into memory that is already there: between two
// quotes of an encoded value there are too few bytes for anything cleverer.
void AppendQuoted(std::string_view text, std::string& out) {
  constexpr std::size_t longest_escape = 6;
  const std::size_t begin = out.size();
  out.resize(begin + 2 * text.size() + 2 + longest_escape);
  char* to = out.data() + begin;
  const char* end = out.data() + out.size() - longest_escape - 1;
  *to++ = '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!kEscaped[static_cast<unsigned char>(c)]) {
      *to++ = c;
    } else if (c == '"' || c == '\\') {
      *to++ = '\\';
      *to++ = c;
    } else {
      std::string literal;
      AppendJsonString(std::string_view(&c, 1), literal);
      for (std::size_t i = 1; i + 1 < literal.size(); ++i) *to++ = literal[i];
    }
    if (end - to >= static_cast<std::ptrdiff_t>(2 * (text.size() - at))) continue;
    // Control characters take more than was reserved.
    const auto used = static_cast<std::size_t>(to - out.data());
    out.resize(used + 2 * (text.size() - at) + 2 + 2 * longest_escape);
    to = out.data() + used;
    end = out.data() + out.size() - longest_escape - 1;
  }
  *to++ = '"';
  out.resize(static_cast<std::size_t>(to - out.data()));
}

// What was last quoted, in bounded memory: a value goes out with every request that loads it. Where
// it lies decides what it displaces, and nothing that is said.
struct Quoted {
  ValueRef value{};
  std::string text{};
};
constexpr std::size_t kQuotedKept = 4096;
constexpr std::size_t kQuotedBytesMax = 32 << 20;  // of all

void AppendValue(const ValueRef& value, std::string& out) {
  thread_local std::vector<Quoted> kept(kQuotedKept);
  thread_local std::size_t kept_bytes = 0;
  constexpr std::uintptr_t apart = 64;
  Quoted& place = kept[reinterpret_cast<std::uintptr_t>(value.get()) / apart % kQuotedKept];
  if (place.value == value) {
    out += place.text;
    return;
  }
  thread_local std::string encoded;  // keeps its memory
  encoded.clear();
  EncodeTo(value->body(), encoded);
  const std::size_t begin = out.size();
  AppendQuoted(encoded, out);
  const std::size_t bytes = out.size() - begin;
  if (bytes > kQuotedBytesMax / 16) return;
  if (kept_bytes + bytes > kQuotedBytesMax) {
    kept.assign(kQuotedKept, {});
    kept_bytes = 0;
  }
  kept_bytes = kept_bytes - place.text.size() + bytes;
  place.value = value;
  place.text = out.substr(begin);
}

void AppendInstance(const InstanceMap::Instance& instance, bool first, std::string& out) {
  out += first ? "\"" : ",\"";
  AppendNumber(instance.key, out);
  out += "\":";
  AppendValue(instance.value, out);
}

// The instances of a map that the loads name: all, or those keys that have one.
void AppendMap(Name name, const LoadedState& state, std::string& out) {
  const InstanceMap& map = state.state().Map(name);
  std::set<Key> keys;
  bool all = false;
  for (const Load& load : state.loads()) {
    if (load.name != name) continue;
    all = all || load.all;
    if (!load.all) keys.insert(load.key);
  }
  out.push_back('{');
  bool first = true;
  if (all) {
    for (const auto& instance : map) {
      AppendInstance(instance, first, out);
      first = false;
    }
  } else {
    for (const Key key : keys) {
      const auto at = map.LowerBound(key);
      if (at == map.end() || at->key != key) continue;
      AppendInstance(*at, first, out);
      first = false;
    }
  }
  out.push_back('}');
}

// Names that were not loaded are absent.
void AppendState(const LoadedState& state, std::string& out) {
  out += ",\"state\":{";
  bool first = true;
  for (std::size_t n = 0; n < kNameCount; ++n) {
    const auto name = static_cast<Name>(n);
    if (!state.Names(name)) continue;
    out += first ? "\"" : ",\"";
    first = false;
    out += NameText(name);
    out += "\":";
    const InstanceMap& map = state.state().Map(name);
    if (IsMap(name)) {
      AppendMap(name, state, out);
    } else if (map.empty()) {
      out += "null";
    } else {
      AppendValue(map.front().value, out);
    }
  }
  out += "}}";
}

// What is special about each Step's input; the turn is in front of it.
class InputWriter {
 public:
  explicit InputWriter(std::string& out) : out_(out) {}

  void operator()(const StartTurn& step) const { Quoted("content", step.content.encoded()); }
  void operator()(const RunModel& step) const {
    if (!step.reply) return Number("compact_through", step.compact_through);
    out_ += ",\"reply\":{\"content\":";
    AppendQuoted(step.reply->content.encoded(), out_);
    Number("tool_calls", step.reply->tool_calls);
    out_.push_back('}');
  }
  void operator()(const ResumeTurn& step) const {
    out_ += ",\"tool_results\":[";
    for (std::size_t i = 0; i < step.tool_results.size(); ++i) {
      if (i > 0) out_.push_back(',');
      AppendQuoted(step.tool_results[i].encoded(), out_);
    }
    out_.push_back(']');
  }
  void operator()(const CompactContext& step) const {
    Number("through", step.through);
    Quoted("text", step.text);
  }
  void operator()(const ApplyTurnControl& step) const {
    if (step.control == ControlKind::kCancel) return Quoted("control", "cancel");
    Quoted("control", "steer");
    Quoted("new_turn_id", step.new_turn_id);
    Quoted("content", step.content.encoded());
  }
  void operator()(const FinishTurnCancellation&) const {}  // the turn is all
  void operator()(const RecordTurnFailure& step) const { Quoted("error", step.error); }

 private:
  void Name(std::string_view name) const {
    out_ += ",\"";
    out_ += name;
    out_ += "\":";
  }
  void Quoted(std::string_view name, std::string_view text) const {
    Name(name);
    AppendQuoted(text, out_);
  }
  void Number(std::string_view name, std::uint64_t number) const {
    Name(name);
    AppendNumber(number, out_);
  }

  std::string& out_;
};

void AppendRequestHead(std::string_view type, std::uint64_t id, std::string_view session,
                       std::string& out) {
  out += "{\"type\":\"";
  out += type;
  out += "\",\"id\":";
  AppendNumber(id, out);
  out += ",\"session\":";
  AppendQuoted(session, out);
}

}  // namespace

void AppendHello(std::string& out) {
  out += "{\"type\":\"hello\",\"protocol\":";
  AppendNumber(kWireProtocol, out);
  out.push_back('}');
}

void AppendOpen(std::string_view session, const Options& options, std::string& out) {
  out += "{\"type\":\"open\",\"session\":";
  AppendQuoted(session, out);
  out += ",\"options\":{\"message_window_size\":";
  AppendNumber(options.message_window_size, out);
  out += ",\"message_chunk_size\":";
  AppendNumber(options.message_chunk_size, out);
  out += ",\"message_chunk_max_bytes\":";
  AppendNumber(options.message_chunk_max_bytes, out);
  out += ",\"retained_message_limit\":";
  if (options.retained_message_limit) {
    AppendNumber(*options.retained_message_limit, out);
  } else {
    out += "null";
  }
  out += options.compaction ? ",\"compaction\":true}}" : ",\"compaction\":false}}";
}

void AppendInvoke(std::uint64_t id, std::string_view session, const Invocation& invocation,
                  std::string& out) {
  AppendRequestHead("invoke", id, session, out);
  out += ",\"step\":\"";
  out += StepName(invocation.step());
  out += "\",\"attempt\":";
  AppendNumber(invocation.attempt, out);
  out += ",\"input\":{\"turn_id\":";
  AppendQuoted(TurnOf(invocation.input), out);
  std::visit(InputWriter(out), invocation.input);
  out.push_back('}');
  AppendState(invocation.state, out);
}

void AppendRead(std::uint64_t id, std::string_view session, const ReadRequest& request,
                std::string& out) {
  AppendRequestHead("read", id, session, out);
  const ReadArguments& arguments = request.arguments;
  if (arguments.rpc == Rpc::kGetAgentSnapshot) {
    out += ",\"rpc\":\"get_agent_snapshot\",\"args\":{}";
  } else {
    out += ",\"rpc\":\"list_agent_messages\",\"args\":{";
    if (arguments.after_sequence) {
      out += "\"after_sequence\":";
      AppendSigned(*arguments.after_sequence, out);
      out.push_back(',');
    }
    if (arguments.before_sequence) {
      out += "\"before_sequence\":";
      AppendSigned(*arguments.before_sequence, out);
      out.push_back(',');
    }
    out += "\"limit\":";
    AppendSigned(arguments.limit, out);
    out.push_back('}');
  }
  AppendState(request.state, out);
}

}  // namespace rollover
