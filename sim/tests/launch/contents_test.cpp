// SPDX-License-Identifier: MIT
#include "sim/launch/contents.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>

#include "sim/tests/launch/support.h"

namespace paws {
namespace {

const Location kHere{"here.toml", 7};

Datum make(Datum::Kind kind, std::vector<Scalar> numbers) {
  Datum out;
  out.kind = kind;
  out.number = std::move(numbers);
  out.where = kHere;
  return out;
}
Datum number(std::int64_t value) {
  return make(Datum::Kind::plain, {Scalar{Expression(value, kHere), kHere}});
}
Datum number(double value) { return make(Datum::Kind::plain, {Scalar{value, kHere}}); }
Datum bits(std::uint64_t value) {
  Datum out = make(Datum::Kind::plain, {});
  out.bits = value;
  return out;
}
Datum typed(ElementType type, double value) {
  Datum out = make(Datum::Kind::typed, {Scalar{value, kHere}});
  out.type = type;
  return out;
}
Datum address(std::int64_t offset) {
  Datum out = make(Datum::Kind::address, {Scalar{Expression(offset, kHere), kHere}});
  out.buffer = "target";
  return out;
}
Datum structure(std::vector<Datum> members) {
  Datum out = make(Datum::Kind::structure, {});
  out.members = std::move(members);
  return out;
}

Layer make(Layer::Kind kind, std::vector<Datum> data, std::int64_t offset = 0,
           std::int64_t every = 1, std::optional<std::int64_t> count = {}) {
  Layer layer{kind, std::move(data), {}, {}, {{offset, kHere}, {every, kHere}, {}}, kHere};
  if (count) layer.selection.count = Expression(*count, kHere);
  return layer;
}

Buffer buffer(ElementType type, std::uint64_t count) {
  Buffer out;
  out.name = "data";
  out.type = type;
  out.count = count;
  return out;
}

Values written(const std::vector<Layer>& layers, const Buffer& target, std::uint64_t seed = 1) {
  std::vector<std::byte> bytes(target.bytes());
  ContentSources sources;
  sources.address = [](const std::string&) { return BufferAddress{0x1000, 64}; };
  write_layers(layers, target, seed, {}, bytes, sources);
  return read_values(target.type, bytes.data(), target.count);
}

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

TEST(RandomStream, IsTheSameEverywhere) {
  // The 10000th output of a default-seeded engine is fixed by the C++ standard ([rand.predef]).
  std::mt19937_64 engine;
  engine.discard(9999);
  EXPECT_EQ(engine(), 9981545732273789042U);

  RandomStream integers(1);
  EXPECT_EQ((Integers{integers.integer(0, 99), integers.integer(0, 99), integers.integer(-5, 5),
                      integers.integer(7, 7)}),
            (Integers{13, 13, -1, 7}));
  RandomStream reals(1);
  EXPECT_DOUBLE_EQ(reals.real(0, 1), 0.13387664401253263);
  EXPECT_DOUBLE_EQ(reals.real(-1, 1), -0.72718592726760556);
}

TEST(RandomStream, StaysWithinItsBoundsAndReachesThem) {
  RandomStream stream(3);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t value = stream.integer(-2, 2);
    EXPECT_GE(value, -2);
    EXPECT_LE(value, 2);
    low |= value == -2;
    high |= value == 2;
    const double real = stream.real(2, 3);
    EXPECT_GE(real, 2);
    EXPECT_LT(real, 3);
  }
  EXPECT_TRUE(low && high);
  // The whole range of 64 bits has no size that fits 64 bits.
  const std::int64_t first = stream.integer(std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max());
  EXPECT_NE(first, stream.integer(std::numeric_limits<std::int64_t>::min(),
                                  std::numeric_limits<std::int64_t>::max()));
}

TEST(BufferSeed, IsTheSeedPlusFnv1aOfTheName) {
  EXPECT_EQ(buffer_seed(0, ""), 0xcbf29ce484222325U);
  EXPECT_EQ(buffer_seed(0, "a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(buffer_seed(5, "a"), 0xaf63dc4c8601ec91U);
}

TEST(Contents, AreZeroFilledRangedAndListed) {
  const Buffer data = buffer(ElementType::s32, 4);
  EXPECT_EQ(written({}, data), Values(Integers{0, 0, 0, 0}));
  EXPECT_EQ(written({make(Layer::Kind::fill, {number(std::int64_t{-1})})}, data),
            Values(Integers{-1, -1, -1, -1}));
  EXPECT_EQ(written({make(Layer::Kind::range, {number(std::int64_t{5}), number(std::int64_t{-2})})},
                    data),
            Values(Integers{5, 3, 1, -1}));
  EXPECT_EQ(written({make(Layer::Kind::values, {number(std::int64_t{1}), number(std::int64_t{2}),
                                                number(std::int64_t{3}), number(std::int64_t{4})})},
                    data),
            Values(Integers{1, 2, 3, 4}));
  EXPECT_EQ(written({make(Layer::Kind::range, {number(0.5), number(std::int64_t{1})})},
                    buffer(ElementType::f32, 3)),
            Values(Reals{0.5, 1.5, 2.5}));
}

TEST(Contents, LayersOverwriteEachOther) {
  EXPECT_EQ(written({make(Layer::Kind::fill, {number(std::int64_t{7})}),
                     make(Layer::Kind::fill, {number(std::int64_t{1})}, 1, 3),
                     make(Layer::Kind::fill, {number(std::int64_t{2})}, 2, 1, 1)},
                    buffer(ElementType::u8, 8)),
            Values(Integers{7, 1, 2, 7, 1, 7, 7, 1}));
}

TEST(Contents, RandomDependsOnTheSeedAlone) {
  const Buffer data = buffer(ElementType::u32, 100);
  const auto layer = make(Layer::Kind::random, {number(std::int64_t{0}), number(std::int64_t{9})});
  EXPECT_EQ(written({layer}, data, 1), written({layer}, data, 1));
  EXPECT_NE(written({layer}, data, 1), written({layer}, data, 2));
  Layer own = layer;
  own.seed = 2;
  EXPECT_EQ(written({own}, data, 1), written({layer}, data, 2));
}

TEST(Contents, ComeFromFiles) {
  const test::Folder folder;
  Layer raw = make(Layer::Kind::raw, {});
  raw.file = folder.write("data.bin", std::string("\x01\x00\xff\xff", 4));
  EXPECT_EQ(written({raw}, buffer(ElementType::s16, 2)), Values(Integers{1, -1}));

  Layer text = make(Layer::Kind::text, {});
  text.file = folder.write("data.txt", "1, -2 # comment 9\n\n3\t4\r\n");
  EXPECT_EQ(written({text}, buffer(ElementType::s16, 4)), Values(Integers{1, -2, 3, 4}));
  text.file = folder.write("data.txt", "1e3 inf -0.5");
  EXPECT_EQ(written({text}, buffer(ElementType::f64, 3)),
            Values(Reals{1000, std::numeric_limits<double>::infinity(), -0.5}));
}

TEST(Contents, ErrorsNamePlaceAndCause) {
  const test::Folder folder;
  const Buffer data = buffer(ElementType::u8, 3);
  const auto error = [&](const Layer& layer) {
    return test::error_of([&] { written({layer}, data); });
  };
  EXPECT_EQ(error(make(Layer::Kind::fill, {number(std::int64_t{300})})),
            "here.toml:7: buffer \"data\": 300 does not fit u8");
  EXPECT_EQ(error(make(Layer::Kind::values, {number(std::int64_t{1})})),
            "here.toml:7: \"values\" has 1 elements, buffer \"data\" takes 3");
  EXPECT_EQ(error(make(Layer::Kind::random, {number(std::int64_t{2}), number(std::int64_t{1})})),
            "here.toml:7: buffer \"data\": random bounds are out of order: 2, 1");
  EXPECT_EQ(error(make(Layer::Kind::random, {number(std::int64_t{2}), number(4.5)})),
            "here.toml:7: buffer \"data\": 4.5 is not an integer, as u8 needs");
  const auto real_error = [&](const Layer& layer) {
    return test::error_of([&] { written({layer}, buffer(ElementType::f32, 3)); });
  };
  EXPECT_EQ(real_error(make(Layer::Kind::random, {number(1e300), number(1e300)})),
            "here.toml:7: buffer \"data\": 1e+300 does not fit f32");
  EXPECT_EQ(error(make(Layer::Kind::fill, {number(std::int64_t{0})}, 3)),
            "here.toml:7: \"offset\" into buffer \"data\" is 3, allowed are 0 to 2");
  EXPECT_EQ(error(make(Layer::Kind::fill, {number(std::int64_t{0})}, 1, 1, 3)),
            "here.toml:7: \"count\" of elements of buffer \"data\" is 3, allowed are 1 to 2");
  Layer file = make(Layer::Kind::raw, {});
  file.file = folder.path() / "absent.bin";
  EXPECT_EQ(error(file), "here.toml:7: " + file.file.string() + ": no such file");
  file.file = folder.path();
  EXPECT_EQ(error(file), "here.toml:7: " + file.file.string() + ": is a folder");
  file.file = "/dev/zero";
  EXPECT_EQ(error(file), "here.toml:7: /dev/zero: is no regular file");
  file.file = folder.write("short.bin", "ab");
  EXPECT_EQ(error(file),
            "here.toml:7: " + file.file.string() + " has 2 bytes, buffer \"data\" takes 3");
  file.kind = Layer::Kind::text;
  file.file = folder.write("bad.txt", "1\n2\nx3\n");
  EXPECT_EQ(error(file), file.file.string() + ":3: \"x3\" is not a number of type u8");
  file.file = folder.write("range.txt", "1\n256\n3\n");
  EXPECT_EQ(error(file), file.file.string() + ":2: buffer \"data\": 256 does not fit u8");
}

TEST(Contents, HoldRawBitsAndOtherTypes) {
  EXPECT_EQ(written({make(Layer::Kind::values, {bits(0x3fc00000), number(0.5)})},
                    buffer(ElementType::f32, 2)),
            Values(Reals{1.5, 0.5}));
  EXPECT_EQ(written({make(Layer::Kind::fill, {bits(0xffff)})}, buffer(ElementType::s16, 2)),
            Values(Integers{-1, -1}));
  EXPECT_EQ(written({make(Layer::Kind::values,
                          {typed(ElementType::f16, 1), typed(ElementType::bf16, 1)})},
                    buffer(ElementType::u16, 2)),
            Values(Integers{0x3c00, 0x3f80}));
}

TEST(Contents, HoldAddresses) {
  const Buffer pointers = buffer(ElementType::u64, 4);
  EXPECT_EQ(written({make(Layer::Kind::values,
                          {address(0), number(std::int64_t{0}), address(8), address(64)})},
                    pointers),
            Values(Integers{0x1000, 0, 0x1008, 0x1040}));
  EXPECT_EQ(written({make(Layer::Kind::range, {address(0), number(std::int64_t{16})})}, pointers),
            Values(Integers{0x1000, 0x1010, 0x1020, 0x1030}));
  EXPECT_EQ(written({make(Layer::Kind::range, {address(48), number(std::int64_t{-16})})}, pointers),
            Values(Integers{0x1030, 0x1020, 0x1010, 0x1000}));
  EXPECT_EQ(written({make(Layer::Kind::fill, {address(4)}, 1, 2)}, pointers),
            Values(Integers{0, 0x1004, 0, 0x1004}));
}

TEST(Contents, HoldStructures) {
  const auto node = [](double value, std::int64_t next) {
    return structure({typed(ElementType::f32, value), address(next)});
  };
  EXPECT_EQ(
      written({make(Layer::Kind::values, {node(1, 16), node(2, 0)})}, buffer(ElementType::u64, 4)),
      Values(Integers{0x3f800000, 0x1010, 0x40000000, 0x1000}));
  EXPECT_EQ(written({make(Layer::Kind::fill, {node(1, 16)})}, buffer(ElementType::u32, 8)),
            Values(Integers{0x3f800000, 0, 0x1010, 0, 0x3f800000, 0, 0x1010, 0}));
}

TEST(Contents, RefuseDataThatDoNotBelongThere) {
  const auto error = [](ElementType type, const Layer& layer) {
    return test::error_of([&] { written({layer}, buffer(type, 4)); });
  };
  const auto fill = [](const Datum& datum) { return make(Layer::Kind::fill, {datum}); };
  EXPECT_EQ(error(ElementType::f16, fill(bits(0x10000))),
            "here.toml:7: buffer \"data\": 0x10000 does not fit the 16 bits of f16");
  EXPECT_EQ(error(ElementType::f64, fill(address(0))),
            "here.toml:7: buffer \"data\" of f64: addresses need u64 or s64, or a struct");
  EXPECT_EQ(error(ElementType::u64, fill(address(65))),
            "here.toml:7: \"offset\" in bytes into buffer \"target\" is 65, allowed are 0 to 64");
  EXPECT_EQ(error(ElementType::u64, fill(typed(ElementType::f32, 1))),
            "here.toml:7: buffer \"data\" of u64: f32 has 4 bytes");
  EXPECT_EQ(
      error(ElementType::u64, fill(structure({typed(ElementType::f32, 1)}))),
      "here.toml:7: buffer \"data\" of u64: a struct of 4 bytes is no whole number of elements");
  EXPECT_EQ(
      error(ElementType::u32, fill(structure({typed(ElementType::u8, 300)}))),
      "here.toml:7: buffer \"data\" of u32: a struct of 1 bytes is no whole number of elements");
  const Datum three = structure(
      {typed(ElementType::f32, 1), typed(ElementType::f32, 1), typed(ElementType::f32, 1)});
  EXPECT_EQ(error(ElementType::u32, fill(three)),
            "here.toml:7: buffer \"data\" of u32: a struct of 3 elements does not fill 4");
  EXPECT_EQ(error(ElementType::u32, make(Layer::Kind::values, {three})),
            "here.toml:7: \"values\" has 3 elements, buffer \"data\" takes 4");
  EXPECT_EQ(
      error(ElementType::u32, make(Layer::Kind::fill, {three}, 0, 2)),
      "here.toml:7: buffer \"data\" of u32: a struct takes elements in a row, \"every\" must be 1");
  EXPECT_EQ(
      error(ElementType::u64, make(Layer::Kind::range, {address(0), number(std::int64_t{32})})),
      "here.toml:7: buffer \"data\" of u64: the range of 4 addresses, 32 bytes apart, leaves "
      "buffer \"target\" of 64 bytes");
  EXPECT_EQ(error(ElementType::u64, make(Layer::Kind::range, {address(0), number(0.5)})),
            "here.toml:7: buffer \"data\" of u64: 0.5 is no number of bytes");
}

TEST(SaveContents, KeepsSixteenBitFloatingPoint) {
  const test::Folder folder;
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    const Buffer data = buffer(type, 5);
    std::vector<std::byte> bytes(data.bytes());
    const Datum infinity = number(-std::numeric_limits<double>::infinity());
    write_layers({make(Layer::Kind::values,
                       {number(0.1), number(-1e-7), infinity, number(3.0), bits(0x8000)})},
                 data, 1, {}, bytes);
    const SaveFile save{FileFormat::text, folder.path() / "out"};
    save_contents(save, type, bytes);
    Layer layer = make(Layer::Kind::text, {});
    layer.file = save.file;
    std::vector<std::byte> again(data.bytes());
    write_layers({layer}, data, 1, {}, again);
    EXPECT_EQ(again, bytes);
  }
}

TEST(SaveContents, WritesWhatReadsBack) {
  const test::Folder folder;
  const Buffer data = buffer(ElementType::f32, 3);
  std::vector<std::byte> bytes(data.bytes());
  write_layers({make(Layer::Kind::values, {number(0.1), number(-1e30), number(std::int64_t{2})})},
               data, 1, {}, bytes);
  for (const FileFormat format : {FileFormat::raw, FileFormat::text}) {
    const SaveFile save{format, folder.path() / "out"};
    save_contents(save, data.type, bytes);
    Layer layer = make(format == FileFormat::raw ? Layer::Kind::raw : Layer::Kind::text, {});
    layer.file = save.file;
    std::vector<std::byte> again(data.bytes());
    write_layers({layer}, data, 1, {}, again);
    EXPECT_EQ(again, bytes);
  }
  const SaveFile nowhere{FileFormat::raw, folder.path() / "absent" / "out"};
  EXPECT_EQ(test::error_of([&] { save_contents(nowhere, data.type, bytes); }),
            nowhere.file.string() + ": cannot write");
}

}  // namespace
}  // namespace paws
