// Property: a statement about every value that a generator makes, checked as a GoogleTest test.
//
//   TEST(Paging, WalksMeetTheLedger) {
//     ForAll<WalkCase>(WalkCases(), [](const WalkCase& walk) {
//       return ... ? Held() : Broken("walk", "page 3 is short");
//     });
//   }
//
// RapidCheck makes the values and shrinks them; what it finds is judged and told here, because its
// own doors to GoogleTest let failures through:
//   1. rc::check in a TEST prints what it found, and the test passes. Here every outcome but "held"
//      fails the test: a counterexample, too many discards, a case that cannot be reproduced.
//   2. An EXPECT in a property fails the test, but RapidCheck does not hear of it and does not
//      shrink. Here a property answers with a value.
//   3. A reproduce string of another property passes at once. Here it fails.
//   4. Shrinking has no bound, and slips from one bug to another. Here it tries a fixed number of
//      candidates, and takes only those that break the same rule.
#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/detail/Property.h>
#include <rapidcheck/gen/Transform.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sim/scenario_json.h"

namespace rollover {

// What a property says of one value.
struct Answer {
  bool discarded = false;  // the property does not speak of this value
  std::string rule{};      // what broke, spelt alike for one bug; empty: it held
  std::string what{};      // one line
  // A scenario that breaks a rule of the protocol by itself, so that `rollover replay` shows it.
  std::optional<ScenarioFile> replay{};
};
inline Answer Held() { return {}; }
inline Answer Discarded() { return {.discarded = true}; }
inline Answer Broken(std::string rule, std::string what) {
  return {.rule = std::move(rule), .what = std::move(what)};
}

// How a counterexample is written: JSON. Every type that properties speak of has one.
std::string ToText(const Scenario& scenario);

// One test's conversation with RapidCheck.
class Examination {
 public:
  explicit Examination(int cases) : cases_(cases) {}

  rc::detail::CaseDescription Judge(const std::function<Answer()>& answer,
                                    const std::function<std::string()>& text);
  bool Run(const rc::detail::Property& property);

 private:
  void Tell(const rc::detail::FailureResult& failure, const std::string& name) const;

  int cases_;
  int judged_ = 0;
  int candidates_ = 0;  // tried since the first counterexample
  Answer smallest_;     // counterexample so far
  std::string text_;    // ... as JSON
};

// Whether the property held, in no fewer than `cases` cases: then the test may ask whether they
// reached what it is about. Once a test.
template <typename T>
bool ForAll(const rc::Gen<T>& values, const std::function<Answer(const T&)>& holds,
            int cases = 100) {
  Examination examination(cases);
  return examination.Run(rc::gen::map(values, [&examination, &holds](const T& value) {
    return examination.Judge([&] { return holds(value); }, [&] { return ToText(value); });
  }));
}

// What main read, before any test runs.
struct Parameters;
void UseParameters(const Parameters& parameters);

}  // namespace rollover
