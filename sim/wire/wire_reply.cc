// What a core answers: everything about it may be wrong.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "model/json_text.h"
#include "sim/wire/line_reader.h"
#include "sim/wire/wire_message.h"

namespace rollover {
namespace {

// Every field of every reply; which belong to which type is looked at once all are read.
enum Field : std::uint32_t {
  kId = 1 << 0,
  kWrites = 1 << 1,
  kEvents = 1 << 2,
  kNext = 1 << 3,
  kModelInput = 1 << 4,
  kMessages = 1 << 5,
  kHasMore = 1 << 6,
  kDeletedBefore = 1 << 7,
  kErrorText = 1 << 8,
  kRetryable = 1 << 9,
  kProtocol = 1 << 10,
  kCoreName = 1 << 11,
  kCompaction = 1 << 12,
  kSession = 1 << 13,
};
constexpr std::string_view kFieldNames[] = {
    "id",          "writes",    "events",   "next",
    "model_input", "messages",  "has_more", "deleted_before_sequence",
    "error",       "retryable", "protocol", "core",
    "compaction",  "session"};

struct Reply {
  std::string type{};
  std::uint32_t fields = 0;
  std::uint64_t id = 0;
  StepResult result{};
  Page page{};
  StepFailure failure{};
  std::uint64_t protocol = 0;
  HelloReply hello{};
  std::string session{};

  bool has(Field field) const { return (fields & field) != 0; }
};

std::optional<Name> NameOf(std::string_view text) {
  for (std::size_t n = 0; n < kNameCount; ++n) {
    if (NameText(static_cast<Name>(n)) == text) return static_cast<Name>(n);
  }
  return std::nullopt;
}

Name ReadName(LineReader& reader) {
  const std::string text = reader.String("a value's name");
  if (reader.failed()) return Name::kSession;
  const auto name = NameOf(text);
  if (!name) reader.Fail(fmt::format("unknown value name \"{}\"", Excerpt(text, 40)));
  return name.value_or(Name::kSession);
}

Key ReadKey(LineReader& reader) {
  const std::string text = reader.String("a key");
  Key key = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), key);
  const bool whole = end == text.data() + text.size() && !text.empty();
  if (code != std::errc() || !whole || key >> 63 != 0 || (text.size() > 1 && text[0] == '0')) {
    reader.Fail(fmt::format("key \"{}\" is not plain decimal", Excerpt(text, 40)));
  }
  return key;
}

// A key belongs to an instance of a map and to nothing else.
void CheckKey(LineReader& reader, Name name, bool has_key, std::string_view where) {
  if (IsMap(name) == has_key || reader.failed()) return;
  reader.Fail(fmt::format("{}: {} {}", where, NameText(name),
                          has_key ? "is an attribute and has no key" : "needs a key"));
}

std::string Place(const Write& write) {
  std::string place{NameText(write.name)};
  return IsMap(write.name) ? place + fmt::format("[{}]", write.key) : place;
}

void SetValue(LineReader& reader, Write& write, const std::string& encoded) {
  auto value = Decode(KindOf(write.name), encoded);
  if (!value) {
    return reader.Fail(fmt::format(
        "{} does not hold a value of its kind in the one encoding: {} "
        "at byte {} of {}",
        Place(write), value.error().reason, value.error().position, Excerpt(encoded, 80)));
  }
  if (value.value()->encoded_bytes() != encoded.size()) {
    return reader.Fail(fmt::format("{} is spelt in {} bytes; its encoding takes {}", Place(write),
                                   encoded.size(), value.value()->encoded_bytes()));
  }
  write.value = std::move(value.value());
}

