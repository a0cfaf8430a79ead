// upgrade-safe: a 0.1.0 Worker, or a Step that it queued, on a session that has moved on.
#include <fmt/format.h>

#include <algorithm>

#include "model/rules/commit_view.h"

namespace rollover {

void CheckUpgrade(const CommitView& view, Findings& findings) {
  const bool names_index = std::any_of(view.commit.loads.begin(), view.commit.loads.end(),
                                       [](const Load& load) { return load.name == Name::kIndex; });
  const bool half_view = view.legacy() || !names_index;
  if (half_view && view.upgraded_before) {
    findings.Evaluated(Rule::kUpgradeSafe);
    if (view.stores() || view.compacts()) {
      findings.Broken(Rule::kUpgradeSafe,
                      fmt::format("{} commits with a window that is not every message",
                                  StepName(view.commit.step())));
    }
  }
  if (!view.legacy()) return;
  findings.Evaluated(Rule::kUpgradeSafe);
  const Change& change = view.change();
  if (view.touches_chunks() || change.index || change.turn_reply ||
      !change.message_deletes.empty()) {
    findings.Broken(Rule::kUpgradeSafe,
                    fmt::format("0.1.0's {} writes or deletes what it does not know",
                                StepName(view.commit.step())));
  }
}

}  // namespace rollover
