// Night page: what a team reads in the morning: did all run, what broke and how to see it again,
// what each part did and for how long, and how the nights went before.
#pragma once

#include <filesystem>
#include <string>

#include "sim/campaign/nightly.h"

namespace rollover {

std::string NightPage(const std::filesystem::path& out, const NightReport& report);

}  // namespace rollover