Write ReadWrite(LineReader& reader, std::size_t i) {
  Write write;
  std::optional<std::string> encoded;
  bool named = false;
  bool has_key = false;
  bool deletes = false;
  const std::string where = fmt::format("writes[{}]", i);
  reader.Object(where, [&](std::string_view field) {
    if (field == "name") {
      write.name = ReadName(reader);
      named = true;
    } else if (field == "key") {
      write.key = ReadKey(reader);
      has_key = true;
    } else if (field == "value") {
      encoded = reader.String("a written value");
    } else if (field == "delete") {
      deletes = true;
      if (!reader.Bool("delete")) reader.Fail(where + ": delete must be true");
    } else {
      return false;
    }
    return true;
  });
  if (reader.failed()) return write;
  if (!named) reader.Fail(where + " has no name");
  CheckKey(reader, write.name, has_key, where);
  if (encoded.has_value() == deletes) {
    reader.Fail(where +
                (deletes ? " has both a value and a delete" : " has neither a value nor a delete"));
  }
  if (!reader.failed() && encoded) SetValue(reader, write, *encoded);
  return write;
}

Event ReadEvent(LineReader& reader, std::size_t i) {
  Event event;
  std::string type;
  bool turn = false;
  bool replies = false;
  bool text = false;
  const std::string where = fmt::format("events[{}]", i);
  reader.Object(where, [&](std::string_view field) {
    if (field == "type") {
      type = reader.String("an event's type");
    } else if (field == "turn_id") {
      event.turn_id = reader.String("turn_id");
      turn = true;
    } else if (field == "replies") {
      event.replies = reader.Number("replies");
      replies = true;
    } else if (field == "text") {
      event.text = reader.String("text");
      text = true;
    } else {
      return false;
    }
    return true;
  });
  if (reader.failed()) return event;
  for (const EventKind kind :
       {EventKind::kTurnCompleted, EventKind::kTurnSteered, EventKind::kTurnCancelled,
        EventKind::kTurnFailed, EventKind::kWarning}) {
    if (EventName(kind) != type) continue;
    event.kind = kind;
    const bool warning = kind == EventKind::kWarning;
    const bool counts = !warning && kind != EventKind::kTurnFailed;
    if (turn == warning || replies != counts || text != warning) {
      reader.Fail(fmt::format("{}: {} has {}", where, type,
                              warning  ? "text, and nothing else"
                              : counts ? "turn_id and replies, and nothing else"
                                       : "turn_id, and nothing else"));
    }
    return event;
  }
  reader.Fail(fmt::format("{} has the unknown type \"{}\"", where, Excerpt(type, 40)));
  return event;
}

Load ReadLoad(LineReader& reader, std::string_view list, std::size_t i) {
  Load load;
  bool named = false;
  bool has_key = false;
  const std::string where = fmt::format("{}[{}]", list, i);
  reader.Object(where, [&](std::string_view field) {
    if (field == "name") {
      load.name = ReadName(reader);
      named = true;
    } else if (field == "key") {
      load.key = ReadKey(reader);
      has_key = true;
    } else if (field == "all") {
      load.all = true;
      if (!reader.Bool("all")) reader.Fail(where + ": all must be true");
    } else {
      return false;
    }
    return true;
  });
  if (reader.failed()) return load;
  if (!named) reader.Fail(where + " has no name");
  if (load.all && has_key) reader.Fail(where + " has both a key and all");
  CheckKey(reader, load.name, has_key || load.all, where);
  return load;
}

Movement ReadMovement(LineReader& reader) {
  Movement movement;
  bool loads = false;
  bool control_loads = false;
  std::string step;
  reader.Object("next", [&](std::string_view field) {
    const auto entry = [&](LoadList& list) {
      return [&](std::size_t i) { list.push_back(ReadLoad(reader, field, i)); };
    };
    if (field == "step") {
      step = reader.String("next.step");
    } else if (field == "loads") {
      reader.List("next.loads", entry(movement.loads));
      loads = true;
    } else if (field == "control_loads") {
      reader.List("next.control_loads", entry(movement.control_loads));
      control_loads = true;
    } else {
      return false;
    }
    return true;
  });
  if (reader.failed()) return movement;
  const auto kind = StepNamed(step);
  if (!kind) reader.Fail(fmt::format("next has the unknown step \"{}\"", Excerpt(step, 40)));
  if (!loads || !control_loads) {
    reader.Fail(fmt::format("next has no {}", loads ? "control_loads" : "loads"));
  }
  movement.step = kind.value_or(StepKind::kRunModel);
  return movement;
}

