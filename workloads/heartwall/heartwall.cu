// SPDX-License-Identifier: MIT
// Tracks points of a heart's wall through the frames of an ultrasound recording, one block of 256
// threads per point, one launch per frame. In the first frame a point's surroundings become its
// template. In every later frame the block correlates the template with a window around the point's
// anchor (normalized cross-correlation in the stages of MATLAB's normxcorr2: convolution with the
// rotated template, sums under the template as differences of cumulative sums), and takes the best
// match within max_move pixels of the last position for the new one. Every update_every frames the
// anchor moves to the position and the template blends with the point's new surroundings.
//
// A barrier parts each stage from the next; nearly all of them work on images in global memory,
// which belong to the block. Images are row-major; template and window have odd sides.

#define THREADS 256
#define MAX_TEMPLATE_SIDE 51
#define MAX_CORRELATION_SIDE 131
#define TEMPLATE_RATE 0.1f  // share of the new surroundings in an updated template

struct Settings {
  int frame_width;
  int frames;
  int template_side;
  int window_side;
  int correlation_side;  // window + template - 1
  int padded_side;       // window + 2 * template
  int max_move;
  int update_every;
};

__constant__ Settings settings;

// The block's images.
enum Image {
  kWindow,
  kCorrelation,
  kPadded,      // an image with template_side zeros around it, then its cumulative sums
  kSelected,    // the part of an image that the template has reached
  kColumns,     // the part that it has left, then sums over the columns under the template
  kSums,        // of the window under the template
  kSquares,     // of the window
  kSquareSums,  // under the template, then the correlation's denominator, then the correlation
  kTemplateSquares,
  kMask,     // 1 at the last position
  kMatches,  // the correlation near the last position
  kImages
};

// What belongs to the block's point. In shared memory, which saves every thread the registers.
struct Point {
  int frame;
  const float* frame_pixels;
  int* anchor_row;
  int* anchor_column;
  int* rows;  // one per frame, as are columns and scores
  int* columns;
  float* scores;
  float* pattern;  // the template
  float* images;
};

__device__ __forceinline__ float* image(const Point& point, Image which) {
  return point.images + which * settings.padded_side * settings.padded_side;
}

// to[y][x] = from[y + top][x + left]
__device__ __forceinline__ void select(float* to, const float* from, int rows, int columns,
                                       int from_columns, int top, int left) {
#pragma unroll 1
  for (int i = threadIdx.x; i < rows * columns; i += THREADS) {
    const int y = i / columns;
    const int x = i % columns;
    to[i] = from[(y + top) * from_columns + x + left];
  }
  __syncthreads();
}

// to = from - to
__device__ __forceinline__ void subtract_from(float* to, const float* from, int elements) {
#pragma unroll 1
  for (int i = threadIdx.x; i < elements; i += THREADS) to[i] = from[i] - to[i];
  __syncthreads();
}

// Cumulative sums of `lines` lines of `length` elements, `step` apart.
__device__ __forceinline__ void accumulate(float* values, int lines, int line_step, int length,
                                           int step) {
#pragma unroll 1
  for (int line = threadIdx.x; line < lines; line += THREADS) {
    float* value = values + line * line_step;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < length; ++i) {
      sum += *value;
      *value = sum;
      value += step;
    }
  }
  __syncthreads();
}

__device__ __forceinline__ void square(float* to, const float* from, int elements) {
#pragma unroll 1
  for (int i = threadIdx.x; i < elements; i += THREADS) {
    const float v = from[i];
    to[i] = v * v;
  }
  __syncthreads();
}

