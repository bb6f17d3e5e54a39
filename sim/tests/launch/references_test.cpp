// SPDX-License-Identifier: MIT
#include "workloads/references/references.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace paws::references {
namespace {

Output call(const std::string& name, const std::vector<Input>& inputs) {
  return find(name)->function(inputs);
}

TEST(References, AreListedByName) {
  EXPECT_TRUE(std::is_sorted(all().begin(), all().end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  EXPECT_EQ(find("absent"), nullptr);
}

TEST(References, Vectors) {
  EXPECT_EQ(call("vectoradd", {Reals{1, 2}, Reals{0.5, -2}}), Output(Reals{1.5, 0}));
  EXPECT_EQ(call("saxpy", {2.0, Reals{1, 2}, Reals{0.5, -2}}), Output(Reals{2.5, 2}));
  EXPECT_EQ(call("sum", {Reals{1e18, 1, -1e18}}), Output(Reals{1}));
  EXPECT_THROW(call("saxpy", {2.0, Reals{1, 2}, Reals{0.5}}), std::invalid_argument);
}

TEST(References, Matmul) {
  const Reals a{1, 2, 3, 4, 5, 6};  // 2 x 3
  const Reals b{1, 0, 0, 1, 1, 1};  // 3 x 2
  EXPECT_EQ(call("matmul", {a, b, std::int64_t{2}, std::int64_t{3}, std::int64_t{2}}),
            Output(Reals{4, 5, 10, 11}));
  EXPECT_THROW(call("matmul", {a, b, std::int64_t{2}, std::int64_t{2}, std::int64_t{2}}),
               std::invalid_argument);
}

TEST(References, DimensionsArePositive) {
  const Reals four(4);
  const std::int64_t negative = -2;
  EXPECT_THROW(call("matmul", {four, four, negative, negative, negative}), std::invalid_argument);
  EXPECT_THROW(call("lu", {four, negative}), std::invalid_argument);
  EXPECT_THROW(call("heat", {four, four, negative, negative, std::int64_t{1}, 0.0, 0.0, 0.0}),
               std::invalid_argument);
}

TEST(References, LuTimesBackGivesTheMatrix) {
  const Reals matrix{4, 3, 2, 8, 10, 7, 2, 9, 30};
  const auto lu = std::get<Reals>(call("lu", {matrix, std::int64_t{3}}));
  EXPECT_EQ(lu, (Reals{4, 3, 2, 2, 4, 3, 0.5, 1.875, 23.375}));
  EXPECT_THROW(call("lu", {Reals{0, 1, 1, 0}, std::int64_t{2}}), std::invalid_argument);
  EXPECT_THROW(call("lu", {matrix, std::int64_t{2}}), std::invalid_argument);
  EXPECT_EQ(std::get<Reals>(call("partial_lu", {matrix, std::int64_t{3}, std::int64_t{3}})), lu);
  // A first column alone: 2 and 0.5 times the first row are subtracted from the others.
  EXPECT_EQ(std::get<Reals>(call("partial_lu", {matrix, std::int64_t{3}, std::int64_t{1}})),
            (Reals{4, 3, 2, 2, 4, 3, 0.5, 7.5, 29}));
  EXPECT_THROW(call("partial_lu", {matrix, std::int64_t{3}, std::int64_t{4}}),
               std::invalid_argument);
}

TEST(References, ByteHistogram) {
  const auto bins = std::get<Integers>(call("byte_histogram", {Integers{0x00ff0102, 0x02020202}}));
  ASSERT_EQ(bins.size(), 256U);
  EXPECT_EQ(bins[0], 1);
  EXPECT_EQ(bins[1], 1);
  EXPECT_EQ(bins[2], 5);
  EXPECT_EQ(bins[255], 1);
}

TEST(References, BfsDistance) {
  // 0 -> 1, 2; 1 -> 3; 3 -> 0; 4 is not reached. Room for two edges each.
  const Integers first{0, 2, 4, 6, 8};
  const Integers degree{2, 1, 0, 1, 0};
  const Integers edges{1, 2, 3, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(call("bfs_distance", {first, degree, edges, std::int64_t{0}}),
            Output(Integers{0, 1, 1, 2, -1}));
  EXPECT_EQ(call("bfs_distance", {first, degree, edges, std::int64_t{3}}),
            Output(Integers{1, 2, 2, 0, -1}));
  EXPECT_THROW(call("bfs_distance", {first, degree, edges, std::int64_t{5}}),
               std::invalid_argument);
  EXPECT_THROW(call("bfs_distance", {first, degree, Integers{1, 9, 3}, std::int64_t{0}}),
               std::invalid_argument);
}

TEST(References, Heat) {
  const auto step = [](const Reals& now, const Reals& power, double flow, double loss) {
    return call("heat",
                {now, power, std::int64_t{2}, std::int64_t{2}, std::int64_t{1}, flow, loss, 1.0});
  };
  const Reals none(4);
  // Heat flows to the two neighbours and is kept in sum; the edges are closed.
  EXPECT_EQ(step({8, 0, 0, 0}, none, 0.25, 0), Output(Reals{4, 2, 2, 0}));
  EXPECT_EQ(step({8, 8, 8, 8}, {1, 0, 0, 0}, 0.25, 0), Output(Reals{9, 8, 8, 8}));
  EXPECT_EQ(step({9, 1, 1, 1}, none, 0, 0.5), Output(Reals{5, 1, 1, 1}));
  EXPECT_THROW(step({1}, none, 0, 0), std::invalid_argument);
}

TEST(References, Haar) {
  const Reals signal{4, 2, 5, 5, 0, 8, 1, 1};
  const auto check = [&](std::int64_t levels, const Reals& expected) {
    const auto wavelet = std::get<Reals>(call("haar", {signal, levels}));
    ASSERT_EQ(wavelet.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(wavelet[i], expected[i], 1e-12);
  };
  const double root = std::sqrt(2.0);
  check(0, signal);
  check(1, {6 / root, 10 / root, 8 / root, 2 / root, 2 / root, 0, -8 / root, 0});
  check(2, {8, 5, -2, 3, 2 / root, 0, -8 / root, 0});
  check(3, {13 / root, 3 / root, -2, 3, 2 / root, 0, -8 / root, 0});
  EXPECT_THROW(call("haar", {signal, std::int64_t{4}}), std::invalid_argument);
  EXPECT_THROW(call("haar", {signal, std::int64_t{-1}}), std::invalid_argument);
}

TEST(References, LayerSums) {
  // Two input units per block, one hidden unit; row and column 0 are the bias units'.
  const Reals input{1, 2, 3, 4, 5};
  const Reals weights{9, 9, 9, 1, 9, 10, 9, 100, 9, 1000};
  const std::int64_t hidden = 1;
  const auto call_with = [&](const std::string& name, std::int64_t height) {
    return call(name, {input, weights, hidden, height});
  };
  EXPECT_EQ(call_with("layer_partial_sums", 2), Output(Reals{32, 5400}));
  EXPECT_EQ(call_with("layer_partial_sums", 4), Output(Reals{5432}));
  EXPECT_EQ(call_with("layer_paired_products", 4),
            Output(Reals{9, 9, 9, 5432, 9, 30, 9, 5400, 9, 5000}));
  EXPECT_THROW(call_with("layer_partial_sums", 3), std::invalid_argument);
}

TEST(References, WeightChanges) {
  const Reals delta{7, 2};
  const Reals input{5, 3};  // unit 0 is a bias unit and counts as 1
  const Reals last{8, 8, 8, 4};
  EXPECT_EQ(call("weight_changes", {delta, input, last, 0.5, 0.25}), Output(Reals{8, 3, 8, 4}));
  EXPECT_EQ(call("adjusted_weights", {delta, input, Reals{1, 1, 1, 1}, last, 0.5, 0.25}),
            Output(Reals{1, 4, 1, 5}));
  EXPECT_THROW(call("weight_changes", {delta, input, Reals{1}, 0.5, 0.25}), std::invalid_argument);
}

TEST(References, BtreeSearches) {
  // A root of two leaves of two keys: 10, 20 and 30, 40; every level ends with its bound.
  const Integers keys{10, 30, 99, 10, 20, 30, 40, 99};
  const Integers child{3, 5, 0, 0, 1, 2, 3, 0};
  const std::int64_t two = 2;
  EXPECT_EQ(call("btree_values", {keys, child, two, two, Integers{7, 8, 9, 6},
                                  Integers{20, 0, 0, -1, 35, 0, 0, -1, 5, 0, 0, -1}}),
            Output(Integers{20, 3, 3, 8, 35, 5, 5, -1, 5, 0, 0, -1}));
  EXPECT_EQ(call("btree_ranges", {keys, child, two, two, Integers{20, 40, 0, 0, 0, 0, 0, 0}}),
            Output(Integers{20, 40, 3, 3, 5, 5, 1, 3}));
  EXPECT_THROW(call("btree_ranges", {keys, Integers{1}, two, two, Integers(8)}),
               std::invalid_argument);
}

TEST(References, ClusteredPoints) {
  const std::int64_t points = 50;
  const std::int64_t features = 4;
  const std::int64_t clusters = 3;
  const auto make = [&](std::int64_t seed) {
    return std::get<Reals>(call("clustered_points", {points, features, clusters, seed}));
  };
  const Reals values = make(7);
  ASSERT_EQ(values.size(), 200U);
  EXPECT_EQ(values, make(7));
  EXPECT_NE(values, make(8));
  for (const double value : values) {
    EXPECT_EQ(value, std::floor(value));
    EXPECT_TRUE(0 <= value && value <= 255) << value;
  }
  const auto first = std::get<Reals>(
      call("initial_centres", {std::int64_t{2}, features, clusters, std::int64_t{7}}));
  ASSERT_EQ(first.size(), 8U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(first[i], values[i * 50]);
    EXPECT_EQ(first[4 + i], values[i * 50 + 1]);
  }
}

TEST(References, NearestCentre) {
  // Points (0, 0), (5, 0), (9, 9); centres (0, 1), (9, 8), (0, 1).
  const Reals points{0, 5, 9, 0, 0, 9};
  const Reals centres{0, 1, 9, 8, 0, 1};
  EXPECT_EQ(call("nearest_centre", {points, centres, std::int64_t{2}, std::int64_t{3}}),
            Output(Integers{0, 0, 1}));
  EXPECT_THROW(call("nearest_centre", {points, centres, std::int64_t{2}, std::int64_t{4}}),
               std::invalid_argument);
}

TEST(References, SparseMatrices) {
  using I = std::int64_t;
  const Input rows = std::get<Integers>(call("irregular_rows", {I{200}, I{4000}, I{8}, I{1}}));
  const auto& first = std::get<Integers>(rows);
  ASSERT_EQ(first.size(), 201U);
  EXPECT_EQ(first.front(), 0);
  EXPECT_EQ(first.back(), 4000);
  Integers lengths(first.size());
  std::adjacent_difference(first.begin(), first.end(), lengths.begin());
  const auto [shortest, longest] = std::minmax_element(lengths.begin() + 1, lengths.end());
  EXPECT_GT(*longest, 4 * *shortest);
  EXPECT_LE(*longest - 1, 8 * (*shortest + 1));

  const auto column = std::get<Integers>(call("irregular_columns", {rows, I{100000}, I{10}, I{1}}));
  ASSERT_EQ(column.size(), 4000U);
  int near = 0;
  for (std::size_t row = 0; row < 200; ++row) {
    EXPECT_TRUE(std::is_sorted(column.begin() + first[row], column.begin() + first[row + 1]));
    for (I i = first[row]; i < first[row + 1]; ++i) {
      const I there = column[static_cast<std::size_t>(i)];
      EXPECT_TRUE(there >= 0 && there < 100000) << there;
      near += std::abs(there - static_cast<I>(row) * 500) <= 10;
    }
  }
  EXPECT_NEAR(near, 2000, 150);

  // 2 0 3
  // 0 0 0
  // 0 5 0
  const Integers small{0, 2, 2, 3};
  const Integers columns{0, 2, 1};
  const Reals values{2, 3, 5};
  EXPECT_EQ(call("sparse_product", {small, columns, values, Reals{1, 10, 100}}),
            Output(Reals{302, 0, 50}));
  EXPECT_EQ(call("ell_columns", {small, columns, I{2}}), Output(Integers{0, -1, 1, 2, -1, -1}));
  EXPECT_EQ(call("ell_values", {small, values, I{2}}), Output(Reals{2, 0, 5, 3, 0, 0}));
  EXPECT_THROW(call("ell_values", {small, values, I{1}}), std::invalid_argument);
  EXPECT_THROW(call("sparse_product", {small, columns, values, Reals{1, 10}}),
               std::invalid_argument);
  EXPECT_THROW(call("sparse_product", {Integers{0, 2}, columns, values, Reals(3)}),
               std::invalid_argument);
}

TEST(References, SortByDigit) {
  using I = std::int64_t;
  const Integers keys{0x12, 0x21, 0x11, 0x22, 0x10};
  const std::vector<Input> digits{keys, I{4}, I{2}, I{2}};  // three tiles
  EXPECT_EQ(call("digit_counts", digits), Output(Integers{0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(call("digit_offsets", digits), Output(Integers{0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 5}));
  EXPECT_EQ(call("sorted_by_digit", {keys, keys, I{4}, I{4}}),
            Output(Integers{0x12, 0x11, 0x10, 0x21, 0x22}));
  EXPECT_EQ(call("sorted_by_digit", {keys, Integers{0, 1, 2, 3, 4}, I{4}, I{4}}),
            Output(Integers{0, 2, 4, 1, 3}));
  EXPECT_THROW(call("sorted_by_digit", {keys, Integers{0}, I{4}, I{4}}), std::invalid_argument);
  EXPECT_THROW(call("digit_counts", {keys, I{30}, I{4}, I{2}}), std::invalid_argument);
  EXPECT_EQ(call("prefix_sums", {Integers{3, 0, -1}}), Output(Integers{3, 3, 2}));
}

TEST(References, Joins) {
  Integers numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  auto keys = std::get<Integers>(call("distinct_keys", {numbers}));
  EXPECT_FALSE(std::is_sorted(keys.begin(), keys.end()));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
  EXPECT_TRUE(keys.front() >= 0 && keys.back() < std::int64_t{1} << 31);

  const std::int64_t absent = -1;
  EXPECT_EQ(call("joined_values", {Integers{7, 5}, Integers{70, 50}, Integers{5, 6, 7}, absent}),
            Output(Integers{50, -1, 70}));
  EXPECT_THROW(call("joined_values", {Integers{7, 7}, Integers{70, 50}, Integers{}, absent}),
               std::invalid_argument);
}

TEST(References, Embeddings) {
  using I = std::int64_t;
  const auto tokens = std::get<Integers>(call("zipf_tokens", {I{20000}, I{100}, I{1}}));
  ASSERT_EQ(tokens.size(), 20000U);
  EXPECT_TRUE(std::all_of(tokens.begin(), tokens.end(), [](I i) { return i >= 0 && i < 100; }));
  const auto times = [&](I word) { return std::count(tokens.begin(), tokens.end(), word); };
  EXPECT_NEAR(static_cast<double>(times(0)), 20000 / 5.187, 200);  // sum of 1 / r up to 100
  EXPECT_NEAR(static_cast<double>(times(9)), 2000 / 5.187, 60);

  const Reals table{1, 2, 3, 4};
  EXPECT_EQ(call("table_rows", {table, Integers{1, 0, 1}, I{2}}), Output(Reals{3, 4, 1, 2, 3, 4}));
  EXPECT_THROW(call("table_rows", {table, Integers{2}, I{2}}), std::invalid_argument);
  EXPECT_EQ(call("table_gradient", {Reals{1, 2, 3, 4, 5, 6}, Integers{2, 0, 2}, I{2}, I{3}}),
            Output(Reals{3, 4, 0, 0, 6, 8}));
  EXPECT_THROW(call("table_gradient", {table, Integers{0}, I{2}, I{3}}), std::invalid_argument);
}

TEST(References, AdamW) {
  using I = std::int64_t;
  EXPECT_EQ(call("moving_mean", {Reals{8, 0}, Reals{0, 4}, 0.5, I{2}}), Output(Reals{4, 8}));
  // In the first step the means are the gradient and its square: its sign moves the weight.
  const auto weights =
      std::get<Reals>(call("adamw_weights", {Reals{2, 2}, Reals{0.5, -3}, Reals{0, 0}, Reals{0, 0},
                                             0.1, 0.9, 0.999, 0.0, 0.01, I{1}}));
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_NEAR(weights[0], 2 - 0.1 * (1 + 0.02), 1e-9);
  EXPECT_NEAR(weights[1], 2 - 0.1 * (-1 + 0.02), 1e-9);
  const auto small =
      std::get<Reals>(call("adamw_weights", {Reals{2}, Reals{0.5}, Reals{0}, Reals{0}, 0.1, 0.9,
                                             0.999, 0.5, 0.0, I{1}}));
  EXPECT_NEAR(small.at(0), 2 - 0.1 * 0.5, 1e-9);  // epsilon as large as the root
}

TEST(References, AnisotropicDiffusion) {
  const std::int64_t rows = 2;
  const std::int64_t none = 0;
  const std::int64_t one = 1;
  const Reals image{1, 2, 4, 8};  // columns (1, 2) and (4, 8)
  EXPECT_EQ(call("image_derivative", {image, rows, one, none}), Output(Reals{1, 0, 4, 0}));
  EXPECT_EQ(call("image_derivative", {image, rows, none, std::int64_t{-1}}),
            Output(Reals{0, 0, -3, -6}));
  // Coefficients 1 make it plain diffusion, which keeps the sum; 0 keep the image.
  EXPECT_EQ(call("diffused_image", {image, Reals{1, 1, 1, 1}, rows, 1.0}),
            Output(Reals{2, 3.25, 4.25, 5.5}));
  EXPECT_EQ(call("diffused_image", {image, Reals(4), rows, 1.0}), Output(image));
  // Pixel 0 flows along its neighbours' coefficients only: those to the south and east.
  EXPECT_EQ(call("diffused_image", {image, Reals{0, 1, 0, 0}, rows, 1.0}),
            Output(Reals{1.25, 1.75, 4, 8}));
  EXPECT_THROW(call("diffused_image", {image, Reals(2), rows, 1.0}), std::invalid_argument);

  // Where the image is even, the excess of variation is least and all diffuses; at its edge little.
  Reals step(64, 1.0);
  std::fill(step.begin() + 32, step.end(), 2.0);
  const auto coefficient = std::get<Reals>(call("diffusion_coefficient", {step, std::int64_t{8}}));
  EXPECT_EQ(coefficient[0], 1.0);
  EXPECT_GT(coefficient[24], 0.0);
  EXPECT_LT(coefficient[24], 0.5);
  EXPECT_THROW(call("diffusion_coefficient", {Reals(4, 1.0), rows}), std::invalid_argument);
  // The speckle of the step is 0.25 / 1.5^2.
  EXPECT_NEAR(
      std::get<Reals>(call("diffusion_coefficient_for", {step, std::int64_t{8}, 0.25 / 2.25}))[24],
      coefficient[24], 1e-12);
  // One neighbour of this 1 is 2: its variation is (1/2 - 1/16) / (5/4)^2 = 0.28.
  EXPECT_NEAR(std::get<Reals>(call("diffusion_coefficient_for", {step, std::int64_t{8}, 0.2}))[24],
              1 / (1 + (0.28 - 0.2) / (0.2 * 1.2)), 1e-12);
  EXPECT_THROW(call("diffusion_coefficient_for", {step, std::int64_t{8}, 0.0}),
               std::invalid_argument);

  const auto speckled =
      std::get<Reals>(call("speckled_image", {std::int64_t{40}, std::int64_t{30}, one}));
  EXPECT_EQ(speckled.size(), 1200U);
  EXPECT_GT(*std::min_element(speckled.begin(), speckled.end()), 0.0);
}

TEST(References, TetrahedraFitTogether) {
  const std::int64_t width = 3;
  const std::int64_t depth = 2;
  const std::int64_t height = 2;
  const std::size_t cells = 72;  // six per cube
  const auto neighbour = std::get<Integers>(call("tetrahedra_neighbours", {width, depth, height}));
  const auto normal =
      std::get<Reals>(call("tetrahedra_normals", {width, depth, height, std::int64_t{1}}));
  ASSERT_EQ(neighbour.size(), 4 * cells);
  ASSERT_EQ(normal.size(), 12 * cells);
  const auto component = [&](std::size_t cell, std::size_t face, std::size_t axis) {
    return normal[(axis * 4 + face) * cells + cell];
  };
  std::size_t walls = 0;
  std::size_t far = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t axis = 0; axis < 3; ++axis) {  // a cell's surface is closed
      EXPECT_NEAR(component(cell, 0, axis) + component(cell, 1, axis) + component(cell, 2, axis) +
                      component(cell, 3, axis),
                  0, 1e-12);
    }
    for (std::size_t face = 0; face < 4; ++face) {
      const std::int64_t other = neighbour[face * cells + cell];
      walls += other == -1 ? 1 : 0;
      far += other == -2 ? 1 : 0;
      if (other == -1) {
        EXPECT_LT(component(cell, face, 2), 0);  // out of the floor
      }
      if (other < 0) continue;
      // The neighbour has this cell as its neighbour, through the same face.
      std::size_t back = 0;
      while (back < 4 && neighbour[back * cells + static_cast<std::size_t>(other)] !=
                             static_cast<std::int64_t>(cell)) {
        ++back;
      }
      ASSERT_LT(back, 4U);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(component(static_cast<std::size_t>(other), back, axis),
                    -component(cell, face, axis), 1e-12);
      }
    }
  }
  EXPECT_EQ(walls, 2U * 6);  // two triangles per square
  EXPECT_EQ(far, 2U * (6 + 2 * 6 + 2 * 4));
}

TEST(References, EulerFlux) {
  // One cell, a cube's corner with unit areas; gas at rest: only pressure, and it balances.
  const Reals normal{-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, -1, 1};
  const double p = 0.4 * 2.5;
  const Reals rest{1, 0, 0, 0, 2.5};
  const auto far_everywhere =
      std::get<Reals>(call("euler_flux", {Integers{-2, -2, -2, -2}, normal, rest, rest}));
  for (const double value : far_everywhere) EXPECT_NEAR(value, 0, 1e-15);
  // A wall presses back as the gas does.
  EXPECT_EQ(call("euler_flux", {Integers{-1, -2, -2, -2}, normal, rest, rest}),
            call("euler_flux", {Integers{-2, -2, -2, -2}, normal, rest, rest}));
  // A flow along x through the first face alone: in with density, momentum and energy.
  const Reals moving{1, 2, 0, 0, 4.5};  // speed 2, pressure 1
  const Reals only_first{-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto flux =
      std::get<Reals>(call("euler_flux", {Integers{-2, -2, -2, -2}, only_first, moving, moving}));
  EXPECT_NEAR(flux[0], -2, 1e-12);
  EXPECT_NEAR(flux[1], -(4 + p), 1e-12);
  EXPECT_NEAR(flux[4], -2 * (4.5 + p), 1e-12);
  EXPECT_THROW(call("euler_flux", {Integers{-3, -2, -2, -2}, normal, rest, rest}),
               std::invalid_argument);
}

TEST(References, EulerFluxIsKeptBetweenCells) {
  // Two cells that share their first face; what leaves one enters the other, viscosity included.
  const Integers neighbour{1, 0, -1, -1, -1, -1, -1, -1};
  Reals normal(24);
  normal[0] = 0.5;
  normal[1] = -0.5;
  const Reals state{1, 1.2, 0.3, -0.1, 0.2, 0, 0, 0.1, 2.5, 3};
  const Reals far{1, 0, 0, 0, 2.5};
  const auto flux = std::get<Reals>(call("euler_flux", {neighbour, normal, state, far}));
  for (std::size_t q = 0; q < 5; ++q) EXPECT_NEAR(flux[2 * q], -flux[2 * q + 1], 1e-15);
  // Density: the mean flow less 0.1 x area x the sum of the waves' speeds x the difference.
  const auto speed = [](double density, double x, double y, double z, double energy) {
    const double squared = (x * x + y * y + z * z) / density / density;
    return std::sqrt(squared) + std::sqrt(1.4 * 0.4 * (energy - density * squared / 2) / density);
  };
  const double waves = speed(1, 0.3, 0.2, 0, 2.5) + speed(1.2, -0.1, 0, 0.1, 3);
  EXPECT_NEAR(flux[0], 0.5 * (0.3 - 0.1) / 2 - 0.1 * 0.5 * waves * (1 - 1.2), 1e-12);
}

TEST(References, CoulombPotential) {
  // A charge of 6 above point (1, 0) at a distance of 2; the points are 1.5 apart.
  const Reals atom{1.5, 0, 4, 6};
  const auto potential =
      std::get<Reals>(call("coulomb_potential", {Reals{1, 0, 0, 0}, atom, std::int64_t{2}, 1.5}));
  EXPECT_EQ(potential, (Reals{1 + 2.4, 3, 6 / std::sqrt(8.5), 2.4}));
  EXPECT_THROW(call("coulomb_potential", {Reals(3), atom, std::int64_t{2}, 1.5}),
               std::invalid_argument);
  EXPECT_THROW(call("coulomb_potential", {Reals(4), Reals(3), std::int64_t{2}, 1.5}),
               std::invalid_argument);
}

TEST(References, StarStencil) {
  // One point within a rim of one: width 1, height 1, depth 1, after one element that is not used.
  Reals field(28);
  field[1 + 13] = 2;
  field[1 + 13 - 1] = 10;
  field[1 + 13 + 3] = 100;
  field[1 + 13 + 9] = 1000;
  field[1 + 13 + 10] = 1e6;  // on a diagonal
  Reals expected(28);
  expected[1 + 13] = 2 * 3 + 1110 * 0.5;
  const std::int64_t one = 1;
  EXPECT_EQ(call("star_stencil", {field, one, one, one, Reals{3, 0.5}}), Output(expected));
  EXPECT_THROW(call("star_stencil", {field, std::int64_t{0}, one, one, Reals{3, 0.5}}),
               std::invalid_argument);
}

TEST(References, WaveStep) {
  const std::int64_t three = 3;
  Reals now(27);
  now[13] = 2;
  now[13 + 9] = 4;
  const Reals before(27, 0.5);
  Reals expected = before;
  expected[13] = 2 * 2 - 0.5 + 0.25 * (4 - 6 * 2);
  EXPECT_EQ(call("wave_step", {before, now, Reals(27, 0.25), three, three, Reals{-6, 1}}),
            Output(expected));
  EXPECT_THROW(call("wave_step", {Reals(9), now, Reals(27), three, three, Reals{-6, 1}}),
               std::invalid_argument);
}

TEST(References, LatticeStep) {
  // One cell of fluid or obstacle at x = 1 in a row of three; a rim of one around the row.
  const std::int64_t pitch = 3;
  const std::int64_t rows = 3;
  const std::int64_t one = 1;
  const auto index = [&](std::size_t population, std::size_t x, std::size_t y, std::size_t z) {
    return ((z * 19 + population) * 3 + y) * 3 + x;
  };
  Reals from(std::size_t{3} * 19 * 9);
  from[index(1, 0, 1, 1)] = 5;   // moves along x into the cell
  from[index(18, 1, 2, 0)] = 7;  // along -y and z
  Integers kinds(27);
  const auto at = [&](const Reals& lattice, std::size_t population) {
    return lattice[index(population, 1, 1, 1)];
  };
  const auto step = [&](std::int64_t kind, double relaxation) {
    kinds[13] = kind;
    return std::get<Reals>(
        call("lattice_step", {from, kinds, pitch, rows, std::int64_t{3}, one, relaxation}));
  };
  const Reals still = step(0, 0);  // without collisions
  EXPECT_EQ(at(still, 1), 5);
  EXPECT_EQ(at(still, 18), 7);
  const Reals back = step(1, 1);
  EXPECT_EQ(at(back, 2), 5);
  EXPECT_EQ(at(back, 17), 7);
  EXPECT_EQ(at(back, 1) + at(back, 18), 0);
  // The equilibrium has the density, 12, and the momentum, (5, -7, 7).
  const Reals equal = step(0, 1);
  double density = 0;
  for (std::size_t i = 0; i < 19; ++i) density += at(equal, i);
  EXPECT_NEAR(density, 12, 1e-12);
  const double square = (25.0 + 49 + 49) / 144;
  EXPECT_NEAR(at(equal, 0), 12.0 / 3 * (1 - 1.5 * square), 1e-12);
  EXPECT_NEAR(at(equal, 1), 12.0 / 18 * (1 + 3 * 5.0 / 12 + 4.5 * 25 / 144 - 1.5 * square), 1e-12);
  EXPECT_NEAR(at(equal, 8), 12.0 / 36 * (1 + 3 * 2.0 / 12 + 4.5 * 4 / 144 - 1.5 * square), 1e-12);
  // Driven: 0.005 along x, 0.002 along y.
  EXPECT_NEAR(at(step(2, 1), 0), 12.0 / 3 * (1 - 1.5 * 29e-6), 1e-12);
  EXPECT_THROW(call("lattice_step", {from, kinds, pitch, rows, std::int64_t{4}, one, 1.0}),
               std::invalid_argument);
}

TEST(References, DrivenCavity) {
  // 4 x 3 x 4 cells in rows of 5, a rim of one row and one slice; no balls.
  const auto kinds = std::get<Integers>(
      call("driven_cavity", {std::int64_t{5}, std::int64_t{5}, std::int64_t{4}, std::int64_t{3},
                             std::int64_t{4}, std::int64_t{0}, std::int64_t{1}}));
  ASSERT_EQ(kinds.size(), 6U * 25);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), 2), 4);  // x = 1, 2 and z = 1, 2
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), 1), 4 * 3 * 4 - 4);
  EXPECT_EQ(kinds[2 * 25 + 2 * 5 + 1], 2);
  EXPECT_EQ(kinds[2 * 25 + 2 * 5 + 4], 0);
  EXPECT_THROW(
      call("driven_cavity", {std::int64_t{3}, std::int64_t{5}, std::int64_t{4}, std::int64_t{3},
                             std::int64_t{4}, std::int64_t{0}, std::int64_t{1}}),
      std::invalid_argument);
  // Populations at rest have a density of 1, at most 10 % off.
  const auto lattice = std::get<Reals>(call(
      "lattice_at_rest", {std::int64_t{5}, std::int64_t{5}, std::int64_t{3}, std::int64_t{1}}));
  ASSERT_EQ(lattice.size(), 3U * 19 * 25);
  double sum = 0;
  for (const double value : lattice) sum += value;
  EXPECT_NEAR(sum / 75, 1, 0.05);
}

