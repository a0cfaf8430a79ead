#!/usr/bin/env node
// A session core in JavaScript: the storage protocol, spoken over a pipe.
//
//     storage     store, roll over, retain, loads, pages      Log, readPage
//     handlers    one function a Step, one an RPC             STEPS, RPCS
//     wire        read a line, find the session, answer       Wire, main
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

/** @typedef {{first: number, last: number}} Range */
/** @typedef {{next_sequence: number, turn_id: string|null, status: string}} SessionValue */
/** @typedef {{name: string, key?: string, value?: string, delete?: true}} Write */
/** @typedef {{name: string, key?: string, all?: true}} Load */
/** @typedef {{step: string, loads: Load[], control_loads: Load[]}} Movement */
/** @typedef {Record<string, any>} Json  a parsed object of the wire */

const CORE_NAME = "rollover-sample-node 0.2.0";
const PROTOCOL = 1;
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

/** What is remembered of a session. Throws Refused with an option's name, value and range. */
class Options {
  /** @param {Json} given */
  constructor(given) {
    const number = (/** @type {string} */ name, fallback, low, high) => {
      const value = given[name] === undefined ? fallback : given[name];
      if (Number.isInteger(value) && value >= low && value <= high) return value;
      throw new Refused(`${name} is ${encode(value)}; valid: ${low} to ${high}`);
    };
    this.windowSize = number("message_window_size", 64, 1, MANY);
    this.chunkSize = number("message_chunk_size", 32, 1, this.windowSize);
    this.chunkMaxBytes = number("message_chunk_max_bytes", 1 << 20, 1 << 10, 8 << 20);
    const keepAll = given.retained_message_limit === null;
    this.retainedLimit = keepAll ? null : number("retained_message_limit", 1000, 0, MANY);
    this.compaction = given.compaction === undefined ? true : given.compaction;
    if (typeof this.compaction !== "boolean") {
      throw new Refused(`compaction is ${encode(this.compaction)}; valid: true, false`);
    }
    this.warned = false; // of deleted messages
  }
}

// ----------------------------------------------------------------------------------------- storage

/** Bytes of UTF-8: the protocol's only size. `length` would count UTF-16 units. */
const byteSize = Buffer.byteLength;

/** The same text; throws Refused if it has a lone surrogate, which has no UTF-8. */
function wellFormed(/** @type {string} */ text) {
  if (!text.isWellFormed()) throw new Refused("a string has a lone surrogate");
  return text;
}

/** The values that a request brought. One that was not loaded is an error, never a null. */
class Loaded {
  /** @param {Json} state */
  constructor(state) {
    this.state = state;
    /** @type {Record<string, string>} */
    this.chunks = state.AgentMessageChunks ?? {};
  }
  /** @returns {any} the parsed value, or null when it was loaded and does not exist */
  attribute(/** @type {string} */ name) {
    if (this.state[name] === undefined) throw new Refused(`${name} was not loaded`);
    return this.state[name] === null ? null : JSON.parse(this.state[name]);
  }
  /** @returns {Map<number, string>} text by sequence, ascending */
  window() {
    const messages = this.state.AgentMessages;
    if (messages === undefined) throw new Refused("AgentMessages was not loaded");
    return new Map(ascending(Object.keys(messages).map(Number)).map((s) => [s, messages[s]]));
  }
  /** @returns {string} */
  chunk(/** @type {number} */ first) {
    if (this.chunks[first] !== undefined) return this.chunks[first];
    throw new Refused(`AgentMessageChunks ${first} was not loaded`);
  }
}

/** @param {number[]} numbers  sorted in place; the default order would be that of their text */
const ascending = (numbers) => numbers.sort((a, b) => a - b);

/** The index of the quote that ends the string which begins at `open`. */
function endOfString(/** @type {string} */ text, /** @type {number} */ open) {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") ++backslashes;
    if (backslashes % 2 === 0) return end;
  }
  throw new Refused("a chunk ends within a string");
}

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