// A page's message, in any spelling.
ValueRef ReadMessage(LineReader& reader, std::size_t i) {
  const std::string where = fmt::format("messages[{}]", i);
  const std::string encoded = reader.String(where);
  if (reader.failed()) return nullptr;
  if (auto value = Decode(ValueKind::kMessage, encoded)) return std::move(value.value());
  Message message;
  std::string role;
  int fields = 0;
  LineReader inner(encoded);
  inner.Object(where, [&](std::string_view field) {
    ++fields;
    if (field == "sequence") {
      message.sequence = inner.Number("sequence");
    } else if (field == "turn_id") {
      message.turn_id = inner.String("turn_id");
    } else if (field == "role") {
      role = inner.String("role");
    } else if (field == "content") {
      message.content = Content(std::string(inner.Raw("content")));
    } else {
      return false;
    }
    return true;
  });
  inner.ExpectEnd();
  if (!inner.failed() && fields != 4)
    inner.Fail("a message has sequence, turn_id, role and content");
  if (role == RoleName(Role::kAssistant)) {
    message.role = Role::kAssistant;
  } else if (role == RoleName(Role::kTool)) {
    message.role = Role::kTool;
  } else if (role != RoleName(Role::kUser)) {
    inner.Fail("role must be user, assistant or tool");
  }
  if (inner.failed()) {
    reader.Fail(fmt::format("{} is no encoded message: {}", where, inner.error().reason));
    return nullptr;
  }
  return MakeValue(std::move(message));
}

// The fields of results and pages. None: it is another one.
std::optional<Field> ReadAnswer(LineReader& reader, std::string_view name, Reply& reply) {
  if (name == "writes") {
    reader.List("writes",
                [&](std::size_t i) { reply.result.writes.push_back(ReadWrite(reader, i)); });
    return kWrites;
  }
  if (name == "events") {
    reader.List("events",
                [&](std::size_t i) { reply.result.events.push_back(ReadEvent(reader, i)); });
    return kEvents;
  }
  if (name == "next") {
    if (!reader.TakeNull()) reply.result.next = ReadMovement(reader);
    return kNext;
  }
  if (name == "model_input") {
    if (reader.TakeNull()) return kModelInput;
    reply.result.model_input.emplace();
    reader.List("model_input", [&](std::size_t) {
      reply.result.model_input->Append(reader.Number("an entry of model_input"));
    });
    return kModelInput;
  }
  if (name == "messages") {
    reader.List("messages",
                [&](std::size_t i) { reply.page.messages.push_back(ReadMessage(reader, i)); });
    return kMessages;
  }
  if (name == "has_more") {
    reply.page.has_more = reader.Bool("has_more");
    return kHasMore;
  }
  if (name == "deleted_before_sequence") {
    if (!reader.TakeNull()) {
      reply.page.deleted_before_sequence = reader.Number("deleted_before_sequence");
    }
    return kDeletedBefore;
  }
  return std::nullopt;
}

std::optional<Field> ReadField(LineReader& reader, std::string_view name, Reply& reply) {
  if (name == "id") {
    reply.id = reader.Number("id");
    return kId;
  }
  if (name == "error") {
    reply.failure.error = reader.String("error");
    return kErrorText;
  }
  if (name == "retryable") {
    reply.failure.retryable = reader.Bool("retryable");
    return kRetryable;
  }
  if (name == "protocol") {
    reply.protocol = reader.Number("protocol");
    return kProtocol;
  }
  if (name == "core") {
    reply.hello.core = reader.String("core");
    return kCoreName;
  }
  if (name == "compaction") {
    reply.hello.compaction = reader.Bool("compaction");
    return kCompaction;
  }
  if (name == "session") {
    reply.session = reader.String("session");
    return kSession;
  }
  return ReadAnswer(reader, name, reply);
}