TEST(References, Transposes) {
  const Reals matrix{1, 2, 3, 4, 5, 6, 7, 8};  // 2 x 4
  const std::int64_t columns = 4;
  const std::int64_t side = 2;
  EXPECT_EQ(call("transposed", {matrix, columns}), Output(Reals{1, 5, 2, 6, 3, 7, 4, 8}));
  EXPECT_EQ(call("transposed_in_tiles", {matrix, columns, side}),
            Output(Reals{1, 5, 3, 7, 2, 6, 4, 8}));
  EXPECT_EQ(call("transposed_tiles", {matrix, columns, side}),
            Output(Reals{1, 2, 5, 6, 3, 4, 7, 8}));
  EXPECT_THROW(call("transposed", {matrix, std::int64_t{3}}), std::invalid_argument);
  EXPECT_THROW(call("transposed_in_tiles", {matrix, columns, columns}), std::invalid_argument);
}

TEST(References, SeparableConvolution) {
  const Reals image{1, 2, 3, 4, 5, 6};  // 2 x 3
  const std::int64_t columns = 3;
  const Reals unity{1};
  const Reals filter{1, 10, 100};  // the last weight is of the pixel before
  EXPECT_EQ(call("separable_convolution", {image, columns, filter, unity}),
            Output(Reals{12, 123, 230, 45, 456, 560}));
  EXPECT_EQ(call("separable_convolution", {image, columns, unity, filter}),
            Output(Reals{14, 25, 36, 140, 250, 360}));
  EXPECT_EQ(call("separable_convolution", {image, columns, filter, filter}),
            Output(Reals{165, 1686, 2860, 1650, 16860, 28600}));
  EXPECT_THROW(call("separable_convolution", {image, columns, filter, Reals{1, 2}}),
               std::invalid_argument);
}

