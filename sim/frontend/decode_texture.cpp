// SPDX-License-Identifier: MIT
#include <array>

#include "sim/frontend/decode_warp_data.h"
#include "sim/frontend/modifier_reader.h"

namespace paws::frontend {
namespace {

using ir::ImageShape;
using ir::Op;
using ir::Type;

template <typename Value, std::size_t N>
bool take_one(ModifierReader& reader, const std::array<Value, N>& values, Value& taken) {
  for (const Value value : values) {
    if (reader.take(ir::to_string(value))) {
      taken = value;
      return true;
    }
  }
  return false;
}

void take_shape(ModifierReader& reader, ImageShape& shape) {
  constexpr std::array kShapes{ImageShape::d1,  ImageShape::d2,   ImageShape::d3,   ImageShape::a1d,
                               ImageShape::a2d, ImageShape::cube, ImageShape::acube};
  if (!take_one(reader, kShapes, shape)) {
    reader.unsupported(
        fmt::format("expected .1d, .2d, .3d, .a1d, .a2d, .cube or .acube, not .{}", reader.peek()));
  }
}

/// Results, and coordinates behind them.
void take_types(ModifierReader& reader, ir::Instruction& i) {
  i.type = reader.type();
  i.src_type = reader.type();
  if (i.type != Type::f32 && i.type != Type::s32 && i.type != Type::u32) {
    reader.unsupported("expected results of .f32, .s32 or .u32");
  }
  if (i.src_type != Type::f32 && i.src_type != Type::s32) {
    reader.unsupported("expected coordinates of .f32 or .s32");
  }
}

void decode_tex(ModifierReader& reader, ir::Instruction& i) {
  i.op = Op::tex;
  i.read_only = true;
  i.vector = 4;
  if (reader.take("level")) {
    i.image.mode = ir::TexMode::level;
  } else if (reader.take("grad")) {
    i.image.mode = ir::TexMode::grad;
  } else {
    reader.take("base");
  }
  take_shape(reader, i.image.shape);
  reader.expect("v4");
  take_types(reader, i);
  const bool cube = i.image.shape == ImageShape::cube || i.image.shape == ImageShape::acube;
  if (i.image.mode == ir::TexMode::grad && cube) {
    reader.unsupported("derivatives of directions are not modelled");
  }
  if (i.src_type != Type::f32 && (cube || i.image.mode != ir::TexMode::base)) {
    reader.unsupported("expected coordinates of .f32");
  }
}

void decode_gather(ModifierReader& reader, ir::Instruction& i) {
  i.op = Op::tex;
  i.read_only = true;
  i.vector = 4;
  i.image.mode = ir::TexMode::gather;
  constexpr std::array<std::string_view, 4> kComponents{"r", "g", "b", "a"};
  while (i.image.component < 4 && !reader.take(kComponents[i.image.component])) {
    ++i.image.component;
  }
  if (i.image.component == 4) reader.unsupported("expected .r, .g, .b or .a");
  take_shape(reader, i.image.shape);
  if (i.image.shape != ImageShape::d2 && i.image.shape != ImageShape::a2d) {
    reader.unsupported("expected .2d or .a2d");
  }
  reader.expect("v4");
  take_types(reader, i);
  if (i.src_type != Type::f32) reader.unsupported("expected coordinates of .f32");
}

void decode_surface(ModifierReader& reader, Op op, ir::Instruction& i) {
  i.op = op;
  i.src_type = Type::s32;
  if (reader.peek() == "p") reader.unsupported("formatted stores to surfaces are not modelled");
  reader.expect("b");
  take_shape(reader, i.image.shape);
  if (i.image.shape == ImageShape::cube || i.image.shape == ImageShape::acube) {
    reader.unsupported("cubes are arrays of layers to surfaces");
  }
  for (const std::string_view cache : {"ca", "cg", "cs", "cv", "wb", "wt"}) {
    if (!reader.take(cache)) continue;
    i.cache_global = cache == "cg" || cache == "cv";
  }
  i.vector = 1;
  if (reader.take("v2")) i.vector = 2;
  if (reader.take("v4")) i.vector = 4;
  i.type = reader.type();
  if (i.type != Type::b8 && i.type != Type::b16 && i.type != Type::b32 && i.type != Type::b64) {
    reader.unsupported("expected .b8, .b16, .b32 or .b64");
  }
  if (i.vector * ir::size_of(i.type) > 16) {
    reader.unsupported("accesses of more than 16 bytes are not modelled");
  }
  constexpr std::array kEdges{ir::SurfaceEdge::trap, ir::SurfaceEdge::clamp, ir::SurfaceEdge::zero};
  if (!take_one(reader, kEdges, i.image.edge)) {
    reader.unsupported("expected .trap, .clamp or .zero");
  }
}

void decode_query(ModifierReader& reader, bool surface, ir::Instruction& i) {
  i.op = Op::image_query;
  i.type = Type::b32;
  i.image.surface = surface;
  using Query = ir::ImageQuery;
  constexpr std::array kQueries{Query::width, Query::height, Query::depth, Query::array_size,
                                Query::levels};
  if (!take_one(reader, kQueries, i.image.query)) {
    reader.unsupported(fmt::format("the query .{} is not modelled", reader.peek()));
  }
  reader.expect("b32");
}

}  // namespace

std::optional<Decoded> decode_texture(const ptx::Instruction& source, const std::string& file) {
  Decoded decoded;
  decoded.pseudo = Decoded::Pseudo::image;
  ir::Instruction& i = decoded.instruction;
  i.line = source.line;
  i.space = ir::Space::global;
  ModifierReader reader(source, file);
  if (source.root == "tex") {
    decode_tex(reader, i);
  } else if (source.root == "tld4") {
    decode_gather(reader, i);
  } else if (source.root == "suld" || source.root == "sust") {
    decode_surface(reader, source.root == "suld" ? Op::suld : Op::sust, i);
  } else if (source.root == "txq" || source.root == "suq") {
    i.space = ir::Space::none;
    decode_query(reader, source.root == "suq", i);
  } else {
    return std::nullopt;
  }
  reader.expect_end();
  return decoded;
}

}  // namespace paws::frontend
