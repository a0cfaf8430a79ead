// A session core in Go: the storage protocol, spoken over a pipe. It has no compaction: nothing is
// ever deleted, every chunk is loaded, and the model is given every message.
//
//	storage     store, roll over, pages                     messageLog, readPage
//	handlers    one case a Step, one an RPC                 runStep, runRPC
//	wire        read a line, find the session, answer       answer, main
//
// Everything lives for one request: the process may be killed at any time, and a fresh one gets the
// next attempt. Only a session's options, and whether its warning was given, are remembered.
// Stored values are text from end to end. A content arrives as encoded JSON and is copied, never
// parsed and spelled anew: 1.0 must not become 1, nor "\u0041" become "A".
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

const (
	coreName          = "rollover-sample-go 0.2.0"
	chunksMovedMax    = 4       // a commit
	bytesMovedMax     = 8 << 20 // a commit, unless it moves a single chunk
	pageMessagesMax   = 200
	chunkWrapperBytes = len(`{"messages":[]}`)
)

// refuse gives the request up: it panics, and answer recovers, so that no caller passes it on.
func refuse(format string, args ...any) {
	panic(object{"type": "failure", "error": fmt.Sprintf(format, args...), "retryable": false})
}

func parse(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		refuse("%v", err)
	}
}

func within(name string, value, low, high int) {
	if value < low || value > high {
		refuse("%s is %d; valid: %d to %d", name, value, low, high)
	}
}

// options is what `open` brings, and what is remembered of a session.
type options struct {
	WindowSize    int  `json:"message_window_size"`
	ChunkSize     int  `json:"message_chunk_size"`
	ChunkMaxBytes int  `json:"message_chunk_max_bytes"`
	RetainedLimit uint `json:"retained_message_limit"` // this core keeps all, whatever it is
	warned        bool // of deleted messages
}

// ----------------------------------------------------------------------------------------- storage

