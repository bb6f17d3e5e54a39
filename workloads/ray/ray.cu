// SPDX-License-Identifier: MIT
// Ray tracing as the benchmark RAY of "Analyzing CUDA workloads using a detailed GPU simulator"
// (ISPASS 2009) does it: a thread per pixel, blocks of 16 x 8 pixels. A ray goes from the eye
// through the pixel into a scene of spheres over a chequered floor. Where it hits, a second ray
// looks whether the light is in sight, and mirrors send the first one on, a few times at most: a
// loop takes the place of recursion. Neighbours hit different things and are done after different
// numbers of bounces. The spheres are in constant memory; only the image is in global memory.
//
// All sums of products that decide what is hit are written with fmaf, so that no compiler rounds
// them in another way.

#define MAX_SPHERES 32
#define MAX_BOUNCES 5
#define FLOOR -1
#define SKY -2
#define NEAR 1e-3f  // a ray does not hit where it starts

struct Vector {
  float x, y, z;
};

struct Sphere {
  Vector centre;
  float radius;
  Vector colour;
  float mirror;  // the part of the light that it reflects as a mirror
};

__constant__ Sphere spheres[MAX_SPHERES];

__device__ __forceinline__ float dot(Vector a, Vector b) {
  return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

__device__ __forceinline__ Vector difference(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

// from + factor step
__device__ __forceinline__ Vector moved(Vector from, float factor, Vector step) {
  return {fmaf(factor, step.x, from.x), fmaf(factor, step.y, from.y), fmaf(factor, step.z, from.z)};
}

__device__ __forceinline__ Vector scaled(Vector v, float factor) {
  return {v.x * factor, v.y * factor, v.z * factor};
}

// The way along a ray to where it enters the sphere; 0 if it does not.
__device__ __forceinline__ float entry(int sphere, Vector origin, Vector direction) {
  const Vector centre = difference(spheres[sphere].centre, origin);
  const float radius = spheres[sphere].radius;
  const float middle = dot(centre, direction);
  const float square = fmaf(radius, radius, fmaf(middle, middle, -dot(centre, centre)));
  return square > 0.0f ? middle - sqrtf(square) : 0.0f;
}

__device__ __forceinline__ bool dark(int count, Vector origin, Vector direction, float distance) {
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    const float at = entry(i, origin, direction);
    if (at > NEAR && at < distance) return true;
  }
  return false;
}

__device__ __forceinline__ unsigned int byte(float value) {
  return (unsigned int)(255.0f * fminf(value, 1.0f) + 0.5f);
}

__global__ void ray_trace(unsigned int* image, int width, int height, int count, float light_x,
                          float light_y, float light_z) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  const Vector light = {light_x, light_y, light_z};
  const float pixel = 1.0f / (float)height;
  Vector origin = {0.0f, 2.0f, -4.0f};
  Vector direction = {(float)(2 * x + 1 - width) * pixel, (float)(height - 2 * y - 1) * pixel,
                      1.5f};
  direction = scaled(direction, 1.0f / sqrtf(dot(direction, direction)));
  Vector seen = {0.0f, 0.0f, 0.0f};
  float weight = 1.0f;

#pragma unroll 1
  for (int bounce = 0; bounce <= MAX_BOUNCES; ++bounce) {
    int hit = SKY;
    float nearest = INFINITY;
    if (direction.y < 0.0f) {
      hit = FLOOR;
      nearest = origin.y / -direction.y;
    }
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const float at = entry(i, origin, direction);
      if (at > NEAR && at < nearest) {
        hit = i;
        nearest = at;
      }
    }
    if (hit == SKY) {
      seen = moved(seen, weight, {0.3f + 0.2f * direction.y, 0.5f + 0.2f * direction.y, 0.8f});
      break;
    }

    const Vector place = moved(origin, nearest, direction);
    Vector normal, colour;
    float mirror;
    if (hit == FLOOR) {
      const bool odd = ((int)floorf(place.x) + (int)floorf(place.z)) & 1;
      normal = {0.0f, 1.0f, 0.0f};
      colour = odd ? Vector{0.9f, 0.9f, 0.8f} : Vector{0.2f, 0.3f, 0.2f};
      mirror = 0.125f;
      origin = {place.x, 0.0f, place.z};
    } else {
      normal = scaled(difference(place, spheres[hit].centre), 1.0f / spheres[hit].radius);
      colour = spheres[hit].colour;
      mirror = spheres[hit].mirror;
      origin = place;
    }
    direction = moved(direction, -2.0f * dot(direction, normal), normal);

    Vector to_light = difference(light, origin);
    const float distance = sqrtf(dot(to_light, to_light));
    to_light = scaled(to_light, 1.0f / distance);
    const float slope = dot(normal, to_light);
    float diffuse = 0.2f;
    float gloss = 0.0f;
    if (slope > 0.0f && !dark(count, origin, to_light, distance)) {
      diffuse += 0.8f * slope;
      gloss = fmaxf(dot(direction, to_light), 0.0f);
#pragma unroll
      for (int i = 0; i < 5; ++i) gloss *= gloss;
    }
    const float own = weight * (1.0f - mirror);
    seen.x += own * (colour.x * diffuse + 0.5f * gloss);
    seen.y += own * (colour.y * diffuse + 0.5f * gloss);
    seen.z += own * (colour.z * diffuse + 0.5f * gloss);
    weight *= mirror;
    if (mirror == 0.0f) break;
  }
  image[y * width + x] = byte(seen.x) | byte(seen.y) << 8 | byte(seen.z) << 16 | 0xff000000u;
}