TEST(References, Stencil7) {
  Reals now;  // 4 x 3 x 3: two cells are not at the edge
  for (int i = 0; i < 36; ++i) now.push_back(i * i);
  Reals next = now;
  next[17] = 0.5 * (256 + 324 + 169 + 441 + 25 + 841) - 2 * 289;
  next[18] = 0.5 * (289 + 361 + 196 + 484 + 36 + 900) - 2 * 324;
  EXPECT_EQ(call("stencil7", {now, std::int64_t{4}, std::int64_t{3}, 2.0, 0.5}), Output(next));
  EXPECT_THROW(call("stencil7", {now, std::int64_t{4}, std::int64_t{4}, 2.0, 0.5}),
               std::invalid_argument);
}

TEST(References, BlackScholes) {
  // Known from textbooks: a price of 42, a strike of 40, half a year, 10 % interest, 20 %
  // volatility.
  const std::vector<Input> inputs{Reals{42, 80}, Reals{40, 80}, Reals{0.5, 2}, 0.1, 0.2};
  const auto calls = std::get<Reals>(call("call_values", inputs));
  const auto puts = std::get<Reals>(call("put_values", inputs));
  EXPECT_NEAR(calls[0], 4.7594, 5e-5);
  EXPECT_NEAR(puts[0], 0.8086, 5e-5);
  // A call less a put is the price less the strike, which is paid at the end.
  EXPECT_NEAR(calls[1] - puts[1], 80 - 80 * std::exp(-0.2), 1e-12);
  EXPECT_THROW(call("put_values", {Reals{1, 2}, Reals{1}, Reals{1, 2}, 0.1, 0.2}),
               std::invalid_argument);
}

