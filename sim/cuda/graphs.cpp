// SPDX-License-Identifier: MIT
#include "sim/cuda/graphs.h"

#include <algorithm>
#include <utility>

#include "sim/cuda/call.h"
#include "sim/cuda/copy_time.h"

namespace paws::cuda {

cudaGraph_t Graphs::add(std::unique_ptr<CUgraph_st> graph) {
  cudaGraph_t key = graph.get();
  graphs_[key] = std::move(graph);
  return key;
}

cudaGraphExec_t Graphs::add(std::unique_ptr<CUgraphExec_st> graph) {
  cudaGraphExec_t key = graph.get();
  executables_[key] = std::move(graph);
  return key;
}

CapturePoint* Graphs::capturing(const StreamTime& stream) {
  const auto found = captures_.find(&stream);
  return found == captures_.end() ? nullptr : &found->second;
}

cudaError_t Graphs::begin_capture(const StreamTime& stream, cudaStreamCaptureMode mode) {
  if (stream.kind == StreamKind::legacy) return cudaErrorStreamCaptureUnsupported;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return cudaErrorInvalidValue;
  }
  if (capturing(stream) != nullptr) return cudaErrorIllegalState;
  auto capture = std::make_shared<GraphCapture>();
  capture->graph = std::make_unique<CUgraph_st>();
  capture->origin = &stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  captures_[&stream] = {std::move(capture), {}};
  return cudaSuccess;
}

cudaError_t Graphs::end_capture(const StreamTime& stream, cudaGraph_t* graph) {
  CapturePoint* point = capturing(stream);
  if (point == nullptr) return cudaErrorIllegalState;
  const std::shared_ptr<GraphCapture> capture = point->capture;
  if (capture->origin != &stream) {
    capture->valid = false;
    return cudaErrorStreamCaptureUnmatched;
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    capture->valid = false;
    return cudaErrorStreamCaptureWrongThread;
  }
  // Work of other streams that the stream has not waited for in the end.
  std::set<cudaGraphNode_t> joined;
  std::vector<cudaGraphNode_t> next(point->last.begin(), point->last.end());
  while (!next.empty()) {
    cudaGraphNode_t node = next.back();
    next.pop_back();
    if (joined.insert(node).second) next.insert(next.end(), node->after.begin(), node->after.end());
  }
  const bool all_joined = joined.size() == capture->graph->nodes.size();
  std::erase_if(captures_, [&](const auto& each) { return each.second.capture == capture; });
  if (!capture->valid) return cudaErrorStreamCaptureInvalidated;
  capture->valid = false;
  if (!all_joined) return cudaErrorStreamCaptureUnjoined;
  *graph = add(std::move(capture->graph));
  return cudaSuccess;
}

cudaError_t Graphs::record(CapturePoint& point, Task task) {
  if (!point.capture->valid) return cudaErrorStreamCaptureInvalidated;
  auto& nodes = point.capture->graph->nodes;
  nodes.push_back(std::make_unique<CUgraphNode_st>());
  nodes.back()->task = std::move(task);
  nodes.back()->after = std::exchange(point.last, {nodes.back().get()});
  return cudaSuccess;
}

cudaError_t Graphs::wait(const StreamTime& stream, const CapturePoint* event) {
  CapturePoint* point = capturing(stream);
  if (event == nullptr) {
    if (point == nullptr) return cudaSuccess;
    point->capture->valid = false;
    return cudaErrorStreamCaptureIsolation;
  }
  // Of a capture that has ended.
  if (event->capture->graph == nullptr) return cudaErrorCapturedEvent;
  if (point == nullptr) {
    if (stream.kind == StreamKind::legacy) {
      event->capture->valid = false;
      return cudaErrorStreamCaptureImplicit;
    }
    captures_[&stream] = *event;
    return cudaSuccess;
  }
  if (point->capture != event->capture) {
    point->capture->valid = event->capture->valid = false;
    return cudaErrorStreamCaptureMerge;
  }
  point->last.insert(event->last.begin(), event->last.end());
  return cudaSuccess;
}

template <typename Which>
cudaError_t Graphs::invalidate(cudaError_t error, Which&& which) {
  bool any = false;
  for (auto& [stream, point] : captures_) {
    if (!which(*stream, *point.capture)) continue;
    point.capture->valid = false;
    any = true;
  }
  return any ? error : cudaSuccess;
}

cudaError_t Graphs::refuse_in(const StreamTime& stream) {
  if (stream.kind == StreamKind::legacy) {
    return invalidate(cudaErrorStreamCaptureImplicit,
                      [](const StreamTime& each, const GraphCapture&) {
                        return each.kind == StreamKind::blocking;
                      });
  }
  return invalidate(cudaErrorStreamCaptureUnsupported,
                    [&](const StreamTime& each, const GraphCapture&) { return &each == &stream; });
}

cudaError_t Graphs::refuse_unsafe() {
  return invalidate(cudaErrorStreamCaptureUnsupported,
                    [](const StreamTime&, const GraphCapture& capture) {
                      return capture.mode == cudaStreamCaptureModeGlobal ||
                             (capture.mode == cudaStreamCaptureModeThreadLocal &&
                              capture.thread == std::this_thread::get_id());
                    });
}

cudaError_t Graphs::refuse_all() {
  return invalidate(cudaErrorStreamCaptureUnsupported,
                    [](const StreamTime&, const GraphCapture&) { return true; });
}

std::vector<Step> steps_of(const CUgraph_st& graph) {
  std::map<cudaGraphNode_t, std::size_t> numbers;
  std::vector<Step> steps;
  for (const auto& node : graph.nodes) {
    Step& step = steps.emplace_back(Step{node->task, {}});
    for (cudaGraphNode_t before : node->after) step.after.push_back(numbers.at(before));
    std::sort(step.after.begin(), step.after.end());
    numbers[node.get()] = steps.size() - 1;
  }
  return steps;
}

cudaError_t submit(const Submission& submission, cudaGraphNodeType type, const Work& work) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(submission.stream)) return cudaErrorInvalidResourceHandle;
    const StreamTime& stream = runtime.time_of(submission.stream);
    CapturePoint* point = runtime.graphs().capturing(stream);
    if (point != nullptr && !submission.waits) {
      Task task;
      task.type = type;
      task.work = work;
      return runtime.graphs().record(*point, std::move(task));
    }
    cudaError_t error = runtime.graphs().refuse_in(stream);
    if (error == cudaSuccess && submission.waits) error = runtime.graphs().refuse_unsafe();
    return error == cudaSuccess ? work(runtime, submission) : error;
  });
}

}  // namespace paws::cuda
