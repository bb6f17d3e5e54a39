// SPDX-License-Identifier: MIT
// Algorithms of Thrust on vectors of the device, against those of the host's standard library.
// (Debian: libthrust-dev; nvcc has its own Thrust.)
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "check.h"

constexpr int kCount = 3000;  // more than one block of each algorithm

struct IsOdd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};
struct Square {
  __host__ __device__ long long operator()(int value) const {
    return static_cast<long long>(value) * value;
  }
};
/// The first of two vectors less the second.
struct Difference {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& both) const {
    return thrust::get<0>(both) - thrust::get<1>(both);
  }
};
std::vector<int> numbers() {
  std::vector<int> values(kCount);
  unsigned state = 1;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 20);
  }
  return values;
}

template <typename Value>
bool same(const thrust::device_vector<Value>& device, const std::vector<Value>& host) {
  const thrust::host_vector<Value> copy = device;
  return copy.size() == host.size() && std::equal(copy.begin(), copy.end(), host.begin());
}

void check_transformations(const std::vector<int>& host) {
  const thrust::device_vector<int> device(host.begin(), host.end());
  thrust::device_vector<int> result(kCount);
  std::vector<int> expected(kCount);

  thrust::sequence(result.begin(), result.end(), 5, 3);
  for (int i = 0; i < kCount; ++i) expected[i] = 5 + 3 * i;
  EXPECT(same(result, expected));

  thrust::transform(device.begin(), device.end(), result.begin(), result.begin(),
                    thrust::plus<int>());
  for (int i = 0; i < kCount; ++i) expected[i] += host[i];
  EXPECT(same(result, expected));

  const auto both = thrust::make_zip_iterator(thrust::make_tuple(result.begin(), device.begin()));
  thrust::transform(both, both + kCount, result.begin(), Difference());
  for (int i = 0; i < kCount; ++i) expected[i] -= host[i];
  EXPECT(same(result, expected));

  result.erase(thrust::copy_if(device.begin(), device.end(), result.begin(), IsOdd()),
               result.end());
  expected.clear();
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected), IsOdd());
  EXPECT(same(result, expected));

  result[1] = -7;  // one element, by a copy
  EXPECT(result[1] == -7);
}

void check_reductions(const std::vector<int>& host) {
  const thrust::device_vector<int> device(host.begin(), host.end());
  EXPECT(thrust::reduce(device.begin(), device.end()) ==
         std::accumulate(host.begin(), host.end(), 0));
  EXPECT(thrust::transform_reduce(device.begin(), device.end(), Square(), 0LL,
                                  thrust::plus<long long>()) ==
         std::inner_product(host.begin(), host.end(), host.begin(), 0LL));

  // How often each of some neighbouring groups occurs: number i stands i % 4 + 1 times.
  std::vector<int> groups;
  for (int i = 0; i < kCount / 4; ++i) groups.insert(groups.end(), i % 4 + 1, i);
  const thrust::device_vector<int> keys(groups.begin(), groups.end());
  thrust::device_vector<int> found(kCount), counts(kCount);
  const auto ends = thrust::reduce_by_key(
      keys.begin(), keys.end(), thrust::make_constant_iterator(1), found.begin(), counts.begin());
  EXPECT(ends.first - found.begin() == kCount / 4);
  const thrust::host_vector<int> names = found;
  const thrust::host_vector<int> times = counts;
  for (int i = 0; i < kCount / 4; ++i) EXPECT(names[i] == i && times[i] == i % 4 + 1);
}

void check_scans(const std::vector<int>& host) {
  const thrust::device_vector<int> device(host.begin(), host.end());
  thrust::device_vector<int> result(kCount);
  std::vector<int> expected(kCount);
  thrust::inclusive_scan(device.begin(), device.end(), result.begin());
  std::partial_sum(host.begin(), host.end(), expected.begin());
  EXPECT(same(result, expected));
  thrust::exclusive_scan(device.begin(), device.end(), result.begin(), 10);
  for (int i = 0; i < kCount; ++i) expected[i] += 10 - host[i];
  EXPECT(same(result, expected));
}

void check_sorts(const std::vector<int>& host) {
  thrust::device_vector<int> device(host.begin(), host.end());
  std::vector<int> expected = host;
  thrust::device_vector<int> places(kCount);
  thrust::sequence(places.begin(), places.end());
  thrust::stable_sort_by_key(device.begin(), device.end(), places.begin());
  std::vector<int> order(kCount);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] < host[b]; });
  std::sort(expected.begin(), expected.end());
  EXPECT(same(device, expected));
  EXPECT(same(places, order));
}

int main() {
  const std::vector<int> host = numbers();
  check_transformations(host);
  check_reductions(host);
  check_scans(host);
  check_sorts(host);
  std::printf("all algorithms are right\n");
}
