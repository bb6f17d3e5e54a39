// SPDX-License-Identifier: MIT
// Numbers of cuRAND's generators on the host, of several kinds after each other: linked with
// NVIDIA's library or with ours.
#include <curand.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t kCount = 100003;

/// Some of the numbers, and a sum over all.
template <typename Number, typename Generate>
void print(std::size_t count, Generate generate) {
  std::vector<Number> numbers(count);
  const int status = generate(numbers.data(), count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(numbers[i]) * (1 + i % 7);
  std::printf("%d %.6g %.6g %.6g %.6g\n", status, static_cast<double>(numbers.front()),
              static_cast<double>(numbers[count / 3]), static_cast<double>(numbers.back()), sum);
}

}  // namespace

int main() {
  for (const auto type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    for (const auto order : {CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_LEGACY}) {
      curandGenerator_t random = nullptr;
      curandCreateGeneratorHost(&random, type);
      curandSetPseudoRandomGeneratorSeed(random, 77);
      curandSetGeneratorOffset(random, 4101);
      curandSetGeneratorOrdering(random, order);
      for (const std::size_t count : {kCount, std::size_t{7}}) {
        const std::size_t even = count / 2 * 2;
        print<unsigned>(count, [&](auto* to, auto n) { return curandGenerate(random, to, n); });
        print<float>(count, [&](auto* to, auto n) { return curandGenerateUniform(random, to, n); });
        print<double>(count,
                      [&](auto* to, auto n) { return curandGenerateUniformDouble(random, to, n); });
        print<float>(even,
                     [&](auto* to, auto n) { return curandGenerateNormal(random, to, n, 1, 2); });
        print<float>(count, [&](auto* to, auto n) { return curandGenerateUniform(random, to, n); });
        print<double>(even, [&](auto* to, auto n) {
          return curandGenerateNormalDouble(random, to, n, 1, 2);
        });
        print<float>(even, [&](auto* to, auto n) {
          return curandGenerateLogNormal(random, to, n, 0, 0.5F);
        });
        print<double>(even, [&](auto* to, auto n) {
          return curandGenerateLogNormalDouble(random, to, n, 0, 0.5);
        });
        print<float>(7,
                     [&](auto* to, auto n) { return curandGenerateNormal(random, to, n, 1, 2); });
      }
      curandDestroyGenerator(random);
    }
  }
  return 0;
}