// Sums of an image of the window's size under the template, wherever the two overlap.
__device__ __forceinline__ void sums_under_template(const Point& point, Image to, Image from) {
  {
    const int margin = settings.template_side;
    float* padded = image(point, kPadded);
    const float* inner = image(point, from);
#pragma unroll 1
    for (int i = threadIdx.x; i < settings.padded_side * settings.padded_side; i += THREADS) {
      const int y = i / settings.padded_side - margin;
      const int x = i % settings.padded_side - margin;
      float v = 0.0f;
      if (y >= 0 && y < settings.window_side && x >= 0 && x < settings.window_side) {
        v = inner[y * settings.window_side + x];
      }
      padded[i] = v;
    }
    __syncthreads();
  }

  // Along the columns: what the template has reached less what it has left behind.
  accumulate(image(point, kPadded), settings.padded_side, 1, settings.padded_side,
             settings.padded_side);
  select(image(point, kSelected), image(point, kPadded), settings.correlation_side,
         settings.padded_side, settings.padded_side, settings.template_side, 0);
  select(image(point, kColumns), image(point, kPadded), settings.correlation_side,
         settings.padded_side, settings.padded_side, 0, 0);
  subtract_from(image(point, kColumns), image(point, kSelected),
                settings.correlation_side * settings.padded_side);

  // Along the rows.
  accumulate(image(point, kColumns), settings.correlation_side, settings.padded_side,
             settings.padded_side, 1);
  select(image(point, kSelected), image(point, kColumns), settings.correlation_side,
         settings.correlation_side, settings.padded_side, 0, settings.template_side);
  select(image(point, to), image(point, kColumns), settings.correlation_side,
         settings.correlation_side, settings.padded_side, 0, 0);
  subtract_from(image(point, to), image(point, kSelected),
                settings.correlation_side * settings.correlation_side);
}

// The sum of each row of a square image.
__device__ __forceinline__ void sum_rows(float* sums, const float* values, int side) {
#pragma unroll 1
  for (int y = threadIdx.x; y < side; y += THREADS) {
    float sum = 0.0f;
#pragma unroll 1
    for (int x = 0; x < side; ++x) sum += values[y * side + x];
    sums[y] = sum;
  }
  __syncthreads();
}