TEST(References, TracedImage) {
  // One pixel looks along z at a ball of radius 1 that mirrors nothing.
  const Reals ball{0, 2, 0, 1, 0.25, 0.75, 1, 0};
  const std::int64_t one = 1;
  EXPECT_EQ(call("traced_image", {ball, one, one, 0.0, 2.0, -4.0}),  // light at the eye
            Output(Integers{191, 255, 255, 255}));
  EXPECT_EQ(call("traced_image", {ball, one, one, 0.0, 2.0, 9.0}),  // behind the ball
            Output(Integers{13, 38, 51, 255}));
  Reals two = ball;  // the second one is between the first and the light
  two.insert(two.end(), {4, 2, -5, 1, 1, 1, 1, 0.5});
  EXPECT_EQ(call("traced_image", {two, one, one, 8.0, 2.0, -9.0}),
            Output(Integers{13, 38, 51, 255}));
  // A perfect mirror sends the ray back into the sky, which is the same everywhere along z.
  Reals mirror = ball;
  mirror.back() = 1;
  EXPECT_EQ(call("traced_image", {mirror, one, one, 0.0, 2.0, -4.0}),
            call("traced_image", {Reals{}, one, one, 0.0, 2.0, -4.0}));
  EXPECT_THROW(call("traced_image", {Reals(7), one, one, 0.0, 2.0, -4.0}), std::invalid_argument);
}

