// The page of a run (`run --html`): what many sessions under faults did, reached and broke.
#pragma once

#include <string>
#include <vector>

#include "sim/campaign/report.h"

namespace rollover {

std::string RunPage(const RunHeader& header, const RunSummary& summary,
                    const std::vector<std::string>& not_reached);

}  // namespace rollover