/** Whether a message of this turn is not by the user. Its head has only one spelling. */
function isReply(/** @type {string} */ message, /** @type {string} */ turnId) {
  const head = `"turn_id":${encode(turnId)},"role":`;
  const at = message.indexOf(",") + 1;
  return message.startsWith(head, at) && !message.startsWith('"user"', at + head.length);
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
 * The stored messages as one commit sees and changes them.
 *
 * Changes are collected and listed by writes() in the end, one write a key: a message stored and
 * moved by the same commit shows up in its chunk only.
 */
class Log {
  /** @type {Json[]} */ events = [];
  /** @type {number[]|null} */ modelInput = null; // the model was not called
  /** @type {Map<number, string>} */ newMessages = new Map(); // by sequence
  /** @type {number[]} */ movedMessages = [];
  /** @type {Map<number, string>} */ newChunks = new Map(); // by first sequence
  /** @type {number[]} */ deletedChunks = [];
  /** @type {Record<string, Json>} */ newAttributes = {};

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
    this.queuedByLegacy = loaded.state.AgentMessageIndex === undefined; // 0.1.0 knows no index
    const index = this.queuedByLegacy ? null : loaded.attribute("AgentMessageIndex");
    /** @type {Range[]} ascending */
    this.chunks = index?.chunks ?? [];
  }

  /** @returns {number} */
  windowStart() {
    return this.window.keys().next().value ?? this.nextSequence;
  }

  oldestKept() {
    // Either: an oversized message can be in a chunk while older ones are in the window.
    return Math.min(this.windowStart(), this.chunks[0]?.first ?? this.nextSequence);
  }

  /**
   * Appends messages, rolls over, retains. At most one call a commit, for the caps' sake.
   * @param {string} turnId @param {"user"|"assistant"|"tool"} role @param {string[]} contents
   */
  store(turnId, role, contents) {
    if (contents.length === 0) return;
    for (const content of contents) {
      if (typeof content !== "string") throw new Refused("a content must be a string of JSON");
      const sequence = this.nextSequence++;
      const head = `"sequence":${sequence},"turn_id":${encode(turnId)},"role":"${role}"`;
      const message = wellFormed(`{${head},"content":${content}}`);
      if (byteSize(message) + CHUNK_WRAPPER_BYTES > this.options.chunkMaxBytes) {
        // Oversized: its largest value is written now. If the engine takes it, moving it can never
        // fail later; if not, only this turn does.
        this.addChunk({ first: sequence, last: sequence }, CHUNK_OPEN + message + CHUNK_CLOSE);
      } else {
        this.window.set(sequence, message);
        this.newMessages.set(sequence, message);
      }
    }
    this.rollOver();
    this.retain();
  }

  compact(/** @type {number} */ through, /** @type {string} */ text) {
    this.summarized = through;
    this.newAttributes.ContextSummary = { last_sequence: through, text: wellFormed(text) };
    this.retain();
  }

  /** After the user's message is stored: the replies start right behind it. */
  beginTurn(/** @type {string} */ turnId) {
    this.turnId = wellFormed(turnId);
    this.newAttributes.TurnReplySequence = { turn_id: turnId, sequence: this.nextSequence };
  }

  /** @returns {null} the movement of a turn that has ended */
  endTurn(/** @type {string} */ how, /** @type {string} */ turnId) {
    this.events.push({ type: how, turn_id: turnId, replies: this.replyCount(turnId) });
    this.turnId = null;
    return null;
  }

  addChunk(/** @type {Range} */ range, /** @type {string} */ text) {
    const at = this.chunks.findIndex((chunk) => chunk.first > range.first);
    this.chunks.splice(at === -1 ? this.chunks.length : at, 0, range);
    this.newChunks.set(range.first, text);
  }

  /**
   * Moves whole runs, oldest first, while the window is too large and the caps allow it.
   * Whole runs, not just the excess: with the defaults, one commit in 32 writes an index.
   */
  rollOver() {
    let bytesMoved = 0;
    for (let chunksMoved = 0; chunksMoved < CHUNKS_MOVED_MAX; ++chunksMoved) {
      if (this.window.size <= this.options.windowSize) return;
      const { run, size } = this.nextRun();
      bytesMoved += size;
      if (chunksMoved > 0 && bytesMoved > BYTES_MOVED_MAX) return;
      const text = CHUNK_OPEN + run.map((s) => this.window.get(s)).join(",") + CHUNK_CLOSE;
      this.addChunk({ first: run[0], last: run[run.length - 1] }, text);
      for (const sequence of run) {
        this.window.delete(sequence);
        if (!this.newMessages.delete(sequence)) this.movedMessages.push(sequence);
      }
    }
  }

  /** The oldest window messages that fit a chunk, one at least, and that chunk's bytes. */
  nextRun() {
    /** @type {number[]} */
    const run = [];
    let size = CHUNK_WRAPPER_BYTES;
    for (const [sequence, message] of this.window) {
      const first = run.length === 0;
      const grown = size + byteSize(message) + (first ? 0 : 1); // a comma
      if (!first) {
        if (run.length === this.options.chunkSize || grown > this.options.chunkMaxBytes) break;
        if (sequence !== run[run.length - 1] + 1) break; // an oversized chunk lies between
      }
      run.push(sequence);
      size = grown;
    }
    return { run, size };
  }

  /**
   * Deletes chunks that are summarised and beyond the limit: only a prefix of the log.
   * Not "the oldest chunk", then: an oversized message 12 can be in a chunk while 10 and 11 are in
   * the window, and without it 10, 11, 13 would be left: a hole that no reader can see.
   */
  retain() {
    const limit = this.options.retainedLimit;
    while (this.options.compaction && limit !== null && this.chunks.length > 0) {
      const { first, last } = this.chunks[0];
      if (first !== this.oldestKept() || last > this.summarized) return;
      if (this.nextSequence - 1 - last < limit) return;
      if (this.newChunks.has(first)) return; // one write a key: the next commit may delete it
      this.chunks.shift();
      this.deletedChunks.push(first);
    }
  }

  /** Replies of the running turn, what this commit stored included. */
  replyCount(/** @type {string} */ turnId) {
    const written = this.loaded.state.TurnReplySequence ?? null;
    const started = written === null ? null : JSON.parse(written);
    if (started?.turn_id === turnId) return this.nextSequence - started.sequence;
    // 0.1.0 began this turn and wrote no such value: count what was loaded.
    const messages = [...this.loaded.window().values()];
    messages.push(...Object.values(this.loaded.chunks).flatMap(splitChunk));
    const storedNow = this.nextSequence - this.session.next_sequence;
    return storedNow + messages.filter((message) => isReply(message, turnId)).length;
  }

  /**
   * Notes which messages the model is given: those behind the summary, or all of them.
   * A real core hands their text to its model here; the harness asks for the sequences.
   */
  readModelInput() {
    const after = this.options.compaction ? this.summarized : 0;
    const sequences = [...this.window.keys()].filter((sequence) => sequence > after);
    for (const { first, last } of this.chunks) {
      if (last <= after) continue;
      this.loaded.chunk(first);
      for (let s = Math.max(first, after + 1); s <= last; ++s) sequences.push(s);
    }
    this.modelInput = ascending(sequences);
  }

  /** Refuses a Step that 0.1.0 queued when its loads are not the whole session any more. */
  checkLegacyLoads() {
    const stored = this.nextSequence - 1;
    if (!this.queuedByLegacy || (this.window.size === stored && this.windowStart() === 1)) return;
    throw new Refused(`a Step of 0.1.0 loaded ${this.window.size} of ${stored} messages`);
  }

  /**
   * The movement to `step`; `through` is the sequence up to which CompactContext compacts.
   * A control may strike before that Step commits, so its loads are decided here as well.
   * @returns {Movement}
   */
  moveTo(/** @type {string} */ step, through = MANY) {
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

  /** @returns {Write[]} */
  writes() {
    /** @type {Write[]} */
    const writes = [];
    const gone = (name, key) => writes.push({ name, key: `${key}`, delete: true });
    const put = (name, key, value) => writes.push({ name, key: `${key}`, value });
    for (const sequence of this.movedMessages) gone("AgentMessages", sequence);
    for (const first of this.deletedChunks) gone("AgentMessageChunks", first);
    for (const [sequence, text] of this.newMessages) put("AgentMessages", sequence, text);
    for (const [first, text] of this.newChunks) put("AgentMessageChunks", first, text);
    const attributes = this.newAttributes;
    if (this.newChunks.size > 0 || this.deletedChunks.length > 0) {
      const positions = { window_start: this.windowStart(), oldest_kept: this.oldestKept() };
      attributes.AgentMessageIndex = { chunks: this.chunks, ...positions };
    }
    const { next_sequence, turn_id } = this.session;
    if (next_sequence !== this.nextSequence || turn_id !== this.turnId) {
      attributes.AgentSession = sessionValue(this.nextSequence, this.turnId);
    }
    for (const name in attributes) writes.push({ name, value: encode(attributes[name]) });
    return writes;
  }
}

/**
 * The messages right after or right before the anchor, which is not among them, ascending.
 * @param {Loaded} loaded @param {number} anchor @param {number} limit @param {boolean} backwards
 */
function readPage(loaded, anchor, limit, backwards) {
  const window = loaded.window();
  const index = loaded.attribute("AgentMessageIndex") ?? { chunks: [], oldest_kept: 1 };
  const ends = [...window.keys(), ...index.chunks.flatMap(({ first, last }) => [first, last])];
  ascending(ends);
  // What is kept has no holes, so a page is a range of sequences.
  const [oldest, newest] = [ends[0] ?? 1, ends[ends.length - 1] ?? 0];
  let low = Math.max(oldest, anchor + 1);
  const high = Math.min(newest, backwards ? anchor - 1 : low + limit - 1);
  if (backwards) low = Math.max(oldest, high - limit + 1);
  const found = new Map([...window].filter(([sequence]) => low <= sequence && sequence <= high));
  for (const { first, last } of index.chunks) {
    if (first > high || last < low) continue;
    splitChunk(loaded.chunk(first)).forEach((message, offset) => {
      if (low <= first + offset && first + offset <= high) found.set(first + offset, message);
    });
  }
  const messages = ascending([...found.keys()]).map((sequence) => found.get(sequence));
  const has_more = low <= high && (backwards ? oldest < low : high < newest);
  if (index.oldest_kept === 1) return { messages, has_more };
  return { messages, has_more, deleted_before_sequence: index.oldest_kept };
}

// ---------------------------------------------------------------------------------------- handlers

/**
 * A Step's handler changes the log and returns the movement; null: the turn has ended.
 * @type {Record<string, (log: Log, given: Json) => Movement|null>}
 */
const STEPS = {
  StartTurn(log, given) {
    log.store(given.turn_id, "user", [given.content]);
    log.beginTurn(given.turn_id);
    return log.moveTo("RunModel");
  },
  RunModel(log, given) {
    if (given.compact_through !== undefined) {
      // The context is too long: no model call, nothing stored.
      return log.moveTo("CompactContext", given.compact_through);
    }
    log.readModelInput();
    log.store(given.turn_id, "assistant", [given.reply.content]);
    if (given.reply.tool_calls > 0) return log.moveTo("ResumeTurn");
    return log.endTurn("turn_completed", given.turn_id);
  },
  ResumeTurn(log, given) {
    log.store(given.turn_id, "tool", given.tool_results);
    return log.moveTo("RunModel");
  },
  CompactContext(log, given) {
    const [low, high] = [log.summarized, log.nextSequence - 1];
    if (!log.options.compaction) throw new Refused("CompactContext: compaction is off");
    if (!Number.isInteger(given.through) || given.through < low || given.through > high) {
      throw new Refused(`through is ${encode(given.through)}; valid: ${low} to ${high}`);
    }
    log.compact(given.through, given.text);
    return log.moveTo("RunModel");
  },
  ApplyTurnControl(log, given) {
    if (given.control === "cancel") return log.moveTo("FinishTurnCancellation");
    if (given.control !== "steer") {
      throw new Refused(`control is ${encode(given.control)}; valid: steer, cancel`);
    }
    // Ended and counted first: the message that steers belongs to the new turn.
    log.endTurn("turn_steered", given.turn_id);
    log.store(given.new_turn_id, "user", [given.content]);
    log.beginTurn(given.new_turn_id);
    return log.moveTo("RunModel");
  },
  FinishTurnCancellation(log, given) {
    return log.endTurn("turn_cancelled", given.turn_id);
  },
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
    if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MESSAGES_MAX) {
      throw new Refused(`limit is ${encode(limit)}; valid: 1 to ${PAGE_MESSAGES_MAX}`);
    }
    if (after !== null && before !== null) {
      throw new Refused("after_sequence and before_sequence are both given; valid: one, or none");
    }
    const anchor = after ?? before ?? 0;
    if (!Number.isInteger(anchor) || anchor < 0) {
      const name = after === null ? "before_sequence" : "after_sequence";
      throw new Refused(`${name} is ${encode(anchor)}; valid: 0 and up`);
    }
    return readPage(loaded, anchor, limit, before !== null);
  },
  get_agent_snapshot(loaded) {
    return readPage(loaded, MANY, PAGE_MESSAGES_MAX, true);
  },
};

