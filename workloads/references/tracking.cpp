// SPDX-License-Identifier: MIT
// Template tracking in a moving scene, by the definition of the correlation coefficient.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

constexpr double kOverlay = 0.5;       ///< value of the pixels that do not move
constexpr double kTemplateRate = 0.1;  ///< share of the new surroundings in an updated template

struct Tracks {
  Integers rows, columns;  ///< per point one for each frame
  Reals scores;            ///< likewise; 0 for the first frame
  Reals templates;
};

/// A frame's pixels, with bounds: a part of the scene, under an overlay that does not move.
class Frame {
 public:
  Frame(const Reals& scene, std::size_t first, std::int64_t width, std::int64_t height,
        std::size_t overlay_every)
      : scene_(scene),
        first_(first),
        width_(width),
        height_(height),
        overlay_every_(overlay_every) {}

  /// The square of pixels around one, row by row.
  [[nodiscard]] Reals around(std::int64_t row, std::int64_t column, std::int64_t side) const {
    const std::int64_t reach = side / 2;
    if (row < reach || column < reach || row + reach >= height_ || column + reach >= width_) {
      throw std::invalid_argument("a point is too near to the border of a frame");
    }
    Reals patch;
    for (std::int64_t y = row - reach; y <= row + reach; ++y) {
      for (std::int64_t x = column - reach; x <= column + reach; ++x) {
        const auto i = static_cast<std::size_t>(y * width_ + x);
        patch.push_back(i % overlay_every_ == 0 ? kOverlay : scene_[first_ + i]);
      }
    }
    return patch;
  }

 private:
  const Reals& scene_;
  std::size_t first_;
  std::int64_t width_, height_;
  std::size_t overlay_every_;
};

double mean(const Reals& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Pearson's correlation coefficient; 0 where either is constant.
double correlation(const Reals& a, const Reals& b) {
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

Tracks track(const std::vector<Input>& inputs) {
  const auto& scene = std::get<Reals>(inputs[0]);
  const auto& anchor_rows = std::get<Integers>(inputs[1]);
  const auto& anchor_columns = std::get<Integers>(inputs[2]);
  const auto width = static_cast<std::int64_t>(dimension(inputs[3]));
  const auto height = static_cast<std::int64_t>(dimension(inputs[4]));
  const auto move = dimension(inputs[5]);
  const auto frames = dimension(inputs[6]);
  const auto template_side = static_cast<std::int64_t>(dimension(inputs[7]));
  const auto window_side = static_cast<std::int64_t>(dimension(inputs[8]));
  const auto max_move = static_cast<std::int64_t>(dimension(inputs[9]));
  const auto update_every = dimension(inputs[10]);
  const auto overlay_every = dimension(inputs[11]);
  const std::size_t points = anchor_rows.size();
  if (anchor_columns.size() != points) throw std::invalid_argument("a point has no column or row");
  if (template_side % 2 == 0 || window_side % 2 == 0) throw std::invalid_argument("a side is even");
  if (scene.size() != static_cast<std::size_t>(width * height) + (frames - 1) * move) {
    throw std::invalid_argument("the scene does not hold the frames");
  }
  const auto frame_at = [&](std::size_t number) {
    return Frame(scene, (frames - 1 - number) * move, width, height, overlay_every);
  };

  Tracks tracks;
  for (std::size_t point = 0; point < points; ++point) {
    std::int64_t anchor_row = anchor_rows[point];
    std::int64_t anchor_column = anchor_columns[point];
    std::int64_t row = anchor_row;
    std::int64_t column = anchor_column;
    double score = 0;
    Reals pattern = frame_at(0).around(row, column, template_side);
    for (std::size_t number = 0; number < frames; ++number) {
      if (number != 0) {
        const Frame frame = frame_at(number);
        const std::int64_t reach = (window_side - template_side) / 2 - max_move;
        if (std::abs(row - anchor_row) > reach || std::abs(column - anchor_column) > reach) {
          throw std::invalid_argument("a point may leave its window");
        }
        const std::int64_t last_row = row;
        const std::int64_t last_column = column;
        score = 0;
        for (std::int64_t y = last_row - max_move; y <= last_row + max_move; ++y) {
          for (std::int64_t x = last_column - max_move; x <= last_column + max_move; ++x) {
            const double match = correlation(pattern, frame.around(y, x, template_side));
            if (match <= score) continue;
            score = match;
            row = y;
            column = x;
          }
        }
        if (number % update_every == 0) {
          anchor_row = row;
          anchor_column = column;
          const Reals now = frame.around(row, column, template_side);
          for (std::size_t i = 0; i < pattern.size(); ++i) {
            pattern[i] = (1 - kTemplateRate) * pattern[i] + kTemplateRate * now[i];
          }
        }
      }
      tracks.rows.push_back(row);
      tracks.columns.push_back(column);
      tracks.scores.push_back(score);
    }
    tracks.templates.insert(tracks.templates.end(), pattern.begin(), pattern.end());
  }
  return tracks;
}

}  // namespace

Output tracked_rows(const std::vector<Input>& inputs) { return track(inputs).rows; }
Output tracked_columns(const std::vector<Input>& inputs) { return track(inputs).columns; }
Output tracking_scores(const std::vector<Input>& inputs) { return track(inputs).scores; }
Output tracking_templates(const std::vector<Input>& inputs) { return track(inputs).templates; }

}  // namespace paws::references
