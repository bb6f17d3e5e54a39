// SPDX-License-Identifier: MIT
// Graphs: work that is recorded, and done when the program launches it. Nodes come from calls that
// name them, or from a stream that captures what it is asked to do.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "sim/cuda/include/cuda_runtime_api.h"
#include "sim/cuda/stream_timeline.h"

namespace paws::cuda {

class Runtime;
struct Submission;
struct Step;

/// What a stream is asked to do, whenever it is done.
using Work = std::function<cudaError_t(Runtime&, const Submission&)>;

/// What a node does. One of the members is there, or none.
struct Task {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Work work;
  cudaHostNodeParams host{};  ///< of the program: not to be called with the lock
  std::shared_ptr<const std::vector<Step>> child;  ///< a graph of its own
};

/// A node of a graph that can be launched, and the numbers of the steps before it that it waits
/// for.
struct Step {
  Task task;
  std::vector<std::size_t> after;
};

}  // namespace paws::cuda

// The opaque types of the API.
struct CUgraphNode_st {
  paws::cuda::Task task;
  std::set<cudaGraphNode_t> after;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
struct CUgraphExec_st {
  std::vector<paws::cuda::Step> steps;
  std::map<cudaGraphNode_t, std::size_t>
      step_of;  ///< of the nodes of the graph that it was made of
};

namespace paws::cuda {

/// A capture, of one stream or of several that wait for each other's events.
struct GraphCapture {
  std::unique_ptr<CUgraph_st> graph;
  const StreamTime* origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool valid = true;
};

/// Where a capture is: the nodes that its next one waits for.
struct CapturePoint {
  std::shared_ptr<GraphCapture> capture;
  std::set<cudaGraphNode_t> last;
};

/// The program's graphs and captures. Called with the lock of the runtime held.
class Graphs {
 public:
  [[nodiscard]] bool knows(cudaGraph_t graph) const { return graphs_.contains(graph); }
  [[nodiscard]] bool knows(cudaGraphExec_t graph) const { return executables_.contains(graph); }

  cudaGraph_t add(std::unique_ptr<CUgraph_st> graph);
  bool remove(cudaGraph_t graph) { return graphs_.erase(graph) != 0; }
  cudaGraphExec_t add(std::unique_ptr<CUgraphExec_st> graph);
  bool remove(cudaGraphExec_t graph) { return executables_.erase(graph) != 0; }

  /// Null, if the stream captures nothing.
  [[nodiscard]] CapturePoint* capturing(const StreamTime& stream);

  cudaError_t begin_capture(const StreamTime& stream, cudaStreamCaptureMode mode);
  /// The graph, or null with an error.
  cudaError_t end_capture(const StreamTime& stream, cudaGraph_t* graph);
  /// Makes a node of the stream's capture.
  cudaError_t record(CapturePoint& point, Task task);
  /// The stream waits for an event that was recorded in a capture; null: outside.
  cudaError_t wait(const StreamTime& stream, const CapturePoint* event);

  /// What is no node cannot be done in a stream that captures, nor in the default one while a
  /// stream captures that waits for it. The capture is of no use then.
  cudaError_t refuse_in(const StreamTime& stream);
  /// Calls that may wait for another thread or for the device: refused as the modes of captures
  /// say.
  cudaError_t refuse_unsafe();
  /// Calls that wait for all streams.
  cudaError_t refuse_all();

 private:
  template <typename Which>
  cudaError_t invalidate(cudaError_t error, Which&& which);

  std::map<cudaGraph_t, std::unique_ptr<CUgraph_st>> graphs_;
  std::map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>> executables_;
  std::map<const StreamTime*, CapturePoint> captures_;
};

/// A node waits for earlier ones alone: the order of their making is one in which they can be done.
std::vector<Step> steps_of(const CUgraph_st& graph);

/// Does the work in the submission's stream, or makes it a node of what the stream captures. Work
/// that the host waits for is no node.
cudaError_t submit(const Submission& submission, cudaGraphNodeType type, const Work& work);

}  // namespace paws::cuda
