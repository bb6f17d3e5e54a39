// SPDX-License-Identifier: MIT
// The lattice Boltzmann method, model D3Q19: Qian, d'Humieres and Lallemand, "Lattice BGK Models
// for Navier-Stokes Equation", Europhysics Letters 17(6), 1992. In memory: slices along z, in a
// slice the 19 populations, in a population rows of `pitch` cells. The cells of the fluid's box are
// x = 0 ... width - 1, y = 1 ... height, z = 1 ... depth; the others are a rim.
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {

namespace {

constexpr std::int64_t populations = 19;
constexpr std::int64_t obstacle = 1;
constexpr std::int64_t driven = 2;

// Number 2 i - 1 is line i, number 2 i its opposite.
constexpr std::array<std::array<int, 3>, 9> lines{{{1, 0, 0},
                                                   {0, 1, 0},
                                                   {0, 0, 1},
                                                   {1, 1, 0},
                                                   {1, -1, 0},
                                                   {1, 0, 1},
                                                   {1, 0, -1},
                                                   {0, 1, 1},
                                                   {0, 1, -1}}};

using Vector = std::array<double, 3>;
using Cell = std::array<double, populations>;

std::array<int, 3> direction(std::size_t number) {
  if (number == 0) return {0, 0, 0};
  std::array<int, 3> line = lines.at((number - 1) / 2);
  if (number % 2 == 0) {
    for (int& component : line) component = -component;
  }
  return line;
}

double weight(std::size_t number) {
  if (number == 0) return 1.0 / 3;
  return number < 7 ? 1.0 / 18 : 1.0 / 36;
}

double dot(const Vector& a, const std::array<int, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Cell bounced(const Cell& cell) {
  Cell back = cell;
  for (std::size_t i = 1; i < cell.size(); i += 2) std::swap(back.at(i), back.at(i + 1));
  return back;
}

Cell collided(const Cell& cell, bool is_driven, double relaxation) {
  double density = 0;
  Vector velocity{};
  for (std::size_t i = 0; i < cell.size(); ++i) {
    density += cell.at(i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      velocity.at(axis) += cell.at(i) * direction(i).at(axis);
    }
  }
  for (double& component : velocity) component /= density;
  if (is_driven) velocity = {0.005, 0.002, 0};
  double square = 0;
  for (const double component : velocity) square += component * component;

  Cell out{};
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const double along = dot(velocity, direction(i));
    const double equilibrium =
        weight(i) * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
    out.at(i) = cell.at(i) + relaxation * (equilibrium - cell.at(i));
  }
  return out;
}

}  // namespace

// Near the equilibrium at rest, up to 10 % off; in the rim too.
Output lattice_at_rest(const std::vector<Input>& inputs) {
  const std::size_t area = dimension(inputs[0]) * dimension(inputs[1]);
  const std::size_t slices = dimension(inputs[2]);
  Uniform uniform(std::get<std::int64_t>(inputs[3]));
  Reals lattice;
  lattice.reserve(slices * populations * area);
  for (std::size_t slice = 0; slice < slices; ++slice) {
    for (std::size_t i = 0; i < populations; ++i) {
      for (std::size_t cell = 0; cell < area; ++cell) {
        lattice.push_back(weight(i) * uniform(0.9, 1.1));
      }
    }
  }
  return lattice;
}

// Walls on all sides, balls in between; the fluid next to the first and the last wall is driven.
Output driven_cavity(const std::vector<Input>& inputs) {
  const auto size = [&](std::size_t i) { return static_cast<std::int64_t>(dimension(inputs[i])); };
  const std::int64_t pitch = size(0);
  const std::int64_t rows = size(1);
  const std::int64_t width = size(2);
  const std::int64_t height = size(3);
  const std::int64_t depth = size(4);
  const std::int64_t balls = std::get<std::int64_t>(inputs[5]);
  if (width > pitch || height + 2 > rows) throw std::invalid_argument("the cells do not fit");
  Uniform uniform(std::get<std::int64_t>(inputs[6]));
  Integers kinds(static_cast<std::size_t>(pitch * rows * (depth + 2)));
  const auto kind = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> std::int64_t& {
    return kinds[static_cast<std::size_t>(((z + 1) * rows + y + 1) * pitch + x)];
  };
  const auto for_each_cell = [&](auto f) {
    for (std::int64_t z = 0; z < depth; ++z) {
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) f(x, y, z);
      }
    }
  };
  for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (z == 1 || z == depth - 2) kind(x, y, z) = driven;
    if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
      kind(x, y, z) = obstacle;
    }
  });
  for (std::int64_t ball = 0; ball < balls; ++ball) {
    const double bx = uniform(0, static_cast<double>(width));
    const double by = uniform(0, static_cast<double>(height));
    const double bz = uniform(0, static_cast<double>(depth));
    const double radius = uniform(2, 8);
    for_each_cell([&](std::int64_t x, std::int64_t y, std::int64_t z) {
      const double dx = static_cast<double>(x) - bx;
      const double dy = static_cast<double>(y) - by;
      const double dz = static_cast<double>(z) - bz;
      if (dx * dx + dy * dy + dz * dz < radius * radius) kind(x, y, z) = obstacle;
    });
  }
  return kinds;
}

// Every cell collects what moves towards it; then obstacles send it back, and fluid collides.
Output lattice_step(const std::vector<Input>& inputs) {
  const auto& from = std::get<Reals>(inputs[0]);
  const auto& kinds = std::get<Integers>(inputs[1]);
  const auto size = [&](std::size_t i) { return static_cast<std::int64_t>(dimension(inputs[i])); };
  const std::int64_t pitch = size(2);
  const std::int64_t rows = size(3);
  const std::int64_t width = size(4);
  const std::int64_t height = size(5);
  const double relaxation = std::get<double>(inputs[6]);
  const auto slices = static_cast<std::int64_t>(kinds.size()) / (pitch * rows);
  if (from.size() != populations * kinds.size() || width > pitch || height + 2 > rows ||
      slices * pitch * rows != static_cast<std::int64_t>(kinds.size())) {
    throw std::invalid_argument("the lattice's sizes do not fit together");
  }
  const auto index = [&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::int64_t plane = z * populations + static_cast<std::int64_t>(i);
    return static_cast<std::size_t>((plane * rows + y) * pitch + x);
  };

  Reals to(from.size());
  for (std::int64_t z = 1; z < slices - 1; ++z) {
    for (std::int64_t y = 1; y <= height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        Cell cell{};
        for (std::size_t i = 0; i < cell.size(); ++i) {
          const auto [dx, dy, dz] = direction(i);
          cell.at(i) = from[index(i, x - dx, y - dy, z - dz)];
        }
        const std::int64_t kind = kinds[static_cast<std::size_t>((z * rows + y) * pitch + x)];
        const Cell out =
            kind == obstacle ? bounced(cell) : collided(cell, kind == driven, relaxation);
        for (std::size_t i = 0; i < out.size(); ++i) to[index(i, x, y, z)] = out.at(i);
      }
    }
  }
  return to;
}

}  // namespace paws::references
