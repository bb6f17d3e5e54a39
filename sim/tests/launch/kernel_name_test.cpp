// SPDX-License-Identifier: MIT
#include "sim/launch/kernel_name.h"

#include <gtest/gtest.h>

#include "sim/tests/launch/support.h"

namespace paws {
namespace {

const Location kHere{"here.toml", 7};

ir::Module module(const std::vector<std::string>& kernels) {
  ir::Module out;
  out.file = "k.ptx";
  for (const std::string& name : kernels) out.kernels.emplace_back().name = name;
  out.entries = kernels;
  return out;
}

std::string found(const ir::Module& in, const std::string& name) {
  return find_kernel({&in, 1}, name, kHere).kernel->name;
}

TEST(Demangle, LeavesNameNamespaceAndTemplateArguments) {
  EXPECT_EQ(demangle("vectoradd"), "vectoradd");
  EXPECT_EQ(demangle("_Z9vectoraddPKfS0_Pfi"), "vectoradd");
  EXPECT_EQ(demangle("_Z1tIfEvPT_Pd"), "t<float>");
  EXPECT_EQ(demangle("_ZN2ns5scaleIfLi4EEEvPfi"), "ns::scale<float, 4>");
  EXPECT_EQ(demangle("_ZN12_GLOBAL__N_15localEPf"), "(anonymous namespace)::local");
  EXPECT_EQ(demangle("i"), "i");  // a type's code, but no symbol
}

TEST(FindKernel, TakesExactAndUniqueBaseNames) {
  const ir::Module in = module(
      {"_Z9vectoraddPKfS0_Pfi", "_ZN2ns5scaleIfLi4EEEvPfi", "_ZN12_GLOBAL__N_15localEPf", "plain"});
  EXPECT_EQ(found(in, "_Z9vectoraddPKfS0_Pfi"), "_Z9vectoraddPKfS0_Pfi");
  EXPECT_EQ(found(in, "vectoradd"), "_Z9vectoraddPKfS0_Pfi");
  EXPECT_EQ(found(in, "scale"), "_ZN2ns5scaleIfLi4EEEvPfi");
  EXPECT_EQ(found(in, "ns::scale"), "_ZN2ns5scaleIfLi4EEEvPfi");
  EXPECT_EQ(found(in, "ns::scale<float, 4>"), "_ZN2ns5scaleIfLi4EEEvPfi");
  EXPECT_EQ(found(in, "local"), "_ZN12_GLOBAL__N_15localEPf");
  EXPECT_EQ(found(in, "plain"), "plain");
}

TEST(FindKernel, AnExactNameWinsOverBaseNames) {
  const ir::Module in = module({"_Z5scalePf", "scale"});
  EXPECT_EQ(found(in, "scale"), "scale");
}

TEST(FindKernel, RefusesUnknownAndAmbiguousNames) {
  const ir::Module in = module({"_Z5scaleIfEvPT_", "_Z5scaleIdEvPT_"});
  EXPECT_EQ(found(in, "scale<double>"), "_Z5scaleIdEvPT_");
  EXPECT_EQ(test::error_of([&] { found(in, "scale"); }),
            "here.toml:7: k.ptx has several kernels \"scale\": _Z5scaleIfEvPT_, _Z5scaleIdEvPT_");
  EXPECT_EQ(test::error_of([&] { found(in, "add"); }),
            "here.toml:7: k.ptx has no kernel \"add\"; known: scale<float>, scale<double>");
}

TEST(FindKernel, SearchesAllModules) {
  std::vector<ir::Module> in{module({"_Z5scalePf", "first"}), module({"_Z5scalePf", "second"})};
  in[0].file = "a.ptx";
  in[1].file = "b.ptx";
  const FoundKernel second = find_kernel(in, "second", kHere);
  EXPECT_EQ(second.module, &in[1]);
  EXPECT_EQ(second.kernel, &in[1].kernels[1]);
  EXPECT_EQ(find_kernel(std::span(in).subspan(1), "scale", kHere).kernel, &in[1].kernels[0]);
  EXPECT_EQ(
      test::error_of([&] { find_kernel(in, "scale", kHere); }),
      "here.toml:7: several modules have a kernel \"scale\", \"module\" must say which one is "
      "meant: _Z5scalePf (a.ptx), _Z5scalePf (b.ptx)");
  EXPECT_EQ(test::error_of([&] { find_kernel(in, "third", kHere); }),
            "here.toml:7: none of a.ptx, b.ptx has a kernel \"third\"; known: scale, first, scale, "
            "second");
  // A name in full wins over another module's C++ name.
  in[0].kernels[1].name = "scale";
  EXPECT_EQ(find_kernel(in, "scale", kHere).kernel, &in[0].kernels[1]);
}

TEST(FindKernel, ProposesKernelsThatWereNotCompiled) {
  ir::Module in = module({"scale"});
  in.entries.emplace_back("_Z4plusPf");
  EXPECT_EQ(test::error_of([&] { found(in, "plas"); }),
            "here.toml:7: k.ptx has no kernel \"plas\"; did you mean \"plus\"?");
}

}  // namespace
}  // namespace paws
