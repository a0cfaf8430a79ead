#!/usr/bin/env python3
"""A session core in Python: the storage protocol, spoken over a pipe.

    storage     store, roll over, retain, loads, pages      Log, read_page
    handlers    one method a Step, one function an RPC      Turn, list_agent_messages
    wire        read a line, find the session, answer       Wire, main

Everything lives for one request: the process may be killed at any time, and a fresh one gets the
next attempt. Only a session's options, and whether its warning was given, are remembered.

Stored values are text from end to end. A content arrives as encoded JSON and is copied, never
parsed and spelled anew: 1.0 must not become 1, nor "\\u0041" become "A".
"""

import bisect
import json
import os
import sys
import traceback

CORE_NAME = "rollover-sample-python 0.2.0"
PROTOCOL = 1
CHUNKS_MOVED_MAX = 4  # a commit
BYTES_MOVED_MAX = 8 << 20  # a commit, unless it moves a single chunk
PAGE_MESSAGES_MAX = 200
CHUNK_OPEN, CHUNK_CLOSE = '{"messages":[', "]}"
CHUNK_WRAPPER_BYTES = len(CHUNK_OPEN + CHUNK_CLOSE)

# Compact, UTF-8 as itself, and the escapes that the protocol asks for: \" \\ \b \t \n \f \r \u00xx.
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# Finds where a message ends. Numbers stay text: one with 5,000 digits is no reason to fail.
skip_value = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode


class Refused(Exception):
    """This request cannot be served; the text says what, where and what is allowed."""


class NotOpen(Refused):
    """A fresh process has seen no `open`; once it has, the same request will do."""


class Options:
    """What is remembered of a session. Raises Refused with an option's name, value and range."""

    def __init__(self, given):
        def number(name, default, low, high):
            value = given.get(name, default)
            if type(value) is int and low <= value <= high:  # type(), since True is an int
                return value
            raise Refused(f"{name} is {encode(value)}; valid: {low} to {high}")

        self.window_size = number("message_window_size", 64, 1, sys.maxsize)
        self.chunk_size = number("message_chunk_size", 32, 1, self.window_size)
        self.chunk_max_bytes = number("message_chunk_max_bytes", 1 << 20, 1 << 10, 8 << 20)
        self.retained_limit = None  # keep all
        if given.get("retained_message_limit", 1000) is not None:
            self.retained_limit = number("retained_message_limit", 1000, 0, sys.maxsize)
        self.compaction = given.get("compaction", True)
        if not isinstance(self.compaction, bool):
            raise Refused(f"compaction is {encode(self.compaction)}; valid: true, false")
        self.warned = False  # of deleted messages

# ----------------------------------------------------------------------------------------- storage

def byte_size(text):
    """Bytes of UTF-8: the protocol's only size. Raises UnicodeError for a lone surrogate."""
    return len(text) if text.isascii() else len(text.encode())


class Loaded(dict):
    """The values that a request brought. One that was not loaded is an error, never a None."""

    def __missing__(self, name):
        raise Refused(f"{name} was not loaded")

    def attribute(self, name):
        return None if self[name] is None else json.loads(self[name])

    def window(self):
        """Text by sequence, ascending."""
        messages = self["AgentMessages"]
        return {int(key): messages[key] for key in sorted(messages, key=int)}

    def chunk(self, first):
        text = self.get("AgentMessageChunks", {}).get(str(first))
        if text is None:
            raise Refused(f"AgentMessageChunks {first} was not loaded")
        return text


def split_chunk(text):
    """The messages of a chunk, each exactly as it is stored."""
    messages, at = [], len(CHUNK_OPEN)
    while text[at - 1] != "]":
        end = skip_value(text, at)[1]
        messages.append(text[at:end])
        at = end + 1
    return messages


def is_reply(message, turn_id):
    """Whether a message of this turn is not by the user. Its head has only one spelling."""
    head = f'"turn_id":{encode(turn_id)},"role":'
    at = message.index(",") + 1
    return message.startswith(head, at) and not message.startswith('"user"', at + len(head))


