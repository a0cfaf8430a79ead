#!/usr/bin/env node
// A session core in JavaScript: the storage protocol, spoken over a pipe.
//
//     storage     store, roll over, retain, loads, pages      Log, readPage
//     handlers    one function a Step, one an RPC             STEPS, RPCS
//     wire        read a line, find the session, answer       REQUESTS, main
//
// Everything lives for one request: the process may be killed at any time, and a fresh one gets the
// next attempt. Only a session's options, and whether its warning was given, are remembered.
//
// Stored values are text from end to end. A content arrives as encoded JSON and is copied, never
// parsed and spelled anew: 1.0 must not become 1, nor "\u0041" become "A".
//
// Sequences are 64 bits wide in the protocol and doubles here. One session would have to store
// 2^53 messages before that matters; an anchor beyond is rounded, and still lies beyond them all.
import { isUtf8 } from "node:buffer";
import { readSync, writeSync } from "node:fs";

/** @typedef {[number, string]} Message  sequence and text */
/** @typedef {{first: number, last: number}} Range */
/** @typedef {{next_sequence: number, turn_id: string|null, status: string}} SessionValue */
/** @typedef {{name: string, key?: string, value?: string, delete?: true}} Write */
/** @typedef {{name: string, key?: string, all?: true}} Load */
/** @typedef {{step: string, loads: Load[], control_loads: Load[]}} Movement */
/** @typedef {Record<string, any>} Json  a parsed object of the wire */

const CORE_NAME = "rollover-sample-node 0.2.0";
const CHUNKS_MOVED_MAX = 4; // a commit
const BYTES_MOVED_MAX = 8 << 20; // a commit, unless it moves a single chunk
const PAGE_MESSAGES_MAX = 200;
const MANY = Number.MAX_SAFE_INTEGER;
const CHUNK_OPEN = '{"messages":[';
const CHUNK_CLOSE = "]}";
const CHUNK_WRAPPER_BYTES = CHUNK_OPEN.length + CHUNK_CLOSE.length;

// Compact, and it escapes what the protocol asks for, in lower case: \" \\ \b \t \n \f \r \u00xx.
const encode = JSON.stringify;

/** This request cannot be served; the message says what, where and what is allowed. */
class Refused extends Error {}
/** A fresh process has seen no `open`; once it has, the same request will do. */
class NotOpen extends Refused {}

/** @param {string} name @param {any} value @param {number} low @param {number} high */
function within(name, value, low, high) {
  if (Number.isInteger(value) && low <= value && value <= high) return value;
  throw new Refused(`${name} is ${encode(value)}; valid: ${low} to ${high}`);
}

/** @typedef {ReturnType<typeof readOptions>} Options  what is remembered of a session */

/** Throws Refused with an option's name, value and range. @param {Json} given */
function readOptions(given) {
  const number = (/** @type {string} */ name, fallback, low, high) =>
    within(name, given[name] === undefined ? fallback : given[name], low, high);
  const windowSize = number("message_window_size", 64, 1, MANY);
  const keepAll = given.retained_message_limit === null;
  return {
    windowSize,
    chunkSize: number("message_chunk_size", 32, 1, windowSize),
    chunkMaxBytes: number("message_chunk_max_bytes", 1 << 20, 1 << 10, 8 << 20),
    retainedLimit: keepAll ? Infinity : number("retained_message_limit", 1000, 0, MANY),
    compaction: given.compaction !== false,
    warned: false, // of deleted messages
  };
}

// ----------------------------------------------------------------------------------------- storage

/** Bytes of UTF-8: the protocol's only size. `length` would count UTF-16 units. */
const byteSize = Buffer.byteLength;

/** Refuses a lone surrogate, which has no UTF-8. @param {string[]} texts */
function checkWellFormed(...texts) {
  for (const text of texts) {
    if (/\p{Surrogate}/u.test(text)) throw new Refused("half a surrogate pair");
  }
}

/** The values that a request brought. One that was not loaded is an error, never a null. */
class Loaded {
  /** @param {Json} state */
  constructor(state) {
    this.state = state;
  }
  /** @returns {any} an attribute's text or a map's instances; null when there is no value */
  get(/** @type {string} */ name) {
    if (this.state[name] === undefined) throw new Refused(`${name} was not loaded`);
    return this.state[name];
  }
  /** @returns {any} the parsed value, or null */
  attribute(/** @type {string} */ name) {
    return JSON.parse(this.get(name));
  }
  /** @returns {Message[]} ascending */
  window() {
    const texts = this.get("AgentMessages");
    return inOrder(Object.keys(texts).map((key) => [Number(key), texts[key]]));
  }
  /** @returns {Message[]} those of the window and of the chunks that were loaded, ascending */
  messages() {
    const messages = this.window();
    for (const [first, text] of Object.entries(this.state.AgentMessageChunks ?? {})) {
      splitChunk(text).forEach((message, i) => messages.push([Number(first) + i, message]));
    }
    return inOrder(messages);
  }
}

