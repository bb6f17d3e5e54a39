// SPDX-License-Identifier: MIT
#include "sim/cuda/copy_time.h"

namespace paws::cuda {

void time_copy(Runtime& runtime, const Side& to, const Side& from, std::size_t bytes,
               cudaMemcpyKind kind, const Submission& submission) {
  // Managed memory is where the kind of the copy says, else on the host.
  const bool to_device =
      to.device ||
      (to.managed && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice));
  const bool from_device =
      from.device ||
      (from.managed && (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice));
  StreamTimeline& timeline = runtime.timeline();
  StreamTime& stream = runtime.time_of(submission.stream);
  if (to_device && from_device) {
    timeline.copy(stream, Direction::within, bytes);
    return;
  }
  // From host to host the host copies, which takes no time, when the stream comes to it.
  if (to_device) timeline.copy(stream, Direction::to_device, bytes);
  if (from_device) timeline.copy(stream, Direction::to_host, bytes);
  const bool pageable = !to.known || !from.known;
  const bool within_host = !to_device && !from_device;
  if (submission.in_graph) return;
  if (submission.waits || pageable || within_host) timeline.host_waits(timeline.reached(stream));
}

void time_fill(Runtime& runtime, const Side& to, std::size_t bytes, const Submission& submission) {
  StreamTimeline& timeline = runtime.timeline();
  StreamTime& stream = runtime.time_of(submission.stream);
  if (to.device || to.managed) {
    timeline.fill(stream, bytes);
  } else {
    // The device writes it over the link.
    timeline.copy(stream, Direction::to_host, bytes);
  }
  if (submission.waits && !to.device) timeline.host_waits(timeline.reached(stream));
}

}  // namespace paws::cuda
