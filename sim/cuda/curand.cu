// SPDX-License-Identifier: MIT
// libcurand.so: the generators of curand.h, by the functions of the device API. Numbers come from
// many subsequences in turn: how many these are, is the order that NVIDIA's library documents.
#define PAWS_RANDOM_ON_HOST
#include <curand_kernel.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace curand_host {

using Status = curandStatus_t;
using Philox = curandStatePhilox4_32_10_t;

// --- kinds of numbers ----------------------------------------------------------------------------
// draw() gives those that are drawn at once from a state; number() makes one of them that of the
// call.

#define PAWS_BOTH __host__ __device__

template <class Type>
struct Kind {
  using Number = Type;
  PAWS_BOTH Number number(Number drawn) const { return drawn; }
};

struct Bits : Kind<unsigned> {
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand(state);
  }
  PAWS_BOTH auto draw(Philox* state) const { return curand4(state); }
};

struct Uniform : Kind<float> {
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand_uniform(state);
  }
  PAWS_BOTH auto draw(Philox* state) const { return curand_uniform4(state); }
};

struct UniformDouble : Kind<double> {
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand_uniform_double(state);
  }
  PAWS_BOTH auto draw(Philox* state) const { return curand_uniform4_double(state); }
};

struct Normal : Kind<float> {
  float mean, stddev;
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand_normal2(state);
  }
  PAWS_BOTH auto draw(Philox* state) const { return curand_normal4(state); }
  PAWS_BOTH float number(float drawn) const { return mean + stddev * drawn; }
};

struct NormalDouble : Kind<double> {
  double mean, stddev;
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand_normal2_double(state);
  }
  PAWS_BOTH auto draw(Philox* state) const { return curand_normal4_double(state); }
  PAWS_BOTH double number(double drawn) const { return mean + stddev * drawn; }
};

struct LogNormal : Kind<float> {
  float mean, stddev;
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand_log_normal2(state, mean, stddev);
  }
  PAWS_BOTH auto draw(Philox* state) const { return curand_log_normal4(state, mean, stddev); }
};

struct LogNormalDouble : Kind<double> {
  double mean, stddev;
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand_log_normal2_double(state, mean, stddev);
  }
  PAWS_BOTH auto draw(Philox* state) const {
    return curand_log_normal4_double(state, mean, stddev);
  }
};

struct Poisson : Kind<unsigned> {
  double lambda;
  template <class State>
  PAWS_BOTH auto draw(State* state) const {
    return curand_poisson(state, lambda);
  }
  PAWS_BOTH auto draw(Philox* state) const { return curand_poisson4(state, lambda); }
};

/// How many draw() gives.
template <class State, class Kind>
constexpr size_t kAtOnce =
    sizeof(std::declval<const Kind>().draw(std::declval<State*>())) / sizeof(typename Kind::Number);

/// Puts numbers at `first`, `first` + `stride` and so on, kAtOnce each, as far as these are below
/// `count`; some of the first ones may be below 0. The state goes on when it has no more to give: a
/// later call draws the rest from it.
template <class State, class Kind>
PAWS_BOTH void draw(const Kind& kind, State* state, long long first, long long stride,
                    typename Kind::Number* output, long long count) {
  constexpr int kWidth = kAtOnce<State, Kind>;
  for (; first < count; first += stride) {
    State mine = *state;
    const auto drawn = kind.draw(&mine);
    typename Kind::Number numbers[kWidth];
    memcpy(numbers, &drawn, sizeof(numbers));
    for (int i = 0; i < kWidth; ++i) {
      if (first + i >= 0 && first + i < count) output[first + i] = kind.number(numbers[i]);
    }
    if (first + kWidth <= count) *state = mine;
  }
}

constexpr unsigned kThreads = 64;  // of a block
__device__ unsigned this_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// For so many threads, a kernel with `arguments`.
template <class... Parameters, class... Arguments>
Status launch(cudaStream_t stream, unsigned threads, void (*kernel)(Parameters...),
              Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = (threads + kThreads - 1) / kThreads;
  config.blockDim = kThreads;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...) == cudaSuccess
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_LAUNCH_FAILURE;
}

