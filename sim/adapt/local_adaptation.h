// SPDX-License-Identifier: MIT
// Adaptation of every core by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "sim/core/policy_control.h"

namespace paws::adapt {

class LocalAdaptation final : public core::Adaptation {
 public:
  using Make = std::function<std::unique_ptr<core::PolicyControl>(std::uint32_t core)>;
  explicit LocalAdaptation(Make make) : make_(std::move(make)) {}
  std::unique_ptr<core::PolicyControl> control(std::uint32_t core) override { return make_(core); }

 private:
  Make make_;
};

}  // namespace paws::adapt
