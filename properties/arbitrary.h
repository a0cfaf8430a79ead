// Arbitrary: generators of options, contents and scenarios for RapidCheck.
//
// A scenario is a list of happenings: an operation, and with a turn the faults that strike it. The
// list shrinks as RapidCheck's lists do, so that a turn leaves with its faults and the others keep
// theirs; a happening shrinks by hand (simpler.h). Only then is it put together and made sound
// (sim/sound.h), so that every candidate can run and a broken rule always blames the core. How long
// it may be is ours to say: RapidCheck's own lists and commands stop far short of a roll-over.
#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>
#include <rapidcheck/seq/Create.h>
#include <rapidcheck/shrinkable/Create.h>

#include <vector>

#include "sim/random.h"
#include "sim/scenario.h"

namespace rollover {

// What may happen in a scenario.
struct Shape {
  std::vector<CoreKind> cores = {CoreKind::kReference};  // that a session starts on
  std::vector<FaultKind> faults{};                       // none: a calm session
  std::uint64_t turns_max = 60;
  Ratio compaction_odds{1, 6};  // a turn
  Ratio read_odds{1, 8};        // a happening
  Ratio restart_odds{1, 24};
  Ratio limits_odds{1, 24};
  bool changes_cores = false;      // at restarts
  bool sizes_from_options = true;  // contents sized by the cap or the value limit
  bool anchors_in_chunks = true;   // pages anchored where the layout decides
  bool deletes = true;             // a retained_message_limit
  bool large_messages = true;      // over the cap
  bool async = true;
  bool sound = true;
};
// Every fault and every core, as often as the odds above say.
Shape EverythingHappens();
std::vector<FaultKind> AllFaults();
// Those after which a retry does what was to be done: deaths, stalls, doubles.
std::vector<FaultKind> Kills();

rc::Gen<Scenario> Scenarios(const Shape& shape);

Options DrawOptions(const Shape& shape, Random& random);
// Some JSON: what a content may be.
std::string DrawJson(Random& random, int depth = 3);
// Text with what encodings stumble over.
std::string DrawText(Random& random);

// A generator from a draw, and from what makes one value into simpler ones, most hopeful first.
// `simpler` must come to an end however it is followed.
template <typename T, typename Draw, typename Simpler>
rc::Gen<T> Drawn(Draw draw, Simpler simpler) {
  return [draw, simpler](const rc::Random& chance, int size) {
    rc::Random copy = chance;
    Random random(copy.next(), "property");
    return rc::shrinkable::shrinkRecur(T(draw(random, size)), [simpler](const T& value) {
      return rc::seq::fromContainer(std::vector<T>(simpler(value)));
    });
  };
}

}  // namespace rollover