__device__ __forceinline__ float sum_of(const float* values, int count) {
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

// One element of the full convolution of the window with the rotated template.
__device__ __forceinline__ float convolved(const float* window, const float* rotated, int y,
                                           int x) {
  const int first_y = max(0, y - settings.template_side + 1);
  const int first_x = max(0, x - settings.template_side + 1);
  const int overlap_y = min(settings.window_side - 1, y) - first_y + 1;
  const int overlap_x = min(settings.window_side - 1, x) - first_x + 1;
  const float* from_window = window + first_y * settings.window_side + first_x;
  const float* from_template = rotated + (y - first_y) * settings.template_side + x - first_x;
  float sum = 0.0f;
#pragma unroll 1
  for (int wy = 0; wy < overlap_y; ++wy) {
#pragma unroll 1
    for (int wx = 0; wx < overlap_x; ++wx) sum += *from_window++ * *from_template--;
    from_window += settings.window_side - overlap_x;
    from_template -= settings.template_side - overlap_x;
  }
  return sum;
}

// The same of the mask with a square of ones around its element (y, x).
__device__ __forceinline__ float widened(const float* mask, int y, int x) {
  const int first_y = max(0, y - settings.max_move);
  const int first_x = max(0, x - settings.max_move);
  const int overlap_y = min(settings.correlation_side - 1, y + settings.max_move) - first_y + 1;
  const int overlap_x = min(settings.correlation_side - 1, x + settings.max_move) - first_x + 1;
  const float* mask_row = mask + first_y * settings.correlation_side + first_x;
  float sum = 0.0f;
#pragma unroll 1
  for (int my = 0; my < overlap_y; ++my) {
#pragma unroll 1
    for (int mx = 0; mx < overlap_x; ++mx) sum += mask_row[mx];
    mask_row += settings.correlation_side;
  }
  return sum;
}

// anchor_rows, anchor_columns: per point. rows, columns, scores: for each point one per frame,
// position and correlation found. templates: template_side squared per point. work: kImages times
// padded_side squared per point.
__global__ void __launch_bounds__(256, 4)
    heartwall(const float* frame_pixels, int frame, int* anchor_rows, int* anchor_columns,
              int* rows, int* columns, float* scores, float* templates, float* work) {
  __shared__ float rotated[MAX_TEMPLATE_SIDE * MAX_TEMPLATE_SIDE];
  __shared__ float row_sums[MAX_TEMPLATE_SIDE];
  __shared__ float row_square_sums[MAX_TEMPLATE_SIDE];
  __shared__ float row_best[MAX_CORRELATION_SIDE];
  __shared__ int row_best_at[MAX_CORRELATION_SIDE];
  __shared__ float template_sum;
  __shared__ float template_square_sum;
  __shared__ float template_norm;
  __shared__ Point point;
  const int thread = threadIdx.x;

  if (thread == 0) {
    const int index = blockIdx.x;
    point.frame = frame;
    point.frame_pixels = frame_pixels;
    point.anchor_row = anchor_rows + index;
    point.anchor_column = anchor_columns + index;
    point.rows = rows + index * settings.frames;
    point.columns = columns + index * settings.frames;
    point.scores = scores + index * settings.frames;
    point.pattern = templates + index * settings.template_side * settings.template_side;
    point.images = work + index * kImages * settings.padded_side * settings.padded_side;
  }
  __syncthreads();

  if (frame == 0) {
    if (thread == 0) {
      point.rows[0] = *point.anchor_row;
      point.columns[0] = *point.anchor_column;
    }
    const int side = settings.template_side;
    const int top = *point.anchor_row - side / 2;
    const int left = *point.anchor_column - side / 2;
    float* pattern = point.pattern;
#pragma unroll 1
    for (int i = thread; i < side * side; i += THREADS) {
      const int y = i / side;
      const int x = i % side;
      pattern[i] = point.frame_pixels[(top + y) * settings.frame_width + left + x];
    }
    return;
  }

  // The window.
  {
    const int side = settings.window_side;
    select(image(point, kWindow), point.frame_pixels, side, side, settings.frame_width,
           *point.anchor_row - side / 2, *point.anchor_column - side / 2);
  }

  // The template by half a turn, so that convolution is correlation.
  {
    const int area = settings.template_side * settings.template_side;
    const float* pattern = point.pattern;
#pragma unroll 1
    for (int i = thread; i < area; i += THREADS) rotated[i] = pattern[area - 1 - i];
    __syncthreads();
  }

  // Full convolution of window and template.
  {
    const float* window = image(point, kWindow);
    float* correlation = image(point, kCorrelation);
#pragma unroll 1
    for (int i = thread; i < settings.correlation_side * settings.correlation_side; i += THREADS) {
      correlation[i] =
          convolved(window, rotated, i / settings.correlation_side, i % settings.correlation_side);
    }
    __syncthreads();
  }

  // Sums of the window and of its squares.
  sums_under_template(point, kSums, kWindow);
  square(image(point, kSquares), image(point, kWindow),
         settings.window_side * settings.window_side);
  sums_under_template(point, kSquareSums, kSquares);

  // The window's part of the denominator: the root of its variance times the template's area.
  {
    const int side = settings.correlation_side;
    const float area = (float)(settings.template_side * settings.template_side);
    const float* sums = image(point, kSums);
    float* square_sums = image(point, kSquareSums);
#pragma unroll 1
    for (int i = thread; i < side * side; i += THREADS) {
      const float sum = sums[i];
      square_sums[i] = sqrtf(fmaxf(square_sums[i] - sum * sum / area, 0.0f));
    }
    __syncthreads();
  }

  // The template's part.
  square(image(point, kTemplateSquares), point.pattern,
         settings.template_side * settings.template_side);
  sum_rows(row_sums, point.pattern, settings.template_side);
  sum_rows(row_square_sums, image(point, kTemplateSquares), settings.template_side);
  if (thread == 0) template_sum = sum_of(row_sums, settings.template_side);
  if (thread == 1) template_square_sum = sum_of(row_square_sums, settings.template_side);
  __syncthreads();
  if (thread == 0) {
    const float area = (float)(settings.template_side * settings.template_side);
    const float mean = template_sum / area;
    template_norm = sqrtf(fmaxf(template_square_sum - template_sum * mean, 0.0f));
  }
  __syncthreads();

  // Denominator.
  {
    const int side = settings.correlation_side;
    float* square_sums = image(point, kSquareSums);
#pragma unroll 1
    for (int i = thread; i < side * side; i += THREADS) square_sums[i] *= template_norm;
    __syncthreads();
  }

  // Numerator.
  {
    const int side = settings.correlation_side;
    const float area = (float)(settings.template_side * settings.template_side);
    const float* sums = image(point, kSums);
    float* correlation = image(point, kCorrelation);
#pragma unroll 1
    for (int i = thread; i < side * side; i += THREADS) {
      correlation[i] -= sums[i] * template_sum / area;
    }
    __syncthreads();
  }

  // Correlation coefficients; none where the window is flat.
  {
    const int side = settings.correlation_side;
    const float* correlation = image(point, kCorrelation);
    float* coefficients = image(point, kSquareSums);
#pragma unroll 1
    for (int i = thread; i < side * side; i += THREADS) {
      const float numerator = correlation[i];
      const float denominator = coefficients[i];
      coefficients[i] = denominator > 0.0f ? numerator / denominator : 0.0f;
    }
    __syncthreads();
  }

  // The mask starts from the last position.
  {
    const int side = settings.correlation_side;
    const int centre = (settings.window_side + settings.template_side) / 2 - 1;
    const int last_y = centre + point.rows[point.frame - 1] - *point.anchor_row;
    const int last_x = centre + point.columns[point.frame - 1] - *point.anchor_column;
    float* mask = image(point, kMask);
#pragma unroll 1
    for (int i = thread; i < side * side; i += THREADS) {
      mask[i] = i == last_y * side + last_x ? 1.0f : 0.0f;
    }
    __syncthreads();
  }

  // Convolved with a square of ones, it passes what is near.
  {
    const float* mask = image(point, kMask);
    const float* coefficients = image(point, kSquareSums);
    float* matches = image(point, kMatches);
#pragma unroll 1
    for (int i = thread; i < settings.correlation_side * settings.correlation_side; i += THREADS) {
      const float passed =
          widened(mask, i / settings.correlation_side, i % settings.correlation_side);
      matches[i] = passed * coefficients[i];
    }
    __syncthreads();
  }

  // The best match of each row, then of all.
  {
    const int side = settings.correlation_side;
    const float* matches = image(point, kMatches);
#pragma unroll 1
    for (int y = thread; y < side; y += THREADS) {
      float best = 0.0f;
      int best_at = 0;
#pragma unroll 1
      for (int x = 0; x < side; ++x) {
        const float match = matches[y * side + x];
        if (match > best) {
          best = match;
          best_at = x;
        }
      }
      row_best[y] = best;
      row_best_at[y] = best_at;
    }
    __syncthreads();
  }
  if (thread == 0) {
    const int side = settings.correlation_side;
    const int centre = (settings.window_side + settings.template_side) / 2 - 1;
    int best_y = 0;
#pragma unroll 1
    for (int y = 1; y < side; ++y) {
      if (row_best[y] > row_best[best_y]) best_y = y;
    }
    point.rows[point.frame] = *point.anchor_row + best_y - centre;
    point.columns[point.frame] = *point.anchor_column + row_best_at[best_y] - centre;
    point.scores[point.frame] = row_best[best_y];
  }
  __syncthreads();

  // Anchor and template follow.
  if (point.frame % settings.update_every == 0) {
    if (thread == 0) {
      *point.anchor_row = point.rows[point.frame];
      *point.anchor_column = point.columns[point.frame];
    }
    const int side = settings.template_side;
    const int top = point.rows[point.frame] - side / 2;
    const int left = point.columns[point.frame] - side / 2;
    float* pattern = point.pattern;
#pragma unroll 1
    for (int i = thread; i < side * side; i += THREADS) {
      const int y = i / side;
      const int x = i % side;
      pattern[i] = (1.0f - TEMPLATE_RATE) * pattern[i] +
                   TEMPLATE_RATE * point.frame_pixels[(top + y) * settings.frame_width + left + x];
    }
  }
}
