// The checks on the source tree: each returns what it objects to, and names the replacement.
//
// They are heuristics over masked text, not a parser: good enough to hold a tree that wants to
// comply, not to catch one that hides. Not here: formatting (clang-format), warnings (compilers).
#pragma once

#include <string>
#include <vector>

#include "tests/tidy/source_tree.h"

namespace rollover::tidy {

struct Finding {
  std::string path;
  std::size_t line = 0;  // from 1; 0: the file as such
  std::string message;   // what is wrong; what to write instead
};
using Findings = std::vector<Finding>;

// "path:line: message", one a line; empty when there is none.
std::string Report(const Findings& findings);

Findings CheckArrows(const SourceTree& tree);           // who may include whom
Findings CheckPureModel(const SourceTree& tree);        // no clock, chance, I/O, threads, switches
Findings CheckBans(const SourceTree& tree);             // what could make a trace irreproducible
Findings CheckFunctionLengths(const SourceTree& tree);  // 70 lines
Findings CheckFileLengths(const SourceTree& tree);      // 600 lines
Findings CheckRoomSigns(const SourceTree& tree);        // README.md of four lines in every room
Findings CheckLeftovers(const SourceTree& tree);        // disabled tests, promises for later
Findings CheckDeadFiles(const SourceTree& tree);        // sources nobody builds or includes
Findings CheckMachinePaths(const SourceTree& tree);     // places on somebody's computer
Findings CheckTopLevel(const SourceTree& tree);         // only the names that are agreed on

}  // namespace rollover::tidy
