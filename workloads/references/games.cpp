// SPDX-License-Identifier: MIT
// Games of chance.
#include <cstddef>
#include <cstdint>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

/// Ranks from Marsaglia's xorshift (2003) with 32 bits, all equally likely; 1 is an ace.
class Shoe {
 public:
  explicit Shoe(std::uint32_t seed) : state_(seed) {
    state_ = (state_ ^ state_ >> 16U) * 0x7feb352dU;
    state_ = (state_ ^ state_ >> 15U) * 0x846ca68bU;
    state_ = (state_ ^ state_ >> 16U) | 1U;
  }

  int draw() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 17U;
    state_ ^= state_ << 5U;
    const auto rank = static_cast<int>(std::uint64_t{state_} * 13 >> 32U) + 1;
    return rank > 10 ? 10 : rank;
  }

 private:
  std::uint32_t state_;
};

class Hand {
 public:
  void take(int card) {
    sum_ += card;
    ace_ = ace_ || card == 1;
  }
  bool soft() const { return ace_ && sum_ + 10 <= 21; }
  int total() const { return soft() ? sum_ + 10 : sum_; }

 private:
  int sum_ = 0;
  bool ace_ = false;
};

bool within(int card, int low, int high) { return card >= low && card <= high; }

// The basic strategy for a dealer who stands on every 17. `shown` is the dealer's card.
bool doubles(const Hand& hand, int shown) {
  const int total = hand.total();
  if (hand.soft()) {
    return (within(total, 13, 14) && within(shown, 5, 6)) ||
           (within(total, 15, 16) && within(shown, 4, 6)) ||
           (within(total, 17, 18) && within(shown, 3, 6));
  }
  return (total == 9 && within(shown, 3, 6)) || (total == 10 && within(shown, 2, 9)) ||
         (total == 11 && within(shown, 2, 10));
}

bool hits(const Hand& hand, int shown) {
  const int total = hand.total();
  if (hand.soft()) return total <= 17 || (total == 18 && (shown == 1 || shown >= 9));
  if (total == 12) return !within(shown, 4, 6);
  return total <= 11 || (total <= 16 && !within(shown, 2, 6));
}

/// In halves of a bet.
int play(Shoe& shoe) {
  Hand player;
  Hand dealer;
  player.take(shoe.draw());
  const int shown = shoe.draw();
  dealer.take(shown);
  player.take(shoe.draw());
  dealer.take(shoe.draw());
  const bool natural = player.total() == 21;
  if (dealer.total() == 21) return natural ? 0 : -2;
  if (natural) return 3;

  const int bet = doubles(player, shown) ? 4 : 2;
  if (bet == 4) {
    player.take(shoe.draw());
  } else {
    while (hits(player, shown)) player.take(shoe.draw());
  }
  if (player.total() > 21) return -bet;
  while (dealer.total() < 17) dealer.take(shoe.draw());
  if (dealer.total() > 21 || dealer.total() < player.total()) return bet;
  return dealer.total() == player.total() ? 0 : -bet;
}

}  // namespace

// Hand i is played by thread i modulo the threads.
Output blackjack_winnings(const std::vector<Input>& inputs) {
  const auto threads = dimension(inputs[0]);
  const auto hands = dimension(inputs[1]);
  const auto seed = static_cast<std::uint32_t>(std::get<std::int64_t>(inputs[2]));
  Integers won(threads);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    Shoe shoe(seed + static_cast<std::uint32_t>(thread));
    for (std::size_t hand = thread; hand < hands; hand += threads) won[thread] += play(shoe);
  }
  return won;
}

}  // namespace paws::references
