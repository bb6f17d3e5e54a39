// SPDX-License-Identifier: MIT
// Euler's equations of a compressible ideal gas, finite volumes. Quantities: density, momentum in
// x, y and z, energy per volume; a buffer has one after the other, each of all cells.
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

namespace {

constexpr std::size_t kFaces = 4;
constexpr std::size_t kQuantities = 5;
constexpr double kGamma = 1.4;
constexpr double kSmoothing = 0.2;

using State = std::array<double, kQuantities>;

double pressure(const State& state) {
  const double twice_kinetic =
      (state[1] * state[1] + state[2] * state[2] + state[3] * state[3]) / state[0];
  return (kGamma - 1) * (state[4] - 0.5 * twice_kinetic);
}

/// Of flow and sound together.
double wave_speed(const State& state) {
  return std::hypot(state[1], state[2], state[3]) / state[0] +
         std::sqrt(kGamma * pressure(state) / state[0]);
}

/// What flows through an area: everything with the flow, and the pressure's force and work.
State flow(const State& state, const std::array<double, 3>& area) {
  const double volume = (state[1] * area[0] + state[2] * area[1] + state[3] * area[2]) / state[0];
  State out{};
  for (std::size_t q = 0; q < kQuantities; ++q) out.at(q) = volume * state.at(q);
  for (std::size_t axis = 0; axis < 3; ++axis) out.at(axis + 1) += pressure(state) * area.at(axis);
  out[4] += volume * pressure(state);
  return out;
}

}  // namespace

// The mean of the flows on both sides of a face, less a viscosity; walls only press.
Output euler_flux(const std::vector<Input>& inputs) {
  const auto& neighbour = std::get<Integers>(inputs[0]);
  const auto& normal = std::get<Reals>(inputs[1]);
  const auto& states = std::get<Reals>(inputs[2]);
  const auto& far = std::get<Reals>(inputs[3]);
  const std::size_t cells = neighbour.size() / kFaces;
  if (neighbour.size() != kFaces * cells || normal.size() != 3 * kFaces * cells ||
      states.size() != kQuantities * cells || far.size() != kQuantities) {
    throw std::invalid_argument("the sizes of mesh and state do not suit");
  }
  const auto state_of = [&](std::size_t cell) {
    State state{};
    for (std::size_t q = 0; q < kQuantities; ++q) state.at(q) = states[q * cells + cell];
    return state;
  };
  const State far_field{far[0], far[1], far[2], far[3], far[4]};

  Reals flux(kQuantities * cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const State own = state_of(cell);
    for (std::size_t face = 0; face < kFaces; ++face) {
      const std::array<double, 3> area{normal[face * cells + cell],
                                       normal[(face + kFaces) * cells + cell],
                                       normal[(face + 2 * kFaces) * cells + cell]};
      const std::int64_t other = neighbour[face * cells + cell];
      if (other == -1) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          flux[(axis + 1) * cells + cell] += pressure(own) * area.at(axis);
        }
        continue;
      }
      if (other < -2 || other >= static_cast<std::int64_t>(cells)) {
        throw std::invalid_argument("a neighbour is outside of the mesh");
      }
      const State there = other < 0 ? far_field : state_of(static_cast<std::size_t>(other));
      const double viscosity = other < 0 ? 0
                                         : kSmoothing / 2 * std::hypot(area[0], area[1], area[2]) *
                                               (wave_speed(own) + wave_speed(there));
      const State out = flow(own, area);
      const State in = flow(there, area);
      for (std::size_t q = 0; q < kQuantities; ++q) {
        flux[q * cells + cell] +=
            (out.at(q) + in.at(q)) / 2 - viscosity * (own.at(q) - there.at(q));
      }
    }
  }
  return flux;
}

}  // namespace paws::references