TEST(References, SuffixTree) {
  const Integers text{0, 1, 0, 2, 4};
  Integers nodes{3,  2,  5,  -1, 0, 0, 0, 0,   // the root
                 -1, -1, -1, -1, 1, 4, 0, 0,   // 0102, below 0
                 -1, -1, -1, -1, 1, 4, 0, 0,   // 102
                 -1, 1,  4,  -1, 0, 1, 0, 0,   // 0
                 -1, -1, -1, -1, 3, 2, 0, 0,   // 02, below 0
                 -1, -1, -1, -1, 3, 2, 0, 0};  // 2
  nodes.resize(64);
  EXPECT_EQ(call("suffix_tree", {text}), Output(nodes));
  EXPECT_THROW(call("suffix_tree", {Integers{0, 1}}), std::invalid_argument);

  // 102 and 02 occur, then 01 of 011 and 1 of 11.
  const std::int64_t three = 3;
  EXPECT_EQ(call("text_matches", {nodes, text, Integers{1, 0, 2, 0, 1, 1}, three, std::int64_t{2}}),
            Output(Integers{2, 3, 4, 2, 1, 2, 2, 1}));
  EXPECT_THROW(call("text_matches", {nodes, text, Integers{1, 0}, three, std::int64_t{2}}),
               std::invalid_argument);

  const std::int64_t two = 2;
  const auto samples = [&](std::int64_t length, std::int64_t changed) {
    return call("text_samples", {text, two, length, changed, std::int64_t{1}});
  };
  EXPECT_EQ(samples(4, 0), Output(Integers{0, 1, 0, 2, 0, 1, 0, 2}));
  EXPECT_NE(samples(4, 100), samples(4, 0));
  EXPECT_THROW(samples(5, 0), std::invalid_argument);
}

