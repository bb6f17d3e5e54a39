#include "workloads/references/references.h"

#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace paws::references
