// SPDX-License-Identifier: MIT
// A mesh of tetrahedra: a box of width x depth x height cubes, each cut into the six tetrahedra
// around its diagonal, which is the same in all cubes, so that faces meet. The corners are moved at
// random. Faces on the floor are walls (neighbour -1), the box's other sides far field (-2).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"
#include "workloads/references/vector3.h"

namespace paws::references {

namespace {

constexpr std::size_t kFaces = 4;
constexpr std::int64_t kWall = -1;
constexpr std::int64_t kFarField = -2;

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

class Mesh {
 public:
  using Cell = std::array<std::size_t, kFaces>;      ///< corners; face i is opposite of corner i
  using Face = std::array<std::size_t, kFaces - 1>;  ///< corners, ascending

  Mesh(const Input& width, const Input& depth, const Input& height)
      : size_{dimension(width), dimension(depth), dimension(height)} {
    std::array<std::size_t, 3> cube{};
    for (cube[2] = 0; cube[2] < size_[2]; ++cube[2]) {
      for (cube[1] = 0; cube[1] < size_[1]; ++cube[1]) {
        for (cube[0] = 0; cube[0] < size_[0]; ++cube[0]) cut(cube);
      }
    }
  }

  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }

  [[nodiscard]] static Face face(const Cell& cell, std::size_t opposite) {
    Face out{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < kFaces; ++i) {
      if (i != opposite) out.at(next++) = cell.at(i);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  [[nodiscard]] bool on_floor(const Face& face) const {
    const std::size_t floor = (size_[0] + 1) * (size_[1] + 1);
    return std::all_of(face.begin(), face.end(), [&](std::size_t c) { return c < floor; });
  }

  /// Where the corners are.
  [[nodiscard]] std::vector<Vector> positions(std::int64_t seed) const {
    Uniform uniform(seed);
    std::vector<Vector> out;
    for (std::size_t z = 0; z <= size_[2]; ++z) {
      for (std::size_t y = 0; y <= size_[1]; ++y) {
        for (std::size_t x = 0; x <= size_[0]; ++x) {
          Vector at{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
          for (double& coordinate : at) coordinate += uniform(-0.1, 0.1);
          out.push_back(at);
        }
      }
    }
    return out;
  }

 private:
  /// Each order of the axes is a way along the cube's edges from its first corner to the opposite.
  void cut(const std::array<std::size_t, 3>& cube) {
    const std::array<std::size_t, 3> step{1, size_[0] + 1, (size_[0] + 1) * (size_[1] + 1)};
    std::array<std::size_t, 3> axes{0, 1, 2};
    do {
      Cell cell{};
      cell[0] = cube[0] * step[0] + cube[1] * step[1] + cube[2] * step[2];
      for (std::size_t i = 0; i < 3; ++i) cell.at(i + 1) = cell.at(i) + step.at(axes.at(i));
      cells_.push_back(cell);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }

  std::array<std::size_t, 3> size_;  // in cubes
  std::vector<Cell> cells_;
};

}  // namespace

// neighbour[face * cells + cell].
Output tetrahedra_neighbours(const std::vector<Input>& inputs) {
  const Mesh mesh(inputs[0], inputs[1], inputs[2]);
  const std::size_t cells = mesh.cells().size();
  struct Side {
    Mesh::Face face;
    std::size_t cell, opposite;
  };
  std::vector<Side> sides;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t i = 0; i < kFaces; ++i) {
      sides.push_back({Mesh::face(mesh.cells()[cell], i), cell, i});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::pair(a.face, a.cell) < std::pair(b.face, b.cell);
  });
  Integers neighbour(kFaces * cells);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    std::int64_t& other = neighbour[side.opposite * cells + side.cell];
    if (i > 0 && sides[i - 1].face == side.face) {
      other = static_cast<std::int64_t>(sides[i - 1].cell);
    } else if (i + 1 < sides.size() && sides[i + 1].face == side.face) {
      other = static_cast<std::int64_t>(sides[i + 1].cell);
    } else {
      other = mesh.on_floor(side.face) ? kWall : kFarField;
    }
  }
  return neighbour;
}

// normal[(axis * 4 + face) * cells + cell], outwards, as long as the face is large.
Output tetrahedra_normals(const std::vector<Input>& inputs) {
  const Mesh mesh(inputs[0], inputs[1], inputs[2]);
  const std::vector<Vector> at = mesh.positions(std::get<std::int64_t>(inputs[3]));
  const std::size_t cells = mesh.cells().size();
  Reals normal(3 * kFaces * cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t i = 0; i < kFaces; ++i) {
      const Mesh::Cell& corners = mesh.cells()[cell];
      const auto [a, b, c] = Mesh::face(corners, i);
      const Vector twice = cross(minus(at[b], at[a]), minus(at[c], at[a]));
      const double outwards = dot(twice, minus(at[a], at[corners.at(i)])) > 0 ? 0.5 : -0.5;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        normal[(axis * kFaces + i) * cells + cell] = outwards * twice.at(axis);
      }
    }
  }
  return normal;
}

}  // namespace paws::references