class Log:
    """The stored messages as one commit sees and changes them.

    Changes are collected and listed by writes() in the end, one write a key: a message stored and
    moved by the same commit shows up in its chunk only.
    """

    def __init__(self, options, loaded):
        self.options, self.loaded = options, loaded
        # An absent session is a new one, and means the same as this value.
        self.session = loaded.attribute("AgentSession") or session_value(1, None)
        self.next_sequence, self.turn_id = self.session["next_sequence"], self.session["turn_id"]
        summary = loaded.attribute("ContextSummary")
        self.summarized = summary["last_sequence"] if summary else 0  # the last that is
        self.window = loaded.window()
        self.queued_by_legacy = "AgentMessageIndex" not in loaded  # 0.1.0 knows no index
        index = None if self.queued_by_legacy else loaded.attribute("AgentMessageIndex")
        self.chunks = [(c["first"], c["last"]) for c in index["chunks"]] if index else []
        self.events = []
        self.model_input = None  # the model was not called
        self.new_messages = {}  # text by sequence
        self.moved_messages = []
        self.new_chunks = {}  # text by first sequence
        self.deleted_chunks = []
        self.new_attributes = {}  # values by name

    def window_start(self):
        return next(iter(self.window), self.next_sequence)

    def oldest_kept(self):
        # Either: an oversized message can be in a chunk while older ones are in the window.
        return min(self.window_start(), self.chunks[0][0] if self.chunks else self.next_sequence)

    def store(self, turn_id, role, contents):
        """Appends messages, rolls over, retains. At most one call a commit, for the caps' sake."""
        if not contents:
            return
        for content in contents:
            sequence = self.next_sequence
            self.next_sequence += 1
            head = f'"sequence":{sequence},"turn_id":{encode(turn_id)},"role":"{role}"'
            message = f'{{{head},"content":{content}}}'
            if byte_size(message) + CHUNK_WRAPPER_BYTES > self.options.chunk_max_bytes:
                # Oversized: its largest value is written now. If the engine takes it, moving it
                # can never fail later; if not, only this turn does.
                self._add_chunk(sequence, sequence, CHUNK_OPEN + message + CHUNK_CLOSE)
            else:
                self.window[sequence] = self.new_messages[sequence] = message
        self._roll_over()
        self._retain()

    def compact(self, through, text):
        self.summarized = through
        self.new_attributes["ContextSummary"] = {"last_sequence": through, "text": text}
        self._retain()

    def begin_turn(self, turn_id):
        """After the user's message is stored: the replies start right behind it."""
        self.turn_id = turn_id
        start = {"turn_id": turn_id, "sequence": self.next_sequence}
        self.new_attributes["TurnReplySequence"] = start

    def end_turn(self, how, turn_id):
        self.events.append({"type": how, "turn_id": turn_id, "replies": self._reply_count(turn_id)})
        self.turn_id = None

    def _add_chunk(self, first, last, text):
        bisect.insort(self.chunks, (first, last))
        self.new_chunks[first] = text

    def _roll_over(self):
        """Moves whole runs, oldest first, while the window is too large and the caps allow it.

        Whole runs, not just the excess: with the defaults, one commit in 32 writes an index.
        """
        chunks_moved = bytes_moved = 0
        while len(self.window) > self.options.window_size and chunks_moved < CHUNKS_MOVED_MAX:
            run, size = self._next_run()
            if chunks_moved > 0 and bytes_moved + size > BYTES_MOVED_MAX:
                return
            text = CHUNK_OPEN + ",".join([self.window.pop(s) for s in run]) + CHUNK_CLOSE
            self._add_chunk(run[0], run[-1], text)
            self.moved_messages += [s for s in run if not self.new_messages.pop(s, None)]
            chunks_moved += 1
            bytes_moved += size

    def _next_run(self):
        """The oldest window messages that fit a chunk, one at least, and that chunk's bytes."""
        run, size = [], CHUNK_WRAPPER_BYTES
        for sequence, message in self.window.items():
            grown = size + byte_size(message) + (1 if run else 0)  # a comma
            if run and (
                len(run) == self.options.chunk_size
                or sequence != run[-1] + 1  # an oversized chunk lies between
                or grown > self.options.chunk_max_bytes
            ):
                break
            run.append(sequence)
            size = grown
        return run, size

    def _retain(self):
        """Deletes chunks that are summarised and beyond the limit: only a prefix of the log.

        Not "the oldest chunk", then: an oversized message 12 can be in a chunk while 10 and 11 are
        in the window, and without it 10, 11, 13 would be left: a hole that no reader can see.
        """
        limit = self.options.retained_limit
        while self.options.compaction and limit is not None and self.chunks:
            first, last = self.chunks[0]
            if first != self.oldest_kept() or last > self.summarized:
                return
            if self.next_sequence - 1 - last < limit or first in self.new_chunks:
                return  # one write a key: what this commit wrote, the next may delete
            del self.chunks[0]
            self.deleted_chunks.append(first)

    def _reply_count(self, turn_id):
        """Replies of the running turn, what this commit stored included."""
        if self.loaded.get("TurnReplySequence") is not None:
            started = self.loaded.attribute("TurnReplySequence")
            if started["turn_id"] == turn_id:
                return self.next_sequence - started["sequence"]
        # 0.1.0 began this turn and wrote no such value: count what was loaded.
        messages = list(self.loaded.window().values())
        for chunk in self.loaded.get("AgentMessageChunks", {}).values():
            messages += split_chunk(chunk)
        stored_now = self.next_sequence - self.session["next_sequence"]
        return stored_now + sum(is_reply(message, turn_id) for message in messages)

    def read_model_input(self):
        """Notes which messages the model is given: those behind the summary, or all of them.

        A real core hands their text to its model here; the harness asks for the sequences.
        """
        after = self.summarized if self.options.compaction else 0
        sequences = [sequence for sequence in self.window if sequence > after]
        for first, last in self.chunks:
            if last > after:
                self.loaded.chunk(first)
                sequences.extend(range(max(first, after + 1), last + 1))
        self.model_input = sorted(sequences)

    def check_legacy_loads(self):
        """Refuses a Step that 0.1.0 queued when its loads are not the whole session any more."""
        stored = self.next_sequence - 1
        if self.queued_by_legacy and list(self.window) != list(range(1, stored + 1)):
            raise Refused(f"a Step of 0.1.0 loaded {len(self.window)} of {stored} messages")

    def move_to(self, step, through=sys.maxsize):
        """The movement to `step`; `through` is the sequence up to which CompactContext compacts.

        A control may strike before that Step commits, so its loads are decided here as well.
        """
        model_loads = BASE_LOADS + [{"name": "TurnReplySequence"}] + self._chunk_loads()
        compact_loads = BASE_LOADS + self._chunk_loads(through)
        other_loads = {"ResumeTurn": BASE_LOADS, "CompactContext": compact_loads}
        loads = other_loads.get(step, model_loads)
        return {"step": step, "loads": loads, "control_loads": model_loads}

    def _chunk_loads(self, through=sys.maxsize):
        if not self.options.compaction:  # the model's input is every message
            return [{"name": "AgentMessageChunks", "all": True}]
        after = self.summarized
        firsts = [first for first, last in self.chunks if last > after and first <= through]
        return [{"name": "AgentMessageChunks", "key": str(first)} for first in firsts]

    def writes(self):
        writes = [write("AgentMessages", sequence, delete=True) for sequence in self.moved_messages]
        writes += [write("AgentMessageChunks", first, delete=True) for first in self.deleted_chunks]
        writes += [write("AgentMessages", s, value=m) for s, m in self.new_messages.items()]
        writes += [write("AgentMessageChunks", s, value=c) for s, c in self.new_chunks.items()]
        attributes = dict(self.new_attributes)
        if self.new_chunks or self.deleted_chunks:
            attributes["AgentMessageIndex"] = {
                "chunks": [{"first": first, "last": last} for first, last in self.chunks],
                "window_start": self.window_start(),
                "oldest_kept": self.oldest_kept(),
            }
        session = session_value(self.next_sequence, self.turn_id)
        if session != self.session:
            attributes["AgentSession"] = session
        return writes + [write(name, None, value=encode(v)) for name, v in attributes.items()]


