// SPDX-License-Identifier: MIT
// The house edge of blackjack, by playing. Threads are persistent: each plays every hand whose
// number is its own plus a multiple of the number of threads, with a random generator of its own.
// Cards come from so many decks that every rank has the same odds. The dealer stands on 17 and
// more; the player follows the basic strategy (hit, stand, double; no split, no insurance); a
// blackjack pays 3 to 2. How many cards a hand takes, and which rule ends it, differs per thread.

#define DEALER_STANDS 17

// The basic strategy: bit `card` of the entry of a total says whether to hit or to double against
// this card of the dealer's, an ace being 1. A soft total counts an ace as 11.
#define CARDS(low, high) ((2u << (high)) - (1u << (low)))
#define ALL CARDS(1, 10)
#define BUT4TO6 (ALL & ~CARDS(4, 6))
#define BUT2TO6 (ALL & ~CARDS(2, 6))
#define FROM9 (CARDS(9, 10) | CARDS(1, 1))
__constant__ unsigned int hit_hard[22] = {
    ALL, ALL,     ALL,     ALL,     ALL,     ALL,     ALL, ALL, ALL, ALL, ALL,
    ALL, BUT4TO6, BUT2TO6, BUT2TO6, BUT2TO6, BUT2TO6, 0,   0,   0,   0,   0};
__constant__ unsigned int hit_soft[22] = {ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL,   ALL, ALL, ALL,
                                          ALL, ALL, ALL, ALL, ALL, ALL, ALL, FROM9, 0,   0,   0};
__constant__ unsigned int double_hard[22] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, CARDS(3, 6), CARDS(2, 9), CARDS(2, 10), 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0};
__constant__ unsigned int double_soft[22] = {
    0, 0, 0,           0,           0,           0,           0,           0,           0, 0, 0,
    0, 0, CARDS(5, 6), CARDS(5, 6), CARDS(4, 6), CARDS(4, 6), CARDS(3, 6), CARDS(3, 6), 0, 0, 0};

struct Hand {
  int hard;  // the total with every ace as 1
  bool ace;
};

__device__ __forceinline__ unsigned int hashed(unsigned int value) {
  value = (value ^ (value >> 16)) * 0x7feb352du;
  value = (value ^ (value >> 15)) * 0x846ca68bu;
  return value ^ (value >> 16);
}

// Marsaglia's xorshift (2003), then a rank from the upper bits. Ten and the three faces count 10.
__device__ __forceinline__ int card(unsigned int* state) {
  unsigned int x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  *state = x;
  return min(static_cast<int>(__umulhi(x, 13u)) + 1, 10);
}

__device__ __forceinline__ void take(Hand* hand, unsigned int* state) {
  const int value = card(state);
  hand->hard += value;
  hand->ace = hand->ace || value == 1;
}

__device__ __forceinline__ bool soft(const Hand& hand) { return hand.ace && hand.hard <= 11; }

__device__ __forceinline__ int total(const Hand& hand) {
  return soft(hand) ? hand.hard + 10 : hand.hard;
}

// `won` is what a thread has won, in halves of a bet.
__global__ void blackjack(int* won, int hands, unsigned int seed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int state = hashed(seed + thread) | 1;  // xorshift never leaves 0
  int sum = 0;

#pragma unroll 1
  for (int i = thread; i < hands; i += gridDim.x * blockDim.x) {
    Hand player = {0, false};
    Hand dealer = {0, false};
    take(&player, &state);
    take(&dealer, &state);
    const unsigned int shown = 1u << dealer.hard;
    take(&player, &state);
    take(&dealer, &state);

    const bool natural = total(player) == 21;
    const bool dealer_natural = total(dealer) == 21;
    if (natural || dealer_natural) {
      if (!dealer_natural) {
        sum += 3;
      } else if (!natural) {
        sum -= 2;
      }
      continue;
    }

    int bet = 2;
    if ((soft(player) ? double_soft : double_hard)[total(player)] & shown) {
      bet = 4;
      take(&player, &state);
    } else {
#pragma unroll 1
      while (player.hard <= 21 && ((soft(player) ? hit_soft : hit_hard)[total(player)] & shown)) {
        take(&player, &state);
      }
    }
    if (player.hard > 21) {
      sum -= bet;
      continue;
    }

#pragma unroll 1
    while (total(dealer) < DEALER_STANDS) take(&dealer, &state);
    if (total(dealer) > 21 || total(player) > total(dealer)) {
      sum += bet;
    } else if (total(player) < total(dealer)) {
      sum -= bet;
    }
  }
  won[thread] = sum;
}