/** @param {Message[]} messages */
const inOrder = (messages) => messages.sort(([a], [b]) => a - b);

/** The messages of a chunk, each exactly as stored: only brackets and strings are looked at. */
function splitChunk(/** @type {string} */ text) {
  const messages = [];
  let [depth, begin] = [0, CHUNK_OPEN.length];
  for (let at = begin; at < text.length - CHUNK_CLOSE.length; ++at) {
    const c = text[at];
    if (c === '"') at = endOfString(text, at);
    if (c === "{" || c === "[") ++depth;
    if ((c === "}" || c === "]") && --depth === 0) {
      messages.push(text.slice(begin, at + 1));
      begin = at + 2; // behind the comma
    }
  }
  return messages;
}

/** The index of the quote that ends the string which begins at `open`. */
function endOfString(/** @type {string} */ text, /** @type {number} */ open) {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") ++backslashes;
    if (backslashes % 2 === 0) return end;
  }
  throw new Refused("a chunk ends within a string");
}

/** @returns {SessionValue} */
function sessionValue(/** @type {number} */ next_sequence, /** @type {string|null} */ turn_id) {
  return { next_sequence, turn_id, status: turn_id === null ? "idle" : "running" };
}

/** @type {Load[]} */
const BASE_LOADS = [
  ...["AgentSession", "AgentMessageIndex", "ContextSummary"].map((name) => ({ name })),
  { name: "AgentMessages", all: true },
];

/**
 * The stored messages as one commit sees and changes them. In the end, writes() lists the changes,
 * one write a key: a message stored and moved by the same commit shows up in its chunk only.
 */
class Log {
  /** @type {Write[]} */ changes = []; // but for window messages, index and session
  /** @type {Set<number>} */ newChunks = new Set(); // their first sequences
  indexChanges = false;
  /** @type {Json[]} */ events = [];
  /** @type {number[]|undefined} */ modelInput; // of the model, if it was called

  /** @param {Options} options @param {Loaded} loaded */
  constructor(options, loaded) {
    this.options = options;
    this.loaded = loaded;
    /** @type {SessionValue} an absent one is a new session's, and means the same as this */
    this.session = loaded.attribute("AgentSession") ?? sessionValue(1, null);
    this.nextSequence = this.session.next_sequence;
    this.turnId = this.session.turn_id;
    /** @type {number} the last message that is summarised */
    this.summarized = loaded.attribute("ContextSummary")?.last_sequence ?? 0;
    this.window = loaded.window();
    /** @type {Range[]} ascending; a Step that 0.1.0 queued loads no index, as there are none */
    this.chunks = JSON.parse(loaded.state.AgentMessageIndex ?? null)?.chunks ?? [];
  }

  index() {
    const window_start = this.window[0]?.[0] ?? this.nextSequence;
    // Either: an oversized message can be in a chunk while older ones are in the window.
    const oldest_kept = Math.min(window_start, this.chunks[0]?.first ?? window_start);
    return { chunks: this.chunks, window_start, oldest_kept };
  }

  /**
   * Appends messages, rolls over, retains. At most one call a commit, for the caps' sake.
   * @param {string} turnId @param {"user"|"assistant"|"tool"} role @param {string[]} contents
   */
  store(turnId, role, contents) {
    if (contents.length === 0) return;
    checkWellFormed(turnId, ...contents);
    for (const content of contents) {
      const sequence = this.nextSequence++;
      const head = `"sequence":${sequence},"turn_id":${encode(turnId)},"role":"${role}"`;
      const message = `{${head},"content":${content}}`;
      if (byteSize(message) + CHUNK_WRAPPER_BYTES > this.options.chunkMaxBytes) {
        // Oversized: its largest value is written now. If the engine takes it, moving it can never
        // fail later; if not, only this turn does.
        this.addChunk([[sequence, message]]);
      } else {
        this.window.push([sequence, message]);
      }
    }
    this.rollOver();
    this.retain();
  }