def write(name, key, **change):
    return {"name": name, **({} if key is None else {"key": str(key)}), **change}


BASE_LOADS = [{"name": n} for n in ("AgentSession", "AgentMessageIndex", "ContextSummary")]
BASE_LOADS.append({"name": "AgentMessages", "all": True})


def session_value(next_sequence, turn_id):
    status = "idle" if turn_id is None else "running"
    return {"next_sequence": next_sequence, "turn_id": turn_id, "status": status}


def read_page(loaded, after=None, before=None, limit=PAGE_MESSAGES_MAX):
    """The messages right after or right before the anchor, which is not among them, ascending."""
    window = loaded.window()
    index = loaded.attribute("AgentMessageIndex") or {"chunks": [], "oldest_kept": 1}
    ends = [*window, *(end for chunk in index["chunks"] for end in chunk.values())]
    # What is kept has no holes, so a page is a range of sequences.
    oldest, newest = (min(ends), max(ends)) if ends else (1, 0)
    if before is None:
        low = max(oldest, after + 1)
        high = min(newest, low + limit - 1)
        has_more = low <= high < newest
    else:
        high = min(newest, before - 1)
        low = max(oldest, high - limit + 1)
        has_more = oldest < low <= high
    found = {sequence: window[sequence] for sequence in window if low <= sequence <= high}
    for chunk in index["chunks"]:
        if chunk["first"] <= high and chunk["last"] >= low:
            messages = split_chunk(loaded.chunk(chunk["first"]))
            for sequence, message in enumerate(messages, start=chunk["first"]):
                if low <= sequence <= high:
                    found[sequence] = message
    page = {"messages": [found[sequence] for sequence in sorted(found)], "has_more": has_more}
    if index["oldest_kept"] > 1:
        page["deleted_before_sequence"] = index["oldest_kept"]
    return page