/// What a generator is told.
struct Settings {
  bool host = false;
  bool legacy = false;  // order
  unsigned long long seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
};

// --- generators that keep their states -----------------------------------------------------------
// Each state draws from a subsequence of its own. A state is made before it is first used, from the
// one before it, on the host.

void next_subsequence(curandStateXORWOW_t* state) { skipahead_sequence(1, state); }
void next_subsequence(curandStateMRG32k3a_t* state) { skipahead_subsequence(1, state); }

constexpr unsigned states_of(const curandStateXORWOW_t*, bool) { return 4096; }
constexpr unsigned states_of(const curandStateMRG32k3a_t*, bool legacy) {
  return legacy ? 4096 : 81920;
}

/// The first thread draws from state `first` of `all`.
template <class State, class Kind>
PAWS_BOTH void draw_from_states(const Kind& kind, State* states, unsigned thread, unsigned first,
                                unsigned all, typename Kind::Number* output, long long count) {
  constexpr long long kWidth = kAtOnce<State, Kind>;
  State* const mine = states + (first + thread) % all;
  State state = *mine;
  draw(kind, &state, thread * kWidth, all * kWidth, output, count);
  *mine = state;
}

template <class State, class Kind>
__global__ void fill(Kind kind, State* states, unsigned threads, unsigned first, unsigned all,
                     typename Kind::Number* output, long long count) {
  const unsigned thread = this_thread();
  if (thread < threads) draw_from_states(kind, states, thread, first, all, output, count);
}

template <class State>
class States {
 public:
  void begin_again() { made_ = 0; }

  void free(const Settings& settings) {
    settings.host ? std::free(states_) : static_cast<void>(cudaFree(states_));
  }