  compact(/** @type {number} */ last_sequence, /** @type {string} */ text) {
    checkWellFormed(text);
    this.summarized = last_sequence;
    this.changes.push({ name: "ContextSummary", value: encode({ last_sequence, text }) });
    this.retain();
  }

  beginTurn(/** @type {string} */ turnId, /** @type {string} */ content) {
    this.store(turnId, "user", [content]);
    this.turnId = turnId;
    // The replies start right behind the user's message.
    const value = encode({ turn_id: turnId, sequence: this.nextSequence });
    this.changes.push({ name: "TurnReplySequence", value });
  }

  /** @returns {null} the movement of a turn that has ended */
  endTurn(/** @type {string} */ how, /** @type {string} */ turnId) {
    this.events.push({ type: how, turn_id: turnId, replies: this.replyCount(turnId) });
    this.turnId = null;
    return null;
  }

  /** Moves runs, oldest first, while the window is too large and the caps allow it. */
  rollOver() {
    // Whole runs, not just the excess: with the defaults, one commit in 32 writes an index.
    let bytesMoved = 0;
    for (let chunksMoved = 0; chunksMoved < CHUNKS_MOVED_MAX; ++chunksMoved) {
      if (this.window.length <= this.options.windowSize) return;
      const { length, size } = this.nextRun();
      bytesMoved += size;
      if (chunksMoved > 0 && bytesMoved > BYTES_MOVED_MAX) return;
      this.addChunk(this.window.splice(0, length));
    }
  }

  /** How many of the window's oldest fit a chunk, one at least, and that chunk's bytes. */
  nextRun() {
    const [oldest, text] = this.window[0];
    let [length, size] = [1, CHUNK_WRAPPER_BYTES + byteSize(text)];
    for (; length < this.options.chunkSize && length < this.window.length; ++length) {
      const [sequence, next] = this.window[length];
      const grown = size + 1 + byteSize(next); // a comma
      if (grown > this.options.chunkMaxBytes) break;
      if (sequence !== oldest + length) break; // an oversized chunk lies between
      size = grown;
    }
    return { length, size };
  }

  addChunk(/** @type {Message[]} */ run) {
    for (const [sequence] of run) {
      if (sequence >= this.session.next_sequence) break; // stored by this commit
      this.changes.push({ name: "AgentMessages", key: `${sequence}`, delete: true });
    }
    const [first, last] = [run[0][0], run[run.length - 1][0]];
    const value = CHUNK_OPEN + run.map(([, text]) => text).join(",") + CHUNK_CLOSE;
    this.changes.push({ name: "AgentMessageChunks", key: `${first}`, value });
    this.chunks.push({ first, last });
    this.chunks.sort((a, b) => a.first - b.first);
    this.newChunks.add(first);
    this.indexChanges = true;
  }

  /**
   * Deletes chunks that are summarised and beyond the limit: only a prefix of the log.
   * Not "the oldest chunk", then: an oversized message 12 can be in a chunk while 10 and 11 are in
   * the window, and without it 10, 11, 13 would be left: a hole that no reader can see.
   */
  retain() {
    while (this.options.compaction && this.chunks.length > 0) {
      const { first, last } = this.chunks[0];
      if (first !== this.index().oldest_kept || last > this.summarized) return;
      if (this.nextSequence - 1 - last < this.options.retainedLimit) return;
      if (this.newChunks.has(first)) return; // one write a key: the next commit may delete it
      this.chunks.shift();
      this.changes.push({ name: "AgentMessageChunks", key: `${first}`, delete: true });
      this.indexChanges = true;
    }
  }

  /** Replies of the running turn, what this commit stored included. */
  replyCount(/** @type {string} */ turnId) {
    const started = JSON.parse(this.loaded.state.TurnReplySequence ?? null);
    if (started?.turn_id === turnId) return this.nextSequence - started.sequence;
    // 0.1.0 began this turn and wrote no such value: count its messages. A head has one spelling.
    let replies = this.nextSequence - this.session.next_sequence; // stored by this commit
    for (const [sequence, message] of this.loaded.messages()) {
      const head = `{"sequence":${sequence},"turn_id":${encode(turnId)},"role":`;
      if (message.startsWith(head) && !message.startsWith('"user"', head.length)) ++replies;
    }
    return replies;
  }