# ---------------------------------------------------------------------------------------- handlers

class Turn(Log):
    """One method a Step. It changes the log and returns the movement; None: the turn has ended."""

    def start_turn(self, given):
        self.store(given["turn_id"], "user", [given["content"]])
        self.begin_turn(given["turn_id"])
        return self.move_to("RunModel")

    def run_model(self, given):
        if "compact_through" in given:  # the context is too long: no model call, nothing stored
            return self.move_to("CompactContext", given["compact_through"])
        self.read_model_input()
        self.store(given["turn_id"], "assistant", [given["reply"]["content"]])
        if given["reply"]["tool_calls"] > 0:
            return self.move_to("ResumeTurn")
        return self.end_turn("turn_completed", given["turn_id"])

    def resume_turn(self, given):
        self.store(given["turn_id"], "tool", given["tool_results"])
        return self.move_to("RunModel")

    def compact_context(self, given):
        through, low, high = given["through"], self.summarized, self.next_sequence - 1
        if not self.options.compaction:
            raise Refused("CompactContext: compaction is off")
        if not low <= through <= high:
            raise Refused(f"through is {through}; valid: {low} to {high}")
        self.compact(through, given["text"])
        return self.move_to("RunModel")

    def apply_turn_control(self, given):
        if given["control"] == "cancel":
            return self.move_to("FinishTurnCancellation")
        if given["control"] != "steer":
            raise Refused(f"control is {encode(given['control'])}; valid: steer, cancel")
        # Ended and counted first: the message that steers belongs to the new turn.
        self.end_turn("turn_steered", given["turn_id"])
        self.store(given["new_turn_id"], "user", [given["content"]])
        self.begin_turn(given["new_turn_id"])
        return self.move_to("RunModel")

    def finish_turn_cancellation(self, given):
        return self.end_turn("turn_cancelled", given["turn_id"])

    def record_turn_failure(self, given):
        self.turn_id = None  # not end_turn(): a failure carries no count
        self.events.append({"type": "turn_failed", "turn_id": given["turn_id"]})


STEPS = {
    "StartTurn": Turn.start_turn, "RunModel": Turn.run_model, "ResumeTurn": Turn.resume_turn,
    "CompactContext": Turn.compact_context, "ApplyTurnControl": Turn.apply_turn_control,
    "FinishTurnCancellation": Turn.finish_turn_cancellation,
    "RecordTurnFailure": Turn.record_turn_failure,
}  # fmt: skip


