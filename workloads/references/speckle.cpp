// SPDX-License-Identifier: MIT
// Speckle reducing anisotropic diffusion: Yu and Acton, "Speckle Reducing Anisotropic Diffusion",
// IEEE Transactions on Image Processing 11(11), 2002. Images are column-major; their edges repeat.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {

namespace {

class Image {
 public:
  Image(const Input& pixels, const Input& rows)
      : pixels_(std::get<Reals>(pixels)), rows_(static_cast<std::int64_t>(dimension(rows))) {
    columns_ = static_cast<std::int64_t>(pixels_.size()) / rows_;
    if (pixels_.empty() || rows_ * columns_ != static_cast<std::int64_t>(pixels_.size())) {
      throw std::invalid_argument("the image's last column is incomplete");
    }
  }

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] double at(std::int64_t row, std::int64_t column) const {
    return pixels_[static_cast<std::size_t>(std::clamp<std::int64_t>(column, 0, columns_ - 1) *
                                                rows_ +
                                            std::clamp<std::int64_t>(row, 0, rows_ - 1))];
  }

  /// f(row, column) of every pixel.
  template <typename F>
  [[nodiscard]] Reals map(F f) const {
    Reals out;
    out.reserve(pixels_.size());
    for (std::int64_t column = 0; column < columns_; ++column) {
      for (std::int64_t row = 0; row < rows_; ++row) out.push_back(f(row, column));
    }
    return out;
  }

  /// Variance over squared mean: the speckle of a homogeneous region.
  [[nodiscard]] double speckle() const {
    double sum = 0;
    double squares = 0;
    for (const double value : pixels_) {
      sum += value;
      squares += value * value;
    }
    const double mean = sum / static_cast<double>(pixels_.size());
    return (squares / static_cast<double>(pixels_.size()) - mean * mean) / (mean * mean);
  }

 private:
  const Reals& pixels_;
  std::int64_t rows_, columns_;
};

// Equations 31 to 35 with `speckle` as the square of q0.
Reals coefficients(const Image& image, double speckle) {
  if (!(speckle > 0)) throw std::invalid_argument("there is no speckle");
  return image.map([&](std::int64_t row, std::int64_t column) {
    const double here = image.at(row, column);
    double gradient = 0;
    double laplacian = 0;
    for (const double there : {image.at(row - 1, column), image.at(row + 1, column),
                               image.at(row, column - 1), image.at(row, column + 1)}) {
      gradient += std::pow((there - here) / here, 2);
      laplacian += (there - here) / here;
    }
    const double variation = (0.5 * gradient - laplacian * laplacian / 16) /
                             std::pow(1 + 0.25 * laplacian, 2);  // squared
    const double excess = (variation - speckle) / (speckle * (1 + speckle));
    return std::clamp(1 / (1 + excess), 0.0, 1.0);
  });
}

}  // namespace

// A bright disc on a darker ground, times a noise whose mean is 1.
Output speckled_image(const std::vector<Input>& inputs) {
  const auto rows = dimension(inputs[0]);
  const auto columns = dimension(inputs[1]);
  Uniform uniform(std::get<std::int64_t>(inputs[2]));
  Reals image;
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) {
      const double x = static_cast<double>(column) / static_cast<double>(columns) - 0.5;
      const double y = static_cast<double>(row) / static_cast<double>(rows) - 0.5;
      const double reflects = x * x + y * y < 0.1 ? 2.0 : 1.0;
      double noise = 0;  // of four looks, each the square of an amplitude
      for (int look = 0; look < 4; ++look) noise += std::pow(uniform(0, 1), 2) * 0.75;
      image.push_back(reflects * (noise + 0.05) / 1.05);
    }
  }
  return image;
}

// The neighbour in a direction minus the pixel.
Output image_derivative(const std::vector<Input>& inputs) {
  const Image image(inputs[0], inputs[1]);
  const auto rows = std::get<std::int64_t>(inputs[2]);
  const auto columns = std::get<std::int64_t>(inputs[3]);
  return image.map([&](std::int64_t row, std::int64_t column) {
    return image.at(row + rows, column + columns) - image.at(row, column);
  });
}

// With the speckle of the whole image.
Output diffusion_coefficient(const std::vector<Input>& inputs) {
  const Image image(inputs[0], inputs[1]);
  return coefficients(image, image.speckle());
}

Output diffusion_coefficient_for(const std::vector<Input>& inputs) {
  return coefficients(Image(inputs[0], inputs[1]), std::get<double>(inputs[2]));
}

// The flow to the north and west uses the pixel's coefficient, to the south and east the
// neighbour's.
Output diffused_image(const std::vector<Input>& inputs) {
  const Image image(inputs[0], inputs[2]);
  const Image coefficient(inputs[1], inputs[2]);
  if (image.columns() != coefficient.columns()) {
    throw std::invalid_argument("image and coefficient differ in size");
  }
  const double step = std::get<double>(inputs[3]);
  return image.map([&](std::int64_t row, std::int64_t column) {
    const auto towards = [&](std::int64_t r, std::int64_t c) {
      return image.at(r, c) - image.at(row, column);
    };
    const double c = coefficient.at(row, column);
    const double divergence = c * (towards(row - 1, column) + towards(row, column - 1)) +
                              coefficient.at(row + 1, column) * towards(row + 1, column) +
                              coefficient.at(row, column + 1) * towards(row, column + 1);
    return image.at(row, column) + step / 4 * divergence;
  });
}

}  // namespace paws::references