// The escapes of the protocol; where two fit, the first one counts.
var escapes = func() *strings.Replacer {
	pairs := []string{`"`, `\"`, `\`, `\\`, "\b", `\b`, "\t", `\t`, "\n", `\n`, "\f", `\f`, "\r", `\r`}
	for c := rune(0); c < ' '; c++ {
		pairs = append(pairs, string(c), fmt.Sprintf(`\u%04x`, c))
	}
	return strings.NewReplacer(pairs...)
}()

// quote is not json.Marshal: that escapes <, >, & and U+2028, and has no \b and \f.
func quote(text string) string { return `"` + escapes.Replace(text) + `"` }

type message struct {
	sequence int
	text     string
}

type chunkRange struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

type indexValue struct { // its fields in the order of the encoding
	Chunks      []chunkRange `json:"chunks"` // ascending
	WindowStart int          `json:"window_start"`
	OldestKept  int          `json:"oldest_kept"`
}

type sessionValue struct {
	NextSequence int     `json:"next_sequence"`
	TurnID       *string `json:"turn_id"` // nil: between turns
}

func (s sessionValue) encode() string {
	turn, status := "null", "idle"
	if s.TurnID != nil {
		turn, status = quote(*s.TurnID), "running"
	}
	return fmt.Sprintf(`{"next_sequence":%d,"turn_id":%s,"status":"%s"}`, s.NextSequence, turn, status)
}

// loadedState is the values that a request brought. One that was not loaded is nil.
type loadedState struct {
	AgentSession, AgentMessageIndex, TurnReplySequence json.RawMessage
	AgentMessages, AgentMessageChunks                  map[int]string
}

// parseAttribute leaves `into` alone when there is no value, or 0.1.0 did not know that there is one.
func parseAttribute(value json.RawMessage, into any) {
	var text *string
	if value != nil {
		parse(value, &text)
	}
	if text != nil {
		parse([]byte(*text), into)
	}
}

// messages returns the window's and the chunks', ascending, each exactly as it is stored.
func (s *loadedState) messages(chunks []chunkRange) []message {
	var messages []message
	if s.AgentMessages == nil {
		refuse("AgentMessages was not loaded")
	}
	for sequence, text := range s.AgentMessages {
		messages = append(messages, message{sequence, text})
	}
	for _, chunk := range chunks {
		var value struct{ Messages []json.RawMessage }
		parse([]byte(s.AgentMessageChunks[chunk.First]), &value) // refuses what was not loaded
		for i, text := range value.Messages {
			messages = append(messages, message{chunk.First + i, string(text)})
		}
	}
	sort.Slice(messages, func(i, j int) bool { return messages[i].sequence < messages[j].sequence })
	return messages
}

// messageLog is the stored messages as one commit sees and changes them. Changes are listed in the
// end, one write a key: a message stored and moved by the same commit shows up in its chunk only.
type messageLog struct {
	options              *options
	state                *loadedState
	before, session      sessionValue
	window               []message
	chunksBefore, chunks []chunkRange
	changes, events      []object
	result               object
}

func newMessageLog(options *options, state *loadedState) *messageLog {
	session := sessionValue{NextSequence: 1} // an absent one is a new session's, and means the same
	parseAttribute(state.AgentSession, &session)
	var index indexValue
	parseAttribute(state.AgentMessageIndex, &index)
	chunks := append([]chunkRange{}, index.Chunks...)
	return &messageLog{options: options, state: state, before: session, session: session, chunks: chunks,
		chunksBefore: index.Chunks, window: state.messages(nil), changes: []object{}, events: []object{},
		result: object{"type": "result"}}
}

func (l *messageLog) index() indexValue {
	windowStart := l.session.NextSequence
	if len(l.window) > 0 {
		windowStart = l.window[0].sequence
	}
	oldestKept := windowStart
	if len(l.chunks) > 0 && l.chunks[0].First < windowStart {
		oldestKept = l.chunks[0].First // not always: an oversized message can overtake older ones
	}
	return indexValue{l.chunks, windowStart, oldestKept}
}

// store appends messages and rolls over. At most one call a commit, for the caps' sake.
func (l *messageLog) store(turnID, role string, contents ...string) {
	for _, content := range contents {
		text := fmt.Sprintf(`{"sequence":%d,"turn_id":%s,"role":"%s","content":%s}`,
			l.session.NextSequence, quote(turnID), role, content)
		stored := message{l.session.NextSequence, text}
		l.session.NextSequence++
		if len(text)+chunkWrapperBytes > l.options.ChunkMaxBytes {
			// Oversized: its largest value is written now. If the engine takes it, moving it can never
			// fail later; if not, only this turn does.
			l.addChunk([]message{stored})
		} else {
			l.window = append(l.window, stored)
		}
	}
	if len(contents) > 0 {
		l.rollOver()
	}
}

// rollOver moves whole runs, oldest first, while the window is too large and the caps allow it.
// Whole runs, not just the excess: with the defaults, one commit in 32 writes an index.
func (l *messageLog) rollOver() {
	for moved, size := 0, 0; moved < chunksMovedMax && len(l.window) > l.options.WindowSize; moved++ {
		length, grown := l.nextRun()
		if size += grown; moved > 0 && size > bytesMovedMax {
			return
		}
		l.addChunk(l.window[:length])
		l.window = l.window[length:]
	}
}

// nextRun tells how many of the window's oldest fit a chunk, one at least, and that chunk's bytes.
func (l *messageLog) nextRun() (length, size int) {
	size = chunkWrapperBytes + len(l.window[0].text)
	for length = 1; length < l.options.ChunkSize && length < len(l.window); length++ {
		grown := size + len(",") + len(l.window[length].text)
		if grown > l.options.ChunkMaxBytes || l.window[length].sequence != l.window[0].sequence+length {
			break // the latter: an oversized chunk lies between
		}
		size = grown
	}
	return length, size
}

func (l *messageLog) addChunk(run []message) {
	texts := make([]string, len(run))
	for i, m := range run {
		texts[i] = m.text
		if m.sequence < l.before.NextSequence {
			gone := object{"name": "AgentMessages", "key": fmt.Sprint(m.sequence), "delete": true}
			l.changes = append(l.changes, gone)
		}
	}
	added := chunkRange{run[0].sequence, run[len(run)-1].sequence}
	l.put("AgentMessageChunks", added.First, `{"messages":[`+strings.Join(texts, ",")+`]}`)
	l.chunks = append(l.chunks, added)
	sort.Slice(l.chunks, func(i, j int) bool { return l.chunks[i].First < l.chunks[j].First })
}

// put notes a write; an attribute has the key 0.
func (l *messageLog) put(name string, key int, value string) {
	write := object{"name": name, "value": value}
	if key > 0 {
		write["key"] = fmt.Sprint(key)
	}
	l.changes = append(l.changes, write)
}

func (l *messageLog) writes() []object {
	for _, m := range l.window {
		if m.sequence >= l.before.NextSequence {
			l.put("AgentMessages", m.sequence, m.text)
		}
	}
	if len(l.chunks) > len(l.chunksBefore) {
		index, _ := json.Marshal(l.index()) // numbers do not fail
		l.put("AgentMessageIndex", 0, string(index))
	}
	if session := l.session.encode(); session != l.before.encode() {
		l.put("AgentSession", 0, session)
	}
	return l.changes
}

func (l *messageLog) beginTurn(turnID, content string) {
	l.store(turnID, "user", content)
	l.session.TurnID = &turnID
	// The replies start right behind the user's message.
	value := fmt.Sprintf(`{"turn_id":%s,"sequence":%d}`, quote(turnID), l.session.NextSequence)
	l.put("TurnReplySequence", 0, value)
}

func (l *messageLog) endTurn(how, turnID string) object {
	l.events = append(l.events, object{"type": how, "turn_id": turnID, "replies": l.replies(turnID)})
	l.session.TurnID = nil
	return nil
}

// replies counts those of the running turn, what this commit stored included.
func (l *messageLog) replies(turnID string) int {
	var start struct {
		TurnID   string `json:"turn_id"`
		Sequence int
	}
	parseAttribute(l.state.TurnReplySequence, &start)
	if start.Sequence > 0 && start.TurnID == turnID {
		return l.session.NextSequence - start.Sequence
	}
	// 0.1.0 began this turn and wrote no such value: count its messages. A head has one spelling.
	count := l.session.NextSequence - l.before.NextSequence
	for _, m := range l.state.messages(l.chunksBefore) {
		head := fmt.Sprintf(`{"sequence":%d,"turn_id":%s,"role":`, m.sequence, quote(turnID))
		if strings.HasPrefix(m.text, head) && !strings.HasPrefix(m.text[len(head):], `"user"`) {
			count++
		}
	}
	return count
}

// readPage returns up to `limit` of the messages right after the anchor or, backwards, before it.
func readPage(state *loadedState, anchor, limit int, backwards bool) object {
	index := indexValue{OldestKept: 1}
	parseAttribute(state.AgentMessageIndex, &index)
	texts := []string{}
	for _, m := range state.messages(index.Chunks) {
		if (backwards && m.sequence < anchor) || (!backwards && m.sequence > anchor) {
			texts = append(texts, m.text)
		}
	}
	extra := len(texts) - limit
	if extra > 0 && backwards {
		texts = texts[extra:]
	} else if extra > 0 {
		texts = texts[:limit]
	}
	page := object{"type": "page", "messages": texts, "has_more": extra > 0}
	if index.OldestKept > 1 {
		page["deleted_before_sequence"] = index.OldestKept
	}
	return page
}

// ---------------------------------------------------------------------------------------- handlers

var modelLoads = []object{{"name": "AgentSession"}, {"name": "AgentMessageIndex"},
	{"name": "ContextSummary"}, {"name": "AgentMessages", "all": true},
	{"name": "TurnReplySequence"}, {"name": "AgentMessageChunks", "all": true}}
var baseLoads = modelLoads[:4]

// A control may strike before the next Step commits, so its loads are decided here as well.
func moveTo(step string, loads []object) object {
	return object{"step": step, "loads": loads, "control_loads": modelLoads}
}

// runStep changes the log and returns the movement; nil: the turn has ended.
func runStep(log *messageLog, r *request) object {
	switch given := &r.Input; r.Step {
	case "StartTurn":
		log.beginTurn(given.TurnID, given.Content)
	case "RunModel":
		if given.CompactThrough != nil {
			refuse("compact_through is %d; this core has no compaction", *given.CompactThrough)
		}
		// A real core hands the messages to its model here; the harness asks for their sequences.
		sequences := []int{}
		for _, m := range log.state.messages(log.chunks) {
			sequences = append(sequences, m.sequence)
		}
		log.result["model_input"] = sequences
		log.store(given.TurnID, "assistant", given.Reply.Content)
		if given.Reply.ToolCalls == 0 {
			return log.endTurn("turn_completed", given.TurnID)
		}
		return moveTo("ResumeTurn", baseLoads)
	case "ResumeTurn":
		log.store(given.TurnID, "tool", given.ToolResults...)
	case "ApplyTurnControl":
		if given.Control == "cancel" {
			return moveTo("FinishTurnCancellation", modelLoads)
		}
		// Ended and counted first: the message that steers belongs to the new turn.
		log.endTurn("turn_steered", given.TurnID)
		log.beginTurn(given.NewTurnID, given.Content)
	case "FinishTurnCancellation":
		return log.endTurn("turn_cancelled", given.TurnID)
	case "RecordTurnFailure":
		log.session.TurnID = nil // not endTurn: a failure carries no count
		log.events = append(log.events, object{"type": "turn_failed", "turn_id": given.TurnID})
		return nil
	default:
		refuse("step is %q, which this core does not have", r.Step)
	}
	return moveTo("RunModel", modelLoads)
}

func runRPC(r *request) object {
	if r.RPC == "get_agent_snapshot" {
		return readPage(&r.State, math.MaxInt, pageMessagesMax, true)
	}
	if r.RPC != "list_agent_messages" {
		refuse("rpc is %q; valid: list_agent_messages, get_agent_snapshot", r.RPC)
	}
	within("limit", r.Args.Limit, 1, pageMessagesMax)
	anchor, backwards := r.Args.After, r.Args.Before != nil
	if backwards && anchor != nil {
		refuse("after_sequence and before_sequence are both given; valid: one, or none")
	} else if backwards {
		anchor = r.Args.Before
	} else if anchor == nil {
		anchor = new(int)
	}
	within("the anchor", *anchor, 0, math.MaxInt)
	return readPage(&r.State, *anchor, r.Args.Limit, backwards)
}

// -------------------------------------------------------------------------------------------- wire

type object map[string]any

// request has the fields of every request, Input those of every Step.
type request struct {
	Type, Session, Step, RPC string
	ID                       json.RawMessage
	Options                  options
	State                    loadedState
	Input                    struct {
		TurnID         string `json:"turn_id"`
		Content        string
		CompactThrough *int `json:"compact_through"`
		Reply          struct {
			Content   string
			ToolCalls int `json:"tool_calls"`
		}
		ToolResults []string `json:"tool_results"`
		Control     string
		NewTurnID   string `json:"new_turn_id"`
	}
	Args struct {
		Limit  int
		After  *int `json:"after_sequence"`
		Before *int `json:"before_sequence"`
	}
}

var sessions = map[string]*options{} // the open ones

func handle(r *request) object {
	options := sessions[r.Session]
	if options == nil && (r.Type == "invoke" || r.Type == "read") {
		// Retryable: a fresh process has seen no `open`; once it has, the same request will do.
		return object{"type": "failure", "error": r.Session + " is not open", "retryable": true}
	}
	switch r.Type {
	case "hello":
		return object{"type": "hello", "protocol": 1, "core": coreName, "compaction": false}
	case "open":
		within("message_window_size", r.Options.WindowSize, 1, math.MaxInt)
		within("message_chunk_size", r.Options.ChunkSize, 1, r.Options.WindowSize)
		within("message_chunk_max_bytes", r.Options.ChunkMaxBytes, 1<<10, 8<<20)
		sessions[r.Session] = &r.Options
		return object{"type": "opened", "session": r.Session}
	case "invoke":
		return invoke(options, r)
	case "read":
		return runRPC(r)
	}
	refuse("type is %q; valid: hello, open, invoke, read", r.Type)
	return nil
}

func invoke(options *options, r *request) object {
	log := newMessageLog(options, &r.State)
	legacy := r.State.AgentMessageIndex == nil && r.Step != "RecordTurnFailure" // this way stays open
	if legacy && len(log.window) < log.before.NextSequence-1 {
		refuse("a Step that 0.1.0 queued loaded only %d messages", len(log.window))
	}
	if oldest := log.index().OldestKept; oldest > 1 && !options.warned {
		text := fmt.Sprintf("messages before %d were deleted; the model cannot see them", oldest)
		log.events = append(log.events, object{"type": "warning", "text": text})
	}
	log.result["next"] = runStep(log, r)
	options.warned = options.warned || log.index().OldestKept > 1 // a refusal would not have told it
	log.result["writes"], log.result["events"] = log.writes(), log.events
	return log.result
}

// Half a surrogate pair is no character. json.Unmarshal would replace it and not mention it.
var halfAPair = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
var pairOrBackslash = regexp.MustCompile(`\\u[dD][89abAB]..\\u[dD][c-fC-F]|\\\\`)

// answer replies to one line. A panic that is no refusal is a bug, and ends the process.
func answer(line []byte) (answered object) {
	r := request{Options: options{WindowSize: 64, ChunkSize: 32, ChunkMaxBytes: 1 << 20}}
	defer func() {
		if wrong := recover(); wrong != nil {
			answered = wrong.(object)
		}
		if r.ID != nil {
			answered["id"] = r.ID
		}
	}()
	parse(line, &r)
	if !utf8.Valid(line) || halfAPair.Match(line) && halfAPair.Match(pairOrBackslash.ReplaceAll(line, nil)) {
		refuse("not UTF-8, or half a surrogate pair")
	}
	return handle(&r)
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16)
	encoder := json.NewEncoder(out) // ends each reply with a newline
	for {
		// Whatever has arrived is answered by one write: system calls cost more than Steps.
		if arrived, _ := in.Peek(in.Buffered()); !bytes.Contains(arrived, []byte("\n")) {
			out.Flush()
		}
		line, err := in.ReadBytes('\n')
		if err != nil || encoder.Encode(answer(line)) != nil {
			return // nobody asks any more, or nobody listens
		}
	}
}