TEST(References, SuffixLinksLeaveOutTheFirstLetter) {
  Integers text;
  for (std::int64_t i = 0; i < 60; ++i) text.push_back(i * i * i / 11 % 4);
  text.push_back(4);
  const auto nodes = std::get<Integers>(call("suffix_tree", {text}));
  std::vector<Integers> path(nodes.size() / 8);
  const auto follow = [&](const auto& self, std::size_t node) -> void {
    for (std::size_t letter = 0; letter < 4; ++letter) {
      if (nodes[8 * node + letter] < 0) continue;
      const auto below = static_cast<std::size_t>(nodes[8 * node + letter]);
      path[below] = path[node];
      const auto edge = text.begin() + nodes[8 * below + 4];
      path[below].insert(path[below].end(), edge, edge + nodes[8 * below + 5]);
      self(self, below);
    }
  };
  follow(follow, 0);
  std::size_t inner = 0;
  for (std::size_t node = 1; node < path.size(); ++node) {
    if (path[node].empty() || path[node].back() == 4) continue;
    ++inner;
    EXPECT_EQ(path[static_cast<std::size_t>(nodes[8 * node + 6])],
              Integers(path[node].begin() + 1, path[node].end()));
  }
  EXPECT_GT(inner, 10U);
}

// With splits the dealer would have half a per cent; without them, about one.
TEST(References, BlackjackHasAHouseEdge) {
  const std::int64_t hands = 400000;
  const auto won =
      std::get<Integers>(call("blackjack_winnings", {std::int64_t{100}, hands, std::int64_t{3}}));
  ASSERT_EQ(won.size(), 100U);
  const double bets =
      static_cast<double>(std::accumulate(won.begin(), won.end(), std::int64_t{0})) / 2;
  EXPECT_NEAR(bets / static_cast<double>(hands), -0.01, 0.006);
  // A thread without a hand wins nothing; the others play as before.
  auto few = std::get<Integers>(
      call("blackjack_winnings", {std::int64_t{100}, std::int64_t{99}, std::int64_t{3}}));
  EXPECT_EQ(few[99], 0);
  EXPECT_EQ(few[0], std::get<Integers>(call("blackjack_winnings", {std::int64_t{1}, std::int64_t{1},
                                                                   std::int64_t{3}}))[0]);
}

