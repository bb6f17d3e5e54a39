// SPDX-License-Identifier: MIT
// Euler's equations of a compressible gas on an unstructured mesh of tetrahedra, finite volumes:
// the fluxes through the four faces of every cell, from the algorithm of Rodinia's benchmark "cfd"
// (euler3d). State and fluxes lie one quantity after the other, each of all cells: density,
// momentum in x, y and z, energy per volume. A neighbour of -1 is a wall, -2 the far field.

#define FACES 4
#define DENSITY 0
#define MOMENTUM 1
#define ENERGY 4
#define QUANTITIES 5
#define GAMMA 1.4f
#define SMOOTHING 0.2f

// The state of the far field and its flux per area in x, y and z: the flux's three vectors of
// momentum, that of energy.
__constant__ float far_state[QUANTITIES];
__constant__ float far_flux[4 * 3];

__device__ __forceinline__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ __forceinline__ float3 sum(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ __forceinline__ float3 far_vector(int row) {
  return make_float3(far_flux[3 * row], far_flux[3 * row + 1], far_flux[3 * row + 2]);
}

// A cell's state and, per area, its flux: rows of momentum, and energy; that of density is the
// momentum.
struct Cell {
  float density;
  float3 momentum;
  float energy;
  float pressure;
  float wave_speed;  // of flow and sound together
  float3 flux_x, flux_y, flux_z, flux_energy;
};

__device__ __forceinline__ Cell cell_at(const float* state, int i, int cells) {
  Cell cell;
  cell.density = state[i + DENSITY * cells];
  cell.momentum = make_float3(state[i + MOMENTUM * cells], state[i + (MOMENTUM + 1) * cells],
                              state[i + (MOMENTUM + 2) * cells]);
  cell.energy = state[i + ENERGY * cells];

  const float3 velocity =
      make_float3(cell.momentum.x / cell.density, cell.momentum.y / cell.density,
                  cell.momentum.z / cell.density);
  const float speed_squared = dot(velocity, velocity);
  cell.pressure = (GAMMA - 1.0f) * (cell.energy - 0.5f * cell.density * speed_squared);
  cell.wave_speed = sqrtf(speed_squared) + sqrtf(GAMMA * cell.pressure / cell.density);

  const float enthalpy = cell.energy + cell.pressure;
  cell.flux_x = make_float3(velocity.x * cell.momentum.x + cell.pressure,
                            velocity.x * cell.momentum.y, velocity.x * cell.momentum.z);
  cell.flux_y = make_float3(cell.flux_x.y, velocity.y * cell.momentum.y + cell.pressure,
                            velocity.y * cell.momentum.z);
  cell.flux_z =
      make_float3(cell.flux_x.z, cell.flux_y.z, velocity.z * cell.momentum.z + cell.pressure);
  cell.flux_energy =
      make_float3(velocity.x * enthalpy, velocity.y * enthalpy, velocity.z * enthalpy);
  return cell;
}

struct Total {
  float density;
  float3 momentum;
  float energy;
};

// Adds what leaves cell i through one of its faces.
__device__ __forceinline__ void add_face(int face, int i, int cells, const int* neighbour,
                                         const float* normal, const float* state, const Cell& cell,
                                         Total& total) {
  const int other = neighbour[i + face * cells];
  const float3 outwards =
      make_float3(normal[i + (face + 0 * FACES) * cells], normal[i + (face + 1 * FACES) * cells],
                  normal[i + (face + 2 * FACES) * cells]);
  const float area = sqrtf(dot(outwards, outwards));
  const float3 half = make_float3(0.5f * outwards.x, 0.5f * outwards.y, 0.5f * outwards.z);

  if (other >= 0) {
    const Cell there = cell_at(state, other, cells);
    // Artificial viscosity, as strong as the fastest waves of both cells.
    const float viscosity = -area * SMOOTHING * 0.5f * (cell.wave_speed + there.wave_speed);
    total.density += viscosity * (cell.density - there.density);
    total.energy += viscosity * (cell.energy - there.energy);
    total.momentum.x += viscosity * (cell.momentum.x - there.momentum.x);
    total.momentum.y += viscosity * (cell.momentum.y - there.momentum.y);
    total.momentum.z += viscosity * (cell.momentum.z - there.momentum.z);

    // The mean of both cells' fluxes.
    total.density += dot(half, sum(cell.momentum, there.momentum));
    total.energy += dot(half, sum(cell.flux_energy, there.flux_energy));
    total.momentum.x += dot(half, sum(cell.flux_x, there.flux_x));
    total.momentum.y += dot(half, sum(cell.flux_y, there.flux_y));
    total.momentum.z += dot(half, sum(cell.flux_z, there.flux_z));
  } else if (other == -1) {
    total.momentum.x += outwards.x * cell.pressure;
    total.momentum.y += outwards.y * cell.pressure;
    total.momentum.z += outwards.z * cell.pressure;
  } else {
    const float3 far_momentum =
        make_float3(far_state[MOMENTUM], far_state[MOMENTUM + 1], far_state[MOMENTUM + 2]);
    total.density += dot(half, sum(cell.momentum, far_momentum));
    total.energy += dot(half, sum(cell.flux_energy, far_vector(3)));
    total.momentum.x += dot(half, sum(cell.flux_x, far_vector(0)));
    total.momentum.y += dot(half, sum(cell.flux_y, far_vector(1)));
    total.momentum.z += dot(half, sum(cell.flux_z, far_vector(2)));
  }
}

// neighbour[face * cells + i]; normal[(face + axis * FACES) * cells + i], outwards, as long as the
// face is large. `cells` is a multiple of the block's threads.
__global__ void __launch_bounds__(192, 3)
    compute_flux(int cells, const int* neighbour, const float* normal, const float* state,
                 float* flux) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell cell = cell_at(state, i, cells);
  Total total = {0.0f, make_float3(0.0f, 0.0f, 0.0f), 0.0f};

  // Calls instead of an unrolled loop, out of which compilers move the sums with the far field:
  // too many registers for what few cells need.
  add_face(0, i, cells, neighbour, normal, state, cell, total);
  add_face(1, i, cells, neighbour, normal, state, cell, total);
  add_face(2, i, cells, neighbour, normal, state, cell, total);
  add_face(3, i, cells, neighbour, normal, state, cell, total);

  flux[i + DENSITY * cells] = total.density;
  flux[i + MOMENTUM * cells] = total.momentum.x;
  flux[i + (MOMENTUM + 1) * cells] = total.momentum.y;
  flux[i + (MOMENTUM + 2) * cells] = total.momentum.z;
  flux[i + ENERGY * cells] = total.energy;
}