  template <class Kind>
  Status generate(const Settings& settings, const Kind& kind, typename Kind::Number* output,
                  size_t count) {
    if (count % kAtOnce<State, Kind> != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (made_ == 0) {
      const Status status = begin(settings);
      if (status != CURAND_STATUS_SUCCESS) return status;
    }
    const size_t draws = count / kAtOnce<State, Kind>;
    const auto threads = static_cast<unsigned>(std::min<size_t>(draws, all_));
    Status status = make(settings, std::min<size_t>(first_ + draws, all_));
    if (status != CURAND_STATUS_SUCCESS) return status;
    if (settings.host) {
      for (unsigned i = 0; i < threads; ++i) {
        draw_from_states(kind, states_, i, first_, all_, output, count);
      }
    } else {
      status = launch(settings.stream, threads, fill<State, Kind>, kind, states_, threads, first_,
                      all_, output, static_cast<long long>(count));
    }
    first_ = static_cast<unsigned>((first_ + draws) % all_);
    return status;
  }

 private:
  Status begin(const Settings& settings) {
    const unsigned all = states_of(states_, settings.legacy);
    if (all != all_) {
      free(settings);
      states_ = nullptr;
      const size_t bytes = all * sizeof(State);
      if (settings.host) {
        states_ = static_cast<State*>(std::malloc(bytes));
      } else if (cudaMalloc(&states_, bytes) != cudaSuccess) {
        states_ = nullptr;
      }
      if (states_ == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
      all_ = all;
    }
    curand_init(settings.seed, 0, 0, &next_);
    first_ = static_cast<unsigned>(settings.offset % all_);
    return CURAND_STATUS_SUCCESS;
  }

  /// Makes those below `end` that are not there.
  Status make(const Settings& settings, size_t end) {
    if (made_ >= end) return CURAND_STATUS_SUCCESS;
    std::vector<State> made;
    for (size_t i = made_; i < end; ++i) {
      made.push_back(next_);
      skipahead(settings.offset / all_ + (i < settings.offset % all_ ? 1 : 0), &made.back());
      next_subsequence(&next_);
    }
    const cudaError_t error = cudaMemcpyAsync(
        states_ + made_, made.data(), made.size() * sizeof(State),
        settings.host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice, settings.stream);
    made_ = end;
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_PREEXISTING_FAILURE;
  }

  State* states_ = nullptr;  // in the device's memory, or in the host's
  unsigned all_ = 0;
  size_t made_ = 0;
  unsigned first_ = 0;  // draws next
  State next_;          // of the next one to be made, without an offset
};

// --- Philox --------------------------------------------------------------------------------------
// Four numbers come from one of 65536 subsequences, then four from the next one. It is known of
// each how many numbers have been drawn from it.

constexpr unsigned kSubsequences = 65536;

template <class Kind>
PAWS_BOTH void draw_from_subsequences(const Kind& kind, unsigned* drawn, unsigned thread,
                                      unsigned long long seed, unsigned long long offset,
                                      unsigned long long given, typename Kind::Number* output,
                                      long long count) {
  static_assert(kAtOnce<Philox, Kind> == 4);
  const unsigned long long four = (offset + given) / 4 + thread;
  const unsigned subsequence = four % kSubsequences;
  const unsigned long long turns = offset / 4;
  const unsigned left_out =
      (turns / kSubsequences + (subsequence < turns % kSubsequences ? 1 : 0)) * 4;
  Philox state;
  curand_init(seed, subsequence, left_out + drawn[subsequence], &state);
  draw(kind, &state, static_cast<long long>(four * 4 - offset - given), 4LL * kSubsequences, output,
       count);
  drawn[subsequence] = state.ctr.x * 4 + state.STATE - left_out;
}

template <class Kind>
__global__ void fill_from_subsequences(Kind kind, unsigned* drawn, unsigned threads,
                                       unsigned long long seed, unsigned long long offset,
                                       unsigned long long given, typename Kind::Number* output,
                                       long long count) {
  const unsigned thread = this_thread();
  if (thread >= threads) return;
  draw_from_subsequences(kind, drawn, thread, seed, offset, given, output, count);
}

template <>
class States<Philox> {
 public:
  void begin_again() { given_ = 0; }

  void free(const Settings& settings) {
    settings.host ? std::free(drawn_) : static_cast<void>(cudaFree(drawn_));
  }

  template <class Kind>
  Status generate(const Settings& settings, const Kind& kind, typename Kind::Number* output,
                  size_t count) {
    if (given_ == 0) {
      const Status status = begin(settings);
      if (status != CURAND_STATUS_SUCCESS) return status;
    }
    const size_t fours = ((settings.offset + given_) % 4 + count + 3) / 4;
    const auto threads = static_cast<unsigned>(std::min<size_t>(fours, kSubsequences));
    const unsigned long long given = given_;
    given_ += count;
    if (!settings.host) {
      return launch(settings.stream, threads, fill_from_subsequences<Kind>, kind, drawn_, threads,
                    settings.seed, settings.offset, given, output, static_cast<long long>(count));
    }
    for (unsigned i = 0; i < threads; ++i) {
      draw_from_subsequences(kind, drawn_, i, settings.seed, settings.offset, given, output, count);
    }
    return CURAND_STATUS_SUCCESS;
  }

 private:
  Status begin(const Settings& settings) {
    constexpr size_t kBytes = kSubsequences * sizeof(unsigned);
    if (drawn_ == nullptr) {
      if (settings.host) {
        drawn_ = static_cast<unsigned*>(std::malloc(kBytes));
      } else if (cudaMalloc(&drawn_, kBytes) != cudaSuccess) {
        drawn_ = nullptr;
      }
      if (drawn_ == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
    }
    if (settings.host) {
      std::memset(drawn_, 0, kBytes);
    } else if (cudaMemsetAsync(drawn_, 0, kBytes, settings.stream) != cudaSuccess) {
      return CURAND_STATUS_PREEXISTING_FAILURE;
    }
    return CURAND_STATUS_SUCCESS;
  }

  unsigned* drawn_ = nullptr;     // in the device's memory, or in the host's
  unsigned long long given_ = 0;  // since the seed or the offset was set
};

}  // namespace curand_host

struct curandGenerator_st {
  std::variant<curand_host::States<curandStateXORWOW_t>, curand_host::States<curandStateMRG32k3a_t>,
               curand_host::States<curand_host::Philox>>
      states;
  curand_host::Settings settings;
};

namespace curand_host {

template <class Kind>
Status generate(curandGenerator_t generator, const Kind& kind, typename Kind::Number* output,
                size_t count) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  return std::visit(
      [&](auto& states) { return states.generate(generator->settings, kind, output, count); },
      generator->states);
}

/// Sets something, and the sequence begins anew.
template <class Value>
Status set(curandGenerator_t generator, Value Settings::* setting, Value value) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->settings.*setting = value;
  std::visit([](auto& states) { states.begin_again(); }, generator->states);
  return CURAND_STATUS_SUCCESS;
}

Status create(curandGenerator_t* made, curandRngType_t type, bool host) {
  if (made == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  auto generator = std::make_unique<curandGenerator_st>();
  generator->settings.host = host;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
      break;
    case CURAND_RNG_PSEUDO_MRG32K3A:
      generator->states.emplace<States<curandStateMRG32k3a_t>>();
      break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      generator->states.emplace<States<Philox>>();
      break;
    default:
      std::fprintf(stderr,
                   "paws: curandCreateGenerator(): of the generators only XORWOW, MRG32k3a and "
                   "Philox4_32_10 are there\n");
      return CURAND_STATUS_TYPE_ERROR;
  }
  *made = generator.release();
  return CURAND_STATUS_SUCCESS;
}

}  // namespace curand_host

