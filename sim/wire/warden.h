// Warden: a small process that outlives the harness by a moment, and kills what it left behind.
//
// A child asks the kernel to be killed with its parent, but its own children would stay: nothing in
// the harness runs when the harness itself is killed. So, once there are groups to guard, one
// process waits for the harness to end, however it ends, and then kills every group that was not
// released.
#pragma once

#include <sys/types.h>

namespace rollover {

// Between these two calls the process group is killed should the harness end. Any thread. To be
// released before its leader is waited for: its number may then be another's. Where the system
// gives no process for the warden, the groups go without.
void GuardGroup(pid_t group);
void ReleaseGroup(pid_t group);

}  // namespace rollover