  /** A real core hands its model the messages' text here; the harness asks for their sequences. */
  readModelInput() {
    const after = this.options.compaction ? this.summarized : 0;
    const sequences = this.window.map(([sequence]) => sequence).filter((s) => s > after);
    for (const { first, last } of this.chunks) {
      if (last <= after) continue;
      if (!(first in this.loaded.get("AgentMessageChunks"))) throw new Refused(`no chunk ${first}`);
      for (let s = Math.max(first, after + 1); s <= last; ++s) sequences.push(s);
    }
    this.modelInput = sequences.sort((a, b) => a - b);
  }

  /** The movement to `step`; `through`: how far CompactContext compacts. @returns {Movement} */
  moveTo(/** @type {string} */ step, through = MANY) {
    // A control may strike before that Step commits, so its loads are decided here as well.
    const modelLoads = [...BASE_LOADS, { name: "TurnReplySequence" }, ...this.chunkLoads(MANY)];
    let loads = modelLoads;
    if (step === "ResumeTurn") loads = BASE_LOADS;
    if (step === "CompactContext") loads = [...BASE_LOADS, ...this.chunkLoads(through)];
    return { step, loads, control_loads: modelLoads };
  }

  /** @returns {Load[]} */
  chunkLoads(/** @type {number} */ through) {
    // Without compaction the model's input is every message.
    if (!this.options.compaction) return [{ name: "AgentMessageChunks", all: true }];
    return this.chunks
      .filter(({ first, last }) => last > this.summarized && first <= through)
      .map(({ first }) => ({ name: "AgentMessageChunks", key: `${first}` }));
  }

  writes() {
    const writes = this.changes;
    for (const [sequence, value] of this.window) {
      if (sequence < this.session.next_sequence) continue;
      writes.push({ name: "AgentMessages", key: `${sequence}`, value });
    }
    if (this.indexChanges) writes.push({ name: "AgentMessageIndex", value: encode(this.index()) });
    const value = encode(sessionValue(this.nextSequence, this.turnId));
    if (value !== encode(this.session)) writes.push({ name: "AgentSession", value });
    return writes;
  }
}

/**
 * The messages right after or right before the anchor, which is not among them, ascending.
 * @param {Loaded} loaded @param {number} anchor @param {number} limit @param {boolean} backwards
 */
function readPage(loaded, anchor, limit, backwards) {
  const oldestKept = loaded.attribute("AgentMessageIndex")?.oldest_kept ?? 1;
  const kept = loaded.messages();
  const side = kept.filter(([sequence]) => (backwards ? sequence < anchor : sequence > anchor));
  const has_more = side.length > limit;
  const page = backwards ? side.slice(-limit) : side.slice(0, limit);
  const messages = page.map(([, message]) => message);
  if (oldestKept === 1) return { messages, has_more };
  return { messages, has_more, deleted_before_sequence: oldestKept };
}

// ---------------------------------------------------------------------------------------- handlers

/**
 * A Step's handler changes the log and returns the movement; null: the turn has ended.
 * @type {Record<string, (log: Log, given: Json) => Movement|null>}
 */
const STEPS = {
  StartTurn(log, given) {
    log.beginTurn(given.turn_id, given.content);
    return log.moveTo("RunModel");
  },
  RunModel(log, { turn_id, reply, compact_through }) {
    // The context is too long: no model call, nothing stored.
    if (compact_through !== undefined) return log.moveTo("CompactContext", compact_through);
    log.readModelInput();
    log.store(turn_id, "assistant", [reply.content]);
    return reply.tool_calls > 0 ? log.moveTo("ResumeTurn") : log.endTurn("turn_completed", turn_id);
  },
  ResumeTurn(log, given) {
    log.store(given.turn_id, "tool", given.tool_results);
    return log.moveTo("RunModel");
  },
  CompactContext(log, given) {
    if (!log.options.compaction) throw new Refused("CompactContext: compaction is off");
    within("through", given.through, log.summarized, log.nextSequence - 1);
    log.compact(given.through, given.text);
    return log.moveTo("RunModel");
  },
  ApplyTurnControl(log, given) {
    if (given.control === "cancel") return log.moveTo("FinishTurnCancellation");
    // Ended and counted first: the message that steers belongs to the new turn.
    log.endTurn("turn_steered", given.turn_id);
    log.beginTurn(given.new_turn_id, given.content);
    return log.moveTo("RunModel");
  },
  FinishTurnCancellation: (log, given) => log.endTurn("turn_cancelled", given.turn_id),
  RecordTurnFailure(log, given) {
    log.turnId = null; // not endTurn(): a failure carries no count
    log.events.push({ type: "turn_failed", turn_id: given.turn_id });
    return null;
  },
};

