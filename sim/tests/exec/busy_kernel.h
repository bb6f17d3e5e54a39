// SPDX-License-Identifier: MIT
// A kernel whose threads diverge as its data says, for tests that run it in several ways.
#pragma once

namespace paws::exec {

inline constexpr unsigned kBusyThreads = 960;  ///< of a block, at most

/// Every thread replaces its word of the buffer, an arbitrary one. Loops and branches that depend
/// on that word, guards, shared memory, barriers and atomics; no warp-wide operation, no race.
inline constexpr const char* kBusy = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<16>; .reg .b64 %l<8>; .reg .pred %p<8>;
  .shared .align 4 .b8 cells[4096];
  mov.u32 %r0, %tid.x;
  ld.param.u64 %l0, [out];
  mad.wide.u32 %l1, %r0, 4, %l0;
  ld.global.u32 %r1, [%l1];
  mov.u32 %r2, 0;
  mov.u64 %l2, cells;
  mad.wide.u32 %l3, %r0, 4, %l2;
loop:
  and.b32 %r3, %r1, 3;
  setp.eq.u32 %p0, %r3, 0;
  @%p0 bra zero;
  setp.eq.u32 %p1, %r3, 1;
  @%p1 add.u32 %r2, %r2, %r0;
  mad.lo.u32 %r2, %r2, 5, %r3;
  bra next;
zero:
  add.u32 %r2, %r2, 77;
  atom.shared.add.u32 %r4, [cells], 0;
  add.u32 %r2, %r2, %r4;
next:
  shr.u32 %r1, %r1, 2;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra loop;
  st.shared.u32 [%l3+4], %r2;
  bar.sync 0;
  xor.b32 %r5, %r0, 33;
  mad.wide.u32 %l4, %r5, 4, %l2;
  ld.shared.u32 %r6, [%l4+4];
  add.u32 %r2, %r2, %r6;
  st.global.u32 [%l1], %r2;
  ret;
})";

}  // namespace paws::exec