TEST(References, ConvolutionalCode) {
  const std::int64_t one = 1;
  const auto decoded = [&](const Integers& received) {
    return call("viterbi_decoded", {received, one, static_cast<std::int64_t>(received.size())});
  };
  // What a single 1 sends, without and with a wrong bit; then 1 and 1, and a frame of zeros.
  EXPECT_EQ(decoded({3, 3, 1, 3}), Output(Integers{1}));
  EXPECT_EQ(decoded({3, 2, 1, 3}), Output(Integers{1}));
  EXPECT_EQ(decoded({3, 0, 2, 2, 3}), Output(Integers{3}));
  EXPECT_EQ(decoded({0, 0, 0, 0, 0}), Output(Integers{0}));
  EXPECT_THROW(decoded({0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(call("viterbi_decoded", {Integers(9), one, std::int64_t{8}}), std::invalid_argument);

  const std::int64_t frames = 50;
  const std::int64_t steps = 20;
  const auto sent = [&](std::int64_t errors) {
    return std::get<Integers>(call("noisy_code", {frames, steps, errors, std::int64_t{6}}));
  };
  const Integers clean = sent(0);
  Integers inverted = sent(100);
  for (std::int64_t& symbol : inverted) symbol ^= 3;
  EXPECT_EQ(inverted, clean);
  const auto bits = std::get<Integers>(call("viterbi_decoded", {clean, frames, steps}));
  for (const std::int64_t frame : bits) EXPECT_LT(frame, 1 << 17);  // three zeros at the end
  EXPECT_GT(*std::max_element(bits.begin(), bits.end()), 1 << 16);
  // Few errors are corrected in most frames.
  const auto noisy = std::get<Integers>(call("viterbi_decoded", {sent(2), frames, steps}));
  std::size_t same = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) same += noisy[i] == bits[i] ? 1 : 0;
  EXPECT_GT(same, 45U);
}

// FIPS 197, appendix C.1; the round keys are those of its equivalent inverse cipher.
TEST(References, AesDecryption) {
  Integers key;
  Integers plain;
  for (int i = 0; i < 16; ++i) {
    key.push_back(i);
    plain.push_back(0x11 * i);
  }
  const Integers cipher{0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                        0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  EXPECT_EQ(call("aes_decrypted", {key, cipher}), Output(plain));
  EXPECT_THROW(call("aes_decrypted", {key, Integers(15)}), std::invalid_argument);
  EXPECT_THROW(call("aes_decrypted", {Integers(15), cipher}), std::invalid_argument);

  const auto keys = std::get<Integers>(call("aes_decryption_keys", {key}));
  ASSERT_EQ(keys.size(), 44U);
  EXPECT_EQ(keys[0], 0x7f1d1113);  // bytes 13 11 1d 7f
  EXPECT_EQ(keys[4], 0xbe29aa13);  // bytes 13 aa 29 be
  EXPECT_EQ(keys[40], 0x03020100);
  const auto tables = std::get<Integers>(call("aes_decryption_tables", {}));
  ASSERT_EQ(tables.size(), 1088U);
  EXPECT_EQ(tables[0x63], 0);  // the S-box takes 00 to 63
  EXPECT_EQ(tables[0x7c], 0x0b0d090e);
  EXPECT_EQ(tables[256 + 0x7c], 0x0d090e0b);
  EXPECT_EQ(tables[1024], 0xd56a0952);
}

TEST(References, AlignmentScores) {
  // GA and TA, GT and GT, two bits per letter from the lowest on (A 0, G 2, T 3).
  const Integers first{0b0010, 0b1110};
  const auto score = [&](const Integers& second, std::int64_t length) {
    return call("alignment_scores",
                {first, second, length, std::int64_t{2}, std::int64_t{-1}, std::int64_t{-1}});
  };
  EXPECT_EQ(score({0b0011, 0b1110}, 2),
            Output(Integers{0, 0, -1, -1, -2, -2, -1, -1, -1, 2, -2, 1, -2, -2, -2, 1, 1, 4}));
  EXPECT_THROW(score({1}, 2), std::invalid_argument);
  EXPECT_THROW(score({1, 1}, 17), std::invalid_argument);
}

TEST(References, SequencesAndText) {
  EXPECT_EQ(call("sorted", {Integers{3, 1, 2, 1}}), Output(Integers{1, 1, 2, 3}));
  const auto text = std::get<Integers>(call("ascii_text", {std::int64_t{10000}, std::int64_t{2}}));
  const auto counts = std::get<Integers>(call("byte_histogram", {text}));
  EXPECT_NEAR(static_cast<double>(counts['e']), 4000, 400);
  EXPECT_EQ(std::accumulate(counts.begin() + 128, counts.end(), std::int64_t{0}), 0);
  EXPECT_EQ(counts[0], 0);
}

TEST(References, OptionsOfEveryKind) {
  const Reals two{30, 30};
  const Reals strike{25, 25};
  const Reals rate{0.05, 0.05};
  const Reals volatility{0.3, 0.3};
  const Reals years{2, 2};
  const auto values = std::get<Reals>(
      call("option_values", {two, strike, rate, volatility, years, Integers{0, 1}}));
  const auto calls = std::get<Reals>(call("call_values", {two, strike, years, 0.05, 0.3}));
  const auto puts = std::get<Reals>(call("put_values", {two, strike, years, 0.05, 0.3}));
  EXPECT_EQ(values, (Reals{calls[0], puts[1]}));
  EXPECT_THROW(call("option_values", {two, strike, rate, volatility, years, Integers{0}}),
               std::invalid_argument);
}

TEST(References, BranchesOfKnownThreads) {
  const std::int64_t threads = 128;
  const auto odd_lanes =
      std::get<Integers>(call("two_sides", {threads, std::int64_t{0}, std::int64_t{3}}));
  const auto odd_rows =
      std::get<Integers>(call("two_sides", {threads, std::int64_t{5}, std::int64_t{3}}));
  EXPECT_EQ((Integers{odd_lanes[0], odd_lanes[1], odd_lanes[33]}), (Integers{48, 96, 96}));
  EXPECT_EQ((Integers{odd_rows[0], odd_rows[1], odd_rows[33]}), (Integers{48, 48, 96}));
  EXPECT_THROW(call("two_sides", {threads, std::int64_t{32}, std::int64_t{3}}),
               std::invalid_argument);

  const auto mask = [&](std::int64_t per_mille) {
    const auto sums = std::get<Integers>(
        call("random_mask", {threads, std::int64_t{100}, per_mille, std::int64_t{1}}));
    return std::accumulate(sums.begin(), sums.end(), std::int64_t{0}) / 16;
  };
  EXPECT_EQ(mask(0), 0);
  EXPECT_EQ(mask(1000), 12800);
  EXPECT_NEAR(static_cast<double>(mask(250)), 3200, 200);

  const auto trips = std::get<Integers>(
      call("row_trips", {threads, std::int64_t{3}, std::int64_t{2}, std::int64_t{5}}));
  EXPECT_EQ((Integers{trips[0], trips[31], trips[32], trips[64], trips[96]}),
            (Integers{32, 32, 112, 192, 32}));
}

TEST(References, RandomPointsInACircle) {
  const std::int64_t one = 1;
  const std::int64_t two = 2;
  // Each draw moves the words down by one; the last becomes v ^ v << 4 ^ t ^ t << 1.
  const auto jumps = std::get<Integers>(call("xorwow_jumps", {one, two}));
  ASSERT_EQ(jumps.size(), 1600U);
  const auto row = [&](std::size_t bit) {
    return Integers(jumps.begin() + static_cast<std::ptrdiff_t>(5 * bit),
                    jumps.begin() + static_cast<std::ptrdiff_t>(5 * bit + 5));
  };
  EXPECT_EQ(row(0), (Integers{0, 0, 0, 0, 3}));
  EXPECT_EQ(row(2), (Integers{0, 0, 0, 0, 15}));
  EXPECT_EQ(row(32), (Integers{1, 0, 0, 0, 0}));
  EXPECT_EQ(row(128), (Integers{0, 0, 0, 1, 17}));
  EXPECT_EQ(row(160), (Integers{0, 0, 0, 3, 51}));  // two draws

  const auto states = std::get<Integers>(call("xorwow_states", {one, two, one, std::int64_t{7}}));
  ASSERT_EQ(states.size(), 12U * 256);
  EXPECT_EQ(states[0], 0);
  EXPECT_EQ(states[12], 362437);  // a draw later
  EXPECT_EQ(Integers(states.begin() + 13, states.begin() + 17),
            Integers(states.begin() + 2, states.begin() + 6));
  EXPECT_EQ(states[24], 0);  // another seed
  EXPECT_NE(states[25], states[1]);

  const auto inside = std::get<Integers>(
      call("points_in_circle", {two, std::int64_t{100000}, two, std::int64_t{1024}, one}));
  ASSERT_EQ(inside.size(), 2U);
  EXPECT_NEAR(static_cast<double>(inside[0] + inside[1]) / 25000, 3.1416, 0.025);
}

TEST(References, Attention) {
  const std::int64_t one = 1;
  const std::int64_t two = 2;
  // Two heads of queries share one of keys; two positions, heads of one number. The first position
  // sees itself alone; equal keys have equal weights, and a key larger by log(3) has thrice the
  // weight.
  const Reals query{1, 1, 0, 0};
  const Reals key{0, std::log(3.0)};
  const Reals value{8, 16};
  const auto out = std::get<Reals>(call("causal_attention", {query, key, value, two, two, one}));
  const Reals expected{8, 14, 8, 12};
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-12) << i;
  EXPECT_THROW(call("causal_attention", {query, key, value, one, two, one}), std::invalid_argument);
  // The same from pages of one position: the second sequence has its positions in pages 2 and 1.
  const Reals keys{7, std::log(3.0), 0};
  const Reals values{5, 16, 8};
  const Integers table{0, 0, 2, 1};
  const auto paged = std::get<Reals>(
      call("paged_attention", {query, keys, values, table, Integers{1, 2}, two, two, one, one}));
  const Reals from_pages{5, 5, 12, 12};
  for (std::size_t i = 0; i < paged.size(); ++i) EXPECT_NEAR(paged[i], from_pages[i], 1e-12) << i;
  const Integers too_long{1, 3};
  EXPECT_THROW(call("paged_attention", {query, keys, values, table, too_long, two, two, one, one}),
               std::invalid_argument);
}

TEST(References, Layers) {
  const auto near = [](const Output& output, const Reals& expected) {
    const auto& values = std::get<Reals>(output);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-9) << i;
  };
  const std::int64_t two = 2;
  near(call("layer_norm", {Reals{1, 3, 5, 5}, Reals{1, 2}, Reals{10, 20}, 0.0625}),
       {10 - 1 / std::sqrt(1.0625), 20 + 2 / std::sqrt(1.0625), 10, 20});
  near(call("rms_norm", {Reals{1, 3}, Reals{2, 1}, Reals{1, 2}, 3.5}), {0.75, 2});
  near(call("softmax", {Reals{0, std::log(3.0), 9, 9}, two}), {0.25, 0.75, 0.5, 0.5});
  near(call("rotary_table", {two, two, 10.0}), {1, 0, std::cos(1.0), std::sin(1.0)});
  // Pairs 0 and 1 of a head of 4, at angles of position and position / 2.
  const Reals head{1, 2, 0, 0};
  const auto turned = std::get<Reals>(call("rotary", {head, Integers{3}, std::int64_t{4}, 4.0}));
  near(turned, {std::cos(3.0), 2 * std::cos(1.5), std::sin(3.0), 2 * std::sin(1.5)});
  const auto gelu = std::get<Reals>(call("biased_gelu", {Reals{0, 10, -1}, Reals{1}}));
  EXPECT_NEAR(gelu[0], 0.841192, 1e-6);  // of 1; erf gives 0.841345
  EXPECT_NEAR(gelu[1], 11, 1e-9);
  EXPECT_EQ(gelu[2], 0);
  near(call("swiglu", {Reals{0, std::log(3.0), 5, 8}, two}), {0, 6 * std::log(3.0)});
  EXPECT_THROW(call("swiglu", {Reals{1, 2, 3}, two}), std::invalid_argument);
  near(call("int8_product", {Integers{1, -2, 3, 4}, Reals{0.5, 2}, Reals{10, 1}}), {4, 68});
  // Weights 1 to 8 in one word; groups of 4 with zeros 1 and 5.
  near(call("int4_product", {Integers{0x87654321}, Reals{1, 10}, Integers{1, 5},
                             Reals{1, 1, 1, 1, 1, 1, 1, 2}, std::int64_t{4}}),
       {6 + 10 * 9});
}

TEST(References, Tokens) {
  const std::int64_t two = 2;
  const std::int64_t three = 3;
  const Reals logits{1, 5, 5, 2, 0, 9};
  EXPECT_EQ(call("top_k", {logits, three, two}), Output(Integers{1, 2, 2, 0}));
  // In the first row both have half of the weight; in the second the first has nearly all.
  EXPECT_EQ(call("sampled_tokens", {logits, Reals{0.6, 0.9}, three, two, 1.0}),
            Output(Integers{2, 2}));
  EXPECT_EQ(call("sampled_tokens", {logits, Reals{0.4, 0.9}, three, two, 100.0}),
            Output(Integers{1, 0}));
  // Two tokens choose experts 1, 0 and 1, 2.
  const Integers choices{1, 0, 1, 2};
  EXPECT_EQ(call("expert_slots", {choices, three}), Output(Integers{1, 0, 2, 3}));
  EXPECT_THROW(call("expert_slots", {choices, two}), std::invalid_argument);
  const std::int64_t one = 1;
  EXPECT_EQ(call("rows_by_expert", {Reals{10, 20}, choices, three, one}),
            Output(Reals{10, 10, 20, 20}));
  EXPECT_EQ(
      call("rows_of_tokens", {Reals{1, 2, 3, 4}, choices, Reals{0.5, 0.25, 1, 2}, three, one, two}),
      Output(Reals{1.25, 11}));
  auto numbers = std::get<Integers>(call("shuffled", {std::int64_t{50}, one}));
  EXPECT_FALSE(std::is_sorted(numbers.begin(), numbers.end()));
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(numbers[i], static_cast<std::int64_t>(i));
  }
}

}  // namespace
}  // namespace paws::references
