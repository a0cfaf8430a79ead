// Which source files the CMake lists name: a small reader of the commands this project uses.
//
// It starts at the top list and follows add_subdirectory and include. Patterns of file(GLOB...) and
// names that end in .cc count, wherever they stand. A variable stands for what set, foreach or the
// calls of the enclosing function give it, and for any name without '/' when they give nothing.
// Not here: if (every branch counts), list(FILTER), generator expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/source_tree.h"

namespace rollover::tidy {

struct SourcePattern {
  std::string glob;        // from the top of the tree
  bool recursive = false;  // matches in every folder below the glob's own

  bool Matches(std::string_view path) const;
};

std::vector<SourcePattern> CMakeSources(const SourceTree& tree);

}  // namespace rollover::tidy
