// The reads of an explored session, and its quiet phase: what a World does between turns, and after
// the last one.
#pragma once

#include <vector>

#include "model/protocol/core.h"
#include "sim/campaign/explore_session.h"
#include "sim/scenario.h"

namespace rollover {

// A snapshot, pages from both ends and from both sides of the edges of the oldest
// and the two newest chunks,
// and limits that must be refused. Anchors are absolute.
std::vector<Read> ReadsOf(const Judge& judge);

// Answered by the core from what is stored now, and judged.
void AnswerRead(ExploredSession& session, Core& core, const Read& read);

// Small turns without faults until the window must have drained; then the whole log, page by page,
// and an audit. Stops at the first broken rule.
void RunQuietPhase(ExploredSession& session, Core& core);

}  // namespace rollover
