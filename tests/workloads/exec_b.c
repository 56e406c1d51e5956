// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O1 -no-pie -fno-pie -Wl,-z,now -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
/* One half of a chain of programs that exec each other; see exec_chain.h. */
#define PREFIX b_
#define OTHER  "exec_a"
#include "exec_chain.h"
