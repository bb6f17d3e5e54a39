// SPDX-License-Identifier: MIT
// Ray tracing. What a ray hits is found in single precision and in one order of operations, because
// a ray along an edge must hit the same as the kernel's; colours are in double precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/vector3.h"

namespace paws::references {
namespace {

constexpr float kNear = 1e-3F;  ///< a ray does not hit where it starts
constexpr int kBounces = 5;
constexpr std::size_t kSphereValues = 8;

using Point = std::array<float, 3>;

float inner(const Point& a, const Point& b) {
  return std::fma(a[0], b[0], std::fma(a[1], b[1], a[2] * b[2]));
}

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Point times(const Point& a, float factor) { return {a[0] * factor, a[1] * factor, a[2] * factor}; }

Point add_scaled(const Point& a, float factor, const Point& b) {
  return {std::fma(factor, b[0], a[0]), std::fma(factor, b[1], a[1]), std::fma(factor, b[2], a[2])};
}

struct Ray {
  Point origin, direction;
};

struct Ball {
  Point centre;
  float radius;
  Vector colour;
  double mirror;
};

/// The way to the ball; infinity if the ray does not enter it.
float way_to(const Ball& ball, const Ray& ray) {
  const Point centre = minus(ball.centre, ray.origin);
  const float middle = inner(centre, ray.direction);
  const float square =
      std::fma(ball.radius, ball.radius, std::fma(middle, middle, -inner(centre, centre)));
  const float way = square > 0 ? middle - std::sqrt(square) : 0.0F;
  return way > kNear ? way : INFINITY;
}

class Scene {
 public:
  Scene(const Reals& values, const Point& light) : light_(light) {
    if (values.size() % kSphereValues != 0) throw std::invalid_argument("a sphere has 8 values");
    for (std::size_t i = 0; i < values.size(); i += kSphereValues) {
      const auto at = [&](std::size_t k) { return static_cast<float>(values[i + k]); };
      balls_.push_back({{at(0), at(1), at(2)},
                        at(3),
                        {values[i + 4], values[i + 5], values[i + 6]},
                        values[i + 7]});
    }
  }

  /// The colour that comes to the ray's origin.
  [[nodiscard]] Vector seen(const Ray& ray, int bounces) const {
    const Ball* ball = nullptr;
    float way = ray.direction[1] < 0 ? ray.origin[1] / -ray.direction[1] : INFINITY;
    for (const Ball& each : balls_) {
      const float to_ball = way_to(each, ray);
      if (to_ball >= way) continue;
      way = to_ball;
      ball = &each;
    }
    if (way == INFINITY) {
      const double height = ray.direction[1];
      return {0.3 + 0.2 * height, 0.5 + 0.2 * height, 0.8};
    }
    Point place = add_scaled(ray.origin, way, ray.direction);
    Point normal{0, 1, 0};
    if (ball != nullptr) {
      normal = times(minus(place, ball->centre), 1 / ball->radius);
    } else {
      place[1] = 0;
    }
    const Vector colour = ball != nullptr ? ball->colour : floor_colour(place);
    const double mirror = ball != nullptr ? ball->mirror : 0.125;
    const Ray next{place, add_scaled(ray.direction, -2 * inner(ray.direction, normal), normal)};
    const auto [diffuse, gloss] = lit(next, normal);
    Vector reflected{};
    if (mirror > 0 && bounces > 0) reflected = seen(next, bounces - 1);
    Vector sum;
    for (std::size_t c = 0; c < 3; ++c) {
      sum[c] = (1 - mirror) * (colour[c] * diffuse + gloss / 2) + mirror * reflected[c];
    }
    return sum;
  }

 private:
  static Vector floor_colour(const Point& place) {
    const bool even = std::fmod(std::floor(place[0]) + std::floor(place[2]), 2.0F) == 0;
    return even ? Vector{0.2, 0.3, 0.2} : Vector{0.9, 0.9, 0.8};
  }

  /// The light at the place where the reflected ray starts: diffuse and reflected.
  [[nodiscard]] std::array<double, 2> lit(const Ray& reflected, const Point& normal) const {
    const Point to_light = minus(light_, reflected.origin);
    const float distance = std::sqrt(inner(to_light, to_light));
    const Ray shadow{reflected.origin, times(to_light, 1 / distance)};
    const float slope = inner(normal, shadow.direction);
    const bool dark = std::any_of(balls_.begin(), balls_.end(), [&](const Ball& ball) {
      return way_to(ball, shadow) < distance;
    });
    if (slope <= 0 || dark) return {0.2, 0};
    const double along = inner(reflected.direction, shadow.direction);
    return {0.2 + 0.8 * slope, std::pow(std::max(along, 0.0), 32)};
  }

  std::vector<Ball> balls_;
  Point light_;
};

}  // namespace

// Row-major, four bytes per pixel.
Output traced_image(const std::vector<Input>& inputs) {
  const auto width = static_cast<std::int64_t>(dimension(inputs[1]));
  const auto height = static_cast<std::int64_t>(dimension(inputs[2]));
  const auto light = [&](std::size_t axis) {
    return static_cast<float>(std::get<double>(inputs[3 + axis]));
  };
  const Scene scene(std::get<Reals>(inputs[0]), {light(0), light(1), light(2)});
  const float pixel = 1 / static_cast<float>(height);
  Integers image;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const Point through{static_cast<float>(2 * x + 1 - width) * pixel,
                          static_cast<float>(height - 2 * y - 1) * pixel, 1.5F};
      const Ray ray{{0, 2, -4}, times(through, 1 / std::sqrt(inner(through, through)))};
      for (const double part : scene.seen(ray, kBounces)) {
        image.push_back(std::lround(255 * std::min(part, 1.0)));
      }
      image.push_back(255);
    }
  }
  return image;
}

}  // namespace paws::references