#define PAWS_CURAND extern "C" __attribute__((visibility("default"))) curandStatus_t

PAWS_CURAND curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return curand_host::create(generator, type, false);
}

PAWS_CURAND curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return curand_host::create(generator, type, true);
}

PAWS_CURAND curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  std::visit([&](auto& states) { states.free(generator->settings); }, generator->states);
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

PAWS_CURAND curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

PAWS_CURAND curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->settings.stream = stream;
  return CURAND_STATUS_SUCCESS;
}

PAWS_CURAND curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                               unsigned long long seed) {
  return curand_host::set(generator, &curand_host::Settings::seed, seed);
}

PAWS_CURAND curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return curand_host::set(generator, &curand_host::Settings::offset, offset);
}

PAWS_CURAND curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (order == CURAND_ORDERING_QUASI_DEFAULT) return CURAND_STATUS_OUT_OF_RANGE;
  return curand_host::set(generator, &curand_host::Settings::legacy,
                          order == CURAND_ORDERING_PSEUDO_LEGACY);
}

PAWS_CURAND curandGenerateSeeds(curandGenerator_t generator) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

PAWS_CURAND curandGenerate(curandGenerator_t generator, unsigned int* output, size_t count) {
  return curand_host::generate(generator, curand_host::Bits{}, output, count);
}

PAWS_CURAND curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
  return curand_host::generate(generator, curand_host::Uniform{}, output, count);
}

PAWS_CURAND curandGenerateUniformDouble(curandGenerator_t generator, double* output, size_t count) {
  return curand_host::generate(generator, curand_host::UniformDouble{}, output, count);
}

PAWS_CURAND curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                 float mean, float stddev) {
  return curand_host::generate(generator, curand_host::Normal{{}, mean, stddev}, output, count);
}

PAWS_CURAND curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                       double mean, double stddev) {
  return curand_host::generate(generator, curand_host::NormalDouble{{}, mean, stddev}, output,
                               count);
}

PAWS_CURAND curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                    float mean, float stddev) {
  return curand_host::generate(generator, curand_host::LogNormal{{}, mean, stddev}, output, count);
}

PAWS_CURAND curandGenerateLogNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double stddev) {
  return curand_host::generate(generator, curand_host::LogNormalDouble{{}, mean, stddev}, output,
                               count);
}

PAWS_CURAND curandGeneratePoisson(curandGenerator_t generator, unsigned int* output, size_t count,
                                  double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return curand_host::generate(generator, curand_host::Poisson{{}, lambda}, output, count);
}