def list_agent_messages(loaded, args):
    limit, after, before = (args.get(n) for n in ("limit", "after_sequence", "before_sequence"))
    if type(limit) is not int or not 1 <= limit <= PAGE_MESSAGES_MAX:
        raise Refused(f"limit is {encode(limit)}; valid: 1 to {PAGE_MESSAGES_MAX}")
    if after is not None and before is not None:
        raise Refused("after_sequence and before_sequence are both given; valid: one, or none")
    for name, anchor in (("after_sequence", after), ("before_sequence", before)):
        if anchor is not None and (type(anchor) is not int or anchor < 0):
            raise Refused(f"{name} is {encode(anchor)}; valid: 0 and up")
    return read_page(loaded, after or 0, before, limit)


RPCS = {
    "list_agent_messages": list_agent_messages,
    "get_agent_snapshot": lambda loaded, _args: read_page(loaded, before=sys.maxsize),
}

# -------------------------------------------------------------------------------------------- wire

def one_of(table, name, what):
    if not isinstance(name, str) or name not in table:
        raise Refused(f"{what} is {encode(name)}; valid: {', '.join(table)}")
    return table[name]


class Wire:
    """One method a type of request."""

    def __init__(self):
        self.sessions = {}  # Options by name

    def _options_of(self, request):
        if request["session"] not in self.sessions:
            raise NotOpen(f"session {encode(request['session'])} is not open")
        return self.sessions[request["session"]]

    def hello(self, request):
        if request["protocol"] != PROTOCOL:
            raise Refused(f"protocol is {encode(request['protocol'])}; valid: {PROTOCOL}")
        return {"type": "hello", "protocol": PROTOCOL, "core": CORE_NAME, "compaction": True}

    def open(self, request):
        self.sessions[request["session"]] = Options(request["options"])
        return {"type": "opened", "session": request["session"]}

    def invoke(self, request):
        options = self._options_of(request)
        step = one_of(STEPS, request["step"], "step")
        turn = Turn(options, Loaded(request["state"]))
        if step is not Turn.record_turn_failure:  # the way out must stay open
            turn.check_legacy_loads()
        if not options.compaction and not options.warned and turn.oldest_kept() > 1:
            text = f"messages before {turn.oldest_kept()} were deleted; the model cannot see them"
            turn.events.append({"type": "warning", "text": text})
        movement = step(turn, request["input"])  # a refusal takes the warning with it
        options.warned |= not options.compaction and turn.oldest_kept() > 1
        result = {"type": "result", "id": request["id"], "writes": turn.writes()}
        result.update(events=turn.events, next=movement)
        if turn.model_input is not None:
            result["model_input"] = turn.model_input
        return result

    def read(self, request):
        self._options_of(request)
        rpc = one_of(RPCS, request["rpc"], "rpc")
        page = rpc(Loaded(request["state"]), request["args"])
        return {"type": "page", "id": request["id"], **page}

    def answer(self, line):
        """One line's reply, as bytes. Never raises: what goes wrong becomes a `failure`."""
        request = {}
        try:
            parsed = json.loads(line.decode())
            request = parsed if isinstance(parsed, dict) else {}
            handle = one_of(REQUESTS, request.get("type"), "type")
            return encode(handle(self, request)).encode() + b"\n"
        except (Refused, UnicodeError) as wrong:
            error, retryable = str(wrong), isinstance(wrong, NotOpen)
        except Exception as wrong:  # a malformed request or a bug of ours: the log tells which
            traceback.print_exc()
            error, retryable = f"{type(wrong).__name__}: {wrong}", False
        failure = {"type": "failure"}
        if "id" in request:
            failure["id"] = request["id"]
        failure.update(error=error, retryable=retryable)
        return encode(failure).encode(errors="replace") + b"\n"


REQUESTS = {"hello": Wire.hello, "open": Wire.open, "invoke": Wire.invoke, "read": Wire.read}


def main():
    wire = Wire()
    pending = []  # pieces of a line whose end has not arrived
    while block := os.read(0, 1 << 16):  # what a pipe holds
        *lines, rest = block.split(b"\n")
        if lines:
            lines[0] = b"".join(pending) + lines[0]
            pending.clear()
            # Whatever one read brought is answered by one write: system calls cost more than Steps.
            replies = memoryview(b"".join([wire.answer(line) for line in lines]))
            while replies:
                replies = replies[os.write(1, replies) :]
        pending.append(rest)


if __name__ == "__main__":
    main()
