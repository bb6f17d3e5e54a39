// Euler's equations of a compressible gas on an unstructured mesh of tetrahedra, finite volumes: the
// fluxes through the four faces of every cell, from the algorithm of Rodinia's benchmark "cfd"
// (euler3d). State and fluxes lie one quantity after the other, each of all cells: density, momentum
// in x, y and z, energy per volume. A neighbour of -1 is a wall, -2 the far field.

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

// The flux of a state per area: row i of momentum, and energy; that of density is the momentum.
struct Flux {
  float3 x, y, z, energy;
};

__device__ __forceinline__ Flux flux_of(float3 momentum, float3 velocity, float pressure,
                                        float energy) {
  const float enthalpy = energy + pressure;
  Flux flux;
  flux.x = make_float3(velocity.x * momentum.x + pressure, velocity.x * momentum.y,
                       velocity.x * momentum.z);
  flux.y = make_float3(flux.x.y, velocity.y * momentum.y + pressure, velocity.y * momentum.z);
  flux.z = make_float3(flux.x.z, flux.y.z, velocity.z * momentum.z + pressure);
  flux.energy =
      make_float3(velocity.x * enthalpy, velocity.y * enthalpy, velocity.z * enthalpy);
  return flux;
}

__device__ __forceinline__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ __forceinline__ float pressure_of(float density, float energy, float speed_squared) {
  return (GAMMA - 1.0f) * (energy - 0.5f * density * speed_squared);
}

__device__ __forceinline__ float3 far_vector(int row) {
  return make_float3(far_flux[3 * row], far_flux[3 * row + 1], far_flux[3 * row + 2]);
}

__device__ __forceinline__ float3 sum(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

// neighbour[face * cells + i]; normal[(face + axis * FACES) * cells + i], outwards, as long as the
// face is large. `cells` is a multiple of the block's threads.
__global__ void compute_flux(int cells, const int* neighbour, const float* normal,
                             const float* state, float* flux) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const float density = state[i + DENSITY * cells];
  const float3 momentum =
      make_float3(state[i + MOMENTUM * cells], state[i + (MOMENTUM + 1) * cells],
                  state[i + (MOMENTUM + 2) * cells]);
  const float energy = state[i + ENERGY * cells];
  const float3 velocity =
      make_float3(momentum.x / density, momentum.y / density, momentum.z / density);
  const float speed_squared = dot(velocity, velocity);
  const float speed = sqrtf(speed_squared);
  const float pressure = pressure_of(density, energy, speed_squared);
  const float sound = sqrtf(GAMMA * pressure / density);
  const Flux own = flux_of(momentum, velocity, pressure, energy);

  float flux_density = 0.0f;
  float3 flux_momentum = make_float3(0.0f, 0.0f, 0.0f);
  float flux_energy = 0.0f;

#pragma unroll
  for (int face = 0; face < FACES; ++face) {
    const int other = neighbour[i + face * cells];
    const float3 outwards = make_float3(normal[i + (face + 0 * FACES) * cells],
                                        normal[i + (face + 1 * FACES) * cells],
                                        normal[i + (face + 2 * FACES) * cells]);
    const float area = sqrtf(dot(outwards, outwards));

    if (other >= 0) {
      const float density_other = state[other + DENSITY * cells];
      const float3 momentum_other =
          make_float3(state[other + MOMENTUM * cells], state[other + (MOMENTUM + 1) * cells],
                      state[other + (MOMENTUM + 2) * cells]);
      const float energy_other = state[other + ENERGY * cells];
      const float3 velocity_other =
          make_float3(momentum_other.x / density_other, momentum_other.y / density_other,
                      momentum_other.z / density_other);
      const float squared_other = dot(velocity_other, velocity_other);
      const float pressure_other = pressure_of(density_other, energy_other, squared_other);
      const float sound_other = sqrtf(GAMMA * pressure_other / density_other);
      const Flux others = flux_of(momentum_other, velocity_other, pressure_other, energy_other);

      // Artificial viscosity, as strong as the fastest waves of both cells.
      const float viscosity =
          -area * SMOOTHING * 0.5f * (speed + sqrtf(squared_other) + sound + sound_other);
      flux_density += viscosity * (density - density_other);
      flux_energy += viscosity * (energy - energy_other);
      flux_momentum.x += viscosity * (momentum.x - momentum_other.x);
      flux_momentum.y += viscosity * (momentum.y - momentum_other.y);
      flux_momentum.z += viscosity * (momentum.z - momentum_other.z);

      // The mean of both cells' fluxes.
      const float3 half =
          make_float3(0.5f * outwards.x, 0.5f * outwards.y, 0.5f * outwards.z);
      flux_density += dot(half, sum(momentum, momentum_other));
      flux_energy += dot(half, sum(own.energy, others.energy));
      flux_momentum.x += dot(half, sum(own.x, others.x));
      flux_momentum.y += dot(half, sum(own.y, others.y));
      flux_momentum.z += dot(half, sum(own.z, others.z));
    } else if (other == -1) {
      flux_momentum.x += outwards.x * pressure;
      flux_momentum.y += outwards.y * pressure;
      flux_momentum.z += outwards.z * pressure;
    } else {
      const float3 half =
          make_float3(0.5f * outwards.x, 0.5f * outwards.y, 0.5f * outwards.z);
      const float3 far_momentum = make_float3(far_state[MOMENTUM], far_state[MOMENTUM + 1],
                                              far_state[MOMENTUM + 2]);
      flux_density += dot(half, sum(momentum, far_momentum));
      flux_energy += dot(half, sum(own.energy, far_vector(3)));
      flux_momentum.x += dot(half, sum(own.x, far_vector(0)));
      flux_momentum.y += dot(half, sum(own.y, far_vector(1)));
      flux_momentum.z += dot(half, sum(own.z, far_vector(2)));
    }
  }

  flux[i + DENSITY * cells] = flux_density;
  flux[i + MOMENTUM * cells] = flux_momentum.x;
  flux[i + (MOMENTUM + 1) * cells] = flux_momentum.y;
  flux[i + (MOMENTUM + 2) * cells] = flux_momentum.z;
  flux[i + ENERGY * cells] = flux_energy;
}
