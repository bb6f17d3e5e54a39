// SPDX-License-Identifier: MIT
// Random kernels for GpuRun.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

namespace paws {

/// A loop over random accesses to shared words, with random other work between.
inline std::string random_kernel(std::mt19937& random) {
  auto pick = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::string text =
      "mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, 97, %r0;\nmov.u32 %r5, shared_words;\n"
      "shl.b32 %r6, %r0, 2;\nadd.u32 %r5, %r5, %r6;\ncvt.u64.u32 %rd9, %r5;\n"
      "cvta.shared.u64 %rd9, %rd9;\nLOOP:\n";
  const unsigned steps = 6 + pick(10);
  for (unsigned i = 0; i < steps; ++i) {
    const unsigned value = 10 + pick(8);
    const unsigned other = 10 + pick(8);
    text += fmt::format(
        "mad.lo.u32 %r2, %r2, {}, {};\nshr.u32 %r3, %r2, {};\nand.b32 %r3, %r3, 252;\n"
        "mul.wide.u32 %rd1, %r3, 4;\nadd.u64 %rd2, %rd0, %rd1;\n",
        4 * pick(1000) + 5, pick(100000), 8 + pick(8));
    switch (pick(10)) {
      case 0:
        text += fmt::format("ld.global.u32 %r{}, [%rd2];\n", value);
        break;
      case 1:
        text += fmt::format("ld.volatile.global.u32 %r{}, [%rd2+4];\n", value);
        break;
      case 2:
        text +=
            fmt::format("st.global.u32 [%rd2], %r{0};\nadd.u32 %r{0}, %r{1}, 1;\n", value, other);
        break;
      case 3:
        text += fmt::format("atom.global.exch.b32 %r{}, [%rd2+8], %r{};\n", value, other);
        break;
      case 4:
        text += fmt::format("red.global.max.u32 [%rd2+12], %r{};\n", value);
        break;
      case 5:
        text +=
            fmt::format("st.global.v4.u32 [%rd2], {{%r{0}, %r{1}, %r2, %r0}};\nmov.u32 %r{0}, 9;\n",
                        value, other);
        break;
      case 6:  // lanes in global and in shared memory
        text += fmt::format(
            "and.b32 %r4, %r2, 1;\nsetp.eq.u32 %p4, %r4, 0;\nselp.b64 %rd3, %rd2, %rd9, %p4;\n"
            "ld.u32 %r{}, [%rd3];\nst.u32 [%rd3], %r{};\n",
            value, other);
        break;
      case 7:
        text += fmt::format("@%p5 ld.global.u8 %r{}, [%rd2+1];\n", value);
        break;
      case 8:
        text += fmt::format(
            "and.b32 %r4, %r{0}, 1;\nsetp.ne.u32 %p6, %r4, 0;\n"
            "ld.global.u32 %r{1}, [%rd2];\n@%p6 bra OVER{2};\nadd.u32 %r{0}, %r{0}, %r{1};\n"
            "OVER{2}:\nadd.u32 %r{3}, %r{0}, 3;\nst.shared.u32 [%r5], %r{3};\n",
            value, 40 + i, i, 60 + i);
        break;
      default:
        text += fmt::format(
            "ld.global.u64 %rd4, [%rd2];\nadd.u64 %rd4, %rd4, 1;\n"
            "st.global.u64 [%rd2+8], %rd4;\nbar.sync 0;\n");
        break;
    }
    text += fmt::format("add.u32 %r2, %r2, %r{};\n", value);
  }
  text +=
      "setp.lt.u32 %p5, %r0, 50;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 3;\n"
      "@%p2 bra LOOP;\nst.global.u32 [%rd0+64], %r2;\nret;\n";
  return text;
}

}  // namespace paws
