#include "properties/property.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/Check.h>

#include <cstdlib>
#include <set>

#include "properties/parameters.h"
#include "sim/campaign/failure.h"
#include "sim/campaign/files.h"

namespace rollover {
namespace {

// Shrinking a scenario of 60 operations takes some hundreds; what takes more does not get smaller.
constexpr int kCandidatesMax = 4000;

Parameters& InForce() {
  static Parameters parameters;
  return parameters;
}

class Silent : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

std::string RunningTest() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  CHECK(test != nullptr);
  return fmt::format("{}.{}", test->test_suite_name(), test->name());
}

std::string FileName(std::string property) {
  for (char& c : property) {
    if (c == '.' || c == '/') c = '-';
  }
  return fmt::format("property-{}.json", property);
}

}  // namespace

void UseParameters(const Parameters& parameters) { InForce() = parameters; }

std::string ToText(const Scenario& scenario) { return WriteScenario({.scenario = scenario}); }

rc::detail::CaseDescription Examination::Judge(const std::function<Answer()>& answer,
                                               const std::function<std::string()>& text) {
  using Type = rc::detail::CaseResult::Type;
  rc::detail::CaseDescription description;
  description.example = [] { return rc::detail::Example{}; };
  description.result.type = Type::Success;
  const bool shrinking = !smallest_.rule.empty();
  if (shrinking && ++candidates_ > kCandidatesMax) return description;
  ++judged_;
  Answer heard = answer();
  if (heard.discarded) {
    description.result.type = Type::Discard;
  } else if (!heard.rule.empty() && (!shrinking || heard.rule == smallest_.rule)) {
    description.result.type = Type::Failure;
    smallest_ = std::move(heard);
    text_ = smallest_.replay ? WriteScenario(*smallest_.replay) : text();
  }
  return description;
}

bool Examination::Run(const rc::detail::Property& property) {
  using namespace rc::detail;
  const std::string name = RunningTest();
  static std::set<std::string> examined;
  CHECK(examined.insert(name).second);  // one property a test: its name is what reproduces it
  const Parameters& parameters = InForce();
  Configuration configuration;
  if (parameters.reproduce) {
    if (parameters.reproduces != name) {
      ADD_FAILURE() << "RC_PARAMS reproduces a case of " << parameters.reproduces << ", not of "
                    << name;
      return false;
    }
    configuration.reproduce.emplace(name, *parameters.reproduce);
  }
  TestParams params;
  params.seed = parameters.seed;
  params.maxSuccess = parameters.cases.value_or(cases_);
  params.maxSize = parameters.size_max;
  params.maxDiscardRatio = parameters.discards_max;
  params.disableShrinking = !parameters.shrinks;
  Silent silent;
  const TestResult result =
      checkProperty(property, {name, name}, params, silent, configuration.reproduce);

  if (result.is<SuccessResult>()) {
    const int held = result.get<SuccessResult>().numSuccess;
    EXPECT_FALSE(parameters.reproduce) << "the case was not looked at";
    EXPECT_GE(held, params.maxSuccess) << "fewer cases than asked for";
    return held >= cases_;
  }
  if (result.is<FailureResult>()) {
    Tell(result.get<FailureResult>(), name);
  } else if (result.is<GaveUpResult>()) {
    ADD_FAILURE() << name << " gave up: it held in " << result.get<GaveUpResult>().numSuccess
                  << " cases, and all others were discarded";
  } else if (parameters.reproduce && judged_ == 1 && smallest_.rule.empty()) {
    fmt::print("FIXED {}: the case holds now\n", name);
  } else {
    ADD_FAILURE() << name << ": " << result.get<rc::detail::Error>().description
                  << "; was the generator changed since?";
  }
  return false;
}

void Examination::Tell(const rc::detail::FailureResult& failure, const std::string& name) const {
  const char* folder = std::getenv("ROLLOVER_OUT");
  const std::filesystem::path path =
      std::filesystem::path(folder == nullptr ? "out" : folder) / "failures" / FileName(name);
  std::string told =
      fmt::format("FAIL {}   {}\n  {}\n  false after {} cases; {} smaller tried\n{}", name,
                  smallest_.rule, smallest_.what, failure.numSuccess, candidates_, text_);
  if (!told.ends_with('\n')) told += '\n';
  if (const auto error = WriteFile(path, text_)) {
    told += fmt::format("  not saved: {}\n", *error);
  } else {
    told += fmt::format("  saved      {}\n", path.string());
    if (smallest_.replay) {
      told += fmt::format("  replay     ./rollover replay {} --trace text\n", path.string());
    }
  }
  told += fmt::format("  reproduce  RC_PARAMS=\"{}\" {}\n", ReproduceWord(name, failure.reproduce),
                      testing::internal::GetArgvs()[0]);
  ADD_FAILURE() << told;
}

}  // namespace rollover