/** @type {Record<string, (loaded: Loaded, args: Json) => Json>} */
const RPCS = {
  list_agent_messages(loaded, args) {
    const { limit, after_sequence: after = null, before_sequence: before = null } = args;
    within("limit", limit, 1, PAGE_MESSAGES_MAX);
    if (after !== null && before !== null) {
      throw new Refused("after_sequence and before_sequence are both given; valid: one, or none");
    }
    const anchor = within("the anchor", after ?? before ?? 0, 0, Infinity);
    return readPage(loaded, anchor, limit, before !== null);
  },
  get_agent_snapshot: (loaded) => readPage(loaded, MANY, PAGE_MESSAGES_MAX, true),
};

// -------------------------------------------------------------------------------------------- wire

/** @template T @param {Record<string, T>} table @param {string} name @param {string} what */
function oneOf(table, name, what) {
  if (typeof name === "string" && Object.hasOwn(table, name)) return table[name];
  throw new Refused(`${what} is ${encode(name)}; valid: ${Object.keys(table).join(", ")}`);
}

/** @type {Map<string, Options>} the open ones */
const sessions = new Map();

/** @type {Record<string, (request: Json) => Json>} */
const REQUESTS = {
  hello: () => ({ type: "hello", protocol: 1, core: CORE_NAME, compaction: true }),
  open(request) {
    sessions.set(request.session, readOptions(request.options));
    return { type: "opened", session: request.session };
  },
  invoke(request) {
    const options = optionsOf(request);
    const step = oneOf(STEPS, request.step, "step");
    const log = new Log(options, new Loaded(request.state));
    const isLegacy = request.state.AgentMessageIndex === undefined; // 0.1.0 queued it
    if (isLegacy && log.window.length < log.nextSequence - 1 && step !== STEPS.RecordTurnFailure) {
      throw new Refused(`a Step that 0.1.0 queued loaded only ${log.window.length} messages`);
    }
    const oldest = log.index().oldest_kept;
    const warns = !options.compaction && !options.warned && oldest > 1;
    if (warns) {
      const text = `messages before ${oldest} were deleted; the model cannot see them`;
      log.events.push({ type: "warning", text });
    }
    const next = step(log, request.input);
    options.warned ||= warns; // a refusal would have taken the warning with it
    const { events, modelInput: model_input } = log;
    return { type: "result", id: request.id, writes: log.writes(), events, next, model_input };
  },
  read(request) {
    optionsOf(request);
    const rpc = oneOf(RPCS, request.rpc, "rpc");
    return { type: "page", id: request.id, ...rpc(new Loaded(request.state), request.args) };
  },
};

function optionsOf(/** @type {Json} */ request) {
  const options = sessions.get(request.session);
  if (options === undefined) throw new NotOpen(`session ${encode(request.session)} is not open`);
  return options;
}

/** One line's reply. Never throws: what goes wrong becomes a `failure`. */
function answer(/** @type {Buffer} */ line) {
  /** @type {Json} */
  let request = {};
  try {
    if (!isUtf8(line)) throw new Refused("not UTF-8");
    request = JSON.parse(line.toString()) ?? {};
    return encode(oneOf(REQUESTS, request.type, "type")(request));
  } catch (wrong) {
    if (!(wrong instanceof Refused)) console.error(wrong); // a malformed request or a bug of ours
    const retryable = wrong instanceof NotOpen;
    return encode({ type: "failure", id: request.id, error: wrong.message, retryable });
  }
}

// Synchronous, at twice the speed: there is nothing to do between a request and its answer.
function main() {
  const block = Buffer.allocUnsafe(1 << 16); // what a pipe holds
  /** @type {Buffer[]} pieces of a line whose end has not arrived */
  let pending = [];
  for (let n; (n = readSync(0, block)) > 0; ) {
    let [begin, replies] = [0, ""];
    for (let end; (end = block.subarray(0, n).indexOf(10, begin)) !== -1; begin = end + 1) {
      const piece = block.subarray(begin, end);
      replies += answer(pending.length ? Buffer.concat([...pending, piece]) : piece) + "\n";
      pending = [];
    }
    if (begin < n) pending.push(Buffer.from(block.subarray(begin, n)));
    // Whatever one read brought is answered by one write: system calls cost more than Steps.
    const bytes = Buffer.from(replies);
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  }
}

main();