// -------------------------------------------------------------------------------------------- wire

/** @template T @param {Record<string, T>} table @param {string} name @param {string} what */
function oneOf(table, name, what) {
  if (typeof name === "string" && Object.hasOwn(table, name)) return table[name];
  throw new Refused(`${what} is ${encode(name)}; valid: ${Object.keys(table).join(", ")}`);
}

/** Answers requests: one method a type of request. */
class Wire {
  /** @type {Map<string, Options>} */
  sessions = new Map();

  optionsOf(/** @type {Json} */ request) {
    const options = this.sessions.get(request.session);
    if (options === undefined) throw new NotOpen(`session ${encode(request.session)} is not open`);
    return options;
  }

  hello(/** @type {Json} */ request) {
    if (request.protocol !== PROTOCOL) {
      throw new Refused(`protocol is ${encode(request.protocol)}; valid: ${PROTOCOL}`);
    }
    return { type: "hello", protocol: PROTOCOL, core: CORE_NAME, compaction: true };
  }

  open(/** @type {Json} */ request) {
    this.sessions.set(request.session, new Options(request.options));
    return { type: "opened", session: request.session };
  }

  invoke(/** @type {Json} */ request) {
    const options = this.optionsOf(request);
    const step = oneOf(STEPS, request.step, "step");
    const log = new Log(options, new Loaded(request.state));
    if (step !== STEPS.RecordTurnFailure) log.checkLegacyLoads(); // the way out must stay open
    if (!options.compaction && !options.warned && log.oldestKept() > 1) {
      options.warned = true;
      const text = `messages before ${log.oldestKept()} were deleted; the model cannot see them`;
      log.events.push({ type: "warning", text });
    }
    const next = step(log, request.input);
    const { events, modelInput } = log;
    const result = { type: "result", id: request.id, writes: log.writes(), events, next };
    return modelInput === null ? result : { ...result, model_input: modelInput };
  }