// `required` and `allowed` are of the type that the reply must have, unless it is a failure.
struct Shape {
  std::string_view type;
  std::uint32_t required = 0;
  std::uint32_t allowed = 0;  // beside these
};

std::string_view FirstField(std::uint32_t fields) {
  std::size_t place = 0;
  while ((fields >> place & 1) == 0) ++place;
  return kFieldNames[place];
}

std::optional<Error> Misfit(const Reply& reply, const Shape& shape) {
  Shape due = shape;
  if (reply.type == "failure") due = {"failure", kErrorText, kId | kRetryable};
  if (reply.type != due.type) {
    return Error{reply.type.empty() ? "has no type"
                                    : fmt::format("has type \"{}\"; due is {} or failure",
                                                  Excerpt(reply.type, 40), shape.type)};
  }
  if (const std::uint32_t missing = due.required & ~reply.fields) {
    return Error{fmt::format("{} has no {}", due.type, FirstField(missing))};
  }
  if (const std::uint32_t extra = reply.fields & ~(due.required | due.allowed)) {
    return Error{fmt::format("{} has a field {}", due.type, FirstField(extra))};
  }
  return std::nullopt;
}

Result<Reply> Read(std::string_view line, const Shape& shape) {
  if (!ValidUtf8(line)) return Error{"is not UTF-8"};
  Reply reply;
  LineReader reader(line);
  reader.Object("the answer", [&](std::string_view name) {
    if (name == "type") {
      reply.type = reader.String("type");
      return true;
    }
    const auto field = ReadField(reader, name, reply);
    if (field) reply.fields |= *field;
    return field.has_value();
  });
  reader.ExpectEnd();
  if (reader.failed()) {
    return Error{fmt::format("{} (byte {})", reader.error().reason, reader.error().position)};
  }
  if (auto error = Misfit(reply, shape)) return *error;
  return reply;
}

// A failure says which request failed, as any answer does.
std::optional<Error> WrongId(const Reply& reply, std::uint64_t id) {
  if (!reply.has(kId)) return Error{fmt::format("{} has no id", reply.type)};
  if (reply.id == id) return std::nullopt;
  return Error{fmt::format("has id {}; the request was {}", reply.id, id)};
}

}  // namespace

Result<HelloReply> DecodeHello(std::string_view line) {
  auto reply = Read(line, {"hello", kProtocol | kCoreName | kCompaction});
  if (!reply) return reply.error();
  if (reply.value().type == "failure") {
    return Error{"is a failure: " + Excerpt(reply.value().failure.error)};
  }
  if (reply.value().protocol != kWireProtocol) {
    return Error{
        fmt::format("speaks protocol {}; this is {}", reply.value().protocol, kWireProtocol)};
  }
  return std::move(reply.value().hello);
}

Result<std::string> DecodeOpened(std::string_view line) {
  auto reply = Read(line, {"opened", kSession});
  if (!reply) return reply.error();
  if (reply.value().type == "failure") {
    return Error{"is a failure: " + Excerpt(reply.value().failure.error)};
  }
  return std::move(reply.value().session);
}

Result<StepOutcome> DecodeResult(std::string_view line, std::uint64_t id) {
  auto reply = Read(line, {"result", kId | kWrites | kEvents | kNext, kModelInput});
  if (!reply) return reply.error();
  if (auto error = WrongId(reply.value(), id)) return *error;
  if (reply.value().type != "failure") return StepOutcome(std::move(reply.value().result));
  if (!reply.value().has(kRetryable)) return Error{"failure has no retryable"};
  return StepOutcome(std::move(reply.value().failure));
}

Result<ReadOutcome> DecodePage(std::string_view line, std::uint64_t id) {
  auto reply = Read(line, {"page", kId | kMessages | kHasMore, kDeletedBefore});
  if (!reply) return reply.error();
  if (auto error = WrongId(reply.value(), id)) return *error;
  if (reply.value().type != "failure") return ReadOutcome(std::move(reply.value().page));
  return ReadOutcome(ReadRefusal{std::move(reply.value().failure.error)});
}

}  // namespace rollover
