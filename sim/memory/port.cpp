// SPDX-License-Identifier: MIT
#include "sim/memory/port.h"

#include <algorithm>

namespace paws::memory {

void Port::send(Request request, std::uint64_t cycle) {
  request.core = core_;
  free_fs_ = std::max(crossbar_.time_of(cycle), free_fs_) +
             crossbar_.flits(is_read(request.kind) ? 0 : request.bytes);
  sent_.push_back({request, cycle, free_fs_ + crossbar_.one_way()});
}

void Port::listen(std::uint64_t cycle) {
  while (!signals_.empty() && signals_.front().cycle <= cycle) {
    const Signal& signal = signals_.front();
    if (stopped_[signal.slice] != signal.stop) stopped_slices_ += signal.stop ? 1U : ~0U;
    stopped_[signal.slice] = signal.stop;
    signals_.pop_front();
  }
}

Response Port::take_response() {
  const Response response = responses_.front();
  responses_.pop_front();
  return response;
}

}  // namespace paws::memory