  read(/** @type {Json} */ request) {
    this.optionsOf(request);
    const rpc = oneOf(RPCS, request.rpc, "rpc");
    return { type: "page", id: request.id, ...rpc(new Loaded(request.state), request.args) };
  }

  /** One line's reply. Never throws: what goes wrong becomes a `failure`. @param {Buffer} line */
  answer(line) {
    /** @type {Json} */
    let request = {};
    try {
      if (!isUtf8(line)) throw new Refused("not UTF-8");
      request = JSON.parse(line.toString()) ?? {};
      return encode(oneOf(REQUESTS, request.type, "type").call(this, request));
    } catch (wrong) {
      // A malformed request or a bug of ours: the log tells which.
      if (!(wrong instanceof Refused)) console.error(wrong);
      const error = wrong instanceof Refused ? wrong.message : `${wrong}`;
      const retryable = wrong instanceof NotOpen;
      return encode({ type: "failure", id: request.id, error, retryable });
    }
  }
}

const { hello, open, invoke, read } = Wire.prototype;
const REQUESTS = { hello, open, invoke, read };

/** Runs a system call again until the other end of a non-blocking pipe is ready. */
function retried(/** @type {() => number} */ call) {
  for (;;) {
    try {
      return call();
    } catch (wrong) {
      if (wrong.code !== "EAGAIN") throw wrong;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // a millisecond
  }
}

// Synchronous, at twice the speed: there is nothing to do between a request and its answer.
function main() {
  const wire = new Wire();
  const block = Buffer.allocUnsafe(1 << 16); // what a pipe holds
  /** @type {Buffer[]} pieces of a line whose end has not arrived */
  let pending = [];
  for (let n; (n = retried(() => readSync(0, block))) > 0; ) {
    let [begin, replies] = [0, ""];
    for (let end; (end = block.subarray(0, n).indexOf(10, begin)) !== -1; begin = end + 1) {
      const piece = block.subarray(begin, end);
      replies += wire.answer(pending.length ? Buffer.concat([...pending, piece]) : piece) + "\n";
      pending = [];
    }
    if (begin < n) pending.push(Buffer.from(block.subarray(begin, n)));
    // Whatever one read brought is answered by one write: system calls cost more than Steps.
    const bytes = Buffer.from(replies);
    for (let at = 0; at < bytes.length; ) at += retried(() => writeSync(1, bytes, at));
  }
}

main();
